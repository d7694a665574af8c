"""A Ctrl-C that comes where Python cannot raise, as while it removes an object or forks: it comes again a moment later."""

import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

MOMENT_S = 0.01
"""How long Python may take to leave such a place."""


def press() -> None:
    """Send the main thread a Ctrl-C, which also ends a wait that Python does not see, such as for a process or a server."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def press_again(unraisable: "sys.UnraisableHookArgs", wait: Callable[..., Any] = threading.Timer) -> bool:
    """Press Ctrl-C again a moment later if it was lost, and print any other error; return whether it was lost.

    It is the hook `sys.unraisablehook`. Python's own prints a traceback and goes on as if nobody had pressed. `wait`: what
    makes a timer, of seconds and a function.
    """
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return False
    wait(MOMENT_S, press).start()
    return True
