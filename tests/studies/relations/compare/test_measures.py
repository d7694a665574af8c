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
