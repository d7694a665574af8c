"""What the study asks: probes of the groups for models that score, and questions for models that only chat."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl
import pyarrow.parquet as pq

from relprobe.core.errors import DataError
from relprobe.core.files import Csv, Format, read_yaml
from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.orders import drawn_orders
from relprobe.lm.participants.replies import Replies
from relprobe.lm.participants.settings import Participant
from relprobe.lm.requests import SLOT, Continuation
from relprobe.studies.conversations import OPTIONS, PROBE
from relprobe.studies.definitions.data import BENCHMARK_LIMITS, Limits, Part, Synsets, candidates, part
from relprobe.studies.definitions.data import targets as describe
from relprobe.studies.definitions.schemas import (
    FEW,
    GROUPS,
    PROBES,
    REPLY_CHOICES,
    TASKS,
    Benchmark,
    Groups,
    Probes,
    ReplyChoices,
)
from relprobe.studies.examples import Example, before_probe
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice

# The patterns that take a word and a definition (Table 3); a user can edit their file.


DEFINITION = "[DEF]"
KINDS = ("masked", "causal")
POS = ("noun", "verb", "adjective")
Patterns = dict[str, dict[str, str]]
"""Part of speech -> id of the pattern -> its text, which has one [DEF] and one slot [V]."""


def read(path: Path) -> dict[str, Patterns]:
    r"""Return the patterns of masked and of causal models from a YAML file such as resources/prompts/definitions.yaml.

    A file need not have patterns of every part of speech of POS. DataError: the file has another form, a pattern lacks [DEF]
    or the slot, or a causal model's pattern does not end with the slot.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     _ = file.write(
    ...         "masked: {noun: {is: '[V] is [DEF]'}, verb: {to-is: 'to [DEF] is to [V]'}}\n"
    ...         "causal: {noun: {is: '[DEF] is the definition of [V]'}, verb: {to-is: 'to [DEF] is to [V]'}}\n"
    ...     )
    ...     file.flush()
    ...     read(Path(file.name))["masked"]["noun"]
    {'is': '[V] is [DEF]'}
    """
    kinds = read_yaml(path)
    if not isinstance(kinds, dict) or set(kinds) != set(KINDS):
        raise DataError(f"{path}: the file must have the keys {' and '.join(KINDS)}, and no others.")
    return {
        kind: {
            pos: _patterns(of_pos, kind, f"{kind}.{pos}", path) for pos, of_pos in _parts(of_kind, path, kind).items()
        }
        for kind, of_kind in kinds.items()
    }


Prompts = Annotated[dict[str, Patterns], Format(read)]
"""The patterns of masked and of causal models."""


def check_parts(patterns: dict[str, Patterns], parts: Iterable[str], path: Path) -> None:
    """Check that there are patterns of some parts of speech. DataError: a kind of models has none of one of them."""
    for kind, of_kind in patterns.items():
        for pos in parts:
            if pos not in of_kind:
                raise DataError(f"{path}: {kind} has no patterns for {pos}s, which the study asks for: add `{pos}:`.")


def _parts(value: Any, path: Path, kind: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value or not set(value) <= set(POS):
        raise DataError(f"{path}: {kind} must have keys among {', '.join(POS)}, and no others.")
    return value


def _patterns(entries: Any, kind: str, where: str, path: Path) -> dict[str, str]:
    if not isinstance(entries, dict) or not entries:
        raise DataError(f"{path}: {where} must have one pattern or several, each as `id: text`.")
    for name, text in entries.items():
        if not isinstance(name, str) or " " in name:
            raise DataError(f"{path}: the pattern id {name!r} in {where} must be one word.")
        if not isinstance(text, str) or text.count(DEFINITION) != 1 or text.count(SLOT) != 1:
            raise DataError(f"{path}: pattern {where}.{name} must have one {DEFINITION} and one {SLOT}.")
        if kind == "causal" and not text.endswith(SLOT):
            raise DataError(f"{path}: pattern {where}.{name} must end with {SLOT}: a causal model cannot look ahead.")
    return dict(entries)


# The table of probes, and its rows as requests to the scoring engine. Scoring imports nothing else of the study.


BATCH_ROWS = 256
"""Probes that are read at a time; the whole benchmark need not fit into memory."""


def counts(probes: Path, patterns: Patterns) -> tuple[int, int]:
    """Return the number of requests that the probes make, and of the groups' questions that these answer.

    DataError: the file is no table of probes.
    """
    try:
        schema = pl.read_parquet_schema(probes)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{probes} cannot be read as Parquet ({error}): delete it and run again.") from error
    if dict(schema) != dict(PROBES):
        raise DataError(f"{probes} has {dict(schema)} instead of {dict(PROBES)}: delete it and run again.")
    table = pl.read_parquet(probes, columns=["pos", "questions"])
    number_of_patterns = {pos: len(texts) for pos, texts in patterns.items()}
    times = table["pos"].replace_strict(number_of_patterns)
    return int(times.sum()), int((times * table["questions"]).sum())


def requests(
    probes: Path,
    patterns: Patterns,
    *,
    capitals: bool,
    shots: int = 0,
    examples: Mapping[str, Sequence[Example]] | None = None,
) -> Iterator[Continuation]:
    """Yield a request per probe and pattern, whose id is "probe_id pattern_id"; the requests of a probe follow one another.

    `capitals`: words at the beginning of the text get a capital letter, as RoBERTa expects them (section 2.3). `shots`: how
    many `examples` of its part of speech stand before a probe, as (word, definition) in the same pattern, none of them about
    a word of the probe. DataError: there are fewer.
    """
    for batch in pq.ParquetFile(probes).iter_batches(BATCH_ROWS, columns=["probe_id", "pos", "definition", "words"]):
        for probe in batch.to_pylist():
            for pattern_id, text in patterns[probe["pos"]].items():
                words = _capitals(probe["words"]) if capitals and text.startswith(SLOT) else probe["words"]
                request_id = f"{probe['probe_id']} {pattern_id}"
                solve = partial(_solved, text, capitals=capitals)
                before = ""
                if shots and examples:
                    taboo = {*probe["words"]}
                    before = before_probe(examples.get(probe["pos"], ()), solve, shots, pattern_id, request_id, taboo)
                yield Continuation(request_id, before + text.replace(DEFINITION, probe["definition"]), tuple(words))


def _solved(pattern: str, example: Example, *, capitals: bool) -> str:
    word, definition = example
    if capitals and pattern.startswith(SLOT):
        (word,) = _capitals([word])
    return pattern.replace(DEFINITION, definition).replace(SLOT, word)


def _capitals(words: Sequence[str]) -> list[str]:
    return [word[:1].upper() + word[1:] for word in words]


# The form of people's answers: the candidates of groups, which every participant ranks (Table 8).


FORM = pl.Schema(
    {
        "participant": pl.String(),
        "task": pl.String(),
        "question": pl.String(),  # the word (W2D) or the definition (D2W)
        "candidate": pl.String(),
        "rank": pl.UInt16(),  # empty
        "group": pl.String(),
    }
)
Candidates = Mapping[tuple[str, str], list[str]]
"""Task and group -> the texts of the candidates, the right one first."""


def questionnaire(
    groups: Groups, probes: Probes, *, participants: int = 2, each: int | None = None, seed: int = 1
) -> Csv:
    """Write the empty form of people's answers: groups of up to ten candidates, which every participant ranks.

    `participants`: their number. `each`: how many groups are drawn, the same for all; by default all are asked.
    """
    return form(candidate_texts(groups, probes), groups, participants, each, seed)


def candidate_texts(groups: Groups, probes: Probes) -> Candidates:
    """Return the candidates of every task of the groups as texts.

    >>> probes = pl.DataFrame({"definition": ["lower the head", "bend the body"], "words": [["nod", "bow"], ["nod"]]})
    >>> candidate_texts(pl.DataFrame([{"group": "nod.v.01", "w2d": [0, 2], "d2w": [0, 1]}]), probes)
    {('w2d', 'nod.v.01'): ['lower the head', 'bend the body'], ('d2w', 'nod.v.01'): ['nod', 'bow']}
    """
    pairs = probes.select("definition", word="words").explode("word")
    texts = dict(zip(TASKS, (pairs["definition"], pairs["word"]), strict=True))
    return {
        (task, group): texts[task].gather(numbers).to_list()
        for group, *of_tasks in groups.select("group", *TASKS).iter_rows()
        for task, numbers in zip(TASKS, of_tasks, strict=True)
        if numbers
    }


def form(of_groups: Candidates, groups: Groups, participants: int, each: int | None, seed: int) -> pl.DataFrame:
    """Return the empty form (FORM): every participant ranks the candidates of groups of up to FEW candidates.

    Both tasks are asked of a group. Tasks and candidates are in a random order of their own for each participant. `each`:
    how many groups, drawn once for all participants; None takes all. DataError: there are no such groups, or fewer.
    """
    small = [group for group in groups["group"] if all(2 <= len(of_groups.get((t, group), ())) <= FEW for t in TASKS)]
    if len(small) < (each or 1):
        raise DataError(
            f"the study has {len(small)} groups of up to {FEW} candidates, but {each or 1} are asked for: take a larger "
            "sample, or fewer groups."
        )
    chosen = set(random.Random(seed).sample(small, each or len(small)))  # noqa: S311
    about = {
        group: dict(zip(TASKS, texts, strict=True))
        for group, *texts in groups.select("group", "word", "definition").rows()
    }
    rows = []
    for person in range(1, participants + 1):
        order = random.Random(f"{seed} {person}")  # noqa: S311
        tasks = [(task, group) for task in TASKS for group in small if group in chosen]
        for task, group in order.sample(tasks, len(tasks)):
            texts = of_groups[task, group]
            question = about[group][task]
            rows += [(str(person), task, question, text, None, group) for text in order.sample(texts, len(texts))]
    return pl.DataFrame(rows, schema=FORM, orient="row")


# The people's task for models: which definition is the word's, and which word is the definition's.


class Sheet(NamedTuple):
    """A task of a group as it is shown once: the options in their order, and the right one."""

    task: str
    group: str
    order: int
    candidates: int  # of the group; more than are shown if these are a sample
    question: str
    options: tuple[str, ...]
    right: str


def sheets(groups: Groups, probes: Probes, orders: int, *, large: bool = False) -> Iterator[Sheet]:
    """Yield both tasks of the groups that people get, those of two to FEW candidates, each in so many orders.

    The first order is drawn, too: the study has the right candidate first. `large`: larger groups are asked, too. Of more
    than FEW candidates, the right one and FEW - 1 others are shown, drawn once for all orders.
    """
    about = {
        group: dict(zip(TASKS, texts, strict=True))
        for group, *texts in groups.select("group", "word", "definition").rows()
    }
    of_groups = candidate_texts(groups, probes)
    for (task, group), texts in of_groups.items():
        sizes = [len(of_groups.get((one, group), ())) for one in TASKS]
        if min(sizes) >= 2 and (large or max(sizes) <= FEW):
            options = _options(texts, f"others of {task} {group}")
            for number, shown in enumerate(drawn_orders(options, orders, f"{task} {group}"), 1):
                yield Sheet(task, group, number, len(texts), about[group][task], shown, texts[0])


def _options(texts: list[str], key: str) -> list[str]:
    """Return the candidates that are shown: all, or of more than FEW the right one, which is the first, and others drawn."""
    if len(texts) <= FEW:
        return texts
    return [texts[0], *random.Random(key).sample(texts[1:], FEW - 1)]  # noqa: S311 (no secret)


def questions(
    lines: Mapping[str, str], groups: Groups, probes: Probes, orders: int, *, large: bool = False
) -> list[Question]:
    """Return both tasks of the groups as questions (`sheets`). `lines`: the words of each task, with PROBE and OPTIONS."""
    return [
        Question(f"{one.task} {one.order} {one.group}", _text(lines[one.task], one))
        for one in sheets(groups, probes, orders, large=large)
    ]


def replies(
    participant: Participant, groups: Groups, probes: Probes, *, orders: int = 1, large: bool = False
) -> InterviewResults:
    """Ask a model that only chats to choose the definition of a word and the word of a definition, as people were asked."""
    asked = questions(participant.conversation, groups, probes, orders, large=large)
    return interview(participant, "definitions", asked, TOKENS)


def _text(line: str, one: Sheet) -> str:
    return line.replace(PROBE, one.question).replace(OPTIONS, lettered_lines(one.options))


def reply_choices(
    replies: Replies, groups: Groups, probes: Probes, *, orders: int = 1, large: bool = False
) -> ReplyChoices:
    """Read the choices in replies: the candidate of every question, "" where there is none."""
    asked = {f"{one.task} {one.order} {one.group}": one for one in sheets(groups, probes, orders, large=large)}
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        one = asked[question]
        choice = read_choice(text, one.options, outcome)
        about = one.task, one.group, one.candidates, list(one.options), one.order
        rows.append((*about, sample, text, choice, choice == one.right))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


# The probes: definitions with the words that the tasks of the groups need; the groups name their candidates by them.


class ProbeTables(NamedTuple):
    """The groups that are asked, the probes of their tasks, and all groups with enough synsets."""

    groups: Groups
    probes: Probes
    benchmark: Benchmark


def probe_tables(
    dictionary: Synsets,
    limits: Limits = BENCHMARK_LIMITS,
    *,
    sample: dict[str, Any] | None = None,
    targets: list[str] | None = None,
) -> ProbeTables:
    """Build the groups of sister synsets, a sample of them, and the probes of their tasks (section 2.1).

    `dictionary` is the prepared WordNet or an own dictionary, which has its own parts of speech. `sample` holds the number
    of groups to draw per part of speech and the seed, such as {"noun": 20, "verb": 20, "seed": 1}; without it, all groups
    are kept. `targets`: synsets or words that are asked in any case. DataError: there are fewer groups than the sample asks
    for, or a target has none.
    """
    names = targets or []
    parts = {pos: part(pos, synsets, sample, names, limits) for pos, synsets in dictionary.items()}
    groups, of_groups = _tables(parts)
    known = {*groups["group"], *groups["word"]}
    if unknown := [name for name in names if name not in known]:
        raise DataError(
            f"definitions.targets names {unknown[0]!r}, which has no group of {limits.minimum} candidates or more: correct "
            "it, or leave it out."
        )
    return ProbeTables(groups, of_groups, pl.concat([one.benchmark for one in parts.values()]))


def _tables(parts: Mapping[str, Part]) -> tuple[Groups, Probes]:
    """Return the groups and the probes. `parts`: part of speech -> what is asked of it.

    A probe is a definition with all words that any task needs with it, so that a model reads the definition once per
    pattern.
    """
    groups, probes, first = [], [], 0
    for pos, (synsets, pairs, _) in parts.items():
        rows = candidates(pairs, synsets)
        key = ["definition", "word"]
        scored = rows.group_by(key).agg(questions=pl.len()).sort(key)
        scored = scored.with_columns(pair=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
        probes.append(_probes(scored, synsets, pos))
        groups.append(_groups(rows.join(scored, on=key), pairs, synsets))
        first += scored.height
    return pl.concat(groups), pl.concat(probes)


def _probes(scored: pl.DataFrame, synsets: pl.DataFrame, pos: str) -> pl.DataFrame:
    """Return a row of PROBES per definition from the pairs (definition, word) that a model scores."""
    words, definitions = (synsets[name].unique(maintain_order=True) for name in ("word", "definition"))
    texts = scored.with_columns(words=words.gather(scored["word"]))
    rows = texts.group_by("definition", maintain_order=True).agg("words", pl.col("questions").sum().cast(pl.UInt32))
    return rows.select(
        pl.lit(pos).alias("pos"),
        "words",
        "questions",
        probe_id=pl.format("{}:{}", pl.lit(pos), "definition"),
        definition=definitions.gather(rows["definition"]),
    ).select(list(PROBES))


def _groups(rows: pl.DataFrame, pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return a row of GROUPS per target from the candidates and the numbers of their pairs."""
    lists = pairs.select("target").unique()
    for task in TASKS:
        of_task = rows.filter(task=task).sort("right", "pair", descending=[True, False])
        lists = lists.join(
            of_task.group_by("target", maintain_order=True).agg(pl.col("pair").alias(task)), on="target", how="left"
        )
    about = describe(synsets).join(lists, left_on="row", right_on="target", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.UInt32))
    return about.with_columns(pl.col(task).fill_null(none) for task in TASKS).select(list(GROUPS))
