import polars as pl
from relprobe.core.relation import TUPLES, Links, Relation, Relations, augment, in_lexicon, merge

from tests.studies.relations.six import SIX


def tuples(*rows):
    return pl.DataFrame([(*text.split(), sources.split()) for text, sources in rows], schema=TUPLES, orient="row")


def test_symmetric_relations_are_their_own_inverse_and_the_others_are_not():
    relations = Relations((Relation("ANT", "antonymy", "ANT"), Relation("A", "a", "B"), Relation("B", "b", "A")))
    assert relations.symmetric == ("ANT",)
    assert relations.inverse == {"ANT": "ANT", "A": "B", "B": "A"}


def test_the_pairs_are_those_of_different_relations():
    assert Relations(tuple(Relation(code, code, code) for code in "abc")).pairs == 6


def test_relations_exclude_each_other_unless_one_of_them_says_otherwise():
    relations = Relations(
        (
            Relation("SYN", "s", "SYN"),
            Relation("SIM", "t", "SIM", shares_words_with=("SYN",)),
            Relation("ANT", "a", "ANT"),
        )
    )
    assert not relations.exclude("SYN", "SIM")
    assert not relations.exclude("SIM", "SYN")
    assert relations.exclude("SIM", "ANT")
    assert not relations.exclude("ANT", "ANT")


def test_prototypicality_is_measured_for_relations_that_say_so():
    relations = Relations((Relation("A", "a", "B"), Relation("B", "b", "A", prototypical=True)))
    assert relations.prototypical == ("B",)
    assert relations.codes == ("A", "B")
    assert len({*relations.entries, Relation("A", "a", "B", sources={"wordnet": "x"})}) == 3
    assert relations.names == {"A": "a", "B": "b"}
    assert pl.Series(["B", "A"], dtype=relations.order).sort().to_list() == ["A", "B"]


def test_links_that_say_no_more_are_followed_one_step_from_all_senses_of_a_word_as_it_is_written():
    links = Links(("hypernyms",))
    assert (links.depth, links.senses, links.spelling, links.tuples) == (1, "all", "written", False)


def test_a_relation_is_named_in_answers_by_its_key_and_by_its_code():
    relations = Relations((Relation("HPO", "hyponymy", "HYP", answers="rhyp"), Relation("HYP", "hypernymy", "HPO")))
    assert relations.answer_keys == {"rhyp": "HPO", "HPO": "HPO", "HYP": "HYP"}


def test_augmentation_adds_the_reverse_of_every_tuple():
    table = tuples(("building MER wall", "a"), ("robin HYP bird", "a"), ("night ANT day", "a"), ("city SYN town", "a"))
    assert [row[:3] for row in augment(table, SIX.inverse).rows()] == [
        ("bird", "HPO", "robin"),
        ("building", "MER", "wall"),
        ("city", "SYN", "town"),
        ("day", "ANT", "night"),
        ("night", "ANT", "day"),
        ("robin", "HYP", "bird"),
        ("town", "SYN", "city"),
        ("wall", "HOL", "building"),
    ]


def test_augmentation_merges_a_tuple_with_the_reverse_of_another():
    table = tuples(("robin HYP bird", "b"), ("bird HPO robin", "a"))
    assert augment(table, SIX.inverse).rows() == [
        ("bird", "HPO", "robin", ["a", "b"]),
        ("robin", "HYP", "bird", ["a", "b"]),
    ]


def test_augmenting_twice_adds_nothing():
    once = augment(tuples(("robin HYP bird", "a"), ("night ANT day", "b")), SIX.inverse)
    assert augment(once, SIX.inverse).equals(once)


def test_merging_unites_the_sources_in_a_fixed_order():
    table = tuples(("robin HYP bird", "z a"), ("city SYN town", "a"), ("robin HYP bird", "m"))
    assert merge(table).rows() == [("city", "SYN", "town", ["a"]), ("robin", "HYP", "bird", ["a", "m", "z"])]
    assert merge(table.reverse()).equals(merge(table))
    assert merge(table).schema == TUPLES


def test_augmenting_no_tuples_gives_none():
    assert augment(tuples(), SIX.inverse).height == 0


def test_a_pair_is_in_the_lexicon_with_both_of_its_words():
    lexicon = pl.DataFrame({"word": ["robin", "bird", "oak"], "relatum": ["x", "tree", "y"]})
    pairs = pl.DataFrame(
        [("robin", "bird"), ("robin", "tree"), ("elm", "oak"), ("oak", "robin")], ["target", "relatum"], orient="row"
    )
    assert in_lexicon(pairs, lexicon).rows() == [("robin", "bird"), ("oak", "robin")]
    assert in_lexicon(pairs, lexicon.head(0)).is_empty()
