"""Models that take people's task: the MaxDiff questions, the choices in the replies, and the values of the choices."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import polars as pl

from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.orders import orders as orders_of
from relprobe.lm.chat_models.replies import ANSWER, LENGTH, Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.sources.written import NOTE, plain_text, plain_word
from relprobe.studies.conversations import EXAMPLES, OPTIONS, RELATION
from relprobe.studies.degrees.method import SIDES, WITHOUT, accuracies
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.schemas import METRICS, REPLY_CHOICES, TRAINING, Gold, Metrics, Questions, ReplyChoices
from relprobe.studies.unreadable import absence_of

# People's task: of four pairs, the least and the most illustrative one (section 3, phase 2).


LINE = "maxdiff"
"""The line of the chat in which the question stands (`Study.task`)."""
TOKENS = 48
"""The most tokens of an answer: two lines with a pair each."""
CHOICE = re.compile(r"^\W*(least|most)\b[^:]*:\s*(.+?)\s*$", re.IGNORECASE)
"""A line of an answer, such as `most: hammer:tool`."""


def questions(relations: Relations, line: str, orders: int) -> Iterator[Question]:
    """Yield the task's MaxDiff questions, each in so many orders of its four pairs; the first order is that of the task.

    Every question shows the paradigms and the description of the relation that people saw. `line`: the text around them,
    with EXAMPLES, RELATION and OPTIONS. The id is made of the subcategory and the numbers of the question and of the order.
    """
    for relation in relations:
        text = line.replace(EXAMPLES, "\n".join(relation.paradigms)).replace(RELATION, relation.answer)
        for number, pairs in enumerate(relation.questions, 1):
            for position, order in enumerate(orders_of(pairs, orders, f"{relation.id} {number}"), 1):
                yield Question(f"{relation.id} {number} {position}", text.replace(OPTIONS, "\n".join(order)))


def replies(chat_model: ChatModel, relations: Relations, *, orders: int = 1) -> InterviewResults:
    """Ask a model that only chats the MaxDiff questions that people answered (section 3.1), in so many orders."""
    line = chat_model.conversation[LINE]
    return interview(chat_model, "degrees", list(questions(relations, line, orders)), TOKENS)


def reply_choices(replies: Replies, relations: Relations, *, orders: int = 1) -> ReplyChoices:
    """Read the choices in replies: the least and the most illustrative pair of every question, "" where there is none."""
    shown = {
        f"{subcategory.id} {number} {order}": (subcategory.id, list(pairs), list(ordered))
        for subcategory in relations
        for number, pairs in enumerate(subcategory.questions, 1)
        for order, ordered in enumerate(orders_of(pairs, orders, f"{subcategory.id} {number}"), 1)
    }
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        subcategory, pairs, ordered = shown[question]
        readable = text if outcome in (ANSWER, LENGTH) else ""
        rows.append(
            (subcategory, pairs, ordered, int(question.split()[-1]), sample, text, *read_choice(readable, ordered))
        )
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


def read_choice(text: str, pairs: Sequence[str]) -> tuple[str, str]:
    r"""Return the least and the most illustrative pair that an answer names, each "" if it names none or several.

    An answer has a line that begins with "least:" and one with "most:", each with one of the pairs, which is read as words
    are (`plain_word`), without capitals and blanks around the colon. An answer that chooses one pair for both has made no
    choice.

    >>> read_choice("Most: hammer:tool\nLeast: **fuel : oil**.", ["hammer:tool", "fuel:oil"])
    ('fuel:oil', 'hammer:tool')
    >>> read_choice("most: hammer", ["hammer:tool", "fuel:oil"])
    ('', '')
    """
    spelled = {_plain_pair(pair): pair for pair in pairs}
    choices: dict[str, set[str]] = {side: set() for side in SIDES}
    for line in plain_text(text).splitlines():
        if match := CHOICE.match(plain_word(line)):
            choices[match[1].lower()].add(spelled.get(_plain_pair(match[2]), ""))
    least, most = (next(iter(choices[side])) if len(choices[side]) == 1 else "" for side in SIDES)
    return ("", "") if least == most else (least, most)


def _plain_pair(text: str) -> str:
    """Return a pair in small letters, without what stands around it or, in brackets, behind it.

    >>> _plain_pair("**Jack-o’-lantern : lamp** (it is one)")
    "jack-o'-lantern:lamp"
    """
    return re.sub(r"\s*:\s*", ":", plain_word(NOTE.sub("", plain_word(text))).lower())


# The values of the choices, which are MaxDiff accuracies alone: such an agent rates no pairs.


RATER = "maxdiff"
"""What stands after the model in the name of such an agent, as a rater does."""


def choice_values(choices: ReplyChoices, gold: Gold, questions: Questions, *, agent: str) -> Metrics:
    """Compare the choices of a model with those of the majority of people, as the task scores its systems.

    The values are those that `evaluate` gives for the same answers. Several orders and samples of a question count alike. An
    agent of which too many answers cannot be read (`absence`) has none.
    """
    if absence(choices) is not None:
        return pl.DataFrame(schema=METRICS)
    is_reversed = pl.col("pair").filter(pl.col("reverses").is_not_null())
    reversed_pairs = dict(gold.group_by("subcategory").agg(is_reversed).iter_rows())
    condition = pl.when("training").then(pl.lit(TRAINING)).otherwise("relation_class")
    conditions = gold.unique("subcategory").select(unit="subcategory", condition=condition)
    answers = choices.select("subcategory", "pairs", *SIDES)
    values = answer_values(answers, questions, reversed_pairs).join(
        conditions, on="unit", how="left", maintain_order="left"
    )
    return values.with_columns(agent=pl.lit(agent)).select(list(METRICS))


def answer_values(
    answers: pl.DataFrame, questions: Questions, reversed_pairs: Mapping[str, Collection[str]]
) -> pl.DataFrame:
    """Measure MaxDiff answers (MAXDIFF_ANSWERS) against the majority's: METRICS but agent and condition.

    The metrics are least, most and maxdiff, and maxdiff_without_reversals, which leaves out the questions that show one of
    the `reversed_pairs` of their subcategory. An answer without a choice is wrong. Only the answered questions count.
    """
    joined = answers.join(
        questions, on=["subcategory", "pairs"], how="inner", suffix="_majority", maintain_order="left"
    )
    rows: list[tuple[str, str, str, float]] = []
    for (subcategory,), table in joined.group_by("subcategory", maintain_order=True):
        turned = list(reversed_pairs[str(subcategory)])
        without = table.filter(pl.col("pairs").list.set_intersection(turned).list.len() == 0)
        for ending, part in (("", table), (WITHOUT, without)):
            if part.is_empty():
                continue
            right = [[row[side] in row[f"{side}_majority"] for row in part.iter_rows(named=True)] for side in SIDES]
            rows += [
                (metric + ending, str(subcategory), str(subcategory), value)
                for metric, value in accuracies(right)
                if not ending or metric == "maxdiff"
            ]
    schema = {column: METRICS[column] for column in ("metric", "unit", "cluster", "value")}
    return pl.DataFrame(rows, schema=schema, orient="row")


def absence(choices: ReplyChoices) -> str | None:
    """Return why an agent has no value; None if it has some.

    >>> rows = pl.DataFrame({"least": ["a:b", ""], "most": ["c:d", ""]})
    >>> absence(rows)[:58]
    'no value, as 50 % of its answers do not name the two pairs'
    """
    remedy = "let it think (thoughts), or ask another model"
    return absence_of(unreadable(choices), "do not name the two pairs", remedy)


def unreadable(choices: ReplyChoices) -> float:
    """Return the share of answers that do not name two pairs."""
    return choices.select(((pl.col("least") == "") | (pl.col("most") == "")).mean()).item() or 0.0
