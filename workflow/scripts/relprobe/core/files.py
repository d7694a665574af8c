"""Reading and writing of files: a file that a step writes is either whole or absent, and a table fits its schema."""

import codecs
import contextlib
import errno
import fnmatch
import glob
import hashlib
import io
import json
import os
import re
import shutil
import socket
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from relprobe.core.errors import DataError, first_line
from relprobe.core.secrets import visible

CHUNK_BYTES = 1 << 20
YamlLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's, which reads ten times faster; a PyYAML that was built without libyaml lacks it."""
MERGE = "tag:yaml.org,2002:merge"
"""The tag of the key `<<`, which takes over the keys of other mappings."""
MOST_VALUES = 100_000
"""The values that a YAML file may have with each alias written out, unless it is long itself."""
MOST_LEVELS = 100
"""The levels of lists and mappings that a YAML file may have."""

PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zX", b"\xd0\xcf\x11\xe0", b"\x28\xb5\x2f\xfd")
"""The first bytes of ZIP files and spreadsheets (xlsx, ods), gzip, bzip2, xz, older Excel files, and Zstandard."""
LFS_POINTER = "version https://git-lfs.github.com/"
"""The beginning of what Git keeps in the place of a large file."""
NAMES = {"\0": "NUL, as UTF-16 has it", "\ufeff": "a byte-order mark"}
BEGINNING = 1024
"""The bytes of a file that show its encoding. Text in UTF-8 has no NUL among them, and UTF-16 has one beside each letter."""
NAMED = 500
"""The characters of a path that a sentence names."""
REPLACEMENT = "\ufffd"
NEVER = re.compile("[\0\ufeff]")
UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd]"
    "|(?<![\u0e00-\u109f\u1780-\u17ff\u3040-\u9fff])\u200b|\u200b(?![\u0e00-\u109f\u1780-\u17ff\u3040-\u9fff])"
)
"""Characters that cannot be seen and make another word of a word: controls, soft hyphens, marks of direction, and the sign
for what could not be decoded; but not the joiners of Persian, of Indian scripts and of emoji."""


FORMULA = r"^[=+@\t\r-]\S"
"""The beginning of a text that a spreadsheet computes."""
NUMBER = r"^[+-][\d.,]+([eE][+-]?\d+)?$"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`. After the block it is renamed to `path`, or deleted if the block fails.

    The folders above are made. The temporary file of a job that was killed is deleted: Snakemake runs one job a file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "words.txt"
    >>> with whole_file(path) as partial:
    ...     size = partial.write_text("robin")
    ...     path.exists()
    False
    >>> path.read_text()
    'robin'
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.partial"):
        leftover.unlink(missing_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder beside `path`. After the block it replaces `path`, or is deleted if that fails.

    Two processes may make one folder at a time, as two notebooks that convert one model: each has a temporary folder of its
    own, and the last one replaces the other's. Folders of processes of this machine that were killed are deleted; whether
    those of another machine run, nobody can see here.
    """
    begin = f".{path.name}.{socket.gethostname()}."
    for leftover in path.parent.glob(f"{glob.escape(begin)}*.partial"):
        if not _runs(leftover.name.removeprefix(begin).removesuffix(".partial")):
            shutil.rmtree(leftover, ignore_errors=True)
    partial = path.with_name(f"{begin}{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        _replace_folder(partial, path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _replace_folder(partial: Path, path: Path) -> None:
    """Rename a folder to `path`, in place of a folder there, and of one that another process puts there meanwhile."""
    while True:
        shutil.rmtree(path, ignore_errors=True)
        try:
            partial.replace(path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return


def _runs(process: str) -> bool:
    """Return whether a process of this number runs on this machine; another user's counts."""
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def exists(path: str) -> bool:
    """Return whether a file or folder of this name exists. A name that is too long for the system is no error.

    >>> exists("/"), exists("/no-such-folder"), exists("a" * 10_000)
    (True, False, False)
    """
    try:
        return Path(path).exists()
    except OSError:  # longer than any file name
        return False


def single_file(path: str | None) -> Path | None:
    """Return the file that a path names, or the only file of a folder that it names; None if nothing is there.

    DataError: the folder holds no file, or several.
    """
    if path is None or not exists(path):
        return None
    if not Path(path).is_dir():
        return Path(path) if Path(path).is_file() else None
    files = [file for file in sorted(Path(path).rglob("*")) if file.is_file()]
    if len(files) != 1:
        raise DataError(f"{path} is a folder of {len(files)} files where one is expected: name the file.")
    return files[0]


def paths_below(folder: Path, pattern: str = "*") -> Iterator[Path]:
    """Yield what lies below a folder under a name that fits a pattern, in no order, while others make and delete files.

    `Path.rglob` fails where a folder is deleted before it looks into it.
    """
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in fnmatch.filter([*folders, *files], pattern))


def files_below(folder: Path, pattern: str = "*") -> Iterator[Path]:
    """Yield the files among `paths_below`. Another process may delete one before it is read."""
    return filter(Path.is_file, paths_below(folder, pattern))


def size_below(folder: Path) -> int:
    """Return how many bytes the files below a folder have. One that another process deletes meanwhile counts nothing."""
    sizes = []
    for file in files_below(folder):
        with contextlib.suppress(FileNotFoundError):
            sizes.append(file.stat().st_size)
    return sum(sizes)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(value: object, path: Path) -> None:
    """Write a value as indented JSON in UTF-8. TypeError: JSON has no form for the value."""
    write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", path)


def read_json(path: Path, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Read a JSON file; `pairs` makes an object of its pairs. DataError: it is missing, no UTF-8, or no valid JSON."""
    try:
        return json.loads(read_text(path), object_pairs_hook=pairs)
    except FileNotFoundError:
        raise DataError(f"{path} is missing: run the rule that makes it.") from None
    except RecursionError:
        raise DataError(f"{path} is no valid JSON (it is nested too deeply): get it anew.") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{path} is no valid JSON ({error}): get it anew.") from error


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, with or without a byte-order mark. DataError: another encoding, or no file that can be read.

    Every line of the result ends in LF, also where the file has CR LF. FileNotFoundError: there is no file.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise no_utf8(path, error) from error
    except FileNotFoundError:
        raise
    except OSError as error:  # such as a folder, a link to itself, or a file of another user
        raise DataError(f"{str(path)[:NAMED]} cannot be read ({error.strerror}): name a file that can be.") from error


def no_utf8(path: Path, error: UnicodeDecodeError) -> DataError:
    """Return the error of a file that is not UTF-8."""
    with path.open("rb") as file:
        begins = file.read(BEGINNING)
    if begins[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or (b"\0" in begins and not begins.startswith(PACKED)):
        return DataError(f"{path} is UTF-16: save it as UTF-8, which spreadsheets call “CSV UTF-8”.")
    if begins.startswith(PACKED):
        return DataError(
            f"{path} is a compressed file, or one of a spreadsheet, and no text: unpack it, or save it as “CSV UTF-8”."
        )
    return DataError(f"{path} is not UTF-8 ({error}): convert it, for example with iconv.")


def read_own_text(path: Path, *, as_published: bool = False) -> str:
    """Read a text file in Unicode's form NFC. DataError: another encoding, or a character that cannot be seen.

    `as_published`: the file is a large one of others, in which such characters are as they are, but for NUL and byte-order
    marks. A space of no width may stand between two letters of a script without spaces, such as Khmer's.
    """
    text = nfc(read_text(path))
    if text.startswith(LFS_POINTER):
        raise DataError(
            f"{str(path)[:NAMED]} is a pointer of Git LFS in the place of the file: get it by `git lfs pull`."
        )
    match = (NEVER if as_published else UNSEEN).search(text)
    if match is not None:
        line = text.count("\n", 0, match.start()) + 1
        raise DataError(f"{path}, line {line}: it holds {_unseen(match[0])}, or save it as UTF-8.")
    return text


def check_seen(text: str, where: str) -> None:
    """Check a text that a file may hold in escapes, as JSON does. DataError: a character of it cannot be seen."""
    if match := UNSEEN.search(text):
        raise DataError(f"{where}: {text!r} holds {_unseen(match[0])}.")


def check_all_seen(value: Any, file: str, key: str = "") -> None:
    """Check the texts and keys of lists and mappings as `check_seen` does. `key`: the keys above, such as models.bert."""
    if isinstance(value, str):
        check_seen(value, f"{file}: {key}" if key else file)
    elif isinstance(value, list):
        for inner in value:
            check_all_seen(inner, file, key)
    elif isinstance(value, dict):
        for name, inner in value.items():
            check_all_seen(name, file, key)
            check_all_seen(inner, file, f"{key}.{name}".removeprefix("."))


def _unseen(sign: str) -> str:
    """Return what a character is that cannot be seen, and the remedy.

    >>> _unseen("\u200b")
    'U+200B (zero width space), which cannot be seen: delete it'
    """
    if sign == REPLACEMENT:
        return f"{sign}, which stands for a character that another program could not read: write that character"
    name = NAMES.get(sign) or f"U+{ord(sign):04X} ({unicodedata.name(sign, 'a control character').lower()})"
    return f"{name}, which cannot be seen: delete it"


def nfc(text: str) -> str:
    """Return a text in Unicode's form NFC, in which an accented letter is one character where there is one."""
    return unicodedata.normalize("NFC", text)


def read_yaml(path: Path, *, as_written: bool = False) -> Any:
    """Read a YAML file of plain values, in Unicode's form NFC; tags that make Python objects are refused.

    `as_written`: the text stays as it is, as in a configuration, whose paths name files as the disk has them.

    DataError: it is not valid YAML, a value holds itself through an alias, aliases or levels make it too large (MOST_VALUES,
    MOST_LEVELS), yes, no, on or off stands where YAML takes it for a truth value (but in a configuration), or a mapping has
    a key twice, of which YAML readers take the last one in silence. A key that replaces one of a merge (`<<`) is no
    repetition: that is what a merge is for.
    """
    if as_written:
        return parse_yaml(read_text(path), path, as_written=True)
    text = read_own_text(path)
    content = parse_yaml(text, path)
    if "\\" in text:  # an escape may stand for a character that cannot be seen
        check_all_seen(content, str(path))
    return content


def parse_yaml(text: str, path: Path, *, as_written: bool = False) -> Any:
    """Return what a text in YAML says, such as a part of a file. DataError, with `path`: as for `read_yaml`."""
    try:
        _check_levels(text, path)
        loader = YamlLoader(text)
        document = loader.get_single_node()
        if document is None:
            return None
        if "&" in text:  # without an anchor there is no alias
            _check_aliases(document, path)
        if not as_written:
            _check_booleans(document, path)
        for key, first, second in _repeated_keys(document, loader):
            raise DataError(
                f"{path}: the key {key!r} occurs twice, in line {first} and in line {second}, and the second one would take "
                "the place of the first in silence: rename or delete one of them."
            )
        return loader.construct_document(document)
    except (yaml.YAMLError, ValueError) as error:  # ValueError: such as the date 2026-02-30
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise DataError(f"{path} is no valid YAML ({first_line(error)}{line}): correct it.") from error


def _check_levels(text: str, path: Path) -> None:
    """Raise a DataError if lists and mappings lie in each other too deeply, before libyaml runs out of stack and crashes."""
    if len(text.strip()) <= MOST_LEVELS:  # each level takes a character; a page has hundreds of short texts
        return
    level = 0
    for event in yaml.parse(text, Loader=YamlLoader):
        level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if level > MOST_LEVELS:
            line = event.start_mark.line + 1  # type: ignore[union-attr]
            raise DataError(
                f"{path}: line {line} has more than {MOST_LEVELS} levels of lists or mappings: write it flatter."
            )


def _check_booleans(document: yaml.Node, path: Path) -> None:
    """Raise a DataError for a word that YAML takes for a truth value, as Norway's NO, and on and off as words."""
    visited: set[int] = set()
    nodes = [document]
    while nodes:
        node = nodes.pop()
        if id(node) not in visited:
            visited.add(id(node))
            nodes += _parts(node)
            if node.tag == "tag:yaml.org,2002:bool" and node.value.lower() not in ("true", "false"):
                raise DataError(
                    f"{path}, line {node.start_mark.line + 1}: YAML takes {node.value} for a truth value: put it into "
                    f'quotation marks ("{node.value}") if it is a word, or write true or false.'
                )


def _check_aliases(document: yaml.Node, path: Path) -> None:
    """Raise a DataError if a value holds itself, or if aliases multiply the values or their levels.

    PyYAML makes one object of an anchor and its aliases, so a file of ten lines may stand for a billion values.
    """
    sizes: dict[int, int] = {}  # of what is done, with each alias written out; a long text counts as several values
    levels: dict[int, int] = {}
    open_ids = {id(document)}
    nodes = [(document, iter(_parts(document)))]
    while nodes:
        node, parts_left = nodes[-1]
        for part in parts_left:
            if id(part) in open_ids:
                raise DataError(f"{_position_in_words(part, path)} holds itself by an alias: write it out.")
            if id(part) not in sizes:
                open_ids.add(id(part))
                nodes.append((part, iter(_parts(part))))
                break
        else:
            nodes.pop()
            open_ids.remove(id(node))
            parts = _parts(node)
            sizes[id(node)] = 1 + sum(sizes[id(part)] for part in parts) + (0 if parts else len(node.value) // 100)
            levels[id(node)] = 1 + max((levels[id(part)] for part in parts), default=0)
            if levels[id(node)] > MOST_LEVELS:
                raise DataError(
                    f"{_position_in_words(node, path)} has more than {MOST_LEVELS} levels by its aliases: write it flatter."
                )
            if sizes[id(node)] > max(MOST_VALUES, 10 * node.end_mark.index):
                raise DataError(
                    f"{_position_in_words(node, path)} has more than {MOST_VALUES:,} values by its aliases: write out "
                    "what is meant."
                )


def _position_in_words(node: yaml.Node, path: Path) -> str:
    """Return in words where a value is."""
    return f"{path}: the value that begins in line {node.start_mark.line + 1}"


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """Return the items of a list, the keys and values of a mapping, and nothing of a text."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def _repeated_keys(document: yaml.Node, loader: Any) -> list[tuple[str, int, int]]:
    """Return each key that is in its mapping a second time, such as models.bert, and the lines of the two, from 1."""
    repeated: list[tuple[str, int, int]] = []
    visited: set[int] = set()  # an anchor may be used many times, and may hold itself
    open_nodes = [("", document)]
    while open_nodes:
        where, node = open_nodes.pop()
        if id(node) in visited or not isinstance(node, yaml.CollectionNode):
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            open_nodes += [(where, item) for item in node.value]
            continue
        lines: dict[Any, int] = {}
        for key, value in node.value:
            name = f"{where}.{key.value}" if where else str(key.value)
            open_nodes.append((name, value))
            if isinstance(key, yaml.ScalarNode) and key.tag != MERGE:
                content, line = loader.construct_object(key), key.start_mark.line + 1  # 1 and 0x1 are one key
                if content in lines:
                    repeated.append((name, lines[content], line))
                lines[content] = line
    return sorted(repeated, key=lambda entry: entry[2])


AGENT = "agent"
"""The first column of a table of one agent, whose file has its name. It is there for other programs; no step reads it."""
STAMP: ContextVar[Mapping[str, str]] = ContextVar("STAMP", default=MappingProxyType({}))
"""What each Parquet file that is written now says of itself in its metadata, under STAMPED."""
STAMPED = "relprobe"


def write_table(table: pl.DataFrame, schema: pl.Schema, path: Path, agent: str | None = None) -> None:
    """Write a table as Parquet (zstd), its columns in the order of the schema, behind one of its `agent`, if one is given.

    DataError: the columns or types of the table are not those of the schema; their order does not matter.
    """
    actual = table.select(sorted(table.columns)).schema
    if dict(actual) != dict(schema):
        raise DataError(
            f"{path}: the table has {dict(actual)}, but its schema says {dict(schema)}: please report it as a defect."
        )
    first = [] if agent is None or AGENT in schema else [AGENT]
    write_parquet(table.with_columns(pl.lit(agent).alias(name) for name in first).select(*first, *schema), path)


def write_parquet(table: pl.DataFrame, path: Path) -> None:
    """Write a table of any columns as Parquet (zstd). Polars gets no file, as it would not say that a disk is full."""
    content = io.BytesIO()
    stamp = STAMP.get()
    metadata = {STAMPED: json.dumps(dict(stamp))} if stamp else None
    table.write_parquet(content, compression="zstd", metadata=metadata)
    with whole_file(path) as partial:
        partial.write_bytes(content.getbuffer())


def read_table(path: Path, schema: pl.Schema) -> pl.DataFrame:
    """Read a Parquet table, without the name of its agent if the schema has none.

    DataError: it is missing or damaged, or its columns or types are not those of the schema.
    """
    check_schema(path, schema)
    return read_columns(path, schema.names())


def check_schema(path: Path, schema: pl.Schema) -> None:
    """Check the columns of a Parquet file and their types. It may name its agent as well. DataError: as for `read_table`."""
    actual = {name: kind for name, kind in parquet_schema(path).items() if name in schema or name != AGENT}
    if actual != dict(schema):
        raise DataError(f"{path} has {actual} instead of {dict(schema)}: delete it and run again.")


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet table of any columns. DataError: it is missing or damaged."""
    with parquet_errors(path):
        return pl.concat(map(pl.DataFrame, parquet_parts(path)))


def read_columns(path: Path, columns: Sequence[str], rows: pl.Expr | None = None) -> pl.DataFrame:
    """Read these columns of a Parquet table, or those of its `rows` for which an expression is true.

    The other columns and rows take no memory. DataError: the file is missing or damaged, or lacks a column.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "words.parquet"
    >>> write_parquet(pl.DataFrame({"word": ["robin", "wren"], "count": [2, 1]}), path)
    >>> read_columns(path, ["word"], pl.col("count") > 1).rows()
    [('robin',)]
    """
    chosen = pl.lit(True) if rows is None else rows
    names = list(dict.fromkeys([*columns, *chosen.meta.root_names()]))
    with parquet_errors(path):
        return pl.concat(pl.DataFrame(part).filter(chosen).select(columns) for part in parquet_parts(path, names))


def parquet_schema(path: Path) -> pl.Schema:
    """Return the columns of a Parquet file and their types. DataError: it is missing or damaged."""
    with parquet_errors(path):
        return pl.DataFrame(pq.read_schema(path).empty_table()).schema


def parquet_parts(path: Path, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """Yield a Parquet file, or these columns of it, in the parts that it was written in, each column in one chunk.

    A file without rows is one part. DataError: as for `read_columns`.
    """
    with _open_parquet(path) as file:
        for number in range(file.num_row_groups):
            with parquet_errors(path):
                part = file.read_row_group(number, columns)
            yield _checked(part, columns, path)
        if not file.num_row_groups:
            yield _checked(file.schema_arrow.empty_table(), columns, path)


def parquet_columns(path: Path, columns: Sequence[str]) -> pa.Table:
    """Read columns of a Parquet file, in their order, as an Arrow table. DataError: as for `read_columns`."""
    with _open_parquet(path) as file:
        with parquet_errors(path):
            table = file.read(columns)
        return _checked(table, columns, path)


def _open_parquet(path: Path) -> pq.ParquetFile:
    """Open a Parquet file with Arrow; polars, which is faster, ends the process at some damaged files."""
    with parquet_errors(path):
        return pq.ParquetFile(path)


def _checked(table: pa.Table, columns: Sequence[str] | None, path: Path) -> pa.Table:
    """Return columns of what was read of a file, with one chunk each, once all of their values are found to be valid.

    DataError: one is not there, or not valid, such as a text that is not UTF-8, which polars would take.
    """
    for name in columns or ():
        if (count := table.column_names.count(name)) != 1:
            times = f"the column {name} {count} times" if count else f"no column {name}"
            raise DataError(f"{path} has {times}: delete it and run again.")
    with parquet_errors(path):
        table = (table if columns is None else table.select(columns)).combine_chunks()
        table.validate(full=True)
    return table


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Turn the errors that libraries raise on a damaged Parquet file into a DataError."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, pa.ArrowException, UnicodeError, OSError) as error:
        raise DataError(f"{path} cannot be read as Parquet ({first_line(error)}): delete it and run again.") from error


def write_csv(table: pl.DataFrame, path: Path, *, exact: bool = False) -> None:
    """Write a table as CSV: floats with all their digits, a null as an empty field.

    A text that a spreadsheet would compute, such as =1+1, has an apostrophe before it; numbers have none. `exact`: the file
    is for programs, and no text has one.
    """
    texts = [name for name, kind in table.schema.items() if kind == pl.String and not exact]
    table = table.with_columns(_no_formula(pl.col(name)).alias(name) for name in texts)
    write_text(table.write_csv(), path)


def _no_formula(text: pl.Expr) -> pl.Expr:
    """Return a column of texts in which an apostrophe stands before what a spreadsheet would compute."""
    computed = text.str.contains(FORMULA) & ~text.str.contains(NUMBER)
    return pl.when(computed).then(pl.lit("'") + text).otherwise(text)


def without_apostrophe(cell: str) -> str:
    """Return a cell without the apostrophe that `write_csv` puts before what a spreadsheet would compute.

    >>> without_apostrophe("'=1+1"), without_apostrophe("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell[:1] == "'" and re.match(FORMULA, cell[1:]) else cell


def write_text(text: str, path: Path) -> None:
    r"""Write a text in UTF-8; its controls, which a terminal would obey, are escapes such as \\u001b."""
    with whole_file(path) as partial:
        partial.write_text(visible(text), encoding="utf-8")


def write_tables(tables: Mapping[str, pl.DataFrame], paths: Sequence[Path]) -> None:
    """Write each table twice: as CSV for people, and as Parquet, which keeps the types, for the steps that read it.

    `tables`: name -> table. `paths`: the files NAME.csv and NAME.parquet of each of the names, in any order. DataError: the
    names differ.
    """
    names = [f"{name}.{ending}" for name in tables for ending in ("csv", "parquet")]
    if sorted(names) != sorted(path.name for path in paths):
        raise DataError(
            f"the tables are {', '.join(tables)}, but the files are {', '.join(map(str, paths))}: "
            "name the same tables in the rule and in the study."
        )
    for path in paths:
        if path.suffix == ".csv":
            write_csv(tables[path.stem], path)
        else:
            write_table(tables[path.stem], tables[path.stem].schema, path)


def write_one_table(table: pl.DataFrame, paths: Sequence[Path]) -> None:
    """Write a table as `write_tables` does. `paths`: its files NAME.csv and NAME.parquet."""
    write_tables({paths[0].stem: table}, paths)


@dataclass(frozen=True)
class Format:
    """How an argument of a step is read from a file, and how its result is written (core/step.py)."""

    read: Callable[..., Any] | None = None  # of a path; its further parameters are options of the step
    write: Callable[[Any, Path], None] | None = None
    write_all: Callable[[Any, list[Path]], None] | None = None  # in place of `write`, for a result of several files


def parquet(schema: pl.Schema, *key: str, per_agent: bool = False) -> Format:
    """Return the format of a Parquet table with the columns of a schema; those of `key` tell all rows apart.

    `per_agent`: the file is one agent's, and its name that of the agent, which it also has in the column AGENT.
    """

    def read(path: Path) -> pl.DataFrame:
        return read_table(path, schema)

    def write(table: pl.DataFrame, path: Path) -> None:
        rows = table.select(key)
        if key and (rows.is_duplicated().any() or any(rows.null_count().row(0))):
            raise DataError(
                f"{path}: two rows have one {', '.join(key)}, or a row has none: please report it as a defect."
            )
        write_table(table, schema, path, path.stem if per_agent else None)

    return Format(read, write)


Csv = Annotated[pl.DataFrame, Format(write=write_csv)]
"""A file for people alone, such as an empty form; no step reads one."""
ShownTable = Annotated[pl.DataFrame, Format(write_all=write_one_table)]
ShownTables = Annotated[Mapping[str, pl.DataFrame], Format(write_all=write_tables)]
"""Tables of a page, by their names; ShownTable is a single one."""
Parquet = Annotated[pl.DataFrame, Format(read_parquet)]
"""A table of any columns, such as one of a page."""
Text = Annotated[str, Format(read_text, write_text)]
