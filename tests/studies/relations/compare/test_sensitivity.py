from dataclasses import replace

import pytest
from relprobe.core.relation import Relation, Relations
from relprobe.studies.relations.agents import Agent
from relprobe.studies.relations.analyses.sensitivity import alternatives, sensitivity, without_each_prompt
from relprobe.studies.relations.method import Choices, relata
from relprobe.studies.relations.schemas import METRICS, SENSITIVITY
from relprobe.studies.relations.tuples import other_expansions

from tests.studies.relations.compare.test_analyses import delta, sound, units
from tests.studies.relations.measure.test_metrics import GOLD, LEXICON, SETS, TUPLES, WORDNET, responses
from tests.studies.relations.six import SIX


def changed(others=None, **answers):
    """Return what is changed of an agent's results: (choice, metric, relation) -> value."""
    agent, *rest = (
        Agent("people", responses(**answers)).measure(replace(GOLD, relata=sets))
        for sets in (SETS, *(others or {}).values())
    )
    choices = Choices(symmetry_k=(1,))
    functions = {name: other.metrics for name, other in zip(others or {}, rest, strict=True)}
    table = sensitivity(agent.metrics, agent.metrics(choices), choices, agent.tied, functions)
    assert table.schema == SENSITIVITY
    return {row[:3]: row[3] for row in table.select("choice", "metric", "relation", "value").iter_rows()}


def test_every_other_value_of_a_choice_is_an_alternative():
    names = [name for name, *_ in alternatives(Choices(), tied=True)]
    assert names == [
        "ties: favourable",
        "ties: unfavourable",
        "ties: listed",
        "gold: pooled",
        "recall: relata",
        "rank: mean",
    ]
    untied = [name for name, *_ in alternatives(Choices(rank="mean"), tied=False)]
    assert untied == ["gold: pooled", "recall: relata", "rank: best"]


def test_ties_are_changed_where_there_are_any():
    found = changed(hyp1_robin="x=bird=y")
    assert found["as configured", "soundness", "HYP"] == pytest.approx(1 / 3)
    assert found["ties: favourable", "soundness", "HYP"] == 1
    assert found["ties: unfavourable", "soundness", "HYP"] == 0
    assert not any(choice.startswith("ties") for choice, _, _ in changed(hyp1_robin="x bird y"))


def test_completeness_may_be_of_all_relata():
    found = changed(hyp1_robin="bird x")  # one of k = min(3, 2) or of the 3 relata
    assert found["as configured", "completeness", "HYP"] == pytest.approx(1 / 2)
    assert found["recall: relata", "completeness", "HYP"] == pytest.approx(1 / 3)
    assert ("recall: relata", "soundness", "HYP") not in found  # it does not depend on that


def test_other_relatum_sets_are_measured_where_a_metric_reads_them():
    """The metrics of tuples and of people's answers are the same with them."""
    measured = []

    def metrics(choices, measures=()):
        measured.append({measure.name for measure in measures})
        return METRICS.to_frame()

    sensitivity(metrics, METRICS.to_frame(), Choices(), tied=False, relatum_sets={"expansion: none": metrics})
    assert measured[-1] == {"soundness", "completeness", "distinguishability"}


def test_what_counts_as_an_answer_is_a_choice():
    tokens, words = (Agent("ranking", responses(hyp1_robin=text)).measure(GOLD) for text in ("x bird", "bird"))
    choices = Choices(symmetry_k=(1,))
    other = {"answers: lexicon": words.metrics(choices)}
    table = sensitivity(tokens.metrics, tokens.metrics(choices), choices, tokens.tied, rankings=other)
    value = {row[:2]: row[2] for row in table.filter(metric="soundness").select("choice", "relation", "value").rows()}
    assert value["as configured", "HYP"] == 0
    assert value["answers: lexicon", "HYP"] == 1


def test_each_prompt_is_left_out_of_its_relation_alone():
    table = units(sound("a", "p", 1), sound("a", "q", 0), sound("b", "q", 1), sound("c", "r", 1, "ANT"))
    left = without_each_prompt(table).filter(metric="soundness").select("choice", "relation", "value").rows()
    # without p: a 0, b 1; without q: a 1; ANT has no other prompt than r
    assert set(left) == {("without p", "HYP", 0.5), ("without q", "HYP", 1.0)}


def test_the_area_without_a_prompt_keeps_the_other_relations_prompts():
    other = [
        ("distinguishability", "MER", "w", "m", value, {"versus": s}) for s, value in (("MER", 0.0), ("HYP", 0.25))
    ]
    second = [("distinguishability", "HYP", "w", "q", 0.0, {"versus": s}) for s in ("HYP", "MER")]
    table = units(delta("HYP", "HYP", 0.0), delta("HYP", "MER", 1.0), *second, *other)
    area = dict(without_each_prompt(table).filter(metric="audc").select("choice", "value").iter_rows())
    # D(HYP, MER) is 1 by prompt p, 0 by q; D(MER, HYP) = 1/4 stays
    assert area == {"without p": 0.25, "without q": 1.25}


def test_other_relatum_sets_change_the_metrics_that_look_at_them():
    gold_only = relata(TUPLES, WORDNET.clear(), LEXICON, SIX)  # robin is a bird and an animal, but no pet
    found = changed(others={"expansion: none": gold_only}, hyp1_robin="pet bird")
    assert found["as configured", "soundness", "HYP"] == 1
    assert found["expansion: none", "soundness", "HYP"] == 0
    assert ("expansion: none", "symmetry", "ANT") not in found


def test_the_expansions_that_change_something_are_choices():
    assert list(other_expansions(SIX)) == ["expansion: none", "depth: 1", "senses: first"]
    near = other_expansions(SIX)["depth: 1"].by_code["HYP"].wordnet
    assert (near.depth, near.senses, near.pointers) == (1, "all", SIX.by_code["HYP"].wordnet.pointers)
    plain = Relations((Relation("COO", "co-hyponymy", "COO"),))
    assert list(other_expansions(plain)) == ["expansion: none"]
