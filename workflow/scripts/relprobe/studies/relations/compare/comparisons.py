"""Comparisons of agents by frequency, by prompts, and by how related their words are."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe import stats
from relprobe.core.files import Parquet, ShownTables
from relprobe.core.metric import by_name
from relprobe.core.relation import Relations
from relprobe.core.series import series_of, standing
from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.stats import Values, levene, spearman, with_holm
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.compare.models import (
    Models,
    best_by_type,
    size_averages,
    size_differences,
    size_reversals,
    wins_by_type,
)
from relprobe.studies.relations.compare.published import claims
from relprobe.studies.relations.measure.metrics import MEASURES, OR
from relprobe.studies.relations.schemas import Averages, Metrics, Relata, Tests

# Do agents know frequent words better? Spearman's rho of unit values and word frequencies (section 8.8, Figure E5).
# Frequencies are those of `wordfreq`, where the paper takes those of COCA: shares of the words of the language, or their
# Zipf values (sources/word_frequency.py), as the config says. A word that wordfreq does not know has none: it is left out
# of a relatum set's mean and maximum, and a unit without a frequency is left out of the correlation; both are counted.
# The p-values take the targets or tuples as independent, as the paper does.


FREQUENCIES = {
    "target": "target",
    "relata_mean": "mean of the relata",
    "relata_max": "most frequent relatum",
    "pair_mean": "mean of target and relatum",
    "pair_difference": "difference of target and relatum",
}
"""What a metric can be correlated with -> its name in figures: the frequency of the target; the mean and the maximum over
its relatum set; the mean of a tuple's two words, as two common words may be easier, and their absolute difference, as a word
that is far more common may be. A metric says in measures.py which of these it is correlated with."""

CORRELATIONS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),  # of metrics with cut-offs
        "frequency": pl.String(),  # one of FREQUENCIES
        "scale": pl.String(),  # of the frequencies: raw or zipf
        "units": pl.UInt32(),  # targets, or tuples for symmetry and asymmetry, with a frequency
        "units_without": pl.UInt32(),  # those without
        "unknown_words": pl.UInt32(),  # words without a frequency, counted once per unit
        "rho": pl.Float64(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),  # over the agent's relations, in one metric and frequency
        "note": pl.String(),  # why rho is missing
    }
)


def correlations(
    values: Mapping[str, pl.DataFrame],
    relata: pl.DataFrame,
    k: int = 5,
    scale: Scale = "raw",
    *,
    relations: Relations,
    language: str,
) -> pl.DataFrame:
    """Return Figure E5 (CORRELATIONS): rho per agent, metric, relation and frequency.

    `values`: agent -> METRICS, averaged over prompts per target (Eq. 11, 13, 22) or tuple (Eq. 15, 17); `relata`: the
    relatum sets; `k`: the cut-off of symmetry and asymmetry; `scale`: that of the frequencies; `language`: its code in
    wordfreq. A positive rho means that frequent words fare better.
    """
    units = [_units(agent, table, k) for agent, table in values.items()]
    if not units:
        return pl.DataFrame(schema=CORRELATIONS)
    long = _with_frequencies(pl.concat(units), relata, scale, language)
    known = pl.col("of_unit").is_not_null()
    groups = long.group_by("agent", "metric", "relation", "k", "frequency", maintain_order=True).agg(
        pl.col("value", "of_unit").filter(known),
        units=known.sum(),
        units_without=(~known).sum(),
        unknown_words=pl.col("unknown").sum(),
    )
    columns = zip(groups["value"], groups["of_unit"], strict=True)
    tests = [spearman(value.to_numpy(), of_unit.to_numpy()) for value, of_unit in columns]
    table = groups.with_columns(
        pl.Series("rho", [test.effect for test in tests], pl.Float64),
        pl.Series("p", [test.p for test in tests], pl.Float64),
        pl.Series("note", [test.note for test in tests], pl.String),
        scale=pl.lit(scale),
    )
    table = with_holm(table, ["agent", "metric", "k", "frequency"])
    metrics = pl.Enum(list(_frequencies()))
    orders = {"metric": metrics, "relation": relations.order, "frequency": pl.Enum(list(FREQUENCIES))}
    by = [pl.col(name).cast(order) for name, order in orders.items()]
    return table.select(list(CORRELATIONS)).cast(CORRELATIONS).sort(*by, maintain_order=True)


def _frequencies() -> dict[str, tuple[str, ...]]:
    """Return the frequencies of each metric that has any, in the order of the first of these in FREQUENCIES."""
    measures = [measure for measure in MEASURES if measure.frequencies]
    measures.sort(key=lambda measure: list(FREQUENCIES).index(measure.frequencies[0]))
    return {measure.name: measure.frequencies for measure in measures}


def _units(agent: str, values: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return an agent's values per target or tuple, averaged over the prompts."""
    rows = pl.col("metric").is_in(list(_frequencies())) & (pl.col("k").is_null() | (pl.col("k") == k))
    units = values.filter(rows).group_by("metric", "relation", "k", "target", "relatum", maintain_order=True)
    return units.agg(ordered_mean("value")).with_columns(agent=pl.lit(agent))


def _with_frequencies(units: pl.DataFrame, relata: pl.DataFrame, scale: Scale, language: str) -> pl.DataFrame:
    """Return a row per unit and frequency of its metric: of_unit, and unknown, the words that have none."""
    known = frequencies(pl.concat([units["target"], units["relatum"], relata["relatum"]]), scale, language=language)
    of_target = known.rename({"word": "target", "frequency": "of_target"})
    of_relatum = known.rename({"word": "relatum", "frequency": "of_relatum"})
    sets = relata.join(of_relatum, on="relatum").group_by("target", "relation")
    of_set = sets.agg(
        relata_mean=ordered_mean("of_relatum"),
        relata_max=pl.col("of_relatum").max(),
        unknown_relata=pl.col("of_relatum").null_count(),
    )
    wide = (
        units.join(of_target, on="target", how="left", maintain_order="left")
        .join(of_relatum, on="relatum", how="left", maintain_order="left")
        .join(of_set, on=["target", "relation"], how="left", maintain_order="left")
    )
    unknown_target = pl.col("of_target").is_null().cast(pl.UInt32)
    unknown_pair = unknown_target + pl.col("of_relatum").is_null()
    of_units = {
        "target": (pl.col("of_target"), unknown_target),
        "relata_mean": (pl.col("relata_mean"), pl.col("unknown_relata")),
        "relata_max": (pl.col("relata_max"), pl.col("unknown_relata")),
        "pair_mean": ((pl.col("of_target") + pl.col("of_relatum")) / 2, unknown_pair),
        "pair_difference": ((pl.col("of_target") - pl.col("of_relatum")).abs(), unknown_pair),
    }
    metrics = {name: [metric for metric, names in _frequencies().items() if name in names] for name in of_units}
    parts = [
        wide.filter(pl.col("metric").is_in(metrics[name])).select(
            "agent", "metric", "relation", "k", "value", frequency=pl.lit(name), of_unit=of_unit, unknown=unknown
        )
        for name, (of_unit, unknown) in of_units.items()
    ]
    return pl.concat(parts, how="vertical_relaxed")


MEDIANS = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),
        "frequency": pl.String(),
        "agents": pl.UInt32(),  # with a correlation
        "median": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
    }
)


def medians(table: pl.DataFrame) -> pl.DataFrame:
    """Return the median of the agents' correlations per metric, relation and frequency, and their range (section 8.8).

    `table`: CORRELATIONS. The paper calls medians below 0.3 negligible.
    """
    groups = table.group_by("metric", "relation", "k", "frequency", maintain_order=True)
    rho = pl.col("rho")
    rows = groups.agg(agents=rho.count(), median=rho.median(), low=rho.min(), high=rho.max())
    return rows.select(list(MEDIANS)).cast(MEDIANS)


# Does the choice of prompt matter? Levene's test of the variances over prompts (Appendix F, Table F4).
# The groups of Levene's test are the prompts, and all prompts have the same targets. So the groups are repeated measures,
# and the test's assumption of independent values does not hold. `repeated_measures` is the same comparison over clusters.


ALPHA = 0.05
KEY = ["metric", "relation", "k"]
FAMILY = ["agent", "metric", "k"]
"""The tests of an agent that are adjusted together: those under all relations."""
HOTELLING = "Hotelling"
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
        {"agent": agent, **dict(zip(KEY, names, strict=True)), **_tested(of_group, str(names[0]))}
        for agent, table in values.items()
        for names, of_group in _chosen(table, k).group_by(KEY, maintain_order=True)
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
        return stats.TestResult(HOTELLING, n, None, None, f"not testable: {reason}")
    deviations = np.abs(values - np.median(values, axis=0))
    sums = np.zeros((n, values.shape[1] - 1))
    np.add.at(sums, clusters, deviations[:, 1:] - deviations[:, :1])
    covariance = np.atleast_2d(np.cov(sums, rowvar=False))
    q = int(np.linalg.matrix_rank(covariance, tol=1e-9))
    if q == 0 and not deviations.any():
        return stats.TestResult(HOTELLING, n, None, None, "not testable: every group is constant")
    if q == 0 and not sums.any():
        return stats.TestResult(HOTELLING, n, None, 1.0)
    if q == 0:
        return stats.TestResult(HOTELLING, n, None, None, "not testable: the prompts differ alike in all clusters")
    if n <= q:
        return stats.TestResult(HOTELLING, n, None, None, "not testable: there are no more clusters than prompts")
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


# The first words of responses that are related to the target in any way: which relations they stand in (section 8).


def distribution(values: Mapping[str, pl.DataFrame], *, relations: Relations) -> pl.DataFrame:
    """Return Figure 3: agent, relation and share of the first related words that stand in it to the target.

    The agent "gold" has the prompted relations of the same probes as the agent with the most first related words.
    """
    if not values:
        return pl.DataFrame(schema={"relation": pl.String, "share": pl.Float64, "agent": pl.String})
    firsts = {agent: table.filter(metric="first_related") for agent, table in values.items()}
    widest = max(firsts.values(), key=lambda table: table.height)
    parts = [_shares(agent, table, "versus") for agent, table in firsts.items()]
    shares = pl.concat([_shares("gold", widest, "relation"), *parts])
    return shares.sort(pl.col("agent").cast(pl.Enum(["gold", *values])), pl.col("relation").cast(relations.order))


def by_family(shares: pl.DataFrame, models: Models) -> pl.DataFrame:
    """Average the shares (`distribution`) of the models of each family (Figure 3), in the order of their first models.

    A model without a family, and an agent that is no model, stands for itself.
    """
    families = {agent: entry.get("family", agent) for agent, entry in models.items()}
    named = shares.with_columns(agent=pl.col("agent").replace(families), member="agent")
    members = named.group_by("agent").agg(members=pl.col("member").n_unique())
    sums = named.group_by("agent", "relation", maintain_order=True).agg(ordered_sum("share"))
    means = sums.join(members, on="agent", maintain_order="left")
    return means.select("relation", share=pl.col("share") / pl.col("members"), agent="agent")


def _shares(agent: str, firsts: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the shares of the relations in a column. Of words that tie, each is as likely the first one (OR)."""
    named = firsts.select(relation=pl.col(column).str.split(OR))
    parts = named.with_columns(share=1 / (pl.col("relation").list.len() * named.height)).explode("relation")
    return parts.group_by("relation").agg(ordered_sum("share"), agent=pl.lit(agent))


# Every table that compares agents, by the name of its file.


NO_HUMANS = (
    "The config has no resources.human_responses: there is no human ceiling, no prototypicality and no analysis of the "
    "humans' entropy."
)
LEFT_OUT = pl.Schema({"table": pl.String(), "reason": pl.String()})


def comparisons(
    averages: Averages,
    tests: Tests,
    relata: Relata,
    relations: RelationsFile,
    language: LanguageFile,
    metrics: dict[str, Metrics] | None = None,
    entropy_differences: Parquet | None = None,
    *,
    models: dict[str, Any],
    k: int,
    inference: Inference = "linked",
    frequency: Scale = "raw",
    paper: bool = False,
) -> ShownTables:
    """Compare sizes and types of models, prompts, first related words, and correlations with word frequency (section 8).

    `metrics`: agent -> METRICS; none where all agents are asked layer by layer. `models`: model -> type, family and size, as
    in the config. `k` is the cut-off of symmetry and asymmetry. `inference`: whose tests decide what is significant.
    `frequency`: the scale of word frequencies. `paper`: also count what remains of the paper's claims (`claims`), of which
    one is about the table `entropy_differences`, where there are people.
    """
    values = metrics or {}
    entries = {agent: models[agent] for agent in values if agent in models}
    known, code = averages.drop_nulls("value"), language.wordfreq
    compared = comparison_tables(
        values, known, tests, relata, entries, k, inference, frequency, relations=relations, language=code
    )
    if not paper:
        return compared
    entropies = {} if entropy_differences is None else {"entropy_differences": entropy_differences}
    return compared | {"claims": claims(tests, compared | entropies, models)}


def comparison_tables(
    values: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    relata: pl.DataFrame,
    models: Models,
    k: int,
    inference: Inference = "linked",
    scale: Scale = "raw",
    *,
    relations: Relations,
    language: str,
) -> dict[str, pl.DataFrame]:
    """Return Tables 6 to 8, D2, D3 and F4, and the data of Figures 3 and E5, by the names of their files.

    The table `left_out` says which comparisons are missing, and why. `values`: agent -> METRICS; `averages` and `tests`:
    AVERAGES and TESTS; `k`: the cut-off of symmetry and asymmetry; `inference`: whose tests decide; `scale`: that of word
    frequencies; `language`: its code in wordfreq. The correlations leave out the humans, as in the paper.
    """
    last = {agent: models[agent] for agent in standing(models)}
    compared = {
        "size_differences": size_differences(averages, tests, last, k, inference, relations=relations),
        "size_averages": size_averages(values, averages, tests, last, k, relations=relations),
        "size_reversals": size_reversals(averages, tests, last, k, inference, relations=relations),
        "best_by_type": best_by_type(averages, tests, last, k, inference, relations=relations),
        "wins_by_type": wins_by_type(averages, tests, last, k, inference, relations=relations),
    }
    reasons = [(name, reason) for name, comparison in compared.items() for reason in comparison.left_out]
    reasons += [("tests", _series_rows(name, list(places))) for name, places in series_of(models).items()]
    if "humans" not in values:
        reasons.append(("entropy", NO_HUMANS))
    known = {agent: values[agent] for agent in models}
    by_frequency = correlations(known, relata, k, scale, relations=relations, language=language)
    variances = prompt_variance(values, k, inference, relations=relations)
    return {
        **{name: comparison.table for name, comparison in compared.items()},
        "left_out": pl.DataFrame(reasons, schema=LEFT_OUT, orient="row"),
        "frequency": by_frequency,
        "frequency_medians": medians(by_frequency),
        "prompt_variance": variances,
        "unequal_prompts": heteroscedastic_agents(variances),
        "first_related": distribution(values, relations=relations),
    }


def _series_rows(name: str, members: list[str]) -> str:
    *earlier, last = members
    return (
        f"{', '.join(earlier)}: the last of the series {name}, {last}, stands for it among the models; the tables trends "
        "and against_last have the tests of the others."
    )
