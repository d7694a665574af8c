"""Does the choice of prompt matter? Levene's test of the variances over prompts (Appendix F, Table F4)."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.core.stats import levene
from relprobe.studies.relations.measures import MEASURES

ALPHA = 0.05
TESTED = [measure.name for measure in MEASURES if measure.test and not measure.of_humans]
"""A metric whose gold standard is human responses is not tested: not every probe has one, so prompts differ in targets."""

PROMPT_VARIANCE = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),  # of metrics with cut-offs
        "prompts": pl.UInt32(),
        "units": pl.UInt32(),  # values of all prompts: probes, or tuples x prompts for symmetry and asymmetry
        "test": pl.String(),
        "effect": pl.Float64(),  # eta squared of the deviations from each prompt's median
        "p": pl.Float64(),
        "significant": pl.Boolean(),  # p < 0.05; missing where p is
        "note": pl.String(),  # why p is missing
    }
)
HETEROSCEDASTIC = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),
        "agents": pl.String(),  # those with p < 0.05, in the order of the agents
        "total": pl.UInt32(),  # number of these
        "tested": pl.UInt32(),  # agents with a p-value
        "untestable": pl.UInt32(),  # agents without
    }
)


def prompt_variance(values: Mapping[str, pl.DataFrame], k: int = 5) -> pl.DataFrame:
    """Return Levene's test, centred on the median, over the prompts of each agent, metric and relation (PROMPT_VARIANCE).

    A group holds a prompt's values of all targets (Eq. 11, 13) or tuples (Eq. 1 and 2, at `k`), as if it were the only
    prompt. `values`: agent -> METRICS, humans among them. Soundness and [a]symmetry being 0 or 1 and mostly 0, the test
    then finds prompts whose averages differ (`levene`).
    """
    group = ["agent", "metric", "relation", "k"]
    prompts = [_by_prompt(agent, table, k) for agent, table in values.items()]
    if not prompts:
        return pl.DataFrame(schema=PROMPT_VARIANCE)
    groups = pl.concat(prompts).group_by(group, maintain_order=True)
    table = groups.agg(pl.col("value"), prompts=pl.len())
    tests = [levene([prompt.to_numpy() for prompt in prompts]) for prompts in table["value"]]
    p = pl.Series([test.p for test in tests], dtype=pl.Float64)
    table = table.with_columns(
        units=pl.Series([test.n for test in tests], dtype=pl.UInt32),
        test=pl.Series([test.name for test in tests], dtype=pl.String),
        effect=pl.Series([test.effect for test in tests], dtype=pl.Float64),
        p=p,
        significant=p < ALPHA,
        note=pl.Series([test.note for test in tests], dtype=pl.String),
    )
    return _ordered(table.select(list(PROMPT_VARIANCE)).cast(PROMPT_VARIANCE))


def heteroscedastic_agents(table: pl.DataFrame) -> pl.DataFrame:
    """Return Table F4 (HETEROSCEDASTIC) from PROMPT_VARIANCE: the agents whose variance differs between prompts."""
    counts = table.group_by("metric", "relation", "k", maintain_order=True).agg(
        agents=pl.col("agent").filter(pl.col("significant")).str.join(", "),
        total=pl.col("significant").sum(),
        tested=pl.col("p").count(),
        untestable=pl.col("p").null_count(),
    )
    return counts.select(list(HETEROSCEDASTIC)).cast(HETEROSCEDASTIC)


def _by_prompt(agent: str, values: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return a row per metric, relation and prompt: the values of its units."""
    rows = pl.col("metric").is_in(TESTED) & (pl.col("k").is_null() | (pl.col("k") == k))
    prompts = values.filter(rows).group_by("metric", "relation", "k", "prompt_id", maintain_order=True)
    return prompts.agg("value").with_columns(agent=pl.lit(agent))


def _ordered(table: pl.DataFrame) -> pl.DataFrame:
    """Put rows into the order of the paper's table; agents stay in theirs."""
    metric, relation = pl.col("metric").cast(pl.Enum(TESTED)), pl.col("relation").cast(pl.Enum(RELATIONS))
    return table.sort(metric, relation, maintain_order=True)
