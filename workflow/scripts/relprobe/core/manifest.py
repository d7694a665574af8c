"""Manifests: `FOLDER.json` lists the files of a fetched folder with their SHA-256. It lies beside the folder.

The manifest is written last, so a folder with a manifest is whole. Rules that read the folder have the manifest as their
input: fetching the same files again gives the same manifest and reruns nothing.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import SourceError
from relprobe.core.files import Format, read_json, sha256, write_json

WEIGHTS = (".safetensors", ".bin")
"""The suffixes of a model's files of weights."""


def write_manifest(folder: Path, **about: Any) -> Path:
    """Write the manifest of a folder and return its path.

    The manifest holds the keys of `about`, such as the source of the files, and `files`: path in the folder -> SHA-256.

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
    write_json({**about, "files": {str(path.relative_to(folder)): sha256(path) for path in files}}, manifest)
    return manifest


def fetched_folder(manifest: Path) -> Path:
    """Return the folder that a manifest describes.

    SourceError: the file is no manifest, or a file that it lists is gone. DataError: it is missing or not valid JSON.
    """
    folder = manifest.with_suffix("")
    about = read_json(manifest)
    if not isinstance(about, dict) or not isinstance(about.get("files"), dict):
        raise SourceError(f"{manifest} is no manifest of a folder: delete it and run again to fetch the folder again.")
    for name in about["files"]:
        if not (folder / name).is_file():
            raise SourceError(f"{folder / name} is gone: delete {manifest} and run again to fetch it again.")
    return folder


def manifest_format(read: Callable[[Path], Any]) -> Format:
    """Return the format of a manifest: what `read` makes of its folder. The errors are those of `fetched_folder`."""

    def read_manifest(manifest: Path) -> Any:
        return read(fetched_folder(manifest))

    return Format(read_manifest)


def fetched_file(read: Callable[[Path], Any]) -> Format:
    """Return the format of a manifest of one file: what `read` makes of the file. The errors are those of `only_file`."""

    def read_manifest(manifest: Path) -> Any:
        return read(only_file(manifest))

    return Format(read_manifest)


def fetched_anew(fill: Callable[[Path], Path], manifest: Path) -> None:
    """Write a folder and its manifest. `fill` does so: it takes the folder beside the manifest, and returns the manifest."""
    fill(manifest.with_suffix(""))


Folder = Annotated[Path, Format(fetched_folder)]
"""An argument of a step: the folder of a manifest."""
NewFolder = Annotated[Callable[[Path], Path], Format(write=fetched_anew)]
"""The result of a step: a folder and its manifest, as `fetched_anew` takes them."""


def model_folder(path: Path) -> Path:
    """Return the folder of a model: `path` itself if it is a folder, or else the folder of the manifest `path`.

    The manifest of an adapter leads to the model that it was trained on. The errors are those of `fetched_folder`.
    """
    if path.is_dir():
        return path
    base = _base(path)
    return fetched_folder(path if base is None else base)


def adapter_folder(path: Path) -> Path | None:
    """Return the folder of an adapter from its manifest; None if `path` is a folder or the manifest of a whole model."""
    return None if path.is_dir() or _base(path) is None else fetched_folder(path)


def _base(manifest: Path) -> Path | None:
    """Return the manifest of the model that the adapter of a manifest was trained on; None if it is no adapter's."""
    about = read_json(manifest)
    base = about.get("base") if isinstance(about, dict) else None
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
        weights = {sha for file, sha in read_json(path)["files"].items() if Path(file).suffix in WEIGHTS}
        if weights:
            models.setdefault(tuple(sorted(weights)), []).append(name)
    return [names for names in models.values() if len(names) > 1]
