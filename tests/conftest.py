import gc
import logging
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from relprobe.core import secrets
from tqdm import tqdm

from tests.changes import reason_to_leave_out
from tests.costs import COSTS, Costs
from tests.leftovers import Leftovers
from tests.missing import sentence
from tests.once import Once
from tests.package.wheel.wheels import build, install
from tests.patched import Patch
from tests.paths import ROOT

# A shell ignores Ctrl-C in what it starts in the background, and so do all processes below: tests of it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Each step of a study is a process of its own, which would compile the modules of relprobe anew. So would each worker its
# tests, whose assertions pytest rewrites: a third of the seconds that the collection takes.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# How long an example takes is up to what else the machine does. The examples are the same on every run, unless more of them
# are asked for: who has changed nothing sees no new failure.
SAME = "CI" in os.environ or "RELPROBE_EXAMPLES" not in os.environ
settings.register_profile(
    "relprobe", deadline=None, derandomize=SAME, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("relprobe")
LAST = ROOT / "tests/workflow"
"""Tests of whole studies run after all others: what a module does wrong is said by its own test first."""


def pytest_configure(config: pytest.Config) -> None:
    tqdm.monitor_interval = 0  # its thread would outlive the test that first shows a bar
    if COSTS in os.environ:
        config.pluginmanager.register(Costs(), "costs")
    config.pluginmanager.register(Leftovers(), "leftovers")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Refuse a slow test that does not say why it is slow."""
    report = yield
    items = [item for item in report.result or [] if isinstance(item, pytest.Item)]
    unexplained = {item.name.partition("[")[0] for item in items if not all(map(has_reason, item.iter_markers("slow")))}
    if unexplained:
        report.outcome, report.result = "failed", []
        report.longrepr = f'say in @pytest.mark.slow("it …") why these tests are slow: {", ".join(sorted(unexplained))}'
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and (reason := reason_to_leave_out(item.nodeid.partition("::")[0])):
            item.add_marker(pytest.mark.skip(reason=reason))
    items.sort(key=lambda item: LAST in item.path.parents)


def pytest_collection_finish() -> None:
    """Keep what the collection has made from the garbage collector: it stays to the end, and a look at it takes a second."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Say first what this machine lacks for some tests, and how to have it."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(session.config, "workerinput") and (line := sentence()):
        reporter.write_line(line)


def has_reason(mark: pytest.Mark) -> bool:
    return len(mark.args) == 1 and isinstance(mark.args[0], str) and " " in mark.args[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in a line for each reason what was not tested, such as that there is no SLURM here, and in which order."""
    if seed := terminalreporter.config.getoption("randomly_seed", None):
        terminalreporter.write_line(f"in a random order: make test ORDER={seed} repeats it")
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, number in sorted(reasons.items()):
        terminalreporter.write_line(f"not tested ({number}): {' '.join(reason.split())}")


@pytest.fixture
def monkeypatch() -> Iterator[Patch]:
    """What patches is known to what is made once (tests/patched.py)."""
    patch = Patch()
    yield patch
    patch.undo()


@pytest.fixture(autouse=True)
def secrets_of_a_test() -> Iterator[None]:
    """Forget what a test notes as secret: the word may stand in a sentence that a later one expects."""
    noted = secrets._SECRETS
    before = {*noted}
    yield
    noted &= before


@pytest.fixture(scope="session")
def once(tmp_path_factory, pytestconfig) -> Once:
    """What makes something once for all workers of a run.

    RELPROBE_ONCE may name a folder in which later runs on the same code find what was made.
    """
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if hasattr(pytestconfig, "workerinput") else own) / "once"
    shared = Path(os.environ.get("RELPROBE_ONCE") or shared)
    shared.mkdir(exist_ok=True)
    return Once(shared)


@pytest.fixture(scope="session", autouse=True)
def early_toy(request, pytestconfig, once):
    """Begin with the toy of all studies while other tests run: who needs it first would wait a minute, with a core idle."""
    worker = getattr(pytestconfig, "workerinput", {}).get("workerid")
    if worker != "gw0" or not any("finished" in item.fixturenames for item in request.session.items):
        yield
        return
    from tests.workflow.shared_toy import begin, server_of_run

    with begin(once, server_of_run(once, pytestconfig)):
        yield


@pytest.fixture(scope="session")
def archives(once):
    """The folder of a wheel and an sdist, which are built from the files that git tracks or would track."""
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    return once("dist", lambda folder: build(ROOT, folder))


@pytest.fixture(scope="session")
def installed(archives, once):
    """The folder that an installed wheel lies in. Its dependencies are those of the environment of the tests."""
    (wheel,) = archives.glob("*.whl")
    return once("site", lambda folder: install(wheel, folder))


@pytest.fixture(autouse=True)
def levels_of_loggers():
    """What a test, or a command that it runs here, has set is no other test's: else this one hears more of what is said."""
    loggers = [logging.getLogger(), logging.getLogger("relprobe")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        if logger.level != level:  # each setting empties what all loggers of all libraries remember
            logger.setLevel(level)


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
