from types import SimpleNamespace

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.errors import DataError
from relprobe.lm.requests import SlotResponse, WordResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.score_files.words import word_table
from relprobe.lm.words.lexicon import LEXICON, WORDS
from relprobe.sources.written import Capitals
from relprobe.studies.relations.answer_spaces import LEFT_OUT, Ranking, choose, log_short, rankings, token_words
from relprobe.studies.relations.counts import left_out as metric
from relprobe.studies.relations.method import Choices, judge
from relprobe.studies.relations.responses import ScoreFiles, ScoreReading
from relprobe.studies.relations.responses import responses as model_responses
from relprobe.studies.relations.schemas import RESPONSES
from relprobe.studies.relations.values import layer_metrics

from tests.logs import said
from tests.studies.relations.measure.test_metrics import GOLD, PROBES, SETS, responses

TOKENS = pl.DataFrame(
    [
        (0, "<s>", None),
        (1, "Ġbird", "bird"),
        (2, "ing", None),
        (3, 'Ġ"', '"'),
        (4, "Ġrobin", "robin"),
        (5, "Ġ42", "42"),
    ],
    schema=LEXICON,
    orient="row",
)
LIST = pl.DataFrame({"word": ["42", "bird", "hippopotamus", "robin"]}, schema=WORDS)


def token_file(tmp_path, rows=None, **responses):
    """Write a score file, in parts of so many rows."""
    slots = [
        SlotResponse(name, np.array([i for i, _ in best], np.int32), np.log([p for _, p in best]).astype(np.float32))
        for name, best in responses.items()
    ]
    pq.write_table(slot_table(slots), tmp_path / "tokens.parquet", row_group_size=rows)
    return ScoreFile.read(tmp_path / "tokens.parquet")


def lists(ranking):
    return {row[0]: (list(row[1]), list(row[2])) for row in ranking.responses.iter_rows()}


ANSWERS = {
    "a": [(3, 0.5), (1, 0.25), (2, 0.125), (4, 0.0625)],  # " ing: no words
    "b": [(4, 0.5), (5, 0.25)],
    "c": [(5, 0.5), (0, 0.25)],  # no word at all
}


def test_the_lexicon_has_no_quotes_numbers_and_pieces(tmp_path):
    spaces = rankings(token_file(tmp_path, **ANSWERS), TOKENS, LIST)
    assert [*spaces] == ["tokens", "lexicon"]
    assert lists(spaces["tokens"])["a"] == (['"', "bird", "##ing", "robin"], [0.5, 0.25, 0.125, 0.0625])
    assert lists(spaces["lexicon"]) == {
        "a": (["bird", "robin"], [0.25, 0.0625]),
        "b": (["robin"], [0.5]),
        "c": ([], []),
    }
    assert spaces["lexicon"].responses.schema == spaces["tokens"].responses.schema


@pytest.mark.parametrize("rows", [1, 2])
def test_a_file_in_parts_is_read_as_one(tmp_path, rows):
    whole = rankings(token_file(tmp_path, **ANSWERS), TOKENS, LIST)
    scores = token_file(tmp_path, rows, **ANSWERS)
    assert [part.num_rows for part in scores.parts("probe_id")] == {1: [1, 1, 1], 2: [2, 1]}[rows]
    parts = rankings(scores, TOKENS, LIST)
    for space, ranking in whole.items():
        assert lists(parts[space]) == lists(ranking)
        assert parts[space].left_out.equals(ranking.left_out)
    assert lists(choose(parts, "lexicon", "prior", PROBES)[0]) == lists(choose(whole, "lexicon", "prior", PROBES)[0])


def test_what_differs_from_the_configuration_in_one_choice():
    ranking = Ranking(pl.DataFrame(schema=RESPONSES), pl.DataFrame(schema=LEFT_OUT))
    spaces = {"tokens": ranking, "lexicon": ranking}
    probes = pl.DataFrame(schema={"probe_id": pl.String, "prompt_id": pl.String})
    assert list(choose(spaces, "tokens", "none", probes)[1]) == ["answers: lexicon"]
    assert list(choose(spaces, "lexicon", "prior", probes)[1]) == ["answers: tokens", "calibrate: none"]


def test_what_is_left_out(tmp_path):
    left_out = rankings(token_file(tmp_path, **ANSWERS), TOKENS, LIST)["lexicon"].left_out
    assert left_out.rows() == [("a", 1.0, 0.6875), ("b", 0.0, 0.5), ("c", 1.0, 1.0)]


IN_CHAT = pl.DataFrame(
    [(0, "Ġbird", "bird"), (1, "Bird", None), (2, "WIN", None), (3, "...", None), (4, "Feather", None)],
    schema=LEXICON,
    orient="row",
)


@pytest.mark.parametrize("answers", ["tokens", "lexicon"])
def test_the_first_token_of_a_reply_is_the_words_own_in_every_space_and_in_what_is_left_out(tmp_path, answers):
    """No space comes before it, so the tokens "Bird" and "Feather" are words of the study, and "WIN" is another word."""
    best = {"hyp1:robin": [(1, 0.5), (2, 0.25), (3, 0.125)], "mer1:robin": [(3, 0.5), (4, 0.25)]}
    files = ScoreFiles(token_file(tmp_path, **best), IN_CHAT)
    table = model_responses(files, GOLD, ScoreReading("scores", answers, chat_formatted=True))
    table = table.filter(choice="as configured").select("probe_id", "words", "no_word", "outside")
    assert {name: list(words) for name, words, *_ in table.rows()} == {
        "tokens": {"hyp1:robin": ["bird", "win", "##..."], "mer1:robin": ["##...", "feather"]},
        "lexicon": {"hyp1:robin": ["bird"], "mer1:robin": ["feather"]},
    }[answers]
    assert table.select("no_word", "outside").rows() == [(0.0, 0.5), (1.0, 0.75)]


def spelled(rows, *words):
    study = SimpleNamespace(capitals=Capitals.of(*words))
    return token_words(pl.DataFrame(rows, schema=LEXICON, orient="row"), study, chat_formatted=True)


def test_a_reply_has_the_capitals_of_the_studys_words():
    rows = [
        (0, "Vogel", None),
        (1, "vogel", None),
        (2, "ĠTier", "Tier"),
        (3, "ÃĦpfel", None),
        (4, "Ã", None),
        (5, "Hs", None),
    ]
    table = spelled(rows, ["Vogel", "tier"], ["Äpfel"])
    assert table["word"].to_list() == ["Vogel", "Vogel", "tier", "Äpfel", None, "hs"]
    assert table.drop("word").rows() == [row[:2] for row in rows]


def test_the_tokens_of_a_vocabulary_of_text_are_read_as_they_are():
    rows = [(0, "▁Öl", "Öl"), (1, "ÖL", None), (2, "Ã", None)]
    table = spelled(rows, ["Öl"])
    assert table["word"].to_list() == ["Öl", "Öl", "ã"]


def test_words_of_any_length_have_a_file_of_their_own(tmp_path):
    responses = [
        WordResponse("a", np.array([2, 1], np.int32), np.log([0.5, 0.25]).astype(np.float32), 0.125),
        WordResponse("d", np.array([3], np.int32), np.log([0.5]).astype(np.float32), None),
    ]
    pq.write_table(word_table(responses), tmp_path / "words.parquet")
    ranking = rankings(token_file(tmp_path, **ANSWERS), TOKENS, LIST, ScoreFile.read(tmp_path / "words.parquet"))[
        "words"
    ]
    assert lists(ranking) == {"a": (["hippopotamus", "bird"], [0.5, 0.25]), "d": (["robin"], [0.5])}
    assert ranking.left_out.rows() == [("a", 1.0, 0.125), ("d", None, None)]
    other = LIST.with_columns(word=pl.format("{}x", "word"))
    files = token_file(tmp_path, **ANSWERS), TOKENS, LIST, ScoreFile.read(tmp_path / "words.parquet")
    named = rankings(*files, word_list=other)["words"]
    assert lists(named)["d"] == (["robinx"], [0.5])


def test_the_overview_says_what_is_left_out():
    """The values are those of the probes that count; people's answers leave nothing out."""
    rows = [("hyp1:robin", 1.0, 0.25), ("hyp2:robin", 0.0, None), ("hyp1:x", 1.0, 1.0)]
    left_out = pl.DataFrame(rows, schema=LEFT_OUT, orient="row")
    answered = responses(hyp1_robin="bird", hyp2_robin="x")
    table = metric(judge(answered, GOLD, left_out=left_out), Choices())
    assert sorted(table.select("metric", "prompt_id", "value").rows()) == [
        ("no_word", "hyp1", 1.0),
        ("no_word", "hyp2", 0.0),
        ("outside", "hyp1", 0.25),
    ]
    assert metric(judge(answered, GOLD, people=True), Choices()).height == 0


def test_few_stored_words_are_said(caplog):
    """The robin has the hypernyms bird, animal and pet."""
    log_short(responses(hyp1_robin="bird x", hyp2_robin="bird x animal"), PROBES, SETS)
    assert "1 of 2 main probes have fewer stored words" in caplog.text
    caplog.clear()
    log_short(responses(hyp1_robin="bird x animal"), PROBES, SETS)
    assert not said(caplog)


def test_a_file_without_answers_is_an_error(tmp_path):
    with pytest.raises(DataError, match="no answers"):
        rankings(token_file(tmp_path), TOKENS, LIST)


def layer_file(tmp_path, *rows):
    """Write the answers after each layer: variant, layer, and the likeliest tokens of the probe hyp1:robin."""
    table = pl.DataFrame(
        [("hyp1:robin", variant, layer, ids, np.log([0.5, 0.25][: len(ids)])) for variant, layer, ids in rows],
        schema={
            **{"probe_id": pl.String, "variant": pl.String, "layer": pl.UInt16},
            **{"token_ids": pl.List(pl.Int32), "logprobs": pl.List(pl.Float32)},
        },
        orient="row",
    )
    table.write_parquet(tmp_path / "layers.parquet", row_group_size=2)
    return ScoreFile.read(tmp_path / "layers.parquet")


BIRD, QUOTE, PET, NO_WORD = 1, 3, 6, 2
LAYER_TOKENS = pl.concat([TOKENS, pl.DataFrame([(6, "Ġpet", "pet")], schema=LEXICON, orient="row")])
VIEWS = [("raw", 0, [QUOTE, NO_WORD]), ("mapped", 0, [QUOTE, BIRD]), ("raw", 2, [BIRD, PET]), ("untrained", 0, [PET])]


def test_the_metrics_after_each_layer_are_those_of_its_answers_and_the_last_one_has_no_map(tmp_path):
    table = layer_metrics(layer_file(tmp_path, *VIEWS), LAYER_TOKENS, GOLD, Choices(), answer_space="lexicon")
    views = [("mapped", 0), ("mapped", 2), ("raw", 0), ("raw", 2), ("untrained", 0)]
    found = table.filter(metric="soundness").select("variant", "layer", "value").rows()
    assert found == [(*view, value) for view, value in zip(views, (1.0, 1.0, 0.0, 1.0, 1.0), strict=True)]
    assert {row[:2] for row in table.filter(metric="completeness").select("variant", "layer").rows()} == {*views}
    assert set(table["metric"]) <= {"soundness", "completeness", "distinguishability"}
    assert table.equals(table.sort(table.columns))


def test_the_answers_after_each_layer_are_taken_from_the_space_of_the_study(tmp_path):
    scores = layer_file(tmp_path, *VIEWS)
    table = layer_metrics(scores, LAYER_TOKENS, GOLD, Choices()).filter(metric="soundness", variant="mapped", layer=0)
    assert table["value"].to_list() == [0.0]  # the quotation mark comes first


def test_without_a_map_no_layer_is_mapped(tmp_path):
    table = layer_metrics(layer_file(tmp_path, *VIEWS[::2]), LAYER_TOKENS, GOLD, Choices())
    assert set(table["variant"]) == {"raw"}
    with pytest.raises(DataError, match="holds no answers: the model could answer no probe"):
        layer_metrics(layer_file(tmp_path), LAYER_TOKENS, GOLD, Choices())
