"""Is what language models know of hypernymy systematic? Ravichander et al. (2020), from words to numbers.

What is asked. An item is a hyponym of a category, such as robin of bird. Its three diagnostics are probes: “A robin is a
[V].” (singular), “robins are [V].” (plural), and a sentence about the hyponym, which the slot replaces (contextual): from
“He swings an ax”, “He swings a [V]”, where tool is right. That is the “mended” reading, the default, in which each candidate
also stands in further mentions of the hyponym; the “released” one has “He swings an [V]”. Items of WordNet have no sentence.
The article before the slot is that of the right category, “A wasp is an [V].”, as in the authors' texts (but for released
sentences): so it can give a category away. The control probes, “robin [V]” and “robins [V]”, say no relation; contextual
probes have no control. A model that completes the singular with "bird" should complete the plural with "birds", and know the
category in a sentence: this is syntagmatic generalization. In paradigmatic generalization, a classifier that has learnt
hypernymy from a model's embeddings should recognise it in new words.

What is right. The category, in the plural for plural probes.

How it is scored. A model gives each category of the study the natural-log probability that it fills the slot, the sum over
its tokens, whatever their number. A masked model reads the text on both sides with as many masks as the category has tokens,
and gives the probabilities of all of them at once. An encoder-decoder has a blank there, and its decoder gives the
probability of each token after those before it; BART's decoder also reads the text before the blank. A causal model reads
the text before the slot. It also scores each category together with the text after the slot (`…_sentence`). The value is 1/n
if the right category is among n equally likely, likeliest ones (1 if it is alone), else 0. open@k, in the singular alone,
asks whether the right category is among the k likeliest tokens of the whole vocabulary (static vectors choose among 30,000
frequent words): with b likelier ones and n as likely, itself among them, it is (k - b) / n, at least 0 and at most 1.
Whether a hyponym is right in both numbers (singular_plural), or in the contextual probe, too (aggregate), is the product of
the values (in words, all parts must be right in the same order and sample); a hyponym that lacks a part has none. The
classifier reads the mean hidden state of each word's tokens after the last layer, if the config names no other, and decides
on pairs of words, and its value is the share of its seeds that decide rightly, where a p of 1/2 counts half.

How values are averaged, and what a test takes as independent. The unit of a value is a hyponym, and its condition the set
where the hyponym comes from: wordnet, diagnostic or extended (both released by the authors), or own. An average is over the
hyponyms of a set, by their main prompts. Of the classifier the unit is a pair in a fold, and the condition the setting (seen
or unseen hypernyms); an average is over the test pairs of all folds. Table 4 (`detection`) has the mean over folds and
seeds. The cluster is the true category of the hyponym, also for an untrue pair. Tests and intervals take categories as
independent of each other: all hyponyms of a category share the right answer, so that an agent that likes to say "bird" is
right for all birds. An agent is a model or a control: the majority, static vectors, `nearest`, and of each model
"gpt2+control", its answers to the control probes. Static vectors answer with the category of the largest cosine, and
`nearest` with the category of the other hyponym whose vector is nearest. A model may also answer in words: it completes
sentences, and it verifies by yes and no (`verified_…`); an answer that cannot be read is wrong, and a task with more than 20
% of these has no values (chat.py). There are no people.

Each of these four tables is made from the ones before it:

    items      set, hyponym, category, hyponym_plural, category_plural, sentence        a row per hyponym of a category
               probe_id, set, kind, prompt, main, hyponym, word, text, candidates       what is asked of it (`probes`)
    scores     probe_id, method, words, scores, tokens, unknown                         a row per request; lists over words
    responses  probe_id, kind, prompt, main, control, category, gold, method, words, scores      with the right word
    values     metric, condition, unit, cluster, value                    what averages and tests read (relprobe.stats)

The classifier has tables of its own: `pairs` (setting, fold, part, hyponym, hypernym, label) are its items, the vectors of
their words in context are a model's scores, and `detections` (p, the probability of hypernymy, per pair and seed) its
responses. The responses to probes are not stored. `unknown` names the categories that a model cannot write as one token;
open@k leaves their hyponyms out. At the slot, a category that a tokenizer cannot write comes last. A probe with a word that
it cannot write is left out with a warning, and such a word of the classifier is an error.

The paper has the diagnostics, their controls, the classifier, the majority, static vectors and the measures. This study adds
further prompts beside the paper's, the mended reading of sentences, a selection of items of WordNet, causal and
encoder-decoder models, scores by the whole sentence, `nearest`, several seeds, answers in words, the expected value of ties,
and clusters. Numbers in comments, such as 2.1.1, are those of the paper's sections; the classifier (2.2) comes last.
"""

import math
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.core.sums import ordered_mean, ordered_product
from relprobe.core.words import amount
from relprobe.lm.requests import SLOT, Continuation, SlotProbe, Variant
from relprobe.studies.examples import Example, probe_prefix
from relprobe.studies.systematicity import sentences
from relprobe.studies.systematicity.hyponyms import Categories, flat
from relprobe.studies.systematicity.inflection import plural
from relprobe.studies.systematicity.prompts import NUMBERS, PAPER, Prompt, Prompts
from relprobe.studies.systematicity.schemas import (
    METRICS,
    PAIRS,
    PROBES,
    Detections,
    Items,
    Metrics,
    Pairs,
    Probes,
    Scores,
)

# 2.1.1 Probes: the hyponym x in a prompt in which its hypernym y is to be found, in the singular and in the plural (the
# consistency probes), and the slot in the place of x in a sentence (the contextual ones). 3.2: a control has no prompt.

Reading = Literal["mended", "released"]
"""How the slot takes the place of the hyponym in a sentence, at its first mention. "released": nothing else changes.
"mended": the article before the slot fits the category, and each candidate stands in the hyponym's further mentions
(sentences.py)."""
READINGS: tuple[Reading, Reading] = ("mended", "released")
CONTROL = "control_"
"""How the kind of a control begins. The kind of its diagnostic follows, as in control_singular."""


@dataclass(frozen=True)
class Asking:
    """How items are asked: prompts in the singular and in the plural, how sentences are read, and irregular plurals."""

    prompts: Prompts
    contextual: Reading = "mended"
    plurals: dict[str, str] = field(default_factory=dict)  # word -> plural


def probes(items: Items, categories: Categories, asking: Asking) -> Probes:
    """Return the probes of the items: the three diagnostics, and two controls, which express no relation.

    The first prompt in the singular, and the first in the plural, make the main probes; the others are asked beside them.
    So is a sentence in its other reading, if that differs. A control is the hyponym and the slot alone ("robin [V]";
    section 3.2). The candidates of plural probes are the categories in the plural, those of other probes the categories in
    the singular (section 3.1). ConfigError: two categories have the same plural.
    """
    plurals = {word: plural(word, asking.plurals) for word in flat(categories)}
    if len(set(plurals.values())) < len(plurals):
        raise ConfigError("config: two of systematicity.categories have the same plural: leave one out.")
    rows = [
        {"set": row["set"], "hyponym": row["hyponym"], "prompt": "", "main": True, "texts": []} | probe
        for row in items.iter_rows(named=True)
        for probe in [
            *consistency_probes(row, asking.prompts),
            *contextual_probes(row, plurals, asking.contextual),
            *control_probes(row),
        ]
    ]
    for row in rows:
        is_plural = row["kind"].endswith("plural")
        row["candidates"] = list(plurals.values() if is_plural else plurals)
        row["probe_id"] = ":".join(filter(None, [row["set"], row["kind"], row["hyponym"], row.pop("suffix", "")]))
    return pl.DataFrame(rows, schema=PROBES)


def consistency_probes(item: Mapping[str, Any], prompts: Prompts) -> Iterator[dict[str, Any]]:
    """Yield the probes of an item in the singular and in the plural, one for each prompt."""
    words = {"singular": item["hyponym"], "plural": item["hyponym_plural"]}
    gold = {"singular": item["category"], "plural": item["category_plural"]}
    for number in NUMBERS:
        for position, prompt in enumerate(prompts[number]):
            text = prompt_text(item, number, prompt, words[number], gold[number])
            probe = {"kind": number, "prompt": prompt.id, "main": position == 0, "word": words[number], "text": text}
            yield probe if position == 0 else {**probe, "suffix": prompt.id}


def prompt_text(item: Mapping[str, Any], number: str, prompt: Prompt, word: str, category: str) -> str:
    """Return the prompt about an item; a released item has a text for the paper's prompt."""
    released: str | None = item[number]
    return released if released is not None and prompt.id == PAPER else prompt.fill(word, category)


def contextual_probes(item: Mapping[str, Any], plurals: Mapping[str, str], main: Reading) -> Iterator[dict[str, Any]]:
    """Yield the probe of an item's sentence in the reading `main` and, if it differs, in the other one."""
    if item["sentence"] is None:
        return
    words = item["sentence"], item["hyponym"], item["hyponym_plural"]
    text = sentences.mended_sentence(*words, item["category"])
    texts = sentences.candidate_texts(text, *words[1:], plurals)
    readings = {
        "mended": {"text": text, "texts": texts},
        "released": {"text": sentences.released_sentence(*words), "texts": []},
    }
    (alternative,) = (name for name in READINGS if name != main)
    probe = {"kind": "contextual", "word": item["hyponym"]}
    yield probe | {"prompt": main} | readings[main]
    if readings[alternative] != readings[main]:
        yield probe | {"prompt": alternative, "main": False, "suffix": alternative} | readings[alternative]


def control_probes(item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the controls of an item: its words before a slot, without a relation."""
    for number, word in (("singular", item["hyponym"]), ("plural", item["hyponym_plural"])):
        yield {"kind": f"{CONTROL}{number}", "word": word, "text": f"{word} {SLOT}"}


# 2.1 What a model is asked about a probe: its likeliest words at the slot, and log P(category) there for each category.

OPEN_KINDS = ("singular", "control_singular")
"""The kinds of main probes that are answered from the whole vocabulary, too (Table 2)."""
CANDIDATE_SEPARATOR = "="
"""What stands between the id of a probe and a candidate in the id of a request about this candidate alone."""


def requests(
    probes: Probes, both_sides: bool, shots: int = 0, examples: Sequence[Example] = ()
) -> Iterator[SlotProbe | Continuation]:
    """Yield the requests of all probes to a model. The id of a request is METHOD:PROBE_ID; there are three methods.

    - open: the model answers with words of its whole vocabulary. Only main probes of the kinds in OPEN_KINDS have it.
    - slot: the model scores each candidate at the slot. A masked model reads the text on both sides of it, a causal model
      the text before it.
    - sentence: a causal model scores each candidate together with the text after the slot, if there is any. This is the
      log-probability of the full sentence less that of the text before the slot, which is the same for all candidates. Of
      all prompts in the singular or the plural, only the main one has this request.

    A probe with a text per candidate has a request per candidate; its id ends in =CANDIDATE. The score by the sentence is
    then that of all that differs: it begins at the first word in which the texts differ.

    `shots`: how many of the `examples` stand before a probe; none names its hyponym or a candidate. DataError: there are
    fewer.

    >>> probe = {"probe_id": "s:singular:robin", "set": "s", "kind": "singular", "prompt": "paper", "main": True}
    >>> row = {**probe, "hyponym": "robin", "word": "robin", "text": "A robin is a [V].", "candidates": ["bird", "fish"]}
    >>> probes = pl.DataFrame([{**row, "texts": []}], schema=PROBES)
    >>> [request.id for request in requests(probes, both_sides=True)]
    ['open:s:singular:robin', 'slot:s:singular:robin']
    >>> [request.id for request in requests(probes, both_sides=False)]
    ['open:s:singular:robin', 'slot:s:singular:robin', 'sentence:s:singular:robin']
    """
    for row in probes.iter_rows(named=True):
        probe_id, kind, words = row["probe_id"], row["kind"], row["candidates"]
        taboo = {*words, row["hyponym"], row["word"]}
        prefix = _examples_before(examples, shots, probe_id, kind, taboo) if shots else ""
        full_sentence = row["main"] or kind == "contextual"
        if row["texts"]:
            yield from _one_by_one(probe_id, [prefix + text for text in row["texts"]], words, both_sides)
            continue
        text = prefix + row["text"]
        ending = text.partition(SLOT)[2]
        if row["main"] and kind in OPEN_KINDS:
            yield SlotProbe(f"open:{probe_id}", (Variant(_asked(text, both_sides)),))
        yield Continuation(f"slot:{probe_id}", _asked(text, both_sides), tuple(words))
        if not both_sides and ending and full_sentence:
            yield Continuation(f"sentence:{probe_id}", _asked(text, both_sides), tuple(word + ending for word in words))


def _asked(text: str, both_sides: bool) -> str:
    """Return what a model reads of a text with a slot: all of it, or what stands before the slot."""
    return text if both_sides else text.partition(SLOT)[0] + SLOT


def _one_by_one(probe_id: str, texts: Sequence[str], words: Sequence[str], both_sides: bool) -> Iterator[Continuation]:
    """Yield the requests of a probe with a text per candidate.

    >>> texts = ["The [V] of the bird", "The [V] of the fish"]
    >>> [(request.text, request.candidates) for request in _one_by_one("s", texts, ["bird", "fish"], both_sides=False)][:2]
    [('The [V]', ('bird',)), ('The [V]', ('bird of the bird',))]
    """
    filled = [text.replace(SLOT, word) for text, word in zip(texts, words, strict=True)]
    common = os.path.commonprefix(filled)  # noqa: RUF071 (of texts, and no paths)
    left = common[: common.rfind(" ") + 1]
    for text, sentence, word in zip(texts, filled, words, strict=True):
        name = f"{probe_id}{CANDIDATE_SEPARATOR}{word}"
        yield Continuation(f"slot:{name}", _asked(text, both_sides), (word,))
        differing = sentence.removeprefix(left)
        if not both_sides and differing != word:
            yield Continuation(f"sentence:{name}", left + SLOT, (differing,))


def _examples_before(examples: Sequence[Example], shots: int, probe_id: str, kind: str, taboo: set[str]) -> str:
    """Return the examples before a probe: those that name no word of `taboo`, in the wording of the probe's kind."""
    fitting = [example for example in examples if taboo.isdisjoint(" ".join(example).split())]
    return probe_prefix(fitting, lambda example: solve(kind, example), shots, kind, probe_id, set())


def solve(kind: str, example: Example) -> str:
    """Return an example in the wording of a kind of probes; that of contextual ones is the singular's.

    >>> violin = ("a violin", "an instrument", "violins", "instruments")
    >>> [solve(kind, violin) for kind in ("singular", "plural", "control_singular")]
    ['A violin is an instrument.', 'violins are instruments.', 'violin instrument']
    """
    hyponym, category, hyponyms, categories = example
    if kind == "plural":
        return f"{hyponyms} are {categories}."
    if kind == "control_plural":
        return f"{hyponyms} {categories}"
    if kind == "control_singular":
        return " ".join(phrase.split(" ", 1)[-1] for phrase in (hyponym, category))
    return f"{hyponym[0].upper()}{hyponym[1:]} is {category}."


# 3.1 Metrics. A response is what a model answers to a probe, beside the right word (gold):
#
#   open@k                         1 if the hypernym is among the k likeliest words of the vocabulary, else 0
#   singular, plural, contextual   1 if the hypernym is the likeliest of the categories, else 0
#   singular_plural, aggregate     1 if the likeliest is right in all of these probes of a hyponym, else 0
#
# Where words have equal scores, a value is its mean over all of their orders.

END = {"slot": "", "sentence": "_sentence"}
"""Method of a score -> the end of the names of its metrics."""
OPEN = {"open@1": 1, "open@5": 5}
"""Metric -> the number of first words of the vocabulary that the category must be among."""
PAIRED = {
    f"{name}{end}": tuple(f"{kind}{end}" for kind in kinds)
    for name, kinds in (
        ("singular_plural", ("singular", "plural")),
        ("aggregate", ("singular", "plural", "contextual")),
    )
    for end in END.values()
}
"""Paired metric -> the metrics that must all be right."""


def responses(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    """Return the scores, a row per probe and method, with set, hyponym, kind, prompt, main, control, category and `gold`.

    `gold` is the right word. `control`: whether the probe is a control; its `kind` is then that of the diagnostic which
    it controls. A category that the model's tokenizer cannot write has no score (NaN), and comes last, with -inf; a probe
    has no response if all of its categories are such words.
    """
    columns = items.select("set", "hyponym", "category", "category_plural")
    asked = probes.select("probe_id", "set", "hyponym", "kind", "prompt", "main").join(columns, on=["set", "hyponym"])
    kind = pl.col("kind").str.strip_prefix(CONTROL)
    asked = asked.with_columns(
        kind=kind,
        control=pl.col("kind").str.starts_with(CONTROL),
        gold=pl.when(kind == "plural").then("category_plural").otherwise("category"),
    )
    answered = join_candidates(scores)
    missing = pl.col("scores").list.eval(pl.element().is_nan())
    answered = answered.filter((pl.col("method") == "open") | ~missing.list.all())
    # NaN is larger than any number for Polars: a word that cannot be written would be the likeliest.
    answered = answered.with_columns(pl.col("scores").list.eval(pl.element().fill_nan(-math.inf)))
    return answered.join(asked, on="probe_id", maintain_order="left")


def join_candidates(scores: Scores) -> Scores:
    """Return the scores with one row for all candidates of a probe that has a text per candidate."""
    several = pl.len().over("probe_id", "method") > 1
    if not scores.select(several.any()).item():
        return scores
    rows = scores.filter(several).group_by("probe_id", "method", maintain_order=True)
    lists = pl.col("words", "scores", "tokens").explode()
    return pl.concat([scores.filter(~several), rows.agg(lists, pl.col("unknown").first()).select(scores.columns)])


def values(responses: pl.DataFrame, *, control: bool = False) -> Metrics:
    """Return the metrics of the responses to the main diagnostics or, with `control`, to their controls.

    - open@k: a category that is no word of the vocabulary has no unit.
    - singular_sentence, plural_sentence, contextual_sentence: the same, but by the probability of the candidate together
      with the text after the slot, of agents that have scores of sentences. If no text follows, the score at the slot
      counts.
    - Ties of different probes are broken independently, so that the values of a paired metric's parts multiply.

    >>> item = {"set": "s", "hyponym": "robin", "category": "bird", "category_plural": "birds"}
    >>> probe = {"probe_id": "1", "set": "s", "hyponym": "robin", "kind": "singular", "prompt": "paper", "main": True}
    >>> score = {"probe_id": "1", "words": ["fish", "bird"], "scores": [-2.0, -1.0], "tokens": [], "unknown": []}
    >>> scores = pl.DataFrame([{**score, "method": "slot"}, {**score, "method": "open", "scores": [-1, -2]}])
    >>> values(responses(scores, pl.DataFrame([probe]), pl.DataFrame([item]))).drop("condition").rows()
    [('open@1', 'robin', 'bird', 0.0), ('open@5', 'robin', 'bird', 1.0), ('singular', 'robin', 'bird', 1.0)]
    """
    key = ["set", "hyponym", "category"]
    rows = responses.filter((pl.col("control") == control) & pl.col("main"))
    tables = {}
    for method, end in END.items():
        for (kind,), part in closed_answers(rows, method).group_by("kind", maintain_order=True):
            tables[f"{kind}{end}"] = part.select(*key, value="right")
    for name, parts in PAIRED.items():
        if set(parts) <= set(tables):
            tables[name] = product([tables[part] for part in parts])
    open_rows = open_answers(rows)
    precisions = {name: open_rows.select(*key, value=first_share(open_rows, k)) for name, k in OPEN.items()}
    value = pl.col("value").cast(pl.Float64)
    metric_tables = {**precisions, **tables}
    return pl.concat(
        [
            table.select(metric=pl.lit(name), condition="set", unit="hyponym", cluster="category", value=value)
            for name, table in metric_tables.items()
        ]
    )


def closed_answers(responses: pl.DataFrame, method: str) -> pl.DataFrame:
    """Return the responses that choose among the categories by a method, with `right`, from 0 to 1.

    For a probe without text after its slot, "sentence" takes the row of "slot", if the agent has scores of sentences.
    """
    rows = responses.filter(pl.col("method") == "slot")
    if method == "sentence":
        by_sentence = responses.filter(pl.col("method") == "sentence")
        if by_sentence.is_empty():
            return by_sentence.with_columns(right=pl.lit(0.0))
        kinds = by_sentence["kind"].unique().to_list()
        at_the_end = rows.join(by_sentence, on="probe_id", how="anti").filter(pl.col("kind").is_in(kinds))
        rows = pl.concat([by_sentence, at_the_end])
    return rows.with_columns(first_share(rows).alias("right"))


def open_answers(responses: pl.DataFrame) -> pl.DataFrame:
    """Return the responses from the whole vocabulary, of those whose right word is in the vocabulary."""
    return responses.filter(method="open").filter(~pl.col("unknown").list.contains(pl.col("gold")))


def first_share(rows: pl.DataFrame, k: int = 1) -> pl.Series:
    """Return how often the word `gold` is among the k likeliest of `words`, as a share of all orders of equal words.

    `rows` has words, scores and gold. Where b words are likelier than the right one and n are as likely, itself among
    them, it is among the first k in (k - b) of n orders. The value is 1 or 0 where no other word has its score, and 0 where
    it is not among the words.

    >>> scores = [[-1.0, -1.0, -2.0], [-3.0, -1.0, -1.0]]
    >>> rows = pl.DataFrame({"words": [["bird", "fish", "tool"]] * 2, "scores": scores, "gold": ["fish", "bird"]})
    >>> first_share(rows).to_list(), first_share(rows, k=3).to_list()
    ([0.5, 0.0], [1.0, 1.0])
    """
    long = rows.select("words", "scores", "gold").with_row_index("row").explode("words", "scores")
    right = long.filter(pl.col("words") == pl.col("gold")).select("row", right="scores")
    better, equal = (pl.col("scores") > pl.col("right")).sum(), (pl.col("scores") == pl.col("right")).sum()
    counts = long.join(right, on="row").group_by("row").agg(share=((k - better.cast(pl.Float64)) / equal).clip(0, 1))
    numbers = pl.DataFrame({"row": pl.int_range(rows.height, dtype=pl.UInt32, eager=True)})
    return numbers.join(counts, on="row", how="left", maintain_order="left")["share"].fill_null(0.0)


def product(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the product of the values of all parts, for the hyponyms that they all have."""
    key = ["set", "hyponym", "category"]
    together = pl.concat(parts).group_by(key, maintain_order=True).agg(ordered_product("value"), pl.len())
    return together.filter(len=len(parts)).drop("len")


# 2.2 Pairs for a classifier: every hyponym with its hypernym, and with another one of the same superordinate category. The
# hyponyms of a test are never in training; their hypernyms are (SEEN), or are not (UNSEEN).


def with_untrue(hyponyms: Mapping[str, Sequence[str]], chance: random.Random) -> list[tuple[str, str, str]]:
    """Return (hyponym, its category, another category); every category is as often the other one as the true one.

    The hyponyms stand in a ring, those of a category together. A hyponym's untrue category is that of the hyponym that
    stands n places ahead, where n is the size of the largest category, so that this place lies beyond its category.
    For example, n = 2 for robin, wren (birds), ant, bee (insects): the untrue category of robin is that of ant.
    `hyponyms`: those of the categories of one superordinate category; none has more of them than all others together.
    """
    ring = [(word, category) for category, words in hyponyms.items() for word in chance.sample(words, len(words))]
    ahead = max(map(len, hyponyms.values()))
    return [(word, true, ring[(index + ahead) % len(ring)][1]) for index, (word, true) in enumerate(ring)]


def unseen_splits(pool: pl.DataFrame, categories: Categories, seed: int) -> Pairs:
    """Return a fold per superordinate category, which holds out its hyponyms, and its categories with them.

    Half of the held-out hyponyms of each category make the development part.
    """
    hyponyms = hyponyms_by_category(pool)
    return folds(pool, [shuffle_hyponyms(hyponyms, [*below], seed) for below in categories.values()], "unseen")


def seen_splits(pool: pl.DataFrame, categories: Sequence[str], count: int, seed: int) -> Pairs:
    """Return `count` folds: each holds out another share of every category's hyponyms.

    Half of the held-out hyponyms make the development part. Test hyponyms do not occur in training, their hypernyms do.
    """
    hyponyms = shuffle_hyponyms(hyponyms_by_category(pool), [*categories], seed)
    return folds(pool, [hyponyms[fold::count] for fold in range(count)], "seen")


def hyponyms_by_category(pool: pl.DataFrame) -> dict[str, list[str]]:
    """Return category -> its hyponyms, sorted."""
    true = pool.filter(label=1).select("hyponym", "hypernym").unique().sort("hypernym", "hyponym")
    return {str(name): rows["hyponym"].to_list() for (name,), rows in true.group_by("hypernym", maintain_order=True)}


def shuffle_hyponyms(hyponyms: Mapping[str, list[str]], categories: Sequence[str], seed: int) -> list[str]:
    """Return the hyponyms of the categories, one category after the other, each in an order drawn with the seed."""
    order = []
    for category in categories:
        words = list(hyponyms.get(category, []))
        random.Random(f"{seed} {category}").shuffle(words)  # noqa: S311
        order += words
    return order


def folds(pool: pl.DataFrame, held_out: Sequence[Sequence[str]], setting: str) -> Pairs:
    """Return a fold per list of held-out hyponyms. ConfigError: a list has too few for two parts."""
    parts = []
    for fold, words in enumerate(held_out, start=1):
        if len(words) < 2:
            raise ConfigError(
                f"config: systematicity leaves {amount(len(words), 'hyponym')} to fold {fold} with {setting} hypernyms, "
                "which must have two, for development and test: lower minimum_zipf or raise minimum_hyponyms, or take other "
                "categories or fewer folds."
            )
        labels = {"setting": pl.lit(setting), "fold": pl.lit(fold)}
        training = pool.filter(~pl.col("hyponym").is_in(pl.Series(words, dtype=pl.String).implode()))
        parts.append(training.with_columns(**labels, part=pl.lit("train")))
        for part, hyponyms in {"dev": words[::2], "test": words[1::2]}.items():
            rows = pool.filter(pl.col("hyponym").is_in(pl.Series(hyponyms, dtype=pl.String).implode()))
            first = rows.unique(["hyponym", "label"], keep="first", maintain_order=True)  # one context per pair
            parts.append(first.with_columns(**labels, part=pl.lit(part)))
    return pl.concat([part.select(list(PAIRS)).cast(PAIRS) for part in parts])


def with_category(pairs: pl.DataFrame) -> pl.DataFrame:
    """Add the column `category` to PAIRS: the hyponym's category, which is the hypernym of its true pairs.

    >>> pairs = {"hyponym": ["robin", "robin"], "hypernym": ["fish", "bird"], "label": [0, 1]}
    >>> with_category(pl.DataFrame(pairs))["category"].to_list()
    ['bird', 'bird']
    """
    categories = pairs.filter(label=1).group_by("hyponym").agg(category=pl.col("hypernym").min())
    return pairs.join(categories, on="hyponym", how="left", maintain_order="left")


# 2.2.1 The classifier (training.py) embeds both words in their contexts as w1 and w2, and gives
#
#   softmax(W · ReLU(Dropout(h(x)))), x = [w1; w2; w2 - w1; w1 ⊙ w2]
#
# with a hidden layer h of 300 units. A classifier that reads w2 alone should be at chance (section 4).

DETECTION_METRICS = {"full": "detection", "partial": "detection_partial"}
"""Input of the classifier, both words (full) or the hypernym alone (partial) -> the metric of its decisions."""


def decided_right() -> pl.Expr:
    """Return whether the classifier decides rightly, of a row of DETECTIONS: 1 or 0, and 1/2 where p is 1/2, a guess."""
    towards = (pl.col("p") - 0.5).sign() * (2 * pl.col("label").cast(pl.Int8) - 1)
    return (towards + 1) / 2


def pair_unit() -> pl.Expr:
    """Return the unit of detection: fold, hyponym and hypernym."""
    return pl.format("{}:{}:{}", "fold", "hyponym", "hypernym")


def detection_values(detections: Detections) -> Metrics:
    """Return the share of the seeds whose classifier is right on each test pair, a row per input.

    >>> row = {"setting": "seen", "fold": 1, "input": "full", "hyponym": "robin", "hypernym": "fish", "label": 0}
    >>> seed_rows = [{**row, "category": "bird", "seed": seed, "p": p} for seed, p in ((1, 0.7), (2, 0.4))]
    >>> detection_values(pl.DataFrame(seed_rows)).rows()
    [('detection', 'seen', '1:robin:fish', 'bird', 0.5)]
    """
    metric = pl.col("input").replace_strict(DETECTION_METRICS)
    columns = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    right = detections.select(metric=metric, **columns, value=decided_right())
    key = ["metric", "condition", "unit", "cluster"]
    return right.group_by(key, maintain_order=True).agg(ordered_mean("value")).cast(METRICS)
