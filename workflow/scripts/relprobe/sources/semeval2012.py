"""SemEval-2012 Task 2 (Jurgens et al. 2012): relations, their paradigms, word pairs and MaxDiff answers.

A pair is a string "x:y", as in the task's files. The package is "SemEval-2012-Complete-Data-Package". Its file
subcategories-definitions.txt lists the subcategories, and each of them has four files under Training/ or Testing/.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text

logger = logging.getLogger("relprobe")

DEFINITIONS = "subcategories-definitions.txt"
PARTS = ("Training", "Testing")
QUOTED = re.compile(r'"([^"]*)"')
PAIR = re.compile(r"[^\s:]+:[^\s:]+")
PARADIGM = re.compile(r"([\w'-]+):\s*([\w'-]+)")
"""A search for this pattern finds the paradigms. Splitting does not: separators are missing in some files."""
REVERSAL = re.compile(r"reversal in (\w+): (\S+) --> (\S+)")
TYPING_ERRORS = {"2b": {"forrest:tree": "forest:tree"}}
"""Subcategory -> paradigm as its Phase1Questions file writes it -> the same as subcategories-paradigms.txt writes it."""


@dataclass(frozen=True)
class Answer:
    """The answer of one person to a MaxDiff question: two of its pairs, or "" for no choice."""

    question: tuple[str, ...]
    least: str
    most: str
    relation: str  # the description that the person chose before


@dataclass(frozen=True)
class Subcategory:
    """A relation with its questions and answers of both phases of the task."""

    id: str  # number and letter, such as "1a"
    relation_class: str  # such as CLASS-INCLUSION
    name: str
    schema: str  # such as "Y functions as an X"
    training: bool
    paradigms: tuple[str, ...]
    options: tuple[str, ...]  # the descriptions that a person chooses the relation from
    answer: str  # the right one of these
    pairs: dict[str, int]  # phase 1: pair -> line of Phase1Answers
    reversals: dict[str, str]  # pairs that the authors added -> the pair each reverses
    questions: tuple[tuple[str, ...], ...]  # phase 2: four pairs each
    answers: tuple[Answer, ...]
    ratings: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # own data: people's ratings of each pair

    def other_paradigms(self, pair: str) -> tuple[str, ...]:
        """Return the paradigms without the pair itself: a pair is as similar to itself as can be, which says nothing."""
        return tuple(paradigm for paradigm in self.paradigms if paradigm != pair)


def reverse(pair: str) -> str:
    """Exchange the words of a pair.

    >>> reverse("tool:hammer")
    'hammer:tool'
    """
    return ":".join(reversed(pair.split(":")))


def read(folder: Path, *, mended: bool = True) -> list[Subcategory]:
    """Read the subcategories of the package that lies somewhere in `folder`, in the order of its list of definitions.

    `mended`: whether the package's typing error in a paradigm (TYPING_ERRORS) is corrected; the log names it.

    DataError: the package is not there, it lacks a file, or a line has another form.
    """
    files = sorted(folder.rglob(DEFINITIONS))
    if len(files) != 1:
        raise DataError(
            f"{folder} holds {len(files)} files {DEFINITIONS} where one is expected: "
            "put SemEval-2012-Complete-Data-Package there, unpacked."
        )
    root = files[0].parent
    reversals = _reversals(root / "reversals.txt")
    subcategories = [_subcategory(root, *fields, reversals) for fields in _definitions(files[0])]
    return [_mended(subcategory) for subcategory in subcategories] if mended else subcategories


def _mended(subcategory: Subcategory) -> Subcategory:
    """Return a subcategory without the typing errors of its paradigms."""
    errors = TYPING_ERRORS.get(subcategory.id, {})
    for pair in subcategory.paradigms:
        if pair in errors:
            logger.info(
                "subcategory %s: the package writes the paradigm %s; %s is used", subcategory.id, pair, errors[pair]
            )
    return replace(subcategory, paradigms=tuple(errors.get(pair, pair) for pair in subcategory.paradigms))


def _definitions(path: Path) -> Iterator[tuple[str, str, str, str]]:
    for number, line in lines(path):
        fields = [field.strip() for field in line.split(",", 4)]
        if len(fields) != 5 or not fields[0].isdigit():
            raise DataError(f"{path}, line {number}: expected number, letter, class, name and schema, not {line!r}.")
        yield fields[0] + fields[1], fields[2], fields[3], fields[4]


def _reversals(path: Path) -> dict[str, dict[str, str]]:
    reversals: dict[str, dict[str, str]] = {}
    for number, line in lines(path):
        match = REVERSAL.fullmatch(line.strip())
        if not match or match[3] != reverse(match[2]):
            raise DataError(f"{path}, line {number}: expected a pair and its reversal, not {line!r}.")
        reversals.setdefault(match[1], {})[match[3]] = match[2]
    return reversals


def _subcategory(
    root: Path, name: str, relation_class: str, relation: str, schema: str, reversals: dict[str, dict[str, str]]
) -> Subcategory:
    part = next((part for part in PARTS if (_file(root, part, "Phase1Answers", name)).is_file()), PARTS[-1])
    paradigms, options, answer = _check_question(_file(root, part, "Phase1Questions", name))
    pairs = _pairs(_file(root, part, "Phase1Answers", name))
    questions = tuple(_questions(_file(root, part, "Phase2Questions", name), pairs))
    answers = tuple(_answers(_file(root, part, "Phase2Answers", name), set(questions)))
    unanswered = set(questions) - {answer.question for answer in answers}
    if unanswered:
        raise DataError(f"{_file(root, part, 'Phase2Answers', name)} has no answer to the question {min(unanswered)}.")
    unknown = sorted(set(reversals.get(name, {})) - set(pairs))
    if unknown:
        raise DataError(f"{root / 'reversals.txt'} names {unknown[0]!r}, which is no pair of {name}: get it anew.")
    return Subcategory(
        id=name,
        relation_class=relation_class,
        name=relation,
        schema=schema,
        training=part == "Training",
        paradigms=paradigms,
        options=options,
        answer=answer,
        pairs=pairs,
        reversals=reversals.get(name, {}),
        questions=questions,
        answers=answers,
    )


def _file(root: Path, part: str, kind: str, name: str) -> Path:
    return root / part / kind / f"{kind}-{name}.txt"


def _check_question(path: Path) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the paradigms, the four descriptions and the right one of a Phase1Questions file."""
    text = read_own_text(_existing(path))
    parts = re.split(r"Consider the following word pairs:|What relation best describes.*|Correct Answer:", text)
    if len(parts) != 4:
        raise DataError(f"{path} lacks the word pairs, the question or the correct answer: get it anew.")
    paradigms = tuple(f"{x}:{y}" for x, y in PARADIGM.findall(parts[1]))
    options = tuple(line.strip() for line in parts[2].splitlines() if line.strip())
    answer = next((option for option in options if option.startswith(parts[3].strip())), None)  # some stop at a comma
    if not paradigms or answer is None:
        raise DataError(f"{path} has no paradigm, or a correct answer that is not among its choices: get it anew.")
    return paradigms, options, answer


def _pairs(path: Path) -> dict[str, int]:
    pairs: dict[str, int] = {}
    for number, line in lines(path):
        pair = line.strip().strip('"')
        if not PAIR.fullmatch(pair) or pair in pairs:
            raise DataError(f"{path}, line {number}: expected a new pair of two words, not {line!r}.")
        pairs[pair] = number
    return pairs


def _questions(path: Path, pairs: dict[str, int]) -> Iterator[tuple[str, ...]]:
    for number, line in lines(path):
        question = tuple(QUOTED.findall(line))
        if len(question) != 4 or not set(question) <= set(pairs):
            raise DataError(f"{path}, line {number}: expected four pairs of the subcategory, not {line!r}.")
        yield question


def _answers(path: Path, questions: set[tuple[str, ...]]) -> Iterator[Answer]:
    for number, line in lines(path):
        fields = QUOTED.findall(line)
        question = tuple(fields[:4])
        if len(fields) != 7 or question not in questions or not set(fields[4:6]) <= {*question, ""}:
            raise DataError(
                f"{path}, line {number}: expected a question, two of its pairs and a relation, not {line!r}."
            )
        yield Answer(question, *fields[4:])


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, except empty lines and comments (#). DataError: the file is missing."""
    for number, line in enumerate(read_own_text(_existing(path)).splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise DataError(f"{path} is missing: get the package of SemEval-2012 Task 2 anew, whole.")
    return path
