"""The page of all answers shows a choice at its own probe, or not at all."""

import polars as pl
from relprobe.studies.analogies.tables import agent, with_number

KEY = {"relation": "E01", "probe": "random", "draw": 1, "query": "rome : italy", "tuple": "oslo : norway"}


def test_an_agent_that_lacks_one_of_two_wrong_pairs_answers_neither_under_the_others_name():
    """Decisions do not name the wrong pair: the agent's only one may be about either."""
    others = pl.DataFrame([{**KEY, "other": other} for other in ("oslo : sweden", "oslo : peru")])
    choices = with_number(others).with_row_index("probe_id").cast({"probe_id": pl.String})
    whole, lacking = (pl.DataFrame([{**KEY, "value": 0.0, "instead_of": None}] * number) for number in (2, 1))
    first = agent("whole", whole, choices).answers.filter(rank=1)
    assert first.select("probe_id", "word").rows() == [("0", "oslo : sweden"), ("1", "oslo : peru")]
    assert agent("lacking", lacking, choices).answers.is_empty()
