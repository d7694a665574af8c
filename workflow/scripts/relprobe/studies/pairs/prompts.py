"""The file of prompts: for each relation, statements about two words and the same as questions."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.lm.requests import SLOT
from relprobe.sources.language import DETERMINER_IN_CASE, Chooser, check_articles

FIRST, SECOND, QUESTION, OPTIONS = "[W]", SLOT, "[QUESTION]", "[OPTIONS]"
"""Where the two words, their articles, a question, and yes and no stand."""
MARK = re.compile(r"\[[^\]]*\]")
DETERMINED = re.compile(r"(?:\[DET(?::(\w+))?\] )?(\[W\]|\[V\])")
"""A word with the article before it, if it has any."""
KEYS = ("text", "answers", "between", "nothing")
"""What stands around a question: a text, the two answers, what stands between them, and the word for any thing."""


@dataclass(frozen=True)
class Prompt:
    """A statement about two words, which ends in the second one, and the same as a question, which yes or no answers."""

    id: str
    statement: str
    question: str


@dataclass(frozen=True)
class Prompts:
    """The prompts of each relation, and the words around a question.

    `asked`: a text with QUESTION and OPTIONS that ends in a slot for the answer. `joined`: what stands between the
    options. `nothing`: a word for any thing, which stands in the place of a word that is left out.
    """

    relation_prompts: Mapping[str, tuple[Prompt, ...]]
    asked: str
    yes: str
    no: str
    between: str
    nothing: str

    @property
    def orders(self) -> tuple[str, str]:
        """The options of a question in both orders.

        >>> Prompts({}, "", "yes", "no", "or", "something").orders
        ('yes or no', 'no or yes')
        """
        return f"{self.yes} {self.between} {self.no}", f"{self.no} {self.between} {self.yes}"


class FilledPrompt(NamedTuple):
    """A text with two words in it, and the (start, stop) of each in characters."""

    text: str
    first: tuple[int, int]
    second: tuple[int, int]


def read(path: Path) -> Prompts:
    r"""Read a file of prompts: `verification`, the words around a question, and `relations`, prompts of each.

    DataError: a section or a key is missing, an id stands twice, a statement has not each word once or does not end in
    the second, or a question has not each word once.

    >>> from tempfile import NamedTemporaryFile
    >>> text = "verification: {text: '[QUESTION] [OPTIONS]? [V]', answers: ['yes', 'no'], between: or, nothing: thing}"
    >>> text += "\nrelations: {HYP: [{id: kind, statement: 'a [W] is a [V]', question: 'Is a [W] a [V]?'}]}"
    >>> with NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print(text, file=file, flush=True)
    ...     read(Path(file.name)).relation_prompts["HYP"][0].id
    'kind'
    """
    content = read_yaml(path)
    if not isinstance(content, dict) or set(content) != {"verification", "relations"}:
        raise DataError(f"{path}: a file of prompts has the sections verification and relations: add them.")
    asked = _verification(path, content["verification"])
    relations = content["relations"]
    if (
        not isinstance(relations, dict)
        or not relations
        or not all(isinstance(entries, list) for entries in relations.values())
    ):
        raise DataError(f"{path}: relations must have a list of prompts for each relation.")
    prompts = {str(name): tuple(_prompt(path, name, entry) for entry in entries) for name, entries in relations.items()}
    if empty := [name for name, entries in prompts.items() if not entries]:
        raise DataError(f"{path}: {empty[0]} has no prompts: add one, or leave the relation out.")
    ids = [prompt.id for entries in prompts.values() for prompt in entries]
    if twice := [name for name in ids if ids.count(name) > 1]:
        raise DataError(f"{path}: the prompt id {twice[0]!r} is used twice: give each prompt an id of its own.")
    yes, no = asked["answers"]
    return Prompts(prompts, asked["text"], yes, no, asked["between"], asked["nothing"])


PromptFile = Annotated[Prompts, Format(read)]


def check(
    path: Path, prompts: Prompts, relations: Collection[str], *, articles: bool, cases: Collection[str] = ()
) -> None:
    """Check that a file has prompts of some relations, whose articles the language has.

    `articles`: whether it has any; `cases`: those that it has articles of. DataError: a relation or an article is missing.
    """
    for relation in relations:
        if relation not in prompts.relation_prompts:
            raise DataError(
                f"{path} has no prompts of {relation}; it has those of {', '.join(prompts.relation_prompts)}: add some "
                f"under relations.{relation}, or leave the relation out."
            )
    for prompt in (prompt for name in relations for prompt in prompts.relation_prompts[name]):
        check_articles(path, prompt.id, prompt.statement + prompt.question, articles=articles, cases=cases)


def _verification(path: Path, entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict) or set(entry) != set(KEYS):
        raise DataError(f"{path}: verification must have the keys {', '.join(KEYS)} and no others.")
    answers = entry["answers"]
    if (
        not isinstance(answers, list)
        or len(answers) != 2
        or not all(isinstance(answer, str) and answer for answer in answers)
    ):
        raise DataError(f'{path}: verification.answers must be two words in quotes, such as ["yes", "no"].')
    if answers[0] == answers[1]:
        raise DataError(f"{path}: verification.answers has {answers[0]!r} twice: write the words for yes and for no.")
    texts = [key for key in KEYS if key != "answers"]
    if wrong := [key for key in texts if not isinstance(entry[key], str) or not entry[key].strip()]:
        raise DataError(f"{path}: verification.{wrong[0]} must be a text: put it in quotes.")
    text = entry["text"]
    if sorted(MARK.findall(text)) != sorted((QUESTION, OPTIONS, SLOT)) or not text.endswith(SLOT):
        raise DataError(
            f"{path}: verification.text must have one {QUESTION} and one {OPTIONS}, and end in {SLOT}: {text!r}."
        )
    return dict(entry)


def _prompt(path: Path, relation: object, entry: Any) -> Prompt:
    keys = ("id", "statement", "question")
    if (
        not isinstance(entry, dict)
        or set(entry) != set(keys)
        or not all(isinstance(text, str) for text in entry.values())
    ):
        raise DataError(f"{path}: a prompt of {relation} has the texts id, statement and question: {entry!r}.")
    for key in keys[1:]:
        marks = [mark for mark in MARK.findall(entry[key]) if not DETERMINER_IN_CASE.fullmatch(mark)]
        if sorted(marks) != sorted((FIRST, SECOND)):
            raise DataError(f"{path}: {key} of {entry['id']!r} must have one {FIRST} and one {SECOND}: {entry[key]!r}.")
        for determiner in DETERMINER_IN_CASE.finditer(entry[key]):
            if not entry[key][determiner.end() :].startswith((f" {FIRST}", f" {SECOND}")):
                raise DataError(
                    f"{path}: {key} of {entry['id']!r} has a [DET] that neither {FIRST} nor {SECOND} follows: move it, or "
                    "write the article."
                )
    if not entry["statement"].endswith(SECOND):
        raise DataError(f"{path}: the statement of {entry['id']!r} must end in {SECOND}: {entry['statement']!r}.")
    if " " in entry["id"]:
        raise DataError(f"{path}: the prompt id {entry['id']!r} has a blank: write it without.")
    return Prompt(*(entry[key] for key in keys))


def fill(
    text: str, first: str, second: str, nothing: str, article: Chooser | None, *, slot: bool = False
) -> FilledPrompt:
    """Put two words into a text, with their articles. An empty word is `nothing`, which has none.

    `article`: returns that of a word, or of a word and a case (`Articles.chooser`). `slot`: the second word stays a slot,
    before which its article stands.

    >>> fill("[DET] [W] is a kind of [V]", "owl", "bird", "something", lambda word: "an" if word[0] in "aeiou" else "a")
    FilledPrompt(text='an owl is a kind of bird', first=(3, 6), second=(20, 24))
    >>> fill("[DET] [W] is [DET] [V]", "", "bird", "something", lambda word: "a", slot=True).text
    'something is a [V]'
    >>> def article(word: str, case: str = "") -> str:
    ...     return "einer" if case == "dat" else "eine"
    >>> fill("mit [DET:dat] [W] sägt man [V]?", "Säge", "Holz", "etwas", article).text
    'mit einer Säge sägt man Holz?'
    """
    spans, filled, end = {}, "", 0
    for match in DETERMINED.finditer(text):
        case, mark = match.groups()
        filled, end = filled + text[end : match.start()], match.end()
        word = first if mark == FIRST else second
        if match[0] != mark and word and article is not None:
            filled += f"{article(word, case) if case else article(word)} "
        shown = SLOT if slot and mark == SECOND else word or nothing
        spans[mark] = (len(filled), len(filled) + len(shown))
        filled += shown
    return FilledPrompt(filled + text[end:], spans[FIRST], spans[SECOND])
