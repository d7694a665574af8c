"""The diagnostics of Ravichander et al. (2020): cloze prompts of hypernymy, and word pairs in sentences of Wikipedia."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.csv_schema import read_rows
from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text
from relprobe.core.manifest import manifest_format

SETS = {"diagnostic": "LM-Diagnostic", "extended": "LM-Diagnostic-Extended"}
"""Name of a set in the study -> its folder."""
PARTS = {"train": "train", "dev": "val", "test": "test"}
"""Name of a part in the study -> its name in the files."""
FOLDS = (1, 2, 3)
MASK, SLOT = "[MASK]", "[V]"
SINGULAR = re.compile(r"An? (.+) is an? \[MASK\]")
PLURAL = re.compile(r"(.+) are \[MASK\]")

ITEMS = pl.Schema(
    {
        "set": pl.String(),
        "hyponym": pl.String(),
        "category": pl.String(),  # the hypernym that is the right answer
        "hyponym_plural": pl.String(),
        "category_plural": pl.String(),
        "singular": pl.String(),  # texts with one slot [V]
        "plural": pl.String(),
        "sentence": pl.String(),  # with the hyponym in it; null: the hyponym has none
    }
)
GROUNDED = pl.Schema(
    {
        "fold": pl.UInt8(),
        "part": pl.String(),  # train, dev, test
        "hyponym": pl.String(),
        "hypernym": pl.String(),
        "label": pl.UInt8(),  # 1: it is the hyponym's hypernym
        "hyponym_text": pl.String(),
        "hyponym_start": pl.UInt32(),  # in characters
        "hyponym_stop": pl.UInt32(),
        "hypernym_text": pl.String(),
        "hypernym_start": pl.UInt32(),
        "hypernym_stop": pl.UInt32(),
    }
)


def items(folder: Path) -> pl.DataFrame:
    """Return the items of LM Diagnostic and LM Diagnostic Extended (ITEMS), in the files' order.

    A prompt gets a period at its end, as the authors' README asks for. DataError: a file is missing, a line has another
    form, or a sentence lacks its hyponym.
    """
    home = _home(folder, "Syntagmatic")
    return pl.concat([_set(home / name, key) for key, name in SETS.items()])


def _set(folder: Path, name: str) -> pl.DataFrame:
    singular, plural = (list(_lines(folder / f"{number}.tsv", 2)) for number in ("singular", "plural"))
    if len(singular) != len(plural):
        raise DataError(
            f"{folder}: singular.tsv has {len(singular)} prompts and plural.tsv {len(plural)}: get it anew."
        )
    rows = []
    for (line, (prompt, category)), (_, (prompts, categories)) in zip(singular, plural, strict=True):
        hyponym = _hyponym(SINGULAR, prompt, folder / "singular.tsv", line)
        hyponyms = _hyponym(PLURAL, prompts, folder / "plural.tsv", line)
        rows.append((name, hyponym, category, hyponyms, categories, _with_slot(prompt), _with_slot(prompts), None))
    table = pl.DataFrame(rows, schema=ITEMS, orient="row").drop("sentence")
    sentences = _sentences(folder / "contextual.tsv", dict(table.select("hyponym", "hyponym_plural").iter_rows()))
    return table.join(sentences, on="hyponym", how="left", maintain_order="left").select(list(ITEMS))


def _hyponym(pattern: re.Pattern[str], prompt: str, path: Path, line: int) -> str:
    match = pattern.fullmatch(prompt)
    if match is None:
        raise DataError(f"{path}, line {line}: the prompt {prompt!r} does not have the form {pattern.pattern!r}.")
    return match[1]


def _with_slot(prompt: str) -> str:
    return f"{prompt.replace(MASK, SLOT)}."


def _sentences(path: Path, plurals: dict[str, str]) -> pl.DataFrame:
    rows = []
    for line, (hyponym, sentence, _) in _lines(path, 3):
        if hyponym not in plurals:
            raise DataError(f"{path}, line {line}: {hyponym!r} is no hyponym of singular.tsv.")
        find(sentence, [hyponym, plurals[hyponym]], path, line)
        rows.append((hyponym, sentence.strip()))
    return pl.DataFrame(rows, schema={"hyponym": pl.String(), "sentence": pl.String()}, orient="row")


def find(sentence: str, forms: Sequence[str], path: Path, line: int) -> tuple[int, int]:
    """Return `span_of(sentence, forms)`. DataError, which names the line: the sentence has none of the forms."""
    span = span_of(sentence, forms)
    if span is None:
        raise DataError(
            f"{path}, line {line}: the sentence lacks {forms[0]!r}: {sentence!r}: correct or remove the line."
        )
    return span


def span_of(sentence: str, forms: Sequence[str]) -> tuple[int, int] | None:
    """Return start and stop, in characters, of the first whole word that is one of the forms; None if there is none.

    An earlier form goes before a later one, and the case as it is written goes before any case.

    >>> span_of("Ants met an ant .", ["ant", "ants"])
    (12, 15)
    """
    for form in forms:
        for flags in (re.NOFLAG, re.IGNORECASE):
            match = whole_word(form, flags).search(sentence)
            if match:
                return match.span()
    return None


@cache
def whole_word(form: str, flags: re.RegexFlag) -> re.Pattern[str]:
    """Return the pattern of a word or phrase with no letter or digit at its ends."""
    return re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", flags)


def grounded_pairs(folder: Path) -> pl.DataFrame:
    """Return the released splits of section 2.2 (GROUNDED), whose test hypernyms do not occur in training.

    DataError: a file is missing, a line has another form, or a sentence lacks its word.
    """
    home = _home(folder, "Paradigmatic")
    rows = [
        (fold, part, *_pair(path, line, fields))
        for fold in FOLDS
        for part, name in PARTS.items()
        for path in [home / f"{name}_detection_systematic_split{fold}.tsv"]
        for line, fields in _lines(path, 5)
    ]
    return pl.DataFrame(rows, schema=GROUNDED, orient="row")


def _pair(path: Path, line: int, fields: list[str]) -> tuple[str | int, ...]:
    sentence, hyponym, carrier, hypernym, label = fields
    if label not in ("0", "1"):
        raise DataError(f"{path}, line {line}: the label is {label!r}, but must be 0 or 1.")
    first = find(sentence, [hyponym], path, line)
    second = find(carrier, [hypernym], path, line)
    return hyponym, hypernym, int(label), sentence, *first, carrier, *second


Released = Annotated[pl.DataFrame, manifest_format(items)]
Grounded = Annotated[pl.DataFrame, manifest_format(grounded_pairs)]


def _home(folder: Path, name: str) -> Path:
    """Return the only folder of this name in `folder` or below it; archives put it at different depths."""
    folders = [path for path in sorted(folder.rglob(name)) if path.is_dir()]
    if len(folders) != 1:
        raise DataError(
            f"{folder} must hold one folder {name}, but holds {len(folders)}: give the authors' repository."
        )
    return folders[0]


def _lines(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line. DataError: the file is missing, or a line has another form."""
    if not path.is_file():
        raise DataError(f"{path} is missing: give the authors' repository as it is.")
    for line, fields in read_rows(path, read_own_text(path), "\t", blanks=True):
        if len(fields) != count or not all(field.strip() for field in fields):
            raise DataError(f"{path}, line {line}: {count} filled fields are expected, not {fields}.")
        yield line, fields
