"""The page of all answers to the probes of relations."""

import polars as pl
from relprobe.studies.relations.show.answers import agents


def test_a_cosine_is_not_shown_as_a_share():
    row = {"probe_id": "hyp-is:robin", "rank": 1, "word": "bird", "weight": 0.75}
    words = {name: pl.DataFrame([row]) for name in ("m", "majority", "neighbours", "typical")}
    assert [(one.name, one.answers["weight"].to_list()) for one in agents(words, [])] == [
        ("m", [0.75]),
        ("majority", [0.75]),
        ("neighbours", [None]),
        ("typical", [None]),
    ]
