"""How the store of answered questions is counted, and rid of what the last job did not ask for."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.files import read_json
from relprobe.lm.score_files.answers import (
    NONE,
    is_whole,
    number_of,
    questions_in,
    read_rows,
    whole_files,
    with_columns,
    write_answers,
)
from relprobe.lm.score_files.store import ASKED, DEPENDS, WIDTH


def summary(root: Path) -> tuple[int, int]:
    """Return how many answers a score file's store holds, and how many of these its last job did not ask for.

    Damaged files hold none: the next job says so, and deletes them. So do those that a job at work deletes meanwhile.
    """
    last = _last(root)
    stored = unasked = 0
    for folder in _folders(root):
        for file in sorted(folder.glob("*.arrow")):
            with contextlib.suppress(FileNotFoundError):
                keys = np.unique(_flat(questions_in(file))) if is_whole(file) else _flat(NONE)
                asked = _asked(last) if folder == last else _flat(NONE)
                stored += len(keys)
                unasked += int((~np.isin(keys, asked)).sum()) if last is not None else 0
    return stored, unasked


def is_of_network(root: Path) -> bool:
    """Return whether a store holds what a network has answered, here or behind a server, and no replies to a chat."""
    return any("model_files" in read_json(file) for file in root.glob(f"*/{DEPENDS}"))


def drop_all(root: Path) -> None:
    """Delete a score file's store."""
    shutil.rmtree(root)


def drop_unasked(root: Path) -> None:
    """Delete the answers that the last job of a score file did not ask for, and those under other dependencies.

    What a killed job has left is kept as long as no job has ended.
    """
    last = _last(root)
    if last is None:
        return
    for folder in _folders(root):
        if folder != last:
            shutil.rmtree(folder)
    asked = _asked(last)
    for file in whole_files(last):
        needed = np.isin(_flat(questions_in(file)), asked)
        if needed.all():
            continue
        if needed.any():
            rows = read_rows(file).filter(pa.array(needed))
            write_answers(rows.combine_chunks(), last, number_of(file))
        file.unlink()


def merge(folder: Path) -> None:
    """Make one file of all answers under one set of dependencies; the job holds the lock of the store.

    A job that stores each answer at once leaves a file for each. If it is killed here, some answers are in two files, which
    does no harm: the first one is taken.
    """
    files = whole_files(folder)
    if len(files) > 1:
        parts = [read_rows(file).replace_schema_metadata(None) for file in files]
        rows = pa.concat_tables([with_columns(part, parts[-1].schema) for part in parts])
        write_answers(rows.combine_chunks(), folder, 1 + number_of(files[-1]))
        for file in files:
            file.unlink()


def _folders(root: Path) -> list[Path]:
    return sorted(folder for folder in root.glob("*") if folder.is_dir())


def _last(root: Path) -> Path | None:
    """Return the folder whose job ended last; None if none has ended."""
    ended = {}
    for file in root.glob(f"*/{ASKED}"):
        with contextlib.suppress(FileNotFoundError):  # a job at work deletes it meanwhile
            ended[file.parent] = file.stat().st_mtime
    return max(ended, key=ended.__getitem__, default=None)


def _asked(folder: Path) -> NDArray[np.bytes_]:
    """Return the digests of what the last job asked. DataError: the file does not hold whole digests."""
    content = (folder / ASKED).read_bytes()
    if len(content) % WIDTH:
        raise DataError(f"{folder / ASKED} is damaged: delete it; all answers are kept until a job asks again.")
    return _flat(np.frombuffer(content, np.uint64).reshape(-1, 2))


def _flat(keys: NDArray[np.uint64]) -> NDArray[np.bytes_]:
    """Return each digest as 32 hexadecimal digits: numpy compares these, but no pairs of numbers."""
    return np.array([f"{a:016x}{b:016x}" for a, b in keys.tolist()], dtype="S32")
