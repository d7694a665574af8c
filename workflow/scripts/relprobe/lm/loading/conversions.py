"""Converted models, kept for all studies of a user: a GGUF file becomes safetensors once.

A conversion lies in the user's cache under a key of the file's content and of what converts it. It is whole or not there, as
it is made in a folder beside its place; of two processes that convert one file at once, the first one's is kept. Its files
are compared with their SHA-256 whenever they are taken. Everything may be deleted at any time: it is then converted again.
"""

import hashlib
import importlib.metadata
import inspect
import logging
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_json, sha256, write_json
from relprobe.core.manifest import link_or_copy
from relprobe.sources.cache import cache_folder

logger = logging.getLogger("relprobe")
PACKAGES = ("gguf", "safetensors", "tokenizers", "transformers")
"""The packages whose versions a conversion depends on."""
DIGESTS = "sha256.json"
"""The file of a kept conversion that holds the SHA-256 of each of its files."""


def take_conversion(source: Path, folder: Path, convert: Callable[[Path, Path], None]) -> None:
    """Fill a folder with what `convert(source, folder)` makes of a file, or what it made of it for another study."""
    cached = cache_folder() / "conversions" / conversion_key(source, convert)
    if _take(cached, folder):
        logger.info("taking the conversion of %s from %s", source.name, cached)
        return
    before = set(folder.iterdir())
    convert(source, folder)
    _keep(sorted(path for path in set(folder.iterdir()) - before if path.is_file()), cached)


def conversion_key(source: Path, convert: Callable[[Path, Path], None]) -> str:
    """Return the key of a conversion: the digest of its file's content, of the code of `convert`, and of its PACKAGES."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    return hashlib.sha256("\0".join([sha256(source), inspect.getsource(convert), *versions]).encode()).hexdigest()


def _take(cached: Path, folder: Path) -> bool:
    """Link or copy the files of a cached conversion into a folder; return whether there was a complete one."""
    if not cached.is_dir():
        return False
    try:
        digests = read_json(cached / DIGESTS)
        damaged = [name for name, digest in digests.items() if sha256(cached / name) != digest]
    except (OSError, DataError, AttributeError, TypeError):  # a file of it is gone, or no list of digests
        damaged = [DIGESTS]
    if damaged:
        logger.warning("%s is damaged (%s): the file is converted anew", cached, damaged[0])
        shutil.rmtree(cached, ignore_errors=True)
        return False
    for name in digests:
        link_or_copy(cached / name, folder / name)
    return True


def _keep(files: list[Path], cached: Path) -> None:
    """Keep the files of a conversion. Where they cannot be kept, as on a full disk, a warning says why."""
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cached.parent, prefix=".") as temporary:
            partial = Path(temporary, cached.name)
            partial.mkdir()
            for file in files:
                link_or_copy(file, partial / file.name)
            write_json({file.name: sha256(file) for file in files}, partial / DIGESTS)
            if not cached.exists():
                partial.replace(cached)
    except OSError as error:
        if not cached.is_dir():  # or else another process has kept it meanwhile
            logger.warning(
                "a conversion is not kept for other studies (%s): set RELPROBE_CACHE to another folder", error
            )
