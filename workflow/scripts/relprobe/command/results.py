"""What a run has found, in the words of its pages, as the last lines of `relprobe run`."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from relprobe.command.events import Run
from relprobe.core.files import read_json

WIDTH = 100


def lines(run: Run, results: Path) -> Iterator[str]:
    """Yield the finding of each study whose page a run has made, and where the pages are.

    `results`: the folder of results.
    """
    for study in dict.fromkeys(run.pages()):
        card = results / study / "card.json"
        if card.is_file():
            yield ""
            yield from textwrap.wrap(f"{study}: {read_json(card)['finding']}", WIDTH, break_on_hyphens=False)
    if (results / "report.html").is_file():
        yield ""
        yield f"The pages of this run: {results / 'report.html'} (relprobe open)"
