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


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """Let two workers share the tests by file, so that a file's fixtures are made once; the workflow's share one toy.

    These take longest, so they come first: the other worker meanwhile takes everything else.
    """
    items.sort(key=lambda item: not item.nodeid.startswith("tests/workflow/"))
    for item in items:
        path = item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group("workflow" if path.startswith("tests/workflow/") else path))
