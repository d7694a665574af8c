"""A score file as steps read it: columns, parts, rows of some values, layers, and what it says of itself."""

import contextlib

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.score_files.words import CANDIDATE_SCORES, WORD_SCORES, candidate_table, word_table
from relprobe.lm.score_files.writer import Writer, encodings

ROWS = {"probe_id": [*"abcdefg"], "layer": [3, 0, 3, 1, 0, 3, 1], "value": [float(number) for number in range(7)]}


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "gpt2.parquet"
    with Writer(path, {"sent": {"a": "a robin is a"}}, lambda: pa.table(ROWS).slice(0, 0), 3) as file:
        file.append(pa.table(ROWS).slice(0, 5))
        file.append(pa.table(ROWS).slice(5))
    return ScoreFile.read(path)


def test_a_file_says_its_agent_its_rows_its_columns_and_what_was_sent(scores):
    assert (scores.agent, scores.rows, scores.names) == ("gpt2", 7, ["probe_id", "layer", "value"])
    assert scores.metadata == {"sent": {"a": "a robin is a"}}


@pytest.mark.parametrize("said", [None, {}, {"relprobe": "{"}, {"relprobe": "3"}, {"relprobe": b"\xff"}], ids=str)
def test_a_file_that_says_nothing_of_itself_is_a_data_error(scores, said):
    pq.write_table(pa.table(ROWS).replace_schema_metadata(said), scores.path)
    with pytest.raises(DataError, match=r"gpt2\.parquet does not say what it was made of: delete it and run again\.$"):
        scores.metadata["sent"]


def test_the_columns_that_are_asked_for_are_read_and_no_others(scores):
    assert scores.columns("value", "probe_id").to_pydict() == {name: ROWS[name] for name in ("value", "probe_id")}
    assert scores.columns("layer").column_names == ["layer"]


def test_parts_have_the_rows_that_were_written_together(scores):
    parts = list(scores.parts("probe_id"))
    assert [part.column_names for part in parts] == [["probe_id"]] * 3
    assert [part["probe_id"].to_pylist() for part in parts] == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert [part["probe_id"].num_chunks for part in parts] == [1, 1, 1]


def test_rows_are_those_that_have_all_of_the_values(scores):
    assert scores.where(["probe_id"], layer=3).to_dict(as_series=False) == {"probe_id": ["a", "c", "f"]}
    assert scores.where(["value"], layer=0, probe_id="e")["value"].to_list() == [4.0]
    assert scores.where(["value"], layer=0, probe_id="a").is_empty()


def test_layers_are_listed_once_and_ascending(scores):
    assert scores.layers() == [0, 1, 3]


def test_a_table_has_the_columns_of_its_schema(scores):
    schema = pl.Schema({"probe_id": pl.String(), "layer": pl.Int64(), "value": pl.Float64()})
    assert scores.table(schema).to_dict(as_series=False) == ROWS
    with pytest.raises(DataError, match=r"gpt2\.parquet has .* instead of"):
        scores.table(pl.Schema({"probe_id": pl.String()}))


def test_rows_of_a_file_without_any_have_its_columns(tmp_path):
    path = tmp_path / "gpt2.parquet"
    with Writer(path, {}, lambda: pa.table(ROWS).slice(0, 0), 3):
        pass
    found = ScoreFile.read(path).where(["value", "probe_id"], layer=3)
    assert found.schema == {"value": pl.Float64(), "probe_id": pl.String()}
    assert found.is_empty()


def test_a_column_that_is_not_there_says_so_where_rows_are_asked_for(scores):
    for columns, values in ((["none"], {"layer": 1}), (["value"], {"none": 1})):
        with pytest.raises(DataError, match=r"gpt2\.parquet has no column none: delete it and run again"):
            scores.where(columns, **values)


def questions(scores):
    """What can be asked of a score file."""
    return (
        lambda: ScoreFile.read(scores.path),
        lambda: scores.names,
        lambda: scores.metadata,
        lambda: scores.columns("value"),
        lambda: list(scores.parts("value")),
        lambda: scores.where(["value"], layer=0),
        lambda: scores.table(pl.Schema({"value": pl.Float64()})),
    )


def test_a_file_that_is_no_parquet_says_so_whatever_is_asked_of_it(scores):
    scores.path.write_bytes(b"PAR1")
    for ask in questions(scores):
        with pytest.raises(DataError, match=r"gpt2\.parquet cannot be read as Parquet"):
            ask()


def test_a_name_that_is_no_text_ends_in_no_other_error(scores):
    """Of a column that is not asked for it may stay unseen."""
    scores.path.write_bytes(scores.path.read_bytes().replace(b"value", b"v\xfflue"))
    with pytest.raises(DataError, match=r"gpt2\.parquet cannot be read as Parquet"):
        scores.where(["value"], layer=0)
    for ask in questions(scores):
        with contextlib.suppress(DataError):
            ask()


def test_numbers_of_32_bits_or_more_are_written_by_their_bytes_also_in_lists():
    schema = pa.schema([
        ("id", pa.string()), ("half", pa.float16()), ("small", pa.int16()), ("number", pa.int32()),
        ("value", pa.float64()), ("list", pa.list_(pa.float32())), ("large", pa.large_list(pa.float32())),
        ("texts", pa.large_list(pa.string())),
    ])  # fmt: skip
    assert encodings(schema) == {
        "use_dictionary": ["id", "texts.list.element"],
        "use_byte_stream_split": ["number", "value", "list.list.element", "large.list.element"],
    }
    assert encodings(pa.schema([("right", pa.bool_())])) == {"use_dictionary": False, "use_byte_stream_split": False}


@pytest.mark.parametrize("column", [["a", "b"], [1.5, -2.5], [[1, 2], []], [True, False]], ids=str)
def test_a_file_of_columns_of_one_kind_is_read_as_it_was_written(column, tmp_path):
    table = pa.table({"first": column, "second": column})
    with Writer(tmp_path / "one.parquet", {}, lambda: table.slice(0, 0), 5) as file:
        file.append(table)
    assert ScoreFile.read(tmp_path / "one.parquet").columns("first", "second").to_pydict() == table.to_pydict()


def test_the_table_of_no_responses_has_the_columns_of_others():
    assert (word_table([]).schema, word_table([]).num_rows) == (WORD_SCORES, 0)
    assert (candidate_table([]).schema, candidate_table([]).num_rows) == (CANDIDATE_SCORES, 0)
