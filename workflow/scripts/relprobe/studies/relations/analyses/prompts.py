"""Whether the values vary alike under different prompts (Appendix F, Table F4).

## Do the prompts of a relation differ?

```yaml
table: unequal_prompts
part: Choices and prompts
empty: No relation has two prompts.
columns:
  agents: the agents whose values vary differently under different prompts (p < 0.05)
  total: the number of these
  tested: the number of agents with a p
```

Agents whose values vary differently under different prompts *(Table F4 of the paper)*. The test of the published method
is Levene's, centred on the median, which takes the prompts as independent groups, though all have the same targets.

By default the same deviations are compared within targets (Hotelling's test); tables/prompt_variance.csv has both,
with Holm's adjustment over the agent's own relations. On values of 0 and 1, which are mostly 0, this mainly says that
the prompts differ in their average.

## Do the prompts of a relation differ? Every agent

```yaml
table: prompt_variance
on_page: false
```

The tests of unequal variance under different prompts, of every agent.
"""

from collections.abc import Collection, Mapping
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe import stats
from relprobe.core.metric import by_name
from relprobe.core.relation import Relations
from relprobe.stats import Values, levene, with_holm
from relprobe.stats.notes import untestable
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.published import ALL, PaperColumn, column_tables
from relprobe.studies.relations.results import Results

PLACE = 7

# Levene's test of the variances over prompts. Its groups are the prompts, and all prompts have the same targets. So the
# groups are repeated measures, and the test's assumption of independent values does not hold. `repeated_measures` is
# the same comparison over clusters.


ALPHA = 0.05

KEY = ["metric", "relation", "k"]

FAMILY = ["agent", "metric", "k"]
"""The tests of an agent that are adjusted together: those under all relations."""

HOTELLING = "Hotelling"

TESTED = [measure.name for measure in MEASURES if measure.test and not measure.has_human_gold]
"""A metric whose gold standard is human responses is not tested: not every probe has one, so prompts differ in targets."""

PROMPT_VARIANCE = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),  # of metrics with cut-offs
        "prompts": pl.UInt32(),
        "units": pl.UInt32(),  # values of all prompts: probes, or tuples x prompts for symmetry and asymmetry
        "clusters": pl.UInt32(),  # those that have values under all prompts
        "p": pl.Float64(),  # of Hotelling's test of the deviations over clusters
        "p_holm": pl.Float64(),  # over the agent's relations, in one metric and k
        "note": pl.String(),  # why p is missing
        "paper_test": pl.String(),
        "paper_effect": pl.Float64(),  # eta squared of the deviations from each prompt's median
        "paper_p": pl.Float64(),
        "paper_p_holm": pl.Float64(),
        "paper_note": pl.String(),  # why paper_p is missing
        "significant": pl.Boolean(),  # p < 0.05 by the test that `inference` names; missing where p is
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


def prompt_variance(
    values: Mapping[str, pl.DataFrame], k: int = 5, inference: Inference = "linked", *, relations: Relations
) -> pl.DataFrame:
    """Return Levene's test, centred on the median, over the prompts of each agent, metric and relation (PROMPT_VARIANCE).

    A group holds a prompt's values of all targets (Eq. 11, 13) or tuples (Eq. 1 and 2, at `k`), as if it were the only
    prompt. `values`: agent -> METRICS, humans among them. Soundness and [a]symmetry being 0 or 1 and mostly 0, the test
    then finds prompts whose averages differ (`levene`). `inference`: whose test decides what is significant.
    """
    rows = [
        {"agent": agent, **dict(zip(KEY, names, strict=True)), **_tested(group_values, str(names[0]))}
        for agent, table in values.items()
        for names, group_values in _chosen(table, k).group_by(KEY, maintain_order=True)
    ]
    schema = {name: kind for name, kind in PROMPT_VARIANCE.items() if "holm" not in name and name != "significant"}
    table = with_holm(pl.DataFrame(rows, schema=schema), FAMILY)
    table = with_holm(table, FAMILY, "paper_p").with_columns(
        significant=pl.col("paper_p" if inference == "paper" else "p") < ALPHA
    )
    return _ordered(table.select(list(PROMPT_VARIANCE)).cast(PROMPT_VARIANCE), relations)


def _chosen(values: pl.DataFrame, k: int) -> pl.DataFrame:
    return values.filter(pl.col("metric").is_in(TESTED) & (pl.col("k").is_null() | (pl.col("k") == k)))


def _tested(values: pl.DataFrame, metric: str) -> dict[str, object]:
    """Return the two tests of one agent's values of a metric and relation."""
    prompts = [group["value"].to_numpy() for _, group in values.group_by("prompt_id", maintain_order=True)]
    paper = levene(prompts)
    measure = by_name(MEASURES)[metric]
    keys = list(dict.fromkeys([*measure.cluster_columns, *measure.item]))
    wide = values.pivot("prompt_id", index=keys, values="value").drop_nulls()
    clusters = wide.select(pl.struct(measure.cluster_columns).rank("dense")).to_series().to_numpy().astype(int) - 1
    ours = repeated_measures(wide.drop(keys).to_numpy(), clusters)
    return {
        "prompts": len(prompts),
        "units": paper.n,
        "clusters": ours.n,
        "p": ours.p,
        "note": ours.note,
        "paper_test": paper.name,
        "paper_effect": paper.effect,
        "paper_p": paper.p,
        "paper_note": paper.note,
    }


def repeated_measures(values: Values, clusters: NDArray[np.int64]) -> stats.TestResult:
    """Test whether the deviations from each prompt's median have the same mean under all prompts; n is that of clusters.

    `values`: of shape (items, prompts). `clusters`: the number of each item's cluster, from 0. Levene's test compares the
    same deviations, but takes them as independent. Here the differences between the deviations of the first prompt and those
    of each other one are added up per cluster, and Hotelling's T² tests whether their means are 0:
    T² = n m' S⁻¹ m of the n clusters' sums, with their mean m and covariance S, and (n - q) / ((n - 1) q) T² is
    F(q, n - q)-distributed for q differences (Hotelling 1931). Differences that are linear in others are left out of q; p is
    1 if all deviations are the same under all prompts.

    With two prompts T is the paired t-test of the deviations: here 0 0 2 2 against 1 0 0 1, whose differences are -1, 0, 2
    and 1 with the mean 1/2 and the variance 5/3, so T² = 4 · 1/4 / (5/3) = 0.6 with 1 and 3 degrees of freedom:

    >>> test = repeated_measures(np.array([[3.0, 1.0], [3.0, 2.0], [1.0, 2.0], [5.0, 3.0]]), np.arange(4))
    >>> test.n, round(test.p, 3)
    (4, 0.495)
    """
    from scipy import stats as scipy_stats

    n = len(np.unique(clusters))
    if values.shape[1] < 2 or n < 2:
        reason = "fewer than two groups" if values.shape[1] < 2 else "fewer than two clusters have all prompts"
        return stats.TestResult(HOTELLING, n, None, None, untestable(reason))
    deviations = np.abs(values - np.median(values, axis=0))
    sums = np.zeros((n, values.shape[1] - 1))
    np.add.at(sums, clusters, deviations[:, 1:] - deviations[:, :1])
    covariance = np.atleast_2d(np.cov(sums, rowvar=False))
    q = int(np.linalg.matrix_rank(covariance, tol=1e-9))
    if q == 0 and not deviations.any():
        return stats.TestResult(HOTELLING, n, None, None, untestable("every group is constant"))
    if q == 0 and not sums.any():
        return stats.TestResult(HOTELLING, n, None, 1.0)
    if q == 0:
        return stats.TestResult(HOTELLING, n, None, None, untestable("the prompts differ alike in all clusters"))
    if n <= q:
        return stats.TestResult(HOTELLING, n, None, None, untestable("there are no more clusters than prompts"))
    mean = sums.mean(axis=0)
    t2 = n * float(mean @ np.linalg.pinv(covariance, rcond=1e-9) @ mean)
    return stats.TestResult(HOTELLING, n, None, float(scipy_stats.f.sf((n - q) / ((n - 1) * q) * t2, q, n - q)))


def heteroscedastic_agents(table: pl.DataFrame) -> pl.DataFrame:
    """Return Table F4 (HETEROSCEDASTIC) from PROMPT_VARIANCE: the agents whose variance differs between prompts."""
    counts = table.group_by("metric", "relation", "k", maintain_order=True).agg(
        agents=pl.col("agent").filter(pl.col("significant")).str.join(", "),
        total=pl.col("significant").sum(),
        tested=pl.col("significant").count(),
        untestable=pl.col("significant").null_count(),
    )
    return counts.select(list(HETEROSCEDASTIC)).cast(HETEROSCEDASTIC)


def _ordered(table: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Put rows into the order of the paper's table; agents stay in theirs."""
    metric, relation = pl.col("metric").cast(pl.Enum(TESTED)), pl.col("relation").cast(relations.order)
    return table.sort(metric, relation, maintain_order=True)


@cache
def _variance(results: Results) -> pl.DataFrame:
    settings = results.settings
    return prompt_variance(results.metrics or {}, settings.k, settings.inference, relations=results.gold.relations)


TABLES = {"prompt_variance": _variance, "unequal_prompts": lambda results: heteroscedastic_agents(_variance(results))}
COLUMN = PaperColumn(
    *("unequal_prompts", "total", "agents with unequal variance over prompts: {metric}", None),
    *("tested", "agents"),
)


def published(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> list[pl.DataFrame]:
    """Return how many of the paper's models have unequal variances (OURS), in a run of all of them."""
    return column_tables(tables, [COLUMN] if set(models) >= ALL else [])
