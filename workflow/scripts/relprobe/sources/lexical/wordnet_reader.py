"""WordNet 3.0 as nltk reads it, faster, and by words as they are written."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

from nltk.corpus.reader.wordnet import Lemma, Synset, WordNetCorpusReader

from relprobe.sources.lexical.pointers import INVERSE, SYNSET


class EnglishReader(WordNetCorpusReader):  # type: ignore[misc]  # nltk has no types
    """nltk's reader without its map between the versions of WordNet, which takes two seconds and serves other languages.

    It reads the counts of all lemmas once. nltk searches their file for every lemma, which took half the time of a sample.
    """

    def open(self, file: str) -> TextIO:
        """Open a file of WordNet as a stream in memory; nltk's own stream takes half the time of reading all synsets."""
        return TextIOWrapper(BytesIO(Path(self.root, file).read_bytes()), encoding=self.encoding(file), newline="\n")

    def map_wn(self, version: str = "wordnet") -> None:
        """Return no map."""

    @cached_property
    def lemma_counts(self) -> Mapping[str, int]:
        """The key of a lemma's sense -> how often it was used; lemmas that were not used are missing."""
        with self.open("cntlist.rev") as lines:
            return {key: int(count) for key, _, count in map(str.split, lines)}

    def lemma_count(self, lemma: Lemma) -> int:
        """Return how often a lemma was used in its sense."""
        return self.lemma_counts.get(lemma.key(), 0)

    def lemmas_of(self, word: str, pos: str) -> list[str]:
        """Return the lemma that a word is, as it is written, or else those that it is an inflected form of.

        A word of several words may have blanks or underscores; the lemmas have underscores. A capital counts: nltk takes
        "Turkey" for "turkey", too, and "stamina" for the plural of "stamen" beside the lemma that it is. An inflected form
        has the capitals of its lemma: "Americans" is one of "American", and none of "american".
        """
        name = word.replace(" ", "_")
        if self._named(name, pos):
            return [name]
        forms = dict.fromkeys(self._morphy(name, pos))
        if name != name.lower():
            forms |= dict.fromkeys(self._capital_forms(name, pos))
        return [form for form in forms if self._named(form, pos)]

    def _capital_forms(self, name: str, pos: str) -> Iterator[str]:
        """Yield the lemmas with capitals that a word is an inflected form of; nltk knows such forms in lower case alone."""
        for form in self._morphy(name.lower(), pos):
            names = {lemma for synset in self.synsets(form, pos) for lemma in synset.lemma_names()}
            yield from sorted(
                spelling for spelling in names if spelling.lower() == form and name.startswith(spelling[:-1])
            )

    def any_lemmas_of(self, word: str, pos: str) -> list[str]:
        """Return the lemma of a word as nltk finds it, whatever its capitals; the first one where there are several."""
        lemma = self.morphy(word.replace(" ", "_"), pos)
        return [] if lemma is None else [lemma]

    def senses(self, word: str, pos: str) -> list[Synset]:
        """Return the senses of a word's lemmas (`lemmas_of`), the first one first."""
        synsets = (synset for lemma in self.lemmas_of(word, pos) for synset in self._named(lemma, pos))
        return list(dict.fromkeys(synsets))

    def _named(self, name: str, pos: str) -> list[Synset]:
        """Return the synsets that have a lemma of exactly this name."""
        return [synset for synset in self.synsets(name, pos) if name in synset.lemma_names()]

    @cached_property
    def reversed_pointers(self) -> Mapping[str, Mapping[Synset, Sequence[Synset]]]:
        """Pointer of INVERSE -> synset -> the synsets whose own pointer leads to it."""
        back: dict[str, dict[Synset, list[Synset]]] = {name: defaultdict(list) for name in INVERSE}
        for synset in self.all_synsets("v"):
            for name, pointer in INVERSE.items():
                for target in getattr(synset, SYNSET[pointer])():
                    back[name][target].append(synset)
        return back
