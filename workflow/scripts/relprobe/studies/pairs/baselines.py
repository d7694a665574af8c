"""Judgments without a language model: controls that do not know the pair, and measures of distributional inclusion."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.sources.word_frequency import frequency
from relprobe.stats.rankings import average_precision
from relprobe.studies.pairs.method import PAIR, judgment_table
from relprobe.studies.pairs.schemas import JUDGMENTS, Items, Judgments, Known, Probes

Control = Literal["static", "frequency", "typical", "yes", "inclusion"]
"""An agent that is no language model; all but inclusion do not know what is asked."""
CONTROLS = ("yes", "frequency", "typical", "static")
"""The controls of all models; static needs vectors."""
INCLUSION = "inclusion"
Pair = tuple[str, str, str]
"""The relation of a pair, and its two words."""
Scores: TypeAlias = dict[Pair, float | None]
Weights = NDArray[np.float64]


def baseline(
    items: Items,
    probes: Probes,
    known_relata: Known,
    vectors: StaticVectors | None,
    *,
    agent: Control,
    language: str,
    measures: Sequence[str] = (),
) -> Judgments:
    """Judge the pairs without a language model.

    - yes: to every pair; static: the cosine of its words; frequency: that of its second word, as a Zipf value;
    - typical: how near the words are, and how many other words have the second one as a relatum (`typical_scores`);
    - inclusion: an agent for each of `measures`, how far the first word's features are among the second one's.
    `known_relata`: what a resource knows of the relations. `language`: its code for frequencies.
    """
    pairs = list(items.select(PAIR).unique(maintain_order=True).iter_rows())
    if agent == "yes":
        return judgment_table(agent, dict.fromkeys(pairs, 1.0), probes, yes=1.0)
    if agent == "frequency":
        zipf = {word: frequency(word, "zipf", language=language) for word in {second for *_, second in pairs}}
        return judgment_table(agent, {pair: zipf[pair[2]] for pair in pairs}, probes)
    if agent == "typical":
        return judgment_table(agent, typical_scores(items, known_relata, vectors), probes)
    if vectors is None:
        raise ValueError(f"the agent {agent} needs static vectors")
    if agent == "static":
        return judgment_table(agent, cosines(pairs, vectors), probes)
    tables = [judgment_table(f"{agent} {name}", inclusion(pairs, vectors, name), probes) for name in measures]
    return pl.concat([pl.DataFrame(schema=JUDGMENTS), *tables])


def cosines(pairs: Sequence[Pair], vectors: StaticVectors) -> Scores:
    """Return the cosine of the two words of each pair; None where one has no vector."""
    unit = _units({word for _, *words in pairs for word in words}, vectors)
    scores = {pair: float(unit[pair[1]] @ unit[pair[2]]) for pair in pairs}
    return {pair: None if np.isnan(score) else score for pair, score in scores.items()}


def _units(words: set[str], vectors: StaticVectors) -> dict[str, NDArray[np.float32]]:
    listed = sorted(words)
    return dict(zip(listed, vectors.unit(listed), strict=True))


# Distributional inclusion: of a narrow word's features, how many has the broad one? The features of dense vectors are here
# the positive and the negative parts of their dimensions, as the measures are of weights that are not below 0.


def weeds_precision(narrow: Weights, broad: Weights) -> float:
    """Return the share of the narrow word's weights in features that the broad one has (Weeds and Weir 2003).

    >>> round(weeds_precision(np.array([3.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0])), 2)
    0.75
    """
    return float(narrow[broad > 0].sum() / narrow.sum())


def clarke_degree(narrow: Weights, broad: Weights) -> float:
    """Return the degree of inclusion Σ min(narrow, broad) / Σ narrow (Clarke 2009).

    >>> clarke_degree(np.array([3.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0]))
    0.25
    """
    return float(np.minimum(narrow, broad).sum() / narrow.sum())


def inverse_inclusion(narrow: Weights, broad: Weights) -> float:
    """Return invCL (Lenci and Benotto 2012): √(d (1 - e)), d the degree of narrow in broad, and e of broad in narrow.

    >>> round(inverse_inclusion(np.array([3.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0])) ** 2, 4)  # 1/4 · (1 - 1/3)
    0.1667
    """
    return float(np.sqrt(clarke_degree(narrow, broad) * (1 - clarke_degree(broad, narrow))))


MEASURES: Mapping[str, Callable[[Weights, Weights], float]] = {
    "weeds": weeds_precision,
    "clarke": clarke_degree,
    "invcl": inverse_inclusion,
}
"""Name -> the measure of inclusion."""


def inclusion(pairs: Sequence[Pair], vectors: StaticVectors, measure: str) -> Scores:
    """Return how far the features of the first word of each pair are among those of the second; None without vectors."""
    features = {word: _features(word, vectors) for _, *words in pairs for word in words}
    scores: Scores = {}
    for pair in pairs:
        narrow, broad = features[pair[1]], features[pair[2]]
        scores[pair] = None if narrow is None or broad is None else MEASURES[measure](narrow, broad)
    return scores


def _features(word: str, vectors: StaticVectors) -> Weights | None:
    vector = vectors.of(word)
    if vector is None or not vector.any():
        return None
    return np.concatenate([np.maximum(vector, 0), np.maximum(-vector, 0)]).astype(np.float64)


# The strong typical control: it has read the relata of all words but the one that is asked about.


Taste = tuple[float, float | None]
"""How much the words with a relatum count beside the cosine, and how near to the target these words must be: each counts
as the exponential of its cosine with the target, divided by this; all alike where it is None, and the nearest of them
alone, by its cosine, where it is 0."""
NEAREST = 0.0
WIDTHS: Sequence[float | None] = (None, 0.1, 0.06, NEAREST)
TASTES: Sequence[Taste] = [
    (0.0, None),
    *((weight, width) for width in (None, 0.1, 0.06) for weight in (0.02, 0.05, 0.1, 0.2, 0.5, 2.0)),
    *((weight, NEAREST) for weight in (0.5, 2.0, 100.0)),
]
"""What is tried; the first of equally good ones is taken."""
PRIOR = 0.5
"""A word that is a relatum of no other word counts as one of half a word."""


@dataclass(frozen=True)
class _Asked:
    """The pairs of a relation, (pairs,): the cosine of their words, and width -> the support of the second word."""

    pairs: Sequence[Pair]
    near: Weights
    supports: Mapping[float | None, Weights]

    def scores(self, taste: Taste) -> Weights:
        weight, width = taste
        scores: Weights = self.near + weight * self.supports[width] if weight else self.near
        return scores


def typical_scores(items: Items, known_relata: Known, vectors: StaticVectors | None) -> Scores:
    """Return how typical the second word is for words like the first one: its cosine, and a support of other words.

    The support is log((n s + ½) / (n + 1)): s is the share of other words that have the second word as a relatum, of n
    words. They are those of the resource and the other targets of the study, never the first word of the pair itself.
    They count more the nearer they are to it, or the nearest of them alone counts. How much that is (TASTES), the mean
    average precision of all other targets decides. Without vectors the support alone is the score.
    """
    scores: Scores = {}
    for (relation,), relation_items in items.group_by("relation", maintain_order=True):
        asked = _asked(str(relation), relation_items, known_relata, vectors)
        tastes = TASTES if vectors is not None else [(1.0, None)]
        values = np.stack([asked.scores(taste) for taste in tastes])
        columns = {pair: column for column, pair in enumerate(asked.pairs)}
        best = _best(values, relation_items, columns)
        for target, pair_relation, first, second in relation_items.select("target", *PAIR).iter_rows():
            pair = pair_relation, first, second
            value = float(values[best[target], columns[pair]])
            scores.setdefault(pair, None if np.isnan(value) else value)
    return scores


def _asked(relation: str, items: Items, known_relata: Known, vectors: StaticVectors | None) -> _Asked:
    """Return the pairs of a relation with their cosines and supports."""
    pairs = list(items.select(PAIR).unique(maintain_order=True).iter_rows())
    right = items.filter("label").select(target="first", relatum="second")
    relata = (
        pl.concat([known_relata.filter(relation=relation).select("target", "relatum"), right]).unique().sort(pl.all())
    )
    words = relata["target"].unique().sort().to_list()
    having: dict[str, list[int]] = {}
    row_of = {word: row for row, word in enumerate(words)}
    for target, relatum in relata.iter_rows():
        having.setdefault(relatum, []).append(row_of[target])
    if vectors is None:
        near = np.zeros(len(pairs))
        widths: Sequence[float | None] = (None,)
    else:
        near = np.array([np.nan if value is None else value for value in cosines(pairs, vectors).values()])
        widths = WIDTHS
    matrix = None if vectors is None else np.nan_to_num(vectors.unit(words)).astype(np.float64)
    supports = {width: np.empty(len(pairs)) for width in widths}
    rows: dict[str, list[int]] = {}
    for row, (_, first, _) in enumerate(pairs):
        rows.setdefault(first, []).append(row)
    for first, first_rows in rows.items():
        cosine = np.zeros(len(words))
        if matrix is not None and vectors is not None:
            cosine = matrix @ np.nan_to_num(vectors.unit([first])[0]).astype(np.float64)
        is_other = np.ones(len(words), bool)
        if first in row_of:
            is_other[row_of[first]] = False
        for width in widths:
            support = _nearest(cosine, is_other) if width == NEAREST else _log_share(cosine, is_other, width)
            for row in first_rows:
                supports[width][row] = support(having.get(pairs[row][2], []))
    return _Asked(pairs, near, supports)


def _nearest(cosine: Weights, is_other: NDArray[np.bool_]) -> Callable[[Sequence[int]], float]:
    """Return a function of the words with a relatum: the cosine of the nearest of them; -1 without any."""
    values = np.where(is_other, cosine, -1.0)
    return lambda rows: float(values[rows].max(initial=-1.0))


def _log_share(cosine: Weights, is_other: NDArray[np.bool_], width: float | None) -> Callable[[Sequence[int]], float]:
    """Return a function of the words with a relatum: log((n s + ½) / (n + 1)), s their share of all n words."""
    shares = np.where(is_other, 1.0 if width is None else np.exp(cosine / width), 0.0)
    total, number = float(shares.sum()), len(shares)

    def support(rows: Sequence[int]) -> float:
        owned = float(shares[rows].sum()) / total if total else 0.0
        return float(np.log((number * owned + PRIOR) / (number + 1)))

    return support


def _best(values: Weights, items: Items, columns: Mapping[Pair, int]) -> dict[str, int]:
    """Return for each target the row of `values` with the highest mean average precision over all other targets.

    `values`: the scores of each taste, (tastes, pairs); `columns`: pair -> its column.
    """
    scores = np.nan_to_num(values, nan=-np.inf)
    labelled = items.filter(pl.col("label").is_not_null())
    totals = {str(target): np.zeros(len(values)) for target in items["target"].unique(maintain_order=True)}
    for (_, target), pairs in labelled.group_by("condition", "target", maintain_order=True):
        right = pairs["label"].to_numpy()
        if right.any() and not right.all():
            target_columns = [columns[pair] for pair in pairs.select(PAIR).iter_rows()]
            totals[str(target)] += [average_precision(row[target_columns], right) for row in scores]
    grand_total = sum(totals.values(), np.zeros(len(values)))
    return {target: int(np.argmax(np.round(grand_total - target_total, 9))) for target, target_total in totals.items()}
