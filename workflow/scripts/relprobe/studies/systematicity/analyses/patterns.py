"""Whether hyponyms are recognised as a corpus holds them with their category in a pattern (section 3.4 of the paper).

```yaml
may_lack:
  corpus: a corpus (resources.corpus)
```

## Recognised because the corpus says so?

```yaml
table: patterns
part: Tests
needs: [corpus]
empty: The corpus holds no hyponym with its category.
columns:
  pairs_in: the number of hyponyms that the corpus holds in a pattern with their category
  recognised_in: the share of these that are right in the singular
  pairs_out: the number of the other hyponyms
  recognised_out: the share of these that are right in the singular
```

The share of hyponyms that are right in the singular among those that the corpus holds with their category in one of
the patterns of systematicity.patterns (in), and among the others (out), with Wilson's interval *(section 3.4 of
the paper)*.
"""

from collections.abc import Mapping

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_mean
from relprobe.report.published import shares_in_percent
from relprobe.stats import wilson_interval
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Metrics, Occurrences

PLACE = 6
QUANTITY = "recognised of the pairs that Wikipedia holds in the pattern (%)"
"""The quantity among the published figures."""


PATTERNS = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "pairs_in": pl.UInt32(),  # hyponyms that the corpus holds in a pattern with their category
        "recognised_in": pl.Float64(),  # the share of them whose category is right in the singular
        "recognised_in_low": pl.Float64(),  # its 95 % interval (Wilson)
        "recognised_in_high": pl.Float64(),
        "pairs_out": pl.UInt32(),  # the other hyponyms
        "recognised_out": pl.Float64(),
        "recognised_out_low": pl.Float64(),
        "recognised_out_high": pl.Float64(),
    }
)


def has(config: Config, _roles: Roles) -> dict[str, bool]:
    """Return whether there is a corpus."""
    return {"corpus": "corpus" in config["resources"]}


def recognition(metrics: Mapping[str, Metrics], occurrences: Occurrences) -> pl.DataFrame:
    """Return how many hyponyms are recognised in the singular: of those that the corpus has in a pattern, and of the rest.

    `metrics`: agent -> its values. The result is PATTERNS.

    >>> values = {"metric": "singular", "condition": "own", "unit": ["robin", "wren"], "value": [1.0, 0.0]}
    >>> occurrences = pl.DataFrame({"pattern": ["[W] is"], "hyponym": ["robin"], "category": ["bird"], "count": [2]})
    >>> recognition({"m": pl.DataFrame(values)}, occurrences).select("pairs_in", "recognised_in", "recognised_out").row(0)
    (1, 1.0, 0.0)
    """
    in_corpus = occurrences["hyponym"].unique().to_list()
    rows = []
    for agent, values in metrics.items():
        for (condition,), set_values in values.filter(metric="singular").group_by("condition", maintain_order=True):
            is_in = pl.col("unit").is_in(in_corpus)
            parts = {"in": set_values.filter(is_in)["value"], "out": set_values.filter(~is_in)["value"]}
            row: dict[str, object] = {"set": condition, "agent": agent}
            for name, part in parts.items():
                row |= _share(name, part)
            rows.append(row)
    return pl.DataFrame(rows, schema=PATTERNS).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _share(name: str, values: pl.Series) -> dict[str, object]:
    if values.is_empty():
        return {f"pairs_{name}": 0}
    share = float(ordered_mean(values))  # type: ignore[arg-type]
    low, high = wilson_interval(share, len(values))
    key = f"recognised_{name}"
    return {f"pairs_{name}": len(values), key: share, f"{key}_low": low, f"{key}_high": high}


def _table(results: Results) -> pl.DataFrame:
    if results.occurrences is None:
        raise DataError("there are no counts of the patterns in a corpus: give them as --occurrences.")
    return recognition(results.metrics, results.occurrences)


def published(results: Results) -> list[pl.DataFrame]:
    """Return the share as the paper prints it (OURS); nothing without a corpus."""
    if results.occurrences is None:
        return []
    bounds = ("recognised_in_low", "recognised_in_high")
    quantity = pl.lit(QUANTITY)
    return [
        shares_in_percent(_table(results), quantity, "set", "recognised_in", n="pairs_in", units="pairs", bounds=bounds)
    ]


TABLES = {"patterns": _table}
