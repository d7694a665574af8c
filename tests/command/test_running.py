"""The page of a run that goes on."""

import json
import logging
import os

import pytest
from relprobe.command import running
from relprobe.command.pages import RUNNING, page_named
from relprobe.command.running import Follower, Job, RunningPage
from relprobe.command.status import PAGE
from relprobe.core.errors import DataError
from relprobe.report.shown import page_of
from snakemake_interface_logger_plugins.common import LogEvent

from tests.paths import TEMPLATE

SAID = {"finding": "m is best.", "notice": "", "names": {}, "figure": None, "words": "", "answers": False}
JOBS = {
    1: Job("relations_scores", "relations"),
    2: Job(PAGE, "relations"),
    3: Job("degrees_scores", "degrees"),
    4: Job(PAGE, "degrees"),
    5: Job("report_index", ""),
}


@pytest.fixture
def page(tmp_path):
    """A run of two studies; the card of the first is there from an earlier run."""
    (tmp_path / "relations").mkdir()
    (tmp_path / "relations/card.json").write_text(json.dumps(SAID))
    return RunningPage(tmp_path, TEMPLATE, "my run", ["relations", "degrees"], JOBS)


def finished(job):
    return logging.makeLogRecord({"event": LogEvent.JOB_FINISHED, "job_id": job})


def shown(page):
    return page.file.read_text("utf-8")


def test_a_study_has_its_finding_as_soon_as_its_page_is_made_and_until_then_how_far_it_is(page):
    follower = Follower(page)
    page.write()
    assert "m is best." not in shown(page)  # the card of an earlier run does not count
    assert page_of("degrees").title in shown(page)
    assert "This study is still computed: 0 of 2 jobs are done (0%)." in shown(page)
    for job in (1, 2):
        follower.emit(finished(job))
    assert "m is best." in shown(page)
    assert "2 of 5 jobs are done (40%)" in shown(page)
    assert 'href="relations/report.html"' in shown(page)
    assert 'href="degrees/report.html"' not in shown(page)


def test_the_page_of_a_study_that_the_run_need_not_make_is_ready(page):
    page.jobs = {number: job for number, job in JOBS.items() if job.study != "relations"}
    page.write()
    assert "m is best." in shown(page)


def test_other_jobs_are_shown_after_some_seconds(page):
    clock = [0.0]
    follower = Follower(page, lambda: clock[0])
    follower.emit(finished(1))
    assert not page.file.exists()
    clock[0] = running.DELAY_S
    follower.emit(finished(3))
    assert "2 of 5 jobs are done" in shown(page)
    follower.emit(logging.makeLogRecord({"event": LogEvent.JOB_STARTED, "job_id": 4}))
    follower.emit(finished(99))  # of no job that was planned
    assert page.done == {1, 3}


def test_a_browser_reads_the_page_again_while_the_run_goes_on_and_goes_on_to_the_front_page_at_its_end(page):
    renewed = '<meta http-equiv="refresh" content="10">'
    page.write()
    assert renewed in shown(page)
    page.cut_off(["gpt2 failed: there is no file <a>"])
    assert renewed not in shown(page)
    assert running.CUT_OFF in shown(page)
    assert "gpt2 failed: there is no file &lt;a&gt;" in shown(page)
    page.end()
    assert 'content="0; url=report.html"' in shown(page)


def test_the_run_goes_on_where_the_page_cannot_be_written(page, caplog):
    page.results = page.results / "relations/card.json"  # which is no folder
    follower = Follower(page)
    follower.emit(finished(2))
    (record,) = caplog.records
    assert f"{page.file} cannot be written (File exists): the run goes on" in record.getMessage()
    follower.emit(finished(4))
    assert len(caplog.records) == 1


def test_a_damaged_card_ends_the_page_and_not_the_run(page, caplog):
    (page.results / "relations/card.json").write_text("{")
    follower = Follower(page)
    follower.emit(finished(2))
    follower.emit(finished(4))
    (record,) = caplog.records
    assert "card.json" in record.getMessage()


def test_it_is_the_page_that_is_opened_until_there_is_a_front_page_of_this_run(page):
    with pytest.raises(DataError, match="relprobe run"):
        page_named("report", page.results)
    page.write()
    assert page_named("report", page.results).name == RUNNING
    front = page.results / "report.html"
    front.touch()
    os.utime(front, (1, 1))  # of an earlier run
    assert page_named("report", page.results).name == RUNNING
    front.touch()
    os.utime(page.file, (1, 1))  # a run that was killed after it had made the front page
    assert page_named("report", page.results) == front
    page.end()
    os.utime(front, (1, 1))
    assert page_named("report", page.results) == front
