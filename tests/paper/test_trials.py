"""The table of trials: one form for all studies."""

import polars as pl
import pytest
from relprobe.paper.trials import FURTHER, TRIALS, as_trials, with_further

from tests.steps import run_step


def test_the_studies_stand_one_below_the_other_in_both_files(tmp_path):
    for study, right in (("one", 1.0), ("other", 0.5)):
        as_trials(pl.DataFrame({"right": [right]}), study=study, counted=1).write_parquet(tmp_path / f"{study}.parquet")
    files = [tmp_path / "one.parquet", tmp_path / "other.parquet"]
    csv, parquet = tmp_path / "paper/trials.csv", tmp_path / "paper/trials.parquet"
    run_step("manuscript", "trials", study_trials=files, csv=csv, parquet=parquet)
    table = pl.read_parquet(parquet)
    assert table.schema == {name: kind for name, kind in TRIALS.items() if name != FURTHER}
    assert table.select("study", "right", "counted").rows() == [("one", 1.0, 1), ("other", 0.5, 1)]
    header, first, _ = csv.read_text().splitlines()
    assert header.split(",") == [name for name in TRIALS if name != FURTHER]
    assert first == "one,,,,,,,,,,,,1.0,,,,,,,1"  # R reads 1 as a number, and "true" as a text


def test_a_column_of_another_name_is_refused():
    with pytest.raises(ValueError, match="no columns \\['word'\\]"):
        as_trials(pl.DataFrame({"word": ["bird"]}))


def test_a_further_column_with_a_text_is_a_column_of_texts():
    cells = ['{"rt": "512", "hand": "left"}', '{"rt": "7", "hand": "3"}']
    table = with_further(pl.DataFrame({"agent": ["p", "q"], FURTHER: cells}))
    assert table.to_dict(as_series=False) == {"agent": ["p", "q"], "rt": [512.0, 7.0], "hand": ["left", "3"]}
