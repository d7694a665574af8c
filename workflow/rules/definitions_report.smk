# What is made of all agents' metrics: averages, tests, tables, figures and the report.

DEFINITIONS_KINDS = dict.fromkeys(DEFINITIONS_BASELINES, "baseline") | {
    name: entry["type"] for name, entry in config["models"].items()
}
DEFINITIONS_TABLES = ["overview", "tests", "frequency", "depth", "confusions", "data"]
DEFINITIONS_FIGURES = ["precision", "rank_score", "frequency", "depth"]


rule definitions_summary:
    input:
        metrics=expand(
            "<results>/definitions/metrics/{agent}.parquet", agent=DEFINITIONS_AGENTS
        ),
        code=code("definitions_summary"),
    output:
        averages="<results>/definitions/averages.parquet",
        tests="<results>/definitions/tests.parquet",
    log:
        "<results>/logs/definitions/summary.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/definitions_summary.py \
            --metrics {input.metrics} \
            --averages {output.averages} \
            --tests {output.tests} \
            --log {log}
        """


rule definitions_tables:
    input:
        averages="<results>/definitions/averages.parquet",
        tests="<results>/definitions/tests.parquet",
        sizes="<results>/definitions/sizes.parquet",
        groups="<results>/definitions/groups.parquet",
        responses=expand(
            "<results>/definitions/responses/{agent}.parquet", agent=DEFINITIONS_AGENTS
        ),
        code=code("definitions_tables"),
    output:
        reported(
            expand(
                "<results>/definitions/tables/{name}.csv",
                name=DEFINITIONS_TABLES + ["metrics"],
            )
        ),
    log:
        "<results>/logs/definitions/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/definitions_tables.py \
            --averages {input.averages} \
            --tests {input.tests} \
            --sizes {input.sizes} \
            --groups {input.groups} \
            --responses {input.responses} \
            --folder {params.folder} \
            --log {log}
        """


rule definitions_figures:
    input:
        averages="<results>/definitions/averages.parquet",
        code=code("definitions_figures"),
    output:
        reported(
            expand(
                "<results>/definitions/figures/{name}.svg", name=DEFINITIONS_FIGURES
            )
        ),
        expand("<results>/definitions/figures/{name}.png", name=DEFINITIONS_FIGURES),
    log:
        "<results>/logs/definitions/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        kinds=json.dumps(DEFINITIONS_KINDS),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/definitions_figures.py \
            --averages {input.averages} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule definitions_published:
    input:
        published="resources/published/definitions.csv",
        averages="<results>/definitions/averages.parquet",
        sizes="<results>/definitions/sizes.parquet",
        code=code("definitions_published"),
    output:
        reported(["<results>/definitions/tables/published.csv"]),
    log:
        "<results>/logs/definitions/published.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/definitions_published.py \
            --published {input.published} \
            --averages {input.averages} \
            --sizes {input.sizes} \
            --out {output} \
            --log {log}
        """


rule definitions_report:
    input:
        tables=expand(
            "<results>/definitions/tables/{name}.csv", name=DEFINITIONS_TABLES
        ),
        figures=expand(
            "<results>/definitions/figures/{name}.svg", name=DEFINITIONS_FIGURES
        ),
        template="workflow/report/page.html.j2",
        code=code("definitions_report"),
    output:
        "<results>/definitions/report.html",
    log:
        "<results>/logs/definitions/report.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/definitions_report.py \
            --tables {input.tables} \
            --figures {input.figures} \
            --template {input.template} \
            --out {output} \
            --log {log}
        """
