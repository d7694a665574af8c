"""What tests leave: threads, child processes, open sockets and hooks, which could change what a later test sees."""

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

PATIENCE_S = 20.0
"""How long what has been told to end may take to end; a machine may be busy."""
KEPT: set[int] = set()
"""The processes that one test starts for all: the server of the toys, and what makes the toy of all studies."""


def present() -> set[str]:
    """Name the threads, children, open sockets and hooks of this process, each in a way that no later one is named.

    >>> quick = threading.Thread(target=lambda: None, name="quick")
    >>> quick.start(); quick.join()
    >>> any("quick" in name for name in present())
    False
    """
    threads = {f"the thread {one.name!r} ({one.ident})" for one in threading.enumerate()}
    return threads | set(_children()) | set(_sockets()) | set(_hooks())


def _hooks() -> Iterator[str]:
    """Name what Ctrl-C does, and what Python does with an error that it cannot raise: a process has one of each."""
    yield f"the handler of Ctrl-C {signal.getsignal(signal.SIGINT)!r}"
    yield f"the hook sys.unraisablehook {sys.unraisablehook!r}"


def _children() -> Iterator[str]:
    for number in _numbers_of_children():
        if number not in KEPT:
            try:
                child = psutil.Process(number)
                yield f"the process {number} ({' '.join(child.cmdline())[:200] or child.status()})"
            except psutil.NoSuchProcess:
                continue


def _has_children() -> bool:
    """Return whether there may be a child; most tests have none, and to ask takes no time."""
    if not hasattr(os, "waitid"):  # macOS
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _numbers_of_children() -> list[int]:
    """Return the children by a file of the kernel for each thread, or else by a look at all processes."""
    if not _has_children():
        return []
    try:
        files = Path("/proc/self/task").glob("*/children")
        return [int(number) for file in files for number in file.read_text().split()]
    except OSError:
        return [child.pid for child in psutil.Process().children()]


def _sockets() -> Iterator[str]:
    for file in Path("/proc/self/fd").glob("*"):
        try:
            target = str(file.readlink())
        except OSError:
            continue  # it was the folder itself
        if target.startswith("socket:"):
            yield f"the {target}"


class Leftovers:
    """A plug-in of pytest: no thread, child process, open socket or hook outlives the tests of its file.

    What is there after each test says which test has left what is still there after the last one.
    """

    def __init__(self) -> None:
        self.file: Path | None = None
        self.known: set[str] = set()
        self.test_of: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Look at what is there after a test with the fixtures that end with it, and fail after the last one of a file."""
        if item.path != self.file:
            self.file, self.known, self.test_of = item.path, present(), {}
        try:
            return (yield)
        finally:
            self.test_of = {name: self.test_of.get(name, item.nodeid) for name in present() - self.known}
            if self.test_of and (nextitem is None or nextitem.path != item.path) and (left := self.at_end()):
                self.fail(item, left)

    def at_end(self) -> list[str]:
        """Return a line for each thing that does not end by itself, with the test that has left it."""
        left = present() - self.known
        end = time.monotonic() + PATIENCE_S
        while left and time.monotonic() < end:
            gc.collect()  # what nobody can reach any more closes its sockets
            time.sleep(0.05)
            left = present() - self.known
        return sorted(f"{self.test_of.get(name, 'the end of the file')} has left {name}" for name in left)

    def fail(self, item: pytest.Item, left: list[str]) -> None:
        """Report an error at the end of a file; it has the name of the last test, as a worker may report on no other."""
        text = "\n".join(
            [*left, "A test must end the threads, processes and sockets that it starts, and set hooks back."]
        )
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "teardown")
        item.ihook.pytest_runtest_logreport(report=report)
