import polars as pl
from relprobe.studies.definitions.analyses import compare
from relprobe.studies.definitions.schemas import UNITS


def test_agents_are_compared_per_part_of_speech_alone():
    rows = [("W2D P@1", c, f"g{i}", float(i < 3)) for c in ("noun", "noun, rare") for i in range(4)]
    values = pl.DataFrame(rows, schema=UNITS, orient="row")
    table = compare({"a": values, "b": values.with_columns(value=pl.lit(0.0))})
    # Three discordant pairs, all won by a: exact p = 2 / 2³.
    assert table.select("condition", "test", "units", "effect", "p").rows() == [("noun", "McNemar", 4, 0.5, 0.25)]


def test_rank_scores_are_compared_by_their_ranks_even_in_groups_of_two():
    rows = [("W2D RS", "noun", f"g{i}", float(i < 3)) for i in range(4)]
    values = pl.DataFrame(rows, schema=UNITS, orient="row")
    table = compare({"a": values, "b": values.with_columns(value=pl.lit(0.0))})
    assert table["test"].to_list() == ["Wilcoxon"]
