"""What is sampled: tuples of a lexical resource, so many of each relation, and prompts of each target."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import Relations
from relprobe.core.words import amount

Pair = tuple[str, str]
"""A target and its relatum."""
Question = tuple[str, str]
"""A relation and a target that is asked for it."""


def sample(
    tuples: pl.DataFrame,
    sizes: Mapping[str, int],
    seed: int,
    relations: Relations,
    *,
    several: bool = False,
    sets: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Draw `sizes[relation]` tuples of each relation without replacement, the same ones for the same seed.

    A symmetric pair counts once, whichever way round it is written. `several`: tuples whose words have tuples of other
    relations are preferred, so that these words are asked for several relations. Otherwise each relation is drawn by itself.
    `sets`: the relatum sets (RELATA) of all words of the tuples; with them, targets that are drawn share no relatum of a
    relation with those of other tuples, so that each tuple counts as an independent one. DataError: fewer tuples than asked
    for.

    Without `several`, one of three hypernymy tuples is drawn at random. With it, it is the one about "hot":

    >>> from relprobe.core.relation import TUPLES
    >>> from relprobe.studies.relations.values import RELATIONS
    >>> rows = [("hot", "ANT", "cold"), ("hot", "HYP", "warm"), ("robin", "HYP", "bird"), ("wall", "HYP", "barrier")]
    >>> table = pl.DataFrame([(*row, ["own"]) for row in rows], schema=TUPLES, orient="row")
    >>> sample(table, {"HYP": 1, "ANT": 1}, 1, RELATIONS, several=True)["target"].to_list()
    ['hot', 'hot']

    The wren and the robin share a relatum, so that one of them is drawn beside the wall:

    >>> from relprobe.core.relation import augment
    >>> rows = [("robin", "HYP", "bird"), ("wall", "HYP", "barrier"), ("wren", "HYP", "bird")]
    >>> table = pl.DataFrame([(*row, ["own"]) for row in rows], schema=TUPLES, orient="row")
    >>> disjoint = sample(table, {"HYP": 2}, 1, RELATIONS, sets=augment(table, RELATIONS.inverse))
    >>> disjoint["relatum"].to_list()
    ['bird', 'barrier']
    """
    rows = {
        relation: _once(tuples.filter(relation=relation), relation in relations.symmetric) for relation in sorted(sizes)
    }
    for relation, size in sizes.items():
        if rows[relation].height < size:
            count = amount(rows[relation].height, f"{relation} tuple is", f"{relation} tuples are")
            raise DataError(
                f"wordnet_sample: only {count} there, but the config asks for {size}: "
                "take more `words` or fewer tuples."
            )
    if sets is not None:
        drawn = _with_disjoint_sets(rows, sizes, seed, relations, sets, several=several)
    else:
        drawn = _about_words_of_several(rows, sizes, seed) if several else _indices_of_relations(rows, sizes, seed)
    return pl.concat([rows[relation][sorted(indices)] for relation, indices in drawn.items()])


def _once(rows: pl.DataFrame, symmetric: bool) -> pl.DataFrame:
    """Sort the tuples of a relation, and leave each symmetric pair one way round."""
    rows = rows.sort("target", "relatum")
    if not symmetric:
        return rows
    rows = rows.with_columns(pair=pl.concat_list("target", "relatum").list.sort())
    return rows.unique("pair", keep="first", maintain_order=True).drop("pair")


def _indices_of_relations(
    rows: Mapping[str, pl.DataFrame], sizes: Mapping[str, int], seed: int
) -> dict[str, list[int]]:
    """Return the indices of the tuples that are drawn of each relation."""
    return {
        relation: _random(relation, seed).sample(range(table.height), sizes[relation])
        for relation, table in rows.items()
    }


def _about_words_of_several(
    rows: Mapping[str, pl.DataFrame], sizes: Mapping[str, int], seed: int
) -> dict[str, list[int]]:
    """Return the indices of the tuples that are drawn of each relation, those about words of several relations first.

    The relation with the fewest tuples for its size is drawn first. A relation prefers tuples with a word that has been
    drawn in another relation; then tuples with a word that a relation which is drawn later could take up; then any.
    """
    pairs = {relation: list(table.select("target", "relatum").iter_rows()) for relation, table in rows.items()}
    scarce_first = sorted(rows, key=lambda relation: (len(pairs[relation]) / sizes[relation], relation))
    words = {relation: {word for pair in pairs[relation] for word in pair} for relation in rows}
    drawn: dict[str, list[int]] = {}
    drawn_pairs: set[frozenset[str]] = set()
    for number, relation in enumerate(scarce_first):
        drawn_words = {word for pair in drawn_pairs for word in pair}
        later_words = {word for later_relation in scarce_first[number + 1 :] for word in words[later_relation]}
        indices = list(range(len(pairs[relation])))
        _random(relation, seed).shuffle(indices)
        new = [
            index for index in indices if frozenset(pairs[relation][index]) not in drawn_pairs
        ]  # else the relatum is ambiguous
        chosen = _prefer(
            [(index, pairs[relation][index]) for index in new], [drawn_words, later_words], sizes[relation]
        )
        remaining = [index for index in indices if index not in chosen]
        drawn[relation] = [*chosen, *remaining[: sizes[relation] - len(chosen)]]
        drawn_pairs |= {frozenset(pairs[relation][index]) for index in drawn[relation]}
    return {relation: drawn[relation] for relation in rows}


def _prefer(pairs: Sequence[tuple[int, Pair]], preferred: Sequence[Set[str]], size: int) -> list[int]:
    """Return the indices of up to `size` pairs with a preferred word that no chosen pair has, the first set first."""
    chosen: list[int] = []
    seen: set[str] = set()
    for words in preferred:
        for index, pair in pairs:
            if len(chosen) < size and index not in chosen and (set(pair) - seen) & words:
                chosen.append(index)
                seen.update(pair)
    return chosen


def _with_disjoint_sets(
    rows: Mapping[str, pl.DataFrame],
    sizes: Mapping[str, int],
    seed: int,
    relations: Relations,
    sets: pl.DataFrame,
    *,
    several: bool,
) -> dict[str, list[int]]:
    """Return the indices of tuples of each relation whose targets share no relatum with those of other tuples.

    A tuple is asked both ways round: its target for the relation, and its relatum for the inverse. It can be drawn if both
    words have a relatum set that holds the other one. The two words of a symmetric pair may share relata, as two synonyms
    share a third. The relation with the fewest tuples for its size is drawn first, and with `several` those come first whose
    words have been drawn in other relations. DataError: the tuples do not reach.
    """
    relata: dict[Question, set[str]] = defaultdict(set)
    for relation, target, relatum in sets.select("relation", "target", "relatum").iter_rows():
        relata[relation, target].add(relatum)
    askers: dict[tuple[str, str], Question] = {}  # relation and relatum -> the question whose set has it
    words: set[str] = set()
    drawn: dict[str, list[int]] = {}
    for relation in sorted(rows, key=lambda relation: (rows[relation].height / sizes[relation], relation)):
        pairs = list(rows[relation].select("target", "relatum").iter_rows())
        order = list(range(len(pairs)))
        _random(relation, seed).shuffle(order)
        if several:
            order.sort(key=lambda index: -sum(word in words for word in pairs[index]))
        drawn[relation] = []
        for index in order:
            if len(drawn[relation]) == sizes[relation]:
                break
            questions = list(_questions(relation, pairs[index], relations))
            taken = [
                ((asked, word), (asked, target)) for asked, target, _ in questions for word in relata[asked, target]
            ]
            counts = all(answer in relata[asked, target] for asked, target, answer in questions)
            if counts and all(askers.get(key, asker) == asker for key, asker in taken):
                askers.update(taken)
                words.update(pairs[index])
                drawn[relation].append(index)
        if len(drawn[relation]) < sizes[relation]:
            count = amount(len(drawn[relation]), f"{relation} tuple was", f"{relation} tuples were")
            raise DataError(
                f"wordnet_sample: only {count} found whose targets share no relatum, "
                f"but the config asks for {sizes[relation]}: take more `words`, fewer tuples, or `shared_relata: true`."
            )
    return {relation: drawn[relation] for relation in rows}


def _questions(relation: str, pair: Pair, relations: Relations) -> Iterator[tuple[str, str, str]]:
    """Yield the relation, target and relatum of a tuple and of its reverse."""
    yield relation, *pair
    yield relations.inverse[relation], *reversed(pair)  # type: ignore[misc]


# The prompts of each target: a part of those of its relation, so that a study of as many probes has more of them.


def deal(
    tuples: pl.DataFrame, prompts: Mapping[str, Sequence[str]], relations: Relations, parts: int
) -> dict[str, set[str]]:
    """Return prompt -> the words that are asked with it: each word with one of so many `parts` of a relation's prompts.

    `tuples`: TUPLES, with their reverses. `prompts`: relation -> the ids of its prompts. All prompts of a relation are asked
    about as often, as far as the numbers allow. Words that tuples of the relation or its inverse connect are asked with the
    same prompts of the relation, so that both directions of a pair can be compared.

    >>> from relprobe.core.relation import TUPLES, augment
    >>> from relprobe.studies.relations.values import RELATIONS
    >>> rows = [("robin", "HYP", "bird", ["own"]), ("oak", "HYP", "tree", ["own"])]
    >>> tuples = augment(pl.DataFrame(rows, schema=TUPLES, orient="row"), RELATIONS.inverse)
    >>> dealt = deal(tuples, {"HYP": ["is", "kind", "type", "sort"]}, RELATIONS, parts=2)
    >>> sorted(sorted(words) for words in dealt.values())
    [['bird', 'robin'], ['bird', 'robin'], ['oak', 'tree'], ['oak', 'tree']]
    """
    asked: dict[str, set[str]] = {}
    for relation, names in prompts.items():
        rows = tuples.filter(pl.col("relation").is_in([relation, relations.inverse[relation]]))
        order = _random(relation, PROMPT_SEED)
        groups = _connected(rows.select("target", "relatum").rows())
        order.shuffle(groups)
        load = {name: (0, order.random()) for name in names}
        for group in sorted(groups, key=len, reverse=True):
            for name in sorted(names, key=load.__getitem__)[: -(-len(names) // parts)]:
                asked.setdefault(name, set()).update(group)
                load[name] = (load[name][0] + len(group), order.random())
    return asked


PROMPT_SEED = 1


def _connected(pairs: Sequence[Pair]) -> list[list[str]]:
    """Return the groups of words that pairs connect, each sorted, in the order of the alphabet.

    >>> _connected([("robin", "bird"), ("oak", "tree"), ("bird", "wren")])
    [['bird', 'robin', 'wren'], ['oak', 'tree']]
    """
    group_of: dict[str, list[str]] = {}
    for pair in pairs:
        first_group, second_group = (group_of.setdefault(word, [word]) for word in pair)
        if first_group is not second_group:
            first_group += second_group
            group_of.update(dict.fromkeys(second_group, first_group))
    return sorted(sorted(group) for group in {id(group): group for group in group_of.values()}.values())


def _random(relation: str, seed: int) -> random.Random:
    return random.Random(f"{seed} {relation}")  # noqa: S311
