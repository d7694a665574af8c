import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import Relation
from relprobe.sources import hyperlex

from tests.studies.relations.six import SIX

HEADER = "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORE1\n"


def read(path):
    return hyperlex.read(path, SIX.entries)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "hyperlex-nouns.txt"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        ("hyp-1", "HYP"),
        ("hyp-4", "HYP"),
        ("r-hyp-1", "HPO"),
        ("r-hyp-3", "HPO"),
        ("mero", "HOL"),  # the pairs are (part, whole)
        ("ant", "ANT"),
        ("syn", "SYN"),
    ],
)
def test_each_type_is_a_relation(tmp_path, kind, relation):
    path = write(tmp_path, f"{HEADER}wall building N {kind} 4.2 7.0 1.1 5\n")
    assert read(path).rows() == [("wall", relation, "building", ["hyperlex"])]


@pytest.mark.parametrize("kind", ["cohyp", "no-rel"])
def test_cohyponyms_and_unrelated_pairs_are_left_out(tmp_path, kind):
    assert read(write(tmp_path, f"{HEADER}dog cat N {kind} 1 1 1 1\n")).height == 0


def test_pairs_of_another_part_of_speech_are_left_out(tmp_path):
    assert read(write(tmp_path, f"{HEADER}run move V hyp-1 1 1 1 1\n")).height == 0


def test_verbs_are_the_pairs_of_relations_between_verbs(tmp_path):
    path = write(
        tmp_path, f"{HEADER}run move V hyp-1 1 1 1 1\nmove run V r-hyp-1 1 1 1 1\nrobin bird N hyp-1 1 1 1 1\n"
    )
    verbs = Relation("VHY", "verb hypernymy", "TRO", "verb", sources={"hyperlex": "hyp"})
    assert hyperlex.read(path, [verbs]).rows() == [("run", "VHY", "move", ["hyperlex"])]


def test_duplicates_are_read_once(tmp_path):
    line = "robin bird N hyp-1 5 8 1 6\n"
    assert read(write(tmp_path, HEADER + line + line)).rows() == [("robin", "HYP", "bird", ["hyperlex"])]


def test_windows_line_ends(tmp_path):
    text = f"{HEADER}robin bird N hyp-1 5 8 1 6\n".replace("\n", "\r\n")
    assert read(write(tmp_path, text)).rows() == [("robin", "HYP", "bird", ["hyperlex"])]


def test_byte_order_mark(tmp_path):
    path = write(tmp_path, f"{HEADER}robin bird N hyp-1 5 8 1 6\n", "utf-8-sig")
    assert read(path).rows() == [("robin", "HYP", "bird", ["hyperlex"])]


@pytest.mark.parametrize("text", ["", "\n", "robin bird N hyp-1 5 8 1 6\n", "WORD1 WORD2 TYPE POS\n"])
def test_another_header_is_refused(tmp_path, text):
    with pytest.raises(DataError, match="the first line does not start with WORD1 WORD2 POS TYPE: is this a HyperLex"):
        read(write(tmp_path, text))


def test_a_short_line_is_refused_by_its_number(tmp_path):
    with pytest.raises(DataError, match=r"hyperlex-nouns\.txt, line 3: 3 fields where at least 4 are expected\.$"):
        read(write(tmp_path, f"{HEADER}robin bird N hyp-1 5 8 1 6\nwall building N\n"))


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DataError, match="not UTF-8"):
        read(write(tmp_path, f"{HEADER}café place N hyp-1 5 8 1 6\n", "latin-1"))
