"""The prompts of the study and their verbalisation: prompt + target -> probe (the function ν of section 4.2)."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import inflect
import wordfreq
import yaml

from relprobe.errors import DataError
from relprobe.relation import RELATIONS

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
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or not content:
        raise DataError(f"{path}: expected relations with lists of prompts.")
    prompts = [_prompt(path, relation, entry) for relation, entries in content.items() for entry in entries or ()]
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
    text = entry["text"]
    if text.count(TARGET) != 1 or text.count(SLOT) != 1 or not text.endswith(SLOT):
        raise DataError(f"{path}: prompt {entry['id']!r} must have one {TARGET} and end with its only {SLOT}.")
    return Prompt(entry["id"], relation, text, str(entry.get("human_text", text)))


def article_weights() -> dict[str, float]:
    """Return the weights of "a" and "an" before the slot: their relative frequencies in English (`wordfreq`)."""
    frequency = {article: wordfreq.word_frequency(article, "en") for article in ("a", "an")}
    total = sum(frequency.values())
    return {article: value / total for article, value in frequency.items()}


def verbalise(prompt: Prompt, target: str, weights: dict[str, float]) -> tuple[str, list[dict[str, Any]]]:
    """Fill the target into the prompt: the probe's text, and its variants as {text, weight} (section 7.2).

    The article before the target follows its pronunciation; one before the slot stays open in the text, and each
    article makes a variant.
    """
    before, _, after = prompt.text.partition(TARGET)
    if before.endswith(f"{DETERMINER} "):
        before = before.removesuffix(f"{DETERMINER} ") + f"{_article(target)} "
    text = f"{before}{target}{after}"
    if f"{DETERMINER} {SLOT}" not in text:
        return text, [{"text": text, "weight": 1.0}]
    filled = [
        {"text": text.replace(f"{DETERMINER} {SLOT}", f"{article} {SLOT}"), "weight": weight}
        for article, weight in weights.items()
    ]
    return text, filled


@cache
def _engine() -> inflect.engine:
    return inflect.engine()


def _article(word: str) -> str:
    return cast(str, _engine().a(word)).split()[0]
