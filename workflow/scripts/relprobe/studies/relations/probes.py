"""What the study asks: the targets put into prompts, and the requests to models that score."""

import hashlib
import logging
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.files import Format, parquet, read_columns
from relprobe.core.relation import in_lexicon
from relprobe.lm.requests import SLOT as TEXT_SLOT
from relprobe.lm.requests import ClosedProbe, ClosedResponse, SlotProbe, Variant
from relprobe.lm.words.lexicon import Words
from relprobe.lm.words.unknown import keep_known, writes_everything
from relprobe.lm.words.word_list import WordList
from relprobe.sources.language import DETERMINER_IN_CASE, Articles, LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.sources.word_frequency import frequency
from relprobe.studies.examples import DRAWS, examples_text
from relprobe.studies.relations.method import probes, requests
from relprobe.studies.relations.prompts import MARK, TARGET, Prompt, Prompts, verbalise
from relprobe.studies.relations.schemas import PROBES, Probes, Tuples
from relprobe.studies.relations.tuples import KEY, LexicalResource, SampleFrame, source_tuples

if TYPE_CHECKING:
    from relprobe.lm.settings import ModelSettings


# The table of probes, and its rows as requests to the scoring engine: all that scoring knows of the study.


logger = logging.getLogger("relprobe")


EXAMPLES = pl.Schema(
    {
        "probe_id": pl.String(),
        "draw": pl.UInt8(),  # from 1; the first draw is that of the scores
        "texts": pl.List(pl.Categorical()),  # solved instances of the probe's prompt; n shots are the first n
    }
)
Examples = Annotated[pl.DataFrame, parquet(EXAMPLES, "probe_id", "draw")]

SEED = 1


def answerable(probes: pl.DataFrame, lexicon: pl.DataFrame, kind: str = "masked") -> pl.DataFrame:
    """Keep the probes whose target is one token of the model: the paper's condition, per model.

    `kind`: see `predictable`.
    """
    return predictable(probes.filter(pl.col("target").is_in(lexicon["word"].implode())), kind)


def predictable(probes: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Keep the probes that a model of this kind, masked or causal, can answer: a causal one needs the slot at the end.

    The log counts the others.
    """
    last = probes["text"].str.ends_with(TEXT_SLOT)
    if kind != "causal" or last.all():
        return probes
    logger.warning("%d probes are left out: their slot is not last.", (~last).sum())
    return probes.filter(last)


def readable(probes: pl.DataFrame, model: "ModelSettings", prefixes: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Keep the probes whose words the tokenizer of a model can write; a warning names the other words.

    `prefixes`: probe -> the text before it.
    """
    tokenizer = model.encoder.tokenizer
    if writes_everything(tokenizer):
        return probes
    writable = [request.id for request in keep_known(tokenizer, requests(probes, prefixes))]
    return probes.filter(pl.col("probe_id").is_in(writable))


def in_prompts(probes: pl.DataFrame) -> pl.DataFrame:
    """Put the probes of a prompt together: with examples they share their beginning, and those of a target do not."""
    return probes.sort("prompt_id", maintain_order=True)


def prefixes(examples: Path, shots: int, draw: int = 1) -> dict[str, str]:
    """Return probe -> what stands before it: the first `shots` examples of a draw, from a file of EXAMPLES.

    DataError: a probe has fewer examples.
    """
    draw_examples = read_columns(examples, ["probe_id", "texts"], pl.col("draw") == draw)
    rows = draw_examples.with_columns(pl.col("texts").list.head(shots))
    texts_before: dict[tuple[str, ...], str] = {}  # most probes of a prompt share theirs
    result = {}
    for probe_id, texts in rows.iter_rows():
        key = tuple(texts)
        if key not in texts_before:
            texts_before[key] = examples_text(texts, shots, probe_id)
        result[probe_id] = texts_before[key]
    return result


def read_prefixes(examples: Path, *, shots: int = 0) -> dict[str, str]:
    """Return probe -> what stands before it, as `prefixes` does; `shots`: how many of its examples stand before a probe."""
    return prefixes(examples, shots)


Prefixes = Annotated[dict[str, str], Format(read_prefixes)]


def sample(probes: pl.DataFrame, size: int) -> pl.DataFrame:
    """Return the main probes about `size` random targets of each relation, or about all of them if there are fewer."""
    main = probes.filter(kind="main")
    parts = []
    for (relation,), rows in main.group_by("relation", maintain_order=True):
        targets = sorted(rows["target"].unique())
        draw = random.Random(f"{SEED} {relation}")  # noqa: S311
        parts.append(rows.filter(pl.col("target").is_in(draw.sample(targets, min(size, len(targets))))))
    return in_prompts(pl.concat([main.clear(), *parts]))


def draw_requests(probes: pl.DataFrame, examples: Path, shots: int) -> Iterator[SlotProbe]:
    """Yield the requests of the sample under every draw but the first, whose answers the scores hold."""
    for draw in range(2, DRAWS + 1):
        yield from requests(probes, prefixes(examples, shots, draw), draw)


# The prompts without their targets as requests: all that scoring knows of them.
# Probes of one prompt share the request, so some forty requests are asked in place of thousands. Before a prompt stands
# what stands before its probes: a prompt whose probes have different examples is asked once with each.


PREMISES = pl.Schema({"prompt_id": pl.String(), "variants": PROBES["variants"]})
"""The wordings of the premise of each prompt; none where no word is left."""
Premises = Annotated[pl.DataFrame, parquet(PREMISES, "prompt_id")]


def premises_of(table: pl.DataFrame) -> dict[str, tuple[Variant, ...]]:
    """Return prompt -> the wordings of its premise, from a table of PREMISES."""
    return {
        prompt_id: tuple(Variant(variant["text"], variant["weight"]) for variant in variants)
        for prompt_id, variants in table.iter_rows()
    }


def request_ids(probes: pl.DataFrame, prefixes: Mapping[str, str] | None = None) -> pl.Series:
    """Return the id of the request without a target that stands for each probe (PROBES): its prompt, and what is before it.

    >>> probes = pl.DataFrame({"probe_id": ["hyp:oak", "hyp:owl"], "prompt_id": ["hyp", "hyp"]})
    >>> request_ids(probes).to_list(), request_ids(probes, {"hyp:oak": "a", "hyp:owl": "b"}).n_unique()
    (['hyp', 'hyp'], 2)
    """
    if prefixes is None:
        return probes["prompt_id"]
    texts = {text: hashlib.sha256(text.encode()).hexdigest()[:12] for text in set(prefixes.values())}
    ids = [f"{prompt} {texts[prefixes[probe]]}" for probe, prompt in probes.select("probe_id", "prompt_id").iter_rows()]
    return pl.Series("prompt_id", ids, pl.String)


def premise_requests(
    probes: pl.DataFrame, premises: pl.DataFrame, prefixes: Mapping[str, str] | None = None
) -> Iterator[SlotProbe]:
    """Yield the requests without a target that stand for the probes; a prompt without a word beside its slot has none.

    `premises`: PREMISES. `prefixes`: probe -> what stands before it.
    """
    wordings = premises_of(premises)
    rows = probes.select("probe_id", "prompt_id", request=request_ids(probes, prefixes)).unique(
        "request", maintain_order=True
    )
    for probe, prompt, request in rows.iter_rows():
        prefix = prefixes[probe] if prefixes else ""
        variants = tuple(Variant(prefix + variant.text, variant.weight) for variant in wordings[prompt])
        if variants:
            yield SlotProbe(request, variants)


# The premise of a prompt: the prompt without its target, which says how likely words are after any target.


def premise(prompt: Prompt) -> str | None:
    """Return a prompt without its target, or None if no word is left beside the slot.

    >>> premise(Prompt("p", "HYP", "[DET] [W] is a kind of [DET] [V]", ""))
    'is a kind of [DET] [V]'
    >>> premise(Prompt("p", "HYP", "[W]: [V]", "")) is None
    True
    """
    text = re.sub(rf"{DETERMINER_IN_CASE.pattern} {re.escape(TARGET)}", "", prompt.text).replace(TARGET, "")
    text = " ".join(text.split()).lstrip(" ,.;:")
    return text if re.search(r"\w", MARK.sub("", text)) else None


def premises(prompts: Iterable[Prompt], articles: Articles) -> pl.DataFrame:
    """Return the premises of all prompts (PREMISES), with each article before the slot, as the probes have them.

    >>> table = premises([Prompt("p", "HYP", "[DET] [W] is [DET] [V]", "")], Articles({"a": 0.75, "an": 0.25}, str))
    >>> [variant["text"] for variant in table["variants"][0]]
    ['is a [V]', 'is an [V]']
    """
    texts = [(prompt, premise(prompt)) for prompt in prompts]
    rows = [
        (prompt.id, [] if text is None else verbalise(Prompt(prompt.id, prompt.relation, text, text), "", articles)[1])
        for prompt, text in texts
    ]
    return pl.DataFrame(rows, schema=PREMISES, orient="row")


# The probes of the study: every prompt with its targets, main and trick probes (sections 4.2 and 5.2 of Cao et al.).


class ProbeTables(NamedTuple):
    """The tuples as the sources have them (`given`), all tuples, the probes (`out`), and the prompts without targets."""

    raw_tuples: Tuples
    tuples: Tuples
    out: Probes
    premises: Premises


def probe_tables(
    sources: list[Path],
    prompts: Prompts,
    relations: RelationsFile,
    language: LanguageFile,
    lexicon: Words | None = None,
    expansion: LexicalResource | None = None,
    *,
    exemplar_frequency: int,
    wordnet_sample: dict[str, Any] | None = None,
    prompt_parts: int = 1,
) -> ProbeTables:
    """Put the targets of the tuples into the prompts: main and trick probes (sections 4.2 and 5.2).

    What can enter no metric is not asked: with a `lexicon`, the words that may be answers, targets are those of tuples in
    it. `expansion`: the resource that expands the relatum sets. `prompt_parts`: each target is asked with one of so many
    parts of the prompts of a relation (`deal`). The other arguments beside the `prompts` are those of `source_tuples`, which
    makes the tuples.
    """
    frame = SampleFrame(lexicon, expansion)
    raw_tuples, tuples = source_tuples(sources, relations, language, exemplar_frequency, wordnet_sample, frame)
    counted = tuples if lexicon is None else in_lexicon(tuples, lexicon)
    if counted.is_empty():
        raise DataError(
            f"None of the tuples ({tuples.height:,}) is between words of the lexicon, so there is nothing to ask: take "
            "other tuples, or other models into lexicon.panel."
        )
    articles = language.articles
    table = probes(counted, prompts, articles, relations, prompt_parts)
    return ProbeTables(raw_tuples, tuples, table, premises(prompts, articles))


# Lists of words with their frequencies, which is how the engine takes them.


RARE = 1e-9
"""The frequency of a word that wordfreq does not know: less than once in its corpus."""


def weigh(words: pl.DataFrame, language: str) -> WordList:
    """Return a list of words (column word) with their frequencies, RARE where these are unknown.

    >>> weigh(pl.DataFrame({"word": ["the", "qqzzxv"]}), "en").frequencies
    (0.0537, 1e-09)
    """
    names = words["word"].to_list()
    return WordList(tuple(names), tuple(max(frequency(name, language=language), RARE) for name in names))


# Closed lists as answers (`read_candidates`): a model is asked every word after a probe and its premise.


@dataclass(frozen=True)
class Lists:
    """The closed lists of a study.

    `words`: each list with the frequencies of its words. `rows`: the rows of these words in the table of all words.
    `numbers`: relation and target -> the number of the list; the target is None for the list of a whole relation.
    """

    words: list[WordList]
    rows: list[NDArray[np.int32]]
    numbers: dict[tuple[str, str | None], int]


def lists_of(candidates: pl.DataFrame, words: pl.DataFrame, language: str) -> Lists:
    """Return the lists of CANDIDATES; `words`: all words (column word). `language`: its code in wordfreq.

    >>> rows = [("HYP", None, "bird"), ("HYP", None, "animal"), ("HYP", "robin", "bird")]
    >>> candidates = pl.DataFrame(rows, schema=["relation", "target", "word"], orient="row")
    >>> lists = lists_of(candidates, pl.DataFrame({"word": ["animal", "bird", "robin"]}), "en")
    >>> [words.words for words in lists.words], [rows.tolist() for rows in lists.rows], lists.numbers
    ([('animal', 'bird'), ('bird',)], [[0, 1], [1]], {('HYP', None): 0, ('HYP', 'robin'): 1})
    """
    lists = Lists([], [], {})
    listed = candidates.join(words.with_row_index("row"), on="word").sort(*KEY, "row")
    for (relation, target), list_rows in listed.group_by(KEY, maintain_order=True):
        lists.numbers[(str(relation), None if target is None else str(target))] = len(lists.words)
        lists.words.append(weigh(list_rows.select("word"), language))
        lists.rows.append(list_rows["row"].cast(pl.Int32).to_numpy())
    return lists


def in_list_order(probes: pl.DataFrame, numbers: Mapping[tuple[str, str | None], int]) -> pl.DataFrame:
    """Return the probes that have a list, with its number (column list), those of one list and prompt together."""
    keys = probes.select(KEY).iter_rows()
    list_numbers = [numbers.get((relation, target), numbers.get((relation, None))) for relation, target in keys]
    table = probes.with_columns(pl.Series("list", list_numbers, pl.UInt32)).drop_nulls("list")
    return table.sort("list", "prompt_id", maintain_order=True)


def closed_probes(
    requests: Iterable[SlotProbe],
    probes: pl.DataFrame,
    premises: Mapping[str, Sequence[Variant]],
    prefixes: Mapping[str, str] | None = None,
) -> Iterator[ClosedProbe]:
    """Yield the requests with their premises and the numbers of their lists; `probes` are their rows of `in_list_order`.

    `premises`: prompt -> the wordings of its premise, none if it has none. `prefixes`: probe -> the text before it, which
    stands before the premise, too.
    """
    rows = probes.select("probe_id", "prompt_id", "list").iter_rows()
    for request, (probe_id, prompt_id, number) in zip(requests, rows, strict=True):
        variants, prefix = premises[prompt_id], prefixes[probe_id] if prefixes else ""
        wordings = tuple(replace(variant, text=prefix + variant.text) for variant in variants)
        yield ClosedProbe(request, SlotProbe(f"premise of {prompt_id}", wordings) if wordings else None, number)


def in_all_words(
    responses: Iterable[ClosedResponse], probes: Iterable[ClosedProbe], lists: Lists
) -> Iterator[ClosedResponse]:
    """Yield the responses to the probes with the rows of the table of all words in place of those of their lists."""
    for response, probe in zip(responses, probes, strict=True):
        ids = lists.rows[probe.words][response.words.word_ids]
        yield replace(response, words=replace(response.words, word_ids=ids))
