"""D(r, s) and AuDC beside those of chance."""

import numpy as np
import polars as pl
import pytest
from relprobe.studies.relations.analyses.chance import _targets, chance, chance_table
from relprobe.studies.relations.method import Choices, GoldStandard, distances, judge, rank_gaps
from relprobe.studies.relations.schemas import CHANCE, CHANCE_TABLE
from relprobe.studies.relations.values import all_metrics, example

from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.measure.test_metrics import GOLD, responses
from tests.studies.relations.measure.test_relation_pairs import counted

ANSWERS = responses(
    hyp1_robin="x=bird=wing animal", hyp2_robin="feather pet", hol1_wall="room=house building", ant1_night="day date"
)

TIED = responses(
    hyp1_robin="x=bird=wing=animal pet", hyp2_robin="wing=feather=pet=bird", hol1_wall="house=room=building"
)


def compare(choices, answers=ANSWERS, *, people=False, **more):
    given = judge(answers, GOLD, people=people)
    return given, chance(given, choices, **more)


@pytest.mark.parametrize("ties", ["expected", "favourable", "unfavourable", "listed"])
@pytest.mark.parametrize("rank", ["best", "mean"])
@pytest.mark.parametrize("k", [0, 4])
@pytest.mark.parametrize("people", [True, False])
@pytest.mark.parametrize("answers", [ANSWERS, TIED], ids=["one relatum", "several relata"])
def test_the_distances_are_those_of_the_metrics(ties, rank, k, people, answers):
    """Of models and controls ties were taken as listed: majority's AuDC was 2.217 here, and 2.065 in the averages.

    Of the words that tie, one is a relatum of the prompted relation, or several are.
    """
    choices = Choices(ties=ties, rank=rank, k=k)
    given, table = compare(choices, answers, people=people, draws=2)
    assert table.schema == CHANCE
    expected = distances(rank_gaps(all_metrics(given, choices)).with_columns(agent=pl.lit("m")))
    found = {
        row[:2]: row[2]
        for row in table.filter(metric="distinguishability").select("relation", "versus", "value").rows()
    }
    assert found == {row[:2]: pytest.approx(row[2]) for row in expected.select("relation", "versus", "value").rows()}
    assert set(found) == {("HYP", "MER"), ("HOL", "MER")}
    assert table.filter(metric="audc")["value"].item() == pytest.approx(sum(found.values()))


def test_the_relations_are_dealt_out_to_the_relata_of_each_target():
    # of building, house and room, two are holonyms; the first of three words in the response is one of these in 2 of 3 deals
    _, table = compare(Choices(k=3), responses(hol1_wall="building house room"), draws=2000)
    value, mean, p = table.filter(metric="audc").select("value", "chance", "p").row(0)
    # the meronym comes third: 2/3 - 0; second: 1/3 - 0; first: 0 - 1/3
    assert value == pytest.approx(2 / 3)
    assert mean == pytest.approx((2 / 3 + 1 / 3 - 1 / 3) / 3, abs=0.03)
    assert p == pytest.approx(1 / 3, abs=0.03)


def test_the_chance_is_that_of_500_deals():
    _, table = compare(Choices(k=3), responses(hol1_wall="building house room"))
    as_much = table.filter(metric="audc")["p"].item() * 501 - 1
    assert as_much == pytest.approx(round(as_much))
    assert 100 < as_much < 240


def test_more_relata_of_the_prompted_relation_are_no_knowledge_of_it():
    # robin has three hypernyms and two meronyms; a single related word is a hypernym in 3 of 5 deals
    _, table = compare(Choices(k=2), responses(hyp1_robin="bird x"), draws=2000)
    value, mean, p = table.filter(metric="audc").select("value", "chance", "p").row(0)
    assert (value, mean, p) == (1.0, pytest.approx(3 / 5 - 2 / 5, abs=0.05), pytest.approx(3 / 5, abs=0.03))


def test_an_agent_without_distances_has_no_rows():
    assert compare(Choices(), responses(ant1_night="day"))[1].is_empty()
    assert compare(Choices(), responses())[1].schema == CHANCE


def test_a_target_counts_once_for_each_relation_in_which_it_has_relata():
    # The target a is asked under two prompts; b has no relatum of the second relation.
    units = pl.DataFrame({"relation": ["HYP", "HYP", "HYP", "MER"], "target": ["a", "a", "b", "c"]})
    sizes = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 0.0], [0.0, 1.0]])
    assert _targets(units, sizes, np.array([0, 0, 0, 1])).tolist() == [[2, 1], [0, 1]]


def test_a_word_of_two_relations_counts_for_both():
    """Bird is a hypernym of robin and, in a relation that may share words, an antonym."""
    answer = example(hyp_robin="bird wing")
    sets = pl.concat([answer.relata, gold("robin ANT bird")])
    lexicon = words("robin bird animal wing")
    one = judge(answer.responses, GoldStandard(answer.probes, sets, sets, lexicon, answer.relations))
    hits = one.hits.select("word", "versus").sort("word", "versus")
    assert hits.rows() == [("bird", "ANT"), ("bird", "HYP"), ("wing", "MER")]
    values = all_metrics(one, Choices(k=4))
    apart = values.filter(metric="distinguishability").select("versus", "value")
    assert sorted(apart.iter_rows()) == [("ANT", 0.0), ("HYP", 0.0), ("MER", 0.25)]
    assert values.filter(metric="soundness")["value"].to_list() == [1.0]
    assert set(chance(one, Choices())["metric"]) == {"distinguishability", "audc"}


def test_chance_has_targets_and_no_p_of_a_pair_that_does_not_count():
    one = example(hyp_robin="bird animal x")
    table = chance(one, Choices(), counted("HYP MER"))
    assert table.select("metric", "pairs", "targets").rows() == [("distinguishability", None, 1), ("audc", 1, 1)]
    assert table["p"].null_count() == 0
    none = chance(one, Choices(), counted())
    assert none.select("metric", "p").rows() == [("distinguishability", None)]


def test_ps_of_chance_are_adjusted_over_the_distances_of_an_agent_and_apart_from_these_its_audc():
    rows = [("distinguishability", 0.01), ("distinguishability", 0.03), ("distinguishability", None), ("audc", 0.04)]
    table = pl.DataFrame([{"metric": metric, "p": p} for metric, p in rows], schema=CHANCE)
    found = chance_table({"a": table, "b": table, "c": table}, {"a": "model", "b": "model", "c": "control"})
    assert found.schema == CHANCE_TABLE
    for name in "abc":  # two distances: 2 · .01, then .03; no other agent counts
        assert found.filter(agent=name)["p_holm"].to_list() == [0.02, 0.03, None, 0.04]
    assert found["agent"].to_list() == [*"aaaabbbbcccc"]
