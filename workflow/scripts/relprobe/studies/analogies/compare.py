"""The agents side by side: averages, tests, frequency, other choices, and the figures that the paper prints."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from relprobe.core.files import ShownTable, ShownTables
from relprobe.core.metric import Metric, by_name
from relprobe.core.sums import ordered_mean
from relprobe.report.published import Published, average_values, compare_published, figures
from relprobe.sources import word_frequency
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.stats import Values, kolmogorov_smirnov, null_p, with_holm
from relprobe.stats import sensitivity as settings
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import Declared, contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Inference, Tests
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.analogies.ask import differences, vector_table
from relprobe.studies.analogies.ask import pairs as pairs_of
from relprobe.studies.analogies.data import Analogies, Choices, Split, group_order, instances, relation_names, tuples
from relprobe.studies.analogies.measure import (
    ALL,
    COLUMNS,
    MEASURES,
    RIGHT,
    SUPERVISED,
    SWAPPED,
    PairFeatures,
    by_features,
    classifier_values,
    metrics,
)
from relprobe.studies.analogies.schemas import (
    FREQUENCY,
    SENSITIVITY,
    SETTINGS,
    Contrasts,
    Decisions,
    Frequency,
    LayerMetrics,
    Metrics,
    Tuples,
)

# Averages, tests between agents, and tests within an agent, from the metrics of all agents.


def averages(metrics: dict[str, Metrics], *, targets: Literal["common", "own"]) -> Averages:
    """Average the accuracies of all agents, with intervals over families of tuples or over relations.

    `targets`: the tuples of the study (common), or those that each agent has (own). All agents are asked all of them, so
    that the two differ in no average; `own_units` marks an agent that lacks some.
    """
    return averages_of(metrics, MEASURES, targets=targets)


def comparisons(
    metrics: dict[str, Metrics],
    *,
    kinds: dict[str, str],
    members: list[str] | None = None,
    declared: Declared = (),
) -> Tests:
    """Test the differences between agents, over families of tuples within a relation and over relations within a group.

    `kinds`: agent -> masked, causal or control. `members`: the checkpoints that are not the last of their series, which are
    compared with controls alone. `declared`: as for `paired_tests`.
    """
    return paired_tests(metrics, MEASURES, kinds=kinds_of_agents(kinds, members or []), declared=declared)


class OfConditions(NamedTuple):
    """Tests within every agent: between its probes, and between the right and the swapped queries of a probe."""

    probes: Contrasts
    queries: Contrasts


def contrasts(metrics: dict[str, Metrics], *, kinds: dict[str, str], members: list[str] | None = None) -> OfConditions:
    """Test within every agent which of two probes is harder, and what the right query adds to a swapped one.

    Two probes are compared on the same tuples, two queries on the same instances. The column `metric` is the setting; a and
    b are the metrics of the two probes, or of a probe with the right query and with the swapped one. `kinds` and `members`
    as in `comparisons`: members of a series are a family of their own.
    """
    of_agents = kinds_of_agents(kinds, members or [])
    queries = [(probe + RIGHT, probe + SWAPPED) for probe in COLUMNS]
    return OfConditions(
        _within(metrics, list(combinations(COLUMNS, 2)), of_agents), _within(metrics, queries, of_agents)
    )


def _within(
    values: Mapping[str, pl.DataFrame], pairs: Sequence[tuple[str, str]], kinds: Mapping[str, AgentKind]
) -> pl.DataFrame:
    """Test the differences between pairs of metrics, which are named without their setting (CONTRASTS_OF_CONDITIONS)."""
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        named = [(f"{setting} {a}", f"{setting} {b}") for a, b in pairs]
        tables.append(contrast_tests(values, like, named, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)


def kinds_of_agents(kinds: Mapping[str, str], members: Collection[str] = ()) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: encoders, too, are controls. `kinds`: agent -> masked, causal or control.

    >>> kinds_of_agents({"bert": "masked", "static": "control"})
    {'bert': 'model', 'static': 'control'}
    """
    return kinds_of(kinds, [agent for agent, kind in kinds.items() if kind == "control"], members)


# Whether an agent errs on rare words (section 4).
# The frequency of a tuple is the harmonic mean of its words' frequencies (Chiang et al. 2020). The frequencies here are
# those of `wordfreq`; the paper counts words in Wikipedia and BooksCorpus. The paper compares the frequencies of right
# and wrong decisions by the Kolmogorov-Smirnov test, which takes decisions as independent. But a relation has some 2,400
# decisions on 25 tuples: where tuples differ in difficulty, the test calls nearly every relation significant. Our test
# has one value per tuple, and takes tuples that share a word as one.


PER_MILLION = 1e6
SEED, PERMUTATIONS = 1, 10_000
NOT_JUDGED = "not testable: none of its tuples was judged"
ALL_ALIKE = "not testable: all tuples are judged alike"
FEW = "not testable: fewer than three families of tuples"
FREQUENCY_TESTS: dict[Inference, str] = {
    "linked": "permutation of families of tuples",
    "clusters": "permutation of families of tuples",
    "paper": "Kolmogorov-Smirnov over decisions",
}
"""Choice of `inference` -> the test that decides whether frequency plays a role."""


def frequency(tuples: Tuples, decisions: dict[str, Decisions] | None = None) -> Frequency:
    """Compare the frequencies of the tuples that are judged rightly and wrongly, per agent and relation (section 4).

    `decisions`: agent -> those of the supervised setting, as far as there are any; only the random probes count.
    `distance` is the largest distance between two distribution functions of frequency: that of right and that of wrong
    decisions, where a family of tuples counts once, by the share of its decisions that are right. p is its chance if the
    shares are exchanged among the families at random. In the columns `paper_…` every decision counts, and it is right if
    more than half of the classifiers make it. Tuples with a word that wordfreq does not know are counted but not compared.
    A note names a relation without any decision.
    """
    family = tuples.select("relation", "head", "tail", "family").unique()
    family = family.with_columns(
        tuple=pl.format("{} : {}", "head", "tail"), tuple_frequency=_harmonic_means(family)
    ).drop("head", "tail")
    rows: list[dict[str, Any]] = []
    names = relation_names(tuples)
    for agent, table in (decisions or {}).items():
        random = table.filter(pl.col("probe").str.starts_with("random_"), pl.col("instead_of").is_null())
        with_frequency = random.join(_frequencies(random), on=["head", "tail"], how="left", maintain_order="left").join(
            family, on=["relation", "tuple"], how="left", maintain_order="left"
        )
        rows += [
            {"agent": agent, "relation": code, "name": names[str(code)], **_by_decision(part), **_by_tuple(part)}
            for (code,), part in with_frequency.group_by("relation", maintain_order=True)
        ]
    return with_holm(with_holm(pl.DataFrame(rows, schema=FREQUENCY), ["agent"]), ["agent"], "paper_p")


def _frequencies(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return the frequency of each different tuple: head, tail, frequency (per million words; null where unknown)."""
    pairs = decisions.select("head", "tail").unique(maintain_order=True)
    return pairs.with_columns(frequency=_harmonic_means(pairs))


def _harmonic_means(pairs: pl.DataFrame) -> pl.Series:
    return pl.Series([harmonic_mean(*pair) for pair in pairs.select("head", "tail").iter_rows()], dtype=pl.Float64)


def harmonic_mean(head: str, tail: str) -> float | None:
    """Return the harmonic mean of two words' frequencies per million words; None if wordfreq does not know one of them.

    >>> harmonic_mean("dog", "dog") == word_frequency.frequency("dog", language="en") * 1e6
    True
    >>> print(harmonic_mean("dog", "qxzzvk"))
    None
    """
    both = [word_frequency.frequency(word, language="en") * PER_MILLION for word in (head, tail)]
    return 2 / sum(1 / frequency for frequency in both) if all(both) else None


def _by_decision(decisions: pl.DataFrame) -> dict[str, Any]:
    """Return the paper's columns of FREQUENCY for one relation."""
    judged = decisions.drop_nulls("value")
    compared = judged.drop_nulls("frequency")
    right = compared.filter(pl.col("value") > 0.5)["frequency"]
    wrong = compared.filter(pl.col("value") <= 0.5)["frequency"]
    test = kolmogorov_smirnov(right.to_numpy(), wrong.to_numpy())
    return {
        "right": len(right),
        "wrong": len(wrong),
        "unknown": judged.height - compared.height,
        "median_right": right.median(),
        "median_wrong": wrong.median(),
        "paper_effect": test.effect,
        "paper_p": test.p,
        "paper_note": NOT_JUDGED if judged.is_empty() else test.note,
    }


def _by_tuple(decisions: pl.DataFrame) -> dict[str, Any]:
    """Return our columns of FREQUENCY for one relation."""
    judged = decisions.drop_nulls("value")
    mean = ordered_mean("value")
    by_tuple = judged.drop_nulls("tuple_frequency").group_by("tuple", "family", "tuple_frequency").agg(mean)
    by_family = (
        by_tuple.group_by("family").agg(mean, frequency=ordered_mean(pl.col("tuple_frequency").log())).sort("family")
    )
    shares, frequencies = by_family["value"].to_numpy(), by_family["frequency"].to_numpy()
    columns = {"tuples": by_tuple.height, "clusters": by_family.height, "distance": None, "p": None}
    if by_family.height < 3:
        return {**columns, "note": NOT_JUDGED if judged.is_empty() else FEW}
    if np.ptp(np.round(shares, 9)) == 0:
        return {**columns, "note": ALL_ALIKE}
    distance, p = permutation_test(shares, frequencies)
    return {**columns, "distance": distance, "p": p, "note": None}


def permutation_test(shares: Values, frequencies: Values) -> tuple[float, float]:
    """Return the distance between the frequencies of what is judged rightly and wrongly, and its p by permutation.

    `shares`: the share of right decisions of each family, (families,), which are not all equal; `frequencies`: theirs.

    Two are judged rightly, and they are the rarest of four: 2 of the 4! / (2! 2!) = 6 orders are as far apart.

    >>> distance, p = permutation_test(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    >>> distance, abs(p - 2 / 6) < 0.02
    (1.0, True)
    """
    order = np.argsort(frequencies, kind="stable")
    last = np.flatnonzero(np.diff(frequencies[order], append=np.inf))  # the last family of each frequency
    sorted_shares = shares[order]
    orders = np.random.default_rng(SEED).permuted(np.tile(sorted_shares, (PERMUTATIONS, 1)), axis=1)
    distance = float(distances(sorted_shares[None], last)[0])
    return distance, null_p(distance, distances(orders, last))


def distances(shares: Values, last: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Values:
    """Return the largest distance between the distribution functions that are weighted by shares and by 1 - shares.

    `shares`: (k, families), each row in the order of frequency; `last`: the places at which the functions are compared.

    >>> distances(np.array([[1.0, 0.5, 0.0]]), np.array([0, 1, 2])).round(3).tolist()  # at the first: 1/1.5 and 0/1.5
    [0.667]
    """
    right, wrong = (np.cumsum(part, axis=1) / part.sum(axis=1, keepdims=True) for part in (shares, 1 - shares))
    largest: Values = np.abs(right - wrong)[:, last].max(axis=1)
    return largest


def frequency_summary(tests: Frequency, inference: Inference) -> pl.DataFrame:
    """Return per agent in how many relations frequency plays no significant role (p > 0.05), and in which it does.

    `inference` chooses the test. A relation without a test counts in neither, for example one whose
    tuples were all judged rightly.
    """
    p = pl.col("paper_p" if inference == "paper" else "p")
    return tests.group_by("agent", maintain_order=True).agg(
        test=pl.lit(FREQUENCY_TESTS[inference]),
        relations=pl.len(),
        tested=p.is_not_null().sum(),
        without_effect=(p > 0.05).sum(),
        share_without_effect=(p > 0.05).mean(),
        with_effect=pl.col("name").filter(p <= 0.05).str.join(", "),
    )


# Our values of the figures that the paper prints, under the names of resources/published/analogies.csv.


def published_figures(
    averages: Averages, frequency: Frequency, published: Published | None = None, *, inference: Inference
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `inference` chooses the test that decides about frequency.

    `published`: none on own analogies, where nothing is put beside.
    """
    return compare_published(published, ours(averages, frequency_summary(frequency, inference)))


def ours(averages: Averages, frequency: pl.DataFrame) -> pl.DataFrame:
    """Return every accuracy of the averages in per cent, per group or relation and agent (OURS).

    `frequency`: that of frequency_summary, whose shares are of the relations that could be tested; they become per cent too.
    """
    units = {metric.name: metric.items for metric in MEASURES}
    accuracy = average_values(averages, units, pl.format("{} (%)", "metric"), "condition", 100)
    share = frequency.select(
        quantity=pl.lit("relations where frequency plays no role (%)"),
        agent="agent",
        ours=100 * pl.col("share_without_effect").cast(pl.Float64),
        n="tested",
        units=pl.lit("relations"),
    )
    return pl.concat([accuracy, figures(share)])


# What the choices about negative tuples change: the accuracies of static vectors under each choice and the other one.


OTHERS: Mapping[str, tuple[Any, Any, tuple[str, ...]]] = {
    "random": ("positive", "query", ("random",)),
    "reverse": ("random", "own", ("reverse",)),
    "type": ("positive", "printed", ("type",)),
    "filter": (True, False, COLUMNS),
}
"""Choice -> its two settings, and the probes that it concerns."""
AGENT = "static"


def sensitivity(pairs: Analogies, vectors: Vectors, split: Split, choices: Choices) -> ShownTable:
    """Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.

    The columns are those of SENSITIVITY. The setting is the unsupervised one, and `choices` are those of the study. The
    means are over the tuples of a group, as in Table 1. Static vectors are the one agent whose answers need no scoring by a
    network.
    """
    table = tuples(pairs, None, split)
    usual = _accuracies(pairs, table, vectors, split, choices)
    rows = []
    for name, (first, second, probes) in OTHERS.items():
        here = getattr(choices, name)
        other = second if here == first else first
        setting = Setting(name, _text(here), _text(other))
        values = _accuracies(pairs, table, vectors, split, replace(choices, **{name: other}))
        rows += [
            settings.row(setting, Mean(value), Mean(values[probe, group]), probe=probe, group=group, agent=AGENT)
            for (probe, group), value in usual.items()
            if probe in probes and (probe, group) in values
        ]
    return settings.table(rows, SENSITIVITY)


def _text(setting: object) -> str:
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _accuracies(
    analogies: Analogies, table: Tuples, vectors: StaticVectors, split: Split, choices: Choices
) -> dict[tuple[str, str], float]:
    """Return the mean accuracy of each probe and group, and over all relations."""
    built = instances(table, analogies, None, split.seed, choices)
    of_pairs = pl.DataFrame(vector_table(list(differences(pairs_of(built), vectors)))).drop_nulls("vector")
    judged = [
        by_features(rows, PairFeatures(of_pairs.filter(relation=relation)))
        for (relation,), rows in built.group_by("relation", maintain_order=True)
        if of_pairs.filter(relation=relation).height
    ]
    if not judged:
        return {}
    groups = [*group_order(table["group"]), ALL]
    names = {f"unsupervised {probe}": probe for probe in COLUMNS}
    means = (
        metrics(pl.concat(judged), table)
        .filter(pl.col("metric").is_in(list(names)) & pl.col("condition").is_in(groups))
        .group_by("metric", "condition", maintain_order=True)
        .agg(ordered_mean("value"))
    )
    value = {(names[metric], group): mean for metric, group, mean in means.iter_rows()}
    return {(probe, group): value[probe, group] for probe in COLUMNS for group in groups if (probe, group) in value}


# The layers of models as series: how well classifiers tell analogies from look-alikes after each of them.


READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets: a classifier judges as many positive tuples as negative ones."""


def layers(
    layered: dict[str, LayerMetrics],
    averages: Averages,
    metrics: dict[str, Metrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average the accuracy of the classifiers after each layer, and test it over all relations (`layer_tables`).

    `metrics`: of the controls; `averages`: of all agents.
    """
    declared = by_name(MEASURES)
    measures = [replace(declared[SUPERVISED + probe], name=probe) for probe in COLUMNS]
    controls = {agent: classifier_values(table) for agent, table in (metrics or {}).items()}
    chance = dict.fromkeys(COLUMNS, CHANCE)
    beside = classifier_values(averages)
    return layer_tables(
        layered, controls, beside, measures, tested=[ALL], chance=chance, reader=READER, targets=targets
    )


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between and within agents, frequencies, and the tables that are shown of these."""

    averages: Averages
    tests: Tests
    contrasts: Contrasts
    swapped: Contrasts
    frequency: Frequency
    tables: ShownTables


def compare(
    metrics: dict[str, Metrics],
    tuples: Tuples,
    decisions: dict[str, Decisions] | None = None,
    controls: dict[str, Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    published: Published | None = None,
    *,
    targets: Literal["common", "own"],
    kinds: dict[str, str],
    members: list[str] | None = None,
    inference: Inference,
    declared: list[list[str]] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents, test their errors, and put the figures that the paper prints beside ours.

    `decisions`: those of the supervised setting. `controls`: the metrics of static vectors, and `layered`: those after each
    layer of an agent, where there are such agents. `declared`: the pairs of agents that the configuration declares.
    """
    means = averages(metrics, targets=targets)
    tests = comparisons(metrics, kinds=kinds, members=members, declared=declared or [])
    within = contrasts(metrics, kinds=kinds, members=members)
    rare = frequency(tuples, decisions)
    printed = {"published": published_figures(means, rare, published, inference=inference)}
    of_layers = layers(layered, means, controls, targets=targets) if layered else {}
    return ComparisonTables(means, tests, within.probes, within.queries, rare, {**printed, **of_layers})
