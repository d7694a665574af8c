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
