"""What made a result: the commit of this project and the versions of the libraries it stands on."""

import importlib.metadata
import platform
import shutil
import subprocess
from pathlib import Path

LIBRARIES = (
    *("torch", "transformers", "tokenizers", "nltk", "inflect", "wordfreq"),
    *("numpy", "polars", "scipy", "statsmodels", "matplotlib"),
)


def made_with() -> str:
    """Say with which commit, Python and libraries this process computes."""
    known = commit(Path(__file__).parent)
    ours = "relprobe" if known is None else f"relprobe at commit {known}"
    return f"Made by {ours}, with Python {platform.python_version()}, {', '.join(_versions())}."


def commit(folder: Path) -> str | None:
    """Return the commit that the Git checkout around `folder` is at, with a word if files differ from it; None outside.

    Files that the project ignores or does not know (results, own data) make no difference.
    """
    git = shutil.which("git")
    if git is None:
        return None
    asked = [
        git,
        "-C",
        str(folder),
        "describe",
        "--always",
        "--abbrev=12",
        "--exclude=*",
        "--dirty= with local changes",
    ]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    return said.stdout.strip() if said.returncode == 0 else None


def _versions() -> list[str]:
    return [f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES]
