"""What a network answers: its scores of the probes, its words after each layer, and the words that it writes."""

from __future__ import annotations

import functools
import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.lm.chat_models.here import in_words
from relprobe.lm.chat_models.here import writing as write_tasks
from relprobe.lm.maps.file import MAPPED, UNTRAINED, VARIANTS, LayerMaps
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.closed_lists import slot_candidates, unspellable
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.primitives.writing import Task, WrittenAnswers
from relprobe.lm.requests import ClosedProbe, LayersResponse, SlotProbe
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.score_files.store import digest_of
from relprobe.lm.score_files.words import candidate_table, word_table
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.chat import PROBE
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.lm.words.thoughts import without_thoughts
from relprobe.lm.words.unknown import keep_known
from relprobe.sources.language import Language, LanguageFile
from relprobe.stats.schemas import RAW
from relprobe.studies.relations import probes as ask
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.probes import (
    Prefixes,
    Premises,
    answerable,
    closed_probes,
    draw_requests,
    in_all_words,
    in_list_order,
    in_prompts,
    lists_of,
    predictable,
    readable,
    weigh,
)
from relprobe.studies.relations.probes import sample as sampled
from relprobe.studies.relations.replies import TOKENS, list_reader, unfinished_texts
from relprobe.studies.relations.schemas import WRITING, Probes
from relprobe.studies.relations.tuples import Candidates

if TYPE_CHECKING:
    from relprobe.lm.primitives.layers import View
    from relprobe.lm.settings import Model


# What models are asked: tokens after the probes and their premises, words of any length, and closed lists.


Special = Literal["keep", "drop"]
"""Whether special tokens such as [SEP] count among the best tokens."""
WORD_PART = 256
"""The probes of a part whose answers are words of any length; each takes some fifty times as long as one of tokens."""
logger = logging.getLogger("relprobe")


class Scores(NamedTuple):
    """The best tokens after the probes, and after the prompts without their targets."""

    out: Scoring
    without_target: Scoring


def scores(
    model: ModelSettings,
    probes: Probes,
    lexicon: Lexicon,
    premises: Premises,
    examples: Prefixes | None = None,
    *,
    top_k: int,
    special_tokens: Special,
) -> Scores:
    """Score the probes whose target is one token of a model: the model's `top_k` best tokens at every slot.

    A causal model is not asked probes whose slot is not last. `examples`: what stands before a probe, of which there are
    `shots`. The same is asked for the `premises`, the prompts without their targets.
    """
    table = answerable(probes, lexicon, model.type)
    table = readable(table if examples is None else in_prompts(table), model, examples)
    alone = list(ask.premise_requests(table, premises, examples))
    return Scores(
        _slots("relations scores", model, lambda: requests(table, examples), table.height, top_k, special_tokens),
        _slots("relations without target", model, lambda: iter(alone), len(alone), top_k, special_tokens),
    )


def draws(
    model: ModelSettings,
    probes: Probes,
    lexicon: Lexicon,
    examples: Path,
    *,
    top_k: int,
    special_tokens: Special,
    shots: int,
    sample: int,
) -> Scoring:
    """Score the probes about a `sample` of so many targets of each relation with other draws of their examples."""
    table = sampled(answerable(probes, lexicon, model.type), sample)
    todo = list(keep_known(model.encoder.tokenizer, draw_requests(table, examples, shots)))
    return _slots("relations draws", model, lambda: iter(todo), len(todo), top_k, special_tokens)


def _slots(
    kind: str,
    model: ModelSettings,
    todo: Callable[[], Iterator[SlotProbe]],
    count: int,
    top_k: int,
    special: Special,
) -> Scoring:
    """Return the best tokens of a model at the slots of `count` requests, which `todo` makes.

    The metadata of the file also hold what exactly was sent for the first request (`sent`): its probe and the text.
    """
    excluded = model.encoder.tokenizer.all_special_ids if special == "drop" else ()
    sent = {first.id: model.encoder.whole_text(first.variants[0].text) for first in islice(todo(), 1)}

    def answer(network: Model, part: Any) -> Any:
        return slot_top_k(network, part, top_k, excluded)

    return Scoring(kind, model, todo, answer, slot_table, "probes", count=count, metadata={"sent": sent})


def words(
    model: ModelSettings,
    probes: Probes,
    word_list: Words,
    language: LanguageFile,
    examples: Prefixes | None = None,
    lexicon: Lexicon | None = None,
    *,
    top_words: int,
    sample: int | None = None,
) -> Scoring:
    """Score the probes: the model's `top_words` likeliest words of the list, of any length, at every slot.

    `examples`: what stands before a probe, of which there are `shots`. `sample`: only the probes about so many targets of
    each relation, which are one token each in the model's `lexicon`.
    """
    table = predictable(probes, model.type)
    if lexicon is not None and sample is not None:
        table = sampled(answerable(table, lexicon), sample)
    table = table if examples is None else in_prompts(table)
    listed = weigh(word_list, language.wordfreq)
    table = readable(table, model, examples)

    def answer(network: LanguageModel, part: Any) -> Any:
        return slot_top_words(network, part, listed, top_words)

    return Scoring(
        "relations words",
        model,
        lambda: requests(table, examples),
        answer,
        word_table,
        "probes",
        WORD_PART,
        table.height,
        depends_on={"words": digest_of(repr((listed.words, listed.frequencies))).hex()},
    )


def candidate_scores(
    model: ModelSettings,
    probes: Probes,
    candidates: Candidates,
    words: Words,
    premises: Premises,
    language: LanguageFile,
    examples: Prefixes | None = None,
) -> Scoring:
    """Score the probes: the model's log-probabilities of all words of a probe's list, after the probe and its premise.

    `words`: all words, whose rows the file names. `examples`: what stands before a probe, of which there are `shots`.
    """
    lists = lists_of(candidates, words, language.wordfreq)
    table = in_list_order(readable(predictable(probes, model.type), model, examples), lists.numbers)
    if lost := unspellable(model.encoder, candidates["word"].unique().sort().to_list()):
        logger.warning(
            "the model's tokenizer cannot spell %d candidates, which are no answers: %s", len(lost), ", ".join(lost)
        )

    def todo() -> Iterator[ClosedProbe]:
        return closed_probes(requests(table, examples), table, ask.premises_of(premises), examples)

    def answer(network: LanguageModel, part: Any) -> Any:
        return in_all_words(slot_candidates(network, part, lists.words), part, lists)

    return Scoring(
        "relations candidates",
        model,
        todo,
        answer,
        candidate_table,
        "probes",
        WORD_PART,
        table.height,
        depends_on={"words": digest_of(repr((lists.words, [rows.tolist() for rows in lists.rows]))).hex()},
    )


# What models are asked layer by layer: the best tokens after each layer, as they are and through maps to the last layer.


LAYER_SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("variant", pa.string()),  # raw, or the map between the layer and the head: mapped, shuffled or untrained
        ("layer", pa.uint16()),  # 0: the embeddings
        ("token_ids", pa.list_(pa.int32())),  # best first
        ("logprobs", pa.list_(pa.float32())),  # natural log
    ]
)
LAYER_PART = 1024
"""The probes of a part; each is answered after many layers."""


def layer_scores(
    model: ModelSettings,
    probes: Probes,
    lexicon: Lexicon,
    examples: Prefixes | None = None,
    maps: LayerMaps | None = None,
    *,
    layers: Any,
    top_k: int,
    special_tokens: Special,
    sample: int | None = None,
) -> Scoring:
    """Score the main probes after every asked layer: the model's `top_k` best tokens at every slot.

    `maps`: those of the model's layers; without them answers are raw alone. `examples`: what stands before a probe, of which
    there are `shots`. `sample`: only the probes about so many targets of each relation. Trick probes are not asked.
    """
    from relprobe.lm.maps.untrained import untrained_model
    from relprobe.lm.primitives.layers import layers_of_choice, slot_top_k_of_layers

    table = answerable(probes, lexicon, model.type).filter(kind="main")
    table = table if sample is None else sampled(table, sample)
    table = table if examples is None else in_prompts(table)
    table = readable(table, model, examples)
    views = _views(layers_of_choice(model.config, layers), maps)
    excluded = model.encoder.tokenizer.all_special_ids if special_tokens == "drop" else ()

    @functools.cache
    def untrained() -> LanguageModel | None:
        return untrained_model(model.load()) if any(view.untrained for view in views.values()) else None

    def answer(network: LanguageModel, part: Any) -> Any:
        return slot_top_k_of_layers(network, part, top_k, list(views.values()), excluded, untrained())

    def rows(responses: Sequence[LayersResponse]) -> pa.Table:
        return layer_table(responses, list(views))

    return Scoring(
        "relations layers",
        model,
        lambda: requests(table, examples),
        answer,
        rows,
        "probes",
        LAYER_PART,
        table.height,
    )


def _views(layers: Sequence[int], maps: LayerMaps | None) -> dict[tuple[str, int], View]:
    """Return (variant, layer) -> how its answers are read: raw ones of each layer, then those through the maps that it has.

    The last layer has no map of its own, as its mapped answers are the raw ones.
    """
    from relprobe.lm.primitives.layers import View

    views = {(RAW, layer): View(layer) for layer in layers}
    tensors = {} if maps is None else maps.tensors
    for variant, layer in itertools.product(VARIANTS, layers):
        if (variant, layer) in tensors and (variant, layer) != (MAPPED, layers[-1]):
            views[variant, layer] = View(layer, *tensors[variant, layer], untrained=variant == UNTRAINED)
    return views


def layer_table(responses: Sequence[LayersResponse], views: Sequence[tuple[str, int]]) -> pa.Table:
    """Return the responses as a table (LAYER_SCORES), a row for each view: its variant and its layer.

    >>> response = LayersResponse("p", np.array([[2], [0]], np.int32), np.array([[-1], [-2]], np.float32))
    >>> layer_table([response], [("raw", 0), ("raw", 1)]).to_pylist()[1]
    {'probe_id': 'p', 'variant': 'raw', 'layer': 1, 'token_ids': [0], 'logprobs': [-2.0]}
    """
    if not responses:
        return LAYER_SCORES.empty_table()
    ids = np.concatenate([response.token_ids for response in responses])
    logprobs = np.concatenate([response.logprobs for response in responses])
    offsets = pa.array(np.arange(len(ids) + 1, dtype=np.int32) * ids.shape[1])
    lists = [pa.ListArray.from_arrays(offsets, pa.array(values.ravel())) for values in (ids, logprobs)]
    names = list(itertools.chain.from_iterable([response.id] * len(views) for response in responses))
    variants, layers = ([view[i] for view in views] * len(responses) for i in range(2))
    return pa.table([names, variants, pa.array(layers, pa.uint16()), *lists], schema=LAYER_SCORES)


# The people's task for models: a model writes up to five words to a probe, which are read strictly.


WRITING_PART = 256
"""Tasks of one part of the file."""


def tasks(probes: pl.DataFrame) -> Iterator[Task]:
    """Yield a task per main probe: its text up to the slot.

    >>> text = "a robin is a kind of [DET] [V]"
    >>> [task.text for task in tasks(pl.DataFrame({"probe_id": ["x"], "text": [text], "kind": ["main"]}))]
    ['a robin is a kind of a(n)']
    """
    return (Task(probe_id, text) for probe_id, text in unfinished_texts(probes))


def table(answers: Sequence[WrittenAnswers], language: Language) -> pa.Table:
    """Return the answers as a table (WRITING). A thought stands before its answer, and is not read."""
    read = list_reader(language)
    rows = [
        (answer.id, number, f"{thought}{text}", *read(without_thoughts(text)[0], ended=ended))
        for answer in answers
        for number, (text, ended, thought) in enumerate(
            zip(answer.texts, answer.complete, answer.thoughts or [""] * len(answer.texts), strict=True), 1
        )
    ]
    return pl.DataFrame(rows, schema=WRITING, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())


def writing(
    model: ModelSettings, probes: Probes, lexicon: Lexicon, language: LanguageFile, *, samples: int | None = None
) -> Scoring:
    """Ask a model for up to five words to every main probe, as people were asked (section 6.1); it writes them.

    Without `samples` it writes one answer, with the likeliest token at every step; with a number, so many random answers.
    """
    todo = list(tasks(answerable(probes, lexicon, model.type)))
    rows = partial(table, language=language)
    lines = dict(model.conversation or {})
    if model.chat != "none":
        settings = in_words(model, {**lines, "question": lines["list"]})
        return write_tasks("relations writing", settings, todo, rows, "probes", WRITING_PART, TOKENS, samples)
    prefix, _, suffix = lines["list"].partition(PROBE)
    settings = replace(model, conversation=None)
    return write_tasks(
        *("relations writing", settings, todo, rows, "probes", WRITING_PART, TOKENS, samples),
        beginning=prefix,
        closing=f"{suffix}\n",
    )
