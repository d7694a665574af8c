"""The tuples and instances of the study, from BATS-like pairs made by hand and from BATS itself."""

import random

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.bats import PAIRS, read
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Partition, Split, instances, shared_pairs, tuples
from relprobe.studies.analogies.relations import bats_analogies
from relprobe.studies.analogies.schemas import PROBE_TYPES

from tests import paths

DATA = paths.DATA / "bats"


def relation(code, pairs):
    return bats_analogies(
        pl.DataFrame([(code, "name", head, answers) for head, answers in pairs], schema=PAIRS, orient="row")
    )


CAPITALS = relation("E01", [(f"city{n}", [f"country{n}"]) for n in range(50)])
# Many-to-one, with the answers of both partitions in common, and words that are heads and tails.
COLOURS = relation(
    "E09", [(f"thing{n}", [f"colour{n % 5}", f"colour{(n + 1) % 5}"]) for n in range(18)] + [("colour0", ["thing1"])]
)
BOTH_WAYS = relation(
    "L10",
    [pair for n in range(4) for pair in ((f"on{n}", [f"off{n}"]), (f"off{n}", [f"on{n}"]))]
    + [(f"up{n}", [f"down{n}"]) for n in range(16)],
)
ALL = pl.concat([CAPITALS, COLOURS, BOTH_WAYS])


def build(pairs, size=None, instance_count=None, seed=1, draws=1, lexical=False, **choices):
    table = tuples(pairs, size, Split(0.5, seed, draws, lexical))
    return table, instances(table, pairs, instance_count, seed, Choices(**choices))


def test_half_of_the_tuples_are_for_training_and_none_is_in_both_partitions():
    table, _ = build(CAPITALS)
    parts = {name: set(table.filter(partition=name)["head"]) for name in ("train", "test")}
    assert [len(heads) for heads in parts.values()] == [25, 25]
    assert parts["train"] & parts["test"] == set()


def test_what_is_sampled_keeps_its_order_whichever_is_drawn_first():
    table, instance_rows = build(CAPITALS, size=30, instance_count=40)
    places = [CAPITALS["head"].to_list().index(head) for head in table["head"]]
    assert (len(places), places) == (30, sorted(places))
    for partition in ("train", "test"):
        heads = table.filter(partition=partition)["head"].to_list()
        for probe in PROBE_TYPES:
            rows = instance_rows.filter(partition=partition, probe=probe).select("query_head", "head").rows()
            pairs = [(heads.index(query), heads.index(head)) for query, head in rows]
            assert (len(pairs), pairs) == (40, sorted(pairs))


def test_25_test_tuples_give_600_positives_and_600_negatives():
    # Each of 25 tuples with each of the 24 others: 25 * 24 = 600 positives, and a negative for each.
    _, instance_rows = build(CAPITALS)
    for probe in PROBE_TYPES:
        rows = instance_rows.filter(partition="test", probe=probe)
        query = ["query_head", "query_tail"]
        assert rows.unique([*query, "head", "tail"]).height == 600
        # Draws may repeat: 24 draws from the 23 or 24 other tuples reversed are 15 or 16 different ones of each query.
        different = 350 if probe == "reverse" else 500
        assert rows.unique([*query, "negative_head", "negative_tail"]).height > different
        assert rows.height == 600


@pytest.mark.parametrize("seed", range(5))
def test_no_negative_is_a_positive_or_any_tuple_of_the_relation(seed):
    table, instance_rows = build(ALL, seed=seed)
    relation_pairs = {
        (code, head, a) for code, head, answers in table.select("relation", "head", "answers").rows() for a in answers
    }
    negatives = set(instance_rows.select("relation", "negative_head", "negative_tail").iter_rows())
    assert negatives & relation_pairs == set()
    assert set(instance_rows.select("relation", "head", "tail").iter_rows()) <= relation_pairs


@pytest.mark.parametrize("seed", range(5))
def test_a_tuple_that_was_not_drawn_is_no_negative_either(seed):
    # Drawn is "on3 : off3" and not "off3 : on3", which is its reverse and in the relation all the same.
    both_ways = [pair for n in range(12) for pair in ((f"on{n}", [f"off{n}"]), (f"off{n}", [f"on{n}"]))]
    opposites = relation("L10", [*both_ways, *((f"up{n}", [f"down{n}"]) for n in range(16))])
    _, instance_rows = build(opposites, size=24, instance_count=24, seed=seed)
    relation_pairs = {
        (head, answer) for head, answers in opposites.select("head", "answers").rows() for answer in answers
    }
    assert relation_pairs & set(instance_rows.select("negative_head", "negative_tail").iter_rows()) == set()


@pytest.mark.skipif(not DATA.is_dir(), reason="BATS is not at hand")
def test_no_negative_of_a_sample_of_bats_is_a_tuple_of_its_relation():
    pairs = bats_analogies(read(DATA))
    _, instance_rows = build(pairs, size=20, instance_count=24)
    relation_pairs = {
        (code, head, a) for code, head, answers in pairs.select("relation", "head", "answers").rows() for a in answers
    }
    negatives = instance_rows.select("relation", "negative_head", "negative_tail").rows()
    assert len(negatives) == 40 * 2 * 4 * 24
    assert relation_pairs & set(negatives) == set()


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_words_is_judged_in_training_and_in_test(seed):
    _, instance_rows = build(ALL, seed=seed)
    pairs_by_partition = {
        name: {
            (code, *pair)
            for columns in (["query_head", "query_tail"], ["head", "tail"], ["negative_head", "negative_tail"])
            for code, *pair in instance_rows.filter(partition=name).select("relation", *columns).iter_rows()
        }
        for name in ("train", "test")
    }
    assert pairs_by_partition["train"] & pairs_by_partition["test"] == set()


def test_a_negative_misses_the_relation_as_its_probe_says():
    table, instance_rows = build(CAPITALS)
    tail_of = dict(table.select("head", "tail").iter_rows())
    part_of = dict(table.select("head", "partition").iter_rows())
    for _, _, partition, probe, query_head, query_tail, head, tail, first, second, _ in instance_rows.iter_rows():
        assert tail_of[query_head] == query_tail
        assert tail_of[head] == tail
        assert query_head != head
        if probe == "random_head":
            assert second == tail
            assert first in set(tail_of) - {head, query_head}
            assert part_of[first] == partition
        elif probe == "random_tail":
            assert first == head
            assert second in set(tail_of.values()) - {tail, query_tail}
        elif probe == "reverse":
            assert tail_of[second] == first
            assert second not in (head, query_head)
            assert part_of[second] == partition
        else:
            assert {first in tail_of, second in tail_of} in ({True}, {False})
            assert first in (head, tail)
            assert not {first, second} & {query_head, query_tail}


def test_the_own_words_of_the_positive_are_reversed_where_the_config_says_so():
    _, instance_rows = build(CAPITALS, reverse="own")
    rows = instance_rows.filter(probe="reverse")
    assert rows.select("negative_tail", "negative_head").rows() == rows.select("head", "tail").rows()


def test_without_another_tuple_the_positive_is_reversed():
    # Of three tuples the third reversed is "b : a", which is in the relation, and so the positive "c : d" is reversed.
    pairs = [("x", "y"), ("c", "d"), ("a", "b")]
    answers = {"x": frozenset(["y"]), "c": frozenset(["d"]), "a": frozenset(["b"]), "b": frozenset(["a"])}
    partition = Partition("test", pairs, answers, frozenset())
    assert partition.negative("reverse", 0, 1, random.Random(1)) == ("d", "c")


def test_a_printed_type_negative_has_no_word_of_the_query_or_the_positive():
    table, instance_rows = build(CAPITALS, type="printed")
    heads = set(table["head"])
    columns = ["query_head", "query_tail", "head", "tail", "negative_head", "negative_tail"]
    for *words, first, second in instance_rows.filter(probe="type").select(columns).iter_rows():
        assert {first in heads, second in heads} in ({True}, {False})
        assert not {first, second} & set(words)


def test_a_word_of_the_query_is_replaced_where_the_config_says_so():
    _, instance_rows = build(CAPITALS, random="query")
    for probe, kept in (("random_head", "tail"), ("random_tail", "head")):
        rows = instance_rows.filter(probe=probe)
        assert rows[f"negative_{kept}"].to_list() == rows[f"query_{kept}"].to_list()


def test_without_the_filter_a_negative_may_be_right():
    # Each thing has two of five colours, of which the first is its tail: another thing often has its second.
    _, filtered = build(COLOURS)
    _, instance_rows = build(COLOURS, filter=False)
    answers = dict(COLOURS.select("head", "answers").iter_rows())

    def right(rows):
        pairs = rows.filter(probe="random_tail").select("negative_head", "negative_tail").iter_rows()
        return sum(tail in answers.get(head, ()) for head, tail in pairs)

    assert right(filtered) == 0
    assert right(instance_rows) > 0


def test_two_heads_and_two_tails_take_turns_in_the_type_probe():
    table, instance_rows = build(CAPITALS)
    heads = instance_rows.filter(probe="type")["negative_head"].is_in(table["head"].implode())
    # Places (i, j), i != j, with an odd sum: 2 * 13 * 12 = 312 of 600.
    assert heads.filter(instance_rows.filter(probe="type")["partition"] == "test").sum() == 312


def test_the_reverse_of_a_tuple_that_holds_both_ways_is_that_of_another():
    _, instance_rows = build(BOTH_WAYS)
    reverse = set(instance_rows.filter(probe="reverse").select("negative_head", "negative_tail").iter_rows())
    assert reverse == {(f"down{n}", f"up{n}") for n in range(16)}


def test_a_seed_decides_everything_and_another_one_decides_otherwise():
    assert build(ALL, seed=3)[1].equals(build(ALL, seed=3)[1])
    assert not build(ALL, seed=3)[1].equals(build(ALL, seed=4)[1])


def test_every_draw_divides_the_same_sample_of_tuples_anew_and_draws_other_negatives():
    table, instance_rows = build(CAPITALS, size=10, draws=3)
    in_test = [set(table.filter(draw=draw, partition="test")["head"]) for draw in (1, 2, 3)]
    assert len({frozenset(heads) for heads in in_test}) == 3
    assert [table.filter(draw=draw)["head"].to_list() for draw in (2, 3)] == [
        table.filter(draw=1)["head"].to_list()
    ] * 2
    assert instance_rows.group_by("draw", "partition", "probe", maintain_order=True).len()["len"].to_list() == [20] * 24
    both = instance_rows.filter(probe="random_tail").select(
        "draw", key=pl.concat_str("query_head", "head", separator=" "), negative="negative_tail"
    )
    first, second = (dict(both.filter(draw=draw).select("key", "negative").iter_rows()) for draw in (1, 2))
    assert any(first[key] != second[key] for key in first.keys() & second.keys())


def test_the_first_draws_are_the_same_whatever_their_number():
    two, one = build(COLOURS, draws=2), build(COLOURS, draws=1)
    assert [table.filter(draw=1).equals(first) for table, first in zip(two, one, strict=True)] == [True, True]


@pytest.mark.parametrize("seed", range(5))
def test_a_lexical_split_shows_no_word_of_a_test_tuple_in_training(seed):
    pairs = pl.concat([COLOURS, relation("E08", [(f"animal{n}", [f"home{n // 3}"]) for n in range(18)])])
    table, instance_rows = build(pairs, seed=seed, draws=3, lexical=True)
    words = {
        (code, draw, partition): set(
            rows.select(
                pl.concat_list("query_head", "query_tail", "head", "tail", "negative_head", "negative_tail").explode()
            )
            .to_series()
            .to_list()
        )
        for (code, draw, partition), rows in instance_rows.group_by("relation", "draw", "partition")
    }
    for code, draw, partition in words:
        if partition == "test":
            assert words[code, draw, "test"] & words[code, draw, "train"] == set()
    sizes = table.filter(relation="E08", partition="train").group_by("draw").len()["len"].to_list()
    assert sizes == [9, 9, 9]  # three of the six families of three


def test_tuples_that_share_a_word_are_a_family():
    table, _ = build(COLOURS)
    family = dict(table.select("head", "family").iter_rows())
    assert {family[f"thing{n}"] for n in (3, 8, 13)} == {"thing3 : colour3"}
    # The last tuple, colour0 : thing1, links the families of colour0 and of thing1 : colour1.
    assert {family[word] for word in ("thing0", "thing1", "thing5", "thing6", "colour0")} == {"thing0 : colour0"}
    assert len(set(family.values())) == 4


def test_a_relation_is_drawn_whatever_other_relations_there_are():
    alone, together = build(COLOURS)[1], build(ALL)[1].filter(relation="E09")
    assert alone.equals(together)


def test_a_sample_has_the_sizes_asked_for_and_the_same_positives_in_every_probe():
    table, instance_rows = build(CAPITALS, size=10, instance_count=7)
    assert table["partition"].value_counts().sort("partition").rows() == [("test", 5), ("train", 5)]
    positives = [
        instance_rows.filter(probe=probe, partition="test").select("query_head", "head").rows() for probe in PROBE_TYPES
    ]
    assert [len(rows) for rows in positives] == [7, 7, 7, 7]
    assert all(rows == positives[0] for rows in positives)


def test_a_sample_larger_than_the_relation_is_refused():
    with pytest.raises(DataError, match=r"E01 has 50 tuples, but the config samples 60: lower `sample.tuples`\."):
        tuples(CAPITALS, 60, Split(0.5, seed=1))


def test_a_partition_needs_three_tuples():
    with pytest.raises(DataError, match="E01: 2 of 20 tuples are for training, but both partitions need 3"):
        tuples(CAPITALS, 20, Split(0.1, seed=1))


def test_a_relation_without_negatives_is_named():
    alike = relation("E09", [(f"thing{n}", ["red"]) for n in range(6)])  # any thing is red
    with pytest.raises(DataError, match=r"E09 draw 1, train: .* has no negative for the probe 'random_head'"):
        build(alike)


@pytest.mark.skipif(not DATA.is_dir(), reason="BATS is not at hand")
def test_bats_gives_600_instances_for_every_relation_partition_and_probe():
    table, instance_rows = build(bats_analogies(read(DATA)))
    sizes = instance_rows.group_by("relation", "partition", "probe").len()
    assert sizes.height == 40 * 2 * 4
    assert set(sizes["len"]) == {600}
    relation_pairs = {
        (code, head, a) for code, head, answers in table.select("relation", "head", "answers").rows() for a in answers
    }
    assert not relation_pairs & set(instance_rows.select("relation", "negative_head", "negative_tail").iter_rows())
    pairs_by_partition = [
        {
            (code, *pair)
            for columns in (["head", "tail"], ["negative_head", "negative_tail"])
            for code, *pair in instance_rows.filter(partition=name).select("relation", *columns).iter_rows()
        }
        for name in ("train", "test")
    ]
    assert pairs_by_partition[0] & pairs_by_partition[1] == set()


def test_negatives_are_made_as_the_documentation_says_unless_the_configuration_says_otherwise():
    choices = Choices()
    assert (choices.random, choices.reverse, choices.type, choices.filter) == ("positive", "random", "positive", True)


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_each_partition_needs_its_own_three_tuples(share):
    """Of twelve, a fifth is two: too few for training, and at four fifths for the test."""
    with pytest.raises(DataError, match="both partitions need 3"):
        tuples(CAPITALS[:12], None, Split(share, seed=1))
    assert tuples(CAPITALS[:12], None, Split(0.25, seed=1)).filter(partition="train").height == 3
    assert tuples(CAPITALS[:12], None, Split(0.75, seed=1)).filter(partition="test").height == 3


@pytest.mark.parametrize(
    ("query", "positive", "side"), [(0, 1, 0), (1, 0, 0), (1, 2, 0), (0, 2, 1), (1, 3, 1), (2, 0, 1)]
)
def test_a_negative_of_one_type_has_two_heads_where_the_numbers_of_both_tuples_are_odd_together(query, positive, side):
    """Else two tails, so that a run has about as many of the one as of the other."""
    pairs = [(f"city{n}", f"country{n}") for n in range(5)]
    partition = Partition("test", pairs, {head: frozenset([tail]) for head, tail in pairs}, frozenset())
    first, second = partition.negative("type", query, positive, random.Random(1))
    assert pairs[positive][side] == first
    assert second in {pair[side] for pair in pairs} - {first}


def test_the_order_of_shared_words_decides_nothing_about_the_pairs_that_a_partition_may_not_use():
    """The words are a set, whose order is another one in each process."""
    words = "hgfedcba"
    train, test = shared_pairs(words, random.Random(1))
    assert (train, test) == shared_pairs(words[::-1], random.Random(1))
    assert (len(train), len(test), train & test) == (28, 28, frozenset())
