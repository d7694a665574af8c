"""The decisions of each agent, and how systematic they are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.core.sums import ordered_mean, ordered_product
from relprobe.lm.participants.replies import Replies
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.sources.word_frequency import most_frequent
from relprobe.studies.letters import readable
from relprobe.studies.systematicity.ask import OPEN_KINDS
from relprobe.studies.systematicity.data import with_category
from relprobe.studies.systematicity.replies import reply_choices
from relprobe.studies.systematicity.schemas import (
    COMPLETE,
    EMBEDDINGS,
    METRICS,
    SCORES,
    VERIFY,
    Contexts,
    Detections,
    Embeddings,
    Errors,
    Items,
    Metrics,
    Pairs,
    Probes,
    ReplyChoices,
    Scores,
)

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

    from relprobe.sources.lexical.wordnet import WordNetReader


# Which words an agent ranks first, where several may have equal scores.


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
    own = long.filter(pl.col("words") == pl.col("gold")).select("row", own="scores")
    above, beside = (pl.col("scores") > pl.col("own")).sum(), (pl.col("scores") == pl.col("own")).sum()
    counts = long.join(own, on="row").group_by("row").agg(share=((k - above.cast(pl.Float64)) / beside).clip(0, 1))
    every = pl.DataFrame({"row": pl.int_range(rows.height, dtype=pl.UInt32, eager=True)})
    return every.join(counts, on="row", how="left", maintain_order="left")["share"].fill_null(0.0)


def with_ranking(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Add the column `ranking` to rows with probe_id, words and scores: the likeliest word first, to show answers.

    Words of equal scores have an order that is drawn by the seed and the probe, whatever their order in the
    configuration. All agents have the same draw. Values come from no draw (`first_share`).

    >>> rows = pl.DataFrame({"probe_id": ["p"], "words": [["bird", "fish", "tool"]], "scores": [[-2.0, -3.0, -1.0]]})
    >>> with_ranking(rows, seed=1)["ranking"].to_list()
    [['tool', 'bird', 'fish']]
    """
    order = pl.col("scores").list.eval(pl.element().arg_sort(descending=True))
    ranked = rows.with_columns(ranking=pl.col("words").list.gather(order))
    tied = ranked.select(pl.col("scores").list.n_unique() < pl.col("scores").list.len()).to_series()
    if not tied.any():
        return ranked
    columns = rows.select("probe_id", "words", "scores").iter_rows()
    drawn = [
        _drawn(probe_id, words, scores, seed) if is_tied else ranking
        for is_tied, ranking, (probe_id, words, scores) in zip(tied, ranked["ranking"], columns, strict=True)
    ]
    return ranked.with_columns(ranking=pl.Series(drawn, dtype=pl.List(pl.String)))


def _drawn(probe_id: str, words: list[str], scores: list[float], seed: int) -> list[str]:
    draw = random.Random(f"{seed} {probe_id}")  # noqa: S311
    in_order = sorted(zip(words, scores, strict=True))
    shuffled = draw.sample(in_order, len(words))
    return [word for word, _ in sorted(shuffled, key=lambda pair: -pair[1])]


# The metrics of section 3.1 and the accuracy of section 4, a row per unit.
# The cluster of a hyponym, and of a pair of the classifier, is the category of the hyponym. All hyponyms of a category
# share the right answer, so that an agent that likes to say "bird" is right for all birds; and a classifier judges all
# pairs of a category by the same few vectors of hypernyms.


CONTROL = "control_"
END = {"slot": "", "sentence": "_sentence"}
"""Method of a score -> the end of the names of its metrics."""


@dataclass(frozen=True)
class Accuracy(Metric):
    """A metric whose values say right (1) or wrong (0), so that its test in the paper columns is McNemar's.

    `title` is that of its panel; a metric without one stands in the tables alone. `published`: the quantity among the
    published figures. `first`: the category must be among so many first words of the whole vocabulary. `parts`: the metrics
    that must all be right. `input`: the input of the classifier whose decisions are measured.
    """

    test: Literal["McNemar", "Wilcoxon"] | None = "McNemar"
    items: str = "hyponyms"
    cluster: tuple[str, ...] = ("cluster",)
    clusters: str = "categories"
    published: str = ""
    first: int = 0
    parts: tuple[str, ...] = ()
    input: str = ""


@dataclass(frozen=True)
class Detection(Accuracy):
    """The share of the seeds whose classifier is right on a pair. It is no 0 or 1, so the simple test is Wilcoxon's."""

    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"
    items: str = "pairs"
    share: bool = True


VERIFIED = {"singular": "verified_singular", "plural": "verified_plural"}
"""Number -> the metric of agents that are asked whether a hyponym is of a category (`choices.choice_metrics`)."""
MEASURES = (
    Accuracy("open@1", "open vocabulary, first answer", first=1, published="open vocabulary precision@1 (%)"),
    Accuracy("open@5", "open vocabulary, first five", first=5, published="open vocabulary precision@5 (%)"),
    Accuracy("singular", "singular", published="singular accuracy (%)"),
    Accuracy("plural", "plural", published="plural accuracy (%)"),
    Accuracy("contextual", "contextual", published="contextual accuracy (%)"),
    Accuracy(
        *("singular_plural", "singular and plural"),
        parts=("singular", "plural"),
        published="paired singular-plural accuracy (%)",
    ),
    Accuracy(
        *("aggregate", "all three"),
        parts=("singular", "plural", "contextual"),
        published="paired aggregate accuracy (%)",
    ),
    Accuracy("singular_sentence"),
    Accuracy("plural_sentence"),
    Accuracy("contextual_sentence"),
    Accuracy("singular_plural_sentence", parts=("singular_sentence", "plural_sentence")),
    Accuracy("aggregate_sentence", parts=("singular_sentence", "plural_sentence", "contextual_sentence")),
    *(Accuracy(name) for name in VERIFIED.values()),
    Detection("detection", input="full"),
    Detection("detection_partial", input="partial"),
)
"""The metrics of the study, in the order of the overview (Table 2); `cloze` and `detection` say how each is computed."""
MOST = 0.5
"""A hyponym is recognised if more than this share of its answers are right; most agents have one answer."""
OPEN = {metric.name: metric.first for metric in MEASURES if metric.first}
PAIRED = {metric.name: metric.parts for metric in sorted(MEASURES, key=lambda one: len(one.parts)) if metric.parts}
"""Paired metric -> the metrics that must all be right; those of two come first."""
OF_INPUT = {metric.input: metric.name for metric in MEASURES if metric.input}


def metrics(scores: Scores, probes: Probes, item_table: Items, detections: Detections | None = None) -> Metrics:
    """Measure an agent: its answers to the diagnostics, and its classifier, if it has one."""
    parts = [cloze(scores, probes, item_table)]
    return pl.concat(parts if detections is None else [*parts, detection(detections)])


def control_metrics(
    item_table: Items,
    scores: Scores | None = None,
    probes: Probes | None = None,
    vectors: Vectors | None = None,
    pairs: Pairs | None = None,
) -> Metrics:
    """Measure a control: what a model says to `probes` without a relation, what `vectors` look up, or else `majority`.

    `scores`: what the model says. DataError: there are neither pairs, nor the probes with scores or vectors.
    """
    if scores is not None and probes is not None:
        return cloze(scores, probes, item_table, control=True)
    if vectors is not None and probes is not None:
        return cloze(nearest_scores(vectors, probes, item_table), probes, item_table)
    if pairs is None:
        raise DataError("a control has the probes with scores or vectors, or else the pairs: name these files.")
    return majority(item_table, pairs)


def cloze(scores: Scores, probes: Probes, items: Items, *, control: bool = False) -> Metrics:
    """Return the metrics of the scores of the main diagnostics or, with `control`, of their controls.

    - open@k: the category is among the k first words of the whole vocabulary. A category that is no word of the vocabulary
      has no unit.
    - singular, plural, contextual: the likeliest of the categories at the slot is the right one, whatever the agent.
      singular_sentence, plural_sentence, contextual_sentence: the same by the full sentence, of agents that have scores of
      it; where nothing follows the slot, the slot has that score.
    - singular_plural, aggregate, and both with _sentence: all parts are right (Table 2).

    Words of equal scores count by their mean over all orders (`ranking.first_share`): each of two likeliest ones has 1/2.
    The orders of different probes are independent, so that the values of parts multiply.

    >>> item = {"set": "s", "hyponym": "robin", "category": "bird", "category_plural": "birds"}
    >>> probe = {"probe_id": "1", "set": "s", "hyponym": "robin", "kind": "singular", "prompt": "paper", "main": True}
    >>> score = {"probe_id": "1", "words": ["fish", "bird"], "scores": [-2.0, -1.0], "tokens": [], "unknown": []}
    >>> scores = pl.DataFrame([{**score, "method": "slot"}, {**score, "method": "open", "scores": [-1, -2]}])
    >>> table = cloze(scores, pl.DataFrame([probe]), pl.DataFrame([item]))
    >>> table.drop("condition").rows()
    [('open@1', 'robin', 'bird', 0.0), ('open@5', 'robin', 'bird', 1.0), ('singular', 'robin', 'bird', 1.0)]
    """
    rows = with_gold(scores, probes, items).filter((pl.col("control") == control) & pl.col("main"))
    right = {
        f"{kind}{END[method]}": part.select("set", "hyponym", value="right")
        for method in END
        for (kind,), part in closed_answers(rows, method).group_by("kind", maintain_order=True)
    }
    for name, parts in PAIRED.items():
        if set(parts) <= set(right):
            right[name] = _product([right[part] for part in parts])
    units = [table.with_columns(metric=pl.lit(name)) for name, table in right.items()]
    precisions = [_precision(open_answers(rows), name, k) for name, k in OPEN.items()]
    columns = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "cluster": pl.col("category")}
    columns["value"] = pl.col("value").cast(pl.Float64)
    category = items.select("set", "hyponym", "category")
    tables = [table.join(category, on=["set", "hyponym"], maintain_order="left") for table in [*precisions, *units]]
    return pl.concat([table.select("metric", **columns) for table in tables])


def with_gold(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    """Return the scores, a row per probe and method, with set, hyponym, kind, prompt, main, control, category and `gold`.

    `gold` is the right word. `control` says whether the probe is a control; its `kind` is then that of the diagnostic which
    it controls.
    """
    columns = items.select("set", "hyponym", "category", "category_plural")
    asked = probes.select("probe_id", "set", "hyponym", "kind", "prompt", "main").join(columns, on=["set", "hyponym"])
    kind = pl.col("kind").str.strip_prefix(CONTROL)
    asked = asked.with_columns(
        kind=kind,
        control=pl.col("kind").str.starts_with(CONTROL),
        gold=pl.when(kind == "plural").then("category_plural").otherwise("category"),
    )
    return _united(scores).join(asked, on="probe_id", maintain_order="left")


def _united(scores: Scores) -> Scores:
    """Put the rows of a probe's single candidates together."""
    several = pl.len().over("probe_id", "method") > 1
    if not scores.select(several.any()).item():
        return scores
    of_one = scores.filter(several).group_by("probe_id", "method", maintain_order=True)
    lists = pl.col("words", "scores", "tokens").explode()
    return pl.concat([scores.filter(~several), of_one.agg(lists, pl.col("unknown").first()).select(scores.columns)])


def closed_answers(rows: pl.DataFrame, method: str) -> pl.DataFrame:
    """Return the rows of `with_gold` that choose among the categories by a method, with `right`, from 0 to 1.

    By the sentence, a row of the slot stands for a probe without text after its slot, if the agent has scores of sentences.
    """
    is_sentence = pl.col("method") == "sentence"
    of_method = rows.filter(pl.col("method") == "slot")
    if method == "sentence":
        by_sentence = rows.filter(is_sentence)
        if by_sentence.is_empty():
            return by_sentence.with_columns(right=pl.lit(0.0))
        kinds = by_sentence["kind"].unique().to_list()
        at_the_end = of_method.join(by_sentence, on="probe_id", how="anti").filter(pl.col("kind").is_in(kinds))
        of_method = pl.concat([by_sentence, at_the_end])
    return of_method.with_columns(first_share(of_method).alias("right"))


def open_answers(rows: pl.DataFrame) -> pl.DataFrame:
    """Return those of `with_gold`'s rows that answer from the whole vocabulary, if the right word is in the vocabulary."""
    return rows.filter(method="open").filter(~pl.col("unknown").list.contains(pl.col("gold")))


def _precision(rows: pl.DataFrame, metric: str, k: int) -> pl.DataFrame:
    return rows.select("set", "hyponym", value=first_share(rows, k), metric=pl.lit(metric))


def _product(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return set, hyponym and value: the product of the values of all parts, for the units that they all have."""
    together = pl.concat(parts).group_by("set", "hyponym", maintain_order=True).agg(ordered_product("value"), pl.len())
    return together.filter(len=len(parts)).drop("len")


def detection(detections: Detections) -> Metrics:
    """Return the share of the seeds whose classifier is right on each test pair, by both inputs.

    >>> row = {"setting": "seen", "fold": 1, "input": "full", "hyponym": "robin", "hypernym": "fish", "label": 0}
    >>> of_seeds = [{**row, "category": "bird", "seed": seed, "p": p} for seed, p in ((1, 0.7), (2, 0.4))]
    >>> detection(pl.DataFrame(of_seeds)).rows()
    [('detection', 'seen', '1:robin:fish', 'bird', 0.5)]
    """
    metric = pl.col("input").replace_strict(OF_INPUT)
    about = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    right = detections.select(metric=metric, **about, value=decided_right())
    key = ["metric", "condition", "unit", "cluster"]
    return right.group_by(key, maintain_order=True).agg(ordered_mean("value")).cast(METRICS)


def decided_right() -> pl.Expr:
    """Say whether the classifier decides rightly, of a row of DETECTIONS: 1 or 0, and 1/2 where p is 1/2, a guess."""
    towards = (pl.col("p") - 0.5).sign() * (2 * pl.col("label").cast(pl.Int8) - 1)
    return (towards + 1) / 2


def pair_unit() -> pl.Expr:
    """Name the unit of detection: fold, hyponym and hypernym."""
    return pl.format("{}:{}:{}", "fold", "hyponym", "hypernym")


# The majority baseline (sections 3.2 and 4). Static vectors follow below, and the control is a kind of probe.


def majority(item_table: Items, pairs: Pairs) -> Metrics:
    """Measure the baseline that always answers with the test's most frequent category, or label.

    The baseline gives one constant answer to all diagnostics. For the paired metrics it is the most frequent category among
    the items that have all of their diagnostics (section 3.2, Tables 2 and 4). Of m equally frequent categories, each counts
    as the answer in 1 of m cases.
    """
    parts = []
    for metric in ("singular", "plural", "singular_plural", "contextual", "aggregate"):
        needs_context = metric in ("contextual", "aggregate")
        rows = item_table.filter(pl.col("sentence").is_not_null()) if needs_context else item_table
        right = _most_frequent(rows, "category", "set")
        about = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "cluster": pl.col("category")}
        parts.append(rows.select(metric=pl.lit(metric), **about, value=right))
    tested = with_category(pairs).filter(part="test")
    right = _most_frequent(tested, "label", "setting", "fold")
    about = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    parts.append(tested.select(metric=pl.lit("detection"), **about, value=right))
    return pl.concat(parts).select(list(METRICS)).cast(METRICS)


def _most_frequent(table: pl.DataFrame, column: str, *groups: str) -> pl.Series:
    """Return, per row, 1 / m if its value of `column` is one of the m most frequent ones of its groups, else 0."""
    counts = table.group_by(*groups, column).len()
    top = counts.filter(pl.col("len") == pl.col("len").max().over(groups))
    shares = top.with_columns(share=1.0 / pl.len().over(groups)).drop("len")
    return table.join(shares, on=[*groups, column], how="left", maintain_order="left")["share"].fill_null(0.0)


# The choices of an agent that takes people's task, in the metrics of the study.


ANSWER = ["set", "hyponym", "order", "sample"]
"""What answers of a hyponym in several diagnostics share, which are measured together."""


class TakerTables(NamedTuple):
    """The choices of a model that takes people's task, and its values."""

    reply_choices: ReplyChoices
    metrics: Metrics


def taker_metrics(
    replies: Replies,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
) -> TakerTables:
    """Read the choices in the replies of a model, and measure them (`choice_metrics`)."""
    chosen = reply_choices(replies, item_table, probes, categories=categories, seed=seed, orders=orders)
    return TakerTables(chosen, choice_metrics(chosen, item_table))


def choice_metrics(choices: ReplyChoices, item_table: Items) -> Metrics:
    """Measure the choices of an agent. A value is the share of right answers of a hyponym, over all orders and samples.

    - singular, plural, contextual: the category that completes the sentence is the right one.
    - singular_plural, aggregate: the answers of all parts are right, in the same order and sample (Table 2).
    - verified_singular, verified_plural: yes to the right category and no to the foil, in the same order and sample. Who
      always says the same has 0.

    The agent chooses among the categories, so that it has no open answers, no scores of sentences, and no states for a
    classifier. An answer that cannot be read is a wrong one; a task of which too many cannot be read (`letters.readable`)
    has no values.

    >>> about = {"set": "own", "hyponym": "robin", "task": "complete", "sample": 1, "choice": "bird"}
    >>> answers = [("singular", 1, True), ("plural", 1, True), ("singular", 2, True), ("plural", 2, False)]
    >>> rows = [{**about, "kind": kind, "order": order, "right": right} for kind, order, right in answers]
    >>> items = pl.DataFrame({"set": ["own"], "hyponym": ["robin"], "category": ["bird"]})
    >>> choice_metrics(pl.DataFrame(rows), items).select("metric", "unit", "value").rows()
    [('singular', 'robin', 1.0), ('plural', 'robin', 0.5), ('singular_plural', 'robin', 0.5)]
    """
    choices = readable(choices)
    if choices.is_empty():
        return pl.DataFrame(schema=METRICS)
    complete, verify = (choices.filter(task=task) for task in (COMPLETE, VERIFY))
    parts = [(str(kind), rows) for (kind,), rows in complete.group_by("kind", maintain_order=True)]
    kinds = {kind for kind, _ in parts}
    parts += [
        (name, _all_right(complete.filter(pl.col("kind").is_in(of)), len(of)))
        for name, of in PAIRED.items()
        if set(of) <= kinds
    ]
    parts += [
        (VERIFIED[str(kind)], _all_right(rows, 2)) for (kind,), rows in verify.group_by("kind", maintain_order=True)
    ]
    shares = [
        rows.group_by("set", "hyponym", maintain_order=True).agg(metric=pl.lit(name), value=ordered_mean("right"))
        for name, rows in parts
    ]
    table = pl.concat(shares).join(
        item_table.select("set", "hyponym", "category"), on=["set", "hyponym"], how="left", maintain_order="left"
    )
    return table.select("metric", condition="set", unit="hyponym", cluster="category", value="value").cast(METRICS)  # type: ignore[arg-type]


def _all_right(rows: pl.DataFrame, answers: int) -> pl.DataFrame:
    """Return whether all of so many answers in one order and sample are right, where the agent was asked for all of them."""
    together = rows.group_by(ANSWER, maintain_order=True).agg(pl.col("right").all(), pl.len())
    return together.filter(len=answers).drop("len")


# The kinds of errors of section 3.3, decided automatically: what a model answers where it misses the category.


KINDS = ("hyponym", "hypernym", "generic", "fragment", "unknown")
"""The kinds, in the order in which `kind` tries them."""
CONTENTLESS = frozenset(
    (
        *("noun", "verb", "adjective", "adverb", "pronoun", "singular", "plural", "word", "name", "term", "title"),
        *("phrase", "synonym", "symbol", "letter", "type", "kind", "sort", "form", "variety", "species", "genus"),
        *("example", "member"),
    )
)
"""Generic answers about the word itself ("an imaret is a noun"), or that need another after them ("a robin is a type …")."""
GENERIC_DEPTH = 4
"""Hypernyms at most so many steps below WordNet's root are generic, too: entity, object, thing, whole, substance, …"""
FRAGMENT_LETTERS = 3
"""Letters of the shortest fragment: "pen" of "penknife"."""
EXAMPLES = 3


def kind(wordnet: WordNetReader, hyponym: str, answer: str) -> str:
    """Return the kind of a wrong answer to "A HYPONYM is a …".

    - hyponym: the word itself;
    - hypernym: a hypernym of any noun sense in WordNet;
    - generic: a hypernym near WordNet's root, or one of CONTENTLESS;
    - fragment: a subword that begins or ends the hyponym ("a penknife is a pen") and is none of the kinds above, as a right
      fragment is a hypernym ("a steamboat is a boat");
    - unknown: any other answer.
    """
    word = " ".join(answer.lower().replace("_", " ").split())
    if word == hyponym.lower():
        return "hyponym"
    above = _hypernyms(wordnet, hyponym)
    if word in above:
        return "hypernym" if above[word] > GENERIC_DEPTH else "generic"
    if word in CONTENTLESS:
        return "generic"
    piece = word.removeprefix("##")
    if len(piece) >= FRAGMENT_LETTERS and (hyponym.lower().startswith(piece) or hyponym.lower().endswith(piece)):
        return "fragment"
    return "unknown"


def _hypernyms(wordnet: WordNetReader, hyponym: str) -> dict[str, int]:
    """Return the words above all noun senses of a word, and how many steps the deepest synset of each is below the root."""
    above: dict[str, int] = {}
    senses = wordnet.senses(hyponym, "n")
    if not senses and hyponym.islower():  # five released hyponyms are names in lower case
        senses = list(wordnet.synsets(hyponym.replace(" ", "_"), "n"))
    for sense in senses:
        for synset in sense.closure(_up):
            for name in synset.lemma_names():
                word = name.replace("_", " ").lower()
                above[word] = max(above.get(word, 0), synset.min_depth())
    return above


def _up(synset: Synset) -> list[Synset]:
    return synset.hypernyms() + synset.instance_hypernyms()


def error_kinds(wordnet: WordNetReader, scores: Mapping[str, Scores], probes: Probes, items: Items) -> Errors:
    """Return, per set, agent and kind, the wrong first answers where the vocabulary is open: number, share, examples.

    The answers are those of the units of open@1: a model cannot answer with a category that is no word of its vocabulary.
    (The paper's authors judged 50 answers by hand.) `frequent` is the most frequent answer of a kind, `second` the next one
    (of equally frequent ones the first by name), and `frequent_share` and `second_share` are their shares of that kind; the
    paper has "horse" and "dog" for unknown answers (section 3.3).
    """
    wrong = pl.concat(
        [_wrong(table, probes, items).with_columns(agent=pl.lit(agent)) for agent, table in scores.items()]
    )
    pairs = {pair: kind(wordnet, *pair) for pair in wrong.select("hyponym", "answer").unique().iter_rows()}
    kinds = [pairs[pair] for pair in wrong.select("hyponym", "answer").iter_rows()]
    named = wrong.with_columns(kind=pl.Series(kinds, dtype=pl.String))
    key = ["set", "agent"]
    example = pl.format("{}: {}", "hyponym", "answer")
    table = named.group_by(*key, "kind", maintain_order=True).agg(
        errors=pl.len(), examples=example.head(EXAMPLES).str.join("; ")
    )
    table = table.with_columns(share=pl.col("errors") / pl.col("errors").sum().over(key))
    counts = named.group_by(*key, "kind", "answer").len().sort("len", "answer", descending=[True, False])
    for place, name in enumerate(("frequent", "second")):
        of_kind = counts.group_by(*key, "kind", maintain_order=True)
        of_place = of_kind.agg(
            pl.col("answer").get(place, null_on_oob=True).alias(name),
            (pl.col("len").get(place, null_on_oob=True) / pl.col("len").sum()).alias(f"{name}_share"),
        )
        table = table.join(of_place, on=[*key, "kind"], how="left", maintain_order="left")
    columns = [*key, "kind", "errors", "share", "frequent", "frequent_share", "second", "second_share", "examples"]
    agents = pl.Enum(list(scores))
    return table.select(columns).sort("set", pl.col("agent").cast(agents), pl.col("kind").cast(pl.Enum(KINDS)))


def _wrong(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    rows = open_answers(with_gold(scores, probes, items)).filter(~pl.col("control"))
    first = rows.with_columns(answer=pl.col("words").list.first())
    return first.filter(pl.col("answer") != pl.col("gold")).select("set", "hyponym", "answer")


# The baseline of static vectors, which have one vector per word whatever its context (sections 3.2 and 4).


VOCABULARY = 30_000
"""Words that static vectors choose from where the vocabulary is open. BERT's vocabulary, the paper's list of candidates, has
about as many; these do not depend on the models of a study."""


class Static(NamedTuple):
    """What static vectors answer, and the vectors of the contexts' words."""

    scores: Scores
    embeddings: Embeddings


def static(vectors: Vectors, probes: Probes, contexts: Contexts, *, top_k: int) -> Static:
    """Score the probes and embed the words with static vectors, the baseline that knows no context (section 3.2)."""
    return Static(static_scores(vectors, probes, top_k), static_embeddings(vectors, contexts))


def static_scores(vectors: StaticVectors, probes: Probes, top_k: int) -> Scores:
    """Return the scores of static vectors: the cosine of a word with the hyponym, in the number of the probe.

    The vectors have scores of the main singular and plural probes alone, as a prompt changes nothing for them. Where the
    vocabulary is open, they choose among the most frequent English words (`wordfreq`) that have a vector, and the hyponym
    itself is one of these. A hyponym without a vector has no rows.
    """
    words, matrix = _vocabulary(vectors)
    in_vocabulary = set(words)
    of_numbers = probes.filter(pl.col("kind").is_in(["singular", "plural"]) & pl.col("main"))
    lists = {tuple(candidates) for candidates in of_numbers["candidates"]}
    categories = {candidates: vectors.unit(candidates) for candidates in lists}
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    about = of_numbers.select("probe_id", "kind", "candidates").iter_rows()
    for (probe_id, kind, candidates), own in zip(about, vectors.unit(of_numbers["word"]), strict=True):
        if np.isnan(own[0]):
            continue
        scores = categories[tuple(candidates)] @ own
        if not np.isnan(scores).any():
            rows.append((probe_id, "slot", candidates, scores.tolist(), [], []))
        if kind in OPEN_KINDS:
            cosines = matrix @ own
            best = np.argsort(-cosines, kind="stable")[:top_k]
            unknown = [word for word in candidates if word not in in_vocabulary]
            rows.append((probe_id, "open", [words[i] for i in best], cosines[best].tolist(), [], unknown))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def nearest_scores(vectors: StaticVectors, probes: Probes, items: Items) -> Scores:
    """Return the scores of a look-up of similar words: of each category, the cosine of its nearest hyponym with this one.

    The hyponym itself is left out: what is looked up is the other hyponyms of the set of items, in the number of the probe.
    A category that no other hyponym has scores −1, the least cosine. A probe without a vector of its word has no rows.

    >>> probes = [(f"s:singular:{word}", "s", "singular", word, ["bird", "fish"]) for word in ("robin", "wren", "cod")]
    >>> names = ["probe_id", "set", "kind", "word", "candidates"]
    >>> asked = pl.DataFrame(probes, schema=names, orient="row").with_columns(main=True, hyponym="word")
    >>> kinds = {"set": "s", "hyponym": ["robin", "wren", "cod"], "category": ["bird", "bird", "fish"]}
    >>> items = pl.DataFrame(kinds).with_columns(category_plural=pl.format("{}s", "category"))
    >>> space = StaticVectors({"robin": 0, "wren": 1, "cod": 2}, np.array([[1, 0], [3, 4], [0, 1]], np.float32))
    >>> nearest_scores(space, asked, items)["scores"].to_list()[2]  # of the cod: the wren is the nearest bird
    [0.800000011920929, -1.0]
    """
    of_numbers = probes.filter(pl.col("kind").is_in(["singular", "plural"]) & pl.col("main"))
    gold = pl.when(pl.col("kind") == "plural").then("category_plural").otherwise("category")
    known = of_numbers.join(items, on=["set", "hyponym"], maintain_order="left").with_columns(gold=gold)
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    there = ~np.isnan(vectors.unit(known["word"])[:, 0])
    for asked in known.filter(there).partition_by("set", "kind", maintain_order=True):
        units = vectors.unit(asked["word"])
        cosines = units @ units.T
        np.fill_diagonal(cosines, -np.inf)
        of_category = {name: asked["gold"].to_numpy() == name for name in asked["gold"].unique()}
        for row, (probe_id, candidates) in zip(
            cosines, asked.select("probe_id", "candidates").iter_rows(), strict=True
        ):
            best = [
                max(float(row[of_category[name]].max()), -1.0) if name in of_category else -1.0 for name in candidates
            ]
            rows.append((probe_id, "slot", candidates, best, [], []))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def _vocabulary(vectors: StaticVectors) -> tuple[list[str], NDArray[np.float32]]:
    """Return the frequent words that have a vector, and their vectors at length 1, shape (words, width)."""
    words = most_frequent(VOCABULARY, language="en")
    matrix = vectors.unit(words)
    has_vector = ~np.isnan(matrix[:, 0])
    return [word for word, there in zip(words, has_vector, strict=True) if there], matrix[has_vector]


def static_embeddings(vectors: StaticVectors, contexts: Contexts) -> Embeddings:
    """Return the vectors of the contexts' words; the context of a word without a vector has no row."""
    rows = [
        (number, vector.tolist())
        for number, word in contexts.select("context", "word").iter_rows()
        for vector in [vectors.of(word)]
        if vector is not None
    ]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")
