"""The prompts of the study, the file that holds them, and a target put into one (sections 4.2 and 7.2)."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.sources.human_responses import normal
from relprobe.sources.language import DETERMINER_IN_CASE, Articles, check_articles

TARGET, SLOT, DETERMINER = "[W]", "[V]", "[DET]"
DETERMINED = re.compile(r"\[DET(?::(\w+))?\] (?!\[V\])([\w'-]+)")
"""An article, its case, and the word that decides about it: the target, or a word of the prompt."""
BEFORE_SLOT = re.compile(r"\[DET(?::(\w+))?\] \[V\]")
"""An article before the slot, and its case."""
MARK = re.compile(r"\[[^\]]*\]")
LONE_DETERMINER = re.compile(r"\[DET(?::\w+)?\](?! (?:\w|\[W\]|\[V\]))")


@dataclass(frozen=True)
class Prompt:
    """A template such as "[DET] [W] is a kind of [DET] [V]"; `human_text` is its wording in the human data."""

    id: str
    relation: str
    text: str
    human_text: str


def verbalise(prompt: Prompt, target: str, articles: Articles) -> tuple[str, list[dict[str, Any]]]:
    """Fill the target into the prompt: the probe's text, and its variants as {text, weight} (section 7.2).

    The article before the target or a word of the prompt is that of the word; one before the slot stays open in the text,
    and each article makes a variant. ValueError: the prompt has an article, and the language has none.

    >>> articles = Articles({"a": 0.75, "an": 0.25}, lambda word: "an" if word[0] in "aeiou" else "a")
    >>> verbalise(Prompt("p", "HYP", "[DET] old [W] is [DET] [V]", ""), "robin", articles)[0]
    'an old robin is [DET] [V]'
    >>> german = Articles({"ein": 0.5, "eine": 0.5}, lambda word: "eine", {"dat": {"ein": "einem", "eine": "einer"}})
    >>> [one["text"] for one in verbalise(Prompt("p", "USE", "mit [DET:dat] [W] oder [DET:dat] [V]", ""), "Säge", german)[1]]
    ['mit einer Säge oder einem [V]', 'mit einer Säge oder einer [V]']
    """
    filled_in = prompt.text.replace(TARGET, target)
    if not DETERMINER_IN_CASE.search(filled_in):
        return filled_in, [{"text": filled_in, "weight": 1.0}]
    choose = articles.before
    if choose is None:
        raise ValueError(f"The prompt {prompt.id} has {DETERMINER}, but the language has no articles.")
    text = DETERMINED.sub(lambda match: f"{articles.form(choose(match[2]), match[1] or '')} {match[2]}", filled_in)
    if not (open_one := BEFORE_SLOT.search(text)):
        return text, [{"text": text, "weight": 1.0}]
    filled = [
        {"text": BEFORE_SLOT.sub(f"{articles.form(article, open_one[1] or '')} {SLOT}", text), "weight": weight}
        for article, weight in articles.weights.items()
    ]
    return BEFORE_SLOT.sub(f"{DETERMINER} {SLOT}", text), filled


# The file of the prompts.


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


def check(
    path: Path, prompts: Iterable[Prompt], codes: Collection[str], *, articles: bool, cases: Collection[str] = ()
) -> None:
    """Check that the prompts of a file fit the study. DataError: one does not.

    `codes`: those of the study's relations. `articles`: whether the study's language has articles; `cases`: those that it
    has them in, beside the one without a name.
    """
    for prompt in prompts:
        if prompt.relation not in codes:
            raise DataError(
                f"{path}: unknown relation {prompt.relation!r}; the relations file has {', '.join(codes)}: add it there, "
                "or correct it here."
            )
        check_articles(path, prompt.id, prompt.text, articles=articles, cases=cases)


def _prompt(path: Path, relation: str, entry: Any) -> Prompt:
    if not isinstance(entry, dict) or not {"id", "text"} <= set(entry) <= {"id", "text", "human_text"}:
        raise DataError(f"{path}: a prompt of {relation} needs `id` and `text` (and may have `human_text`): {entry!r}.")
    if not all(isinstance(value, str) for value in entry.values()):
        raise DataError(f"{path}: the values of a prompt of {relation} must be texts: {entry!r}.")
    text = entry["text"]
    if text.count(TARGET) != 1 or text.count(SLOT) != 1:
        raise DataError(f"{path}: prompt {entry['id']!r} must have one {TARGET} and one {SLOT}: {text!r} has not.")
    unknown = sorted(set(MARK.findall(DETERMINER_IN_CASE.sub("", text))) - {TARGET, SLOT})
    if unknown:
        raise DataError(f"{path}: prompt {entry['id']!r} has the mark {unknown[0]}: known are [W], [V] and [DET].")
    if LONE_DETERMINER.search(text):
        raise DataError(
            f"{path}: prompt {entry['id']!r} has a [DET] that no word follows after a blank, so that no article can be "
            "chosen: move it before [W], [V] or a word, or write the article."
        )
    return Prompt(entry["id"], relation, text, str(entry.get("human_text", text)))
