"""Frequencies and tokens, by hand."""

import polars as pl
import pytest
import wordfreq
from relprobe.core.errors import DataError
from relprobe.sources.own.definitions import Entry
from relprobe.studies.definitions import properties
from relprobe.studies.definitions.properties import (
    Frequencies,
    candidate_words,
    count_tokens,
    group_properties,
    mean_log,
    property_tables,
)
from relprobe.studies.definitions.schemas import BENCHMARK, PROBES, read_properties, write_properties

COUNTS = {"nod": 310, "warm up": 12, "Rome": 7}


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("nod", 310),
        ("Nod", 310),  # as it is written, then in lower case
        ("Rome", 7),
        ("rome", 0),  # a single word that a corpus lacks has no uses
        ("warm up", 12),
        ("come to life", None),  # most files count no phrases
    ],
)
def test_uses_come_from_a_file_of_counts(text, uses):
    assert Frequencies("en", COUNTS).uses(text) == uses


def test_without_a_file_a_phrase_is_unknown_unless_its_words_are_joined():
    assert Frequencies().uses("barn owl") is None
    assert Frequencies().uses("owl") == 10 ** wordfreq.zipf_frequency("owl", "en", wordlist="large")
    assert Frequencies().uses("zzxqv") == 0
    joined = Frequencies(joined=True).uses("barn owl")
    assert joined == 10 ** wordfreq.zipf_frequency("barn owl", "en", wordlist="large") > 100  # frequent, it would seem


def test_an_own_count_comes_first_and_an_unknown_language_has_none():
    assert Frequencies("en", COUNTS, {"nod": 3}).uses("nod") == 3
    assert Frequencies("tlh").uses("nod") is None


def test_tokens_are_those_of_nltk():
    assert [count_tokens(word) for word in ("owl", "barn owl", "St. John's wort", "well-to-do")] == [1, 2, 4, 1]


def benchmark_of(*words):
    """Rows of BENCHMARK about verbs with a definition."""
    row = {"pos": "verb", "depth": 2, "family": "f", "synsets": 5, "kept": True, "drawn": False, "w2d": 5, "d2w": 4}
    rows = [row | {"group": f"{word}.v.01", "word": word, "definition": f"to {word} once"} for word in words]
    return pl.DataFrame(rows, schema=BENCHMARK)


PROBE = pl.DataFrame([("verb:0", "verb", "Lower the head", ["nod", "bow", "nod"], 4)], schema=PROBES, orient="row")


def test_the_properties_of_groups_are_those_of_the_benchmark_with_frequencies_in_the_language_of_the_dictionary(
    monkeypatch,
):
    """The count of the dictionary comes before that of the file, and both before the list of the language."""
    lists = {"de": 10.0, "en": 100.0}
    monkeypatch.setattr(properties, "in_a_billion", lambda text, language: lists[language] * len(text))
    entries = [Entry("nicken", "verb", "den Kopf senken", "g", "de", 70), Entry("bow", "verb", "x", "g", "de")]
    found = property_tables(benchmark_of("nicken", "warm up"), PROBE, {"nicken": 3, "nod": 5}, entries)
    rows = found.properties.select("group", "kept", "drawn", "w2d", "d2w", "uses", "joined", "tokens").rows()
    assert rows == [
        ("nicken.v.01", True, False, 5, 4, 70.0, 60.0, 1),
        ("warm up.v.01", True, False, 5, 4, None, 70.0, 2),
    ]
    assert found.words.rows() == [("nod", 5.0), ("bow", 0.0), ("lower", 0.0), ("the", 0.0), ("head", 0.0)]
    english = property_tables(benchmark_of("warm up"), PROBE, None, None)
    assert english.properties.select("uses", "joined").rows() == [(None, 700.0)]
    assert english.words["uses"][0] == 300.0
    joined = property_tables(benchmark_of("warm up"), PROBE, phrases="joined")
    assert joined.properties["uses"].to_list() == [700.0]
    assert found.properties.equals(
        group_properties(benchmark_of("nicken", "warm up"), Frequencies("de", {"nicken": 3}, {"nicken": 70}))
    )


def test_the_mean_of_logs_is_over_the_words_whose_uses_are_known():
    assert mean_log("a bird sings", {"a": 99.0, "bird": 0.0, "sings": None}) == pytest.approx(1.0)
    assert mean_log("a bird", {}) == float("-inf")
    assert candidate_words(PROBE) == ["nod", "bow", "lower", "the", "head"]


def test_a_table_of_properties_keeps_the_columns_of_analyses_and_lacks_none_of_its_own(tmp_path):
    table = group_properties(benchmark_of("nod"), Frequencies("en", {"nod": 1}))
    write_properties(table, tmp_path / "p.parquet")
    assert read_properties(tmp_path / "p.parquet").equals(table)
    assert "leak" in table.columns
    table.drop("uses").write_parquet(tmp_path / "q.parquet")
    with pytest.raises(DataError, match=r"q\.parquet"):
        read_properties(tmp_path / "q.parquet")
