"""What the analyses of a study make: the functions of its tables, and the files of each agent."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.report.analyses import makers, write_by_agent


def test_a_table_is_made_by_the_page_or_by_an_analysis():
    made = makers("definitions", "TABLES", {"overview": len}, ["overview", "leaks"])
    assert list(made) == ["overview", "leaks"]
    assert made["overview"] is len


def test_a_table_that_nothing_makes_ends_in_a_sentence():
    with pytest.raises(DataError, match=r"has a figure moons that nothing makes: add it to FIGURES of the analysis"):
        makers("definitions", "FIGURES", {}, ["moons"])


def test_each_analysis_has_its_file_of_an_agent(tmp_path):
    paths = [tmp_path / name / "tiny.parquet" for name in ("leaks", "depth")]
    write_by_agent({path.parent.name: pl.DataFrame({"of": [path.parent.name]}) for path in paths}, paths)
    assert [pl.read_parquet(path)["of"].item() for path in paths] == ["leaks", "depth"]
