"""The trials of the degrees study: which pair every agent chose in each MaxDiff question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.studies.degrees.chat import RATER, absence
from relprobe.studies.degrees.method import SIDES, chosen_pairs, chosen_share
from relprobe.studies.degrees.schemas import TRAINING, Gold, Questions, Ratings, ReplyChoices


def trials(
    ratings: list[Ratings], gold: Gold, questions: Questions, reply_choices: dict[str, ReplyChoices] | None = None
) -> Trials:
    """Return two trials for each MaxDiff question that an agent can answer: its least and its most illustrative pair.

    An agent that rates pairs chooses by its ratings; the answer is missing where several pairs have the extreme rating. It
    is right if the majority of people chose it. The target is the question, and the cluster its subcategory. Own ratings
    have no questions, and no trials; the ratings themselves are in the folder ratings of the study.
    """
    asked = questions.to_dicts()
    rows: list[dict[str, Any]] = []
    for table in ratings:
        for (agent, name), of_pairs in table.drop_nulls("rating").group_by("agent", "subcategory", maintain_order=True):
            rating_of = dict(of_pairs.select("pair", "rating").iter_rows())
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
    return as_trials(
        named.with_columns(item=pl.format("{}: {}", "relation", "target"), cluster="relation"), **constants
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
            yield _of_question(agent, side, question) | {
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
            yield _of_question(agent, side, row) | {
                "respondent": f"order {row['order']}, sample {row['sample']}",
                "answer": row[side] or None,
                "right": float(row[side] in row[f"{side}_majority"]),
            }


def _of_question(agent: str, side: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a trial has of its agent and its question."""
    target = ", ".join(question["pairs"])
    return {"agent": agent, "task": side, "relation": question["subcategory"], "target": target}
