# What is made of all agents' metrics: averages, tests, comparisons, and what the paper prints beside them.

RELATIONS_COMPARISONS = [
    *(
        "size_differences",
        "size_averages",
        "size_reversals",
        "best_by_type",
        "wins_by_type",
    ),
    *("frequency", "prompt_variance", "unequal_prompts", "first_related", "left_out"),
]
RELATIONS_ENTROPY = ["entropy", "entropy_differences"] if HUMANS else []
RELATIONS_MODELS = {
    model: {key: entry[key] for key in ("type", "family", "size") if key in entry}
    for model, entry in config["models"].items()
}
# The cut-off of symmetry and asymmetry in the comparisons: the paper's, if it is there.
RELATIONS_K = min(RELATIONS["choices"]["symmetry_k"], key=lambda k: (k != 5, -k))


rule relations_summary:
    input:
        metrics=expand(
            "<results>/relations/metrics/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        code=code("relations_summary"),
    output:
        "<results>/relations/summary.parquet",
    log:
        "<results>/logs/relations/summary.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_summary.py \
            --metrics {input.metrics} \
            --out {output} \
            --log {log}
        """


rule relations_tests:
    input:
        metrics=expand(
            "<results>/relations/metrics/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        code=code("relations_tests"),
    output:
        "<results>/relations/tests.parquet",
    log:
        "<results>/logs/relations/tests.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_tests.py \
            --metrics {input.metrics} \
            --out {output} \
            --log {log}
        """


rule relations_tables:
    input:
        summary="<results>/relations/summary.parquet",
        tests="<results>/relations/tests.parquet",
        probes="<results>/relations/probes.parquet",
        tuples="<results>/relations/tuples.parquet",
        relata="<results>/relations/relata.parquet",
        lexicon="<results>/shared_lexicon.parquet",
        code=code("relations_tables"),
    output:
        reported(
            expand(
                "<results>/relations/tables/{name}.csv",
                name=["data", "overview", "metrics", "tests"],
            )
        ),
    log:
        "<results>/logs/relations/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_tables.py \
            --summary {input.summary} \
            --tests {input.tests} \
            --probes {input.probes} \
            --tuples {input.tuples} \
            --relata {input.relata} \
            --lexicon {input.lexicon} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_comparisons:
    input:
        metrics=expand(
            "<results>/relations/metrics/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        summary="<results>/relations/summary.parquet",
        tests="<results>/relations/tests.parquet",
        relata="<results>/relations/relata.parquet",
        code=code("relations_comparisons"),
    output:
        reported(
            expand("<results>/relations/tables/{name}.csv", name=RELATIONS_COMPARISONS)
        ),
    log:
        "<results>/logs/relations/comparisons.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        models=json.dumps(RELATIONS_MODELS),
        k=RELATIONS_K,
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_comparisons.py \
            --metrics {input.metrics} \
            --summary {input.summary} \
            --tests {input.tests} \
            --relata {input.relata} \
            --models {params.models:q} \
            --k {params.k} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_entropy:
    input:
        answers="<resources>/fetched/human_responses.json",
        prompts=RELATIONS["prompts"],
        code=code("relations_entropy"),
    output:
        tables=reported(
            expand(
                "<results>/relations/tables/{name}.csv",
                name=RELATIONS_ENTROPY + ["response_entropies"],
            )
        ),
        svg=reported(["<results>/relations/figures/response_entropy.svg"]),
        png="<results>/relations/figures/response_entropy.png",
    log:
        "<results>/logs/relations/entropy.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        tables=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_entropy.py \
            --answers {input.answers} \
            --prompts {input.prompts:q} \
            --tables {params.tables} \
            --figure {output.svg} \
            --log {log}
        """


rule relations_coverage:
    input:
        lexicons=expand("<results>/lexicons/{model}.parquet", model=config["models"]),
        shared="<results>/shared_lexicon.parquet",
        tuples="<results>/relations/tuples.parquet",
        relata="<results>/relations/relata.parquet",
        code=code("relations_coverage"),
    output:
        reported(["<results>/relations/tables/coverage.csv"]),
    log:
        "<results>/logs/relations/coverage.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_coverage.py \
            --lexicons {input.lexicons} \
            --shared {input.shared} \
            --tuples {input.tuples} \
            --relata {input.relata} \
            --out {output} \
            --log {log}
        """


rule relations_sensitivity:
    input:
        agents=expand(
            "<results>/relations/sensitivity/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        code=code("relations_sensitivity"),
    output:
        reported(
            expand(
                "<results>/relations/tables/{name}.csv",
                name=["sensitivity", "sensitivity_ranges"],
            )
        ),
    log:
        "<results>/logs/relations/sensitivity.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_sensitivity.py \
            --agents {input.agents} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_top_words:
    input:
        agents=expand(
            "<results>/relations/top_words/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        probes="<results>/relations/probes.parquet",
        code=code("relations_top_words"),
    output:
        reported(["<results>/relations/tables/top_words.csv"]),
    log:
        "<results>/logs/relations/top_words.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        shown=RELATIONS["shown_probes"],
    shell:
        """
        python workflow/scripts/relations_top_words.py \
            --agents {input.agents} \
            --probes {input.probes} \
            --shown {params.shown:q} \
            --out {output} \
            --log {log}
        """


rule relations_published:
    input:
        published="resources/published/relations.csv",
        summary="<results>/relations/summary.parquet",
        metrics=expand(
            "<results>/relations/metrics/{agent}.parquet", agent=RELATIONS_AGENTS
        ),
        tables=expand(
            "<results>/relations/tables/{name}.csv",
            name=["data"] + RELATIONS_COMPARISONS + RELATIONS_ENTROPY,
        ),
        code=code("relations_published"),
    output:
        reported(["<results>/relations/tables/published.csv"]),
    log:
        "<results>/logs/relations/published.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        models=list(config["models"]),
        panel=config["lexicon"]["panel"],
    shell:
        """
        python workflow/scripts/relations_published.py \
            --published {input.published} \
            --summary {input.summary} \
            --metrics {input.metrics} \
            --tables {input.tables} \
            --models {params.models} \
            --panel {params.panel} \
            --out {output} \
            --log {log}
        """
