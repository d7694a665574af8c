"""The page of a run that goes on."""

import json
import os

import pytest
from relprobe.command import running
from relprobe.command.events import FIRST, PAGE, EventLog
from relprobe.command.pages import RUNNING, page_named
from relprobe.command.running import Follower, RunningPage
from relprobe.core.errors import DataError
from relprobe.core.inside_snakemake import PlannedJob
from relprobe.report.shown import page_of

from tests.command.events import finished, record, started
from tests.paths import TEMPLATE

CARD = {"finding": "m is best.", "notice": "", "names": {}, "figure": None, "words": "", "answers": False}
JOBS = {
    1: PlannedJob("relations_scores", None),
    2: PlannedJob(PAGE, "relations"),
    3: PlannedJob("degrees_scores", None),
    4: PlannedJob(PAGE, "degrees"),
    5: PlannedJob("report_index", None),
}


@pytest.fixture
def run(tmp_path):
    """The page of a run of two studies, and its events; the card of the first study is there from an earlier run."""
    (tmp_path / "relations").mkdir()
    (tmp_path / "relations/card.json").write_text(json.dumps(CARD))
    events = begun(JOBS)
    return RunningPage(tmp_path, TEMPLATE, "my run", ["relations", "degrees"], events.run), events


@pytest.fixture
def page(run):
    return run[0]


def begun(jobs):
    """The events of a run that has planned these jobs."""
    events = EventLog(None, planned=lambda: jobs)
    events.emit(record("workflow_started"))
    events.emit(record("run_info", stats={job.rule: 1 for job in jobs.values()} | {PAGE: 2, "total": len(jobs) + 1}))
    for number, job in jobs.items():
        events.emit(started(number, job.rule, wildcards={"study": job.study} if job.study else {}))
    return events


def follow(page, events, **options):
    """Let the page follow the events."""
    follower = Follower(page, **options)
    events.followers.append(follower)
    return follower


def shown(page):
    return page.file.read_text("utf-8")


def test_a_study_has_its_finding_as_soon_as_its_page_is_made_and_until_then_how_far_it_is(run):
    page, events = run
    follow(page, events)
    page.write()
    assert "m is best." not in shown(page)  # the card of an earlier run does not count
    assert page_of("degrees").title in shown(page)
    assert "This study is still computed: 0 of 2 jobs are done (0%)." in shown(page)
    for job in (1, 2):
        events.emit(finished(job))
    assert "m is best." in shown(page)
    assert "2 of 5 jobs are done (40%)" in shown(page)
    assert 'href="relations/report.html"' in shown(page)
    assert 'href="degrees/report.html"' not in shown(page)


def test_the_first_page_of_a_study_is_shown_until_the_whole_one_is_made(run):
    page, _ = run
    (page.results / "relations/first.json").write_text(json.dumps(CARD | {"finding": "m is best so far."}))
    events = begun(JOBS | {6: PlannedJob(FIRST, "relations")})
    page.run = events.run
    follow(page, events)
    events.emit(finished(1))
    page.write()
    assert "m is best" not in shown(page)
    events.emit(finished(6))
    assert "m is best so far." in shown(page)
    assert 'href="relations/first.html"' in shown(page)
    events.emit(finished(2))
    assert "m is best." in shown(page)
    assert "first.html" not in shown(page)


def test_the_page_of_a_study_that_the_run_need_not_make_is_ready(page):
    page.run = begun({number: job for number, job in JOBS.items() if job.study != "relations"}).run
    page.write()
    assert "m is best." in shown(page)


def test_other_jobs_are_shown_after_some_seconds(run):
    page, events = run
    clock = [0.0]
    follow(page, events, clock=lambda: clock[0])
    events.emit(finished(1))
    assert not page.file.exists()
    clock[0] = running.DELAY_S
    events.emit(finished(3))
    assert "2 of 5 jobs are done" in shown(page)
    events.emit(record("job_started", jobs=[4]))
    events.emit(finished(99))  # of no job that was planned
    assert page.run.finished.keys() == {1, 3}
    clock[0] += running.DELAY_S - 1
    events.emit(finished(5))
    assert "2 of 5 jobs are done" in shown(page)  # the last change is not long ago
    clock[0] += 1
    events.emit(finished(1))
    assert "3 of 5 jobs are done" in shown(page)


def test_a_browser_reads_the_page_again_while_the_run_goes_on_and_goes_on_to_the_front_page_at_its_end(page):
    renewed = '<meta http-equiv="refresh" content="10">'
    page.write()
    assert renewed in shown(page)
    page.cut_off(["gpt2 failed: there is no file <a>"])
    assert 'http-equiv="refresh"' not in shown(page)
    assert running.CUT_OFF in shown(page)
    assert "gpt2 failed: there is no file &lt;a&gt;" in shown(page)
    page.end()
    assert 'content="0; url=report.html"' in shown(page)


def test_the_run_goes_on_where_the_page_cannot_be_written(run, caplog):
    page, events = run
    page.results = page.results / "relations/card.json"  # which is no folder
    follow(page, events)
    events.emit(finished(2))
    (warning,) = caplog.records
    assert f"{page.file} cannot be written (File exists): the run goes on" in warning.getMessage()
    events.emit(finished(4))
    assert len(caplog.records) == 1


def test_a_damaged_card_ends_the_page_and_not_the_run(run, caplog):
    page, events = run
    (page.results / "relations/card.json").write_text("{")
    follow(page, events)
    events.emit(finished(2))
    events.emit(finished(4))
    (warning,) = caplog.records
    assert "card.json" in warning.getMessage()


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


def test_a_study_that_no_job_of_the_run_is_for_says_no_number(page):
    page.run = begun({1: PlannedJob("models_lexicon", None), 4: PlannedJob(PAGE, "degrees")}).run
    (page.results / "relations/card.json").unlink()
    page.write()
    assert shown(page).count("This study is still computed.") == 1
    assert "This study is still computed: 0 of 1 job are done (0%)." in shown(page)


def test_the_page_has_the_title_of_the_run_its_studies_in_their_order_and_what_failed_on_top(page):
    page.write(failed=["gpt2 failed: x"])
    text = shown(page)
    assert "my run" in text
    assert f"{running.RUNS} At " in text
    assert '<section id="failed"' in text
    assert '<section id="degrees" class="card"' in text
    assert text.index("What failed") < text.index(page_of("relations").title) < text.index(page_of("degrees").title)
    page.write()
    assert "What failed" not in shown(page)


def test_the_page_of_a_study_is_shown_at_once_and_begins_the_wait_for_the_next_job(run):
    page, events = run
    clock = [100.0]
    follow(page, events, clock=lambda: clock[0])
    events.emit(finished(2))  # the page of relations
    assert "1 of 5 jobs is done" in shown(page)
    clock[0] += running.DELAY_S - 1
    events.emit(finished(4))  # that of degrees
    assert "2 of 5 jobs are done" in shown(page)
    clock[0] += running.DELAY_S - 1
    events.emit(finished(1))
    assert "2 of 5 jobs are done" in shown(page)
    clock[0] += 1
    events.emit(finished(3))
    assert "4 of 5 jobs are done" in shown(page)
