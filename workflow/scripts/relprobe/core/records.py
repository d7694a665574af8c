"""Records: what each result was computed of, in a file that lies with the results and travels with them.

A record names the settings and the code of a step by their digests, what its inputs and outputs hold by the SHA-256 of their
contents, and the versions of the libraries. `results/records/files` has a record for each job, under the name of its first
output. A step compares each result that it reads with its record, so that nothing is computed of a damaged file. A plan
compares all of them (`restore_times`), whatever times the files have: after a study was copied, zipped or committed, its
files are as old as the copy, and Snakemake decides by their times.
"""

import contextlib
import functools
import glob
import hashlib
import importlib.metadata
import itertools
import json
import os
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from relprobe.core.content import content_digest
from relprobe.core.errors import DataError
from relprobe.core.files import files_below, sha256, write_json
from relprobe.core.inside_snakemake import STAMP
from relprobe.core.software import LIBRARIES
from relprobe.version import __version__

FOLDER = Path("records", "files")
"""Where the records of results are, in the folder of the results."""
FORMAT = 1
"""The form of a record. A reader refuses a higher number: a newer relprobe wrote it."""
RESULTS = "<results>/"
"""How the name of a file of the results begins in a record: the folder itself may be moved and renamed."""
SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class FileState:
    """What a file held when a step read or wrote it: the digest of its content, and its size and time, which spare reading.

    `size` is in bytes, and `mtime_ns` the time of the last change in nanoseconds.
    """

    content: str
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, name: str, path: Path) -> "FileState":
        """Return the state of the file of a name."""
        status = path.stat()
        return cls(digest_of(name, path), status.st_size, status.st_mtime_ns)

    def has_time(self, path: Path) -> bool:
        """Return whether a file has this size and time, so that its content need not be read."""
        status = path.stat()
        return (status.st_size, status.st_mtime_ns) == (self.size, self.mtime_ns)

    def fits(self, name: str, path: Path) -> bool:
        """Return whether the file of a name has this content."""
        return self.has_time(path) or digest_of(name, path) == self.content


@dataclass(frozen=True)
class Record:
    """What a result was computed of.

    `step`: the dotted name of the step's function. `settings`, `code`: digests of both. `inputs`, `outputs`: name -> state;
    the names of results begin with "<results>/". `folders`: the outputs that are folders; their files are among `outputs`.
    `versions`: library -> version. `made`: the time, in seconds since 1970.
    """

    step: str
    settings: str
    code: str
    inputs: Mapping[str, FileState]
    outputs: Mapping[str, FileState]
    folders: Sequence[str]
    versions: Mapping[str, str]
    made: float = field(default_factory=time.time)
    format: int = FORMAT


class DamagedRecordError(DataError):
    """A record that cannot be read, or that does not fit its file."""


def digest_of(name: str, path: Path) -> str:
    r"""Return the digest of what the file of a name in a record holds.

    A result is its bytes. A user's own file is what is read from it (core/content.py): a comment in YAML changes nothing. A
    manifest is the files that it lists (core/manifest.py), wherever these were fetched from.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "prompts.yaml")
    >>> size = file.write_text("a: 1")
    >>> before = digest_of("data/prompts.yaml", file)
    >>> size = file.write_text("# The first one.\na:   1")
    >>> digest_of("data/prompts.yaml", file) == before
    True
    """
    if name.startswith(RESULTS):
        return sha256(path)
    return (_manifest_digest(path) if path.suffix == ".json" else None) or content_digest(path)


def _manifest_digest(path: Path) -> str | None:
    """Return the digest of the files that a manifest lists; None if the file is no manifest."""
    try:
        manifest = json.loads(path.read_bytes())
    except ValueError:
        return None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        return None
    return _digest([manifest["files"], manifest.get("base")])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=repr).encode()).hexdigest()


def settings_digest(settings: Mapping[str, object]) -> str:
    """Return the digest of a step's settings, 12 hexadecimal digits; their order makes no difference.

    >>> settings_digest({"top": 5, "seed": 1}) == settings_digest({"seed": 1, "top": 5}) != settings_digest({"top": 6})
    True
    """
    return _digest(dict(settings))[:12]


def versions() -> dict[str, str]:
    """Return the versions of relprobe, of Python, and of those libraries that this process has imported."""
    imported = [name for name in (*LIBRARIES, "pyarrow") if name in sys.modules]
    python = ".".join(map(str, sys.version_info[:3]))
    return {"relprobe": __version__, "python": python, **{name: importlib.metadata.version(name) for name in imported}}


def record_file(output: Path, results: Path) -> Path:
    """Return where the record of a job is whose first output is `output`, a file of the folder `results`.

    >>> record_file(Path("results/relations/probes.parquet"), Path("results")).as_posix()
    'results/records/files/relations/probes.parquet.json'
    """
    relative = output.relative_to(results)
    return results / FOLDER / relative.parent / f"{relative.name}.json"


def results_of(file: Path) -> Path:
    """Return the folder of the results that a record is of, from the file of the record."""
    return next(parent for parent in file.parents if parent.parts[-len(FOLDER.parts) :] == FOLDER.parts).parents[
        len(FOLDER.parts) - 1
    ]


def write_record(
    file: Path, *, step: str, settings: str, code: str, inputs: Iterable[Path], outputs: Iterable[Path]
) -> None:
    """Write the record of a job whose outputs are whole.

    A folder that was written counts with all that it holds. One that was read is a place to look for files, such as stored
    answers, and no input: Snakemake knows none, and other jobs write into it.
    """
    root, written = results_of(file), list(outputs)
    inputs = [path for path in inputs if path.is_file()]
    read, made = ({name: FileState.of(name, path) for name, path in _named(paths, root)} for paths in (inputs, written))
    folders = [_name(path, root) for path in written if path.is_dir()]
    write_json(asdict(Record(step, settings, code, read, made, folders, versions())), file)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in files_below(path) if file.name != STAMP)
        elif path.is_file():
            yield path


def _named(paths: Iterable[Path], results: Path) -> Iterator[tuple[str, Path]]:
    for path in _files(paths):
        yield _name(path, results), path


def _name(path: Path, results: Path) -> str:
    """Return the name of a file in a record."""
    return f"{RESULTS}{path.relative_to(results)}" if path.is_relative_to(results) else str(path)


def _path(name: str, results: Path) -> Path:
    """Return the file that a name in a record stands for."""
    return results / name.removeprefix(RESULTS) if name.startswith(RESULTS) else Path(name)


def read_record(file: Path) -> Record:
    """Read a record. DamagedRecordError: it is damaged, or a newer relprobe wrote it. FileNotFoundError: there is none."""
    return _parsed_record(file.read_bytes(), file)


def _parsed_record(text: bytes, file: Path) -> Record:
    """Do what `read_record` does with the text of a file."""
    try:
        content = json.loads(text)
        if content["format"] > FORMAT:
            raise DamagedRecordError(
                f"{file} is the record of a newer relprobe ({content['versions'].get('relprobe')}): go on with that "
                "version, or delete the results."
            )
        states = {
            key: {name: FileState(**state) for name, state in content[key].items()} for key in ("inputs", "outputs")
        }
        return Record(**{**content, **states})
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise DamagedRecordError(
            f"{file}, which says what a result is of, is damaged: delete it and the result, and run again."
        ) from error


def find_record(output: Path) -> tuple[Path, Record] | None:
    """Return the record that names an output, after its file; None if none does in the folders above the output."""
    for results in output.parents:
        folder = results / FOLDER
        if folder.is_dir():
            relative = folder / output.relative_to(results)
            direct, name = relative.with_name(f"{relative.name}.json"), _name(output, results)
            parents = [parent for parent in relative.parents if parent.is_relative_to(folder)]
            listed = (file for parent in parents for file in sorted(parent.glob("*.json")))
            records = _records(itertools.chain([direct], listed), _known_record)
            return next(((file, record) for file, record in records if file == direct or name in record.outputs), None)
    return None


def _records(files: Iterable[Path], read: Callable[[Path], Record] = read_record) -> Iterator[tuple[Path, Record]]:
    """Yield the records in files, each with its file. One that another job deletes after it was listed is left out."""
    for file in files:
        try:
            record = read(file)
        except FileNotFoundError:
            continue
        yield file, record


@functools.cache
def _known_record(file: Path) -> Record:
    """Read a record once in a process: a step looks up each of its inputs."""
    return read_record(file)


def remove_outputs(outputs: Sequence[Path]) -> None:
    """Remove outputs that a step is about to write from their records, so that a killed step leaves no wrong record.

    A job of another configuration may have written some of them beside others, which its record still has.
    """
    for results in {parent for output in outputs for parent in output.parents if (parent / FOLDER).is_dir()}:
        names = tuple(_name(output, results) for output in outputs if output.is_relative_to(results))
        parts = {name.removeprefix(RESULTS).partition("/")[0] for name in names}
        for part in parts:
            folder = results / FOLDER / part
            for file in [*folder.rglob("*.json"), *folder.parent.glob(f"{glob.escape(part)}.json")]:
                _remove_from(file, names)


def _remove_from(file: Path, names: Sequence[str]) -> None:
    """Remove some outputs, or all that lies in them, from a record; delete the record if it has no output left."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:  # another job has deleted it
        return
    if not any(json.dumps(name)[1:-1].encode() in text or name.encode() in text for name in names):
        return
    record = _parsed_record(text, file)
    inside = tuple(f"{name}/" for name in names)

    def is_left(name: str) -> bool:
        return not (name in names or name.startswith(inside))

    left = {name: state for name, state in record.outputs.items() if is_left(name)}
    if not left:
        file.unlink(missing_ok=True)
    elif len(left) < len(record.outputs):
        write_json(asdict(replace(record, outputs=left, folders=[*filter(is_left, record.folders)])), file)


def check_inputs(inputs: Iterable[Path]) -> None:
    """Compare files with their records before a step reads them. DamagedRecordError: one is not what was computed."""
    for path in (path for path in inputs if path.is_file()):
        file, record = find_record(path) or (None, None)
        if file is None or record is None:
            continue
        name = _name(path, results_of(file))
        state = record.outputs.get(name)
        if state is not None and digest_of(name, path) != state.content:
            raise damage_error(path)


def damage_error(path: Path) -> DamagedRecordError:
    """Return the error of a result that does not fit its record."""
    return DamagedRecordError(
        f"{path} is not the file that was computed, as its content is another than its record says: it is damaged, or was "
        "edited. Bring it back, or delete it and run again."
    )


def other_versions(results: Path) -> Counter[tuple[str, str, str]]:
    """Return how many results were computed with another version of a library than the one that is installed now.

    The keys are the library, the version in the records and the version now. An upgrade runs nothing again by itself: for a
    model's answers a witness decides (lm/witness), and other results are kept with the versions that they were made with.
    """
    folder = results / FOLDER
    counts: Counter[tuple[str, str, str]] = Counter()
    for _, record in _records(folder.rglob("*.json") if folder.is_dir() else ()):
        for name, version in record.versions.items():
            now = _version_now(name)
            if now is not None and now != version:
                counts[name, version, now] += 1
    return counts


@functools.cache
def _version_now(name: str) -> str | None:
    """Return the version of a library, of Python or of relprobe; None if it is not installed."""
    if name in ("relprobe", "python"):
        return versions()[name]
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def restore_times(results: Path) -> None:
    """Set the times of result files so that Snakemake re-runs what their records say is out of date, and nothing else.

    Snakemake runs a job anew if an input is newer than an output, and takes a small input for the same if its content is.
    After a copy all times are those of the copy; a comment makes a YAML file newer; and what is moved into the place of a
    file may be older than what was computed of it. So an output whose inputs are all as they were is never older than
    these, and one whose input has changed is older than that one. DamagedRecordError: a result does not fit its record, or
    a record cannot be read.
    """
    files = sorted((results / FOLDER).rglob("*.json")) if (results / FOLDER).is_dir() else []
    for file, record in sorted(_records(files), key=lambda pair: pair[1].made):
        if record.outputs and all(_path(name, results).is_file() for name in record.outputs):
            with contextlib.suppress(FileNotFoundError):  # another run is at work on them
                _restore_times_of_job(record, file)  # Snakemake sees what is missing


def tables_without_record(results: Path) -> list[Path]:
    """Return the tables of the results that no record names, sorted.

    An earlier relprobe made them, their records were left out of a copy, or their job was cut off: nothing says whether they
    are of the configuration that is there now. Hidden folders hold stored answers, which say themselves what they are of.
    """
    folder = results / FOLDER
    files = folder.rglob("*.json") if folder.is_dir() else ()
    recorded = {name for _, record in _records(files) for name in record.outputs}
    tables = (path for path in files_below(results, "*.parquet") if not _is_hidden(path.relative_to(results)))
    return sorted(path for path in tables if _name(path, results) not in recorded)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def mark_out_of_date(paths: Sequence[Path]) -> str | None:
    """Mark results without a record as out of date, and return a sentence that says so; None if there are none.

    Their times are set before those of all inputs. Some may be made by no rule any more, such as those of an agent that
    was taken out. What models have answered is not asked again: it lies in the stores.
    """
    if not paths:
        return None
    _set_times(paths, SECOND_NS)
    tables = "table was" if len(paths) == 1 else "tables were"
    return (
        f"Nothing says of what {len(paths):,} {tables} computed, such as {paths[0]}: an earlier relprobe made it, its "
        "record was not copied, or its job was cut off. What of this the study still has is computed anew with the stored "
        "answers; the rest may be deleted."
    )


def _restore_times_of_job(record: Record, file: Path) -> None:
    """Do what `restore_times` does for the outputs of a job. FileNotFoundError: one is not there any more."""
    results = results_of(file)
    outputs = {name: _path(name, results) for name in record.outputs}
    inputs = {name: path for name in record.inputs if (path := _path(name, results)).is_file()}
    wrong = [path for name, path in outputs.items() if not record.outputs[name].fits(name, path)]
    if wrong:
        if (file, record) not in _records([file]):
            return  # a job has written them meanwhile
        raise damage_error(wrong[0])
    dated = [*outputs.values(), *(_dated(_path(name, results)) for name in record.folders)]
    oldest = min(path.stat().st_mtime_ns for path in dated)
    changed = [path for name, path in inputs.items() if not record.inputs[name].fits(name, path)]
    if changed:
        begin = min(path.stat().st_mtime_ns for path in changed)
        if oldest >= begin:
            _set_times(dated, begin - SECOND_NS)
        return
    newest = max((path.stat().st_mtime_ns for path in inputs.values()), default=oldest)
    if newest > oldest:
        _set_times(dated, newest)
    _renew(record, file, inputs | outputs)


def _dated(folder: Path) -> Path:
    """Return the file whose time Snakemake takes for that of a folder: one that it writes into it, or else the folder."""
    stamp = folder / STAMP
    return stamp if stamp.is_file() else folder


def _set_times(paths: Iterable[Path], mtime_ns: int) -> None:
    """Give files a time of change; a file that another study shares by a hard link is made one of its own before."""
    for path in paths:
        status = path.stat()
        if path.is_file() and status.st_nlink > 1:
            partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
            shutil.copy2(path, partial)
            partial.replace(path)
        os.utime(path, ns=(status.st_atime_ns, mtime_ns))


def _renew(record: Record, file: Path, files: Mapping[str, Path]) -> None:
    """Write a record with the times that its files have now, if they differ: the next plan need not read them then."""

    def now(states: Mapping[str, FileState]) -> dict[str, FileState]:
        stats = {name: (state.content, files[name].stat()) for name, state in states.items() if name in files}
        return {
            **states,
            **{name: FileState(content, at.st_size, at.st_mtime_ns) for name, (content, at) in stats.items()},
        }

    renewed = replace(record, inputs=now(record.inputs), outputs=now(record.outputs))
    if renewed != record and (file, record) in _records([file]):  # a job may have deleted or replaced it meanwhile
        write_json(asdict(renewed), file)


def link_hidden(folder: Path, hidden: Path) -> None:
    """Make the folder `hidden` a link to `folder`; what it holds is moved there first.

    Of a file that both have, that of `folder` stays: it came with the results. Another process may do the same now.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = Path(os.path.relpath(folder, hidden.parent))
    if hidden.is_symlink() and hidden.readlink() == target:
        return
    if hidden.is_dir() and not hidden.is_symlink():
        for file in [file for file in hidden.rglob("*") if file.is_file()]:
            moved = folder / file.relative_to(hidden)
            if not moved.exists():
                moved.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(file, moved)
        shutil.rmtree(hidden)
    hidden.parent.mkdir(parents=True, exist_ok=True)
    link = hidden.with_name(f"{hidden.name}.{os.getpid()}")
    link.symlink_to(target)
    link.replace(hidden)
