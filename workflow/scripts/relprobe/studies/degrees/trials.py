"""The trials of the degrees study: which pair every agent chose in each MaxDiff question."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import only_file
from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.sources.exported import Layout
from relprobe.sources.own import ratings as own_ratings
from relprobe.studies.degrees.chat import RATER, absence
from relprobe.studies.degrees.method import SIDES, chosen_pairs, chosen_share
from relprobe.studies.degrees.schemas import TRAINING, Gold, Questions, Ratings, ReplyChoices

RATE, PEOPLE = "rate", "people"
"""The task and the agent of the trials of own ratings."""


def trials(
    ratings: list[Ratings],
    gold: Gold,
    questions: Questions,
    reply_choices: dict[str, ReplyChoices] | None = None,
    answers: Path | None = None,
    *,
    layout: dict[str, Any] | None = None,
) -> Trials:
    """Return two trials for each MaxDiff question that an agent can answer: its least and its most illustrative pair.

    An agent that rates pairs chooses by its ratings; the answer is missing where several pairs have the extreme rating. It
    is right if the majority of people chose it. The target is the question, and the cluster its subcategory. Own ratings
    have no questions; the ratings themselves are in the folder ratings of the study. `answers` and `layout`: the manifest of
    own ratings and what the configuration says of them, where they have further columns; each rating of a person or an agent
    is a trial then.
    """
    asked = questions.to_dicts()
    rows: list[dict[str, Any]] = []
    for table in ratings:
        for (agent, name), pair_ratings in table.drop_nulls("rating").group_by(
            "agent", "subcategory", maintain_order=True
        ):
            rating_of = dict(pair_ratings.select("pair", "rating").iter_rows())
            rows += _by_rating(
                str(agent), rating_of, [question for question in asked if question["subcategory"] == name]
            )
    for model, choices in (reply_choices or {}).items():
        if absence(choices) is None:
            rows += _by_choice(f"{model} {RATER}", choices, questions)
    subcategories = gold.select(
        relation="subcategory",
        relation_name="name",
        condition=pl.when("training").then(pl.lit(TRAINING)).otherwise("relation_class"),
    ).unique("relation")
    columns = ("agent", "task", "relation", "target", "respondent", "answer", "right")
    table = pl.DataFrame(rows, schema={name: TRIALS[name] for name in columns})
    named = table.join(subcategories, on="relation", how="left", maintain_order="left")
    constants = {"study": "degrees", "candidates": 4, "counted": True}
    item = {"item": pl.format("{}: {}", "relation", "target"), "cluster": pl.col("relation")}
    chosen = as_trials(named.with_columns(**item), **constants)
    form = Layout.of(layout)
    if answers is None or form is None:
        return chosen
    rated = pl.concat([_own_ratings(answers, form), _agents_ratings(ratings)], how="diagonal_relaxed")
    rated = rated.join(subcategories, on="relation", how="inner", maintain_order="left").with_columns(**item)
    return pl.concat([chosen, as_trials(rated, study="degrees", task=RATE, counted=True)])


def _own_ratings(manifest: Path, layout: Layout) -> pl.DataFrame:
    """Return the trials of the people who rated the pairs; their numbers are those of their names, in their order."""
    rows = [*own_ratings.read_further(only_file(manifest), manifest.stem, layout)]
    numbers = {name: number for number, name in enumerate(sorted({rating.rater for rating, _ in rows}), 1)}
    cells = [
        (
            PEOPLE,
            rating.relation,
            rating.pair,
            f"person {numbers[rating.rater]}",
            str(rating.rating),
            json.dumps(further, ensure_ascii=False),
        )
        for rating, further in rows
    ]
    columns = ("agent", "relation", "target", "respondent", "answer", "further")
    return pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String()), orient="row")


def _agents_ratings(ratings: Sequence[Ratings]) -> pl.DataFrame:
    """Return the trials of agents that rate the pairs."""
    return pl.concat(ratings).select(
        agent="agent", relation="subcategory", target="pair", answer=pl.col("rating").cast(pl.String)
    )


def _by_rating(
    agent: str, rating_of: Mapping[str, float], questions: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the trials of an agent in the questions of a subcategory all of whose pairs it rates."""
    for question in questions:
        if not set(question["pairs"]) <= set(rating_of):
            continue
        for side in SIDES:
            chosen = chosen_pairs(rating_of, question, side)
            yield _question_columns(agent, side, question) | {
                "respondent": None,
                "answer": chosen[0] if len(chosen) == 1 else None,
                "right": chosen_share(rating_of, question, side),
            }


def _by_choice(agent: str, choices: ReplyChoices, questions: Questions) -> Iterator[dict[str, Any]]:
    """Yield the trials of an agent that has answered the questions; an answer without a choice is wrong."""
    majority = questions.select("subcategory", "pairs", **{f"{side}_majority": side for side in SIDES})
    answered = choices.join(majority, on=["subcategory", "pairs"], how="inner", maintain_order="left")
    for row in answered.iter_rows(named=True):
        for side in SIDES:
            yield _question_columns(agent, side, row) | {
                "respondent": f"order {row['order']}, sample {row['sample']}",
                "answer": row[side] or None,
                "right": float(row[side] in row[f"{side}_majority"]),
            }


def _question_columns(agent: str, side: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a trial has of its agent and its question."""
    target = ", ".join(question["pairs"])
    return {"agent": agent, "task": side, "relation": question["subcategory"], "target": target}
