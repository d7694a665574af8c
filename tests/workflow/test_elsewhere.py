"""The workflow's own files are found from any working directory, and from another workflow that uses it as a module."""

import subprocess
import sys

import pytest
import yaml

from tests.workflow.toy import QUICK

IMPORTER = """
configfile: "config.yaml"


module relprobe:
    snakefile:
        "{snakefile}"
    config:
        config


use rule * from relprobe as relprobe_*


rule all:
    default_target: True
    input:
        "results/degrees/report.html",
"""


@pytest.fixture
def elsewhere(finished, tmp_path):
    """An empty folder beside the checkout, with a configuration of its own: paths from here, and the shipped prompts."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "semeval").symlink_to(finished.folder / "data/semeval")
    config = {
        "models": {"tiny-causal": {"type": "causal", "path": str(finished.folder / "data/causal")}},
        "resources": {"semeval2012": {"path": "semeval"}},
        "degrees": {"raters": ["schema"], "baselines": ["random"]},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    return folder


def run(finished, folder, *arguments):
    """Run Snakemake in `folder`; its error says what was wrong."""
    command = [sys.executable, "-m", "snakemake", *QUICK, *arguments]
    done = subprocess.run(command, cwd=folder, env=finished.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_another_directory_has_its_own_config_and_results(finished, elsewhere):
    checkout = {path.name for path in finished.folder.iterdir()}
    arguments = ["--snakefile", str(finished.folder / "Snakefile"), "--directory", str(elsewhere)]
    said = run(finished, elsewhere.parent, *arguments, "--dry-run")
    assert "report_index" in said
    run(
        finished,
        elsewhere.parent,
        *arguments,
        "results/degrees/metrics/random.parquet",
        "results/degrees/probes.parquet",
    )
    assert (elsewhere / "results/degrees/metrics/random.parquet").is_file()
    assert (elsewhere / "results/degrees/probes.parquet").is_file()
    assert {path.name for path in finished.folder.iterdir()} == checkout


def test_another_workflow_uses_it_as_a_module(finished, elsewhere):
    (elsewhere / "Snakefile").write_text(IMPORTER.format(snakefile=finished.folder / "workflow/Snakefile"))
    run(finished, elsewhere)
    page = (elsewhere / "results/degrees/report.html").read_text()
    assert "tiny-causal schema" in page
    assert "nothing to be done" in run(finished, elsewhere, "--dry-run").lower()
