"""The environments of conda: a study runs in them to its end. They are tried where conda is."""

import shutil

import pytest

from tests.workflow import toy


@pytest.mark.slow("conda installs two environments, one of them with torch")
@pytest.mark.skipif(shutil.which("conda") is None, reason="there is no conda on this machine")
def test_a_study_runs_in_the_environments_of_conda(tmp_path):
    study = toy.Study(toy.make(tmp_path / "study", ["definitions"]).folder)
    study.finish("--sdm", "conda")
    assert study.table("definitions/tables/overview.parquet").height
    assert (study.results / "report.html").is_file()
