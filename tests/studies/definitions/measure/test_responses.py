"""From scores to ranks, by hand."""

import itertools
import math
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.core.errors import DataError
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.method import log_of_mean, mean_of_logs, pair_scores, rank_candidates
from relprobe.studies.definitions.schemas import GROUPS, METRICS, PROBES, RESPONSES, SCORES

from tests.studies.definitions.about import properties

LN2 = math.log(2)
PROBES_ = pl.DataFrame(
    [("noun:0", "noun", "A", ["a", "b", "c"], 4), ("noun:1", "noun", "B", ["a"], 1), ("noun:2", "noun", "C", ["a"], 1)],
    schema=PROBES,
    orient="row",
)
# Pairs: 0 (A, a), 1 (A, b), 2 (A, c), 3 (B, a), 4 (C, a).
GROUP = ("a.n.01", "noun", "a", "A", 4, "f", [0, 3, 4], [0, 1, 2])


def groups(*rows):
    return pl.DataFrame(rows, schema=GROUPS, orient="row")


def row_of(scores, task, group=GROUP):
    table = rank_candidates(scores, groups(group), PROBES_)
    assert dict(table.schema) == dict(RESPONSES)
    return table.filter(task=task).row(0, named=True)


def test_the_right_candidate_has_the_rank_of_its_score():
    scores = {"w2d": np.array([-1, 0, 0, -0.5, -3]), "d2w": np.array([-1, -2, -1.5, 0, 0])}
    w2d, d2w = row_of(scores, "w2d"), row_of(scores, "d2w")
    assert (w2d["candidates"], w2d["rank"], w2d["answer"]) == (3, 2, "B")
    assert (d2w["candidates"], d2w["rank"], d2w["answer"]) == (3, 1, "a")


def test_a_wrong_word_is_the_answer_where_it_scores_best():
    scores = {"w2d": np.zeros(5), "d2w": np.array([-3, -2, -1.5, 0, 0])}
    assert (row_of(scores, "d2w")["rank"], row_of(scores, "d2w")["answer"]) == (3, "c")


def test_what_cannot_be_scored_comes_last():
    scores = {"w2d": np.array([-9, 0, 0, -np.inf, -np.inf]), "d2w": np.array([-np.inf, -2, -np.inf, 0, 0])}
    assert row_of(scores, "w2d")["rank"] == 1
    assert row_of(scores, "d2w")["rank"] in (2, 3)
    assert row_of(scores, "d2w")["answer"] == "b"


def test_equal_scores_are_ranked_by_lot_and_alike_for_all_agents():
    many = groups(*((f"g{i}", *GROUP[1:]) for i in range(3000)))
    equal = {"w2d": np.zeros(5), "d2w": np.full(5, -7.0)}
    first, again = (rank_candidates({k: v + shift for k, v in equal.items()}, many, PROBES_) for shift in (0, 1))
    assert first.equals(again)
    for task in ("w2d", "d2w"):
        counts = first.filter(task=task)["rank"].value_counts().sort("rank")
        assert counts["rank"].to_list() == [1, 2, 3]
        # Each of three ranks 1000 times; five standard deviations are 5 · sqrt(3000 · 1/3 · 2/3) = 129.
        assert all(abs(count - 1000) < 129 for count in counts["count"])
    drawn = first.filter(task="d2w")
    assert (drawn["answer"] == "a").to_list() == (drawn["rank"] == 1).to_list()


def test_a_task_without_candidates_has_no_response():
    table = rank_candidates({"w2d": np.zeros(5), "d2w": np.zeros(5)}, groups((*GROUP[:6], [], [0, 1, 2])), PROBES_)
    assert table["task"].to_list() == ["d2w"]


def scores(*rows, whole=None):
    rows = [(*row[:5], whole, row[5]) for row in rows]
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def test_masked_scores_average_probabilities_for_w2d_and_mean_logs_for_d2w():
    table = scores(
        ("noun:0", "is", [-LN2, -2 * LN2], [0.0, 0.0], [1, 2], 2),  # P = 1/2; 1/4 over two tokens
        ("noun:0", "means", [-3 * LN2, -4 * LN2], [0.0, 0.0], [1, 2], 2),  # P = 1/8; 1/16
        ("verb:0", "to-is", [-LN2], [0.0], [1], 1),
    )
    model_scores = pair_scores(table, masked=True)
    # (1/2 + 1/8) / 2 = 5/16; (1/4 + 1/16) / 2 = 5/32
    assert np.exp(model_scores["w2d"]) == pytest.approx([5 / 16, 5 / 32, 1 / 2], rel=1e-6)
    # Mean logs: -1 and -3 ln 2, on average -2; -1 and -2 ln 2 per token, on average -1.5.
    assert model_scores["d2w"] == pytest.approx([-2 * LN2, -1.5 * LN2, -LN2], rel=1e-6)


def test_causal_scores_take_the_first_token_for_d2w():
    table = scores(("noun:0", "p", [-5 * LN2, -LN2, None], [-2 * LN2, -LN2, None], [3, 1, None], 2))
    model_scores = pair_scores(table, masked=False)
    assert model_scores["w2d"] == pytest.approx([-5 * LN2, -LN2, -np.inf])
    assert model_scores["d2w"] == pytest.approx([-2 * LN2, -LN2, -np.inf])


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("first", [-2 * LN2, -LN2]),
        ("sum", [-6 * LN2, -LN2]),
        ("mean", [-2 * LN2, -LN2]),  # three tokens, and one
        ("whole", [-7 * LN2, -3 * LN2]),
    ],
)
def test_d2w_of_causal_models_reads_tokens_as_the_choice_says(reading, expected):
    table = scores(("noun:0", "p", [-6 * LN2, -LN2], [-2 * LN2, -LN2], [3, 1], 2), whole=[-7 * LN2, -3 * LN2])
    model_scores = pair_scores(table, masked=False, choices=Choices(causal_d2w=reading))
    assert model_scores["d2w"] == pytest.approx(expected)
    assert model_scores["w2d"] == pytest.approx([-6 * LN2, -LN2])


def test_a_masked_model_may_be_read_by_all_tokens():
    table = scores(("noun:0", "p", [-6 * LN2], [0.0], [3], 2))
    assert pair_scores(table, masked=True)["d2w"] == pytest.approx([-2 * LN2])
    assert pair_scores(table, masked=True, choices=Choices(masked_d2w="sum"))["d2w"] == pytest.approx([-6 * LN2])


def test_the_average_over_patterns_may_be_that_of_logs():
    rows = [("noun:0", name, [-number * LN2], [0.0], [1], 2) for name, number in (("is", 1), ("means", 3))]
    assert pair_scores(scores(*rows), masked=True)["w2d"] == pytest.approx([math.log(5 / 16)])  # (1/2 + 1/8) / 2
    logs = pair_scores(scores(*rows), masked=True, choices=Choices(patterns="logs"))
    assert logs["w2d"] == pytest.approx([-2 * LN2])


def test_ends_of_words_that_were_not_scored_are_an_error():
    table = scores(("noun:0", "p", [-LN2], [-LN2], [1], 1))
    with pytest.raises(DataError, match=r"do not say how likely words end.*word_boundary: true"):
        pair_scores(table, masked=False, choices=Choices(causal_d2w="whole"))


def response(task="w2d", group="goose.n.01", candidates=5, better=0, tied=0, rank=1):
    return (task, group, candidates, better, tied, rank, "an answer")


def values(responses, *groups, ties="expected"):
    table = metrics(pl.DataFrame(responses, schema=RESPONSES, orient="row"), properties(*groups), ties)
    assert dict(table.schema) == dict(METRICS)
    return {(metric, condition): value for metric, condition, _, _, value in table.iter_rows()}


def test_precision_and_rank_score():
    verb = {"group": "b.v.01", "pos": "verb", "uses": 50.0, "depth": 2, "leak": "names"}
    rows = [response(), response("d2w", better=3, rank=4), response("w2d", "b.v.01", 3, 2, 0, 3)]
    value = values(rows, {}, verb)
    assert value["W2D P@1", "noun"] == value["W2D RS", "noun"] == value["W2D P@1", "noun, leak-free"] == 1
    assert value["D2W P@1", "noun"] == 0
    assert value["D2W RS", "noun"] == 1 / 4  # (5 - 4) / (5 - 1)
    assert value["W2D RS", "verb"] == 0
    assert value["D2W RS", "noun, frequent"] == value["D2W RS", "noun, depth 3–5"] == 1 / 4
    assert value["W2D RS", "verb, medium"] == 0
    assert len(value) == 4 * 4 + 2 * 2  # four conditions for the noun's four values, two for the verb's two


def test_a_guess_counts_by_its_expected_value():
    value = values([response(candidates=5, better=0, tied=4, rank=1)], {})
    assert value["W2D P@1", "noun"] == 1 / 5
    assert value["W2D RS", "noun"] == 1 / 2
    # One candidate is better and one ties: ranks 2 and 3 of 5 are as likely, with RS 3/4 and 2/4.
    value = values([response(candidates=5, better=1, tied=1, rank=3)], {})
    assert (value["W2D P@1", "noun"], value["W2D RS", "noun"]) == (0, 5 / 8)


def test_groups_that_are_named_and_not_drawn_do_not_count():
    assert values([response()], {"drawn": False}) == {}


def test_the_candidates_above_and_beside_the_right_one_are_counted():
    row = row_of({"w2d": np.array([-1, 0, 0, -0.5, -1]), "d2w": np.zeros(5)}, "w2d")
    assert (row["better"], row["tied"]) == (1, 1)
    row = row_of({"w2d": np.zeros(5), "d2w": np.zeros(5)}, "d2w")
    assert (row["better"], row["tied"]) == (0, 2)


@st.composite
def tied_scores(draw):
    """Scores of the candidates of one group, few of which differ, the right one's first; and an order of the wrong ones."""
    scored = draw(st.lists(st.sampled_from([-1.0, -2.0, -np.inf]), min_size=2, max_size=8))
    return scored, draw(st.permutations(scored[1:]))


def value_of_candidates(scored, choices):
    """The values of a group with these scores in D2W (the right one's first), under the study's choices."""
    words = [f"w{place}" for place in range(len(scored))]
    probes = pl.DataFrame([("noun:0", "noun", "A", words, 4)], schema=PROBES, orient="row")
    group = groups(("goose.n.01", "noun", "w0", "A", 4, "f", [], list(range(len(scored)))))
    task_scores = {"w2d": np.zeros(len(scored)), "d2w": np.array(scored)}
    table = metrics(rank_candidates(task_scores, group, probes), properties({}), choices.ties)
    return dict(table.filter(condition="noun").select("metric", "value").rows())


@settings(deadline=None, max_examples=50)
@given(tied_scores())
def test_no_order_of_equal_scores_changes_a_value(case):
    scored, others = case
    value = value_of_candidates(scored, Choices())
    assert value == value_of_candidates([scored[0], *others], Choices())
    # All orders of the candidates, the equal ones of which are as likely: the place of the right one among these.
    orders = list(itertools.permutations(range(len(scored)))) if len(scored) < 6 else []
    ranks = [1 + sorted(order, key=lambda place: -scored[place]).index(0) for order in orders]
    if ranks:
        assert value["D2W P@1"] == pytest.approx(np.mean([rank == 1 for rank in ranks]))
        assert value["D2W RS"] == pytest.approx(np.mean([(len(scored) - rank) / (len(scored) - 1) for rank in ranks]))


def test_the_draw_that_pages_show_depends_on_no_other_group():
    equal = {"w2d": np.zeros(5), "d2w": np.zeros(5)}
    some = [(f"g{i}", *GROUP[1:]) for i in range(20)]
    every, few = (rank_candidates(equal, groups(*rows), PROBES_) for rows in (some, some[7:]))
    assert few.equals(every.join(few.select("group", "task"), on=["group", "task"], how="semi", maintain_order="left"))


def test_patterns_have_the_mean_of_their_probabilities_or_of_their_logs():
    logs = [np.log([0.5, 0.1]), np.log([0.25, 0.1]), np.log([0.03125, 0.1])]
    assert mean_of_logs(logs) == pytest.approx([(-1 - 2 - 5) / 3 * LN2, math.log(0.1)])
    assert log_of_mean(logs) == pytest.approx([math.log((0.5 + 0.25 + 0.03125) / 3), math.log(0.1)])


@pytest.mark.parametrize("task", ["w2d", "d2w"])
def test_too_few_scores_of_either_task_are_an_error(task):
    scores = {"w2d": np.zeros(5), "d2w": np.zeros(5)} | {task: np.zeros(4)}
    with pytest.raises(DataError, match="the scores are not those of the 5 pairs"):
        rank_candidates(scores, groups(GROUP), PROBES_)


def test_a_causal_model_with_several_patterns_has_their_mean_probability_in_both_tasks():
    table = scores(("noun:0", "p", [-LN2], [-LN2], [1], 1), ("noun:0", "q", [-3 * LN2], [-2 * LN2], [2], 1))
    found = pair_scores(table, masked=False)
    assert found["w2d"] == pytest.approx([math.log((1 / 2 + 1 / 8) / 2)])
    assert found["d2w"] == pytest.approx([math.log((1 / 2 + 1 / 4) / 2)])
    means = pair_scores(table, masked=False, choices=Choices(causal_d2w="mean"))
    assert means["d2w"] == pytest.approx([(-1 - 1.5) / 2 * LN2])


def test_the_order_of_equal_scores_is_drawn_by_the_names_of_task_and_group():
    """With the seed that stands in stored results: 1."""
    rows = [(f"g{number}", *GROUP[1:]) for number in range(30)]
    found = rank_candidates({"w2d": np.zeros(5), "d2w": np.zeros(5)}, groups(*rows), PROBES_)
    for task, group, rank in found.select("task", "group", "rank").rows():
        assert rank == 1 + int(3 * random.Random(f"1 {task} {group}").random())
