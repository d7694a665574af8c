"""Loading and reading words work for a user of a cluster: a hard limit of memory, umask 077, no home to write into."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.paths import ROOT

LIMIT = 16 * 10**9
"""The hard limit of a process's address space, in bytes: below a gigabyte more than that of torch with eight threads."""
COMMAND = ["setpriv", "--bounding-set=-sys_resource", "--inh-caps=-sys_resource", "prlimit", f"--as={LIMIT}"]
"""Even an administrator cannot raise a hard limit without this capability."""

pytestmark = pytest.mark.skipif(
    shutil.which("setpriv") is None or shutil.which("prlimit") is None, reason="setpriv and prlimit are not installed"
)


def limited(*words):
    """Run Python with these words under the limit, with a home that nobody can write into."""
    home = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "PYTEST_", "RELPROBE_"))}
    environment = home | {"HOME": "/proc", "PYTHONPATH": str(ROOT / "workflow/scripts"), "OMP_NUM_THREADS": "1"}
    shell = ["sh", "-c", 'umask 077; exec "$@"', "sh", sys.executable, *words]
    return subprocess.run(
        [*COMMAND, *shell], cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=900
    )


def test_code_of_others_runs_in_a_child_below_a_hard_limit():
    done = limited("-c", "from relprobe.lm.child import in_child; print(in_child(max, [2, 3]))")
    assert done.stdout == "3\n", done.stderr


@pytest.mark.slow("it runs the tests of words and of loading once more")
def test_words_and_loading_need_no_more_than_a_cluster_gives(tmp_path):
    folders = ["tests/lm/words", "tests/lm/loading"]
    done = limited(
        *("-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'tests'}"),
        *folders,
    )
    assert done.returncode == 0, done.stdout[-2000:]
