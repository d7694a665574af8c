"""Chat models as a source of answers: which category completes the sentence, and whether a robin is a bird."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.lm.chat_models.interview import InterviewResults, Question, interview
from relprobe.lm.chat_models.orders import drawn_orders
from relprobe.lm.chat_models.orders import orders as orders_of
from relprobe.lm.chat_models.replies import Replies
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.lm.requests import SLOT
from relprobe.studies.conversations import CATEGORY, OPTIONS, PROBE, WORD
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice, readable
from relprobe.studies.systematicity.hyponyms import Categories
from relprobe.studies.systematicity.inflection import with_article
from relprobe.studies.systematicity.method import PAIRED
from relprobe.studies.systematicity.prompts import NUMBERS
from relprobe.studies.systematicity.schemas import (
    COMPLETE,
    METRICS,
    REPLY_CHOICES,
    VERIFIED,
    VERIFY,
    Items,
    Metrics,
    Probes,
    ReplyChoices,
)
from relprobe.studies.systematicity.sentences import candidate_texts

YES, NO = "yes", "no"
BLANK = "___"
"""What stands in the place of the category in a sentence."""
LINES = {"singular": VERIFY, "plural": f"{VERIFY}_plural"}
"""Number -> the line that asks whether a word is of a category."""


class Sheet(NamedTuple):
    """A question as it is shown once: what is asked, the options in their order, and the right one.

    `category`: that which VERIFY asks about, in the singular; of COMPLETE the right one. `foil`: it is not the hyponym's.
    `words`: mark of the line -> the words in its place.
    """

    task: str
    set: str
    hyponym: str
    kind: str
    category: str
    foil: bool
    order: int
    line: str
    words: Mapping[str, str]
    options: tuple[str, ...]
    right: str

    @property
    def question(self) -> str:
        """What names the question in all of its orders: the task, the set, the kind, the hyponym and the category."""
        return f"{self.task} {self.set}:{self.kind}:{self.hyponym}:{self.category}"

    @property
    def id(self) -> str:
        """The question and the number of its order."""
        return f"{self.question} {self.order}"


def sheets(items: Items, probes: Probes, categories: Categories, seed: int, orders: int) -> Iterator[Sheet]:
    """Yield the questions about all items, those of COMPLETE and of VERIFY, each in so many orders, or all there are.

    COMPLETE shows the study's main probes, also those in context, with all categories. Its first order is drawn, too, so
    that no category has a place of its own. A hyponym has the same orders in both numbers: an answer in the singular and
    one in the plural thus differ in the number alone. VERIFY asks in both numbers about the right category and about a foil
    (`foil_of`), with “yes, no” and, if there are two orders, “no, yes”.
    """
    main = probes.filter(pl.col("main") & pl.col("kind").is_in([*NUMBERS, "contextual"]))
    probes_by_item = {key: rows.to_dicts() for key, rows in main.group_by("set", "hyponym", maintain_order=True)}
    several = _plurals(main)
    for item in items.iter_rows(named=True):
        for probe in probes_by_item.get((item["set"], item["hyponym"]), []):
            yield from _completions(item, probe, orders)
        foil = foil_of(item, categories, seed)
        for category in (item["category"], foil):
            yield from _verifications(item, category, several, orders)


def foil_of(item: Mapping[str, Any], categories: Categories, seed: int) -> str:
    """Return the category about which an item is asked falsely, the same for all agents, numbers and orders.

    It is drawn by `seed` and the hyponym among the other categories below the same superordinate one, as the untrue pairs of
    the study's classifier are (section 2.2). These are the ones that a hyponym may be mistaken for: a robin is sooner taken
    for a fish than for a building, so that to say no to the foil asks for more than to see what goes together.

    >>> item = {"set": "own", "hyponym": "robin", "category": "bird"}
    >>> foil_of(item, {"animals": ["bird", "fish"], "plants": ["tree", "flower"]}, seed=1)
    'fish'
    """
    right = item["category"]
    foils = [category for group in categories.values() if right in group for category in group if category != right]
    return random.Random(f"foil {seed} {item['set']} {item['hyponym']}").choice(foils)  # noqa: S311 (no secret)


def _plurals(main: Probes) -> dict[str, str]:
    """Return category -> its plural; the candidates of both numbers stand in the same order."""
    singular, plural = (main.filter(kind=number)["candidates"] for number in NUMBERS)
    return dict(zip(singular[0], plural[0], strict=True)) if len(singular) else {}


def _completions(item: Mapping[str, Any], probe: Mapping[str, Any], orders: int) -> Iterator[Sheet]:
    right = item["category_plural" if probe["kind"] == "plural" else "category"]
    key = f"{item['set']} {item['hyponym']}"
    identity = COMPLETE, item["set"], item["hyponym"], probe["kind"], item["category"], False
    for number, shown in enumerate(drawn_orders(probe["candidates"], orders, key), 1):
        filled = {PROBE: _sentence(item, probe), OPTIONS: lettered_lines(shown)}
        yield Sheet(*identity, number, COMPLETE, filled, shown, right)


def _sentence(item: Mapping[str, Any], probe: Mapping[str, Any]) -> str:
    """Return the sentence of a probe with a blank in all places where the probe has a candidate."""
    text = probe["text"]
    if probe["texts"]:
        (text,) = candidate_texts(text, item["hyponym"], item["hyponym_plural"], {BLANK: BLANK})
    return str(text.replace(SLOT, BLANK))


def _verifications(item: Mapping[str, Any], category: str, several: Mapping[str, str], orders: int) -> Iterator[Sheet]:
    is_foil = category != item["category"]
    right = NO if is_foil else YES
    words = {
        "singular": (with_article(item["hyponym"]), with_article(category)),
        "plural": (item["hyponym_plural"], several[category]),
    }
    for kind, (word, category_words) in words.items():
        identity = VERIFY, item["set"], item["hyponym"], kind, category, is_foil
        for number, shown in enumerate(orders_of((YES, NO), orders, item["hyponym"]), 1):
            filled = {WORD: word, CATEGORY: category_words, OPTIONS: ", ".join(shown)}
            yield Sheet(*identity, number, LINES[kind], filled, shown, right)


def questions(lines: Mapping[str, str], asked: Sequence[Sheet]) -> list[Question]:
    """Return the sheets as questions. `lines`: the words of COMPLETE and of LINES, with their marks."""
    return [Question(sheet.id, _text(lines[sheet.line], sheet.words)) for sheet in asked]


def _text(line: str, filled: Mapping[str, str]) -> str:
    for mark, words in filled.items():
        line = line.replace(mark, words)
    return line


def replies(
    chat_model: ChatModel,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
) -> InterviewResults:
    """Ask a model that only chats to complete sentences with categories, and whether a hyponym is of a category."""
    asked = list(sheets(item_table, probes, categories, seed, orders))
    return interview(chat_model, "systematicity", questions(chat_model.conversation, asked), TOKENS)


def reply_choices(
    replies: Replies,
    item_table: Items,
    probes: Probes,
    *,
    categories: dict[str, list[str]],
    seed: int,
    orders: int = 1,
) -> ReplyChoices:
    """Read the choices in replies: the option of every question, "" where there is none."""
    asked = {sheet.id: sheet for sheet in sheets(item_table, probes, categories, seed, orders)}
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        sheet = asked[question]
        choice = read_choice(text, sheet.options, outcome, lettered=sheet.task == COMPLETE)
        columns = sheet.question, sheet.task, sheet.set, sheet.hyponym, sheet.kind, sheet.category, sheet.foil
        rows.append((*columns, list(sheet.options), sheet.order, sample, text, choice, choice == sheet.right))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


# The values of these choices.


ANSWER = ["set", "hyponym", "order", "sample"]
"""What answers of a hyponym in several diagnostics share, which are measured together."""


def choice_metrics(choices: ReplyChoices, item_table: Items) -> Metrics:
    """Measure the choices of an agent. A value is the share of right answers of a hyponym, over all orders and samples.

    - singular, plural, contextual: the category that completes the sentence is the right one.
    - singular_plural, aggregate: the answers of all parts are right, in the same order and sample (Table 2).
    - verified_singular, verified_plural: yes to the right category and no to the foil, in the same order and sample. Who
      always says the same has 0.

    The agent chooses among the categories, so that it has no open answers, no scores of sentences, and no states for a
    classifier. An answer that cannot be read is a wrong one; a task of which too many cannot be read (`letters.readable`)
    has no values.

    >>> row = {"set": "own", "hyponym": "robin", "task": "complete", "sample": 1, "choice": "bird"}
    >>> answers = [("singular", 1, True), ("plural", 1, True), ("singular", 2, True), ("plural", 2, False)]
    >>> rows = [{**row, "kind": kind, "order": order, "right": right} for kind, order, right in answers]
    >>> items = pl.DataFrame({"set": ["own"], "hyponym": ["robin"], "category": ["bird"]})
    >>> choice_metrics(pl.DataFrame(rows), items).select("metric", "unit", "value").rows()
    [('singular', 'robin', 1.0), ('plural', 'robin', 0.5), ('singular_plural', 'robin', 0.5)]
    """
    choices = readable(choices)
    if choices.is_empty():
        return pl.DataFrame(schema=METRICS)
    complete, verify = (choices.filter(task=task) for task in (COMPLETE, VERIFY))
    parts = [(str(kind), rows) for (kind,), rows in complete.group_by("kind", maintain_order=True)]
    kinds = {kind for kind, _ in parts}
    parts += [
        (name, _all_right(complete.filter(pl.col("kind").is_in(paired)), len(paired)))
        for name, paired in PAIRED.items()
        if set(paired) <= kinds
    ]
    parts += [
        (VERIFIED[str(kind)], _all_right(rows, 2)) for (kind,), rows in verify.group_by("kind", maintain_order=True)
    ]
    shares = [
        rows.group_by("set", "hyponym", maintain_order=True).agg(metric=pl.lit(name), value=ordered_mean("right"))
        for name, rows in parts
    ]
    table = pl.concat(shares).join(
        item_table.select("set", "hyponym", "category"), on=["set", "hyponym"], how="left", maintain_order="left"
    )
    return table.select("metric", condition="set", unit="hyponym", cluster="category", value="value").cast(METRICS)  # type: ignore[arg-type]


def _all_right(rows: pl.DataFrame, answers: int) -> pl.DataFrame:
    """Return whether all parts of a task are right in one order and sample, where the agent was asked all of them."""
    together = rows.group_by(ANSWER, maintain_order=True).agg(pl.col("right").all(), pl.len())
    return together.filter(len=answers).drop("len")
