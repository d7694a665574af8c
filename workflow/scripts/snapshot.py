"""Bring a model into a folder that loads offline, beside its manifest."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.lm.snapshot import snapshot


def main(args: argparse.Namespace) -> None:
    """Snapshot the model as its config entry says."""
    snapshot(args.name, args.entry, args.manifest.with_suffix(""))


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--name", required=True, help="the model's place in the config, such as models.bert")
    arguments.add_argument("--entry", required=True, type=json.loads, help="the source keys of its entry, as JSON")
    arguments.add_argument("--manifest", required=True, type=Path, help="the manifest to write")
    run(main, arguments)
