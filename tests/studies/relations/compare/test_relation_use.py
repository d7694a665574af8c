"""How much later the relata of another relation come, per prompt."""

import pytest
from relprobe.studies.relations.analyses.use import use
from relprobe.studies.relations.method import Choices, GoldStandard, judge, united_tuples
from relprobe.studies.relations.method import probes as probes_of
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.values import example

from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.measure.test_metrics import GOLD, responses
from tests.studies.relations.six import ONE, SIX


def gaps(table):
    return {
        (row["relation"], row["versus"], row["prompt_id"]): row["value"]
        for row in table.drop_nulls("value").iter_rows(named=True)
    }


def test_a_trick_probe_asks_for_a_relation_too_and_one_depth_counts_for_both():
    one = judge(responses(hol1_wall="x building room", mer1_wall="room building", hyp1_robin="wing bird"), GOLD)
    # robin is asked for hypernyms alone; the first ten words count, though wall has two holonyms and one meronym
    assert gaps(use([one], Choices())) == {
        ("HOL", "MER", "hol1"): pytest.approx(2 / 10 - 1 / 10),
        ("MER", "HOL", "mer1"): pytest.approx(1 / 10 - 0),
    }
    assert gaps(use([one], Choices(k=2))) == {("HOL", "MER", "hol1"): 1 - 1 / 2, ("MER", "HOL", "mer1"): 1 / 2 - 0}


@pytest.mark.parametrize("ties", ["expected", "favourable", "unfavourable", "listed"])
def test_ties_do_not_favour_the_relation_that_is_asked_for(ties):
    tied = responses(hol1_wall="house=room", mer1_wall="house=room")
    assert sum(gaps(use([judge(tied, GOLD, people=True)], Choices(ties=ties))).values()) == 0
    better = responses(hol1_wall="house=room", mer1_wall="room house")
    found = gaps(use([judge(better, GOLD, people=True)], Choices(ties=ties)))
    holonym_contrast = (
        1 / 10 if ties == "listed" else 0
    )  # house and room are at the ranks 1 and 2, each in half of the orders
    assert found == {
        ("HOL", "MER", "hol1"): pytest.approx(holonym_contrast),
        ("MER", "HOL", "mer1"): pytest.approx(1 / 10),
    }


def test_lists_of_several_annotators_are_averaged():
    lists = [example(hyp_robin="bird", mer_robin="wing"), example(hyp_robin="x", mer_robin="bird x wing")]
    # hypernyms: 1 - 0 and 1 - 1; meronyms: 1 - 0 and 0 - 2/10
    assert gaps(use(lists, Choices())) == {
        ("HYP", "MER", "hyp"): 0.5,
        ("MER", "HYP", "mer"): pytest.approx((1 - 2 / 10) / 2),
    }


def test_rows_are_by_target_and_in_the_order_of_the_relations_and_prompts():
    """In the file of relations HYP stands before HPO, whatever was answered first."""
    tuples = united_tuples([gold("robin HYP bird", "bird HYP animal", "day SYN date", "day ANT night")], relations=SIX)
    prompts = [Prompt(name, name[:3].upper(), "[W] [V]", "") for name in ("hyp2", "hyp1", "hpo1", "syn1", "ant1")]
    study = GoldStandard(probes_of(tuples, prompts, ONE, SIX), tuples, tuples, words("robin bird animal day date"), SIX)
    answered = responses(syn1_day="x", hpo1_bird="robin", ant1_day="date", hyp2_bird="animal", hyp1_bird="robin")
    assert use([judge(answered, study)], Choices()).select("target", "relation", "versus", "prompt_id").rows() == [
        ("bird", "HYP", "HPO", "hyp1"),
        ("bird", "HYP", "HPO", "hyp2"),
        ("bird", "HPO", "HYP", "hpo1"),
        ("day", "ANT", "SYN", "ant1"),
        ("day", "SYN", "ANT", "syn1"),
    ]
