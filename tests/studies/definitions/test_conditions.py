import polars as pl
import pytest
from relprobe.studies.definitions.conditions import conditions, names
from relprobe.studies.definitions.schemas import GROUPS


@pytest.mark.parametrize(
    ("word", "zipf", "band"),
    [
        ("galloway", 0.99, "rare"),
        ("galloway", 1.0, "medium"),  # ten uses in a billion words
        ("galloway", 1.99, "medium"),
        ("galloway", 2.0, "frequent"),  # a hundred
        ("not in the list", 0.0, "rare"),
        ("one two three", 4.0, "frequent"),
        ("one two three four", 4.0, "rare"),  # more than three words are not counted
    ],
)
def test_frequency_bands(word, zipf, band):
    row = ("g", "verb", word, "d", 3, zipf, "f", [], [])
    table = conditions(pl.DataFrame([row], schema=GROUPS, orient="row"))
    assert table["condition"].to_list() == ["verb", f"verb, {band}"]


@pytest.mark.parametrize(("depth", "name"), [(3, "3–5"), (5, "3–5"), (6, "6–8"), (19, "15–19"), (20, None)])
def test_depths_are_those_of_nouns(depth, name):
    rows = [(pos, pos, "w", "d", depth, 3.0, "f", [], []) for pos in ("noun", "verb")]
    table = conditions(pl.DataFrame(rows, schema=GROUPS, orient="row"))
    deep = table.filter(pl.col("condition").str.contains("depth")).rows()
    assert deep == ([("noun", f"noun, depth {name}")] if name else [])
    assert set(table["condition"]) <= set(names())
