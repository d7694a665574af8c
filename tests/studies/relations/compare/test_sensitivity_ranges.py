"""The table of ranges over choices and over prompts."""

import polars as pl
from relprobe.studies.relations.analyses.sensitivity import TABLES, join_sensitivity, ranges
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.schemas import SENSITIVITY

from tests.studies.relations.about import results


def tables_of(sensitivity):
    """The tables of the sensitivity of some agents, by their names."""
    joined = join_sensitivity(sensitivity)
    return {"sensitivity": joined, "sensitivity_ranges": ranges(joined)}


def test_ranges_are_over_choices_and_over_prompts():
    rows = [
        ("as configured", "soundness", "HYP", None, 0.5),
        ("ties: listed", "soundness", "HYP", None, 0.4),
        ("without p", "soundness", "HYP", None, 0.6),
        ("without q", "soundness", "HYP", None, 0.3),
    ]
    tables = tables_of({"m": pl.DataFrame(rows, schema=SENSITIVITY, orient="row")})
    (row,) = tables["sensitivity_ranges"].to_dicts()
    assert list(row.values())[:5] == ["m", "soundness", "HYP", None, 0.5]
    ends = {
        name: (row[name], row["_".join(reversed(name.split("_")))]) for name in row if name.endswith(("low", "high"))
    }
    assert ends == {
        "choice_low": (0.4, "ties: listed"),
        "choice_high": (0.5, "as configured"),
        "prompt_low": (0.3, "q"),
        "prompt_high": (0.6, "p"),
    }


def test_a_range_of_equal_values_names_the_configured_choice():
    rows = [
        ("answers: words", "soundness", "HYP", None, 0.5),
        ("as configured", "soundness", "HYP", None, 0.5),
        ("ties: listed", "soundness", "HYP", None, 0.5),
    ]
    (row,) = tables_of({"m": pl.DataFrame(rows, schema=SENSITIVITY, orient="row")})["sensitivity_ranges"].to_dicts()
    assert (row["low_choice"], row["high_choice"]) == ("as configured", "as configured")
    assert (row["prompt_low"], row["low_prompt"]) == (None, None)


def test_without_agents_the_tables_are_empty():
    tables = tables_of({})
    assert tables["sensitivity"].schema == {"agent": pl.String, **SENSITIVITY}
    assert tables["sensitivity_ranges"].is_empty()


def test_the_tables_of_a_run_have_its_agents_without_the_controls(tmp_path):
    row = pl.DataFrame([("as configured", "soundness", "HYP", None, 0.5)], schema=SENSITIVITY, orient="row")
    files = [tmp_path / f"sensitivity/{agent}.parquet" for agent in ("frequency", "m", "humans")]
    files[0].parent.mkdir()
    for file in files:
        row.with_columns(agent=pl.lit(file.stem)).write_parquet(file)
    run = results(by_agent=files, settings=Settings(controls=["frequency"]))
    assert TABLES["sensitivity"](run)["agent"].to_list() == ["m", "humans"]
    assert TABLES["sensitivity_ranges"](run).select("agent", "choice_high").rows() == [("m", 0.5), ("humans", 0.5)]
