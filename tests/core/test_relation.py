import polars as pl
from relprobe.core.relation import ASYMMETRIC, NAMES, RELATIONS, REVERSE, SYMMETRIC, TUPLES, augment, merge


def tuples(*rows):
    return pl.DataFrame([(*text.split(), sources.split()) for text, sources in rows], schema=TUPLES, orient="row")


def test_the_reverse_of_the_reverse_is_the_relation():
    assert all(REVERSE[REVERSE[relation]] == relation for relation in RELATIONS)


def test_the_symmetric_relations_are_their_own_reverse():
    assert set(SYMMETRIC) == {relation for relation in RELATIONS if REVERSE[relation] == relation}
    assert set(SYMMETRIC) | set(ASYMMETRIC) == set(RELATIONS) == set(NAMES)


def test_augmentation_adds_the_reverse_of_every_tuple():
    table = tuples(("building MER wall", "a"), ("robin HYP bird", "a"), ("night ANT day", "a"), ("city SYN town", "a"))
    assert [row[:3] for row in augment(table).rows()] == [
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
    assert augment(table).rows() == [("bird", "HPO", "robin", ["a", "b"]), ("robin", "HYP", "bird", ["a", "b"])]


def test_augmenting_twice_adds_nothing():
    once = augment(tuples(("robin HYP bird", "a"), ("night ANT day", "b")))
    assert augment(once).equals(once)


def test_merging_unites_the_sources_in_a_fixed_order():
    table = tuples(("robin HYP bird", "z a"), ("city SYN town", "a"), ("robin HYP bird", "m"))
    assert merge(table).rows() == [("city", "SYN", "town", ["a"]), ("robin", "HYP", "bird", ["a", "m", "z"])]
    assert merge(table.reverse()).equals(merge(table))
    assert merge(table).schema == TUPLES


def test_augmenting_no_tuples_gives_none():
    assert augment(tuples()).height == 0
