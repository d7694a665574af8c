"""The edge that every entry point shares: arguments, log, and errors as one sentence."""

import argparse
import errno
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from relprobe.errors import RelprobeError

OUT_OF_SPACE = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT)))
"""What the system says when a disk, or the user's share of it, is full; polars hands on the words without the number."""


def parser(description: str | None) -> argparse.ArgumentParser:
    """Start the argument parser of an entry point; `--log` also writes the log to a file."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--log", type=Path, help="also write the log there")
    return made


def run(main: Callable[[argparse.Namespace], None], arguments: argparse.ArgumentParser) -> None:
    """Call `main` with the parsed arguments; a RelprobeError ends the process with its sentence and status 1."""
    parsed = arguments.parse_args()
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    if parsed.log:
        parsed.log.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(parsed.log, mode="w", encoding="utf-8"))
    logging.basicConfig(
        level=logging.INFO,
        handlers=handlers,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    try:
        main(parsed)
    except RelprobeError as error:
        logging.getLogger("relprobe").error("Error: %s", error)
        sys.exit(1)
    except Exception as error:
        if any(message in str(error) for message in OUT_OF_SPACE):
            logging.getLogger("relprobe").error("Error: the disk is full (%s): free some space and run again.", error)
            sys.exit(1)
        logging.getLogger("relprobe").exception("A defect in relprobe; please report it with this traceback.")
        sys.exit(2)
