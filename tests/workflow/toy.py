"""The studies in miniature, as a user would run them: offline, in seconds, with two random models."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import yaml
from relprobe.lm.score_files.store import ASKED, DEPENDS

from tests.facts import WHOLE as STUDIES
from tests.facts import facts_by_study
from tests.paths import ROOT
from tests.sources.made import systematicity_data
from tests.workflow import toy_data
from tests.workflow.toy_models import causal_model, masked_model

SECTIONS = {
    "relations": {
        "prompts": "data/relations.yaml",
        "tuples": ["own_tuples"],
        "top_k": 30,
        "word_sample": {"targets": 2, "models": ["tiny-causal"]},
        "word_list": {"frequent": 40},
        "top_words": 10,
        "choices": {"minimum_targets": 1},
    },
    "definitions": {
        "prompts": "data/definitions.yaml",
        "capitals": ["tiny-causal"],
        "targets": ["nod"],
        "word_boundary": True,
    },
    "systematicity": {
        "categories": systematicity_data.CATEGORIES,
        "top_k": 20,
        "wordings": 2,
        "training": {"hidden": 4, "epochs": 2, "seeds": 2},
    },
    "analogies": {
        "supervised": {"seeds": [1], "epochs": 3, "hidden": [4]},
        "sample": {"instances": 9},
        "split": {"draws": 2},
    },
    "degrees": {"prompts": "data/degrees.yaml"},
    "pairs": {"prompts": "data/pairs.yaml", "wordnet": {"words": 200, "each": 1}},
}
"""Study -> its section of the configuration."""
CONFIG = {
    "models": {
        "tiny-masked": {"type": "masked", "path": "data/masked"},
        "tiny-causal": {"type": "causal", "path": "data/causal"},
        "tiny-few": {"model": "tiny-causal", "shots": 2, "studies": ["relations"]},
        "tiny-list": {"model": "tiny-causal", "task": "list", "chat": True, "samples": 2},
    },
    "encoders": {"tiny-encoder": {"path": "data/masked", "pooling": "mask"}},
    "vectors": {"tiny-vectors": {"path": "data/subwords.bin"}},
    "lexicon": {"panel": ["tiny-masked", "tiny-causal"]},
    "resources": {
        "wordnet": {"path": "data/wordnet"},
        "own_tuples": {"path": "data/tuples.csv"},
        "human_responses": {"path": "data/humans.json"},
        "word_counts": {"path": "data/counts.csv"},
        "definition_answers": {"path": "data/ranks.csv"},
        "static_vectors": {"path": "data/vectors.txt"},
        "systematicity": {"path": "data/systematicity"},
        "corpus": {"path": "data/corpus.txt"},
        "bats": {"path": "data/bats"},
        "semeval2012": {"path": "data/semeval"},
        "judged_pairs": {"path": "data/judged.csv"},
        "pair_answers": {"path": "data/judges.csv"},
    },
}
SHIPPED = (
    "Snakefile",
    "workflow",
    "envs",
    "resources/prompts",
    "resources/relations",
    "resources/languages",
    "resources/published",
)
SHARED = re.compile(
    r"workflow/.*\.(py|pyc|smk)$|\.snakemake/relprobe/(?!run\.jsonl)|results/(?!logs/).*\.(parquet|csv|svg|png|html|rst)$"
)
"""Files of a study that nobody writes into: a changed one is another file in its place. Copies of a study share them."""
QUICK = ("--cores", "2", "--max-threads", "1", "--scheduler", "greedy")
"""Two jobs at a time, of one thread each."""


@dataclass(frozen=True)
class Study:
    """A checkout of the workflow with a configuration of its own."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    @property
    def config(self) -> dict:
        return yaml.safe_load((self.folder / "config.yaml").read_text())

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def configure(self, **changes) -> None:
        """Change keys of the configuration; a key whose value is None is taken away."""
        config = {key: value for key, value in {**self.config, **changes}.items() if value is not None}
        (self.folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def set(self, study: str, **settings) -> None:
        """Change settings of a study."""
        self.configure(**{study: {**self.config[study], **settings}})

    def unset(self, study: str, setting: str) -> None:
        """Take a setting out of a study."""
        self.configure(**{study: {key: value for key, value in self.config[study].items() if key != setting}})

    def only(self, *studies: str) -> None:
        """Take the other studies out of the configuration."""
        self.configure(**{study: None for study in STUDIES if study not in studies})

    def leave_alone(self, study: str, **agents: dict) -> None:
        """Make agents the only ones of a study, beside controls; the lexicon's models take part in another study."""
        other = "definitions" if study == "relations" else "relations"
        self.only(study, other)
        models = {name: entry for name, entry in self.config["models"].items() if not {"task", "layers"} & set(entry)}
        own = {name: {**entry, "studies": [study]} for name, entry in agents.items()}
        self.configure(models={name: {**entry, "studies": [other]} for name, entry in models.items()} | own)
        if study == "relations":
            self.unset("relations", "word_sample")

    def add_model(self) -> None:
        """Add the causal model tiny-new to the configuration."""
        causal_model(self.folder / "data/new", seed=3)
        self.configure(models={**self.config["models"], "tiny-new": {"type": "causal", "path": "data/new"}})

    def edit(self, module: str, text: str = "assert True") -> None:
        """Add a line of code, which changes nothing, to the end of a module of relprobe."""
        path = own(self.folder / "workflow/scripts/relprobe" / module)
        path.write_text(f"{path.read_text()}\n{text}\n")

    def python(self, *words: str) -> subprocess.CompletedProcess:
        """Run `python -m WORDS` here."""
        command = [sys.executable, "-m", *words]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess:
        return self.python("snakemake", *QUICK, *arguments)

    def start(self, log: Path, *arguments: str) -> subprocess.Popen:
        """Start a run in a process group of its own; what it says goes into a file."""
        command = [sys.executable, "-m", "snakemake", *QUICK, *arguments]
        with log.open("w") as said:
            return subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=said, stderr=said, start_new_session=True
            )

    def kill(self, run: subprocess.Popen) -> None:
        """Kill a run and wait until nothing is at work here: the server of the tests kills what it runs for a killed one."""
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        while self.at_work():
            time.sleep(0.01)

    def at_work(self) -> list[Path]:
        """The processes whose working directory is the study."""
        return [process for process in Path("/proc").glob("[0-9]*") if _folder_of(process) == self.folder]

    def finish(self, *arguments: str) -> "Study":
        """Run to the end."""
        done = self.snakemake(*arguments)
        assert done.returncode == 0, done.stderr
        return self

    def error(self, *arguments: str) -> str:
        """What is said on a run that ends with an error, in sentences."""
        done = self.snakemake(*arguments)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        # A mistake in the configuration is a WorkflowError, a job that fails a CalledProcessError. Any other error
        # "in file" is one of the workflow's own code.
        assert re.findall(r"\b(?!Workflow|CalledProcess)\w*Error in file.*", done.stderr) == []
        return done.stderr

    def scheduled(self, *arguments: str) -> dict[str, int]:
        """The jobs that a dry run schedules: rule -> number, without `all`."""
        done = self.snakemake("--dry-run", "--quiet=rules", *arguments)
        assert done.returncode == 0, done.stderr
        rows = re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE)
        return {rule: int(count) for rule, count in rows if rule not in ("all", "total")}

    def planned(self, *arguments: str) -> Counter[tuple[str, str]]:
        """The jobs that a dry run schedules: (rule, wildcards or "") -> number."""
        done = self.snakemake("--dry-run", *arguments)
        assert done.returncode == 0, done.stderr
        jobs = re.findall(r"^(?:local)?rule (\w+):\n((?:    .+\n)+)", done.stdout + done.stderr, re.MULTILINE)
        return Counter((rule, "".join(re.findall(r"wildcards: (.*)", about))) for rule, about in jobs)

    def table(self, name: str) -> pl.DataFrame:
        """A Parquet or CSV file of the results."""
        path = self.results / name
        return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path, infer_schema_length=None)

    def left_behind(self) -> list[Path]:
        """What only a job that was killed leaves in the results: partial files, and stores of answers without an end."""
        files = list(self.results.rglob("*"))
        stores = [file.parent for file in files if file.name == DEPENDS]
        return [file for file in files if file.suffix == ".partial"] + [
            one for one in stores if not (one / ASKED).exists()
        ]

    def tables(self) -> dict[str, pl.DataFrame]:
        """All Parquet tables of the results."""
        return {str(path.relative_to(self.results)): pl.read_parquet(path) for path in self.results.rglob("*.parquet")}

    def csv_files(self) -> dict[str, bytes]:
        """All CSV files of the results."""
        return {str(path.relative_to(self.results)): path.read_bytes() for path in self.results.rglob("*.csv")}

    def assert_ends_as(self, other: "Study") -> None:
        """There are the same results, file by file: the Parquet tables by what they hold, the CSV files byte by byte."""
        there, here = self.tables(), other.tables()
        assert there.keys() == here.keys()
        assert [name for name in here if not there[name].equals(here[name])] == []
        written, expected = self.csv_files(), other.csv_files()
        assert written.keys() == expected.keys()
        assert [name for name in expected if written[name] != expected[name]] == []

    def copy(self, folder: Path) -> "Study":
        """A copy to change. What SHARED matches is a link, in half the time; a test that writes into one takes `own`."""
        start = len(str(self.folder)) + 1

        def copy_file(file: str, target: str) -> None:
            if SHARED.match(file[start:]):
                os.link(file, target)
                about = os.stat(file)  # noqa: PTH116 (there are thousands)
                _linked.setdefault(about.st_ino, (file, about.st_mtime_ns, about.st_size))
            else:
                shutil.copy2(file, target)

        shutil.copytree(self.folder, folder, symlinks=True, copy_function=copy_file)
        return Study(folder, self.environment)


_linked: dict[int, tuple[str, int, int]] = {}
"""The files that copies share: inode -> path of the original, time and size, as they were when the first copy was made."""


def own(file: Path) -> Path:
    """Give a study a file of its own in place of one that it shares with its original, so that a test may write into it."""
    content, about = file.read_bytes(), file.stat()
    file.unlink()
    file.write_bytes(content)
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    return file


def written_in_place() -> list[str]:
    """The shared files that somebody has written into or touched since the last call: their originals have changed, too."""
    return [file for inode, (file, *was) in list(_linked.items()) if _has_changed(inode, file, was)]


def _has_changed(inode: int, file: str, was: list[int]) -> bool:
    """Whether a file is shared still, and is not as it was; what is no longer shared is forgotten."""
    try:
        about = os.stat(file)  # noqa: PTH116
    except FileNotFoundError:
        about = None
    if about is None or about.st_ino != inode or about.st_nlink == 1:
        del _linked[inode]
        return False
    _linked[inode] = file, about.st_mtime_ns, about.st_size
    return [about.st_mtime_ns, about.st_size] != was


def _folder_of(process: Path) -> Path | None:
    """The working directory of a process; None if it is gone."""
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None


def make(folder: Path, studies: Iterable[str] = STUDIES, environment: Mapping[str, str] = os.environ) -> Study:
    """Write the workflow, the data and a configuration of the given studies into `folder`."""
    for name in SHIPPED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    toy_data.write(folder / "data")
    masked_model(folder / "data/masked", seed=1, more=toy_data.MASKED_WORDS)
    causal_model(folder / "data/causal", seed=2, more=toy_data.ITEM_WORDS)
    config = {**CONFIG, **facts_by_study(studies, SECTIONS, __file__)}
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    return Study(folder, environment)
