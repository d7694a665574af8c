"""What the methods of a manuscript say of the systematicity study."""

from collections.abc import Iterator

import polars as pl

from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run, plain

SETS = {
    "diagnostic": "the released diagnostics [@ravichander2020]",
    "extended": "the released extended diagnostics [@ravichander2020]",
    "wordnet": "WordNet [@miller1995]",
    "own": "our own list",
}
"""Set of items -> where they are from."""
METRICS = {
    "open@1": "open@1 and open@5 (the category is among the first answers of the whole vocabulary)",
    "singular": "singular (the likeliest category at the slot is the right one)",
    "plural": "plural (the same in the plural)",
    "contextual": "contextual (the same in a sentence of a text)",
    "singular_plural": "singular and plural at once (both are right)",
    "aggregate": "all three at once (all are right)",
    "detection": "detection (a classifier says rightly whether a pair of words is hyponym and hypernym; section 4)",
}


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what was left out, what counts as right, and which metrics by which sections."""
    yield (
        "The study of systematicity follows [@ravichander2020]: agents complete sentences with the category of a hyponym, "
        "in the singular and in the plural."
    )
    totals = run.tables["diagnostics"].filter(pl.col("category").is_null())
    for set_name, singular, plural, contextual in totals.select("set", "singular", "plural", "contextual").iter_rows():
        set_categories = run.tables["diagnostics"].filter(pl.col("category").is_not_null(), set=set_name)
        kinds = [f"{number:,} {kind}" for kind, number in (("singular", singular), ("plural", plural)) if number]
        kinds += [f"{contextual:,} contextual"] if contextual else []
        categories = amount(set_categories.height, "category", "categories")
        yield f"The hyponyms are from {SETS[set_name]}: {enumeration(kinds)} probes about {categories}."
    yield f"Each number has up to {amount(run.section['wordings'], 'wording')}; the averages count the main one."
    for what, reason in run.tables["left_out"].select("what", "reason").iter_rows():
        yield f"Left out is {plain(what)}: {plain(reason)}"
    if "detection" in run.metrics:
        folds, training = run.tables["parts"]["fold"].n_unique(), run.section["training"]
        yield (
            f"Detection has {amount(folds, 'fold')} and {amount(training['seeds'], 'seed')} of the classifier, "
            f"from {training['seed']} on."
        )
    yield f"Splits are drawn with seed {run.section['seed']}."
    yield "Words of equal score count by their mean over all orders."
    present = [text for name, text in METRICS.items() if name in run.metrics]
    yield f"The metrics (section 3 of [@ravichander2020]) are {enumeration(present)}."
