"""All agents on the groups that people answered (Table 8 of the paper).

```yaml
may_lack:
  people: answers of people (resources.definition_answers)
```

## People and models on the same groups

```yaml
table: people
like: overview
needs: [people]
empty: People have answered none of the groups.
```

All agents on the groups that people answered *(Table 8 of the paper, whose groups have up to ten candidates)*,
also on those that definitions.targets names beyond the sample. Of several people a group counts the mean.

Candidates that somebody did not rank share the places after the others, and each of them counts as the mean of these
places: who ranks at random has a rank score of 0.5.
"""

from collections.abc import Mapping
from typing import Literal

import polars as pl

from relprobe.core.study import Config, Roles
from relprobe.stats.averages import averages
from relprobe.stats.schemas import AVERAGES, Averages
from relprobe.studies.definitions.choices import Ties
from relprobe.studies.definitions.conditions import conditions, metrics_under
from relprobe.studies.definitions.measures import MEASURES
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import HUMANS, POS, SMALL, Metrics, Properties, Responses
from relprobe.studies.definitions.tables import as_printed, wide

PLACE = 4
TABLE_8 = "20 groups of up to 10 candidates"
"""The condition of Table 8, whose groups the paper does not name; ours are the groups of SMALL that people answered."""


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether people have answered."""
    return {"people": "definition_answers" in config["resources"]}


def values_on_peoples_groups(responses: Mapping[str, Responses], groups: Properties, ties: Ties) -> dict[str, Metrics]:
    """Return the values of every agent for the groups that people answered, whether these are drawn or only named.

    The conditions are parts of speech, and the groups of up to FEW candidates, as in Table 8.
    """
    answered = groups.filter(pl.col("group").is_in(responses[HUMANS]["group"].unique().implode()))
    group_conditions = conditions(answered).filter(pl.col("condition").is_in([*POS, SMALL]))
    return {agent: metrics_under(group_conditions, table, answered, ties) for agent, table in responses.items()}


def average_on_peoples_groups(values: Mapping[str, Metrics], units: Literal["common", "own"] = "common") -> Averages:
    """Average the values of every agent over the groups that people answered (Table 8).

    `values`: as of `values_on_peoples_groups`. `units`: the groups of the study, or those that each agent has
    (`AgentComparison.targets`).
    """
    answered = values[HUMANS]
    keys = answered.select("metric", "condition", "unit").unique()
    same = {
        agent: table.join(keys, on=["metric", "condition", "unit"], how="semi", maintain_order="left")
        for agent, table in values.items()
    }
    return averages(same, MEASURES, ["condition"], targets=units) if answered.height else pl.DataFrame(schema=AVERAGES)


def _averages(results: Results) -> Averages:
    values = values_on_peoples_groups(results.responses, results.properties, results.ties)
    return average_on_peoples_groups(values, results.averaged_units)


def _table(results: Results) -> pl.DataFrame:
    return wide(_averages(results), [*POS, SMALL])


def published(results: Results) -> list[pl.DataFrame]:
    """Return our values of Table 8 (OURS), in a run with people."""
    return [as_table_8(_averages(results))] if HUMANS in results.responses else []


def as_table_8(averages: Averages) -> pl.DataFrame:
    """Return the averages over small groups as Table 8 prints them (OURS)."""
    return as_printed(averages.filter(condition=SMALL).with_columns(condition=pl.lit(TABLE_8)))


TABLES = {"people": _table}
