"""Where the agents of a figure part: the paper's dotted lines between those that differ significantly (section 8.1)."""

from collections.abc import Collection, Sequence

import polars as pl

from relprobe.core.inference_schemas import P_COLUMNS, Inference

ALPHA = 0.05


def partings(
    order: Sequence[str], tests: pl.DataFrame, inference: Inference = "linked", controls: Collection[str] = ()
) -> list[int]:
    """Return after how many of the agents in `order` (best first) a line goes: all above differ from all below, p < 0.05.

    `tests`: the rows of TESTS of one metric, relation and k. `inference`: whose test decides. As in the paper p is not
    adjusted, and agents that no line parts may differ all the same (footnote 18). A pair without a p-value does not differ.
    Two `controls` are not compared, so that a line need not part them.
    """
    raw, _ = P_COLUMNS[inference]
    different = {
        frozenset(pair)
        for *pair, p in tests.select("agent_a", "agent_b", raw).iter_rows()
        if p is not None and p < ALPHA
    }
    pairs = [
        [{a, b} for a in order[:place] for b in order[place:] if not {a, b} <= set(controls)]
        for place in range(1, len(order))
    ]
    return [place for place, across in enumerate(pairs, 1) if across and all(pair in different for pair in across)]
