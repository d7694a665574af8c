"""How much later the relata of another relation come, per prompt."""

import pytest
from relprobe.studies.relations.analyses.use import use
from relprobe.studies.relations.method import Choices, judge
from relprobe.studies.relations.values import example

from tests.studies.relations.measure.test_metrics import GOLD, responses


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
