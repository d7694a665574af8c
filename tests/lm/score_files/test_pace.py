"""A kill loses a minute or less: the groups of a job are as large as the machine is fast."""

import pyarrow.parquet as pq
import pytest
from relprobe.core import progress as progress_module
from relprobe.core.progress import Progress
from relprobe.lm.score_files import parts as parts_module
from relprobe.lm.score_files.answers import read_rows
from relprobe.lm.score_files.pace import FIRST, GROUP_S, LAG, Pace, first_size
from relprobe.lm.score_files.parts import write_in_parts

from tests.lm.score_files.scorers import Request, parts, table

SIZE, COUNT = 400, 4000
KILLS = (0.5, 10, 49.5, 60, 149.5, 151, 390, 549.5, 551, 1000.5, 2600)
"""How many questions are answered when a job is killed: in the first groups, at their ends, and in the large ones."""


class Clock:
    """A clock that a slow model moves on, so that the tests take no time."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class SlowModel:
    """Takes `seconds(number)` for the request of this number, and is killed after `until` seconds."""

    def __init__(self, clock, seconds, until=float("inf")):
        self.clock, self.seconds, self.end, self.ids = clock, seconds, clock.now + until, []

    def __call__(self, requests):
        for request in requests:
            self.clock.now += self.seconds(int(request.id))
            if self.clock.now > self.end:
                raise KeyboardInterrupt
            self.ids.append(request.id)
            yield request.id


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(parts_module, "time", clock)
    monkeypatch.setattr(progress_module, "time", clock)
    return clock


def run(path, model, progress=None):
    requests = (Request(str(i)) for i in range(COUNT))
    write_in_parts(requests, model, table, {}, path, SIZE, first=first_size(SIZE), progress=progress)
    assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in range(COUNT)]
    return model.ids


def lost(path, model):
    """The seconds of work that a killed job has done and not stored."""
    with pytest.raises(KeyboardInterrupt):
        run(path, model)
    stored = sum(read_rows(file).num_rows for file in parts(path))
    return sum(model.seconds(int(name)) for name in model.ids[stored:]), stored


@pytest.mark.parametrize("slow", [0.0001, 0.1, 1.0, 4.0, 30.0])
def test_a_kill_at_any_moment_loses_a_minute_or_less_on_any_machine(tmp_path, clock, slow):
    """The first groups are those that may take longer: on a machine that needs 30 seconds for a question, 25 minutes."""
    for answered in KILLS:
        path = tmp_path / f"{answered}.parquet"
        seconds, stored = lost(path, SlowModel(clock, lambda _: slow, answered * slow))
        assert seconds <= max(60, slow) or stored < LAG * first_size(SIZE)
        assert seconds <= max(60, first_size(SIZE) * slow)


def test_a_machine_that_becomes_slow_gets_smaller_groups_and_then_larger_ones_again(tmp_path, clock):
    def seconds(number):
        return 2.0 if 1000 <= number < 2000 else 0.05

    path = tmp_path / "scores.parquet"
    with pytest.raises(KeyboardInterrupt):
        run(path, SlowModel(clock, seconds, until=COUNT * 0.05 + 1000 * 1.95 - 1))
    sizes = [read_rows(file).num_rows for file in parts(path)]
    assert sizes[:LAG] == [SIZE // FIRST] * LAG
    assert sizes[LAG] == SIZE
    assert min(sizes) == 13  # 400, 200, 100, 50, 25, 13: the largest that takes less than 45 seconds is 13
    assert 13 * 2 < GROUP_S < 25 * 2
    assert SIZE in sizes[sizes.index(13) :]


@pytest.mark.parametrize("slow", [0.05, 1.5])
def test_a_job_that_goes_on_has_the_groups_of_one_that_was_not_killed(tmp_path, clock, slow):
    """So its batches are the same, and the bytes of its file."""

    def groups(path, *moments):
        asked = []

        class Model(SlowModel):
            def __call__(self, requests):
                asked.append([request.id for request in requests])
                yield from super().__call__(requests)

        for until in moments:
            with pytest.raises(KeyboardInterrupt):
                run(path, Model(clock, lambda _: slow, until))
            stored = sum(read_rows(file).num_rows for file in parts(path))
            asked[:] = [group for group in asked if int(group[-1]) < stored]  # the others were lost
        run(path, Model(clock, lambda _: slow))
        return asked

    whole = groups(tmp_path / "whole.parquet")
    total = COUNT * slow
    moments = [0.001 * total, 0.02 * total, 0.05 * total, 0.3 * total, 0.5 * total]
    assert groups(tmp_path / "killed.parquet", *moments) == whole
    assert (tmp_path / "killed.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_a_job_after_one_that_ended_begins_with_small_groups_again(tmp_path, clock):
    """It may run on another machine."""
    path = tmp_path / "scores.parquet"
    sizes = []

    def answer(requests):
        sizes.append(len(requests))
        return [request.id for request in requests]

    for start in (0, 1000):
        requests = [Request(str(i)) for i in range(start, start + 1000)]
        write_in_parts(requests, answer, table, {}, path, SIZE, first=50, reuse=True)
    assert sizes == [50, 50, 50, 400, 400, 50] * 2


def test_the_size_of_a_group_does_not_depend_on_the_moment_of_the_question():
    early, late = Pace(100, first=10), Pace(100, first=10)
    for seconds in (1, 9, 9, 9):
        late.add(seconds)
    early.add(1)
    assert early.group_size(LAG) == late.group_size(LAG) == 25


def test_the_progress_counts_answers_and_not_requests_that_are_read_ahead(tmp_path, clock, caplog):
    """Ten questions a second, so 4,000 take 400 s; groups have 50, 50, 50 and then 400 requests."""
    caplog.set_level("INFO")
    run(tmp_path / "scores.parquet", SlowModel(clock, lambda _: 0.1), Progress(COUNT, "questions"))
    lines = [message for message in caplog.messages if "questions (" in message]
    assert lines[:3] == [
        "150 of 4,000 questions (4%), 10 a second",
        "550 of 4,000 questions (14%), 10 a second, 6 min left",
        "950 of 4,000 questions (24%), 10 a second, 5 min left",
    ]
    assert lines[-1] == "3,750 of 4,000 questions (94%), 10 a second, 25 s left"


def test_what_an_earlier_job_has_stored_is_done_but_makes_the_rate_no_higher(tmp_path, clock, caplog):
    path = tmp_path / "scores.parquet"
    with pytest.raises(KeyboardInterrupt):
        run(path, SlowModel(clock, lambda _: 0.1, until=300))
    caplog.set_level("INFO")
    run(path, SlowModel(clock, lambda _: 0.1), Progress(COUNT, "questions"))
    lines = [message for message in caplog.messages if "questions (" in message]
    assert lines and all(", 10 a second, " in line for line in lines)


@pytest.mark.parametrize(
    ("seconds", "size"),
    [(0.0, 7), (45 / 7, 7), (6.43, 4), (45 / 4, 4), (11.3, 2), (22.5, 2), (22.6, 1), (45.1, 1), (1e6, 1)],
)
def test_a_group_is_halved_until_it_takes_the_time_of_a_group_and_has_a_question_at_least(seconds, size):
    """By hand: of 7 questions 4 are more than a half, then 2 and 1; 45 seconds may be taken in all."""
    pace = Pace(7, first=3, seconds=[9e9])
    assert pace.done == 1
    for known in (seconds, 9e9):
        pace.add(known)
    assert [pace.group_size(number) for number in range(LAG)] == [3] * LAG
    assert pace.group_size(LAG + 1) == size
    assert Pace(7).group_size(0) == 7
    assert [first_size(number) for number in (7, 8, 15, 16)] == [1, 1, 1, 2]
