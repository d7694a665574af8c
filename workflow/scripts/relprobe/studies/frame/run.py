"""What a study says of itself in a run, where it leaves that to the frame: its controls and its figures."""

from relprobe.core.errors import DataError
from relprobe.core.study import Config, InRun, Reading, Roles, study_of


def in_run(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says of itself in a run: all its controls take part, and a figure shows averages.

    DataError: its page may lack something, and only the study can say whether a run has that.
    """
    from relprobe.report.shown import page_of

    page, controls, results = page_of(study), [*study_of(study).controls], f"<results>/{study}"
    if page.may_lack:
        raise DataError(
            f"page.md: {next(iter(page.may_lack))} stands under may_lack, but nothing says whether a run has it: write "
            f"`in_run` in studies/{study}/study.py, as docs/adding.md says."
        )
    kinds = dict.fromkeys(controls, "control") | {model: roles.types[model] for model in roles.models}
    names = [figure.name for figure in page.figures({})]
    return InRun(
        controls,
        {},
        scored=[f"{results}/scores/{model}.parquet" for model in roles.models],
        drawn=Reading(
            {"averages": f"{results}/averages.parquet"},
            {"names": names, "kinds": kinds, "families": roles.families},
            group="frame",
        ),
    )
