"""The trials of the analogies study."""

import polars as pl
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, TUPLES
from relprobe.studies.analogies.trials import trials

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


def test_a_wrong_pair_that_is_not_known_is_not_guessed():
    """One of two instances with this right pair could not be judged; which one, the decisions do not say."""
    found = trials({"m": decisions(decision(0.0))}, instances("a b", "c d"), TUPLE_ROWS)
    assert found["right"].to_list() == [0.0]
    assert not {"a : b", "c : d"} & set(found["answer"])


def test_a_judgement_of_classifiers_is_an_answer_if_all_seeds_agree():
    of_negative = {"label": False, "head": "a", "tail": "b"}
    own = decisions(
        decision(1.0, "supervised", label=True),
        decision(0.0, "supervised", **of_negative),
        decision(0.4, "supervised", label=True, query="x : y"),
        decision(None, "supervised", label=True),
    )
    found = trials({}, instances("a b"), TUPLE_ROWS, {"m": own})
    assert found.select("answer", "right").rows() == [("yes", 1.0), ("yes", 0.0), (None, 0.4)]
    assert set(found["task"]) == {"supervised"}
