# What is made of all agents' metrics: averages, tests, the choice of a rater, tables, figures and the page.

DEGREES_FIGURES = ["rho", "maxdiff", "classes"]
DEGREES_TABLES = ["overview", "choice", "classes", "reversals", "tests", "data"]


rule degrees_summary:
    input:
        metrics=expand("<results>/degrees/metrics/{rated}.parquet", rated=DEGREES_RATED),
        code=code("degrees_summary"),
    output:
        "<results>/degrees/summary.parquet",
    log:
        "<results>/logs/degrees/summary.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/degrees_summary.py \
            --metrics {input.metrics} \
            --out {output} \
            --log {log}
        """


rule degrees_tests:
    input:
        metrics=expand("<results>/degrees/metrics/{rated}.parquet", rated=DEGREES_RATED),
        code=code("degrees_tests"),
    output:
        tests=reported(["<results>/degrees/tables/tests.csv"]),
        choice=reported(["<results>/degrees/tables/choice.csv"]),
    log:
        "<results>/logs/degrees/tests.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/degrees_tests.py \
            --metrics {input.metrics} \
            --tests {output.tests} \
            --choice {output.choice} \
            --log {log}
        """


rule degrees_tables:
    input:
        metrics=expand("<results>/degrees/metrics/{rated}.parquet", rated=DEGREES_RATED),
        summary="<results>/degrees/summary.parquet",
        published="resources/published/degrees.csv",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
        code=code("degrees_tables"),
    output:
        reported(
            expand(
                "<results>/degrees/tables/{name}.csv",
                name=["overview", "classes", "reversals", "subcategories", "data"],
            )
        ),
    log:
        "<results>/logs/degrees/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/degrees_tables.py \
            --metrics {input.metrics} \
            --summary {input.summary} \
            --published {input.published} \
            --gold {input.gold} \
            --questions {input.questions} \
            --folder {params.folder} \
            --log {log}
        """


rule degrees_figures:
    input:
        summary="<results>/degrees/summary.parquet",
        gold="<results>/degrees/gold.parquet",
        code=code("degrees_figures"),
    output:
        reported(expand("<results>/degrees/figures/{name}.svg", name=DEGREES_FIGURES)),
        expand("<results>/degrees/figures/{name}.png", name=DEGREES_FIGURES),
    log:
        "<results>/logs/degrees/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        kinds=json.dumps(
            {name: entry["type"] for name, entry in config["models"].items()}
        ),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/degrees_figures.py \
            --summary {input.summary} \
            --gold {input.gold} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule degrees_published:
    input:
        published="resources/published/degrees.csv",
        summary="<results>/degrees/summary.parquet",
        data="<results>/degrees/tables/data.csv",
        code=code("degrees_published"),
    output:
        reported(["<results>/degrees/tables/published.csv"]),
    log:
        "<results>/logs/degrees/published.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/degrees_published.py \
            --published {input.published} \
            --summary {input.summary} \
            --data {input.data} \
            --out {output} \
            --log {log}
        """


rule degrees_report:
    input:
        tables=expand("<results>/degrees/tables/{name}.csv", name=DEGREES_TABLES),
        figures=expand("<results>/degrees/figures/{name}.svg", name=DEGREES_FIGURES),
        template="workflow/report/page.html.j2",
        code=code("degrees_report"),
    output:
        "<results>/degrees/report.html",
    log:
        "<results>/logs/degrees/report.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        without_static="" if DEGREES_STATIC else "--without-static",
    shell:
        """
        python workflow/scripts/degrees_report.py \
            --tables {input.tables} \
            --figures {input.figures} \
            {params.without_static} \
            --template {input.template} \
            --out {output} \
            --log {log}
        """
