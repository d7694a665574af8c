import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from relprobe.core.errors import ConfigError
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity import method
from relprobe.studies.systematicity.baselines import majority
from relprobe.studies.systematicity.method import Asking, detection_values, probes
from relprobe.studies.systematicity.prompts import Prompt
from relprobe.studies.systematicity.schemas import DETECTIONS, METRICS, PAIRS, SCORES

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


def measured(scores, *, control=False):
    return method.values(method.responses(scores, PROBES_TABLE, ITEMS_TABLE), control=control)


def values(table):
    rows = table.group_by("metric", maintain_order=True).agg("unit", "value").iter_rows()
    return {metric: dict(zip(units, found, strict=True)) for metric, units, found in rows}


def test_a_diagnostic_is_right_where_its_category_is_likeliest():
    found = values(measured(MASKED))
    assert found["singular"] == {"robin": 1, "trout": 0, "saw": 1}
    assert found["plural"] == {"robin": 1, "trout": 1, "saw": 0}
    assert found["contextual"] == {"robin": 1, "saw": 1}


def test_paired_metrics_want_all_of_their_diagnostics():
    found = values(measured(MASKED))
    assert found["singular_plural"] == {"robin": 1, "trout": 0, "saw": 0}
    assert found["aggregate"] == {"robin": 1, "saw": 0}  # trout has no contextual probe


def test_an_open_vocabulary_counts_the_first_words():
    found = values(measured(MASKED))
    assert found["open@1"] == {"robin": 0, "trout": 1, "saw": 0}
    assert found["open@5"] == {"robin": 1, "trout": 1, "saw": 0}


def test_a_category_that_is_no_word_of_the_vocabulary_has_no_open_unit():
    rows = responses(opened("robin", "thing", unknown=["bird"]), opened("trout", "thing", unknown=["bird"]))
    assert values(measured(rows)) == {"open@1": {"trout": 0}, "open@5": {"trout": 0}}


def test_the_texts_of_the_candidates_of_a_probe_become_one_row_and_that_of_another_probe_stays():
    parts = [("p", "slot", ["bird"], [-1.0], [1], ["x"]), ("p", "slot", ["ant"], [-2.0], [2], ["x"])]
    whole = ("q", "slot", ["bird", "ant"], [-3.0, -4.0], [1, 1], [])
    joined = ("p", "slot", ["bird", "ant"], [-1.0, -2.0], [1, 2], ["x"])
    assert method.join_candidates(responses(parts[0], whole, parts[1])).rows() == [whole, joined]
    assert method.join_candidates(responses(whole)).rows() == [whole]


def test_two_categories_with_one_plural_are_an_error():
    with pytest.raises(ConfigError, match=r"two of systematicity\.categories have the same plural"):
        probes(ITEMS_TABLE, CATEGORIES, Asking(PAPER, plurals={"bird": "things", "tool": "things"}))


def test_controls_are_measured_apart():
    found = values(measured(MASKED, control=True))
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
    assert values(measured(causal)) == {
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
    assert values(measured(causal)) == {
        "contextual": {"robin": 1, "saw": 1},
        "contextual_sentence": {"robin": 0, "saw": 1},
    }


def test_the_scores_of_single_candidates_are_put_together():
    rows = [
        ("extended:contextual:robin", "slot", [word], [score], [1], [])
        for word, score in (("bird", -2.0), ("fish", -1.0), ("tool", -3.0), ("building", -4.0))
    ]
    found = measured(responses(*rows, opened("robin", "bird")))
    assert values(found) == {"open@1": {"robin": 1}, "open@5": {"robin": 1}, "contextual": {"robin": 0}}


def test_equal_categories_share_a_unit_and_paired_diagnostics_multiply():
    """Bird and fish are equal in both numbers: each is right in half of the orders, and both at once in a quarter."""
    tied = responses(
        closed("singular", "robin", "slot", -1, -1, -2, -3),
        closed("plural", "robin", "slot", -1, -1, -2, -3),
        closed("singular", "trout", "slot", -1, -2, -2, -2),  # three equal ones below the best change nothing
        closed("singular", "saw", "slot", *[-np.inf] * 4),
        opened("trout", "bird", "fish", "thing"),
    ).with_columns(scores=pl.when(method="open").then([-1.0, -1.0, -1.0]).otherwise("scores").cast(SCORES["scores"]))
    found = values(measured(tied))
    assert found["singular"] == {"robin": 1 / 2, "trout": 0, "saw": 1 / 4}
    assert found["singular_plural"] == {"robin": 1 / 4}
    assert (found["open@1"], found["open@5"]) == ({"trout": pytest.approx(1 / 3)}, {"trout": 1})


@st.composite
def answers_in_two_orders(draw):
    """Scores of categories, some of which are equal, and the same with the categories in another order."""
    scores = draw(st.lists(st.sampled_from([-1.0, -2.0, -np.inf]), min_size=4, max_size=4))
    others, order = draw(st.permutations(scores)), draw(st.permutations(range(4)))
    kinds = {"singular": scores, "plural": others, "contextual": scores}
    rows = [closed(kind, "robin", "slot", *kind_fields) for kind, kind_fields in kinds.items()]
    rows.append(("extended:singular:robin", "open", ["thing", "bird", "noun", "a"], scores, [], []))
    moved = [
        (probe, method, [names[i] for i in order], [word_scores[i] for i in order], tokens, unknown)
        for probe, method, names, word_scores, tokens, unknown in rows
    ]
    return responses(*rows), responses(*moved)


@settings(deadline=None, max_examples=25)
@given(answers_in_two_orders())
def test_no_order_of_equal_categories_changes_a_value(both):
    """The categories in any order, of the configuration or of the vocabulary, have the same values."""
    usual, other = (measured(one) for one in both)
    assert_frame_equal(usual, other)


def test_every_diagnostic_has_the_category_of_its_hyponym_as_cluster():
    category_by_item = dict(ITEMS_TABLE.select("hyponym", "category").iter_rows())
    for table in (measured(MASKED), majority(ITEMS_TABLE, pl.DataFrame(schema=PAIRS))):
        rows = table.filter(~pl.col("metric").str.starts_with("detection"))
        assert rows.height
        assert all(cluster == category_by_item[unit] for unit, cluster in rows.select("unit", "cluster").iter_rows())


def units(metric, **value):
    rows = [(metric, "extended", unit, unit, float(right)) for unit, right in value.items()]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


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


def test_a_classifier_that_is_undecided_is_right_in_half_of_the_cases():
    found = values(detection_values(DETECTED.with_columns(p=pl.lit(0.5))))
    assert set(found["detection"].values()) == {1 / 2}


def test_detection_is_right_on_the_side_of_one_half():
    found = values(detection_values(DETECTED))
    assert found["detection"] == {
        "1:robin:bird": 1,
        "1:robin:fish": 1,
        "2:trout:fish": 1,
        "2:trout:bird": 0,
        "2:saw:building": 0,
        "2:saw:tool": 0,
    }
    assert found["detection_partial"] == {"1:robin:bird": 0}


def test_the_majority_is_that_of_the_items_of_each_metric():
    rows = [
        *ITEM_ROWS,
        ("extended", "hammer", "tool", "hammers", "tools", "…", "…", None),
        ("diagnostic", *ITEM_ROWS[0][1:]),
    ]
    more = pl.DataFrame(rows, schema=ITEMS, orient="row")
    found = majority(more, pl.DataFrame(schema=PAIRS)).filter(condition="extended")
    # tool: 2 of 4; of those with a sentence, bird and tool 1 of 2 each, so that either is the answer in half of the cases
    assert values(found)["singular"] == {"robin": 0, "trout": 0, "saw": 1, "hammer": 1}
    assert values(found)["singular_plural"] == values(found)["plural"] == values(found)["singular"]
    assert values(found)["contextual"] == values(found)["aggregate"] == {"robin": 1 / 2, "saw": 1 / 2}


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


def test_values_are_those_of_the_main_prompt_and_of_the_number_of_the_control():
    """The other prompt is right where the main one is wrong, and a control is no answer to a probe."""
    prompts = {number: [*listed, Prompt("other", "[W] : [V].")] for number, listed in PAPER.items()}
    asked = probes(ITEMS_TABLE, CATEGORIES, Asking(prompts))
    name, *rest = closed("singular", "robin", "slot", -1, -2, -3, -4)
    given = responses(
        closed("singular", "robin", "slot", -2, -1, -3, -4),
        (f"{name}:other", *rest),
        closed("control_singular", "robin", "slot", -1, -2, -3, -4),
    )
    probe_values, control_values = (
        method.values(method.responses(given, asked, ITEMS_TABLE), control=control).filter(metric="singular")
        for control in (False, True)
    )
    assert probe_values.select("unit", "value").rows() == [("robin", 0.0)]
    assert control_values.select("unit", "value").rows() == [("robin", 1.0)]


def test_where_no_sentence_is_scored_there_is_no_answer_by_sentences_and_else_the_slot_stands_for_one_at_the_end():
    rows = method.responses(MASKED, PROBES_TABLE, ITEMS_TABLE)
    assert method.closed_answers(rows, "sentence").is_empty()
    assert "right" in method.closed_answers(rows, "sentence").columns
    one = responses(
        closed("singular", "robin", "slot", -1, -2, -3, -4),
        closed("singular", "robin", "sentence", -2, -1, -3, -4),
        closed("singular", "saw", "slot", -4, -3, -1, -2),
        closed("plural", "saw", "slot", -4, -3, -1, -2),
    )
    answers = method.closed_answers(method.responses(one, PROBES_TABLE, ITEMS_TABLE), "sentence")
    assert answers.select("probe_id", "right").rows() == [("extended:singular:robin", 0), ("extended:singular:saw", 1)]


def test_the_category_of_a_hyponym_with_several_true_hypernyms_is_the_first_by_name_in_any_order():
    rows = [("robin", "fish", 0), ("robin", "bird", 1), ("robin", "animal", 1), ("saw", "tool", 1)]
    table = pl.DataFrame(rows, schema=["hyponym", "hypernym", "label"], orient="row")
    for pairs in (table, table.reverse()):
        categories = dict(method.with_category(pairs).select("hyponym", "category").rows())
        assert categories == {"robin": "animal", "saw": "tool"}


NAN = float("nan")


def test_a_category_that_a_model_cannot_write_comes_last_and_a_probe_without_any_has_no_value():
    table = responses(
        closed(
            "singular", "robin", "slot", -1.0, NAN, -3.0, NAN
        ),  # the right one, bird, is the likeliest that it can write
        closed("singular", "trout", "slot", -1.0, NAN, -3.0, -4.0),  # it cannot write fish, which is right
        closed("singular", "saw", "slot", NAN, NAN, NAN, NAN),
    )
    assert values(measured(table)) == {"singular": {"robin": 1.0, "trout": 0.0}}


def test_single_candidates_that_cannot_be_written_come_last_too():
    row = closed("contextual", "saw", "slot", NAN, -2.0, -3.0, NAN)
    parts = [(*row[:2], [word], [score], [1], []) for word, score in zip(row[2], row[3], strict=True)]
    assert values(measured(responses(*parts)))["contextual"] == {"saw": 0.0}  # fish is likelier than tool
    written = [(*part[:3], [-1.0] if part[2] == ["tool"] else part[3], *part[4:]) for part in parts]
    assert values(measured(responses(*written)))["contextual"] == {"saw": 1.0}
