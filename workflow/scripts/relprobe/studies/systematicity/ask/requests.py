"""The tables of probes and contexts, and their rows as requests to the engine: all that scoring knows of the study."""

import os
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import SLOT, Continuation, SlotProbe, SpanResponse, SpanText, Variant
from relprobe.studies.examples import Example, before_probe
from relprobe.studies.systematicity.schemas import (
    Contexts,
    Probes,
)

OPEN = ("singular", "control_singular")
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
        before = _before(examples, shots, probe_id, kind, taboo) if shots else ""
        whole = row["main"] or kind == "contextual"
        if row["texts"]:
            yield from _one_by_one(probe_id, [before + text for text in row["texts"]], words, both_sides)
            continue
        text = before + row["text"]
        rest = text.partition(SLOT)[2]
        if row["main"] and kind in OPEN:
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


def _before(examples: Sequence[Example], shots: int, probe_id: str, kind: str, taboo: set[str]) -> str:
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
