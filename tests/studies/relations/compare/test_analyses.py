from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.relations.averages import UNLINKED, design_of, linked_by
from relprobe.studies.relations.averages import averages_of as averages
from relprobe.studies.relations.compare import between_agents, between_relations, compare
from relprobe.studies.relations.distances import curve
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, CONTRASTS, METRICS, PAIRS, PROBES, RELATA, TESTS
from relprobe.studies.relations.values import RELATIONS, TUPLE_ROWS

from tests.studies.relations.six import SIX


def units(*rows):
    """Return METRICS from (metric, relation, target, prompt, value) or, for others, (…, value, {further columns})."""
    return pl.DataFrame(
        [
            {
                "metric": metric,
                "relation": relation,
                "target": target,
                "prompt_id": prompt,
                "value": value,
                **(more[0] if more else {}),
            }
            for metric, relation, target, prompt, value, *more in rows
        ],
        schema=METRICS,
    )


def sound(target, prompt, value, relation="HYP"):
    return "soundness", relation, target, prompt, value


def delta(relation, versus, value, target="w"):
    return "distinguishability", relation, target, "p", value, {"versus": versus}


def mutual(target, relatum, value, prompt="p", k=1):
    return "symmetry", "ANT", target, prompt, value, {"relatum": relatum, "k": k, "cluster": target}


NOTHING_SHARED = pl.DataFrame(schema=RELATA)
"""Relatum sets without a common word."""


def paired_tests(values, people=(), relata=NOTHING_SHARED, **more):
    return between_agents(values, relata, SIX, comparing=AgentComparison([], persons=[*people], **more))


def only(table, **where):
    rows = table.filter(**where)
    assert rows.height == 1
    return rows.row(0, named=True)


def test_values_are_averaged_over_prompts_and_then_over_targets():
    # (1 + 0 + 0)/3 for robin and 1 for wall: 2/3, not the 2/4 of all probes alike
    table = units(sound("robin", "p", 1), sound("robin", "q", 0), sound("robin", "r", 0), sound("wall", "p", 1))
    row = only(averages({"m": table}, relations=SIX), metric="soundness")
    assert row["value"] == pytest.approx(2 / 3)
    assert row["units"] == 2


def test_symmetry_is_averaged_over_prompts_and_then_over_tuples_by_k():
    table = units(
        mutual("night", "day", 1),
        mutual("night", "day", 0, prompt="q"),
        mutual("night", "light", 1),
        mutual("night", "day", 1, k=5),
    )
    found = averages({"m": table}, relations=SIX)
    assert only(found, metric="symmetry", k=1)["clusters"] == 1
    assert only(found, metric="symmetry", k=1)["value"] == pytest.approx(3 / 4)
    assert only(found, metric="symmetry", k=1)["units"] == 2
    assert only(found, metric="symmetry", k=5)["value"] == 1


def test_coverage_is_the_share_of_the_studys_units():
    full = units(*(sound(f"w{i}", "p", 1) for i in range(4)))
    half = units(*(sound(f"w{i}", "p", 0) for i in range(2)))
    found = averages({"full": full, "half": half}, relations=SIX)
    assert only(found, agent="full", metric="soundness")["coverage"] == 1
    assert only(found, agent="half", metric="soundness")["coverage"] == 1 / 2


def test_coverage_counts_what_any_agent_answered():
    one, other = units(sound("a", "p", 1), sound("b", "p", 1)), units(sound("b", "p", 1), sound("c", "p", 1))
    found = averages({"one": one, "other": other}, relations=SIX).filter(metric="soundness")
    assert found["coverage"].to_list() == [pytest.approx(2 / 3), pytest.approx(2 / 3)]


DELTAS = units(
    delta("HYP", "HYP", 0.25),
    delta("HYP", "MER", 1.0),
    delta("HYP", "SYN", 0.125),  # before the hypernyms
    delta("MER", "MER", 0.5, "a"),
    delta("MER", "MER", 0.0, "b"),
    delta("MER", "HYP", 0.75, "b"),
)


def test_distinguishability_is_how_much_later_the_other_relation_comes_on_the_targets_of_both():
    found = averages({"m": DELTAS}, relations=SIX).filter(metric="distinguishability")
    assert {row[:2]: row[2:] for row in found.select("relation", "versus", "value", "units").rows()} == {
        ("HYP", "MER"): (0.75, 1),
        ("HYP", "SYN"): (-0.125, 1),  # Eq. 26 has 0
        ("MER", "HYP"): (0.75, 1),  # b alone has relata of both; Eq. 25 has 0.75 - (0.5 + 0)/2
    }


def test_audc_is_the_sum_over_the_pairs():
    found = averages({"m": DELTAS}, relations=SIX)
    row = only(found, metric="audc")
    assert row["value"] == pytest.approx(0.75 - 0.125 + 0.75)
    assert (row["units"], row["clusters"], row["relation"]) == (3, 2, None)  # w and b; a has no gap
    assert row["coverage"] == pytest.approx(3 / 30)  # of the pairs of six relations


def test_audc_as_printed_cuts_off_at_0_and_averages_over_different_targets():
    row = only(averages({"m": DELTAS}, relations=SIX), metric="audc_printed")
    assert row["own_units"]  # it is over all targets that the agent has
    assert row["value"] == pytest.approx(0.75 + 0 + 0.5)
    assert (row["units"], row["low"], row["high"]) == (3, None, None)
    assert row["coverage"] == pytest.approx(3 / 30)
    assert row["note"].startswith("no interval")


def test_distances_are_averaged_over_the_targets_of_the_study():
    gaps = [(f"w{i}", 0.5) for i in range(10)]
    one = units(*(delta("HYP", s, v, w) for w, gap in gaps for s, v in (("HYP", 0.0), ("MER", gap))))
    more = pl.concat([one, units(delta("HYP", "HYP", 1.0, "z"), delta("HYP", "MER", 0.0, "z"))])
    asked = pl.DataFrame({"relation": "HYP", "versus": "MER", "target": [f"w{i}" for i in range(10)]})
    design = replace(UNLINKED, asked_gaps=asked)
    common, own = (
        averages({"one": one, "more": more}, AgentComparison([], targets=targets), relations=SIX, design=design)
        for targets in ("common", "own")
    )
    distances = common.filter(metric="distinguishability").select("agent", "value", "units", "own_units")
    assert distances.rows() == [("one", 0.5, 10, False), ("more", 0.5, 10, False)]
    common, own = (table.filter(metric="audc") for table in (common, own))
    assert common.select("agent", "value", "own_units").rows() == [("one", 0.5, False), ("more", 0.5, False)]
    assert own.select("agent", "value", "own_units").rows() == [
        ("one", 0.5, False),
        ("more", pytest.approx((10 * 0.5 - 1) / 11), True),
    ]


def test_the_curve_counts_the_pairs_above_a_threshold():
    steps = curve(averages({"m": DELTAS}, relations=SIX))
    assert steps.unique(maintain_order=True).rows() == [("m", 0.0, 2), ("m", 0.75, 0), ("m", 1.0, 0)]


def test_a_perfect_pair_lies_above_every_threshold_below_1():
    table = units(delta("HYP", "HYP", 0.0), delta("HYP", "MER", 1.0))
    steps = curve(averages({"m": table}, relations=SIX))
    assert steps.rows()[0] == ("m", 0.0, 1)
    assert steps.rows()[-1] == ("m", 1.0, 0)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.tuples(*[st.sampled_from(["HYP", "HPO", "HOL", "MER"])] * 2), st.floats(0, 1), min_size=1))
def test_the_curve_holds_the_distances_above_0(values):
    own = {(relation, relation): 0.0 for relation, _ in values} | values
    found = averages({"m": units(*(delta(*pair, value) for pair, value in own.items()))}, relations=SIX)
    if (found["metric"] == "distinguishability").any():
        steps = curve(found)
        area = (steps["p"].diff().drop_nulls() * steps["pairs"].head(steps.height - 1)).sum()
        assert area == pytest.approx(found.filter(metric="distinguishability")["value"].clip(0).sum())


def test_the_curve_leaves_out_pairs_that_do_not_count():
    rows = [("m", "distinguishability", 0.5, counts) for counts in (True, False, None)]  # of the last nothing is said
    table = pl.DataFrame(rows, schema=["agent", "metric", "value", "in_audc"], orient="row")
    assert curve(table).rows() == [("m", 0.0, 2), ("m", 0.5, 0), ("m", 0.5, 0), ("m", 1.0, 0)]


def test_averages_without_distinguishability_have_no_curve():
    found = averages({"m": units(sound("robin", "p", 1))}, relations=SIX)
    assert found["metric"].to_list() == ["soundness"]
    assert curve(found).height == 0


def test_the_schema_and_order_of_averages():
    table = pl.concat([units(sound("a", "p", 1, "SYN"), sound("a", "p", 1, "HYP")), DELTAS])
    found = averages({"z": table, "a": table}, relations=SIX)
    assert found.schema == AVERAGES
    rows = found.filter(metric="soundness").select("relation", "agent").rows()
    assert rows == [("HYP", "z"), ("HYP", "a"), ("SYN", "z"), ("SYN", "a")]  # the agents in the order they are given in


# Paired tests


def agents():
    """Two agents over 8 common targets, each with one target of its own on which the other has no say."""
    a = units(*(sound(f"w{i}", "p", int(i < 6)) for i in range(8)), sound("only_a", "p", 1))
    b = units(*(sound(f"w{i}", "p", int(i < 2)) for i in range(8)), sound("only_b", "p", 1))
    return {"a": a, "b": b}


def test_agents_are_compared_on_the_units_that_both_answered():
    row = only(paired_tests(agents()), metric="soundness")
    assert (row["agent_a"], row["agent_b"], row["units"], row["clusters"], row["discordant"]) == ("a", "b", 8, 8, 4)
    assert (row["value_a"], row["value_b"], row["difference"]) == (6 / 8, 2 / 8, 1 / 2)
    assert row["p"] == row["p_holm"] == 2 / 2**4  # four targets that differ, all with one sign
    assert (row["paper_test"], row["paper_p"], row["paper_effect"]) == ("McNemar", 2 / 2**4, 1 / 2)


def test_the_prompts_of_a_target_are_one_observation_of_our_test_and_several_of_the_papers():
    a = units(*(sound(f"w{i}", f"p{j}", 1) for i in range(3) for j in range(7)))
    row = only(paired_tests({"a": a, "b": a.with_columns(value=0.0)}), metric="soundness")
    assert (row["units"], row["clusters"]) == (21, 3)
    assert row["p"] == 2 / 2**3
    assert row["paper_p"] == pytest.approx(2 / 2**21)


@pytest.mark.parametrize("metric", ["completeness", "prototypicality"])
def test_the_units_of_graded_metrics_are_targets(metric):
    a = units(*((metric, "HYP", f"w{i}", p, value) for i in range(6) for p, value in (("p", 0.5), ("q", 1.0))))
    b = units(*((metric, "HYP", f"w{i}", p, 0.1 * i / 6) for i in range(6) for p in "pq"))
    row = only(paired_tests({"a": a, "b": b}), metric=metric)
    assert (row["paper_test"], row["units"], row["value_a"]) == ("Wilcoxon", 6, pytest.approx(3 / 4))
    assert row["paper_p"] == pytest.approx(2 / 2**6)
    assert row["paper_effect"] == 1
    assert row["p"] > 2 / 2**6  # the two prompts differ by 0.5 in all targets, and they are a sample, too
    same = units(*((metric, "HYP", f"w{i}", p, 0.75) for i in range(6) for p in "pq"))
    assert only(paired_tests({"a": same, "b": b}), metric=metric)["p"] == pytest.approx(2 / 2**6)


def test_the_units_of_symmetry_are_pairs_and_prompts_by_k_and_its_clusters_linked_pairs():
    a = units(mutual("d", "n", 1), mutual("d", "l", 1), mutual("d", "n", 0, prompt="q"), mutual("d", "n", 1, k=5))
    compared = paired_tests({"a": a, "b": a.with_columns(value=0.0)})
    row = only(compared, metric="symmetry", k=1)
    assert (row["units"], row["clusters"], row["discordant"], row["cluster_p"]) == (3, 1, 2, 1.0)
    assert (row["effective_n"], row["p"]) == (1, None)  # the two pairs share the word d
    assert row["difference"] == (1 / 2 + 1) / 2  # the mean over the prompts of a pair, and then over the pairs
    assert only(compared, metric="symmetry", k=5)["units"] == 1


def test_the_clusters_of_asymmetry_are_targets():
    rows = [("asymmetry", "HYP", "robin", "p", 1, {"relatum": relatum, "k": 5}) for relatum in ("bird", "animal")]
    row = only(paired_tests({"a": units(*rows), "b": units(*rows).with_columns(value=0.0)}), metric="asymmetry")
    assert (row["units"], row["clusters"]) == (2, 1)


def linked(rows, relata):
    """Return the tests of two agents, of which one is right and one wrong, with the given relatum sets."""
    table = units(*rows)
    schema = {"relation": pl.String, "target": pl.String, "relatum": pl.String}
    sets = pl.DataFrame(relata, schema=schema, orient="row")
    return paired_tests({"a": table, "b": table.with_columns(value=0.0)}, relata=sets)


def test_targets_that_share_a_relatum_of_the_prompted_relation_are_linked():
    rows = [sound(f"w{i}", "p", i % 2, relation) for i in range(12) for relation in ("HYP", "MER")]
    relata = [("HYP", f"w{i}", f"x{i // 2}") for i in range(12)] + [("MER", f"w{i}", f"y{i}") for i in range(12)]
    table = linked(rows, relata).filter(metric="soundness")
    assert dict(table.select("relation", "effective_n").iter_rows()) == {"HYP": 6, "MER": 12}


def test_tuples_are_linked_by_their_words_in_either_place():
    words = ["ab", "bc", "cd", "ef", "gh", "ij", "kl", "mn"]
    rows = [("asymmetry", "HYP", v, "p", i % 2, {"relatum": w, "k": 5}) for i, (v, w) in enumerate(words)]
    row = only(linked(rows, []), metric="asymmetry")
    assert row["effective_n"] == 8**2 / (8 + 2 * 2)  # a b with b c, and b c with c d


def test_relations_are_contrasted_over_targets_that_share_a_relatum_of_either():
    rows = [sound(f"w{i}", "p", i % 2, relation) for i in range(12) for relation in ("HYP", "MER")]
    relata = [("HYP", f"w{i}", f"x{i // 2}") for i in range(12)] + [("MER", f"w{i}", "y") for i in (1, 2)]
    schema = {"relation": pl.String, "target": pl.String, "relatum": pl.String}
    sets = pl.DataFrame(relata, schema=schema, orient="row")
    row = only(between_relations({"m": units(*rows)}, sets, SIX), metric="soundness")
    assert row["effective_n"] == 12**2 / (6 * 4 + 2)


def test_symmetry_and_asymmetry_are_contrasted_between_no_relations():
    """Their units are pairs of words of a relation, not targets that two relations have in common."""
    rows = [sound("w", "p", 1, "SYN"), sound("w", "p", 0, "ANT")]
    rows += [("symmetry", relation, "w", "p", 1, {"relatum": "v", "k": 5}) for relation in ("SYN", "ANT")]
    table = between_relations({"m": units(*rows)}, NOTHING_SHARED, SIX)
    assert set(table["metric"]) == {"soundness"}


def gold(*probes):
    """Return the gold standard of the example with these probes: relation, target, kind."""
    rows = [(f"{r}:{w}:{kind}", r, w, "p", kind, f"{w} [V]", []) for r, w, kind in probes]
    words = pl.DataFrame({"word": ["robin", "bird", "animal", "wing", "night", "day"]})
    return GoldStandard(pl.DataFrame(rows, schema=PROBES, orient="row"), TUPLE_ROWS, TUPLE_ROWS, words, RELATIONS)


ASKED = gold(
    *(("HYP", word, kind) for word, kind in (("robin", "main"), ("bird", "trick"), ("animal", "trick"))),
    *((relation, "robin", "main") for relation in ("MER",)),
    *(("ANT", word, "main") for word in ("night", "day")),
)


def test_the_items_of_a_study_are_its_targets_and_tuples_whoever_answers():
    design = design_of(ASKED)
    assert sorted(design.items["soundness"].rows()) == [
        ("ANT", "day"),
        ("ANT", "night"),
        ("HYP", "robin"),
        ("MER", "robin"),
    ]
    assert design.items["symmetry"].rows() == [("ANT", "day", "night")]  # a pair counts once
    assert sorted(design.items["asymmetry"].rows()) == [("HYP", "robin", "animal"), ("HYP", "robin", "bird")]
    assert sorted(design.asked_gaps.rows()) == [("HYP", "MER", "robin"), ("MER", "HYP", "robin")]


def test_where_people_take_part_their_items_are_those_of_the_study():
    people = units(sound("day", "p", 1, "ANT"), sound("other", "p", 1, "ANT"))
    design = design_of(ASKED, [people])
    # In the relations that they have not answered, the items are all that are asked; of pairs, too.
    assert sorted(design.items["soundness"].rows()) == [("ANT", "day"), ("HYP", "robin"), ("MER", "robin")]
    assert design.items["symmetry"].rows() == [("ANT", "day", "night")]


def test_people_and_models_are_averaged_over_the_same_probes():
    """Two people answered one of two prompts about antonyms, of day alone, and no hypernyms."""
    model = units(
        *(sound(word, prompt, value, "ANT") for word in ("day", "night") for prompt, value in (("p", 1), ("q", 0))),
        *(sound("robin", prompt, value) for prompt, value in (("p", 1), ("q", 0))),
        mutual("day", "night", 1),
        mutual("day", "night", 0, prompt="q"),
        ("outside", "ANT", "day", "p", 0.5),
        ("outside", "ANT", "day", "q", 0.1),
    )
    person = units(sound("day", "p", 1, "ANT"), mutual("day", "night", 1))
    design = design_of(ASKED, [person])

    def values(targets):
        comparing = AgentComparison([], targets=targets)
        table = averages({"m": model, "annotator": person}, comparing, relations=SIX, design=design).filter(agent="m")
        return {(row["metric"], row["relation"]): row["value"] for row in table.iter_rows(named=True)}

    common = {("soundness", "ANT"): 1.0, ("soundness", "HYP"): 0.5, ("symmetry", "ANT"): 1.0, ("outside", "ANT"): 0.5}
    assert common.items() <= values("common").items()
    own = {("soundness", "ANT"): 0.5, ("symmetry", "ANT"): 0.5, ("outside", "ANT"): 0.3}
    assert own.items() <= values("own").items()


def test_distances_and_audc_are_over_the_probes_that_people_answered_too():
    def gaps_of(prompt, value):
        rows = [("HYP", "HYP", 0.0), ("HYP", "MER", value), ("MER", "MER", 0.0), ("MER", "HYP", value)]
        return [("distinguishability", r, "robin", prompt, one, {"versus": s}) for r, s, one in rows]

    model = units(*gaps_of("p", 0.9), *gaps_of("q", 0.1))
    people = units(sound("robin", "p", 1), sound("robin", "p", 1, "MER"), *gaps_of("p", 0.4))
    table = averages({"m": model, "humans": people}, relations=SIX, design=design_of(ASKED, [people]))
    found = dict(table.filter(metric="audc").select("agent", "value").iter_rows())
    assert found == {"m": pytest.approx(1.8), "humans": pytest.approx(0.8)}


@pytest.mark.parametrize("lacking", [2, 30], ids=["few", "many"])
def test_another_agent_moves_no_other_one(lacking):
    def agent(seed, first, last):
        draw = np.random.default_rng(seed).random
        rows = [sound(f"w{i:02}", p, float(draw() < 0.4)) for i in range(first, last) for p in "pq"]
        rows += [
            delta(r, s, draw(), f"w{i:02}") for i in range(first, last) for r in ("HYP", "MER") for s in ("HYP", "MER")
        ]
        rows += [mutual(f"w{i:02}", f"w{i + 1:02}", float(draw() < 0.4)) for i in range(first, last, 2)]
        return units(*rows)

    relata = pl.DataFrame(
        {"relation": "HYP", "target": [f"w{i:02}" for i in range(60)], "relatum": [f"r{i // 3}" for i in range(60)]}
    )
    design = replace(linked_by(relata), items={"soundness": relata.select("relation", "target").head(38)})
    before = {"a": agent(1, 0, 40), "b": agent(2, 0, 40)}
    after = before | {"new": agent(3, lacking, 60)}
    first, second = (averages(one, relations=SIX, design=design) for one in (before, after))
    moving = ["coverage", "own_units"]  # of metrics without items of the study
    assert second.filter(pl.col("agent") != "new").drop(moving).equals(first.drop(moving))
    sound_before, sound_after = (table.filter(metric="soundness") for table in (first, second))
    assert sound_after.filter(pl.col("agent") != "new").equals(sound_before)
    one, other = (paired_tests(values, relata=relata) for values in (before, after))
    own = [
        name
        for name in one.columns
        if not name.endswith(("_holm", "_bh", "_holm_all", "family_size", "detectable", "detectable_all"))
    ]
    assert other.filter(pl.col("agent_b") != "new").select(own).equals(one.select(own))
    assert set(one.filter(pl.col("p").is_not_null())["metric"]) == {"soundness", "symmetry", "audc"}


def test_people_are_a_family_of_their_own():
    table = {
        "a": units(*(sound(f"w{i}", "p", 1) for i in range(8))),
        "b": units(*(sound(f"w{i}", "p", int(i < 2)) for i in range(8))),
        "c": units(*(sound(f"w{i}", "p", int(i < 3)) for i in range(8))),
        "humans": units(*(sound(f"w{i}", "p", 0) for i in range(8))),
    }
    compared = paired_tests(table, people=["humans"])
    found = {
        (row["agent_a"], row["agent_b"]): (row["family"], row["p"], row["p_holm"])
        for row in compared.iter_rows(named=True)
    }
    assert found["a", "b"] == ("models", 2 / 64, 2 / 64)  # 6 to 0: a pair of models is its own family
    assert found["a", "c"] == ("models", 2 / 32, 2 / 32)  # 5 to 0
    assert found["b", "c"] == ("models", 1.0, 1.0)  # 0 to 1
    assert found["a", "humans"] == (
        "people",
        2 / 256,
        2 / 256,
    )  # 8 to 0: neither a pair of models nor another model counts
    without = paired_tests({agent: table[agent] for agent in "abc"})
    assert without["p_holm"].to_list() == compared.filter(family="models")["p_holm"].to_list()


def test_an_agent_that_lacks_a_relation_has_a_row_that_says_so():
    both = [sound(f"w{i}", f"p{j}", i % 2, relation) for i in range(4) for j in range(2) for relation in ("HYP", "MER")]
    table = {"a": units(*both), "b": units(*(row for row in both if row[1] == "HYP"))}
    found = paired_tests(table).filter(metric="soundness")
    assert found.select("relation", "units", "note").rows()[1] == ("MER", 0, "no unit in common")
    assert found["units"].to_list() == [8, 0]


def test_agents_without_a_unit_in_common_are_said_to_have_none():
    table = {"a": units(sound("x", "p", 1)), "b": units(sound("y", "p", 1))}
    row = only(paired_tests(table), metric="soundness")
    assert (row["units"], row["p"], row["p_holm"], row["note"]) == (0, None, None, "no unit in common")


def test_an_agent_that_has_no_values_of_a_metric_is_not_tested_on_it():
    table = agents() | {"humans": units(mutual("n", "d", 1))}
    compared = paired_tests(table).filter(metric="soundness")
    assert compared.filter(pl.col("p").is_not_null()).select("agent_a", "agent_b").rows() == [("a", "b")]


def test_one_agent_has_nobody_to_be_compared_with():
    compared = paired_tests({"a": units(sound("x", "p", 1))})
    assert compared.height == 0
    assert compared.schema == TESTS


def gaps_of(**gaps):
    """Return METRICS with D(HYP, MER) and D(HYP, SYN) from word -> the gap of each, or None."""
    rows = []
    for word, word_gaps in gaps.items():
        rows += [delta("HYP", "HYP", 0.0, word)]
        rows += [
            delta("HYP", s, gap, word) for s, gap in zip(("MER", "SYN"), word_gaps, strict=True) if gap is not None
        ]
    return units(*rows)


def test_audc_is_tested_by_exchanging_the_gaps_of_words():
    a = gaps_of(u=(1.0, 1.0), v=(1.0, None), w=(0.5, 0.5))
    b = gaps_of(u=(0.0, 0.5), v=(0.0, None), w=(0.0, 0.5), x=(0.0, 0.0))
    row = only(paired_tests({"a": a, "b": b}), metric="audc")
    # differences u (1, 1/2), v (1, -), w (1/2, 0): the mean over u v w is 5/6, that over u w is 1/4
    assert (row["value_a"], row["value_b"]) == (pytest.approx(2.5 / 3 + 1.5 / 2), pytest.approx(0 + 1 / 2))
    assert row["difference"] == pytest.approx(5 / 6 + 1 / 4)
    assert (row["units"], row["clusters"], row["discordant"]) == (5, 3, 4)
    assert row["p"] == 2 / 2**3  # the shares of the words, 1/3 + 1/4, 1/3 and 1/6, are all positive
    assert (row["paper_p"], row["paper_note"]) == (None, "no test is known for AuDC (section 7.3)")


def test_audc_has_no_interval_above_0_without_any_signal():
    """Twelve random agents whose relations are alike: cut off at 0, all their intervals excluded 0."""
    random = np.random.default_rng(3)
    words = [f"w{i}" for i in range(60)]
    values = {
        f"m{agent}": units(
            *(
                delta(r, s, random.random(), w)
                for r in ("HYP", "MER", "SYN")
                for s in ("HYP", "MER", "SYN")
                for w in words
            )
        )
        for agent in range(12)
    }
    found = averages(values, relations=SIX).filter(metric="audc")
    assert found.filter((pl.col("low") < 0) & (pl.col("high") > 0)).height >= 11
    assert averages(values, relations=SIX).filter(metric="audc_printed")["value"].min() > 0


def test_prompts_are_a_sample_in_every_metric_and_the_papers_test_stays():
    random = np.random.default_rng(1)
    lucky = dict(zip("pqr", (0.9, 0.5, 0.1), strict=True))
    a = units(*(sound(f"w{i}", p, float(random.random() < share)) for i in range(30) for p, share in lucky.items()))
    b = a.with_columns(value=0.0)
    alike = a.with_columns(
        value=pl.col("value").mean().over("target")
    )  # the same targets, with prompts that do not differ
    plain, crossed = (only(paired_tests({"a": one, "b": b}), metric="soundness") for one in (alike, a))
    assert crossed["high"] - crossed["low"] > 1.5 * (plain["high"] - plain["low"])
    assert crossed["p"] > plain["p"]
    related = [a.with_columns(metric=pl.lit(name)) for name in ("unrelated", "first_related", "misses", "completeness")]
    own = averages({"a": pl.concat([a, DELTAS, *related])}, relations=SIX)
    assert {"misses", "distinguishability", "audc"} <= set(own["metric"])
    own = only(own, metric="soundness")
    assert own["high"] - own["low"] > 1.5 * (plain["high"] - plain["low"])
    assert all(measure.crossed == "prompt_id" for measure in MEASURES)


def test_relations_are_compared_within_an_agent_on_common_targets():
    table = units(
        *(sound(w, p, 1, "SYN") for w in "abcd" for p in "pq"),
        *(sound(w, "r", int(w == "a"), "ANT") for w in "abcde"),
    )
    found = between_relations({"m": table}, NOTHING_SHARED, SIX)
    assert found.schema == CONTRASTS
    row = only(found, metric="soundness")
    assert (row["contrast"], row["a"], row["b"], row["units"]) == ("relation", "ANT", "SYN", 4)
    assert (row["value_a"], row["value_b"], row["difference"]) == (1 / 4, 1.0, -3 / 4)
    assert row["p"] == 2 / 2**3  # b, c and d differ


def test_an_interval_encloses_the_average_and_is_of_targets():
    table = units(*(sound(f"w{i}", prompt, i % 2) for i in range(40) for prompt in "pq"))
    row = only(averages({"m": table}, relations=SIX), metric="soundness")
    assert row["low"] < row["value"] == 0.5 < row["high"]
    # of 40 targets, half of them 1: the normal interval is 1/2 ± 1.96 sqrt(1/4 / 40) = 1/2 ± 0.155; of 80 units ± 0.110
    assert row["high"] - row["low"] == pytest.approx(0.31, abs=0.04)


def test_a_share_of_1_has_wilsons_interval():
    row = only(averages({"m": units(*(sound(f"w{i}", "p", 1) for i in range(18)))}, relations=SIX), metric="soundness")
    assert (row["value"], row["high"], row["low"]) == (1.0, 1.0, pytest.approx(18 / (18 + 1.95996**2), abs=1e-5))


def test_an_agent_that_lacks_many_targets_is_averaged_over_its_own_and_marked():
    full = units(*(sound(f"w{i}", "p", int(i < 5)) for i in range(10)))
    half = units(*(sound(f"w{i}", "p", 1) for i in range(5)))
    found = averages({"full": full, "other": full, "half": half}, relations=SIX).filter(metric="soundness")
    assert found.select("agent", "value", "units", "own_units").rows() == [
        ("full", 0.5, 10, False),
        ("other", 0.5, 10, False),
        ("half", 1.0, 5, True),
    ]


def test_a_single_target_has_no_interval():
    row = only(averages({"m": units(sound("w", "p", 1))}, relations=SIX), metric="soundness")
    assert (row["low"], row["high"]) == (None, None)


def test_targets_that_agree_leave_no_doubt_about_distances_and_their_sum():
    rows = [delta("HYP", s, v, target=f"w{i}") for s, v in (("HYP", 0.25), ("MER", 0.75)) for i in range(3)]
    rows += [delta("MER", s, v, target=f"w{i}") for s, v in (("HYP", 0.5), ("MER", 1.0)) for i in range(3)]
    table = averages({"m": units(*rows)}, relations=SIX)
    pair = only(table, metric="distinguishability", relation="HYP")
    assert (pair["value"], pair["low"], pair["note"]) == (
        0.5,
        None,
        "no interval: the value is the same in all clusters",
    )
    area = only(table, metric="audc")  # 1/2 - 1/2, as MER is taken for HYP
    assert (area["value"], area["low"], area["note"]) == (0.0, None, "no interval: all resamples give the same value")


def test_targets_that_differ_leave_doubt():
    rows = [delta("HYP", "HYP", 0.0, target=f"w{i}") for i in range(30)]
    rows += [delta("HYP", "MER", i % 2, target=f"w{i}") for i in range(30)]
    row = only(averages({"m": units(*rows)}, relations=SIX), metric="audc")
    assert row["low"] < row["value"] == 0.5 < row["high"]


def test_without_agents_no_relations_are_compared():
    table = between_relations({}, NOTHING_SHARED, SIX)
    assert table.is_empty()
    assert table.schema == CONTRASTS


def test_the_step_has_averages_and_tests_and_what_each_agent_has_beyond_its_controls_over_all_relations():
    """m is right about ten targets of both relations, the control about none; each has its own targets."""
    words = "abcdefghij"
    tables = {
        agent: units(*(sound(word, "p", value, relation) for word in words for relation in ("HYP", "ANT")))
        for agent, value in (("m", 1.0), ("c", 0.0))
    }
    nothing = pl.DataFrame(schema=PROBES)
    gold = GoldStandard(nothing, NOTHING_SHARED, pl.DataFrame(schema=RELATA), pl.DataFrame({"word": []}), SIX)
    made = compare(tables, gold, pl.DataFrame(schema=PAIRS), AgentComparison(["c"], targets="own"))
    assert made.averages.filter(metric="soundness").select("relation", "agent", "value").rows() == [
        *(("HYP", "m", 1.0), ("HYP", "c", 0.0), ("ANT", "m", 1.0), ("ANT", "c", 0.0))
    ]
    assert made.tests.filter(metric="soundness").select("relation", "agent_a", "agent_b", "difference").rows() == [
        *(("HYP", "m", "c", 1.0), ("ANT", "m", "c", 1.0))
    ]
    assert set(made.contrasts["agent"]) == {"m"}
    (row,) = made.tables["primary"].to_dicts()
    assert (row["agent"], row["control"], row["metric"], row["difference"]) == ("m", "c", "soundness", 1.0)
