# What a manuscript takes from a run, docs/how-to/write-a-paper.md: `relprobe paper` writes it into <results>/paper.
# `relprobe run` does not wait for it.


PAPER = config["paper"]
PAPER_STUDIES = [study for study in RUN_STUDIES if study in PAPER["studies"] or not PAPER["studies"]]
# Those of them that say how their methods are written.
PAPER_METHODS = [study for study in PAPER_STUDIES if study in SCORED and workflow.is_rule(f"{study}_trials")]


localrules:
    paper,
    paper_methods,
    paper_study_methods,
    paper_tables,
    paper_trials,


use rule analysis as paper_trials with:
    input:
        of_studies=expand(
            "<results>/{study}/trials.parquet",
            study=[study for study in PAPER_STUDIES if workflow.is_rule(f"{study}_trials")],
        ),
    output:
        csv="<results>/paper/trials.csv",
        parquet="<results>/paper/trials.parquet",
    log:
        "<results>/logs/paper/trials.log",
    params:
        **step("manuscript", "trials"),


use rule analysis as paper_tables with:
    input:
        tables=lambda wildcards: parquet(wildcards.study, shown_tables(wildcards.study)),
    output:
        directory("<results>/paper/tables/{study}"),
    log:
        "<results>/logs/paper/tables/{study}.log",
    params:
        **step(
            "manuscript",
            "tables",
            also=lambda wildcards: [f"relprobe.studies.{wildcards.study}.page.WORDS"],
            pages=lambda wildcards: [wildcards.study],
            study=lambda wildcards: wildcards.study,
            has=lambda wildcards: HAS[wildcards.study],
        ),


use rule analysis as paper_study_methods with:
    input:
        tables=lambda wildcards: parquet(wildcards.study, shown_tables(wildcards.study)),
        trials="<results>/{study}/trials.parquet",
        averages="<results>/{study}/averages.parquet",
        tests="<results>/{study}/tests.parquet",
        scores=lambda wildcards: SCORED[wildcards.study],
    output:
        "<results>/{study}/methods.json",
    log:
        "<results>/logs/{study}/methods.log",
    params:
        **step(
            "manuscript",
            "study_methods",
            also=lambda wildcards: [
                f"relprobe.studies.{wildcards.study}.methods",
                *measures_of(wildcards.study),
            ],
            pages=lambda wildcards: [wildcards.study],
            study=lambda wildcards: wildcards.study,
            has=lambda wildcards: HAS[wildcards.study],
            section=lambda wildcards: config[wildcards.study],
            models=lambda wildcards: {name: config["models"][name] for name in agents_of(wildcards.study)},
            resources=config["resources"],
            inference=config["inference"],
            controls=lambda wildcards: CONTROLS[wildcards.study],
        ),


use rule analysis as paper_methods with:
    input:
        parts=expand("<results>/{study}/methods.json", study=PAPER_METHODS),
        manifests=expand("<resources>/fetched/models/{model}.json", model=dict.fromkeys(NETWORKS.values())),
    output:
        markdown="<results>/paper/methods.md",
        latex="<results>/paper/methods.tex",
        bib="<results>/paper/references.bib",
    log:
        "<results>/logs/paper/methods.log",
    params:
        **step("manuscript", "methods", models=config["models"]),


rule paper:
    input:
        rules.paper_trials.output,
        rules.paper_methods.output,
        expand("<results>/paper/tables/{study}", study=PAPER_STUDIES),
        [
            expand(file, width=PAPER["widths"])
            for study in PAPER_STUDIES
            if workflow.is_rule(f"{study}_paper_figures")
            for file in printed(study)
        ],
