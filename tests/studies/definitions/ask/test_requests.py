import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.files import write_table
from relprobe.lm.requests import Continuation
from relprobe.studies.definitions.probes import counts, requests
from relprobe.studies.definitions.schemas import PROBES

PATTERNS = {
    "noun": {"is": "[V] is [DEF]", "means": "[V] means [DEF]"},
    "verb": {"to": "to [DEF] is the definition of [V]"},
}


@pytest.fixture
def probes(tmp_path):
    rows = [
        ("noun:0", "noun", "a large bird", ["goose", "barn owl"], 5),
        ("verb:0", "verb", "run before a game", ["warm up"], 2),
    ]
    path = tmp_path / "probes.parquet"
    write_table(pl.DataFrame(rows, schema=PROBES, orient="row"), PROBES, path)
    return path


def test_a_request_per_pattern_with_all_words(probes):
    assert list(requests(probes, PATTERNS, capitals=False)) == [
        Continuation("noun:0 is", "[V] is a large bird", ("goose", "barn owl")),
        Continuation("noun:0 means", "[V] means a large bird", ("goose", "barn owl")),
        Continuation("verb:0 to", "to run before a game is the definition of [V]", ("warm up",)),
    ]


def test_a_word_that_begins_the_text_gets_a_capital(probes):
    candidates = {request.id: request.candidates for request in requests(probes, PATTERNS, capitals=True)}
    assert candidates == {
        "noun:0 is": ("Goose", "Barn owl"),
        "noun:0 means": ("Goose", "Barn owl"),
        "verb:0 to": ("warm up",),
    }


def test_requests_and_questions_are_counted(probes):
    assert counts(probes, PATTERNS) == (3, 2 * 5 + 2)


def test_another_table_is_an_error(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "p.parquet")
    with pytest.raises(DataError, match=r"p.parquet has .* delete it and run again"):
        counts(tmp_path / "p.parquet", PATTERNS)


def test_solved_examples_of_the_part_of_speech_stand_before_a_probe(probes):
    """Two of three, none of them about a word of the probe, each in the pattern of the probe."""
    nouns = [("goose", "a bird"), ("owl", "a night bird"), ("wall", "a side")]
    examples = {"noun": nouns, "verb": [("nod", "lower the head")]}
    nouns_alone = {"noun": {"is": "[V] is [DEF]"}}
    (request,) = list(requests(probes, nouns_alone | {"verb": {}}, capitals=True, shots=2, examples=examples))
    assert request.text.endswith("[V] is a large bird")
    before = request.text.removesuffix("[V] is a large bird").strip().splitlines()
    assert sorted(line.strip(" .") for line in before) == ["Owl is a night bird", "Wall is a side"]
    for shots, given in ((0, examples), (2, None)):
        (plain,) = list(requests(probes, nouns_alone | {"verb": {}}, capitals=True, shots=shots, examples=given))
        assert plain.text == "[V] is a large bird"
    with pytest.raises(DataError, match="verb:0 to"):
        list(requests(probes, PATTERNS, capitals=False, shots=2, examples=examples))
