"""The items: foils that are wrong for one reason each, HyperLex, and own pairs."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import Relation, Relations
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.data import (
    Sample,
    hyperlex,
    join_parts,
    known_of,
    own_pairs,
    with_foils,
)
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


KNOWN_OF_ROBIN = [
    *[("robin", "HYP", "bird"), ("robin", "HYP", "animal"), ("bird", "HPO", "robin"), ("oak", "HYP", "tree")],
    *[("robin", "MER", "feather"), ("robin", "MER", "wing"), ("robin", "MER", "nest"), ("robin", "SYN", "redbreast")],
    *[("robin", "MER", "robin"), ("robin", "MER", "animal")],
]
BY_FREQUENCY = [
    "tree",
    "bird",
    "oak",
    "robin",
    "wing",
    "redbreast",
    "feather",
    "animal",
]  # a nest is no word of the study


def robin_rows(sample, asked=(("robin", "HYP", "bird"), ("oak", "HYP", "tree")), known=KNOWN_OF_ROBIN):
    found = with_foils(table(asked), table(known), BY_FREQUENCY, SIX, sample)
    return found.filter(target="robin").select("first", "second", "kind", "label").rows()


def test_the_pairs_of_a_target_in_full():
    """The tuple's word stands first; parts and synonyms take turns, the more frequent ones first. Oak is left."""
    assert robin_rows(Sample({"HYP": 2}, each=3)) == [
        ("robin", "bird", "right", True),
        ("robin", "animal", "right", True),
        ("bird", "robin", "reversed", False),
        ("animal", "robin", "reversed", False),
        ("robin", "wing", "other relation", False),
        ("robin", "redbreast", "other relation", False),
        ("robin", "feather", "other relation", False),
        ("robin", "tree", "other target", False),
        ("robin", "oak", "random", False),
    ]


def test_a_related_word_beyond_those_that_are_asked_is_no_foil():
    """With one word of each kind, animal is neither asked nor a foil, though it is called a part as well."""
    assert robin_rows(Sample({"HYP": 2}, each=1)) == [
        ("robin", "bird", "right", True),
        ("bird", "robin", "reversed", False),
        ("robin", "wing", "other relation", False),
        ("robin", "tree", "other target", False),
        ("robin", "oak", "random", False),
    ]
    only_animal = [("robin", "HYP", "bird"), ("robin", "HYP", "animal"), ("robin", "MER", "animal")]
    assert "other relation" not in {row[2] for row in robin_rows(Sample({"HYP": 2}, each=1), known=only_animal)}


def test_a_pair_that_is_right_in_both_directions_has_no_reversed_one():
    both = [*KNOWN_OF_ROBIN, ("bird", "HYP", "robin")]
    reversed_pairs = [row[0] for row in robin_rows(Sample({"HYP": 2}, each=3), known=both) if row[2] == "reversed"]
    assert reversed_pairs == ["animal"]


def test_a_relation_of_no_targets_is_not_asked_and_one_without_a_number_whole():
    asked = [("robin", "HYP", "bird"), ("oak", "HYP", "tree"), ("robin", "MER", "wing")]
    assert {row[2] for row in robin_rows(Sample({"HYP": 2, "MER": 0}, each=1), asked)} >= {"right"}
    found = with_foils(table(asked), table(KNOWN_OF_ROBIN), BY_FREQUENCY, SIX, Sample({"HYP": 2, "MER": 0}, each=1))
    assert set(found["relation"]) == {"HYP"}
    every = with_foils(table(asked), table(KNOWN_OF_ROBIN), BY_FREQUENCY, SIX, Sample(each=1))
    asked_about = sorted(every.filter(kind="right").select("relation", "target").rows())
    assert asked_about == [("HYP", "oak"), ("HYP", "robin"), ("MER", "robin")]


@pytest.mark.parametrize(
    ("right", "first", "last"), [(100, 90, 110), (3, 0, 20), (498, 479, 499), (10, 0, 20), (489, 479, 499)]
)
def test_random_words_are_the_twenty_nearest_ones_in_an_order_of_their_own(right, first, last):
    words = [f"w{number}" for number in range(500)]
    linked = [("w250", "HYP", f"w{right}")]
    found = with_foils(table(linked), table(linked), words, SIX, Sample(each=40)).filter(kind="random")
    places = [int(word[1:]) for word in found["second"]]
    assert sorted(places) == [place for place in range(first, last + 1) if place != right]
    assert places != sorted(places)


def test_random_words_of_several_right_ones_take_turns():
    words = [f"w{number}" for number in range(500)]
    linked = [("w250", "HYP", "w100"), ("w250", "HYP", "w400")]
    found = with_foils(table(linked), table(linked), words, SIX, Sample(each=4)).filter(kind="random")
    assert [int(word[1:]) > 250 for word in found["second"]] in ([False, True, False, True], [True, False] * 2)


def test_what_is_known_of_relations_is_listed_once():
    sets = table([("robin", "HYP", "bird"), ("oak", "HYP", "tree"), ("robin", "HYP", "bird"), ("bird", "HPO", "robin")])
    assert known_of(sets.with_columns(steps=pl.lit(1))).rows() == [
        ("HPO", "bird", "robin"),
        ("HYP", "oak", "tree"),
        ("HYP", "robin", "bird"),
    ]


def test_one_file_of_hyperlex_is_enough_and_two_are_not(tmp_path):
    (tmp_path / "hyperlex-nouns.txt").write_text(HYPERLEX)
    assert hyperlex(tmp_path, "none")[0].height == 3
    (tmp_path / "hyperlex-verbs.txt").write_text(HYPERLEX)
    with pytest.raises(DataError, match=r"has 2 files of HyperLex, but no hyperlex-all[.]txt"):
        hyperlex(tmp_path, "none")


def test_a_pair_that_a_split_leaves_out_is_not_asked(tmp_path):
    head, *lines = HYPERLEX.splitlines()
    (tmp_path / "hyperlex-all.txt").write_text(HYPERLEX)
    for part, line in (("training", lines[0]), ("dev", lines[1]), ("test", "wug wag N syn-1 1.0 1.7 1.0 1 1")):
        (tmp_path / f"hyperlex_{part}_all_lexical.txt").write_text(f"{head}\n{line}\n")
    assert hyperlex(tmp_path, "lexical")[0]["part"].to_list() == ["training", "dev"]
    assert hyperlex(tmp_path, "none")[0]["part"].to_list() == [None] * 3


@pytest.mark.parametrize("line", ["robin bird N odd-1 5 8 0 5 6", "robin bird X hyp-1 5 8 0 5 6"])
def test_a_pair_of_no_kind_of_hyperlex_is_named(tmp_path, line):
    (tmp_path / "hyperlex-all.txt").write_text(f"{HYPERLEX.splitlines()[0]}\n{line}\n")
    with pytest.raises(DataError, match="HyperLex: robin bird is"):
        hyperlex(tmp_path, "none")


def test_own_pairs_in_full():
    """Labels alone are no ratings; a pair that is called reversed is the first word's, unless its reverse is there."""
    items, raters = own_pairs(
        judged(
            ("robin", "bird", True, None, "", ""),
            ("bird", "robin", False, None, "", ""),
            ("fish", "robin", False, None, "reversed", ""),
            ("robin", "wall", False, None, "", ""),
            ("robin", "moon", False, None, "far", ""),
        )
    )
    assert items.select("target", "first", "second", "kind", "label", "rating", "spread").rows() == [
        ("robin", "robin", "bird", "right", True, None, None),
        ("robin", "bird", "robin", "reversed", False, None, None),
        ("fish", "fish", "robin", "reversed", False, None, None),
        ("robin", "robin", "wall", "foil", False, None, None),
        ("robin", "robin", "moon", "far", False, None, None),
    ]
    assert raters.is_empty()
    rated, raters = own_pairs(
        judged(*[("robin", "bird", True, rating, "", name) for rating, name in ((1.0, "a"), (3.0, "b"))])
        + judged(("robin", "wall", False, 0.0, "", "a"), ("bird", "robin", True, 2.0, "odd", "a"))
    )
    assert rated.select("target", "second", "kind", "rating", "spread").rows() == [
        ("robin", "bird", "right", 2.0, pytest.approx(2**0.5)),
        ("robin", "wall", "foil", 0.0, None),
        ("bird", "robin", "right", 2.0, None),
    ]
    assert raters.select("condition", "first", "second", "rater", "rating").rows() == [
        ("own HYP", "robin", "bird", "a", 1.0),
        ("own HYP", "robin", "bird", "b", 3.0),
        ("own HYP", "robin", "wall", "a", 0.0),
        ("own HYP", "bird", "robin", "a", 2.0),
    ]


@pytest.mark.parametrize(
    ("kind", "label", "why"),
    [("all", True, "all kinds of foils together"), ("right", False, "its label says no")],
)
def test_why_a_kind_is_refused_is_said(kind, label, why):
    with pytest.raises(DataError, match=why):
        own_pairs(judged(("robin", "fish", label, None, kind, "")))
    assert own_pairs(judged(("robin", "fish", True, None, "right", "")))[0]["kind"].to_list() == ["right"]


def test_all_sets_are_one_and_without_a_pair_there_is_no_study():
    parts = [own_pairs(judged(("robin", word, True, 1.0, "", ""))) for word in ("bird", "animal")]
    joined = join_parts(parts, pl.DataFrame())
    assert (joined.item_table["second"].to_list(), joined.raters["second"].to_list()) == (["bird", "animal"],) * 2
    with pytest.raises(DataError, match="there is no pair to judge"):
        join_parts([], pl.DataFrame())


def test_unless_said_otherwise_a_target_has_two_pairs_of_each_kind():
    assert drawn(Sample({"HYP": 5}, seed=1)).equals(drawn(Sample({"HYP": 5}, each=2, shared_relata=False)))
    assert not drawn(Sample({"HYP": 5})).equals(drawn(Sample({"HYP": 5}, each=1)))
