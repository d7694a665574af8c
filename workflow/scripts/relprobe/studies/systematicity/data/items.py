"""Items: hyponyms of WordNet, of the authors' data or of a user, with their categories and plurals (section 2.1)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.sources.own.hyponyms import Hyponym
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.data.categories import Categories, flat
from relprobe.studies.systematicity.data.words import Plurals, plural
from relprobe.studies.systematicity.schemas import Items

BUILT = "wordnet"
"""The set of items that is built from WordNet."""
OWN = "own"
"""The set of a user's own items."""


def built_items(hyponyms: Mapping[str, Sequence[str]], plurals: Plurals = {}) -> Items:  # noqa: B006
    """Return the items of category -> hyponyms; they have no sentence, and no prompt of their own.

    A hyponym of two categories has no single answer and gets no item.

    >>> built_items({"insect": ["wasp"]}).select("hyponym_plural", "category_plural").row(0)
    ('wasps', 'insects')
    """
    pairs = [(hyponym, category) for category, words in hyponyms.items() for hyponym in words]
    table = pl.DataFrame(pairs, schema=["hyponym", "category"], orient="row").filter(pl.len().over("hyponym") == 1)
    rows = [
        (BUILT, word, category, plural(word, plurals), plural(category, plurals), None, None, None)
        for word, category in table.iter_rows()
    ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def own_items(
    hyponyms: Sequence[Hyponym],
    categories: Categories,
    path: Path,
    plurals: Plurals = {},  # noqa: B006
) -> Items:
    """Return the items of a user's own hyponyms; `path` is their file.

    DataError, which names the line: a category is not in the configuration, or its plural is that of the hyponym.
    """
    known = flat(categories)
    rows = []
    for one in hyponyms:
        if one.category not in known:
            raise DataError(
                f"{path}, line {one.line}: the category {one.category!r} is not in systematicity.categories of the config: "
                "add it there."
            )
        several = one.plural or plural(one.word, plurals)
        about = (OWN, one.word, one.category, several, plural(one.category, plurals))
        rows.append((*about, None, None, one.sentence or None))
    if missing := [category for category in known if category not in {one.category for one in hyponyms}]:
        raise DataError(
            f"{path} has no hyponym of the category {missing[0]!r}: add some, or take it out of the config."
        )
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def check_categories(items: Items, categories: Categories, plurals: Plurals = {}) -> Items:  # noqa: B006
    """Return the items. DataError: the configuration lacks the category of an item, or an item has another plural of it."""
    of_category = {category: plural(category, plurals) for category in flat(categories)}
    for hyponym, category, category_plural in items.select("hyponym", "category", "category_plural").iter_rows():
        if category not in of_category:
            raise DataError(
                f"the released item {hyponym!r} is of the category {category!r}, which systematicity.categories of the "
                "config lacks: add it."
            )
        if category_plural != of_category[category]:
            raise DataError(
                f"the released item {hyponym!r} has {category_plural!r} as the plural of its category {category!r}, which "
                f"is {of_category[category]!r} here: correct plural.tsv, or systematicity.plurals of the config."
            )
    return items
