"""The answers page: its bytes are read back and compared with the tables that they came from."""

import base64
import gzip
import json
import re
import struct
from html import unescape

import numpy as np
import polars as pl
import pytest
from relprobe.report.answers import (
    FIRST_ANSWERS,
    GOLD,
    NO_WEIGHT,
    PROBES,
    RELATIONS,
    SMALLEST,
    Agent,
    Texts,
    note,
    pack,
    publish,
    publish_or_say,
    sample,
)
from relprobe.report.words.readable import PIECES

from tests.paths import ANSWERS_TEMPLATE

ROWS = [
    ("hyp:robin", "HYP", "hyp", "robin", "a robin is a …", 3.9),
    ("hyp:owl", "HYP", "hyp", "owl", "an owl is a …", None),
    ("mer:robin", "MER", "mer", "robin", "a robin has a …", 3.9),
]
STUDY = pl.DataFrame(ROWS, schema=PROBES, orient="row")
RELATA = pl.DataFrame(
    [
        ("robin", "HYP", "bird", "wordnet"),
        ("robin", "MER", "wing", "own"),
        ("wall", "HYP", "barrier", "wordnet"),  # of no probe here
    ],
    schema=GOLD,
    orient="row",
)
MODEL = [
    ("hyp:robin", 1, "wing", 0.5),
    ("hyp:robin", 2, "bird", 0.25),
    ("hyp:owl", 1, "thing", 1e-9),
    ("mer:robin", 1, "wing", 1.0),
]
PEOPLE = [("hyp:robin", 1, "bird", 1 / 3)]


def agent(name, rows, people=False, model=False):
    return Agent(name, pl.DataFrame(rows, schema=FIRST_ANSWERS, orient="row"), people, model)


def unpacked(data):
    """Return the header, and the arrays with their bytes put together again."""
    (length,) = struct.unpack("<I", data[:4])
    header = json.loads(data[4 : 4 + length])
    arrays = {
        name: np.frombuffer(data, np.uint8, size, 4 + length + start).astype(int)
        for name, (start, size) in header["arrays"].items()
    }
    for name in ("prompt", "target", "gold_target", "gold_word", "word", "weight"):
        arrays[name] = sum(arrays.pop(f"{name}_{place}") << 8 * place for place in range(3))
    return header, arrays


@pytest.fixture
def page():
    return unpacked(pack(sample(STUDY, 2), RELATA, [agent("m", MODEL), agent("people", PEOPLE, people=True)]))


def test_probes_are_sorted_by_group_and_target(page):
    header, arrays = page
    assert header["texts"] == ["an owl is a …", "a robin is a …", "a robin has a …"]
    assert [header["targets"][i] for i in arrays["target"]] == ["owl", "robin", "robin"]
    assert arrays["zipf"].tolist() == [255, 78, 78]  # 20 times the Zipf value; 255 is missing


def test_answers_and_their_probabilities_are_those_of_the_tables(page):
    header, arrays = page
    words = arrays["word"].reshape(2, 3, 10)
    assert [header["words"][i] for i in words[0, 1]] == ["wing", "bird", *[""] * 8]
    assert [header["words"][i] for i in words[1, 1]] == ["bird", *[""] * 9]
    weights = arrays["weight"].reshape(2, 3, 10)
    assert np.exp(-weights[0, 1, :2] / 128) == pytest.approx([0.5, 0.25], rel=0.004)
    assert np.exp(-weights[1, 1, 0] / 128) == pytest.approx(1 / 3, rel=0.004)
    assert weights[0, 0, 0] == 2047  # 1e-9 is below the smallest number
    assert header["words"] == ["", "bird", "wing", "thing"]  # three times each, by the alphabet, and once


def test_the_rank_of_the_first_right_answer(page):
    first = page[1]["first"].reshape(2, 3)
    assert first[0].tolist() == [0, 2, 1]  # nothing is right for owl
    assert first[1].tolist() == [255, 1, 255]  # people were asked one probe


def test_the_gold_of_the_targets_on_the_page(page):
    header, arrays = page
    rows = zip(arrays["gold_target"], arrays["gold_group"], arrays["gold_word"], arrays["gold_source"], strict=True)
    names = [
        tuple(header[part][i] for part, i in zip(("targets", "groups", "words", "sources"), row, strict=True))
        for row in rows
    ]
    assert names == [("robin", "HYP", "bird", "wordnet"), ("robin", "MER", "wing", "own")]


def test_prompts_have_a_dash_for_the_target(page):
    assert [prompt["text"] for prompt in page[0]["prompts"]] == ["an – is a …", "a – has a …"]


def test_the_same_study_is_the_same_page(page):
    agents = [agent("m", MODEL), agent("people", PEOPLE, people=True)]
    assert pack(sample(STUDY, 2), RELATA, agents) == pack(sample(STUDY, 2), RELATA, agents)


def test_a_sample_is_as_large_as_the_page_holds():
    assert sample(STUDY, agents=2, most=40).height == 2
    assert sample(STUDY, agents=2, most=40).equals(sample(STUDY, agents=2, most=40))
    many = pl.DataFrame([(f"{n}", "HYP", "hyp", f"{n}", "", 1.0) for n in range(90)], schema=PROBES, orient="row")
    usual, other = (sample(many, agents=2, most=400, **seed) for seed in ({}, {"seed": 2}))
    assert usual.equals(sample(many, agents=2, most=400, seed=1))
    assert not usual.equals(other)


@pytest.mark.parametrize("agents", [[], [agent("m", [])]])
def test_a_study_without_answers_has_a_page(agents):
    header, arrays = unpacked(pack(sample(STUDY, len(agents)), RELATA, agents))
    assert header["probes"] == 3
    assert set(arrays["first"]) <= {255}


def test_a_study_without_probes_has_a_page():
    header, _ = unpacked(pack(sample(STUDY.clear(), 1), RELATA.clear(), [agent("m", [])]))
    assert header["texts"] == []


def test_what_reads_otherwise_than_it_is_written_is_beside_it():
    """The words and texts themselves stay, for downloads and addresses."""
    rows = [("hyp:robin", 1, "##ing", 0.5), ("hyp:robin", 2, "##Ġ", 0.25), ("hyp:owl", 1, "thing", 0.1)]
    gloss = STUDY.with_columns(text=pl.col("text").str.replace("a robin is", "by chance; ;  (Santayana) is"))
    header, _ = unpacked(pack(gloss, RELATA, [agent("m", rows)]))
    assert {header["words"][int(place)]: reads for place, reads in header["readable_words"].items()} == {
        "##ing": "-ing",
        "##Ġ": "[space]",
    }
    assert header["readable_texts"] == {"0": "by chance; (Santayana) is a …"}
    assert "by chance; ;  (Santayana) is a …" in header["texts"]


@pytest.mark.parametrize(("word", "said"), [("##ing", True), ("thing", False)])
def test_a_page_with_pieces_of_words_says_once_what_they_are(tmp_path, word, said):
    agents = [agent("m", [("hyp:robin", 1, word, 0.5)]), agent("n", [("hyp:robin", 1, word, 0.5)])]
    publish(Texts("T", "Lead."), STUDY, RELATA, agents, ANSWERS_TEMPLATE, tmp_path / "answers.html", ["n"])
    html = (tmp_path / "answers.html").read_text()
    assert unescape(html).count(PIECES) == said
    packed = base64.b64decode(re.search('id="data">([^<]*)<', html)[1])
    header, _ = unpacked(gzip.decompress(packed))
    assert [(one["name"], one["model"]) for one in header["agents"]] == [("m", False), ("n", True)]


def test_what_a_page_of_answers_says_is_text_and_no_html(tmp_path):
    texts = Texts("<b>T</b>", "a & b", notice="<i>few</i>")
    publish(texts, STUDY, RELATA, [agent("m", MODEL)], ANSWERS_TEMPLATE, tmp_path / "answers.html", ["m"])
    html = (tmp_path / "answers.html").read_text()
    assert [text in html for text in ("&lt;b&gt;T&lt;/b&gt;", "a &amp; b", "&lt;i&gt;few&lt;/i&gt;")] == [True] * 3
    assert "<b>T</b>" not in html and "<i>few</i>" not in html


def test_the_tenth_answer_is_on_the_page_and_the_eleventh_is_not():
    rows = [("hyp:robin", rank, f"w{rank}", 0.5**rank) for rank in range(1, 12)]
    header, arrays = unpacked(pack(STUDY, RELATA, [agent("m", rows)], RELATIONS))
    assert header["shown"] == 10
    assert np.count_nonzero(arrays["word"]) == 10
    assert header["columns"] == 11


def test_a_page_of_one_answer_each_has_one_column():
    one = [("hyp:robin", 1, "bird", 1.0)]
    for agents in ([], [agent("m", one)], [agent("m", one), agent("n", [])]):
        header, _ = unpacked(pack(STUDY, RELATA, agents, RELATIONS))
        assert header["columns"] == 1


def test_probabilities_of_0_and_above_1_have_the_numbers_at_the_ends():
    """A float32 may round to 0, or to a little more than 1; none is written as missing."""
    rows = [("hyp:robin", 1, "bird", 1.0000001), ("hyp:robin", 2, "wing", 0.0), ("hyp:robin", 3, "owl", None)]
    _, arrays = unpacked(pack(STUDY, RELATA, [agent("m", rows)], RELATIONS))
    first, second, third = arrays["weight"].reshape(-1, 10)[[row.any() for row in arrays["word"].reshape(-1, 10)]][0][
        :3
    ]
    assert (first, second, third) == (0, SMALLEST, NO_WEIGHT)


@pytest.mark.parametrize(("agents", "most", "held"), [(1, 20, 2), (2, 20, 1), (1, 30, 3), (0, 20, 2), (9, 10, 1)])
def test_a_page_holds_as_many_probes_as_ten_answers_of_each_agent_allow(agents, most, held):
    assert sample(STUDY, agents, most).height == held


def test_pieces_of_words_of_one_agent_are_explained_and_an_agent_without_answers_is_left_out(tmp_path):
    agents = [
        agent("m", [("hyp:robin", 1, "thing", 0.5)]),
        agent("n", [("hyp:robin", 1, "##ing", 0.5)]),
        agent("o", []),
    ]
    page = tmp_path / "answers.html"
    publish(Texts("T <b>", "Lead & more.", notice="Look."), STUDY, RELATA, agents, ANSWERS_TEMPLATE, page)
    html = page.read_text()
    assert unescape(html).count(PIECES) == 1
    header, _ = unpacked(gzip.decompress(base64.b64decode(re.search('id="data">([^<]*)<', html)[1])))
    assert [one["name"] for one in header["agents"]] == ["m", "n"]
    assert "T &lt;b&gt;" in html  # a text is no HTML
    assert "T <b>" not in html
    assert "Look." in html


def test_a_page_that_fails_says_why_and_what_the_system_refuses_ends_the_step(tmp_path, caplog):
    page, made = tmp_path / "answers.html", []
    publish_or_say(page, lambda *of, **options: made.append((of, options)), 1, 2, run="r")
    assert made == [((1, 2), {"run": "r"})]
    assert not page.exists()

    def fails(error):
        raise error

    publish_or_say(page, fails, ValueError("a < b"))
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("ERROR", "the page of answers cannot be made")
    assert record.exc_info[0] is ValueError  # the log has its traceback
    assert "a &lt; b" in page.read_text()
    assert 'href="report.html"' in page.read_text()
    with pytest.raises(OSError, match="no space"):
        publish_or_say(page, fails, OSError(28, "no space"))


def test_a_note_counts_the_probes_that_are_shown():
    assert note(1, 1) == "The page holds all probes, of which there is one."
    assert note(2000, 2000) == "The page holds all 2,000 probes."
    assert note(1000, 2000).startswith("The page holds a random sample of 1,000 of the 2,000 probes")
