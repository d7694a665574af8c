"""The overview, and the tables of a run that has no agents."""

import polars as pl
from relprobe.core.analyses import take
from relprobe.studies.relations.analyses.ceiling import NO_HUMANS
from relprobe.studies.relations.averages import averages_of as averages
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import AVERAGES, PROBES, RELATA, TESTS
from relprobe.studies.relations.tables import omissions, overview

from tests.studies.relations.about import results
from tests.studies.relations.compare.test_analyses import DELTAS, mutual, only, sound, units
from tests.studies.relations.six import ENGLISH, SIX


def test_the_overview_has_a_column_per_metric_and_cutoff():
    table = units(sound("a", "p", 1), sound("a", "p", 0.0, "ANT"), mutual("n", "d", 1), mutual("n", "d", 0, k=5))
    found = overview(averages({"m": pl.concat([table, DELTAS])}, relations=SIX), relations=SIX)
    assert "prototypicality_targets" not in found.columns
    over = {"targets", "coverage", "own_targets", "tuples"}
    assert set(found.columns) - {"agent", "relation"} - over == {"soundness", "symmetry@1", "symmetry@5"}
    assert (
        only(found, relation="ANT").items() >= {"targets": 1, "coverage": 1, "own_targets": False, "tuples": 1}.items()
    )
    assert only(found, relation="ANT")["symmetry@1"] == 1
    assert only(found, relation="HYP")["symmetry@1"] is None


def test_the_overview_counts_the_targets_of_prototypicality_apart():
    """Of three targets, people's answers to two can be a gold standard."""
    typical = [("prototypicality", "HYP", target, "p", 0.5) for target in "ab"]
    table = units(*(sound(target, "p", 1) for target in "abc"), sound("d", "p", 1, "MER"), *typical)
    found = overview(averages({"m": table}, relations=SIX), relations=SIX)
    counts = found.select("relation", "targets", "prototypicality_targets").rows()
    assert counts == [("HYP", 3, 2), ("MER", 1, None)]


def test_the_overview_is_in_the_order_of_relations_and_has_the_most_tuples_of_any_cutoff():
    row = {"agent": "m", "coverage": 1.0, "own_units": False}
    rows = [
        {**row, "metric": metric, "k": k, "relation": relation, "value": value, "units": number}
        for metric, k, relation, value, number in (
            ("soundness", None, "ANT", 0.2, 4),
            ("symmetry", 1, "ANT", 0.3, 6),
            ("symmetry", 5, "ANT", 0.4, 3),
            ("soundness", None, "HYP", 0.1, 7),
        )
    ]
    found = overview(pl.DataFrame(rows), relations=SIX)
    names = ["relation", "soundness", "symmetry@1", "symmetry@5", "targets", "tuples"]
    assert found.select(names).rows() == [("HYP", 0.1, None, None, 7, None), ("ANT", 0.2, 0.3, 0.4, 4, 6)]


def test_a_run_without_agents_has_its_tables_without_rows_and_says_what_they_lack():
    """Those that are made of files of agents, of which it has none."""
    nothing = [pl.DataFrame(schema=schema) for schema in (PROBES, RELATA, RELATA, {"word": pl.String})]
    averages_and_tests = {"averages": pl.DataFrame(schema=AVERAGES), "tests": pl.DataFrame(schema=TESTS)}
    run = results(gold=GoldStandard(*nothing, SIX), language=ENGLISH, **averages_and_tests)
    made = take("relations", "TABLES")
    names = ["first_related", "frequency", "lexicons", "prompts", "sensitivity", "sizes", "ways"]
    heights = {name: make(run).height for analysis in names for name, make in made[analysis].items()}
    assert heights == dict.fromkeys(heights, 0)
    assert {"first_related", "frequency", "coverage", "unequal_prompts", "best_by_type", "ways"} < heights.keys()
    assert ("entropy", NO_HUMANS) in omissions(run).rows()
