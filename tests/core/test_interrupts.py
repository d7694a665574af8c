"""A Ctrl-C that Python could not raise comes again; any other error that it could not raise is printed as Python does."""

from types import SimpleNamespace

import pytest
from relprobe.core import interrupts
from relprobe.core.interrupts import MOMENT_S, press, press_again


class Pressed(KeyboardInterrupt):
    """A Ctrl-C of a program of its own."""


@pytest.mark.parametrize(
    ("kind", "again"),
    [(KeyboardInterrupt, True), (Pressed, True), (ValueError, False), (SystemExit, False), (BaseException, False)],
)
def test_a_lost_interrupt_is_pressed_again_and_another_error_is_printed(kind, again, monkeypatch):
    timers, started, printed = [], [], []

    def wait(seconds, function):
        timers.append((seconds, function))
        return SimpleNamespace(start=lambda: started.append(seconds))

    monkeypatch.setattr(interrupts, "sys", SimpleNamespace(__unraisablehook__=printed.append))
    lost = SimpleNamespace(exc_type=kind)
    assert press_again(lost, wait) is again
    assert timers == [(MOMENT_S, press)] * again
    assert started == [MOMENT_S] * again
    assert printed == [lost] * (not again)
