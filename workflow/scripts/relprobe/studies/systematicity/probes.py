"""The items of a run, of one of their sources, and their probes: the step `probes`."""

from pathlib import Path
from typing import NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.manifest import only_file
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.sources.systematicity import Released
from relprobe.studies.systematicity.hyponyms import (
    Choice,
    built_items,
    check_categories,
    check_hyponyms,
    hyponyms_of,
    own_items,
)
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.schemas import Items, Probes


class ProbeTables(NamedTuple):
    """The items, and the probes that are made of them."""

    item_table: Items
    probes: Probes


def probe_tables(
    asking: Asking,
    choice: Choice,
    wordnet: WordNet | None = None,
    released: Released | None = None,
    user_items: Path | None = None,
    *,
    categories: dict[str, list[str]],
) -> ProbeTables:
    """Make the items and their probes: items of a user, or else of the authors' data, or else of WordNet (section 2.1).

    `categories`: superordinate category -> categories. `choice`: which hyponyms of WordNet are taken. `user_items`: the
    manifest of a user's file. DataError: there are no data of any kind.
    """
    if user_items is not None:
        path = only_file(user_items)
        items = own_items(own_hyponyms.read(path), categories, path, asking.plurals)
    elif released is not None:
        items = check_categories(released, categories, asking.plurals)
    elif wordnet is not None:
        hyponyms = hyponyms_of(wordnet, categories, choice)
        items = built_items(hyponyms, asking.plurals)
        check_hyponyms(hyponyms, items)
    else:
        raise DataError("there are no data for the items: give one of wordnet, released and own.")
    return ProbeTables(items, probes(items, categories, asking))
