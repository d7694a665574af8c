"""The items: foils that are wrong for one reason each, HyperLex, and own pairs."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import Relation, Relations
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.data import Sample, frequent_first, hyperlex, own_pairs, with_foils
from relprobe.studies.pairs.schemas import ITEMS

SIX = Relations(
    (
        Relation("HYP", "kind", "HPO"),
        Relation("HPO", "example", "HYP"),
        Relation("MER", "part", "HOL"),
        Relation("HOL", "whole", "MER"),
        Relation("SYN", "synonym", "SYN"),
    )
)
BIRDS = {"robin": "bird", "oak": "tree", "cod": "fish", "car": "vehicle", "saw": "tool"}
PARTS = {"robin": "wing", "oak": "leaf", "car": "wheel"}
LINKED = [(one, "HYP", other) for one, other in BIRDS.items()]
LINKED += [(other, "HPO", one) for one, other in BIRDS.items()]
LINKED += [(one, "MER", other) for one, other in PARTS.items()] + [("car", "SYN", "auto"), ("auto", "SYN", "car")]
WORDS = [*BIRDS.values(), *BIRDS, *PARTS.values(), "auto", *(f"wug{number}" for number in range(30))]


def table(rows):
    return pl.DataFrame(rows, schema=["target", "relation", "relatum"], orient="row")


def drawn(sample, linked=LINKED, words=WORDS):
    tuples = table([row for row in linked if row[1] in ("HYP", "MER", "SYN")])
    return with_foils(tuples, table(linked), words, SIX, sample)


def test_every_foil_is_wrong_for_its_reason_alone():
    found = drawn(Sample({"HYP": 5, "MER": 3}, each=2))
    assert found.schema == ITEMS
    linked = {(one, other) for one, _, other in LINKED}
    for row in found.iter_rows(named=True):
        first, second, target, relation = (row[name] for name in ("first", "second", "target", "relation"))
        assert first != second
        assert row["label"] == (row["kind"] == "right")
        if row["kind"] == "right":
            assert (first, relation, second) in LINKED
        elif row["kind"] == "reversed":
            assert (second, relation, first) in LINKED
            assert second == target
        else:
            assert first == target
            assert ((first, second) in linked) == (row["kind"] == "other relation")
    kinds = found.group_by("relation", "kind").len().sort("relation", "kind").rows()
    assert ("HYP", "reversed", 5) in kinds
    assert ("HYP", "other target", 10) in kinds
    others = found.filter(relation="MER", kind="other target")["second"].to_list()
    assert set(others) <= set(PARTS.values())


def test_symmetric_relations_have_no_reversed_pairs():
    found = drawn(Sample({"SYN": 1}))
    assert {"right", "random"} <= set(found["kind"]) <= {"right", "other relation", "random"}


def test_targets_share_no_right_word_unless_they_may():
    linked = [*LINKED, ("wren", "HYP", "bird")]
    words = [*WORDS, "wren"]
    disjoint = drawn(Sample({"HYP": 5}), linked, words).filter(kind="right")
    assert disjoint["second"].n_unique() == disjoint.height == 5
    with pytest.raises(DataError, match=r"pairs.wordnet: only 5 targets of HYP .* share no right word, but .* 6: take"):
        drawn(Sample({"HYP": 6}), linked, words)
    assert drawn(Sample({"HYP": 6}, shared_relata=True), linked, words)["target"].n_unique() == 6


def test_a_sample_is_the_same_for_a_seed_and_asks_all_without_numbers():
    assert drawn(Sample({"HYP": 3}, seed=7)).equals(drawn(Sample({"HYP": 3}, seed=7)))
    assert not drawn(Sample({"HYP": 3}, seed=7)).equals(drawn(Sample({"HYP": 3}, seed=8)))
    assert set(drawn(Sample())["relation"]) == {"HYP", "MER", "SYN"}


def test_random_words_are_about_as_frequent_as_right_ones():
    words = [f"w{number}" for number in range(500)]
    linked = [("w250", "HYP", "w100")]
    found = with_foils(table(linked), table(linked), words, SIX, Sample(each=3))
    places = [int(word[1:]) for word in found.filter(kind="random")["second"]]
    assert len(places) == 3
    assert all(abs(place - 100) <= 11 for place in places)


def test_words_are_ranked_by_frequency():
    assert frequent_first(["b", "a", "c"], {"c": 1.0}) == ["c", "a", "b"]


HYPERLEX = """WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES..
robin bird N hyp-1 5.50 9.17 0.50 5 6
bird robin N r-hyp-1 1.00 1.67 1.00 0 2
trail follow V hyp-2 4.31 7.18 1.86 4 5
"""


def test_hyperlex_has_conditions_kinds_and_single_ratings(tmp_path):
    (tmp_path / "hyperlex-all.txt").write_text(HYPERLEX)
    items, raters = hyperlex(tmp_path, "none")
    columns = "condition", "relation", "first", "second", "kind", "label", "rating", "spread"
    assert items.select(columns).rows() == [
        ("hyperlex nouns", "HYP", "robin", "bird", "right", True, 5.5, 0.5),
        ("hyperlex nouns", "HYP", "bird", "robin", "reversed", False, 1.0, 1.0),
        ("hyperlex verbs", "HYP-V", "trail", "follow", "right", True, 4.31, 1.86),
    ]
    assert raters.filter(first="robin").select("rater", "rating").rows() == [(None, 5), (None, 6)]


def test_a_part_of_a_split_is_taken(tmp_path):
    head, *lines = HYPERLEX.splitlines()
    (tmp_path / "hyperlex-all.txt").write_text(HYPERLEX)
    for part, line in zip(("training", "dev"), lines, strict=False):
        (tmp_path / f"hyperlex_{part}_all_lexical.txt").write_text(f"{head}\n{line}\n")
    (tmp_path / "hyperlex_test_all_lexical.txt").write_text(f"{head}\n{lines[2]}\n")
    assert hyperlex(tmp_path, "lexical")[0]["part"].to_list() == ["training", "dev", "test"]
    items, raters = hyperlex(tmp_path, "lexical", "dev")
    assert items.select("first", "part").rows() == [("bird", "dev")]
    assert set(raters["first"]) == {"bird"}
    with pytest.raises(DataError, match="0 files of HyperLex"):
        hyperlex(tmp_path / "nowhere", "none")


def judged(*rows):
    return [JudgedPair("HYP", *row) for row in rows]


def test_labels_of_raters_are_a_majority_and_ratings_a_mean():
    pairs = judged(
        ("robin", "bird", True, None, "", "a"),
        ("robin", "bird", True, None, "", "b"),
        ("robin", "bird", False, None, "", "c"),
        ("robin", "fish", True, None, "far", "a"),
        ("robin", "fish", False, None, "far", "b"),
        ("bird", "robin", False, None, "", "a"),
    )
    items, raters = own_pairs(pairs)
    assert items.select("target", "first", "second", "kind", "label", "rating").rows() == [
        ("robin", "robin", "bird", "right", True, 2 / 3),
        ("robin", "robin", "fish", "far", None, 0.5),  # of two minds
        ("robin", "bird", "robin", "reversed", False, 0.0),  # a pair of the robin's, turned round
    ]
    assert raters.height == 6
    items, raters = own_pairs(judged(("robin", "bird", None, 5.0, "", ""), ("robin", "fish", None, 1.0, "", "")))
    assert items.select("kind", "label", "rating").rows() == [
        ("unlabelled", None, 5.0),
        ("unlabelled", None, 1.0),
    ]
    assert raters["rater"].to_list() == [None, None]


@pytest.mark.parametrize(("kind", "label"), [("all", False), ("all", None), ("right", False)])
def test_a_kind_that_has_another_meaning_is_refused(kind, label):
    with pytest.raises(
        DataError, match=f"'robin' with 'fish' .HYP. is of the kind '{kind}', but .* name what is wrong"
    ):
        own_pairs(judged(("robin", "fish", label, 1.0, kind, "")))
