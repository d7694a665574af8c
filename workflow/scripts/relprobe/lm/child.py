"""Code of others, such as a chat template or a regular expression, in a child process that may take so long and no longer.

A loop in such code cannot be stopped in a thread, and its texts can fill the memory. The child is a copy of this process
(fork), which takes some milliseconds; it computes in Python alone, and ends with the call.
"""

import multiprocessing
import resource
import sys
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from relprobe.core.errors import shorten

Value = TypeVar("Value")
SECONDS = 8.0
"""The time that a call may take."""
MEMORY = 2**30
"""The bytes that a call may take beside those of this process."""


class ChildError(Exception):
    """A call in a child process failed, took too long or took too much memory; the message says which."""


def in_child(call: Callable[..., Value], *arguments: Any, seconds: float | None = None, memory: int = MEMORY) -> Value:
    """Return what `call` returns for the arguments, computed in a child process; the value is pickled on its way.

    ChildError: it fails in any way, or takes more than `seconds`, by default SECONDS, or `memory` (bytes).

    >>> in_child(max, [2, 3])
    3
    >>> in_child(pow, 9, 10**9, seconds=0.2)
    Traceback (most recent call last):
    relprobe.lm.child.ChildError: it does not end
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(sender, memory, call, arguments), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which this child does not touch
        child.start()
    sender.close()
    try:
        if not receiver.poll(SECONDS if seconds is None else seconds):
            raise ChildError("it does not end")
        failed, value = receiver.recv()
    except EOFError:  # the system killed it
        raise ChildError("it takes too much memory") from None
    finally:
        child.kill()
        child.join()
        receiver.close()
    if failed:
        raise ChildError(value)
    return value  # type: ignore[no-any-return]


def _answer(sender: Connection, memory: int, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Send whether the call failed, and its value or the reason."""
    _limit(memory)
    try:
        answer = False, call(*arguments)
    except MemoryError:
        answer = True, "it takes too much memory"
    except RecursionError:
        answer = True, "it calls itself without end"
    except BaseException as error:
        answer = True, f"{type(error).__name__}: {shorten(str(error))}".removesuffix(": ")
    sender.send(answer)


def _limit(memory: int) -> None:
    """Limit the memory of this process to what it has and `memory` more, where the system can do that.

    A limit that a cluster has set stays: nobody but an administrator may raise it.
    """
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        size = pages * resource.getpagesize() + memory
        now = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([size, *now]), resource.getrlimit(resource.RLIMIT_AS)[1]))
