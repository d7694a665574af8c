"""Wheels of this project, and small studies that an installed wheel runs."""

import os
import subprocess
import sys
from pathlib import Path

import yaml


def build(source: Path, folder: Path) -> Path:
    """Build an sdist and a wheel of a checkout into a folder; return the wheel."""
    code = "from hatchling.build import build_sdist, build_wheel; import sys; "
    code += "build_sdist(sys.argv[1]); build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, folder], cwd=source, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a folder. Its dependencies are those of the environment of the tests."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, wheel]
    subprocess.run(command, check=True)
    return folder


def variables(site: Path) -> dict[str, str]:
    """The variables with which Python finds the package that is installed in the folder `site`."""
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "1"}


def relprobe(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Run a command of the package that is installed in the folder `site`."""
    command = [sys.executable, "-m", "relprobe", *words]
    return subprocess.run(command, cwd=folder, env=variables(site), capture_output=True, text=True, check=False)


def small_study(folder: Path) -> Path:
    """Write a small study of degrees, whose data and model lie in its folder."""
    from tests.workflow import toy_data  # not above: torch takes seconds, and all tests read tests/conftest.py
    from tests.workflow.toy_models import causal_model

    folder.mkdir(parents=True, exist_ok=True)
    toy_data.write(folder / "data")
    causal_model(folder / "data/causal", seed=2, more=toy_data.ITEM_WORDS)
    config = {
        "models": {"tiny-causal": {"type": "causal", "path": "data/causal"}},
        "resources": {"semeval2012": {"path": "data/semeval"}},
        "degrees": {"raters": ["schema"], "baselines": ["random"]},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    return folder
