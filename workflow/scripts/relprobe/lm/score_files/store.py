"""The store of scored questions: what a model has answered, so that only what is new is asked.

Each score file has a store in a hidden folder beside it. Snakemake deletes a score file before it is made anew, so the store
is no output of a rule. It goes with the results when somebody deletes them.

    scores.parquet                                    absent until the job is done
    .scores.parquet.store/3f…/depends.json            all that the answers depend on beside the question
    .scores.parquet.store/3f…/000000-1a2b3c4d.arrow   answers; the name ends in the checksum of the file
    .scores.parquet.store/3f…/000001-…                what was asked next, in this job or in a later one
    .scores.parquet.store/3f…/asked                   the digests of all questions of the last job that ended well

A job that is killed leaves whole files, and the next job finds them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import ModelError
from relprobe.core.files import read_json, write_json
from relprobe.lm.witness import WITNESS, same_model

logger = logging.getLogger("relprobe")

QUESTION = "question"
"""The column of the digests in the store's files."""
WIDTH = 16
"""The bytes of a digest."""
ASKED, DEPENDS = "asked", "depends.json"
SHAPES = ("shots", "examples", "sample", "partitions")
"""Settings of steps that say what is asked, and nothing else: the questions show them."""
REMARKS = (WITNESS, "sent", "reuse")
"""What the metadata say besides, and no answer depends on. Witnesses are compared in another way."""


def digest_of(question: str) -> bytes:
    """Return the digest of a question, WIDTH bytes."""
    return hashlib.sha256(question.encode()).digest()[:WIDTH]


def folder_of(scores: Path) -> Path:
    """Return the folder of a score file's store.

    >>> folder_of(Path("scores/bert.parquet")).as_posix()
    'scores/.bert.parquet.store'
    """
    return scores.with_name(f".{scores.name}.store")


def dependencies(about: Mapping[str, Any], apart: Sequence[str] = ()) -> dict[str, Any]:
    """Return what answers depend on beside the question, from all that a score file depends on (`provenance`).

    `apart`: the names, without endings, of inputs that say what is asked and nothing else.

    >>> about = {"inputs": {"probes.parquet": "1f", "words.parquet": "2e"}, "settings": {"k": 5, "shots": 3}}
    >>> dependencies(about, ["probes"])
    {'inputs': {'words.parquet': '2e'}, 'settings': {'k': 5}}
    """
    found = {key: value for key, value in about.items() if key not in REMARKS}
    if "inputs" in found:
        found["inputs"] = {name: one for name, one in found["inputs"].items() if Path(name).stem not in apart}
    if "settings" in found:
        found["settings"] = {name: one for name, one in found["settings"].items() if name not in SHAPES}
    return found


class Store:
    """The stored answers under the given dependencies; it is made if there is none.

    `number`: how many answers it holds. ModelError: a killed job has left there what another served model answered.
    """

    def __init__(self, scores: Path, depends: Mapping[str, Any], witness: Any = None) -> None:
        text = json.dumps(depends, sort_keys=True)
        self.root = folder_of(scores)
        self.folder = self.root / hashlib.sha256(text.encode()).hexdigest()[:12]
        if not self.folder.is_dir():
            _say_what_changed(self.root, json.loads(text))
        if witness is not None:
            _keep_to_one_model(self.folder, witness)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / DEPENDS).is_file():
            write_json(json.loads(text), self.folder / DEPENDS)
        for leftover in self.folder.glob("*.partial"):  # of a killed job; no other job makes this score file now
            leftover.unlink()
        self._files = whole_files(self.folder)
        self._next = 1 + max((int(file.name[:6]) for file in self._files), default=-1)
        self._tables: dict[int, pa.Table] = {}
        self._index = _Index([questions_in(file) for file in self._files])
        self.number = len(self._index)

    def find(self, digest: bytes) -> tuple[int, int, int] | None:
        """Return where the answer to a question is: the number of a file, its first row, and the row after its last one."""
        return self._index.find(digest)

    def read(self, file: int, start: int, stop: int) -> pa.Table:
        """Return some rows of a file, without the column of digests."""
        if file not in self._tables:
            self._tables[file] = _read(self._files[file]).drop_columns([QUESTION])
        return self._tables[file].slice(start, stop - start)

    def add(self, rows: pa.Table, digests: Sequence[bytes]) -> None:
        """Store answers. `digests`: that of the question of each row."""
        write_answers(rows.append_column(QUESTION, pa.array(digests, pa.binary(WIDTH))), self.folder, self._next)
        self._next += 1

    def end(self, asked: Path) -> None:
        """Keep the digests of all questions of a job that has ended well, from a file beside the store's."""
        asked.replace(self.folder / ASKED)

    def remove(self) -> None:
        """Delete the store."""
        shutil.rmtree(self.root, ignore_errors=True)


class _Index:
    """Where each answer is, found by its digest; 28 bytes an answer."""

    def __init__(self, files: Sequence[NDArray[np.uint64]]) -> None:
        firsts = [_starts(one) for one in files]
        keys = np.concatenate([one[first] for one, first in zip(files, firsts, strict=True)] or [_NONE])
        file = np.repeat(np.arange(len(files), dtype=np.int32), [len(first) for first in firsts])
        stops = [np.append(first[1:], len(one)) for one, first in zip(files, firsts, strict=True)]
        order = np.argsort(keys[:, 0], kind="stable")
        self._keys, self._file = keys[order], file[order]
        self._start = np.concatenate([*firsts, np.empty(0, np.int32)]).astype(np.int32)[order]
        self._stop = np.concatenate([*stops, np.empty(0, np.int32)]).astype(np.int32)[order]

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, digest: bytes) -> tuple[int, int, int] | None:
        first, second = np.frombuffer(digest, np.uint64)
        at = int(np.searchsorted(self._keys[:, 0], first))
        if at == len(self._keys) or self._keys[at, 0] != first or self._keys[at, 1] != second:
            return None
        return int(self._file[at]), int(self._start[at]), int(self._stop[at])


_NONE = np.empty((0, 2), np.uint64)


def _starts(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the first row of each answer: an answer of several rows has its digest in each of them."""
    changes = (keys[1:] != keys[:-1]).any(axis=1)
    return np.flatnonzero(np.concatenate([np.ones(min(1, len(keys)), bool), changes]))


def questions_in(file: Path) -> NDArray[np.uint64]:
    """Return the digests in a file of the store as two numbers each, shape (rows, 2)."""
    column = _read(file)[QUESTION].combine_chunks()
    column = column if isinstance(column, pa.Array) else pa.concat_arrays(column.chunks)
    data = np.frombuffer(column.buffers()[1], np.uint64) if len(column) else np.empty(0, np.uint64)
    return data[2 * column.offset : 2 * (column.offset + len(column))].reshape(-1, 2)


def answers_in(file: Path) -> pa.Table:
    """Return a file of the store with its column of digests."""
    return _read(file)


def write_answers(rows: pa.Table, folder: Path, number: int) -> None:
    """Write a file of a store. Its name ends in its checksum, so a file is whole, or has the wrong name."""
    partial_file = folder / f"{number:06}.{os.getpid()}.partial"
    with pa.OSFile(str(partial_file), "wb") as sink, pa.ipc.new_file(sink, rows.schema) as ipc:
        ipc.write_table(rows)
    partial_file.replace(folder / f"{number:06}-{_checksum(partial_file)}.arrow")


def whole_files(folder: Path) -> list[Path]:
    """Return the files of a store in their order; a damaged one is deleted, and the log says so."""
    files = []
    for file in sorted(folder.glob("*.arrow")):
        if file.stem.partition("-")[2] == _checksum(file):
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


def _read(file: Path) -> pa.Table:
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_file(source).read_all()


def _say_what_changed(root: Path, depends: dict[str, Any]) -> None:
    """Log why nothing of a store can be taken: in what its newest answers depend on something else."""
    others = sorted(root.glob(f"*/{DEPENDS}"), key=lambda file: file.stat().st_mtime)
    if others:
        changed = differences(read_json(others[-1]), depends)
        logger.info("none of the stored answers can be taken, as this has changed: %s", ", ".join(changed))


def differences(one: Mapping[str, Any], other: Mapping[str, Any], above: str = "") -> list[str]:
    """Return the keys in which two mappings differ.

    >>> differences({"code": "1f", "settings": {"k": 5}}, {"code": "1f", "settings": {"k": 6}})
    ['settings.k']
    """
    found = []
    for key in sorted({*one, *other}):
        a, b = one.get(key), other.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            found += differences(a, b, f"{above}{key}.")
        elif a != b:
            found.append(f"{above}{key}")
    return found


def _keep_to_one_model(folder: Path, witness: Any) -> None:
    """Keep a served model's witness beside its answers, and compare it with one that is there.

    The server may have another model by now under the same name. The numbers of one model differ a little from run to run,
    so they are compared, and are no part of what the answers depend on. ModelError: the half of a score file is another
    model's. The answers of a job that ended well are deleted instead, with a sentence.
    """
    file = folder / "witness.json"
    if file.is_file() and not same_model(read_json(file), witness):
        if not (folder / ASKED).is_file():
            raise ModelError(
                f"{folder} holds scores of another model than the server has now, by its answers to the same texts: start "
                "the server with the first model, or delete this folder to begin again."
            )
        logger.warning(
            "the server has another model than the one whose answers were stored: all questions are asked again"
        )
        shutil.rmtree(folder)
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_json(witness, file)
