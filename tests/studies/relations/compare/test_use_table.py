"""The contrasts of the use of a relation, their tests, and the control that stands beside each."""

import dataclasses
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from relprobe.core.relation import TUPLES
from relprobe.studies.relations.analyses.chance import chance
from relprobe.studies.relations.analyses.use import PLAIN, THIS_TARGET, use, use_table
from relprobe.studies.relations.method import Choices, GoldStandard, judge, united_tuples
from relprobe.studies.relations.method import probes as probes_of
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.schemas import RELATION_USE, USE
from relprobe.studies.relations.values import RELATIONS, example

from benchmarks.relation_use import Agent, Study
from benchmarks.relation_use import answers as answers_of
from benchmarks.relation_use import contrasts as contrasts_of
from benchmarks.relation_use import tested as result_of
from tests.studies.relations.compare.blind import agent, listed, shuffled, study
from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.measure.test_metrics import responses
from tests.studies.relations.six import ONE, SIX

NO_RELATA = pl.DataFrame(schema=TUPLES)
"""So that no targets are linked."""


def table_of(measure=PLAIN, relata=NO_RELATA, kinds=None, relations=RELATIONS, **tables):
    found = use_table(tables, kinds or dict.fromkeys(tables, "model"), relations, relata)
    assert found.schema == RELATION_USE
    return found.filter(measure=measure)


def use_of(*rows):
    """Return the USE of some rows; those without a number for `others` have none."""
    return pl.DataFrame([row if len(row) == len(USE) else (*row, None) for row in rows], schema=USE, orient="row")


def contrasts(*values, others=None):
    """Return the USE of one target per value, asked for hypernyms and meronyms with a prompt each."""
    rows = []
    for i, value in enumerate(values):
        other_value = None if others is None else others[i]
        rows += [(f"w{i}", "HYP", "MER", "p", value, other_value), (f"w{i}", "MER", "HYP", "q", 0.0, others and 0.0)]
    return use_of(*rows)


def whole(table):
    return table.filter(pl.col("relation").is_null())


def test_prompts_are_averaged_within_a_relation_and_pairs_within_a_target():
    rows = [("w", "HYP", "MER", "p1", 0.5), ("w", "HYP", "MER", "p2", 0.1), ("w", "MER", "HYP", "q", 0.2)]
    rows += [("w", "HYP", "ANT", "p1", 0.9), ("w", "HYP", "ANT", "p2", 0.5), ("w", "ANT", "HYP", "r", -0.1)]
    rows += [("v", "HYP", "MER", "p1", 0.0), ("v", "MER", "HYP", "q", 0.1)]
    table = table_of(m=use_of(*rows))
    found = {row["versus"]: (row["targets"], row["contrast"]) for row in table.iter_rows(named=True)}
    mer_contrast, ant_contrast = Fraction(3, 10) + Fraction(2, 10), Fraction(7, 10) - Fraction(1, 10)
    assert found == {
        None: (2, pytest.approx(float(((mer_contrast + ant_contrast) / 2 + Fraction(1, 10)) / 2))),
        "MER": (2, pytest.approx(float((mer_contrast + Fraction(1, 10)) / 2))),
        "ANT": (1, pytest.approx(float(ant_contrast))),
    }


def test_what_the_answers_about_other_targets_give_is_taken_off():
    """The target v was not asked p2, which counts for the others all the same: 0.4 - (0.1 + 0.3) and 0.2 - 0.1."""
    rows = [
        ("w", "HYP", "MER", "p1", 0.5, 0.1),
        ("w", "HYP", "MER", "p2", 0.1, 0.0),
        ("w", "MER", "HYP", "q", 0.2, 0.1),
    ]
    rows += [
        ("v", "HYP", "MER", "p1", 0.4, 0.1),
        ("v", "HYP", "MER", "p2", None, 0.3),
        ("v", "MER", "HYP", "q", 0.2, 0.1),
    ]
    row = whole(table_of(THIS_TARGET, m=use_of(*rows))).row(0, named=True)
    contrast_of_w, contrast_of_v = (0.3 - 0.1) + (0.2 - 0.1), (0.4 - 0.4) + (0.2 - 0.1)
    assert (row["targets"], row["contrast"]) == (2, pytest.approx((contrast_of_w + contrast_of_v) / 2))
    assert whole(table_of(m=use_of(*rows)))["contrast"].item() == pytest.approx((0.5 + 0.6) / 2)


def test_a_target_without_others_counts_for_the_plain_contrast_alone():
    rows = [("w", "HYP", "MER", "p", 0.5, None), ("w", "MER", "HYP", "q", 0.2, None)]
    assert whole(table_of(THIS_TARGET, m=use_of(*rows))).select("targets", "contrast", "note").rows() == [
        (0, None, "no target with answers shares two relations that it was asked for with another one")
    ]
    assert whole(table_of(m=use_of(*rows)))["targets"].item() == 1


SYNONYMS = [f"w{i} SYN s{i}" for i in range(20)]
HYPERNYMS = [f"w{i} HYP h{i}" for i in range(8)]
BLIND_TUPLES = united_tuples([gold(*SYNONYMS, *HYPERNYMS)], SIX)
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
    one = judge(responses(**neighbours), BLIND)
    area = chance(one, Choices(k=3)).filter(metric="audc").row(0, named=True)
    assert area["value"] > area["chance"]
    for measure in (PLAIN, THIS_TARGET):
        row = table_of(measure, neighbours=use([one], Choices())).row(0, named=True)
        assert (row["targets"], row["differ"], row["contrast"], row["p"]) == (8, 0, 0.0, 1.0)
        assert row["note"].startswith(("the answers about a target are the same", "no contrast differs from 0"))
        assert (row["low"], row["high"]) == (None, None)


def test_every_two_relations_that_a_target_was_asked_for_are_a_pair():
    codes = RELATIONS.codes
    rows = [("w", one, other, one, 1.0) for one in codes for other in codes if one != other]
    table = table_of(m=use_of(*rows))
    expected = [(one, other) for place, one in enumerate(codes) for other in codes[place + 1 :]]
    assert len(expected) == len(codes) * (len(codes) - 1) / 2 > 1
    assert table.select("relation", "versus").rows() == [(None, None), *expected]


def test_without_two_relations_there_is_a_row_that_says_so():
    table = table_of(m=use([example(hyp_robin="bird")], Choices()))
    assert table.select("agent", "targets", "contrast", "p", "note").rows() == [
        ("m", 0, None, None, "no target with answers was asked for two relations that it has relata of")
    ]


def test_p_is_two_sided_not_below_that_of_few_signs_and_adjusted_over_no_other_agent():
    from scipy.stats import t

    # one prompt a relation: t is the mean 0.35 over the standard error √(0.175 / 5 / 6), with 5 degrees
    p = float(2 * t.sf(0.35 / (0.035 / 6) ** 0.5, 5))
    up, down = contrasts(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), contrasts(-0.1, -0.2, -0.3, -0.4, -0.5, -0.6)
    table = whole(table_of(up=up, down=down))
    assert p < 2 / 2**6
    assert table["p"].to_list() == [2 / 2**6] * 2
    assert table["p_holm"].to_list() == [2 / 2**6] * 2
    values = np.linspace(0.1, 0.6, 20)
    many = whole(table_of(up=contrasts(*values)))["p"].item()
    assert many == pytest.approx(2 * t.sf(values.mean() / (values.std(ddof=1) / 20**0.5), 19))
    assert (
        table["note"].to_list() == ["a relation has one prompt: how much another prompt would change is not known"] * 2
    )


def test_five_targets_have_no_p():
    row = table_of(m=contrasts(1.0, 1.0, 1.0, 1.0, 0.9)).row(0, named=True)
    assert (row["targets"], row["contrast"], row["p"], row["p_holm"]) == (5, pytest.approx(0.98), None, None)
    assert row["note"] == "no p: the linked targets count as 5.0 independent ones, and below 6 the data cannot tell"


@pytest.mark.parametrize("measure", [PLAIN, THIS_TARGET])
def test_targets_that_share_a_relatum_of_one_relation_are_linked(measure):
    """Twelve targets, in threes with one hypernym, count as four. A hypernym that is a meronym elsewhere links nothing."""
    values = np.linspace(0.1, 0.6, 12)
    table = contrasts(*values, others=[0.0] * 12)
    rows = [(f"w{i}", "HYP", f"h{i // 3}", ["hand"]) for i in range(12)]
    rows += [(f"w{i}", "MER", f"h{(i // 3 + 1) % 4}" if i % 3 == 0 else f"m{i}", ["hand"]) for i in range(12)]
    linked = pl.DataFrame(rows, schema=TUPLES, orient="row")
    row = whole(table_of(measure, relata=linked, m=table)).row(0, named=True)
    assert (row["effective_n"], row["p"]) == (pytest.approx(12**2 / 36), None)
    apart = pl.DataFrame([row for row in rows if row[1] == "MER"], schema=TUPLES, orient="row")
    assert whole(table_of(measure, relata=apart, m=table))["effective_n"].item() == 12


def test_a_prompt_that_favours_its_relation_for_all_targets_leaves_the_others_in_doubt():
    """Of three prompts one gives hypernyms: over targets nothing is as certain, over prompts it is one in three."""
    values = {"p1": 0.9, "p2": 0.0, "p3": 0.0, "q1": 0.0, "q2": 0.0, "q3": 0.0}
    rows = [
        (f"w{i}", *(("HYP", "MER") if prompt[0] == "p" else ("MER", "HYP")), prompt, value + i / 100)
        for i in range(20)
        for prompt, value in values.items()
    ]
    assert table_of(m=use_of(*rows)).row(0, named=True)["p"] > 0.05


def test_one_list_per_target_has_a_contrast_of_0_in_spite_of_the_noise_of_floats():
    """With seven prompts of a relation and three of the other, sums of sevenths and thirds are 1e-17 and not 0."""
    sides = [("HYP", "MER", [f"p{i}" for i in range(7)], 1), ("MER", "HYP", [f"q{i}" for i in range(3)], -1)]
    rows = [
        (f"w{i}", relation, versus, prompt, sign * (i + 1) / 10)
        for i in range(9)
        for relation, versus, prompts, sign in sides
        for prompt in prompts
    ]
    row = table_of(m=use_of(*rows)).row(0, named=True)
    assert (row["differ"], row["contrast"], row["p"], row["low"]) == (0, 0.0, 1.0, None)


KINDS = {"m": "model", "n": "model", "typical": "control", "majority": "control", "n+alone": "control"}


def test_the_control_that_an_agent_exceeds_least_stands_beside_it():
    values = np.linspace(0.2, 0.8, 20)
    tables = {
        "m": contrasts(*values),
        "n": contrasts(*values[::-1]),
        "typical": contrasts(*values - 0.1 - 0.01 * (np.arange(20) % 3)),
        "majority": contrasts(*values - 0.2),
        "n+alone": contrasts(*values + 1.0),
    }
    table = whole(table_of(kinds=KINDS, **tables))
    rows = {row["agent"]: row for row in table.iter_rows(named=True)}
    m_row = rows["m"]
    assert (m_row["control"], m_row["beyond"]) == ("typical", pytest.approx(0.1 + 0.01 * (7 + 12) / 20 - 0.0, abs=2e-3))
    assert m_row["beyond"] == pytest.approx(m_row["contrast"] - m_row["control_contrast"])
    assert m_row["beyond_low"] < m_row["beyond"] < m_row["beyond_high"]
    assert (rows["n"]["control"], rows["n"]["beyond"]) == ("n+alone", pytest.approx(-1.0))
    assert rows["majority"]["control"] is None
    # five pairs with a control: m and n with typical and majority, n with its own
    assert m_row["beyond_p_holm"] == pytest.approx(min(1.0, m_row["beyond_p"] * 5), rel=0.6)


def test_an_agent_that_answers_as_a_control_does_is_not_beyond_it():
    one = contrasts(*np.linspace(0.2, 0.8, 20), others=[0.1] * 20)
    for measure in (PLAIN, THIS_TARGET):
        row = whole(table_of(measure, kinds={"m": "model", "c": "control"}, m=one, c=one)).row(0, named=True)
        assert (row["control"], row["beyond"], row["beyond_p"]) == ("c", 0.0, 1.0)


def test_people_and_controls_are_compared_on_the_probes_that_both_have():
    """People answered one prompt, and no meronyms of w0: the control's other prompt and target are left aside."""
    control = [(f"w{i}", "HYP", "MER", f"p{j}", 0.1 * j, 0.0) for i in range(3) for j in (1, 2)]
    control += [(f"w{i}", "MER", "HYP", "q", 0.3, 0.0) for i in range(3)]
    people = [(f"w{i}", "HYP", "MER", "p1", 0.5, 0.0) for i in (1, 2)]
    people += [(f"w{i}", "MER", "HYP", "q", 0.4, 0.0) for i in (1, 2)]
    tables = {"humans": use_of(*people), "c": use_of(*control)}
    for measure in (PLAIN, THIS_TARGET):
        row = whole(table_of(measure, kinds={"humans": "pooled", "c": "control"}, **tables)).row(0, named=True)
        assert row["control_contrast"] == pytest.approx(0.1 + 0.3)
        assert row["beyond"] == pytest.approx(0.9 - 0.4)


def test_a_study_of_real_answers_has_both_measures_for_every_pair_of_relations():
    gold_standard = study(targets=10, words=20)
    blind = agent(gold_standard, lambda *key: listed(shuffled(gold_standard, *key)))
    table = use_table(
        {"m": use([blind], Choices()), "c": use([blind], Choices())},
        {"m": "model", "c": "control"},
        SIX,
        gold_standard.relata,
    )
    assert table.group_by("measure", "relation", "versus").len()["len"].unique().to_list() == [2]
    assert table.height == 2 * 2 * 4
    assert table.filter(agent="m")["beyond"].to_list() == [0.0] * 8


@pytest.mark.parametrize("some", [False, True], ids=["all prompts", "some prompts"])
def test_the_benchmark_simulates_the_contrasts_that_are_measured(some):
    """The same lists of words, once as numbers of benchmarks/relation_use.py and once as answers of an agent.

    A target may be asked with some of the prompts of a relation alone.
    """
    gold_standard = study(targets=9, words=40, seed=3)
    if some:
        numbers = pl.int_range(pl.len()).over("relation", "target") + pl.col("target").rank("dense")
        asked = gold_standard.probes.sort("prompt_id").filter(numbers % 3 != 0)
        gold_standard = dataclasses.replace(gold_standard, probes=asked.sort("probe_id"))
    simulated = Study.of(gold_standard.probes, gold_standard.relata)
    said = answers_of(simulated, Agent("reads", near=1.0, reading=1.0), np.random.default_rng(1))
    words_of = gold_standard.relata["relatum"].unique().sort().to_list()
    prompts = gold_standard.probes.select("relation", "prompt_id").unique().sort(pl.all())["prompt_id"].to_list()
    targets = gold_standard.probes["target"].unique().sort().to_list()
    lists = {
        (targets[target], prompts[prompt]): [words_of[word] for word in row]
        for (target, prompt), row in zip(simulated.lists, said, strict=True)
    }
    read = agent(gold_standard, lambda _relation, target, prompt: listed(lists[target, prompt]))
    table = use([read], Choices())
    for measure, shares in zip((THIS_TARGET, PLAIN), contrasts_of(simulated, said), strict=True):
        found = whole(table_of(measure, relata=gold_standard.relata, relations=SIX, m=table)).row(0, named=True)
        assert found["contrast"] == pytest.approx(float(np.nansum(shares, axis=1).mean()))
        one = result_of(simulated, shares)
        assert (found["low"], found["high"], found["p"]) == pytest.approx((one.low, one.high, one.p))


def drawn(seed, shift):
    """The USE of an agent with contrasts around `shift` of 20 targets."""
    return contrasts(*np.random.default_rng(seed).normal(shift, 0.3, 20).tolist(), others=[0.0] * 20)


def test_a_copy_makes_no_p_of_another_agent_larger_and_has_the_p_of_its_model():
    agents = {"m": drawn(1, 0.2), "n": drawn(2, 0.1), "majority": drawn(3, 0.0)}
    kinds = {"m": "model", "n": "model", "copy": "model", "majority": "control"}
    alone, beside = (
        whole(table_of(THIS_TARGET, kinds=kinds, **tables)) for tables in (agents, agents | {"copy": agents["m"]})
    )
    columns = ["p_holm", "beyond_p_holm", "detectable", "beyond_detectable"]
    assert beside.filter(agent="copy").select(columns).rows() == beside.filter(agent="m").select(columns).rows()
    assert beside.filter(pl.col("agent") != "copy").select(columns).equals(alone.select(columns))
    assert alone["p_holm"].equals(alone["p"])  # the row over all pairs of relations is adjusted over nothing


def test_an_agent_with_the_contrasts_of_its_control_has_nothing_to_find_beyond_it():
    agents = {"m": drawn(1, 0.2), "same": drawn(3, 0.0), "majority": drawn(3, 0.0)}
    kinds = {"m": "model", "same": "model", "majority": "control"}
    table = whole(table_of(THIS_TARGET, kinds=kinds, **agents))
    m_row, row_of_same = (table.row(by_predicate=pl.col("agent") == agent, named=True) for agent in ("m", "same"))
    assert (row_of_same["beyond"], row_of_same["beyond_p"], row_of_same["beyond_p_holm"]) == (0, 1, 1)
    assert m_row["beyond_p_holm"] == m_row["beyond_p"]  # the other pair counts in no family


def test_where_a_p_stands_the_contrast_that_it_would_have_found_stands_too():
    table = table_of(
        THIS_TARGET,
        kinds={"m": "model", "n": "model", "majority": "control"},
        m=drawn(1, 0.2),
        n=drawn(2, 0.1),
        majority=drawn(3, 0.0),
    )
    for before in ("", "beyond_"):
        tested = table.drop_nulls(f"{before}p_holm")
        assert tested.height
        assert tested[f"{before}detectable"].null_count() == 0
        # Half of the interval is 2.1 errors, and the difference 2.1 + 0.86; more where several pairs are adjusted.
        ratios = tested[f"{before}detectable"] / ((tested[f"{before}high"] - tested[f"{before}low"]) / 2)
        assert (ratios.filter(tested["relation"].is_null()) < 1.43).all()
        assert (ratios > 1.4).all()
