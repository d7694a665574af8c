"""The prompts of the singular and the plural: their file, and items put into them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.lm.requests import SLOT
from relprobe.studies.systematicity.inflection import article, capitalise

NUMBERS = ("singular", "plural")
WORD, DETERMINER = "[W]", "[DET]"
PAPER = "paper"
"""The id of the paper's prompt. Released items have their own sentences for it."""
KEYS = {"id", "text", "capital"}
ID = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True)
class Prompt:
    """A sentence with one [W], the hyponym, and one [V], the slot; [DET] before either is the indefinite article.

    `capital`: whether the sentence begins with a capital letter whatever its first word is.
    """

    id: str
    text: str
    capital: bool = False

    def fill(self, hyponym: str, category: str) -> str:
        """Return the sentence about a hyponym. The article before the slot is that of the category.

        >>> Prompt("paper", "[DET] [W] is [DET] [V].", capital=True).fill("wasp", "insect")
        'A wasp is an [V].'
        """
        text = self.text.replace(f"{DETERMINER} {WORD}", f"{article(hyponym)} {WORD}")
        text = text.replace(f"{DETERMINER} {SLOT}", f"{article(category)} {SLOT}").replace(WORD, hyponym)
        return capitalise(text) if self.capital else text


def read(path: Path, wordings: int | None = None) -> dict[str, list[Prompt]]:
    """Read the prompts of each number, at most the first `wordings` of each.

    DataError: the file lacks a number, two prompts of a number have the same id, or a prompt has another form.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print("{singular: [{id: all, text: 'Every [W] is [DET] [V].'}], plural: [{id: all, text: 'All [W] are [V].'}]}",
    ...           file=file, flush=True)
    ...     read(Path(file.name))["plural"]
    [Prompt(id='all', text='All [W] are [V].', capital=False)]
    """
    content = read_yaml(path)
    if not isinstance(content, dict) or set(content) != set(NUMBERS):
        raise DataError(f"{path} must have the two sections singular and plural.")
    return {number: _number_probes(path, number, content[number])[:wordings] for number in NUMBERS}


Prompts = Annotated[Mapping[str, Sequence[Prompt]], Format(read)]
"""Number -> its prompts; the first one is that of the main results."""


def _number_probes(path: Path, number: str, entries: Any) -> list[Prompt]:
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{path}: {number} must be a list of prompts.")
    prompts = [_prompt(path, number, entry) for entry in entries]
    ids = [prompt.id for prompt in prompts]
    if twice := [name for name in ids if ids.count(name) > 1]:
        raise DataError(f"{path}: two prompts of {number} have the id {twice[0]!r}: rename one.")
    return prompts


def _prompt(path: Path, number: str, entry: Any) -> Prompt:
    where = f"{path}: the prompt {entry!r} of {number}"
    if not isinstance(entry, dict) or not {"id", "text"} <= set(entry) <= KEYS:
        raise DataError(f"{where} must have an id and a text, and may have `capital`.")
    name, text, capital = entry["id"], entry["text"], entry.get("capital", False)
    if not isinstance(name, str) or not ID.fullmatch(name) or not isinstance(capital, bool):
        raise DataError(f"{where} must have an id of lower-case letters, digits and -, and `capital` true or false.")
    if not isinstance(text, str) or text.count(WORD) != 1 or text.count(SLOT) != 1:
        raise DataError(f"{where} must have a text with one {WORD} and one {SLOT}.")
    if text.index(WORD) > text.index(SLOT):
        raise DataError(f"{where} has its slot before the hyponym, where a causal model cannot know it: turn it round.")
    if DETERMINER in text.replace(f"{DETERMINER} {WORD}", "").replace(f"{DETERMINER} {SLOT}", ""):
        raise DataError(f"{where} has a {DETERMINER} that does not stand before {WORD} or {SLOT}.")
    return Prompt(name, text, capital)
