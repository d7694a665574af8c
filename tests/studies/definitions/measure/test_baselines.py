import logging

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.definitions.baselines import commonness, guess, shortness, similarity
from relprobe.studies.definitions.method import rank_candidates
from relprobe.studies.definitions.schemas import GROUPS, PROBES

WORDS = ["signal", "hands", "beckon", "nod"]
VECTORS = StaticVectors(
    {word: i for i, word in enumerate(WORDS)}, np.array([[1, 0], [0, 1], [1, 1], [-1, 0]], np.float32)
)
PAIRS = pl.DataFrame(
    [
        ("verb:0", "verb", "signal (hands)", ["beckon", "nod", "exsert"], 3),
        ("verb:1", "verb", "Shakespeare", ["beckon"], 1),
    ],
    schema=PROBES,
    orient="row",
)


def test_texts_are_the_average_of_their_tokens(caplog):
    with caplog.at_level(logging.INFO, logger="relprobe"):
        scores = similarity(PAIRS, VECTORS)
    # "signal (hands)" is (1, 0) and (0, 1), on average (1/2, 1/2): the direction of beckon, 135° from nod.
    expected = [1, -1 / np.sqrt(2), -np.inf, -np.inf]
    assert scores["w2d"] == pytest.approx(expected)
    assert scores["d2w"] == pytest.approx(expected)
    assert "1 of 3 words have no static vector" in caplog.text
    assert "1 of 2 definitions have no static vector" in caplog.text


def test_a_guess_prefers_nothing():
    assert set(guess(PAIRS)["w2d"]) == {0.0}
    assert len(guess(PAIRS)["d2w"]) == 4


def test_length_prefers_the_shortest():
    scores = shortness(PAIRS)
    assert scores["w2d"].tolist() == [-14.0, -14.0, -14.0, -11.0]  # "signal (hands)" and "Shakespeare"
    assert scores["d2w"].tolist() == [-6.0, -3.0, -6.0, -6.0]


def test_frequency_prefers_the_most_frequent():
    uses = {"beckon": 99.0, "nod": 0.0, "exsert": None, "signal": 9999.0, "hands": 99.0, "shakespeare": None}
    scores = commonness(PAIRS, uses)
    # The mean of log10(10,000) and log10(100) is 3; of Shakespeare nothing is known, so it comes last.
    assert scores["w2d"].tolist() == [3.0, 3.0, 3.0, -np.inf]
    assert scores["d2w"].tolist() == [2.0, 0.0, -np.inf, 2.0]


def test_scores_of_other_probes_are_an_error():
    with pytest.raises(DataError, match="not those of the 4 pairs"):
        rank_candidates({"w2d": np.zeros(3), "d2w": np.zeros(3)}, pl.DataFrame(schema=GROUPS), PAIRS)
