"""Files of stored answers: each has a column of digests that say which questions they answer, and is whole or noticed."""

from __future__ import annotations

import logging
import os
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

logger = logging.getLogger("relprobe")

QUESTION = "question"
"""The column of the digests."""
SECONDS = b"seconds"
"""The key of a file's metadata for the seconds that a question has taken."""


class Index:
    """Where each answer is, found by its digest; 28 bytes an answer."""

    def __init__(self, files: Sequence[NDArray[np.uint64]]) -> None:
        firsts = [_starts(digests) for digests in files]
        keys = np.concatenate([digests[first] for digests, first in zip(files, firsts, strict=True)] or [NONE])
        file = np.repeat(np.arange(len(files), dtype=np.int32), [len(first) for first in firsts])
        stops = [np.append(first[1:], len(digests)) for digests, first in zip(files, firsts, strict=True)]
        order = np.argsort(keys[:, 0], kind="stable")
        self._keys, self._file = keys[order], file[order]
        self._start = np.concatenate([*firsts, np.empty(0, np.int32)]).astype(np.int32)[order]
        self._stop = np.concatenate([*stops, np.empty(0, np.int32)]).astype(np.int32)[order]

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, digest: bytes) -> tuple[int, int, int] | None:
        """Return the number of a file, the first row of the answer to a question, and the row after its last one."""
        first, second = np.frombuffer(digest, np.uint64)
        at = int(np.searchsorted(self._keys[:, 0], first))
        if at == len(self._keys) or self._keys[at, 0] != first or self._keys[at, 1] != second:
            return None
        return int(self._file[at]), int(self._start[at]), int(self._stop[at])


NONE = np.empty((0, 2), np.uint64)


def _starts(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the first row of each answer: an answer of several rows has its digest in each of them."""
    changes = (keys[1:] != keys[:-1]).any(axis=1)
    return np.flatnonzero(np.concatenate([np.ones(min(1, len(keys)), bool), changes]))


def questions_in(file: Path) -> NDArray[np.uint64]:
    """Return the digests in a file of the store as two numbers each, shape (rows, 2)."""
    column = read_rows(file)[QUESTION].combine_chunks()
    column = column if isinstance(column, pa.Array) else pa.concat_arrays(column.chunks)
    data = np.frombuffer(column.buffers()[1], np.uint64) if len(column) else np.empty(0, np.uint64)
    return data[2 * column.offset : 2 * (column.offset + len(column))].reshape(-1, 2)


def number_of(file: Path) -> int:
    """Return the number of a file of answers, which is the beginning of its name."""
    return int(file.name[:6])


def seconds_in(file: Path) -> float:
    """Return how many seconds each question of a file has taken."""
    return float((read_rows(file).schema.metadata or {}).get(SECONDS, 0))


def write_answers(rows: pa.Table, folder: Path, number: int) -> None:
    """Write a file of a store. Its name ends in its checksum, so a file is whole, or has the wrong name."""
    partial_file = folder / f"{number:06}.{os.getpid()}.partial"
    with pa.OSFile(str(partial_file), "wb") as sink, pa.ipc.new_file(sink, rows.schema) as ipc:
        ipc.write_table(rows)
    partial_file.replace(folder / f"{number:06}-{_checksum(partial_file)}.arrow")


def is_whole(file: Path) -> bool:
    """Return whether a file of a store has the checksum that its name says."""
    return file.stem.partition("-")[2] == _checksum(file)


def whole_files(folder: Path) -> list[Path]:
    """Return the files of a store in their order; a damaged one is deleted, and the log says so."""
    files = []
    for file in sorted(folder.glob("*.arrow")):
        if is_whole(file):
            files.append(file)
        else:
            logger.warning("%s is damaged: it is deleted, and its questions are asked again", file)
            file.unlink()
    return files


def _checksum(file: Path) -> str:
    """Return the CRC of a file: it finds damage as a digest does, and takes a quarter of its time."""
    checksum = 0
    with file.open("rb") as content:
        for block in iter(partial(content.read, 1 << 20), b""):
            checksum = zlib.crc32(block, checksum)
    return f"{checksum:08x}"


def read_rows(file: Path) -> pa.Table:
    """Return the answers in a file, with the column of digests; they are read when they are needed."""
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_file(source).read_all()


def with_columns(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows with the columns of a schema that they lack, as those that an earlier version has stored may; all null."""
    for field in schema:
        if field.name not in rows.column_names:
            rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
    return rows.select([*schema.names, *(name for name in rows.column_names if name not in schema.names)])
