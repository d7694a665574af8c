"""`relprobe open [STUDY]`: the pages of the study of the working directory, in the browser."""

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from relprobe.command.home import folder_in, own_config
from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.core.words import hint
from relprobe.studies import STUDIES

RUNNING = "running.html"
"""The page of a run that goes on or was cut off, beside report.html, which the end of the run makes (running.py)."""
REDIRECT = '<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=report.html">\n'
"""That page when the run is over: a browser that shows it goes on to the front page."""


def main(words: list[str]) -> int:
    """Open a page in the browser, or say where it lies: the index of the pages, or the one of this name."""
    parser = argparse.ArgumentParser(prog="relprobe open", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "page",
        nargs="?",
        default="report",
        metavar="STUDY",
        help="the page of this study; else the one that leads to all",
    )
    parser.add_argument("--print", action="store_true", help="print the path of the page, and open no browser")
    options = parser.parse_args(words)
    try:
        page = page_named(options.page, run_folder())
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    print(page)
    if options.print:
        return 0
    if not (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        print(f"There is no screen here: copy the folder {run_folder()} to a machine with one.", file=sys.stderr)
    elif not webbrowser.open(page.as_uri()):
        print("No browser was found.", file=sys.stderr)
    return 0


def page_named(name: str, folder: Path) -> Path:
    """Return the page of a study or of another name, such as `published` or `relations/answers`, in the folder of results.

    DataError: the page has not been made, or no page has such a name.
    """
    front = folder / "report.html"
    pages = [
        *(folder / name / f"{page}.html" for page in ("report", "first")),
        folder / f"{name}.html",
        Path(name).absolute(),
    ]
    if name == "report" and _is_newest(folder / RUNNING, front):
        pages.insert(0, folder / RUNNING)
    made = next((page for page in pages if page.is_file()), None)
    if made is not None:
        return made
    if name in STUDIES or name == "report":
        page, words = (pages[0], f" {name}") if name in STUDIES else (front, "")
        ready = [study for study in STUDIES if (folder / study / "report.html").is_file()] if name == "report" else []
        early = f" Already there: {', '.join(f'`relprobe open {study}`' for study in ready)}." if ready else ""
        raise DataError(f"There is no {page}: `relprobe run{words}` makes it.{early}")
    page_names = sorted(page.stem for page in folder.glob("*.html"))
    raise DataError(f"There is no page {name!r}: {hint(name, dict.fromkeys([*STUDIES, *page_names]))}")


def _is_newest(running: Path, front: Path) -> bool:
    """Return whether the page of a run tells more than the front page, which is that of an earlier run or is not there."""
    if not running.is_file() or running.read_text("utf-8") == REDIRECT:
        return False
    return not front.is_file() or running.stat().st_mtime > front.stat().st_mtime


def run_folder(name: str = "results") -> Path:
    """Return the folder where the configuration puts the results, or `resources`. DataError: that is no valid YAML."""
    file = own_config()
    config: Any = None if file is None else read_yaml(file, as_written=True)
    return Path(folder_in(config, name)).absolute()
