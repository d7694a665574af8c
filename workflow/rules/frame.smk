# The last rules of every study: what compares its agents, and what shows the results. Each study says in `in_run` of its module
# `study` (core/study.py) what they read beside what is read here for all (`compared`, `shown`), their settings, and what else they
# make.

# What a step takes of a study's further analyses: definitions of these names (core/analyses.py).
ANALYSIS_NAMES = {
    "compare": ("SUBSETS", "tables_of_layers"),
    "show": ("SUBSETS", "TABLES", "FIGURES", "DERIVED_TABLES", "published", "left_out"),
}


def side_by_side(study):
    """The settings of a step that averages the values of all agents of a study and tests them (stats/side_by_side.py)."""
    config_settings = {"targets": config["targets"], "declared": config["comparisons"]}
    return config_settings | {"members": members_of(study), "controls": IN_RUN[study].controls}


def read_by(reading):
    """The files that a step reads for one study alone."""
    return {
        **reading.files,
        **{name: fetched(resource) for name, resource in reading.resources.items()},
        **{name: shipped(file) for name, file in reading.shipped.items()},
    }


def read_by_show(study):
    """The files that the step `show` of a study reads: the template of a page of answers, too."""
    template = {"template": shipped("workflow/report/answers.html.j2")} if has_answers(study) else {}
    return {**table_files(study, "averages", "tests"), **read_by(IN_RUN[study].shown), **template}


def settings_of_show(study):
    """The settings of this step; of a page of answers the models and the run, too."""
    answers_settings = {"models": agents_of(study), "run": TITLE} if has_answers(study) else {}
    return {"controls": IN_RUN[study].controls, **answers_settings, **IN_RUN[study].shown.settings}


def last_step(study, name, reading, settings):
    """The params of `step` for one of these steps."""

    def also(wildcards):
        return [*dotted_names(study, *ANALYSIS_NAMES[name]), *reading.definitions]

    return step(reading.group or study, name, also=with_signature(also), **settings)


def memory(reading):
    """The memory of a job that needs more than others."""
    return {"mem_mb": megabytes(reading.memory)} if reading.memory else {}


for study in RUN_STUDIES:

    rule:
        name:
            f"{study}_compare"
        input:
            **read_by(IN_RUN[study].compared),
            metrics=metrics_of(study, IN_RUN[study].agents),
        output:
            **table_files(study, "averages", "tests", *IN_RUN[study].compared.makes),
            tables=tables(study, "compare"),
        log:
            f"<results>/logs/{study}/compare.log",
        group:
            together("tables")
        conda:
            ENVS / "analysis.yaml"
        resources:
            **memory(IN_RUN[study].compared),
        params:
            **last_step(
                study,
                "compare",
                IN_RUN[study].compared,
                side_by_side(study) | IN_RUN[study].compared.settings,
            ),
        shell:
            STEP

    rule:
        name:
            f"{study}_show"
        input:
            **read_by_show(study),
        output:
            prints(study, "show"),
            **({"answers": answers_page(study)} if has_answers(study) else {}),
            tables=tables(study, "show"),
            figures=figures(study, "show"),
        log:
            f"<results>/logs/{study}/show.log",
        group:
            together("tables")
        conda:
            ENVS / "analysis.yaml"
        resources:
            **memory(IN_RUN[study].shown),
        params:
            **last_step(study, "show", IN_RUN[study].shown, settings_of_show(study)),
        shell:
            STEP
