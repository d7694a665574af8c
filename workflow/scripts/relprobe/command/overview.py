"""The list of the commands: what `relprobe` prints without a word, and which command a word chooses."""

import importlib
import sys
from collections.abc import Iterable, Mapping

from relprobe.version import __version__

Programs = Mapping[str, tuple[str, str]]
"""Command -> the dotted name of its function, which takes the words after it and returns the status, and what it does."""
ALL = "--all"
"""The word after --help with which the list has all commands."""
SCORE = "score"
"""The command that is a step without a configuration, which core/cli.py calls."""

RARE = ("store", SCORE)
"""The commands that most users never need."""


def dispatch(programs: Programs, words: list[str], groups: Iterable[str]) -> int | None:
    """Run the command that a command line names and return its exit status; None if the words are for a step or `score`.

    Without a word, and for --help and --version, print the list or the version; a word that is none of these is an error.
    `groups`: the groups of steps.
    """
    first = words[0] if words else "--help"
    if first in programs:
        module, _, function = programs[first][0].rpartition(".")
        return int(getattr(importlib.import_module(module), function)(words[1:]))
    if first == "--version":
        print(f"relprobe {__version__}")
    elif first in ("-h", "--help"):
        print(overview(programs, groups, rare=ALL in words))
    elif first in (SCORE, *groups):
        return None
    else:
        print(unknown(first, [*programs, SCORE], groups), file=sys.stderr)
        return 2
    return 0


def unknown(word: str, commands: Iterable[str], groups: Iterable[str]) -> str:
    """Return the sentence on a word that is neither a command nor a group of steps; commands are what people mean.

    >>> unknown("runn", ["init", "run"], ["models"])
    "relprobe has no command 'runn': did you mean 'run'? `relprobe --help` lists the commands."
    >>> unknown("plot", ["init", "run"], ["models"])
    "relprobe has no command 'plot': known are init, run. `relprobe --help` lists the commands."
    """
    from relprobe.core.words import hint

    return (
        f"relprobe has no command {word!r}: {hint(word, commands, more=groups)} `relprobe --help` lists the commands."
    )


def overview(programs: Programs, groups: Iterable[str], *, rare: bool = False) -> str:
    r"""Write the commands with what they do; `rare`: with the rare ones, and with the groups of steps below them.

    >>> programs = {"run": ("relprobe.command.run.main", "compute the study of this folder")}
    >>> print(overview(programs, ["models", "report"]))
    usage: relprobe COMMAND …; relprobe COMMAND --help says more
    <BLANKLINE>
      run  compute the study of this folder
    <BLANKLINE>
    `relprobe --help --all` also lists score and the steps that the workflow runs.
    >>> print(*overview(programs, ["models", "report"], rare=True).splitlines()[3:], sep="\n")
      score  ask one model about the texts of a CSV file, without a study
    <BLANKLINE>
    The steps that the workflow runs: relprobe GROUP STEP …, with the groups models, report.
    """
    texts = {name: text for name, (_, text) in programs.items()}
    texts[SCORE] = "ask one model about the texts of a CSV file, without a study"
    hidden = [name for name in texts if name in RARE]
    if not rare:
        texts = {name: text for name, text in texts.items() if name not in RARE}
    width = max(map(len, texts))
    lines = [f"  {name:{width}}  {text}" for name, text in texts.items()]
    steps = f"The steps that the workflow runs: relprobe GROUP STEP …, with the groups {', '.join(groups)}."
    if not rare:
        steps = f"`relprobe --help {ALL}` also lists {', '.join(hidden)} and the steps that the workflow runs."
    return "\n".join(["usage: relprobe COMMAND …; relprobe COMMAND --help says more", "", *lines, "", steps])
