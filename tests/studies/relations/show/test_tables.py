"""The overview."""

import polars as pl
from relprobe.studies.relations.compare import averages_of as averages
from relprobe.studies.relations.tables import overview

from tests.studies.relations.compare.test_analyses import DELTAS, mutual, only, sound, units
from tests.studies.relations.six import SIX

# Tables


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
