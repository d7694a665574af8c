"""Tests of the difference between two agents, and between two conditions of one agent, on the units that both have.

The tables of values are those of stats/averages.py.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats import Interval, TestResult, Values, mcnemar, too_few, wilcoxon, with_benjamini_hochberg, with_holm
from relprobe.stats.averages import crossed_of, declared_metrics, wider
from relprobe.stats.chance_levels import expectations
from relprobe.stats.controls import comparable
from relprobe.stats.families import ALPHA, with_detectable
from relprobe.stats.item_tests import NOISE, all_notes, dependence, item_tests, within_span
from relprobe.stats.notes import join_notes
from relprobe.stats.results import DECIMALS
from relprobe.stats.samples import Sample, Tables, item_means, samples
from relprobe.stats.schemas import CONTRASTS, DECLARED, SAME, TESTS, AgentKind, with_groups

PAPER_TESTS: dict[str, Callable[[Values, Values], TestResult]] = {"McNemar": mcnemar, "Wilcoxon": wilcoxon}
"""The name of a test in a Metric -> the function that computes it."""
WHOLE = ("metric", "contrast", "k")
"""What tests under several conditions have in common if one sentence counts them. k is a cut-off of the answers."""
ONE_PROMPT = "one prompt: how much another prompt would change is not known"
TOO_SMALL = "no detectable difference: none that can be is found in 80 of 100 such studies"
"""The note of a test in a sample that is too small, whatever the agents are."""
Declared = Sequence[Sequence[str]]
"""Pairs of agents."""
AT_ONCE = 16
"""The number of pairs whose values are held at once."""
ADJUSTED = {
    **{"p_holm": "p", "p_holm_all": "p", "p_bh": "p", "cluster_p_holm": "cluster_p", "paper_p_holm": "paper_p"},
    **dict.fromkeys(("family_size", "detectable", "detectable_all"), ""),
}
"""The columns that depend on the other tests of a family, and the p that an adjusted one is made of."""
Pair = tuple[int, int]
"""The columns of two agents or conditions in a Sample."""


def paired_tests(
    values: Mapping[str, pl.DataFrame],
    metrics: Iterable[Metric],
    groups: Sequence[str] = ("condition",),
    *,
    kinds: Mapping[str, AgentKind] | None = None,
    absent: bool = False,
    links: Tables | None = None,
    declared: Declared = (),
) -> pl.DataFrame:
    """Compare the pairs of agents per metric and group, on the units that both have (TESTS).

    Controls are compared with other agents, and not with each other (`controls.comparable`).

    Where items are linked (`links`, as in `samples.samples`), p and the interval of the difference are those of
    stats.linked. If at most 15 clusters differ, p is at least that of the sign-flip test over them. Where nothing is linked,
    p is that of the sign-flip test over clusters (`stats.sign_flip`), and the interval that of a bootstrap over clusters
    (`stats.mean_intervals`); both take the values of a cluster as one observation. Two other tests stand beside ours: sign
    flips over clusters (`cluster_p`) and the paper's (`paper_…`), which takes the units as independent. Where the metric
    names a crossed factor, such as prompts, it is a sample as well, in p and the interval (`stats.crossed_mean`). p-values
    are adjusted within `family` and `family_of`, per metric and group: those of each agent with people, with pooled people,
    and with controls are a family each, and so is each pair of models, but for the `declared` ones, which are one family
    together. So no third model changes what is said of two. Two agents with equal values in all units have the note
    SAME, and their test counts in no family. Neither does a test count twice, of two agents with equal values and a third
    one. `kinds`: agent -> model, person, pooled or control; without it all agents are models. A metric without a test has no
    rows. An agent that has the metric, but no value in a group, has no rows there or, with `absent`, rows that say so. The
    order of the rows, `groups` and the ValueError are as in `averages`.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", "noun", unit, 1.0) for unit in ("robin", "wall", "tree")]
    >>> a = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> table = paired_tests({"a": a, "b": a.with_columns(value=0.0)}, [Metric("right", test="McNemar")])
    >>> table.select("agent_a", "agent_b", "units", "difference", "p", "paper_p").row(0)  # three wins: p = 2 · 1/2³
    ('a', 'b', 3, 1.0, 0.25, 0.25)
    """
    rows: list[dict[str, Any]] = []
    firsts: list[int | None] = []
    for metric in declared_metrics(values, metrics):
        if metric.test is None:
            continue
        tables = {agent: table.filter(metric=metric.name) for agent, table in values.items()}
        tables = {agent: table for agent, table in tables.items() if table.height}
        for sample, prompts in _samples(tables, metric, groups, links):
            columns = [i for i in range(len(tables)) if absent or not np.isnan(sample.values[:, i]).all()]
            named = itertools.combinations(columns, 2)
            pairs = [(a, b) for a, b in named if comparable(sample.agents[a], sample.agents[b], kinds)]
            controls = {column for column, agent in enumerate(sample.agents) if _kind(agent, kinds) == "control"}
            results = _compare(sample, pairs, metric, prompts, controls)
            named_pairs = [(sample.agents[a], sample.agents[b]) for a, b in pairs]
            families = [family_of(a, b, kinds) for a, b in named_pairs]
            owners = [owner_of(a, b, kinds, declared) for a, b in named_pairs]
            first = _first_alike(sample, pairs, list(zip(owners, families, strict=True)))
            firsts += [
                len(rows) + row_number if row["discordant"] else None
                for row_number, row in zip(first, results, strict=True)
            ]
            for (a, b), family, owner, row in zip(named_pairs, families, owners, results, strict=True):
                names = {"agent_a": a, "agent_b": b, "family": family, "family_of": owner}
                same = row["units"] and not row["discordant"]
                note = all_notes({"note": row["note"]}, *([SAME] if same else []))
                rows.append({"metric": metric.name, **sample.names, **names, **row, "note": note})
    table = pl.DataFrame(rows, schema=with_groups(TESTS, next(iter(values.values())).schema, groups))
    return adjust(table, ["metric", *groups], firsts)


def contrast_tests(
    values: Mapping[str, pl.DataFrame],
    metric: Metric,
    contrasts: Iterable[tuple[str, str]],
    column: str = "condition",
    groups: Sequence[str] = (),
    *,
    kinds: Mapping[str, AgentKind] | None = None,
    links: Tables | None = None,
) -> pl.DataFrame:
    """Compare two conditions within every agent, on the units that it has in both (CONTRASTS, with `groups`).

    `contrasts`: pairs of values of `column`. With `column="metric"` they are names of metrics, which have the columns and
    the test of `metric`; otherwise the values are those of `metric`. To pair conditions that have no unit in common, such as
    relations with different prompts, name in `metric` what they share: `replace(metric, unit=("target",))`. The agents of
    each group are a family of the agent's own. An agent without a unit in both conditions has no row. `links`: as in
    `paired_tests`; of a table with the column `column` the rows of both conditions link items. ValueError: `metric` has no
    test, or `column` names its units; or as in `samples.samples`.

    >>> from relprobe.core.unit_schemas import UNITS
    >>> rows = [("right", number, unit, float(number == "one")) for number in ("one", "two") for unit in "abcdef"]
    >>> a = pl.DataFrame(rows, schema=UNITS, orient="row")
    >>> table = contrast_tests({"m": a}, Metric("right"), [("one", "two")])
    >>> table.select("agent", "contrast", "a", "b", "units", "difference", "p").row(0)  # p = 2 / 2⁶
    ('m', 'condition', 'one', 'two', 6, 1.0, 0.03125)
    """
    if metric.test is None:
        raise ValueError(f"the metric {metric.name!r} has no test: name one in its declaration")
    if column in (*metric.unit, *metric.item, *metric.cluster_columns):
        raise ValueError(
            f"the column {column!r} names units of the metric {metric.name!r}, so that no unit has both conditions: "
            "leave it out of the metric's unit, item and cluster"
        )
    rows: list[dict[str, Any]] = []
    for a, b in contrasts:
        tables = _conditions(values, metric, column, (a, b))
        pairs = [(number, number + 1) for number in range(0, len(tables), 2)]
        agents = [agent for agent in values if f"{agent}, {a}" in tables]
        condition_links = _links_of_conditions(links or {}, column, (a, b))
        for sample, prompts in _samples(tables, metric, groups, condition_links) if tables else ():
            labels = {"metric": metric.name, "contrast": column, "a": a, "b": b, **sample.names}
            results = _compare(sample, pairs, metric, prompts)
            compared = [number for number, row in enumerate(results) if row["units"]]
            rows += [
                {"agent": agents[number], **labels, **results[number], **_own_family(agents[number], kinds)}
                for number in compared
            ]
    table = pl.DataFrame(rows, schema=with_groups(CONTRASTS, next(iter(values.values())).schema, groups))
    families = adjust(table, groups).partition_by("a", "b", *groups, maintain_order=True)
    return pl.concat([table.clear(), *families])


def _samples(
    tables: Tables, metric: Metric, groups: Sequence[str], links: Tables | None
) -> Iterator[tuple[Sample, Sample | None]]:
    """Yield a sample of units per group and, if the metric has a crossed factor, the sample that is divided by it, too."""
    divided = metric.crossed if metric.crossed in metric.unit else ""
    group_samples = samples(tables, metric, groups, by_unit=True, crossed=divided, links=links)
    if not metric.crossed:
        yield from ((sample, None) for sample in group_samples)
    elif divided:
        yield from ((sample, sample) for sample in group_samples)
    else:
        yield from zip(
            group_samples,
            samples(tables, metric, groups, by_unit=True, crossed=metric.crossed, links=links),
            strict=True,
        )


def _conditions(
    values: Mapping[str, pl.DataFrame], metric: Metric, column: str, names: tuple[str, str]
) -> dict[str, pl.DataFrame]:
    """Return the values of each agent in both conditions, one after the other, for the agents that have both."""
    tables: dict[str, pl.DataFrame] = {}
    for agent, table in values.items():
        metric_rows = table if column == "metric" else table.filter(metric=metric.name)
        tables_of_conditions = {f"{agent}, {name}": metric_rows.filter(pl.col(column) == name) for name in names}
        if all(part.height for part in tables_of_conditions.values()):
            tables |= tables_of_conditions
    return tables


def _links_of_conditions(links: Tables, column: str, names: tuple[str, str]) -> dict[str, pl.DataFrame]:
    """Return the links that items have in either of two conditions."""
    return {
        name: table.filter(pl.col(column).is_in(names)).drop(column) if column in table.columns else table
        for name, table in links.items()
    }


FAMILIES: dict[AgentKind, str] = {
    "member": "series",  # with controls
    "control": "controls",
    "pooled": "pooled people",
    "person": "people",
    "model": "models",
}
"""Kind of an agent -> the family of its pairs. A pair belongs to the family of the kind that stands first here."""


def _kind(agent: str, kinds: Mapping[str, AgentKind] | None) -> AgentKind:
    return "model" if kinds is None else kinds[agent]


def family_of(a: str, b: str, kinds: Mapping[str, AgentKind] | None) -> str:
    """Return the family of a pair: the tests that are adjusted together for their number."""
    kinds_of_pair = {_kind(a, kinds), _kind(b, kinds)}
    return next(name for kind, name in FAMILIES.items() if kind in kinds_of_pair)


def _own_family(agent: str, kinds: Mapping[str, AgentKind] | None) -> dict[str, str]:
    """Return the family of the contrasts between an agent's conditions: they are its own alone."""
    return {"family": FAMILIES[_kind(agent, kinds)], "family_of": agent}


def owner_of(a: str, b: str, kinds: Mapping[str, AgentKind] | None, declared: Declared = ()) -> str:
    """Return whose family of tests a pair belongs to: an agent's own, that of the two alone, or DECLARED.

    A model's tests beside controls and people are its own, so that no other model changes their adjusted p. Two models have
    a family of their own, unless they are among the `declared` pairs of the configuration, which are one family.

    >>> owner_of("gpt", "majority", {"gpt": "model", "majority": "control"}), owner_of("gpt", "bert", None)
    ('gpt', 'gpt and bert')
    >>> owner_of("gpt", "bert", None, [("bert", "gpt")])
    'the declared comparisons'
    """
    order = list(FAMILIES)
    first, second = (order.index(_kind(agent, kinds)) for agent in (a, b))
    if first == second:
        return DECLARED if any({a, b} == set(pair) for pair in declared) else f"{a} and {b}"
    return a if first > second else b


def adjust(table: pl.DataFrame, key: Sequence[str], firsts: Sequence[int | None] = ()) -> pl.DataFrame:
    """Adjust p, cluster_p and paper_p of a table (TESTS or CONTRASTS) within each family of the rows of a `key`.

    A family is that of the columns family and family_of, the agent whose own tests they are.

    p_holm_all is p adjusted over the family's rows under all conditions of a metric: all relations, parts of speech or sets.
    A sentence that says in how many of them a difference holds counts them all. It also fills the columns family_size,
    detectable (of p_holm) and detectable_all (of p_holm_all), which depend on the number of tests of a family.

    `firsts`: for each row the first one that is the same test, of agents with the same values; it counts once. None: the row
    counts in no family, and its p stays as it is. Without them each row is a test of its own.
    """
    rows = table.with_row_index("row").with_columns(first=pl.Series(firsts or range(table.height), dtype=pl.UInt32))
    tests = _adjusted(rows.filter(pl.col("row") == pl.col("first")), [*key, "family", "family_of"])
    filled = rows.drop(ADJUSTED).join(tests.select("first", *ADJUSTED), on="first", how="left", maintain_order="left")
    in_no_family = pl.col("first").is_null()
    adjusted_ps = [pl.when(in_no_family).then(p).otherwise(name).alias(name) for name, p in ADJUSTED.items() if p]
    filled = filled.with_columns(adjusted_ps)
    small = pl.col("p").is_not_null() & (pl.col("error") > 0) & pl.col("room").is_not_null()
    small &= pl.col("detectable").is_null() & pl.col("note").is_null()
    return filled.with_columns(note=pl.when(small).then(pl.lit(TOO_SMALL)).otherwise("note")).select(table.columns)


def _adjusted(tests: pl.DataFrame, family: Sequence[str]) -> pl.DataFrame:
    """Fill the columns ADJUSTED of a table of tests, each of which counts."""
    all_conditions = [name for name in (*WHOLE, "family", "family_of") if name in tests.columns]
    for name in ("p", "cluster_p", "paper_p"):
        tests = with_holm(tests, family, name)
    tests = with_holm(tests.with_columns(p_of_all="p"), all_conditions, "p_of_all").drop("p_holm_all", strict=False)
    tests = tests.drop("p_of_all").rename({"p_of_all_holm": "p_holm_all"})
    number = pl.col("p").count().cast(pl.UInt32)
    sizes = tests.with_columns(family_size=number.over(family), size_of_all=number.over(all_conditions))
    with_sizes = with_detectable(with_benjamini_hochberg(sizes, family), "family_size", "detectable")
    return with_detectable(with_sizes, "size_of_all", "detectable_all").drop("size_of_all")


def _first_alike(sample: Sample, pairs: Sequence[Pair], families: Sequence[tuple[str, str]]) -> list[int]:
    """Return for each pair the place of the first one of its family that compares the same values, in the same order.

    Three agents, of which the last repeats the first: the pairs (0, 1), (0, 2) and (1, 2) have the firsts 0, 1 and 0.
    """
    columns_seen: dict[bytes, int] = {}
    columns = np.nan_to_num(np.round(sample.values, DECIMALS), nan=np.inf).T + 0.0  # of zeros one is not below 0
    alike = [columns_seen.setdefault(column.tobytes(), number) for number, column in enumerate(columns)]
    tests: dict[tuple[tuple[str, str], Pair], int] = {}
    names = [(min(alike[a], alike[b]), max(alike[a], alike[b])) for a, b in pairs]
    return [tests.setdefault(test, number) for number, test in enumerate(zip(families, names, strict=True))]


def _compare(
    sample: Sample,
    pairs: Sequence[Pair],
    metric: Metric,
    prompts: Sample | None = None,
    controls: Collection[int] = (),
) -> list[dict[str, Any]]:
    """Return the columns of RESULT without family and adjusted p-values, a row per pair. `controls`: their columns.

    `prompts`: the sample that is divided by the crossed factor, too, if that is a sample as well.
    """
    rows: list[dict[str, Any]] = []
    for start in range(0, len(pairs), AT_ONCE):
        chunk = pairs[start : start + AT_ONCE]
        at_least_two = [*chunk, *chunk] if len(chunk) == 1 else chunk  # as by `two_columns`
        numbers, differences = difference_numbers(sample, at_least_two)
        tested = item_tests(sample, differences)
        rows += [{**row, **test} for row, test in zip(numbers[: len(chunk)], tested, strict=False)]
    for row, (a, b) in zip(rows, pairs, strict=True):
        values = sample.values[:, a], sample.values[:, b]
        row.update(_paper(*values, str(metric.test)))
        if prompts is not None and row["units"]:
            row.update(_with_prompts(row, prompts, (a, b)))
        if metric.is_share and len({a, b}.intersection(controls)) == 1:
            agent, control = values[::-1] if a in controls else values
            row.update(with_expectations(row, sample, agent, control, metric, turned=a in controls))
        row.update(within_span(row, metric.span))
        row.update(possible(sample, values, row, metric))
        row["note"] = all_notes(row)
        del row["interval_note"]
    return rows


def _with_prompts(row: Mapping[str, Any], prompts: Sample, pair: Pair) -> dict[str, Any]:
    """Return what changes in a row as prompts are a sample as well as items (`stats.crossed_mean`).

    p and the error are at least those over items alone, and the interval is at least as wide.
    """
    mean = crossed_of(prompts, *(prompts.values[:, column] for column in pair))
    if mean is None or row["p"] is None:
        return {}
    single = len(np.unique(prompts.crossed[~np.isnan(prompts.values[:, list(pair)]).any(axis=1)])) == 1
    note = join_notes([row["note"], ONE_PROMPT if single else None])
    if not mean.error:
        return {"note": note}
    around = wider(Interval(0, row["low"], row["high"], None), mean, share=False)
    p = max(row["p"], mean.p() or 0.0)
    error = max(row["error"] or 0.0, mean.error)
    return {"p": p, "error": error, "freedom": mean.freedom, "low": around.low, "high": around.high, "note": note}


def possible(sample: Sample, values: tuple[Values, Values], row: Mapping[str, Any], metric: Metric) -> dict[str, Any]:
    """Return what bounds a difference that is to be found (`families.detectable`): gain and room.

    gain: the variance of the mean of an agent of share x, over x (1 - x): that of its items, as a share of what it would be
    if each were 0 or 1, over the measured number of items. room: the largest
    difference that can be, as the better of the two has the greatest value. gain is there for shares alone, and room for all
    metrics with a greatest value.
    """
    if not metric.is_share and row["units"] and isfinite(metric.ends[1]):
        return {"room": metric.ends[1] - min(row["value_a"], row["value_b"])}
    if not metric.is_share or not row["units"] or row["measured_n"] is None:
        return {}
    present = ~np.isnan(values[0]) & ~np.isnan(values[1])
    ratios = []
    for agent_values in values:
        items = item_means(np.where(present, agent_values, np.nan)[:, None], sample.item_starts)[:, 0]
        items = items[~np.isnan(items)]
        mean = float(items.mean())
        ratios.append(float(items.var()) / (mean * (1 - mean)) if 0 < mean < 1 else 1.0)
    return {"gain": max(ratios) / row["measured_n"], "room": 1 - min(row["value_a"], row["value_b"])}


def with_expectations(
    row: Mapping[str, Any], sample: Sample, agent: Values, control: Values, metric: Metric, *, turned: bool
) -> dict[str, Any]:
    """Return what changes in a row as the values of its control are expectations (`chance_levels.expectations`).

    `turned`: the row is of control minus agent. Where there is no p, as too few items are independent, there is none.
    """
    present = ~np.isnan(agent) & ~np.isnan(control)
    if not present.any():
        return {}
    expected = expectations(
        agent[present], control[present], dependence(sample, present), binary=metric.test == "McNemar"
    )
    if expected is None:
        return {}
    low, high = (-expected.interval[1], -expected.interval[0]) if turned else expected.interval
    changed: dict[str, Any] = {"low": low, "high": high, "error": expected.error, "note": _unknown_size(row)}
    changed |= {"interval_note": None, "least_p": None}
    notes = {name: row.get(name) for name in ("note", "interval_note", "least_p")}
    ps = {name: expected.p for name in ("p", "cluster_p") if row[name] is not None}
    if row["p"] is None:
        changed |= notes
    if not expected.replaces:
        ps = {name: max(p, row[name]) for name, p in ps.items()}
        changed |= {"error": max(expected.error, row["error"] or 0.0), **notes}
        if row["low"] is not None:
            changed |= {"low": min(low, row["low"]), "high": max(high, row["high"])}
        elif too_few(row["effective_n"] or row["clusters"]):
            changed |= {"low": None, "high": None}  # what ties alone may make says nothing of so few independent values
        else:
            changed["interval_note"] = None
    return changed | ps


def _unknown_size(row: Mapping[str, Any]) -> str | None:
    """Return why the test beside a chance level names no difference that it finds (`families.with_detectable`)."""
    few = 2.0 ** (1 - row["clusters"]) >= ALPHA
    return f"no detectable difference: of {row['clusters']} clusters their variance is not known" if few else None


def difference_numbers(sample: Sample, pairs: Sequence[Pair]) -> tuple[list[dict[str, Any]], Values]:
    """Return the numbers and means of each pair, and the differences of its items, (items, pairs)."""
    first, second = (sample.values[:, [pair[number] for pair in pairs]] for number in (0, 1))
    in_both = ~np.isnan(first) & ~np.isnan(second)
    discordant = (np.abs(np.where(in_both, first - second, 0)) > NOISE).sum(axis=0)
    a_means, b_means = (item_means(np.where(in_both, values, np.nan), sample.item_starts) for values in (first, second))
    present = ~np.isnan(a_means)
    rows = []
    for number in range(len(pairs)):
        a, b = (
            float(means[present[:, number], number].mean()) if present[:, number].any() else None
            for means in (a_means, b_means)
        )
        numbers = {"units": int(in_both[:, number].sum()), "discordant": int(discordant[number])}
        rows.append({**numbers, "value_a": a, "value_b": b, "difference": None if a is None or b is None else a - b})
    return rows, a_means - b_means


def _paper(a: Values, b: Values, test: str) -> dict[str, Any]:
    """Return the columns of the paper's test on the units that both have."""
    present = ~np.isnan(a) & ~np.isnan(b)
    result = PAPER_TESTS[test](a[present], b[present])
    return {"paper_test": result.name, "paper_effect": result.effect, "paper_p": result.p, "paper_note": result.note}
