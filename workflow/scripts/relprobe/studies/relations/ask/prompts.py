"""The prompts of the study and the file that holds them."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.sources.human_responses import normal

TARGET, SLOT, DETERMINER = "[W]", "[V]", "[DET]"
MARK = re.compile(r"\[[^\]]*\]")
LONE_DETERMINER = re.compile(r"\[DET\](?! (?:\w|\[W\]|\[V\]))")


@dataclass(frozen=True)
class Prompt:
    """A template such as "[DET] [W] is a kind of [DET] [V]"; `human_text` is its wording in the human data."""

    id: str
    relation: str
    text: str
    human_text: str


def read(path: Path) -> list[Prompt]:
    """Read a prompt file: relation -> list of {id, text, human_text (if it differs)}.

    DataError: a missing key, an id used twice, or a text without exactly one [W] and exactly one [V]; another mark in
    brackets, or a [DET] that no word follows. `check` compares the prompts with the study. A slot that is not at the end
    can be filled by masked models alone.
    """
    content = read_yaml(path)
    if not isinstance(content, dict) or not content:
        raise DataError(f"{path}: expected relations with lists of prompts.")
    for relation, entries in content.items():
        if not isinstance(entries, list):
            raise DataError(f"{path}: {relation} should have a list of prompts.")
    prompts = [_prompt(path, relation, entry) for relation, entries in content.items() for entry in entries]
    ids = [prompt.id for prompt in prompts]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise DataError(f"{path}: the prompt ids {', '.join(twice)} are used twice: give each prompt an id of its own.")
    return prompts


Prompts = Annotated[list[Prompt], Format(read)]


def names_of(prompts: Collection[Prompt]) -> dict[tuple[str, str], str]:
    """Return what answers may call the prompts of a relation: its code and a name -> the id of the prompt.

    The names are the text for people, the text and the id; the first one counts.

    >>> names_of([Prompt("hyp", "HYP", "a [W] is a [V]", "[W]: a [V]")])
    {('HYP', '[W]: a [V]'): 'hyp', ('HYP', 'a [W] is a [V]'): 'hyp', ('HYP', 'hyp'): 'hyp'}
    """
    names: dict[tuple[str, str], str] = {}
    for name in (attrgetter("human_text"), attrgetter("text"), attrgetter("id")):
        for prompt in prompts:
            names.setdefault((prompt.relation, normal(name(prompt))), prompt.id)
    return names


def check(path: Path, prompts: Iterable[Prompt], codes: Collection[str], *, articles: bool) -> None:
    """Check that the prompts of a file fit the study. DataError: one does not.

    `codes`: those of the study's relations. `articles`: whether the study's language has articles.
    """
    for prompt in prompts:
        if prompt.relation not in codes:
            raise DataError(
                f"{path}: unknown relation {prompt.relation!r}; the relations file has {', '.join(codes)}: add it there, "
                "or correct it here."
            )
        if DETERMINER in prompt.text and not articles:
            raise DataError(
                f"{path}: prompt {prompt.id!r} has a [DET], but the language has no articles: take it out, or add "
                "`articles` to the file of the language."
            )


def _prompt(path: Path, relation: str, entry: Any) -> Prompt:
    if not isinstance(entry, dict) or not {"id", "text"} <= set(entry) <= {"id", "text", "human_text"}:
        raise DataError(f"{path}: a prompt of {relation} needs `id` and `text` (and may have `human_text`): {entry!r}.")
    if not all(isinstance(value, str) for value in entry.values()):
        raise DataError(f"{path}: the values of a prompt of {relation} must be texts: {entry!r}.")
    text = entry["text"]
    if text.count(TARGET) != 1 or text.count(SLOT) != 1:
        raise DataError(f"{path}: prompt {entry['id']!r} must have one {TARGET} and one {SLOT}: {text!r} has not.")
    unknown = sorted(set(MARK.findall(text)) - {TARGET, SLOT, DETERMINER})
    if unknown:
        raise DataError(f"{path}: prompt {entry['id']!r} has the mark {unknown[0]}: known are [W], [V] and [DET].")
    if LONE_DETERMINER.search(text):
        raise DataError(
            f"{path}: prompt {entry['id']!r} has a [DET] that no word follows after a blank, so that no article can be "
            "chosen: move it before [W], [V] or a word, or write the article."
        )
    return Prompt(entry["id"], relation, text, str(entry.get("human_text", text)))
