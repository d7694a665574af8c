"""A model uses the query only if it is ahead of a swapped one and of its best control."""

import polars as pl
import pytest
from relprobe.studies.analogies.page import query_use

ROW = {"setting": "unsupervised", "probe": "reverse", "condition": "All", "agent": "m", "right_query": 0.71}
ROW |= {"swapped_query": 0.55, "difference": 0.16, "low": 0.1, "high": 0.22, "p_holm": 0.001}


@pytest.mark.parametrize(("difference", "p", "uses"), [(0.1, 0.01, True), (-0.22, 0.01, False), (0.1, 0.3, False)])
def test_a_model_that_is_not_ahead_of_static_vectors_is_not_said_to_use_the_query(difference, p, uses):
    beside = {"metric": "unsupervised reverse", "condition": "All", "agent": "m", "control": "static"}
    beside |= {"difference": difference, "p": p, "p_holm_all": p}
    tables = {"swapped": pl.DataFrame([ROW]), "controls": pl.DataFrame([beside])}
    readers, said = query_use(tables, "unsupervised", ["m"])
    assert readers == ["m"]  # its own sentence says what it has beside static vectors
    assert ("uses the query" in said) is uses
    assert ("depends on the query: it is right in 71 of 100 choices" in said) is not uses
    assert ("the data do not show that it is ahead of its best control" in said) is not uses


def test_without_a_control_the_swapped_query_decides():
    assert "m uses the query" in query_use({"swapped": pl.DataFrame([ROW])}, "unsupervised", ["m"])[1]
