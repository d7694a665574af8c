"""The software that computed a result: the commit of relprobe, and the versions of Python and the libraries."""

import importlib.metadata
import platform
import shutil
import subprocess
from pathlib import Path

from relprobe.version import __version__

LIBRARIES = (
    *("torch", "transformers", "tokenizers", "nltk", "inflect", "wordfreq"),
    *("numpy", "polars", "scipy", "statsmodels", "matplotlib"),
)


def made_with() -> str:
    """Return a sentence that names the commit or version of relprobe, the Python and the libraries of this process."""
    current = commit(Path(__file__).parent) if is_tracked(Path(__file__)) else None
    project = f"relprobe {__version__}" if current is None else f"relprobe at commit {current}"
    return f"Made by {project}, with Python {platform.python_version()}, {', '.join(_versions())}."


def is_tracked(file: Path) -> bool:
    """Return whether the Git checkout around a file holds it: an environment often lies in that of something else."""
    git = shutil.which("git")
    if git is None:
        return False
    command = [git, "-C", str(file.parent), "ls-files", "--error-unmatch", file.name]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603


def commit(folder: Path) -> str | None:
    """Return the commit of the Git checkout around a folder: 12 hexadecimal digits; None outside a checkout or without git.

    "with local changes" follows the digits if tracked files differ from the commit. Ignored and untracked files, such as
    results, make no difference.
    """
    git = shutil.which("git")
    if git is None:
        return None
    options = ["--always", "--abbrev=12", "--exclude=*", "--dirty= with local changes"]
    command = [git, "-C", str(folder), "describe", *options]
    result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return result.stdout.strip() if result.returncode == 0 else None


def _versions() -> list[str]:
    return [f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES]
