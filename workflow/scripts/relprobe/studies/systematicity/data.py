"""The size of the data: the diagnostics (Table 1), the parts of the pairs (Tables 5 and 6), built items beside released."""

from collections.abc import Collection

import polars as pl

from relprobe.studies.systematicity.schemas import PARTS, SETS


def of_data(items: pl.DataFrame, pairs: pl.DataFrame, resources: Collection[str]) -> dict[str, pl.DataFrame]:
    """Return the tables that no agent enters, by their names; `resources` are the optional ones in the configuration."""
    return {"diagnostics": diagnostics(items), "parts": parts(pairs), "left_out": omissions(resources)}


def diagnostics(items: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1: the number of items by diagnostic, per set and category, and in all (rows without a category)."""
    counts = {"singular": pl.len(), "plural": pl.len(), "contextual": pl.col("contextual").is_not_null().sum()}
    in_all = items.group_by("set", maintain_order=True).agg(**counts)
    each = items.group_by("set", "category", maintain_order=True).agg(**counts)
    table = pl.concat([in_all, each], how="diagonal").select("set", "category", *counts)
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def parts(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 5 and 6: per setting and fold the pairs of each part, the share of true pairs in the test, hyponyms.

    `hyponyms` counts those that have pairs: `carriers.pairs_in_carriers` leaves hyponyms of too large a category without.
    """
    counts = {part: (pl.col("part") == part).sum() for part in PARTS}
    true = pl.col("label").filter(pl.col("part") == "test").mean()
    return pairs.group_by("setting", "fold", maintain_order=True).agg(
        **counts, true_in_test=true, hyponyms=pl.col("hyponym").n_unique()
    )


def overlap(built: pl.DataFrame, released: pl.DataFrame) -> pl.DataFrame:
    """Return how many hyponyms are built, released, and both: per category, and in all (the row without a category).

    >>> released = pl.DataFrame({"hyponym": ["robin", "wren"], "category": ["bird", "bird"]})
    >>> overlap(released.head(1), released).rows()
    [(None, 1, 2, 1), ('bird', 1, 2, 1)]
    """
    sets = {"built": built, "released": released}
    long = pl.concat([table.select("hyponym", "category", source=pl.lit(name)) for name, table in sets.items()])
    sources = long.group_by("category", "hyponym").agg("source")
    each = {name: pl.col("source").list.contains(name).sum() for name in sets}
    counts = {**each, "both": (pl.col("source").list.len() == len(sets)).sum()}
    table = pl.concat([sources.select(**counts), sources.group_by("category").agg(**counts)], how="diagonal")
    return table.select("category", *counts).sort("released", "category", descending=[True, False])


def omissions(resources: Collection[str]) -> pl.DataFrame:
    """Return the parts of the paper that this run leaves out, and why: what, reason."""
    rows = [
        (
            "Pattern matching (section 3.4)",
            "It asks which pairs Wikipedia holds as “[hyponym] is a [hypernym]”; that text is no resource of this project.",
        )
    ]
    if "systematicity" not in resources:
        rows += [
            (
                "LM Diagnostic, contextual and paired aggregate accuracy, the released splits",
                "The authors' data are not configured (resources.systematicity): the items are built from WordNet, which "
                "has no sentences of Wikipedia, and the classifier's pairs stand in carrier sentences.",
            )
        ]
    if "static_vectors" not in resources:
        rows += [("Static vectors", "None are configured (resources.static_vectors).")]
    return pl.DataFrame(rows, schema={"what": pl.String(), "reason": pl.String()}, orient="row")
