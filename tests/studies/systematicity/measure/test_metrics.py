import math

import numpy as np
import polars as pl
import pytest
import wordfreq
from relprobe.report.looks import looks
from relprobe.sources.systematicity import ITEMS
from relprobe.stats.averages import averages
from relprobe.stats.schemas import TESTS
from relprobe.studies.systematicity.ask.probes import Asking, probes
from relprobe.studies.systematicity.ask.prompts import Prompt
from relprobe.studies.systematicity.compare.analyses import comparisons, contrasts
from relprobe.studies.systematicity.compare.consistency import consistency
from relprobe.studies.systematicity.compare.detection import accuracies, with_intervals
from relprobe.studies.systematicity.compare.frequency import frequency
from relprobe.studies.systematicity.measure.baselines import majority
from relprobe.studies.systematicity.measure.metrics import MEASURES, cloze, detection
from relprobe.studies.systematicity.schemas import DETECTIONS, METRICS, OWN_CONTRASTS, PAIRS, SCORES
from relprobe.studies.systematicity.show.answer_tables import category_logprobs
from relprobe.studies.systematicity.show.figures import detection_dots

CATEGORIES = {"animals": ["bird", "fish"], "objects": ["tool", "building"]}
ITEM_ROWS = [
    ("extended", "robin", "bird", "robins", "birds", "A robin is a [V].", "robins are [V].", "The robin sang ."),
    ("extended", "trout", "fish", "trout", "fish", "A trout is a [V].", "trout are [V].", None),
    ("extended", "saw", "tool", "saws", "tools", "A saw is a [V].", "saws are [V].", "A saw cut it ."),
]
ITEMS_TABLE = pl.DataFrame(ITEM_ROWS, schema=ITEMS, orient="row")
PAPER = {
    "singular": [Prompt("paper", "[DET] [W] is [DET] [V].", capital=True)],
    "plural": [Prompt("paper", "[W] are [V].")],
}
PROBES_TABLE = probes(ITEMS_TABLE, CATEGORIES, Asking(PAPER))


def closed(kind, hyponym, method, *scores):
    words = ["birds", "fish", "tools", "buildings"] if kind.endswith("plural") else ["bird", "fish", "tool", "building"]
    return (f"extended:{kind}:{hyponym}", method, words, list(scores), [1] * 4, [])


def opened(hyponym, *words, unknown=(), kind="singular"):
    return (
        f"extended:{kind}:{hyponym}",
        "open",
        list(words),
        [-float(i) for i, _ in enumerate(words)],
        [],
        list(unknown),
    )


def responses(*rows):
    return pl.DataFrame(rows, schema=SCORES, orient="row")


MASKED = responses(
    closed("singular", "robin", "slot", -1, -2, -3, -4),
    closed("plural", "robin", "slot", -1, -2, -3, -4),
    closed("contextual", "robin", "slot", -1, -2, -3, -4),
    closed("singular", "trout", "slot", -1, -2, -3, -4),
    closed("plural", "trout", "slot", -2, -1, -3, -4),
    closed("singular", "saw", "slot", -4, -3, -1, -2),
    closed("plural", "saw", "slot", -4, -3, -2, -1),
    closed("contextual", "saw", "slot", -4, -3, -1, -2),
    closed("control_singular", "robin", "slot", -4, -3, -1, -2),
    closed("control_plural", "robin", "slot", -1, -3, -2, -4),
    opened("robin", "robin", "thing", "bird", "noun", "a"),
    opened("trout", "fish", "bird", "thing", "noun", "a"),
    opened("saw", "saw", "thing", "noun", "a", "b", "tool"),
    opened("robin", "bird", kind="control_singular"),
)


def values(table):
    rows = table.group_by("metric", maintain_order=True).agg("unit", "value").iter_rows()
    return {metric: dict(zip(units, found, strict=True)) for metric, units, found in rows}


def test_a_diagnostic_is_right_where_its_category_is_likeliest():
    found = values(cloze(MASKED, PROBES_TABLE, ITEMS_TABLE))
    assert found["singular"] == {"robin": 1, "trout": 0, "saw": 1}
    assert found["plural"] == {"robin": 1, "trout": 1, "saw": 0}
    assert found["contextual"] == {"robin": 1, "saw": 1}


def test_paired_metrics_want_all_of_their_diagnostics():
    found = values(cloze(MASKED, PROBES_TABLE, ITEMS_TABLE))
    assert found["singular_plural"] == {"robin": 1, "trout": 0, "saw": 0}
    assert found["aggregate"] == {"robin": 1, "saw": 0}  # trout has no contextual probe


def test_an_open_vocabulary_counts_the_first_words():
    found = values(cloze(MASKED, PROBES_TABLE, ITEMS_TABLE))
    assert found["open@1"] == {"robin": 0, "trout": 1, "saw": 0}
    assert found["open@5"] == {"robin": 1, "trout": 1, "saw": 0}


def test_a_category_that_is_no_word_of_the_vocabulary_has_no_open_unit():
    rows = responses(opened("robin", "thing", unknown=["bird"]), opened("trout", "thing", unknown=["bird"]))
    assert values(cloze(rows, PROBES_TABLE, ITEMS_TABLE)) == {"open@1": {"trout": 0}, "open@5": {"trout": 0}}


def test_controls_are_measured_apart():
    found = values(cloze(MASKED, PROBES_TABLE, ITEMS_TABLE, control=True))
    assert found["singular"] == {"robin": 0}
    assert found["plural"] == {"robin": 1}
    assert found["singular_plural"] == {"robin": 0}
    assert found["open@1"] == {"robin": 1}
    assert "contextual" not in found


def test_all_agents_are_measured_at_the_slot_and_causal_ones_by_the_sentence_as_well():
    causal = responses(
        closed("singular", "robin", "slot", -1, -2, -3, -4),
        closed("singular", "robin", "sentence", -2, -1, -3, -4),
        closed("plural", "robin", "slot", -1, -2, -3, -4),
        closed("plural", "robin", "sentence", -1, -2, -3, -4),
        closed("contextual", "robin", "slot", -2, -1, -3, -4),
        closed("contextual", "robin", "sentence", -1, -2, -3, -4),
    )
    assert values(cloze(causal, PROBES_TABLE, ITEMS_TABLE)) == {
        "singular": {"robin": 1},
        "plural": {"robin": 1},
        "contextual": {"robin": 0},
        "singular_plural": {"robin": 1},
        "aggregate": {"robin": 0},
        "singular_sentence": {"robin": 0},
        "plural_sentence": {"robin": 1},
        "contextual_sentence": {"robin": 1},
        "singular_plural_sentence": {"robin": 0},
        "aggregate_sentence": {"robin": 0},
    }


def test_a_contextual_sentence_that_ends_in_its_slot_counts_beside_the_others():
    causal = responses(
        closed("contextual", "robin", "slot", -1, -2, -3, -4),
        closed("contextual", "robin", "sentence", -2, -1, -3, -4),
        closed("contextual", "saw", "slot", -4, -3, -1, -2),
    )
    assert values(cloze(causal, PROBES_TABLE, ITEMS_TABLE)) == {
        "contextual": {"robin": 1, "saw": 1},
        "contextual_sentence": {"robin": 0, "saw": 1},
    }


def test_the_scores_of_single_candidates_are_put_together():
    rows = [
        ("extended:contextual:robin", "slot", [word], [score], [1], [])
        for word, score in (("bird", -2.0), ("fish", -1.0), ("tool", -3.0), ("building", -4.0))
    ]
    found = cloze(responses(*rows, opened("robin", "bird")), PROBES_TABLE, ITEMS_TABLE)
    assert values(found) == {"open@1": {"robin": 1}, "open@5": {"robin": 1}, "contextual": {"robin": 0}}


def test_a_tie_is_drawn_and_not_won_by_the_first_category():
    """Bird and fish are equal for 200 birds. The first category would win all; of fair draws, 100 ± 35 (five sd) win."""
    words = [f"bird{i}" for i in range(200)]
    rows = [("extended", word, "bird", f"{word}s", "birds", None, None, None) for word in words]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    asked = probes(items, CATEGORIES, Asking(PAPER))
    tied = responses(*(closed("singular", word, "slot", -1, -1, -2, -3) for word in words))
    drawn = [values(cloze(tied, asked, items, seed))["singular"] for seed in (1, 1, 2)]
    assert 65 <= sum(drawn[0].values()) <= 135
    assert drawn[0] == drawn[1] != drawn[2]
    # Three categories of equal scores that are not the best change nothing.
    clear = responses(*(closed("singular", word, "slot", -1, -2, -2, -2) for word in words))
    assert set(values(cloze(clear, asked, items, 1))["singular"].values()) == {1}


def test_consistency_says_in_which_number_a_hyponym_is_recognised():
    row = consistency({"m": cloze(MASKED, PROBES_TABLE, ITEMS_TABLE)}).row(0, named=True)
    assert row["hyponyms"] == 3
    assert [row[name] for name in ("both", "singular_only", "plural_only", "neither")] == pytest.approx(
        [1 / 3, 1 / 3, 1 / 3, 0]
    )
    # 1 · 0 - 1 · 1 over the root of the margins 2, 1, 2 and 1
    assert row["phi"] == pytest.approx(-1 / 2)
    assert (row["right_singulars"], row["plural_if_singular"]) == (2, 1 / 2)  # robin and saw, of which robin
    # Of two categories with 1 of 1 and 0 of 1, t has one degree of freedom and is 12.706: 1/2 ± 1/2 √(t² / (1 + t²)).
    half = math.sqrt(12.706**2 / (1 + 12.706**2)) / 2
    assert row["plural_if_singular_low"] == pytest.approx(1 / 2 - half, abs=1e-6)
    assert row["plural_if_singular_high"] == pytest.approx(1 / 2 + half, abs=1e-6)


def test_without_an_error_in_the_singular_there_is_no_correlation_and_a_reason():
    both = pl.concat([units("singular", car=1, house=1), units("plural", car=1, house=0)])
    row = consistency({"m": both}).row(0, named=True)
    assert (row["phi"], row["phi_low"], row["plural_if_singular"]) == (None, None, 1 / 2)
    assert row["note"].startswith("no phi")
    never = pl.concat([units("singular", car=0), units("plural", car=1)])
    assert consistency({"m": never}).row(0, named=True)["plural_if_singular"] is None


def test_the_interval_of_phi_holds_it():
    numbers = {f"w{i}": (int(i < 60), int(i < 40 or 60 <= i < 70)) for i in range(100)}
    both = pl.concat(
        units(name, **{word: right[place] for word, right in numbers.items()})
        for place, name in enumerate(("singular", "plural"))
    )
    row = consistency({"m": both}).row(0, named=True)
    assert row["phi"] == pytest.approx((40 * 30 - 20 * 10) / (60 * 40 * 50 * 50) ** 0.5)
    assert row["phi_low"] < row["phi"] < row["phi_high"]
    # Fisher's z with n - 3 gives 0.231 to 0.562.
    assert (row["phi_low"], row["phi_high"]) == pytest.approx((0.23, 0.57), abs=0.05)


def test_every_metric_is_tested_and_the_paper_columns_have_the_simple_tests():
    metrics = pl.concat([cloze(MASKED, PROBES_TABLE, ITEMS_TABLE), detection(DETECTED)])
    found = comparisons({"a": metrics, "b": metrics}, controls=[]).agents
    assert found.schema == TESTS
    assert set(found["metric"]) == set(metrics["metric"])
    of_classifier = pl.col("metric").str.starts_with("detection")
    assert set(found.filter(~of_classifier)["paper_test"]) == {"McNemar"}
    assert set(found.filter(of_classifier)["paper_test"]) == {"Wilcoxon"}


NINE = ["bird", "fish", "tool", "tree", "insect", "vegetable", "vehicle", "flower", "building"]


def liked(items, categories):
    """The values in the singular of an agent that is right for all hyponyms of some categories (METRICS)."""
    right = pl.col("category").is_in(categories).cast(pl.Float64)
    about = {"condition": "set", "unit": "hyponym", "cluster": "category"}
    return items.select(metric=pl.lit("singular"), **about, value=right).cast(METRICS)


def of_pairs(metric, condition, **of_category):
    """The values of pairs, by category."""
    rows = [
        (metric, condition, f"1:{category}{i}:x", category, float(value))
        for category, of_pairs in of_category.items()
        for i, value in enumerate(of_pairs)
    ]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def test_a_category_is_one_observation_of_the_classifier():
    a = of_pairs("detection", "seen", bird=[1] * 8, fish=[1] * 4, tool=[0] * 2, tree=[1])
    row = comparisons({"a": a, "b": a.with_columns(value=0.5)}, controls=["b"]).agents.row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"], row["family"]) == (15, 4, 15, "controls")
    assert row["difference"] == pytest.approx((8 + 4 - 2 + 1) / 2 / 15)
    # The sums are 8, 4, -2 and 1 halves: of the 16 patterns of signs 15, 13, 11 and their negatives are as far as 11 halves.
    assert row["p"] == pytest.approx(6 / 16)
    mean = averages({"a": a}, MEASURES).row(0, named=True)
    assert (mean["value"], mean["units"], mean["clusters"]) == (pytest.approx(13 / 15), 15, 4)


def test_the_hyponyms_of_a_category_are_one_observation():
    """One agent likes to say bird, fish, tool, tree and insect, and is right for all of these; the other never is."""
    rows = [("extended", f"{name}{i}", name, "", f"{name}s", None, None, None) for name in NINE for i in range(6)]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    table = liked(items, NINE[:5])
    nothing = table.with_columns(value=0.0)
    row = comparisons({"a": table, "b": nothing}, controls=[]).agents.row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"]) == (54, 9, 30)
    assert row["difference"] == pytest.approx(5 / 9)
    assert row["p"] == pytest.approx(2 / 2**5)  # five categories differ, all in one direction
    mean = averages({"a": table}, MEASURES).row(0, named=True)
    assert (mean["units"], mean["clusters"]) == (54, 9)


def test_every_diagnostic_has_the_category_of_its_hyponym_as_cluster():
    of_items = dict(ITEMS_TABLE.select("hyponym", "category").iter_rows())
    for table in (cloze(MASKED, PROBES_TABLE, ITEMS_TABLE), majority(ITEMS_TABLE, pl.DataFrame(schema=PAIRS), seed=1)):
        rows = table.filter(~pl.col("metric").str.starts_with("detection"))
        assert rows.height
        assert all(cluster == of_items[unit] for unit, cluster in rows.select("unit", "cluster").iter_rows())


def test_agents_that_like_other_categories_are_seldom_called_different():
    """Of 200 studies without a difference, 5 % reject; 8.7 % is 5 % and 2.4 standard errors. The sizes are real ones."""
    sizes = dict(zip(NINE, (57, 30, 30, 30, 30, 6, 73, 30, 54), strict=True))
    rows = [("extended", f"{name}{i}", name, "", "", None, None, None) for name, n in sizes.items() for i in range(n)]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    draw = np.random.default_rng(1)
    rejected = 0
    for _ in range(200):
        agents = {name: liked(items, [one for one in NINE if draw.random() < 0.5]) for name in ("a", "b")}
        p = comparisons(agents, controls=[]).agents["p"].item()
        rejected += p <= 0.05
    assert rejected <= 17


def test_contrasts_are_those_of_the_paper_within_an_agent():
    kinds = {"m": "model", "majority": "control"}
    numbers = pl.concat([units("singular", a=1, b=1, c=1, d=0), units("plural", a=0, b=0, c=0, e=1)])
    seen = of_pairs("detection", "seen", bird=[1, 1, 1], fish=[1], tool=[1])
    unseen = of_pairs("detection", "unseen", bird=[0], fish=[0.5, 0.5], tool=[0.5])
    partial = of_pairs("detection_partial", "seen", bird=[0.5, 0.5, 0.5], fish=[0.5], tool=[0.5])
    found = contrasts({"m": pl.concat([numbers, seen, unseen, partial]), "majority": numbers}, kinds)
    assert found.schema == OWN_CONTRASTS
    rows = {(row["a"], row["b"]): row for row in found.iter_rows(named=True)}
    assert rows.keys() == {("singular", "plural"), ("detection", "detection_partial"), ("seen", "unseen")}
    assert set(found["agent"]) == {"m"}
    number = rows["singular", "plural"]
    assert [number[name] for name in ("metric", "condition", "units", "difference", "p")] == [
        "accuracy",
        "extended",
        3,
        1,
        1 / 4,
    ]
    setting = rows["seen", "unseen"]  # the means of the categories: 1 - 0, 1 - 1/2, 1 - 1/2
    assert [setting[name] for name in ("metric", "condition", "units", "clusters")] == ["detection", None, 3, 3]
    assert (setting["difference"], setting["p"]) == (pytest.approx(2 / 3), 1 / 4)
    given = rows["detection", "detection_partial"]
    assert (given["condition"], given["units"], given["clusters"], given["difference"]) == ("seen", 5, 3, 0.5)


def test_log_probabilities_are_those_of_the_right_category():
    table = category_logprobs({"m": MASKED}, PROBES_TABLE, ITEMS_TABLE)
    found = {(row["category"], row["kind"]): row["logprob"] for row in table.iter_rows(named=True)}
    assert found == {
        ("bird", "singular"): -1,
        ("bird", "plural"): -1,
        ("fish", "singular"): -2,
        ("fish", "plural"): -1,
        ("tool", "singular"): -1,
        ("tool", "plural"): -2,
    }


def units(metric, **value):
    rows = [(metric, "extended", unit, unit, float(right)) for unit, right in value.items()]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def test_frequencies_of_recognised_and_unrecognised_hyponyms():
    values = units("singular", car=1, house=1, tree=1, grackle=0, tanager=0, xqzbirb=0)
    row = frequency({"m": values}, controls=[]).row(0, named=True)
    assert (row["recognised"], row["unrecognised"], row["zero"]) == (3, 3, 1)
    assert row["frequency_recognised"] > 10 > row["frequency_unrecognised"]
    assert row["effect"] == pytest.approx(27 / 35)  # all of the one group are above the other: see test_stats_groups
    assert row["p"] == pytest.approx(0.0495, abs=1e-4)
    assert row["normal_p_recognised"] is not None


def test_frequencies_are_raw_or_zipf_values_and_zero_counts_in_their_mean():
    values = units("singular", car=1, house=1, xqzbirb=0, grackle=0)
    raw, zipf = (frequency({"m": values}, [], scale).row(0, named=True) for scale in ("raw", "zipf"))
    grackle = wordfreq.word_frequency("grackle", "en") * 1e6
    assert raw["frequency_unrecognised"] == pytest.approx((grackle + 0) / 2)
    expected = (wordfreq.zipf_frequency("car", "en") + wordfreq.zipf_frequency("house", "en")) / 2
    assert zipf["frequency_recognised"] == pytest.approx(expected)
    assert zipf["p"] == raw["p"]  # the test takes ranks alone


def test_the_frequency_tests_of_models_are_adjusted_together_and_those_of_controls_apart():
    values = units("singular", car=1, house=1, tree=1, grackle=0, tanager=0, xqzbirb=0)
    table = frequency({"m": values, "n": values, "static": values}, controls=["static"])
    p = table["p"][0]
    assert table["family"].to_list() == ["models", "models", "controls"]
    assert table["p_holm"].to_list() == pytest.approx([2 * p, 2 * p, p])


def test_without_unrecognised_hyponyms_there_is_no_test_and_a_reason():
    row = frequency({"m": units("singular", car=1, house=1)}, controls=[]).row(0, named=True)
    assert (row["unrecognised"], row["p"]) == (0, None)
    assert row["note"].startswith("not testable")


DETECTED = pl.DataFrame(
    [
        ("seen", 1, "full", "robin", "bird", 1, "bird", 1, 0.9),
        ("seen", 1, "full", "robin", "fish", 0, "bird", 1, 0.2),
        ("seen", 2, "full", "trout", "fish", 1, "fish", 1, 0.6),
        ("seen", 2, "full", "trout", "bird", 0, "fish", 1, 0.7),
        ("seen", 2, "full", "saw", "building", 0, "tool", 1, 0.8),
        ("seen", 2, "full", "saw", "tool", 1, "tool", 1, 0.4),
        ("seen", 1, "partial", "robin", "bird", 1, "bird", 1, 0.1),
    ],
    schema=DETECTIONS,
    orient="row",
)


def test_detection_is_right_on_the_side_of_one_half():
    found = values(detection(DETECTED))
    assert found["detection"] == {
        "1:robin:bird": 1,
        "1:robin:fish": 1,
        "2:trout:fish": 1,
        "2:trout:bird": 0,
        "2:saw:building": 0,
        "2:saw:tool": 0,
    }
    assert found["detection_partial"] == {"1:robin:bird": 0}


def test_detection_is_averaged_over_folds():
    pairs = DETECTED.filter(input="full").select("setting", "fold", "hyponym", "hypernym", "label")
    pairs = (
        pairs.with_columns(part=pl.lit("test"), hyponym_context=0, hypernym_context=0).select(list(PAIRS)).cast(PAIRS)
    )
    table = accuracies({"m": DETECTED}, majority(ITEMS_TABLE, pairs, seed=1))
    row = table.row(by_predicate=(pl.col("agent") == "m") & (pl.col("input") == "full"), named=True)
    assert row["accuracy"] == pytest.approx((1 + 1 / 4) / 2)
    assert row["sd"] == pytest.approx((2 * (3 / 8) ** 2) ** 0.5)
    assert (row["folds"], row["seeds"], row["sd_seeds"], row["pairs"], row["errors"]) == (2, 1, None, 6, 3)
    assert row["false_positives"] == pytest.approx(2 / 3)
    constant = table.row(by_predicate=pl.col("agent") == "majority", named=True)
    assert (constant["accuracy"], constant["sd"], constant["pairs"]) == (0.5, 0, 6)


def test_accuracies_are_means_over_folds_and_seeds_and_both_spreads_are_shown():
    # Seed 2 is right about everything; seed 1 is right about all pairs of fold 1 and a quarter of those of fold 2.
    better = DETECTED.with_columns(seed=pl.lit(2, pl.Int64), p=pl.col("label").cast(pl.Float64))
    both = pl.concat([DETECTED, better]).filter(input="full")
    found = values(detection(both))["detection"]
    assert (found["1:robin:fish"], found["2:trout:fish"], found["2:trout:bird"]) == (1, 1, 1 / 2)
    row = accuracies({"m": both}, pl.DataFrame(schema=METRICS)).row(0, named=True)
    assert row["accuracy"] == pytest.approx((1 + 5 / 8) / 2)
    assert row["sd"] == pytest.approx((2 * (3 / 16) ** 2) ** 0.5)  # over the folds: 1 and 5/8
    assert row["sd_seeds"] == pytest.approx((2 * (3 / 16) ** 2) ** 0.5)  # over the seeds: 5/8 and 1
    assert (row["folds"], row["seeds"], row["pairs"], row["errors"]) == (2, 2, 6, 3 / 2)
    assert row["false_positives"] == pytest.approx(2 / 3)


def test_the_spread_over_the_seeds_is_the_same_to_the_last_digit_in_every_run():
    seeds = [DETECTED.with_columns(seed=pl.lit(seed, pl.Int64), p=pl.col("p") + seed / 50) for seed in range(20)]
    none = pl.DataFrame(schema=METRICS)
    spreads = {accuracies({"m": pl.concat(seeds)}, none)["sd_seeds"].to_list()[0] for _ in range(20)}
    assert len(spreads) == 1


def test_the_lines_of_the_classifiers_figure_are_intervals_or_the_papers_deviations():
    of_agent = detection(DETECTED)
    table = with_intervals(
        accuracies({"m": DETECTED}, pl.DataFrame(schema=METRICS)), averages({"m": of_agent}, MEASURES)
    )
    full = table.row(by_predicate=pl.col("input") == "full", named=True)
    assert full["categories"] == 3
    assert full["low"] < full["accuracy"] < full["high"]
    table = table.with_columns(setting=pl.Series(["seen", "unseen"]), input=pl.lit("full"))
    lines = {}
    for inference in ("linked", "paper"):
        axis = detection_dots(table, looks({"m": "masked"}, {}), inference).axes[0]
        lines[inference] = tuple(axis.lines[0].get_xdata())
    assert lines["linked"] == (full["low"], full["high"])
    assert lines["paper"] == pytest.approx((full["accuracy"] - full["sd"], full["accuracy"] + full["sd"]))


def test_the_majority_is_that_of_the_items_of_each_metric():
    rows = [
        *ITEM_ROWS,
        ("extended", "hammer", "tool", "hammers", "tools", "…", "…", None),
        ("diagnostic", *ITEM_ROWS[0][1:]),
    ]
    more = pl.DataFrame(rows, schema=ITEMS, orient="row")
    found = majority(more, pl.DataFrame(schema=PAIRS), seed=1).filter(condition="extended")
    # tool: 2 of 4; of those with a sentence, bird and tool 1 of 2 each, so that the seed draws
    assert values(found)["singular"] == {"robin": 0, "trout": 0, "saw": 1, "hammer": 1}
    assert values(found)["singular_plural"] == values(found)["plural"] == values(found)["singular"]
    drawn = [
        values(majority(more, pl.DataFrame(schema=PAIRS), seed=seed).filter(condition="extended")) for seed in range(20)
    ]
    assert all(one["contextual"] == one["aggregate"] for one in drawn)
    assert {tuple(one["contextual"].items()) for one in drawn} == {
        (("robin", 1), ("saw", 0)),
        (("robin", 0), ("saw", 1)),
    }


def test_the_majority_of_pairs_is_that_of_each_fold():
    rows = [
        ("unseen", 1, part, word, "bird", label, 0, 0)
        for part, word, label in (
            ("test", "a", 1),
            ("test", "b", 1),
            ("test", "c", 0),
            ("train", "d", 0),
            ("train", "e", 0),
        )
    ]
    found = majority(ITEMS_TABLE, pl.DataFrame(rows, schema=PAIRS, orient="row"), seed=1).filter(metric="detection")
    assert values(found)["detection"] == {"1:a:bird": 1, "1:b:bird": 1, "1:c:bird": 0}
