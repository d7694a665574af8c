"""The headline of a study's page: three sentences at most, a small table with verdicts, a warning, and further findings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.words import amount
from relprobe.report.words.readable import in_digits, interval_in_words
from relprobe.report.words.summary import ALPHA, FOUND, P, adjusted_interval, are_same, can_hold, control_rows, means_of
from relprobe.stats.notes import note_on_p
from relprobe.stats.schemas import SAME

SENTENCES = 3
"""The sentences of a headline, at most."""
ROWS = 12
"""The rows of its table: as many agents stand in it as have no more together, and the best one always does."""
VERDICTS = pl.Schema(
    {
        "agent": pl.String(),
        "condition": pl.String(),  # of which claim, and under which condition
        "value": pl.Float64(),
        "best control": pl.String(),
        "its value": pl.Float64(),
        "difference": pl.Float64(),
        "95 % interval": pl.String(),
        "verdict": pl.String(),  # in words
        "kind": pl.String(),  # a Verdict, which the page does not show
    }
)
ALONE = "no control to compare with"


class Verdict(StrEnum):
    """What a test of an agent and its best control shows."""

    AHEAD = "ahead"
    BEHIND = "behind"
    SAME = "same"  # both have equal values in all units
    NEAR = "near"  # they are no more than a margin apart
    OPEN = "open"  # the data do not show any of these
    UNTESTED = "untested"
    ALONE = "alone"  # there is no control

    @property
    def holds(self) -> bool:
        """Whether it is a difference that holds."""
        return self in (Verdict.AHEAD, Verdict.BEHIND)


@dataclass(frozen=True)
class Headline:
    """What the page of a study says first.

    `sentences`: at most three; `statistics`: the numbers of the tests behind them, and `row`: the
    first of these tests. `verdicts`: the small table (VERDICTS).
    `warning`: what is to be checked, in a box below the finding. `more`: further findings, which the page folds away.
    """

    sentences: tuple[str, ...]
    verdicts: pl.DataFrame | None = None
    warning: str = ""
    more: tuple[str, ...] = ()
    statistics: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)

    @property
    def none_holds(self) -> str:
        """What is said if no verdict of several is a difference that holds; "" otherwise."""
        verdicts = [] if self.verdicts is None else [Verdict(kind) for kind in self.verdicts["kind"]]
        if len(verdicts) < 2 or set(verdicts) == {Verdict.ALONE} or any(verdict.holds for verdict in verdicts):
            return ""
        return f"None of {amount(len(verdicts), 'comparison')} holds."

    @property
    def text(self) -> str:
        """All that it says in sentences, in the order of the page."""
        return " ".join([*self.sentences, *filter(None, [self.warning]), *self.more])


def headline(
    sentences: Iterable[str], more: Iterable[str] = (), verdicts: pl.DataFrame | None = None, warning: str = ""
) -> Headline:
    """Return a headline of the first sentences, each once; those beyond SENTENCES are folded away before `more`.

    >>> headline(["One.", "", "Two.", "One.", "Three.", "Four."], ["Five."], warning="Look.").text
    'One. Two. Three. Look. Four. Five.'
    """
    first = list(dict.fromkeys(filter(None, sentences)))
    further = list(dict.fromkeys([*first[SENTENCES:], *filter(None, more)]))
    rows = None if verdicts is None or verdicts.is_empty() else verdicts
    return Headline(
        tuple(first[:SENTENCES]),
        rows,
        warning,
        tuple(sentence for sentence in further if sentence not in first[:SENTENCES]),
    )


def verdicts_of(
    claims: Sequence[tuple[Claim, pl.DataFrame]],
    controls: pl.DataFrame,
    agents: Collection[str],
    people: str = "",
    pooled: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the small table (VERDICTS) of some claims, the best agent of each first.

    `claims`: each with its averages, as `sentences_on` takes them; `controls`: CONTROLS. `agents`: the models; `people`: the
    agent that stands for people. `pooled`: as for `sentences_on`; the rows of the primary test come first, one of each
    agent, and the others are secondary. A verdict goes by the p of the agent's own claims: no other agent changes it.
    """
    rows: list[dict[str, Any]] = []
    several = len({claim.metric for claim, _ in claims}) > 1
    for claim, averages in claims:
        shown = averages.filter(pl.col("metric") == claim.metric, pl.col(claim.column).is_in(list(claim.conditions)))
        named = [*agents, people]
        means = means_of(shown.filter(pl.col("agent").is_in(named)), claim.column, named)
        order = sorted(means, key=lambda agent: -means[agent])
        tested = {agent: control_rows(controls, pooled, claim, agent) for agent in order}
        first = [verdict_row(row, row[claim.column]) for primary, _ in tested.values() for row in primary[:1]]
        listed = [agent for agent in order if not tested[agent][0] or len(tested[agent][1]) > 1]
        parts = [_agent_rows(agent, claim, shown, tested[agent][1], several=several) for agent in listed]
        rows += [*first[:ROWS], *_first(parts, max(ROWS // len(claims) - len(first), 0))]
    return pl.DataFrame(rows, schema=VERDICTS)


def _agent_rows(
    agent: str, claim: Claim, shown: pl.DataFrame, tested: Sequence[Mapping[str, Any]], *, several: bool
) -> list[dict[str, Any]]:
    """Return the rows of an agent: those of the tests with its best controls or, without any, its values.

    `several`: several metrics are claimed, so that the condition of a row begins with its metric.
    """
    prefix = f"{claim.metric}, " if several else ""
    if tested:
        return [verdict_row(row, f"{prefix}{row[claim.column]}") for row in tested]
    values = shown.filter(agent=agent).drop_nulls("value")
    alone = {"agent": agent, "verdict": ALONE, "kind": Verdict.ALONE}
    return [
        {**alone, "condition": f"{prefix}{row[claim.column]}", "value": row["value"]}
        for row in values.iter_rows(named=True)
    ]


def _first(parts: Sequence[list[dict[str, Any]]], most: int) -> list[dict[str, Any]]:
    """Return the rows of the first agents: as many as have no more than `most` together, and of one always.

    >>> [row["n"] for row in _first([[{"n": 1}, {"n": 2}], [{"n": 3}], [{"n": 4}]], 3)]
    [1, 2, 3]
    """
    rows: list[dict[str, Any]] = []
    for part in parts:
        if rows and len(rows) + len(part) > most:
            break
        rows += part
    return rows


def verdict_row(row: Mapping[str, Any], condition: str) -> dict[str, Any]:
    """Return a test of an agent and its best control as a row of VERDICTS.

    `row`: agent, value, control, control_value, difference, low, high, note and the adjusted p (P).
    """
    interval = adjusted_interval(row)
    return {
        "agent": row["agent"],
        "condition": condition,
        "value": row.get("value"),
        "best control": row["control"],
        "its value": row.get("control_value"),
        "difference": row["difference"],
        "95 % interval": None if interval is None else interval_in_words(*interval).removeprefix("95 % interval "),
        "verdict": verdict_in_words(row),
        "kind": verdict_of(row),
    }


def verdict_of(row: Mapping[str, Any]) -> Verdict:
    """Return what a test shows by its adjusted p or, where it shows nothing, whether the two are known to be near.

    Two agents are near if two one-sided tests at the margin of the configuration say so (`families.equivalence_p`).

    >>> verdict_of({"difference": -0.2, "p_holm_all": 0.01}), verdict_of({"difference": -0.2, "p_holm_all": None})
    (<Verdict.BEHIND: 'behind'>, <Verdict.UNTESTED: 'untested'>)
    """
    if are_same(row):
        return Verdict.SAME
    if row[P] is None:
        return Verdict.UNTESTED
    if row[P] < ALPHA:
        return Verdict.AHEAD if row["difference"] > 0 else Verdict.BEHIND
    return Verdict.NEAR if row.get("p_equal") is not None and row["p_equal"] < ALPHA else Verdict.OPEN


def verdict_in_words(row: Mapping[str, Any]) -> str:
    """Return in words what a test shows (`verdict_of`), and of an open one which difference it would find in most studies.

    >>> test = {"difference": 0.2, "p_holm_all": 0.01, "note": None, "detectable_all": 0.15, "p_equal": 0.3, "margin": 0.05}
    >>> verdict_in_words(test), verdict_in_words({**test, "difference": -0.2})
    ('ahead', 'behind')
    >>> verdict_in_words({**test, "p_holm_all": 0.2}), verdict_in_words({**test, "p_holm_all": 0.2, "p_equal": 0.01})
    ('open: such a test finds 0.15', 'no more than 0.05 apart')
    >>> verdict_in_words({**test, "p_holm_all": None, "note": "5 independent targets"})
    'not tested: 5 independent targets'
    """
    verdict = verdict_of(row)
    if verdict is Verdict.SAME:
        return SAME.partition(",")[0]
    if verdict is Verdict.UNTESTED:
        reason = note_on_p(row.get("note"))
        return f"not tested: {reason}" if reason else "not tested"
    if verdict is Verdict.NEAR:
        return f"no more than {in_digits(row['margin'], 2)} apart"
    if verdict is not Verdict.OPEN:
        return verdict.value
    if not can_hold(row):
        return f"open: too little differs for any p below {ALPHA}"
    size = row.get(FOUND)
    return "open" if size is None else f"open: such a test finds {in_digits(size, 2)}"
