import json
import logging
import shutil
import time
from types import SimpleNamespace

import pytest
from relprobe.core.progress import (
    Progress,
    State,
    duration,
    line,
    read_state,
    state_beside,
    state_path,
    time_left,
    track,
)

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


def test_a_line_is_said_once_in_the_time_between_two(caplog, monkeypatch):
    caplog.set_level(logging.INFO)
    times = iter([100.0, 109.0, 110.0, 119.0, 121.0])
    clock = SimpleNamespace(monotonic=lambda: next(times))  # that of the module alone: other threads read Python's
    monkeypatch.setattr("relprobe.core.progress.time", clock)
    progress = Progress(100, "probes", every_s=10.0)
    for _ in range(4):
        progress.add(10)
    assert said(caplog) == [
        "20 of 100 probes (20%), 2 a second, 40 s left",
        "40 of 100 probes (40%), 2 a second, 32 s left",
    ]


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


def test_a_step_says_how_far_it_is_in_a_file_beside_its_log_while_it_runs(tmp_path):
    log, before = tmp_path / "scores.log", time.time()
    assert read_state(log) is None
    with state_beside(log):
        begun = read_state(log)
        assert (begun.text, begun.short) == ("", "")
        assert before <= begun.begun <= time.time()
        progress = Progress(8, "probes", every_s=0)
        progress.add(2, stored=1)
        state = read_state(log)
        assert (state.begun, state.done, state.total, state.what, state.stored) == (begun.begun, 2, 8, "probes", 1)
        assert state.text == line(2, 8, "probes", state.seconds, stored=1)
        progress.add(6)
        assert read_state(log).done == 2  # the step ends, or goes on with something else
    assert list(tmp_path.iterdir()) == []


def test_a_step_that_fails_leaves_no_state_behind(tmp_path):
    with pytest.raises(ValueError, match="x"), state_beside(tmp_path / "s.log"):
        raise ValueError("x")
    assert list(tmp_path.iterdir()) == []


def test_without_a_log_there_is_no_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with state_beside(None):
        Progress(8, "probes", every_s=0).add(2)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_step_has_left_is_no_state_of_the_next_one(tmp_path):
    log = tmp_path / "s.log"
    state_path(log).write_text(json.dumps({"begun": 100.0, "done": 3, "total": 4}))
    assert (read_state(log, since=100.0).done, read_state(log, since=100.5)) == (3, None)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"done": 1}', '{"begun": 1, "more": 2}'])
def test_a_file_that_is_no_state_says_nothing(tmp_path, text):
    state_path(tmp_path / "s.log").write_text(text)
    assert read_state(tmp_path / "s.log") is None


@pytest.mark.parametrize(
    ("state", "short"),
    [
        (State(0.0, 4000, 17608, "probes", seconds=40.0), "23%, 2 min left"),
        (State(0.0, 1000, 17608, "probes", seconds=10.0), "6%"),
        (State(0.0, 4000, 17608, "probes", stored=4000, seconds=40.0), "23%"),
    ],
)
def test_a_bar_has_the_share_and_the_time_left(state, short):
    assert state.short == short


def test_the_time_left_is_told_from_a_tenth_of_the_items_on():
    assert [time_left(done, 100, 9.0) for done in (9, 10)] == ["", "81 s left"]
    assert time_left(50, 100, 10.0, stored=40) == "50 s left"


def test_a_step_goes_on_where_it_cannot_say_how_far_it_is(tmp_path, caplog):
    log = tmp_path / "logs/step.log"
    log.parent.mkdir()
    with state_beside(log):
        items = track(range(4), 4, "probes", every_s=0)
        taken = [next(items)]
        shutil.rmtree(log.parent)
        log.parent.write_text("no folder")
        taken += items
    assert taken == [0, 1, 2, 3]
    (warning,) = (record.message for record in caplog.records if record.levelno == logging.WARNING)
    assert warning.startswith(f"{state_path(log)} cannot be written, so `relprobe status` does not show this step: ")


def test_a_step_runs_where_its_state_cannot_be_written_from_the_start(tmp_path):
    state_path(tmp_path / "step.log").mkdir()
    with state_beside(tmp_path / "step.log"):
        assert list(track("abc", 3, "letters", every_s=0)) == ["a", "b", "c"]
    assert read_state(tmp_path / "step.log") is None
