"""The values of every study in the one form, on the tables of a finished run."""

import polars as pl
import pytest
from relprobe.core.study import study_of
from relprobe.core.values import TIDY
from relprobe.studies import STUDIES

SEVERAL = {("definitions", "humans")}
"""Whose units have a value per participant."""


@pytest.mark.parametrize("name", STUDIES)
def test_the_values_of_all_agents_have_the_one_form(finished, name):
    """A unit names a value, and the values, their clusters and the conditions are those that averages and tests read."""
    study = study_of(name)
    metrics = {metric.name: metric for metric in study.metrics()}
    files = sorted((finished.results / name / "metrics").glob("*.parquet"))
    assert files
    seen = set()
    for file in files:
        values = pl.read_parquet(file)
        tidy = study.tidy_values(values)
        assert pl.Schema({column: kind for column, kind in tidy.schema.items() if column != "agent"}) == TIDY
        assert tidy["value"].equals(values["value"])
        assert tidy.select(pl.exclude("value")).null_count().sum_horizontal().item() == 0
        keys = tidy.drop("value", "cluster")
        assert keys.is_duplicated().any() == ((name, file.stem) in SEVERAL)
        for metric, rows in values.with_columns(tidy=tidy["cluster"]).group_by("metric"):
            seen.add(metric[0])
            if metric[0] in metrics and not rows.is_empty():
                columns = [study.groups[0], *metrics[metric[0]].cluster_columns]
                clusters = rows.select(*columns, "tidy").unique()
                tidy_units, metric_units = (
                    rows.select(study.groups[0], *key).n_unique() for key in (["tidy"], columns[1:])
                )
                assert tidy_units == metric_units == clusters.height, (file.stem, metric)
    assert {metric for metric, declared in metrics.items() if declared.test} & seen


def test_a_unit_and_a_condition_name_their_parts(finished):
    relations = study_of("relations").tidy_values(
        pl.read_parquet(finished.results / "relations/metrics/humans.parquet")
    )
    assert relations.filter(metric="symmetry")["condition"].str.contains(r"^\w+, k = \d+$").all()
    assert relations.filter(metric="symmetry")["unit"].str.split(" · ").list.len().eq(3).all()
    assert relations.filter(metric="soundness")["unit"].str.split(" · ").list.len().eq(2).all()
    pairs = study_of("pairs").tidy_values(pl.read_parquet(finished.results / "pairs/metrics/tiny-causal.parquet"))
    assert pairs.columns == ["agent", *TIDY]
    assert pairs.filter(metric="ap")["condition"].str.contains(", foils = ").all()
