# What is made of all agents' accuracies: averages, tests, frequencies, tables, figures and the report.

ANALOGIES_KINDS = {
    agent: config["models"][agent]["type"] if agent in config["models"] else "baseline"
    for agent in ANALOGIES_AGENTS
}
ANALOGIES_FIGURES = [
    "groups_supervised",
    "groups_unsupervised",
    "relations_supervised",
    "relations_unsupervised",
]
ANALOGIES_TABLES = [
    *("overview", "relations", "tests", "frequency_summary", "frequency"),
    *("unjudged", "data"),
]


rule analogies_tables:
    input:
        metrics=expand(
            "<results>/analogies/metrics/{agent}.parquet", agent=ANALOGIES_AGENTS
        ),
        tuples="<results>/analogies/tuples.parquet",
        instances="<results>/analogies/instances.parquet",
        code=code("analogies_tables"),
    output:
        reported(
            expand(
                "<results>/analogies/tables/{name}.csv",
                name=["overview", "relations", "averages", "tests", "data"],
            )
        ),
        averages="<results>/analogies/averages.parquet",
    log:
        "<results>/logs/analogies/tables.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/analogies_tables.py \
            --metrics {input.metrics} \
            --tuples {input.tuples} \
            --instances {input.instances} \
            --averages {output.averages} \
            --folder {params.folder} \
            --log {log}
        """


rule analogies_frequency:
    input:
        supervised=expand(
            "<results>/analogies/supervised/{agent}.parquet", agent=ANALOGIES_AGENTS
        ),
        unsupervised=expand(
            "<results>/analogies/unsupervised/{agent}.parquet", agent=ANALOGIES_AGENTS
        ),
        tuples="<results>/analogies/tuples.parquet",
        code=code("analogies_frequency"),
    output:
        reported(
            expand(
                "<results>/analogies/tables/{name}.csv",
                name=["frequency", "frequency_summary", "unjudged"],
            )
        ),
    log:
        "<results>/logs/analogies/frequency.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/analogies_frequency.py \
            --supervised {input.supervised} \
            --unsupervised {input.unsupervised} \
            --tuples {input.tuples} \
            --folder {params.folder} \
            --log {log}
        """


rule analogies_figures:
    input:
        averages="<results>/analogies/averages.parquet",
        tuples="<results>/analogies/tuples.parquet",
        code=code("analogies_figures"),
    output:
        reported(
            expand("<results>/analogies/figures/{name}.svg", name=ANALOGIES_FIGURES)
        ),
        expand("<results>/analogies/figures/{name}.png", name=ANALOGIES_FIGURES),
    log:
        "<results>/logs/analogies/figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        kinds=json.dumps(ANALOGIES_KINDS),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/analogies_figures.py \
            --averages {input.averages} \
            --tuples {input.tuples} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule analogies_published:
    input:
        published="resources/published/analogies.csv",
        averages="<results>/analogies/averages.parquet",
        frequency="<results>/analogies/tables/frequency_summary.csv",
        code=code("analogies_published"),
    output:
        reported(["<results>/analogies/tables/published.csv"]),
    log:
        "<results>/logs/analogies/published.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/analogies_published.py \
            --published {input.published} \
            --averages {input.averages} \
            --frequency {input.frequency} \
            --out {output} \
            --log {log}
        """


rule analogies_report:
    input:
        tables=expand("<results>/analogies/tables/{name}.csv", name=ANALOGIES_TABLES),
        figures=expand("<results>/analogies/figures/{name}.svg", name=ANALOGIES_FIGURES),
        template="workflow/report/page.html.j2",
        code=code("analogies_report"),
    output:
        "<results>/analogies/report.html",
    log:
        "<results>/logs/analogies/report.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        """
        python workflow/scripts/analogies_report.py \
            --tables {input.tables} \
            --figures {input.figures} \
            --template {input.template} \
            --out {output} \
            --log {log}
        """
