"""The origins of the models and data of a run: sources, revisions, files and SHA-256."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import read_manifest, same_weights
from relprobe.core.secrets import public
from relprobe.core.words import first_few

ORIGINS = pl.Schema(
    {
        "name": pl.String(),
        "used_as": pl.String(),  # masked model, causal model, tokenizer of a served model, adapter or resource
        "source": pl.String(),
        "revision": pl.String(),
        "file": pl.String(),
        "sha256": pl.String(),
    }
)
MEANINGS = {
    "name": "the name of a model, of an adapter's agent or of a resource in the configuration",
    "used_as": "what the run uses it as",
    "source": "where it was fetched from: a package, a repository, an address, or a path on this machine",
    "revision": "the commit of its repository, if it has one",
    "file": "a file of it, or the folder that is read",
    "sha256": "the SHA-256 of the file: equal hashes are equal files",
}
"""What the columns of the table mean."""


def origins(
    models: Mapping[str, Any],
    resources: Mapping[str, Any],
    manifests: Sequence[Path],
    adapters: Mapping[str, Any] | None = None,
    adapter_manifests: Sequence[Path] = (),
) -> pl.DataFrame:
    """Return the origins (ORIGINS): a row per file of each model and adapter, as its manifest lists it, and per resource.

    `models`, `resources`: name -> entry of the configuration; `adapters`: agent -> its `peft`. `manifests`,
    `adapter_manifests`: the file NAME.json of each model and adapter (core/manifest.py). DataError: a manifest is missing
    or not valid JSON.
    """
    rows = _file_rows({name: _entry(name, entry, _use(entry)) for name, entry in models.items()}, manifests)
    rows += _file_rows({name: _entry(name, it, "adapter") for name, it in (adapters or {}).items()}, adapter_manifests)
    rows += [
        {
            **_entry(name, entry, "resource"),
            "file": entry.get("member", entry.get("file")),
            "sha256": entry.get("sha256"),
        }
        for name, entry in resources.items()
    ]
    return pl.DataFrame(rows, schema=ORIGINS)


def duplicate_models(manifests: Sequence[Path]) -> list[str]:
    """Return a sentence on each group of models that have the same weights, and so are one model. `manifests`: of models."""
    groups = same_weights({path.stem: path for path in manifests})
    return [
        f"The models {first_few(names)} have the same weights (SHA-256): they are one model, and their differences come "
        "from how it is asked or computed."
        for names in groups
    ]


def _file_rows(entries: Mapping[str, dict[str, Any]], manifests: Sequence[Path]) -> list[dict[str, Any]]:
    """Return a row for each file of each name in `entries`, which holds the other columns."""
    files = {path.stem: read_manifest(path)["files"] for path in manifests}
    return [
        {**columns, "file": file, "sha256": sha256}
        for name, columns in entries.items()
        for file, sha256 in files[name].items()
    ]


def _use(entry: Mapping[str, Any]) -> str:
    return "tokenizer of a served model" if "endpoint" in entry else f"{entry['type']} model"


def _entry(name: str, entry: Mapping[str, Any], used_as: str) -> dict[str, Any]:
    prefixes = {"huggingface": "Hugging Face: ", "pypi": "PyPI: ", "url": "", "path": ""}
    source = next(f"{prefix}{public(entry[key])}" for key, prefix in prefixes.items() if key in entry)
    return {"name": name, "used_as": used_as, "source": source, "revision": entry.get("revision")}
