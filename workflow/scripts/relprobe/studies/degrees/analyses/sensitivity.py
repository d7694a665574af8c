"""What the choices change that the paper leaves open: every agent's average under another choice.

## What the open choices change

```yaml
table: sensitivity
part: Choices and raters
empty: No agent's values depend on these choices.
columns:
  value: the average over the test subcategories as this study computes it
  other_subcategories: the number of subcategories that other_value is over
```

Every agent's average over the test subcategories as this study computes it (value), and with another choice
(other_value). The numbers of subcategories differ where a choice leaves some out.

The choices: where all ratings are equal, where pairs are reversed, where people's choices or an agent's ratings tie,
if ratings are rounded before they are ranked, and if a paradigm of 2b keeps the package's typing error. The last
choice is the config's key degrees.paradigms; a model scores its sentences again for it, so that this table has the
last choice for static vectors only.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.stats import DECIMALS
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.degrees.chat import choice_values
from relprobe.studies.degrees.conditions import TEST, by_agent
from relprobe.studies.degrees.measures import HEADLINES
from relprobe.studies.degrees.method import SIDES, WITHOUT, values
from relprobe.studies.degrees.results import AgentResults, Results
from relprobe.studies.degrees.schemas import Ratings

PLACE = 4
SENSITIVITY = settings.schema("metric", "agent", units="subcategories")  # averages over the test subcategories
SETTINGS = {
    "constant": Setting("equal ratings of all pairs", "rho is 0", "the subcategory is left out"),
    "pairs": Setting("reversed pairs", "all pairs", "without reversed pairs"),
    "rounding": Setting("ratings", "ranked as they are", "rounded to 9 decimals first"),
    "majority": Setting("ties of people's choices", "each choice of a tie is right", "only questions without a tie"),
    "order": Setting("equal ratings in a question", "mean over all orders", "one random order"),
    "paradigms": Setting("paradigm of 2b", "forest:tree", "forrest:tree, as the package writes it"),
}


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return the averages of an agent under each choice and under the other one, a file beside its values."""
    rows = _choice_rows(agent) if agent.ratings is None else _rating_rows(agent, agent.ratings)
    return settings.table(rows, SENSITIVITY)


def _rating_rows(agent: AgentResults, ratings: Ratings) -> Iterator[dict[str, Any]]:
    """Yield the rows of agents that rate pairs.

    With the paradigms as the package writes them, static vectors alone are asked; a model must score its sentences again for
    that, and so has no row of this choice.
    """
    gold, questions, usual = agent.gold, agent.questions, by_agent([agent.values])
    varied = {name: _varied(table) for name, table in usual.items()}
    rounded = ratings.with_columns(pl.col("rating").round(DECIMALS))
    yield from _rows("constant", "rho", usual, varied)
    for metric in HEADLINES:
        yield from _rows("pairs", metric, usual, usual, metric + WITHOUT)
    yield from _rows("rounding", "rho", usual, by_agent([values(rounded, gold, questions.head(0))]))
    yield from _rows("majority", "maxdiff", usual, by_agent([values(ratings, gold, _without_ties(agent))]))
    yield from _rows("order", "maxdiff", usual, by_agent([values(_ordered(ratings, agent.seed), gold, questions)]))
    if agent.printed is not None and agent.printed.height:
        printed = by_agent([values(agent.printed, gold, questions)])
        for metric in HEADLINES:
            yield from _rows("paradigms", metric, usual, printed)


def _choice_rows(agent: AgentResults) -> Iterator[dict[str, Any]]:
    """Yield the rows of an agent that answers MaxDiff questions, and rates no pairs."""
    if agent.choices is None or agent.values.is_empty():
        return
    usual, name = by_agent([agent.values]), agent.values["agent"][0]
    without_ties = choice_values(agent.choices, agent.gold, _without_ties(agent), agent=name)
    yield from _rows("pairs", "maxdiff", usual, usual, "maxdiff" + WITHOUT)
    yield from _rows("majority", "maxdiff", usual, by_agent([without_ties]))


def join_sensitivity(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of several agents as one, by choice."""
    order = [setting.choice for setting in SETTINGS.values()]
    return settings.concat_by_choice([pl.DataFrame(schema=SENSITIVITY), *tables], order, "metric")


def _without_ties(agent: AgentResults) -> pl.DataFrame:
    """Return the questions in which people's choices do not tie."""
    return agent.questions.filter(*(pl.col(side).list.len() == 1 for side in SIDES))


def _varied(table: pl.DataFrame) -> pl.DataFrame:
    """Return the values of the subcategories whose ratings are not all equal."""
    constant = table.filter(metric="constant", value=1.0)["unit"].unique().to_list()
    return table.filter(~pl.col("unit").is_in(constant))


def _ordered(ratings: Ratings, seed: int) -> Ratings:
    """Return ratings without ties, in one order that is drawn for the pairs with equal ratings."""
    tie_order = np.random.default_rng(seed).permutation(ratings.height)
    order = pl.struct("rating", "tie").rank("ordinal").over("agent", "subcategory").cast(pl.Float64)
    drawn = ratings.with_columns(tie=pl.Series(tie_order))
    return drawn.with_columns(rating=pl.when(pl.col("rating").is_not_null()).then(order)).drop("tie")


def _rows(
    choice: str,
    metric: str,
    usual: Mapping[str, pl.DataFrame],
    alternative: Mapping[str, pl.DataFrame],
    other_metric: str = "",
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one choice and metric, an agent each that has values under both settings."""
    for agent, table in alternative.items():
        values_before = usual[agent].filter(metric=metric, condition=TEST)["value"]
        values_after = table.filter(metric=other_metric or metric, condition=TEST)["value"]
        if values_before.len() and values_after.len():
            keys = {"units": "subcategories", "metric": metric, "agent": agent}
            yield settings.row(SETTINGS[choice], _mean(values_before), _mean(values_after), **keys)


def _mean(values: pl.Series) -> Mean:
    return Mean(float(ordered_mean(values)), values.len())  # type: ignore[arg-type]


def _table(results: Results) -> pl.DataFrame:
    return join_sensitivity(results.agent_tables("sensitivity"))


TABLES = {"sensitivity": _table}
