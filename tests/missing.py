"""What this machine lacks for some tests, and how to have it: said before the first test, in a line."""

import shutil
from collections.abc import Callable
from typing import NamedTuple

from tests.paths import DATA
from tests.workflow import browser


class Need(NamedTuple):
    """What some tests need: what they test, whether it is there, and how to have it."""

    tested: str
    is_there: Callable[[], bool]
    remedy: str


def _programs(*names: str) -> Callable[[], bool]:
    return lambda: all(shutil.which(name) for name in names)


def _gpu() -> bool:
    return shutil.which("nvidia-smi") is not None


NEEDS = (
    Need("pages in a browser", lambda: browser.installed() is not None, "apt-get install chromium"),
    Need("the published data", DATA.is_dir, "RELPROBE_DATA names their folder"),
    Need("a SLURM cluster", _programs("sbatch"), "apt-get install munge slurmctld slurmd slurm-client"),
    Need("writes that fail", _programs("cc"), "apt-get install gcc libc6-dev"),
    Need("environments of conda", _programs("conda"), "an installation of conda"),
    Need("manuscripts in LaTeX", _programs("pdflatex", "bibtex"), "apt-get install texlive-latex-recommended"),
    Need("what a GPU computes", _gpu, "a machine that has one"),
)


def sentence(needs: tuple[Need, ...] = NEEDS) -> str:
    """Return a line on what is not tested here; "" where all is.

    >>> sentence((Need("pages", lambda: False, "get a browser"), Need("data", lambda: True, "get them")))
    'not tested here: pages (get a browser)'
    """
    lacking = [f"{need.tested} ({need.remedy})" for need in needs if not need.is_there()]
    return f"not tested here: {', '.join(lacking)}" if lacking else ""
