"""What was downloaded once, for all studies of a user: each file is kept under its SHA-256, and compared with it on use.

Only a whole file that has been compared with its SHA-256 comes here, under its name at once, so that a study which begins at
this moment finds it whole or not at all. Everything here may be deleted at any time: it is then fetched again.
"""

import logging
import os
import tempfile
from pathlib import Path

from relprobe.core.files import sha256
from relprobe.core.manifest import link_or_copy

logger = logging.getLogger("relprobe")


def cache_folder() -> Path:
    """Return relprobe's folder in the user's cache: `$RELPROBE_CACHE`, or relprobe in `$XDG_CACHE_HOME` or ~/.cache."""
    folder = os.environ.get("RELPROBE_CACHE")
    return (
        Path(folder) if folder else Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "relprobe"
    )


def cached_path(digest: str) -> Path:
    """Return the place of the file with this SHA-256 (64 hexadecimal digits), whether it is there or not."""
    return cache_folder() / "downloads" / digest


def take(digest: str, target: Path) -> bool:
    """Link or copy the cached file with this SHA-256 to `target`; return whether there was one that is not damaged."""
    file = cached_path(digest)
    if not file.is_file():
        return False
    if sha256(file) != digest:
        logger.warning("%s is damaged: it is fetched anew", file)
        return False
    logger.info("taking %s from %s", target.name, file.parent)
    link_or_copy(file, target)
    return True


def keep(file: Path, digest: str) -> None:
    """Keep a file whose SHA-256 is `digest`. Where it cannot be kept, as on a full disk, a warning says why."""
    path = cached_path(digest)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".") as folder:
            partial = Path(folder, digest)
            link_or_copy(file, partial)
            partial.replace(path)
    except OSError as error:
        logger.warning("%s is not kept for other studies (%s): set RELPROBE_CACHE to another folder", file.name, error)
