"""Code of others in a child process: how much memory it may take, and what is said where it fails."""

import os
import resource
import signal

import pytest
from relprobe.lm import child
from relprobe.lm.child import ChildError, in_child

FREE = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("soft", "hard", "limit"),
    [(FREE, FREE, "size"), (7, FREE, 7), (FREE, 7, 7), (9, 7, 7), (7, 9, 7), (10**18, 10**18, "size")],
)
def test_a_call_may_take_so_much_more_memory_and_no_more_than_the_process(monkeypatch, soft, hard, limit):
    limits = []
    monkeypatch.setattr(child.Path, "read_text", lambda self, encoding: "100 5 5 5\n")
    monkeypatch.setattr("resource.getpagesize", lambda: 4096)
    monkeypatch.setattr("resource.getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr("resource.setrlimit", lambda kind, pair: limits.append((kind, pair)))
    monkeypatch.setattr("sys.platform", "linux")
    child._limit(1000)
    size = 100 * 4096 + 1000
    assert limits == [(resource.RLIMIT_AS, (size if limit == "size" else limit, hard))]
    monkeypatch.setattr("sys.platform", "darwin")
    child._limit(1000)
    assert len(limits) == 1


def raising(error):
    raise error


def itself():
    return itself()


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        (raising, (MemoryError(),), "it takes too much memory"),
        (raising, (ValueError("no\nvalue"),), "ValueError: no value"),
        (raising, (KeyError(),), "KeyError"),
        (raising, (SystemExit(3),), "SystemExit: 3"),
        (itself, (), "it calls itself without end"),
    ],
)
def test_what_fails_in_the_child_is_said(call, arguments, sentence):
    with pytest.raises(ChildError) as caught:
        in_child(call, *arguments)
    assert str(caught.value) == sentence
    assert in_child(max, [2, 3]) == 3


def killed():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_child_that_the_system_kills_is_not_waited_for():
    """The system kills what takes too much memory. Without the end of the child, its answer would be waited for."""
    with pytest.raises(ChildError, match=r"^it takes too much memory$"):
        in_child(killed, seconds=60)


def test_no_child_is_left_over():
    with pytest.raises(ProcessLookupError):
        os.kill(in_child(os.getpid), 0)
