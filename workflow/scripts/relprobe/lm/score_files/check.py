"""The check of stored answers: changed code, or another version of a library, must still give those that are asked again.

What answers depend on in name (`store.guards`: the code, the libraries, what other code has made) changes often, and mostly
changes no answer. So a job whose store was made under others asks fixed texts again, and a sample of the stored answers that
it needs. If all are as they were, but for rounding, the stored answers are taken.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from relprobe.core.errors import ProbeError
from relprobe.lm.requests import SLOT
from relprobe.lm.score_files.comparison import Comparison, Difference

if TYPE_CHECKING:
    from relprobe.lm.network.model import LanguageModel
    from relprobe.lm.score_files.store import Store

SHARE, LEAST = 0.02, 20
"""Of the stored answers of each kind that a job needs, this share is asked again, and this many at least."""
WORST = 5
"""In a short number format, a single answer may be so many times as far off as answers may be on average."""
TEXTS = (
    "a robin is a kind of a",
    "it is not the case that stones can be found in",
    "the opposite of hot is",
    "the word bird has a more general meaning than the word",
    "one, two, three, four,",
    "she opened the letter, read it twice, and then without a word she",
    "Zürich ist eine Stadt in der",
    "a violin is a small musical instrument with four strings, and a cello is a larger",
    "it is",
    "yes. no. yes. no. yes.",
)
"""The fixed texts, each with a slot at its end."""
LISTED = 10
"""The likeliest tokens of a fixed text that are kept."""
Fixed = list[dict[str, Any]]
"""The answers to the fixed texts: `token_ids` and natural-log probabilities, `logprobs`, of each."""


class CheckResult(NamedTuple):
    """What a check has found: how many answers it has compared, how far they are off, and what is wrong, if anything is."""

    asked: int
    largest: float
    wrong: str


@dataclass(frozen=True)
class Check:
    """How the answers of a job are checked, if they must be.

    `comparison`: how they are compared. `fixed`: asks the fixed texts; None where the model takes no texts with slots.
    `drawn`: the answers are drawn at random, so that a stored one says nothing of the next one.
    """

    comparison: Comparison = field(default_factory=Comparison)
    fixed: Callable[[], Fixed] | None = None
    drawn: bool = False

    def run(
        self,
        store: Store,
        questions: Callable[[], Iterable[tuple[bytes, Any]]],
        answer: Callable[[Iterable[Any]], Iterable[Any]],
        table: Callable[[Sequence[Any]], pa.Table],
    ) -> CheckResult:
        """Ask again a sample of the stored `questions` (digest and request) and the fixed texts, and compare the answers.

        `questions` makes those of the job anew at each call.
        """
        differences = list(self._text_differences(store.fixed))
        if not self.drawn:
            sample = witness_sample(store, questions)
            requests = [request for _, request in sample]
            pairs = zip(sample, requests, answer(requests), strict=True) if sample else ()
            for (digest, _), request, response in pairs:
                location = store.find(digest)
                stored = [] if location is None else store.read(*location).to_pylist()
                difference = self.comparison.difference(stored, table([response]).to_pylist())
                differences.append((difference, f"{request!r:.200}"))
        return _result([entry for entry in differences if not math.isnan(entry[0].excess)], self.comparison)

    def _text_differences(self, stored: Fixed | None) -> Iterator[tuple[Difference, str]]:
        if self.fixed is not None and stored is not None:
            for text, stored_answer, new_answer in zip(TEXTS, stored, self.fixed(), strict=True):
                yield self.comparison.difference([stored_answer], [new_answer]), repr(text)


def _result(differences: Sequence[tuple[Difference, str]], comparison: Comparison) -> CheckResult:
    """Return the result of a check from differences, each with what was asked."""
    if not differences:
        return CheckResult(0, 0.0, "none of them can be asked again")
    worst, what = max(differences, key=lambda entry: entry[0].excess)
    mean = sum(difference.excess for difference, _ in differences) / len(differences)
    limit = 1.0 if comparison.rounding is None else WORST
    wrong = f"of {what}, {worst.words}" if worst.excess > limit or mean > 1.0 else ""
    return CheckResult(len(differences), worst.excess, wrong)


def witness_sample(store: Store, questions: Callable[[], Iterable[tuple[bytes, Any]]]) -> list[tuple[bytes, Any]]:
    """Return the stored questions that are asked again, each with its digest.

    They are drawn apart from each kind of request, and evenly along the number of values of an answer and the length of a
    question, with the shortest and the longest. What is drawn follows from what has changed, so that each change is looked
    at in other answers.
    """
    kinds: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for number, (digest, request) in enumerate(questions()):
        location = store.find(digest)
        if location is not None:
            kinds[type(request).__name__].append((store.size(*location), len(repr(request)), number))
    draw = random.Random(store.guard_name)  # noqa: S311
    wanted = {number for kind in kinds.values() for number in _spread_sample(sorted(kind), draw)}
    return [pair for number, pair in enumerate(questions()) if number in wanted]


def _spread_sample(ordered: Sequence[tuple[int, int, int]], draw: random.Random) -> Iterator[int]:
    """Yield the numbers of a sample of sorted questions: the first, the last, and one of each part of equal size."""
    count = min(len(ordered), max(LEAST, math.ceil(SHARE * len(ordered))))
    bounds = [part * len(ordered) // count for part in range(count + 1)]
    yield from (ordered[0][2], ordered[-1][2])
    yield from (ordered[draw.randrange(*part)][2] for part in itertools.pairwise(bounds))


def fixed_answers(model: LanguageModel) -> Fixed:
    """Ask a model the fixed texts; one that it cannot take, such as one that is too long for it, has no answer."""
    return [_answer(model, text) for text in TEXTS]


def _answer(model: LanguageModel, text: str) -> dict[str, Any]:
    try:
        query = model.encoder.slot(text, f"{text} {SLOT}")
    except ProbeError:
        return {}
    best = model.log_probs(model.states([query]))[0].topk(LISTED)
    return {"token_ids": best.indices.tolist(), "logprobs": best.values.tolist()}
