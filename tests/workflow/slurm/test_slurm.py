"""The relations study on a real SLURM of one node: submitted, interrupted, finished as a local run; one more model."""

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from tests.package.wheel.wheels import relprobe, small_study
from tests.workflow import toy

pytestmark = pytest.mark.slow("it runs studies on a SLURM of one node")

HERE = Path(__file__).parent
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "runuser")
FAST = ["--latency-wait", "5", "--slurm-init-seconds-before-status-checks", "2"]
# As the local run has it: on some processors another number of threads changes the last digit of a score.
THREADS = ["--max-threads", "1"]


def missing() -> str | None:
    """Why there can be no SLURM here."""
    if os.geteuid() != 0:
        return "SLURM's daemons are started as root"
    path = os.environ["PATH"] + ":/usr/sbin"
    absent = [name for name in NEEDED if shutil.which(name, path=path) is None]
    return f"not installed: {', '.join(absent)} (Debian: munge slurmctld slurmd slurm-client)" if absent else None


@pytest.fixture(scope="module")
def slurm():
    if reason := missing():
        pytest.skip(reason)
    # SLURM's configuration has one place, and another worker may have some of these tests.
    with FileLock("/run/relprobe-slurm.lock"):
        yield from daemons()


def daemons():
    """Start SLURM, and stop it in the end."""
    # Not below pytest's folder, which is closed to the user that munged runs as.
    state = Path("/run") / f"relprobe-slurm-{os.getpid()}"
    environment = {**os.environ, "SLURM_TEST_STATE": str(state), "PATH": os.environ["PATH"] + ":/usr/sbin"}
    started = subprocess.run([HERE / "start.sh"], env=environment, capture_output=True, text=True, check=False)
    try:
        assert started.returncode == 0, started.stderr
        yield
    finally:
        subprocess.run([HERE / "stop.sh"], env=environment, capture_output=True, check=False)


@pytest.fixture(scope="module")
def submitted(slurm, server, tmp_path_factory):
    """A study finished on the cluster, one of whose scoring jobs was cancelled, and Snakemake's log of it.

    Its jobs are forks of the server of the tests: each would import Snakemake and torch anew, and those of the last test do.
    """
    study = toy.make(tmp_path_factory.mktemp("cluster") / "study", ["relations"], server.environment)
    running = submit(study)
    cancelled = wait_for_job("relations_scores", running)
    subprocess.run(["scancel", cancelled], check=True)
    with ThreadPoolExecutor(1) as pool:
        states = pool.submit(states_of_jobs, study, running)
        log = running.communicate(timeout=600)[0]
    return study, log, running.returncode, cancelled, states.result()


def states_of_jobs(study: toy.Study, running: subprocess.Popen) -> list[str]:
    """Return the lines that `relprobe status` has on jobs while a run goes on."""
    scripts = str(study.folder / "workflow/scripts")
    path = os.pathsep.join(filter(None, [study.environment.get("PYTHONPATH"), scripts]))
    environment = {**study.environment, "PYTHONPATH": path}
    command = [sys.executable, "-m", "relprobe", "status"]
    lines: list[str] = []
    while running.poll() is None:
        done = subprocess.run(command, cwd=study.folder, env=environment, capture_output=True, text=True, check=True)
        lines += [line.strip() for line in done.stdout.splitlines() if "since" in line]
        time.sleep(1)
    return lines


def submit(study: toy.Study) -> subprocess.Popen:
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", "workflow/profiles/slurm", *FAST, *THREADS]
    return subprocess.Popen(
        command,
        cwd=study.folder,
        env=study.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_for_job(rule: str, running: subprocess.Popen) -> str:
    """Return the id of the first job of a rule that is seen in the queue."""
    # The plugin names jobs by the run and says the rule in the comment.
    while running.poll() is None:
        queue = subprocess.run(
            ["squeue", "--noheader", "--format=%A %k %b"], capture_output=True, text=True, check=True
        )
        for line in queue.stdout.splitlines():
            if rule in line:
                return line.split()[0]
        time.sleep(0.2)
    raise AssertionError(f"no job of {rule} was seen: {running.communicate()[0]}")


def submissions(log: str) -> int:
    return len(re.findall(r"submitted with SLURM jobid", log))


def test_the_study_finishes_though_a_job_was_cancelled(submitted):
    study, log, status, cancelled, _ = submitted
    assert status == 0, log
    assert (study.folder / "results/report.html").is_file()
    assert cancelled in log
    assert "CANCELLED" in log
    assert "Trying to restart job" in log


def test_status_says_what_waits_in_the_queue_and_what_runs(submitted):
    *_, lines = submitted
    scores = [line for line in lines if line.startswith("relations_scores ")]
    assert any("waits in the queue since" in line for line in scores), lines
    assert any("waits" not in line for line in scores), lines
    assert [line for line in lines if "waits" in line and line.startswith(("models_snapshot", "inputs_"))] == []


def test_small_jobs_are_submitted_together(submitted):
    _, log, *_ = submitted
    # The words and the tables are one job each, and the metrics of all agents and controls two. Three agents have scores,
    # one of these with other examples as well, one also answers with words, and one writes lists; one job was tried again.
    assert submissions(log) == 4 + 6 + 1


def test_the_results_are_those_of_a_local_run(submitted, relations):
    submitted[0].assert_ends_as(relations)


def test_a_second_submission_has_nothing_to_do(submitted):
    running = submit(submitted[0])
    log = running.communicate(timeout=120)[0]
    assert running.returncode == 0, log
    assert submissions(log) == 0


def test_one_more_model_submits_its_own_jobs_and_the_aggregates(submitted, tmp_path):
    study = submitted[0].copy(tmp_path / "study")
    study.add_model()
    running = submit(study)
    log = running.communicate(timeout=600)[0]
    assert running.returncode == 0, log
    # Its lexicon, its scores, its metrics, and the tables.
    assert submissions(log) == 4
    scored = re.findall(r"rule relations_scores:\n(?:.*\n)*?.*wildcards: model=(\S+)", log)
    assert set(scored) == {"tiny-new"}


def test_the_installed_package_submits_the_study_that_it_began(slurm, installed, tmp_path):
    begun = relprobe(installed, tmp_path, "init", "study", "--study", "toy", "--profile", "slurm")
    assert begun.returncode == 0, begun.stderr
    small_study(tmp_path / "study")
    words = ["run", "--profile", "slurm", *FAST, *THREADS]
    done = relprobe(installed, tmp_path / "study", *words)
    assert done.returncode == 0, done.stderr
    # The words; the scores; the metrics of the model and of the control; and the tables.
    assert submissions(done.stdout + done.stderr) == 4
    assert (tmp_path / "study/results/report.html").is_file()
    assert "Nothing to be done" in (again := relprobe(installed, tmp_path / "study", *words)).stdout + again.stderr
