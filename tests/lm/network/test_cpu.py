"""A process keeps the memory that it has freed: it does not ask the kernel for it again."""

import subprocess
import sys

import pytest

LOOP = """
import resource, sys
import numpy as np
from relprobe.lm.network.cpu import keep_freed_memory
keep_freed_memory()
np.ones(8_000_000)  # 64 MB, freed at once
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    np.ones(8_000_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mallopt is glibc's")
def test_a_process_uses_freed_memory_again(pytestconfig):
    scripts = pytestconfig.rootpath / "workflow" / "scripts"
    process = subprocess.run([sys.executable, "-c", LOOP], cwd=scripts, capture_output=True, text=True, check=True)
    assert int(process.stdout) < 1000  # ten times 64 MB are 156,250 pages
