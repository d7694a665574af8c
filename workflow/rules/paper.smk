# What a manuscript takes from a run, docs/how-to/write-a-paper.md: `relprobe paper` writes it into <results>/paper.
# `relprobe run` does not wait for it.


PAPER = config["paper"]
PAPER_STUDIES = [study for study in RUN_STUDIES if study in PAPER["studies"] or not PAPER["studies"]]


localrules:
    paper,
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


rule paper:
    input:
        rules.paper_trials.output,
