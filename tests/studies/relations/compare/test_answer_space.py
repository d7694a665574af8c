"""The same probes in three answer spaces: the averages, worked out by hand."""

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.lm.requests import SlotResponse, WordResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.score_files.words import word_table
from relprobe.lm.words.lexicon import LEXICON, WORDS
from relprobe.studies.relations.analyses.spaces import make_exhibits, spaces_of
from relprobe.studies.relations.method import Choices

from tests.studies.relations.measure.test_metrics import GOLD

TOKENS = pl.DataFrame([(0, 'Ġ"', '"'), (1, "Ġbird", "bird"), (2, "ing", None)], schema=LEXICON, orient="row")
LIST = pl.DataFrame({"word": ["bird", "hippopotamus"]}, schema=WORDS)


def ids(*numbers):
    return np.array(numbers, np.int32)


def logs(*probabilities):
    return np.log(probabilities).astype(np.float32)


@pytest.fixture
def files(tmp_path):
    """Two probes about the robin, whose hypernyms are bird, animal and pet; the wall is not in the sample."""
    tokens = [
        SlotResponse("hyp1:robin", ids(0, 1, 2), logs(0.5, 0.25, 0.125)),
        SlotResponse("hyp2:robin", ids(1, 0), logs(0.5, 0.25)),
        SlotResponse("hol1:wall", ids(0, 1), logs(0.5, 0.25)),
    ]
    words = [
        WordResponse("hyp1:robin", ids(1, 0), logs(0.5, 0.25), 0.125),
        WordResponse("hyp2:robin", ids(0, 1), logs(0.5, 0.25), 0.25),
    ]
    pq.write_table(slot_table(tokens), tmp_path / "m.parquet")
    pq.write_table(word_table(words), tmp_path / "words.parquet")
    return [ScoreFile.read(tmp_path / f"{name}.parquet") for name in ("m", "words")]


@pytest.fixture
def table(files):
    own, word_scores = files
    return spaces_of(own, TOKENS, word_scores, LIST, GOLD, Choices())


def test_the_words_of_an_agent_in_a_chat_are_those_of_its_replies(files, table):
    scores, words = ([one] for one in files)
    lexicon = TOKENS.with_columns(token=pl.Series(['Ġ"', "Bird", "ing"]), word=pl.Series(['"', None, None]))
    in_chat, plain = (
        make_exhibits(scores, words, [lexicon], LIST, GOLD, Choices(), chat_agents=agents)["answer_spaces"]
        for agents in (["m"], None)
    )
    assert in_chat.equals(table)
    assert plain.filter(answers="tokens")["soundness"].to_list() == [0.0]


def test_only_the_probes_of_the_sample_count(table):
    assert set(table["relation"]) == {"HYP"}
    assert table["targets"].to_list() == [1, 1, 1]


def test_a_quote_is_a_wrong_answer_among_tokens_and_no_answer_among_words(table):
    columns = ["answers", "soundness", "no_word", "outside"]
    # Of hyp1 the tokens' first answer is a quote, and the first word of any length is hippopotamus.
    assert table.select(columns).rows() == [
        ("tokens", 0.5, 0.5, 0.625),
        ("lexicon", 1.0, 0.0, 0.625),
        ("words", 0.5, 0.0, 0.1875),
    ]
