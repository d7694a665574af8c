import contextlib
import errno
import hashlib
import json
import math
import os
import shutil
import socket
import subprocess
import sys

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from relprobe.core import files
from relprobe.core.errors import DataError
from relprobe.core.files import (
    _replace_folder,
    _runs,
    files_below,
    parquet,
    parquet_columns,
    parquet_parts,
    parquet_schema,
    paths_below,
    read_columns,
    read_json,
    read_own_text,
    read_parquet,
    read_table,
    read_text,
    read_yaml,
    sha256,
    single_file,
    size_below,
    whole_file,
    whole_folder,
    without_apostrophe,
    write_csv,
    write_json,
    write_parquet,
    write_table,
    write_tables,
)

from tests.paths import ROOT

SCHEMA = pl.Schema({"word": pl.String(), "count": pl.UInt32()})


def table(**columns):
    return pl.DataFrame({"word": ["bird"], "count": [1], **columns}, schema_overrides={"count": pl.UInt32})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("rows", [0, 1])
def test_a_table_of_one_agent_names_it_for_other_programs_and_no_step_reads_that(tmp_path, rows):
    form, path = parquet(SCHEMA, "word", per_agent=True), tmp_path / "gpt2.parquet"
    form.write(table().head(rows), path)
    assert pl.read_parquet(path).rows() == [("gpt2", "bird", 1)][:rows]
    assert pl.read_parquet(path).columns == ["agent", "word", "count"]
    assert form.read(path).equals(table().head(rows))
    assert read_table(path, SCHEMA).schema == SCHEMA
    parquet(SCHEMA).write(table(), path)
    assert pl.read_parquet(path).columns == ["word", "count"]


def test_whole_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "new/folder/file.txt"
    with whole_file(path) as partial:
        partial.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert names(path.parent) == ["file.txt"]


def test_a_failure_leaves_no_file(tmp_path):
    with pytest.raises(RuntimeError), whole_file(tmp_path / "file.txt") as partial:
        partial.write_text("half")
        raise RuntimeError
    assert names(tmp_path) == []


def test_a_failure_leaves_the_older_file(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), whole_file(path) as partial:
        partial.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file.txt"]


def test_the_partial_file_of_a_killed_job_is_deleted_when_the_file_is_written_again(tmp_path):
    path = tmp_path / "file [1].txt"
    leftover_of_file, other_leftover = tmp_path / f".{path.name}.4711.partial", tmp_path / ".file 1.txt.4711.partial"
    for leftover in (leftover_of_file, other_leftover):
        leftover.write_text("half")
    with whole_file(path) as partial:
        assert not leftover_of_file.exists()
        partial.write_text("whole")
    assert names(tmp_path) == [other_leftover.name, path.name]


def test_whole_folder_replaces_the_older_one_whole(tmp_path):
    folder = tmp_path / "folder"
    with whole_folder(folder) as partial:
        (partial / "old").touch()
    with whole_folder(folder) as partial:
        (partial / "new").touch()
        assert names(folder) == ["old"]
    assert names(folder) == ["new"]
    assert names(tmp_path) == ["folder"]


def test_a_failure_leaves_the_older_folder(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/old").touch()
    with pytest.raises(RuntimeError), whole_folder(tmp_path / "folder") as partial:
        (partial / "half").touch()
        raise RuntimeError
    assert names(tmp_path) == ["folder"]
    assert names(tmp_path / "folder") == ["old"]


def test_the_partial_folder_of_a_killed_job_does_not_get_into_the_next_folder(tmp_path):
    with whole_folder(tmp_path / "folder") as partial:
        leftover = partial.name
    (tmp_path / leftover).mkdir()
    (tmp_path / leftover / "half").touch()
    with whole_folder(tmp_path / "folder") as partial:
        (partial / "new").touch()
    assert names(tmp_path / "folder") == ["new"]


def test_sha256_is_that_of_the_bytes(tmp_path):
    (tmp_path / "file").write_bytes(b"abc\r\n")
    assert sha256(tmp_path / "file") == hashlib.sha256(b"abc\r\n").hexdigest()


def test_json_survives_a_round_trip(tmp_path):
    value = {"word": "café", "list": [1, None]}
    write_json(value, tmp_path / "file.json")
    assert read_json(tmp_path / "file.json") == value
    assert "café" in (tmp_path / "file.json").read_text(encoding="utf-8")


def test_json_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(TypeError):
        write_json({"file": tmp_path}, tmp_path / "file.json")
    assert names(tmp_path) == []


def test_a_byte_order_mark_is_skipped(tmp_path):
    (tmp_path / "file.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_json(tmp_path / "file.json") == {"a": 1}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
@pytest.mark.parametrize("text", ["word,count\nübel,3\n", "word\tcount\nбык\t3\n", "{}\n"])
def test_a_file_in_utf_16_is_named_with_the_remedy_with_or_without_a_mark(tmp_path, encoding, text):
    file = tmp_path / "own.csv"
    file.write_bytes(text.encode(encoding))
    with pytest.raises(DataError, match=r"^.*own\.csv.*(is UTF-16|UTF-16 has it).*save it as UTF-8"):
        read_own_text(file)


@pytest.mark.parametrize("before", [0, 1, 3])
def test_what_cannot_be_seen_is_named_with_its_line(tmp_path, before):
    file = tmp_path / "own.csv"
    file.write_text("a\n" * before + "b\u200e\nc\u200e\n")
    with pytest.raises(DataError, match=rf"own\.csv, line {before + 1}: it holds U\+200E"):
        read_own_text(file)
    assert read_own_text(file, as_published=True) == file.read_text()
    file.write_text("a\n" * before + "b\ufeff\n")
    with pytest.raises(DataError, match=rf"own\.csv, line {before + 1}: it holds a byte-order mark"):
        read_own_text(file, as_published=True)


@pytest.mark.parametrize(
    ("text", "line"), [("a: [1\n", 2), ("a: 1\nb: 'x\n", 3), ("a: 1\n\nb: 2: 3\n", 3), ("a: 1\n- b\n", 2)]
)
def test_what_is_no_yaml_is_named_with_its_line(tmp_path, text, line):
    (tmp_path / "own.yaml").write_text(text)
    with pytest.raises(DataError, match=rf"own\.yaml is no valid YAML \(.*, line {line}\): correct it"):
        read_yaml(tmp_path / "own.yaml")


def test_a_day_that_is_not_is_no_yaml_and_has_no_line(tmp_path):
    (tmp_path / "own.yaml").write_text("day: 2026-02-30\n")
    with pytest.raises(DataError, match=r"own\.yaml is no valid YAML \([^)]*(?<!line \d)\): correct it"):
        read_yaml(tmp_path / "own.yaml")


def test_levels_by_aliases_are_refused(tmp_path):
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 120))]
    (tmp_path / "own.yaml").write_text("\n".join(lines[:90]))
    assert len(read_yaml(tmp_path / "own.yaml")) == 90
    (tmp_path / "own.yaml").write_text("\n".join(lines))
    with pytest.raises(
        DataError, match=r"own\.yaml: the value that begins in line \d+ has more than 100 levels by its"
    ):
        read_yaml(tmp_path / "own.yaml")


def test_tables_are_written_for_people_and_for_steps_and_no_others(tmp_path):
    tables = {"words": table(), "pairs": table(word=["wren"])}
    paths = [tmp_path / name for name in ("pairs.parquet", "words.csv", "pairs.csv", "words.parquet")]
    write_tables(tables, paths)
    assert names(tmp_path) == ["pairs.csv", "pairs.parquet", "words.csv", "words.parquet"]
    assert pl.read_parquet(tmp_path / "pairs.parquet").rows() == [("wren", 1)]
    assert (tmp_path / "words.csv").read_text() == "word,count\nbird,1\n"
    with pytest.raises(DataError, match=r"the tables are words, pairs, but the files are .*: name the same tables"):
        write_tables(tables, paths[:3])


def test_another_encoding_is_a_data_error(tmp_path):
    (tmp_path / "file.json").write_bytes(b"\xff{}")
    with pytest.raises(DataError, match=r"file\.json is not UTF-8 \(.*\): convert it"):
        read_json(tmp_path / "file.json")
    (tmp_path / "file.json").write_bytes("{}".encode("utf-16"))
    with pytest.raises(DataError, match=r"file\.json is UTF-16: save it as UTF-8"):
        read_json(tmp_path / "file.json")


@pytest.mark.parametrize("content", [b"", b"{"])
def test_invalid_json_is_a_data_error(tmp_path, content):
    (tmp_path / "file.json").write_bytes(content)
    with pytest.raises(DataError, match=r"file\.json is no valid JSON \(.*\): get it anew\.$"):
        read_json(tmp_path / "file.json")


def test_a_missing_json_file_is_a_data_error(tmp_path):
    with pytest.raises(DataError, match=r"file\.json is missing: run the rule that makes it\.$"):
        read_json(tmp_path / "file.json")


def test_a_table_survives_a_round_trip_in_the_order_of_its_schema(tmp_path):
    write_table(table().select("count", "word"), SCHEMA, tmp_path / "t.parquet")
    result = read_table(tmp_path / "t.parquet", SCHEMA)
    assert result.columns == ["word", "count"]
    assert result.rows() == [("bird", 1)]


@pytest.mark.parametrize(
    "other",
    [table().drop("count"), table(more=[1]), table().cast({"count": pl.Int64})],
    ids=["a column too few", "a column too many", "another type"],
)
def test_a_table_that_does_not_fit_is_not_written(tmp_path, other):
    with pytest.raises(DataError, match=r"t\.parquet: the table has .* but its schema says"):
        write_table(other, SCHEMA, tmp_path / "t.parquet")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "other",
    [table().drop("count"), table(more=[1]), table().cast({"count": pl.Int64})],
    ids=["a column too few", "a column too many", "another type"],
)
def test_a_table_that_does_not_fit_is_not_read(tmp_path, other):
    other.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"t\.parquet has .* instead of .*: delete it and run again\.$"):
        read_table(tmp_path / "t.parquet", SCHEMA)


@pytest.mark.parametrize("keep", [0, 3, 40, -8, -1])
def test_a_truncated_table_is_a_data_error(tmp_path, keep):
    path = tmp_path / "t.parquet"
    write_table(table(), SCHEMA, path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(
        DataError, match=r"t\.parquet cannot be read as Parquet \((.|\n)*\): delete it and run again\.$"
    ):
        read_table(path, SCHEMA)


def test_a_damaged_table_is_a_data_error(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(pl.DataFrame({"word": ["bird"] * 99, "count": pl.Series(range(99), dtype=pl.UInt32)}), SCHEMA, path)
    content = bytearray(path.read_bytes())
    content[4:60] = b"\x00" * 56  # the data; the schema at the end is whole
    path.write_bytes(content)
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read_table(path, SCHEMA)


def test_a_missing_table_is_a_data_error(tmp_path):
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read_table(tmp_path / "t.parquet", SCHEMA)


PARQUET_READERS = {
    "read_table": lambda path: read_table(path, SCHEMA).rows(),
    "read_parquet": lambda path: read_parquet(path).rows(),
    "read_columns": lambda path: read_columns(path, ["word"]).rows(),
    "rows of read_columns": lambda path: read_columns(path, ["count"], pl.col("word") == "bird").rows(),
    "parquet_columns": lambda path: parquet_columns(path, ["word"]).to_pylist(),
    "parquet_parts": lambda path: [part.to_pylist() for part in parquet_parts(path)],
}


@pytest.mark.parametrize("read", PARQUET_READERS.values(), ids=PARQUET_READERS)
def test_a_byte_that_is_another_one_ends_in_no_other_error_and_not_the_process(tmp_path, read):
    """Polars asks for 2 exabytes of memory where the byte 42 of this file is another one, and the process is over."""
    path = tmp_path / "t.parquet"
    write_table(table(), SCHEMA, path)
    whole = path.read_bytes()
    for place in range(100):  # the data; the schema is behind them
        path.write_bytes(whole[:place] + b"\x7f" + whole[place + 1 :])
        with contextlib.suppress(DataError):
            read(path)


@pytest.mark.parametrize("read", PARQUET_READERS.values(), ids=PARQUET_READERS)
def test_a_text_in_a_table_that_is_not_utf_8_is_a_data_error(tmp_path, read):
    path = tmp_path / "t.parquet"
    table().write_parquet(path, compression="uncompressed", statistics=False)
    path.write_bytes(path.read_bytes().replace(b"bird", b"b\xffrd"))
    with pytest.raises(
        DataError, match=r"t\.parquet cannot be read as Parquet \(.*UTF8.*\): delete it and run again\.$"
    ):
        read(path)


@pytest.mark.parametrize(
    ("columns", "found"), [(["word"], "no column count"), (["count", "count"], "the column count 2 times")]
)
def test_a_column_that_is_there_not_once_is_a_data_error(tmp_path, columns, found):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table([[1]] * len(columns), names=columns), path)
    for read in (lambda: read_columns(path, ["count", "word"]), lambda: parquet_columns(path, ["count", "word"])):
        with pytest.raises(DataError, match=rf"t\.parquet has {found}: delete it and run again\."):
            read()


def test_a_table_has_the_values_and_types_that_it_was_written_with(tmp_path):
    rows = [
        {"text": "a", "kind": "x", "words": ["u", "v"], "half": [0.5], "n": 1, "right": True, "f": 0.1, "s": {"a": 1}},
        {"text": None, "kind": "y", "words": [], "half": None, "n": None, "right": None, "f": math.nan, "s": None},
    ]
    kinds = {"kind": pl.Enum(["y", "x"]), "words": pl.List(pl.Categorical), "half": pl.List(pl.Float16), "n": pl.UInt16}
    written = pl.DataFrame(rows, schema_overrides=kinds | {"f": pl.Float32}).with_columns(
        time=pl.datetime(2026, 1, 2, time_zone="UTC"),
        nothing=None,
        pair=pl.Series([[1.0, 2.0], None], dtype=pl.Array(pl.Float32, 2)),
    )
    path = tmp_path / "t.parquet"
    for content in (written, written.clear()):
        write_parquet(content, path)
        assert read_parquet(path).schema == written.schema == parquet_schema(path)
        assert read_parquet(path).equals(content)
        assert read_columns(path, written.columns[::-1]).equals(content.select(written.columns[::-1]))


def test_rows_are_read_part_by_part(tmp_path, monkeypatch):
    """So those that are not asked for take no memory."""
    path, parts = tmp_path / "t.parquet", []
    pl.DataFrame({"word": [*"abcde"], "count": range(5), "more": range(5)}).write_parquet(path, row_group_size=2)

    def counted(path, columns):
        for part in parquet_parts(path, columns):
            parts.append((tuple(columns), part.num_rows))
            yield part

    monkeypatch.setattr(files, "parquet_parts", counted)
    assert read_columns(path, ["word"], pl.col("count") % 2 == 0).rows() == [("a",), ("c",), ("e",)]
    assert parts == [(("word", "count"), 2), (("word", "count"), 2), (("word", "count"), 1)]


def test_csv_keeps_floats_in_full_and_leaves_missing_values_empty(tmp_path):
    write_csv(pl.DataFrame({"a": [1 / 3, None]}), tmp_path / "tables/t.csv")
    assert (tmp_path / "tables/t.csv").read_text().splitlines() == ["a", repr(1 / 3), ""]


def test_json_files_are_read_by_the_standard_library(tmp_path):
    write_json({"a": 1}, tmp_path / "file.json")
    assert json.loads((tmp_path / "file.json").read_text()) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "key", "first", "second"),
    [
        ("models:\n  bert: {size: 1}\n  gpt: {}\n  bert: {size: 2}\n", "models.bert", 2, 4),
        ("a: 1\nb: {c: 1, c: 2}\n", "b.c", 2, 2),
        ("HYP:\n- {id: bare}\n- id: is\n  text: x\n  id: are\n", "HYP.id", 3, 5),
        ("16: a\n0x10: b\n", "0x10", 1, 2),
        ('{\n  "a": 1,\n  "a": 2\n}\n', "a", 2, 3),  # JSON
        ("base: &base {k: 1}\nother:\n  <<: *base\n  k: 2\n  k: 3\n", "other.k", 4, 5),
        ("z: {y: 1}\na: {b: 1,\n  b: 2}\nz: 3\n", "a.b", 2, 3),  # of two, the one that is complete first
    ],
)
def test_a_key_that_occurs_twice_is_named_with_its_lines(text, key, first, second, tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_yaml(path)
    assert str(caught.value) == (
        f"{path}: the key {key!r} occurs twice, in line {first} and in line {second}, and the second one would take the "
        "place of the first in silence: rename or delete one of them."
    )


@pytest.mark.parametrize("around", ["{}", "x: 1\ny: {}", "- {}", "x: {{y: [{}]}}", "x:\n- {{<<: {{z: {}}}}}"])
@pytest.mark.parametrize("loop", ["&a [*a]", "&a {x: *a}", "&a {? *a : 1}", "&a [{y: [1, *a]}]", "&a {<<: *a, x: 1}"])
def test_a_value_that_holds_itself_is_named_with_its_line(loop, around, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(around.format(loop))
    line = around[: around.index("{}")].count("\n") + 1
    with pytest.raises(DataError, match=rf"own\.yaml: the value that begins in line {line} holds itself by an alias: "):
        read_yaml(path)


@pytest.mark.parametrize(("first", "form"), [("[1]", "[{}]"), ("{x: 1}", "{{y: [{}]}}"), ("{x: 1}", "{{<<: [{}]}}")])
def test_aliases_that_explode_are_refused_at_once(first, form, tmp_path):
    lines = [f"a0: &a0 {first}"]
    lines += [f"a{n}: &a{n} {form.format(', '.join([f'*a{n - 1}'] * 9))}" for n in range(1, 12)]
    path = tmp_path / "own.yaml"
    path.write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"own\.yaml: the value that begins in line \d+ has more than 100,000 values"):
        read_yaml(path)


@pytest.mark.parametrize("text", ["[" * 200_000, "- " * 100_000, "{x: " * 200 + "}" * 200, "- " * 60 + "[" * 60])
def test_many_levels_are_refused_before_libyaml_crashes(text, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=r"own\.yaml: line 1 has more than 100 levels"):
        read_yaml(path)


def test_a_file_may_have_100_levels_and_100_000_values_and_no_more(tmp_path):
    def read(text):
        (tmp_path / "own.yaml").write_text(text)
        return read_yaml(tmp_path / "own.yaml")

    assert str(read("[" * 100 + "]" * 100)) == "[" * 100 + "]" * 100
    with pytest.raises(DataError, match="line 2 has more than 100 levels of lists"):
        read("\n" + "[" * 101 + "]" * 101)
    levels = f"a: &a {'[' * 50}{']' * 50}\nb: {{}}*a{{}}\n"  # with the mapping, 51 levels and those around the alias
    assert str(read(levels.format("[" * 49, "]" * 49))["b"]) == "[" * 99 + "]" * 99
    with pytest.raises(DataError, match="begins in line 1 has more than 100 levels by its aliases"):
        read(levels.format("[" * 50, "]" * 50))
    # of the mapping, its two keys and its second list, 4; and 156 times a list of 640 values, 641 each: 100,000
    values = f"a: &a [{','.join('0' * 640)}]\nb: [{','.join(['*a '] * 155)}{{}}]\n"
    assert len(read(values.format(""))["b"]) == 155
    with pytest.raises(DataError, match="begins in line 1 has more than 100,000 values by its aliases"):
        read(values.format(", 0"))


def test_two_processes_that_make_one_folder_do_not_collide(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from relprobe.core.files import whole_folder\n"
        "for _ in range(40):\n"
        "    with whole_folder(Path(sys.argv[1])) as partial:\n"
        "        for name in 'ab':\n"
        "            (partial / name).write_text(sys.argv[2]); time.sleep(.002)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "folder")]
    package = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/scripts")}
    both = [subprocess.Popen([*command, sign], env=package, stderr=subprocess.PIPE, text=True) for sign in "12"]
    assert [(one.communicate()[1], one.returncode) for one in both] == [("", 0), ("", 0)]
    assert names(tmp_path) == ["folder"]
    assert len({(tmp_path / "folder" / name).read_text() for name in "ab"}) == 1


def test_folders_of_processes_that_were_killed_go_and_those_of_other_machines_stay(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"{socket.gethostname()}.{ended.pid}", f"{socket.gethostname()}.1", "node7.cluster.1"):
        (tmp_path / f".folder.{name}.partial").mkdir()
    with whole_folder(tmp_path / "folder"):
        pass
    others = {f".folder.{socket.gethostname()}.1.partial", ".folder.node7.cluster.1.partial"}
    assert set(names(tmp_path)) == {"folder", *others}


def test_merged_keys_anchors_and_equal_keys_of_two_mappings_are_no_repetition(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(
        "one: &one {type: causal, size: 1}\ntwo: &two {size: 2}\n"
        "both:\n  <<: *one\n  <<: *two\n  type: masked\nagain: *one\n'1': a\n1: b\n"
    )
    content = read_yaml(path)
    assert content["both"]["type"] == "masked"
    assert content["again"] == {"type": "causal", "size": 1}
    assert (content["1"], content[1]) == ("a", "b")
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    assert read_yaml(tmp_path / "empty.yaml") is None


@pytest.mark.parametrize("name", ["folder", "loop", "n" * 5000, "file/inside"])
@pytest.mark.parametrize("read", [read_text, read_own_text, read_yaml, read_json])
def test_what_is_no_file_ends_in_a_sentence(tmp_path, name, read):
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"cannot be read \(.*\): name a file that can be") as caught:
        read(tmp_path / name)
    assert len(str(caught.value)) < 1000


def test_a_folder_of_one_file_stands_for_it(tmp_path):
    assert single_file(None) is single_file(str(tmp_path / "gone")) is None
    with pytest.raises(DataError, match="is a folder of 0 files where one is expected: name the file"):
        single_file(str(tmp_path))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/own.csv").touch()
    assert single_file(str(tmp_path)) == single_file(str(tmp_path / "deep/own.csv")) == tmp_path / "deep/own.csv"
    (tmp_path / "other.csv").touch()
    with pytest.raises(DataError, match="is a folder of 2 files"):
        single_file(str(tmp_path))


def test_a_spreadsheet_computes_no_text_of_a_csv_file(tmp_path):
    texts = ["=1+1", "@SUM(A1)", "+cmd", "-ing", "-0.5", "+1.5e-3", "=", "-", "a=b", "'tis", None]
    table = pl.DataFrame({"text": texts, "number": [-1.5] * len(texts)})
    write_csv(table, tmp_path / "a.csv")
    guarded = ["'=1+1", "'@SUM(A1)", "'+cmd", "'-ing", "-0.5", "+1.5e-3", "=", "-", "a=b", "'tis", None]
    assert pl.read_csv(tmp_path / "a.csv", infer_schema=False)["text"].to_list() == guarded
    assert [text and without_apostrophe(text) for text in guarded] == texts
    write_csv(table, tmp_path / "a.csv", exact=True)
    assert pl.read_csv(tmp_path / "a.csv", infer_schema=False)["text"].to_list() == texts


def test_an_escape_in_a_yaml_file_is_a_character_that_cannot_be_seen(tmp_path):
    (tmp_path / "a.yaml").write_text('HYP:\n- {id: a, text: "a [W] is\\u200b a [V]"}\n')
    with pytest.raises(DataError, match=r"a.yaml: HYP.text: .* holds U\+200B"):
        read_yaml(tmp_path / "a.yaml")


@pytest.mark.parametrize(
    "text", ["- {id: on}", "NO: {name: none}", "HYP: [off]", "a: Yes", "key: &one [no]\nother: *one"]
)
def test_words_that_yaml_takes_for_truth_values_are_named_with_their_line(tmp_path, text):
    (tmp_path / "own.yaml").write_text(f"first: 1\n{text}\n" if ":" in text[:4] or "key" in text else f"{text}\n")
    with pytest.raises(DataError, match=r"own\.yaml, line \d: YAML takes \w+ for a truth value: put it into quotation"):
        read_yaml(tmp_path / "own.yaml")
    (tmp_path / "own.yaml").write_text("a: 'no'\nb: \"on\"\nc: true\nd: False\ne: noun\n")
    assert read_yaml(tmp_path / "own.yaml") == {"a": "no", "b": "on", "c": True, "d": False, "e": "noun"}
    (tmp_path / "own.yaml").write_text("a: no\n")
    assert read_yaml(tmp_path / "own.yaml", as_written=True) == {"a": False}  # a configuration


@pytest.mark.parametrize(
    "rows", [[("bird", 1), ("bird", 2)], [("bird", 1), (None, 2)], [(None, 1)]], ids=["twice", "none", "alone"]
)
def test_rows_that_the_key_does_not_tell_apart_are_not_written(rows, tmp_path):
    two = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    with pytest.raises(DataError, match=r"t\.parquet: two rows have one word, or a row has none: please report"):
        parquet(SCHEMA, "word").write(two, tmp_path / "t.parquet")
    assert names(tmp_path) == []
    parquet(SCHEMA, "word", "count").write(two.drop_nulls(), tmp_path / "t.parquet")
    parquet(SCHEMA).write(two, tmp_path / "t.parquet")
    assert pl.read_parquet(tmp_path / "t.parquet").rows() == rows


class Refused:
    """A folder that cannot be renamed, for as many times as there are errors."""

    def __init__(self, *numbers):
        self.numbers, self.renamed = [*numbers], []

    def replace(self, path):
        if self.numbers:
            raise OSError(self.numbers.pop(0), "no")
        self.renamed.append(path)


def test_a_folder_that_another_process_puts_there_meanwhile_is_replaced_too(tmp_path):
    once, not_allowed = Refused(errno.ENOTEMPTY, errno.EEXIST), Refused(errno.EACCES)
    _replace_folder(once, tmp_path / "folder")
    assert once.renamed == [tmp_path / "folder"]
    with pytest.raises(OSError, match="no"):
        _replace_folder(not_allowed, tmp_path / "folder")


def test_a_process_runs_if_this_machine_has_one_of_its_number():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert [_runs(number) for number in (str(os.getpid()), str(ended.pid), "x", "")] == [True, False, False, False]


def test_a_process_of_another_user_runs(monkeypatch):
    monkeypatch.setattr(os, "kill", lambda number, signal: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no")))
    assert _runs("7")


@pytest.mark.parametrize(("number", "fits"), [(315, True), (316, False)])
def test_a_file_may_stand_for_a_hundred_thousand_values_by_its_aliases(number, fits, tmp_path):
    """A list of as many lists as each of them has values: 1 + 315 x 316 are 99,541, and 1 + 316 x 317 are 100,173."""
    path = tmp_path / "own.yaml"
    path.write_text(f"[&x [{', '.join(['1'] * number)}], {', '.join(['*x'] * (number - 1))}]\n")
    if fits:
        assert read_yaml(path) == [[1] * number] * number
    else:
        with pytest.raises(DataError, match=r"the value that begins in line 1 has more than 100,000 values"):
            read_yaml(path)


@pytest.mark.parametrize(("length", "fits"), [(99, True), (100, False)])
def test_a_long_text_counts_as_several_values(length, fits, tmp_path):
    """200 lists of 319 texts are 64,001 values, and 127,801 where each text has a hundred letters."""
    path = tmp_path / "own.yaml"
    texts = ", ".join(["*t"] * 319)
    path.write_text(f"- &t {'a' * length}\n- &x [{texts}]\n- [{', '.join(['*x'] * 200)}]\n")
    if fits:
        assert len(read_yaml(path)[2]) == 200
    else:
        with pytest.raises(DataError, match="has more than 100,000 values by its aliases"):
            read_yaml(path)


def test_files_are_found_while_another_process_makes_and_deletes_folders(tmp_path):
    """`Path.rglob` fails here."""
    for name in "abcdefgh":
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner/words.csv").write_text("robin")
    found = paths_below(tmp_path)
    first = next(found)
    for name in set("abcdefgh") - {first.name}:
        shutil.rmtree(tmp_path / name)
    left = [path for path in found if path.is_file()]
    assert left == [first / "inner/words.csv"]
    assert list(files_below(tmp_path, "*.csv")) == left
    assert list(files_below(tmp_path, "*.txt")) == []
    (tmp_path / "gone.csv").symlink_to("deleted")
    assert size_below(tmp_path) == len("robin")
    assert size_below(tmp_path / "no folder") == 0


def test_a_file_that_is_deleted_before_its_size_is_read_counts_nothing(tmp_path, monkeypatch):
    file = tmp_path / "words.csv"
    file.write_text("robin")
    monkeypatch.setattr(files, "files_below", lambda folder: [file, folder / "deleted.csv"])
    assert size_below(tmp_path) == len("robin")
