"""The ways to divide a probability over the words of closed lists."""

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from relprobe.core.errors import DataError
from relprobe.lm.requests import SlotResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.lexicon import LEXICON
from relprobe.studies.relations.answer_spaces import among_list, choose, rankings
from relprobe.studies.relations.tuples import default_candidates

from tests.studies.relations.ask.test_closed_list_requests import ALL, PROBE_ROWS, PROBE_TABLE, write_scores
from tests.studies.relations.data.test_build import gold


def test_the_ways_to_divide_stand_side_by_side(tmp_path):
    write_scores(tmp_path)
    tokens = pl.DataFrame([(0, "bird", "bird")], schema=LEXICON, orient="row")
    first = [SlotResponse(row[0], np.array([0], np.int32), np.array([0], np.float32)) for row in PROBE_ROWS]
    pq.write_table(slot_table(first), tmp_path / "tokens.parquet")
    token_scores, list_scores = (ScoreFile.read(tmp_path / f"{name}.parquet") for name in ("tokens", "candidates"))
    spaces = rankings(token_scores, tokens, ALL, candidates=list_scores)

    def best(ranking):
        rows = ranking.responses.select("probe_id", "words", "weights").iter_rows()
        return {name: dict(zip(words, np.round(weights, 3), strict=True)) for name, words, weights in rows}

    own, others = choose(spaces, "candidates", "premise", PROBE_TABLE)
    # the animal is 0.25 / 0.1 times as likely after the robin as after the premise, the bird 0.5 / 0.8 times
    assert best(own) == {
        "hyp:robin": {"animal": pytest.approx(2.5), "bird": pytest.approx(0.625)},
        "hyp:ant": {"animal": pytest.approx(4), "bird": pytest.approx(0.125)},
    }
    assert [*others] == ["answers: tokens", "answers: lexicon", "calibrate: none", "calibrate: prior"]
    # undivided, a word has its share among the candidates: 0.5 and 0.25 of all texts are 2/3 and 1/3 of the two words
    shares = {"bird": pytest.approx(2 / 3, abs=1e-3), "animal": pytest.approx(1 / 3, abs=1e-3)}
    assert best(others["calibrate: none"])["hyp:robin"] == shares
    assert best(choose(spaces, "candidates", "none", PROBE_TABLE)[0])["hyp:robin"] == shares
    # on average the bird has 0.3 and the animal 0.325 after hyp; the two lists of mer have no word in common
    assert best(others["calibrate: prior"]) == {
        "hyp:robin": {"bird": pytest.approx(1.667, abs=1e-3), "animal": pytest.approx(0.769, abs=1e-3)},
        "hyp:ant": {"animal": pytest.approx(1.231, abs=1e-3), "bird": pytest.approx(0.333, abs=1e-3)},
        "mer:ant": {"wing": 1},
        "mer:robin": {"bird": 1},
    }
    assert [*choose(spaces, "candidates", "none", PROBE_TABLE)[1]][2:] == ["calibrate: premise", "calibrate: prior"]


def test_a_model_with_no_target_of_one_token_has_the_candidates_alone(tmp_path):
    """As a small English model has none of German words: its answers are those of the closed lists."""
    write_scores(tmp_path)
    pq.write_table(slot_table([]), tmp_path / "tokens.parquet")
    token_scores, list_scores = (ScoreFile.read(tmp_path / f"{name}.parquet") for name in ("tokens", "candidates"))
    spaces = rankings(token_scores, pl.DataFrame(schema=LEXICON), ALL, candidates=list_scores)
    assert [*spaces] == ["candidates"]
    own, others = choose(spaces, "candidates", "premise", PROBE_TABLE)
    assert set(own.responses["probe_id"]) == {"hyp:robin", "hyp:ant"}  # those with a premise
    assert own.left_out["no_word"].null_count() == len(PROBE_ROWS)
    assert [*others] == ["calibrate: none", "calibrate: prior"]
    with pytest.raises(DataError, match=r"no answers for .* tokens, as none of its targets is one token"):
        choose(spaces, "tokens", "none", PROBE_TABLE)


@given(st.lists(st.lists(st.floats(-500, 0, width=32), max_size=8), max_size=6))
def test_shares_sum_to_one_in_each_list_however_unlikely_its_words_are(lists):
    lengths = np.array([len(one) for one in lists], np.int32)
    shares = among_list(np.array([value for one in lists for value in one], np.float32), lengths)
    parts = np.split(shares, np.cumsum(lengths)[:-1]) if lists else []
    for logprobs, own in zip(lists, parts, strict=True):
        if logprobs:
            assert own.sum() == pytest.approx(1, abs=1e-5)
            assert own.max() == own[int(np.argmax(logprobs))]


def test_words_that_are_impossible_after_a_probe_have_no_share():
    shares = among_list(np.array([-np.inf, -np.inf, -3], np.float32), np.array([2, 1], np.int32))
    assert np.isnan(shares).tolist() == [True, True, False]


def test_the_words_of_default_lists_are_sorted_by_relation_and_word():
    """As a list without an order would be another file in each run."""
    tuples = gold("robin HYP bird", "robin HYP animal", "wren HYP bird", "night ANT day", "day ANT night", "x HYP x")
    links = pl.DataFrame([("wren", "HYP", "pet")], schema=["target", "relation", "relatum"], orient="row")
    assert default_candidates(tuples, links).rows() == [
        *(("ANT", None, word) for word in ("day", "night")),
        *(("HYP", None, word) for word in ("animal", "bird", "pet")),
    ]
