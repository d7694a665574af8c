# What a manuscript takes from a run, docs/how-to/write-a-paper.md: `relprobe paper` writes it into <results>/paper.
# `relprobe run` does not wait for it.

from relprobe.core.files import sha256
from relprobe.paper.references import FILE as REFERENCES

PAPER = config["paper"]

PAPER_STUDIES = [study for study in RUN_STUDIES if study in PAPER["studies"] or not PAPER["studies"]]
# What the steps `figures` and `trials` of a study read. Without trials a study has no methods.
DRAWN = {study: study_run.drawn for study, study_run in IN_RUN.items()}
TRIALS = {study: with_further(study_run) for study, study_run in IN_RUN.items() if study_run.trials}
PAPER_TRIALS = [study for study in PAPER_STUDIES if study in TRIALS]


localrules:
    paper,
    paper_methods,
    paper_study_methods,
    paper_tables,
    paper_trials,


use rule comparing as trials with:
    input:
        unpack(files_of_study(TRIALS)),
    output:
        "<results>/{study}/trials.parquet",
    log:
        "<results>/logs/{study}/trials.log",
    wildcard_constraints:
        study=one_of(TRIALS),
    params:
        **step_of_study("trials", TRIALS, also=lambda wildcards: TRIALS[wildcards.study].definitions),


use rule comparing as paper_figures with:
    input:
        unpack(files_of_study(DRAWN)),
    output:
        directory("<results>/paper/figures/{study}/{width}"),
    log:
        "<results>/logs/paper/figures/{study}/{width}.log",
    wildcard_constraints:
        study=one_of(DRAWN),
        width="[^/]+",
    params:
        **step_of_study(
            "figures",
            DRAWN,
            also=lambda wildcards: dotted_names(wildcards.study, "FIGURES"),
            unrecorded=lambda wildcards: {
                "out": [
                    f"{locate('<results>')}/paper/figures/{wildcards.study}/{wildcards.width}/{name}"
                    for name in printed(wildcards.study)
                ]
            },
        ),
        # Not the whole paths: nothing is drawn anew where the results were moved.
        names=lambda wildcards: printed(wildcards.study),


use rule analysis as paper_trials with:
    input:
        study_trials=expand("<results>/{study}/trials.parquet", study=PAPER_TRIALS),
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
            also=lambda wildcards: code_of(wildcards.study),
            pages=lambda wildcards: [wildcards.study],
            study=lambda wildcards: wildcards.study,
            has=lambda wildcards: IN_RUN[wildcards.study].has,
        ),


use rule analysis as paper_study_methods with:
    input:
        tables=lambda wildcards: parquet(wildcards.study, shown_tables(wildcards.study)),
        trials="<results>/{study}/trials.parquet",
        averages="<results>/{study}/averages.parquet",
        tests="<results>/{study}/tests.parquet",
        scores=lambda wildcards: IN_RUN[wildcards.study].scored,
        card="<results>/{study}/card.json",
    output:
        "<results>/{study}/methods.json",
    log:
        "<results>/logs/{study}/methods.log",
    params:
        **step(
            "manuscript",
            "study_methods",
            also=lambda wildcards: code_of(wildcards.study),
            pages=lambda wildcards: [wildcards.study],
            study=lambda wildcards: wildcards.study,
            has=lambda wildcards: IN_RUN[wildcards.study].has,
            section=lambda wildcards: config[wildcards.study],
            models=lambda wildcards: {name: config["models"][name] for name in agents_of(wildcards.study)},
            missing=lambda wildcards: missing.missing_agents(MISSING, wildcards.study) or None,
            resources=config["resources"],
            inference=config["inference"],
            controls=lambda wildcards: IN_RUN[wildcards.study].controls,
        ),


use rule analysis as paper_methods with:
    input:
        parts=expand("<results>/{study}/methods.json", study=PAPER_TRIALS),
        manifests=[fetched_model(model) for model in models_here()],
    output:
        markdown="<results>/paper/methods.md",
        latex="<results>/paper/methods.tex",
        bib="<results>/paper/references.bib",
    log:
        "<results>/logs/paper/methods.log",
    params:
        **step("manuscript", "methods", models=config["models"]),
        # The digest of a step's code has no files beside it.
        references=sha256(REFERENCES),


rule paper:
    input:
        rules.paper_trials.output if PAPER_TRIALS else [],
        rules.paper_methods.output if PAPER_TRIALS else [],
        expand("<results>/paper/tables/{study}", study=PAPER_STUDIES),
        expand(
            "<results>/paper/figures/{study}/{width}",
            study=PAPER_STUDIES,
            width=PAPER["widths"],
        ),
