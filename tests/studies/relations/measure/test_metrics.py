"""The metrics on a hand-made study; responses are written "bird animal=pet": best first, "=" between equal weights."""

import bisect
import itertools
import math
import os
import random
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from relprobe.sources.lexical.resource import LINKED
from relprobe.studies.relations.lists import LISTS, human_responses
from relprobe.studies.relations.method import Choices, GoldStandard, judge, relata, response_entropy, united_tuples
from relprobe.studies.relations.method import probes as probes_of
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import METRICS, RESPONSES
from relprobe.studies.relations.similarity import similarity
from relprobe.studies.relations.values import all_metrics

from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.six import CODES, ONE, SIX

EXAMPLES = int(os.environ.get("RELPROBE_EXAMPLES", "5"))

PROMPTS = [Prompt(f"{relation.lower()}1", relation, "[W] [V]", "[W] [V]") for relation in CODES]
SECOND = Prompt("hyp2", "HYP", "the [W] [V]", "the [W] [V]")
TUPLES = united_tuples(
    [gold("robin HYP bird", "robin HYP animal", "wall HOL building", "night ANT day", "day SYN date")], relations=SIX
)
LEXICON = words(
    "robin bird animal pet wing feather beak wall building house room night day date x y z hawk dark dusk light"
)
WORDNET = pl.DataFrame(
    [
        (*text.split(), 1)
        for text in ("robin HYP pet", "robin MER wing", "robin MER feather", "wall HOL house", "wall MER room")
    ],
    schema=LINKED,
    orient="row",
)
SETS = relata(TUPLES, WORDNET, LEXICON, SIX)
PROBES = probes_of(TUPLES, [*PROMPTS, SECOND], ONE, SIX)
GOLD = GoldStandard(PROBES, SETS, TUPLES, LEXICON, SIX)


def responses(**answers):
    """Return responses; "hyp1_robin" stands for the probe hyp1:robin, since ":" cannot stand in a Python name."""
    rows = []
    for name, text in answers.items():
        groups = text.split()
        words = [word for group in groups for word in group.split("=")]
        weights = [2.0**-rank for rank, group in enumerate(groups) for _ in group.split("=")]
        rows.append((name.replace("_", ":"), words, weights))
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def compute(answers, choices=None, humans=None, sets=SETS, lexicon=LEXICON, tuples=TUPLES, probes=PROBES):
    gold = GoldStandard(probes, sets, tuples, lexicon, SIX)
    return all_metrics(
        judge(answers, gold, {} if humans is None else human_responses(lists_of(humans), gold), people=True),
        choices or Choices(gold="pooled"),
    )


def lists_of(humans):
    """Return lists of annotators that give the responses `humans` when they are pooled: a word's weight is its share."""
    rows = []
    for probe, names, weights in humans.select("probe_id", "words", "weights").rows():
        smallest = min(weights, default=1)
        for word, weight in zip(names, weights, strict=True):
            rows += [(probe, number, [word]) for number in range(1, round(weight / smallest) + 1)]
    return pl.DataFrame(rows, schema=LISTS, orient="row")


def values(answers, metric, choices=None, humans=None, **more):
    """Return the values of one metric by what tells its units apart."""
    table = compute(answers, choices, humans, **more).filter(metric=metric)
    keys = {
        "distinguishability": ["prompt_id", "target", "versus"],
        "symmetry": ["prompt_id", "target", "relatum", "k"],
        "asymmetry": ["prompt_id", "target", "relatum", "k"],
    }.get(metric, ["prompt_id", "target"])
    found = {row[:-1]: row[-1] for row in table.select(*keys, "value").rows()}
    assert len(found) == table.height
    return found


def one(answer, metric, probe="hyp1_robin", **choices):
    """Return the value of a metric of the only probe that was answered."""
    return list(values(responses(**{probe: answer}), metric, Choices(**choices)).values())


def approx(fraction):
    return pytest.approx(float(Fraction(fraction)))


def test_the_study_is_what_the_tests_below_count_on():
    assert {(row[0], row[1]): None for row in SETS.rows()}.keys() >= {("robin", "HYP"), ("robin", "MER")}
    sizes = {row[:2]: row[2] for row in SETS.group_by("target", "relation").len().rows()}
    assert (sizes["robin", "HYP"], sizes["robin", "MER"], sizes["wall", "HOL"], sizes["wall", "MER"]) == (3, 2, 2, 1)


# Soundness: Precision@1 (Eq. 11)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("bird x", 1),
        ("pet bird", 1),  # WordNet's relata count as the tuples do
        ("x bird animal", 0),
        ("wing bird", 0),  # a relatum, but of another relation
        ("robin bird", 0),  # the target itself
        ("##bird bird", 0),  # a token that starts no word takes up its rank
    ],
)
def test_soundness_looks_at_the_top_word(answer, value):
    assert one(answer, "soundness") == [value]


@pytest.mark.parametrize(
    ("answer", "expected", "favourable", "listed", "unfavourable"),
    [
        ("x=bird y", "1/2", 1, 0, 0),
        ("bird=x y", "1/2", 1, 1, 0),
        ("bird=animal x", 1, 1, 1, 1),
        ("x=bird=y=animal=wing", "2/5", 1, 0, 0),
        ("x=y bird", 0, 0, 0, 0),
    ],
)
def test_soundness_with_ties_at_the_top(answer, expected, favourable, listed, unfavourable):
    assert one(answer, "soundness") == one(answer, "soundness", ties="expected") == [approx(expected)]
    assert one(answer, "soundness", ties="favourable") == [favourable]
    assert one(answer, "soundness", ties="listed") == [listed]
    assert one(answer, "soundness", ties="unfavourable") == [unfavourable]


def test_ties_do_not_reach_into_the_next_response():
    found = values(responses(hyp1_robin="x bird", hyp2_robin="bird x"), "soundness")
    assert found == {("hyp1", "robin"): 0, ("hyp2", "robin"): 1}


# Completeness: Recall@k (Eq. 13)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("bird animal pet x", 1),
        ("pet x bird animal", "2/3"),  # k = |Y| = 3
        ("x y z bird animal pet", 0),
        ("bird wing x animal", "1/3"),
    ],
)
def test_completeness_is_the_share_of_the_relata_among_the_first_k(answer, value):
    assert one(answer, "completeness") == [approx(value)]


@pytest.mark.parametrize(("answer", "cutoff", "relata"), [("bird x", "1/2", "1/3"), ("bird", 1, "1/3"), ("x", 0, 0)])
def test_completeness_of_a_response_shorter_than_the_relatum_set(answer, cutoff, relata):
    assert one(answer, "completeness", recall="cutoff") == [approx(cutoff)]
    assert one(answer, "completeness", recall="relata") == [approx(relata)]


def test_completeness_and_soundness_are_the_same_for_a_single_relatum():
    for answer in ("day", "day x", "x day"):
        assert one(answer, "completeness", "ant1_night") == one(answer, "soundness", "ant1_night")


@pytest.mark.parametrize(
    ("ties", "value"),
    [
        # k = 3; of x y bird animal at ranks 2 to 5, the relata come at 2 and 3, at 4 and 5, at 4 and 5 as listed
        ("expected", "2/3"),  # pet, and each of the other two with 2/4
        ("favourable", 1),
        ("unfavourable", "1/3"),
        ("listed", "1/3"),
    ],
)
def test_completeness_with_ties_across_the_cutoff(ties, value):
    assert one("pet x=y=bird=animal z", "completeness", ties=ties) == [approx(value)]


def test_a_word_that_stands_twice_counts_once():
    assert one("bird bird x", "completeness") == [approx("1/3")]


# Which probes count


def test_every_answered_probe_has_a_row_and_no_other():
    found = values(responses(hyp1_robin="x", hol1_wall="building", ant1_night="day"), "soundness")
    assert found == {("hyp1", "robin"): 0, ("hol1", "wall"): 1, ("ant1", "night"): 1}


def test_trick_probes_are_not_asked_for_relata():
    assert values(responses(hyp1_bird="x"), "soundness") == {}


def test_a_target_whose_relata_are_all_ambiguous_is_left_out():
    wordnet = pl.DataFrame([("night", "SYN", "day", 0)], schema=LINKED, orient="row")
    sets = relata(TUPLES, wordnet, LEXICON, SIX)
    found = values(responses(ant1_night="day", ant1_day="night"), "soundness", sets=sets)
    assert found == {("ant1", "day"): 1}


def test_a_target_whose_tuples_of_the_relation_are_not_in_the_lexicon_is_left_out():
    tuples = united_tuples([gold("robin HYP bird", "robin MER plumage")], SIX)
    found = values(
        responses(hyp1_robin="bird", mer1_robin="wing"),
        "soundness",
        tuples=tuples,
        probes=probes_of(tuples, PROMPTS, ONE, SIX),
        sets=relata(tuples, WORDNET, LEXICON, SIX),  # has wing and feather from WordNet
    )
    assert found == {("hyp1", "robin"): 1}


def test_targets_outside_the_shared_lexicon_have_no_metric_at_all():
    lexicon = LEXICON.filter(pl.col("word") != "night")
    answers = responses(ant1_night="day x", ant1_day="night x", syn1_day="date")
    sets = relata(TUPLES, WORDNET, lexicon, SIX)
    humans = responses(ant1_night="day light", ant1_day="light", syn1_day="date")
    found = compute(answers, humans=humans, sets=sets, lexicon=lexicon)
    assert set(found["target"]) == {"day"}
    assert set(found["relation"]) == {"SYN"}


def test_the_tables_schema():
    found = compute(responses(hyp1_robin="bird"), humans=responses(hyp1_robin="bird pet"))
    assert found.schema == METRICS


def test_an_agent_without_responses_has_no_values():
    assert compute(responses(), humans=responses(hyp1_robin="bird pet")).height == 0


# Distinguishability: δ(w, p, s) (Eq. 24)


def deltas(answer, probe="hyp1_robin", **choices):
    found = values(responses(**{probe: answer}), "distinguishability", Choices(**choices))
    return {versus: value for (_, _, versus), value in found.items()}


@pytest.mark.parametrize(
    ("answer", "hyp", "mer"),
    [
        ("bird animal pet wing", 0, 1),  # k = |Y^HYP| = 3: wing is outside
        ("x bird wing", "1/3", "2/3"),
        ("wing x pet", "2/3", 0),
        ("x y z bird wing", 1, 1),
        ("x", 1, 1),
    ],
)
def test_the_best_relatum_of_each_relation_by_its_relative_rank(answer, hyp, mer):
    assert deltas(answer) == {"HYP": approx(hyp), "MER": approx(mer)}


@pytest.mark.parametrize(
    ("answer", "hyp", "mer"),
    [
        ("bird animal pet wing", "3/9", 1),  # (0 + 1/3 + 2/3)/3, (1 + 1)/2
        ("x bird wing", "7/9", "5/6"),  # (1/3 + 1 + 1)/3, (2/3 + 1)/2
        ("wing feather bird", "8/9", "1/6"),  # (2/3 + 1 + 1)/3, (0 + 1/3)/2
        ("x y z", 1, 1),
    ],
)
def test_the_mean_over_the_relata_as_the_equation_is_printed(answer, hyp, mer):
    assert deltas(answer, rank="mean") == {"HYP": approx(hyp), "MER": approx(mer)}


def test_a_depth_of_ones_own():
    assert deltas("x y z bird wing", k=10) == {"HYP": approx("3/10"), "MER": approx("4/10")}
    assert deltas("x y z bird wing", k=10, rank="mean") == {"HYP": approx("23/30"), "MER": approx("14/20")}


@pytest.mark.parametrize(
    ("ties", "hyp", "mer"),
    [
        ("expected", "1/3", "1/3"),  # (0 + 1/3 + 2/3)/3 for both, whichever of the three comes first
        ("favourable", 0, "2/3"),  # bird x wing
        ("unfavourable", "2/3", "1/3"),  # x wing bird
        ("listed", "1/3", "2/3"),  # x bird wing
    ],
)
def test_ties_favour_the_prompted_relation_and_leave_the_others_as_listed(ties, hyp, mer):
    assert deltas("x=bird=wing y", ties=ties) == {"HYP": approx(hyp), "MER": approx(mer)}


def test_the_mean_ranks_tied_relata_one_after_the_other():
    # bird and animal of four equals: ranks 1 and 2 or 4 and 3, at a depth of 4
    assert deltas("x=bird=animal=y", rank="mean", k=4)["HYP"] == approx("7/12")  # (3/8 + 3/8 + 1)/3
    assert deltas("x=bird=animal=y", rank="mean", k=4, ties="favourable")["HYP"] == approx("5/12")  # (0 + 1/4 + 1)/3
    assert deltas("x=bird=animal=y", rank="mean", k=4, ties="unfavourable")["HYP"] == approx("9/12")


@pytest.mark.parametrize(
    ("answer", "k", "hyp", "mer"),
    [
        # the first of two of four words is at 1, 2, 3 in 3, 2, 1 of 6 orders; one of four at 1, 2, 3, 4 in 1 each
        ("x=bird=animal=wing", 4, "1/6", "3/8"),  # (0·3 + 1·2 + 2·1)/(6·4) and (0 + 1 + 2 + 3)/(4·4)
        # within k = 2: rank 3 counts as absent
        ("x=bird=animal=wing", 2, "1/3", "5/8"),  # (0·3 + 1/2·2 + 1)/6 and (0 + 1/2 + 1 + 1)/4
        # y comes first; the three tie at 2 to 4
        ("y x=bird=wing", 4, "1/2", "1/2"),  # (1 + 2 + 3)/(3·4)
    ],
)
def test_the_best_of_tied_relata_by_the_expected_value_over_all_orders(answer, k, hyp, mer):
    assert deltas(answer, k=k) == {"HYP": approx(hyp), "MER": approx(mer)}


def test_relations_without_relata_of_the_target_are_not_compared():
    assert set(deltas("building", "hol1_wall")) == {"HOL", "MER"}
    assert set(deltas("day", "ant1_night")) == {"ANT"}


# Symmetry and asymmetry: μ and α (Eq. 1 and 2)


def test_symmetry_needs_both_ways_and_counts_a_pair_once():
    choices = Choices(symmetry_k=(1, 2))
    both = values(responses(ant1_night="day x", ant1_day="x night"), "symmetry", choices)
    assert both == {("ant1", "day", "night", 1): 0, ("ant1", "day", "night", 2): 1}
    neither = values(responses(ant1_night="day x", ant1_day="x y"), "symmetry", choices)
    assert set(neither.values()) == {0}


@pytest.mark.parametrize(
    ("ties", "value"), [("expected", 1 / 2), ("favourable", 1), ("unfavourable", 0), ("listed", 0)]
)
def test_symmetry_with_ties(ties, value):
    choices = Choices(ties=ties, symmetry_k=(1,))
    found = values(responses(ant1_night="x=day", ant1_day="night"), "symmetry", choices)
    assert set(found.values()) == {value}


def test_symmetry_of_two_tied_responses_multiplies_their_probabilities():
    answers = responses(ant1_night="x=day=y", ant1_day="x=night=y=z")
    found = values(answers, "symmetry", Choices(symmetry_k=(1, 2, 3)))
    assert {key[-1]: value for key, value in found.items()} == {1: approx("1/12"), 2: approx("1/3"), 3: approx("3/4")}


def test_symmetry_needs_answers_to_both_probes():
    assert values(responses(ant1_night="day"), "symmetry") == {}


def test_symmetry_looks_for_the_word_of_the_tuple_though_it_is_ambiguous():
    wordnet = pl.DataFrame([("night", "SYN", "day", 0)], schema=LINKED, orient="row")
    sets = relata(TUPLES, wordnet, LEXICON, SIX)
    found = values(responses(ant1_night="day", ant1_day="night"), "symmetry", Choices(symmetry_k=(1,)), sets=sets)
    assert found == {("ant1", "day", "night", 1): 1}


def test_symmetry_counts_a_word_of_two_relatum_sets_once():
    both_ways = [("night", "SYN", "day", ["own"]), ("day", "SYN", "night", ["own"])]
    sets = pl.concat([SETS, pl.DataFrame(both_ways, schema=SETS.schema, orient="row")])
    found = values(responses(ant1_night="day", ant1_day="night"), "symmetry", Choices(symmetry_k=(1,)), sets=sets)
    assert list(found.values()) == [1.0]


def test_pairs_that_share_a_word_are_one_cluster_of_symmetry():
    tuples = united_tuples(
        [gold("night ANT day", "light ANT day", "hawk ANT dusk", "robin SYN day", "robin HYP bird")], SIX
    )
    probes = probes_of(tuples, PROMPTS, ONE, SIX)
    sets = relata(tuples, WORDNET.clear(), LEXICON, SIX)
    said = {
        f"{p}1_{w}": "x"
        for p in ("ant", "syn", "hyp")
        for w in ["night", "day", "light", "hawk", "dusk", "robin", "bird"]
    }
    found = compute(responses(**said), Choices(symmetry_k=(1,)), tuples=tuples, probes=probes, sets=sets)
    pairs = found.filter(metric="symmetry").select("relation", "target", "relatum", "cluster").rows()
    assert set(pairs) == {
        ("ANT", "day", "night", "day"),
        ("ANT", "day", "light", "day"),
        ("ANT", "dusk", "hawk", "dusk"),
        ("SYN", "day", "robin", "day"),  # the clusters of a relation are its own
    }
    assert found.filter(metric="asymmetry").select("target", "cluster").rows() == [("robin", None)]


@pytest.mark.parametrize(
    ("forward", "backward", "value"),
    [
        ("bird x", "x y", 1),
        ("bird x", "robin x", 0),
        ("x y", "x y", 0),
        ("x y", "robin x", 0),
        ("bird x", "x robin", 1),
    ],
)
def test_asymmetry_is_found_forward_and_not_backward(forward, backward, value):
    found = values(responses(hyp1_robin=forward, hyp1_bird=backward), "asymmetry", Choices(symmetry_k=(1,)))
    assert found == {("hyp1", "robin", "bird", 1): value}


def test_asymmetry_with_ties_takes_the_probability_that_the_word_is_not_there():
    found = values(responses(hyp1_robin="x=bird", hyp1_bird="x=robin=y"), "asymmetry", Choices(symmetry_k=(1, 2)))
    assert [found["hyp1", "robin", "bird", k] for k in (1, 2)] == [approx("1/3"), approx("1/3")]


def test_asymmetry_at_several_depths():
    found = values(responses(hyp1_robin="x bird", hyp1_bird="x y robin"), "asymmetry", Choices(symmetry_k=(1, 2, 3)))
    assert [found["hyp1", "robin", "bird", k] for k in (1, 2, 3)] == [0, 1, 0]


def test_asymmetry_counts_per_prompt():
    answers = responses(hyp1_robin="bird", hyp1_bird="x", hyp2_robin="bird", hyp2_bird="robin")
    found = values(answers, "asymmetry", Choices(symmetry_k=(1,)))
    assert found == {("hyp1", "robin", "bird", 1): 1, ("hyp2", "robin", "bird", 1): 0}


def test_a_relatum_that_is_a_target_of_the_relation_too_is_asked_by_its_main_probe():
    tuples = united_tuples([gold("robin HYP bird", "bird HYP animal")], SIX)
    probes = probes_of(tuples, PROMPTS, ONE, SIX)
    assert probes.filter(probe_id="hyp1:bird")["kind"].to_list() == ["main"]
    found = values(
        responses(hyp1_robin="bird", hyp1_bird="robin", hyp1_animal="x"),
        "asymmetry",
        Choices(symmetry_k=(1,)),
        tuples=tuples,
        probes=probes,
        sets=relata(tuples, WORDNET, LEXICON, SIX),
    )
    assert found == {("hyp1", "robin", "bird", 1): 0, ("hyp1", "bird", "animal", 1): 0}


def test_agents_that_were_asked_no_trick_probes_have_no_asymmetry():
    assert values(responses(hyp1_robin="bird", hpo1_bird="robin"), "asymmetry") == {}


def test_symmetry_and_asymmetry_belong_to_their_relations():
    answers = responses(
        hyp1_robin="bird", hyp1_bird="x", hol1_wall="building", hol1_building="x", ant1_night="day", ant1_day="night"
    )
    found = compute(answers)
    assert set(found.filter(metric="symmetry")["relation"]) == {"ANT"}
    assert set(found.filter(metric="asymmetry")["relation"]) == {"HYP", "HOL"}


# Response entropy (Eq. 19)


@pytest.mark.parametrize(
    ("counts", "entropy"),
    [
        ([4], 0),
        ([1, 1], 1),
        ([2, 2, 2, 2], 1),
        ([3, 1], 2 - 0.75 * math.log2(3)),
        ([2, 1, 1], 1.5 / math.log2(3)),
        ([1], 0),
    ],
)
def test_response_entropy_is_normalised_by_the_number_of_words(counts, entropy):
    total = sum(counts)
    humans = pl.DataFrame(
        [("p:w", [f"w{i}" for i in range(len(counts))], [count / total for count in counts])],
        schema=RESPONSES,
        orient="row",
    )
    found = response_entropy(humans)
    assert found["entropy"].to_list() == [pytest.approx(entropy, abs=1e-6)]
    assert found["words"].to_list() == [len(counts)]


# Prototypicality: ρ (Eq. 20 and 21)


def rho(answer, human, probe="hol1_wall"):
    return list(values(responses(**{probe: answer}), "prototypicality", humans=responses(**{probe: human})).values())


HUMAN = "building house room x"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (HUMAN, 1),
        ("building room house y", "1/2 + 1/4"),  # common: building, room (or house) of 4
        ("room building house x", "3/8"),  # not the top word; common: building, house, x
        ("room house building y", "1/8"),
        ("y z dusk light building house room x", 0),  # k = 4: what comes later does not count
        ("building", "1/2 + 1/8"),
        ("building y house z room x", "1/2 + 1/4"),
    ],
)
def test_half_for_the_top_word_and_half_for_the_edit_similarity(answer, value):
    assert rho(answer, HUMAN) == [approx(sum(map(Fraction, str(value).split(" + "))))]


def test_the_papers_example_prefers_the_ranking_that_keeps_building_before_home():
    human = "building night house room"  # "night" stands in for "home"
    [better], [worse] = rho("room building night house", human), rho("room house night building", human)
    assert better == approx("3/8")
    assert worse == approx("1/8")


@pytest.mark.parametrize(
    ("answer", "human", "value"),
    [
        # half for the top word in 1 of 2 orders; 3 or 2 of 3 words in common order
        ("house building x", "building=house x", "1/4 + 5/12"),
        ("building house x", "building=house x", "1/4 + 5/12"),
        # the top word is certain; of 6 orders of three words 1 has 3 in order, 4 have 2, 1 has 1: 2 on average
        ("building house room night", "building house=room=night", "1/2 + 3/8"),
        # what is in common are a word of either tie, in the order of the ties
        ("house night", "building=house room=night", "1/4 + 2/8"),
        # and against it
        ("night house", "building=house room=night", "1/8"),
    ],
)
def test_ties_of_the_humans_count_by_the_expected_value_over_their_orders(answer, human, value):
    assert rho(answer, human) == [approx(sum(map(Fraction, value.split(" + "))))]


def test_a_word_that_ties_further_down_is_no_top_word():
    assert rho("house y z", "building house=x") == [approx("1/6")]


@pytest.mark.parametrize(
    ("human", "probe", "counts"),
    [
        ("building house", "hol1_wall", True),
        ("building", "hol1_wall", True),  # one word only: entropy 0
        ("building=house", "hol1_wall", False),  # entropy 1: no prototype
        ("building outbuilding", "hol1_wall", False),  # a word outside the shared lexicon
        ("room x", "mer1_building", False),  # meronymy shows no prototypicality
        ("robin x", "hpo1_bird", False),
        ("night x", "ant1_day", True),
        ("day x", "syn1_date", True),
    ],
)
def test_which_human_responses_are_a_gold_standard(human, probe, counts):
    assert len(rho("x", human, probe)) == int(counts)


def test_without_any_gold_standard_there_is_no_prototypicality():
    assert rho("x", "building=house") == []
    assert values(responses(hol1_wall="x"), "prototypicality") == {}


def test_humans_are_not_compared_with_themselves():
    table = all_metrics(
        judge(responses(hol1_wall="building house"), GOLD, people=True),
        Choices(),
    )
    assert set(table["metric"]) >= {"soundness", "completeness"}
    assert "prototypicality" not in set(table["metric"])


def test_a_models_ties_are_never_favourable():
    answers = judge(responses(hyp1_robin="x=bird y"), GOLD)
    for ties in ("favourable", "unfavourable", "listed", "expected"):
        table = all_metrics(answers, Choices(ties=ties))
        assert table.filter(metric="soundness")["value"].to_list() == [1 / 2]


def test_responses_of_several_lengths_do_not_mix():
    humans = responses(hol1_wall="building house room x", ant1_night="day")
    answers = responses(hol1_wall="building y house z", ant1_night="day light x y", ant1_day="x")
    found = values(answers, "prototypicality", humans=humans)
    assert found == {("hol1", "wall"): approx("3/4"), ("ant1", "night"): 1}


# Whatever the study


NAMES = [f"w{i}" for i in range(7)]
PAIRS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(CODES), st.sampled_from(NAMES)).filter(lambda t: t[0] != t[2]),
    min_size=1,
    max_size=12,
)


@st.composite
def studies(draw):
    tuples = united_tuples([gold(*(" ".join(pair) for pair in draw(PAIRS)))], relations=SIX)
    lexicon = pl.DataFrame({"word": sorted(set(NAMES) - draw(st.sets(st.sampled_from(NAMES), max_size=1)))})
    sets = relata(tuples, WORDNET, lexicon, SIX)
    probes = probes_of(tuples, PROMPTS, ONE, SIX)
    return tuples, lexicon, sets, probes


@st.composite
def answers(draw, probes):
    order = st.permutations([*NAMES, "other"])
    marks = st.lists(st.sampled_from(" ="), min_size=8, max_size=8)
    return responses(
        **{
            name.replace(":", "_"): "".join(map("".join, zip(draw(order), draw(marks), strict=True))).strip(" =")
            for name in probes["probe_id"]
        }
    )


CHOICES = st.builds(
    Choices,
    ties=st.sampled_from(["favourable", "unfavourable", "listed"]),
    recall=st.sampled_from(["cutoff", "relata"]),
    rank=st.sampled_from(["best", "mean"]),
    k=st.integers(0, 3),
    symmetry_k=st.sampled_from([(1,), (1, 3)]),
)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.data())
def test_every_value_lies_between_0_and_1_and_no_unit_stands_twice(data):
    tuples, lexicon, sets, probes = data.draw(studies())
    given_answers = data.draw(answers(probes))
    found = compute(given_answers, data.draw(CHOICES), given_answers, sets, lexicon, tuples, probes)
    assert found["value"].null_count() == 0
    assert found.filter(pl.col("metric") != "first_related")["value"].is_between(0, 1).all()
    assert found.drop("value").is_duplicated().sum() == 0


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.data())
def test_no_order_of_tied_answers_changes_a_value(data):
    """Where ties count by their expected value; people's gold standard may tie as well."""
    tuples, lexicon, sets, probes = data.draw(studies())
    listed, humans = data.draw(answers(probes)), data.draw(answers(probes))
    choices = replace(data.draw(CHOICES), ties="expected", gold="pooled")
    others = [data.draw(st.randoms(use_true_random=False)) for _ in range(2)]
    turned, people = (shuffled(table, chance) for table, chance in zip((listed, humans), others, strict=True))
    first, second = (
        compute(one, choices, gold, sets, lexicon, tuples, probes).sort(METRICS.names())
        for one, gold in ((listed, humans), (turned, people))
    )
    key = [name for name in METRICS if name != "value"]
    assert_frame_equal(first.sort(key), second.sort(key), abs_tol=1e-12, check_row_order=False)


def shuffled(table, chance):
    """Return responses whose words of equal weight stand in another order."""
    rows = []
    for probe, names, weights in table.rows():
        pairs = sorted(zip(names, weights, strict=True), key=lambda pair: (-pair[1], chance.random()))
        rows.append((probe, [name for name, _ in pairs], weights))
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.data())
def test_similarity_is_the_mean_over_all_orders_of_tied_words(data):
    names = ["a", "b", "c", "d", "e"]
    text = "".join(map("".join, zip(data.draw(st.permutations(names)), data.draw(MARKS), strict=True))).strip(" =")
    human = data.draw(st.sampled_from(["a=b c=d", "a b=c=d", "c b a", "e=d a", "b x=a"]))
    orders = [" ".join(order) for order in itertools.product(*_orders_of(text))]
    tied, *each = similarities([text, *orders], human)
    assert tied == pytest.approx(sum(each) / len(each))


def similarities(answers, human):
    """Return the similarity of each of some answers to the same human response."""
    human_responses = responses(**{f"p{number}": human for number in range(len(answers))})
    human_responses = human_responses.with_columns(relation=pl.lit("HYP"), target="probe_id", prompt_id=pl.lit("p"))
    found = similarity(responses(**{f"p{number}": text for number, text in enumerate(answers)}), human_responses)
    values_of = dict(found.select("target", "value").iter_rows())
    return [values_of[f"p{number}"] for number in range(len(answers))]


MARKS = st.lists(st.sampled_from(" ="), min_size=5, max_size=5)


def _orders_of(text):
    """Return, for each group of tied words, all its orders."""
    return [[" ".join(order) for order in itertools.permutations(group.split("="))] for group in text.split()]


def test_many_tied_answers_are_drawn_and_no_order_of_them_changes_the_value():
    names = list("abcdefghij")
    human = "=".join(names[:8]) + " " + "=".join(names[8:])
    one, other = similarities(["=".join(names), "=".join(names[::-1])], human)
    assert one == other
    # A top word is first in 8 of 10 orders, and is that of the humans in 1 of 8.
    assert one == pytest.approx((1 / 10 + expected_in_common(8, 2)) / 2, abs=0.01)


def expected_in_common(*groups, draws=4000):
    """Return the mean longest common subsequence of two orders, by another way: of a random order, the longest run."""
    chance = random.Random(2)
    total = 0
    for _ in range(draws):
        second = [(group, chance.random()) for group, size in enumerate(groups) for _ in range(size)]
        chance.shuffle(second)
        piles = []
        for one in second:  # patience sorting
            place = bisect.bisect_left(piles, one)
            piles[place : place + 1] = [one]
        total += len(piles)
    return total / draws / sum(groups)


def by_target(sets):
    return sets.group_by("target", "relation").agg("relatum")


@settings(deadline=None, max_examples=max(20, EXAMPLES))
@given(studies())
def test_a_perfect_agent_gets_1(study):
    tuples, lexicon, sets, probes = study
    right = {(target, relation): "=".join(words) for target, relation, words in by_target(sets).rows()}
    perfect = responses(
        **{
            name.replace(":", "_"): right.get((target, relation), "none") if kind == "main" else "none"
            for name, target, relation, kind in probes.select("probe_id", "target", "relation", "kind").rows()
        }
    )
    found = compute(perfect, Choices(ties="favourable", gold="pooled"), perfect, sets, lexicon, tuples, probes)
    one_each = found.filter(pl.col("metric").is_in(["soundness", "completeness", "prototypicality"]))
    assert (one_each["value"] == 1).all()
    ranks = found.filter(metric="distinguishability")
    assert (ranks.filter(pl.col("relation") == pl.col("versus"))["value"] == 0).all()
    assert (ranks.filter(pl.col("relation") != pl.col("versus"))["value"] == 1).all()
    unambiguous = sets.select("target", "relation", "relatum")
    both = found.filter(pl.col("metric").is_in(["symmetry", "asymmetry"])).join(
        unambiguous, on=["target", "relation", "relatum"], how="semi"
    )
    reverse = both.filter(metric="symmetry").join(
        unambiguous.select(relatum="target", relation="relation", target="relatum"),
        on=["target", "relation", "relatum"],
        how="semi",
    )
    assert (reverse["value"] == 1).all()
    assert (both.filter(metric="asymmetry")["value"] == 1).all()
