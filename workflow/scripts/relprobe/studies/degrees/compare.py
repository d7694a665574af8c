"""The agents side by side: averages, tests, the noise ceiling, and the figures that the paper prints."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.files import Parquet, ShownTable, ShownTables
from relprobe.core.metric import Metric
from relprobe.core.sums import ordered_mean
from relprobe.report.published import Published, average_values, compare_published, figures
from relprobe.sources.semeval2012 import Subcategory
from relprobe.stats import Values, mean_intervals, spearman
from relprobe.stats.averages import SEED
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.ceiling import Ceiling, Mask, split_half
from relprobe.stats.comparisons import Declared, contrast_tests, paired_tests
from relprobe.stats.schemas import TESTS, AgentKind, Averages, Inference, Tests
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.degrees.data import Relations
from relprobe.studies.degrees.measure import COUNTED, HEADLINES, MEASURED, MEASURES, WITHOUT
from relprobe.studies.degrees.schemas import (
    BEST_RATERS,
    CEILING,
    DIFFERENCES,
    DIFFICULTY,
    SPREAD,
    TRAINING,
    Ceilings,
    Gold,
    LayerMetrics,
    Metrics,
)

# Averages, tests between raters, and the choice of a rater on the training data, from the metrics of all agents.


TEST = "test"
"""The condition of all test subcategories together."""
ALL_MODELS = "all models"
TEST_METRICS = tuple(metric.name for metric in MEASURES if metric.test is not None)
"""The metrics in which agents are tested against each other, and by which a rater is chosen."""


def model_of(agent: str) -> str | None:
    """Return the model of an agent, or None for a baseline.

    >>> model_of("smollm2-135m schema"), model_of("random")
    ('smollm2-135m', None)
    """
    return agent.rpartition(" ")[0] or None


def rater_of(agent: str) -> str:
    """Return the rater of an agent; the rater of a baseline is the baseline's name.

    >>> rater_of("smollm2-135m schema"), rater_of("random")
    ('schema', 'random')
    """
    return agent.rpartition(" ")[2]


def by_agent(metrics: Iterable[Metrics]) -> dict[str, pl.DataFrame]:
    """Return agent -> values of some tables, with the test subcategories also under the condition "test"."""
    parts = with_test(pl.concat(metrics)).partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    return {str(agent): part for (agent,), part in parts.items()}


def with_test(table: pl.DataFrame) -> pl.DataFrame:
    """Return values with those of the test subcategories under the condition "test", too."""
    return pl.concat([table, table.filter(pl.col("condition") != TRAINING).with_columns(condition=pl.lit(TEST))])


def kinds_of(values: Mapping[str, pl.DataFrame]) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: a baseline is a control."""
    return {agent: "control" if model_of(agent) is None else "model" for agent in values}


def averages(metrics: list[Metrics], *, targets: Literal["common", "own"] = "common") -> Averages:
    """Average the metrics of every agent, per relation class, over all test and over the training subcategories.

    `targets`: the subcategories of the study (common), or those that each agent has (own). All agents are asked all of
    them, so that the two differ in no average; `own_units` marks an agent that lacks some. The row "reversal_rmse" (Table
    6) holds the square roots of the average "reversal_error" and of its bounds. The rows "significant_05" and
    "significant_01" count the subcategories whose two-sided p is below 0.05 and 0.01 (Table 3), and "negative_05" those
    with p below 0.05 and a negative rho: the share of subcategories and its bounds, times their number.
    """
    without_p = ~pl.col("metric").is_in(["p", f"p{WITHOUT}"])
    values = {agent: table.filter(without_p) for agent, table in by_agent(metrics).items()}
    plain = _within_bounds(averages_of(values, MEASURES, targets=targets))
    errors = plain.filter(metric="reversal_error").with_columns(
        pl.col("value", "low", "high").sqrt(), metric=pl.lit("reversal_rmse")
    )
    rest = plain.filter(pl.col("metric") != "reversal_error")
    factor = pl.when(pl.col("metric").is_in([name + pairs for name in COUNTED for pairs in ("", WITHOUT)]))
    counts = rest.with_columns((pl.col("value", "low", "high") * factor.then("units").otherwise(1)).round(9))
    return pl.concat([counts, errors])


def _within_bounds(table: pl.DataFrame) -> pl.DataFrame:
    """End the intervals of a table (AVERAGES), which few subcategories make wide, where the values of the metric end."""
    name = pl.col("metric").str.split("_").list.first()
    ends = {"rho": (-1.0, 1.0), "maxdiff": (0.0, 100.0), "least": (0.0, 100.0), "most": (0.0, 100.0)}
    ends["p"] = (0.0, 1.0)
    least, most = (
        name.replace_strict({key: end[place] for key, end in ends.items()}, default=other, return_dtype=pl.Float64)
        for place, other in ((0, 0.0), (1, None))
    )
    known = pl.when(pl.col("low").is_not_null())
    ended = {"low": pl.max_horizontal("low", least), "high": pl.min_horizontal("high", most)}
    return table.with_columns(**{bound: known.then(value) for bound, value in ended.items()})


def comparisons(metrics: list[Metrics], *, members: list[str] | None = None, declared: Declared = ()) -> Tests:
    """Test the differences between agents over the test subcategories: the raters of each model, and each rater's models.

    The baselines stand beside the raters of every model. The condition is the model or the rater that the agents share.
    `members`: the checkpoints that are not the last of their series, which are not compared with other models.
    `declared`: the pairs of models that the configuration declares; they stand for all raters that both have.
    """
    values, earlier = by_agent(metrics), members or []
    groups: dict[str, list[str]] = {}
    for agent in values:
        if (model := model_of(agent)) is not None:
            groups.setdefault(model, []).append(agent)
            groups.setdefault(rater_of(agent), []).append(agent)
    models = {model_of(agent) for agent in values} - {None}
    baselines = [agent for agent in values if model_of(agent) is None]
    compared = {
        shared: own + baselines if shared in models else [agent for agent in own if model_of(agent) not in earlier]
        for shared, own in groups.items()
    }
    raters = {rater_of(agent) for agent in values}
    of_raters = [[f"{model} {rater}" for model in pair] for pair in declared for rater in sorted(raters)]
    # Families are of one call: earlier checkpoints make the p of the others no larger.
    tables = [
        _tests(
            values, {shared: agents for shared, agents in compared.items() if (shared in earlier) is early}, of_raters
        )
        for early in (False, True)
    ]
    conditions = pl.col("condition").cast(pl.Enum(list(groups)))
    return pl.concat(tables).sort(conditions, maintain_order=True)


def _tests(values: Mapping[str, pl.DataFrame], compared: Mapping[str, Sequence[str]], declared: Declared = ()) -> Tests:
    """Compare the agents that share something (TESTS), which is the condition. `declared`: pairs of agents."""
    rows: dict[str, list[pl.DataFrame]] = {}
    for shared, agents in compared.items():
        for agent in agents if len(agents) > 1 else ():
            rows.setdefault(agent, []).append(_test_rows(values[agent], shared))
    if not rows:
        return pl.DataFrame(schema=TESTS)
    order = sorted(rows, key=lambda agent: (model_of(agent) is None, list(values).index(agent)))  # baselines come last
    ordered = {agent: pl.concat(rows[agent]) for agent in order}
    return paired_tests(ordered, MEASURES, kinds=kinds_of(ordered), declared=declared)


def _test_rows(table: pl.DataFrame, condition: str) -> pl.DataFrame:
    """Return the values of the tested metrics on the test subcategories under another condition."""
    return table.filter(pl.col("metric").is_in(TEST_METRICS), condition=TEST).with_columns(condition=pl.lit(condition))


def differences(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare all pairs with those without reversals within every agent, over the test subcategories (DIFFERENCES).

    An agent that tells reversed pairs from others agrees better on all pairs (Table 5). `a` and `b` are the metrics.
    """
    test = {agent: table.filter(condition=TEST) for agent, table in values.items()}
    tables = [
        contrast_tests(test, Metric(name), [(name, name + WITHOUT)], "metric", ["condition"], kinds=kinds_of(values))
        for name in HEADLINES
    ]
    return pl.concat(tables).select(list(DIFFERENCES))


def choices(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Choose the best rater on the training subcategories, for each model and among all agents of all models (CHOICES).

    The gain of the choice is cross-validated: each training subcategory is rated by the agent that is best on the others,
    and the value is compared with the mean of all agents. The test subcategories take no part in the choice.
    """
    models: dict[str, list[str]] = {}
    for agent, table in values.items():
        # An agent that answers MaxDiff questions has no ratings, and is no rater to choose.
        if (model := model_of(agent)) is not None and not table.filter(metric="rated").is_empty():
            models.setdefault(model, []).append(agent)
    groups = models | (
        {ALL_MODELS: [agent for agents in models.values() for agent in agents]} if len(models) > 1 else {}
    )
    rows = [
        row
        for among, agents in groups.items()
        for metric in TEST_METRICS
        if (row := _choice(among, metric, {agent: values[agent] for agent in agents})) is not None
    ]
    return pl.DataFrame(rows, schema=BEST_RATERS)


def _choice(among: str, metric: str, values: Mapping[str, pl.DataFrame]) -> dict[str, object] | None:
    """Return a row of CHOICES; None if fewer than three training subcategories are rated by all agents."""
    training, test = (_matrix(values, metric, condition) for condition in (TRAINING, TEST))
    if len(training) < 3:
        return None
    agents = list(values)
    best = int(training.mean(axis=0).argmax())
    rest = (training.sum(axis=0) - training) / (len(training) - 1)  # agents' means over all other subcategories
    held_out = training[np.arange(len(training)), rest.argmax(axis=1)]
    gain = held_out - training.mean(axis=1)
    (interval,) = mean_intervals(gain[:, None], np.ones((len(gain), 1)), SEED)
    return {
        "among": among,
        "metric": metric,
        "chosen": agents[best],
        "training": float(training[:, best].mean()),
        "cross_validated": float(held_out.mean()),
        "mean_training": float(training.mean()),
        "gain": float(gain.mean()),
        "gain_low": interval.low,
        "gain_high": interval.high,
        "test": float(test[:, best].mean()) if len(test) else None,
        "mean_test": float(test.mean()) if len(test) else None,
    }


def _matrix(
    values: Mapping[str, pl.DataFrame], metric: str, condition: str
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the values (subcategories, agents) of the subcategories that all agents have a value of."""
    columns = [
        table.filter(metric=metric, condition=condition).select("unit", pl.col("value").alias(agent))
        for agent, table in values.items()
    ]
    wide = columns[0]
    for column in columns[1:]:
        wide = wide.join(column, on="unit", how="inner", maintain_order="left")
    return wide.drop("unit").to_numpy()


# How well people agree on a subcategory: the noise ceiling of the agents' agreement with them.
# The package does not say which person gave an answer, so that the answers to each question are split by themselves. Own
# ratings are split pair by pair.


DRAWS = 100
"""Random halves of a subcategory: their mean correlation moves by about 0.003 between seeds."""


def ceiling(relations: Relations, *, seed: int) -> Ceilings:
    """Measure how well people agree on every subcategory, with and without the reversed pairs. `seed` is of the halves."""
    rows = [row for one in relations for row in _ceiling_rows(one, seed)]
    return pl.DataFrame(rows, schema=CEILING, orient="row")


def _ceiling_rows(one: Subcategory, seed: int) -> Iterator[tuple[object, ...]]:
    condition = TRAINING if one.training else one.relation_class
    for reversals in (True, False):
        pairs = [pair for pair in one.pairs if reversals or pair not in one.reversals]
        halves = (_split_ratings if one.ratings else _split_half)(one, pairs, seed)
        maxdiff = one_against_the_others(_counts(one, pairs))
        yield one.id, condition, reversals, len(pairs), *halves, None if np.isnan(maxdiff) else 100 * maxdiff


def _split_half(one: Subcategory, pairs: Sequence[str], seed: int) -> tuple[object, ...]:
    """Return the columns people to note of CEILING."""
    column = {pair: number for number, pair in enumerate(pairs)}
    question = {pairs: number for number, pairs in enumerate(one.questions)}
    shown, chosen = (np.zeros((len(one.answers), len(pairs))) for _ in range(2))
    for row, answer in enumerate(one.answers):
        for pair in column.keys() & set(answer.question):
            shown[row, column[pair]] = 1
            chosen[row, column[pair]] = (answer.most == pair) - (answer.least == pair)

    def prototypicality(mask: Mask) -> Values:
        count = mask.astype(float) @ shown
        rating: Values = np.divide(
            mask.astype(float) @ chosen, count, out=np.full(count.shape, np.nan), where=count > 0
        )
        return rating

    groups = np.array([question[answer.question] for answer in one.answers])
    return _columns(split_half(prototypicality, groups, seed, draws=DRAWS, ranks=True))


def _split_ratings(one: Subcategory, pairs: Sequence[str], seed: int) -> tuple[object, ...]:
    """Return the columns people to note of CEILING for ratings of people, whose means are the gold ratings."""
    groups = np.array([number for number, pair in enumerate(pairs) for _ in one.ratings[pair]])
    values = np.array([value for pair in pairs for value in one.ratings[pair]])
    of_pair = groups[:, None] == np.arange(len(pairs))

    def means(mask: Mask) -> Values:
        counts = mask.astype(float) @ of_pair
        sums = (mask * values) @ of_pair
        rating: Values = np.divide(sums, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
        return rating

    return _columns(split_half(means, groups, seed, draws=DRAWS, ranks=True))


def _columns(agreement: Ceiling) -> tuple[object, ...]:
    """Return the columns people to note of CEILING."""
    reliability = agreement.reliability
    ceiling = None if reliability is None else max(reliability, 0.0) ** 0.5
    return agreement.people, agreement.split_half, reliability, ceiling, agreement.note


def _counts(one: Subcategory, pairs: Sequence[str]) -> NDArray[np.int64]:
    """Return how many people chose each option, (2 × questions, 4): least, then most illustrative.

    Only questions about `pairs` alone count.
    """
    questions = [question for question in one.questions if set(question) <= set(pairs)]
    counts = np.zeros((2, len(questions), 4), dtype=np.int64)
    row = {question: number for number, question in enumerate(questions)}
    for answer in one.answers:
        if answer.question in row:
            for side, choice in enumerate((answer.least, answer.most)):
                if choice:
                    counts[side, row[answer.question], answer.question.index(choice)] += 1
    return counts.reshape(-1, 4)


def one_against_the_others(counts: NDArray[np.int64]) -> float:
    """Return how often one person's choice is that of the majority of the others, as the task scores an agent's choice.

    `counts`: how many people chose each option, (questions, options). Any choice counts that ties for the majority of the
    others. Questions that fewer than two people answered do not count; NaN if there is no other.

    Of three people two chose the first option. Each of these two sees the others tie, and so is right; the third is wrong.

    >>> round(one_against_the_others(np.array([[2, 1, 0], [1, 0, 0]])), 3)
    0.667
    """
    answered = counts[counts.sum(axis=1) > 1]
    right = 0
    for option in range(counts.shape[1]):
        others = answered.copy()
        others[:, option] -= 1
        right += int((answered[:, option] * (others[:, option] == others.max(axis=1))).sum())
    return right / int(answered.sum()) if len(answered) else float("nan")


def mean_ceiling(ceilings: Ceilings, conditions: Sequence[str], *, reversals: bool) -> dict[str, float | None]:
    """Return the means of a table over the subcategories of some conditions: split_half, ceiling, annotator_maxdiff.

    `reversals`: whether the reversed pairs take part.
    """
    rows = ceilings.filter(pl.col("condition").is_in(list(conditions)), reversals=reversals)
    return rows.select(ordered_mean(pl.col("split_half", "ceiling", "annotator_maxdiff"))).row(0, named=True)


# What makes a subcategory hard (section 6): the spread of its gold ratings, and what a reversal costs a pair.


MEAN = "mean of the agents"
SPREADS = {"range": "range of the gold ratings", "deviation": "standard deviation of the gold ratings"}
"""Column of DIFFICULTY -> what the agents' rho is correlated with."""


def difficulty(gold: Gold, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the spread of the gold ratings, the drop of reversed pairs, and the agents' mean rho (DIFFICULTY).

    `values`: agent -> its values, as `analyses.by_agent` gives them. `drop` is how many ranks a reversed pair
    lies below the pair that it reverses, by people's ratings: the mean over the reversed pairs of the subcategory, with ties
    at their mean rank. The agent random does not count in the mean rho. The largest drop comes first.
    """
    rhos = _rhos(values).group_by("subcategory").agg(mean_rho=ordered_mean("value"))
    rows = [_difficulty(part) for _, part in gold.group_by("subcategory", maintain_order=True)]
    table = pl.DataFrame(rows, schema={name: kind for name, kind in DIFFICULTY.items() if name != "mean_rho"})
    joined = table.join(rhos, on="subcategory", how="left", maintain_order="left")
    return joined.sort("drop", descending=True, nulls_last=True, maintain_order=True).select(list(DIFFICULTY))


def _difficulty(pairs: pl.DataFrame) -> dict[str, object]:
    first = pairs.row(0, named=True)
    ratings = pairs["rating"]
    drops = rank_drops(pairs)
    return {
        "subcategory": first["subcategory"],
        "name": first["name"],
        "condition": TRAINING if first["training"] else first["relation_class"],
        "pairs": pairs.height,
        "reversed": len(drops),
        "drop": sum(drops) / len(drops) if drops else None,
        "range": ratings.max() - ratings.min(),  # type: ignore[operator]
        "deviation": ratings.std(),
    }


def rank_drops(pairs: pl.DataFrame) -> list[float]:
    """Return, for each reversed pair of a subcategory (GOLD), how many ranks it lies below the pair that it reverses.

    The ratings 9, 5, 1 have the ranks 3, 2, 1, so that b:a lies two ranks below a:b:

    >>> rank_drops(pl.DataFrame({"pair": ["a:b", "c:d", "b:a"], "reverses": [None, None, "a:b"], "rating": [9, 5, 1]}))
    [2.0]
    """
    rank = dict(zip(pairs["pair"], pairs["rating"].rank(), strict=True))
    both = pairs.drop_nulls("reverses").select("pair", "reverses").iter_rows()
    return [float(rank[original] - rank[pair]) for pair, original in both if original in rank]


def correlate_with_spread(table: pl.DataFrame, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Correlate the agents' rho with the spread of the gold ratings over the test subcategories (SPREAD).

    `table`: DIFFICULTY. The paper finds no correlation, neither with the range nor with the standard deviation.
    """
    rhos = _rhos({agent: rows.filter(condition=TEST) for agent, rows in values.items()})
    means = rhos.group_by("subcategory").agg(ordered_mean("value")).with_columns(agent=pl.lit(MEAN))
    every = pl.concat([means.select(rhos.columns), rhos]).join(table, on="subcategory", how="inner")
    rows = []
    for (agent,), part in every.group_by("agent", maintain_order=True):
        for column, name in SPREADS.items():
            known = part.drop_nulls(column).sort("subcategory")
            test = spearman(known["value"].to_numpy(), known[column].to_numpy())
            rows.append((agent, name, test.n, test.effect, test.p, test.note))
    return pl.DataFrame(rows, schema=SPREAD, orient="row")


def _rhos(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return agent, subcategory and rho of all agents but random, each subcategory once."""
    tables = [
        rows.filter(metric="rho")
        .unique("unit", maintain_order=True)
        .select(pl.lit(agent).alias("agent"), "value", subcategory="unit")
        for agent, rows in values.items()
        if agent != "random"
    ]
    schema = {"agent": pl.String(), "value": pl.Float64(), "subcategory": pl.String()}
    return pl.concat(tables) if tables else pl.DataFrame(schema=schema)


# The layers of models as series: how well the rater `hidden` agrees with people after each of them.


READER = "the rater hidden, by cosines of offsets"
"""What reads the states of a layer."""
CHANCE = {"rho": 0.0, "rho_without_reversals": 0.0}
"""What random ratings get. Of MaxDiff it depends on the ties of people's choices, so that it has no half-depth."""


def layers(
    layered: dict[str, LayerMetrics],
    metrics: list[Metrics],
    averages: Averages,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average and test the agreement after each layer (`layer_tables`), over the test subcategories.

    `metrics`: of the baselines, which are the controls; `averages`: of all agents. A class of relations has averages alone.
    """
    values = {agent: with_test(table) for agent, table in layered.items()}
    measures = [metric for metric in MEASURES if metric.name in MEASURED]
    columns = ["metric", "condition", "unit", "cluster", "value"]
    controls = {agent: table.select(columns) for agent, table in by_agent(metrics).items()} if metrics else {}
    return layer_tables(
        values, controls, averages, measures, tested=[TEST], chance=CHANCE, reader=READER, targets=targets
    )


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, the tests between them, how well people agree, and the tables of layers."""

    averages: Averages
    tests: Tests
    ceiling: Ceilings
    tables: ShownTables | None = None


def compare(
    metrics: list[Metrics],
    relations: Relations,
    controls: list[Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    targets: Literal["common", "own"] = "common",
    members: list[str] | None = None,
    declared: list[list[str]] | None = None,
    seed: int,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and measure how well people agree.

    `controls`: the metrics of the baselines, and `layered`: those after each layer of an agent, where there are such agents.
    `declared`: the pairs of models that the configuration declares.
    """
    means = averages(metrics, targets=targets)
    of_layers = layers(layered, controls or [], means, targets=targets) if layered else None
    tests = comparisons(metrics, members=members, declared=declared or [])
    return ComparisonTables(means, tests, ceiling(relations, seed=seed), of_layers)


# Our values of the figures that Jurgens et al. print, under the names of resources/published/degrees.csv.


QUANTITIES = {
    "rho": "Spearman's rho",
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "maxdiff": "MaxDiff accuracy",
    "rho_without_reversals": "Spearman's rho without reversals",
    "reversal_rmse": "RMSE of reversals",
}
"""Metric -> what the published figures call it."""
ITEMS = {metric.name: metric.items for metric in MEASURES}
UNITS = ITEMS | {"reversal_rmse": ITEMS["reversal_error"]}
"""Metric -> what its average is over."""
DROP = ("rank of the drop by reversal", "rank of the drop by reversal, from the smallest")
SPREAD_QUANTITY = "correlation of difficulty with the {} (1: p < 0.05; 0: not)"
ALPHA = 0.05
UNCORRECTED, CORRECTED = "subcategories where an agent has p < {}", "subcategories where an agent has p_holm < {}"


def published_figures(
    averages: Averages,
    data: Parquet,
    difficulty: Parquet,
    spread: Parquet,
    published: Published | None = None,
    *,
    inference: Inference,
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `inference`: by which test subcategories are significant.

    `difficulty`, `spread`: the tables of these names. `published`: none on own data, where nothing is put beside.
    """
    return compare_published(
        published, pl.concat([ours(averages, data, inference), *section_6_values(difficulty, spread)])
    )


def ours(averages: Averages, data: pl.DataFrame, inference: Inference) -> pl.DataFrame:
    """Return the averages over the test subcategories and their classes, and the size of the data (OURS).

    `inference`: with "paper" a subcategory counts as significant as in the paper; else by the pairs without reversals, as a
    pair and its reversal are not independent, and an agent's p is adjusted for the number of agents.
    """
    names = {name: name for name in QUANTITIES}
    if inference != "paper":
        names |= {name: f"{name}_without_reversals" for name in QUANTITIES if name.startswith("significant")}
        data = data.filter(~pl.col("quantity").str.starts_with(UNCORRECTED.format(""))).with_columns(
            pl.col("quantity").str.replace(CORRECTED.format(""), UNCORRECTED.format(""), literal=True)
        )
    quantities = {ours: QUANTITIES[name] for name, ours in names.items()}
    rows = averages.filter(pl.col("metric").is_in(list(quantities)))
    condition = pl.when(pl.col("condition") != TEST).then("condition")
    means = average_values(rows, UNITS, pl.col("metric").replace(quantities), condition)
    sizes = figures(data.select(quantity="quantity", ours="value"))
    return pl.concat([means, sizes])


def section_6_values(difficulty: pl.DataFrame, spread: pl.DataFrame) -> list[pl.DataFrame]:
    """Return what section 6 finds: what a reversal costs most and least, and what difficulty goes with (OURS).

    >>> hard = pl.DataFrame({"name": ["Sequence", "Part", "Contrary"], "drop": [32.5, 9.0, -0.8]})
    >>> flat = pl.DataFrame({"agent": [MEAN], "spread": ["range of the gold ratings"], "p": [0.4], "subcategories": [69]})
    >>> most, least, of_spread = section_6_values(hard, flat)
    >>> most["ours"].to_list(), least["ours"].to_list(), of_spread["ours"].to_list()
    ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0])
    """
    known = difficulty.drop_nulls("drop")
    ranks = [
        known.select(quantity=pl.lit(name), condition="name", agent=pl.lit(None, pl.String), ours=rank)
        for name, rank in zip(DROP, (pl.col("drop").rank("min", descending=up) for up in (True, False)), strict=True)
    ]
    tested = spread.filter(agent=MEAN).drop_nulls("p")
    related = tested.select(
        quantity=pl.format(SPREAD_QUANTITY, "spread"),
        condition=pl.lit(None, pl.String),
        agent=pl.lit(None, pl.String),
        ours=(pl.col("p") < ALPHA).cast(pl.Float64),
        n="subcategories",
        units=pl.lit("subcategories"),
    )
    return [figures(table) for table in (*ranks, related)]
