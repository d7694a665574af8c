import polars as pl
import pytest
from relprobe.core.units import UNITS, paired_tests
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.answers import category_logprobs
from relprobe.studies.systematicity.baselines import majority
from relprobe.studies.systematicity.metrics import METRICS, cloze, detection
from relprobe.studies.systematicity.probes import probes
from relprobe.studies.systematicity.schemas import DETECTIONS, PAIRS, SCORES
from relprobe.studies.systematicity.tables import consistency, frequency
from relprobe.studies.systematicity.tables import detection as detection_table

CATEGORIES = {"animals": ["bird", "fish"], "objects": ["tool", "building"]}
ITEM_ROWS = [
    ("extended", "robin", "bird", "robins", "birds", "A robin is a [V].", "robins are [V].", "The [V] sang ."),
    ("extended", "trout", "fish", "trout", "fish", "A trout is a [V].", "trout are [V].", None),
    ("extended", "saw", "tool", "saws", "tools", "A saw is a [V].", "saws are [V].", "A [V] cut it ."),
]
ITEMS_TABLE = pl.DataFrame(ITEM_ROWS, schema=ITEMS, orient="row")
PROBES_TABLE = probes(ITEMS_TABLE, CATEGORIES)


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


def test_the_full_sentence_counts_and_the_slot_is_measured_beside_it():
    causal = responses(
        closed("singular", "robin", "slot", -1, -2, -3, -4),
        closed("singular", "robin", "sentence", -2, -1, -3, -4),
        closed("plural", "robin", "slot", -1, -2, -3, -4),
        closed("plural", "robin", "sentence", -1, -2, -3, -4),
        closed("contextual", "robin", "sentence", -1, -2, -3, -4),
    )
    assert values(cloze(causal, PROBES_TABLE, ITEMS_TABLE)) == {
        "singular": {"robin": 0},
        "singular_slot": {"robin": 1},
        "plural": {"robin": 1},
        "plural_slot": {"robin": 1},
        "contextual": {"robin": 1},
        "singular_plural": {"robin": 0},
        "singular_plural_slot": {"robin": 1},
        "aggregate": {"robin": 0},
    }


def test_a_contextual_sentence_that_ends_in_its_slot_counts_beside_the_others():
    causal = responses(
        closed("contextual", "robin", "sentence", -2, -1, -3, -4),
        closed("contextual", "saw", "slot", -4, -3, -1, -2),
    )
    assert values(cloze(causal, PROBES_TABLE, ITEMS_TABLE)) == {"contextual": {"robin": 0, "saw": 1}}


def test_consistency_says_in_which_number_a_hyponym_is_recognised():
    row = consistency({"m": cloze(MASKED, PROBES_TABLE, ITEMS_TABLE)}).row(0, named=True)
    assert row["hyponyms"] == 3
    assert [row[name] for name in ("both", "singular_only", "plural_only", "neither")] == pytest.approx(
        [1 / 3, 1 / 3, 1 / 3, 0]
    )


def test_every_metric_is_tested_as_right_or_wrong():
    metrics = pl.concat([cloze(MASKED, PROBES_TABLE, ITEMS_TABLE), detection(DETECTED)])
    found = paired_tests({"a": metrics, "b": metrics}, METRICS)
    assert set(found["metric"]) == set(metrics["metric"])
    assert set(found["test"]) == {"McNemar"}


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
    rows = [(metric, "extended", unit, float(right)) for unit, right in value.items()]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def test_frequencies_of_recognised_and_unrecognised_hyponyms():
    table = frequency({"m": units("singular", car=1, house=1, tree=1, grackle=0, tanager=0, vireo=0, xqzbirb=0)})
    row = table.row(0, named=True)
    assert (row["recognised"], row["unrecognised"], row["without"]) == (3, 3, 1)
    assert row["frequency_recognised"] > 10 > row["frequency_unrecognised"]
    assert row["effect"] == pytest.approx(27 / 35)  # all of the one group are above the other: see test_stats_groups
    assert row["p"] == pytest.approx(0.0495, abs=1e-4)
    assert row["normal_p_recognised"] is not None


def test_without_unrecognised_hyponyms_there_is_no_test_and_a_reason():
    row = frequency({"m": units("singular", car=1, house=1)}).row(0, named=True)
    assert (row["unrecognised"], row["p"]) == (0, None)
    assert row["note"].startswith("not testable")


DETECTED = pl.DataFrame(
    [
        ("seen", 1, "full", "robin", "bird", 1, 0.9),
        ("seen", 1, "full", "robin", "fish", 0, 0.2),
        ("seen", 2, "full", "trout", "fish", 1, 0.6),
        ("seen", 2, "full", "trout", "bird", 0, 0.7),
        ("seen", 2, "full", "saw", "building", 0, 0.8),
        ("seen", 2, "full", "saw", "tool", 1, 0.4),
        ("seen", 1, "partial", "robin", "bird", 1, 0.1),
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
    table = detection_table({"m": DETECTED}, majority(ITEMS_TABLE, pairs))
    row = table.row(by_predicate=(pl.col("agent") == "m") & (pl.col("input") == "full"), named=True)
    assert row["accuracy"] == pytest.approx((1 + 1 / 4) / 2)
    assert row["sd"] == pytest.approx((2 * (3 / 8) ** 2) ** 0.5)
    assert (row["folds"], row["pairs"], row["errors"]) == (2, 6, 3)
    assert row["false_positives"] == pytest.approx(2 / 3)
    constant = table.row(by_predicate=pl.col("agent") == "majority", named=True)
    assert (constant["accuracy"], constant["sd"], constant["pairs"]) == (0.5, 0, 6)


def test_the_majority_is_that_of_the_items_of_each_metric():
    rows = [
        *ITEM_ROWS,
        ("extended", "hammer", "tool", "hammers", "tools", "…", "…", None),
        ("diagnostic", *ITEM_ROWS[0][1:]),
    ]
    more = pl.DataFrame(rows, schema=ITEMS, orient="row")
    found = majority(more, pl.DataFrame(schema=PAIRS)).filter(condition="extended")
    # tool: 2 of 4; of those with a sentence, bird and tool 1 of 2 each, and bird is the first by name
    assert values(found)["singular"] == {"robin": 0, "trout": 0, "saw": 1, "hammer": 1}
    assert values(found)["singular_plural"] == values(found)["plural"] == values(found)["singular"]
    assert values(found)["contextual"] == values(found)["aggregate"] == {"robin": 1, "saw": 0}


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
    found = majority(ITEMS_TABLE, pl.DataFrame(rows, schema=PAIRS, orient="row")).filter(metric="detection")
    assert values(found)["detection"] == {"1:a:bird": 1, "1:b:bird": 1, "1:c:bird": 0}
