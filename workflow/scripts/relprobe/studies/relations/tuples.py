"""The data of the study: targets and tuples from a lexical resource or from files, and the words of closed lists."""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Once
from relprobe.core.errors import DataError
from relprobe.core.files import Format, parquet, read_own_text
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.core.relation import Relations, augment, in_lexicon, merge
from relprobe.lm.words.lexicon import Words
from relprobe.sources import category_norms, hyperlex
from relprobe.sources.language import Language, LanguageFile
from relprobe.sources.lexical.resource import LINKED, Resource, first_sense_tuples, linked_words
from relprobe.sources.own import tuples as own_tuples
from relprobe.sources.relations import RelationsFile
from relprobe.sources.word_frequency import most_frequent
from relprobe.sources.written import checked_word
from relprobe.studies.relations.method import relata, unambiguous, united_tuples
from relprobe.studies.relations.sampling import sample
from relprobe.studies.relations.schemas import RELATA, Relata, Tuples

# How many probes a study of own tuples has, and how many answers they need, before anything runs.


def probes_and_answers(
    tuples: pl.DataFrame, relations: Relations, prompts: Iterable[str], candidates: Mapping[str, int] | None
) -> tuple[int, int]:
    """Return the probes of tuples (TUPLES), main and trick, and the answers that a model gives to all of them.

    `prompts`: the relation of each prompt. `candidates`: relation -> words of its closed list; None where answers are tokens
    or words of a list, which a model ranks in one answer. As `method.probes` counts, but without their texts.

    >>> from relprobe.core.relation import Relation
    >>> codes = Relations((Relation("HYP", "kind", "HPO"), Relation("HPO", "example", "HYP")))
    >>> rows = pl.DataFrame({"target": ["robin", "duck"], "relation": "HYP", "relatum": "bird", "sources": [["own"]] * 2})
    >>> probes_and_answers(rows, codes, ["HYP", "HYP", "HPO"], {"HYP": 1, "HPO": 2})  # robin, duck and bird, three times
    (9, 12)
    """
    augmented = augment(tuples, relations.inverse)
    targets = {code: set(augmented.filter(relation=code)["target"]) for code in relations.codes}
    probes = answers = 0
    for relation in prompts:
        asked = len(targets[relation] | targets[relations.inverse[relation]])
        probes += asked
        answers += asked * (1 if candidates is None else candidates.get(relation, 1))
    return probes, answers


# The lexical resource of a study: Princeton WordNet, or a database of WN-LMF files.


PRINCETON = "nltk_wordnet"
"""The manifest of Princeton WordNet in nltk's form. Others are databases of WN-LMF files."""


def lexical_resource(manifest: Path, language: LanguageFile) -> Resource:
    """Open the lexical resource that a manifest describes. Only the library that reads it is imported."""
    folder = fetched_folder(manifest)
    if manifest.stem == PRINCETON:
        from relprobe.sources.lexical import wordnet

        return wordnet.Princeton(wordnet.load(folder), language)
    from relprobe.sources.lexical.wn_lmf import WnLmf

    return WnLmf(folder, language)


LexicalResource = Annotated[Resource, Format(lexical_resource)]


# What counts as right: the tuples and the relatum sets (sections 4.1 and 4.3 of Cao et al.).


def targets_of(gold: pl.DataFrame, relations: Relations) -> dict[str, list[str]]:
    """Return the words that a lexical resource is asked about: part of speech -> targets of the relations that have it."""
    parts = {relation.code: relation.part_of_speech for relation in relations.entries}
    words = gold.select("target", part=pl.col("relation").replace_strict(parts, return_dtype=pl.String)).unique()
    return {part: words.filter(part=part)["target"].sort().to_list() for part in dict.fromkeys(parts.values())}


def other_expansions(relations: Relations) -> dict[str, Relations | None]:
    """Return the relations under other choices of the expansion, by the choice's name; None stands for no expansion.

    "depth: 1" follows one link only, and "senses: first" the links of the first sense. A choice that changes no relation is
    left out.
    """
    choices: dict[str, Relations | None] = {"expansion: none": None}
    for name, change in (("depth: 1", {"depth": 1}), ("senses: first", {"senses": "first"})):
        entries = tuple(
            replace(relation, wordnet=replace(relation.wordnet, **change)) if relation.wordnet else relation
            for relation in relations.entries
        )
        if entries != relations.entries:
            choices[name] = Relations(entries)
    return choices


# What a lexical resource knows of the words that nobody is asked about, for the controls.


def resource_relata(
    lexicon: Words, relations: RelationsFile, language: LanguageFile, wordnet: LexicalResource
) -> Relata:
    """Return the relatum sets (RELATA) that a lexical resource gives to all lemmas of the lexicon.

    An inflected form is left out: it has the relata of its lemma, which would count twice.
    """
    words = [word for word in lexicon["word"].unique().sort() if language.letters.fullmatch(word)]
    ways = {
        relation.part_of_speech: relation.wordnet.spelling
        for relation in relations.entries
        if relation.wordnet is not None
    }
    lemmas = {
        part: [word for word in words if wordnet.forms(word, part, spelling) == {word}]
        for part, spelling in ways.items()
    }
    linked = in_lexicon(linked_words(wordnet, lemmas, relations.entries), lexicon)
    rows = linked.select("target", "relation", "relatum", sources=pl.lit(["wordnet"]))
    return unambiguous(rows, relations).select(list(RELATA)).sort("target", "relation", "relatum")


# A user's own words as answers: a list of words, and lists of candidates for the relations and their targets.


CANDIDATES = pl.Schema({"relation": pl.String(), "target": pl.String(), "word": pl.String()})
"""The words that may be answers to the probes of a relation; with a target, to the probes about it alone."""
Candidates = Annotated[pl.DataFrame, parquet(CANDIDATES)]
SCHEMA = CsvSchema(("relation", "candidate"), ("target",), as_written=True)


def read_words(path: Path) -> list[str]:
    r"""Return the words of a text file, one a line. A word may be an expression of several words; blank lines do not count.

    DataError, which names the line: a word is there twice, has no letter, or has a blank too many; or there are no words.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "words.txt")
    ...     _ = path.write_text("robin\nice cream\n")
    ...     read_words(path)
    ['robin', 'ice cream']
    """
    lines: dict[str, int] = {}
    for line, written in enumerate(read_own_text(path).split("\n"), 1):
        if written.strip():
            word = _checked_word(f"{path}, line {line}", written)
            if word in lines:
                raise DataError(f"{path}, line {line}: {word!r} is in line {lines[word]} already: remove one of them.")
            lines[word] = line
    if not lines:
        raise DataError(f"{path} holds no words: write one on each line.")
    return list(lines)


def read_candidates(path: Path, codes: Collection[str]) -> pl.DataFrame:
    r"""Return the candidates of a CSV file with the columns relation, candidate and, if you like, target (CANDIDATES).

    `codes`: those of the study's relations. Without a target, a candidate is one of the whole relation. DataError, which
    names the line: another form, a relation has no such code, a candidate is there twice in one list, has no letter, or has
    a blank too many; or there are no candidates.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "candidates.csv")
    ...     _ = path.write_text("relation,candidate,target\nHYP,bird,\nHYP,ice cream,robin\n")
    ...     read_candidates(path, ["HYP"]).rows()
    [('HYP', None, 'bird'), ('HYP', 'robin', 'ice cream')]
    """
    once, rows = Once(), []
    for row in SCHEMA.read(path).rows:
        relation, word, target = row.cells["relation"].strip(), row.cells["candidate"], row.cells["target"].strip()
        if relation not in codes:
            raise DataError(f"{row.where}: unknown relation {relation!r}; the relations file has {', '.join(codes)}.")
        word, target = _checked_word(row.where, word), target and checked_word(target, row.where)
        once.add((relation, target, word), row, f"{word!r} is in the same list")
        rows.append((relation, target or None, word))
    if not rows:
        raise DataError(f"{path} holds no candidates: add a line such as {next(iter(codes))},bird.")
    return pl.DataFrame(rows, schema=CANDIDATES, orient="row").sort(pl.all())


def _checked_word(where: str, word: str) -> str:
    if not any(character.isalpha() for character in word):
        raise DataError(f"{where}: {word!r} has no letter and is no word: remove it.")
    single = " ".join(word.split())
    if single != word:
        raise DataError(f"{where}: {word!r} has a blank too many: write {single!r}.")
    return checked_word(word, where)


# Closed lists of candidates as answers: the words of each list, which belongs to a relation, or to a relation and a
# target.
# The own list of a target takes the place of its relation's.


logger = logging.getLogger("relprobe")
KEY = ["relation", "target"]


class Lists(NamedTuple):
    """The closed lists, the tuples whose relatum is a candidate, and all words of lists, tuples and their expansion."""

    lists: Candidates
    listed: Tuples
    words: Words


def candidates(
    tuples: Tuples, relations: RelationsFile, wordnet: LexicalResource | None = None, list_file: Path | None = None
) -> Lists:
    """Make the closed lists of candidates: those of the file `list_file`, or all relata of each relation.

    `wordnet`: the lexical resource whose relata count, if there is one.
    """
    expansion = pl.DataFrame(schema=LINKED)
    if wordnet is not None:
        expansion = linked_words(wordnet, targets_of(tuples, relations), relations.entries)
    table = read_candidates(list_file, relations.codes) if list_file else default_candidates(tuples, expansion)
    for (relation,), rows in table.group_by("relation", maintain_order=True):
        logger.info("%s has %s candidates", relation, f"{rows['word'].n_unique():,}")
    return Lists(table, keep_candidates(tuples, table), words_of(table, tuples, expansion))


def default_candidates(tuples: pl.DataFrame, linked: pl.DataFrame) -> pl.DataFrame:
    """Return the default lists (CANDIDATES): for each relation all words that are its relata for any target.

    `tuples` (TUPLES) and `linked_words`, what a lexical resource adds (LINKED), whatever any lexicon holds.

    >>> links = pl.DataFrame({"target": ["robin", "ant"], "relation": ["HYP", "HYP"], "relatum": ["bird", "ant"]})
    >>> default_candidates(links.clear(), links).rows()
    [('HYP', None, 'bird')]
    """
    pairs = pl.concat([table.select(*KEY, "relatum") for table in (tuples, linked)])
    words = pairs.filter(pl.col("target") != pl.col("relatum")).select("relation", word="relatum").unique()
    return words.select("relation", pl.lit(None, pl.String).alias("target"), "word").cast(CANDIDATES).sort(pl.all())


def keep_candidates(pairs: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Return the `pairs` (columns target, relation and relatum) whose relatum is a candidate for the relation and target.

    `lists`: CANDIDATES.

    >>> rows = [("HYP", None, "animal"), ("HYP", "robin", "bird")]
    >>> lists = pl.DataFrame(rows, schema=CANDIDATES, orient="row")
    >>> words = {"target": ["ant", "robin", "robin"], "relation": ["HYP"] * 3, "relatum": ["animal", "animal", "bird"]}
    >>> keep_candidates(pl.DataFrame(words), lists).rows()  # in the order of the pairs
    [('ant', 'HYP', 'animal'), ('robin', 'HYP', 'bird')]
    """
    renamed = lists.rename({"word": "relatum"})
    target_lists, relation_lists = (
        renamed.filter(pl.col("target").is_not_null()),
        renamed.filter(pl.col("target").is_null()),
    )
    numbered = pairs.with_row_index("row")
    with_own = numbered.join(target_lists, on=KEY, how="semi")
    parts = [
        with_own.join(target_lists, on=[*KEY, "relatum"], how="semi"),
        numbered.join(with_own, on="row", how="anti").join(relation_lists, on=["relation", "relatum"], how="semi"),
    ]
    return pl.concat(parts).sort("row").drop("row")


def words_of(lists: pl.DataFrame, *pairs: pl.DataFrame) -> pl.DataFrame:
    """Return all words of the lists and of `pairs` (target, relatum), sorted (column word)."""
    words = [lists["word"], *(table[name] for table in pairs for name in ("target", "relatum"))]
    return pl.DataFrame({"word": pl.concat([column.rename("word") for column in words]).unique().sort()})


# The words that may be answers of any length.


JOINTS = re.compile(r"[ '’-]")
"""What stands between the words of an expression, such as "ice cream" and "merry-go-round"."""


def word_list(
    language: LanguageFile,
    wordnet: LexicalResource | None = None,
    word_file: Path | None = None,
    *,
    frequent: int,
    lemmas: bool,
    expressions: bool = False,
) -> Words:
    """List the words that may be answers of any length.

    They are the `frequent` most frequent words of the language, with `lemmas` those of the resource (with `expressions` also
    lemmas of several words), and the words of the file `word_file`.
    """
    names = wordnet.lemmas() if lemmas and wordnet is not None else set[str]()
    words = read_words(word_file) if word_file else []
    return list_words(names, frequent, language.wordfreq, words, expressions=expressions)


def list_words(
    lemmas: Iterable[str], frequent: int, language: str, custom_words: Iterable[str] = (), *, expressions: bool = False
) -> pl.DataFrame:
    """Return the `frequent` most frequent alphabetic words of a language, the lemmas and the `custom_words`, sorted.

    The column is word. `language`: its code in wordfreq. Of the lemmas, the alphabetic ones are taken; with `expressions`
    also those of several words, which have blanks, hyphens or apostrophes between their letters.

    >>> list_words(["robin", "ice cream", "U.S."], frequent=2, language="en")["word"].to_list()
    ['robin', 'the', 'to']
    >>> list_words(["robin", "ice cream", "U.S."], 0, "en", ["42nd Street"], expressions=True)["word"].to_list()
    ['42nd Street', 'ice cream', 'robin']
    """
    common = (word for word in most_frequent(2 * frequent, language=language) if word.isalpha())
    words = {word for word, _ in zip(common, range(frequent), strict=False)}
    parts = JOINTS.split if expressions else lambda lemma: [lemma]
    named = {lemma for lemma in lemmas if all(part.isalpha() for part in parts(lemma))}
    return pl.DataFrame({"word": sorted(words | named | set(custom_words))})


# The tuples of the study, and the sources that they come from, by the name of the resource.


class SampleFrame(NamedTuple):
    """What the tuples of a lexical resource are drawn from: `lexicon`, the words that can count, all of them if it is None.

    `expansion`: the resource that expands the relatum sets, where targets are drawn that share no relatum.
    """

    lexicon: pl.DataFrame | None = None
    expansion: Resource | None = None


EVERYTHING = SampleFrame()
"""The frame of all tuples of the resource."""


def source_tuples(
    sources: Iterable[Path],
    relations: Relations,
    language: Language,
    exemplar_frequency: int,
    wordnet_sample: dict[str, Any] | None = None,
    frame: SampleFrame = EVERYTHING,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the tuples of the sources (TUPLES), and these with the reverse of each: all tuples of the study (section 4.1).

    `sources` are manifests with the names of the resources. `exemplar_frequency`: how many people must have named an
    exemplar of a category norm. `wordnet_sample`: words of each part of speech, seed, and tuples per relation, which are
    drawn from the `frame`.
    """
    tables = [read(manifest, relations, language, exemplar_frequency, wordnet_sample, frame) for manifest in sources]
    return merge(pl.concat(tables)), united_tuples(tables, relations)


def _norm_tuples(file: Path, relations: Relations, exemplar_frequency: int) -> pl.DataFrame:
    codes = {
        relation.sources["category_norms"]: relation.code
        for relation in relations.entries
        if "category_norms" in relation.sources
    }
    return category_norms.read(file, codes, exemplar_frequency)


def _hyperlex_tuples(file: Path, relations: Relations, _exemplar_frequency: int) -> pl.DataFrame:
    return hyperlex.read(file, relations.entries)


def _own_tuples(file: Path, relations: Relations, _exemplar_frequency: int) -> pl.DataFrame:
    return own_tuples.read(file, relations.codes)


READERS: Mapping[str, Callable[[Path, Relations, int], pl.DataFrame]] = {
    "category_norms": _norm_tuples,
    "hyperlex": _hyperlex_tuples,
    "own_tuples": _own_tuples,
}
"""Resource that is a file of tuples -> what reads it, with the relations and `exemplar_frequency`, as TUPLES."""


def read(
    manifest: Path,
    relations: Relations,
    language: Language,
    exemplar_frequency: int,
    wordnet_sample: dict[str, Any] | None,
    frame: SampleFrame = EVERYTHING,
) -> pl.DataFrame:
    """Return the tuples (TUPLES) of the resource that `manifest` describes.

    Of the category norms, the exemplars that at least `exemplar_frequency` people named; of a lexical resource a sample of
    its frequent words in the `frame`.
    """
    if manifest.stem in READERS:
        return READERS[manifest.stem](only_file(manifest), relations, exemplar_frequency)
    assert wordnet_sample is not None, "the configuration has been validated"
    resource = lexical_resource(manifest, language)
    parts = dict.fromkeys(relation.part_of_speech for relation in relations.entries)
    words = resource.frequent_words(parts, wordnet_sample["words"])
    source = "wordnet" if manifest.stem == PRINCETON else manifest.stem
    links = first_sense_tuples(resource, words, relations.entries, source)
    if frame.lexicon is not None:
        links = in_lexicon(links, frame.lexicon)
    sets = None if wordnet_sample["shared_relata"] else _all_sets(links, relations, frame)
    several = wordnet_sample["several_relations"]
    return sample(links, wordnet_sample["tuples"], wordnet_sample["seed"], relations, several=several, sets=sets)


def _all_sets(links: pl.DataFrame, relations: Relations, frame: SampleFrame) -> pl.DataFrame:
    """Return the relatum sets (RELATA) that all words of tuples have, whichever are drawn; `links`: TUPLES."""
    augmented = augment(links, relations.inverse)
    words = pl.DataFrame(schema=LINKED)
    if frame.expansion is not None:
        words = linked_words(frame.expansion, targets_of(augmented, relations), relations.entries)
    lexicon = frame.lexicon
    if lexicon is None:
        lexicon = pl.DataFrame({"word": pl.concat([augmented["relatum"], words["relatum"]]).unique()})
    return relata(augmented, words, lexicon, relations)
