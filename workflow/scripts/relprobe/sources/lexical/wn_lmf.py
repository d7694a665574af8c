"""Lexical resources in the format WN-LMF, such as the Open Multilingual Wordnet, through the library wn."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from relprobe.core.errors import SourceError
from relprobe.core.files import whole_folder
from relprobe.core.manifest import Folder, NewFolder, write_manifest
from relprobe.sources.language import Language
from relprobe.sources.lexical.pointers import CO_LEMMA, LEMMA, PARTS_OF_SPEECH, SISTER
from relprobe.sources.lexical.resource import Spelling
from relprobe.sources.word_frequency import frequency

if TYPE_CHECKING:
    import wn

SUFFIXES = (".xml", ".xml.gz", ".xml.xz")


def database(fetched: Folder) -> NewFolder:
    """Read lexical resources in the format WN-LMF into a database, and list its files in a manifest."""
    return partial(prepare, fetched)


def prepare(original: Path, folder: Path) -> Path:
    """Read all WN-LMF files below `original` into a database in `folder`, and return its manifest.

    SourceError: there is none, or one is damaged.
    """
    import wn

    files = sorted(path for path in original.rglob("*") if path.is_file() and path.name.endswith(SUFFIXES))
    if not files:
        raise SourceError(f"{original} has no file that ends in {', '.join(SUFFIXES)}: it is no resource in WN-LMF.")
    with whole_folder(folder) as partial:
        wn.config.data_directory = partial
        for file in files:
            try:
                wn.add(file, progress_handler=None)
            except (wn.Error, SyntaxError) as error:
                raise SourceError(f"{file} is no resource in WN-LMF ({error}): get it anew.") from error
    return write_manifest(folder)


class WnLmf:
    """A database of WN-LMF files as a lexical resource (sources/lexical/resource.py): the lexicons of one language.

    A lexicon without pointers of its own, as most of the Open Multilingual Wordnet, follows those of the lexicons that it
    requires, if they are in the database as well.
    """

    def __init__(self, folder: Path, language: Language) -> None:
        import wn

        wn.config.data_directory = folder
        lexicons = [lexicon.specifier() for lexicon in wn.lexicons(lang=language.lexicon)]
        if not lexicons:
            languages = sorted({lexicon.language for lexicon in wn.lexicons()})
            raise SourceError(
                f"{folder} has no lexicon of the language {language.lexicon!r}, but of {', '.join(languages)}: correct "
                "`lexicon` in the file of the language."
            )
        self.wordnet, self.language = wn.Wordnet(" ".join(lexicons)), language

    def synsets(self, word: str, part: str, spelling: Spelling = "written") -> "list[wn.Synset]":
        """Return the synsets of a word of a part of speech, the first sense first (see `Resource`)."""
        ids = {synset.id for entry in self._entries(word, part, spelling) for synset in entry.synsets()}
        synsets_of_word = [
            synset
            for pos in _letters(part)
            for form in _spellings(word)
            for synset in self.wordnet.synsets(form, pos=pos)
        ]
        return [synset for synset in dict.fromkeys(synsets_of_word) if synset.id in ids]

    def forms(self, word: str, part: str, spelling: Spelling = "written") -> set[str]:
        """Return the word and the lemmas of the entries that have it as a form (see `Resource`)."""
        return {word, *(_plain(entry.lemma()) for entry in self._entries(word, part, spelling))}

    def _entries(self, word: str, part: str, spelling: Spelling) -> "list[wn.Word]":
        """Return the entries whose lemma is the word, as it is written; without one, those that have it as a form.

        "any": all entries that the library finds, which passes over capitals and accents.
        """
        candidates = [
            entry for pos in _letters(part) for form in _spellings(word) for entry in self.wordnet.words(form, pos=pos)
        ]
        if spelling == "any":
            return candidates
        with_lemma = [entry for entry in candidates if _plain(entry.lemma()) == word]
        return with_lemma or [entry for entry in candidates if word in map(_plain, entry.forms())]

    def names(self, synset: "wn.Synset") -> list[str]:
        """Return the words of a synset; several words have blanks between them."""
        return [_plain(lemma) for lemma in synset.lemmas()]

    def follow(self, synset: "wn.Synset", pointer: str) -> "list[wn.Synset]":
        """Return the synsets that a pointer between synsets leads to; none if it joins words."""
        if pointer == SISTER:
            sisters = [sister for above in synset.get_related("hypernym") for sister in above.get_related("hyponym")]
            return [sister for sister in sisters if sister != synset]
        return [] if pointer in LEMMA or pointer == CO_LEMMA else synset.get_related(pointer)

    def related_words(self, synset: "wn.Synset", pointer: str, forms: set[str]) -> "list[tuple[str, wn.Synset]]":
        """Return the words, with their synsets, that a pointer between words leads to from `forms`."""
        if pointer == CO_LEMMA:
            return [(name, synset) for name in self.names(synset)]
        if pointer not in LEMMA:
            return []
        senses_here = [sense for sense in synset.senses() if _plain(sense.word().lemma()) in forms]
        related = [target for sense in senses_here for target in sense.get_related(pointer)]
        return [(_plain(target.word().lemma()), target.synset()) for target in related]

    def lemmas(self) -> set[str]:
        """Return the words of all entries; several words have blanks between them."""
        return {_plain(entry.lemma()) for entry in self.wordnet.words()}

    def frequent_words(self, parts: Iterable[str], number: int) -> dict[str, list[str]]:
        """Return the `number` most frequent words (`wordfreq`) that are mostly of each part of speech, in that order.

        A word is mostly a noun if it has the language's letters, whatever their case, and at least half of its senses are
        those of nouns: WN-LMF need not have counts. A word that wordfreq does not know is not there.
        """
        senses: dict[str, dict[str, int]] = {}
        for part in PARTS_OF_SPEECH:
            for pos in _letters(part):
                for entry in self.wordnet.words(pos=pos):
                    sense_counts = senses.setdefault(str(entry.lemma()), {})
                    sense_counts[part] = sense_counts.get(part, 0) + len(entry.senses())
        code = self.language.wordfreq
        ranks = {word: -frequency(word, language=code) for word in filter(self._single, senses)}
        ranked = sorted((word for word, rank in ranks.items() if rank), key=lambda word: (ranks[word], word))
        return {
            part: [word for word in ranked if 2 * senses[word].get(part, 0) >= sum(senses[word].values())][:number]
            for part in parts
        }

    def _single(self, word: str) -> bool:
        return len(word) > 1 and self.language.letters.fullmatch(word.lower()) is not None


def _letters(part: str) -> str:
    """Return the letters of a part of speech; s is an adjective that is similar to another."""
    return "as" if part == "adjective" else PARTS_OF_SPEECH[part]


def _plain(lemma: str) -> str:
    return str(lemma).replace("_", " ")


def _spellings(word: str) -> tuple[str, ...]:
    """Return the forms in which resources write a word: several words with blanks or with underscores."""
    return tuple(dict.fromkeys((word, word.replace(" ", "_"))))
