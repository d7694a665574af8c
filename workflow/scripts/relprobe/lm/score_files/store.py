"""The store of scored questions: what a model has answered, so that only what is new is asked.

Each score file has a store in a hidden folder beside it. Snakemake deletes a score file before it is made anew, so the store
is no output of a rule. It goes with the results when somebody deletes them.

    scores.parquet                                    absent until the job is done
    .scores.parquet.store/3f…/depends.json            what the answers depend on beside the question
    .scores.parquet.store/3f…/guard.json              the code, the libraries, … with which the answers were made or checked
    .scores.parquet.store/3f…/fixed.json              the answers to fixed texts
    .scores.parquet.store/3f…/000000-1a2b3c4d.arrow   answers; the name ends in the checksum of the file
    .scores.parquet.store/3f…/000001-…                what was asked next, in this job or in a later one
    .scores.parquet.store/3f…/begun                   the number of the first file of a job that has not ended
    .scores.parquet.store/3f…/asked                   the digests of all questions of the last job that ended well
    .scores.parquet.store/lock                        locked by the job at work

A job that is killed leaves whole files, and the next job finds them. The name of the folder, 3f…, is a digest of what the
answers depend on: the model and what is asked of it, with no name of an agent, path or code in it. So the first job of an
agent that was renamed, or of a score file that has moved, finds the answers in another store of the results, and links them
into its own.

The code that asks and the versions of libraries are a `guard`. Where it has changed, a sample of the answers is asked again
before they are taken (`relprobe.lm.score_files.check`).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from relprobe.core.content import loaded_names
from relprobe.core.errors import DataError, ModelError, RelprobeError
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
DEPTHS = ("*/*", "*/*/*")
"""Where score files lie in the folder of results."""
ASKED, BEGUN, DEPENDS, LOCK, WITNESS_FILE = "asked", "begun", "depends.json", "lock", "witness.json"
GUARD, FIXED = "guard.json", "fixed.json"
STORE_VERSION = 2
"""The form of a store. In form 1, the code was a dependency, and a question was the `repr` of its request."""
GUARDS = ("code", "libraries", "path", "inputs")
"""What the metadata of a score file say that no answer depends on, unless it is changed to answer otherwise."""
SHAPES = ("shots", "examples", "sample", "partitions")
"""Settings of steps that say what is asked, and nothing else: the questions show them."""
REMARKS = (WITNESS, "sent", "reuse", "checked")
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


def dependencies(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what answers depend on beside the question, from all that a score file says of itself (`provenance`).

    A setting that is not given, or is off, is none, so that a new one changes no dependencies.

    >>> dependencies({"code": "1f", "inputs": {"words.parquet": "2e"}, "settings": {"k": 5, "shots": 3, "ends": False}})
    {'settings': {'k': 5}}
    """
    depends = {key: value for key, value in metadata.items() if key not in (*REMARKS, *GUARDS)}
    if "settings" in depends:
        depends["settings"] = {
            name: value
            for name, value in depends["settings"].items()
            if name not in SHAPES and value is not None and value is not False
        }
    if "server" in depends:  # its version and the code that asks it are a guard
        depends["server"] = {"name": depends["server"].get("name")}
    return depends


def guard_of(metadata: Mapping[str, Any], apart: Sequence[str] = ()) -> dict[str, Any]:
    """Return what must not change the answers, from all that a score file says of itself.

    `apart`: the names, without endings, of inputs that say what is asked and nothing else. The names of the others do not
    count, and nor does the way on which a network computes.

    >>> guard_of({"code": "1f", "inputs": {"probes.parquet": "3a", "words.parquet": "2e"}, "type": "masked"}, ["probes"])
    {'code': '1f', 'inputs': ['2e']}
    """
    guard = {key: metadata[key] for key in ("code", "libraries", "server") if key in metadata}
    inputs = sorted(digest for name, digest in metadata.get("inputs", {}).items() if Path(name).stem not in apart)
    return guard | ({"inputs": inputs} if inputs else {})


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

    `guard`: what must not change them (`guard_of`). `seconds`: those of a question in each file of a job that was killed, in
    the order of the files. `keep`: if not, all that is stored is deleted first, but for what a job that was killed has left
    under the same guard. `results`: a new store takes over what others in this folder hold under the same dependencies.
    `origin`: where replies come from that no witness can compare, such as the address of a chat endpoint. Only those of the
    same place are taken over: two servers may call their models by one name. Within a store it may change, as servers move.
    A job holds the lock of the store (`lock`). ModelError: a killed job has left there what another
    served model answered, or the store is that of a newer version.
    """

    def __init__(
        self,
        scores: Path,
        depends: Mapping[str, Any],
        witness: Any = None,
        *,
        guard: Mapping[str, Any] | None = None,
        keep: bool = True,
        results: Path | None = None,
        origin: str | None = None,
    ) -> None:
        self.root, self._guard = folder_of(scores), _as_read(guard or {})
        self._first_record = {"form": STORE_VERSION, "guard": self._guard} | ({"origin": origin} if origin else {})
        depends = _as_read(depends)
        self.folder = _folder_under(self.root, depends)
        if not keep:
            _drop_answers(self.root, self.folder, self._guard)
        if not self.folder.is_dir() and keep:
            _take_over(self.folder, depends, witness, results, origin)
        if not self.folder.is_dir():
            _say_what_changed(self.root, depends)
        if witness is not None:
            _keep_to_one_model(self.folder, witness)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / DEPENDS).is_file():
            write_json(depends, self.folder / DEPENDS)
        for leftover in self.folder.glob("*.partial"):  # of a killed job, as this one holds the lock
            leftover.unlink()
        self._record: dict[str, Any] = _record_in(self.folder) or self._first_record
        self.has_grown = False
        self._read_files()
        if not (self.folder / GUARD).is_file():
            self._keep_record()
        begun = self.folder / BEGUN
        if not begun.is_file():
            write_text(str(self._next), begun)
        first = int(begun.read_text())
        self.seconds = [seconds_in(file) for file in self._files if number_of(file) >= first]

    def _read_files(self) -> None:
        self._files = whole_files(self.folder)
        self._next = 1 + max(map(number_of, self._files), default=-1)
        self._tables: dict[int, pa.Table] = {}
        self._index = Index([questions_in(file) for file in self._files])

    def _keep_record(self) -> None:
        write_json(self._record, self.folder / GUARD)

    @property
    def guard_changes(self) -> list[str]:
        """The keys of the guard that have changed since the answers were asked or checked; none if they can be taken."""
        return differences(self._record["guard"], self._guard) if len(self._index) else []

    @property
    def guard_name(self) -> str:
        """The guard of the job as a text."""
        return json.dumps(self._guard, sort_keys=True)

    @property
    def has_old_questions(self) -> bool:
        """Whether some answers are stored under the digests of form 1."""
        return bool(self._record.get("old_questions"))

    @property
    def checked(self) -> list[dict[str, Any]]:
        """How the answers were checked after changes, the last check at the end."""
        return list(self._record.get("checked", []))

    @property
    def fixed(self) -> Any:
        """The answers to the fixed texts; None if there are none."""
        file = self.folder / FIXED
        return read_json(file) if file.is_file() else None

    def keep_fixed(self, fixed: Any) -> None:
        """Keep the answers to the fixed texts."""
        write_json(fixed, self.folder / FIXED)

    def accept(self, **check: Any) -> None:
        """Put the answers under the guard of the job, and note how they were checked."""
        former = self._record["guard"]
        changed = {key: former[key] for key in former if former[key] != self._guard.get(key)}
        self._record = {**self._record, "guard": self._guard, "checked": [*self.checked, {**check, "former": changed}]}
        self._keep_record()

    def note(self, **facts: Any) -> None:
        """Store facts about the network that answers: its `path` and the `size` of a group."""
        if facts != self._record.get("facts"):
            self._record = {**self._record, "facts": facts}
            self._keep_record()

    def forget(self) -> None:
        """Delete the answers."""
        for file in [*self._files, self.folder / FIXED, self.folder / BEGUN, self.folder / ASKED]:
            file.unlink(missing_ok=True)
        self._record = self._first_record
        self._keep_record()
        write_text("0", self.folder / BEGUN)
        self._read_files()
        self.seconds = []

    def size(self, file: int, start: int, stop: int) -> int:
        """Return how many values the answer in some rows of a file has: those of its lists."""
        lists = [column for column in self.read(file, start, stop).columns if pa.types.is_nested(column.type)]
        return sum(sum(length or 0 for length in pc.list_value_length(column).to_pylist()) for column in lists)

    def __len__(self) -> int:
        """Return the number of answers that there were when the job began."""
        return len(self._index)

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
        self.has_grown = True

    def end(self, asked: Path) -> None:
        """Save the digests of all questions once a job has succeeded. `asked`: the file that it wrote them to."""
        asked.replace(self.folder / ASKED)
        (self.folder / BEGUN).unlink()

    def remove(self) -> None:
        """Delete the store."""
        shutil.rmtree(self.root, ignore_errors=True)


def stored_digests(scores: Path, depends: Mapping[str, Any], *, keep: bool = True) -> set[bytes]:
    """Return the digests of the questions that a score file's store answers under these dependencies; nothing is changed.

    `keep`: as in `Store`; if not, a job takes no answers but those that a killed job has left.
    """
    folder = _folder_under(folder_of(scores), depends)
    if not keep and (folder / ASKED).is_file():
        return set()
    files = filter(is_whole, sorted(folder.glob("*.arrow")))
    return {row.tobytes() for file in files for row in questions_in(file)}


def _as_read(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping as it is read back from JSON, where a tuple is a list."""
    values: dict[str, Any] = json.loads(json.dumps(mapping))
    return values


def facts_in(scores: Path, depends: Mapping[str, Any], guard: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the stored facts about the network (`Store.note`); None if there are none, or if the guard has changed."""
    record = _record_in(_folder_under(folder_of(scores), depends))
    return record.get("facts") if record is not None and record["guard"] == _as_read(guard) else None


def _folder_under(root: Path, depends: Mapping[str, Any]) -> Path:
    """Return the folder of the answers under some dependencies."""
    return root / hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()[:12]


def _record_in(folder: Path) -> dict[str, Any] | None:
    """Return the record of a folder of answers: its form, and the guard under which the answers hold; None without one.

    ModelError: it is that of a newer version, or damaged.
    """
    file = folder / GUARD
    if not file.is_file():
        return None
    try:
        record = read_json(file)
        if not isinstance(record, dict) or not isinstance(record.get("guard"), dict):
            raise DataError("it is no record")
    except DataError as error:
        raise ModelError(
            f"{file} is damaged, so that nobody knows which code gave the answers beside it: delete its folder, and all "
            "are asked again."
        ) from error
    if record.get("form", STORE_VERSION) > STORE_VERSION:
        raise ModelError(
            f"{folder} was written by a newer version of relprobe: use that version here, or delete this folder (`relprobe "
            "store` lists them) to ask its questions again."
        )
    return record


def _drop_answers(root: Path, folder: Path, guard: Mapping[str, Any]) -> None:
    """Delete what is stored, but for what a job that was killed has left in a folder under the same guard."""
    record = _record_in(folder)
    killed = record is not None and record["guard"] == guard and not (folder / ASKED).is_file()
    for path in filter(Path.is_dir, root.glob("*")):
        if path != folder or not killed:
            shutil.rmtree(path)


def _take_over(
    folder: Path, depends: Mapping[str, Any], witness: Any, results: Path | None, origin: str | None
) -> None:
    """Link the answers of other stores under the same dependencies into a store's new folder.

    Such are those of an agent that was renamed or of a score file that has moved, for a store that is new itself, and those
    that an earlier version has stored for this score file. What a served model has answered is taken if it was the same
    model, by its `witness`; replies, which have none, if they come from the same `origin`.
    """
    root = folder.parent
    is_new = results is not None and not any(root.glob(f"*/{DEPENDS}"))
    elsewhere = [
        path for depth in DEPTHS if results and is_new for path in results.glob(f"{depth}/.*.store/{folder.name}")
    ]
    for source in [*sorted(elsewhere), *_form_1_folders(root, depends)]:
        files = sorted(source.glob("*.arrow"))
        try:
            if not files or (witness is not None and not _is_of_model(source, witness)):
                continue
            record = _record_in(source) or _record_of_form_1(source)
        except RelprobeError:
            if source.is_dir():
                raise
            continue  # its own job deletes it at this moment
        if origin and source.parent != root and record.get("origin") != origin:
            continue
        if (folder / GUARD).is_file() and record["guard"] != read_json(folder / GUARD)["guard"]:
            continue  # answers under one guard alone can be checked together
        folder.mkdir(parents=True, exist_ok=True)
        try:
            for file in [*files, *source.glob(FIXED)]:
                if not (folder / file.name).is_file():  # its name has its checksum
                    link_or_copy(file, folder / file.name)
        except FileNotFoundError:  # its own job deletes them at this moment
            shutil.rmtree(folder)
            continue
        write_json(record, folder / GUARD)
        logger.info("what %s holds depends on the same, and is taken over", source.parent)


def _is_of_model(folder: Path, witness: Any) -> bool:
    """Return whether the answers of a folder are those of the model of a witness."""
    file = folder / WITNESS_FILE
    return file.is_file() and same_model(read_json(file), witness)


def _form_1_folders(root: Path, depends: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folders of form 1 whose answers depend on the same, apart from the code; the newest first."""
    if "words" in depends.get("beside", {}):  # which form 1 had as files, whose bytes may have changed
        return
    wanted = _comparable({key: value for key, value in depends.items() if key not in ("kind", "beside")})
    for file in sorted(root.glob(f"*/{DEPENDS}"), key=lambda file: -file.stat().st_mtime):
        if not (file.parent / GUARD).is_file() and _comparable(dependencies(read_json(file))) == wanted:
            yield file.parent


def _comparable(depends: Mapping[str, Any]) -> dict[str, Any]:
    files = depends.get("model_files", {})
    loaded = loaded_names(files)
    return {**depends, "model_files": {name: digest for name, digest in files.items() if name in loaded}}


def _record_of_form_1(folder: Path) -> dict[str, Any]:
    depends = read_json(folder / DEPENDS)
    return {"form": STORE_VERSION, "guard": {**guard_of(depends), "form": 1}, "old_questions": True}


def _say_what_changed(root: Path, depends: Mapping[str, Any]) -> None:
    """Log why nothing of a store can be taken: in what its newest answers depend on something else."""
    earlier = sorted(root.glob(f"*/{DEPENDS}"), key=lambda file: file.parent.stat().st_mtime)
    if earlier:
        changed = differences(dependencies(read_json(earlier[-1])), depends)
        logger.info("none of the stored answers can be taken, as this has changed: %s", ", ".join(changed))


def differences(first: Mapping[str, Any], second: Mapping[str, Any], above: str = "") -> list[str]:
    """Return the keys in which two mappings differ.

    >>> differences({"code": "1f", "settings": {"k": 5}}, {"code": "1f", "settings": {"k": 6}})
    ['settings.k']
    """
    keys = []
    for key in sorted({*first, *second}):
        a, b = first.get(key), second.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            keys += differences(a, b, f"{above}{key}.")
        elif a != b:
            keys.append(f"{above}{key}")
    return keys


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
        write_json(witness, file)
