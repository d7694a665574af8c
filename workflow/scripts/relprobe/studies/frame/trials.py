"""The trials of a study that says what it asks (`Questions`): the answer of each agent to each question."""

import re
from dataclasses import dataclass

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Parquet
from relprobe.core.study import Questions, study_of
from relprobe.lm.requests import SLOT
from relprobe.paper.trials import TRIALS, Trials, as_trials


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a study asks, and agent -> its responses and their values."""

    probes: Parquet
    responses: dict[str, Parquet]
    metrics: dict[str, Parquet]


def trials(files: Files, questions: Questions, *, study: str) -> Trials:
    """Return a trial for each question and agent, in each metric that says whether an answer is right.

    DataError: the study has no such metric, or a table lacks a column that its `Questions` name.
    """
    tables = [
        as_trials(_rows(asked_of(files.probes, questions), answers_of(files.responses[agent], questions), values))
        for agent, values in values_of(files.metrics, study).items()
    ]
    return pl.concat([pl.DataFrame(schema=TRIALS), *tables]).with_columns(
        study=pl.lit(study), counted=pl.lit(1, pl.UInt8)
    )


def _rows(asked: pl.DataFrame, answers: pl.DataFrame, values: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of an agent with what was asked, and whether they are right (`value`)."""
    texts = [_prompt_text(text, target) for text, target in asked.select("text", "target").iter_rows()]
    asked = asked.with_columns(prompt_text=pl.Series(texts, dtype=pl.String))
    rows = values.join(asked, left_on="unit", right_on="probe_id", maintain_order="left")
    rows = rows.join(answers, left_on="unit", right_on="probe_id", maintain_order="left")
    return rows.select(
        *("agent", "condition", "prompt", "prompt_text", "target", "answer", "cluster"),
        task="metric",
        item=pl.format("{}: {}", "metric", "unit"),
        right="value",
    )


def _prompt_text(text: str, target: str) -> str:
    """Return what was asked without its target, and a sign for the slot: the same text for all targets of a prompt.

    >>> _prompt_text("a scar of a car is a [V]", "car"), _prompt_text("鳥は[V]", "鳥")
    ('a scar of a – is a …', '–は…')
    """
    pattern = rf"(?<!\w){re.escape(target)}(?!\w)"
    prompt = re.sub(pattern, "–", text, count=1) if re.search(pattern, text) else text.replace(target, "–", 1)
    return prompt.replace(SLOT, "…")


def asked_of(probes: pl.DataFrame, questions: Questions) -> pl.DataFrame:
    """Return what a study asks: the columns probe_id, text, target, right and prompt, which is null without prompts."""
    prompt = [pl.col(questions.prompt)] if questions.prompt else [pl.lit(None, pl.String)]
    names = {"text": questions.text, "target": questions.target, "right": questions.right}
    _check(probes, "probes", ["probe_id", *names.values(), *[questions.prompt] * bool(questions.prompt)])
    return probes.select("probe_id", prompt=prompt[0], **names)


def answers_of(responses: pl.DataFrame, questions: Questions) -> pl.DataFrame:
    """Return the answers of an agent: the columns probe_id and answer."""
    _check(responses, "responses", ["probe_id", questions.answer])
    return responses.select("probe_id", answer=questions.answer)


def values_of(metrics: dict[str, pl.DataFrame], study: str) -> dict[str, pl.DataFrame]:
    """Return agent -> its values of the metrics that are 1 for a right answer, in the one form (`tidy_values`).

    DataError: the study has no such metric.
    """
    description = study_of(study)
    names = [metric.name for metric in description.metrics() if metric.is_share]
    if not names:
        raise DataError(
            f"{study} says what it asks, but no metric of it says whether an answer is right: give one the test McNemar, or "
            "leave `questions` out of its study.py."
        )
    return {
        agent: description.tidy_values(table.filter(pl.col("metric").is_in(names))).with_columns(agent=pl.lit(agent))
        for agent, table in metrics.items()
    }


def _check(table: pl.DataFrame, name: str, columns: list[str]) -> None:
    if lacking := [column for column in columns if column not in table.columns]:
        raise DataError(
            f"the table {name} has no column {lacking[0]!r}, which `questions` of study.py names: correct one of the two."
        )
