"""The front page of a run that goes on: what can be read, and what is still computed."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from relprobe.command.events import FIRST, PAGE, Event, RunState, jobs_by_part
from relprobe.command.pages import REDIRECT, RUNNING
from relprobe.command.status import jobs_in_words
from relprobe.core.errors import DataError, first_line
from relprobe.core.files import whole_file
from relprobe.core.inside_snakemake import PlannedJob
from relprobe.report.cards import LEAD, TITLE, card
from relprobe.report.page import Around, Section, write
from relprobe.report.shown import page_of

logger = logging.getLogger(__name__)
PERIOD_S = 10
"""After so many seconds a browser reads the page again."""
DELAY_S = 5.0
"""After so many seconds a finished job is shown; the page of a study is at once."""
RUNS = "This run goes on: the studies whose pages are ready have their findings here, and the page renews itself."
CUT_OFF = "This run ended before all was made: the same command goes on with the rest."
NO_PAGE = "This study is still computed"


@dataclass
class RunningPage:
    """The page of a run that goes on.

    `results`: the folder of results. `template`: that of all pages. `title`: the title of the run. `studies`: those that the
    front page leads to. `run`: what its events say so far.
    """

    results: Path
    template: Path
    title: str
    studies: Sequence[str]
    run: RunState

    @property
    def file(self) -> Path:
        """The file of the page."""
        return self.results / RUNNING

    def write(self, *, runs: bool = True, failed: Sequence[str] = ()) -> None:
        """Write the page. `runs`: the run goes on, and has not ended before all was made. `failed`: what failed jobs say."""
        far = jobs_in_words(self.run.done, self.run.total)
        state = f"{RUNS if runs else CUT_OFF} At {time.strftime('%H:%M:%S')}, {far}."
        around = Around(run=self.title, notice=state, renew=PERIOD_S if runs else 0)
        parts = [Section("failed", "What failed", "", None, items=failed)] if failed else []
        parts += map(self.section, self.studies)
        write(TITLE, LEAD, parts, self.template, self.file, {}, around)

    def section(self, study: str) -> Section:
        """Return the card of a study whose page is ready, or how far the study is."""
        waiting = [job for number, job in self.run.planned.items() if number not in self.run.finished]
        for rule, name, page in ((PAGE, "card", "report"), (FIRST, "first", "first")):
            file = self.results / study / f"{name}.json"
            if file.is_file() and PlannedJob(rule, study) not in waiting:
                return card(file, f"{page}.html")
        far = "".join(
            f": {jobs_in_words(done, total)}" for part, done, total in jobs_by_part(self.run) if part == study
        )
        return Section(study, page_of(study).title, f"{NO_PAGE}{far}.", None, card=True)

    def cut_off(self, failed: Sequence[str] = ()) -> None:
        """Note on the page that the run ended before all was made. `failed`: what failed jobs say."""
        self.write(runs=False, failed=failed)

    def end(self) -> None:
        """Let a browser that shows the page go on to the front page."""
        with whole_file(self.file) as partial:
            partial.write_text(REDIRECT, encoding="utf-8")


class Follower:
    """Keeps the page as it hears of events (`hear`); where the page cannot be written, the run goes on without it.

    `clock` tells the seconds.
    """

    def __init__(self, page: RunningPage, clock: Callable[[], float] = time.monotonic) -> None:
        self.page, self.clock = page, clock
        self.last = clock()
        self.writes = True

    def hear(self, event: Event) -> None:
        """Show a job that is done."""
        job = self.page.run.planned.get(event["job_id"]) if event["event"] == "job_finished" else None
        now = self.clock()
        if job is not None and (job.rule in (FIRST, PAGE) or now - self.last >= DELAY_S):
            self.last = now
            self.write(self.page.write)

    def write(self, writing: Callable[[], None]) -> None:
        """Call what writes the page, as long as the page can be written."""
        if self.writes:
            try:
                writing()
            except (OSError, DataError) as error:  # DataError: the card of a study is damaged
                self.writes = False
                reason = error.strerror if isinstance(error, OSError) else first_line(error)
                logger.warning("%s cannot be written (%s): the run goes on without it.", self.page.file, reason)
