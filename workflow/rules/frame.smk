# The frame: the last rules of a study that has no step `compare` of its own (studies/frame).

from relprobe.core.cli import contents_of

FRAMED = [study for study in RUN_STUDIES if "compare" not in contents_of(GROUPS[study])]


for study in FRAMED:

    rule:
        name:
            f"{study}_compare"
        input:
            metrics=metrics_of(study, [*models_of(study), *IN_RUN[study].controls]),
        output:
            averages=f"<results>/{study}/averages.parquet",
            tests=f"<results>/{study}/tests.parquet",
        log:
            f"<results>/logs/{study}/compare.log",
        group:
            together("tables")
        conda:
            ENVS / "analysis.yaml"
        params:
            **step(
                "frame",
                "compare",
                also=with_signature(lambda wildcards, study=study: code_of(study)),
                study=study,
                **side_by_side(study, controls=IN_RUN[study].controls),
            ),
        shell:
            STEP

    rule:
        name:
            f"{study}_show"
        input:
            **IN_RUN[study].drawn.files,
            tests=f"<results>/{study}/tests.parquet",
        output:
            prints(study, "show"),
            tables=tables(study, "show"),
            figures=figures(study, "show"),
        log:
            f"<results>/logs/{study}/show.log",
        group:
            together("tables")
        conda:
            ENVS / "analysis.yaml"
        params:
            **step("frame", "show", controls=IN_RUN[study].controls, **IN_RUN[study].drawn.settings),
        shell:
            STEP
