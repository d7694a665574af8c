# The frame: the last rules of a study that has no step `compare` of its own (studies/frame).

from relprobe.core.cli import contents_of

FRAMED = [study for study in RUN_STUDIES if "compare" not in contents_of(GROUPS[study])]


for study in FRAMED:
    DRAWN[study] = {
        "group": "frame",
        "files": {"averages": f"<results>/{study}/averages.parquet"},
        "settings": {
            "names": shown(study, "figures", "show"),
            "kinds": kinds_of(study, CONTROLS[study]),
            "families": families_of(study),
        },
    }

    rule:
        name:
            f"{study}_compare"
        input:
            metrics=metrics_of(study, models_of(study) + CONTROLS[study]),
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
                **side_by_side(study, controls=CONTROLS[study]),
            ),
        shell:
            STEP

    rule:
        name:
            f"{study}_show"
        input:
            **DRAWN[study]["files"],
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
            **step("frame", "show", controls=CONTROLS[study], **DRAWN[study]["settings"]),
        shell:
            STEP
