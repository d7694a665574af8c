"""The agents side by side: averages, the primary test beside all controls, and how well people agree."""

import numpy as np
import polars as pl
import pytest
from relprobe.stats.schemas import DECLARED
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.ceiling import ceiling, of_raters
from relprobe.studies.pairs.compare import compare
from relprobe.studies.pairs.method import judgment_table, probes, values
from relprobe.studies.pairs.schemas import CEILING, RATERS

from tests.studies.pairs.made import PROMPTS, article, items

TARGETS = 30


def study():
    """Targets with a right word and two foils, an agent that is right, and one that is not, with their controls."""
    draws = np.random.default_rng(1)
    rows = [
        (f"t{number}", f"t{number}", f"{kind}{number}", kind)
        for number in range(TARGETS)
        for kind in ("right", "random", "other target")
    ]
    table = pl.concat([items(*rows[:45]), items(*rows[45:], condition="MER", relation="HYP")])
    asked = probes(table, PROMPTS, article)
    pairs = list(table.select("relation", "first", "second").iter_rows())
    noise = {pair: float(draws.normal()) for pair in pairs}
    knows = {pair: noise[pair] + 4.0 * pair[2].startswith("right") for pair in pairs}
    agents = {
        "good pmi": knows,
        "poor pmi": {pair: float(draws.normal()) for pair in pairs},
        "good pmi+candidate": noise,
        "frequency": {pair: float(draws.normal()) for pair in pairs},
    }
    return table, [values(judgment_table(name, scores, asked), table) for name, scores in agents.items()]


@pytest.fixture(scope="module")
def compared():
    table, metrics = study()
    comparing = AgentComparison(["frequency", "good pmi+candidate"])
    return compare(metrics, table, pl.DataFrame(schema=RATERS), comparing, seed=1)


def test_averages_are_per_condition_and_kind_of_foil_and_over_the_whole_set(compared):
    rows = compared.averages.filter(agent="good pmi", metric="ap")
    assert set(rows["condition"]) == {"HYP", "MER", "wordnet"}
    assert set(rows["foils"]) == {"all", "random", "other target"}
    whole = rows.filter(condition="wordnet", foils="all")
    assert whole["units"].item() == TARGETS
    assert whole["value"].item() > 0.9
    others = compared.averages.filter(agent="poor pmi", metric="ap")
    assert 0 <= others["low"].min() < others["high"].max() <= 1


def test_the_primary_test_is_beside_every_control_and_pooled(compared):
    primary = compared.tables["primary"]
    assert "condition" not in primary.columns
    found = {row["agent"]: row for row in primary.iter_rows(named=True)}
    assert set(found) == {"good pmi", "poor pmi"}
    assert found["good pmi"]["p"] < 0.001
    assert found["good pmi"]["difference"] > 0.3
    assert found["poor pmi"]["p"] > 0.05


def test_a_control_of_one_model_stands_beside_that_model_alone(compared):
    own = compared.tests.filter(
        (pl.col("agent_a") == "good pmi+candidate") | (pl.col("agent_b") == "good pmi+candidate")
    )
    agents = set(own["agent_a"]) | set(own["agent_b"])
    assert agents == {"good pmi", "good pmi+candidate"}
    pair = compared.tests.filter(agent_a="good pmi", agent_b="poor pmi", metric="ap", condition="HYP")
    assert pair.height == 1


def test_a_model_that_is_a_member_or_declared_is_so_with_all_of_its_judges():
    table, (good, poor, blank, frequency) = study()
    tables = [good, poor, blank, frequency]
    tables += [one.with_columns(agent=pl.col("agent").str.replace(" pmi", " sentence")) for one in (good, poor)]
    controls = ["frequency", "good pmi+candidate"]
    tests = {
        name: compare(metrics=tables, item_table=table, raters=pl.DataFrame(schema=RATERS), comparing=one, seed=1).tests
        for name, one in {
            "member": AgentComparison(controls, members=["poor"]),
            "declared": AgentComparison(controls, declared=[["poor", "good"]]),
        }.items()
    }
    of_member = pl.any_horizontal(pl.col("agent_a", "agent_b").str.starts_with("poor"))
    beside = tests["member"].filter(of_member)
    assert set(beside["family"]) == {"series"}
    assert set(beside["agent_a"]) | set(beside["agent_b"]) == {"poor pmi", "poor sentence", "frequency"}
    declared = tests["declared"].filter(family_of=DECLARED)
    assert set(declared.select("agent_a", "agent_b").iter_rows()) == {
        ("good pmi", "poor pmi"),
        ("good sentence", "poor sentence"),
    }


def raters(rows):
    return pl.DataFrame([("own HYP", "a", *row) for row in rows], schema=RATERS, orient="row")


def test_raters_with_names_are_compared_with_each_other():
    numbers = {"x": (1, 2, 3, 4), "y": (1, 2, 3, 4), "z": (4, 3, 2, 1)}
    table = raters([(f"b{place}", name, float(one)) for name, of in numbers.items() for place, one in enumerate(of)])
    found = ceiling(table, seed=1)
    assert found.schema == CEILING
    assert found["pairwise"].item() == pytest.approx((1 - 1 - 1) / 3)
    assert found.select("pairs", "people").row(0) == (4, 3.0)
    alone = of_raters(table.filter(rater="x").with_columns(pair="second"))
    assert alone is None


def test_ratings_without_names_are_drawn_and_split():
    draws = np.random.default_rng(1)
    true = draws.normal(size=80)
    rows = [(f"b{place:02}", None, value + 0.5 * draws.normal()) for place, value in enumerate(true) for _ in range(10)]
    found = ceiling(raters(rows), seed=1).row(0, named=True)
    # Pearson's r of two single ratings is v / (v + 1/4), v the variance of the pairs; of one with the mean of nine it is
    # v / √((v + 1/4) (v + 1/36)), and of two means of five v / (v + 1/20). Spearman's is a little lower.
    v = float(true.var())
    assert found["pairwise"] == pytest.approx(v / (v + 1 / 4), abs=0.06)
    assert found["one_with_rest"] == pytest.approx(v / ((v + 1 / 4) * (v + 1 / 36)) ** 0.5, abs=0.05)
    assert found["split_half"] == pytest.approx(v / (v + 1 / 20), abs=0.04)
    assert found["split_half"] < found["reliability"] < found["ceiling"] < 1


def test_single_ratings_have_no_ceiling_and_a_reason():
    found = ceiling(raters([(f"b{place}", None, float(place)) for place in range(5)]), seed=1).row(0, named=True)
    assert found["ceiling"] is None
    assert "no group has two answers" in found["note"]
