"""Whether recognised hyponyms are more frequent than the others (section 3.4 of the paper).

## Are recognised hyponyms more frequent?

```yaml
table: frequency
part: Tests
empty: No agent has hyponyms that it answers rightly and others that it answers wrongly.
columns:
  recognised: the number of hyponyms that are answered rightly
  unrecognised: the number of the others
  zero: the number of hyponyms that wordfreq does not know
  frequency_recognised: the mean frequency of hyponyms that are answered rightly
  frequency_unrecognised: the mean frequency of the others
  normal_p_recognised: >-
    p of the Shapiro-Wilk test of normality, of hyponyms answered rightly; missing with fewer than three frequencies
  normal_p_unrecognised: p of the Shapiro-Wilk test of normality, of the others; missing likewise
  effect: epsilon squared, the effect size of the Kruskal-Wallis test
  p: p of the Kruskal-Wallis test
```

Mean frequency of the hyponyms answered rightly and wrongly, by wordfreq: per million words or, with
systematicity.frequency: zipf, as zipf values. Hyponyms that wordfreq does not know have the frequency 0 (zero).

p-values of the Shapiro-Wilk test of normality in both groups, and the Kruskal-Wallis test between them with
its effect, epsilon squared *(section 3.4 of the paper)*. A hyponym is one observation. p is adjusted by Holm's
method over the agent's own sets, in one metric.
"""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.stats import kruskal_wallis, shapiro, with_holm
from relprobe.studies.systematicity.measures import MOST
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import MAJORITY, SETS, Metrics

PLACE = 5


FACTORS = {"raw": 1e6, "zipf": 1}
"""Scale -> the factor of its frequencies: raw ones are those per million words."""


RECOGNISED = ("singular", "plural", "open@1")
"""The metrics that say whether a hyponym is recognised, in the order of the table."""


FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "set": pl.String(),
        "metric": pl.String(),
        "recognised": pl.UInt32(),  # hyponyms
        "unrecognised": pl.UInt32(),
        "zero": pl.UInt32(),  # hyponyms among both whose frequency is 0: wordfreq does not know them
        "frequency_recognised": pl.Float64(),  # mean, on the scale
        "frequency_unrecognised": pl.Float64(),
        "normal_p_recognised": pl.Float64(),  # Shapiro-Wilk
        "normal_p_unrecognised": pl.Float64(),
        "effect": pl.Float64(),  # Kruskal-Wallis: epsilon squared
        "p": pl.Float64(),
        "family": pl.String(),  # whether the agent is a model or a control; p is adjusted over its own tests
        "p_holm": pl.Float64(),  # p adjusted within the family by Holm's method
        "note": pl.String(),  # why p is missing
    }
)


def frequency(metrics: Mapping[str, Metrics], controls: Collection[str], scale: Scale = "raw") -> pl.DataFrame:
    """Test whether recognised hyponyms are more frequent than others (FREQUENCY).

    The test is that of Kruskal and Wallis; Shapiro and Wilk's says whether the frequencies are normal. A hyponym is one
    observation, so that the tests have no clusters. Frequencies are those of `wordfreq`, where the paper counts in
    Wikipedia; a hyponym that `wordfreq` does not know has the frequency 0. An agent that has answered
    several times recognises a hyponym if most answers are right. `controls`: the agents that are no models.
    """
    rows = []
    for agent, values in metrics.items():
        metric_values = values.filter(pl.col("metric").is_in(RECOGNISED)).sort("unit")
        family = "controls" if agent in controls else "models"
        for (condition, metric), units in metric_values.group_by("condition", "metric", maintain_order=True):
            names = {"agent": agent, "set": condition, "metric": metric, "family": family}
            rows.append({**names, **_test(units, scale)})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("metric").cast(pl.Enum(RECOGNISED))]
    table = pl.DataFrame(rows, schema=FREQUENCY).sort(*order, maintain_order=True)
    return with_holm(table, ["agent", "metric"])


def _test(units: pl.DataFrame, scale: Scale) -> dict[str, Any]:
    zipf = frequencies(units["unit"], scale, language="en").rename({"word": "unit"})
    frequent = units.join(zipf, on="unit", how="left", maintain_order="left")
    frequent = frequent.with_columns(pl.col("frequency").fill_null(0) * FACTORS[scale])
    right = pl.col("value") > MOST
    groups = {
        name: frequent.filter(which)["frequency"] for name, which in (("recognised", right), ("unrecognised", ~right))
    }
    test = kruskal_wallis([group.to_numpy() for group in groups.values()])
    return {
        **{name: len(group) for name, group in groups.items()},
        "zero": int((frequent["frequency"] == 0).sum()),
        **{f"frequency_{name}": ordered_mean(group) for name, group in groups.items()},
        **{f"normal_p_{name}": shapiro(group.to_numpy()).p for name, group in groups.items()},
        "effect": test.effect,
        "p": test.p,
        "note": test.note,
    }


def _table(results: Results) -> pl.DataFrame:
    metrics = {agent: table for agent, table in results.metrics.items() if agent != MAJORITY}
    return frequency(metrics, results.settings.controls, results.settings.scale)


TABLES = {"frequency": _table}
