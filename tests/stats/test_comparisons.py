from dataclasses import replace
from math import inf

import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import crossed_mean, linked_items, wilson_interval
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import ONE_PROMPT, contrast_tests, paired_tests
from relprobe.stats.schemas import AVERAGES, CONTRASTS, SAME, TESTS
from scipy.stats import norm, t

PROBES = {"metric": pl.String, "relation": pl.String, "target": pl.String, "prompt": pl.String, "value": pl.Float64}
SOUNDNESS = Metric("s", test="McNemar", unit=("target", "prompt"), item=("target",), items="targets")


def values(rows, **columns):
    return pl.DataFrame(rows, schema=UNITS, orient="row").with_columns(**columns)


def probes(*values_by_target):
    """Return the values of a relation: for each target those of its prompts, None for a probe without a value."""
    rows = [
        ("s", "HYP", f"t{i:02}", f"p{j}", float(value))
        for i, target_values in enumerate(values_by_target)
        for j, value in enumerate(target_values)
        if value is not None
    ]
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def test_probes_of_one_target_are_one_observation():
    # a is right on all 3 probes of 6 targets, b on none: 18 units, but 6 clusters, so p = 2 / 2⁶.
    table = paired_tests({"a": probes(*[[1, 1, 1]] * 6), "b": probes(*[[0, 0, 0]] * 6)}, [SOUNDNESS], ["relation"])
    row = table.row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"]) == (18, 6, 18)
    assert (row["value_a"], row["value_b"], row["difference"], row["p"]) == (1.0, 0.0, 1.0, 2 / 64)
    assert (row["paper_test"], row["paper_effect"]) == ("McNemar", 0.5)
    assert row["paper_p"] == pytest.approx(2 / 2**18)
    assert table.columns == ["metric", "relation", *list(TESTS)[2:]]


def test_a_pair_is_compared_on_the_units_that_both_have():
    a = probes([1, 1], [1, None], [0, 0], [1, 1])
    b = probes([0, None], [1, 0], [1, 0])
    row = paired_tests({"a": a, "b": b}, [SOUNDNESS], ["relation"]).row(0, named=True)
    # In common: t00 p0 (1, 0), t01 p0 (1, 1), t02 p0 (0, 1) and p1 (0, 0). a: (1 + 1 + 0)/3; b: (0 + 1 + 1/2)/3.
    assert (row["units"], row["clusters"], row["discordant"]) == (4, 3, 2)
    assert (row["value_a"], row["value_b"]) == pytest.approx((2 / 3, 1 / 2))
    # The sums of the targets are 1, 0 and -1/2. Of the 4 patterns of the two signs 2 are as far from 0 as 1/2.
    assert row["difference"] == pytest.approx(1 / 6)
    assert row["p"] == 1.0
    assert row["low"] < row["difference"] < row["high"]


def test_sisters_are_one_observation():
    a = values([("right", "noun", f"u{i}", 1.0) for i in range(12)], cluster=pl.Series([i // 3 for i in range(12)]))
    metric = Metric("right", test="McNemar", cluster=("cluster",))
    row = paired_tests({"a": a, "b": a.with_columns(value=0.0)}, [metric]).row(0, named=True)
    assert (row["units"], row["clusters"], row["p"]) == (12, 4, 2 / 16)
    assert row["note"] == (
        "no interval: the value is the same in all clusters; 4 clusters differ: p cannot be below 0.125"
    )


def test_equal_agents_have_p_one_and_say_why_there_is_no_interval():
    a = probes([1, 0], [0, 1])
    row = paired_tests({"a": a, "b": a}, [replace(SOUNDNESS, test="Wilcoxon")], ["relation"]).row(0, named=True)
    assert (row["difference"], row["p"], row["low"], row["discordant"]) == (0.0, 1.0, None, 0)
    assert row["note"] == f"{SAME}; no interval: the value is the same in all clusters"
    assert (row["paper_p"], row["paper_note"]) == (None, "not testable: all pairs are equal")


def test_agents_that_differ_by_the_noise_of_floats_have_equal_values():
    """The third agent repeats the first one but for noise, so that its tests are those of the first."""
    rows = [("rank", "noun", f"u{place}", value) for place, value in enumerate((0.3, 0.7, 0.1, 0.9, 0.5, 0.2))]
    one = values(rows)
    agents = {"a": one, "b": one.with_columns(pl.col("value") / 2), "c": one.with_columns(pl.col("value") + 1e-13)}
    assert agents["a"]["value"].to_list() != agents["c"]["value"].to_list()
    table = paired_tests(agents, [Metric("rank", test="Wilcoxon")], declared=[("a", "b"), ("a", "c"), ("b", "c")])
    alike = table.filter(agent_a="a", agent_b="c").row(0, named=True)
    assert (alike["discordant"], alike["discordant_clusters"], alike["p"]) == (0, 0, 1.0)
    assert alike["note"].startswith(SAME)
    others = table.filter(pl.any_horizontal(pl.col("agent_a", "agent_b") == "b"))
    assert others["family_size"].to_list() == [1, 1]  # one test, and not two
    assert others["p_holm"].to_list() == others["p"].to_list()


def test_controls_and_people_do_not_change_the_p_of_models():
    tables = {name: probes(*np.random.default_rng(i).integers(2, size=(9, 4))) for i, name in enumerate("abchr")}
    kinds = {"a": "model", "b": "model", "c": "model", "h": "person", "r": "control"}
    all_agents = paired_tests(tables, [SOUNDNESS], ["relation"], kinds=kinds)
    models = paired_tests({name: tables[name] for name in "abc"}, [SOUNDNESS], ["relation"])
    families = dict(all_agents.select(pl.concat_str("agent_a", "agent_b"), "family").iter_rows())
    assert families == dict.fromkeys(["ab", "ac", "bc"], "models") | dict.fromkeys(["ah", "bh", "ch"], "people") | (
        dict.fromkeys(["ar", "br", "cr", "hr"], "controls")
    )
    adjusted = ["agent_a", "agent_b", "p", "p_holm", "p_bh", "paper_p_holm"]
    assert all_agents.filter(family="models").select(adjusted).equals(models.select(adjusted))
    assert (models["p_holm"] >= models["p"]).all()


def test_an_agent_without_a_value_in_a_group_is_left_out_or_says_so():
    a = values([("right", "noun", "u1", 1.0), ("right", "verb", "u1", 1.0)])
    b = values([("right", "noun", "u1", 0.0)])
    assert paired_tests({"a": a, "b": b}, [Metric("right")])["condition"].to_list() == ["noun"]
    _, verbs = paired_tests({"a": a, "b": b}, [Metric("right")], absent=True).to_dicts()
    assert (verbs["condition"], verbs["units"], verbs["p"], verbs["difference"]) == ("verb", 0, None, None)
    assert verbs["note"] == verbs["paper_note"] == "no unit in common"


def test_a_crossed_factor_widens_the_interval_and_makes_p_larger():
    generator = np.random.default_rng(1)
    prompts = np.array([0.0, 0.2, 0.9, 0.1])
    one, other = (probes(*(generator.random((60, 4)) < chance).astype(int)) for chance in (prompts, 0.3))
    plain, crossed = (
        paired_tests({"a": one, "b": other}, [replace(SOUNDNESS, crossed=column)], ["relation"]).row(0, named=True)
        for column in ("", "prompt")
    )
    assert plain["p"] < crossed["p"]
    assert plain["paper_p"] == crossed["paper_p"]
    assert crossed["high"] - crossed["low"] > 2 * (plain["high"] - plain["low"])


def test_a_crossed_factor_is_a_sample_beside_clusters_and_not_beside_items():
    values_by_target = np.random.default_rng(2).integers(2, size=(24, 10)).astype(float)
    agent = probes(*map(list, values_by_target)).with_columns(cluster=pl.col("target").str.slice(1).cast(pl.Int64) // 3)
    metric = replace(SOUNDNESS, cluster=("cluster",), crossed="prompt")
    table = averages({"m": agent}, [metric], ["relation"])
    clusters = linked_items(np.arange(24), np.arange(24) // 3, 24)  # eight of three targets
    mean = crossed_mean(values_by_target / 10, np.zeros(10, np.int64), clusters)
    trials = mean.value * (1 - mean.value) / mean.error**2 * (norm.ppf(0.975) / t.ppf(0.975, mean.freedom)) ** 2
    low, high = wilson_interval(mean.value, trials)
    plain = averages({"m": agent}, [replace(metric, crossed="")], ["relation"])
    assert table["low"][0] == pytest.approx(min(low, plain["low"][0]))
    assert table["high"][0] == pytest.approx(max(high, plain["high"][0]))


def test_where_prompts_are_a_sample_each_number_is_the_more_careful_one():
    """p, the error and the interval of the crossed mean, or those over items alone, whichever claim less."""
    a = np.random.default_rng(3).integers(2, size=(30, 4)).astype(float)
    b = np.zeros_like(a)
    b[:, 0] = a[:, 0]
    metric = replace(SOUNDNESS, crossed="prompt")
    tables = {"a": probes(*a), "b": probes(*b)}
    plain, row = (paired_tests(tables, [which], ["relation"]).row(0, named=True) for which in (SOUNDNESS, metric))
    mean = crossed_mean((a - b) / 4, np.zeros(4, np.int64))
    assert mean.error > plain["error"]
    assert (row["error"], row["freedom"]) == (pytest.approx(mean.error), pytest.approx(mean.freedom))
    assert row["p"] == pytest.approx(max(mean.p(), plain["p"]))
    low, high = mean.interval()
    assert row["low"] == pytest.approx(max(min(low, plain["low"]), -1))
    assert row["high"] == pytest.approx(min(max(high, plain["high"]), 1))
    assert row["note"] is None
    # With one prompt the error is that over items, which has no further sample, and a note says so.
    one = {agent: table.filter(prompt="p1") for agent, table in tables.items()}
    alone, single = (paired_tests(one, [which], ["relation"]).row(0, named=True) for which in (SOUNDNESS, metric))
    assert single["error"] >= alone["error"]
    assert single["p"] >= alone["p"]
    assert single["note"] == ONE_PROMPT


def test_conditions_of_an_agent_are_compared_on_the_units_of_both():
    rows = [("right", c, f"u{i}", float(c == "seen")) for c in ("seen", "unseen") for i in range(6)]
    agent = values([*rows, ("right", "seen", "u9", 1.0)])
    table = contrast_tests({"m": agent, "n": agent.with_columns(value=1.0)}, Metric("right"), [("seen", "unseen")])
    first, second = table.to_dicts()
    assert table.schema == CONTRASTS
    assert (first["agent"], first["contrast"], first["units"], first["difference"]) == ("m", "condition", 6, 1.0)
    assert (first["p"], first["p_holm"], second["p"]) == (2 / 64, 2 / 64, 1.0)


def test_an_agent_or_a_group_without_a_unit_in_both_conditions_has_no_row():
    rows = [("right", c, f"u{i}", float(c == "seen")) for c in ("seen", "unseen") for i in range(6)]
    both, seen = values(rows), values([row for row in rows if row[1] == "seen"])
    apart = values([*rows[:6], ("right", "unseen", "u9", 0.0)])
    table = contrast_tests({"s": seen, "m": both, "n": apart}, Metric("right"), [("seen", "unseen")])
    assert table.select("agent", "units").rows() == [("m", 6)]
    assert contrast_tests({"s": seen}, Metric("right"), [("seen", "unseen")]).is_empty()


def test_contrasts_stand_in_the_order_in_which_they_are_asked_for():
    rows = [("right", c, f"u{i}", float(c == "z")) for c in ("a", "z", "m") for i in range(6)]
    table = contrast_tests(
        {"m": values(rows), "k": values(rows)}, Metric("right"), [("z", "a"), ("a", "m"), ("z", "m")]
    )
    assert table.select("a", "b", "agent").rows() == [
        (*pair, agent) for pair in (("z", "a"), ("a", "m"), ("z", "m")) for agent in ("m", "k")
    ]


def test_metrics_of_an_agent_are_compared_within_groups():
    rows = [(m, c, f"u{i}", float(m == "one")) for m in ("one", "two") for c in ("x", "y") for i in range(4)]
    kinds = {"m": "model", "r": "control"}
    tables = dict.fromkeys(kinds, values(rows))
    metric = Metric("pair", test="McNemar")
    table = contrast_tests(tables, metric, [("one", "two")], "metric", ["condition"], kinds=kinds)
    assert table.columns[:4] == ["agent", "metric", "condition", "contrast"]
    assert table["p_holm"].to_list() == [2 / 16] * 4  # each kind and condition is a family of one
    assert sorted(set(table["family"])) == ["controls", "models"]


def test_a_contrast_of_units_or_without_a_test_is_an_error():
    a = values([("right", "noun", "u1", 1.0)])
    with pytest.raises(ValueError, match="the column 'unit' names units of the metric 'right'"):
        contrast_tests({"m": a}, Metric("right"), [("u1", "u2")], "unit")
    with pytest.raises(ValueError, match="the metric 'right' has no test"):
        contrast_tests({"m": a}, Metric("right", test=None), [("one", "two")])


def test_averages_are_over_the_targets_of_the_study():
    a, b = probes(*[[1, 0]] * 19, [1, 1]), probes(*[[0, 0]] * 18)
    study = {"s": pl.DataFrame({"relation": ["HYP"] * 19 + ["HPO"], "target": [f"t{i:02}" for i in [*range(19), 19]]})}
    table = averages({"a": a, "b": b}, [SOUNDNESS], ["relation"], asked=study)
    assert table.columns == ["agent", "metric", "relation", *list(AVERAGES)[3:]]
    assert table.select("agent", "value", "units", "clusters", "answered", "own_units").rows() == [
        ("a", 0.5, 19, 19, 20, False),
        ("b", 0.0, 18, 18, 18, True),
    ]
    assert table["coverage"].to_list() == [1, 18 / 19]  # what a has beside the study's items does not count
    own = averages({"a": a, "b": b}, [SOUNDNESS], ["relation"], targets="own", asked=study)
    assert own.select("value", "units", "own_units").rows() == [(pytest.approx(10.5 / 20), 20, True), (0.0, 18, True)]


def test_an_item_of_the_study_that_no_agent_has_is_missing_from_all():
    study = {"s": pl.DataFrame({"target": ["t00", "t01", "t02"]})}
    table = averages({"a": probes([1], [0])}, [SOUNDNESS], ["relation"], asked=study)
    assert table.select("value", "units", "own_units").rows() == [(0.5, 2, True)]


def test_a_group_without_a_name_is_a_group_like_others():
    nameless = pl.lit(None, dtype=pl.String)
    a, b = (probes(*rows).with_columns(relation=nameless) for rows in ([[1], [0]], [[1], [1], [1]]))
    study = {"s": pl.DataFrame({"target": ["t00", "t01", "t02", "t03"]}).with_columns(relation=nameless)}
    table = averages({"a": a, "b": b}, [SOUNDNESS], ["relation"], asked=study)
    columns = ["relation", "agent", "value", "units", "coverage"]
    assert table.select(columns).rows() == [(None, "a", 0.5, 2, 2 / 4), (None, "b", 1.0, 3, 3 / 4)]
    linked = {"relata": pl.DataFrame({"target": ["t00", "t01"], "link": ["x", "x"]}).with_columns(relation=nameless)}
    table = averages({"b": b}, [LINKED], ["relation"], links=linked)
    # t00 and t01 are linked both ways, and each with itself; t02 is alone
    assert table["effective_n"].to_list() == [9 / 5]


def test_without_the_items_of_a_study_an_agent_is_averaged_over_its_own():
    a, b = probes(*[[1]] * 20), probes(*[[1]] * 10)
    table = averages({"a": a, "b": a, "c": a, "human": b}, [SOUNDNESS], ["relation"])
    assert table.select("agent", "units", "own_units").rows() == [
        *((name, 20, False) for name in "abc"),
        ("human", 10, True),
    ]


LINKED = Metric(
    "s", test="McNemar", unit=("target", "prompt"), item=("target",), links=("relata",), linked_by="a relatum"
)
RELATA = {
    "relata": pl.DataFrame(
        [("HYP", f"t{i:02}", f"r{i // 4}") for i in range(60)] + [("HYP", f"t{i:02}", "x") for i in (0, 59)],
        schema=["relation", "target", "link"],
        orient="row",
    )
}
"""Of 60 targets each four share a relatum, and the first and the last one share another."""


@pytest.mark.parametrize("metric", [SOUNDNESS, LINKED, replace(LINKED, share=False, test="Wilcoxon")])
@pytest.mark.parametrize("lacking", [1, 40], ids=["few", "many"])
@pytest.mark.parametrize("agents", ["ab", "abc"])
def test_another_agent_changes_no_average_interval_or_p_of_the_others(metric, lacking, agents):
    generator = np.random.default_rng(3)
    values_of = {name: probes(*generator.random((60, 5))) for name in agents}
    if metric.test == "McNemar":
        values_of = {name: table.with_columns(pl.col("value").round()) for name, table in values_of.items()}
    more = probes(*generator.integers(2, size=(80, 7)))  # with targets and prompts that the others lack
    added = values_of | {"new": more.filter(pl.col("target") >= f"t{lacking:02}")}
    study = {"s": pl.DataFrame({"target": [f"t{i:02}" for i in range(60)]})}
    before, after = (
        averages(tables, [metric], ["relation"], links=RELATA, asked=study) for tables in (values_of, added)
    )
    assert after.filter(pl.col("agent") != "new").equals(before)
    before, after = (paired_tests(tables, [metric], ["relation"], links=RELATA) for tables in (values_of, added))
    own = [
        name
        for name in before.columns
        if not name.endswith(("_holm", "_bh", "_holm_all", "family_size", "detectable", "detectable_all"))
    ]
    assert after.filter(pl.col("agent_b") != "new").select(own).equals(before.select(own))
    assert before["p"].null_count() == 0


def test_linked_targets_count_as_fewer():
    generator = np.random.default_rng(5)
    # Four targets of a relatum have the same values.
    tables = {name: probes(*(generator.random((15, 3)).repeat(4, axis=0) < c)) for name, c in (("a", 0.55), ("b", 0.4))}
    (linked,), (plain,) = (
        paired_tests(tables, [metric], ["relation"], links=RELATA).to_dicts() for metric in (LINKED, SOUNDNESS)
    )
    # 15 x 4² pairs share the relatum of a four; the first four and the last four are linked by one pair more.
    assert linked["effective_n"] == 60**2 / (15 * 16 + 2)
    assert (plain["effective_n"], linked["clusters"]) == (60, 60)
    assert linked["p"] > 10 * plain["p"]
    assert (linked["cluster_p"], plain["cluster_p"]) == (plain["p"], plain["p"])
    assert linked["high"] - linked["low"] > 1.5 * (plain["high"] - plain["low"])
    for metric, number in ((LINKED, 60**2 / 242), (SOUNDNESS, 60)):
        assert averages(tables, [metric], ["relation"], links=RELATA)["effective_n"].to_list() == [number] * 2


def test_below_six_independent_targets_there_is_no_p_and_a_note_says_why():
    relata = {"relata": RELATA["relata"].with_columns(link=pl.lit("same"))}
    tables = {name: probes(*np.random.default_rng(i).integers(2, size=(70, 3))) for i, name in enumerate("ab")}
    row = paired_tests(tables, [LINKED], ["relation"], links=relata).row(0, named=True)
    assert (row["p"], row["p_holm"], row["effective_n"]) == (None, None, 70**2 / (60**2 + 10))
    assert row["note"] == (
        "no interval: the linked items count as 1.4 independent ones; "
        "no p: the linked items count as 1.4 independent ones, and below 6 the data cannot tell"
    )
    assert row["cluster_p"] > 0


def test_where_few_clusters_differ_p_is_at_least_that_of_their_signs():
    # a has four targets more right than b, and none of these are linked: t would be 2, with p = .05.
    a, b = probes(*[[1]] * 4, *[[0]] * 56), probes(*[[0]] * 60)
    relata = {"relata": RELATA["relata"].filter(pl.col("target") >= "t04")}
    row = paired_tests({"a": a, "b": b}, [LINKED], ["relation"], links=relata).row(0, named=True)
    assert (row["discordant_clusters"], row["p"], row["cluster_p"]) == (4, 0.125, 0.125)
    assert row["note"] == "4 clusters differ: p cannot be below 0.125"


@pytest.mark.parametrize(("differing", "note"), [(5, "5 clusters differ: p cannot be below 0.0625"), (6, None)])
def test_so_few_differing_clusters_that_no_p_is_below_5_percent_are_said(differing, note):
    a, b = probes(*[[1]] * differing, *[[0]] * 54), probes(*[[0]] * (differing + 54))
    row = paired_tests({"a": a, "b": b}, [SOUNDNESS], ["relation"]).row(0, named=True)
    assert (row["p"], row["note"]) == (2 / 2**differing, note)


def test_where_nothing_is_linked_signs_of_the_items_are_flipped():
    tables = {name: probes(*np.random.default_rng(i).integers(2, size=(30, 3))) for i, name in enumerate("ab")}
    none = {"relata": RELATA["relata"].clear()}
    for function in (averages, paired_tests):
        linked, plain = (function(tables, [metric], ["relation"], links=none) for metric in (LINKED, SOUNDNESS))
        assert linked.equals(plain)


def test_conditions_are_linked_by_what_items_share_in_either():
    generator = np.random.default_rng(6)
    agent = pl.concat(
        [probes(*generator.integers(2, size=(60, 2))).with_columns(relation=pl.lit(r)) for r in ("HYP", "HPO")]
    )
    table = contrast_tests({"m": agent}, replace(LINKED, unit=("target",)), [("HYP", "HPO")], "relation", links=RELATA)
    assert table["effective_n"].item() == 60**2 / 242
    other = contrast_tests(
        {"m": agent},
        replace(LINKED, unit=("target",)),
        [("HYP", "HPO")],
        "relation",
        links={"relata": RELATA["relata"].with_columns(relation=pl.lit("ANT"))},
    )
    assert other["effective_n"].item() == 60


def test_links_that_nobody_passes_are_an_error():
    with pytest.raises(
        ValueError, match="have no column 'relata', which its links need: pass a table of links 'relata'"
    ):
        averages({"a": probes([1], [0])}, [LINKED], ["relation"])


def test_a_share_of_one_has_wilsons_interval():
    row = averages({"a": probes(*[[1, 1]] * 18)}, [SOUNDNESS], ["relation"]).row(0, named=True)
    assert (row["value"], row["units"], row["note"]) == (1.0, 18, None)
    assert (row["low"], row["high"]) == pytest.approx(wilson_interval(1.0, 18))


def test_a_value_that_is_no_share_has_no_interval_if_it_is_constant():
    row = averages({"a": values([("rho", "x", f"u{i}", 1.0) for i in range(5)])}, [Metric("rho")]).row(0, named=True)
    assert (row["low"], row["note"]) == (None, "no interval: the value is the same in all clusters")


def test_the_order_of_the_rows_changes_nothing():
    a, b = (probes(*np.random.default_rng(i).integers(2, size=(30, 3))) for i in (1, 2))
    for function in (averages, paired_tests):
        straight, reverse = (
            function({"a": one, "b": two}, [SOUNDNESS], ["relation"])
            for one, two in ((a, b), (a.reverse(), b.reverse()))
        )
        assert straight.equals(reverse)


def test_an_item_in_two_clusters_or_none_is_an_error():
    a = values([("right", "noun", "u1", 1.0)], cluster=pl.lit("x"))
    metric = Metric("right", cluster=("cluster",))
    with pytest.raises(ValueError, match="the item 'u1' of the metric 'right' lies in two clusters"):
        paired_tests({"a": a, "b": a.with_columns(cluster=pl.lit("y"))}, [metric])
    with pytest.raises(ValueError, match="has no cluster: fill the column 'cluster'"):
        averages({"a": a.with_columns(cluster=pl.lit(None, dtype=pl.String))}, [metric])


def test_a_table_without_the_column_of_a_metric_is_an_error():
    a = values([("right", "noun", "u1", 1.0)])
    with pytest.raises(ValueError, match="the values of a lack the column 'cluster' of the metric 'right'"):
        averages({"a": a}, [Metric("right", cluster=("cluster",))])


@pytest.mark.parametrize("statistic", [averages, paired_tests])
def test_a_metric_that_is_not_declared_is_an_error(statistic):
    with pytest.raises(ValueError, match="does not declare: right"):
        statistic({"a": values([("right", "noun", "u1", 1.0)])}, [Metric("other")])


def test_a_study_without_values_has_empty_tables():
    empty = values([])
    assert averages({"a": empty}, [Metric("right")]).height == 0
    assert paired_tests({"a": empty}, [Metric("right")]).schema == TESTS


def drawn(seed, targets=24):
    """Return the values of an agent that is right in some of the prompts of some targets."""
    return probes(*np.random.default_rng(seed).integers(0, 2, (targets, 3)).tolist())


@pytest.mark.parametrize("copied", ["model", "other", "control"])
def test_a_copy_of_an_agent_changes_no_other_test(copied):
    agents = {"model": drawn(1), "other": drawn(2), "third": drawn(3), "control": drawn(4)}
    kinds = {agent: "control" if agent == "control" else "model" for agent in agents}
    before = paired_tests(agents, [SOUNDNESS], ["relation"], kinds=kinds)
    copies = {"early": agents[copied], **agents, "late": agents[copied]}
    copied_kinds = kinds | dict.fromkeys(("early", "late"), kinds[copied])
    table = paired_tests(copies, [SOUNDNESS], ["relation"], kinds=copied_kinds)
    names = list(agents)
    assert table.filter(pl.col("agent_a").is_in(names), pl.col("agent_b").is_in(names)).equals(before)
    late_tests = table.filter(agent_b="late").filter(pl.col("agent_a").is_in(names), pl.col("agent_a") != copied)
    copied_tests = before.filter((pl.col("agent_a") == copied) | (pl.col("agent_b") == copied))
    compared = copied_tests if copied != "control" else copied_tests.filter(pl.col("agent_b") == copied)
    assert sorted(late_tests["p_holm"]) == sorted(compared["p_holm"])
    same = table.filter(pl.col("note").str.starts_with(SAME))
    assert set(same.select("discordant", "p", "p_holm").rows()) == ({(0, 1.0, 1.0)} if copied != "control" else set())
    assert same.height == (0 if copied == "control" else 3)


def test_a_copy_of_an_agent_changes_no_contrast_of_another():
    rows = [("right", c, f"u{i}", float(c == "seen" or i < 2)) for c in ("seen", "unseen") for i in range(12)]
    agents = {"m": values(rows), "n": values(rows).with_columns(value=pl.col("value").reverse())}
    before = contrast_tests(agents, Metric("right"), [("seen", "unseen")])
    table = contrast_tests({**agents, "copy": agents["m"]}, Metric("right"), [("seen", "unseen")])
    assert table.filter(pl.col("agent") != "copy").equals(before)
    own = ("agent", "family_of")
    assert table.filter(agent="copy").drop(own).equals(before.filter(agent="m").drop(own))


@pytest.mark.parametrize(("greatest", "room"), [(1.0, 0.75), (100.0, 99.75), (inf, None)])
def test_the_largest_difference_that_can_be_is_that_of_a_better_agent_that_has_the_greatest_mean(greatest, room):
    """The worse of the two has a mean of 1/4."""
    rows = [("score", "noun", f"u{place}", value) for place, value in enumerate((0.25, 0.5, 0.0))]
    one = pl.DataFrame(rows, schema=UNITS, orient="row")
    agents = {"m": one.with_columns(value=pl.col("value") + 0.25), "n": one}
    metric = Metric("score", unit=("unit",), bounds=(0.0, greatest))
    row = paired_tests(agents, [metric], ["condition"]).row(0, named=True)
    assert (row["room"], row["gain"]) == (room, None)
