"""Manifests: `FOLDER.json` lists the files of a fetched folder with their SHA-256. It lies beside the folder.

The manifest is written last, so a folder with a manifest is whole. Rules that read the folder have the manifest as their
input: fetching the same files again gives the same manifest and reruns nothing. A job that reads the folder first compares
its files with the manifest, so that nothing is computed with a file that was damaged or replaced since.

A run reads the weights of a model in a dozen jobs. So a large file that was compared is known for a DAY by what the file
system says of it: its size, its times, and which file it is. A program that writes into a file changes the time of its last
change of any kind (ctime), and cannot set it back; another file in its place is another one. What no write has damaged, as
on a disk that loses bits, shows when the file is read anew: after a day, a restart of the machine, or on another machine.

Before anything is fetched, the plan of a run knows a user's own files by their `identity`.
"""

import contextlib
import fcntl
import functools
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from filelock import FileLock

from relprobe.core.content import content_digest, loaded_names
from relprobe.core.errors import DataError, SourceError
from relprobe.core.files import Format, read_json, sha256, write_json

WEIGHTS = (".safetensors", ".bin")
"""The suffixes of a model's files of weights."""
SMALL = 1_000_000
"""The largest file that the plan reads whole, in bytes. It is Snakemake's, which compares the contents of such files."""
FICLONE = 0x40049409
"""Linux's call that makes a file share the blocks of another one until one of the two is written (btrfs, xfs)."""
MINUTE_S = 60
DAY_S = 24 * 60 * MINUTE_S
"""How long a comparison of a large file counts."""
JUST_S = 2
"""A file that was changed within so many seconds is compared again: a second change may have the same time."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
"""What Linux calls the time since the machine was started."""
KEY = re.compile("[0-9a-f]{12}")
"""An `origin_key`."""
SAMPLES, SAMPLE_BYTES = 65, 1 << 14
"""Of a larger file, the plan reads so many pieces of so many bytes, from the first to the last one: a megabyte, so that the
layer of a checkpoint in which another one differs is noticed."""


@functools.cache
def identity(path: str, *, model: bool = False) -> str:
    """Return the fingerprint of a file or folder, 16 hexadecimal digits; a file that replaces it has another.

    A small file is what is read from it (`content_digest`), so that a copy of it is the same file, and a comment in a YAML
    file makes no other one. Of a larger one, such as weights, the size, the time of its last change (in nanoseconds) and
    pieces of its contents count: two checkpoints often have one size, and what an archive holds may have one time. A folder
    is the names of its files and what these are; that of a `model` is those that are loaded. Each path is looked at once.

    >>> import tempfile
    >>> words = Path(tempfile.mkdtemp(), "words.txt")
    >>> size = words.write_text("robin")
    >>> identity(str(words)), identity(f"{words}.gone")
    ('4ad0d38022c075be', 'absent')
    """
    folder_or_file = Path(path)
    if folder_or_file.is_dir():
        files = {os.path.relpath(file, path): _identity_of_file(file) for file in files_in(folder_or_file, model=model)}
        return _short(repr(sorted(files.items())).encode())
    return _identity_of_file(folder_or_file) if folder_or_file.is_file() else "absent"


ORIGIN_KEYS = ("huggingface", "revision", "allow_pickle", "pypi", "url", "path", "file", "sha256", "member")
"""The keys of a config entry that say where files come from."""


def origin_key(entry: Mapping[str, Any], *, model: bool = False, **more: object) -> str:
    """Return what an entry of the configuration fetches, as 12 hexadecimal digits: entries of the same files have the same.

    A file is its SHA-256, wherever it comes from; a user's own file or folder is its `identity`; anything else is the place
    that the entry names. `model`: a folder is that of a model, of which some files are loaded. `more`: what else decides
    which files are kept.

    >>> origin_key({"url": "https://a.org/nouns", "sha256": "ab"}) == origin_key({"pypi": "nouns==1.0", "sha256": "ab"})
    True
    """
    parts = {key: value for key, value in entry.items() if key == "member"}
    if "path" in entry:
        parts["path"] = identity(entry["path"], model=model)
    elif "sha256" in entry:
        parts["sha256"] = entry["sha256"]
    else:
        parts |= {key: value for key, value in entry.items() if key in ORIGIN_KEYS}
    return hashlib.sha256(repr(sorted((parts | more).items())).encode()).hexdigest()[:12]


def files_in(folder: Path, *, model: bool = False) -> list[Path]:
    """Return the files of a folder and of the folders in it, also of those that links lead to; a loop of links is cut.

    Of the folder of a `model`, only those that are loaded.
    """
    files = list(_walk(folder))
    if not model:
        return files
    names = {file.relative_to(folder).as_posix(): file for file in files}
    return [names[name] for name in sorted(loaded_names(names))]


def _walk(folder: Path) -> Iterator[Path]:
    open_folders: list[tuple[Path, frozenset[str]]] = [(folder, frozenset())]
    while open_folders:
        open_folder, parents = open_folders.pop()
        real = os.path.realpath(open_folder)
        if real not in parents:
            for entry in sorted(open_folder.iterdir()):
                if entry.is_dir():
                    open_folders.append((entry, parents | {real}))
                elif entry.is_file():
                    yield entry


def in_future(file: Path) -> bool:
    """Return whether a file was changed at a time to come, by the clock of this machine; a minute is no difference."""
    return file.is_file() and file.stat().st_mtime > time.time() + MINUTE_S


def move_to_now(folders: Iterable[Path]) -> int:
    """Move the times of the files in folders that lie in the future back to now, in their order; return how many these were.

    So they are after the clock of a machine was wrong and has been corrected. Snakemake deletes what is older than its
    input, so that it would delete all that is made of such files.
    """
    files = [Path(root, name) for folder in folders for root, _, names in os.walk(folder) for name in names]
    times = {file: file.stat() for file in files if not file.is_symlink() and in_future(file)}
    back = max((status.st_mtime_ns for status in times.values()), default=0) - time.time_ns()
    for file, status in times.items():
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns - back))
    return len(times)


def _identity_of_file(file: Path) -> str:
    status = file.stat()
    if status.st_size <= SMALL:
        return content_digest(file)
    starts = [number * (status.st_size - SAMPLE_BYTES) // (SAMPLES - 1) for number in range(SAMPLES)]
    with file.open("rb") as content:
        samples = [os.pread(content.fileno(), SAMPLE_BYTES, start) for start in starts]
    return _short(repr((status.st_size, status.st_mtime_ns, *samples)).encode())


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def write_manifest(folder: Path, **keys: Any) -> Path:
    """Write the manifest of a folder and return its path.

    The manifest holds the given `keys`, such as the `origin_key` of the files, and `files`: path in the folder ->
    SHA-256.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "wordnet"
    >>> folder.mkdir()
    >>> size = (folder / "data.noun").write_text("robin")
    >>> manifest = write_manifest(folder, url="https://example.org")
    >>> manifest.name, list(read_json(manifest)["files"])
    ('wordnet.json', ['data.noun'])
    >>> fetched_folder(manifest) == folder, only_file(manifest).name
    (True, 'data.noun')
    """
    manifest = folder.with_name(f"{folder.name}.json")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_json({**keys, "files": {str(path.relative_to(folder)): sha256(path) for path in files}}, manifest)
    return manifest


def is_fetched(folder: Path, name: str) -> bool:
    """Return whether a folder has a manifest of this name, also under an `origin_key`, as one that several studies share."""
    return any(
        manifest.is_file() for manifest in (folder / f"{name}.json", *folder.glob(f"*/{glob.escape(name)}.json"))
    )


def is_fetched_for(manifest: Path, key: str, entry: Mapping[str, Any] | None = None, *, model: bool = False) -> bool:
    """Return whether a manifest says that its files were fetched for the entry with this `origin_key`.

    One that says nothing of that was written by an earlier relprobe, and is believed. A damaged one is for no entry. The key
    of a user's own large file changes with its time, as in a copy of a study. So what an `entry` names by its `path` is read
    whole where the key is another one, and the manifest gets the new key if it lists the same files; but not an archive, or
    a GGUF file, of which other files were made. Links into such a folder are made anew if they lead elsewhere or nowhere.
    """
    try:
        content = read_manifest(manifest)
    except (SourceError, DataError):
        return False
    named = _own_files(entry, model=model) if entry is not None else {}
    is_same = content.get("key", key) == key
    if not is_same and not _has_content(named, content["files"]):
        return False
    if named.keys() == content["files"].keys():
        _link_to(named, manifest.with_suffix(""))
    if not is_same:
        time_ns = manifest.stat().st_mtime_ns
        write_json({**content, "key": key}, manifest)
        os.utime(manifest, ns=(time_ns, time_ns))
    return True


def _own_files(entry: Mapping[str, Any], *, model: bool) -> dict[str, Path]:
    """Return the files that an entry names by its `path`, by their names there; none of an entry without one."""
    path = Path(entry.get("path", ""))
    if "path" not in entry or "member" in entry or not (path.is_dir() or path.is_file()):
        return {}
    files = files_in(path, model=model) if path.is_dir() else [path]
    return {file.relative_to(path if path.is_dir() else path.parent).as_posix(): file for file in files}


def _has_content(files: Mapping[str, Path], digests: Mapping[str, str]) -> bool:
    """Return whether there are the files of a manifest, and no others; small ones are read first."""
    by_size = sorted(files, key=lambda name: files[name].stat().st_size)
    return (
        bool(files) and files.keys() == digests.keys() and all(sha256(files[name]) == digests[name] for name in by_size)
    )


def _link_to(files: Mapping[str, Path], folder: Path) -> None:
    """Point the links of a folder to the files of their names, by relative paths, which stay right if both are moved."""
    for name, file in files.items():
        link = folder / name
        if link.is_symlink() and (not link.exists() or not link.samefile(file)):
            new = link.with_name(f".{link.name}.{os.getpid()}")
            new.symlink_to(os.path.relpath(file.resolve(), link.parent.resolve()))
            new.replace(link)


def read_manifest(manifest: Path) -> dict[str, Any]:
    """Read a manifest. SourceError: it is damaged, or no manifest. DataError: it is missing."""
    try:
        content = read_json(manifest)
    except DataError as error:
        if not manifest.is_file():
            raise
        raise SourceError(f"{manifest} is damaged: delete it and run again to fetch its folder again.") from error
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise SourceError(f"{manifest} is no manifest of a folder: delete it and run again to fetch the folder again.")
    return dict(content)


def fetched_folder(manifest: Path, *, weights: bool = True) -> Path:
    """Return the folder that a manifest describes, after a comparison of its files with the SHA-256 that the manifest has.

    That takes about a second a gigabyte; files above SMALL that were compared a short time ago are not read (see above).
    `weights`: if not, the files of weights are not compared, as the caller does not
    read them. SourceError: the manifest is damaged, or a file that it lists is gone or another one. DataError: there is no
    manifest.
    """
    folder = manifest.with_suffix("")
    earlier = _comparisons(manifest)
    compared: dict[str, Comparison] = {}
    for name, digest in read_manifest(manifest)["files"].items():
        file = folder / name
        if not file.is_file():
            raise SourceError(f"{file} is gone: delete {manifest} and run again to fetch it again.")
        if not weights and file.suffix in WEIGHTS:
            continue
        state = _state_of(file)
        if earlier.get(name, (0.0, "", ()))[1:] == (digest, state):
            continue
        if sha256(file) != digest:
            raise SourceError(
                f"{file} is not the file that was fetched, as its SHA-256 is another: it was replaced or is damaged. Delete "
                f"{manifest} and run again to fetch it again."
            )
        if state[0] > SMALL and time.time() - state[2] / 1e9 > JUST_S:
            compared[name] = (time.time(), digest, state)
    if compared:
        _keep_comparisons(earlier | compared, manifest)
    return folder


State = tuple[int, ...]
"""What the file system says of a file: its size, the times of its last write and its last change in nanoseconds, its number,
and its device."""
Comparison = tuple[float, str, State]
"""When a file was compared, in seconds since 1970, its SHA-256, and its state before it was read."""


def _state_of(file: Path) -> State:
    """Return the state of a file that is open, for which a network's file system asks the server anew."""
    with file.open("rb") as content:
        state = os.fstat(content.fileno())
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino, state.st_dev


def _comparisons_file(manifest: Path) -> Path:
    return manifest.with_name(f".{manifest.stem}.compared")


def _machine() -> str:
    """Return what this machine is, since it was started."""
    return f"{platform.node()} {BOOT.read_text().strip() if BOOT.is_file() else ''}"


def _comparisons(manifest: Path) -> dict[str, Comparison]:
    """Return the comparisons of the last DAY on this machine: name of the file -> comparison. A damaged file has none."""
    now = time.time()
    try:
        content = json.loads(_comparisons_file(manifest).read_bytes())
        files = content["files"].items() if content["machine"] == _machine() else ()
        comparisons = {str(name): (float(when), str(digest), tuple(state)) for name, (when, digest, state) in files}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}
    return {name: comparison for name, comparison in comparisons.items() if 0 <= now - comparison[0] < DAY_S}


def _keep_comparisons(comparisons: Mapping[str, Comparison], manifest: Path) -> None:
    """Save comparisons for the next jobs, unless nothing can be written or another job writes them now."""
    with contextlib.suppress(OSError):
        write_json({"machine": _machine(), "files": comparisons}, _comparisons_file(manifest))


def manifest_format(read: Callable[[Path], Any]) -> Format:
    """Return the format of a manifest: what `read` makes of its folder. The errors are those of `fetched_folder`."""

    def read_folder(manifest: Path) -> Any:
        return read(fetched_folder(manifest))

    return Format(read_folder)


def fetched_file(read: Callable[[Path], Any]) -> Format:
    """Return the format of a manifest of one file: what `read` makes of the file. The errors are those of `only_file`."""

    def read_file(manifest: Path) -> Any:
        return read(only_file(manifest))

    return Format(read_file)


def fetched_anew(fill: Callable[[Path], Path], manifest: Path) -> None:
    """Write a folder and its manifest. `fill` does so: it takes the folder beside the manifest, and returns the manifest.

    A folder under an `origin_key` may be another study's, too. So each run waits until no other one writes it, and what is
    whole then stays as it is: others read it.
    """
    if not KEY.fullmatch(manifest.parent.name):
        fill(manifest.with_suffix(""))
        return
    manifest.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(manifest.with_name(f".{manifest.name}.lock")):
        if not _is_whole(manifest):
            fill(manifest.with_suffix(""))


def _is_whole(manifest: Path) -> bool:
    """Return whether a manifest is there and its folder has the files that it lists."""
    try:
        fetched_folder(manifest)
    except (SourceError, DataError):
        return False
    return True


def _without_weights(manifest: Path) -> Path:
    return fetched_folder(manifest, weights=False)


Folder = Annotated[Path, manifest_format(lambda folder: folder)]
"""An argument of a step: the folder of a manifest."""
FolderWithoutWeights = Annotated[Path, Format(_without_weights)]
"""The same for a step that reads no weights, such as one that needs the tokenizer of a model."""
NewFolder = Annotated[Callable[[Path], Path], Format(write=fetched_anew)]
"""The result of a step: a folder and its manifest, as `fetched_anew` takes them."""


def model_folder(path: Path, *, weights: bool = True) -> Path:
    """Return the folder of a model: `path` itself if it is a folder, or else the folder of the manifest `path`.

    The manifest of an adapter leads to the model that it was trained on. `weights` and the errors: see `fetched_folder`.
    SourceError: the model is another one by now than when the adapter was fetched.
    """
    if path.is_dir():
        return path
    base = _base(path)
    if base is None:
        return fetched_folder(path, weights=weights)
    if read_manifest(base)["files"] != read_manifest(path)["base"]["files"]:
        raise SourceError(
            f"{path} is that of an adapter, and {base.with_suffix('')} has become another model than the one that it was "
            f"fetched for: delete {path} and run again."
        )
    return fetched_folder(base, weights=weights)


def model_files(manifest: Path) -> dict[str, str]:
    """Return the files that a model is loaded from, with their SHA-256; with an adapter those of both.

    Those of the adapter's model are called base/NAME.
    """
    content = read_manifest(manifest)
    base = content.get("base", {}).get("files", {})
    return _loaded(content["files"]) | {f"base/{name}": digest for name, digest in _loaded(base).items()}


def _loaded(files: Mapping[str, str]) -> dict[str, str]:
    names = loaded_names(files)
    return {name: digest for name, digest in files.items() if name in names}


def adapter_folder(path: Path) -> Path | None:
    """Return the folder of an adapter from its manifest; None if `path` is a folder or the manifest of a whole model."""
    return None if path.is_dir() or _base(path) is None else fetched_folder(path)


def _base(manifest: Path) -> Path | None:
    """Return the manifest of the model that the adapter of a manifest was trained on; None if it is no adapter's."""
    base = read_manifest(manifest).get("base")
    return None if base is None else manifest.parent / base["manifest"]


def only_file(manifest: Path) -> Path:
    """Return the file of a fetched folder that holds exactly one. SourceError: it holds none or several, or is not whole."""
    folder = fetched_folder(manifest)
    files = [path for path in folder.rglob("*") if path.is_file()]
    if len(files) != 1:
        raise SourceError(
            f"{folder} holds {len(files)} files where one is expected: name one with `member` in the config."
        )
    return files[0]


def same_weights(manifests: Mapping[str, Path]) -> list[list[str]]:
    """Return the groups of models that have the same files of weights, such as revisions that are all the last checkpoint.

    `manifests`: model -> its manifest. A folder without weights, as that of a served model's tokenizer, is like no other.

    >>> import tempfile
    >>> files = {name: Path(tempfile.mkdtemp()) / "manifest.json" for name in ("step1", "step2", "main")}
    >>> for name, path in files.items():
    ...     write_json({"files": {"config.json": name, "model.safetensors": "ab" if name != "step1" else "cd"}}, path)
    >>> same_weights(files)
    [['step2', 'main']]
    """
    models: dict[tuple[str, ...], list[str]] = {}
    for name, path in manifests.items():
        weights = {sha for file, sha in read_manifest(path)["files"].items() if Path(file).suffix in WEIGHTS}
        if weights:
            models.setdefault(tuple(sorted(weights)), []).append(name)
    return [names for names in models.values() if len(names) > 1]


def link_or_copy(file: Path, target: Path) -> None:
    """Make `target` the same file, without taking disk for it; or a copy, where the file system cannot do that.

    A file of another user, such as one of a cache that a group shares, is no link: what its owner writes into the file later
    would be in `target`, too. It shares the blocks of the file where the file system can do that.
    """
    try:
        if _others_write(file):
            _clone(file, target)
        else:
            target.hardlink_to(file)
    except OSError:  # another file system, or one without links
        shutil.copyfile(file, target)


def _others_write(file: Path) -> bool:
    """Return whether the file has another owner, who may write it."""
    state = file.stat()
    return state.st_uid != os.getuid() and bool(state.st_mode & stat.S_IWUSR)


def _clone(file: Path, target: Path) -> None:
    with file.open("rb") as content, target.open("wb") as clone:
        fcntl.ioctl(clone.fileno(), FICLONE, content.fileno())
