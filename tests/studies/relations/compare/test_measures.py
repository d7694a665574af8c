"""Every metric is known to all that reads the table of metrics."""

import pytest
from relprobe.studies.relations.analyses.sensitivity import OPTIONS
from relprobe.studies.relations.measures import DISTINGUISHABILITY, FREQUENCIES, MEASURES, MEASURES_OF, RELATA
from relprobe.studies.relations.method import Choices
from relprobe.studies.relations.schemas import METRICS
from relprobe.studies.relations.values import example


@pytest.mark.parametrize("measure", [*MEASURES, DISTINGUISHABILITY], ids=lambda measure: measure.name)
def test_every_metric_has_its_columns(measure):
    assert set(measure.unit) | set(measure.item) <= set(METRICS)
    assert set(measure.cluster_columns) <= set(METRICS)
    assert set(measure.frequencies) <= set(FREQUENCIES)
    assert set(measure.choices) <= {*OPTIONS, RELATA}


@pytest.mark.parametrize("function", MEASURES_OF, ids=lambda function: function.__name__)
def test_a_function_returns_the_metrics_that_are_declared_of_it_and_no_others(function):
    declared = {measure.name for measure in MEASURES_OF[function]}
    found = set(function(example(hyp_robin="bird x wing", hol_wing="robin x"), Choices())["metric"])
    assert found <= declared
    # Of one agent without people's answers and the tokens that are no words, three functions have nothing to say.
    assert found or function.__name__ in ("reciprocity", "prototypicality", "left_out")


def test_every_metric_is_declared_once():
    names = [measure.name for measure in (*MEASURES, DISTINGUISHABILITY)]
    assert len(set(names)) == len(names)


def test_the_five_metrics_of_the_paper_are_related_to_frequencies():
    """Those over relatum sets to that of the target and of its relata, those over tuples to both words."""
    related = {measure.name for measure in MEASURES if measure.frequencies}
    assert related == {"soundness", "completeness", "symmetry", "asymmetry", "prototypicality"}
    sets = {measure.frequencies for measure in MEASURES if measure.name in ("soundness", "completeness")}
    assert len(sets) == 1


PROBES = (("target", "prompt_id"), ("target",))
TARGETS = (("target",), ("target",))
TUPLES = (("target", "relatum", "prompt_id"), ("target", "relatum"))
IN_TARGETS = ("targets", "targets")
RELATUM = (("relata",), "a relatum")
RELATED = (("related words",), "a related word")
WORD = (("target", "relatum"), "a word")
SETS = ("target", "relata_mean", "relata_max")
WORDS = ("pair_mean", "pair_difference")
DECLARED = {
    "soundness": ("McNemar", *PROBES, *IN_TARGETS, *RELATUM, SETS, ("ties", "relata")),
    "completeness": ("Wilcoxon", *TARGETS, *IN_TARGETS, *RELATUM, SETS, ("ties", "recall", "relata")),
    "symmetry": ("McNemar", *TUPLES, "pairs", "groups of linked pairs", *WORD, WORDS, ("ties",)),
    "asymmetry": ("McNemar", *TUPLES, "tuples", "targets", *WORD, WORDS, ("ties",)),
    "prototypicality": ("Wilcoxon", *TARGETS, *IN_TARGETS, *RELATUM, ("target",), ("gold",)),
    "unrelated": (None, *PROBES, *IN_TARGETS, *RELATUM, (), ()),
    "first_related": (None, *PROBES, *IN_TARGETS, *RELATED, (), ()),
    "misses": (None, *PROBES, *IN_TARGETS, *RELATED, (), ()),
    "no_word": (None, *PROBES, *IN_TARGETS, (), "", (), ()),
    "outside": (None, *PROBES, *IN_TARGETS, (), "", (), ()),
    "distinguishability": (None, *PROBES, *IN_TARGETS, *RELATUM, (), ("ties", "rank", "relata")),
}
"""Metric -> the paper's test, the columns of a unit and of an item, the nouns for items and clusters, what links items, and
in words, the frequencies that it is correlated with, and the choices that change it."""
SHARES = {"soundness", "completeness", "symmetry", "asymmetry", "prototypicality", "unrelated", "misses", "no_word"}


def test_a_metric_is_compared_over_items_that_are_linked_by_what_they_share():
    measures = (*MEASURES, DISTINGUISHABILITY)
    found = {
        one.name: (
            *(one.test, one.unit, one.item, one.items, one.cluster_noun, one.links, one.linked_by, one.frequencies),
            one.choices,
        )
        for one in measures
    }
    assert found == DECLARED
    assert list(found) == list(DECLARED)
    assert {one.crossed for one in measures} == {"prompt_id"}
    assert {one.name: one.cluster for one in measures if one.cluster} == {
        "symmetry": ("cluster",),
        "asymmetry": ("target",),
    }
    assert {one.name for one in measures if one.is_share} == SHARES | {"outside"}
    assert {one.name for one in measures if one.less_is_better} == {
        *("unrelated", "first_related", "misses", "no_word", "outside")
    }
    assert {one.name for one in measures if one.cutoffs} == {"symmetry", "asymmetry"}
    assert {one.name: one.compared_as for one in measures if one.compared_as} == {
        "symmetry": "[as/s]ymmetry",
        "asymmetry": "[as/s]ymmetry",
    }
    assert {one.name: one.printed for one in measures if one.printed} == {
        "unrelated": "responses of unrelated words alone (share)",
        "first_related": "rank of the first related word",
    }
    assert [one.title for one in measures if one.title] == [
        *("Soundness", "Completeness", "Symmetry", "Asymmetry", "Prototypicality")
    ]
