"""The finding of a study in one sentence: the best model, its best control, and what the data say of their difference."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.claim import Claim
from relprobe.report.words.summary import (
    ALPHA,
    SHOWN,
    UNADJUSTED,
    P,
    adjustment,
    are_same,
    best_control,
    by_p,
    can_hold,
    common_means,
    common_units,
    control_rows,
    difference_of,
    found_size,
    in_words,
    means_of,
    nobody,
    rows_of_best,
    subject,
    value_range,
)
from relprobe.stats.schemas import SAME


def finding(
    averages: pl.DataFrame,
    claim: Claim,
    models: Collection[str],
    controls: pl.DataFrame,
    people: str = "",
    pooled: pl.DataFrame | None = None,
) -> str:
    """Return what a study found, in one sentence with its uncertainty and its control.

    `averages`, `models`, `controls`, `people`, `pooled`: as for `summary.sentences_on`.

    >>> row = {"agent": "m", "metric": "right", "condition": "noun", "value": 0.4}
    >>> beside = {"control": "frequency", "control_value": 0.1, "difference": 0.3, "low": 0.2, "high": 0.4}
    >>> beside |= {"p_holm_all": 0.01}
    >>> claim = Claim("right", ("noun",), "is right in", "cases")
    >>> print(finding(pl.DataFrame([row]), claim, ["m"], pl.DataFrame([{**row, **beside, "note": None}])))
    m is right in 40 of 100 cases, and its best control, frequency, in 10; the difference is +0.30 (95 % interval 0.20 to \
0.40), p < 0.05 after Holm's adjustment over all comparisons; intervals are not adjusted.
    """
    shown = averages.filter(pl.col("metric") == claim.metric, pl.col(claim.column).is_in(list(claim.conditions)))
    means = means_of(shown, claim.column, models)
    ranked = sorted((agent for agent in means if agent in models), key=lambda agent: -means[agent])
    if not ranked:
        return nobody(shown, claim, models)
    best, others = ranked[0], len(ranked) - 1
    primary, each = (rows_of_best(rows, claim, len(ranked)) for rows in control_rows(controls, pooled, claim, best))
    over = primary or each
    name = f"{best}, the best of {others + 1} models and ways to ask them," if others else best
    value = f"{in_words(claim, means[best])}{value_range(shown, best, claim)}"
    said = f"{subject(name, over)} {claim.verb} {value}{best_control(over, claim)}"
    said += common_units(over, best, means[best], claim)
    some = None if people in means else common_means(shown, claim, people, best)
    if people in means:
        said += f" (people: {in_words(claim, means[people], short=True)})"
    elif some is not None:
        said += f" (people: {some.said(claim)})"
    return f"{said}; {_difference(over, claim)}."


def _difference(rows: Sequence[Mapping[str, Any]], claim: Claim) -> str:
    """Return in words what the data say of the difference from the best control."""
    if not rows:
        return "this run has no control to compare it with"
    if all(map(are_same, rows)):
        return f"the two have {SAME}"
    tested = [row for row in rows if row[P] is not None]
    if not tested:
        return f"the data are too few to test its difference from the control{_named(rows, claim)}"
    clear = [row for row in tested if row[P] < ALPHA]
    if not clear:
        few = "" if any(map(can_hold, tested)) else ", as too little differs for any p below 0.05"
        by = by_p("≥", adjustment(rows, claim))
        return f"the data leave open which of the two is better{few}{_named(rows, claim, by)}{found_size(tested)}"
    if len(rows) == 1:
        (row,) = rows
        way = "" if row["difference"] > 0 else "it is behind the control: "
        if row.get("pooled"):
            way += f"over all {claim.each} together "
        return f"{way}the difference is {difference_of(row)}, {by_p('<', adjustment(rows, claim))}; {UNADJUSTED}"
    above, below = ([row for row in clear if (row["difference"] > 0) is up] for up in (True, False))
    parts = [
        f"it is {way} the control in {len(part)} of {len(rows)} {claim.each}{_named(part, claim)}"
        for way, part in (("above", above), ("below", below))
        if part
    ]
    others = [row for row in rows if row not in clear]
    same = f", and in the others they have {SAME}"
    rest = same if all(map(are_same, others)) else ", and the data leave the others open"
    return f"{' and '.join(parts)}{rest if others else ''} ({by_p('<', adjustment(rows, claim))}; {UNADJUSTED})"


def _named(rows: Sequence[Mapping[str, Any]], claim: Claim, by: str = "") -> str:
    """Return in words the largest differences in brackets, each with its condition and interval.

    `by`: the adjusted p that the sentence goes by, if it does. Then it says that its intervals, if any, are not adjusted.
    """
    known = [row for row in rows if row["difference"] is not None]
    largest = sorted(known, key=lambda row: -abs(row["difference"]))[:SHOWN]
    several = len(claim.conditions) > 1
    listed = [f"{row[claim.column] + ' ' if several else ''}{difference_of(row)}" for row in largest]
    said = [*(one.replace(" (", ", ").replace(")", "") for one in listed), *([by] if by else [])]
    if by and any(row["low"] is not None for row in largest):
        said.append(UNADJUSTED)
    return f" ({'; '.join(said)})" if said else ""
