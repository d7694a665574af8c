"""The values of judgments, by hand."""

import polars as pl
import pytest
from relprobe.studies.pairs.measures import MEASURES, PRIMARY, TESTED
from relprobe.studies.pairs.method import (
    JUDGES,
    Choice,
    choices,
    chosen_share,
    judgment_table,
    links,
    options,
    probes,
    target_values,
    values,
)
from relprobe.studies.pairs.schemas import JUDGMENTS, METRICS
from relprobe.studies.pairs.study import JUDGES as JUDGES_OF_STUDY

from tests.studies.pairs.made import PROMPTS, ROBIN, article, items


def measured(table, scores, yes=None):
    """Metric, foils and unit -> value, of scores of pairs "first:second" in the prompt `kind`."""
    asked = probes(table, PROMPTS, article).filter(prompt="kind")
    relation = table["relation"][0]
    named = {(relation, *pair.split(":")): score for pair, score in scores.items()}
    judged = judgment_table("m", named, asked)
    if yes is not None:
        judged = judged.with_columns(probability=pl.format("{}:{}", "first", "second").replace_strict(yes))
    found = values(judged, table)
    assert found.schema == METRICS
    return {(row["metric"], row["foils"], row["unit"]): row["value"] for row in found.iter_rows(named=True)}


SCORES = {"robin:bird": 2.0, "bird:robin": 3.0, "robin:fish": 2.0, "robin:wug": -1.0}


def test_the_pairs_of_a_target_are_ranked_against_all_foils_and_each_kind():
    found = measured(ROBIN, SCORES)
    ap = {foils: found["ap", foils, "robin"] for foils in ("all", "reversed", "other target", "random")}
    assert ap == pytest.approx({"all": 1 / 3, "reversed": 1 / 2, "other target": 1 / 2, "random": 1.0})
    rr = {foils: found["rr", foils, "robin"] for foils in ("all", "other target", "random")}
    assert rr == pytest.approx({"all": (1 / 2 + 1 / 3) / 2, "other target": (1 + 1 / 2) / 2, "random": 1.0})
    assert found["choice", "all", "robin"] == 0.5  # among bird, fish and wug two tie
    assert found["direction", "all", "robin:bird"] == 0.0
    assert measured(ROBIN, {**SCORES, "bird:robin": 2.0})["direction", "all", "robin:bird"] == 0.5


UNJUDGED = {pair: score for pair, score in SCORES.items() if pair != "robin:wug"}


@pytest.mark.parametrize("scores", [UNJUDGED | {"robin:wug": None}, UNJUDGED], ids=["without a score", "without a row"])
def test_a_target_without_a_judgment_of_each_pair_has_no_value(scores):
    found = measured(ROBIN, scores)
    assert not {"ap", "rr", "choice"} & {metric for metric, *_ in found}
    assert found["judged", "all", "robin:wug"] == 0.0
    assert found["judged", "all", "robin:bird"] == 1.0


def test_a_choice_shows_a_foil_of_each_kind_and_no_reversed_pair():
    assert options(ROBIN)["second"].to_list() == ["bird", "fish", "wug"]
    assert chosen_share(pl.DataFrame({"label": [True, False, False], "score": [1.0, 1.0, 1.0]})) == pytest.approx(1 / 3)


def test_a_target_with_no_foil_but_a_reversed_pair_has_no_choice():
    right, turned = ("robin", "robin", "bird", "right", 6.0), ("robin", "bird", "robin", "reversed", 1.0)
    found = measured(items(right, turned, condition="own HYP", set_name="own"), {"robin:bird": 2.0, "bird:robin": 1.0})
    assert found["ap", "all", "robin"] == 1.0
    assert "choice" not in {metric for metric, *_ in found}


TWO = items(
    ("robin", "robin", "bird", "right", 6.0),
    ("robin", "robin", "fish", "random", 1.0),
    ("cod", "cod", "fish", "right", 5.0),
    ("cod", "cod", "bird", "random", 0.0),
    condition="own HYP",
    set_name="own",
)


def mean(found, metric):
    metric_values = [value for (name, *_), value in found.items() if name == metric]
    return sum(metric_values) / len(metric_values)


def test_the_metrics_of_pairs_are_means_of_values():
    scores = {"robin:bird": 4.0, "robin:fish": 3.0, "cod:fish": 2.0, "cod:bird": 1.0}
    yes = {"robin:bird": 0.95, "robin:fish": 0.75, "cod:fish": 0.35, "cod:bird": 0.15}
    found = measured(TWO, scores, yes)
    assert mean(found, "rho") == pytest.approx(0.8)  # ranks 4 3 2 1 beside 4 2 3 1
    assert mean(found, "auc") == pytest.approx(3 / 4)
    assert mean(found, "accuracy") == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert mean(found, "ece") == pytest.approx((0.05 + 0.75 + 0.65 + 0.15) / 4)
    assert not {"accuracy", "ece"} & {name for name, *_ in measured(TWO, scores)}
    assert mean(measured(TWO, {**scores, "robin:bird": None}), "rho") == pytest.approx(0.5)


def test_who_says_yes_to_all_has_half_of_each():
    found = measured(
        TWO,
        dict.fromkeys(("robin:bird", "robin:fish", "cod:fish", "cod:bird"), 1.0),
        dict.fromkeys(("robin:bird", "robin:fish", "cod:fish", "cod:bird"), 1.0),
    )
    assert (mean(found, "auc"), mean(found, "accuracy"), mean(found, "rho")) == pytest.approx((0.5, 0.5, 0.0))
    assert mean(found, "ece") == pytest.approx(0.5)
    assert mean(found, "ap") == pytest.approx(0.5)


def test_nouns_and_verbs_of_hyperlex_are_also_correlated_together():
    nouns = [("a", "a", f"n{number}", "unrelated", float(number)) for number in range(4)]
    verbs = [("b", "b", f"v{number}", "unrelated", float(number)) for number in range(4)]
    both = pl.concat(
        [
            items(*nouns, condition="hyperlex nouns", set_name="hyperlex"),
            items(*verbs, condition="hyperlex verbs", set_name="hyperlex"),
        ]
    )
    asked = probes(both, PROMPTS, article)
    scores = {("HYP", name, other): rating for _, name, other, _, rating in [*nouns, *verbs]}
    table = values(judgment_table("m", scores, asked), both).filter(metric="rho")
    means = dict(table.group_by("condition").agg(pl.col("value").mean()).iter_rows())
    assert means == pytest.approx({"hyperlex nouns": 1.0, "hyperlex verbs": 1.0, "hyperlex": 1.0})
    assert table.filter(condition="hyperlex").select("unit", "prompt").n_unique() == 8
    linked = links(both)
    assert {"hyperlex", "hyperlex nouns", "hyperlex verbs"} == set(linked["condition"])
    alone = values(judgment_table("m", scores, asked), both.filter(condition="hyperlex nouns"))
    assert set(alone["condition"]) == {"hyperlex nouns"}  # which are all that there is


def test_every_value_is_of_a_declared_metric():
    names = {metric for metric, *_ in measured(TWO, {"robin:bird": 1.0}, None)} | {"ap", "rr", "choice", "ece"}
    assert names <= {metric.name for metric in MEASURES}


def test_a_word_that_several_targets_share_links_them():
    table = pl.concat([ROBIN, items(("wren", "wren", "bird", "right"), ("wren", "wren", "fish", "random"))])
    linked = links(table)
    assert set(linked.filter(link="bird")["unit"]) >= {"robin", "wren", "robin:bird", "wren:bird"}
    assert set(linked.filter(unit="robin")["link"]) == {"robin", "bird"}


def test_a_target_has_values_if_all_of_its_pairs_have_a_score_and_some_are_right_and_some_wrong():
    """The right word is second of three, behind a reversed pair, which is no word to choose."""
    rows = [
        ("unscored", "bird", "right", True, None),
        ("unscored", "fish", "random", False, 0.5),
        ("right alone", "bird", "right", True, 0.5),
        ("wrong alone", "fish", "random", False, 0.5),
        ("robin", "bird", "right", True, 0.9),
        ("robin", "fish", "random", False, 0.1),
        ("robin", "robin", "reversed", False, 0.95),
        ("robin", "wug", "random", None, 0.99),
        ("wren", "bird", "right", True, 0.9),
        ("wren", "wren", "reversed", False, 0.1),
    ]
    table = pl.DataFrame(rows, schema=["target", "second", "kind", "label", "score"], orient="row")
    first = pl.when(kind="reversed").then(pl.lit("bird")).otherwise("target")
    found = {tuple(key): value for *key, value in target_values(table.with_columns(first=first))}
    assert found == {
        ("ap", "all", "robin"): 0.5,
        ("rr", "all", "robin"): 0.5,
        ("ap", "random", "robin"): 1.0,
        ("rr", "random", "robin"): 1.0,
        ("ap", "reversed", "robin"): 0.5,
        ("rr", "reversed", "robin"): 0.5,
        ("choice", "all", "robin"): 1.0,
        **{(metric, foils, "wren"): 1.0 for metric in ("ap", "rr") for foils in ("all", "reversed")},
    }


def test_a_choice_shows_the_first_foil_of_a_kind_and_has_a_right_word_and_a_wrong_one():
    table = items(
        *[
            ("robin", "robin", "bird", "right"),
            ("robin", "robin", "animal", "right"),
            ("robin", "robin", "wug", "random"),
        ],
        *[("robin", "robin", "dax", "random"), ("robin", "robin", "wing", "other relation")],
        *[("oak", "oak", "tree", "right"), ("cod", "cod", "bird", "random"), ("cod", "cod", "wing", "other relation")],
        *[("saw", "saw", "tool", "right"), ("saw", "tool", "saw", "reversed")],
    )
    other = items(
        ("robin", "robin", "leaf", "random"), ("robin", "robin", "wing", "right"), condition="MER", relation="MER"
    )
    unlabelled = items(("robin", "robin", "seed", "odd")).with_columns(label=pl.lit(None, pl.Boolean))
    assert [*choices(pl.concat([table, unlabelled, other]))] == [
        Choice("HYP", "HYP", "robin", "bird", ("bird", "wug", "wing")),
        Choice("MER", "MER", "robin", "wing", ("leaf", "wing")),
    ]
    scored = table.head(5).with_columns(score=pl.Series([1.0, 9.0, 0.0, 9.0, 0.0]))
    assert {(metric, value) for metric, foils, _, value in target_values(scored) if metric == "choice"} == {
        ("choice", 1.0)
    }


def test_a_pair_of_hyperlex_counts_in_the_whole_set_if_it_has_a_score_in_each_prompt():
    """The mean of two prompts orders four pairs as the ratings do; a fifth one has one score alone, and takes no part."""
    rows = [("a", "a", f"n{number}", "unrelated", float(number)) for number in range(5)]
    set_name = pl.concat(
        [
            items(*rows[:2], condition="hyperlex nouns", set_name="hyperlex"),
            items(*rows[2:], condition="hyperlex verbs", set_name="hyperlex"),
        ]
    )
    asked = probes(set_name, PROMPTS, article)
    kind, other = {0: 9.0, 1: 0.0, 2: 0.0, 3: 0.0, 4: -9.0}, {0: -9.0, 1: 1.0, 2: 2.0, 3: 3.0, 4: None}
    judged = pl.concat(
        [
            judgment_table("m", {("HYP", "a", f"n{n}"): one for n, one in of.items()}, asked.filter(prompt=prompt))
            for prompt, of in (("kind", kind), ("is", other))
        ]
    )
    whole = values(judged, set_name).filter(condition="hyperlex", metric="rho")
    assert whole.select("unit", "prompt").rows() == [(f"a:n{number}", "all prompts") for number in range(4)]
    assert whole["value"].mean() == pytest.approx(1.0)
    nouns_alone = values(judged, set_name.head(2))
    assert "hyperlex" not in nouns_alone["condition"].to_list()


def test_a_pair_that_two_targets_have_counts_once_and_the_direction_is_that_of_scored_pairs():
    """The reverse of the second is right as well, that of the third has no score, and of the fourth there is none."""
    table = items(
        *[
            ("robin", "robin", "bird", "right"),
            ("robin", "bird", "robin", "reversed"),
            ("bird", "robin", "bird", "right"),
        ],
        *[("a", "a", "b", "right"), ("b", "b", "a", "right"), ("c", "c", "d", "right"), ("c", "d", "c", "reversed")],
        *[("e", "e", "f", "right"), ("g", "g", "h", "right"), ("g", "h", "g", "reversed")],
    )
    scores = {"robin:bird": 2.0, "bird:robin": 1.0, "a:b": 2.0, "b:a": 1.0, "c:d": 3.0, "d:c": None, "e:f": 1.0}
    found = measured(table, {**scores, "g:h": 0.0, "h:g": 1.0})
    direction = {unit: value for (metric, _, unit), value in found.items() if metric == "direction"}
    assert direction == {"robin:bird": 1.0, "g:h": 0.0}
    judged = {unit: value for (metric, _, unit), value in found.items() if metric == "judged"}
    assert judged == {**dict.fromkeys([*scores, "g:h", "h:g"], 1.0), "d:c": 0.0}
    asked = probes(table, PROMPTS, article).filter(prompt="kind")
    rows = values(judgment_table("m", {("HYP", "robin", "bird"): 2.0, ("HYP", "bird", "robin"): 1.0}, asked), table)
    for metric in ("judged", "direction"):
        assert rows.filter(metric=metric, unit="robin:bird").height == 1


def test_a_metric_of_targets_or_of_pairs_says_what_its_items_share_and_where_its_values_end():
    """Of targets a right word is shared, and of pairs a word; the prompts are a sample. Errors and counts are not tested."""
    found = {one.name: (one.items, one.linked_by, one.test, one.ends, one.less_is_better) for one in MEASURES}
    target_items, pair_items, tested = ("targets", "a right word"), ("pairs", "a word"), "Wilcoxon"
    assert found == {
        **dict.fromkeys(("ap", "rr", "choice"), (*target_items, tested, (0, 1), False)),
        "rho": (*pair_items, tested, (-1, 1), False),
        **dict.fromkeys(("auc", "direction", "accuracy"), (*pair_items, tested, (0, 1), False)),
        "ece": (*pair_items, None, (0, 1), True),
        "judged": (*pair_items, None, (0, 1), False),
    }
    assert {(one.unit, one.item, one.links, one.crossed) for one in MEASURES} == {
        (("unit", "prompt"), ("unit",), ("links",), "prompt")
    }
    assert {one.name for one in MEASURES if one.share} == {"choice", "direction", "judged"}
    assert (TESTED, PRIMARY) == (("ap", "rr", "choice", "rho", "auc", "direction", "accuracy"), "ap")
    assert {judge: JUDGES_OF_STUDY[judge] for judge in JUDGES} == {
        **{"statement": "statement", "pmi": "statement", "sentence": "sentence"},
        **{"verification": "verification", "embedding": "states"},
    }


def test_each_condition_has_the_prompts_and_scores_of_its_relation():
    """The same pairs stand under two relations, and under two conditions of one of them."""
    pairs = [("robin", "robin", "bird", "right"), ("robin", "robin", "fish", "random")]
    table = pl.concat(
        [
            items(*pairs),
            items(*pairs, condition="own HYP", set_name="own"),
            items(*pairs, condition="MER", relation="MER"),
        ]
    )
    scores = {"HYP": {"is": (2.0, 1.0), "kind": (1.0, 1.0)}, "MER": {"has": (1.0, 2.0)}}
    rows = [
        ("m", relation, prompt, "robin", word, score, None)
        for relation, prompt_scores in scores.items()
        for prompt, word_scores in prompt_scores.items()
        for word, score in zip(("bird", "fish"), word_scores, strict=True)
    ]
    judged = pl.DataFrame(rows, schema=JUDGMENTS, orient="row")
    found = values(pl.concat([judged, judged.with_columns(agent=pl.lit("n"), score=-pl.col("score"))]), table)
    choices_made = found.filter(metric="choice").select("agent", "condition", "prompt", "value").rows()
    prompt_scores = {("HYP", "is"): 1.0, ("HYP", "kind"): 0.5, ("MER", "has"): 0.0}
    prompt_scores |= {("own HYP", prompt): prompt_scores["HYP", prompt] for prompt in ("is", "kind")}
    turned_round = {key: 1 - value for key, value in prompt_scores.items()}
    assert {row[:3]: row[3] for row in choices_made} == {
        (agent, *key): value
        for agent, scores_of_agent in (("m", prompt_scores), ("n", turned_round))
        for key, value in scores_of_agent.items()
    }
