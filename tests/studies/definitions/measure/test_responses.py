"""From scores to ranks, by hand."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.core.errors import DataError
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.definitions.agents import agent_metrics, control_metrics, model_metrics
from relprobe.studies.definitions.baselines import baseline, commonness, guess, shortness, similarity
from relprobe.studies.definitions.choices import Choices
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.method import log_mean, mean, pair_scores, rank_candidates
from relprobe.studies.definitions.results import AgentOptions, Items
from relprobe.studies.definitions.schemas import GROUPS, METRICS, PROBES, RESPONSES, SCORES, WORDS

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
    of_model = pair_scores(table, masked=True)
    # (1/2 + 1/8) / 2 = 5/16; (1/4 + 1/16) / 2 = 5/32
    assert np.exp(of_model["w2d"]) == pytest.approx([5 / 16, 5 / 32, 1 / 2], rel=1e-6)
    # Mean logs: -1 and -3 ln 2, on average -2; -1 and -2 ln 2 per token, on average -1.5.
    assert of_model["d2w"] == pytest.approx([-2 * LN2, -1.5 * LN2, -LN2], rel=1e-6)


def test_causal_scores_take_the_first_token_for_d2w():
    table = scores(("noun:0", "p", [-5 * LN2, -LN2, None], [-2 * LN2, -LN2, None], [3, 1, None], 2))
    of_model = pair_scores(table, masked=False)
    assert of_model["w2d"] == pytest.approx([-5 * LN2, -LN2, -np.inf])
    assert of_model["d2w"] == pytest.approx([-2 * LN2, -LN2, -np.inf])


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
    of_model = pair_scores(table, masked=False, choices=Choices(causal_d2w=reading))
    assert of_model["d2w"] == pytest.approx(expected)
    assert of_model["w2d"] == pytest.approx([-6 * LN2, -LN2])


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


def of_candidates(scored, choices):
    """The values of a group with these scores in D2W (the right one's first), under the study's choices."""
    words = [f"w{place}" for place in range(len(scored))]
    probes = pl.DataFrame([("noun:0", "noun", "A", words, 4)], schema=PROBES, orient="row")
    group = groups(("goose.n.01", "noun", "w0", "A", 4, "f", [], list(range(len(scored)))))
    of_tasks = {"w2d": np.zeros(len(scored)), "d2w": np.array(scored)}
    table = metrics(rank_candidates(of_tasks, group, probes), properties({}), choices.ties)
    return dict(table.filter(condition="noun").select("metric", "value").rows())


@settings(deadline=None, max_examples=50)
@given(tied_scores())
def test_no_order_of_equal_scores_changes_a_value(case):
    scored, others = case
    value = of_candidates(scored, Choices())
    assert value == of_candidates([scored[0], *others], Choices())
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
    assert mean(logs) == pytest.approx([(-1 - 2 - 5) / 3 * LN2, math.log(0.1)])
    assert log_mean(logs) == pytest.approx([math.log((0.5 + 0.25 + 0.03125) / 3), math.log(0.1)])


@pytest.mark.parametrize("task", ["w2d", "d2w"])
def test_too_few_scores_of_either_task_are_an_error(task):
    scores = {"w2d": np.zeros(5), "d2w": np.zeros(5)} | {task: np.zeros(4)}
    with pytest.raises(DataError, match="the scores are not those of the 5 pairs"):
        rank_candidates(scores, groups(GROUP), PROBES_)


ABOUT = properties({"group": "a.n.01", "uses": 50.0, "joined": 500.0, "leak": "names"})
ITEMS = Items(groups=groups(GROUP), probes=PROBES_, properties=ABOUT)
# Of the word a, with five tokens, the one pattern says much more than the other one.
TWO_PATTERNS = pl.DataFrame(
    [
        *[
            ("noun:0", "p", [-1.0, -1.5, -9.0], [-1.0] * 3, [5, 1, 1], None, 1),
            ("noun:0", "q", [-10.0, -1.5, -9.0], [-1.0] * 3, [5, 1, 1], None, 1),
        ],
        *[("noun:1", pattern, [-4.0], [-1.0], [1], None, 1) for pattern in "pq"],
        *[("noun:2", pattern, [-9.0], [-1.0], [1], None, 1) for pattern in "pq"],
    ],
    schema=SCORES,
    orient="row",
)


def ranked_as(options, choices):
    found = model_metrics(TWO_PATTERNS, ITEMS, choices, options)
    return found, {row["task"]: row["rank"] for row in found.responses.to_dicts()}


def test_a_model_is_read_by_its_type_and_a_group_stands_in_the_band_of_the_run():
    """D2W of a masked model takes the mean token, that of others the first one, in which all words are alike."""
    found, ranks = ranked_as(AgentOptions("m", "masked", bands=[60, 600]), Choices())
    assert ranks == {"w2d": 1, "d2w": 1}
    assert "noun, rare" in found.metrics["condition"].to_list()
    assert found.metrics.equals(metrics(found.responses, ABOUT, "expected", [60, 600]))
    for kind in ("causal", "encoder-decoder"):
        other, _ = ranked_as(AgentOptions("m", kind), Choices())
        assert other.responses.filter(task="d2w").select("better", "tied").rows() == [(0, 2)]
        assert "noun, medium" in other.metrics["condition"].to_list()
    drawn = model_metrics(TWO_PATTERNS, ITEMS, Choices(ties="drawn"), AgentOptions("m", "causal"))
    assert set(drawn.metrics.filter(metric="D2W P@1")["value"]) <= {0.0, 1.0}


def test_the_other_choices_of_a_model_have_their_values_by_hand():
    """By all tokens b is before a (-1.7, -1.5); by the mean of logs, B is before A (-5.5, -4). A second place has RS 1/2."""
    table = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "masked", bands=[60, 600])).by_agent[
        "sensitivity"
    ]
    assert set(table["agent"]) == {"m"}
    keys = ["choice", "here", "other", "metric", "condition", "value", "other_value", "groups", "other_groups"]
    found = {(*row[:1], *row[3:5]): row[5:] for row in table.select(keys).rows()}
    names = ("D2W P@1", "D2W RS", "W2D P@1", "W2D RS")
    read, patterns, ties = "D2W reads of a word", "average over the patterns", "equal scores"
    expected = {(read, "D2W P@1", "noun"): (1, 0, 1, 1), (read, "D2W RS", "noun"): (1, 0.5, 1, 1)}
    expected |= {(patterns, name, "noun"): (1, 1, 1, 1) for name in names}
    expected |= {(patterns, "W2D P@1", "noun"): (1, 0, 1, 1), (patterns, "W2D RS", "noun"): (1, 0.5, 1, 1)}
    expected |= {(ties, name, "noun"): (1, 1, 1, 1) for name in names}
    expected |= {("definitions that tell their word", name, "noun"): (1, None, 1, 0) for name in names}
    expected |= {("frequency of a phrase", name, "noun, rare"): (1, None, 1, 0) for name in names}
    expected |= {("frequency of a phrase", name, "noun, medium"): (None, 1, 0, 1) for name in names}
    assert found == expected
    assert table.height == len(expected)
    said = {row[0]: row[1:3] for row in table.select(keys).rows()}
    assert said["frequency of a phrase"] == ("its own, or unknown", "its words' joined by wordfreq")
    causal = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "causal")).by_agent["sensitivity"]
    assert set(causal.filter(choice=read)["other"]) == {"all tokens", "the mean token"}  # ends of words are not scored
    assert said[read] == ("the mean token", "all tokens")
    assert said[patterns] == ("what a task ranks by", "log-probabilities")
    assert said[ties] == ("mean over all orders", "in an order drawn once")
    logs = model_metrics(TWO_PATTERNS, ITEMS, Choices(patterns="logs", ties="drawn"), AgentOptions("m", "masked"))
    said = dict(logs.by_agent["sensitivity"].select("choice", pl.concat_list("here", "other")).rows())
    assert said[patterns] == ["log-probabilities", "what a task ranks by"]
    assert said[ties] == ["in an order drawn once", "mean over all orders"]
    joined = model_metrics(TWO_PATTERNS, ITEMS, Choices(), AgentOptions("m", "masked", "joined"))
    assert "frequency of a phrase" not in joined.by_agent["sensitivity"]["choice"].to_list()


def test_a_control_ranks_by_what_it_knows():
    """Vectors, else the uses of words, else the length of texts or nothing at all."""
    probes = PROBES_.with_columns(
        words=pl.Series([["a", "b", "ccc"], ["a"], ["a"]]), definition=pl.Series(["A", "BBB", "C"])
    )
    items = Items(groups=groups(GROUP), probes=probes, properties=ABOUT)
    vectors = StaticVectors({"a": 0, "b": 1, "A": 2}, np.array([[1, 0], [0, 1], [1, 1]], np.float32))
    words = pl.DataFrame([("a", 9.0), ("b", 99.0), ("A", None)], schema=WORDS, orient="row")
    given = items.groups, probes
    ranked = {
        "static": similarity(probes, vectors),
        "frequency": commonness(probes, {"a": 9.0, "b": 99.0, "A": None}),
        "length": shortness(probes),
        "random": guess(probes),
    }
    assert len({tuple(rank_candidates(one, *given).select("better", "tied").rows()) for one in ranked.values()}) == 4
    options = {"static": {"vectors": vectors}, "frequency": {"words": words}, "length": {}, "random": {}}
    for agent, scores_of_agent in ranked.items():
        expected = rank_candidates(scores_of_agent, *given)
        assert baseline(*given, agent=agent, **options[agent]).equals(expected)
        found = control_metrics(items, Choices(), AgentOptions(agent), **options[agent])
        assert found.responses.equals(expected)
        assert found.metrics.equals(metrics(expected, ABOUT))
        assert found.by_agent["sensitivity"].equals(
            agent_metrics(expected, items, Choices(), AgentOptions(agent)).by_agent["sensitivity"]
        )
    cosines = [0.5**0.5, 0.5**0.5, -np.inf, -np.inf, -np.inf]
    assert ranked["static"]["d2w"].tolist() == pytest.approx(cosines)


def test_a_causal_model_with_several_patterns_has_their_mean_probability_in_both_tasks():
    table = scores(("noun:0", "p", [-LN2], [-LN2], [1], 1), ("noun:0", "q", [-3 * LN2], [-2 * LN2], [2], 1))
    found = pair_scores(table, masked=False)
    assert found["w2d"] == pytest.approx([math.log((1 / 2 + 1 / 8) / 2)])
    assert found["d2w"] == pytest.approx([math.log((1 / 2 + 1 / 4) / 2)])
    means = pair_scores(table, masked=False, choices=Choices(causal_d2w="mean"))
    assert means["d2w"] == pytest.approx([(-1 - 1.5) / 2 * LN2])
