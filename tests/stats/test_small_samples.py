"""Where a sample is too small for a claim, a sentence says what is missing and what would be enough."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.core.relation import TUPLES
from relprobe.core.unit_schemas import UNITS
from relprobe.report.words.headline import verdict_in_words
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.pooled import pooled_tests
from relprobe.studies.relations.sampling import sample
from relprobe.studies.relations.schemas import TESTS as TESTS_OF_RELATIONS
from relprobe.studies.relations.values import RELATIONS

METRIC = Metric(
    "sound", unit=("target", "prompt"), item=("target",), test="McNemar", links=("relata",), crossed="prompt"
)
KINDS = {"m": "model", "majority": "control", "static": "control"}


def values(right, targets=8, prompts=3, relation="HYP"):
    """Return values of targets under prompts; the agent is right about the first `right` targets."""
    rows = [
        ("sound", relation, f"t{target}", f"{relation}{prompt}", float(target < right))
        for target in range(targets)
        for prompt in range(prompts)
    ]
    return pl.DataFrame(rows, schema=["metric", "relation", "target", "prompt", "value"], orient="row")


def links(tables):
    """Return links of targets, of which no two share a relatum."""
    return {
        "relata": next(iter(tables.values())).select("relation", "target", link="target").unique(maintain_order=True)
    }


def rows_of(**size):
    agents = {"m": values(6, **size), "majority": values(0, **size)}
    kinds = {name: KINDS[name] for name in agents}
    (row,) = paired_tests(agents, [METRIC], ["relation"], kinds=kinds, links=links(agents)).to_dicts()
    pooled = pooled_tests(agents, METRIC, "relation", kinds=kinds, links=links(agents)).row(0, named=True)
    return row, pooled


def test_one_prompt_says_that_another_one_may_change_what_is_found():
    row, _ = rows_of(prompts=1)
    assert "one prompt: how much another prompt would change is not known" in row["note"]


def test_one_target_has_no_p_and_says_how_many_would_be_enough():
    row, pooled = rows_of(targets=1)
    assert row["note"] == "no interval: fewer than two clusters; 1 cluster differs: p cannot be below 1"
    assert pooled["p"] is None
    assert pooled["note"] == "no p: HYP counts as 1.0 independent items, and each needs two or more"
    claim = beyond_controls(pl.DataFrame([row], schema=TESTS_OF_RELATIONS), ["majority"]).row(0, named=True)
    assert verdict_in_words(claim) == "open: too little differs for any p below 0.05"


def test_a_control_without_a_value_is_named_where_a_claim_does_without_it():
    both = {name: pl.concat([values(n), values(n, relation="ANT")]) for name, n in (("m", 6), ("majority", 1))}
    agents = {**both, "static": values(2)}  # no target of antonymy has a vector
    tests = paired_tests(agents, [METRIC], ["relation"], kinds=KINDS, absent=True, links=links(both))
    notes = dict(beyond_controls(tests, ["majority", "static"]).select("relation", "note").iter_rows())
    assert "not beside static, which has no value here" in notes["ANT"]
    assert "static" not in (notes["HYP"] or "")
    dropped = beyond_controls(tests.drop_nulls("difference"), ["majority", "static"])
    assert "not beside static" in dropped.filter(relation="ANT")["note"].item()


def test_a_sample_that_its_relation_cannot_fill_says_what_would_be_enough():
    rows = [("robin", "HYP", "bird", ["own"]), ("wren", "HYP", "bird", ["own"])]
    tuples = pl.DataFrame(rows, schema=TUPLES, orient="row")
    with pytest.raises(
        DataError, match="only 2 HYP tuples are there, but the config asks for 3: take more `words` or fewer"
    ):
        sample(tuples, {"HYP": 3}, 1, RELATIONS)


def test_a_control_that_has_no_unit_of_the_agent_is_named_without_a_difference():
    rows = [("sum", "noun", name, value) for name, value in (("a", 1.0), ("b", 3.0), ("c", 4.0))]
    agent = pl.DataFrame(rows, schema=UNITS, orient="row")
    kinds = {"m": "model", "zero": "control"}
    apart = {"m": agent, "zero": agent.with_columns(pl.col("unit") + "2", value=0.0)}
    row = pooled_tests(apart, Metric("sum"), kinds=kinds).row(0, named=True)
    assert (row["agent_a"], row["agent_b"], row["family_of"], row["note"]) == ("m", "zero", "m", "no unit in common")
    assert (row["units"], row["difference"], row["low"], row["p"], row["p_holm"]) == (0, None, None, None, None)
