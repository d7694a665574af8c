"""The toy of all five studies, run to its end once for all tests of the workflow."""

import json
import shutil

import pytest

from tests.workflow import toy
from tests.workflow.warm import Server


@pytest.fixture(scope="session")
def server():
    """A process that runs the commands of toy studies without the start-up of an interpreter."""
    with Server() as server:
        yield server


@pytest.fixture(scope="session")
def finished(server, tmp_path_factory):
    """The toy of all five studies, run to its end. Tests read it; those that change something take `study`."""
    study = toy.make(tmp_path_factory.mktemp("toy") / "study")
    return toy.Study(study.folder, server.environment).finish()


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished study to change."""
    return finished.copy(tmp_path / "study")


@pytest.fixture(scope="session")
def rules(finished):
    """The rules of the workflow as Snakemake understands them: rule -> what warm/rules_as_json.py says of it."""
    done = finished.python("rules_as_json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def snakemake_report(finished):
    """The file that `snakemake --report` writes."""
    finished.finish("--report", "snakemake.html")
    return finished.folder / "snakemake.html"


@pytest.fixture(scope="session")
def relations(finished, tmp_path_factory):
    """The relations study alone, finished."""
    study = finished.copy(tmp_path_factory.mktemp("relations") / "study")
    study.only("relations")
    for name in set(toy.STUDIES) - {"relations"}:
        shutil.rmtree(study.results / name)
    return study.finish()
