"""The baselines of section 3.2 that are no language models: the majority, static vectors, and the nearest hyponym."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.sources.word_frequency import most_frequent
from relprobe.studies.systematicity.method import OPEN_KINDS, pair_unit, with_category
from relprobe.studies.systematicity.schemas import (
    EMBEDDINGS,
    METRICS,
    SCORES,
    Contexts,
    Embeddings,
    Items,
    Metrics,
    Pairs,
    Probes,
    Scores,
)

# The majority, which always gives one answer.


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
        columns = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "cluster": pl.col("category")}
        parts.append(rows.select(metric=pl.lit(metric), **columns, value=right))
    tested = with_category(pairs).filter(part="test")
    right = _most_frequent(tested, "label", "setting", "fold")
    columns = {"condition": pl.col("setting"), "unit": pair_unit(), "cluster": pl.col("category")}
    parts.append(tested.select(metric=pl.lit("detection"), **columns, value=right))
    return pl.concat(parts).select(list(METRICS)).cast(METRICS)


def _most_frequent(table: pl.DataFrame, column: str, *groups: str) -> pl.Series:
    """Return, per row, 1 / m if its value of `column` is one of the m most frequent ones of its groups, else 0."""
    counts = table.group_by(*groups, column).len()
    top = counts.filter(pl.col("len") == pl.col("len").max().over(groups))
    shares = top.with_columns(share=1.0 / pl.len().over(groups)).drop("len")
    return table.join(shares, on=[*groups, column], how="left", maintain_order="left")["share"].fill_null(0.0)


# Static vectors, which have one vector per word whatever its context (sections 3.2 and 4).


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
    number_probes = probes.filter(pl.col("kind").is_in(["singular", "plural"]) & pl.col("main"))
    lists = {tuple(candidates) for candidates in number_probes["candidates"]}
    categories = {candidates: vectors.unit(candidates) for candidates in lists}
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    probe_rows = number_probes.select("probe_id", "kind", "candidates").iter_rows()
    for (probe_id, kind, candidates), vector in zip(probe_rows, vectors.unit(number_probes["word"]), strict=True):
        if np.isnan(vector[0]):
            continue
        scores = categories[tuple(candidates)] @ vector
        if not np.isnan(scores).any():
            rows.append((probe_id, "slot", candidates, scores.tolist(), [], []))
        if kind in OPEN_KINDS:
            cosines = matrix @ vector
            best = np.argsort(-cosines, kind="stable")[:top_k]
            unknown = [word for word in candidates if word not in in_vocabulary]
            rows.append((probe_id, "open", [words[i] for i in best], cosines[best].tolist(), [], unknown))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def _vocabulary(vectors: StaticVectors) -> tuple[list[str], NDArray[np.float32]]:
    """Return the frequent words that have a vector, and their vectors at length 1, shape (words, width)."""
    words = most_frequent(VOCABULARY, language="en")
    matrix = vectors.unit(words)
    has_vector = ~np.isnan(matrix[:, 0])
    return [word for word, present in zip(words, has_vector, strict=True) if present], matrix[has_vector]


def static_embeddings(vectors: StaticVectors, contexts: Contexts) -> Embeddings:
    """Return the vectors of the contexts' words; the context of a word without a vector has no row."""
    rows = [
        (number, vector.tolist())
        for number, word in contexts.select("context", "word").iter_rows()
        for vector in [vectors.of(word)]
        if vector is not None
    ]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")


# The most similar of the other hyponyms.


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
    number_probes = probes.filter(pl.col("kind").is_in(["singular", "plural"]) & pl.col("main"))
    gold = pl.when(pl.col("kind") == "plural").then("category_plural").otherwise("category")
    with_gold = number_probes.join(items, on=["set", "hyponym"], maintain_order="left").with_columns(gold=gold)
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    has_vector = ~np.isnan(vectors.unit(with_gold["word"])[:, 0])
    for asked in with_gold.filter(has_vector).partition_by("set", "kind", maintain_order=True):
        units = vectors.unit(asked["word"])
        cosines = units @ units.T
        np.fill_diagonal(cosines, -np.inf)
        is_of_category = {name: asked["gold"].to_numpy() == name for name in asked["gold"].unique()}
        for row, (probe_id, candidates) in zip(
            cosines, asked.select("probe_id", "candidates").iter_rows(), strict=True
        ):
            best = [
                max(float(row[is_of_category[name]].max()), -1.0) if name in is_of_category else -1.0
                for name in candidates
            ]
            rows.append((probe_id, "slot", candidates, best, [], []))
    return pl.DataFrame(rows, schema=SCORES, orient="row")
