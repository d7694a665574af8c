"""What a server asks of a client is bounded, and what it says is quoted without what steers a terminal."""

import math
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
import tenacity
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core.errors import ModelError
from relprobe.lm.retries import (
    PassingError,
    check_wait,
    finish_within,
    log_wait,
    quote,
    seconds_asked,
    wait,
)


def test_another_attempt_is_announced_with_its_reason_and_time(caplog):
    for wait_s, ends in ((2.4, True), (0.0, False)):
        state = tenacity.RetryCallState(tenacity.Retrying(), None, (), {})
        if ends:
            state.set_exception((PassingError, PassingError("busy"), None))
        state.upcoming_sleep = wait_s
        log_wait(state)
    assert caplog.messages == [
        "the server did not answer (busy): trying again in 2 s", "the server did not answer (None): trying again in 0 s"
    ]  # fmt: skip


@given(text=st.text())
def test_a_quotation_is_one_line_that_can_be_printed(text):
    assert quote(text).isprintable()


def test_the_beginning_of_a_text_is_quoted_and_of_a_long_text_the_beginning_is_looked_at():
    assert quote("x" * 201) == "x" * 200
    assert quote(" " * (2**16 - 1) + "xy") == "x"


@given(text=st.text() | st.floats().map(str) | st.integers().map(str))
def test_any_header_asks_for_a_number_of_seconds(text):
    assert seconds_asked(text) >= 0


def test_a_date_is_a_wait_and_a_past_one_is_none():
    soon, gone = (datetime.now(UTC) + timedelta(seconds=s) for s in (30, -30))
    assert 20 < seconds_asked(format_datetime(soon, usegmt=True)) <= 30
    assert seconds_asked(format_datetime(gone, usegmt=True)) == 0


def failed(attempt, error):
    """Return the state of a call whose last attempt has failed."""
    state = tenacity.RetryCallState(None, None, (), {})
    state.attempt_number, state.outcome = attempt, tenacity.Future.construct(attempt, error, True)
    return state


@pytest.mark.parametrize(("attempt", "longest"), [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (20, 60)])
@pytest.mark.parametrize("error", [PassingError("busy"), PassingError("busy", -1.0), OSError("no")])
def test_waits_are_random_ones_up_to_a_bound_that_doubles(attempt, longest, error):
    waits = [wait(failed(attempt, error)) for _ in range(200)]
    assert 0 <= min(waits) < longest / 4
    assert longest * 3 / 4 < max(waits) <= longest


def test_a_wait_is_as_long_as_the_server_asks():
    assert wait(failed(1, PassingError("busy", 1.5))) == 1.5
    assert wait(failed(20, PassingError("busy", 61.0))) == 61.0


@pytest.mark.parametrize("seconds", [900.1, 1e9, math.inf])
def test_a_longer_wait_than_the_longest_ends_the_job(seconds):
    check_wait(900.0, "http://gpu07/v1", "status 429")
    with pytest.raises(ModelError, match=r"http://gpu07/v1 asks to wait .* s \(status 429\): run again after that"):
        check_wait(seconds, "http://gpu07/v1", "status 429")


def test_a_call_is_given_up_at_its_bound_however_it_waits():
    goes_on = threading.Event()
    with pytest.raises(TimeoutError):
        finish_within(0.1, lambda: goes_on.wait(60))
    assert any(thread.name == "request" for thread in threading.enumerate())  # nobody has waited for it
    goes_on.set()


def test_a_call_that_ends_in_time_gives_its_result_or_its_error():
    assert finish_within(60, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        finish_within(60, lambda: 1 / 0)


def test_a_call_that_is_given_up_does_not_keep_the_process_alive():
    assert finish_within(60, lambda: threading.current_thread().daemon)
