"""What a look-up of similar words in a lexical resource says: the control `nearest`.

It has read the relata of all words but those that are asked about. A word is a likely answer about a target if it is near to
the target, and if it is a relatum of many other words, above all of words that are near to the target.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weights = NDArray[np.float64]
Taste = tuple[float, float | None]
"""How much the number of other words with a relatum counts beside its cosine with the target, and how near these words must
be: each counts as the exponential of its cosine with the target, divided by this; all alike where it is None."""
TASTES: Sequence[Taste] = [
    (weight, width) for width in (None, 0.1, 0.06) for weight in (0.02, 0.05, 0.1, 0.2, 0.5, 2.0)
]
"""What `best_taste` tries, after the cosine alone."""
NEAR_ALONE: Taste = (0.0, None)
TRIED = 400
"""The number of words that decide on a taste; more change it hardly."""
SEED = 1


@dataclass(frozen=True)
class Relata:
    """The relata of words: `words` have unit vectors (words, dimensions), and `member` says which of them has which relatum.

    `member`: of shape (words, words that may be answers), 1 where the word has this relatum.
    """

    words: Sequence[str]
    vectors: NDArray[np.float32]
    member: "csr_array"

    @cached_property
    def rows(self) -> dict[str, int]:
        """Word -> its row."""
        return {word: row for row, word in enumerate(self.words)}


def relata_by_relation(sets: pl.DataFrame, words: pl.Series, vectors: StaticVectors) -> dict[str, Relata]:
    """Return relation -> its relata in `sets` (RELATA); words without a vector are left out."""
    from scipy.sparse import csr_array

    columns = pl.DataFrame({"relatum": words}).with_row_index("column")
    result = {}
    for (relation,), rows in sets.join(columns, on="relatum").group_by("relation"):
        targets = rows["target"].unique().sort()
        units = vectors.unit(targets)
        has_vector = ~np.isnan(units[:, 0])
        targets, units = targets.filter(pl.Series(has_vector)), units[has_vector]
        cells = rows.join(pl.DataFrame({"target": targets}).with_row_index("row"), on="target")
        cells = cells.select("row", "column").unique()
        entries = np.ones(cells.height, np.float32)
        member = csr_array((entries, cells.to_numpy().T), shape=(len(targets), len(words)))
        result[str(relation)] = Relata(targets.to_list(), units, member)
    return result


def support(relata: Relata, target: NDArray[np.float32], width: float | None, left_out: int | None = None) -> Weights:
    """Return the logarithm of the share of other words that have each word as a relatum; NaN if none has it.

    `target`: its unit vector, which the other words are weighed by (`Taste`). `left_out`: the row of the target itself.
    """
    shares = (
        np.ones(len(relata.words)) if width is None else np.exp((relata.vectors @ target).astype(np.float64) / width)
    )
    if left_out is not None:
        shares[left_out] = 0.0
    total = relata.member.T @ shares
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 0, np.log(total / shares.sum()), np.nan)


def best_taste(relata: Relata, matrix: NDArray[np.float32], words: pl.Series) -> Taste:
    """Return the taste by which most words have a right first answer, without its own relata.

    `matrix`: the unit vectors of `words`, which may be answers. The first of equal tastes is taken; with fewer than two
    words it is the cosine alone.
    """
    if len(relata.words) < 2:
        return NEAR_ALONE
    named = np.flatnonzero(relata.member.sum(axis=0))  # the words that are a relatum of any: no other has a support
    part, near = Relata(relata.words, relata.vectors, relata.member[:, named]), matrix[named]
    columns = {word: column for column, word in enumerate(words.gather(named))}
    right = dict.fromkeys([NEAR_ALONE, *TASTES], 0)
    for row in np.random.default_rng(SEED).permutation(len(relata.words))[:TRIED]:
        cosines = np.nan_to_num(near @ relata.vectors[row], nan=-np.inf).astype(np.float64)
        if (column := columns.get(relata.words[row])) is not None:
            cosines[column] = -np.inf  # no word is an answer about itself
        right_answers = set(part.member[[row]].indices.tolist())
        for width in dict.fromkeys(width for _, width in right):
            supports = np.nan_to_num(support(part, relata.vectors[row], width, int(row)), nan=-np.inf)
            for taste in (taste for taste in right if taste[1] == width):
                values = cosines + taste[0] * supports if taste[0] else np.where(supports > -np.inf, cosines, -np.inf)
                right[taste] += values.max() > -np.inf and int(values.argmax()) in right_answers
    return max(right, key=lambda taste: right[taste])


def nearest(
    relata_outside: Mapping[str, Relata], study_relata: Mapping[str, Relata], vectors: StaticVectors, words: pl.Series
) -> Callable[[str, str], Weights | None]:
    """Rank words as a look-up of similar words does. `relata_outside`: the relata of words outside the study, by relation.

    Where a relation has none, as one of the user's own, the other targets of the study stand for them (`study_relata`): the
    taste for a target of one half is then chosen among those of the other half, so that it never hangs on the target's own
    relata.
    """
    matrix = vectors.unit(words)
    tastes = {relation: best_taste(outside, matrix, words) for relation, outside in relata_outside.items()}
    halves = {
        (relation, half): best_taste(_part(inside, 1 - half), matrix, words)
        for relation, inside in study_relata.items()
        if relation not in relata_outside
        for half in (0, 1)
    }

    def ranking(relation: str, target: str) -> Weights | None:
        target_vector = vectors.unit([target])[0]
        source = relata_outside.get(relation, study_relata.get(relation))
        if source is None or np.isnan(target_vector[0]):
            return None
        row = source.rows.get(target)
        weight, width = tastes[relation] if relation in relata_outside else halves[relation, (row or 0) % 2]
        return (matrix @ target_vector).astype(np.float64) + weight * support(source, target_vector, width, row)

    return ranking


def _part(relata: Relata, half: int) -> Relata:
    """Return every second word with its relata, from the first (`half` 0) or the second (1)."""
    return Relata(relata.words[half::2], relata.vectors[half::2], relata.member[half::2])
