"""The probes, and the items that they are made of (sections 2.1 and 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.manifest import only_file
from relprobe.lm.requests import SLOT
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.sources.systematicity import Released
from relprobe.studies.systematicity.ask.prompts import NUMBERS, PAPER, Prompt, Prompts
from relprobe.studies.systematicity.data import sentences
from relprobe.studies.systematicity.data.categories import Categories, flat
from relprobe.studies.systematicity.data.hyponyms import Choice, check_hyponyms, hyponyms_of
from relprobe.studies.systematicity.data.items import built_items, check_categories, own_items
from relprobe.studies.systematicity.data.words import plural
from relprobe.studies.systematicity.schemas import PROBES, Items, Probes

Reading = Literal["mended", "released"]
"""How the hyponym of a sentence gives way to the slot: `sentences.mended_sentence`, everywhere, or
`sentences.released_sentence`, once."""
READINGS: tuple[Reading, Reading] = ("mended", "released")


@dataclass(frozen=True)
class Asking:
    """How items are asked: the prompts of each number, how sentences are read, and irregular plurals (word -> plural)."""

    prompts: Prompts
    contextual: Reading = "mended"
    plurals: dict[str, str] = field(default_factory=dict)


class ProbeTables(NamedTuple):
    """The items, and the probes that are made of them."""

    item_table: Items
    probes: Probes


def probe_tables(
    asking: Asking,
    choice: Choice,
    wordnet: WordNet | None = None,
    released: Released | None = None,
    own: Path | None = None,
    *,
    categories: dict[str, list[str]],
) -> ProbeTables:
    """Make the items and their probes: items of a user, or else of the authors' data, or else of WordNet (section 2.1).

    `categories`: superordinate category -> categories. `choice`: which hyponyms of WordNet are taken. `own`: the manifest of
    a user's file. DataError: there are no data of any kind.
    """
    if own is not None:
        path = only_file(own)
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


def probes(items: Items, categories: Categories, asking: Asking) -> Probes:
    """Return the probes of the items: the three diagnostics, and two controls, which express no relation.

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
    text = sentences.mended_sentence(*words, row["category"])
    texts = sentences.of_candidates(text, *words[1:], several)
    readings = {
        "mended": {"text": text, "texts": texts},
        "released": {"text": sentences.released_sentence(*words), "texts": []},
    }
    (other,) = (name for name in READINGS if name != main)
    about = {"kind": "contextual", "word": row["hyponym"]}
    yield about | {"prompt": main} | readings[main]
    if readings[other] != readings[main]:
        yield about | {"prompt": other, "main": False, "suffix": other} | readings[other]


def _controls(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, word in (("singular", row["hyponym"]), ("plural", row["hyponym_plural"])):
        yield {"kind": f"control_{number}", "word": word, "text": f"{word} {SLOT}"}
