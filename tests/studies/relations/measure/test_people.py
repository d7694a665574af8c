"""One annotator as an agent, on hand-made lists."""

import itertools
from fractions import Fraction

import polars as pl
import pytest
from relprobe.studies.relations.lists import (
    LISTS,
    annotator_responses,
    each_annotators_responses,
    human_responses,
    people_responses,
    prototypical_probes,
)
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import Choices
from relprobe.studies.relations.ranks import none_within, relative_rank
from relprobe.studies.relations.similarity import DRAWS, expected_common, expected_common_within, mean_similarity
from relprobe.studies.relations.values import annotator_answers, annotator_metrics

from tests.studies.relations.measure.test_metrics import GOLD, LEXICON, PROBES, responses


def lists(**answers):
    """Return the lists of annotators: hol1_wall="building house|room" are those of two about the probe hol1:wall."""
    rows = [
        (name.replace("_", ":"), number, words.split())
        for name, text in answers.items()
        for number, words in enumerate(text.split("|"), start=1)
        if words
    ]
    return pl.DataFrame(rows, schema=LISTS, orient="row")


def each_of(table, gold=GOLD):
    return annotator_answers(each_annotators_responses(table), table, gold)


def one(metric, choices=None, **answers):
    """Return the values of one annotator by target and k."""
    table = annotator_metrics(each_of(lists(**answers)), choices or Choices(symmetry_k=(1, 2)))
    return {row[:-1]: row[-1] for row in table.filter(metric=metric).select("target", "k", "value").rows()}


def approx(fraction):
    return pytest.approx(float(Fraction(fraction)))


def test_the_words_of_an_annotator_are_ranked_as_they_were_typed():
    table = annotator_responses(lists(hol1_wall="room building room house|building"), 1)
    assert table["words"].to_list() == [["room", "building", "house"]]
    assert table["weights"].to_list() == [[1.0, 0.5, pytest.approx(1 / 3)]]


def test_the_value_of_one_annotator_is_the_mean_over_the_lists():
    # Three of four name a holonym of wall first; the relatum set is building and house.
    found = one("soundness", hol1_wall="building|house room|room building|house")
    assert found == {("wall", None): approx("3/4")}
    found = one("completeness", hol1_wall="building|house room|room building|house")
    assert found == {("wall", None): approx("3/4")}  # (1 + 1/2 + 1/2 + 1)/4


def test_an_annotator_who_typed_nothing_did_not_answer():
    assert one("soundness", hol1_wall="building||room|house") == {("wall", None): approx("2/3")}


def test_an_annotator_is_compared_with_the_rest():
    answers = {"hol1_wall": "building|building|building|house"}
    # Annotators 1 to 3 meet the rest building (2), house (1): the top word, and one of k = 2 words. The fourth meets
    # building alone: nothing in common.
    assert one("prototypicality", **answers) == {
        ("wall", None): approx(Fraction(3, 4) * (Fraction(1, 2) + Fraction(1, 4)))
    }


def test_the_rests_leave_each_annotator_out():
    table = lists(hol1_wall="building|building house|room", hol1_robin="x")
    standards = human_responses(table, GOLD)
    [pooled] = standards["pooled"]
    assert pooled["words"].to_list() == [["building", "house", "room"]]
    assert [rest["words"].to_list() for rest in standards["rest"]] == [
        [["building", "house", "room"]],
        [["building", "room"]],
        [["building", "house"]],
    ]
    assert standards["rest"][0]["weights"].to_list() == [[pytest.approx(1 / 3)] * 3]


def test_every_list_of_a_probe_meets_every_list_of_its_reverse():
    # day is first in 2 of 4 lists, and among two in 3; night is first in 1 of 2.
    answers = {"ant1_night": "day|day x|x day|x", "ant1_day": "night|x y"}
    found = one("symmetry", **answers)
    assert {key[-1]: value for key, value in found.items()} == {
        1: approx("1/4"),
        2: approx("3/8"),
    }  # 2/4 · 1/2, 3/4 · 1/2


@pytest.mark.parametrize(("night", "day"), [("day|day", "|night"), ("|day", "night|night")])
@pytest.mark.parametrize("ties", ["expected", "favourable", "unfavourable", "listed"])
def test_equal_lists_of_annotators_who_answered_other_probes_are_no_ties(night, day, ties):
    found = one("symmetry", Choices(ties=ties, symmetry_k=(1, 2)), ant1_night=night, ant1_day=day)
    assert {key[-1]: value for key, value in found.items()} == {1: 1.0, 2: 1.0}  # both name the other word alone


def test_one_annotator_alone_has_symmetry():
    found = one("symmetry", Choices(symmetry_k=(1,)), ant1_night="day", ant1_day="night")
    assert list(found.values()) == [1.0]


@pytest.mark.parametrize("wanted", [{"soundness"}, {"soundness", "symmetry"}])
def test_only_what_is_asked_for_is_measured(wanted):
    each = each_of(lists(ant1_night="day|x", ant1_day="night"))
    measures = [measure for measure in MEASURES if measure.name in wanted]
    assert set(annotator_metrics(each, Choices(symmetry_k=(1,)), measures)["metric"]) == wanted


@pytest.mark.parametrize("ties", ["expected", "favourable", "unfavourable", "listed"])
def test_a_word_that_several_people_name_at_one_rank_keeps_its_rank_under_every_choice_of_ties(ties):
    # day is first in 2 of 3 lists and second in the third, night first in both. The lists hold no ties.
    answers = {"ant1_night": "day|day x|x day", "ant1_day": "night|night y"}
    found = one("symmetry", Choices(ties=ties, symmetry_k=(1, 2)), **answers)
    assert {key[-1]: value for key, value in found.items()} == {1: approx("2/3"), 2: approx("1")}


@pytest.mark.parametrize("metric", ["soundness", "completeness", "unrelated", "first_related", "misses"])
def test_the_choice_of_ties_changes_nothing_of_one_annotator(metric):
    answers = {"hol1_wall": "building x|building house|x house|y", "hol1_robin": "x|flock"}
    values = [
        one(metric, Choices(ties=ties), **answers) for ties in ("expected", "favourable", "unfavourable", "listed")
    ]
    assert values[0]
    assert values[1:] == values[:1] * 3


def test_the_first_related_word_of_each_list_has_its_relation():
    table = annotator_metrics(each_of(lists(hol1_wall="room|x building|house|y")), Choices(symmetry_k=(1,)))
    row = table.filter(metric="first_related").row(0, named=True)
    assert (row["versus"], row["value"]) == (
        "HOL/HOL/MER",
        pytest.approx(4 / 3),
    )  # ranks 1, 2 and 1; the fourth has none


def test_the_pooled_lists_are_the_responses_of_the_humans():
    table = people_responses(lists(hol1_wall="room|building room|building|building"))
    assert table["words"].to_list() == [["building", "room"]]
    assert table["weights"].to_list() == [[pytest.approx(0.6), pytest.approx(0.4)]]


# Ties


@pytest.mark.parametrize("groups", [(0, 0, 0), (0, 1, 1, 0), (1, 0), (2, 0, 0, 1, 1), ()])
def test_the_expected_common_subsequence_is_the_mean_over_all_orders(groups):
    orders = set()
    for order in itertools.permutations(range(len(groups))):
        if [groups[word] for word in order] == sorted(groups):
            orders.add(order)
    lengths = [
        max(
            size
            for size in range(len(order) + 1)
            if any(list(part) == sorted(part) for part in itertools.combinations(order, size))
        )
        for order in orders
    ]
    assert expected_common(groups) == pytest.approx(sum(lengths) / len(lengths))


def test_all_orders_of_seven_words_are_counted():
    """The lengths of the longest increasing subsequences of the 5,040 orders sum to 17,465 (OEIS A003316)."""
    assert expected_common((0,) * 7) == approx(Fraction(17465, 5040))


def test_too_many_orders_are_drawn_with_a_seed():
    # Ten words in random order: Σ λ₁ f(λ)² / 10! over the partitions λ of 10, f by hook lengths (Schensted 1961), is 4.335.
    assert DRAWS == 1000
    assert expected_common((0,) * 10) == pytest.approx(4.335, abs=0.1)
    expected_common.cache_clear()
    assert expected_common((0,) * 10) == expected_common((0,) * 10)


def test_the_closed_forms_are_means_over_all_orders():
    for n, tied, k, low in [(4, 2, 3, 1), (5, 1, 4, 2), (3, 3, 2, 1), (5, 2, 10, 3), (4, 1, 2, 3)]:
        places = list(itertools.combinations(range(low, low + n), tied))
        ranks = [(min(place) - 1) / k if min(place) <= k else 1 for place in places]
        assert relative_rank(low, low + n - 1, tied, k) == pytest.approx(sum(ranks) / len(ranks))
        none = [min(place) > k for place in places]
        assert none_within(low, low + n - 1, tied, k) == pytest.approx(sum(none) / len(none))


def test_a_response_with_a_word_outside_the_lexicon_is_no_prototype():
    given = responses(hol1_wall="building house", hyp1_robin="bird qqq")
    assert prototypical_probes(given, PROBES, LEXICON, ["HOL", "HYP"])["probe_id"].to_list() == ["hol1:wall"]


def test_the_likeness_to_several_gold_standards_is_their_mean():
    about = {"relation": "HOL", "target": "wall", "prompt_id": "hol1"}
    first = responses(hol1_wall="building house").with_columns(**{key: pl.lit(name) for key, name in about.items()})
    second = responses(hol1_wall="house building").with_columns(**{key: pl.lit(name) for key, name in about.items()})
    table = mean_similarity(responses(hol1_wall="building house"), [first, second])
    assert table["value"].to_list() == [(1 + 1 / 4) / 2]  # another top word, and one of two words in common order: 1/4


def test_too_many_orders_of_a_list_that_is_cut_are_drawn():
    """Ten tied words, of which the first five count, against ten that tie: two random orders of five words."""
    places, low, high = (0,) * 10, (1,) * 10, (10,) * 10
    # Σ λ₁ f(λ)² / 5! over the partitions λ of 5: (5·1 + 4·16 + 3·25 + 3·36 + 2·25 + 2·16 + 1) / 120
    expected = (5 + 64 + 75 + 108 + 50 + 32 + 1) / 120
    assert expected_common_within(places, low, high, 5) == pytest.approx(expected, abs=0.08)
    expected_common_within.cache_clear()
    assert expected_common_within(places, low, high, 5) == expected_common_within(places, low, high, 5)


def test_words_beyond_the_cut_add_nothing_where_orders_are_drawn():
    """The first list ties at the ranks 3 to 12, beyond k, but for one word at rank 1."""
    assert expected_common_within((0,) * 11, (1, *[3] * 10), (1, *[12] * 10), 1) == 1.0
    assert expected_common_within((0,) * 11, (1, *[3] * 10), (1, *[12] * 10), 3) == pytest.approx(1.5, abs=0.05)


def test_of_words_that_tie_across_the_end_of_a_list_none_or_some_are_in_it():
    """The first of two words is certain. Of two that tie at the ranks 2 to 4, one is second with the chance 2/3."""
    assert expected_common_within((0, 1, 1), (1, 2, 2), (1, 4, 4), 2) == approx(Fraction(1, 3) + Fraction(2, 3) * 2)
