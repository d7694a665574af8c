"""The table of ranges over choices and over prompts."""

import polars as pl
from relprobe.studies.relations.analyses.sensitivity import join_sensitivity, ranges
from relprobe.studies.relations.schemas import SENSITIVITY


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
