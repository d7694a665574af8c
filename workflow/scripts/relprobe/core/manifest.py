"""Manifests: a folder's files with their SHA-256, in `FOLDER.json` beside it, written last.

Whoever needs what lies in the folder depends on the manifest, so that fetching the same content again changes nothing.
"""

from pathlib import Path
from typing import Any

from relprobe.core.errors import SourceError
from relprobe.core.files import read_json, sha256, write_json


def write_manifest(folder: Path, **about: Any) -> Path:
    """List the files of `folder` with their SHA-256 in `folder`.json, beside whatever else is said of them."""
    manifest = folder.with_name(f"{folder.name}.json")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_json({**about, "files": {str(p.relative_to(folder)): sha256(p) for p in files}}, manifest)
    return manifest


def fetched_folder(manifest: Path) -> Path:
    """Return the folder that a manifest describes; SourceError if it describes none, or a file of it is gone."""
    folder = manifest.with_suffix("")
    about = read_json(manifest)
    if not isinstance(about, dict) or not isinstance(about.get("files"), dict):
        raise SourceError(f"{manifest} is no manifest of a folder: delete it and run again to fetch it anew.")
    for name in about["files"]:
        if not (folder / name).is_file():
            raise SourceError(f"{folder / name} is gone: delete {manifest} and run again to fetch it anew.")
    return folder


def only_file(manifest: Path) -> Path:
    """Return the one file of a resource that is a single file."""
    folder = fetched_folder(manifest)
    files = [path for path in folder.rglob("*") if path.is_file()]
    if len(files) != 1:
        raise SourceError(
            f"{folder} holds {len(files)} files where one is expected: name one with `member` in the config."
        )
    return files[0]
