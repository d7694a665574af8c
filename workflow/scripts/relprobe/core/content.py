"""What is read from files: their content without what no reader takes from them, such as a comment in a YAML file."""

import csv
import hashlib
import io
from collections.abc import Collection
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import parquet_errors, read_text, read_yaml, sha256

LOADED = ("*.json", "*.txt", "*.model", "*.jinja", "*.safetensors")
"""Which files of a model's folder are loaded, by their names."""
PICKLED, PACKED = "*.bin", "*.gguf"
"""Those that take the place of safetensors."""
TEMPLATES = "additional_chat_templates"
"""The only folder of a model's folder that is read."""
NOT_LOADED = (
    *("readme*", "license*", "licence*", "notice*", "copying*", "changelog*", "use_policy*", "requirements*"),
    *("trainer_state.json", "training_args.*", "optimizer.*", "scheduler.*", "*_results.json", "model_card*"),
)
"""Files of such names that say something to people, or belong to a training that goes on."""


def content_digest(path: Path) -> str:
    r"""Return 16 hexadecimal digits for what is read from a file.

    Of YAML it is the values, of a table in CSV the cells of its rows, and of Parquet the columns: a comment, a blank line,
    the ends of lines, metadata and the way of compression are no part of it. The order of keys and rows is. Of any other
    file, and of one that cannot be read so, it is all bytes.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name, text in (("a.yaml", "HYP: [kind]  # of\n"), ("b.yaml", "HYP:\n- kind\n")):
    ...     size = (folder / name).write_text(text)
    >>> content_digest(folder / "a.yaml") == content_digest(folder / "b.yaml")
    True
    """
    readers = {
        ".yaml": _yaml_content,
        ".yml": _yaml_content,
        ".csv": _table_content,
        ".tsv": _table_content,
        ".parquet": _columns_digest,
    }
    try:
        content = readers.get(path.suffix.lower(), sha256)(path)
    except (DataError, csv.Error):
        content = sha256(path)
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()[:16]


def _yaml_content(path: Path) -> str:
    return repr(read_yaml(path, as_written=True))


def _table_content(path: Path) -> str:
    """Return the rows of a CSV file, without blank ones; between tabs, a quote is text."""
    text = read_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    separator = next((character for character in "\t;," if character in first), ",")
    lines = io.StringIO(text)
    if separator == "\t":
        rows = csv.reader(lines, delimiter=separator, strict=True, quoting=csv.QUOTE_NONE)
    else:
        rows = csv.reader(lines, delimiter=separator, strict=True)
    return repr([separator == "\t", *(row for row in rows if any(map(str.strip, row)))])


def _columns_digest(path: Path) -> str:
    """Return the digest of the columns of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    digest = hashlib.sha256()
    with parquet_errors(path):
        table: Any = pq.read_table(path).replace_schema_metadata(None).combine_chunks()
    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name}\0{column.type}\0{len(column)}\0".encode())
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, pa.schema([("", column.type)])) as stream:
            stream.write_table(pa.table([column], names=[""]))
        digest.update(sink.getvalue())
    return digest.hexdigest()


def loaded_names(names: Collection[str], *, pickled: bool = True) -> set[str]:
    """Return which of the files of a model's folder are loaded, by their paths in the folder.

    `pickled`: PyTorch's pickled weights may be. They are not where there are safetensors, and nor is a GGUF file.

    >>> sorted(loaded_names(["config.json", "README.md", "model.safetensors", "pytorch_model.bin", "onnx/config.json"]))
    ['config.json', 'model.safetensors']
    """
    top = {name for name in names if PurePosixPath(name).parent.as_posix() in (".", TEMPLATES)}
    candidates = {name for name in top if not _fits(name, NOT_LOADED)}
    loaded = {name for name in candidates if _fits(name, LOADED)}
    if not any(name.endswith(".safetensors") for name in loaded):
        patterns = [pattern for pattern, may in ((PICKLED, pickled), (PACKED, True)) if may]
        loaded |= {name for name in candidates if _fits(name, patterns)}
    return loaded


def _fits(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatch(PurePosixPath(name).name.lower(), pattern) for pattern in patterns)
