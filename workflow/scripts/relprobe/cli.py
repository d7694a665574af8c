"""The edge that every entry point shares: arguments, log, and errors as one sentence."""

import argparse
import logging
import sys
from collections.abc import Callable
from pathlib import Path

from relprobe.errors import RelprobeError, full_disk


def parser(description: str | None, *paths: str) -> argparse.ArgumentParser:
    """Start the argument parser of an entry point that must be given `paths`; `--log` also writes the log to a file."""
    made = argparse.ArgumentParser(description=description)
    for name in paths:
        made.add_argument(f"--{name}", required=True, type=Path)
    made.add_argument("--log", type=Path, help="also write the log there")
    return made


def run(main: Callable[[argparse.Namespace], None], arguments: argparse.ArgumentParser) -> None:
    """Call `main` with the parsed arguments; a RelprobeError ends the process with its sentence and status 1.

    So does a full disk, whatever error of ours or of a library it led to.
    """
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
    except Exception as error:
        sys.exit(_report(error))


def _report(error: Exception) -> int:
    """Log an error for the user and return the exit status."""
    logger = logging.getLogger("relprobe")
    if said := full_disk(error):
        logger.error("Error: the disk is full (%s): free some space and run again.", said)
        return 1
    if isinstance(error, RelprobeError):
        logger.error("Error: %s", error)
        return 1
    logger.exception("A defect in relprobe; please report it with this traceback.", exc_info=error)
    return 2
