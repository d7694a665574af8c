"""`relprobe open`: the pages of the study of the working directory, in the browser."""

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from relprobe.command.home import own_config
from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml


def main(words: list[str]) -> int:
    """Open the index of the pages in the browser, or say where it lies."""
    parser = argparse.ArgumentParser(prog="relprobe open", description=__doc__, allow_abbrev=False)
    parser.add_argument("--print", action="store_true", help="print the path of the page, and open no browser")
    options = parser.parse_args(words)
    try:
        page = index()
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    if not page.is_file():
        print(f"There is no {page}: `relprobe run` makes it.", file=sys.stderr)
        return 1
    print(page)
    if options.print:
        return 0
    if not (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        print(f"There is no screen here: copy the folder {page.parent} to a machine with one.", file=sys.stderr)
    elif not webbrowser.open(page.as_uri()):
        print("No browser was found.", file=sys.stderr)
    return 0


def index() -> Path:
    """Return the index of the pages, where the configuration puts the results. DataError: that is no valid YAML."""
    file = own_config()
    config: Any = None if file is None else read_yaml(file, as_written=True)
    paths = config.get("pathvars") if isinstance(config, dict) else None
    results = paths.get("results", "results") if isinstance(paths, dict) else "results"
    return Path(results, "report.html").absolute()
