"""Table F4 on tiny results."""

import numpy as np
import polars as pl
import pytest
from relprobe.studies.relations.analyses.prompts import (
    HETEROSCEDASTIC,
    PROMPT_VARIANCE,
    TABLES,
    heteroscedastic_agents,
    prompt_variance,
    repeated_measures,
)
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.schemas import METRICS
from scipy import stats as scipy_stats

from tests.studies.relations.about import results
from tests.studies.relations.six import SIX


def metrics_of(metric, relation, prompts, k=None):
    """Return METRICS from prompt -> values of targets t0, t1, …"""
    rows = [
        {
            "metric": metric,
            "relation": relation,
            "prompt_id": prompt,
            "target": f"t{i}",
            "k": k,
            "value": float(value),
            "relatum": "v" if k else None,
        }
        for prompt, values in prompts.items()
        for i, value in enumerate(values)
    ]
    return pl.DataFrame(rows, schema=METRICS)


def test_levene_compares_the_values_of_each_prompt():
    prompts = {"p": [0, 1, 2], "q": [0, 3, 6]}
    found = prompt_variance({"m": metrics_of("completeness", "HYP", prompts)}, relations=SIX)
    # worked out in test_stats_unpaired: between 8/3, within 20/3
    columns = ["prompts", "units", "clusters", "paper_test", "paper_effect", "paper_note", "note", "significant"]
    assert found.select(columns).rows() == [(2, 6, 3, "Levene", pytest.approx(2 / 7), None, None, False)]
    assert found["paper_p"].to_list() == pytest.approx([scipy_stats.levene(*prompts.values(), center="median").pvalue])
    # the deviations 1 0 1 and 3 0 3 differ by 2 0 2: T² = 3 · (4/3)² / (4/3) = 4 with 1 and 2 degrees of freedom
    assert found["p"].to_list() == pytest.approx([scipy_stats.f.sf(4, 1, 2)])


def test_prompts_are_compared_within_targets():
    alike = [1.0] * 10 + [0.0] * 20
    shifted = [1.0] * 14 + [0.0] * 16
    found = prompt_variance({"m": metrics_of("completeness", "HYP", {"p": alike, "q": shifted})}, relations=SIX)
    # four of 30 targets differ, all in one direction: t² = 29 · 4² / (30 · 4 - 4²)
    assert found["p"].item() == pytest.approx(scipy_stats.f.sf(29 * 16 / (120 - 16), 1, 29))
    assert found["p"].item() < 0.05 < found["paper_p"].item()
    paper = prompt_variance(
        {"m": metrics_of("completeness", "HYP", {"p": alike, "q": shifted})}, inference="paper", relations=SIX
    )
    assert (found["significant"].item(), paper["significant"].item()) == (True, False)


def test_the_deviations_of_three_prompts_are_compared_within_clusters():
    random = np.random.default_rng(1)
    values = np.repeat(random.normal(size=(20, 3)), 2, axis=0)  # two equal items per cluster
    once = repeated_measures(values[::2], np.arange(20))
    twice = repeated_measures(values, np.repeat(np.arange(20), 2))
    assert (twice.n, twice.p) == (20, pytest.approx(once.p))
    scores = np.abs(values[::2] - np.median(values[::2], axis=0))
    contrasts = scores[:, 1:] - scores[:, :1]
    mean = contrasts.mean(axis=0)
    t2 = 20 * mean @ np.linalg.inv(np.cov(contrasts.T)) @ mean
    assert once.p == pytest.approx(scipy_stats.f.sf(t2 * (20 - 2) / (19 * 2), 2, 18))


def test_a_prompt_that_repeats_another_adds_nothing():
    values = np.random.default_rng(2).normal(size=(20, 2))
    two, three = repeated_measures(values, np.arange(20)), repeated_measures(values[:, [0, 1, 1]], np.arange(20))
    assert three.p == pytest.approx(two.p)


def test_symmetry_is_taken_at_one_k():
    values = [metrics_of("symmetry", "ANT", {"p": [0, 1, 1, k], "q": [0, 0, 1, 1]}, k) for k in (1, 5)]
    found = prompt_variance({"m": pl.concat(values)}, relations=SIX)
    assert found.select("k", "prompts", "units").rows() == [(5, 2, 8)]


def test_prototypicality_and_distinguishability_are_not_tested():
    values = [metrics_of(name, "ANT", {"p": [0, 1], "q": [1, 1]}) for name in ("prototypicality", "distinguishability")]
    assert prompt_variance({"m": pl.concat(values)}, relations=SIX).is_empty()


@pytest.mark.parametrize(
    ("prompts", "note"),
    [
        ({"p": [0, 1, 1]}, "not testable: fewer than two groups"),
        ({"p": [0, 0, 0], "q": [0, 0, 0]}, "not testable: every group is constant"),
    ],
)
def test_what_cannot_be_tested_says_why(prompts, note):
    found = prompt_variance({"m": metrics_of("soundness", "ANT", prompts)}, relations=SIX)
    columns = ["paper_effect", "paper_p", "p", "p_holm", "significant", "paper_note"]
    assert found.select(columns).rows() == [(None, None, None, None, None, note)]
    assert found["note"].item().startswith("not testable")


def test_table_f4_names_and_counts_the_agents_with_different_variances():
    rare, often, never = [1] + [0] * 19, [1] * 9 + [0] * 11, [0] * 20
    values = {
        "humans": metrics_of("soundness", "ANT", {"p": rare, "q": rare}),
        "b": metrics_of("soundness", "ANT", {"p": rare, "q": often}),
        "a": metrics_of("soundness", "ANT", {"p": often, "q": rare}),
        "c": metrics_of("soundness", "ANT", {"p": never, "q": never}),
    }
    tests = prompt_variance(values, relations=SIX)
    found = heteroscedastic_agents(tests)
    assert (tests.schema, found.schema) == (PROMPT_VARIANCE, HETEROSCEDASTIC)
    assert found.rows() == [("soundness", "ANT", None, "b, a", 2, 3, 1)]


def test_no_agent_is_named_where_none_differs():
    tests = prompt_variance(
        {"m": metrics_of("soundness", "ANT", {"p": [0, 1, 0, 0], "q": [0, 1, 0, 0]})}, relations=SIX
    )
    assert heteroscedastic_agents(tests).select("agents", "total", "tested").rows() == [("", 0, 1)]


def test_rows_stand_in_the_order_of_the_paper():
    prompts = {"p": [0, 1], "q": [1, 1]}
    values = [
        metrics_of(metric, relation, prompts, k)
        for metric, relation, k in (
            ("symmetry", "SYN", 5),
            ("soundness", "ANT", None),
            ("completeness", "HYP", None),
            ("soundness", "HYP", None),
        )
    ]
    found = prompt_variance({"m": pl.concat(values)}, relations=SIX)
    assert found.select("metric", "relation").rows() == [
        ("soundness", "HYP"),
        ("soundness", "ANT"),
        ("completeness", "HYP"),
        ("symmetry", "SYN"),
    ]
    assert prompt_variance({}, relations=SIX).schema == PROMPT_VARIANCE


@pytest.mark.parametrize("inference", ["linked", "paper"])
def test_a_run_tests_the_prompts_of_its_agents_by_its_settings(inference):
    """Four of 30 targets differ in one direction: our test tells the prompts apart, and the paper's does not."""
    prompts = {"p": [1.0] * 10 + [0.0] * 20, "q": [1.0] * 14 + [0.0] * 16}
    measured = (("soundness", None), ("symmetry", 1), ("symmetry", 5))
    values = pl.concat(metrics_of(metric, "ANT", prompts, k) for metric, k in measured)
    settings = Settings(k=1, inference=inference)
    run = results(gold=GoldStandard(*[None] * 4, SIX), metrics={"m": values}, settings=settings)
    found = TABLES["prompt_variance"](run)
    assert found.select("agent", "metric", "k").rows() == [("m", "soundness", None), ("m", "symmetry", 1)]
    assert found["significant"][0] == (inference == "linked")
    counts = TABLES["unequal_prompts"](run).filter(metric="soundness").select("agents", "total", "tested").rows()
    assert counts == [("m", 1, 1) if inference == "linked" else ("", 0, 1)]
