# What is made of all agents' metrics and responses: tables, figures and the report of the systematicity study.

SYSTEMATICITY_FIGURES = expand(
    "{kind}_{set}", kind=["accuracy", "category_logprobs"], set=SYSTEMATICITY_SETS
) + ["detection"]
SYSTEMATICITY_TABLES = (
    ["overview", "tests", "examples", "errors", "consistency", "frequency", "detection"]
    + ["diagnostics", "parts"]
    + ["overlap" for _ in SYSTEMATICITY_RELEASED]
    + ["tokens", "left_out"]
)


rule systematicity_overlap:
    input:
        item_table="<results>/systematicity/items.parquet",
        wordnet="<resources>/fetched/nltk_wordnet.json",
        code=code("systematicity_overlap"),
    output:
        reported(["<results>/systematicity/tables/overlap.csv"]),
    log:
        "<results>/logs/systematicity/overlap.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        minimum_zipf=SYSTEMATICITY["minimum_zipf"],
        categories=SYSTEMATICITY_CATEGORIES,
    shell:
        """
        python workflow/scripts/systematicity_overlap.py \
            --items {input.item_table} \
            --wordnet {input.wordnet} \
            --minimum-zipf {params.minimum_zipf} \
            --categories {params.categories:q} \
            --out {output} \
            --log {log}
        """


rule systematicity_tables:
    input:
        metrics=expand(
            "<results>/systematicity/metrics/{agent}.parquet",
            agent=SYSTEMATICITY_KINDS,
        ),
        detections=expand(
            "<results>/systematicity/detections/{agent}.parquet",
            agent=SYSTEMATICITY_EMBEDDED,
        ),
        item_table="<results>/systematicity/items.parquet",
        pairs="<results>/systematicity/pairs.parquet",
        code=code("systematicity_tables"),
    output:
        reported(
            expand(
                "<results>/systematicity/tables/{name}.csv",
                name=["overview", "metrics", "tests", "detection", "consistency"]
                + ["frequency", "diagnostics", "parts", "left_out"],
            )
        ),
    log:
        "<results>/logs/systematicity/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        resources=SYSTEMATICITY_OPTIONAL,
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/systematicity_tables.py \
            --metrics {input.metrics} \
            --detections {input.detections} \
            --items {input.item_table} \
            --pairs {input.pairs} \
            --resources {params.resources} \
            --folder {params.folder} \
            --log {log}
        """


rule systematicity_answers:
    input:
        responses=expand(
            "<results>/systematicity/responses/{model}.parquet",
            model=config["models"],
        ),
        probes="<results>/systematicity/probes.parquet",
        item_table="<results>/systematicity/items.parquet",
        wordnet="<resources>/fetched/nltk_wordnet.json",
        code=code("systematicity_answers"),
    output:
        reported(
            expand(
                "<results>/systematicity/tables/{name}.csv",
                name=["answers", "examples", "category_logprobs", "errors", "tokens"],
            )
        ),
    log:
        "<results>/logs/systematicity/answers.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/systematicity_answers.py \
            --responses {input.responses} \
            --probes {input.probes} \
            --items {input.item_table} \
            --wordnet {input.wordnet} \
            --folder {params.folder} \
            --log {log}
        """


rule systematicity_figures:
    input:
        metrics="<results>/systematicity/tables/metrics.csv",
        category_logprobs="<results>/systematicity/tables/category_logprobs.csv",
        detection="<results>/systematicity/tables/detection.csv",
        code=code("systematicity_figures"),
    output:
        reported(
            expand(
                "<results>/systematicity/figures/{name}.svg",
                name=SYSTEMATICITY_FIGURES,
            )
        ),
        expand("<results>/systematicity/figures/{name}.png", name=SYSTEMATICITY_FIGURES),
    log:
        "<results>/logs/systematicity/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        sets=SYSTEMATICITY_SETS,
        kinds=json.dumps(SYSTEMATICITY_KINDS),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/systematicity_figures.py \
            --metrics {input.metrics} \
            --category-logprobs {input.category_logprobs} \
            --detection {input.detection} \
            --sets {params.sets} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule systematicity_published:
    input:
        published="resources/published/systematicity.csv",
        tables=expand(
            "<results>/systematicity/tables/{name}.csv",
            name=["metrics", "consistency", "errors", "detection"]
            + ["diagnostics", "parts"],
        ),
        code=code("systematicity_published"),
    output:
        reported(["<results>/systematicity/tables/published.csv"]),
    log:
        "<results>/logs/systematicity/published.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/systematicity_published.py \
            --published {input.published} \
            --tables {params.folder} \
            --out {output} \
            --log {log}
        """


rule systematicity_report:
    input:
        tables=expand(
            "<results>/systematicity/tables/{name}.csv",
            name=SYSTEMATICITY_TABLES,
        ),
        figures=expand(
            "<results>/systematicity/figures/{name}.svg",
            name=SYSTEMATICITY_FIGURES,
        ),
        template="workflow/report/page.html.j2",
        code=code("systematicity_report"),
    output:
        "<results>/systematicity/report.html",
    log:
        "<results>/logs/systematicity/report.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/systematicity_report.py \
            --tables {input.tables} \
            --figures {input.figures} \
            --template {input.template} \
            --out {output} \
            --log {log}
        """
