"""`relprobe run`: Snakemake with the workflow of this package, on the study of the working directory."""

import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relprobe.command.asking import expectations, has_chat_models
from relprobe.command.events import PLANNED, RunState, read
from relprobe.command.forecast import summary
from relprobe.command.home import own_config, profiles, root, snakefile
from relprobe.core.errors import RelprobeError
from relprobe.studies import STUDIES

HELP = """\
usage: relprobe run [STUDY | FILE …] [--profile NAME] [options of Snakemake]

Compute what is missing or out of date in the study of this folder.

  STUDY …           only these studies, each with its page and all that it shows: {studies}
  export            the results in the forms of others, which are not made otherwise
  FILE …            only these files, such as results/relations/report.html
  --dry-run         list the jobs, and compute nothing; the last lines say what they come to: submissions, hours, memory, and
                    the questions that agents which only chat would get
  --cores N         use N cores; all, if neither this nor a profile says otherwise
  --ask-anew        trust no stored answer: delete those of all models but the agents that only chat, and ask them again
  --profile NAME    profiles/NAME of this folder, or else a profile of relprobe ({profiles}) or of yours

Every other option of Snakemake works as well; `relprobe run --help-snakemake` lists them.
"""
COUNTS = ("--cores", "-c", "--jobs", "-j", "--executor", "-e", "--profile", "--workflow-profile")
"""What says how much runs at a time; beside it there is no default."""
CONFIGS = ("--configfile", "--configfiles")
FOLDERS = ("--directory", "-d")
ELSEWHERE = (*CONFIGS, *FOLDERS, "--version", "--help")
"""The options with which the working directory needs no configuration."""
DRY = ("--dry-run", "--dryrun", "-n")
ANEW = "--ask-anew"
"""The option with which no stored answer is trusted."""
QUIET = ("--quiet", "-q")
SILENT = (*DRY, *QUIET, "--logger")


def main(words: list[str]) -> int:
    """Become Snakemake; return a status only if that is impossible."""
    if {"-h", "--help"} & set(words):
        print(HELP.format(profiles=", ".join(profiles()), studies=", ".join(STUDIES)), end="")
        return 0
    words = with_profile(["--help" if word == "--help-snakemake" else word for word in words])
    if reason := obstacle(words):
        print(reason, file=sys.stderr)
        return 1
    folder = Path(next(values(words, FOLDERS), ""))
    if ANEW in words:
        if has_option(words, DRY):
            print(f"{ANEW} deletes answers, so it cannot be tried: leave it out, or {DRY[0]}.", file=sys.stderr)
            return 1
        from relprobe.command.stores import forget

        words = [word for word in words if word != ANEW]
        try:
            print(forget(folder.absolute()))
        except RelprobeError as error:
            print(error, file=sys.stderr)
            return 1
    sys.stdout.flush()
    if has_option(words, DRY) and not has_option(words, QUIET):
        return _dry_run(words, folder)
    # In the place of this process: Ctrl-C, signals of a cluster and the exit status need no hand-over.
    command = [sys.executable, "-m", "relprobe.command.process", *options(words, terminal=sys.stderr.isatty())]
    return os.execve(sys.executable, command, environment(os.environ))  # noqa: S606 (no shell)


def _dry_run(words: list[str], folder: Path) -> int:
    """List the jobs in a folder, and say in ten lines what they come to; return the status of Snakemake.

    Of agents that only chat, lines of their own say what they would be asked.
    """
    done, run = dry_run(words, os.environ)
    if done.returncode:
        return done.returncode
    lines = summary(run)
    if has_chat_models([*values(words, CONFIGS)], folder):
        lines += expectations(run, environment(os.environ), folder)
    if lines:
        print("", "In short:", *lines, sep="\n")
    return 0


def dry_run(
    words: list[str], variables: Mapping[str, str], **process: Any
) -> tuple[subprocess.CompletedProcess[str], RunState]:
    """Let Snakemake plan the run in this folder; return its process, and the run with the planned jobs as its jobs.

    `words`: the options, with --dry-run. `process`: what `subprocess.run` takes beside them.
    """
    command = [sys.executable, "-m", "relprobe.command.process", *options(words, terminal=False)]
    with tempfile.TemporaryDirectory(prefix="relprobe-") as folder:
        file = Path(folder, "events.jsonl")
        inner = environment(variables) | {PLANNED: str(file)}
        done = subprocess.run(command, env=inner, text=True, check=False, **process)  # noqa: S603
        return done, read(file) or RunState()


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    r"""Return the last line that Snakemake has said, which is why it ended; one that was killed has said nothing.

    >>> last_words(subprocess.CompletedProcess([], 1, "1 of 2\n", "WorkflowError: no rule\n\n"))
    'WorkflowError: no rule'
    >>> last_words(subprocess.CompletedProcess([], -9, "", ""))
    'Snakemake ended with status -9 and said nothing'
    """
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1] if lines else f"Snakemake ended with status {done.returncode} and said nothing"


def obstacle(words: list[str]) -> str | None:
    """Return a sentence if Snakemake would not come far here, or would end in a traceback, or would wait for ever."""
    if importlib.util.find_spec("snakemake") is None:
        return "Snakemake is not installed here: install relprobe with all that it needs, without --no-deps."
    return _in_folder(words) or _in_words(words)


def _in_folder(words: list[str]) -> str | None:
    """Return a sentence if the working directory is the wrong one."""
    if Path("workflow/scripts/relprobe").is_dir() and Path("workflow").resolve() != root() / "workflow":
        return "This is a checkout of relprobe, with a workflow of its own: use `make run` here, or `snakemake`."
    if own_config() is None and not has_option(words, ELSEWHERE):
        return "There is no config.yaml here: `relprobe init FOLDER` makes a study, then `cd FOLDER`."
    if not has_option(words, FOLDERS) and not os.access(".", os.W_OK):
        return (
            f"Nothing can be written into {Path.cwd()}: copy the study to a folder of yours, or change its permissions."
        )
    return None


def _in_words(words: list[str]) -> str | None:
    """Return a sentence if a configuration is missing, or a profile is for another machine."""
    for file in values(words, CONFIGS):
        if not Path(file).is_file():
            if file in (*STUDIES, "export"):  # Snakemake's option takes all words up to the next option
                return f"The word {file} is read as a file of --configfile: put it before that option."
            return f"There is no file {file}: correct the path after --configfile."
        if reason := _in_configuration(Path(file)):
            return reason
    for profile in map(Path, values(words, ("--workflow-profile",))):
        settings = profile / "config.yaml"
        slurm = settings.is_file() and re.search(
            r"^executor: *slurm", settings.read_text("utf-8", "replace"), re.MULTILINE
        )
        if slurm and not shutil.which("sbatch") and not has_option(words, DRY):
            return (
                f"The profile {profile.name} submits to SLURM, but this machine has no sbatch: log in to the cluster."
            )
    return None


def _in_configuration(file: Path) -> str | None:
    """Return a sentence if a file after --configfile, which Snakemake reads before the workflow begins, cannot be read."""
    from relprobe.core.errors import DataError
    from relprobe.core.files import read_yaml

    try:
        read_yaml(file, as_written=True)
    except DataError as error:
        return f"config: {error}"
    return None


def options(words: list[str], *, terminal: bool) -> list[str]:
    """Return the options of Snakemake: the defaults, which a later word may change, and then the user's.

    >>> options(["--cores", "2", "results/report.html"], terminal=False)[2:]
    ['--rerun-incomplete', '--keep-going', '--cores', '2', 'results/report.html']
    """
    defaults = ["--snakefile", str(snakefile())]
    if terminal and not has_option(words, SILENT):
        defaults += ["--logger", "relprobe"]  # it takes any number of names, so an option must follow
    if (
        not has_option(words, COUNTS)
        and "SNAKEMAKE_PROFILE" not in os.environ
        and not Path("profiles/default").is_dir()
    ):
        defaults += ["--cores", "all"]
    return [*defaults, "--rerun-incomplete", "--keep-going", *words]


def with_profile(words: list[str]) -> list[str]:
    """Replace --profile NAME by the folder of this study's or this package's profile; others are left to Snakemake.

    Snakemake looks for a name in several places, not in the same ones in all its versions.
    """
    options = []
    words_left = iter(words)
    for word in words_left:
        option, equals, name = word.partition("=")
        if option != "--profile":
            options.append(word)
            continue
        name = name if equals else next(words_left, "")
        folder_here = Path("profiles", name)
        folder = folder_here if name and folder_here.is_dir() else profiles().get(name)
        options += ["--profile", name] if folder is None else ["--workflow-profile", str(folder.resolve())]
    return options


def has_option(words: list[str], names: tuple[str, ...]) -> bool:
    """Return whether one of these options is among the words, also as --cores=2 or -c2.

    >>> has_option(["-c2"], ("--cores", "-c")), has_option(["--configfile", "x"], ("--cores", "-c"))
    (True, False)
    """
    return any(word.partition("=")[0] in names or (word.startswith(names) and word[1:2] != "-") for word in words)


def values(words: list[str], names: tuple[str, ...]) -> Iterator[str]:
    """Yield the values of an option that may have several, also as --configfile=x or -dx.

    >>> list(values(["-n", "--configfile", "a.yaml", "b.yaml", "--cores", "1"], ("--configfile",)))
    ['a.yaml', 'b.yaml']
    >>> list(values(["-dstudy", "-n"], ("--directory", "-d")))
    ['study']
    """
    for position, word in enumerate(words):
        option, equals, value = word.partition("=")
        if len(word) > 2 and word[:2] in names:  # a short option: "--" is no name
            yield word[2:].removeprefix("=")
        elif option in names and equals:  # what follows names something else
            yield value
        elif option in names:
            yield from itertools.takewhile(lambda argument: not argument.startswith("-"), words[position + 1 :])


def take_values(words: list[str], names: tuple[str, ...]) -> list[str]:
    """Take an option and its values out of some words, and return the values.

    >>> words = ["-n", "--configfile", "a.yaml", "b.yaml", "--cores", "1", "--configfile=c.yaml"]
    >>> take_values(words, ("--configfile",)), words
    (['a.yaml', 'b.yaml', 'c.yaml'], ['-n', '--cores', '1'])
    """
    taken = [*values(words, names)]
    remaining: list[str] = []
    taking = False
    for word in words:
        if has_option([word], names):
            taking = word in names
        elif not (taking := taking and not word.startswith("-")):
            remaining.append(word)
    words[:] = remaining
    return taken


def environment(outer: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of Snakemake's process: it finds the terminal's plug-in, and no module of the working directory.

    The plug-in is no installed package: Snakemake imports all of them, in every workflow of the environment. Snakemake makes
    a folder in the user's cache, so a user whose home cannot be written gets one in the study.
    """
    plugins = root() / "workflow/scripts"
    path = os.pathsep.join(filter(None, [str(plugins), outer.get("PYTHONPATH")]))
    inner = {**outer, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    cache = Path(outer.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    existing = next(folder for folder in (cache, *cache.absolute().parents) if folder.exists())
    if not os.access(existing, os.W_OK):
        inner["XDG_CACHE_HOME"] = str(Path(".snakemake/relprobe/cache").absolute())
    return inner
