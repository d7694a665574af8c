"""Run all benchmarks one after the other: `python -m benchmarks`, as `make bench` does, or those that are named.

A benchmark that fails ends in a line and not the others; the exit status is then 1. `--quick` gives each the smallest sizes
that use all of its code. So one sees in minutes that all of them work; what they measure then means nothing.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SIMULATED = "results/relations --studies 200"


class Sizes(NamedTuple):
    """The arguments of a benchmark, and those that a quick run adds: of an option that is there twice, the last counts."""

    always: str = ""
    quick: str = ""


BENCHMARKS = {
    "gpu": Sizes(quick="--device cpu --small --no-tests --probes 50"),
    "engine": Sizes(quick="--probes 16 --rounds 1 --parts causal masked"),
    "shots": Sizes(quick="--probes 100 --rounds 1"),
    "layers": Sizes(quick="--probes 40 --compared 5 --rounds 1"),
    "words": Sizes(quick="--probes 4 --sizes 500 --ks 10 --brute 50 --memory 10"),
    "host": Sizes(quick="--probes 100 --rounds 1"),
    "reuse": Sizes(quick="100 1"),
    "vectors": Sizes(quick="5000 3000"),
    "bfloat16": Sizes(quick="--probes 40"),
    "maps": Sizes(quick="4 40"),
    "inference": Sizes(quick="--studies 2 --clusters 30"),
    "linked": Sizes(quick="--studies 2 --only groups"),
    "chance": Sizes(quick="--studies 4"),
    "blind": Sizes(quick="--studies 1"),
    "spread": Sizes(quick="--studies 2"),
    "series": Sizes(quick="--studies 8 --targets 12 --members 3"),
    "relation_use": Sizes(SIMULATED, "--studies 2"),
    "audc": Sizes(SIMULATED, "--studies 2"),
    "stages": Sizes(quick="--agents 2 --probes 400"),
    "definitions": Sizes(quick="--memory 100"),
    "sizes": Sizes(quick="--probes 5"),
    "scale": Sizes(quick="--models 0 2"),
}
"""What `make bench` runs. Others need what this machine may lack: chat an endpoint, categories a study with two agents."""


def main() -> int:
    """Run the benchmarks that are named, or all; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="the smallest sizes: do all of them work?")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(BENCHMARKS)):
        parser.error(f"no benchmark is called {', '.join(unknown)}: choose of {', '.join(BENCHMARKS)}")
    failures = [name for name in options.names or BENCHMARKS if run(name, quick=options.quick)]
    if failures:
        print(f"these benchmarks failed: {', '.join(failures)}", file=sys.stderr)
    return int(bool(failures))


def run(name: str, *, quick: bool) -> int:
    """Run a benchmark in a process of its own, say how long it took, and return its exit status."""
    sizes = BENCHMARKS[name]
    words = [*sizes.always.split(), *(sizes.quick.split() if quick else ())]
    command = [sys.executable, "-m", f"benchmarks.{name}", *words]
    print(f"\n== {' '.join([name, *words])}", flush=True)
    start = time.perf_counter()
    status = subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603
    print(f"== {name}: {time.perf_counter() - start:.0f} s, exit status {status}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
