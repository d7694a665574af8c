"""Sentences in place of tables: which tables are such sentences, and where they are looked for."""

import polars as pl
import pytest
from relprobe.core.unmade import (
    MOST_BYTES,
    UNSHOWN,
    UnmadeError,
    UnmadeTable,
    change_tables,
    is_unshown,
    made_tables,
    reason_table,
    reasons,
    table_or_reason,
    tables_or_reasons,
    to_use,
    unmade_files,
    unmade_in,
    unshown,
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


def test_the_log_says_in_full_why_a_table_is_missing(caplog):
    def make():
        raise KeyError("agent")

    assert table_or_reason("tests", make).item() == "This table could not be made (KeyError: 'agent')."
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("ERROR", "the table tests cannot be made")
    assert record.exc_info[0] is KeyError


@pytest.mark.parametrize(("bytes_more", "found"), [(0, True), (1, False)])
def test_a_page_without_answers_is_a_small_one_with_the_sentence(tmp_path, bytes_more, found):
    page = tmp_path / "answers.html"
    sentence = f"<p>{UNSHOWN} (ValueError: no answer).</p>"
    page.write_text(sentence + "x" * (MOST_BYTES - len(sentence) + bytes_more))
    assert is_unshown(page) is found
    page.write_text("<p>Answers</p>")
    assert not is_unshown(page)
    assert not is_unshown(tmp_path / "nowhere.html")


def test_what_a_step_of_several_tables_cannot_make_has_a_reason_for_each():
    made = {"a": pl.DataFrame({"n": [1]})}
    assert tables_or_reasons(["a"], lambda table: table, made) == made
    failed = tables_or_reasons(["a", "b"], fails, ValueError("no\nrows."))
    assert {name: str(table.item()) for name, table in failed.items()} == dict.fromkeys(
        "ab", "This table could not be made (ValueError: no)."
    )
    for maker in (
        lambda error: tables_or_reasons(["a"], fails, error),
        lambda error: table_or_reason("a", fails, error),
    ):
        for error in (OSError("full"), MemoryError()):
            with pytest.raises(type(error)):
                maker(error)


def fails(error):
    raise error


def test_a_table_of_another_one_that_is_missing_has_its_reason():
    missing = to_use("tests", WHY)
    assert type(missing) is UnmadeTable
    table = table_or_reason("tests", lambda: missing)
    assert (
        str(table.item()) == "This table could not be made (the table tests could not be made: ValueError: no agent)."
    )
    assert table_or_reason(
        "other", lambda one, *, more: one.with_columns(m=more), pl.DataFrame({"n": [1]}), more=2
    ).rows() == [(1, 2)]


def test_tables_that_could_not_be_made_are_asked_for_in_vain_and_others_are_unknown():
    tables = made_tables({"tests": WHY, "overview": pl.DataFrame({"n": [1]})})
    assert list(tables) == ["overview"]
    assert (tables.get("nothing"), tables.get("nothing", 3)) == (None, 3)
    assert tables.get("overview")["n"].item() == 1
    for ask in (lambda: tables["tests"], lambda: tables.get("tests")):
        with pytest.raises(UnmadeError, match="the table tests could not be made"):
            ask()
    with pytest.raises(KeyError):
        tables["nothing"]
    changed = change_tables(tables, lambda name, table: table.with_columns(name=pl.lit(name)))
    assert changed["overview"].rows() == [(1, "overview")]
    assert list(changed.unmade) == ["tests"]
    plain = change_tables({"a": pl.DataFrame({"n": [1]})}, lambda _, table: table.head(0))
    assert (type(plain), plain["a"].height) == (dict, 0)


def test_the_files_without_a_table_stand_by_name_and_a_damaged_one_is_none(tmp_path):
    for name in ("b", "a", "c"):
        write_reason(WHY, tmp_path / f"{name}/t.parquet")
    (tmp_path / "a/damaged.parquet").write_bytes(b"PAR1")
    pl.DataFrame({"agent": ["m"], WHY.columns[0]: WHY.to_series()}).write_parquet(tmp_path / "a/of_agent.parquet")
    found = [path.relative_to(tmp_path).as_posix() for path in unmade_files(tmp_path)]
    assert found == ["a/of_agent.parquet", "a/t.parquet", "b/t.parquet", "c/t.parquet"]
    assert unshown(ValueError("no answer")) == f"{UNSHOWN} (ValueError: no answer)."
