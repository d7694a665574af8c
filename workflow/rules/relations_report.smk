# What is made of all agents' metrics: averages, tests, comparisons, tables, figures and the report.


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
        models=json.dumps(
            {
                model: {
                    key: entry[key]
                    for key in ("type", "family", "size")
                    if key in entry
                }
                for model, entry in config["models"].items()
            }
        ),
        k=(
            5
            if 5 in RELATIONS["choices"]["symmetry_k"]
            else max(RELATIONS["choices"]["symmetry_k"])
        ),
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
        responses="<results>/relations/responses/humans.parquet",
        probes="<results>/relations/probes.parquet",
        code=code("relations_entropy"),
    output:
        tables=reported(
            expand(
                "<results>/relations/tables/{name}.csv",
                name=["entropy", "entropy_differences", "response_entropies"],
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
            --responses {input.responses} \
            --probes {input.probes} \
            --tables {params.tables} \
            --figure {output.svg} \
            --log {log}
        """


rule relations_figures:
    input:
        summary="<results>/relations/summary.parquet",
        first_related="<results>/relations/tables/first_related.csv",
        code=code("relations_figures"),
    output:
        reported(
            expand("<results>/relations/figures/{name}.svg", name=RELATIONS_FIGURES)
        ),
        expand("<results>/relations/figures/{name}.png", name=RELATIONS_FIGURES),
    log:
        "<results>/logs/relations/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        kinds=json.dumps(RELATIONS_KINDS),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_figures.py \
            --summary {input.summary} \
            --first-related {input.first_related} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_published:
    input:
        published="resources/published/relations.csv",
        summary="<results>/relations/summary.parquet",
        code=code("relations_published"),
    output:
        reported(["<results>/relations/tables/published.csv"]),
    log:
        "<results>/logs/relations/published.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_published.py \
            --published {input.published} \
            --summary {input.summary} \
            --out {output} \
            --log {log}
        """


rule relations_report:
    input:
        tables=expand("<results>/relations/tables/{name}.csv", name=RELATIONS_TABLES),
        figures=expand(
            "<results>/relations/figures/{name}.svg",
            name=RELATIONS_FIGURES + RELATIONS_ENTROPY,
        ),
        template="workflow/report/page.html.j2",
        code=code("relations_report"),
    output:
        "<results>/relations/report.html",
    log:
        "<results>/logs/relations/report.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/relations_report.py \
            --tables {input.tables} \
            --figures {input.figures} \
            --template {input.template} \
            --out {output} \
            --log {log}
        """
