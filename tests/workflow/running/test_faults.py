"""Every write fails once: the n-th write, rename or fsync of a step ends it in a sentence, and the next run is undisturbed.

The steps of the toy run one by one, as Snakemake would run them. By default there are a few; RELPROBE_FAULTS=all takes every
n of every step, and RELPROBE_FAULTS=40 forty that are drawn at random, by RELPROBE_SEED if it is set.
"""

import errno
import os
import random
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from tests.patched import Patch
from tests.workflow.toy import Study
from tests.workflow.warm import Server

FAULTS = os.environ.get("RELPROBE_FAULTS", "4")
SEED = os.environ.get("RELPROBE_SEED", FAULTS)
ERRORS = (errno.ENOSPC, errno.EIO)
JOB = re.compile(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)Shell command: .*python -m relprobe (.*)$", re.MULTILINE)
SENTENCE = re.compile(r"Error: (the disk is full|a disk, or the connection to it, fails) \(.*\): .* run again\.$")


@dataclass(frozen=True)
class Job:
    """A step with its command line and the files that it writes."""

    rule: str
    words: tuple[str, ...]
    outputs: tuple[str, ...]


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """The library that lets calls of the system fail."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no compiler of C")
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return library


@pytest.fixture(scope="module")
def faulty(faults, tmp_path_factory):
    """A server whose commands load that library."""
    server = Server(tmp_path_factory.mktemp("server"))
    with Patch.context() as patch:
        patch.setenv("LD_PRELOAD", str(faults))
        server.start(os.getpid())
    return server


def jobs_of(study: Study) -> list[Job]:
    """One job of each rule, in the order of the plan."""
    done = study.snakemake("--dry-run", "--forceall", "--printshellcmds")
    assert done.returncode == 0, done.stderr
    jobs = {}
    for rule, about, line in JOB.findall(done.stdout + done.stderr):
        outputs = re.search(r"^    output: (.*)$", about, re.MULTILINE)[1].split(", ")
        jobs.setdefault(rule, Job(rule, tuple(shlex.split(line)), tuple(outputs)))
    return list(jobs.values())


def run(study: Study, job: Job, server: Server, at: int, number: int) -> tuple[subprocess.CompletedProcess, int]:
    """Run a step whose call `at` fails with an error, none if it is 0; return also how many such calls there were."""
    count = study.folder / "count"
    count.write_bytes(bytes(8))
    path = os.pathsep.join([server.environment["PYTHONPATH"], str(study.folder / "workflow/scripts")])
    fault = {
        "FAULT_UNDER": str(study.folder),
        "FAULT_AT": str(at),
        "FAULT_ERRNO": str(number),
        "FAULT_COUNT": str(count),
    }
    environment = {**server.environment, **fault, "PYTHONPATH": path, "RELPROBE_CACHE": str(study.folder / "cache")}
    done = Study(study.folder, environment).python("relprobe", *job.words)
    return done, int.from_bytes(count.read_bytes(), "little")


def forget(study: Study, job: Job) -> None:
    """Delete what a step has written, as Snakemake does before it runs it; and the answers that it has stored."""
    for name in job.outputs:
        file = study.folder / name
        shutil.rmtree(file.with_name(f".{file.name}.store"), ignore_errors=True)
        if file.is_dir():
            shutil.rmtree(file)
        else:
            file.unlink(missing_ok=True)


def content(file: Path) -> object:
    """What a file or folder holds: tables by their values."""
    if file.is_dir():
        inside = (one for one in sorted(file.rglob("*")) if one.is_file() and not one.name.startswith("."))
        return [(one.relative_to(file), one.read_bytes()) for one in inside]
    if file.suffix == ".parquet":
        return pl.read_parquet(file).to_dicts()
    return file.read_bytes()


def check(study: Study, finished: Study, job: Job, server: Server, at: int, number: int) -> None:
    """One call fails: the step says so in one sentence and leaves nothing half-written, and the next run is undisturbed."""
    where = f"{job.rule}, call {at}, {errno.errorcode[number]}"
    forget(study, job)
    done, _ = run(study, job, server, at, number)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "Error" in line]
        assert done.returncode == 1, (where, done.stderr)
        assert len(errors) == 1, (where, done.stderr)
        assert SENTENCE.search(errors[0]), (where, done.stderr)
        assert "Traceback" not in done.stderr, (where, done.stderr)
    for name in job.outputs:
        if (study.folder / name).exists():
            assert content(study.folder / name) == content(finished.folder / name), (where, name)
    assert left_behind(study) == [], where
    forget(study, job)
    done, _ = run(study, job, server, 0, number)
    assert done.returncode == 0, (where, done.stderr)
    for name in job.outputs:
        assert content(study.folder / name) == content(finished.folder / name), (where, name)


def left_behind(study: Study) -> list[Path]:
    """Partial files; a store has some until the next job of its agent."""
    return [
        file
        for root in ("results", "resources/fetched")
        for file in (study.folder / root).rglob("*.partial")
        if not any(part.endswith(".store") for part in file.parts)
    ]


def test_a_step_of_which_one_write_fails_says_so_and_leaves_nothing_half_written(finished, study, faulty):
    jobs = jobs_of(finished)
    assert len(jobs) > 50
    moments = random.Random(int(SEED) if SEED.isdigit() else SEED)
    if FAULTS == "all":
        for job in jobs:
            forget(study, job)
            done, calls = run(study, job, faulty, 0, errno.EIO)
            assert done.returncode == 0, done.stderr
            assert calls > 0, job.rule
            for at in range(1, calls + 1):
                check(study, finished, job, faulty, at, ERRORS[at % 2])
        return
    for job in moments.sample(jobs, int(FAULTS)):
        _, calls = run(study, job, faulty, 0, errno.EIO)
        check(study, finished, job, faulty, moments.randint(1, calls), moments.choice(ERRORS))
