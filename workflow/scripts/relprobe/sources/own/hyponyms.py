"""A user's own hyponyms, from a CSV file: words with their categories and, if there are any, sentences."""

from dataclasses import dataclass
from pathlib import Path

from relprobe.core.csv_schema import CsvSchema, Once, Row, Spellings
from relprobe.core.errors import DataError
from relprobe.sources.systematicity import SLOT, span_of
from relprobe.sources.written import checked_word, one_form

SCHEMA = CsvSchema(("hyponym", "category", "plural"), ("sentence",))


@dataclass(frozen=True)
class Hyponym:
    """A hyponym, its category, its plural ("" if the file gives none), a sentence with it or "", and its line."""

    word: str
    category: str
    plural: str
    sentence: str
    line: int


def read(path: Path) -> list[Hyponym]:
    r"""Return the rows of a CSV file with the columns hyponym, category, plural and, if you like, sentence, by the alphabet.

    A word may be a phrase, and may have any letters. An empty plural is left to `inflect`. A sentence holds the hyponym as
    a whole word. DataError, which names the line: another form, a field is missing or holds a slot, a hyponym comes
    twice, or a sentence lacks its hyponym.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("hyponym,category,plural\néclair,pastry,\n")
    ...     read(path)
    [Hyponym(word='éclair', category='pastry', plural='', sentence='', line=2)]
    """
    once, categories = Once(), Spellings("the category")
    hyponyms = [_hyponym(row, once, categories) for row in SCHEMA.read(path).rows]
    if not hyponyms:
        raise DataError(f"{path} holds no hyponyms: add a line such as robin,bird,robins.")
    return sorted(hyponyms, key=lambda hyponym: hyponym.word)


def _hyponym(row: Row, once: Once, categories: Spellings) -> Hyponym:
    word, category, plural, sentence = (row.cells[name] for name in (*SCHEMA.columns, *SCHEMA.optional))
    if not word or not category:
        raise DataError(f"{row.where}: hyponym and category must not be empty.")
    if any(SLOT in cell for cell in row.cells.values()):
        raise DataError(f"{row.where}: a field holds {SLOT}: write the hyponym there.")
    word, category = checked_word(word, row.where), checked_word(category, row.where)
    plural, sentence = checked_word(plural, row.where) if plural else "", one_form(sentence)
    once.add(word, row, f"the hyponym {word!r} is")
    categories.add(category, row)
    if sentence and span_of(sentence, [word, plural] if plural else [word]) is None:
        raise DataError(f"{row.where}: the sentence lacks {word!r}: correct it, or leave it empty.")
    return Hyponym(word, category, plural, sentence, row.line)
