"""Agents that know nothing of the pair: what they get right is no sign that an agent knows it (docs/controls.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.sources.language import LanguageFile
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.relations.answer_spaces import WORD
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.nearest import nearest, relata_by_relation
from relprobe.studies.relations.responses import plain_answers
from relprobe.studies.relations.schemas import RESPONSES, Answers, Control, Relata
from relprobe.studies.relations.tuples import Candidates

# Each answers with words of the answer space, and never with the target itself. Words that a control cannot tell apart
# have equal weights, and count by their expected value over all orders, as those of models do.


Weights = NDArray[np.float64]
Weighting = Callable[[str, str], Weights | None]
"""A function of relation and target: the weight of each word of the answer space, NaN for a word that is no answer; None if
the control has no answer at all."""
KEY = ["relation", "target"]


@dataclass(frozen=True)
class ControlFiles:
    """What a control answers from, beside the gold standard.

    `vectors`: static vectors, for neighbours, typical and nearest. `candidates`: the closed lists (CANDIDATES), if these
    limit the answers. `resource`: the relatum sets (RELATA) that a lexical resource gives to all words, if there is one.
    """

    vectors: Vectors | None = None
    candidates: Candidates | None = None
    resource: Relata | None = None


def control(gold: GoldStandard, language: LanguageFile, files: ControlFiles, *, agent: Control, top_k: int) -> Answers:
    """Answer the probes as a control does, which knows nothing of the pair of words: the responses of the agent.

    `top_k`: the number of words of a response; words that tie with the last are there, too.
    """
    return plain_answers("ranking", control_responses(agent, gold, top_k, language.wordfreq, files))


def control_responses(
    control: Control,
    gold: GoldStandard,
    size: int,
    language: str,
    files: ControlFiles,
) -> pl.DataFrame:
    """Return the responses of a control to all probes (RESPONSES): its `size` best words, and those that tie with the last.

    majority: the commonest relata of the other targets of the relation, and of the other words that the `resource`
    (RELATA) has relata of; the weight is the share of these targets and words that have the word. neighbours: the
    words whose `vectors` are nearest to that of the target, by cosine, whatever the relation; the vector of several
    words is their mean. typical: the words of majority in the order of neighbours, with its cosines. frequency: the
    most frequent words of the language (`language`: its code in wordfreq), the same for every target; the weight is
    the share of the language's words. nearest: what a look-up of similar words says (nearest.py); it takes the
    words of the `resource` that are no targets of the study. A probe has no response if the relation has no other
    target, or the target no vector. ValueError: neighbours, typical or nearest without `vectors`.
    """
    words, vectors, resource = answer_words(gold), files.vectors, files.resource
    targets = gold.probes["target"].unique().implode()
    other_sets = None if resource is None else resource.filter(~pl.col("target").is_in(targets))
    rankings: dict[Control, Callable[[], Weighting]] = {
        "majority": lambda: majority(gold, words, other_sets),
        "neighbours": lambda: neighbours(vectors, words),
        "typical": lambda: typical(majority(gold, words, other_sets), neighbours(vectors, words)),
        "frequency": lambda: frequency(words, language),
        "nearest": lambda: look_up(gold, words, vectors, other_sets),
    }
    return ranked_responses(rankings[control](), gold, size, files.candidates)


def ranked_responses(
    ranking: Weighting, gold: GoldStandard, size: int, lists: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Return the responses to all probes (RESPONSES) of an agent that ranks the words of the answer space (`answer_words`).

    `size`: its best words, and those that tie with the last. `lists`: the closed lists, if there are any.
    """
    words = answer_words(gold)
    keys = gold.probes.select(KEY).unique(maintain_order=True)
    ranked = _ranked(ranking, keys, words, size, None if lists is None else _allowed(lists, words))
    table = gold.probes.select("probe_id", *KEY).join(ranked, on=KEY, maintain_order="left")
    return table.select(list(RESPONSES)).cast(RESPONSES)  # type: ignore[arg-type]


def answer_words(gold: GoldStandard) -> pl.Series:
    """Return the words of the answer space that a control may answer with, sorted."""
    return gold.shared_lexicon.filter(pl.col("word").str.contains(WORD))["word"].unique().sort()


def asked_sets(gold: GoldStandard) -> pl.DataFrame:
    """Return the relatum sets of the targets that are asked and have tuples in the lexicon."""
    asked = gold.inside().join(gold.probes.filter(kind="main"), on=KEY, how="semi")
    return gold.relata.join(asked, on=KEY, how="semi")


def look_up(
    gold: GoldStandard, words: pl.Series, vectors: StaticVectors | None, other_sets: pl.DataFrame | None
) -> Weighting:
    """Rank words as a look-up of similar words does (`nearest`). `other_sets`: the relatum sets of other words."""
    if vectors is None:
        raise ValueError("the control nearest needs static vectors")
    relata = {} if other_sets is None else relata_by_relation(other_sets, words, vectors)
    return nearest(relata, relata_by_relation(asked_sets(gold), words, vectors), vectors, words)


def majority(gold: GoldStandard, words: pl.Series, other_sets: pl.DataFrame | None = None) -> Weighting:
    """Rank words by the share of the other targets of a relation that have them as relata: a target gives itself no hint.

    Targets are those that are asked and have tuples in the lexicon. `other_sets`: the relatum sets of words outside the
    study, which count as further targets.
    """
    sets = asked_sets(gold)
    if other_sets is not None:
        sets = pl.concat([sets, other_sets])
    sets = sets.filter(pl.col("relatum").is_in(words.implode()))
    indices = {word: index for index, word in enumerate(words)}
    answer_indices = {
        (relation, target): np.array([indices[word] for word in relata], dtype=np.int64)
        for relation, target, relata in sets.group_by(KEY).agg("relatum").iter_rows()
    }
    counts: dict[str, Weights] = {}
    numbers: dict[str, int] = {}
    for (relation, _), relata in answer_indices.items():
        counts.setdefault(relation, np.zeros(len(words)))[relata] += 1
        numbers[relation] = numbers.get(relation, 0) + 1

    def ranking(relation: str, target: str) -> Weights | None:
        relata = answer_indices.get((relation, target))
        other_targets = numbers.get(relation, 0) - (relata is not None)
        if other_targets == 0:
            return None
        other_counts = counts[relation].copy()
        if relata is not None:
            other_counts[relata] -= 1
        return np.where(other_counts > 0, other_counts / other_targets, np.nan)

    return ranking


def neighbours(vectors: StaticVectors | None, words: pl.Series) -> Weighting:
    """Rank words by the cosine of their static vector with that of the target; a word without a vector is no answer."""
    if vectors is None:
        raise ValueError("the controls neighbours and typical need static vectors")
    matrix = vectors.unit(words)

    def ranking(_: str, target: str) -> Weights | None:
        target_vector = vectors.unit([target])[0]
        return None if np.isnan(target_vector[0]) else (matrix @ target_vector).astype(np.float64)

    return ranking


def typical(common: Weighting, near: Weighting) -> Weighting:
    """Rank the words of `common` (`majority`) as `near` does (`neighbours`): the nearest relata of the other targets.

    This is the prototypical relatum of Levy, Remus, Biemann and Dagan (2015, "Do supervised distributional methods really
    learn lexical inference relations?"): a word that relata of the relation look like, near to the target. It takes nothing
    of the pair of words to name it.
    """

    def ranking(relation: str, target: str) -> Weights | None:
        shares, cosines = common(relation, target), near(relation, target)
        return None if shares is None or cosines is None else np.where(np.isnan(shares), np.nan, cosines)

    return ranking


def frequency(words: pl.Series, language: str) -> Weighting:
    """Rank words by their frequency in a language, whatever is asked; a word that wordfreq does not know has 0."""
    frequency_by_word = dict(frequencies(words, language=language).iter_rows())
    weights = np.array([frequency_by_word[word] or 0.0 for word in words])
    return lambda _relation, _target: weights


def _allowed(lists: pl.DataFrame, words: pl.Series) -> Callable[[str, str], NDArray[np.bool_]]:
    """Return a function of relation and target: which words are on its closed list (CANDIDATES)."""
    indices = pl.DataFrame({"word": words}).with_row_index("index")
    rows = lists.join(indices, on="word").group_by("relation", "target").agg("index").iter_rows()
    indices_by_list: Mapping[tuple[str, str | None], list[int]] = {
        (relation, target): word_indices for relation, target, word_indices in rows
    }

    def allowed(relation: str, target: str) -> NDArray[np.bool_]:
        flags = np.zeros(len(words), dtype=bool)
        flags[indices_by_list.get((relation, target), indices_by_list.get((relation, None), []))] = True
        return flags

    return allowed


def _ranked(
    ranking: Weighting,
    keys: pl.DataFrame,
    words: pl.Series,
    size: int,
    allowed: Callable[[str, str], NDArray[np.bool_]] | None,
) -> pl.DataFrame:
    """Return relation, target, words and weights of each key that has an answer, best first."""
    indices = {word: index for index, word in enumerate(words)}
    answered, orders, weights = [], [np.empty(0, np.int64)], [np.empty(0)]
    for row, (relation, target) in enumerate(keys.iter_rows()):
        values = ranking(relation, target)
        if values is None:
            continue
        values = np.where(allowed(relation, target), values, np.nan) if allowed else values.copy()
        if target in indices:
            values[indices[target]] = np.nan
        best = _best(values, size)
        if len(best):
            answered.append(row)
            orders.append(best)
            weights.append(values[best])
    offsets = pa.array(np.cumsum([len(order) for order in orders]), pa.int32())
    listed = pa.DictionaryArray.from_arrays(
        pa.array(np.concatenate(orders), pa.int32()), words.to_arrow().cast(pa.string())
    )
    weight_values = pa.array(np.concatenate(weights), pa.float32())
    columns = [pa.ListArray.from_arrays(offsets, values) for values in (listed, weight_values)]
    lists = pl.DataFrame(pl.from_arrow(pa.table(columns, names=["words", "weights"])))
    return keys[answered].hstack(lists)


def _best(weights: Weights, size: int) -> NDArray[np.int64]:
    """Return the indices of the `size` largest weights, the largest first, and of those that equal the last; no NaN.

    >>> _best(np.array([0.1, np.nan, 0.3, 0.1, 0.2]), 3).tolist()
    [2, 4, 0, 3]
    """
    indices = np.flatnonzero(~np.isnan(weights))
    if len(indices) > size:
        indices = indices[weights[indices] >= np.partition(weights[indices], -size)[-size]]
    return indices[np.argsort(-weights[indices], kind="stable")]
