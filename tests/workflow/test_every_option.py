"""Every option of every command runs once to its end, on the finished toy or a part of it."""

import contextlib
import os
import re
import shlex
import subprocess
import sys

import polars as pl
import pytest
from relprobe.command.overview import dispatch
from relprobe.core.cli import main
from relprobe.library.load import load
from relprobe.steps import COMMANDS, GROUPS, PROGRAMS

from tests.lm.served.stub import Stub
from tests.paths import ROOT

TOY = "data/causal"
CASES = {
    "init": [
        "FOLDER --study toy --profile slurm",
        "FOLDER-of-pairs --pairs pairs.csv --answers answers.csv --language de",
    ],
    "run": [
        "relations --dry-run",
        "results/sources.csv --cores 1 --profile workstation",
        "results/degrees/ratings/tiny-causal.parquet --cores 1 --ask-anew",
        "--help-snakemake",
    ],
    "status": [""],
    "open": ["relations --print"],
    "ask": [f"'a robin is a kind of [SLOT]' --model {TOY} --target robin -k 3"],
    "paper": ["definitions --all --width 8.4cm --png --cores 1", "--dry-run"],
    "doctor": ["", "--pin"],
    "store": ["", "--drop"],
    "score": [
        f"--model {TOY} --probes probes.csv --out a.parquet --kind causal --revision main --dtype float32 --device cpu"
        " --batch-tokens 64 --threads 1 --context Birds. --log a.log",
        f"--model {TOY} --probes slots.csv --out b.csv --k 3 --words words.txt --word-ends true --join space",
        f"--model {TOY} --probes probes.csv --out c.csv --chat true --system Short. --instruction Go. --shots shots.csv",
        f"--model ENDPOINT --probes probes.csv --out d.csv --name toy --tokenizer {TOY} --key-env TOY_KEY --timeout 30",
    ],
}
"""Command -> the words after it. FOLDER and ENDPOINT are put in."""
FILES = {
    "probes.csv": "text,candidate\na robin is a,bird\n",
    "slots.csv": "text\na robin is a [SLOT]\n",
    "words.txt": "bird\nanimal\nday\nhome\n",
    "shots.csv": "text,candidate\na house is a,home\n",
    "pairs.csv": "tool;activity\nSäge;sägen\nSäge;schneiden\nHammer;klopfen\nBesen;fegen\n",
    "answers.csv": "word,participant,answer\nSäge,a1,sägen\nHammer,a1,hämmern\nSäge,a2,Schneiden\n",
}
ELSEWHERE = {"--help"}
"""What every command has, and what tests of its help run."""


def options_of(text):
    """The options that a help names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", re.sub(r"`[^`]+`", "", text)))


def relprobe(folder, environment, *words):
    """Run a command in a process of its own, which may become Snakemake; the steps of a run go to the tests' server."""
    program = "import sys; from relprobe.__main__ import run; sys.exit(run())"
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", [*PROGRAMS, "score"])
def test_every_option_has_a_case(command, capsys):
    """This takes no time, and on every commit it says what the slow test below lacks."""
    with contextlib.suppress(SystemExit):
        if dispatch(PROGRAMS, [command, "--help"], GROUPS) is None:
            main(GROUPS, [command, "--help"], COMMANDS)
    used = {option for words in CASES[command] for option in options_of(words)}
    assert options_of(capsys.readouterr().out) - ELSEWHERE <= used


@pytest.mark.slow("it runs each command of the finished toy, and draws a study's figures")
@pytest.mark.parametrize("command", [*PROGRAMS, "score"])
def test_every_option_runs_to_its_end(command, study, tmp_path, monkeypatch):
    for name, text in FILES.items():
        (study.folder / name).write_text(text)
    monkeypatch.setenv("TOY_KEY", "open-sesame")
    place = ROOT if command in ("init", "score") else study.folder  # the toy has no studies to begin with
    path = os.pathsep.join([f"{place}/workflow/scripts", study.environment.get("PYTHONPATH", "")])
    environment = {**study.environment, "TOY_KEY": "open-sesame", "PYTHONPATH": path}
    assert relprobe(study.folder, environment, command, "--help").returncode == 0
    for words in CASES[command]:
        with served(study, "ENDPOINT" in words) as endpoint:
            text = words.replace("FOLDER", str(tmp_path / "new")).replace("ENDPOINT", endpoint)
            done = relprobe(study.folder, environment, command, *shlex.split(text))
        assert "Traceback" not in done.stdout + done.stderr
        if command != "doctor":  # it says what cannot be reached, and that with its status
            assert done.returncode == 0, done.stderr
    _check(command, study, tmp_path)


def _check(command, study, folder):
    """The command has done what it is for."""
    made = {
        "init": [
            folder / f"new{file}" for file in ("/config.yaml", "/profiles/slurm/config.yaml", "-of-pairs/config.yaml")
        ],
        "score": [study.folder / name for name in ("a.log", "b.csv", "c.csv", "d.csv")],
    }
    assert [str(file) for file in made.get(command, []) if not file.is_file()] == []
    if command == "paper":
        drawn = study.results / "paper/figures/definitions/8.4cm"
        assert {file.suffix for file in drawn.iterdir() if not file.name.startswith(".")} == {".pdf", ".png"}
    if command == "score":
        assert set(pl.read_csv(study.folder / "b.csv")["word"]) <= set(FILES["words.txt"].split())


class served:  # noqa: N801 (a context)
    """The address of a server of the toy's causal model, if one is needed."""

    def __init__(self, study, needed):
        self.stub = None
        if needed:
            engine = load(study.folder / TOY, progress=False).engine
            self.stub = Stub(engine.net, engine.encoder.tokenizer, key="open-sesame", max_logprobs=10_000)

    def __enter__(self):
        return self.stub.__enter__().endpoint if self.stub else ""

    def __exit__(self, *about):
        if self.stub:
            self.stub.__exit__(*about)
