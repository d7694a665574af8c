import logging

import pytest
from relprobe.core.progress import Progress, duration, line, track

from tests.logs import said


def test_all_items_are_yielded_in_order():
    assert list(track("abc", 3, "letters")) == ["a", "b", "c"]


def test_a_quick_step_logs_nothing(caplog):
    caplog.set_level(logging.INFO)
    list(track(range(100), 100, "probes"))
    assert said(caplog) == []


def test_a_long_step_says_how_far_it_is(caplog):
    caplog.set_level(logging.INFO)
    list(track(range(3), 3, "probes", every_s=0))
    assert [message.partition(" probes")[0] for message in caplog.messages] == ["1 of 3", "2 of 3"]


def test_an_item_is_read_only_when_the_step_asks_for_it():
    started = []
    items = track((started.append(i) or i for i in range(3)), 3, "probes")
    next(items)
    assert started == [0]


def test_a_line_says_count_share_rate_and_time_left():
    # 110 a second: the 13,608 that are left take 123.7 s
    assert line(4000, 17608, "probes", 4000 / 110) == "4,000 of 17,608 probes (23%), 110 a second, 2 min left"


def test_items_that_were_all_stored_have_no_rate(caplog):
    caplog.set_level(logging.INFO)
    progress = Progress(10, "probes", every_s=0)
    progress.add(4, stored=4)
    progress.add(6)
    assert said(caplog) == ["4 of 10 probes (40%)"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (45.2, "45 s"), (89, "89 s"), (90, "2 min"), (720, "12 min"), (5399, "90 min"), (12600, "3.5 h")],
)
def test_durations_are_readable(seconds, text):
    assert duration(seconds) == text
