"""The finding of a study: who is best and by how much, whether that is more than the control, and what is open.

Cards, the terminal, README, manuscripts and the page of a study say it in these words, which follow from the declared claim
(core/claim.py), its tests and their adjusted p. The numbers of the tests stand in a line of their own.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from relprobe.core.claim import Claim
from relprobe.core.words import amount_of, enumeration, first_few
from relprobe.report.words.readable import in_digits, p_in_words
from relprobe.report.words.summary import (
    ALPHA,
    SHOWN,
    P,
    adjusted_difference,
    adjustment,
    are_same,
    can_hold,
    common_means,
    control_rows,
    in_words,
    means_of,
    nobody,
    pair_tests,
    rows_of_best,
    tests_together,
)
from relprobe.stats.families import POWER

WORDS = 60
"""The words of a finding, at most."""
MARGIN = 0.05
"""A smaller difference than this is not looked for, if a table says no other margin."""
MANY = 50
"""More times as many units than these are nobody's plan."""
NAMED = 2
"""Models with equal values, or controls with larger ones, that are named; more are counted."""
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


@dataclass(frozen=True)
class Finding:
    """What a study found, in three sentences at most, and the numbers of the tests behind them."""

    sentences: tuple[str, ...]
    statistics: str = ""
    agent: str = ""  # the best model
    it: str = "it"  # what the later sentences call it: by its name where several are the best
    row: Mapping[str, Any] = field(default_factory=dict)  # the row of the test that the statistics say first

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)


def finding(
    averages: pl.DataFrame,
    claim: Claim,
    models: Collection[str],
    controls: pl.DataFrame,
    people: str = "",
    pooled: pl.DataFrame | None = None,
    tests: pl.DataFrame | None = None,
) -> Finding:
    """Return what a study found by a claim.

    `averages`, `models`, `controls`, `people`, `pooled`, `tests`: as for `summary.sentences_on`.

    >>> row = {"agent": "m", "metric": "right", "condition": "noun", "value": 0.4}
    >>> beside = {"control": "frequency", "control_value": 0.1, "difference": 0.3, "low": 0.2, "high": 0.4}
    >>> beside |= {"p": 0.01, "p_holm_all": 0.01, "error": 0.05, "freedom": 90.0, "note": None}
    >>> claim = Claim("right", ("noun",), "is right in", "cases")
    >>> said = finding(pl.DataFrame([row]), claim, ["m"], pl.DataFrame([{**row, **beside}]))
    >>> print(said.text)
    m is right in 40 of 100 cases. It has more than its best control, frequency (10).
    >>> print(said.statistics)
    Difference +0.30 (95 % interval 0.20 to 0.40), p = 0.01 after Holm's adjustment over all comparisons; sign flips over \
clusters.
    """
    shown = averages.filter(pl.col("metric") == claim.metric, pl.col(claim.column).is_in(list(claim.conditions)))
    means = means_of(shown, claim.column, models)
    ranked = sorted((agent for agent in means if agent in models), key=lambda agent: -means[agent])
    if not ranked:
        return Finding((nobody(shown, claim, models),))
    best, tied = ranked[0], _tied(ranked, means, claim)
    it = best if len(tied) > 1 else "it"
    rows = [rows_of_best(some, claim, len(ranked)) for some in control_rows(controls, pooled, claim, best)]
    over = rows[0] or rows[1]
    first = _who_is_best(ranked, means, claim)
    some = None if people in means else common_means(shown, claim, people, best)
    if people in means:
        first += f"; {_people(people)}{_verb(claim, people)} {in_words(claim, means[people], short=True)}"
    elif some is not None:
        theirs, own_value = (in_words(claim, mean, short=True) for mean in (some.people, some.value))
        asked = f"{_people(people)}{_verb(claim, people)} {theirs} where they were asked"
        first += f"; {asked}, and {it}{_verb(claim)} {own_value}"
    beyond = control_verdict(means[best], over, claim, it)
    third = _what_is_open(over, claim) or _second_verdict(ranked, claim, tests, it, above_control=_all_above(over))
    row = next(iter(_largest(over)), {})
    return Finding(tuple(filter(None, (f"{first}.", beyond, third))), _statistics(over, claim), best, it, row)


def control_verdict(mean: float, over: Sequence[Mapping[str, Any]], claim: Claim, it: str = "it") -> str:
    """Return in words whether a model has more than its best control.

    `mean`: the value that was said of the model, and `it`: what it is called; `over`: its rows of CONTROLS.

    >>> row = {"control": "static", "control_value": 0.9, "value": 0.7, "difference": -0.2, "p_holm_all": 0.3}
    >>> control_verdict(0.6, [row], Claim("right", unit="cases"))
    'Where both have an answer, it has 70 and its best control, static, 90; which of the two is better is open.'
    """
    if not over:
        return f"This run has no control to compare {it} with."
    if len(over) > 1:
        return _in_conditions(over, claim, it)
    (row,) = over
    own_value, had = (
        "" if row.get(name) is None else in_words(claim, row[name], short=True) for name in ("value", "control_value")
    )
    in_common = bool(had and own_value) and own_value != in_words(claim, mean, short=True)
    return _verdict(row, claim, it, had, own_value if in_common else "")


def _who_is_best(ranked: Sequence[str], means: Mapping[str, float], claim: Claim) -> str:
    """Return in words which model is best, its value, and that of the next one."""
    best, *next_models = ranked
    value = f"{claim.verb} {in_words(claim, means[best])}{_guessing(claim)}"
    if not next_models:
        return f"{best} {value}"
    if len(tied := _tied(ranked, means, claim)) > 1:
        listed = enumeration(tied) if len(tied) <= NAMED else f"{best} and {len(tied) - 1} others"
        if len(tied) == len(ranked):
            return (
                f"{listed if len(tied) <= NAMED else f'All {len(tied)} {claim.agents}'} do equally well: each {value}"
            )
        return f"{listed} are the best of {len(ranked)} {claim.agents}: each {value}"
    second = f"{next_models[0]}{_verb(claim)} {in_words(claim, means[next_models[0]], short=True)}"
    return f"{best} is the best of {len(ranked)} {claim.agents}: it {value}, and {second}"


def _guessing(claim: Claim) -> str:
    """Return in words what guessing gives, if a claim knows it.

    >>> _guessing(Claim("right", unit="cases", chance=0.5))
    ' (guessing: 50)'
    """
    return "" if claim.chance is None else f" (guessing: {in_words(claim, claim.chance, short=True)})"


def _tied(ranked: Sequence[str], means: Mapping[str, float], claim: Claim) -> list[str]:
    """Return the models whose values are written as that of the best one, this one first."""
    written = in_words(claim, means[ranked[0]])
    return [agent for agent in ranked if in_words(claim, means[agent]) == written]


def _verb(claim: Claim, agent: str = "") -> str:
    """Return the word before a further value of an agent: "in" of "is right in"; people have one, and one person has."""
    has = " have" if agent and _people(agent) == "people" else " has"
    return f" {claim.verb.split()[-1]}" if claim.unit else has


def _people(people: str) -> str:
    return "one person" if people == "annotator" else "people"


def _verdict(row: Mapping[str, Any], claim: Claim, it: str, had: str, own_value: str) -> str:
    """Return in words what the test of a model and its best control shows.

    `it`: what the model is called; `had`: the value of the control; `own_value`: that of the model where both have an
    answer, if it has another one elsewhere.
    """
    name = f"{'its best control' if it == 'it' else f'the best control of {it}'}, {row['control']}"
    beginning, has = _begin(it), f"{it} has {own_value}"
    value = f": where both have an answer, {has} and the control {had}." if own_value else f" ({had})." if had else "."
    if are_same(row):
        return f"{_begin(name)}, has the same answers{value}"
    if row[P] is None:
        return f"The data are too few to compare {it} with {name}{value}"
    if row[P] < ALPHA:
        is_more = row["difference"] > 0
        return f"{beginning} has more than {name}{value}" if is_more else f"{_begin(name)}, has more{value}"
    if row.get("p_equal") is not None and row["p_equal"] < ALPHA:
        return f"{beginning} is no more than {_apart(row['margin'], claim)} away from {name}{value}"
    if own_value:
        return f"Where both have an answer, {has} and {name}, {had}; which of the two is better is open."
    return f"{_begin(name)}, has {had or 'an answer, too'}; which of the two is better is open."


def _apart(margin: float, claim: Claim) -> str:
    """Return in words the margin of two values, in the unit of the values.

    >>> _apart(0.05, Claim("right", unit="probes")), _apart(0.05, Claim("rho"))
    ('5 of 100', '0.05')
    """
    return f"{100 * margin:.3g} of 100" if claim.unit else in_digits(margin, 2)


def _begin(words: str) -> str:
    """Return words as they begin a sentence; the name of a model stays as it is.

    >>> _begin("its best control"), _begin("gpt2")
    ('Its best control', 'gpt2')
    """
    return f"{words[0].upper()}{words[1:]}" if words.split(maxsplit=1)[0] in ("it", "its", "the") else words


def _in_conditions(rows: Sequence[Mapping[str, Any]], claim: Claim, it: str) -> str:
    """Return in words in how many conditions a model has more than its best control, and in how many less."""
    clear = [row for row in rows if row[P] is not None and row[P] < ALPHA and not are_same(row)]
    above = sum(row["difference"] > 0 for row in clear)
    behind = [row for row in clear if row["difference"] < 0]
    open_rows = [row for row in rows if row not in clear]
    larger = [row for row in open_rows if (row["difference"] or 0) < 0]
    more = f"{_controls(larger)} {'have' if len(_named(larger)) > 1 else 'has'} more in {len(larger)}" if larger else ""
    if not clear:
        none = f"In none of {amount_of(len(rows), claim.each)} is a difference from its best control certain"
        return f"{none}{f'; {more}' if more else ''}."
    parts = [f"ahead of its best control in {above}"] if above else []
    if behind:
        parts.append(f"behind {'it' if above else 'its best control'} ({_controls(behind)}) in {len(behind)}")
    open_words = "" if not open_rows else "; the other is open" if len(open_rows) == 1 else "; the others are open"
    more_words = f", and {more} of them" if more else ""
    return f"Of {amount_of(len(rows), claim.each)} {it} is {enumeration(parts)}{open_words}{more_words}."


def _named(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["control"] for row in rows))


def _controls(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return in words the best controls of some conditions."""
    return first_few(_named(rows), NAMED)


def _all_above(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a model has more than its best control by the test of each condition."""
    return bool(rows) and all(row[P] is not None and row[P] < ALPHA and row["difference"] > 0 for row in rows)


def _what_is_open(rows: Sequence[Mapping[str, Any]], claim: Claim, prefix: str = "") -> str:
    """Return in words how many more units would settle what tests leave open; "" without such tests."""
    tested = [row for row in rows if row[P] is not None and not are_same(row)]
    if not tested or any(row[P] < ALPHA for row in tested):
        return ""
    if not any(map(can_hold, tested)):
        return f"{prefix or 'It stays open'}: too little differs for any test."
    numbers = [number for row in tested if (number := times_as_many(row)) is not None]
    if not numbers:
        return f"{prefix}." if prefix else ""
    number = min(numbers)
    factor = f"more than {MANY} times" if number > MANY else TIMES.get(number, f"{number} times")
    settled = f"about {factor} as many {claim.sample} would settle it.".replace("about more", "more")
    return f"{prefix}: {settled}" if prefix else f"{settled[:1].upper()}{settled[1:]}"


def times_as_many(row: Mapping[str, Any]) -> int | None:
    """Return how many times as many units a test would need to find a difference in 80 of 100 studies, 2 or more.

    The difference is that of the row or, if that is smaller, the margin. Errors shrink with the square root of the number of
    units: 2.8 errors are found so often (`families.detectable`), so that 0.1 with an error of 0.1 takes 7.84 times as many.

    >>> times_as_many({"difference": 0.1, "error": 0.1, "freedom": 1e6, "p": 0.3, "p_holm_all": 0.3})
    8
    """
    from scipy.stats import t

    if not row.get("error") or not row.get("freedom") or row.get("difference") is None:
        return None
    least = max(abs(row["difference"]), row.get("margin") or MARGIN)
    errors = float(t.ppf([1 - ALPHA / (2 * tests_together(row)), POWER], row["freedom"]).sum())
    return max(2, math.ceil((errors * row["error"] / least) ** 2))


def _second_verdict(
    ranked: Sequence[str], claim: Claim, tests: pl.DataFrame | None, it: str, *, above_control: bool
) -> str:
    """Return in words whether the best model is better than the next one; "" without a test of the two.

    `it`: what the best one is called; `above_control`: the sentence before says that it is ahead of its best control.
    """
    if tests is None or len(ranked) < 2:
        return ""
    best, second = ranked[:2]
    rows = rows_of_best(pair_tests(tests, claim, best, second), claim, len(ranked), two_best=True)
    clear = [row for row in rows if row[P] is not None and row[P] < ALPHA and not are_same(row)]
    if not clear:
        return _what_is_open(rows, claim, f"Whether {it} is better than {second} is open")
    above = sum(row["difference"] > 0 for row in clear)
    if len(rows) == 1:
        also = ", too" if above and above_control else ""
        return f"{_begin(it)} is {'ahead of' if above else 'behind'} {second}{also}."
    number = f"{above} of {len(rows)}"
    if above == len(rows):
        number = "both" if above == 2 else f"all {above}"
    where = f"ahead of {second} in {number} {claim.each}" if above else ""
    below = f"behind {second if not above else 'it'} in {len(clear) - above}" if len(clear) > above else ""
    return f"{_begin(it)} is {enumeration(filter(None, (where, below)))}."


def _largest(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows with the largest differences that were tested."""
    tested = [row for row in rows if row["difference"] is not None and row[P] is not None and not are_same(row)]
    return sorted(tested, key=lambda row: -abs(row["difference"]))[:SHOWN]


def _statistics(rows: Sequence[Mapping[str, Any]], claim: Claim) -> str:
    """Return in words the largest differences from the best control with their adjusted intervals and p, in one line."""
    if not (largest := _largest(rows)):
        return ""
    parts = []
    for row in largest:
        where = f"{row[claim.column]}: " if row.get("pooled") or len(claim.conditions) > 1 else ""
        parts.append(f"{where}difference {adjusted_difference(row)}, {p_in_words(row[P])}")
    over = adjustment(rows, claim)
    text = f"{'; '.join(parts)}{f' {over}' if over else ''}; {claim.test}."
    return text[:1].upper() + text[1:]
