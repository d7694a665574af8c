"""The trials of the analogies study."""

import polars as pl
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, TUPLES
from relprobe.studies.analogies.tables import agent
from relprobe.studies.analogies.trials import _judgements, trials

TUPLE_ROWS = pl.DataFrame(
    [("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")],
    schema=TUPLES,
    orient="row",
)


def instances(*negatives):
    """Instances that differ in their wrong pair alone; the last one has the query of another relation."""
    about = ("E01", 1, "test", "type", "rome", "italy", "oslo", "norway")
    rows = [(*about, *pair.split(), None) for pair in negatives]
    return pl.DataFrame([*rows, (*about, "x", "y", "rome : italy")], schema=INSTANCES, orient="row")


def decision(value, setting="unsupervised", **other):
    about = {"relation": "E01", "probe": "type", "draw": 1, "query": "rome : italy", "tuple": "oslo : norway"}
    row = about | {"setting": setting, "head": "oslo", "tail": "norway", "value": value} | other
    return {name: row.get(name) for name in DECISIONS}


def decisions(*rows):
    return pl.DataFrame(rows, schema=DECISIONS)


def test_the_answer_is_the_pair_that_was_chosen():
    own = decisions(decision(1.0), decision(0.0), decision(0.5), decision(1.0, instead_of="rome : italy"))
    found = trials({"m": own}, instances("a b", "c d", "e f"), TUPLE_ROWS)
    assert found.select("task", "relation_name", "condition", "answer", "right", "cluster").rows() == [
        ("unsupervised", "capitals", "type", "oslo : norway", 1.0, "oslo : norway"),
        ("unsupervised", "capitals", "type", "c : d", 0.0, "oslo : norway"),
        ("unsupervised", "capitals", "type", None, 0.5, "oslo : norway"),
    ]
    assert found["item"].n_unique() == 3


def test_a_choice_that_is_made_again_is_numbered_from_the_second_time_on():
    """Two instances have one wrong pair, and a third one another; the second draw is another choice."""
    own = decisions(decision(1.0), decision(0.0), decision(1.0))
    found = trials({"m": own}, instances("a b", "a b", "c d"), TUPLE_ROWS)
    assert found.select("answer", "respondent").rows() == [
        ("oslo : norway", None),
        ("a : b", "2"),
        ("oslo : norway", None),
    ]


def test_a_wrong_pair_that_is_not_known_is_not_guessed():
    """One of two instances with this right pair could not be judged; which one, the decisions do not say."""
    found = trials({"m": decisions(decision(0.0))}, instances("a b", "c d"), TUPLE_ROWS)
    assert found["right"].to_list() == [0.0]
    assert found["item"].item() == "type, draw 1: rome : italy :: oslo : norway or another pair (1)"
    assert not {"a : b", "c : d"} & set(found["answer"])


def test_a_judgement_of_classifiers_is_an_answer_if_all_seeds_agree():
    negative_pair = {"label": False, "head": "a", "tail": "b"}
    own = decisions(
        decision(1.0, "supervised", label=True),
        decision(0.0, "supervised", **negative_pair),
        decision(0.4, "supervised", label=True, query="x : y"),
        decision(None, "supervised", label=True),
    )
    found = trials({}, instances("a b"), TUPLE_ROWS, {"m": own})
    assert found.select("answer", "right").rows() == [("yes", 1.0), ("yes", 0.0), (None, 0.4)]
    assert set(found["task"]) == {"supervised"}


def test_a_choice_is_decided_on_either_side_of_one_half():
    own = decisions(decision(0.52), decision(0.48))
    found = trials({"m": own}, instances("a b", "c d"), TUPLE_ROWS)
    assert found.select("answer", "right").rows() == [("oslo : norway", 0.52), ("c : d", 0.48)]
    assert found["candidates"].to_list() == [2, 2]
    assert found["frequency"].is_between(3, 5).all()


def test_judgements_of_one_pair_are_numbered_from_the_second_on():
    negative = {"label": False, "head": "a", "tail": "b"}
    rows = [
        decision(1.0, "supervised", **negative),
        decision(1.0, "supervised", label=True),
        decision(0.0, "supervised", **negative),
        decision(0.0, "supervised", label=True, draw=2),
        decision(1.0, "supervised", label=True, query="x : y"),
    ]
    found = _judgements(decisions(*rows))
    other = _judgements(decisions(rows[0], rows[0] | {"probe": "reverse"}, rows[0] | {"relation": "E02"}))
    assert other["respondent"].to_list() == [None] * 3  # in another probe, or another relation, it is another judgement
    assert found["answer"].to_list() == ["no", "yes", "yes", "no", "yes"]
    assert found["respondent"].to_list() == [None, None, "2", None, None]
    assert found["item"].to_list() == [
        "type, draw 1: rome : italy :: a : b (oslo : norway)",
        "type, draw 1: rome : italy :: oslo : norway (oslo : norway)",
        "type, draw 1: rome : italy :: a : b (oslo : norway)",
        "type, draw 2: rome : italy :: oslo : norway (oslo : norway)",
        "type, draw 1: x : y :: oslo : norway (oslo : norway)",
    ]
    assert found["target"].unique().to_list() == ["oslo : norway"]


def test_the_page_has_the_chosen_pair_first_and_a_weight_where_nothing_is_decided():
    about = {"relation": "E01", "probe": "type", "draw": 1, "query": "rome : italy", "tuple": "oslo : norway"}
    choices = pl.DataFrame(
        [{**about, "probe_id": str(n), "other": f"x : {n}", "number": n, "instances": 4} for n in range(4)]
    )
    found = agent("m", decisions(*map(decision, (0.52, 0.5, 0.48, None))), choices).answers
    assert sorted(found.filter(rank=1).select("probe_id", "word", "weight").rows()) == [
        ("0", "oslo : norway", None),
        ("1", "oslo : norway", 0.5),
        ("2", "x : 2", None),
    ]
    assert sorted(found.filter(rank=2).select("probe_id", "word", "weight").rows()) == [
        ("0", "x : 0", None),
        ("1", "x : 1", 0.5),
        ("2", "oslo : norway", None),
    ]
