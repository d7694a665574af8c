"""What a run would ask the agents that only chat: how many questions, and in how many tokens at most."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from relprobe.command.home import own_config

REPLIES = re.compile(r"^Shell command: (?:\w+=\S+ )*python -m (relprobe \w+ replies .*)$", re.MULTILINE)
"""The command of a step that asks an agent that only chats, as Snakemake prints it."""
UNKNOWN = "{agent}, {study}: it is not known yet how many questions there are ({reason})"


def has_participants(files: list[str], folder: Path = Path()) -> bool:
    """Say whether the study of a folder has agents that only chat. `files`: the configurations after --configfile."""
    own = own_config(folder)
    for file in [*([own] if own else []), *map(Path, files)]:
        try:
            content = yaml.safe_load(file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError, yaml.YAMLError):  # ValueError: no UTF-8, or no date
            continue  # the workflow says what is wrong with it
        models = content.get("models") if isinstance(content, dict) else None
        entries = models.values() if isinstance(models, dict) else []
        if any(isinstance(entry, dict) and {"endpoint", "task"} <= set(entry) for entry in entries):
            return True
    return False


def expectations(command: list[str], variables: Mapping[str, str], folder: Path = Path()) -> Iterator[str]:
    """Yield a sentence for each planned step that asks an agent that only chats.

    `command`: a dry run of Snakemake; `folder`: the folder of its study, in which steps run.
    """
    plan = [*command, "--printshellcmds"]
    done = subprocess.run(plan, env=dict(variables), capture_output=True, text=True, check=False)  # noqa: S603
    for words in steps(done.stdout + done.stderr):
        asked = [sys.executable, "-m", *words, "--dry-run"]
        step = subprocess.run(  # noqa: S603
            asked, cwd=folder, env=dict(variables), capture_output=True, text=True, check=False
        )
        if step.returncode == 0:
            yield step.stdout.strip()
        else:
            yield UNKNOWN.format(agent=_agent(words), study=words[1], reason=_reason(words, step.stderr, folder))


def steps(printed: str) -> list[list[str]]:
    r"""Return the words of the planned steps that ask agents that only chat, without those of the interpreter.

    >>> printed = "rule x:\nShell command: HF_HUB_OFFLINE=1 python -m relprobe degrees replies --server '{\"a\": 1}' --log a"
    >>> steps(printed)
    [['relprobe', 'degrees', 'replies', '--server', '{"a": 1}', '--log', 'a']]
    """
    return [shlex.split(command) for command in REPLIES.findall(printed)]


def _reason(words: list[str], error: str, folder: Path) -> str:
    """Say why a step cannot count its questions: an input is not there yet, or the step's own error."""
    outputs = [words[words.index(option) + 1] for option in ("--out", "--ledger")]
    for word in words:
        if word.endswith((".parquet", ".json")) and word not in outputs and not (folder / word).is_file():
            return f"{word} is made first"
    *_, last = error.strip().splitlines() or ["the step has said nothing"]
    return (last.partition("Error: ")[2] or last).rstrip(".")


def _agent(words: list[str]) -> str:
    return Path(words[words.index("--spending") + 1]).stem
