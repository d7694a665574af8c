"""What the study asks: probes of the items for models that score."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import Format, read_yaml
from relprobe.core.manifest import only_file
from relprobe.lm.requests import SLOT, Continuation, SlotProbe, SpanResponse, SpanText, Variant
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.sources.systematicity import Released
from relprobe.studies.examples import Example, before_probe
from relprobe.studies.systematicity import data
from relprobe.studies.systematicity.data import (
    Categories,
    Choice,
    article,
    built_items,
    capitalise,
    check_categories,
    check_hyponyms,
    flat,
    hyponyms_of,
    own_items,
    plural,
)
from relprobe.studies.systematicity.schemas import (
    PROBES,
    Contexts,
    Items,
    Probes,
)

# The prompts of the singular and the plural: their file, and items put into them.


NUMBERS = ("singular", "plural")
WORD, DETERMINER = "[W]", "[DET]"
PAPER = "paper"
"""The id of the paper's prompt. Released items have their own sentences for it."""
KEYS = {"id", "text", "capital"}
ID = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True)
class Prompt:
    """A sentence with one [W], the hyponym, and one [V], the slot; [DET] before either is the indefinite article.

    `capital`: whether the sentence begins with a capital letter whatever its first word is.
    """

    id: str
    text: str
    capital: bool = False

    def fill(self, hyponym: str, category: str) -> str:
        """Return the sentence about a hyponym. The article before the slot is that of the category.

        >>> Prompt("paper", "[DET] [W] is [DET] [V].", capital=True).fill("wasp", "insect")
        'A wasp is an [V].'
        """
        text = self.text.replace(f"{DETERMINER} {WORD}", f"{article(hyponym)} {WORD}")
        text = text.replace(f"{DETERMINER} {SLOT}", f"{article(category)} {SLOT}").replace(WORD, hyponym)
        return capitalise(text) if self.capital else text


def read(path: Path, wordings: int | None = None) -> dict[str, list[Prompt]]:
    """Read the prompts of each number, at most the first `wordings` of each.

    DataError: the file lacks a number, two prompts of a number have the same id, or a prompt has another form.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print("{singular: [{id: all, text: 'Every [W] is [DET] [V].'}], plural: [{id: all, text: 'All [W] are [V].'}]}",
    ...           file=file, flush=True)
    ...     read(Path(file.name))["plural"]
    [Prompt(id='all', text='All [W] are [V].', capital=False)]
    """
    content = read_yaml(path)
    if not isinstance(content, dict) or set(content) != set(NUMBERS):
        raise DataError(f"{path} must have the two sections singular and plural.")
    return {number: _number_probes(path, number, content[number])[:wordings] for number in NUMBERS}


Prompts = Annotated[Mapping[str, Sequence[Prompt]], Format(read)]
"""Number -> its prompts; the first one is that of the main results."""


def _number_probes(path: Path, number: str, entries: Any) -> list[Prompt]:
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{path}: {number} must be a list of prompts.")
    prompts = [_prompt(path, number, entry) for entry in entries]
    ids = [prompt.id for prompt in prompts]
    if twice := [name for name in ids if ids.count(name) > 1]:
        raise DataError(f"{path}: two prompts of {number} have the id {twice[0]!r}: rename one.")
    return prompts


def _prompt(path: Path, number: str, entry: Any) -> Prompt:
    where = f"{path}: the prompt {entry!r} of {number}"
    if not isinstance(entry, dict) or not {"id", "text"} <= set(entry) <= KEYS:
        raise DataError(f"{where} must have an id and a text, and may have `capital`.")
    name, text, capital = entry["id"], entry["text"], entry.get("capital", False)
    if not isinstance(name, str) or not ID.fullmatch(name) or not isinstance(capital, bool):
        raise DataError(f"{where} must have an id of lower-case letters, digits and -, and `capital` true or false.")
    if not isinstance(text, str) or text.count(WORD) != 1 or text.count(SLOT) != 1:
        raise DataError(f"{where} must have a text with one {WORD} and one {SLOT}.")
    if text.index(WORD) > text.index(SLOT):
        raise DataError(f"{where} has its slot before the hyponym, where a causal model cannot know it: turn it round.")
    if DETERMINER in text.replace(f"{DETERMINER} {WORD}", "").replace(f"{DETERMINER} {SLOT}", ""):
        raise DataError(f"{where} has a {DETERMINER} that does not stand before {WORD} or {SLOT}.")
    return Prompt(name, text, capital)


# The tables of probes and contexts, and their rows as requests to the engine: all that scoring knows of the study.


OPEN_KINDS = ("singular", "control_singular")
"""The kinds of main probes that are answered from the whole vocabulary, too (Table 2)."""
OF_ONE = "="
"""What stands between the id of a probe and a candidate in the id of a request about this candidate alone."""

SCORES_FILE = pa.schema(
    [
        ("probe_id", pa.large_string()),
        ("method", pa.large_string()),
        ("words", pa.large_list(pa.large_string())),
        ("scores", pa.large_list(pa.float32())),
        ("tokens", pa.large_list(pa.uint16())),
        ("unknown", pa.large_list(pa.large_string())),
    ]
)
EMBEDDINGS_FILE = pa.schema([("context", pa.uint32()), ("vector", pa.large_list(pa.float32()))])
VECTORS_FILE = pa.schema([EMBEDDINGS_FILE.field("vector")])
"""What is stored of an answer: a context's number changes when a word is added before it."""


def requests(
    probes: Probes, both_sides: bool, shots: int = 0, examples: Sequence[Example] = ()
) -> Iterator[SlotProbe | Continuation]:
    """Yield the requests of all probes to a model. The id of a request is METHOD:PROBE_ID; there are three methods.

    - open: the model answers with words of its whole vocabulary. Only main probes of the kinds in OPEN have this request.
    - slot: the model scores each candidate at the slot. A masked model reads the text on both sides of it, a causal model
      the text before it.
    - sentence: a causal model scores each candidate together with the text after the slot, if there is any. This is the
      log-probability of the full sentence less that of the text before the slot, which is the same for all candidates. Of
      the prompts of a number, only the main one has this request.

    A probe with a text per candidate has a request per candidate; its id ends in =CANDIDATE. The score by the sentence is
    then that of all that differs: it begins at the first word in which the texts differ.

    `shots`: how many of the `examples` stand before a probe; none names its hyponym or a candidate. DataError: there are
    fewer.

    >>> about = {"probe_id": "s:singular:robin", "set": "s", "kind": "singular", "prompt": "paper", "main": True}
    >>> row = {**about, "hyponym": "robin", "word": "robin", "text": "A robin is a [V].", "candidates": ["bird", "fish"]}
    >>> probes = pl.DataFrame([{**row, "texts": []}], schema=PROBES)
    >>> [request.id for request in requests(probes, both_sides=True)]
    ['open:s:singular:robin', 'slot:s:singular:robin']
    >>> [request.id for request in requests(probes, both_sides=False)]
    ['open:s:singular:robin', 'slot:s:singular:robin', 'sentence:s:singular:robin']
    """
    for row in probes.iter_rows(named=True):
        probe_id, kind, words = row["probe_id"], row["kind"], row["candidates"]
        taboo = {*words, row["hyponym"], row["word"]}
        before = _examples_before(examples, shots, probe_id, kind, taboo) if shots else ""
        whole = row["main"] or kind == "contextual"
        if row["texts"]:
            yield from _one_by_one(probe_id, [before + text for text in row["texts"]], words, both_sides)
            continue
        text = before + row["text"]
        rest = text.partition(SLOT)[2]
        if row["main"] and kind in OPEN_KINDS:
            yield SlotProbe(f"open:{probe_id}", (Variant(_asked(text, both_sides)),))
        yield Continuation(f"slot:{probe_id}", _asked(text, both_sides), tuple(words))
        if not both_sides and rest and whole:
            yield Continuation(f"sentence:{probe_id}", _asked(text, both_sides), tuple(word + rest for word in words))


def _asked(text: str, both_sides: bool) -> str:
    """Return what a model reads of a text with a slot: all of it, or what stands before the slot."""
    return text if both_sides else text.partition(SLOT)[0] + SLOT


def _one_by_one(probe_id: str, texts: Sequence[str], words: Sequence[str], both_sides: bool) -> Iterator[Continuation]:
    """Yield the requests of a probe with a text per candidate.

    >>> texts = ["The [V] of the bird", "The [V] of the fish"]
    >>> [(one.text, one.candidates) for one in _one_by_one("s", texts, ["bird", "fish"], both_sides=False)][:2]
    [('The [V]', ('bird',)), ('The [V]', ('bird of the bird',))]
    """
    whole = [text.replace(SLOT, word) for text, word in zip(texts, words, strict=True)]
    common = os.path.commonprefix(whole)  # noqa: RUF071 (of texts, and no paths)
    left = common[: common.rfind(" ") + 1]
    for text, sentence, word in zip(texts, whole, words, strict=True):
        name = f"{probe_id}{OF_ONE}{word}"
        yield Continuation(f"slot:{name}", _asked(text, both_sides), (word,))
        differing = sentence.removeprefix(left)
        if not both_sides and differing != word:
            yield Continuation(f"sentence:{name}", left + SLOT, (differing,))


def _examples_before(examples: Sequence[Example], shots: int, probe_id: str, kind: str, taboo: set[str]) -> str:
    """Return the examples before a probe: those that name no word of `taboo`, in the wording of the probe's kind."""
    fitting = [example for example in examples if taboo.isdisjoint(" ".join(example).split())]
    return before_probe(fitting, lambda example: solve(kind, example), shots, kind, probe_id, set())


def solve(kind: str, example: Example) -> str:
    """Return an example in the wording of a kind of probes; that of contextual ones is the singular's.

    >>> violin = ("a violin", "an instrument", "violins", "instruments")
    >>> [solve(kind, violin) for kind in ("singular", "plural", "control_singular")]
    ['A violin is an instrument.', 'violins are instruments.', 'violin instrument']
    """
    one, category, several, categories = example
    if kind == "plural":
        return f"{several} are {categories}."
    if kind == "control_plural":
        return f"{several} {categories}"
    if kind == "control_singular":
        return " ".join(phrase.split(" ", 1)[-1] for phrase in (one, category))
    return f"{one[0].upper()}{one[1:]} is {category}."


def context_requests(contexts: Contexts) -> Iterator[SpanText]:
    """Yield a request per context: its text, and the span of its word."""
    for number, text, start, stop in contexts.select("context", "text", "start", "stop").iter_rows():
        yield SpanText(str(number), text, ((start, stop),))


def vectors_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (VECTORS_FILE)."""
    if not responses:
        return VECTORS_FILE.empty_table()
    vectors = np.concatenate([response.vectors for response in responses])  # (contexts, width)
    offsets = np.arange(len(responses) + 1, dtype=np.int64) * vectors.shape[1]
    return pa.table([pa.LargeListArray.from_arrays(offsets, vectors.ravel())], VECTORS_FILE)


def embeddings_table(vectors: pa.Table, requests: Sequence[SpanText]) -> pa.Table:
    """Return the vectors (VECTORS_FILE) with the numbers of their contexts (EMBEDDINGS)."""
    numbers = pa.array([int(request.id) for request in requests], pa.uint32())
    return pa.table([numbers, vectors["vector"]], EMBEDDINGS_FILE)


def place(request: SpanText) -> str:
    """Return what tells a context from others whatever its number is: its text, and where its word is.

    >>> place(SpanText("17", "a robin sings", ((2, 7),)))
    "('a robin sings', ((2, 7),))"
    """
    return repr((request.text, request.spans))


# The probes, and the items that they are made of (sections 2.1 and 3).


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
        for probe in [
            *_number_prompts(row, asking.prompts),
            *_contextual(row, several, asking.contextual),
            *_controls(row),
        ]
    ]
    for row in rows:
        is_plural = row["kind"].endswith("plural")
        row["candidates"] = list(several.values() if is_plural else several)
        row["probe_id"] = ":".join(filter(None, [row["set"], row["kind"], row["hyponym"], row.pop("suffix", "")]))
    return pl.DataFrame(rows, schema=PROBES)


def _number_prompts(row: Mapping[str, Any], prompts: Prompts) -> Iterator[dict[str, Any]]:
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
    text = data.mended_sentence(*words, row["category"])
    texts = data.candidate_texts(text, *words[1:], several)
    readings = {
        "mended": {"text": text, "texts": texts},
        "released": {"text": data.released_sentence(*words), "texts": []},
    }
    (other,) = (name for name in READINGS if name != main)
    about = {"kind": "contextual", "word": row["hyponym"]}
    yield about | {"prompt": main} | readings[main]
    if readings[other] != readings[main]:
        yield about | {"prompt": other, "main": False, "suffix": other} | readings[other]


def _controls(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, word in (("singular", row["hyponym"]), ("plural", row["hyponym_plural"])):
        yield {"kind": f"control_{number}", "word": word, "text": f"{word} {SLOT}"}
