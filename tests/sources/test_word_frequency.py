"""Word frequencies: the sentence where a package is missing, and that no other module asks wordfreq."""

import re

import polars as pl
import pytest
import wordfreq
from relprobe.core.errors import DataError
from relprobe.sources.word_frequency import by_frequency, frequencies, frequency, languages, most_frequent

from tests.paths import ROOT


def test_a_missing_package_is_named_with_the_remedy(monkeypatch):
    def ask(*_):
        raise ModuleNotFoundError("No module named 'MeCab'", name="MeCab")

    monkeypatch.setattr(wordfreq, "word_frequency", ask)
    with pytest.raises(DataError, match=r"need the package MeCab, .* `pip install 'wordfreq\[cjk\]'`"):
        frequency("犬", language="ja")


def test_languages_are_listed_by_their_codes(monkeypatch):
    """The package lists them in the order of its files in a folder."""
    monkeypatch.setattr(wordfreq, "available_languages", lambda: {"nl": "n", "de": "d", "en": "e"})
    assert languages.__wrapped__() == ("de", "en", "nl")


def test_words_come_in_the_order_of_their_frequency():
    words = most_frequent(50, language="de")
    assert [frequency(word, language="de") for word in words] == sorted(
        (frequency(word, language="de") for word in words), reverse=True
    )
    assert next(by_frequency(language="de")) == words[0]


def test_no_other_module_asks_wordfreq():
    package = ROOT / "workflow/scripts/relprobe"
    asking = [path for path in package.rglob("*.py") if re.search(r"import wordfreq|from wordfreq", path.read_text())]
    assert asking == [package / "sources/word_frequency.py"]


def test_frequencies_are_of_the_different_words_by_the_alphabet():
    words = pl.Series(["tree", None, "dog", "qqzzxv", "cat", "dog", "tree", "ant", "zoo", "bee"])
    table = frequencies(words, language="en")
    assert table["word"].to_list() == ["ant", "bee", "cat", "dog", "qqzzxv", "tree", "zoo"]
    assert table.filter(word="dog")["frequency"].item() == frequency("dog", language="en")
    assert table.filter(word="qqzzxv")["frequency"].item() is None
