"""Models that are asked in words: whether a pair is related, which of some words is, and how much, as people are asked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.orders import drawn_orders
from relprobe.lm.chat_models.orders import orders as orders_of
from relprobe.lm.chat_models.replies import ANSWER, LENGTH, Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.sources.language import LanguageFile
from relprobe.studies.conversations import OPTIONS, PROBE
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice
from relprobe.studies.pairs.method import Articles, choices
from relprobe.studies.pairs.prompts import PromptFile, Prompts, fill
from relprobe.studies.pairs.schemas import (
    ALL,
    JUDGMENTS,
    METRICS,
    REPLY_CHOICES,
    Items,
    Judgments,
    Metrics,
    ReplyChoices,
)
from relprobe.studies.unreadable import MOST_UNREADABLE, absence_of

JUDGE, PICK, RATE = "judge", "pick", "rate"
"""The tasks, each with a line of its name: yes or no, which word, and a number of a scale."""
TASKS = (JUDGE, PICK, RATE)
BLANK = "___"
"""What stands in the place of the word to pick."""
NUMBER = re.compile(r"[\W_]*(\d{1,3})[\W_]*")
"""A whole number with nothing but marks around it."""
REMEDY = "let it think (thoughts), or ask another model"


class Sheet(NamedTuple):
    """A question as it is shown once: the pair or target that it is about, and the options in their order.

    `condition`: of a target; a pair may stand under several. `second`: of PICK the right word.
    """

    task: str
    condition: str
    relation: str
    first: str
    second: str
    order: int
    probe: str
    options: tuple[str, ...]

    @property
    def id(self) -> str:
        """What tells the question from all others."""
        subject = (
            f"{self.condition} {self.first}" if self.task == PICK else f"{self.relation} {self.first}:{self.second}"
        )
        return f"{self.task} {subject} {self.order}"


def sheets(
    items: Items, prompts: Prompts, article: Articles, tasks: Sequence[str], scale: Sequence[int], orders: int
) -> list[Sheet]:
    """Return the questions about all items, in so many orders of their options, or in all there are.

    They are those of the first prompt of each relation. JUDGE asks about each pair with a label, yes or no. PICK asks
    which word completes the statement about a target: the right one, or the first foil of each kind; its first order
    is drawn, so that the right one has no place of its own. RATE asks about each pair with ratings, for a number of
    the `scale`.
    """
    makers = {
        JUDGE: _judgments(items, prompts, article, orders),
        PICK: _choices(items, prompts, article, orders),
        RATE: _ratings(items, prompts, article, scale),
    }
    return [sheet for task in tasks for sheet in makers[task]]


def _judgments(items: Items, prompts: Prompts, article: Articles, orders: int) -> Iterator[Sheet]:
    for relation, first, second in _pairs(items.filter(pl.col("label").is_not_null())):
        question = fill(prompts.relation_prompts[relation][0].question, first, second, prompts.nothing, article).text
        for number, shown in enumerate(orders_of((prompts.yes, prompts.no), orders, f"{first}:{second}"), 1):
            yield Sheet(JUDGE, "", relation, first, second, number, question, shown)


def _choices(items: Items, prompts: Prompts, article: Articles, orders: int) -> Iterator[Sheet]:
    for condition, relation, target, right, words in choices(items):
        text = fill(prompts.relation_prompts[relation][0].statement, target, "", BLANK, article).text
        for number, order in enumerate(drawn_orders(words, orders, f"{condition} {target}"), 1):
            yield Sheet(PICK, condition, relation, target, right, number, text, order)


def _ratings(items: Items, prompts: Prompts, article: Articles, scale: Sequence[int]) -> Iterator[Sheet]:
    low, high = scale
    for relation, first, second in _pairs(items.filter(pl.col("rating").is_not_null())):
        text = fill(prompts.relation_prompts[relation][0].statement, first, second, prompts.nothing, article).text
        yield Sheet(RATE, "", relation, first, second, 1, text, (str(low), str(high)))


def _pairs(items: Items) -> Iterator[tuple[str, str, str]]:
    yield from items.select("relation", "first", "second").unique(maintain_order=True).iter_rows()


def asked_in_words(lines: Mapping[str, str], asked: Sequence[Sheet]) -> list[Question]:
    """Return the sheets as questions. `lines`: the words of each task, with their marks."""
    return [
        Question(sheet.id, lines[sheet.task].replace(PROBE, sheet.probe).replace(OPTIONS, _shown(sheet)))
        for sheet in asked
    ]


def _shown(sheet: Sheet) -> str:
    """Return the options as a line has them: in letters, the ends of a scale, or words.

    >>> _shown(Sheet(RATE, "", "HYP", "robin", "bird", 1, "a robin is a kind of bird", ("0", "6")))
    '0 to 6'
    """
    if sheet.task == PICK:
        return lettered_lines(sheet.options)
    return (" to " if sheet.task == RATE else ", ").join(sheet.options)


def replies(
    chat_model: ChatModel,
    item_table: Items,
    prompts: PromptFile,
    language: LanguageFile,
    *,
    scale: list[int],
    tasks: list[str],
    orders: int = 1,
) -> InterviewResults:
    """Ask a model that only chats about the pairs (`sheets`)."""
    asked = sheets(item_table, prompts, language.articles.chooser, tasks, scale, orders)
    return interview(chat_model, "pairs", asked_in_words(chat_model.conversation, asked), TOKENS)


def reply_choices(replies: Replies, asked: Sequence[Sheet]) -> ReplyChoices:
    """Read the choices in replies: the option or the number of every question, "" where there is none."""
    sheets_by_id = {sheet.id: sheet for sheet in asked}
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        sheet = sheets_by_id[question]
        key = sheet.task, sheet.condition, sheet.relation, sheet.first, sheet.second, list(sheet.options), sheet.order
        if sheet.task == RATE:
            low, high = map(int, sheet.options)
            choice = read_number(text if outcome in (ANSWER, LENGTH) else "", low, high)
        else:
            choice = read_choice(text, sheet.options, outcome, lettered=sheet.task == PICK)
        rows.append((*key, sample, text, choice))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


def read_number(text: str, low: int, high: int) -> str:
    """Return the whole number of a scale that an answer is, with nothing but marks around it; "" if it is none.

    >>> read_number("**4**.", 0, 6), read_number("7", 0, 6), read_number("4 or 5", 0, 6), read_number("-1", 0, 6)
    ('4', '', '', '')
    """
    match = NUMBER.fullmatch(text.strip())
    if match is None or re.search(r"[-−]\s*\d", text) or not low <= int(match[1]) <= high:
        return ""
    return str(int(match[1]))


# The judgments and the values of these choices.


def reply_judgments(choices: ReplyChoices, prompts: Prompts, *, model: str) -> Judgments:
    """Return the judgments of an agent in words: the share of yes (JUDGE), and the mean number (RATE), of each pair.

    They are over the answers that can be read; a pair without any has no score. A task of which too many cannot be
    read has no judgments (`unreadable.absence_of`).
    """
    parts = [pl.DataFrame(schema=JUDGMENTS)]
    for task, number in ((JUDGE, (pl.col("choice") == prompts.yes).cast(pl.Float64)), (RATE, _as_number())):
        rows = choices.filter(task=task)
        if rows.is_empty() or unreadable(rows) > MOST_UNREADABLE:
            continue
        numbered = rows.with_columns(number=pl.when(pl.col("choice") != "").then(number))
        means = numbered.group_by("relation", "first", "second", maintain_order=True).agg(score=ordered_mean("number"))
        first = {relation: of[0].id for relation, of in prompts.relation_prompts.items()}
        table = means.with_columns(
            agent=pl.lit(f"{model} {task}"),
            prompt=pl.col("relation").replace_strict(first, return_dtype=pl.String),
            probability=pl.col("score") if task == JUDGE else pl.lit(None, pl.Float64),
        )
        parts.append(table.select(list(JUDGMENTS)))
    return pl.concat(parts)


def _as_number() -> pl.Expr:
    return pl.col("choice").cast(pl.Float64, strict=False)


def choice_values(choices: ReplyChoices, prompts: Mapping[str, Sequence[str]], *, agent: str) -> Metrics:
    """Return the share of right picks of each target, over all answers; an unreadable one is a wrong one.

    `prompts`: relation -> the prompts for which the values stand.
    """
    rows = choices.filter(task=PICK)
    if rows.is_empty() or unreadable(rows) > MOST_UNREADABLE:
        return pl.DataFrame(schema=METRICS)
    right = (pl.col("choice") == pl.col("second")).cast(pl.Float64)
    shares = rows.with_columns(right=right).group_by("condition", "relation", "first", maintain_order=True)
    asked = pl.DataFrame(
        [(relation, prompt) for relation, of in prompts.items() for prompt in of],
        schema={"relation": pl.String, "prompt": pl.String},
        orient="row",
    )
    means = shares.agg(value=ordered_mean("right")).join(asked, on="relation", how="left", maintain_order="left")
    return means.select(
        agent=pl.lit(agent),
        metric=pl.lit("choice"),
        condition="condition",
        foils=pl.lit(ALL),
        unit="first",
        prompt="prompt",
        value="value",
    )


def unreadable(choices: pl.DataFrame) -> float:
    """Return the share of answers without a choice."""
    return choices.select((pl.col("choice") == "").mean()).item() or 0.0


def absence(choices: pl.DataFrame) -> str | None:
    """Say why an agent has no value in a task; None if it has some. `choices`: its answers to this task."""
    return absence_of(unreadable(choices), "name no option or number", REMEDY)
