"""Pairs that a corpus holds in a pattern, and how often they are recognised (section 3.4)."""

import unicodedata

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relprobe.core.errors import ConfigError, DataError
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.analyses.patterns import recognition
from relprobe.studies.systematicity.corpus import Pattern, lines, occurrences

from tests.studies.systematicity.measure.test_metrics import units

WORDS = [("robin", "bird"), ("grand piano", "instrument"), ("piano", "instrument"), ("ant", "insect")]
ITEMS_TABLE = pl.DataFrame(
    [("own", word, category, f"{word}s", f"{category}s", None, None, None) for word, category in WORDS],
    schema=ITEMS,
    orient="row",
)
COPULA = "[W] is [DET] [V]"


def counted(texts, patterns):
    return occurrences(iter(texts), ITEMS_TABLE, patterns=list(patterns))


def count(*texts, patterns=(COPULA,)):
    return {(word, category): number for _, word, category, number in counted(texts, patterns).iter_rows()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The robin is a bird , and a robin is a bird .", {("robin", "bird"): 2}),
        ("The ROBIN  is a\tBird .", {("robin", "bird"): 1}),
        ("An ant is an insect", {("ant", "insect"): 1}),
        ("A robin is a fish . A wren is a bird .", {}),  # another category; no hyponym of the study
        ("A robin is a birdcage . An antrobin is a bird", {}),  # no whole words
        ("A robin is the bird . A robin was a bird .", {}),
        ("A grand piano is an instrument", {("grand piano", "instrument"): 1}),  # and no piano
        ("A piano is an instrument", {("piano", "instrument"): 1}),
        ("(Robin is a bird", {("robin", "bird"): 1}),
    ],
)
def test_a_pattern_finds_its_pairs(text, expected):
    assert count(text) == expected


def test_other_patterns_have_plurals_and_words_around():
    texts = ["Some robins and other birds fly .", "The robin , a small bird ,", "A robin and other bird"]
    assert count(*texts, patterns=["[W] and other [V]"]) == {("robin", "bird"): 2}
    assert count(*texts, patterns=["The [W] , a small [V] ,"]) == {("robin", "bird"): 1}
    assert count("one robin is a bird , a robin is a bird", patterns=["[DET] [W] is [DET] [V]"]) == {
        ("robin", "bird"): 1
    }


def test_the_counts_stand_per_pattern():
    table = counted(["robins are birds", "a robin is a bird"], [COPULA, "[W] are [V]"])
    assert table.rows() == [(COPULA, "robin", "bird", 1), ("[W] are [V]", "robin", "bird", 1)]


def test_recognised_hyponyms_are_counted_in_the_corpus_and_outside():
    """The corpus holds the robin and the ant; of these the robin is recognised, and of the others the piano."""
    found = counted(["a robin is a bird", "an ant is an insect"], [COPULA])
    values = units("singular", **{"robin": 1, "ant": 0, "piano": 1, "grand piano": 0, "violin": 0})
    row = recognition({"m": values}, found).row(0, named=True)
    assert (row["pairs_in"], row["recognised_in"], row["pairs_out"], row["recognised_out"]) == (2, 1 / 2, 3, 1 / 3)
    assert (row["recognised_in_low"], row["recognised_in_high"]) == pytest.approx((0.0945, 0.9055), abs=1e-4)  # Wilson
    nothing = recognition({"m": values}, found.head(0)).row(0, named=True)
    assert (nothing["pairs_in"], nothing["recognised_in"], nothing["pairs_out"]) == (0, None, 5)


def test_a_corpus_is_a_folder_of_text_files(tmp_path):
    (tmp_path / "a.txt").write_text("a robin is a bird\nan ant")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/b.txt").write_text("more")
    assert [line.strip() for line in lines(tmp_path)] == ["a robin is a bird", "an ant", "more"]
    (tmp_path / "c.txt").write_bytes(b"caf\xe9")
    with pytest.raises(DataError, match=r"c\.txt is not UTF-8"):
        list(lines(tmp_path))


def test_an_empty_corpus_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no file: give the text of a corpus"):
        list(lines(tmp_path))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    form=st.sampled_from(["NFC", "NFD"]),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.booleans(),
    blanks=st.integers(1, 3),
)
def test_a_corpus_says_the_same_however_it_is_written(tmp_path, form, newline, mark, blanks):
    """The first word of a file and the last one of a line count as others do."""
    item = {"hyponym": "émeu", "category": "bête", "hyponym_plural": "émeus", "category_plural": "bêtes"}
    text = "Émeus are bêtes\nan émeu is a bête .\nThe émeu is\na bête\n"
    said = unicodedata.normalize(form, text.replace(" ", " " * blanks)).replace("\n", newline)
    (tmp_path / "corpus.txt").write_bytes(said.encode("utf-8-sig" if mark else "utf-8"))
    found = occurrences(lines(tmp_path), pl.DataFrame([item]), patterns=[COPULA, "[W] are [V]"])
    assert found.rows() == [(COPULA, "émeu", "bête", 1), ("[W] are [V]", "émeu", "bête", 1)]


def test_the_agents_of_a_set_stand_together_and_sets_in_their_order():
    values = pl.concat(
        pl.DataFrame({"metric": "singular", "condition": name, "unit": ["robin"], "value": [1.0]})
        for name in ("own", "wordnet", "diagnostic")
    )
    occurrences = pl.DataFrame({"pattern": ["[W] is"], "hyponym": ["robin"], "category": ["bird"], "count": [2]})
    table = recognition({"m": values, "a": values}, occurrences)
    assert table.select("set", "agent").rows() == [
        (name, agent) for name in ("diagnostic", "wordnet", "own") for agent in ("m", "a")
    ]


@pytest.mark.parametrize(
    "pattern", ["[W] [W] is [V]", "is [V]", "[W] is", "[W] is [V] [V]", "[W][V]", "[V] is [W]", "[V] is [W] , a [V]"]
)
def test_a_pattern_has_one_word_then_words_and_then_one_category(pattern):
    with pytest.raises(ConfigError, match=r"systematicity\.patterns holds"):
        Pattern.of(pattern)


@pytest.mark.parametrize(
    ("text", "patterns", "expected"),
    [
        (" , is a bird", (COPULA,), {}),  # no word stands before the pattern
        ("a bird is a bird", (COPULA,), {}),  # the category is no form of its hyponym,
        ("a robin is a robin", (COPULA,), {}),  # and the hyponym none of its category
        ("Then a robin is a bird", ("[DET] [W] is [DET] [V]",), {("robin", "bird"): 1}),
        ("Then the robin is a bird", ("[DET] [W] is [DET] [V]",), {}),
        (f"A robin is a bird {'and flies ' * 40}", (COPULA,), {("robin", "bird"): 1}),  # in a long line
        (f"{'It flies , ' * 40} robin is a bird", (COPULA,), {("robin", "bird"): 1}),
        ("robinis a bird", ("[W] is a [V]",), {}),
        ("a robin is a birds", (COPULA,), {("robin", "bird"): 1}),
    ],
)
def test_a_pattern_is_found_at_its_words_alone(text, patterns, expected):
    assert count(text, patterns=patterns) == expected


def test_counts_stand_by_pattern_in_its_order_and_by_name():
    texts = ["ants are insects", "robins are birds , robins are birds", "an ant is an insect", "a robin is a bird"]
    assert counted(texts, ["[W] is [DET] [V]", "[W] are [V]"]).rows() == [
        ("[W] is [DET] [V]", "ant", "insect", 1),
        ("[W] is [DET] [V]", "robin", "bird", 1),
        ("[W] are [V]", "ant", "insect", 1),
        ("[W] are [V]", "robin", "bird", 2),
    ]


def test_the_files_of_a_corpus_are_read_by_name(tmp_path):
    names = [f"{letter}.txt" for letter in "qxafzmb"]
    for name in names:
        (tmp_path / name).write_text(name)
    assert list(lines(tmp_path)) == sorted(names)
