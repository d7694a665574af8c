"""Sentences in place of tables: which tables are such sentences, and where they are looked for."""

import polars as pl
import pytest
from relprobe.core.unmade import (
    MOST_BYTES,
    UNSHOWN,
    UnmadeTable,
    is_unshown,
    reason_table,
    reasons,
    to_use,
    unmade_files,
    unmade_in,
    write_reason,
)

WHY = reason_table("tests", ValueError("no agent"))


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame({WHY.columns[0]: ["This table has another sentence."]}),
        pl.DataFrame({WHY.columns[0]: WHY.to_series().to_list() * 2}),
        WHY.clear(),
        WHY.rename({WHY.columns[0]: "word"}),
        WHY.with_columns(n=1),
    ],
    ids=["another sentence", "two rows", "no row", "another column", "two columns"],
)
def test_only_one_sentence_in_its_column_is_a_reason(table, tmp_path):
    assert reasons({"tests": table}) == {}
    assert to_use("tests", table) is table
    assert write_reason(table, tmp_path / "t.parquet") is False
    assert not (tmp_path / "t.parquet").exists()


def test_a_reason_is_written_and_found_again(tmp_path):
    assert write_reason(WHY, tmp_path / "deep/tests.parquet")
    assert list(unmade_files(tmp_path)) == [tmp_path / "deep/tests.parquet"]
    assert type(unmade_in(tmp_path / "deep/tests.parquet")) is UnmadeTable
    WHY.rename({WHY.columns[0]: "word"}).write_parquet(tmp_path / "other.parquet")
    WHY.write_csv(tmp_path / "tests.csv")
    assert [unmade_in(tmp_path / name) for name in ("other.parquet", "tests.csv", "nowhere.parquet")] == [None] * 3
    assert list(unmade_files(tmp_path)) == [tmp_path / "deep/tests.parquet"]


@pytest.mark.parametrize(("bytes_more", "found"), [(0, True), (1, False)])
def test_a_page_without_answers_is_a_small_one_with_the_sentence(tmp_path, bytes_more, found):
    page = tmp_path / "answers.html"
    sentence = f"<p>{UNSHOWN} (ValueError: no answer).</p>"
    page.write_text(sentence + "x" * (MOST_BYTES - len(sentence) + bytes_more))
    assert is_unshown(page) is found
    page.write_text("<p>Answers</p>")
    assert not is_unshown(page)
    assert not is_unshown(tmp_path / "nowhere.html")
