"""Catch items of a questionnaire: questions that everybody who reads them answers alike (Cao et al., section 6.1).

In a file of people's answers a catch item is a row whose relation is CATCH: `prompt` is the question, and `target` has the
answers that are accepted, with "|" between them. The paper had three per sheet, of which it prints the first of ITEMS; the
others are this project's.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from relprobe.core.csv_schema import Row, whole_number
from relprobe.core.errors import DataError
from relprobe.sources.written import answered_word

MOST = 10**6
"""The largest rank."""
CATCH = "catch"
"""What stands in the column relation of a catch item."""


class Item(NamedTuple):
    """A question with a gap, and its accepted answers."""

    question: str
    accepted: str


ITEMS = (
    Item("the earth rotates around the ___", "sun"),
    Item("a week has seven ___", "days|day"),
    Item("people hear with their ___", "ears|ear"),
)
"""The items of an English form, as many as the paper's subsets had."""


def failures(rows: Iterable[Row], articles: Collection[str] = ()) -> dict[str, str]:
    """Return who failed a catch item, and how: participant -> "answered 'moon' to 'the earth rotates around the ___'".

    Who has a catch item in the file must answer it, and the answer of the lowest rank must be accepted; capitals,
    an article and marks do not matter. The paper rejected what was not answered correctly. DataError: a catch item accepts
    no answer.
    """
    first: dict[tuple[str, str], tuple[int, str]] = {}
    accepted: dict[str, set[str]] = {}
    for row in rows:
        cells = row.cells
        if cells["relation"] != CATCH:
            continue
        words = {_bare(word, articles) for word in cells["target"].split("|")} - {""}
        if not words:
            raise DataError(
                f"{row.where}: the catch item {cells['prompt']!r} accepts no answer: write it as its target."
            )
        accepted.setdefault(cells["prompt"], set()).update(words)
        rank = whole_number(cells["rank"], MOST) or 1
        key, response = (cells["participant"], cells["prompt"]), (rank, cells["answer"])
        earlier = first.get(key)
        if earlier is None or not earlier[1] or (response[1] and rank < earlier[0]):
            first[key] = response
    failed: dict[str, str] = {}
    for (participant, question), (_, answer) in first.items():
        if _bare(answer, articles) not in accepted[question]:
            how = f"answered {answer!r} to {question!r}" if answer else f"did not answer {question!r}"
            failed.setdefault(participant, how)
    return failed


def _bare(text: str, articles: Collection[str]) -> str:
    """Return an answer in small letters, without what stands around it (`answered_word`).

    >>> _bare(" “The Sun”.", ["the", "a"])
    'sun'
    """
    return answered_word(text, articles).lower()
