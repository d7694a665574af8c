import re

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


RELEASE = """WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES..
conflict disagreement N r-hyp-1 5.20 8.67 1.25 5 6 6 6 6 5 2 6 4 6
trail follow V hyp-2 4.31 7.18 1.86 4 4 6 2
radish carrot N cohyp 0.09 0.15 0.29 0 0 1
"""


def test_the_ratings_of_hyperlex_are_read(tmp_path):
    path = tmp_path / "hyperlex-all.txt"
    path.write_text(RELEASE)
    first, *_, last = hyperlex.read_ratings(path)
    assert first == hyperlex.RatedPair(
        "conflict", "disagreement", "N", "r-hyp", 5.2, 1.25, (5, 6, 6, 6, 6, 5, 2, 6, 4, 6)
    )
    assert (last.kind, last.ratings) == ("cohyp", (0, 0, 1))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a b N hyp-1 5 8 1", "the ratings are no numbers from 0 to 6"),
        ("a b N hyp-1 7 8 1 7", "the ratings are no numbers from 0 to 6"),
        ("a b N hyp-1 5 8", "6 fields where at least 7 are expected"),
        ("radish carrot N cohyp 1 1 1 1", "radish carrot has ratings in an earlier line already"),
    ],
)
def test_a_damaged_release_is_one_sentence(tmp_path, line, sentence):
    path = tmp_path / "hyperlex-all.txt"
    path.write_text(f"{RELEASE}{line}\n")
    with pytest.raises(DataError, match=re.escape(sentence)):
        hyperlex.read_ratings(path)


def test_a_release_of_a_header_alone_is_refused(tmp_path):
    (tmp_path / "hyperlex-all.txt").write_text(RELEASE.partition("\n")[0])
    with pytest.raises(DataError, match=r"hyperlex-all\.txt holds no pairs: get the file again"):
        hyperlex.read_ratings(tmp_path / "hyperlex-all.txt")


def test_the_parts_of_a_split_are_those_of_its_files(tmp_path):
    head, *lines = RELEASE.splitlines()
    for part, line in zip(("training", "dev", "test"), lines, strict=True):
        (tmp_path / f"hyperlex_{part}_all_lexical.txt").write_text(f"{head}\n{line}\n")
    parts = hyperlex.parts_of(tmp_path, "lexical")
    assert parts["radish", "carrot", "N"] == "test"
    assert hyperlex.parts_of(tmp_path, "none") == {}
    with pytest.raises(DataError, match=r"has no file hyperlex_training_all_random\.txt"):
        hyperlex.parts_of(tmp_path, "random")


@pytest.mark.parametrize(
    ("mean", "spread", "rating", "right"),
    [
        *(("6", "6", "6", True), ("0", "0", "0", True), ("6.1", "1", "5", False), ("5", "1", "6.1", False)),
        *(("-0.1", "1", "5", False), ("5", "-0.1", "5", False), ("5", "1", "-0.1", False), ("5", "1", "x", False)),
        *(("x", "1", "5", False), ("5", "x", "5", False), ("5", "7", "5", True)),
    ],
)
def test_means_and_ratings_lie_from_0_to_6_and_a_spread_is_not_below_0(tmp_path, mean, spread, rating, right):
    path = tmp_path / "hyperlex-all.txt"
    path.write_text(f"{RELEASE}a b N hyp-1 {mean} 99 {spread} {rating}\n")
    if right:
        assert hyperlex.read_ratings(path)[-1].ratings == (float(rating),)
    else:
        with pytest.raises(DataError, match="the ratings are no numbers from 0 to 6"):
            hyperlex.read_ratings(path)
