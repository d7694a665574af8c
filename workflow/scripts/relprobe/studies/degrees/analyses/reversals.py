"""Whether agents tell reversed pairs from others (Tables 5 and 6 of the paper).

## Reversed pairs

```yaml
table: reversals
part: Tests
empty: No pair reverses another one.
columns:
  difference: rho minus rho_without_reversals; missing where one of the two is
  low: lower bound of the 95 % interval; missing where too few subcategories give one
  high: upper bound of the 95 % interval; missing where too few subcategories give one
  p: the probability of such a difference if the two were alike; missing where the difference is
  reversal_rmse: >-
    the root mean squared error in the difference of ranks between a pair and its reversal; missing without ratings of both
```

Average rho without and with the pairs whose words were exchanged *(Table 5 of the paper)*. The
difference has its 95 % interval and the p of a sign-flip test over subcategories (clusters), adjusted by Holm's
method over the models' agents, or over the baselines.

The root mean squared error is that in the difference of ranks between a pair and its reversal, ranks being within the
subcategory. *The scale of the paper's Table 6 could not be reproduced: its errors, of 210 to 257, are beyond
what ranks among at most 45 pairs can reach, and the paper does not say what they count.*

## All pairs against those without reversals

```yaml
table: differences
on_page: false
```

The difference between all pairs and those without reversals within each agent, over the test subcategories.
"""

from collections.abc import Mapping

import polars as pl

from relprobe.core.metric import by_name
from relprobe.report.published import Published
from relprobe.stats.comparisons import contrast_tests
from relprobe.stats.schemas import CONTRASTS, Averages, with_groups
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.measures import HEADLINES, MEASURES
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.schemas import METRICS
from relprobe.studies.degrees.tables import HERE, PAPER, paper_rows, select_columns, stack, wide

PLACE = 5
DIFFERENCES = with_groups(CONTRASTS, METRICS, ["condition"])
"""The difference between all pairs and those without reversals, within an agent."""


def differences(values: Mapping[str, pl.DataFrame], comparing: AgentComparison) -> pl.DataFrame:
    """Compare all pairs with those without reversals within every agent, over the test subcategories (DIFFERENCES).

    An agent that tells reversed pairs from others agrees better on all pairs (Table 5). `a` and `b` are the metrics.
    """
    test = {agent: table.filter(condition=TEST) for agent, table in values.items()}
    measures, kinds = by_name(MEASURES), comparing.kinds(values)
    tables = [
        contrast_tests(test, measures[name], [(name, name + WITHOUT)], "metric", ["condition"], kinds=kinds)
        for name in HEADLINES
    ]
    return pl.concat(tables).select(list(DIFFERENCES))


def reversals(averages: Averages, published: Published, differences: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 5 and 6: rho without and with reversed pairs, and the error in the ranks of reversed pairs.

    `differences`: DIFFERENCES, whose test of the difference between the two rhos stands beside them.
    """
    names = ["rho_without_reversals", "rho", "reversal_rmse"]
    ours = wide(averages.filter(condition=TEST), "metric", "value")
    tested = differences.filter(a="rho").select(
        "agent", "difference", "low", "high", "clusters", "p", "p_holm", "family"
    )
    ours = select_columns(ours, names).join(tested, on="agent", how="left", maintain_order="left")
    return stack({HERE: ours, PAPER: paper_rows(published.filter(pl.col("condition").is_null()), names)})


def _reversals(results: Results) -> pl.DataFrame:
    return reversals(results.averages, results.paper_figures(), _differences(results))


def _differences(results: Results) -> pl.DataFrame:
    return differences(results.values(), AgentComparison(results.controls or []))


TABLES = {"reversals": _reversals, "differences": _differences}
