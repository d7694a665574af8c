"""The metrics of section 3.1 and the accuracy of section 4, a row per unit.

The cluster of a hyponym, and of a pair of the classifier, is the category of the hyponym. All hyponyms of a category share
the right answer, so that an agent that likes to say "bird" is right for all birds; and a classifier judges all pairs of a
category by the same few vectors of hypernyms.
"""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from relprobe.core.metric import Metric
from relprobe.studies.systematicity.measure.ranking import first_share
from relprobe.studies.systematicity.schemas import METRICS, Detections, Items, Metrics, Probes, Scores

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


def metrics(
    scores: Scores,
    probes: Probes,
    item_table: Items,
    detections: Detections | None = None,
    *,
    control: bool = False,
) -> Metrics:
    """Measure an agent: its answers to the diagnostics and its classifier, or its answers to the controls alone."""
    parts = [cloze(scores, probes, item_table, control=control)]
    return pl.concat(parts if detections is None else [*parts, detection(detections)])


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
            right[name] = _in_all([right[part] for part in parts])
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


def _in_all(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return set, hyponym and value: the product of the values of all parts, for the units that they all have."""
    together = pl.concat(parts).group_by("set", "hyponym", maintain_order=True).agg(pl.col("value").product(), pl.len())
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
    return right.group_by(key, maintain_order=True).agg(pl.col("value").mean()).cast(METRICS)


def decided_right() -> pl.Expr:
    """Say whether the classifier decides rightly, of a row of DETECTIONS: 1 or 0, and 1/2 where p is 1/2, a guess."""
    towards = (pl.col("p") - 0.5).sign() * (2 * pl.col("label").cast(pl.Int8) - 1)
    return (towards + 1) / 2


def pair_unit() -> pl.Expr:
    """Name the unit of detection: fold, hyponym and hypernym."""
    return pl.format("{}:{}:{}", "fold", "hyponym", "hypernym")
