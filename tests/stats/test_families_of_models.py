"""What is claimed of a model follows from its own answers: no other agent of the study moves a number of it."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.report.words.headline import verdicts_of
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.families import holm, with_equivalence
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.schemas import SAME
from scipy.stats import t

METRIC = Metric(
    "sound", unit=("target", "prompt"), item=("target",), test="McNemar", links=("relata",), crossed="prompt"
)
RELATIONS = ("ANT", "HYP", "SYN")
CONTROLS = ("majority", "neighbours")


def agent(seed, share):
    """Return the answers of an agent to three prompts of each relation about 24 targets, which are right by chance."""
    generator = np.random.default_rng(seed)
    rows = [
        ("sound", relation, f"t{target:02}", f"{relation}-{prompt}", float(generator.random() < share))
        for relation in RELATIONS
        for target in range(24)
        for prompt in range(3)
    ]
    return pl.DataFrame(rows, schema=["metric", "relation", "target", "prompt", "value"], orient="row")


def links(shared=3):
    """Return what targets share: those of three in a row one relatum of the relation."""
    rows = [(relation, f"t{target:02}", f"r{target // shared}") for relation in RELATIONS for target in range(24)]
    return {"relata": pl.DataFrame(rows, schema=["relation", "target", "link"], orient="row")}


def said_of(name, models):
    """Return all that is said of a model in a study of these models: tables as CSV, and the verdicts of its page."""
    agents = {**models, "majority": agent(101, 0.15), "neighbours": agent(102, 0.2)}
    kinds = {one: "control" if one in CONTROLS else "model" for one in agents}
    tests = paired_tests(agents, [METRIC], ["relation"], kinds=kinds, links=links())
    controls = with_equivalence(beyond_controls(tests, CONTROLS), 0.05)
    pooled = pooled_tests(agents, METRIC, "relation", kinds=kinds, links=links())
    primary = with_equivalence(beyond_controls(pooled, CONTROLS), 0.05)
    pairs = [("ANT", "HYP"), ("ANT", "SYN"), ("HYP", "SYN")]
    within = contrast_tests(agents, METRIC, pairs, "relation", kinds=kinds, links=links())
    claim = Claim("sound", RELATIONS, "is right in", "probes", column="relation", each="relations", primary=True)
    values = agents[name].group_by("relation").agg(pl.col("value").mean()).sort("relation")
    values = values.with_columns(agent=pl.lit(name), metric=pl.lit("sound"))
    own = {
        "beside controls": tests.filter(pl.any_horizontal(pl.col("agent_a", "agent_b") == name), family="controls"),
        "controls": controls.filter(agent=name),
        "primary": primary.filter(agent=name),
        "contrasts": within.filter(agent=name),
        "verdicts": verdicts_of([(claim, values)], controls, [name], pooled=primary),
    }
    return {key: table.write_csv() for key, table in own.items()}


@pytest.mark.parametrize("share", [0.2, 0.45])
def test_every_verdict_and_p_of_a_model_is_the_same_beside_four_others_byte_for_byte(share):
    model = agent(1, share)
    near = model.with_columns(value=pl.when(pl.int_range(pl.len()) == 5).then(1 - pl.col("value")).otherwise("value"))
    others = {"copy": model, "near": near, "better": agent(2, 0.8), "worse": agent(3, 0.05)}
    alone, among = said_of("m", {"m": model}), said_of("m", {"m": model, **others})
    assert alone == among
    assert said_of("m", {**others, "m": model}).keys() == alone.keys()
    assert ("ahead" in alone["verdicts"]) is (share > 0.4)


PAIRS = [("m", "n"), ("m", "o")]


def pair_rows(models, declared=()):
    """Return the rows of the declared pairs, and those of m and n, in a study of these models, as CSV."""
    kinds = dict.fromkeys(models, "model")
    tests = paired_tests(models, [METRIC], ["relation"], kinds=kinds, links=links(), declared=declared)
    named = pl.concat_str("agent_a", pl.lit(" "), "agent_b").is_in(["m n", "m o"] if declared else ["m n"])
    return tests.filter(named).write_csv()


@pytest.mark.parametrize("declared", [[], PAIRS])
def test_every_verdict_and_p_of_two_models_is_the_same_beside_three_others_byte_for_byte(declared):
    few = {"m": agent(1, 0.3), "n": agent(2, 0.6), "o": agent(3, 0.45)}
    others = {"copy": few["m"], "better": agent(5, 0.8), "worse": agent(6, 0.05)}
    alone = pair_rows(few if declared else {name: few[name] for name in "mn"}, declared)
    assert pair_rows({**few, **others}, declared) == alone
    assert pair_rows({"p": agent(7, 0.5), **few, **others}, declared) == alone


def test_declared_pairs_are_one_family_over_all_conditions_and_others_are_families_of_their_own():
    models = {"m": agent(1, 0.3), "n": agent(2, 0.6), "o": agent(3, 0.45)}
    tests = paired_tests(models, [METRIC], ["relation"], links=links(), declared=[("o", "m"), ("m", "n")])
    assert dict(tests.select(pl.concat_str("agent_a", "agent_b"), "family_of").iter_rows()) == {
        "mn": "the declared comparisons",
        "mo": "the declared comparisons",
        "no": "n and o",
    }
    declared = tests.filter(family_of="the declared comparisons")
    assert declared["p_holm_all"].to_list() == pytest.approx(holm(declared["p"].to_list()))
    assert set(declared["family_size"]) == {2}
    other = tests.filter(family_of="n and o")
    assert other["p_holm"].to_list() == other["p"].to_list()
    assert other["p_holm_all"].to_list() == pytest.approx(holm(other["p"].to_list()))


def test_a_control_that_is_added_makes_no_claim_to_be_ahead_harder_unless_it_is_better():
    """p is the largest of those beside each control: 76 pairs with a control were adjusted together, and p_holm was .080."""
    kinds = {"m": "model", "majority": "control", "neighbours": "control", "worse": "control"}
    agents = {"m": agent(1, 0.45), "majority": agent(101, 0.15), "neighbours": agent(102, 0.2), "worse": agent(4, 0.01)}
    same = {"kinds": kinds, "links": links()}
    without = {name: table for name, table in agents.items() if name != "worse"}
    few = beyond_controls(paired_tests(without, [METRIC], ["relation"], **same), CONTROLS)
    more = beyond_controls(paired_tests(agents, [METRIC], ["relation"], **same), (*CONTROLS, "worse"))
    columns = ["relation", "control", "claim", "p", "p_holm_all"]
    assert few.select(columns).equals(more.select(columns))
    assert set(few["claim"]) == {"ahead of every control"}
    tests = paired_tests(agents, [METRIC], ["relation"], **same).filter(relation="HYP", agent_a="m")
    assert few.filter(relation="HYP")["p"].item() == tests.filter(pl.col("agent_b") != "worse")["p"].max()


def test_an_agent_behind_one_of_three_controls_has_its_p_times_their_number():
    kinds = {"m": "model", "majority": "control", "neighbours": "control", "better": "control"}
    agents = {"m": agent(1, 0.3), "majority": agent(101, 0.15), "neighbours": agent(102, 0.2), "better": agent(4, 0.7)}
    tests = paired_tests(agents, [METRIC], ["relation"], kinds=kinds, links=links())
    row = beyond_controls(tests, (*CONTROLS, "better")).filter(relation="HYP").row(0, named=True)
    p = tests.filter(relation="HYP", agent_b="better")["p"].item()
    assert (row["claim"], row["control"], row["controls"]) == ("behind some control", "better", 3)
    assert row["p"] == pytest.approx(min(3 * p, 1.0))


def test_a_control_without_a_p_lets_nobody_be_ahead_of_every_control():
    """Five independent targets give no p: that the others hold says nothing of this one."""
    kinds = {"m": "model", "majority": "control", "neighbours": "control"}
    few = agent(102, 0.2).filter(pl.col("target") < "t05")
    agents = {"m": agent(1, 0.9), "majority": agent(101, 0.15), "neighbours": few}
    table = beyond_controls(paired_tests(agents, [METRIC], ["relation"], kinds=kinds, links=links(24)), CONTROLS)
    assert table.filter(pl.col("difference") > 0)["p"].null_count() == table.height


def test_the_primary_test_is_the_one_that_is_worked_out_by_hand():
    """From the answers alone: means, residuals about each relation's mean, links, prompts, t and the largest p."""
    agents = {"m": agent(1, 0.35), "majority": agent(101, 0.15), "neighbours": agent(102, 0.2)}
    kinds = {"m": "model", "majority": "control", "neighbours": "control"}
    row = beyond_controls(pooled_tests(agents, METRIC, "relation", kinds=kinds, links=links()), CONTROLS).row(
        0, named=True
    )
    worked_out = {control: by_hand(agents["m"], agents[control]) for control in CONTROLS}
    least = min(worked_out, key=lambda control: worked_out[control][0])
    assert (row["control"], row["difference"]) == (least, pytest.approx(worked_out[least][0]))
    assert row["error"] == pytest.approx(worked_out[least][1])
    assert row["p"] == pytest.approx(max(p for _, _, p in worked_out.values()))
    assert row["effective_n"] == pytest.approx(
        72**2 / (72 * 5)
    )  # three targets of a relation, and itself in two others


def by_hand(one, other):
    """Return the pooled difference of two agents, its error and its p, with loops."""
    both = one.join(other, on=["relation", "target", "prompt"], suffix="_other")
    rows = [
        (row["relation"], row["target"], row["prompt"], row["value"] - row["value_other"]) for row in both.to_dicts()
    ]
    items = sorted({row[:2] for row in rows})
    value = {item: np.mean([d for r, target, _, d in rows if (r, target) == item]) for item in items}
    mean = {r: np.mean([value[item] for item in items if item[0] == r]) for r in RELATIONS}
    linked = [
        (a, b)
        for a in items
        for b in items
        if a[1] == b[1] or (a[0] == b[0] and int(a[1][1:]) // 3 == int(b[1][1:]) // 3)
    ]
    effective = 24**2 / (24 * 3)  # of one relation
    weight, scale = 1 / 72, (effective / (effective - 1)) ** 0.5
    off = {item: weight * scale * (value[item] - mean[item[0]]) for item in items}
    between = max(sum(off[a] * off[b] for a, b in linked), sum(v * v for v in off.values()))
    freedom, columns, within, squares = 0.0, 0.0, 0.0, 0.0
    for r in RELATIONS:
        own = [item for item in items if item[0] == r]
        part = max(sum(off[a] * off[b] for a, b in linked if a in own and b in own), sum(off[a] ** 2 for a in own))
        freedom += part**2 / (effective - 1)
        prompts = sorted({row[2] for row in rows if row[0] == r})
        share = {(t_, p): weight * d / 3 for r_, t_, p, d in rows if r_ == r}
        sums = np.array([sum(v for (_, p), v in share.items() if p == prompt) for prompt in prompts])
        column = 3 / 2 * ((sums - sums.mean()) ** 2).sum()
        columns, squares = columns + column, squares + column**2 / 2
        around = {}
        for item in own:
            item_shares = np.array([share[item[1], p] for p in prompts])
            around[item] = (item_shares - item_shares.mean()) * (3 / 2) ** 0.5
        pairs = sum(around[a] @ around[b] for a, b in linked if a in own and b in own)
        within += max(pairs, sum(v @ v for v in around.values()))
    freedom = between**2 / freedom
    variance = between
    if columns > within:
        variance += columns - within
        freedom = variance**2 / (between**2 / freedom + ((columns - within) / columns) ** 2 * squares)
    difference = np.mean(list(mean.values()))
    return difference, variance**0.5, 2 * t.sf(abs(difference) / variance**0.5, freedom)


def test_units_that_one_of_two_agents_lacks_change_nothing_that_is_pooled():
    """The control was not asked with one prompt in a half of the targets; the model, right in all these, gains nothing."""
    lacking = pl.col("prompt").str.ends_with("-1") & pl.col("target").str.contains("[02468]$")
    one = agent(1, 0.35).with_columns(value=pl.when(lacking).then(1.0).otherwise("value"))
    other = agent(101, 0.15).filter(~lacking)
    assert 0 < other.height < one.height
    kinds = {"m": "model", "majority": "control"}
    whole, same = (
        pooled_tests({"m": rows, "majority": other}, METRIC, "relation", kinds=kinds, links=links())
        for rows in (one, one.filter(~lacking))
    )
    assert whole.equals(same)
    target_means = one.filter(~lacking).group_by("relation", "target").agg(pl.col("value").mean())
    assert whole["value_a"].item() == pytest.approx(target_means["value"].mean())  # as many of each relation
    row = whole.row(0, named=True)
    half = t.ppf(0.975, row["freedom"]) * row["error"]
    assert (row["low"], row["high"]) == pytest.approx((row["difference"] - half, row["difference"] + half))


def test_the_signs_of_a_pooled_test_weigh_each_condition_alike_however_many_items_it_has():
    """The two nouns weigh 1/2 each, and the four verbs 1/4: their total is 1, and 26 of the 64 patterns are as far."""
    rows = [("sum", "noun", unit, 1.0) for unit in "ab"]
    rows += [("sum", "verb", unit, value) for unit, value in zip("cdef", (1.0, 1.0, -1.0, -1.0), strict=True)]
    one = pl.DataFrame(rows, schema=UNITS, orient="row")
    agents = {"m": one, "zero": one.with_columns(value=0.0)}
    row = pooled_tests(agents, Metric("sum"), kinds={"m": "model", "zero": "control"}).row(0, named=True)
    assert (row["difference"], row["discordant_clusters"]) == (0.5, 6)
    assert row["cluster_p"] == 26 / 64
    totals = [abs(sum(signs[:2]) / 2 + sum(signs[2:]) / 4) for signs in product((1, -1), repeat=6)]
    assert sum(total >= 1 for total in totals) == 26


def test_a_pooled_study_with_a_relation_of_one_linked_group_says_which_and_what_would_be_enough():
    agents = {"m": agent(1, 0.35), "majority": agent(101, 0.15)}
    kinds = {"m": "model", "majority": "control"}
    together = links(24)["relata"].filter(relation="HYP")
    table = pooled_tests(agents, METRIC, "relation", kinds=kinds, links={"relata": together})
    assert table["p"].to_list() == [None]
    assert table["note"].item() == "no p: HYP counts as 1.0 independent items, and each needs two or more"


CONTINUOUS = Metric("rank", unit=("target",), item=("target",), cluster=("family",))


def ranks(seed, missing=0):
    """Return the reciprocal ranks of an agent, which are no round numbers; it lacks the first few targets."""
    values = 1 / np.random.default_rng(seed).integers(1, 50, 72)
    rows = [
        ("rank", "HYP", f"t{place:02}", f"f{int(place**0.7)}", value)
        for place, value in enumerate(values)
        if place >= missing
    ]
    return pl.DataFrame(rows, schema=["metric", "relation", "target", "family", "value"], orient="row")


@pytest.mark.parametrize("shared", [None, 1, 3])
@pytest.mark.parametrize("others", [{"n": ranks(3)}, {"n": ranks(3), "o": ranks(4, missing=5)}, {"copy": ranks(1)}])
def test_a_study_of_one_model_and_one_control_has_the_numbers_of_a_larger_one_to_the_last_digit(shared, others):
    """numpy adds the numbers of a single pair in another order than those of several."""
    tables = None if shared is None else {"relata": links(shared)["relata"].filter(relation="HYP")}
    metric = CONTINUOUS if shared is None else replace(CONTINUOUS, cluster=(), links=("relata",))

    def said(models):
        agents = {**models, "static": ranks(2)}
        kinds = dict.fromkeys(models, "model") | {"static": "control"}
        tests = paired_tests(agents, [metric], ["relation"], kinds=kinds, links=tables)
        means = averages(agents, [metric], ["relation"], links=tables)
        return tests.filter(agent_a="m", agent_b="static").write_csv(), means.filter(agent="m").write_csv()

    for seed in (1, *range(10, 16)):
        alone = said({"m": ranks(seed)})
        assert said({"m": ranks(seed), **others}) == alone
        assert said({**others, "m": ranks(seed)}) == alone


@pytest.mark.parametrize(("differing", "bounded"), [(15, True), (16, False)])
def test_up_to_fifteen_units_that_differ_bound_a_pooled_p_by_their_signs(differing, bounded):
    """The differences are nearly alike, so that t says far less than the two patterns of signs that are as far from 0."""
    rows = [("sum", "noun", f"u{place:02}", 1 + place % 2 / 10) for place in range(differing)]
    one = pl.DataFrame(rows, schema=UNITS, orient="row")
    agents = {"m": one, "zero": one.with_columns(value=0.0)}
    row = pooled_tests(agents, Metric("sum"), kinds={"m": "model", "zero": "control"}).row(0, named=True)
    assert (row["p"] == row["cluster_p"] == 2 / 2**15, row["p"] < 1e-9) == (bounded, not bounded)


@pytest.mark.parametrize("order", [1, -1])
def test_beside_a_chance_level_a_pooled_test_of_one_condition_is_that_of_the_condition(order):
    """The differences of a control from its chance level are those of the agent, turned."""
    metric, kinds = Metric("right", unit=("unit",), test="McNemar"), {"m": "model", "chance": "control"}
    rows = [("right", "noun", f"u{place:02}", float(place < 9)) for place in range(20)]
    one = pl.DataFrame(rows, schema=UNITS, orient="row")
    agents = dict([("m", one), ("chance", one.with_columns(value=0.25))][::order])
    columns = ["agent_a", "difference", "low", "high", "error", "p", "cluster_p", "note"]
    pooled = pooled_tests(agents, metric, kinds=kinds).select(columns)
    assert pooled.rows() == paired_tests(agents, [metric], ["condition"], kinds=kinds).select(columns).rows()
    assert pooled["difference"].item() == pytest.approx(order * 0.2)
    assert pooled["p"].item() == pytest.approx(0.0548, abs=1e-4)


def pooled_row(*rows, **control):
    """Return the pooled test of an agent's values (condition, unit, value) beside a control that has the same units."""
    one = pl.DataFrame([("sum", *row) for row in rows], schema=UNITS, orient="row")
    agents = {"m": one, "zero": one.with_columns(value=0.0) if not control else one.with_columns(**control)}
    return pooled_tests(agents, Metric("sum"), kinds={"m": "model", "zero": "control"}).row(0, named=True)


def test_a_pooled_test_of_so_few_items_has_no_p_and_says_how_many_are_enough():
    """The means of the two conditions, 2 and 6, count alike."""
    row = pooled_row(("noun", "a", 1.0), ("noun", "b", 3.0), ("verb", "c", 5.0), ("verb", "d", 7.0))
    assert (row["value_a"], row["value_b"], row["difference"]) == (4.0, 0.0, 4.0)
    assert (row["p"], row["cluster_p"], row["effective_n"]) == (None, 2 / 2**4, 4.0)
    assert row["note"] == "no p: the items count as 4.0 independent ones, and 6 are enough"
    six = [("noun", unit, float(place)) for place, unit in enumerate("abc", 1)]
    six += [("verb", unit, float(place)) for place, unit in enumerate("def", 1)]
    enough = pooled_row(*six)  # they count as six but for the noise of floats
    assert (enough["p"], enough["note"]) == (2 / 2**6, None)


def test_agents_that_are_alike_under_all_conditions_have_p_one():
    row = pooled_row(("noun", "a", 1.0), ("noun", "b", 3.0), ("verb", "c", 5.0), value=pl.col("value") + 1e-12)
    assert (row["p"], row["units"], row["note"]) == (1.0, 3, SAME)
    assert row["difference"] == pytest.approx(0, abs=1e-9)
