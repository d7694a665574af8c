"""Time the planning of a large run: a dry run of all studies with different numbers of models.

Nothing is fetched or computed: the models do not exist, and the resources are an empty folder.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
PARTS = ("Snakefile", "workflow", "resources", "envs")


def main(args: argparse.Namespace) -> None:
    """Print one line per number of models."""
    config = merged(args.configs)
    for count in args.models:
        with tempfile.TemporaryDirectory() as folder:
            checkout = copy(Path(folder))
            (checkout / "config.yaml").write_text(yaml.safe_dump(enlarged(config, count)), encoding="utf-8")
            seconds, jobs = dry_run(checkout)
        print(f"{count:4} models: {jobs:6,} jobs planned in {seconds:5.1f} s")


def merged(files: list[Path]) -> dict[str, Any]:
    """Return the sections of all files in one config, with their resources in an empty folder."""
    configs = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files]
    config = {key: value for part in configs for key, value in part.items() if key != "pathvars"}
    config["resources"] = {name: {"path": "nothing"} for part in configs for name in part.get("resources", {})}
    return config


def copy(folder: Path) -> Path:
    """Copy the files that a dry run reads."""
    (folder / "nothing").mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("fetched"))
        else:
            shutil.copy(source, folder / part)
    return folder


def enlarged(config: dict[str, Any], count: int) -> dict[str, Any]:
    """Return the config with `count` models more than those of its panel."""
    models = {
        f"model-{i}": {"type": ("masked", "causal")[i % 2], "huggingface": f"org/model-{i}", "revision": "main"}
        for i in range(count)
    }
    return {**config, "models": {**config["models"], **models}}


def dry_run(checkout: Path) -> tuple[float, int]:
    """Return the seconds of a dry run and the number of its jobs."""
    start = time.perf_counter()
    process = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--dry-run", "--quiet", "rules"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    jobs = re.findall(r"^total\s+(\d+)", process.stdout + process.stderr, re.MULTILINE)[0]
    return seconds, int(jobs)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--models", type=int, nargs="+", default=[0, 50, 200])
    studies = [ROOT / "resources/studies/degrees.yaml", ROOT / "config.yaml"]
    arguments.add_argument("--configs", type=Path, nargs="+", default=studies, help="the last one's models")
    main(arguments.parse_args())
