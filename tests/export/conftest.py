"""A relations study of three probes, made by hand."""

import polars as pl
import pytest
from relprobe.studies.relations.schemas import METRICS, PROBES, TOP_WORDS, TUPLES

from tests.export.tables import rows

OPEN = [{"text": f"a robin is a kind of {article} [V]", "weight": 0.5} for article in ("a", "an")]


@pytest.fixture
def probes():
    return pl.DataFrame(
        [
            ("hyp-kind:robin", "HYP", "robin", "hyp-kind", "main", "a robin is a kind of [DET] [V]", OPEN),
            ("ant-not:hot", "ANT", "hot", "ant-not", "main", "hot is not [V]", []),
            ("hyp-such:oak", "HYP", "oak", "hyp-such", "main", "[V] such as an oak", []),
            ("hyp-kind:hot", "HYP", "hot", "hyp-kind", "trick", "a hot is a kind of [DET] [V]", []),
        ],
        schema=PROBES,
        orient="row",
    )


@pytest.fixture
def relata():
    tuples = [("robin", "HYP", "bird"), ("robin", "HYP", "animal"), ("hot", "ANT", "cold"), ("oak", "HYP", "tree")]
    others = [(word, "HYP", relatum) for word, relatum in zip("abcd", ["tool", "insect", "metal", "game"], strict=True)]
    others += [("robin", "MER", "metal")]
    return pl.DataFrame([(*row, ["hand"]) for row in tuples + others], schema=TUPLES, orient="row")


@pytest.fixture
def metrics():
    return rows(
        METRICS,
        {"metric": "soundness", "relation": "HYP", "target": "robin", "prompt_id": "hyp-kind", "value": 1.0},
        {"metric": "soundness", "relation": "ANT", "target": "hot", "prompt_id": "ant-not", "value": 0.5},
        {"metric": "completeness", "relation": "HYP", "target": "robin", "prompt_id": "hyp-kind", "value": 0.5},
    )


@pytest.fixture
def top_words():
    words = [("hyp-kind:robin", 2, "car"), ("hyp-kind:robin", 1, "bird"), ("ant-not:hot", 1, "warm")]
    return pl.DataFrame([(*row, 0.5, None) for row in words], schema=TOP_WORDS, orient="row")
