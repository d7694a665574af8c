"""The metrics of one agent, here and under other choices than this study's."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.lm.participants.replies import Replies
from relprobe.sources.static_vectors import Vectors
from relprobe.stats import DECIMALS
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.degrees.ask import Probes, Scores, reply_choices
from relprobe.studies.degrees.compare import TEST, by_agent
from relprobe.studies.degrees.data import PrintedRelations, Relations
from relprobe.studies.degrees.measure import WITHOUT, Control, answer_metrics, baseline, rater_metrics, ratings
from relprobe.studies.degrees.schemas import (
    METRICS,
    SENSITIVITY,
    TRAINING,
    Gold,
    Metrics,
    Questions,
    Ratings,
    ReplyChoices,
    Sensitivity,
)
from relprobe.studies.unreadable import absence_of

# What the choices that the paper leaves open change: every agent's average under another choice.


SETTINGS = {
    "constant": Setting("equal ratings of all pairs", "rho is 0", "the subcategory is left out"),
    "pairs": Setting("reversed pairs", "all pairs", "without reversed pairs"),
    "rounding": Setting("ratings", "ranked as they are", "rounded to 9 decimals first"),
    "majority": Setting("ties of people's choices", "each choice of a tie is right", "only questions without a tie"),
    "order": Setting("equal ratings in a question", "mean over all orders", "one random order"),
    "paradigms": Setting("paradigm of 2b", "forest:tree", "forrest:tree, as the package writes it"),
}


class AgentTables(NamedTuple):
    """The ratings of an agent, how well they agree with people's, and under other choices than this study's."""

    ratings: Ratings
    metrics: Metrics
    sensitivity: Sensitivity


def model_metrics(
    scores: list[Scores],
    probes: Probes,
    gold: Gold,
    questions: Questions,
    *,
    model: str,
    raters: list[str],
    seed: int,
) -> AgentTables:
    """Turn the scores of a model into the ratings of its raters, and compare these with people's (`agent_metrics`)."""
    return agent_metrics(ratings(scores, probes, model=model, raters=raters), gold, questions, seed=seed)


def control_metrics(
    relations: Relations,
    gold: Gold,
    questions: Questions,
    supplied: Path | None = None,
    vectors: Vectors | None = None,
    printed: PrintedRelations | None = None,
    *,
    agent: Control,
    seed: int,
) -> AgentTables:
    """Rate the pairs without a language model (`baseline`), and compare the ratings with people's (`agent_metrics`).

    `printed`: the relations with the paradigms as the package writes them, which static vectors rate a second time.
    """
    rated = baseline(relations, supplied, vectors, agent=agent, seed=seed)
    as_printed = baseline(printed, supplied, vectors, agent=agent, seed=seed) if printed is not None else None
    return agent_metrics(rated, gold, questions, as_printed, seed=seed)


def agent_metrics(
    ratings: Ratings, gold: Gold, questions: Questions, printed: Ratings | None = None, *, seed: int
) -> AgentTables:
    """Compare the ratings of a model's raters, or of a baseline, with people's, and under other choices than this study's.

    `printed`: the ratings by static vectors with the paradigms as the package writes them. `seed` draws the
    one order of equal ratings that they are compared with.
    """
    metrics = rater_metrics(ratings, gold, questions)
    return AgentTables(ratings, metrics, sensitivity(metrics, ratings, gold, questions, seed, printed))


def sensitivity(
    metrics: Metrics, ratings: Ratings, gold: Gold, questions: Questions, seed: int, printed: Ratings | None = None
) -> Sensitivity:
    """Return the averages over the test subcategories under each choice and under the other one.

    `printed`: the ratings of the agents that can be rated with the paradigms as the package writes them; a model must score
    its sentences again for that, and so has no row of this choice.
    """
    usual = by_agent([metrics])
    without_ties = questions.filter((pl.col("least").list.len() == 1) & (pl.col("most").list.len() == 1))
    rounded = ratings.with_columns(pl.col("rating").round(DECIMALS))
    of_rounded = by_agent([rater_metrics(rounded, gold, questions.head(0))])
    of_majority = by_agent([rater_metrics(ratings, gold, without_ties)])
    of_order = by_agent([rater_metrics(_ordered(ratings, seed), gold, questions)])
    rows = [
        *_rows("constant", "rho", usual, {agent: _varied(table) for agent, table in usual.items()}),
        *(row for metric in ("rho", "maxdiff") for row in _rows("pairs", metric, usual, usual, metric + WITHOUT)),
        *_rows("rounding", "rho", usual, of_rounded),
        *_rows("majority", "maxdiff", usual, of_majority),
        *_rows("order", "maxdiff", usual, of_order),
    ]
    if printed is not None and printed.height:
        of_printed = by_agent([rater_metrics(printed, gold, questions)])
        rows += [row for metric in ("rho", "maxdiff") for row in _rows("paradigms", metric, usual, of_printed)]
    return settings.table(rows, SENSITIVITY)


def choice_sensitivity(usual: Mapping[str, pl.DataFrame], of_majority: Mapping[str, pl.DataFrame]) -> Sensitivity:
    """Return what other choices change for an agent that answers MaxDiff questions and rates no pairs.

    `of_majority`: its values on the questions on which people do not tie.
    """
    rows = [
        *_rows("pairs", "maxdiff", usual, usual, "maxdiff" + WITHOUT),
        *_rows("majority", "maxdiff", usual, of_majority),
    ]
    return settings.table(rows, SENSITIVITY)


def unite(tables: Iterable[Sensitivity]) -> Sensitivity:
    """Put the tables of several agents together, by choice."""
    return settings.unite(tables, [setting.choice for setting in SETTINGS.values()], "metric")


def _varied(table: pl.DataFrame) -> pl.DataFrame:
    """Return the values of the subcategories whose ratings are not all equal."""
    constant = table.filter(metric="constant", value=1.0)["unit"].unique().to_list()
    return table.filter(~pl.col("unit").is_in(constant))


def _ordered(ratings: Ratings, seed: int) -> Ratings:
    """Return ratings without ties, in one order that is drawn for the pairs with equal ratings."""
    places = np.random.default_rng(seed).permutation(ratings.height)
    order = pl.struct("rating", "place").rank("ordinal").over("agent", "subcategory").cast(pl.Float64)
    drawn = ratings.with_columns(place=pl.Series(places))
    return drawn.with_columns(rating=pl.when(pl.col("rating").is_not_null()).then(order)).drop("place")


def _rows(
    choice: str,
    metric: str,
    usual: Mapping[str, pl.DataFrame],
    other: Mapping[str, pl.DataFrame],
    other_metric: str = "",
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one choice and metric, an agent each that has values under both settings."""
    for agent, table in other.items():
        before = usual[agent].filter(metric=metric, condition=TEST)["value"]
        after = table.filter(metric=other_metric or metric, condition=TEST)["value"]
        if before.len() and after.len():
            about = {"units": "subcategories", "metric": metric, "agent": agent}
            yield settings.row(SETTINGS[choice], _mean(before), _mean(after), **about)


def _mean(values: pl.Series) -> Mean:
    return Mean(float(ordered_mean(values)), values.len())  # type: ignore[arg-type]


# How well the MaxDiff choices of a model that only chats agree with people's, and what the place of a pair earns.


RATER = "maxdiff"
"""What stands after the model in the name of such an agent, as a rater does."""


class TakerTables(NamedTuple):
    """The choices of a model that takes people's task, how well they agree with people's, and under other choices."""

    reply_choices: ReplyChoices
    metrics: Metrics
    sensitivity: Sensitivity


def taker_metrics(
    replies: Replies, relations: Relations, gold: Gold, questions: Questions, *, model: str, orders: int = 1
) -> TakerTables:
    """Read the choices in the replies of a model, and compare them with people's (`choice_metrics`)."""
    return choice_metrics(reply_choices(replies, relations, orders=orders), gold, questions, model=model)


def choice_metrics(choices: ReplyChoices, gold: Gold, questions: Questions, *, model: str) -> TakerTables:
    """Compare the choices of a model with those of the majority of people, as the task scores its systems.

    The values are those that `evaluate` gives for the same answers. Several orders and samples of a question count alike. An
    agent of which too many answers cannot be read (`absence`) has none.
    """
    agent = f"{model} {RATER}"
    if absence(choices) is not None:
        return TakerTables(choices, pl.DataFrame(schema=METRICS), pl.DataFrame(schema=SENSITIVITY))
    usual = _measured(choices, gold, questions, agent)
    without_ties = questions.filter((pl.col("least").list.len() == 1) & (pl.col("most").list.len() == 1))
    other = _measured(choices, gold, without_ties, agent)
    return TakerTables(choices, usual, choice_sensitivity(by_agent([usual]), by_agent([other])))


def _measured(choices: ReplyChoices, gold: Gold, questions: Questions, agent: str) -> Metrics:
    exchanged = dict(
        gold.group_by("subcategory").agg(pl.col("pair").filter(pl.col("reverses").is_not_null())).iter_rows()
    )
    conditions = gold.unique("subcategory").select(
        unit="subcategory", condition=pl.when("training").then(pl.lit(TRAINING)).otherwise("relation_class")
    )
    values = answer_metrics(choices.select("subcategory", "pairs", "least", "most"), questions, exchanged)
    rows = values.join(conditions, on="unit", how="left", maintain_order="left").with_columns(agent=pl.lit(agent))
    return rows.select(list(METRICS))


def absence(choices: ReplyChoices) -> str | None:
    """Say why an agent has no value; None if it has some.

    >>> rows = pl.DataFrame({"least": ["a:b", ""], "most": ["c:d", ""]})
    >>> absence(rows)[:58]
    'no value, as 50 % of its answers do not name the two pairs'
    """
    what, remedy = "do not name the two pairs", "let it think (thoughts), or ask another model"
    return absence_of(_unreadable(choices), what, remedy)


def _unreadable(choices: pl.DataFrame) -> float:
    return choices.select(((pl.col("least") == "") | (pl.col("most") == "")).mean()).item() or 0.0


def reply_counts(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read: agent, questions, answers, unreadable, note."""
    rows = [
        {
            "agent": f"{model} {RATER}",
            "questions": table.select(pl.struct("subcategory", "pairs").n_unique()).item(),
            "answers": table.height,
            "unreadable": _unreadable(table),
            "note": absence(table),
        }
        for model, table in choices.items()
    ]
    return pl.DataFrame(rows, schema_overrides={"note": pl.String()})


def places(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often an agent chooses the pair at each place, from 1: agent, place, orders, answers, least, most.

    Without a preference for a place, each share is near 0.25, and nearer the more orders there are.
    """
    parts = []
    for model, table in choices.items():
        for place in range(4):
            at = pl.col("shown").list.get(place)
            parts.append(
                table.select(
                    agent=pl.lit(f"{model} {RATER}"),
                    place=pl.lit(place + 1),
                    orders=pl.col("order").n_unique(),
                    answers=pl.len(),
                    least=(pl.col("least") == at).mean(),
                    most=(pl.col("most") == at).mean(),
                )
            )
    return pl.concat(parts)
