"""The sample of a lexical resource's tuples."""

import random

import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import augment
from relprobe.studies.relations.sampling import _connected, _once, deal, sample

from tests.studies.relations.data.test_build import gold, said
from tests.studies.relations.six import SIX

PAIRS = gold(
    "a HYP b",
    "c HYP d",
    "e HYP f",
    "night ANT day",
    "day ANT night",
    "hot ANT cold",
    "cold ANT hot",
)


def test_a_sample_has_the_sizes_asked_for():
    drawn = sample(PAIRS, {"HYP": 2, "ANT": 1}, seed=1, relations=SIX)
    assert drawn["relation"].to_list().count("HYP") == 2
    assert drawn["relation"].to_list().count("ANT") == 1
    assert said(drawn) <= said(PAIRS)
    assert drawn.n_unique() == 3


def test_the_same_seed_draws_the_same_whatever_the_order_of_the_tuples():
    first = sample(PAIRS, {"HYP": 2}, seed=1, relations=SIX)
    assert sample(PAIRS.reverse(), {"HYP": 2}, seed=1, relations=SIX).equals(first)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sample_stays_the_one_that_was_drawn_once(seed):
    """Python's own sample by the seed and the relation: another one would ask models about other words."""
    rows = [f"t{i:02} HYP r{i}" for i in range(40)]
    drawn = sample(gold(*rows), {"HYP": 5}, seed, relations=SIX)
    assert said(drawn) == {rows[i] for i in random.Random(f"{seed} HYP").sample(range(40), 5)}
    assert drawn["target"].to_list() == sorted(drawn["target"])


@pytest.mark.parametrize("reverse", [False, True])
def test_the_relation_with_the_fewest_tuples_for_its_size_is_drawn_first_whichever_comes_first(reverse):
    """Both tuples of SYN are needed, so the one of HYP is about their words."""
    tuples = gold("a SYN b", "c SYN d", "c HYP x", *(f"h{i} HYP x{i}" for i in range(9)))
    sets, sizes = augment(tuples, SIX.inverse), {"HYP": 1, "SYN": 2} if reverse else {"SYN": 2, "HYP": 1}
    for seed in range(8):
        drawn = sample(tuples.reverse() if reverse else tuples, sizes, seed, relations=SIX, several=True, sets=sets)
        assert said(drawn) == {"a SYN b", "c SYN d", "c HYP x"}


def test_other_seeds_draw_others():
    assert len({tuple(said(sample(PAIRS, {"HYP": 1}, seed, relations=SIX))) for seed in range(20)}) == 3


def test_a_relations_draw_does_not_hang_on_what_else_is_drawn():
    alone = sample(PAIRS, {"HYP": 2}, seed=1, relations=SIX)
    assert said(alone) == {
        text for text in said(sample(PAIRS, {"HYP": 2, "ANT": 1}, seed=1, relations=SIX)) if "HYP" in text
    }


def test_a_symmetric_pair_counts_once():
    assert said(sample(PAIRS, {"ANT": 2}, seed=1, relations=SIX)) in (
        {"night ANT day", "hot ANT cold"},
        {"day ANT night", "cold ANT hot"},
        {"night ANT day", "cold ANT hot"},
        {"day ANT night", "hot ANT cold"},
    )
    with pytest.raises(DataError, match="only 2 ANT tuples are there, but the config asks for 3"):
        sample(PAIRS, {"ANT": 3}, seed=1, relations=SIX)


def test_too_few_tuples_are_said_with_the_remedy():
    sentence = (
        "^wordnet_sample: only 0 SYN tuples are there, but the config asks for 1: take more `words` or fewer tuples.$"
    )
    with pytest.raises(DataError, match=sentence):
        sample(PAIRS, {"SYN": 1}, seed=1, relations=SIX)


SEVERAL = gold(
    "hot ANT cold",
    *(f"other{i} HYP thing{i}" for i in range(40)),
    "hot HYP warm",
    "heat HYP cold",
    "hot HYP cold",  # a relatum in two relations is ambiguous
    "cold HYP chill",
)


@pytest.mark.parametrize("seed", range(10))
def test_words_of_several_relations_are_preferred_each_once(seed):
    drawn = sample(SEVERAL, {"HYP": 2, "ANT": 1}, seed, relations=SIX, several=True)
    about = said(drawn.filter(relation="HYP"))
    assert about in ({"hot HYP warm", "heat HYP cold"}, {"hot HYP warm", "cold HYP chill"})


@pytest.mark.parametrize("seed", range(10))
def test_a_preferring_sample_has_the_sizes_asked_for_and_fills_up_at_random(seed):
    drawn = sample(SEVERAL, {"HYP": 10, "ANT": 1}, seed, relations=SIX, several=True)
    assert drawn.n_unique() == drawn.height == 11
    assert "hot HYP warm" in said(drawn)
    assert sample(SEVERAL.reverse(), {"HYP": 10, "ANT": 1}, seed, relations=SIX, several=True).equals(drawn)


def test_the_scarce_relation_is_drawn_first_and_prefers_words_that_later_ones_can_take_up():
    tuples = gold("a ANT b", "c ANT d", "e ANT f", "c HYP x", *(f"y{i} HYP z{i}" for i in range(9)))
    for seed in range(10):
        assert said(sample(tuples, {"HYP": 1, "ANT": 1}, seed, relations=SIX, several=True)) == {"c ANT d", "c HYP x"}


def test_words_that_have_been_drawn_come_before_words_that_may_be_drawn_later():
    tuples = gold("a ANT b", "c SYN y", "a SYN x", "d SYN z", *(f"c HYP h{i}" for i in range(9)), "d HYP h")
    for seed in range(10):
        drawn = sample(tuples, {"ANT": 1, "SYN": 1, "HYP": 1}, seed, relations=SIX, several=True)
        assert said(drawn.filter(relation="SYN")) == {"a SYN x"}


CHAIN = gold(*(f"t{i} HYP r{i // 3}" for i in range(30)), *(f"t{i} SYN s{i}" for i in range(0, 30, 4)))
"""Three targets share each relatum."""


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_targets_of_a_disjoint_sample_share_no_relatum(seed, several):
    sets = augment(CHAIN, SIX.inverse)
    drawn = sample(CHAIN, {"HYP": 10, "SYN": 4}, seed, relations=SIX, several=several, sets=sets)
    assert drawn.filter(relation="HYP")["relatum"].n_unique() == 10
    assert drawn.height == 14
    assert sample(CHAIN.reverse(), {"HYP": 10, "SYN": 4}, seed, SIX, several=several, sets=sets).equals(drawn)


def test_a_set_links_targets_of_different_tuples():
    tuples = gold("a HYP x", "b HYP y", "c HYP z")
    sets = augment(gold("a HYP x", "b HYP y", "c HYP z", "a HYP w", "b HYP w"), SIX.inverse)
    for seed in range(10):
        drawn = said(sample(tuples, {"HYP": 2}, seed, relations=SIX, sets=sets))
        assert "c HYP z" in drawn
    sentence = (
        "^wordnet_sample: only 2 HYP tuples were found whose targets share no relatum, but the config asks for 3: "
    )
    with pytest.raises(DataError, match=sentence):
        sample(tuples, {"HYP": 3}, seed=1, relations=SIX, sets=sets)


def test_a_tuple_that_its_own_sets_leave_out_is_not_drawn():
    tuples = gold("a HYP x", "b HYP y")
    sets = augment(gold("b HYP y", "a HYP w"), SIX.inverse)
    for seed in range(10):
        assert said(sample(tuples, {"HYP": 1}, seed, relations=SIX, sets=sets)) == {"b HYP y"}


def test_prompts_are_dealt_to_about_as_many_words_each():
    """Groups of five, three and two words: the largest is dealt first, so that either prompt is asked with five."""
    pairs = ("a b", "b c", "c d", "d e", "f g", "g h", "i j")
    tuples = gold(*(pair.replace(" ", " HYP ") for pair in pairs))
    dealt = deal(tuples, {"HYP": ["is", "kind"]}, SIX, parts=2)
    assert {"".join(sorted(words)) for words in dealt.values()} == {"abcde", "fghij"}
    whole = deal(tuples, {"HYP": ["is", "kind"], "ANT": ["not"]}, SIX, parts=1)
    assert {name: len(words) for name, words in whole.items()} == {"is": 10, "kind": 10}
    two_of_three = deal(tuples, {"HYP": ["is", "kind", "type"]}, SIX, parts=2)
    assert sum(map(len, two_of_three.values())) == 20


def test_words_are_connected_once_whichever_way_their_pairs_are_written():
    assert _connected([("b", "a"), ("a", "b"), ("d", "c"), ("a", "e")]) == [["a", "b", "e"], ["c", "d"]]


def test_a_pair_of_both_directions_is_left_once_if_its_relation_is_symmetric():
    both = gold("b HYP a", "a HYP c", "a HYP b")
    assert _once(both, symmetric=True).select("target", "relatum").rows() == [("a", "b"), ("a", "c")]
    assert _once(both, symmetric=False).select("target", "relatum").rows() == [("a", "b"), ("a", "c"), ("b", "a")]


def test_of_disjoint_samples_that_with_the_fewest_tuples_for_its_size_is_drawn_first():
    """All four of HYP are drawn, and then the one of three of ANT that has a word of theirs."""
    tuples = gold("w ANT x", "u ANT v", "y ANT z", "w HYP r1", "a HYP r2", "b HYP r3", "c HYP r4")
    for seed in range(10):
        sizes, sets = {"ANT": 1, "HYP": 4}, augment(tuples, SIX.inverse)
        drawn = sample(tuples, sizes, seed, relations=SIX, several=True, sets=sets)
        assert said(drawn.filter(relation="ANT")) == {"w ANT x"}
