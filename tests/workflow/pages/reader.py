"""The folders and the commands of somebody who tries what the pages say: without network and servers, and in seconds."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.paths import ROOT, SCRIPTS
from tests.workflow.toy import Study
from tests.workflow.warm.sitecustomize import SERVER

STANDS_IN = {
    "resources/fetched/models/smollm2-135m": "resources/fetched/models/tiny-causal",
    "smollm2-135m": "tiny-causal",
    "splade-tiny": "tiny-masked",
    "openai-community/gpt2": "data/causal",
    "HuggingFaceTB/SmolLM2-135M-Instruct": "data/causal",
    "MyRatings-1b.txt": "MyRatings-1a.txt",
    "--each 10": "--each 8",
    "data/relations.yaml": "data/graded.yaml",
    "data/ranks.csv": "data/questionnaire.csv",
    "data/counts.csv": "data/template_counts.csv",
    "path/to/relprobe": ".",
    "/tmp/": "",
}
"""What a page has -> what the toy study has in its place."""
CHECKOUT = ("PYTHONPATH=workflow/scripts", "snakemake", "make ", "benchmarks", "docs/")
"""What stands in the commands for a checkout; others are for the folder of a study."""
PROGRAMS = {
    "relprobe": """
case "$1" in
  run|paper) unset {server}; exec {python} -m relprobe "$@" --dry-run ;;
  open) exec {python} -m relprobe open --print ;;
  *) exec {python} -m relprobe "$@" ;;
esac""",
    "snakemake": 'exec {python} -m snakemake "$@" --dry-run',
    "make": 'exec /usr/bin/env -u MAKEFLAGS PATH="$OUTER" make --dry-run "$@"',
    "python": 'PYTHONPATH={warm}:$PYTHONPATH exec {python} "$@"',
    "chromium": 'exec /usr/bin/env PATH="$OUTER" chromium --no-sandbox "$@"',
    "python3": 'exec {python} "$@" --without-pip',
}
"""A command of the pages -> what runs. Nothing long is computed: `run`, `snakemake` and `make` only plan."""
LINKS = {
    "data/semeval2012": "semeval",
    "data/probe-generalization": "systematicity",
    "results/degrees-study": ".",
    "results/relations-human": ".",
    "old": ".",
}
"""What the toy study has under another name."""
GIVEN = (
    ".venv/bin/activate",
    *(f"data/{name}" for name in ("hyperlex-data.zip", "battig1969.csv", "human_responses.json")),
)
"""Files that no plan reads."""
ONLY_NOTED = "exit 0"
LASTING = "exec sleep 60"
SHELL = ("bash",)
"""What a shell needs itself."""


def replaced(text: str) -> str:
    """A text of a page with the names and files of the toy."""
    for there, here in STANDS_IN.items():
        text = text.replace(there, here)
    return text


class Done(NamedTuple):
    """What a block of commands has done."""

    status: int
    printed: str
    commands: list[str]
    """The commands that ran, in their order."""


class Reader:
    """A home, with the toy study as a checkout and as the folder of a study, and the commands of the pages."""

    def __init__(self, home: Path, finished: Study, noted: Mapping[str, str]) -> None:
        """`noted`: the beginnings of the commands that are not run."""
        self.home = home
        self.checkout = home / "checkout"
        finished.copy(self.checkout)
        self.study = home / "study"
        self.record = home / "commands"
        self._commands(home / "bin", noted)
        self._files()
        self.data = self._data()
        self.variables = {
            **finished.environment,
            **{"HOME": str(home), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "OUTER": os.environ["PATH"]},
            "PYTHONPATH": os.pathsep.join([finished.environment["PYTHONPATH"], str(SCRIPTS)]),
            "PATH": os.pathsep.join([str(home / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        }

    def place(self, commands: str) -> Path:
        """The folder in which commands are meant to be typed."""
        if "relprobe init" in commands:
            shutil.rmtree(self.home / "elsewhere", ignore_errors=True)
            own = self.home / "elsewhere/my-study"  # the reader has put the data of the study there
            own.mkdir(parents=True)
            (own / "data").symlink_to(self.checkout / "data")
            return self.home / "elsewhere"
        return self.checkout if any(sign in commands for sign in CHECKOUT) else self.study

    def type(self, commands: str) -> Done:
        """Run commands as a shell does."""
        self.record.write_text("")
        folder = self.place(commands)
        done = subprocess.run(
            ["/bin/bash", "-ec", replaced(commands)],
            cwd=folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout + done.stderr, self.record.read_text().splitlines())

    def _commands(self, folder: Path, noted: Mapping[str, str]) -> None:
        """Write the commands; each notes that it was called."""
        folder.mkdir(parents=True)
        programs = {beginning.split()[0]: ONLY_NOTED for beginning in noted} | {"vllm": LASTING}
        programs = {program: text for program, text in programs.items() if program not in SHELL}
        programs |= {
            name: text.format(python=sys.executable, server=SERVER, warm=Path(__file__).parents[1] / "warm")
            for name, text in PROGRAMS.items()
        }
        for program, text in programs.items():
            file = folder / program
            file.write_text(f'#!/bin/bash\necho "{program} $*" >> {shlex.quote(str(self.record))}\n{text}\n')
            file.chmod(file.stat().st_mode | stat.S_IEXEC)

    def changed(self) -> list[str]:
        """Say which data of the toy are not as they were: other commands would meet them, in whatever order."""
        return [name for name, text in self._data().items() if text != self.data[name]]

    def _data(self) -> dict[str, bytes]:
        config = yaml.safe_load((self.checkout / "config.yaml").read_text())
        paths = [entry["path"] for entry in config["resources"].values()]
        return {path: (self.checkout / path).read_bytes() for path in paths if (self.checkout / path).is_file()}

    def _files(self) -> None:
        """Put into the folders what the pages take as given."""
        here = self.checkout
        for name in ("resources/studies", "resources/analogies", "benchmarks"):
            (here / name).symlink_to(ROOT / name)
        for name in ("docs", "config"):  # some commands write there
            shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("_build", "images"))
        for link, target in LINKS.items():
            (here / link).symlink_to(target)
        for name in GIVEN:
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).touch()
        shutil.copy(ROOT / "Makefile", here)
        (here / "elsewhere").mkdir()
        (here / "elsewhere/data").symlink_to(here / "data")
        shutil.copytree(ROOT / "resources/prompts", self.study / "resources/prompts")
        shutil.copy(here / "data/relations.yaml", self.study / "resources/prompts/relations.yaml")
        shutil.copy(here / "config.yaml", self.study)
        ratings = here / "data/semeval/SemEval-2012-Baselines/PMI/PMI-Ratings-1a.txt"
        shutil.copy(ratings, self.study / "MyRatings-1a.txt")
        activate = self.home / "relprobe-env/bin/activate"  # pages that install relprobe make it
        activate.parent.mkdir(parents=True)
        activate.touch()
        (self.study / "probes.csv").write_text("text,candidate\na robin is a,bird\n")
        for name in ("data", "results", "resources/fetched"):
            (self.study / name).symlink_to(here / name)
