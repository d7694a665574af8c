"""Sample pairs of the probes, as Figure 1 of the paper shows them.

## Sample pairs

```yaml
table: samples
part: Data
empty: No relation has enough tuples for a sample.
columns:
  query: the tuple that the others are compared with
  positive: a tuple of the same relation
  negative: a pair that misses the relation
```

What the probes ask, for one query *(as in Figure 1 of the paper)*: two positives of each probe with their
negatives.
"""

import polars as pl

from relprobe.studies.analogies.results import Results
from relprobe.studies.analogies.schemas import PROBE_TYPES, Instances

PLACE = 3
SAMPLES = pl.Schema(
    {
        "probe": pl.String(),
        "relation": pl.String(),
        "query": pl.String(),  # head : tail
        "positive": pl.String(),
        "negative": pl.String(),
    }
)
LIKE_THE_PAPER = ("paris", "france")
"""The input of Figure 1, in either order; where the sample lacks it, the first query stands in its place."""
PER_PROBE = 2


def samples(instances: Instances) -> pl.DataFrame:
    """Return two positives with their negatives per probe type, all of one query (SAMPLES)."""
    paris = pl.col("query_head").is_in(LIKE_THE_PAPER) & pl.col("query_tail").is_in(LIKE_THE_PAPER)
    instances = instances.filter(pl.col("instead_of").is_null())
    wanted = instances.filter(paris)
    rows = wanted if wanted.height else instances
    key = ["relation", "draw", "partition", "query_head", "query_tail"]
    query_rows = rows.join(rows.select(key).head(1), on=key, how="semi", maintain_order="left")
    shown = [query_rows.filter(probe=probe).head(PER_PROBE) for probe in PROBE_TYPES]
    pairs = {"query": ("query_head", "query_tail"), "positive": ("head", "tail")}
    pairs["negative"] = ("negative_head", "negative_tail")
    columns = {name: pl.format("{} : {}", *words) for name, words in pairs.items()}
    return pl.concat(shown).select("probe", "relation", **columns).select(list(SAMPLES))


def _table(results: Results) -> pl.DataFrame:
    return samples(results.instances)


TABLES = {"samples": _table}
