"""Fetch one pinned resource into a folder beside its manifest."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.sources.fetch import Source, fetch


def main(args: argparse.Namespace) -> None:
    """Fetch as the config entry says."""
    fetch(Source.of(f"resources.{args.name}", args.entry), args.manifest.with_suffix(""))


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--name", required=True, help="the resource's key in the config")
    arguments.add_argument("--entry", required=True, type=json.loads, help="its config entry, as JSON")
    arguments.add_argument("--manifest", required=True, type=Path, help="the manifest to write")
    run(main, arguments)
