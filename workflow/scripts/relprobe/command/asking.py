"""What a run would ask the agents that only chat: how many questions, and in how many tokens at most."""

import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from relprobe.command.events import RunState
from relprobe.command.home import own_config

REPLIES = "_replies"
"""How the names of the rules end whose jobs ask agents that only chat."""
UNKNOWN = "{agent}, {study}: it is not known yet how many questions there are ({reason})"


def has_chat_models(files: list[str], folder: Path = Path()) -> bool:
    """Return whether the study of a folder has agents that only chat. `files`: the configurations after --configfile."""
    configuration = own_config(folder)
    for file in [*([configuration] if configuration else []), *map(Path, files)]:
        try:
            content = yaml.safe_load(file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError, yaml.YAMLError):  # ValueError: no UTF-8, or no date
            continue  # the workflow says what is wrong with it
        models = content.get("models") if isinstance(content, dict) else None
        entries = models.values() if isinstance(models, dict) else []
        if any(isinstance(entry, dict) and {"endpoint", "task"} <= set(entry) for entry in entries):
            return True
    return False


def expectations(run: RunState, variables: Mapping[str, str], folder: Path = Path()) -> Iterator[str]:
    """Yield a sentence for each planned step that asks an agent that only chats.

    `run`: the jobs of a dry run; `folder`: the folder of its study, in which steps run.
    """
    for words in steps(run):
        command = [sys.executable, "-m", *words, "--dry-run"]
        step = subprocess.run(  # noqa: S603
            command, cwd=folder, env=dict(variables), capture_output=True, text=True, check=False
        )
        if step.returncode == 0:
            yield step.stdout.strip()
        else:
            yield UNKNOWN.format(agent=_agent(words), study=words[1], reason=_reason(words, step.stderr, folder))


def steps(run: RunState) -> list[list[str]]:
    r"""Return the words of the planned steps that ask agents that only chat, without those of the interpreter.

    >>> from relprobe.command.events import Job
    >>> command = "HF_HUB_OFFLINE=1 python -m relprobe degrees replies --server '{\"a\": 1}' --log a"
    >>> steps(RunState(jobs={1: Job(1, "degrees_replies", 0, command=command), 2: Job(2, "all", 0)}))
    [['relprobe', 'degrees', 'replies', '--server', '{"a": 1}', '--log', 'a']]
    """
    commands = [shlex.split(job.command) for job in run.jobs.values() if job.rule.endswith(REPLIES)]
    return [words[words.index("relprobe") :] for words in commands]


def _reason(words: list[str], error: str, folder: Path) -> str:
    """Return why a step cannot count its questions: an input is not there yet, or the step's own error."""
    outputs = [words[words.index(option) + 1] for option in ("--out", "--ledger")]
    for word in words:
        if word.endswith((".parquet", ".json")) and word not in outputs and not (folder / word).is_file():
            return f"{word} is made first"
    *_, last = error.strip().splitlines() or ["the step has said nothing"]
    return (last.partition("Error: ")[2] or last).rstrip(".")


def _agent(words: list[str]) -> str:
    return Path(words[words.index("--spending") + 1]).stem
