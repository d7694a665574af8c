"""WordNet 3.0 through nltk: its files in the folders that nltk reads, and the relations between its words."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

from relprobe.core.errors import SourceError
from relprobe.core.files import whole_folder
from relprobe.core.manifest import Folder, NewFolder, manifest_format, write_manifest
from relprobe.sources.language import Language
from relprobe.sources.lexical.pointers import CO_LEMMA, INVERSE, LEMMA, PARTS_OF_SPEECH, SISTER, SYNSET
from relprobe.sources.lexical.resource import Spelling
from relprobe.sources.word_frequency import by_frequency

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Lemma, Synset

LETTERS = {"noun": "n", "verb": "v", "adjective": "as", "adverb": "r"}
"""Part of speech -> the letters of its synsets; s is an adjective that is similar to another."""
NEEDED = (
    *(f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")),
    *(f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")),
    *("index.sense", "lexnames", "cntlist.rev"),
)
"""The files that nltk opens; `Princeton.frequent_words` needs the counts of cntlist.rev."""


def readable(fetched: Folder) -> NewFolder:
    """Copy WordNet's database files into the folders that nltk reads, and list the files in a manifest."""
    return partial(prepare, fetched)


def prepare(original: Path, folder: Path) -> Path:
    """Copy WordNet's database files into `folder`, in the form that nltk reads, and return its manifest.

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
    return write_manifest(folder)


class WordNetReader(Protocol):
    """What reads WordNet's words and synsets; lexical/wordnet_reader.py has it, and imports nltk, which takes a second."""

    reversed_pointers: Mapping[str, Mapping[Synset, Sequence[Synset]]]
    """Pointer of INVERSE -> synset -> the synsets whose own pointer leads to it."""

    def synset(self, name: str) -> Synset:
        """Return the synset of a name, such as "robin.n.02"."""

    def synsets(self, word: str, pos: str) -> Sequence[Synset]:
        """Return the synsets of a word whatever its capitals, and of those that it is an inflected form of."""

    def all_synsets(self, pos: str) -> Iterable[Synset]:
        """Return all synsets of a part of speech."""

    def senses(self, word: str, pos: str) -> list[Synset]:
        """Return the senses of a word's lemmas (`lemmas_of`), the first one first."""

    def lemmas_of(self, word: str, pos: str) -> list[str]:
        """Return the lemma that a word is, as it is written, or else those that it is an inflected form of."""

    def any_lemmas_of(self, word: str, pos: str) -> list[str]:
        """Return the lemma of a word as nltk finds it, whatever its capitals."""

    def lemmas(self, word: str) -> Sequence[Lemma]:
        """Return the lemmas of a word in all of its synsets."""

    def all_lemma_names(self) -> Iterable[str]:
        """Return the names of all lemmas; several words have underscores between them."""


@cache
def load(folder: Path) -> WordNetReader:
    """Open the WordNet that `prepare` put into `folder`, once in a process: a step may have it as two of its inputs."""
    import nltk

    from relprobe.sources.lexical.wordnet_reader import EnglishReader

    nltk.data.path.insert(0, str(folder.resolve()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # nltk misses the multilingual part, which nothing needs
        reader: WordNetReader = EnglishReader(nltk.data.find("corpora/wordnet"), None)
        return reader


WordNet = Annotated[WordNetReader, manifest_format(load)]


def _in_order(synsets: Iterable[Synset]) -> list[Synset]:
    """Return synsets in the order of WordNet's files. nltk has what a pointer leads to in another order in each process."""
    return sorted(synsets, key=lambda synset: (synset.pos(), synset.offset()))


class Princeton:
    """WordNet 3.0 as a lexical resource (sources/lexical/resource.py)."""

    def __init__(self, reader: WordNetReader, language: Language) -> None:
        self.reader, self.language = reader, language

    def synsets(self, word: str, part: str, spelling: Spelling = "written") -> list[Synset]:
        """Return the synsets of a word of a part of speech, the first sense first (see `Resource`)."""
        pos = PARTS_OF_SPEECH[part]
        if spelling == "any":
            return list(self.reader.synsets(word.replace(" ", "_"), pos))
        return self.reader.senses(word, pos)

    def forms(self, word: str, part: str, spelling: Spelling = "written") -> set[str]:
        """Return the word and the lemmas that it is an inflected form of (see `Resource`)."""
        find = self.reader.any_lemmas_of if spelling == "any" else self.reader.lemmas_of
        return {word, *map(_plain, find(word, PARTS_OF_SPEECH[part]))}

    def names(self, synset: Synset) -> list[str]:
        """Return the words of a synset; several words have blanks between them."""
        return [_plain(name) for name in synset.lemma_names()]

    def follow(self, synset: Synset, pointer: str) -> list[Synset]:
        """Return the synsets that a pointer between synsets leads to; none if it joins words."""
        if pointer == SISTER:
            above = _in_order(synset.hypernyms())
            return [sister for hypernym in above for sister in _in_order(hypernym.hyponyms()) if sister != synset]
        if pointer in INVERSE:
            return _in_order(self.reader.reversed_pointers[pointer].get(synset, ()))
        return _in_order(getattr(synset, SYNSET[pointer])()) if pointer in SYNSET else []

    def related_words(self, synset: Synset, pointer: str, forms: set[str]) -> list[tuple[str, Synset]]:
        """Return the words, with their synsets, that a pointer between words leads to from `forms`."""
        lemmas: list[Lemma] = []
        if pointer == CO_LEMMA:
            lemmas = synset.lemmas()
        elif pointer in LEMMA:
            lemmas_here = [lemma for lemma in synset.lemmas() if _plain(lemma.name()) in forms]
            lemmas = [target for lemma in lemmas_here for target in getattr(lemma, LEMMA[pointer])()]
        return [(_plain(lemma.name()), lemma.synset()) for lemma in lemmas]

    def lemmas(self) -> set[str]:
        """Return the words of all synsets; several words have blanks between them."""
        return {_plain(name) for name in self.reader.all_lemma_names()}

    def frequent_words(self, parts: Iterable[str], number: int) -> dict[str, list[str]]:
        """Return the `number` most frequent words (`wordfreq`) that are mostly of each part of speech, in that order.

        A word is mostly a noun if it is a WordNet noun of the language's letters whose noun senses have at least one use in
        WordNet's tagged corpus, and at least as many uses as its other senses. "time" is one, "in" (inch) and "can" are not.
        """
        words: dict[str, list[str]] = {part: [] for part in parts}
        for word in by_frequency(language=self.language.wordfreq):
            wanted = [part for part in words if len(words[part]) < number]
            if not wanted:
                break
            if self.language.letters.fullmatch(word) and len(word) > 1:
                lemmas = [lemma for lemma in self.reader.lemmas(word) if lemma.name() == word]
                for part in wanted:
                    if _mostly(lemmas, LETTERS[part]):
                        words[part].append(word)
        return words


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _mostly(lemmas: list[Lemma], letters: str) -> bool:
    part_lemmas = [lemma for lemma in lemmas if lemma.synset().pos() in letters]
    if not part_lemmas:
        return False
    uses = sum(lemma.count() for lemma in lemmas)
    return 2 * sum(lemma.count() for lemma in part_lemmas) >= max(uses, 1)
