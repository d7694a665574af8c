"""What a server asks of a client is bounded, and what it says is quoted without what steers a terminal."""

import math
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core.errors import ModelError
from relprobe.lm.retries import LONGEST_RETRY_AFTER_S, check_wait, finish_within, quote, seconds_asked


@given(text=st.text())
def test_a_quotation_is_one_line_that_can_be_printed(text):
    assert quote(text).isprintable()


@given(text=st.text() | st.floats().map(str) | st.integers().map(str))
def test_any_header_asks_for_a_number_of_seconds(text):
    assert seconds_asked(text) >= 0


def test_a_date_is_a_wait_and_a_past_one_is_none():
    soon, gone = (datetime.now(UTC) + timedelta(seconds=s) for s in (30, -30))
    assert 20 < seconds_asked(format_datetime(soon, usegmt=True)) <= 30
    assert seconds_asked(format_datetime(gone, usegmt=True)) == 0


@pytest.mark.parametrize("seconds", [LONGEST_RETRY_AFTER_S + 1, 1e9, math.inf])
def test_a_longer_wait_than_the_longest_ends_the_job(seconds):
    check_wait(LONGEST_RETRY_AFTER_S, "http://gpu07/v1", "status 429")
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
