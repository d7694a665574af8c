"""What the study asks: probes of the pairs for models that score, and questions for models that only chat."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.orders import orders as orders_of
from relprobe.lm.participants.replies import ANSWER, LENGTH, Replies
from relprobe.lm.participants.settings import Participant
from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanText
from relprobe.lm.words.examples import join_examples
from relprobe.studies.conversations import EXAMPLES, OPTIONS, RELATION
from relprobe.studies.degrees.data import Relations, X, Y, read_descriptions
from relprobe.studies.degrees.schemas import REPLY_CHOICES, ReplyChoices

# Pairs put into the sentences of relations, and into analogies.


@dataclass(frozen=True)
class FilledSentence:
    """A sentence with a pair in it, and the (start, stop) of its two words in characters."""

    text: str
    x: tuple[int, int]
    y: tuple[int, int]


def fill(template: str, x: str, y: str) -> FilledSentence:
    """Put a pair into a template.

    >>> fill("[Y] functions as [X]", "tool", "hammer")
    FilledSentence(text='hammer functions as tool', x=(20, 24), y=(0, 6))
    """
    first, second = sorted([(template.index(X), X, x), (template.index(Y), Y, y)])
    start = first[0]
    shift = len(first[2]) - len(first[1])
    spans = {
        first[1]: (start, start + len(first[2])),
        second[1]: (second[0] + shift, second[0] + shift + len(second[2])),
    }
    return FilledSentence(template.replace(X, x).replace(Y, y), spans[X], spans[Y])


def analogy(paradigms: Sequence[str]) -> str:
    """Return the analogy of a subcategory's paradigms, which ends in a slot for another pair.

    >>> analogy(["a:b", "c:d"])
    'a is to b as c is to d as [V]'
    """
    return " as ".join([*map(clause, paradigms), SLOT])


def clause(pair: str) -> str:
    """Return a pair as a clause of an analogy.

    >>> clause("x:y")
    'x is to y'
    """
    return " is to ".join(pair.split(":"))


# The table of probes, and its rows as requests to the primitives; scoring reads nothing else of the study.


PROBES = pl.Schema(
    {
        "subcategory": pl.String(),
        "pair": pl.String(),
        "paradigm": pl.Boolean(),
        "text": pl.String(),  # the relation schema about the pair, such as "hammer functions as tool"
        "x_start": pl.UInt16(),  # start and stop of the pair's words in the text, in characters
        "x_stop": pl.UInt16(),
        "y_start": pl.UInt16(),
        "y_stop": pl.UInt16(),
        "analogy": pl.String(),  # the other paradigms, and a slot for the pair; null for a pair that is only a paradigm
    }
)
Probes = Annotated[pl.DataFrame, parquet(PROBES, "subcategory", "pair")]

SCORES = pl.Schema({"probe_id": pl.String(), "values": pl.List(pl.Float32())})
Scores = Annotated[pl.DataFrame, parquet(SCORES)]


def schemas(probes: pl.DataFrame, shots: int = 0) -> Iterator[Sentence]:
    """Yield a request for the tokens' probabilities in every pair's schema sentence.

    `shots`: how many sentences about paradigms of the subcategory stand before it (`_example_sentences`).
    """
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "text").iter_rows():
        yield Sentence(
            f"{subcategory} {pair}", text, _example_sentences(probes, subcategory, {*pair.split(":")}, shots)
        )


def analogies(probes: pl.DataFrame) -> Iterator[Continuation]:
    """Yield a request for the probability that every pair continues the analogy of its subcategory's other paradigms."""
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "analogy").iter_rows():
        yield Continuation(f"{subcategory} {pair}", text, (clause(pair),))


def spans(probes: pl.DataFrame) -> Iterator[SpanText]:
    """Yield a request for the vectors of the two words of every pair and paradigm in their schema sentence."""
    columns = ["subcategory", "pair", "text", "x_start", "x_stop", "y_start", "y_stop"]
    for subcategory, pair, text, *bounds in probes.select(columns).iter_rows():
        yield SpanText(f"{subcategory} {pair}", text, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))


def slots(probes: pl.DataFrame, *, both_sides: bool, shots: int = 0) -> Iterator[Continuation]:
    """Yield a request per first word of a subcategory's sentences, with all second words as candidates.

    The text of a causal model ends at the slot, because the model cannot read beyond it. `shots`: how many sentences about
    paradigms stand before it, none of them with a word of the pairs that have this first word.
    """
    for (subcategory,), rows in _rated(probes).group_by("subcategory", maintain_order=True):
        pairs = [(*words(row), *_around_second(row)) for row in rows.iter_rows(named=True)]
        candidates = tuple(dict.fromkeys(second for _, second, _, _ in pairs))
        for word, (before, after) in {first: around for first, _, *around in pairs}.items():
            taboo = {one for pair in pairs if pair[0] == word for one in pair[:2]}
            examples = _example_sentences(probes, str(subcategory), taboo, shots)
            text = examples + before + SLOT + (after if both_sides else "")
            yield Continuation(f"{subcategory} {word}", text, candidates)


def _example_sentences(probes: pl.DataFrame, subcategory: str, taboo: set[str], shots: int) -> str:
    """Return the first `shots` sentences about paradigms without a word of `taboo`, or as many as there are.

    A subcategory has about three paradigms, and some share a word with a pair, so that some pairs have fewer examples.
    """
    if not shots:
        return ""
    paradigms = probes.filter(pl.col("paradigm"), subcategory=subcategory)
    texts = [text for pair, text in paradigms.select("pair", "text").iter_rows() if taboo.isdisjoint(pair.split(":"))]
    return join_examples(texts[:shots])


def words(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the two words of a probe in the order of its sentence.

    >>> words({"pair": "tool:hammer", "x_start": 20, "y_start": 0})  # hammer functions as tool
    ('hammer', 'tool')
    """
    x, y = row["pair"].split(":")
    return (x, y) if row["x_start"] < row["y_start"] else (y, x)


def _around_second(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what precedes and what follows the second word."""
    start, stop = max((row["x_start"], row["x_stop"]), (row["y_start"], row["y_stop"]))
    return row["text"][:start], row["text"][stop:]


def _rated(probes: pl.DataFrame) -> pl.DataFrame:
    return probes.filter(pl.col("analogy").is_not_null())


# The probes of the study: every pair and paradigm in the sentence of its subcategory, and every pair in an analogy.


def probes(relations: Relations, prompts: Path) -> Probes:
    """Put every pair and paradigm into the sentence of its subcategory, and every pair into an analogy.

    `prompts`: the file of the sentences. The analogy of a pair that is a paradigm itself has the other paradigms, as a model
    would only copy it.
    """
    templates = read_descriptions(prompts, [one.id for one in relations])
    rows = []
    for one in relations:
        for pair in dict.fromkeys([*one.paradigms, *one.pairs]):
            sentence = fill(templates[one.id], *pair.split(":"))
            analogous = analogy(one.others(pair)) if pair in one.pairs else None
            rows.append((one.id, pair, pair in one.paradigms, sentence.text, *sentence.x, *sentence.y, analogous))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


# The people's task for models: the MaxDiff questions of the task, and the choices in the replies.


LINE = "maxdiff"
"""The line of the chat in which the question stands (`Study.task`)."""
TOKENS = 48
"""The most tokens of an answer: two lines with a pair each."""
SIDES = ("least", "most")
CHOICE = re.compile(r"^\W*(least|most)\b[^:]*:\s*(.+?)\s*$", re.IGNORECASE)
"""A line of an answer, such as `most: hammer:tool`, also with marks around it."""
MARKS = " \t\"'“”‘’*_`.()[]"
"""What may stand around a pair."""


def questions(relations: Relations, line: str, orders: int) -> Iterator[Question]:
    """Yield the task's MaxDiff questions, each in so many orders of its four pairs; the first order is that of the task.

    Every question shows the paradigms and the description of the relation that people saw. `line`: the text around them,
    with EXAMPLES, RELATION and OPTIONS. The id is made of the subcategory and the numbers of the question and of the order.
    """
    for one in relations:
        about = line.replace(EXAMPLES, "\n".join(one.paradigms)).replace(RELATION, one.answer)
        for number, pairs in enumerate(one.questions, 1):
            for place, order in enumerate(orders_of(pairs, orders, f"{one.id} {number}"), 1):
                yield Question(f"{one.id} {number} {place}", about.replace(OPTIONS, "\n".join(order)))


def replies(participant: Participant, relations: Relations, *, orders: int = 1) -> InterviewResults:
    """Ask a model that only chats the MaxDiff questions that people answered (section 3.1), in so many orders."""
    line = participant.conversation[LINE]
    return interview(participant, "degrees", list(questions(relations, line, orders)), TOKENS)


def reply_choices(replies: Replies, relations: Relations, *, orders: int = 1) -> ReplyChoices:
    """Read the choices in replies: the least and the most illustrative pair of every question, "" where there is none."""
    shown = {
        f"{one.id} {number} {place}": (one.id, list(pairs), list(order))
        for one in relations
        for number, pairs in enumerate(one.questions, 1)
        for place, order in enumerate(orders_of(pairs, orders, f"{one.id} {number}"), 1)
    }
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        name, pairs, order = shown[question]
        readable = text if outcome in (ANSWER, LENGTH) else ""
        rows.append((name, pairs, order, int(question.split()[-1]), sample, text, *read_choice(readable, order)))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


def read_choice(text: str, pairs: Sequence[str]) -> tuple[str, str]:
    r"""Return the least and the most illustrative pair that an answer names, each "" if it names none or several.

    An answer has a line that begins with "least:" and one with "most:", each with one of the pairs, letter by letter but for
    capitals and blanks around the colon. An answer that chooses one pair for both has made no choice.

    >>> read_choice("Most: hammer:tool\nLeast: **fuel : oil**.", ["hammer:tool", "fuel:oil"])
    ('fuel:oil', 'hammer:tool')
    >>> read_choice("most: hammer", ["hammer:tool", "fuel:oil"])
    ('', '')
    """
    spelled = {pair.lower(): pair for pair in pairs}
    choices: dict[str, set[str]] = {side: set() for side in SIDES}
    for line in text.splitlines():
        if match := CHOICE.match(line):
            pair = re.sub(r"\s*:\s*", ":", match[2].strip(MARKS).lower())
            choices[match[1].lower()].add(spelled.get(pair, ""))
    least, most = (next(iter(choices[side])) if len(choices[side]) == 1 else "" for side in SIDES)
    return ("", "") if least == most else (least, most)
