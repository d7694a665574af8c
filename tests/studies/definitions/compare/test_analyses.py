import polars as pl
import pytest
from relprobe.stats.averages import averages
from relprobe.stats.schemas import TESTS
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.definitions.analyses.people import average_on_peoples_groups
from relprobe.studies.definitions.compare import (
    compare,
    compare_agents,
    compare_tasks,
    primary,
    sizes,
)
from relprobe.studies.definitions.conditions import metrics
from relprobe.studies.definitions.measures import MEASURES
from relprobe.studies.definitions.schemas import METRICS, RESPONSES, TASK_CONTRASTS

from tests.studies.definitions.about import properties

COMPARING = AgentComparison(["b"])


def values(metric, *group_values, condition="noun"):
    """A row per group, given as (family, value)."""
    rows = [(metric, condition, f"g{i}", family, float(value)) for i, (family, value) in enumerate(group_values)]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def test_agents_are_compared_per_part_of_speech_alone():
    table = pl.concat([values("W2D P@1", ("f", 1), ("g", 0), condition=c) for c in ("noun", "noun, rare")])
    found = compare_agents({"a": table, "b": table}, COMPARING)
    assert found.schema == TESTS
    assert found["condition"].to_list() == ["noun"]


def test_a_family_of_sisters_is_one_observation():
    # a wins in three groups, which are of one family, and b in one group of each of two others.
    a = values("W2D P@1", ("f", 1), ("f", 1), ("f", 1), ("g", 0), ("h", 0))
    b = values("W2D P@1", ("f", 0), ("f", 0), ("f", 0), ("g", 1), ("h", 1))
    row = compare_agents({"a": a, "b": b}, COMPARING).row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"]) == (5, 3, 5)
    assert row["difference"] == pytest.approx(1 / 5)
    # The sums of the families are 3, -1 and -1, together 1. All patterns of signs have sums as far from zero: 1, 3 or 5.
    assert row["p"] == 1
    assert (row["paper_test"], row["paper_p"]) == ("McNemar", 1)
    assert row["family"] == "controls"


def test_four_families_with_two_groups_each_are_four_observations():
    a = values("W2D P@1", *((family, 1) for family in "ffgghhii"))
    b = a.with_columns(value=0.0)
    row = compare_agents({"a": a, "b": b}, COMPARING).row(0, named=True)
    assert (row["clusters"], row["p"]) == (4, pytest.approx(2 / 2**4))
    assert row["paper_p"] == pytest.approx(2 / 2**8)


def test_the_paper_compares_rank_scores_by_their_ranks():
    a = values("W2D RS", ("f", 1), ("g", 0.5))
    assert compare_agents({"a": a, "b": a.with_columns(value=0.0)}, COMPARING)["paper_test"].to_list() == ["Wilcoxon"]


def test_tasks_are_compared_within_an_agent_on_the_same_groups():
    w2d = values("W2D P@1", *((family, 1) for family in "ffghi"), ("j", 0))
    d2w = values("D2W P@1", *((family, 0) for family in "ffghi"))
    found = compare_tasks({"a": pl.concat([w2d, d2w]), "b": w2d}, COMPARING)
    assert found.schema == TASK_CONTRASTS
    row = found.row(0, named=True)
    assert found.height == 1  # b has no D2W, and no agent has rank scores
    assert [row[name] for name in ("agent", "metric", "condition", "a", "b")] == [
        "a",
        "P@1",
        "noun",
        "W2D P@1",
        "D2W P@1",
    ]
    assert (row["units"], row["clusters"], row["value_a"], row["value_b"], row["p"]) == (5, 4, 1, 0, 2 / 2**4)


def test_the_cluster_of_a_group_is_its_family_in_all_of_its_conditions():
    groups = properties(*({"group": f"g{i}", "family": family} for i, family in enumerate("ffg")))
    responses = [("w2d", f"g{i}", 5, rank - 1, 0, rank, "an answer") for i, rank in enumerate((1, 5, 3))]
    table = metrics(pl.DataFrame(responses, schema=RESPONSES, orient="row"), groups)
    assert table.schema == METRICS
    assert dict(table.select("unit", "cluster").rows()) == {"g0": "f", "g1": "f", "g2": "g"}
    row = averages({"a": table}, MEASURES).row(
        by_predicate=(pl.col("metric") == "W2D RS") & (pl.col("condition") == "noun"), named=True
    )
    assert (row["value"], row["units"], row["clusters"]) == (pytest.approx((1 + 0 + 0.5) / 3), 3, 2)


def test_all_comparisons_are_made_at_once():
    groups = properties(*({"group": f"g{i}", "family": family} for i, family in enumerate("ffghij")))
    rows = [
        values(name, *((family, place % 2) for place, family in enumerate("ffghij")))
        for name in ("W2D RS", "D2W RS", "W2D P@1")
    ]
    given = {name: pl.concat(rows) for name in ("a", "b")}
    found = compare(given, groups, COMPARING, minimum=3, bands=[60, 600])
    assert found.averages.equals(COMPARING.averages(given, MEASURES))
    assert found.tests.equals(compare_agents(given, COMPARING))
    assert found.tasks.equals(compare_tasks(given, COMPARING))
    assert found.sizes.equals(sizes(groups, minimum=3, bands=[60, 600]))
    assert set(found.tables) == {"primary"}
    assert found.tables["primary"].equals(primary(given, COMPARING))
    assert found.tables["primary"]["metric"].to_list() == ["W2D RS"]
    assert compare(given, groups, COMPARING).sizes.equals(sizes(groups))
    nobody = average_on_peoples_groups({**given, "humans": rows[0].clear()})
    assert nobody.schema == found.averages.schema
    assert nobody.is_empty()


def test_contrasts_of_tasks_stand_by_measure_and_part_of_speech():
    rows = [
        values(f"{task} {measure}", *((family, place % 2) for place, family in enumerate("fghij")), condition=condition)
        for task in ("W2D", "D2W")
        for measure in ("RS", "P@1")
        for condition in ("verb", "noun", "noun, rare")
    ]
    found = compare_tasks({"a": pl.concat(rows), "b": pl.concat(rows)}, COMPARING)
    assert found.select("metric", "condition", "agent", "family").rows() == [
        (measure, condition, agent, family)
        for measure in ("P@1", "RS")
        for condition in ("noun", "verb")
        for agent, family in (("a", "models"), ("b", "controls"))
    ]
