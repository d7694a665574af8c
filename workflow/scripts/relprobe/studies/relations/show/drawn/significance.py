"""Where the agents of a figure part: the paper's dotted lines between those that differ significantly (section 8.1)."""

from collections.abc import Sequence

import polars as pl

from relprobe.stats.schemas import P_COLUMNS, Inference

ALPHA = 0.05


def partings(order: Sequence[str], tests: pl.DataFrame, inference: Inference = "linked") -> list[int]:
    """Return after how many of the agents in `order` (best first) a line goes: all above differ from all below, p < 0.05.

    `tests`: the rows of TESTS of one metric, relation and k. `inference`: whose test decides. As in the paper p is not
    adjusted, and agents that no line parts may differ all the same (footnote 18). A pair without a p-value does not differ.
    A pair without a row, such as that of two controls, is not compared, so that a line need not part it.
    """
    raw, _ = P_COLUMNS[inference]
    rows = [(frozenset(pair), p) for *pair, p in tests.select("agent_a", "agent_b", raw).iter_rows()]
    compared, different = {pair for pair, _ in rows}, {pair for pair, p in rows if p is not None and p < ALPHA}
    crossing = [
        compared & {frozenset((a, b)) for a in order[:place] for b in order[place:]} for place in range(1, len(order))
    ]
    return [place for place, across in enumerate(crossing, 1) if across and across <= different]
