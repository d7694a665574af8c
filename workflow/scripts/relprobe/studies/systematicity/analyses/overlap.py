"""The hyponyms that are built from WordNet beside those that the authors released.

## WordNet's hyponyms and the released ones

```yaml
table: overlap
part: Data
needs: [released]
columns:
  category: a category, or all of them
  built: the number of hyponyms that the builder finds
  released: the number of hyponyms of LM Diagnostic Extended
  both: the number of hyponyms in both
```

Hyponyms that the builder finds, those of LM Diagnostic Extended, and those of both, in all and per category.
"""

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.systematicity.hyponyms import built_items, hyponyms_of
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import Items

PLACE = 9


def overlap(built: Items, released: Items) -> pl.DataFrame:
    """Return how many hyponyms are built, released, and both: per category, and in all (the row without a category).

    >>> released = pl.DataFrame({"hyponym": ["robin", "wren"], "category": ["bird", "bird"]})
    >>> overlap(released.head(1), released).rows()
    [(None, 1, 2, 1), ('bird', 1, 2, 1)]
    """
    sets = {"built": built, "released": released}
    long = pl.concat([table.select("hyponym", "category", source=pl.lit(name)) for name, table in sets.items()])
    sources = long.group_by("category", "hyponym").agg("source")
    source_counts = {name: pl.col("source").list.contains(name).sum() for name in sets}
    counts = {**source_counts, "both": (pl.col("source").list.len() == len(sets)).sum()}
    table = pl.concat([sources.select(**counts), sources.group_by("category").agg(**counts)], how="diagonal")
    return table.select("category", *counts).sort("released", "category", descending=[True, False])


def _table(results: Results) -> pl.DataFrame:
    if results.wordnet is None:
        raise DataError("hyponyms are built from WordNet: give it as --wordnet.")
    built = built_items(hyponyms_of(results.wordnet, results.settings.categories, results.settings.choice))
    return overlap(built, results.item_table.filter(set="extended"))


TABLES = {"overlap": _table}
