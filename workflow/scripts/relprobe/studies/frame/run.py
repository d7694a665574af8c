"""What a study says of itself in a run, where it leaves that to the frame: its controls and its figures."""

from relprobe.core.study import Config, InRun, Reading, Roles, readings, study_of


def in_run(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says of itself in a run: all its controls take part, and a figure shows averages.

    DataError: page.md may lack something, and only the study can say whether a run has that.
    """
    from relprobe.report.shown import has_in_run, page_of

    page, controls, results = page_of(study), [*study_of(study).controls], f"<results>/{study}"
    has = has_in_run(study, config, roles, {})
    kinds = dict.fromkeys(controls, "control") | {model: roles.types[model] for model in roles.models}
    names = [figure.name for figure in page.figures(has)]
    return InRun(
        controls,
        has,
        scored=[f"{results}/scores/{model}.parquet" for model in roles.models],
        drawn=Reading(
            {"averages": f"{results}/averages.parquet"},
            {"names": names, "kinds": kinds, "families": roles.families},
            group="frame",
        ),
        readable=readings(
            {
                "scores": [f"{results}/scores/{model}.parquet" for model in roles.models],
                "values": [f"{results}/metrics/{agent}.parquet" for agent in (*roles.models, *controls)],
            }
        ),
    )
