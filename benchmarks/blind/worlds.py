"""The words of the studies: those of a finished study of relations, or simulated ones."""

from pathlib import Path

import numpy as np
import polars as pl
from relprobe.core.manifest import fetched_folder
from relprobe.core.relation import augment
from relprobe.sources.relations import read as read_relations
from relprobe.sources.static_vectors import StaticVectors
from relprobe.sources.static_vectors import read as read_vectors
from relprobe.sources.word_frequency import frequencies, most_frequent
from relprobe.studies.relations.answer_spaces import WORD

from benchmarks.blind.door import World

RELATIONS = read_relations(Path(__file__).parents[2] / "resources/relations/english-nouns.yaml")


def world_of(sets: pl.DataFrame, vectors: StaticVectors, words: pl.Series) -> World:
    """Return the world of some words, with their frequencies in English."""
    uses = dict(frequencies(words, language="en").with_columns(pl.col("frequency").fill_null(0.0)).iter_rows())
    return World(words.sort(), vectors, sets, RELATIONS, uses)


def finished(results: Path, vectors: Path, words: int = 4000) -> World:
    """Return the world of a finished study of relations: its `words` most frequent words that the resource has relata of."""
    sets = pl.read_parquet(results / "resource_relata.parquet")
    both = pl.concat([sets["target"], sets["relatum"]]).unique()
    both = both.filter(both.str.contains(WORD))
    ranked = frequencies(both, language="en").sort("frequency", "word", descending=True, nulls_last=True)
    common = ranked["word"].head(words)
    inside = sets.filter(pl.col("target").is_in(common.implode()), pl.col("relatum").is_in(common.implode()))
    return world_of(inside, read_vectors(fetched_folder(vectors)), common)


def simulated(seed: int = 1, families: int = 60, size: int = 12) -> World:
    """Return a world of families of words: near to each other, with hypernyms and parts that near families share.

    Antonyms are of one family, and synonyms as near as a word's vector to itself. Some hypernyms are those of many families.
    The names are frequent words of English, those of hypernyms the most frequent, and mean nothing.
    """
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(families, 24))
    places: dict[str, int] = {}
    rows: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
    found: list[tuple[str, str, str]] = []
    for family in range(families):
        heads = [f"kind {family}", f"group {family // 3}", *([f"thing {family % 5}"] if family % 3 == 0 else [])]
        parts = [f"part {family} {number}" for number in range(size // 2)]
        members = [f"word {family} {number}" for number in range(size)]
        for names, spread in ((heads, 1.2), (parts, 1.0), (members, 0.7)):
            for name in names:
                if name not in places:
                    places[name] = len(rows)
                    rows.append(centres[family] + chance.normal(scale=spread, size=24))
        found += [(member, "HYP", head) for member in members for head in heads if chance.random() < 0.8]
        found += [(member, "MER", parts[number % len(parts)]) for number, member in enumerate(members)]
        found += [(members[number], "ANT", members[number + 1]) for number in (0, 2)]
        found += [(members[number], "SYN", members[number + 1]) for number in (4, 6, 8)]
    spelled = _names(list(places), chance)
    table = pl.DataFrame(found, schema=["target", "relation", "relatum"], orient="row")
    table = table.with_columns(pl.col("target", "relatum").replace_strict(spelled), sources=pl.lit(["hand"]))
    vectors = StaticVectors({spelled[name]: row for name, row in places.items()}, np.array(rows, np.float32))
    return world_of(augment(table, RELATIONS.inverse), vectors, pl.Series("word", list(spelled.values())))


def _names(places: list[str], chance: np.random.Generator) -> dict[str, str]:
    """Return a word of English for each simulated word, hypernyms first, drawn among as many as there are."""
    words = [word for word in most_frequent(9000, language="en") if word.isascii() and word.isalpha() and len(word) > 3]
    words = [word for word in words if f"{word}s" not in words and not word.endswith("s")]
    ordered = sorted(places, key=lambda name: not name.startswith(("kind", "group", "thing")))
    heads = sum(name.startswith(("kind", "group", "thing")) for name in places)
    drawn = [
        *chance.permutation(words[: 2 * heads])[:heads],
        *chance.permutation(words[2 * heads :])[: len(places) - heads],
    ]
    return dict(zip(ordered, map(str, drawn), strict=True))
