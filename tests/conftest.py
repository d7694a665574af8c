import subprocess

import pytest


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
