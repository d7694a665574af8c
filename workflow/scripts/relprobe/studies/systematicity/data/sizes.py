"""The size of the data: the diagnostics (Table 1), the parts of the pairs (Tables 5 and 6), built items beside released."""

from collections.abc import Collection, Iterable

import polars as pl

from relprobe.studies.systematicity.data.template import RESOURCE
from relprobe.studies.systematicity.schemas import PARTS, SETS, Items, Pairs

CHOOSES = "It takes people's task: it chooses one of the categories, and gives no probabilities and no states."


def diagnostics(items: Items) -> pl.DataFrame:
    """Return Table 1: the number of items by diagnostic, per set and category, and in all (rows without a category)."""
    counts = {"singular": pl.len(), "plural": pl.len(), "contextual": pl.col("sentence").is_not_null().sum()}
    in_all = items.group_by("set", maintain_order=True).agg(**counts)
    each = items.group_by("set", "category", maintain_order=True).agg(**counts)
    table = pl.concat([in_all, each], how="diagonal").select("set", "category", *counts)
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def parts(pairs: Pairs) -> pl.DataFrame:
    """Return Tables 5 and 6: per setting and fold the pairs of each part, the share of true pairs in the test, hyponyms.

    `hyponyms` counts those that have pairs: `carriers.pairs_in_carriers` leaves hyponyms of too large a category without.
    """
    counts = {part: (pl.col("part") == part).sum() for part in PARTS}
    true = pl.col("label").filter(pl.col("part") == "test").mean()
    return pairs.group_by("setting", "fold", maintain_order=True).agg(
        **counts, true_in_test=true, hyponyms=pl.col("hyponym").n_unique()
    )


def overlap(built: Items, released: Items) -> pl.DataFrame:
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


def omissions(resources: Collection[str], takers: Iterable[str] = ()) -> pl.DataFrame:
    """Return the parts of the paper that this run leaves out, and why: what, reason.

    `resources`: the optional ones. `takers`: the agents that take people's task.

    >>> omissions(["systematicity", "static_vectors", "corpus"]).is_empty()
    True
    """
    reasons = {
        "corpus": (
            "Pattern matching (section 3.4)",
            "It asks which pairs Wikipedia holds as “[hyponym] is a [hypernym]”, and so it needs a corpus: give its text as "
            "resources.corpus.",
        ),
        "systematicity": (
            "LM Diagnostic, the released sentences and splits",
            "The authors' data are not configured (resources.systematicity). Items from WordNet have no sentences, so that "
            "there is no contextual and no aggregate accuracy, and the classifier's pairs stand in carrier sentences.",
        ),
        "static_vectors": ("Static vectors", "None are configured (resources.static_vectors)."),
    }
    if RESOURCE in resources:
        reasons["systematicity"] = (
            reasons["systematicity"][0],
            f"Own hyponyms (resources.{RESOURCE}) take their place.",
        )
        resources = [name for name in resources if name != "systematicity"]
    rows = [reason for name, reason in reasons.items() if name not in resources]
    rows += [
        (f"Open answers, scores of sentences, log-probabilities and classifiers of {name}", CHOOSES) for name in takers
    ]
    return pl.DataFrame(rows, schema={"what": pl.String(), "reason": pl.String()}, orient="row")
