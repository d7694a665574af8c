"""The sizes of models within a family (Tables 6, D2 and D3)."""

from collections.abc import Collection, Mapping

import polars as pl

from relprobe.core.relation import Relations
from relprobe.stats.schemas import P_COLUMNS, Inference
from relprobe.studies.relations.compare.models.pairs import (
    PAIR,
    TEST,
    Comparison,
    Models,
    absent,
    at_cutoff,
    in_form,
    names,
    tests_of,
    wins,
)
from relprobe.studies.relations.measure.measures import AUDC

SIZE_DIFFERENCES = pl.Schema(
    {
        "family": pl.String(),
        **PAIR,
        "larger": pl.String(),
        "smaller": pl.String(),
        "value_larger": pl.Float64(),
        "value_smaller": pl.Float64(),
        **TEST,
    }
)
SIZE_AVERAGES = pl.Schema(
    {
        "family": pl.String(),
        "metric": pl.String(),
        "average": pl.String(),  # macro: over relations; micro: over targets or tuples; none for AuDC
        "larger": pl.String(),
        "smaller": pl.String(),
        "relations": pl.UInt32(),
        "units": pl.UInt32(),  # targets, or tuples for [as/s]ymmetry
        "difference": pl.Float64(),
    }
)
SIZE_REVERSALS = pl.Schema(
    {
        "family": pl.String(),
        "models": pl.UInt32(),  # of the family, with a size
        **PAIR,
        "pairs": pl.UInt32(),  # of a model and the next-larger one
        "untestable": pl.UInt32(),  # of these: without a p-value
        "smaller_wins": pl.UInt32(),  # by the test that `inference` names
        "smaller_wins_holm": pl.UInt32(),
        "smaller_wins_bh": pl.UInt32(),  # of our test of linked items; missing if `inference` names another
        "smaller_wins_paper": pl.UInt32(),  # by the paper's test, not adjusted
    }
)


def families(models: Models, agents: Collection[str]) -> Comparison:
    """Return the models whose sizes can be compared: family, agent, size, from each family's smallest to its largest.

    `agents` are those with results. Models of one size stay in the config's order.
    """
    rows = []
    left_out = []
    for agent, entry in models.items():
        missing = [key for key in ("family", "size") if key not in entry]
        if agent not in agents:
            left_out.append(f"{agent} has no results.")
        elif missing:
            left_out.append(f"{agent} has no {' and no '.join(missing)} in the config: its size is not compared.")
        else:
            rows.append((entry["family"], agent, float(entry["size"])))
    table = pl.DataFrame(rows, schema={"family": pl.String, "agent": pl.String, "size": pl.Float64}, orient="row")
    sizes = pl.col("size").n_unique().over("family")
    for (family,) in table.filter(sizes < 2).select("family").unique(maintain_order=True).iter_rows():
        left_out.append(f"The family {family} is left out: it has no two models of different size.")
    order = pl.Enum(list(dict.fromkeys(table["family"])))
    compared = table.filter(sizes > 1).sort(pl.col("family").cast(order), "size", maintain_order=True)
    return Comparison(compared, left_out)


def size_differences(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table D2 (SIZE_DIFFERENCES): the largest minus the smallest model per family, metric and relation.

    With the paired test of the two. `k` is the cut-off of [as/s]ymmetry.
    """
    sizes = families(models, set(averages["agent"]))
    pairs = _extremes(sizes.table)
    rows = tests_of(pairs, tests, k, inference)
    named = rows.rename(names("larger", "smaller"))
    return Comparison(in_form(named, SIZE_DIFFERENCES, relations), sizes.left_out + absent(rows, pairs["family"], k))


def size_averages(
    values: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    *,
    relations: Relations,
) -> Comparison:
    """Return Table 6 (SIZE_AVERAGES): the largest minus the smallest model per family and metric, over the relations.

    `values`: agent -> METRICS. Macro averages weigh the relations alike, micro averages every target (tuple for
    [as/s]ymmetry). AuDC is over the relations already.
    """
    sizes = families(models, set(averages["agent"]) & set(values))
    pairs = _extremes(sizes.table)
    differences = [
        _averages(values[larger], values[smaller], k).with_columns(
            family=pl.lit(family), agent_a=pl.lit(larger), agent_b=pl.lit(smaller)
        )
        for family, larger, smaller in pairs.iter_rows()
    ]
    areas = tests_of(pairs, tests, k).filter(metric=AUDC.name).drop("units")
    rows = pl.concat([*differences, areas], how="diagonal_relaxed")
    named = rows.rename({"agent_a": "larger", "agent_b": "smaller"})
    return Comparison(in_form(named, SIZE_AVERAGES, relations), sizes.left_out + absent(rows, pairs["family"], k))


def size_reversals(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    models: Models,
    k: int = 5,
    inference: Inference = "linked",
    *,
    relations: Relations,
) -> Comparison:
    """Return Table D3 (SIZE_REVERSALS): how many models are significantly better than the next-larger of their family."""
    sizes = families(models, set(averages["agent"]))
    pairs, same = _neighbours(sizes.table)
    rows = tests_of(pairs, tests, k, inference)
    p, _ = P_COLUMNS[inference]
    counts = rows.group_by("family", *PAIR, maintain_order=True).agg(
        pl.len().alias("pairs"), pl.col(p).is_null().sum().alias("untestable"), **wins("smaller", 1, inference)
    )
    members = sizes.table.group_by("family").agg(models=pl.len())
    table = in_form(counts.join(members, on="family", maintain_order="left"), SIZE_REVERSALS, relations)
    return Comparison(table, sizes.left_out + same + absent(rows, pairs["family"], k))


def _extremes(sizes: pl.DataFrame) -> pl.DataFrame:
    """Return the largest (agent_a) and the smallest model (agent_b) of each family; of one size, the config's first."""
    by_size = sizes.group_by("family", maintain_order=True)
    first_largest = pl.col("agent").filter(pl.col("size") == pl.col("size").max()).first()
    return by_size.agg(first_largest.alias("agent_a"), pl.col("agent").first().alias("agent_b"))


def _neighbours(sizes: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Return each model (agent_a) with the next-larger one of its family (agent_b), and sentences on equal sizes."""
    following = [pl.col(name).shift(-1).over("family").alias(f"next_{name}") for name in ("agent", "size")]
    rows = sizes.with_columns(following).drop_nulls("next_agent")
    larger = rows.filter(pl.col("next_size") > pl.col("size"))
    same = rows.filter(pl.col("next_size") == pl.col("size"))
    pairs = larger.select("family", agent_a="agent", agent_b="next_agent")
    sentences = [
        f"{one} and {other} are of one size: they are not compared as smaller and larger."
        for one, other in same.select("agent", "next_agent").iter_rows()
    ]
    return pairs, sentences


def _averages(a: pl.DataFrame, b: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return the macro and micro averages of a minus b per metric, on the units that both answered."""
    unit = ["metric", "relation", "target", "relatum"]
    both = at_cutoff(a, k).join(at_cutoff(b, k), on=[*unit, "prompt_id"], nulls_equal=True)
    units = both.group_by(unit).agg(difference=(pl.col("value") - pl.col("value_right")).mean()).sort(unit)
    mean = pl.col("difference").mean()
    relations = units.group_by("metric", "relation", maintain_order=True).agg(mean, units=pl.len())
    macro = relations.group_by("metric", maintain_order=True).agg(mean, pl.col("units").sum(), relations=pl.len())
    micro = units.group_by("metric", maintain_order=True).agg(
        mean, units=pl.len(), relations=pl.col("relation").n_unique()
    )
    parts = [table.with_columns(average=pl.lit(name)) for name, table in (("macro", macro), ("micro", micro))]
    return pl.concat(parts, how="diagonal_relaxed")
