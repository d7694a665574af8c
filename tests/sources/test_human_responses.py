import json

import pytest
from relprobe.core.errors import DataError
from relprobe.sources import human_responses

from tests.studies.relations.six import SIX


def read(path):
    return human_responses.read(path, SIX.answer_keys)


def write(tmp_path, content, encoding="utf-8"):
    path = tmp_path / "answers.json"
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_bytes(text.encode(encoding))
    return path


def test_every_word_is_a_row_with_annotator_and_rank(tmp_path):
    path = write(tmp_path, {"robin": {"hyp": {"a robin is a [V]": [["bird", "animal"], [], ["bird"]]}}})
    prompt = "a robin is a [V]"
    assert read(path).rows() == [
        ("robin", "HYP", prompt, 1, 1, "bird"),
        ("robin", "HYP", prompt, 1, 2, "animal"),
        ("robin", "HYP", prompt, 3, 1, "bird"),
    ]


@pytest.mark.parametrize(
    ("key", "relation"),
    [("hyp", "HYP"), ("rhyp", "HPO"), ("holo", "HOL"), ("mero", "MER"), ("ant", "ANT"), ("syn", "SYN")],
)
def test_the_keys_of_the_published_file(tmp_path, key, relation):
    assert read(write(tmp_path, {"w": {key: {"p": [["v"]]}}}))["relation"].to_list() == [relation]


def test_an_unknown_relation_is_refused(tmp_path):
    known = "hyp, HYP, rhyp, HPO, holo, HOL, mero, MER, ant, ANT, syn, SYN"
    with pytest.raises(DataError, match=rf"unknown relation 'CAU' of 'robin'; known are {known}\.$"):
        read(write(tmp_path, {"robin": {"CAU": {}}}))


def test_the_code_of_a_relation_is_a_key_as_well(tmp_path):
    assert read(write(tmp_path, {"robin": {"HPO": {"p": [["v"]]}}}))["relation"].to_list() == ["HPO"]


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ([], "the file should be a JSON object, but is list"),
        ({"robin": ["bird"]}, "robin should be a JSON object, but is list"),
        ({"robin": {"hyp": [["bird"]]}}, "robin/hyp should be a JSON object, but is list"),
        ({"robin": {"hyp": None}}, "robin/hyp should be a JSON object, but is NoneType"),
        ({"robin": {"hyp": {"p": None}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": "bird"}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": ["bird", "animal"]}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": {"1": ["bird"]}}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": [["bird", 7]]}}}, "robin/hyp"),
        ({"robin": {"hyp": {"p": [["bird", None]]}}}, "robin/hyp"),
    ],
    ids=str,
)
def test_another_shape_is_refused(tmp_path, content, where):
    with pytest.raises(DataError, match=where):
        read(write(tmp_path, content))


@pytest.mark.parametrize("text", ["", "robin: bird", '{"robin": '])
def test_what_is_no_json_is_refused(tmp_path, text):
    with pytest.raises(DataError, match=r"answers\.json is no valid JSON \(.*\): get it anew\.$"):
        read(write(tmp_path, text))


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DataError, match="is not UTF-8"):
        read(write(tmp_path, {"café": {"hyp": {"p": [["place"]]}}}, "latin-1"))


def test_windows_line_ends(tmp_path):
    text = json.dumps({"robin": {"hyp": {"p": [["bird"]]}}}, indent=1).replace("\n", "\r\n")
    assert read(write(tmp_path, text))["word"].to_list() == ["bird"]


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"answers\.json is missing"):
        read(tmp_path / "answers.json")
