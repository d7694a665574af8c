"""The sentences on whether models use the relation that they are asked for, for the target that they are asked about."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.report.words.readable import in_digits, interval_in_words, minus
from relprobe.report.words.summary import ALPHA, UNADJUSTED, found_size
from relprobe.studies.relations.compare.distinguishability.use_table import ONE_PROMPT, PLAIN, THIS_TARGET

ADJUSTED = f"p < {ALPHA} after Holm's adjustment; {UNADJUSTED}"
NEAR = "near words of the kind that the relation asks for may have as much, without the pair"
Row = Mapping[str, Any]


def relation_used(table: pl.DataFrame, models: Collection[str]) -> str:
    """Say which models use the relation that they are asked for, for this target.

    A model does so if its contrast for this target is above 0, and above that of its best control: both p are below 0.05
    after Holm's adjustment. A model whose contrast is above 0 alone may know what relata of the relation look like, and
    which words are near to the target, and nothing of the pair. The plain contrast stands behind, with its best control.
    """
    rows = table.filter(pl.col("relation").is_null(), pl.col("agent").is_in(list(models)))
    tested = _ranked(rows, THIS_TARGET)
    if not tested:
        few = "Too few targets are asked for several relations to say whether a model uses the relation for its target."
        return few if rows.height else ""
    used = [row for row in tested if _uses(row)]
    near, unused = ([row for row in tested if _above(row) is up and row not in used] for up in (True, False))
    said = [_best(used, typical="typical" in set(table["agent"])), _not_beyond(near)]
    if unused:
        names = _names([str(row["agent"]) for row in unused])
        size = found_size([row for row in unused if row["p_holm"] >= ALPHA], "p_holm")
        none = f"show of no model ({names}) that it uses the relation for its target"
        some = f"do not show that {names} {'uses' if len(unused) == 1 else 'use'} the relation for the target"
        said.append(f"The data {none if len(unused) == len(tested) else some}{size}.")
    plain = {row["agent"]: row for row in rows.filter(measure=PLAIN).drop_nulls("contrast").to_dicts()}
    best = (used or tested)[0]["agent"]
    return " ".join([*filter(None, said), *([_plain(plain[best])] if best in plain else [])])


def _ranked(rows: pl.DataFrame, measure: str) -> list[dict[str, Any]]:
    """Return the tested rows of a measure, the highest contrast first."""
    tested = rows.filter(measure=measure).drop_nulls("p_holm")
    return tested.sort("contrast", descending=True, maintain_order=True).to_dicts()


def _above(row: Row) -> bool:
    """Say whether a contrast is above 0."""
    return bool(row["p_holm"] < ALPHA and row["contrast"] > 0)


def _uses(row: Row) -> bool:
    """Say whether a contrast is above 0 and above that of its best control, if there is one."""
    if row["control"] is None:
        return _above(row)
    beyond = row["beyond_p_holm"]
    return _above(row) and beyond is not None and beyond < ALPHA and row["beyond"] > 0


def _best(used: Sequence[Row], *, typical: bool) -> str:
    """Say that the first of some models uses the relation, with its numbers, and name the others. "" without a model.

    `typical`: the run has this control. Without it, near words of the right kind may do as well, and nothing says "uses".
    """
    if not used:
        return ""
    row, others = used[0], [str(one["agent"]) for one in used[1:]]
    verb = "uses the relation that it is asked for" if typical else "answers by the relation and the target together"
    control = "this run has no control to compare it with"
    if row["control"] is not None:
        control = f"{_beyond(row)} over its best control, {row['control']}"
    said = (
        f"{row['agent']} {verb}: relata of a relation come earlier when it is asked for than when another one is, and more "
        f"so than in its answers about other targets (contrast for this target {_number(row)}, {row['targets']} targets, "
        f"which count as {row['effective_n']:.1f} independent ones; {control}; {ADJUSTED})."
    )
    more = f" So {'does' if len(others) == 1 else 'do'} {_names(others)}." if others else ""
    lone = "" if typical else f" The control typical is missing: {NEAR}."
    single = f" But {ONE_PROMPT}." if any(row["note"] == ONE_PROMPT for row in used) else ""
    return f"{said}{more}{single}{lone}"


def _not_beyond(rows: Sequence[Row]) -> str:
    """Say that some contrasts are above 0 and not shown to be above that of their best control. "" without a model."""
    if not rows:
        return ""
    size = found_size([{"detectable": row["beyond_detectable"]} for row in rows], "p_holm")
    listed = [
        f"{row['agent']} ({in_digits(row['contrast'], 2)}; {row['control']}: {in_digits(row['control_contrast'], 2)})"
        for row in rows
    ]
    of = "its best control" if len(rows) == 1 else "their best controls"
    return (
        f"For {_names(listed)} the contrast for this target is above 0, but the data do not show that it is above that of "
        f"{of}: {NEAR}{size}."
    )


def _plain(row: Row) -> str:
    """Say the plain contrast of a model, and that of its best control."""
    control = row["control"]
    beside = f" and {in_digits(row['control_contrast'], 2)} for its best control, {control}" if control else ""
    return (
        f"The plain contrast, which common relata have whatever the target is, is {_number(row)}, for {row['agent']}"
        f"{beside}."
    )


def _number(row: Row) -> str:
    """Say a contrast with its interval: "0.30, 95 % interval 0.20 to 0.40"."""
    bounds = "" if row["low"] is None else f", {interval_in_words(row['low'], row['high'])}"
    return f"{in_digits(row['contrast'], 2)}{bounds}"


def _beyond(row: Row) -> str:
    """Say what a contrast has beyond that of the best control: "+0.10, 95 % interval 0.05 to 0.15,"."""
    bounds = "" if row["beyond_low"] is None else f", {interval_in_words(row['beyond_low'], row['beyond_high'])},"
    return minus(f"{row['beyond']:+.2f}{bounds}")


def _names(agents: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(agents[:-1]), agents[-1]]))
