"""The list of the commands: what `relprobe` prints without a word, and which command a word chooses."""

import importlib
from collections.abc import Iterable, Mapping

from relprobe.version import __version__

Programs = Mapping[str, tuple[str, str]]
"""Command -> the dotted name of its function, which takes the words after it and returns the status, and what it does."""


def dispatch(programs: Programs, words: list[str], groups: Iterable[str]) -> int | None:
    """Run the command that a command line names and return its exit status; None if the words are for a step.

    Without a word, and for --help and --version, print the list or the version. `groups`: the groups of steps.
    """
    first = words[0] if words else "--help"
    if first in programs:
        module, _, function = programs[first][0].rpartition(".")
        return int(getattr(importlib.import_module(module), function)(words[1:]))
    if first == "--version":
        print(f"relprobe {__version__}")
    elif first in ("-h", "--help"):
        print(overview(programs, groups))
    else:
        return None
    return 0


def overview(programs: Programs, groups: Iterable[str]) -> str:
    """Write the commands with what they do, and name the groups of steps below them.

    >>> print(overview({"run": ("relprobe.command.run.main", "compute the study of this folder")}, ["models", "report"]))
    usage: relprobe COMMAND …; relprobe COMMAND --help says more
    <BLANKLINE>
      run    compute the study of this folder
      score  ask one model about the texts of a CSV file, without a study
    <BLANKLINE>
    The steps that the workflow runs: relprobe GROUP STEP …, with the groups models, report.
    """
    texts = {name: text for name, (_, text) in programs.items()}
    texts["score"] = "ask one model about the texts of a CSV file, without a study"
    width = max(map(len, texts))
    lines = [f"  {name:{width}}  {text}" for name, text in texts.items()]
    steps = f"The steps that the workflow runs: relprobe GROUP STEP …, with the groups {', '.join(groups)}."
    return "\n".join(["usage: relprobe COMMAND …; relprobe COMMAND --help says more", "", *lines, "", steps])
