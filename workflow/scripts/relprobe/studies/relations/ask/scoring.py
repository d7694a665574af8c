"""What models are asked: tokens after the probes and their premises, words of any length, and closed lists."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from relprobe.lm.primitives.closed_lists import slot_candidates, unspellable
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import SlotProbe
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.score_files.words import candidate_table, word_table
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.lm.words.unknown import keep_known
from relprobe.sources.language import LanguageFile
from relprobe.studies.relations.ask import premise_requests
from relprobe.studies.relations.ask.closed_list_requests import closed_probes, in_all_words, in_list_order, lists_of
from relprobe.studies.relations.ask.premise_requests import Premises
from relprobe.studies.relations.ask.requests import (
    Befores,
    answerable,
    draw_requests,
    in_prompts,
    predictable,
    readable,
    requests,
)
from relprobe.studies.relations.ask.requests import sample as sampled
from relprobe.studies.relations.ask.weighted_words import weigh
from relprobe.studies.relations.data.own_words import Candidates
from relprobe.studies.relations.schemas import Probes

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

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
    examples: Befores | None = None,
    *,
    top_k: int,
    special_tokens: Special,
) -> Scores:
    """Score the probes whose target is one token of a model: the model's `top_k` best tokens at every slot.

    A causal model is not asked probes whose slot is not last. `examples`: what stands before a probe, of which there are
    `shots`. The same is asked for the `premises`, the prompts without their targets.
    """
    table = answerable(probes, lexicon, model.type)
    network = model.load()
    table = readable(table if examples is None else in_prompts(table), network, examples)
    alone = list(premise_requests.requests(table, premises, examples))
    return Scores(
        _slots(model, network, lambda: requests(table, examples), table.height, top_k, special_tokens),
        _slots(model, network, lambda: iter(alone), len(alone), top_k, special_tokens),
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
) -> Scoring:
    """Score a sample of the probes with other draws of their examples."""
    table = sampled(answerable(probes, lexicon, model.type))
    network = model.load()
    todo = list(keep_known(network.encoder.tokenizer, draw_requests(table, examples, shots)))
    return _slots(model, network, lambda: iter(todo), len(todo), top_k, special_tokens)


def _slots(
    model: ModelSettings,
    network: Model,
    todo: Callable[[], Iterator[SlotProbe]],
    count: int,
    top_k: int,
    special: Special,
) -> Scoring:
    """Return the best tokens of a loaded model at the slots of `count` requests, which `todo` makes.

    The metadata of the file also hold what exactly was sent for the first request (`sent`): its probe and the text.
    """
    excluded = network.encoder.tokenizer.all_special_ids if special == "drop" else ()
    sent = {first.id: network.encoder.whole_text(first.variants[0].text) for first in islice(todo(), 1)}

    def answer(part: Any) -> Any:
        return slot_top_k(network, part, top_k, excluded)

    return Scoring(network, model, todo(), answer, slot_table, "probes", count=count, about={"sent": sent})


def words(
    model: ModelSettings,
    probes: Probes,
    word_list: Words,
    language: LanguageFile,
    examples: Befores | None = None,
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
    listed, network = weigh(word_list, language.wordfreq), model.load_network()
    table = readable(table, network, examples)

    def answer(part: Any) -> Any:
        return slot_top_words(network, part, listed, top_words)

    todo = requests(table, examples)
    return Scoring(network, model, todo, answer, word_table, "probes", WORD_PART, table.height)


def candidate_scores(
    model: ModelSettings,
    probes: Probes,
    candidates: Candidates,
    words: Words,
    premises: Premises,
    language: LanguageFile,
    examples: Befores | None = None,
) -> Scoring:
    """Score the probes: the model's log-probabilities of all words of a probe's list, after the probe and its premise.

    `words`: all words, whose rows the file names. `examples`: what stands before a probe, of which there are `shots`.
    """
    lists = lists_of(candidates, words, language.wordfreq)
    network = model.load_network()
    table = in_list_order(readable(predictable(probes, model.type), network, examples), lists.numbers)
    if lost := unspellable(network, candidates["word"].unique().sort().to_list()):
        logger.warning(
            "the model's tokenizer cannot spell %d candidates, which are no answers: %s", len(lost), ", ".join(lost)
        )
    todo = closed_probes(requests(table, examples), table, premise_requests.premises_of(premises), examples)

    def answer(part: Any) -> Any:
        return in_all_words(slot_candidates(network, part, lists.words), part, lists)

    return Scoring(network, model, todo, answer, candidate_table, "probes", WORD_PART, table.height)
