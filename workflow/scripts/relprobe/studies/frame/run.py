"""What a study says of itself in a run, where it leaves that to the frame: its controls, its last steps and its figures."""

from dataclasses import replace

from relprobe.core.study import Config, InRun, Roles, StepInput, agent_files, study_of, table_files


def in_run_of(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says of itself in a run. The steps `compare` and `show` that it has not are those of the frame.

    `config`: a validated one. DataError: see `in_run`.
    """
    of_study = study_of(study).in_run
    run = of_study(config, roles) if of_study else in_run(study, config, roles)
    return replace(
        run,
        compared=run.compared or _compared(study),
        shown=run.shown or _shown(study, run),
    )


def _compared(study: str) -> StepInput:
    """Return what the step `compare` of the frame reads: it finds the metrics by the name of the study."""
    metrics = f"relprobe.studies.{study}.measures.MEASURES"
    return StepInput({}, {"study": study}, group="frame", definitions=[metrics])


def _shown(study: str, run: InRun) -> StepInput:
    """Return what the step `show` of the frame reads: what the figures are drawn from, and the values for analyses."""
    from relprobe.report.shown import page_of

    names = [table.name for table in page_of(study).tables(run.has)]
    files = {**run.drawn.files, "metrics": agent_files(study, "metrics", run.agents)}
    return StepInput(files, {**run.drawn.settings, "study": study, "table_names": names}, group="frame")


def in_run(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says that has no `in_run`: all its controls take part, and a figure shows averages.

    DataError: page.md may lack something, and only the study can say whether a run has that.
    """
    from relprobe.report.shown import has_in_run, page_of

    page, controls = page_of(study), [*study_of(study).controls]
    has = has_in_run(study, config, roles, {})
    kinds = dict.fromkeys(controls, "control") | {model: roles.types[model] for model in roles.models}
    agents, scores = [*roles.models, *controls], agent_files(study, "scores", roles.models)
    names = [figure.name for figure in page.figures(has)]
    return InRun(
        agents,
        controls,
        has,
        scored=scores,
        drawn=StepInput(
            table_files(study, "averages"),
            {"names": names, "kinds": kinds, "families": roles.families},
            group="frame",
        ),
    )
