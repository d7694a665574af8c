"""What a prompt changes: the accuracy under each prompt, its spread, and how far two prompts agree.

## What a prompt changes

```yaml
table: prompt_spread
part: Choices and prompts
empty: Every number has one prompt.
columns:
  prompts: the number of prompts that were asked
  first: the accuracy under the first prompt
  mean: the mean accuracy over all prompts
  sd: its standard deviation over prompts
  lowest: the lowest accuracy
  highest: the highest accuracy
  lowest_prompt: the prompt with the lowest accuracy
  highest_prompt: the prompt with the highest accuracy
```

The accuracy at the slot under the first prompt of each number, which makes the main results, and its mean, standard
deviation and range over all prompts that were asked.

## Accuracy under each prompt

```yaml
table: prompts
part: Choices and prompts
empty: No agent has an answer.
columns:
  prompt: the prompt
  example: the prompt with a hyponym
  accuracy: the share of hyponyms whose category is right at the slot
```

The share of hyponyms whose category is right at the slot, with the 95 % interval over categories.

## Do answers under two prompts agree?

```yaml
table: prompt_pairs
part: Choices and prompts
empty: Every number has one prompt.
columns:
  a: the first prompt
  b: the second prompt
  right_a: the number of hyponyms that are right under a
  both: the share of hyponyms that are right under both
  b_if_a: the share of those right under a that are right under b, too; missing where none is right under a
  low: lower bound of the 95 % interval of b_if_a; missing where too few categories give none
  high: upper bound of the 95 % interval of b_if_a; missing where too few categories give none
  phi: the correlation of right under a with right under b; missing where all or none are right under one of them
```

b if a: the share of the hyponyms that are right under prompt a that are right under prompt b, too, with the 95 %
interval over categories; both: the share of all hyponyms; phi: the correlation. Two prompts of one number say how
consistent the model is where the number stays the same.
"""

import itertools
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.sums import ordered_deviation, ordered_mean, ordered_sum
from relprobe.stats import Values, share_interval
from relprobe.studies.systematicity.agreement import interval_among, phi
from relprobe.studies.systematicity.measures import MOST
from relprobe.studies.systematicity.method import closed_answers, responses
from relprobe.studies.systematicity.prompts import NUMBERS
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Items, Probes, Scores

PLACE = 7


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


def prompts(right: Mapping[str, pl.DataFrame], probes: Probes) -> pl.DataFrame:
    """Return the accuracy under each prompt (PROMPTS); `right`: agent -> set, number, prompt, hyponym, category, right."""
    key = ["set", "number", "prompt"]
    example = probes.group_by("set", "kind", "prompt", maintain_order=True).agg(pl.col("text").first())
    texts = {tuple(names): text for *names, text in example.iter_rows()}
    rows = []
    for agent, table in right.items():
        for names, part in table.group_by(key, maintain_order=True):
            category_sums = part.group_by("category", maintain_order=True).agg(ordered_sum("right"), pl.len())
            sums, sizes = (category_sums[name].cast(pl.Float64).to_numpy() for name in ("right", "len"))
            interval = share_interval(sums, sizes)
            group = dict(zip(key, names, strict=True))
            accuracy = sums.sum() / sizes.sum()
            measures = {"accuracy": accuracy, "low": interval.low, "high": interval.high, "hyponyms": part.height}
            rows.append({**group, "agent": agent, "example": texts[names], **measures})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("number").cast(pl.Enum(NUMBERS))]
    return pl.DataFrame(rows, schema=PROMPTS).sort(*order, maintain_order=True)


def spread(accuracies: pl.DataFrame) -> pl.DataFrame:
    """Return the spread of the accuracies over the prompts (SPREAD) of the table PROMPTS.

    >>> rows = [{"set": "own", "agent": "m", "number": "plural", "prompt": name, "accuracy": value}
    ...         for name, value in (("paper", 0.25), ("the", 0.75), ("all", 0.5))]
    >>> spread(pl.DataFrame(rows, schema=PROMPTS)).drop("set", "agent").row(0)
    ('plural', 3, 0.25, 0.5, 0.25, 0.25, 0.75, 'paper', 'the')
    """
    accuracy, prompt = pl.col("accuracy"), pl.col("prompt")
    table = accuracies.group_by("set", "agent", "number", maintain_order=True).agg(
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
        for (name,), set_table in table.group_by("set", maintain_order=True)
        for row in _set_rows(set_table)
    ]
    return pl.DataFrame(rows, schema=AGREEMENT).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _set_rows(table: pl.DataFrame) -> Iterator[dict[str, Any]]:
    named = table.with_columns(name=pl.format("{} {}", "number", "prompt"))
    wide = named.pivot("name", index=["hyponym", "category"], values="right").drop("hyponym")
    order = sorted(wide.drop("category").columns, key=lambda name: NUMBERS.index(name.split()[0]))
    for a, b in itertools.combinations(order, 2):
        paired = wide.select("category", a, b).drop_nulls()
        yield {"a": a, "b": b, **_agreement(*(paired[name].to_numpy() for name in (a, b, "category")))}


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


@cache
def right_answers(results: Results) -> dict[str, pl.DataFrame]:
    """Return agent -> set, number, prompt, hyponym, category, and how far the category at the slot is right, 0 to 1."""
    scores = results.scores_of_models()
    return {agent: _right(table, results.probes, results.item_table) for agent, table in scores.items()}


def _right(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    rows = responses(scores.join(number_probes(probes).select("probe_id"), on="probe_id", how="semi"), probes, items)
    return closed_answers(rows, "slot").select("set", "prompt", "hyponym", "category", number="kind", right="right")


def number_probes(probes: Probes) -> Probes:
    """Return the probes in the singular and the plural, with all of their prompts."""
    return probes.filter(pl.col("kind").is_in(NUMBERS))


def _prompts(results: Results) -> pl.DataFrame:
    return prompts(right_answers(results), number_probes(results.probes))


def _spread(results: Results) -> pl.DataFrame:
    return spread(_prompts(results))


def _pairs(results: Results) -> pl.DataFrame:
    return pairs(right_answers(results))


TABLES = {"prompt_spread": _spread, "prompts": _prompts, "prompt_pairs": _pairs}
