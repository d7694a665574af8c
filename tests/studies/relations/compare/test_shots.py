"""How much depends on which examples were drawn: the averages of each draw, from two hand-made score files."""

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.lm.requests import SlotResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.lexicon import LEXICON
from relprobe.studies.relations.analyses.shots import SHOTS_DRAWS, draws_of, make_exhibits
from relprobe.studies.relations.method import Choices

from tests.studies.relations.measure.test_metrics import GOLD

WORDS = ["bird", "animal", "x", "house", "building", "Bird"]
TOKENS = pl.DataFrame(
    [(n, f"Ġ{word}", word) for n, word in enumerate(WORDS[:-1])] + [(5, "Bird", None)], schema=LEXICON, orient="row"
)


def score_file(folder, **answers):
    """Write the scores of the agent m; {"2 hyp1:robin": "x bird"} is what it answers under the second draw, best first."""
    folder.mkdir(exist_ok=True)
    lists = {name: np.array([WORDS.index(word) for word in text.split()], np.int32) for name, text in answers.items()}
    responses = [SlotResponse(name, ids, -np.arange(len(ids), dtype=np.float32)) for name, ids in lists.items()]
    pq.write_table(slot_table(responses), folder / "m.parquet")
    return ScoreFile.read(folder / "m.parquet")


@pytest.fixture
def files(tmp_path):
    """HYP of robin with the sets bird, animal, pet; HOL of wall with building, house. Only robin is in the sample."""
    first = {"hyp1:robin": "bird x animal", "hyp2:robin": "x bird animal", "hol1:wall": "house building x"}
    second = {"2 hyp1:robin": "x animal bird", "2 hyp2:robin": "x bird animal"}
    third = {"3 hyp1:robin": "Bird animal bird", "3 hyp2:robin": "bird animal x"}
    return score_file(tmp_path / "scores", **first), score_file(tmp_path / "draws", **second, **third)


def test_each_draw_has_the_averages_over_the_probes_of_the_sample(files):
    table = draws_of(*files, TOKENS, GOLD, Choices())
    assert table.schema == SHOTS_DRAWS
    # k = 3: two of the three words of every list are relata, or one under the third draw of hyp1, where "Bird" is no word
    assert table.rows() == [
        ("m", "HYP", 1, 1, 0.5, pytest.approx(2 / 3)),
        ("m", "HYP", 2, 1, 0.0, pytest.approx(2 / 3)),
        ("m", "HYP", 3, 1, 0.5, pytest.approx(2 / 3)),
    ]


def test_all_agents_with_examples_are_compared_and_one_in_a_chat_is_read_as_its_replies(files):
    scores, draws = files
    plain, in_chat = (
        make_exhibits([scores], [draws], [TOKENS], GOLD, Choices(), chat_agents=names)["shots_draws"]
        for names in (None, ["m"])
    )
    assert plain.equals(draws_of(scores, draws, TOKENS, GOLD, Choices()))
    assert in_chat.filter(draw=3)["soundness"].to_list() == [1.0]  # "Bird" is the word bird
    assert make_exhibits([], [], [], GOLD, Choices())["shots_draws"].equals(plain.clear())
