"""What the tables of model against model have in common: the metrics, the pairs with their tests, and what is left out.

The model entries of the config say the family, size and type of a model, and the way in which it is asked: only models that
are asked in one way are compared, and one model that is asked in three ways is not three models. Where these allow no
comparison, the table leaves it out, and a sentence says so. The humans, who have no entry, take no part. All tables except
Table 6 are made of the averages (AVERAGES) and the tests of all pairs (TESTS), so that a p-value is the same wherever the
report shows it.

Differences are of averages between 0 and 1 over the targets or tuples that both models have answered; AuDC is at most the
number of pairs of relations. One model is "significantly better" if its average is higher and p < 0.05 (the paper's level,
without adjustment; columns in _holm and _bh use the adjusted p of TESTS). `inference` says whose p this is: that of the test
over clusters, or that of the paper. In the paper's test the effect must have the same sign as well: Wilcoxon's ranks can
lean to one side and the average to the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from relprobe.core.relation import Relations
from relprobe.stats.controls import both_ways
from relprobe.stats.schemas import P_COLUMNS, Inference
from relprobe.studies.relations.measure.measures import AUDC, MEASURES, with_figures

Models = Mapping[str, Mapping[str, Any]]
"""The model entries of the config, in its order; of their keys: type (masked or causal), family, size (parameters), and way,
which says how the model is asked if not with the probe alone (`core.series.place`)."""
ALPHA = 0.05
NAMES = {measure.name: measure.compared_as or measure.name for measure in MEASURES if measure.title and measure.test}
"""The name under which a metric is compared: symmetry and asymmetry have the same one."""
CUT_OFF = {NAMES[measure.name] for measure in with_figures() if measure.cutoffs}
"""The names of the metrics at a cut-off k."""
COMPARED = (*dict.fromkeys(NAMES.values()), AUDC.name)

PAIR = {
    "metric": pl.String(),
    "relation": pl.String(),  # none for AuDC
    "k": pl.UInt16(),  # of metrics with cut-offs
}
TEST = {
    "difference": pl.Float64(),
    "low": pl.Float64(),  # 95 % interval of the difference, over clusters
    "high": pl.Float64(),
    "units": pl.UInt32(),  # of the paper's test: probes, tuples x prompts, or targets
    "clusters": pl.UInt32(),
    "discordant": pl.UInt32(),  # units in which the two differ
    "p": pl.Float64(),  # of the sign-flip test over clusters
    "p_holm": pl.Float64(),
    "p_bh": pl.Float64(),
    "paper_test": pl.String(),
    "paper_effect": pl.Float64(),
    "paper_p": pl.Float64(),
    "paper_p_holm": pl.Float64(),
    "significant": pl.Boolean(),  # p < 0.05 by the test that `inference` names, not adjusted; missing where p is
    "note": pl.String(),  # why p or the interval is missing
    "paper_note": pl.String(),  # why paper_p is missing
}


@dataclass(frozen=True)
class Comparison:
    """A table, and a sentence on each thing that is left out of it."""

    table: pl.DataFrame
    left_out: list[str]


def at_cutoff(table: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the rows of the metrics in COMPARED, those with cut-offs at k; symmetry and asymmetry have one name."""
    merged = table.with_columns(pl.col("metric").replace(NAMES))
    return merged.filter(pl.col("metric").is_in(COMPARED) & (pl.col("k").is_null() | (pl.col("k") == k)))


def tests_of(pairs: pl.DataFrame, tests: pl.DataFrame, k: int, inference: Inference = "linked") -> pl.DataFrame:
    """Return the tests of `pairs` (agent_a, agent_b and what else it holds), a minus b, whichever TESTS names first."""
    each = at_cutoff(both_ways(tests), k)
    on = [name for name in ("metric", "relation", "agent_a", "agent_b") if name in pairs.columns]
    rows = pairs.join(each, on=on, nulls_equal=True, maintain_order="left")
    return rows.with_columns(significant=pl.col(P_COLUMNS[inference][0]) < ALPHA)


def wins(name: str, sign: int, inference: Inference) -> dict[str, pl.Expr]:
    """Return the counts of the pairs in which a (sign 1) or b (sign -1) is significantly better, by their columns."""
    p, p_holm = P_COLUMNS[inference]
    by_rank = pl.lit(None, pl.UInt32) if inference != "linked" else _better("p_bh", sign, inference).sum()
    return {
        f"{name}_wins": _better(p, sign, inference).sum(),
        f"{name}_wins_holm": _better(p_holm, sign, inference).sum(),
        f"{name}_wins_bh": by_rank,
        f"{name}_wins_paper": _better("paper_p", sign, "paper").sum(),
    }


def _better(p: str, sign: int, inference: Inference) -> pl.Expr:
    """Say whether a (sign 1) or b (sign -1) is significantly better; a pair without a p-value has no winner.

    In the paper, a higher AuDC is better without a test.
    """
    ahead = pl.col("difference") * sign > 0
    better = (pl.col(p) < ALPHA) & ahead
    if inference == "paper":
        higher = ahead if p == "paper_p" else pl.lit(None, pl.Boolean)
        better = pl.when(metric=AUDC.name).then(higher).otherwise(better & (pl.col("paper_effect") * sign > 0))
    return better.fill_null(value=False)


def absent(rows: pl.DataFrame, names: Iterable[str] | None, k: int, metrics: Sequence[str] = COMPARED) -> list[str]:
    """Say which metrics have no row, and for which of the families `names` (None: the table has no families)."""
    groups = [None] if names is None else list(dict.fromkeys(names))
    family = pl.lit(None, pl.String) if names is None else pl.col("family")
    present = set(rows.select("metric", family.alias("family")).iter_rows())
    sentences = []
    for metric in metrics:
        lacking = [group for group in groups if (metric, group) not in present]
        what = f"{metric} (k = {k})" if metric in CUT_OFF else metric
        whom = "" if names is None else f" for {', '.join(map(str, lacking))}"
        if lacking:
            sentences.append(f"{what} is left out{whom}: no two models to compare have it.")
    return sentences


def names(a: str, b: str) -> dict[str, str]:
    """Return the new names of the columns about two agents: what a table calls them in place of a and b."""
    return {"agent_a": a, "agent_b": b, "value_a": f"value_{a}", "value_b": f"value_{b}"}


def in_form(rows: pl.DataFrame, schema: pl.Schema, relations: Relations) -> pl.DataFrame:
    """Bring rows into the columns of `schema` and the paper's order of metrics and relations; families stay in theirs."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in rows.columns]
    orders = {"metric": pl.Enum(COMPARED), "relation": relations.order}
    by = [pl.col(name).cast(order) for name, order in orders.items() if name in schema]
    return rows.with_columns(*missing).select(list(schema)).cast(schema).sort(*by, maintain_order=True)
