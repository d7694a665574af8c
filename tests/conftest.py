import os
import subprocess
import sys

import pytest

from tests.package.wheel.wheels import build, install
from tests.paths import ROOT

# Each step of a study is a process of its own, which would compile the modules of relprobe anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """The folder of a wheel and an sdist, which are built from the files that git tracks or would track."""
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="session")
def installed(archives, tmp_path_factory):
    """The folder that an installed wheel lies in. Its dependencies are those of the environment of the tests."""
    (wheel,) = archives.glob("*.whl")
    return install(wheel, tmp_path_factory.mktemp("site"))


@pytest.fixture(autouse=True)
def closed_figures():
    """Figures that a test has opened are closed after it; matplotlib is not imported for this."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def small_disk(tmp_path):
    """A folder that holds 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)
