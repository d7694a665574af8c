"""Items (hyponyms with their prompts) and the probes that are made of them (sections 2.1 and 3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.lm.requests import SLOT
from relprobe.sources.own.hyponyms import Hyponym
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.ask.prompts import NUMBERS, PAPER, Prompt, Prompts
from relprobe.studies.systematicity.ask.requests import PROBES
from relprobe.studies.systematicity.data import sentences
from relprobe.studies.systematicity.data.categories import Categories, flat
from relprobe.studies.systematicity.data.words import Plurals, plural

BUILT = "wordnet"
"""The set of items that is built from WordNet."""
OWN = "own"
"""The set of a user's own items."""
Reading = Literal["mended", "released"]
"""How the hyponym of a sentence gives way to the slot: `sentences.mended`, everywhere, or `sentences.released`, once."""
READINGS: tuple[Reading, Reading] = ("mended", "released")


@dataclass(frozen=True)
class Asking:
    """How items are asked: the prompts of each number, how sentences are read, and irregular plurals."""

    prompts: Prompts
    contextual: Reading = "mended"
    plurals: Plurals = field(default_factory=dict)


def built_items(hyponyms: Mapping[str, Sequence[str]], plurals: Plurals = {}) -> pl.DataFrame:  # noqa: B006
    """Return the items (ITEMS) of category -> hyponyms; they have no sentence, and no prompt of their own.

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
) -> pl.DataFrame:
    """Return the items (ITEMS) of a user's own hyponyms; `path` is their file.

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


def check_categories(items: pl.DataFrame, categories: Categories, plurals: Plurals = {}) -> pl.DataFrame:  # noqa: B006
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


def probes(items: pl.DataFrame, categories: Categories, asking: Asking) -> pl.DataFrame:
    """Return the probes of the items (PROBES): the three diagnostics, and two controls, which express no relation.

    The first prompt of a number makes its main probes; the others are asked beside them. So is a sentence in its other
    reading, if that differs. A control is the hyponym and the slot alone ("robin [V]"; section 3.2). The candidates of
    plural probes are the categories in the plural, those of other probes the categories in the singular (section 3.1).
    ConfigError: two categories have the same plural.
    """
    several = {word: plural(word, asking.plurals) for word in flat(categories)}
    if len(set(several.values())) < len(several):
        raise ConfigError("config: two of systematicity.categories have the same plural: leave one out.")
    rows = [
        {"set": row["set"], "hyponym": row["hyponym"], "prompt": "", "main": True, "texts": []} | probe
        for row in items.iter_rows(named=True)
        for probe in [*_of_numbers(row, asking.prompts), *_contextual(row, several, asking.contextual), *_controls(row)]
    ]
    for row in rows:
        is_plural = row["kind"].endswith("plural")
        row["candidates"] = list(several.values() if is_plural else several)
        row["probe_id"] = ":".join(filter(None, [row["set"], row["kind"], row["hyponym"], row.pop("suffix", "")]))
    return pl.DataFrame(rows, schema=PROBES)


def _of_numbers(row: Mapping[str, Any], prompts: Prompts) -> Iterator[dict[str, Any]]:
    """Yield the probes of the singular and the plural, a prompt each."""
    words = {"singular": row["hyponym"], "plural": row["hyponym_plural"]}
    gold = {"singular": row["category"], "plural": row["category_plural"]}
    for number in NUMBERS:
        for place, prompt in enumerate(prompts[number]):
            text = _text(row, number, prompt, words[number], gold[number])
            about = {"kind": number, "prompt": prompt.id, "main": place == 0, "word": words[number], "text": text}
            yield about if place == 0 else {**about, "suffix": prompt.id}


def _text(row: Mapping[str, Any], number: str, prompt: Prompt, word: str, category: str) -> str:
    own: str | None = row[number]
    return own if own is not None and prompt.id == PAPER else prompt.fill(word, category)


def _contextual(row: Mapping[str, Any], several: Mapping[str, str], main: Reading) -> Iterator[dict[str, Any]]:
    """Yield the probe of the sentence in the reading `main` and, if it differs, in the other one."""
    if row["sentence"] is None:
        return
    words = row["sentence"], row["hyponym"], row["hyponym_plural"]
    text = sentences.mended(*words, row["category"])
    texts = sentences.of_candidates(text, *words[1:], several)
    readings = {"mended": {"text": text, "texts": texts}, "released": {"text": sentences.released(*words), "texts": []}}
    (other,) = (name for name in READINGS if name != main)
    about = {"kind": "contextual", "word": row["hyponym"]}
    yield about | {"prompt": main} | readings[main]
    if readings[other] != readings[main]:
        yield about | {"prompt": other, "main": False, "suffix": other} | readings[other]


def _controls(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, word in (("singular", row["hyponym"]), ("plural", row["hyponym_plural"])):
        yield {"kind": f"control_{number}", "word": word, "text": f"{word} {SLOT}"}
