"""The workflow's own files are found from any working directory, and from another workflow that uses it as a module."""

import pytest
import yaml

from tests.workflow.toy import Study

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


def test_another_directory_has_its_own_config_and_results(finished, elsewhere):
    checkout = {path.name for path in finished.folder.iterdir()}
    caller = Study(elsewhere.parent, finished.environment)
    arguments = ["--snakefile", str(finished.folder / "Snakefile"), "--directory", str(elsewhere)]
    assert caller.scheduled(*arguments)["report_index"] == 1
    files = ["results/degrees/metrics/random.parquet", "results/degrees/probes.parquet"]
    caller.finish(*arguments, *files)
    assert all((elsewhere / file).is_file() for file in files)
    assert {path.name for path in finished.folder.iterdir()} == checkout


def test_another_workflow_uses_it_as_a_module(finished, elsewhere):
    (elsewhere / "Snakefile").write_text(IMPORTER.format(snakefile=finished.folder / "workflow/Snakefile"))
    importer = Study(elsewhere, finished.environment).finish()
    assert "tiny-causal schema" in (importer.results / "degrees/report.html").read_text()
    assert importer.scheduled() == {}
