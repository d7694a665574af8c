"""Where the workflow lies, in the checkout or in the package, whose wheel has it as _workflow, and where a study does."""

from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]


def root() -> Path:
    """Return the folder that holds config.yaml, workflow, resources and envs.

    >>> sorted(name for name in ("config.yaml", "workflow", "resources", "envs") if not (root() / name).exists())
    []
    """
    shipped = PACKAGE / "_workflow"
    return shipped if shipped.is_dir() else PACKAGE.parents[2]


def snakefile() -> Path:
    """Return the file that starts the workflow; another workflow names it to use this one as a module."""
    return root() / "workflow/Snakefile"


def studies() -> dict[str, Path]:
    """Return the configurations that a study can begin with, by name."""
    # The checkout has it where the workflow catalog looks for it, the wheel among the others.
    toy = root() / ".test/config/config.yaml"
    shipped = {file.stem: file for file in sorted((root() / "resources/studies").glob("*.yaml"))}
    return {"default": root() / "config.yaml"} | ({"toy": toy} if toy.is_file() else {}) | shipped


def profiles() -> dict[str, Path]:
    """Return the shipped profiles of Snakemake, by name."""
    return {folder.name: folder for folder in sorted((root() / "workflow/profiles").iterdir()) if folder.is_dir()}


def own_config(folder: Path = Path()) -> Path | None:
    """Return the configuration of a folder, which is the working directory if none is named; None if it has none."""
    return next(filter(Path.is_file, [folder / "config.yaml", folder / "config/config.yaml"]), None)


def folder_in(config: Any, name: str) -> str:
    """Return the folder of this name by a configuration as it is written, which may have faults: its plan says them.

    >>> folder_in({"pathvars": {"results": "kept"}}, "results"), folder_in({"pathvars": None}, "resources")
    ('kept', 'resources')
    """
    paths = config.get("pathvars") if isinstance(config, dict) else None
    folder = paths.get(name) if isinstance(paths, dict) else None
    return folder if isinstance(folder, str) else name
