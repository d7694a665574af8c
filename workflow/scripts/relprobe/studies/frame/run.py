"""What studies say of themselves in a run: what all say alike of their pages, and all that a study leaves to the frame."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from relprobe.core.study import (
    Config,
    InRun,
    Questions,
    Roles,
    StepInput,
    agent_files,
    reply_files,
    study_of,
    table_files,
)

if TYPE_CHECKING:
    from relprobe.report.exhibits import Page


@dataclass(frozen=True)
class PageInRun:
    """The page of a study in a run, and what the study's steps take of it. `has`: as in `InRun`."""

    study: str
    page: "Page"
    has: Mapping[str, bool]
    roles: Roles

    def table_names(self, step: str = "show") -> list[str]:
        """Return the tables of the page that a step makes."""
        return [table.name for table in self.page.tables(self.has, [step])]

    def figure_values(self) -> dict[str, str]:
        """Return the figures that the step `show` draws: name -> the table that has their values."""
        return {figure.name: figure.values for figure in self.page.figures(self.has)}

    def notice(self) -> str | None:
        """Return what the pages say first, as the run lacks something; None without such a sentence."""
        return self.page.notice(self.has) or None

    def figure_settings(self, kinds: Mapping[str, str]) -> dict[str, Any]:
        """Return which figures the step `show` draws, and what decides how agents look (`FigureSettings`)."""
        return {
            "figure_names": [*self.figure_values()],
            "kinds": kinds,
            "families": self.roles.families,
            "layered": self.roles.layered,
        }

    def figure_tables(self) -> dict[str, list[str]]:
        """Return the tables of the step `compare` that figures are drawn from: name -> its file."""
        names = [name for name in self.table_names("compare") if name in self.figure_values().values()]
        return {name: agent_files(self.study, "tables", [name]) for name in names}

    def layer_agents(self, agents: Iterable[str]) -> list[str]:
        """Return agents that only a run whose agents are asked layer by layer compares with these; otherwise none."""
        return [*agents] if self.has.get("layers") else []

    def published(self) -> dict[str, str]:
        """Return the file of the values that the paper prints, in a run that is the paper's."""
        return {"published": f"resources/published/{self.study}.csv"} if self.has.get("paper") else {}

    def agent_tables(self, agents: Iterable[str], asked: Iterable[str]) -> dict[str, list[str]]:
        """Return the values of all agents, and what those that take people's task (`asked`) have chosen and replied."""
        asked = [*asked]
        return {
            "metrics": agent_files(self.study, "metrics", agents),
            "reply_choices": agent_files(self.study, "reply_choices", asked),
            "replies": reply_files(self.study, asked, self.roles.chat_models),
        }


def score_files(study: str, raters: Mapping[str, Sequence[str]], kinds: Mapping[str, str]) -> list[str]:
    """Return the files of scores that the raters of each model read. `raters`: model -> its raters; `kinds`: rater -> kind.

    >>> score_files("degrees", {"gpt2": ["schema", "schema-mean", "pmi"]}, {"schema": "s", "schema-mean": "s", "pmi": "p"})
    ['<results>/degrees/scores/s/gpt2.parquet', '<results>/degrees/scores/p/gpt2.parquet']
    """
    model_kinds = {model: dict.fromkeys(kinds[rater] for rater in names) for model, names in raters.items()}
    return [
        f"<results>/{study}/scores/{kind}/{model}.parquet" for model, names in model_kinds.items() for kind in names
    ]


def page_in_run(study: str, config: Config, roles: Roles, facts: Mapping[str, bool]) -> PageInRun:
    """Return the page of a study in a run. `facts`, DataError: as for `report.shown.has_in_run`."""
    from relprobe.report.shown import has_in_run, page_of

    return PageInRun(study, page_of(study), has_in_run(study, config, roles, facts), roles)


def in_run_of(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says of itself in a run. The steps `compare` and `show` that it has not are those of the frame.

    `config`: a validated one. DataError: see `in_run`.
    """
    study_in_run = study_of(study).in_run
    run = study_in_run(config, roles) if study_in_run else in_run(study, config, roles)
    questions = study_of(study).questions
    return replace(
        run,
        compared=run.compared or _compared(study),
        shown=run.shown or _shown(study, run, questions),
        trials=run.trials or (_trials(study, run, questions) if questions else None),
    )


def _compared(study: str) -> StepInput:
    """Return what the step `compare` of the frame reads: it finds the metrics by the name of the study."""
    return StepInput({}, {"study": study}, group="frame", definitions=[_metrics(study)])


def _metrics(study: str) -> str:
    """Return the dotted name of the metrics of a study."""
    return f"relprobe.studies.{study}.measures.MEASURES"


def _shown(study: str, run: InRun, questions: Questions) -> StepInput:
    """Return what the step `show` of the frame reads: for figures, for analyses, and for the page of answers."""
    from relprobe.report.shown import page_of

    page = page_of(study)
    names = [table.name for table in page.tables(run.has)]
    files = {**run.drawn.files, "metrics": agent_files(study, "metrics", run.agents)}
    settings = {**run.drawn.settings, "study": study, "table_names": names}
    if not questions:
        return StepInput(files, settings, group="frame")
    files |= _asked(study, run)
    settings |= {"title": page.title, **asdict(questions)}
    return StepInput(files, settings, group="frame", makes=["answers"], definitions=[_metrics(study)])


def _trials(study: str, run: InRun, questions: Questions) -> StepInput:
    """Return what the step `trials` of the frame reads."""
    files = {**_asked(study, run), "metrics": agent_files(study, "metrics", run.agents)}
    return StepInput(files, {"study": study, **asdict(questions)}, group="frame", definitions=[_metrics(study)])


def _asked(study: str, run: InRun) -> dict[str, Any]:
    """Return the files of what a study on the frame asks, and of what its agents answer."""
    return {**table_files(study, "probes"), "responses": agent_files(study, "responses", run.agents)}


def in_run(study: str, config: Config, roles: Roles) -> InRun:
    """Return what a study says that has no `in_run`: all its controls take part, and a figure shows averages.

    DataError: page.md may lack something, and only the study can say whether a run has that.
    """
    page, controls = page_in_run(study, config, roles, {}), [*study_of(study).controls]
    kinds = dict.fromkeys(controls, "control") | {model: roles.types[model] for model in roles.models}
    agents, scores = [*roles.models, *controls], agent_files(study, "scores", roles.models)
    figures = page.figure_settings(kinds)
    return InRun(
        agents,
        controls,
        page.has,
        scored=scores,
        drawn=StepInput(
            table_files(study, "averages"),
            {"names": figures["figure_names"], "kinds": kinds, "families": roles.families},
            group="frame",
        ),
    )
