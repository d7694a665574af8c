# The figures and the page of the relations study.

RELATIONS_FIGURES = (
    ["soundness", "completeness"]
    + expand(
        "{metric}_{k}",
        metric=["symmetry", "asymmetry"],
        k=RELATIONS["choices"]["symmetry_k"],
    )
    + ["prototypicality" for _ in HUMANS]
    + expand("distinguishability_{what}", what=["curves", "kinds", "matrices"])
    + ["first_related"]
)
RELATIONS_COMPARED = ["soundness", "completeness", "symmetry", "asymmetry"] + [
    "prototypicality" for _ in HUMANS
]
RELATIONS_SIZES = {
    (entry["family"], float(entry["size"]))
    for entry in RELATIONS_MODELS.values()
    if {"family", "size"} <= set(entry)
}
# Where no family has two sizes there is nothing to see; the table left_out says so.
RELATIONS_GROW = len(RELATIONS_SIZES) > len({family for family, _ in RELATIONS_SIZES})
RELATIONS_COMPARISON_FIGURES = [
    f"size_{metric}" for metric in RELATIONS_COMPARED + ["audc"] if RELATIONS_GROW
] + [f"frequency_{metric}" for metric in RELATIONS_COMPARED]
RELATIONS_ENTROPY_FIGURE = ["response_entropy" for _ in HUMANS]
RELATIONS_TABLES = (
    ["overview", "tests", "top_words"]
    + [
        name
        for name in RELATIONS_COMPARISONS
        if name not in ("first_related", "prompt_variance")
    ]
    + RELATIONS_ENTROPY
    + ["sensitivity_ranges", "data", "coverage"]
)


rule relations_figures:
    input:
        summary="<results>/relations/summary.parquet",
        tests="<results>/relations/tests.parquet",
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
        names=RELATIONS_FIGURES,
        kinds=json.dumps(RELATIONS_KINDS),
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_figures.py \
            --summary {input.summary} \
            --tests {input.tests} \
            --first-related {input.first_related} \
            --names {params.names} \
            --kinds {params.kinds:q} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_comparison_figures:
    input:
        summary="<results>/relations/summary.parquet",
        frequency="<results>/relations/tables/frequency.csv",
        code=code("relations_comparison_figures"),
    output:
        reported(
            expand(
                "<results>/relations/figures/{name}.svg",
                name=RELATIONS_COMPARISON_FIGURES,
            )
        ),
        expand(
            "<results>/relations/figures/{name}.png", name=RELATIONS_COMPARISON_FIGURES
        ),
    log:
        "<results>/logs/relations/comparison_figures.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        names=RELATIONS_COMPARISON_FIGURES,
        models=json.dumps(RELATIONS_MODELS),
        k=RELATIONS_K,
        folder=subpath(output[0], parent=True),
    shell:
        """
        python workflow/scripts/relations_comparison_figures.py \
            --summary {input.summary} \
            --frequency {input.frequency} \
            --names {params.names} \
            --models {params.models:q} \
            --k {params.k} \
            --folder {params.folder} \
            --log {log}
        """


rule relations_report:
    input:
        tables=expand("<results>/relations/tables/{name}.csv", name=RELATIONS_TABLES),
        figures=expand(
            "<results>/relations/figures/{name}.svg",
            name=RELATIONS_FIGURES
            + RELATIONS_ENTROPY_FIGURE
            + RELATIONS_COMPARISON_FIGURES,
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
