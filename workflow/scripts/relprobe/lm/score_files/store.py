"""The store of scored questions: what a model has answered, so that only what is new is asked.

Each score file has a store in a hidden folder beside it. Snakemake deletes a score file before it is made anew, so the store
is no output of a rule. It goes with the results when somebody deletes them.

    scores.parquet                                    absent until the job is done
    .scores.parquet.store/3f…/depends.json            all that the answers depend on beside the question
    .scores.parquet.store/3f…/000000-1a2b3c4d.arrow   answers; the name ends in the checksum of the file
    .scores.parquet.store/3f…/000001-…                what was asked next, in this job or in a later one
    .scores.parquet.store/3f…/begun                   the number of the first file of a job that has not ended
    .scores.parquet.store/3f…/asked                   the digests of all questions of the last job that ended well
    .scores.parquet.store/lock                        locked by the job at work

A job that is killed leaves whole files, and the next job finds them. The name of the folder, 3f…, is a digest of what the
answers depend on, with no name of an agent or path in it. So the first job of an agent that was renamed finds the answers
beneath its former name, and links them into its own store.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import shutil
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from relprobe.core.errors import ModelError
from relprobe.core.files import read_json, write_json, write_text
from relprobe.core.manifest import link_or_copy
from relprobe.lm.score_files.answers import (
    QUESTION,
    SECONDS,
    Index,
    is_whole,
    number_of,
    questions_in,
    read_rows,
    seconds_in,
    whole_files,
    write_answers,
)
from relprobe.lm.witness import WITNESS, same_model

logger = logging.getLogger("relprobe")

WIDTH = 16
"""The bytes of a digest."""
ASKED, BEGUN, DEPENDS, LOCK, WITNESS_FILE = "asked", "begun", "depends.json", "lock", "witness.json"
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


@contextmanager
def lock(root: Path) -> Iterator[None]:
    """Keep other jobs off a store; the lock ends with the block or the process. ModelError: another job has locked it."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / LOCK).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise ModelError(
                f"{root} is in use by {file.read()}, and two jobs must not write one file: wait until that process has "
                "ended, or end it, and run again."
            ) from None
        except OSError as error:  # a file system without locks; Snakemake runs one job for each file, too
            logger.info("%s cannot be locked (%s)", root, error)
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


class Store:
    """The stored answers under the given dependencies; it is made if there is none.

    `seconds`: those of a question in each file of a job that was killed, in the order of the files. `keep`: if not, what a
    job that ended has stored is deleted first. `former`: agents that the configuration does not have any more; a new
    store takes over what theirs in this folder hold under the same dependencies. A job holds the lock of the store
    (`lock`). ModelError: a killed job has left there what another served model answered.
    """

    def __init__(
        self,
        scores: Path,
        depends: Mapping[str, Any],
        witness: Any = None,
        *,
        keep: bool = True,
        former: Iterable[str] = (),
    ) -> None:
        text = json.dumps(depends, sort_keys=True)
        self.root = folder_of(scores)
        if not keep and any(self.root.glob(f"*/{ASKED}")):  # of a job that has ended, and not of one that was killed
            for folder in filter(Path.is_dir, self.root.iterdir()):
                shutil.rmtree(folder)
        self.folder = _folder_under(self.root, depends)
        if not self.folder.is_dir():
            _take_over([folder_of(scores.with_stem(name)) for name in former], self.folder, witness)
        if not self.folder.is_dir():
            _say_what_changed(self.root, json.loads(text))
        if witness is not None:
            _keep_to_one_model(self.folder, witness)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / DEPENDS).is_file():
            write_json(json.loads(text), self.folder / DEPENDS)
        for leftover in self.folder.glob("*.partial"):  # of a killed job, as this one holds the lock
            leftover.unlink()
        self._files = whole_files(self.folder)
        self._next = 1 + max(map(number_of, self._files), default=-1)
        self._tables: dict[int, pa.Table] = {}
        self._index = Index([questions_in(file) for file in self._files])
        begun = self.folder / BEGUN
        if not begun.is_file():
            write_text(str(self._next), begun)
        first = int(begun.read_text())
        self.seconds = [seconds_in(file) for file in self._files if number_of(file) >= first]

    def find(self, digest: bytes) -> tuple[int, int, int] | None:
        """Return where the answer to a question is: the number of a file, its first row, and the row after its last one."""
        return self._index.find(digest)

    def read(self, file: int, start: int, stop: int) -> pa.Table:
        """Return some rows of a file, without the column of digests."""
        if file not in self._tables:
            self._tables[file] = read_rows(self._files[file]).drop_columns([QUESTION])
        return self._tables[file].slice(start, stop - start)

    def add(self, rows: pa.Table, digests: Sequence[bytes], seconds: float) -> None:
        """Store answers. `digests`: that of the question of each row. `seconds`: what a question took."""
        table = rows.append_column(QUESTION, pa.array(digests, pa.binary(WIDTH)))
        write_answers(table.replace_schema_metadata({SECONDS: repr(seconds)}), self.folder, self._next)
        self._next += 1

    def end(self, asked: Path) -> None:
        """Keep the digests of all questions of a job that has ended well, from a file beside the store's."""
        asked.replace(self.folder / ASKED)
        (self.folder / BEGUN).unlink()

    def remove(self) -> None:
        """Delete the store."""
        shutil.rmtree(self.root, ignore_errors=True)


def stored_digests(scores: Path, depends: Mapping[str, Any]) -> set[bytes]:
    """Return the digests of the questions that a score file's store answers under these dependencies; nothing is changed."""
    folder = _folder_under(folder_of(scores), depends)
    files = filter(is_whole, sorted(folder.glob("*.arrow")))
    return {row.tobytes() for file in files for row in questions_in(file)}


def _folder_under(root: Path, depends: Mapping[str, Any]) -> Path:
    """Return the folder of the answers under some dependencies. The name of an input, such as a lexicon's, is none."""
    nameless = {**depends, **({"inputs": sorted(depends["inputs"].values())} if "inputs" in depends else {})}
    return root / hashlib.sha256(json.dumps(nameless, sort_keys=True).encode()).hexdigest()[:12]


def _take_over(stores: Iterable[Path], folder: Path, witness: Any) -> None:
    """Link the answers of other stores under the same dependencies into a store's new folder.

    What a served model has answered is taken if it was the same model, by its `witness`.
    """
    for other in (store / folder.name for store in stores):
        said, files = other / WITNESS_FILE, sorted(other.glob("*.arrow"))
        if not files or (witness is not None and not (said.is_file() and same_model(read_json(said), witness))):
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            if not (folder / file.name).is_file():  # its name has its checksum
                link_or_copy(file, folder / file.name)
        logger.info("what %s holds depends on the same, and is taken over", other.parent)


def _say_what_changed(root: Path, depends: dict[str, Any]) -> None:
    """Log why nothing of a store can be taken: in what its newest answers depend on something else."""
    others = sorted(root.glob(f"*/{DEPENDS}"), key=lambda file: file.parent.stat().st_mtime)
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
    file = folder / WITNESS_FILE
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
