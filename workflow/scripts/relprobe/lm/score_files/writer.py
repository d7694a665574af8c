"""A score file while it is being written: row groups of one size, so that its bytes depend on its rows alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.core.files import STAMP, STAMPED

SPLIT = 32
"""The least bits of a number that is written by its bytes."""


class Writer:
    """A score file that is being written; its schema is that of its first table.

    `metadata`: those of the file. `empty`: returns a table without rows, for a file without any. `size`: the rows of a row
    group.
    """

    def __init__(self, path: Path, metadata: Mapping[str, Any], empty: Callable[[], pa.Table], size: int) -> None:
        self._path, self._metadata, self._empty, self._size = path, {**metadata, **STAMP.get()}, empty, size
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []

    def __enter__(self) -> Writer:
        return self

    def append(self, rows: pa.Table) -> None:
        """Write a table after the tables before it."""
        self._waiting.append(rows)
        while sum(table.num_rows for table in self._waiting) >= self._size:
            self._write_group()

    def _write_group(self) -> None:
        rows = pa.concat_tables(self._waiting)
        group, remaining = rows.slice(0, self._size), rows.slice(self._size)
        self._waiting = [remaining] if remaining.num_rows else []
        if self._writer is None:
            schema = group.schema.with_metadata({STAMPED: json.dumps(self._metadata)})
            self._writer = pq.ParquetWriter(self._path, schema, compression="zstd", **encodings(schema))
        self._writer.write_table(group.cast(self._writer.schema).combine_chunks(), row_group_size=self._size)

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            if self._writer is None and not self._waiting:
                self._waiting = [self._empty()]
            if self._waiting:
                self._write_group()
        if self._writer is not None:
            self._writer.close()


def encodings(schema: pa.Schema) -> dict[str, Any]:
    """Return how a Parquet file encodes the columns: numbers by their first bytes, then their second ones, and so on.

    So the numbers take half the time and a quarter less room than by default. Numbers of 16 bits stay as they are: DuckDB
    does not read them by their bytes.

    >>> encodings(pa.schema([("id", pa.string()), ("ids", pa.list_(pa.int32())), ("right", pa.bool_())]))
    {'use_dictionary': ['id'], 'use_byte_stream_split': ['ids.list.element']}
    """
    leaves = {}
    for field in schema:
        is_list = pa.types.is_list(field.type) or pa.types.is_large_list(field.type)
        leaves[f"{field.name}.list.element" if is_list else field.name] = (
            field.type.value_type if is_list else field.type
        )
    texts = [name for name, kind in leaves.items() if not pa.types.is_primitive(kind)]
    numbers = [name for name, kind in leaves.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)]
    numbers = [name for name in numbers if leaves[name].bit_width >= SPLIT]
    return {"use_dictionary": texts or False, "use_byte_stream_split": numbers or False}
