"""The tables of probes and contexts, and their rows as requests to the engine: all that scoring knows of the study."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.lm.requests import SLOT, Continuation, SlotProbe, SpanResponse, SpanText, Variant
from relprobe.studies.examples import Example, before_probe

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # set:kind:hyponym
        "set": pl.String(),
        "kind": pl.String(),  # singular, plural, contextual, control_singular, control_plural
        "hyponym": pl.String(),
        "word": pl.String(),  # the hyponym in the number that the text has it in
        "text": pl.String(),  # with one slot [V]
        "candidates": pl.List(pl.String()),  # the categories, in the number that the text asks for
    }
)
CONTEXTS = pl.Schema(
    {
        "context": pl.UInt32(),
        "word": pl.String(),
        "text": pl.String(),
        "start": pl.UInt32(),  # of the word, in characters
        "stop": pl.UInt32(),
    }
)
OPEN = ("singular", "control_singular")
"""The kinds of probes that are answered from the whole vocabulary, too (Table 2)."""

SCORES = pl.Schema(
    {
        "probe_id": pl.String(),
        "method": pl.String(),  # open: the first words of the vocabulary; slot, sentence: all candidates, in their order
        "words": pl.List(pl.String()),  # open: best first; a token that starts no word stands as "##token"
        "scores": pl.List(pl.Float32()),  # natural-log probabilities; cosines of static vectors
        "tokens": pl.List(pl.UInt16()),  # slot, sentence: of each candidate's sum
        "unknown": pl.List(pl.String()),  # open: candidates that are no word of the vocabulary
    }
)
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
EMBEDDINGS = pl.Schema({"context": pl.UInt32(), "vector": pl.List(pl.Float32())})
EMBEDDINGS_FILE = pa.schema([("context", pa.uint32()), ("vector", pa.large_list(pa.float32()))])


def requests(
    probes: pl.DataFrame, masked: bool, shots: int = 0, examples: Sequence[Example] = ()
) -> Iterator[SlotProbe | Continuation]:
    """Yield the requests of all probes to a model. The id of a request is METHOD:PROBE_ID; there are three methods.

    - open: the model answers with words of its whole vocabulary. Only the kinds in OPEN have this request.
    - slot: the model scores each candidate at the slot. A masked model has this request for every probe. A causal model
      reads the text before the slot, so it has this request where nothing follows the slot, or nothing but a period.
    - sentence: a causal model scores each candidate together with the text after the slot. This is the log-probability of
      the full sentence less that of the text before the slot, which is the same for all candidates.

    `shots`: how many of the `examples` stand before a probe; none names its hyponym or a candidate. DataError: there are
    fewer.

    >>> row = ("s:singular:robin", "s", "singular", "robin", "robin", "A robin is a [V].", ["bird", "fish"])
    >>> probes = pl.DataFrame([row], schema=PROBES, orient="row")
    >>> [request.id for request in requests(probes, masked=True)]
    ['open:s:singular:robin', 'slot:s:singular:robin']
    >>> [request.id for request in requests(probes, masked=False)]
    ['open:s:singular:robin', 'slot:s:singular:robin', 'sentence:s:singular:robin']
    """
    columns = ["probe_id", "kind", "text", "candidates", "hyponym", "word"]
    for probe_id, kind, text, words, *own in probes.select(columns).iter_rows():
        before = _before(examples, shots, probe_id, kind, {*words, *own}) if shots else ""
        left, _, rest = text.partition(SLOT)
        prompt = before + (text if masked else left + SLOT)
        if kind in OPEN:
            yield SlotProbe(f"open:{probe_id}", (Variant(prompt),))
        if masked or kind != "contextual" or not rest:
            yield Continuation(f"slot:{probe_id}", prompt, tuple(words))
        if not masked and rest:
            yield Continuation(f"sentence:{probe_id}", prompt, tuple(word + rest for word in words))


def _before(examples: Sequence[Example], shots: int, probe_id: str, kind: str, taboo: set[str]) -> str:
    """Return the examples before a probe: those that name no word of `taboo`, in the wording of the probe's kind."""
    fitting = [example for example in examples if taboo.isdisjoint(" ".join(example).split())]
    return before_probe(fitting, lambda example: solved(kind, example), shots, kind, probe_id, set())


def solved(kind: str, example: Example) -> str:
    """Return an example in the wording of a kind of probes; that of contextual ones is the singular's.

    >>> violin = ("a violin", "an instrument", "violins", "instruments")
    >>> [solved(kind, violin) for kind in ("singular", "plural", "control_singular")]
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


def context_requests(contexts: pl.DataFrame) -> Iterator[SpanText]:
    """Yield a request per context (CONTEXTS): its text, and the span of its word."""
    for number, text, start, stop in contexts.select("context", "text", "start", "stop").iter_rows():
        yield SpanText(str(number), text, ((start, stop),))


def embeddings_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (EMBEDDINGS)."""
    if not responses:
        return EMBEDDINGS_FILE.empty_table()
    vectors = np.concatenate([response.vectors for response in responses])  # (contexts, width)
    offsets = np.arange(len(responses) + 1, dtype=np.int64) * vectors.shape[1]
    numbers = pa.array([int(response.id) for response in responses], pa.uint32())
    return pa.table([numbers, pa.LargeListArray.from_arrays(offsets, vectors.ravel())], EMBEDDINGS_FILE)
