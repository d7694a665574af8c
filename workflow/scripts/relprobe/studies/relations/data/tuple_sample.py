"""A sample of the tuples of a lexical resource: so many of each relation, at random or about words of several relations."""

import random
from collections.abc import Mapping, Sequence, Set

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import Relations

Pair = tuple[str, str]
"""A target and its relatum."""


def sample(
    tuples: pl.DataFrame, sizes: Mapping[str, int], seed: int, relations: Relations, *, several: bool = False
) -> pl.DataFrame:
    """Draw `sizes[relation]` tuples of each relation without replacement, the same ones for the same seed.

    A symmetric pair counts once, whichever way round it is written. `several`: tuples whose words have tuples of other
    relations are preferred, so that these words are asked for several relations. Otherwise each relation is drawn by itself.
    DataError: fewer tuples than asked for.

    Without `several`, one of three hypernymy tuples is drawn at random. With it, it is the one about "hot":

    >>> from relprobe.core.relation import TUPLES
    >>> from relprobe.studies.relations.measure.example import RELATIONS
    >>> rows = [("hot", "ANT", "cold"), ("hot", "HYP", "warm"), ("robin", "HYP", "bird"), ("wall", "HYP", "barrier")]
    >>> table = pl.DataFrame([(*row, ["own"]) for row in rows], schema=TUPLES, orient="row")
    >>> sample(table, {"HYP": 1, "ANT": 1}, 1, RELATIONS, several=True)["target"].to_list()
    ['hot', 'hot']
    """
    rows = {
        relation: _once(tuples.filter(relation=relation), relation in relations.symmetric) for relation in sorted(sizes)
    }
    for relation, size in sizes.items():
        if rows[relation].height < size:
            raise DataError(
                f"wordnet_sample: only {rows[relation].height} {relation} tuples are there, but the config asks for {size}: "
                "take more `words` or fewer tuples."
            )
    drawn = _about_words_of_several(rows, sizes, seed) if several else _by_themselves(rows, sizes, seed)
    return pl.concat([rows[relation][sorted(places)] for relation, places in drawn.items()])


def _once(rows: pl.DataFrame, symmetric: bool) -> pl.DataFrame:
    """Sort the tuples of a relation, and leave each symmetric pair one way round."""
    rows = rows.sort("target", "relatum")
    if not symmetric:
        return rows
    rows = rows.with_columns(pair=pl.concat_list("target", "relatum").list.sort())
    return rows.unique("pair", keep="first", maintain_order=True).drop("pair")


def _by_themselves(rows: Mapping[str, pl.DataFrame], sizes: Mapping[str, int], seed: int) -> dict[str, list[int]]:
    """Return the places of the tuples that are drawn of each relation."""
    return {
        relation: _random(relation, seed).sample(range(table.height), sizes[relation])
        for relation, table in rows.items()
    }


def _about_words_of_several(
    rows: Mapping[str, pl.DataFrame], sizes: Mapping[str, int], seed: int
) -> dict[str, list[int]]:
    """Return the places of the tuples that are drawn of each relation, those about words of several relations first.

    The relation with the fewest tuples for its size is drawn first. A relation prefers tuples with a word that has been
    drawn in another relation; then tuples with a word that a relation which is drawn later could take up; then any.
    """
    pairs = {relation: list(table.select("target", "relatum").iter_rows()) for relation, table in rows.items()}
    scarce_first = sorted(rows, key=lambda relation: (len(pairs[relation]) / sizes[relation], relation))
    words = {relation: {word for pair in pairs[relation] for word in pair} for relation in rows}
    drawn: dict[str, list[int]] = {}
    of_others: set[frozenset[str]] = set()
    for place, relation in enumerate(scarce_first):
        before = {word for pair in of_others for word in pair}
        later = {word for other in scarce_first[place + 1 :] for word in words[other]}
        places = list(range(len(pairs[relation])))
        _random(relation, seed).shuffle(places)
        new = [
            one for one in places if frozenset(pairs[relation][one]) not in of_others
        ]  # else the relatum is ambiguous
        chosen = _prefer([(one, pairs[relation][one]) for one in new], [before, later], sizes[relation])
        rest = [one for one in places if one not in chosen]
        drawn[relation] = [*chosen, *rest[: sizes[relation] - len(chosen)]]
        of_others |= {frozenset(pairs[relation][one]) for one in drawn[relation]}
    return {relation: drawn[relation] for relation in rows}


def _prefer(pairs: Sequence[tuple[int, Pair]], preferred: Sequence[Set[str]], size: int) -> list[int]:
    """Return the places of up to `size` pairs with a preferred word that no chosen pair has, the first set first."""
    chosen: list[int] = []
    seen: set[str] = set()
    for words in preferred:
        for place, pair in pairs:
            if len(chosen) < size and place not in chosen and (set(pair) - seen) & words:
                chosen.append(place)
                seen.update(pair)
    return chosen


def _random(relation: str, seed: int) -> random.Random:
    return random.Random(f"{seed} {relation}")  # noqa: S311
