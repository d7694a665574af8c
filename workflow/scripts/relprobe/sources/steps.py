"""External files: pinned downloads, and WordNet in the form that nltk reads."""

from pathlib import Path
from typing import Any


def fetch(manifest: Path, *, name: str, entry: dict[str, Any]) -> None:
    """Fetch one pinned resource into a folder beside its manifest. `entry` is its entry in the config."""
    from relprobe.sources.fetch import Source, fetch

    fetch(Source.of(f"resources.{name}", entry), manifest.with_suffix(""))


def wn_lmf(fetched: Path, manifest: Path) -> None:
    """Read lexical resources in the format WN-LMF into a database, and list its files in a manifest."""
    from relprobe.core.manifest import fetched_folder, write_manifest
    from relprobe.sources.lexical.wn_lmf import prepare

    folder = manifest.with_suffix("")
    prepare(fetched_folder(fetched), folder)
    write_manifest(folder)


def wordnet(fetched: Path, manifest: Path) -> None:
    """Copy WordNet's database files into the folders that nltk reads, and list the files in a manifest."""
    from relprobe.core.manifest import fetched_folder, write_manifest
    from relprobe.sources.lexical.wordnet import prepare

    folder = manifest.with_suffix("")
    prepare(fetched_folder(fetched), folder)
    write_manifest(folder)
