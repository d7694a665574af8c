"""Which columns of a wide table a page shows at first, and which on request."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

import polars as pl

FIRST_COLUMNS = 8
"""The columns that a page shows at first, if no more are keys and answers."""
MOST_COLUMNS = 10
"""The columns that a page shows at first at most, however many are keys and answers."""
KEYS = ("k", "layer", "place")
"""The columns of numbers that say what a row is about. Columns of words do so, too, if their words differ."""
ANSWER_COLUMNS = (
    *("value", "ours", "difference", "effect", "slope", "half_at", "rho", "contrast", "verdict"),
    *("low", "high", "p_holm", "p_max_t"),
)
"""The columns that a table is read for, each with its interval and its adjusted p."""
LATER = (
    *("note", "paper_note", "label", "family", "examples", "p", "p_bh", "cluster_p*", "paper_*", "discordant*"),
    *(
        "family_*",
        "error",
        "freedom",
        "gain",
        "room",
        "least_p",
        "margin",
        "p_holm_all",
        "detectable_all",
        "measured_n",
    ),
    *("clusters", "families", "effective_n", "answered", "coverage", "own_*", "value_a", "value_b", "control_value"),
    *("*@1", "*@10", "*, swapped query", "*_low", "*_high", "low_*", "high_*", "misses", "outside", "no_word"),
    *("*_targets", "sha256", "revision"),
)
"""What a table shows at first only where places are left."""


def later(table: pl.DataFrame) -> set[str]:
    """Return the columns of a table that a page shows on request.

    At first it shows what the rows are about and the answers, then other columns as far as there are FIRST_COLUMNS. A
    column without values comes last, and a column of words that are all the same before those.

    >>> table = pl.DataFrame({"agent": ["m", "n"], "to": "last", "k": [1, 5], "x": 1, "y": 1, "z": 1, "note": "few"})
    >>> sorted(later(table.with_columns(units=20, low=0.1, high=0.3, value=0.2, p_holm=pl.lit(None, pl.Float64))))
    ['note', 'p_holm', 'to', 'units']
    """
    columns = table.columns
    if len(columns) <= FIRST_COLUMNS:
        return set()
    filled = {name for name in columns if table[name].null_count() < table.height}
    differing = {name for name in filled if table.schema[name].is_numeric() or _differs(table, name)}
    main = [name for name in columns if not _fits(name, LATER)]
    answers = [name for name in main if _fits(name, ANSWER_COLUMNS) and name in differing]
    telling = [name for name in main if name in differing and (name in KEYS or not table.schema[name].is_numeric())]
    certain = [name for name in columns if name in {*telling, *answers}][:MOST_COLUMNS]
    ranks = (certain, differing.intersection(main), filled.difference(main), filled, columns)
    shown = list(dict.fromkeys(name for rank in ranks for name in columns if name in rank))
    return set(shown[max(FIRST_COLUMNS, len(certain)) :])


def _differs(table: pl.DataFrame, name: str) -> bool:
    return table.height == 1 or table[name].n_unique() > 1


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
