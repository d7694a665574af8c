"""The trials of the degrees study: which pair every agent chose in each MaxDiff question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.studies.degrees.measure import chosen_share
from relprobe.studies.degrees.schemas import TRAINING, Gold, Questions, Ratings, ReplyChoices
from relprobe.studies.degrees.sensitivity import RATER, absence

SIDES = {"least": min, "most": max}
"""What a question asks for, and which rating of its pairs answers it."""


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
            rows += _by_rating(str(agent), rating_of, [one for one in asked if one["subcategory"] == name])
    for model, choices in (reply_choices or {}).items():
        if absence(choices) is None:
            rows += _by_choice(f"{model} {RATER}", choices, questions)
    about = gold.select(
        relation="subcategory",
        relation_name="name",
        condition=pl.when("training").then(pl.lit(TRAINING)).otherwise("relation_class"),
    ).unique("relation")
    columns = ("agent", "task", "relation", "target", "respondent", "answer", "right")
    table = pl.DataFrame(rows, schema={name: TRIALS[name] for name in columns})
    named = table.join(about, on="relation", how="left", maintain_order="left")
    constants = {"study": "degrees", "candidates": 4, "counted": True}
    return as_trials(
        named.with_columns(item=pl.format("{}: {}", "relation", "target"), cluster="relation"), **constants
    )


def _by_rating(
    agent: str, rating_of: Mapping[str, float], questions: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield the trials of an agent in the questions of a subcategory all of whose pairs it rates."""
    for one in questions:
        if not set(one["pairs"]) <= set(rating_of):
            continue
        for side, extreme in SIDES.items():
            best = extreme(rating_of[pair] for pair in one["pairs"])
            tied = [pair for pair in one["pairs"] if rating_of[pair] == best]
            right = chosen_share(rating_of, one, side, extreme)
            answer = tied[0] if len(tied) == 1 else None
            about = {"agent": agent, "task": side, "relation": one["subcategory"], "target": ", ".join(one["pairs"])}
            yield about | {"respondent": None, "answer": answer, "right": right}


def _by_choice(agent: str, choices: ReplyChoices, questions: Questions) -> Iterator[dict[str, Any]]:
    """Yield the trials of an agent that has answered the questions; an answer without a choice is wrong."""
    majority = questions.select("subcategory", "pairs", **{f"{side}_majority": side for side in SIDES})
    both = choices.join(majority, on=["subcategory", "pairs"], how="inner", maintain_order="left")
    for row in both.iter_rows(named=True):
        for side in SIDES:
            about = {"agent": agent, "task": side, "relation": row["subcategory"], "target": ", ".join(row["pairs"])}
            answered = {"respondent": f"order {row['order']}, sample {row['sample']}", "answer": row[side] or None}
            yield about | answered | {"right": float(row[side] in row[f"{side}_majority"])}
