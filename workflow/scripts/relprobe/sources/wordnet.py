"""WordNet 3.0 through nltk: its files in the folders that nltk reads, and the relations between its noun lemmas."""

import itertools
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import nltk
import polars as pl
from nltk.corpus.reader.wordnet import Lemma, Synset, WordNetCorpusReader

from relprobe.core.errors import SourceError
from relprobe.core.files import whole_folder
from relprobe.core.relation import TUPLES

NOUN_RELATIONS = pl.Schema(
    {"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "steps": pl.UInt8()}
)
NEEDED = (
    *(f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")),
    *(f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")),
    *("index.sense", "lexnames", "cntlist.rev"),
)
"""The files that nltk opens; `frequent_nouns` needs the counts of cntlist.rev."""


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


def load(folder: Path) -> WordNetCorpusReader:
    """Open the WordNet that `prepare` put into `folder`."""
    nltk.data.path.insert(0, str(folder.resolve()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # nltk misses the multilingual part, which nothing needs
        return EnglishReader(nltk.data.find("corpora/wordnet"), None)


def noun_relations(wordnet: WordNetCorpusReader, targets: Iterable[str]) -> pl.DataFrame:
    """Return the single-word relata of each target over all its noun senses (NOUN_RELATIONS).

    Relata are hypernyms and hyponyms within two steps (instances count), holonyms and meronyms of the kinds part, member and
    substance, antonyms of the lemma itself, and, as synonyms, the other lemmas of a synset. `steps` is the length of the
    shortest path, 0 for synonyms and antonyms. An inflected target has the relata of its lemma, but not the lemma itself. A
    pair may stand in several relations; the study decides between them.
    """
    rows = (
        (target, relation, relatum, steps)
        for target in sorted(set(targets))
        for own in [{target, wordnet.morphy(target, "n")}]
        for synset in wordnet.synsets(target, "n")
        for relation, relatum, steps in _related(synset, own)
        if relatum not in own and "_" not in relatum
    )
    pairs = pl.DataFrame(rows, schema=NOUN_RELATIONS, orient="row")
    return pairs.group_by("target", "relation", "relatum").agg(pl.col("steps").min()).sort(pl.all())


def frequent_nouns(wordnet: WordNetCorpusReader, number: int) -> list[str]:
    """Return the `number` most frequent English words (`wordfreq`) that are mostly nouns, the most frequent first.

    A word is mostly a noun if it is a WordNet noun of lower-case letters whose noun senses have at least one use in
    WordNet's tagged corpus, and at least as many uses as its other senses. "time" is one, "in" (inch) and "can" are not.
    """
    import wordfreq

    candidates = (word for word in wordfreq.iter_wordlist("en") if word.isascii() and word.isalpha() and len(word) > 1)
    return list(itertools.islice((word for word in candidates if _mostly_noun(wordnet, word)), number))


def _mostly_noun(wordnet: WordNetCorpusReader, word: str) -> bool:
    lemmas = [lemma for lemma in wordnet.lemmas(word) if lemma.name() == word]
    nouns = [lemma for lemma in lemmas if lemma.synset().pos() == "n"]
    uses = sum(lemma.count() for lemma in lemmas)
    return bool(nouns) and 2 * sum(lemma.count() for lemma in nouns) >= max(uses, 1)


def first_sense_tuples(wordnet: WordNetCorpusReader, nouns: list[str]) -> pl.DataFrame:
    """Return the direct links between the first noun senses of `nouns` as HYP, MER, ANT and SYN tuples (TUPLES).

    A link is direct if it has one step and connects the first sense of both words, so that a tuple holds for the usual
    meanings of the words.
    """
    first = {noun: wordnet.synsets(noun, "n")[0] for noun in nouns}
    rows = [
        (target, relation, relatum, ["wordnet"])
        for target, synset in first.items()
        for relation, relatum, other in _direct(synset, target)
        if relatum != target and first.get(relatum) == other
    ]
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _direct(synset: Synset, target: str) -> Iterator[tuple[str, str, Synset]]:
    """Yield (relation, relatum, its synset) for the direct HYP, MER, ANT and SYN links of `target` in `synset`."""
    for relation, others in (("HYP", _up(synset)), ("MER", _parts(synset)), ("SYN", [synset])):
        yield from ((relation, name, other) for other in others for name in other.lemma_names())
    yield from (("ANT", antonym.name(), antonym.synset()) for antonym in _antonyms(synset, {target}))


def _related(synset: Synset, forms: set[str]) -> Iterator[tuple[str, str, int]]:
    for relation, link in (("HYP", _up), ("HPO", _down)):
        near = link(synset)
        far = [other for middle in near for other in link(middle)]
        for steps, others in ((1, near), (2, far)):
            yield from ((relation, name, steps) for other in others for name in other.lemma_names())
    for relation, others in (("HOL", _wholes(synset)), ("MER", _parts(synset))):
        yield from ((relation, name, 1) for other in others for name in other.lemma_names())
    yield from (("SYN", name, 0) for name in synset.lemma_names())
    yield from (("ANT", antonym.name(), 0) for antonym in _antonyms(synset, forms))


def _antonyms(synset: Synset, forms: set[str]) -> list[Lemma]:
    return [antonym for own in synset.lemmas() if own.name() in forms for antonym in own.antonyms()]


def _up(synset: Synset) -> list[Synset]:
    return synset.hypernyms() + synset.instance_hypernyms()


def _down(synset: Synset) -> list[Synset]:
    return synset.hyponyms() + synset.instance_hyponyms()


def _wholes(synset: Synset) -> list[Synset]:
    return synset.part_holonyms() + synset.member_holonyms() + synset.substance_holonyms()


def _parts(synset: Synset) -> list[Synset]:
    return synset.part_meronyms() + synset.member_meronyms() + synset.substance_meronyms()
