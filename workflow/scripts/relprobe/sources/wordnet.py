"""WordNet 3.0 through nltk: its files in the folders that nltk reads, and the relations between its words."""

import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import nltk
import polars as pl
from nltk.corpus.reader.wordnet import Lemma, Synset, WordNetCorpusReader

from relprobe.core.errors import SourceError
from relprobe.core.files import whole_folder
from relprobe.core.relation import TUPLES, Links, Relation
from relprobe.sources.pointers import CO_LEMMA, INVERSE, LEMMA, PARTS_OF_SPEECH, SISTER, SYNSET

LINKED = pl.Schema({"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "steps": pl.UInt8()})
LETTERS = {"noun": "n", "verb": "v", "adjective": "as", "adverb": "r"}
"""Part of speech -> the letters of its synsets; s is an adjective that is similar to another."""
NEEDED = (
    *(f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")),
    *(f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")),
    *("index.sense", "lexnames", "cntlist.rev"),
)
"""The files that nltk opens; `frequent_words` needs the counts of cntlist.rev."""


def prepare(original: Path, folder: Path) -> None:
    """Copy WordNet's database files into `folder`, in the form that nltk reads.

    The copies lie in `corpora/wordnet/`, where nltk looks for them. CRLF line ends become LF, because the byte offsets in
    the files count LF only. SourceError: a file that nltk needs is missing.
    """
    missing = [name for name in NEEDED if not (original / name).is_file()]
    if missing:
        raise SourceError(f"{original} has no {', '.join(missing)}: it is no complete WordNet 3.0 database.")
    with whole_folder(folder) as partial:
        home = partial / "corpora" / "wordnet"
        home.mkdir(parents=True)
        for path in original.iterdir():
            if path.is_file():
                (home / path.name).write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))


class EnglishReader(WordNetCorpusReader):  # type: ignore[misc]  # nltk has no types
    """nltk's reader without its map between the versions of WordNet, which takes two seconds and serves other languages."""

    def map_wn(self, version: str = "wordnet") -> None:
        """Return no map."""

    @cached_property
    def reversed_pointers(self) -> Mapping[str, Mapping[Synset, Sequence[Synset]]]:
        """Pointer of INVERSE -> synset -> the synsets whose own pointer leads to it."""
        back: dict[str, dict[Synset, list[Synset]]] = {name: defaultdict(list) for name in INVERSE}
        for synset in self.all_synsets("v"):
            for name, pointer in INVERSE.items():
                for other in getattr(synset, SYNSET[pointer])():
                    back[name][other].append(synset)
        return back


def load(folder: Path) -> EnglishReader:
    """Open the WordNet that `prepare` put into `folder`."""
    nltk.data.path.insert(0, str(folder.resolve()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # nltk misses the multilingual part, which nothing needs
        return EnglishReader(nltk.data.find("corpora/wordnet"), None)


def linked(wordnet: EnglishReader, targets: Mapping[str, Iterable[str]], relations: Iterable[Relation]) -> pl.DataFrame:
    """Return the words that each target is linked to, by the `wordnet` entries of the relations (LINKED).

    `targets`: part of speech -> words. A target has the words of all relations of its part of speech, over all its senses
    of that part of speech or the first one (`Links.senses`). `steps` is the length of the shortest path; it is 0 for links
    between words. An inflected target has the words of its lemma, but not the lemma itself. A pair may stand in several
    relations; the study decides between them.
    """
    rows = [
        (target, relation.code, word, steps)
        for relation in relations
        if (links := relation.wordnet) is not None
        for target in sorted(set(targets.get(relation.part_of_speech, ())))
        for word, steps in _words(wordnet, target, PARTS_OF_SPEECH[relation.part_of_speech], links)
    ]
    pairs = pl.DataFrame(rows, schema=LINKED, orient="row")
    return pairs.group_by("target", "relation", "relatum").agg(pl.col("steps").min()).sort(pl.all())


def _words(wordnet: EnglishReader, target: str, pos: str, links: Links) -> Iterator[tuple[str, int]]:
    """Yield the words that a target is linked to, each with the number of steps; several words have blanks between them."""
    own = {target, wordnet.morphy(target, pos)}
    synsets = wordnet.synsets(target, pos)
    for synset in synsets if links.senses == "all" else synsets[:1]:
        for word, steps in _reached(wordnet, synset, own, links):
            if word not in own:
                yield word.replace("_", " "), steps


def _reached(wordnet: EnglishReader, synset: Synset, forms: set[str], links: Links) -> Iterator[tuple[str, int]]:
    """Yield the words that the pointers lead to from a synset, with the number of steps; `forms` are the target's own."""
    yield from ((lemma.name(), 0) for pointer in links.pointers for lemma in _lemmas(synset, pointer, forms))
    seen, level = {synset}, [synset]
    for steps in range(1, links.depth + 1):
        others = [other for one in level for pointer in links.pointers for other in _synsets(wordnet, one, pointer)]
        level = [other for other in dict.fromkeys(others) if other not in seen]
        seen.update(level)
        yield from ((name, steps) for other in level for name in other.lemma_names())


def _lemmas(synset: Synset, pointer: str, forms: set[str]) -> list[Lemma]:
    """Return the words that a pointer between words leads to from those of `forms`; none if it joins synsets."""
    if pointer == CO_LEMMA:
        return list(synset.lemmas())
    if pointer not in LEMMA:
        return []
    return [other for own in synset.lemmas() if own.name() in forms for other in getattr(own, LEMMA[pointer])()]


def _synsets(wordnet: EnglishReader, synset: Synset, pointer: str) -> list[Synset]:
    """Return the synsets that a pointer between synsets leads to; none if it joins words."""
    if pointer == SISTER:
        return [sister for above in synset.hypernyms() for sister in above.hyponyms() if sister != synset]
    if pointer in INVERSE:
        return list(wordnet.reversed_pointers[pointer].get(synset, ()))
    return list(getattr(synset, SYNSET[pointer])()) if pointer in SYNSET else []


def frequent_words(wordnet: WordNetCorpusReader, parts: Iterable[str], number: int) -> dict[str, list[str]]:
    """Return the `number` most frequent English words (`wordfreq`) that are mostly of each part of speech, in that order.

    A word is mostly a noun if it is a WordNet noun of lower-case letters whose noun senses have at least one use in
    WordNet's tagged corpus, and at least as many uses as its other senses. "time" is one, "in" (inch) and "can" are not.
    """
    import wordfreq

    words: dict[str, list[str]] = {part: [] for part in parts}
    for word in wordfreq.iter_wordlist("en"):
        wanted = [part for part in words if len(words[part]) < number]
        if not wanted:
            break
        if word.isascii() and word.isalpha() and len(word) > 1:
            lemmas = [lemma for lemma in wordnet.lemmas(word) if lemma.name() == word]
            for part in wanted:
                if _mostly(lemmas, LETTERS[part]):
                    words[part].append(word)
    return words


def _mostly(lemmas: list[Lemma], letters: str) -> bool:
    own = [lemma for lemma in lemmas if lemma.synset().pos() in letters]
    if not own:
        return False  # before the counts, which are searched in a file
    uses = sum(lemma.count() for lemma in lemmas)
    return 2 * sum(lemma.count() for lemma in own) >= max(uses, 1)


def first_sense_tuples(
    wordnet: EnglishReader, words: Mapping[str, Iterable[str]], relations: Iterable[Relation]
) -> pl.DataFrame:
    """Return the direct links between the first senses of words as TUPLES, of the relations with `wordnet.tuples`.

    `words`: part of speech -> words. A link is direct if it has one step and connects the first sense of both words, so that
    a tuple holds for the usual meanings of the words. Both words are of the relation's part of speech, or the relatum of
    that of the inverse relation.
    """
    by_code = {relation.code: relation for relation in relations}
    first = {
        part: {word: wordnet.synsets(word, PARTS_OF_SPEECH[part])[0] for word in of_part}
        for part, of_part in words.items()
    }
    rows = [
        (target, relation.code, relatum, ["wordnet"])
        for relation in by_code.values()
        if relation.wordnet is not None and relation.wordnet.tuples
        for target, synset in first[relation.part_of_speech].items()
        for relatum, other in _direct(wordnet, synset, target, relation.wordnet)
        if relatum != target and first[by_code[relation.inverse].part_of_speech].get(relatum) == other
    ]
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _direct(wordnet: EnglishReader, synset: Synset, target: str, links: Links) -> Iterator[tuple[str, Synset]]:
    """Yield the words that one step leads to, each with its synset."""
    for pointer in links.pointers:
        yield from ((lemma.name(), lemma.synset()) for lemma in _lemmas(synset, pointer, {target}))
        yield from ((name, other) for other in _synsets(wordnet, synset, pointer) for name in other.lemma_names())
