"""The installed package: upgrades over a finished study, a folder that cannot be written, and other ways to call it."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.package.wheel.wheels import build, install, relprobe, small_study, variables
from tests.paths import ROOT
from tests.workflow.running.test_elsewhere import IMPORTER

pytestmark = pytest.mark.slow("it builds wheels and runs studies with them")
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".snakemake", "__pycache__", "results", "fetched", ".*_cache", "_build"
)


@pytest.fixture(scope="module")
def finished(installed, once):
    """A study that the installed package has finished."""

    def make(folder):
        done = relprobe(installed, small_study(folder / "study"), "run", "--cores", "2", "--scheduler", "greedy")
        assert done.returncode == 0, done.stderr

    return once("upgraded", make) / "study"


def upgrade(folder, file, old, new):
    """Install the wheel of another version of this project, in which a file of the package differs."""
    source = shutil.copytree(ROOT, folder / "source", ignore=NOT_COPIED, symlinks=True)
    path = source / "workflow/scripts/relprobe" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    (folder / "dist").mkdir()
    return install(build(source, folder / "dist"), folder / "site")


def planned(site, folder):
    """The rules of the jobs that the package in `site` would run."""
    plan = relprobe(site, folder, "run", "--dry-run", "--quiet", "rules")
    assert plan.returncode == 0, plan.stderr
    return set(re.findall(r"^(\w+) +\d+$", plan.stdout + plan.stderr, re.MULTILINE)) - {"all", "total"}


def test_an_upgrade_that_changes_the_version_makes_the_pages_anew(finished, tmp_path):
    version = re.search(r'__version__ = ".+"', (ROOT / "workflow/scripts/relprobe/version.py").read_text())[0]
    site = upgrade(tmp_path, "version.py", version, '__version__ = "99.0"')
    assert planned(site, finished) == {"report_study", "report_index"}


def test_an_upgrade_that_changes_a_metric_computes_it_and_what_follows_but_asks_no_model(finished, tmp_path):
    study = shutil.copytree(finished, tmp_path / "study", symlinks=True)
    site = upgrade(tmp_path, "studies/degrees/method.py", "result.n > 2 else", "result.n > 3 else")
    jobs = planned(site, study)
    assert {"degrees_metrics", "degrees_control_metrics", "degrees_compare", "degrees_show", "report_study"} <= jobs
    assert not jobs & {"models_snapshot", "degrees_probes", "degrees_scores"}
    done = relprobe(site, study, "run", "--cores", "2", "--scheduler", "greedy")
    assert done.returncode == 0, done.stderr
    assert planned(site, study) == set()


def test_an_upgrade_that_changes_nothing_of_a_study_computes_nothing(finished, tmp_path):
    site = upgrade(tmp_path, "command/doctor.py", "WAIT_S = 8\n", "WAIT_S = 9\n")
    assert planned(site, finished) == set()


def test_a_study_runs_from_a_package_and_with_a_home_that_cannot_be_written(installed, tmp_path):
    study, site = small_study(tmp_path / "study"), shutil.copytree(installed, tmp_path / "site")
    sealed = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && ! touch "$0/new" 2>/dev/null && exec "$@"'
    words = [sys.executable, "-m", "relprobe", "run", "--cores", "2", "--scheduler", "greedy"]
    command = ["unshare", "--mount", "sh", "-c", sealed, str(site), *words]
    if subprocess.run([*command[:6], "true"], capture_output=True, check=False).returncode:
        pytest.skip("no folder can be mounted here so that it cannot be written")
    environment = {**variables(site), "HOME": str(site)}
    for name in ("XDG_CACHE_HOME", "RELPROBE_CACHE"):
        environment.pop(name, None)
    done = subprocess.run(command, cwd=study, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (study / "results/report.html").is_file()


def test_snakemakes_options_reach_it_also_for_another_folder(installed, finished, tmp_path):
    words = ["run", "--directory", str(finished), "--forcerun", "degrees_compare", "--dry-run", "--quiet", "rules"]
    plan = relprobe(installed, tmp_path, *words)
    assert plan.returncode == 0, plan.stderr
    assert re.search(r"^degrees_compare +1$", plan.stdout + plan.stderr, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []


def test_another_workflow_uses_the_installed_one_as_a_module(installed, tmp_path):
    study = small_study(tmp_path / "study")
    code = "from relprobe.command.home import snakefile; print(snakefile())"
    found = subprocess.run(
        [sys.executable, "-c", code], env=variables(installed), capture_output=True, text=True, check=True
    ).stdout.strip()
    assert found.startswith(str(installed))
    (study / "Snakefile").write_text(IMPORTER.format(snakefile=found))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run", "--quiet", "rules"]
    plan = subprocess.run(command, cwd=study, env=variables(installed), capture_output=True, text=True, check=False)
    assert plan.returncode == 0, plan.stderr
    assert re.search(r"^relprobe_degrees_metrics +1$", plan.stdout + plan.stderr, re.MULTILINE)
