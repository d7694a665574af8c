"""What a metric may be."""

from math import inf

import pytest
from relprobe.core.metric import Metric
from relprobe.core.study import study_of
from relprobe.studies import STUDIES


@pytest.mark.parametrize("test", ["Wilcoxon", "McNemar"])
def test_no_test_takes_smaller_values_for_better(test):
    """Tests, best controls and verdicts take larger values for better."""
    with pytest.raises(ValueError, match=r"errors has a test, and its smaller values are better: turn them round"):
        Metric("errors", test=test, less_is_better=True)


def test_some_metrics_count_what_is_lost():
    metrics = [metric for study in STUDIES for metric in study_of(study).metrics()]
    assert any(metric.less_is_better for metric in metrics)


def test_the_bounds_of_the_metrics_of_all_studies():
    """A share has 0 and 1, and other metrics the ends of their scale: correlations, percentages, ranks and errors."""
    percentages = ("maxdiff", "maxdiff_without_reversals", "least", "most")
    open_ended = {"first_related": (-inf, inf), "reversal_error": (0, inf)}
    correlations = ("rho", "rho_without_reversals")
    expected = {**dict.fromkeys(percentages, (0, 100)), **dict.fromkeys(correlations, (-1, 1)), **open_ended}
    found = {
        metric.name: metric.bounds for study in STUDIES for metric in study_of(study).metrics() if not metric.is_share
    }
    assert found == {name: expected.get(name, (0, 1)) for name in found}


ALL = [(study, metric) for study in STUDIES for metric in study_of(study).metrics()]


def test_which_metrics_count_what_is_lost():
    lost = {metric.name.removesuffix("_without_reversals") for _, metric in ALL if metric.less_is_better}
    assert lost == {
        *("unrelated", "first_related", "misses", "no_word", "outside"),
        *("p", "constant", "reversal_error", "ece"),
    }


def test_the_papers_test_of_each_metric():
    """McNemar's is of answers that are right or wrong; what only describes an answer has no test."""
    tests = {(study, metric.name.removesuffix("_without_reversals")): metric.test for study, metric in ALL}
    mcnemar = {
        ("relations", "soundness"),
        ("relations", "symmetry"),
        ("relations", "asymmetry"),
        ("definitions", "W2D P@1"),
        ("definitions", "D2W P@1"),
        *((study, name) for study, name in tests if study == "systematicity" and not name.startswith("detection")),
    }
    described = {("degrees", name) for name in ("significant_05", "significant_01", "negative_05", "least", "most")}
    described |= {(study, metric.name) for study, metric in ALL if metric.less_is_better}
    described |= {("degrees", "rated"), ("pairs", "judged")}
    described |= {("analogies", name) for study, name in tests if study == "analogies" and name.endswith(" query")}
    assert {key for key, test in tests.items() if test == "McNemar"} == mcnemar
    assert {key for key, test in tests.items() if test is None} == {
        (study, name.removesuffix("_without_reversals")) for study, name in described
    }


def test_what_a_value_of_each_metric_is_of():
    """The unit of the test, the item of the average, what items depend on each other by, and what is crossed with them."""
    probe, target, pair = ("target", "prompt_id"), ("target",), ("target", "relatum")
    by_relata = (probe, target, (), ("relata",), "prompt_id")
    by_words = (probe, target, (), ("related words",), "prompt_id")
    over_prompts = (target, target, (), ("relata",), "prompt_id")
    relations = {
        **dict.fromkeys(("soundness", "unrelated"), by_relata),
        **dict.fromkeys(("completeness", "prototypicality"), over_prompts),
        **dict.fromkeys(("first_related", "misses"), by_words),
        **dict.fromkeys(("no_word", "outside"), (probe, target, (), (), "prompt_id")),
        "symmetry": ((*pair, "prompt_id"), pair, ("cluster",), pair, "prompt_id"),
        "asymmetry": ((*pair, "prompt_id"), pair, target, pair, "prompt_id"),
    }
    unit = ("unit",)
    clustered = (unit, unit, ("cluster",), (), "")
    others = {
        "degrees": (unit, unit, (), (), ""),
        "pairs": (("unit", "prompt"), unit, (), ("links",), "prompt"),
    }
    for study, metric in ALL:
        found = (metric.unit, metric.item, metric.cluster, metric.links, metric.crossed)
        if study == "relations":
            expected = relations[metric.name]
        else:
            expected = clustered if metric.name == "reversal_error" else others.get(study, clustered)
        assert found == expected, metric.name
        assert bool(metric.linked_by) == (bool(metric.links)), metric.name
        assert bool(metric.clusters) == bool(metric.cluster), metric.name
        assert metric.cutoffs == (metric.name in ("symmetry", "asymmetry")), metric.name


def test_the_noun_for_clusters_is_that_for_items_where_there_is_no_other():
    assert Metric("a", items="words").cluster_noun == "words"
    assert Metric("a", items="words", cluster=("group",), clusters="groups").cluster_noun == "groups"


def test_a_metric_without_a_test_may_take_smaller_values_for_better():
    assert Metric("a", less_is_better=True, test=None).less_is_better
