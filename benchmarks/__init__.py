"""Measurements of relprobe's speed, and simulations of its statistics: `python -m benchmarks.NAME` in the project's folder.

The package puts relprobe on the path, so that a clone needs no installation. `make bench` runs them one after the
other (__main__.py), in an environment that has the libraries they compare with (envs/requirements-bench.txt).
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))
