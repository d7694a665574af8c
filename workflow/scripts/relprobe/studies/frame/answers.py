"""The page of answers of a study that says what it asks (`Questions`): what each agent answered to each question."""

from pathlib import Path

import polars as pl

from relprobe.core.study import Questions
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, Texts, publish
from relprobe.studies.frame.trials import Files, answers_of, asked_of, values_of

LEAD = (
    "What every agent answered to each question. The right answer is bold and on green; if an agent's answer is another "
    "one, it was wrong."
)
LABELS = Labels("Condition", "Question", weight="", gold="right_for", first="right answers", others=False)


def answers(
    files: Files,
    questions: Questions,
    template: Path,
    out: Path,
    *,
    study: str,
    title: str,
    models: list[str] | None = None,
    run: str = "",
) -> None:
    """Write the page of all agents' answers.

    `title`: that of the study's page. `models`: the agents that are models. `run`: the title of the run.
    """
    asked = with_conditions(files, questions, study)
    probes = asked.with_columns(
        group="condition", prompt_id=pl.col("prompt").fill_null(""), zipf=pl.lit(None, pl.Float64)
    )
    gold = asked.select("target", group="condition", word="right", source=pl.lit(questions.source)).unique(
        maintain_order=True
    )
    texts = Texts(f"Answers: {title}", LEAD, LABELS, run=run)
    agents = [Agent(agent, _first(answers_of(table, questions))) for agent, table in files.responses.items()]
    publish(texts, probes.select(list(PROBES)).cast(PROBES), gold.cast(GOLD), agents, template, out, models or ())


def with_conditions(files: Files, questions: Questions, study: str) -> pl.DataFrame:
    """Return what a study asks (`asked_of`) of which an agent has a value, and the condition of that."""
    values = pl.concat([table.select("unit", "condition") for table in values_of(files.metrics, study).values()])
    conditions = values.unique("unit", maintain_order=True)
    return asked_of(files.probes, questions).join(
        conditions, left_on="probe_id", right_on="unit", maintain_order="left"
    )


def _first(answers: pl.DataFrame) -> pl.DataFrame:
    """Return answers in the form of the page: each is an agent's first one, and has no number."""
    rows = answers.drop_nulls().select("probe_id", rank=pl.lit(1), word="answer", weight=pl.lit(None))
    return rows.select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS)
