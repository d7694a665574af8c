"""The averages under other choices and wordings than this study's."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.files import ShownTables
from relprobe.core.sums import ordered_deviation, ordered_mean, ordered_sum
from relprobe.stats import Values, share_interval
from relprobe.stats import sensitivity as settings
from relprobe.stats.schemas import Averages, Tests
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.systematicity.ask import NUMBERS
from relprobe.studies.systematicity.compare import averages, comparisons, interval_among, layers, phi
from relprobe.studies.systematicity.data import article
from relprobe.studies.systematicity.measure import MOST, closed_answers, with_gold
from relprobe.studies.systematicity.schemas import (
    SETS,
    Detection,
    Detections,
    Items,
    LayerMetrics,
    Metrics,
    OwnContrasts,
    Probes,
    Scores,
)

# What a prompt changes: the accuracy under each prompt, its spread, and how far two prompts agree.


PROMPTS = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "number": pl.String(),
        "prompt": pl.String(),
        "example": pl.String(),  # the prompt about the first hyponym
        "accuracy": pl.Float64(),  # at the slot
        "low": pl.Float64(),  # its 95 % interval over categories (Wilson's, of the effective number of hyponyms)
        "high": pl.Float64(),
        "hyponyms": pl.UInt32(),
    }
)
SPREAD = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "number": pl.String(),
        "prompts": pl.UInt32(),
        "first": pl.Float64(),  # the accuracy under the first prompt, that of the main results
        "mean": pl.Float64(),  # over the prompts, as the three below
        "sd": pl.Float64(),
        "lowest": pl.Float64(),
        "highest": pl.Float64(),
        "lowest_prompt": pl.String(),
        "highest_prompt": pl.String(),
    }
)
AGREEMENT = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "a": pl.String(),  # number and prompt
        "b": pl.String(),
        "right_a": pl.UInt32(),  # hyponyms that are right under a
        "both": pl.Float64(),  # the share of all hyponyms that are right under both
        "b_if_a": pl.Float64(),  # the share of those right under a that are right under b
        "low": pl.Float64(),  # its 95 % interval, as in PROMPTS
        "high": pl.Float64(),
        "phi": pl.Float64(),  # the correlation of right under a with right under b
    }
)


def tables(scores: Mapping[str, Scores], probes: Probes, items: Items) -> dict[str, pl.DataFrame]:
    """Return the tables of the prompts by their names; `scores`: by model."""
    of_prompts = probes.filter(pl.col("kind").is_in(NUMBERS))
    right = {agent: _right(table, of_prompts, items) for agent, table in scores.items()}
    each = prompts(right, of_prompts)
    return {"prompts": each, "prompt_spread": spread(each), "prompt_pairs": pairs(right)}


def _right(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    """Return set, number, prompt, hyponym, category, and how far the category at the slot is right, 0 to 1."""
    rows = with_gold(scores.join(probes.select("probe_id"), on="probe_id", how="semi"), probes, items)
    columns = {"number": "kind", "right": "right"}
    return closed_answers(rows, "slot").select("set", "prompt", "hyponym", "category", **columns)


def prompts(right: Mapping[str, pl.DataFrame], probes: Probes) -> pl.DataFrame:
    """Return the accuracy under each prompt (PROMPTS); `right`: agent -> set, number, prompt, hyponym, category, right."""
    key = ["set", "number", "prompt"]
    example = probes.group_by("set", "kind", "prompt", maintain_order=True).agg(pl.col("text").first())
    texts = {tuple(names): text for *names, text in example.iter_rows()}
    rows = []
    for agent, table in right.items():
        for names, part in table.group_by(key, maintain_order=True):
            of_categories = part.group_by("category", maintain_order=True).agg(ordered_sum("right"), pl.len())
            sums, sizes = (of_categories[name].cast(pl.Float64).to_numpy() for name in ("right", "len"))
            interval = share_interval(sums, sizes)
            about = dict(zip(key, names, strict=True))
            accuracy = sums.sum() / sizes.sum()
            measures = {"accuracy": accuracy, "low": interval.low, "high": interval.high, "hyponyms": part.height}
            rows.append({**about, "agent": agent, "example": texts[names], **measures})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("number").cast(pl.Enum(NUMBERS))]
    return pl.DataFrame(rows, schema=PROMPTS).sort(*order, maintain_order=True)


def spread(each: pl.DataFrame) -> pl.DataFrame:
    """Return the spread of the accuracies over the prompts (SPREAD) of the table PROMPTS.

    >>> rows = [{"set": "own", "agent": "m", "number": "plural", "prompt": name, "accuracy": value}
    ...         for name, value in (("paper", 0.25), ("the", 0.75), ("all", 0.5))]
    >>> spread(pl.DataFrame(rows, schema=PROMPTS)).drop("set", "agent").row(0)
    ('plural', 3, 0.25, 0.5, 0.25, 0.25, 0.75, 'paper', 'the')
    """
    accuracy, prompt = pl.col("accuracy"), pl.col("prompt")
    table = each.group_by("set", "agent", "number", maintain_order=True).agg(
        prompts=pl.len(),
        first=accuracy.first(),
        mean=ordered_mean(accuracy),
        sd=ordered_deviation(accuracy),
        lowest=accuracy.min(),
        highest=accuracy.max(),
        lowest_prompt=prompt.get(accuracy.arg_min()),
        highest_prompt=prompt.get(accuracy.arg_max()),
    )
    return table.select(list(SPREAD)).cast(SPREAD)


def pairs(right: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how far the answers under two prompts agree, for all pairs of prompts (AGREEMENT).

    Two prompts of one number say how consistent an agent is where the number does not change.
    """
    rows = [
        {"set": name, "agent": agent, **row}
        for agent, table in right.items()
        for (name,), of_set in table.group_by("set", maintain_order=True)
        for row in _set_rows(of_set)
    ]
    return pl.DataFrame(rows, schema=AGREEMENT).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _set_rows(table: pl.DataFrame) -> Iterator[dict[str, Any]]:
    named = table.with_columns(name=pl.format("{} {}", "number", "prompt"))
    wide = named.pivot("name", index=["hyponym", "category"], values="right").drop("hyponym")
    order = sorted(wide.drop("category").columns, key=lambda name: NUMBERS.index(name.split()[0]))
    for a, b in itertools.combinations(order, 2):
        both = wide.select("category", a, b).drop_nulls()
        yield {"a": a, "b": b, **_agreement(*(both[name].to_numpy() for name in (a, b, "category")))}


def _agreement(a: Values, b: Values, category: NDArray[np.str_]) -> dict[str, Any]:
    """Return the columns from `right_a` on; `a`, `b`: whether a hyponym is right (1, 0, between them where categories tie).

    `category`: that of each hyponym; all are of shape (hyponyms,).
    """
    counts = np.array([[a @ b, a @ (1 - b), (1 - a) @ b, (1 - a) @ (1 - b)]])
    correlation = float(phi(counts)[0])
    row = {
        "right_a": int((a > MOST).sum()),
        "both": float((a * b).mean()),
        "phi": None if np.isnan(correlation) else correlation,
    }
    if not a.any():
        return row
    interval = interval_among(a, b, category)
    return row | {"b_if_a": float(a @ b / a.sum()), "low": interval.low, "high": interval.high}


# What the choices that the paper leaves open change: every agent's accuracy under each choice and under another one.


SENSITIVITY = settings.schema("diagnostic", "set", "agent", units="hyponyms")
SETTINGS = {
    "prompt": Setting("prompt", "the first one of the file", "mean over all prompts"),
    "score": Setting("score", "the category at the slot", "the full sentence"),
    "ties": Setting("categories of equal scores", "mean over all orders", "the first one wins"),
    "contextual": Setting("sentences", "", ""),
    "article": Setting("article that gives a category away", "all hyponyms", "without the categories with “an”"),
    "tokens": Setting("categories of several tokens", "sum over the tokens", "mean over the tokens"),
}
"""The readings of sentences depend on the configuration."""
READINGS = {
    "mended": "mended: each occurrence replaced, article of the category",
    "released": "released: the first occurrence replaced, article of the hyponym",
}


def choices(
    scores: dict[str, Scores], probes: Probes, item_table: Items, *, vectors: Sequence[str] = ()
) -> ShownTables:
    """Write the tables of the prompts, and of what other choices would change.

    `vectors`: the agents that are static vectors, for which a prompt changes nothing.
    """
    of_models = {agent: table for agent, table in scores.items() if agent not in vectors}
    return tables(of_models, probes, item_table) | {"sensitivity": sensitivity(scores, probes, item_table)}


def sensitivity(scores: Mapping[str, Scores], probes: Probes, items: Items) -> pl.DataFrame:
    """Return the accuracies under each choice and under the other one (SENSITIVITY), where an agent has both.

    `scores`: those of models and static vectors, by agent. A choice that changes no answer has a row, too, if it could
    have changed one.
    """
    rows = [
        row | {"agent": agent}
        for agent, table in scores.items()
        for row in _agent_rows(with_gold(table, probes, items).filter(~pl.col("control")))
    ]
    by_set = settings.table(rows, SENSITIVITY).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)
    return settings.unite([by_set], [setting.choice for setting in SETTINGS.values()])


def _agent_rows(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    main = rows.filter("main")
    usual = closed_answers(main, "slot")
    of_numbers = closed_answers(rows.filter(pl.col("kind").is_in(NUMBERS)), "slot")
    if of_numbers["prompt"].n_unique() > 1:
        yield from _rows("prompt", usual.filter(pl.col("kind").is_in(NUMBERS)), of_numbers)
    yield from _rows("score", usual, closed_answers(main, "sentence"))
    tied = pl.col("scores").list.eval(pl.element() == pl.element().max()).list.sum() > 1
    if usual.select(tied.any()).item():
        first = pl.col("words").list.get(pl.col("scores").list.arg_max())
        yield from _rows("ties", usual, usual.with_columns(right=(first == pl.col("gold")).cast(pl.Float64)))
    yield from _readings(rows)
    with_an = [word for word in usual["category"].unique() if article(word) == "an"]
    if with_an:
        with_article = usual.filter(pl.col("kind") != "plural")
        yield from _rows("article", with_article, with_article.filter(~pl.col("category").is_in(with_an)))
    if usual.select((pl.col("tokens").list.max() > 1).any()).item():
        mean = pl.col("scores") / pl.col("tokens").cast(pl.List(pl.Float32))
        yield from _rows("tokens", usual, closed_answers(main.filter(method="slot").with_columns(scores=mean), "slot"))


def _readings(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of the sentences that differ between both readings, and so of all sentences."""
    contextual = rows.filter(kind="contextual")
    others = closed_answers(contextual.filter(~pl.col("main")), "slot")
    if others.is_empty():
        return
    usual = closed_answers(contextual.filter("main"), "slot")
    unchanged = usual.join(others, on=["set", "hyponym"], how="anti")
    here, other = (READINGS[table["prompt"][0]] for table in (usual, others))
    for row in _rows("contextual", usual, pl.concat([unchanged, others])):
        yield row | {"here": here, "other": other}


def _rows(choice: str, usual: pl.DataFrame, other: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a row per set and diagnostic that both tables have."""
    values, others = _accuracies(usual), _accuracies(other)
    for (name, kind), value in values.items():
        if (name, kind) in others:
            about = {"units": "hyponyms", "set": name, "diagnostic": kind}
            yield settings.row(SETTINGS[choice], value, others[name, kind], **about)


def _accuracies(rows: pl.DataFrame) -> dict[tuple[str, str], Mean]:
    """Return (set, diagnostic) -> the accuracy and the number of hyponyms; the prompts of a hyponym are averaged first."""
    means = rows.group_by("set", "kind", maintain_order=True).agg(ordered_mean("right"), pl.col("hyponym").n_unique())
    return {(name, kind): Mean(right, count) for name, kind, right, count in means.iter_rows()}


# All that compares agents at once, as the step `compare` writes it.


class ComparisonTables(NamedTuple):
    """Averages, what classifiers decide, tests between and within agents, and the tables of prompts, choices and layers."""

    averages: Averages
    detection: Detection
    tests: Tests
    contrasts: OwnContrasts
    tables: ShownTables


def compare(
    metrics: dict[str, Metrics],
    detections: dict[str, Detections],
    scores: dict[str, Scores],
    probes: Probes,
    item_table: Items,
    baselines: dict[str, Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
    controls: list[str],
    members: list[str] | None = None,
    vectors: list[str] | None = None,
    declared: list[list[str]] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and say what other prompts and choices would change.

    `baselines`: the metrics of the agents that need no network, and `layered`: those after each layer of an agent, where
    there are such agents. `vectors`: the agents that are static vectors. `declared`: the pairs of agents that the
    configuration declares.
    """
    means = averages(metrics, detections, targets=targets)
    tests = comparisons(metrics, controls=controls, members=members, declared=declared or [])
    of_layers = layers(layered, baselines or {}, means.averages, targets=targets) if layered else {}
    tables = {**choices(scores, probes, item_table, vectors=vectors or ()), **of_layers}
    return ComparisonTables(*means, *tests, tables)
