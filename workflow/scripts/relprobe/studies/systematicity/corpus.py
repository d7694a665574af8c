"""The pairs of hyponym and category that a corpus holds in a pattern such as "a robin is a bird" (section 3.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import nfc, no_utf8
from relprobe.core.manifest import manifest_format
from relprobe.studies.systematicity.prompts import DETERMINER
from relprobe.studies.systematicity.schemas import OCCURRENCES, Items, Occurrences

WORD, CATEGORY = "[W]", "[V]"
LAST_WORDS = re.compile(r"(?:[\w'’-]+\s+)*[\w'’-]+$")
WINDOW = 200
"""Characters before a pattern in which its hyponym is looked for."""


@dataclass(frozen=True)
class Pattern:
    """A pattern in three parts: what stands before the hyponym, between hyponym and category, and after the category.

    ConfigError in `of`: the text has not one [W] and after it one [V], or nothing between them.

    >>> Pattern.of("[DET] [W] is [DET] [V]")
    Pattern(text='[DET] [W] is [DET] [V]', before='[DET] ', between=' is [DET] ', after='')
    """

    text: str
    before: str
    between: str
    after: str

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Read a pattern."""
        head, _, remainder = text.partition(WORD)
        between, _, after = remainder.partition(CATEGORY)
        if text.count(WORD) != 1 or text.count(CATEGORY) != 1 or not between or CATEGORY in head:
            raise ConfigError(
                f"config: systematicity.patterns holds {text!r}, which must have one {WORD}, words, and then one "
                f"{CATEGORY}: correct it."
            )
        return cls(text, head, between, after)


def lines(folder: Path) -> Iterator[str]:
    """Yield the lines of all files in a folder, one after the other. DataError: a file is not UTF-8, or there is none."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise DataError(f"{folder} holds no file: give the text of a corpus as resources.corpus.")
    for path in files:
        try:
            with path.open(encoding="utf-8-sig") as file:
                yield from map(nfc, file)
        except UnicodeDecodeError as error:
            raise no_utf8(path, error) from error


Corpus = Annotated[Iterator[str], manifest_format(lines)]


def occurrences(corpus: Corpus, item_table: Items, *, patterns: list[str]) -> Occurrences:
    """Count how often a corpus holds each hyponym and its category in each pattern (section 3.4). `corpus`: its lines.

    Letters count in any case, and both words in the singular and in the plural. A pattern does not go beyond its line.

    >>> item = {"hyponym": "robin", "category": "bird", "hyponym_plural": "robins", "category_plural": "birds"}
    >>> lines = ["A robin is a bird .", "The Robin is a fish", "robins are birds"]
    >>> occurrences(iter(lines), pl.DataFrame([item]), patterns=["[W] is [DET] [V]", "[W] are [V]"]).rows()
    [('[W] is [DET] [V]', 'robin', 'bird', 1), ('[W] are [V]', 'robin', 'bird', 1)]
    """
    pairs = _forms(item_table)
    words = max((len(hyponym.split()) for hyponym, _ in pairs), default=1)
    matchers = [(pattern, *_matchers(pattern, pairs)) for pattern in map(Pattern.of, patterns)]
    counts: Counter[tuple[str, str, str]] = Counter()
    for line in corpus:
        for pattern, head_pattern, tail_pattern in matchers:
            for match in tail_pattern.finditer(line):
                head = line[max(0, match.start() - WINDOW) : match.start()]
                pair = _pair(head, match["category"].lower(), head_pattern, pairs, words)
                if pair is not None:
                    counts[(pattern.text, *pair)] += 1
    ordered = sorted(counts.items(), key=lambda entry: (patterns.index(entry[0][0]), entry[0]))
    return pl.DataFrame([(*key, count) for key, count in ordered], schema=OCCURRENCES, orient="row")


def _forms(items: Items) -> dict[tuple[str, str], tuple[str, str]]:
    """Return (form of a hyponym, form of its category), in lower case -> both in the singular."""
    columns = items.select("hyponym", "hyponym_plural", "category", "category_plural").unique(maintain_order=True)
    return {
        (hyponym.lower(), category.lower()): (row[0], row[2])
        for row in columns.iter_rows()
        for hyponym in row[:2]
        for category in row[2:]
    }


def _matchers(pattern: Pattern, pairs: Iterable[tuple[str, str]]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what must precede the hyponym, and the rest of the pattern after the hyponym."""
    categories = "|".join(re.escape(word) for word in sorted({category for _, category in pairs}, reverse=True))
    tail = rf"{_expression(pattern.between)}(?P<category>{categories})(?!\w){_expression(pattern.after)}"
    return re.compile(rf"(?:{_expression(pattern.before)})$", re.IGNORECASE), re.compile(tail, re.IGNORECASE)


def _expression(text: str) -> str:
    return re.escape(text).replace(re.escape(DETERMINER), "an?").replace(r"\ ", r"\s+")


def _pair(
    head: str, category: str, head_pattern: re.Pattern[str], pairs: Mapping[tuple[str, str], tuple[str, str]], most: int
) -> tuple[str, str] | None:
    """Return the pair whose hyponym ends `head`; a longer hyponym goes before a shorter one."""
    last = LAST_WORDS.search(head)
    parts = last[0].split() if last else []
    for length in range(min(most, len(parts)), 0, -1):
        hyponym = " ".join(parts[-length:])
        pair = pairs.get((hyponym.lower(), category))
        start = re.search(r"\s+".join(map(re.escape, parts[-length:])) + "$", head)
        if pair is not None and start is not None and head_pattern.search(head[: start.start()]):
            return pair
    return None
