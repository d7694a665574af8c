import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.studies.relations.analyses import averages
from relprobe.studies.relations.analyses import tests as paired_tests
from relprobe.studies.relations.distances import curve
from relprobe.studies.relations.schemas import AVERAGES, METRICS, TESTS
from relprobe.studies.relations.tables import overview


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
    return "symmetry", "ANT", target, prompt, value, {"relatum": relatum, "k": k}


def only(table, **where):
    rows = table.filter(**where)
    assert rows.height == 1
    return rows.row(0, named=True)


def test_values_are_averaged_over_prompts_and_then_over_targets():
    # (1 + 0 + 0)/3 for robin and 1 for wall: 2/3, not the 2/4 of all probes alike
    table = units(sound("robin", "p", 1), sound("robin", "q", 0), sound("robin", "r", 0), sound("wall", "p", 1))
    row = only(averages({"m": table}), metric="soundness")
    assert row["value"] == pytest.approx(2 / 3)
    assert row["units"] == 2


def test_symmetry_is_averaged_over_prompts_and_then_over_tuples_by_k():
    table = units(
        mutual("night", "day", 1),
        mutual("night", "day", 0, prompt="q"),
        mutual("night", "light", 1),
        mutual("night", "day", 1, k=5),
    )
    found = averages({"m": table})
    assert only(found, metric="symmetry", k=1)["value"] == pytest.approx(3 / 4)
    assert only(found, metric="symmetry", k=1)["units"] == 2
    assert only(found, metric="symmetry", k=5)["value"] == 1


def test_coverage_is_the_share_of_the_studys_units():
    full = units(*(sound(f"w{i}", "p", 1) for i in range(4)))
    half = units(*(sound(f"w{i}", "p", 0) for i in range(2)))
    found = averages({"full": full, "half": half})
    assert only(found, agent="full", metric="soundness")["coverage"] == 1
    assert only(found, agent="half", metric="soundness")["coverage"] == 1 / 2


def test_coverage_counts_what_any_agent_answered():
    one, other = units(sound("a", "p", 1), sound("b", "p", 1)), units(sound("b", "p", 1), sound("c", "p", 1))
    found = averages({"one": one, "other": other}).filter(metric="soundness")
    assert found["coverage"].to_list() == [pytest.approx(2 / 3), pytest.approx(2 / 3)]


DELTAS = units(
    delta("HYP", "HYP", 0.25),
    delta("HYP", "MER", 1.0),
    delta("HYP", "SYN", 0.125),  # before the hypernyms: not distinguished
    delta("MER", "MER", 0.5, "a"),
    delta("MER", "MER", 0.0, "b"),
    delta("MER", "HYP", 0.75, "b"),
)


def test_distinguishability_is_how_much_later_the_other_relation_comes_and_never_negative():
    found = averages({"m": DELTAS}).filter(metric="distinguishability")
    assert {row[:2]: row[2] for row in found.select("relation", "versus", "value").rows()} == {
        ("HYP", "MER"): 0.75,
        ("HYP", "SYN"): 0.0,
        ("MER", "HYP"): 0.5,  # 0.75 - (0.5 + 0)/2: each over the targets that have it (Eq. 25)
    }


def test_audc_is_the_sum_over_the_pairs():
    row = only(averages({"m": DELTAS}), metric="audc")
    assert row["value"] == pytest.approx(1.25)
    assert row["units"] == 3
    assert row["relation"] is None


def test_the_curve_counts_the_pairs_above_a_threshold():
    steps = curve(averages({"m": DELTAS}))
    assert steps.rows() == [("m", 0.0, 2), ("m", 0.5, 1), ("m", 0.75, 0), ("m", 1.0, 0)]


def test_a_perfect_pair_lies_above_every_threshold_below_1():
    table = units(delta("HYP", "HYP", 0.0), delta("HYP", "MER", 1.0))
    steps = curve(averages({"m": table}))
    assert steps.rows()[0] == ("m", 0.0, 1)
    assert steps.rows()[-1] == ("m", 1.0, 0)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.tuples(*[st.sampled_from(["HYP", "HPO", "HOL", "MER"])] * 2), st.floats(0, 1), min_size=1))
def test_audc_is_the_integral_of_the_curve(values):
    own = {(relation, relation): 0.0 for relation, _ in values} | values
    found = averages({"m": units(*(delta(*pair, value) for pair, value in own.items()))})
    if (found["metric"] == "distinguishability").any():
        steps = curve(found)
        area = (steps["p"].diff().drop_nulls() * steps["pairs"].head(steps.height - 1)).sum()
        assert area == pytest.approx(only(found, metric="audc")["value"])


def test_averages_without_distinguishability_have_no_curve():
    found = averages({"m": units(sound("robin", "p", 1))})
    assert found["metric"].to_list() == ["soundness"]
    assert curve(found).height == 0


def test_the_schema_and_order_of_averages():
    table = pl.concat([units(sound("a", "p", 1, "SYN"), sound("a", "p", 1, "HYP")), DELTAS])
    found = averages({"z": table, "a": table})
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
    assert (row["agent_a"], row["agent_b"], row["test"], row["units"]) == ("a", "b", "McNemar", 8)
    assert (row["value_a"], row["value_b"]) == (6 / 8, 2 / 8)
    assert row["p"] == pytest.approx(2 / 2**4)  # 4 to 0 discordant pairs
    assert row["effect"] == 1 / 2
    assert row["p_holm"] == pytest.approx(row["p"])


def test_the_units_of_soundness_are_probes():
    table = {"a": units(sound("w", "p", 1), sound("w", "q", 0)), "b": units(sound("w", "p", 0), sound("w", "q", 0))}
    assert only(paired_tests(table), metric="soundness")["units"] == 2


@pytest.mark.parametrize("metric", ["completeness", "prototypicality"])
def test_the_units_of_graded_metrics_are_targets(metric):
    a = units(*((metric, "HYP", f"w{i}", p, value) for i in range(6) for p, value in (("p", 0.5), ("q", 1.0))))
    b = units(*((metric, "HYP", f"w{i}", p, 0.1 * i / 6) for i in range(6) for p in "pq"))
    row = only(paired_tests({"a": a, "b": b}), metric=metric)
    assert (row["test"], row["units"], row["value_a"]) == ("Wilcoxon", 6, pytest.approx(3 / 4))
    assert row["p"] == pytest.approx(2 / 2**6)
    assert row["effect"] == 1


def test_the_units_of_symmetry_are_tuples_and_prompts_by_k():
    a = units(mutual("n", "d", 1), mutual("n", "l", 1), mutual("n", "d", 0, prompt="q"), mutual("n", "d", 1, k=5))
    b = units(mutual("n", "d", 0), mutual("n", "l", 1), mutual("n", "d", 0, prompt="q"), mutual("n", "d", 1, k=5))
    compared = paired_tests({"a": a, "b": b})
    assert only(compared, metric="symmetry", k=1)["units"] == 3
    assert only(compared, metric="symmetry", k=5)["units"] == 1


def test_holms_adjustment_is_over_the_agent_pairs_of_a_metric_and_relation():
    table = {
        "a": units(*(sound(f"w{i}", "p", 1) for i in range(8))),
        "b": units(*(sound(f"w{i}", "p", int(i < 2)) for i in range(8))),
        "c": units(*(sound(f"w{i}", "p", int(i < 3)) for i in range(8))),
    }
    compared = paired_tests(table)
    p = {(row["agent_a"], row["agent_b"]): (row["p"], row["p_holm"]) for row in compared.iter_rows(named=True)}
    assert p["a", "b"] == (pytest.approx(2 / 64), pytest.approx(6 / 64))  # 6 to 0, times 3
    assert p["a", "c"] == (pytest.approx(2 / 32), pytest.approx(4 / 32))  # 5 to 0, times 2
    assert p["b", "c"] == (1.0, 1.0)  # 0 to 1


def test_agents_without_a_unit_in_common_are_said_to_have_none():
    table = {"a": units(sound("x", "p", 1)), "b": units(sound("y", "p", 1))}
    row = only(paired_tests(table), metric="soundness")
    assert (row["units"], row["p"], row["p_holm"], row["note"]) == (0, None, None, "no unit in common")


def test_equal_agents_are_not_told_apart():
    table = units(*(("completeness", "HYP", f"w{i}", "p", 0.5) for i in range(5)))
    row = only(paired_tests({"a": table, "b": table}), metric="completeness")
    assert (row["p"], row["p_holm"], row["note"]) == (None, None, "not testable: all pairs are equal")


def test_an_agent_that_has_no_values_of_a_metric_is_not_tested_on_it():
    table = agents() | {"humans": units(mutual("n", "d", 1))}
    compared = paired_tests(table).filter(metric="soundness")
    assert compared.filter(pl.col("p").is_not_null()).select("agent_a", "agent_b").rows() == [("a", "b")]


def test_one_agent_has_nobody_to_be_compared_with():
    compared = paired_tests({"a": units(sound("x", "p", 1))})
    assert compared.height == 0
    assert compared.schema == TESTS


def test_the_tests_schema():
    assert paired_tests(agents()).schema == TESTS


# Tables


def test_the_overview_has_a_column_per_metric_and_cutoff():
    table = units(sound("a", "p", 1), sound("a", "p", 0.0, "ANT"), mutual("n", "d", 1), mutual("n", "d", 0, k=5))
    found = overview(averages({"m": pl.concat([table, DELTAS])}))
    assert set(found.columns) - {"agent", "relation"} == {"soundness", "symmetry@1", "symmetry@5"}
    assert only(found, relation="ANT")["symmetry@1"] == 1
    assert only(found, relation="HYP")["symmetry@1"] is None


def test_an_interval_encloses_the_average_and_is_of_targets():
    table = units(*(sound(f"w{i}", prompt, i % 2) for i in range(40) for prompt in "pq"))
    row = only(averages({"m": table}), metric="soundness")
    assert row["low"] < row["value"] == 0.5 < row["high"]
    # of 40 targets, half of them 1: the normal interval is 1/2 ± 1.96 sqrt(1/4 / 40) = 1/2 ± 0.155; of 80 units ± 0.110
    assert row["high"] - row["low"] == pytest.approx(0.31, abs=0.04)


def test_a_single_target_has_no_interval():
    row = only(averages({"m": units(sound("w", "p", 1))}), metric="soundness")
    assert (row["low"], row["high"]) == (None, None)


def test_targets_that_agree_leave_no_doubt_about_distances_and_their_sum():
    rows = [delta("HYP", s, v, target=f"w{i}") for s, v in (("HYP", 0.25), ("MER", 0.75)) for i in range(3)]
    rows += [delta("MER", s, v, target=f"w{i}") for s, v in (("HYP", 0.5), ("MER", 1.0)) for i in range(3)]
    table = averages({"m": units(*rows)})
    pair = only(table, metric="distinguishability", relation="HYP")
    assert (pair["value"], pair["low"], pair["high"]) == (0.5, 0.5, 0.5)
    area = only(table, metric="audc")  # 1/2 + 0, as MER is never told from HYP
    assert (area["value"], area["low"], area["high"]) == (0.5, 0.5, 0.5)


def test_targets_that_differ_leave_doubt():
    rows = [delta("HYP", "HYP", 0.0, target=f"w{i}") for i in range(30)]
    rows += [delta("HYP", "MER", i % 2, target=f"w{i}") for i in range(30)]
    row = only(averages({"m": units(*rows)}), metric="audc")
    assert row["low"] < row["value"] == 0.5 < row["high"]
