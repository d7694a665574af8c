"""Whether an agent uses the relation that it is asked for."""

from fractions import Fraction

import polars as pl
import pytest
from relprobe.core.relation import TUPLES
from relprobe.studies.relations.ask.probes import probes as probes_of
from relprobe.studies.relations.ask.prompts import Prompt
from relprobe.studies.relations.compare.distinguishability.chance import chance
from relprobe.studies.relations.compare.distinguishability.relation_use import use, use_table
from relprobe.studies.relations.data import build
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import answers as beside
from relprobe.studies.relations.measure.example import RELATIONS, example
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.schemas import RELATION_USE, USE

from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.measure.test_metrics import GOLD, responses
from tests.studies.relations.six import ONE, SIX


def gaps(table):
    return {(row["relation"], row["versus"], row["prompt_id"]): row["value"] for row in table.iter_rows(named=True)}


def table_of(**tables):
    found = use_table(tables, dict.fromkeys(tables, "model"), RELATIONS)
    assert found.schema == RELATION_USE
    return found


def contrasts(*values):
    """Return the USE of one target per value, asked for hypernyms and meronyms with a prompt each."""
    rows = [
        (f"w{i}", *row)
        for i, value in enumerate(values)
        for row in (("HYP", "MER", "p", value), ("MER", "HYP", "q", 0.0))
    ]
    return pl.DataFrame(rows, schema=USE, orient="row")


def test_a_trick_probe_asks_for_a_relation_too_and_one_depth_counts_for_both():
    one = beside(responses(hol1_wall="x building room", mer1_wall="room building", hyp1_robin="wing bird"), GOLD)
    # robin is asked for hypernyms alone; the first ten words count, though wall has two holonyms and one meronym
    assert gaps(use([one], Choices())) == {
        ("HOL", "MER", "hol1"): pytest.approx(2 / 10 - 1 / 10),
        ("MER", "HOL", "mer1"): pytest.approx(1 / 10 - 0),
    }
    assert gaps(use([one], Choices(k=2))) == {("HOL", "MER", "hol1"): 1 - 1 / 2, ("MER", "HOL", "mer1"): 1 / 2 - 0}


def test_prompts_are_averaged_within_a_relation_and_pairs_within_a_target():
    rows = [("w", "HYP", "MER", "p1", 0.5), ("w", "HYP", "MER", "p2", 0.1), ("w", "MER", "HYP", "q", 0.2)]
    rows += [("w", "HYP", "ANT", "p1", 0.9), ("w", "HYP", "ANT", "p2", 0.5), ("w", "ANT", "HYP", "r", -0.1)]
    rows += [("v", "HYP", "MER", "p1", 0.0), ("v", "MER", "HYP", "q", 0.1)]
    table = table_of(m=pl.DataFrame(rows, schema=USE, orient="row"))
    found = {row["versus"]: (row["targets"], row["contrast"]) for row in table.iter_rows(named=True)}
    of_mer, of_ant = Fraction(3, 10) + Fraction(2, 10), Fraction(7, 10) - Fraction(1, 10)
    assert found == {
        None: (2, pytest.approx(float(((of_mer + of_ant) / 2 + Fraction(1, 10)) / 2))),
        "MER": (2, pytest.approx(float((of_mer + Fraction(1, 10)) / 2))),
        "ANT": (1, pytest.approx(float(of_ant))),
    }


SYNONYMS = [f"w{i} SYN s{i}" for i in range(20)]
HYPERNYMS = [f"w{i} HYP h{i}" for i in range(8)]
BLIND_TUPLES = build.tuples([gold(*SYNONYMS, *HYPERNYMS)], SIX)
BLIND_WORDS = words(" ".join(f"w{i} s{i} h{i}" for i in range(20)) + " x")
MORE = pl.DataFrame([(f"w{i}", "HYP", f"h{i}", ["wordnet"]) for i in range(8, 20)], schema=TUPLES, orient="row")
BLIND = GoldStandard(
    probes_of(BLIND_TUPLES, [Prompt("syn", "SYN", "", ""), Prompt("hyp", "HYP", "", "")], ONE, SIX),
    pl.concat([BLIND_TUPLES, MORE]),
    BLIND_TUPLES,
    BLIND_WORDS,
    SIX,
)


def test_near_words_whatever_is_asked_are_above_the_chance_of_audc_but_no_use_of_the_relation():
    """Twenty targets are asked for synonyms, and eight of them for hypernyms too; synonyms are nearest to all of them."""
    neighbours = {
        f"{prompt}_w{i}": f"s{i} x h{i}" for prompt in ("syn", "hyp") for i in range(20 if prompt == "syn" else 8)
    }
    one = beside(responses(**neighbours), BLIND)
    area = chance(one, Choices(k=3)).filter(metric="audc").row(0, named=True)
    assert area["value"] > area["chance"]
    table = table_of(neighbours=use([one], Choices()))
    row = table.row(0, named=True)
    assert (row["targets"], row["differ"], row["contrast"], row["p"], row["p_targets"]) == (8, 0, 0.0, 1.0, 1.0)
    assert row["note"] == "the answers about a target are the same, whatever it is asked for"
    assert (row["low"], row["high"]) == (None, None)


@pytest.mark.parametrize("ties", ["expected", "favourable", "unfavourable", "listed"])
def test_ties_do_not_favour_the_relation_that_is_asked_for(ties):
    tied = responses(hol1_wall="house=room", mer1_wall="house=room")
    assert sum(gaps(use([beside(tied, GOLD, people=True)], Choices(ties=ties))).values()) == 0
    better = responses(hol1_wall="house=room", mer1_wall="room house")
    found = gaps(use([beside(better, GOLD, people=True)], Choices(ties=ties)))
    of_holonyms = (
        1 / 10 if ties == "listed" else 0
    )  # house and room are at the ranks 1 and 2, each in half of the orders
    assert found == {("HOL", "MER", "hol1"): pytest.approx(of_holonyms), ("MER", "HOL", "mer1"): pytest.approx(1 / 10)}


def test_lists_of_several_annotators_are_averaged():
    lists = [example(hyp_robin="bird", mer_robin="wing"), example(hyp_robin="x", mer_robin="bird x wing")]
    # hypernyms: 1 - 0 and 1 - 1; meronyms: 1 - 0 and 0 - 2/10
    assert gaps(use(lists, Choices())) == {
        ("HYP", "MER", "hyp"): 0.5,
        ("MER", "HYP", "mer"): pytest.approx((1 - 2 / 10) / 2),
    }


def test_every_two_relations_that_a_target_was_asked_for_are_a_pair():
    codes = RELATIONS.codes
    rows = [("w", one, other, one, 1.0) for one in codes for other in codes if one != other]
    table = table_of(m=pl.DataFrame(rows, schema=USE, orient="row"))
    expected = [(one, other) for place, one in enumerate(codes) for other in codes[place + 1 :]]
    assert len(expected) == len(codes) * (len(codes) - 1) / 2 > 1
    assert table.select("relation", "versus").rows() == [(None, None), *expected]


def test_without_two_relations_there_is_a_row_that_says_so():
    table = table_of(m=use([example(hyp_robin="bird")], Choices()))
    assert table.select("agent", "targets", "contrast", "p", "note").rows() == [
        ("m", 0, None, None, "no target with answers was asked for two relations that it has relata of")
    ]


def test_p_is_one_sided_over_targets_and_adjusted_over_agents():
    up, down = contrasts(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), contrasts(-0.1, -0.2, -0.3, -0.4, -0.5, -0.6)
    table = table_of(up=up, down=down).filter(pl.col("relation").is_null())
    assert table["p_targets"].to_list() == [1 / 2**6, 1.0]
    # one prompt a relation: t is the mean 0.35 over the standard error √(0.175 / 5 / 6), with 5 degrees
    from scipy.stats import t

    p = float(t.sf(0.35 / (0.035 / 6) ** 0.5, 5))
    assert table["p"].to_list() == pytest.approx([p, 1 - p])
    assert table["p_holm"].to_list() == pytest.approx([2 * p, 1 - p])
    assert (
        table["note"].to_list() == ["a relation has one prompt: how much another prompt would change is not known"] * 2
    )


def test_five_targets_have_no_p():
    row = table_of(m=contrasts(1.0, 1.0, 1.0, 1.0, 0.9)).row(0, named=True)
    assert (row["targets"], row["contrast"], row["p"], row["p_targets"], row["p_holm"]) == (
        5,
        pytest.approx(0.98),
        None,
        None,
        None,
    )
    assert row["note"] == "no p: fewer than 6 targets"


def test_a_prompt_that_favours_its_relation_for_all_targets_leaves_the_others_in_doubt():
    """Of three prompts one gives hypernyms: over targets nothing is as certain, over prompts it is one in three."""
    values = {"p1": 0.9, "p2": 0.0, "p3": 0.0, "q1": 0.0, "q2": 0.0, "q3": 0.0}
    rows = [
        (f"w{i}", *(("HYP", "MER") if prompt[0] == "p" else ("MER", "HYP")), prompt, value + i / 100)
        for i in range(12)
        for prompt, value in values.items()
    ]
    row = table_of(m=pl.DataFrame(rows, schema=USE, orient="row")).row(0, named=True)
    assert row["p_targets"] == 1 / 2**12
    assert row["p"] > 0.05


def test_one_list_per_target_has_a_contrast_of_0_in_spite_of_the_noise_of_floats():
    """With seven prompts of a relation and three of the other, sums of sevenths and thirds are 1e-17 and not 0."""
    sides = [("HYP", "MER", [f"p{i}" for i in range(7)], 1), ("MER", "HYP", [f"q{i}" for i in range(3)], -1)]
    rows = [
        (f"w{i}", relation, versus, prompt, sign * (i + 1) / 10)
        for i in range(9)
        for relation, versus, prompts, sign in sides
        for prompt in prompts
    ]
    row = table_of(m=pl.DataFrame(rows, schema=USE, orient="row")).row(0, named=True)
    assert (row["differ"], row["contrast"], row["p"], row["p_targets"], row["low"]) == (0, 0.0, 1.0, 1.0, None)
