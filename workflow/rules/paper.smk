# What a manuscript takes from a run, docs/how-to/write-a-paper.md: `relprobe paper` writes it into <results>/paper.
# `relprobe run` does not wait for it.


PAPER = config["paper"]
PAPER_STUDIES = [study for study in RUN_STUDIES if study in PAPER["studies"] or not PAPER["studies"]]


def shown_tables(study):
    """The names of the tables of a study: those of its page, and the paper's values beside the run's."""
    return [one.name for one in page_of(study).available(HAS[study]) if one.folder == "tables" and one.on_page] + [
        "published"
    ]


localrules:
    paper,
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


rule paper:
    input:
        rules.paper_trials.output,
        expand("<results>/paper/{part}/{study}", part=["tables"], study=PAPER_STUDIES),
