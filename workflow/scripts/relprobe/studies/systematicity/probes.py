"""Items (hyponyms with their prompts) and the probes that are made of them (sections 2.1 and 3)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.lm.requests import SLOT
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.categories import Categories, flat
from relprobe.studies.systematicity.requests import PROBES

if TYPE_CHECKING:
    import inflect

BUILT = "wordnet"
"""The set of items that is built from WordNet."""


def built_items(hyponyms: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Return the items (ITEMS) of category -> hyponyms, worded as the released ones; they have no contextual sentence.

    The article before the slot is that of the category, as in the paper, so that "an" gives an insect away. A hyponym of
    two categories has no single answer and gets no item.

    >>> built_items({"insect": ["wasp"]}).select("singular", "plural").row(0)
    ('A wasp is an [V].', 'wasps are [V].')
    """
    pairs = [(hyponym, category) for category, words in hyponyms.items() for hyponym in words]
    table = pl.DataFrame(pairs, schema=["hyponym", "category"], orient="row").filter(pl.len().over("hyponym") == 1)
    rows = []
    for hyponym, category in table.iter_rows():
        start = with_article(hyponym)
        singular = f"{start[0].upper()}{start[1:]} is {with_article(category).split()[0]} {SLOT}."
        several = plural(hyponym)
        rows.append((BUILT, hyponym, category, several, plural(category), singular, f"{several} are {SLOT}.", None))
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def check_categories(items: pl.DataFrame, categories: Categories) -> pl.DataFrame:
    """Return the items. DataError: the configuration lacks the category of an item, or an item has another plural of it."""
    plurals = {category: plural(category) for category in flat(categories)}
    for hyponym, category, category_plural in items.select("hyponym", "category", "category_plural").iter_rows():
        if category not in plurals:
            raise DataError(
                f"the released item {hyponym!r} is of the category {category!r}, which systematicity.categories of the "
                "config lacks: add it."
            )
        if category_plural != plurals[category]:
            raise DataError(
                f"the released item {hyponym!r} has {category_plural!r} as the plural of its category {category!r}, which "
                f"is {plurals[category]!r} here: correct plural.tsv."
            )
    return items


def probes(items: pl.DataFrame, categories: Categories) -> pl.DataFrame:
    """Return the probes of the items (PROBES): the three diagnostics, and two controls, which express no relation.

    A control is the hyponym and the slot alone ("robin [V]"; section 3.2). The candidates of plural probes are the
    categories in the plural, those of other probes the categories in the singular (section 3.1). ConfigError: two
    categories have the same plural.
    """
    one = flat(categories)
    several = [plural(word) for word in one]
    if len(set(several)) < len(several):
        raise ConfigError("config: two of systematicity.categories have the same plural: leave one out.")
    rows = []
    for row in items.iter_rows(named=True):
        texts = {
            "singular": row["singular"],
            "plural": row["plural"],
            "contextual": row["contextual"],
            "control_singular": f"{row['hyponym']} {SLOT}",
            "control_plural": f"{row['hyponym_plural']} {SLOT}",
        }
        for kind, text in texts.items():
            if text is not None:
                word, candidates = (
                    (row["hyponym_plural"], several) if kind.endswith("plural") else (row["hyponym"], one)
                )
                probe_id = f"{row['set']}:{kind}:{row['hyponym']}"
                rows.append((probe_id, row["set"], kind, row["hyponym"], word, text, candidates))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


@cache
def _engine() -> "inflect.engine":
    import inflect

    return inflect.engine()


def plural(word: str) -> str:
    """Return the plural of a noun.

    >>> plural("fly")
    'flies'
    """
    return cast(str, _engine().plural_noun(word))


def with_article(word: str) -> str:
    """Return a word after its indefinite article.

    >>> with_article("hour")
    'an hour'
    """
    return cast(str, _engine().a(word))
