"""The people's task for models: the MaxDiff questions of the task, and the choices in the replies."""

import re
from collections.abc import Iterator, Sequence

import polars as pl

from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.orders import orders as orders_of
from relprobe.lm.participants.replies import ANSWER, LENGTH, Replies
from relprobe.lm.participants.settings import Participant
from relprobe.studies.conversations import EXAMPLES, OPTIONS, RELATION
from relprobe.studies.degrees.data.subcategories import Relations
from relprobe.studies.degrees.schemas import REPLY_CHOICES, ReplyChoices

LINE = "maxdiff"
"""The line of the chat in which the question stands (TASK of the study's `config`)."""
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
