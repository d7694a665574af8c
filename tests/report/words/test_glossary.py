import pytest
from relprobe.core.study import study_of
from relprobe.report.exhibits import Table
from relprobe.report.page_words import words_of
from relprobe.report.words.glossary import COLUMNS, glossary, meaning

from tests.facts import WHOLE

OWN = {"value": "the accuracy", "rank@*": "the share within k"}
TABLE = Table("t", "Table", "", columns={"rank@1": "the share of first answers", "*": "a class"})


def test_a_table_says_more_than_its_study_and_a_name_more_than_a_pattern():
    assert meaning("rank@1", TABLE, OWN) == "the share of first answers"
    assert meaning("value", TABLE, OWN) == "the accuracy"
    assert meaning("agent", TABLE, OWN) == COLUMNS["agent"]
    assert meaning("rank@5", TABLE, OWN) == "a class"
    assert meaning("rank@5", None, OWN) == "the share within k"
    assert meaning("unknown", None, OWN) == ""


def test_a_column_without_a_meaning_is_in_the_glossary_without_a_text():
    assert glossary([(Table("t", "T", ""), ["zzz", "agent"])], {}) == {"agent": COLUMNS["agent"], "zzz": ""}


def test_columns_stand_in_the_order_of_the_alphabet_whatever_their_capitals():
    first, second = Table("f", "First", ""), Table("s", "Second", "", columns={"Eta": "E", "b": "B in second"})
    own = {name: f"the {name}" for name in ("zeta", "A", "c", "D", "b")}
    found = glossary([(first, ["zeta", "D", "b", "c", "A"]), (second, ["Eta", "b"])], own)
    assert list(found) == ["A", "b", "c", "D", "Eta", "zeta"]
    assert found["b"] == "the b; in “Second”: B in second"


def test_tables_in_which_a_column_means_the_same_are_named_together():
    tables = [Table(name, name.upper(), "", columns={"n": text}) for name, text in (("a", "x"), ("b", "y"), ("c", "x"))]
    assert glossary([(table, ["n"]) for table in tables], {}) == {"n": "in “A” and “C”: x; in “B”: y"}


@pytest.mark.parametrize("study", WHOLE)
def test_what_a_code_is_called_is_no_code(study):
    codes = words_of(study).names
    assert codes
    assert [name for name in codes.values() if "_" in name or "@" in name or not name] == []
    assert [code for code, name in codes.items() if code == name] == []
    controls = study_of(study).controls
    assert not set(codes) & set(controls)  # an agent keeps its name
