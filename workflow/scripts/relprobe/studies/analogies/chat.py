"""Models that answer in words: which of two pairs continues an analogy, as one would ask a person, and their decisions."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.sums import ordered_mean
from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.orders import drawn_orders
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.studies.analogies.method import Pair, decisions_of
from relprobe.studies.analogies.schemas import REPLY_CHOICES, Decisions, Instances, Partition, ReplyChoices
from relprobe.studies.conversations import HEAD, OPTIONS, TAIL, pair_in
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice, readable

# The choice in words.


LINE = "continue"
"""The line of the chat in which the task stands."""
WORDS = ("query_head", "query_tail", "head", "tail", "negative_head", "negative_tail")
"""The columns of INSTANCES that a question shows."""


class Sheet(NamedTuple):
    """A choice as it is shown once: the query, and the pairs in their order, one of which is right."""

    probe: str
    query: Pair
    right: Pair
    wrong: Pair
    order: int
    options: tuple[Pair, ...]

    @property
    def id(self) -> str:
        """The id of the question.

        >>> france, italy, swap = ("paris", "france"), ("rome", "italy"), ("italy", "rome")
        >>> Sheet("reverse", france, italy, swap, 1, (swap, italy)).id
        'reverse 1 paris : france :: rome : italy or italy : rome'
        """
        query, right, wrong = map(colon, (self.query, self.right, self.wrong))
        return f"{self.probe} {self.order} {query} :: {right} or {wrong}"


def colon(pair: Pair) -> str:
    """Return a pair as the tables of the study name it.

    >>> colon(("rome", "italy"))
    'rome : italy'
    """
    return f"{pair[0]} : {pair[1]}"


def sheets(instances: Instances, partitions: list[Partition], orders: int) -> Iterator[Sheet]:
    """Yield the choices of the unsupervised setting, those with a swapped query too, each in up to two orders.

    A choice that several draws have is there once. The first order is drawn: the instances have the right pair first.
    """
    asked = instances.filter(pl.col("partition").is_in(partitions)).unique(["probe", *WORDS], maintain_order=True)
    for probe, *words in asked.select("probe", *WORDS).iter_rows():
        query, right, wrong = zip(words[::2], words[1::2], strict=True)
        key = f"{probe} {' '.join(words)}"
        for number, shown in enumerate(drawn_orders([right, wrong], orders, key), 1):
            yield Sheet(probe, query, right, wrong, number, shown)


def questions(
    lines: Mapping[str, str], instances: Instances, partitions: list[Partition], orders: int
) -> list[Question]:
    """Return the choices as questions. `lines`: that of the task has HEAD, TAIL and OPTIONS."""
    line = lines[LINE]
    return [Question(sheet.id, _text(line, sheet)) for sheet in sheets(instances, partitions, orders)]


def _text(line: str, sheet: Sheet) -> str:
    return _filled(line, sheet.query).replace(OPTIONS, lettered_lines(_options(line, sheet)))


def _options(line: str, sheet: Sheet) -> list[str]:
    """Return the pairs as they are shown, in the words in which the line has the query."""
    return [_filled(pair_in(line), pair) for pair in sheet.options]


def _filled(text: str, pair: Pair) -> str:
    return text.replace(HEAD, pair[0]).replace(TAIL, pair[1])


def replies(
    chat_model: ChatModel, instances: Instances, *, partitions: list[Partition], orders: int = 1
) -> InterviewResults:
    """Ask a model that only chats which of two pairs continues an analogy: the instances of some partitions."""
    asked = questions(chat_model.conversation, instances, partitions, orders)
    return interview(chat_model, "analogies", asked, TOKENS)


def reply_choices(
    replies: Replies, instances: Instances, *, partitions: list[Partition], line: str, orders: int = 1
) -> ReplyChoices:
    """Read the choices in replies: the pair of every question, "" where there is none.

    `line`: the words of the task, which say how a pair is written; `partitions`, `orders`: what was asked.
    """
    asked = {sheet.id: sheet for sheet in sheets(instances, partitions, orders)}
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        sheet = asked[question]
        pair_of = {option: colon(pair) for option, pair in zip(_options(line, sheet), sheet.options, strict=True)}
        choice = pair_of.get(read_choice(text, list(pair_of), outcome), "")
        names = (colon(sheet.query), colon(sheet.right), colon(sheet.wrong))
        shown = [colon(pair) for pair in sheet.options]
        rows.append((sheet.probe, *names, shown, sheet.order, sample, text, choice, choice == names[1]))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


# The choices as decisions of the unsupervised setting.


CHOICE = ["probe", "query", "tuple", "negative"]
"""The columns of REPLY_CHOICES that say which choice it is."""
PAIRS = {
    "query": ("query_head", "query_tail"),
    "tuple": ("head", "tail"),
    "negative": ("negative_head", "negative_tail"),
}
"""Column of REPLY_CHOICES -> the columns of INSTANCES with its words."""


def reply_decisions(choices: ReplyChoices, instances: Instances, *, partitions: list[Partition]) -> Decisions:
    """Return the choices as decisions of the unsupervised setting: a value is the share of right answers.

    It is the mean over all orders and samples, in which an answer that cannot be read is a wrong one. A probe of which
    too many answers cannot be read (`letters.readable`) has no decisions. DataError: the choices lack an instance.
    """
    values = choices.group_by(CHOICE).agg(value=ordered_mean(pl.col("right").cast(pl.Float64)))
    rows = instances.filter(pl.col("partition").is_in(partitions))
    keys = rows.select("probe", **{name: pl.format("{} : {}", *words) for name, words in PAIRS.items()})
    value = keys.join(values, on=CHOICE, how="left", maintain_order="left")["value"]
    if value.null_count():
        raise DataError("the choices lack an instance: delete the replies and run again.")
    is_readable = rows["probe"].is_in(readable(choices, "probe")["probe"].unique().to_list())
    return decisions_of(rows.filter(is_readable), value.filter(is_readable))
