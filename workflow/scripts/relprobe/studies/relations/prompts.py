"""The prompts of the study and the file that holds them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.core.relation import RELATIONS

TARGET, SLOT, DETERMINER = "[W]", "[V]", "[DET]"


@dataclass(frozen=True)
class Prompt:
    """A template such as "[DET] [W] is a kind of [DET] [V]"; `human_text` is its wording in the human data."""

    id: str
    relation: str
    text: str
    human_text: str


def read(path: Path) -> list[Prompt]:
    """Read a prompt file: relation -> list of {id, text, human_text (if it differs)}.

    DataError: an unknown relation, a missing key, an id used twice, or a text without exactly one [W] and, at its end,
    exactly one [V].
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


def _prompt(path: Path, relation: str, entry: Any) -> Prompt:
    if relation not in RELATIONS:
        raise DataError(f"{path}: unknown relation {relation!r}; known are {', '.join(RELATIONS)}.")
    if not isinstance(entry, dict) or not {"id", "text"} <= set(entry) <= {"id", "text", "human_text"}:
        raise DataError(f"{path}: a prompt of {relation} needs `id` and `text` (and may have `human_text`): {entry!r}.")
    if not all(isinstance(value, str) for value in entry.values()):
        raise DataError(f"{path}: the values of a prompt of {relation} must be texts: {entry!r}.")
    text = entry["text"]
    if text.count(TARGET) != 1 or text.count(SLOT) != 1 or not text.endswith(SLOT):
        raise DataError(f"{path}: prompt {entry['id']!r} must have one {TARGET} and end with its only {SLOT}.")
    return Prompt(entry["id"], relation, text, str(entry.get("human_text", text)))
