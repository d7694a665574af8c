"""What a lexical resource knows of relations, whatever the resource: the words that pointers lead to, and tuples."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

import polars as pl

from relprobe.core.relation import TUPLES, Links, Relation

LINKED = pl.Schema({"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "steps": pl.UInt8()})
Sense = Any
"""A synset of a resource, as its library has it."""
Spelling = Literal["written", "any"]
"""How a word is looked up (`Links.spelling`)."""


class Resource(Protocol):
    """A lexical resource, which knows the pointers of sources/lexical/pointers.py."""

    def synsets(self, word: str, part: str, spelling: Spelling = "written") -> Sequence[Sense]:
        """Return the synsets of a word of a part of speech, the first sense first.

        "written": a word that is a lemma, and written so, has its own senses alone; an inflected form has those of its
        lemmas. "any": capitals do not count, and a lemma has the senses of what it may be a form of as well.
        """

    def forms(self, word: str, part: str, spelling: Spelling = "written") -> set[str]:
        """Return the word and the lemmas that it is a form of; "written": these only if it is no lemma itself."""

    def names(self, synset: Sense) -> list[str]:
        """Return the words of a synset; several words have blanks between them."""

    def follow(self, synset: Sense, pointer: str) -> list[Sense]:
        """Return the synsets that a pointer between synsets leads to; none if it joins words."""

    def related_words(self, synset: Sense, pointer: str, forms: set[str]) -> list[tuple[str, Sense]]:
        """Return the words, with their synsets, that a pointer between words leads to from `forms`; else none."""

    def lemmas(self) -> set[str]:
        """Return the words of all synsets."""

    def frequent_words(self, parts: Iterable[str], number: int) -> dict[str, list[str]]:
        """Return the most frequent single words that are mostly of each part of speech, the most frequent first."""


def linked_words(
    resource: Resource, targets: Mapping[str, Iterable[str]], relations: Iterable[Relation]
) -> pl.DataFrame:
    """Return the words that each target is linked to, by the `wordnet` entries of the relations (LINKED).

    `targets`: part of speech -> words. A target has the words of all relations of its part of speech, over all its senses
    of that part of speech or the first one (`Links.senses`). `steps` is the length of the shortest path; it is 0 for links
    between words. An inflected target has the words of its lemmas, but not the lemmas. A pair may stand in several
    relations; the study decides between them.
    """
    rows = [
        (target, relation.code, word, steps)
        for relation in relations
        if (links := relation.wordnet) is not None
        for target in sorted(set(targets.get(relation.part_of_speech, ())))
        for word, steps in _words(resource, target, relation.part_of_speech, links)
    ]
    pairs = pl.DataFrame(rows, schema=LINKED, orient="row")
    return pairs.group_by("target", "relation", "relatum").agg(pl.col("steps").min()).sort(pl.all())


def inherited_senses(
    resource: Resource, targets: Mapping[str, Iterable[str]], relations: Iterable[Relation]
) -> pl.DataFrame:
    """Return the inflected targets and their lemmas, whose links they have: target and word.

    `targets`: part of speech -> words. `relations` say how words are looked up.
    """
    lookups = {
        (relation.part_of_speech, relation.wordnet.spelling) for relation in relations if relation.wordnet is not None
    }
    rows = [
        (target, lemma)
        for part, spelling in sorted(lookups)
        for target in targets.get(part, ())
        for lemma in sorted(resource.forms(target, part, spelling) - {target})
    ]
    return pl.DataFrame(rows, schema={"target": pl.String(), "word": pl.String()}, orient="row").unique().sort(pl.all())


def _words(resource: Resource, target: str, part: str, links: Links) -> Iterator[tuple[str, int]]:
    """Yield the words that a target is linked to, each with the number of steps."""
    forms = resource.forms(target, part, links.spelling)
    synsets = resource.synsets(target, part, links.spelling)
    for synset in synsets if links.senses == "all" else synsets[:1]:
        yield from ((word, steps) for word, steps in _reached(resource, synset, forms, links) if word not in forms)


def _reached(resource: Resource, synset: Sense, forms: set[str], links: Links) -> Iterator[tuple[str, int]]:
    """Yield the words that the pointers lead to from a synset, with the number of steps; `forms` are the target's own."""
    for pointer in links.pointers:
        yield from ((word, 0) for word, _ in resource.related_words(synset, pointer, forms))
    seen, level = {synset}, [synset]
    for steps in range(1, links.depth + 1):
        next_synsets = [
            linked for origin in level for pointer in links.pointers for linked in resource.follow(origin, pointer)
        ]
        level = [linked for linked in dict.fromkeys(next_synsets) if linked not in seen]
        seen.update(level)
        yield from ((word, steps) for linked in level for word in resource.names(linked))


def first_sense_tuples(
    resource: Resource, words: Mapping[str, Iterable[str]], relations: Iterable[Relation], source: str
) -> pl.DataFrame:
    """Return the direct links between the first senses of words as TUPLES, of the relations with `wordnet.tuples`.

    `words`: part of speech -> words. A link is direct if it has one step and connects the first sense of both words, so that
    a tuple holds for the usual meanings of the words. Both words are of the relation's part of speech, or the relatum of
    that of the inverse relation. `source`: the name of the resource.
    """
    by_code = {relation.code: relation for relation in relations}
    first = {part: {word: resource.synsets(word, part)[0] for word in part_words} for part, part_words in words.items()}
    rows = [
        (target, relation.code, relatum, [source])
        for relation in by_code.values()
        if (links := relation.wordnet) is not None and links.tuples
        for target, synset in first[relation.part_of_speech].items()
        for relatum, relatum_synset in _direct(resource, synset, target, links)
        if relatum != target and first[by_code[relation.inverse].part_of_speech].get(relatum) == relatum_synset
    ]
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _direct(resource: Resource, synset: Sense, target: str, links: Links) -> Iterator[tuple[str, Sense]]:
    """Yield the words that one step leads to, each with its synset."""
    for pointer in links.pointers:
        yield from resource.related_words(synset, pointer, {target})
        yield from ((word, linked) for linked in resource.follow(synset, pointer) for word in resource.names(linked))
