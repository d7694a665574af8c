"""The toy of all studies, run to its end once for all tests of the workflow."""

import json
import shutil

import polars as pl
import pytest
from relprobe.studies import studies_with

from tests.facts import WHOLE
from tests.paths import ROOT
from tests.workflow import toy, toy_data
from tests.workflow.shared_toy import finished_toy, server_of_run

EMBEDDED = tuple(name for name in studies_with(lambda study: study.layers and study.sentences) if name in WHOLE)
"""The whole studies that read hidden states."""
TABLES = ("layers", "trends", "halves", "against_last", "series", "tests")
"""Those that layers are part of, or must not be."""


@pytest.fixture(scope="session")
def server(once, pytestconfig):
    """A process that runs the commands of toy studies without the start-up of an interpreter."""
    return server_of_run(once, pytestconfig)


@pytest.fixture(scope="session")
def finished(server, once):
    """The toy of all studies, run to its end. Tests read it; those that change something take `study`."""
    return finished_toy(once, server)


@pytest.fixture(autouse=True)
def originals_as_they_were():
    """No test writes into a file that a copy shares with the study that others read."""
    yield
    assert toy.written_in_place() == [], "the test, or one that ran beside it, must take `toy.own` before it writes"


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished study to change."""
    return finished.copy(tmp_path / "study")


@pytest.fixture(scope="session")
def unmade(finished, once):
    """The toy of which nothing is made; only what a plan and a step keep of the code is there, as after a first plan."""

    def make(folder):
        study = finished.copy(folder / "study")
        kept = study.folder / ".snakemake"
        made = [study.results, study.folder / "resources/fetched", *kept.iterdir()]
        for place in set(made) - {kept / "relprobe", kept / "metadata"}:
            shutil.rmtree(place)
        (kept / "metadata").unlink()  # a link into the results

    return toy.Study(once("unmade", make) / "study", finished.environment)


@pytest.fixture
def begun(unmade, tmp_path):
    """A study of which nothing is made yet, to change: for tests that only plan it, or that make little of it."""
    return unmade.copy(tmp_path / "study")


@pytest.fixture(scope="session")
def rules(finished, once):
    """The rules of the workflow as Snakemake understands them: rule -> what warm/rules_as_json.py says of it."""

    def write(folder):
        done = finished.python("rules_as_json")
        assert done.returncode == 0, done.stderr
        (folder / "rules.json").write_text(done.stdout)

    return json.loads((once("rules", write) / "rules.json").read_text())


@pytest.fixture(scope="session")
def snakemake_report(finished, once):
    """The file that `snakemake --report` writes; it locks its folder, where other workers may be at work."""
    place = once(
        "snakemake_report", lambda folder: finished.copy(folder / "study").finish("--report", "snakemake.html")
    )
    return place / "study/snakemake.html"


@pytest.fixture(scope="session")
def alone(finished, once):
    """A study of the toy without the others, finished: a plan of it takes half the time. To read, as `finished`."""

    def study(name):
        def make(folder):
            study = finished.copy(folder / "study")
            study.only(name)
            for other in set(toy.STUDIES) - {name}:
                shutil.rmtree(study.results / other)
            study.finish()

        return toy.Study(once(f"{name} alone", make) / "study", finished.environment)

    return study


@pytest.fixture(scope="session")
def relations(alone):
    """The relations study alone, finished."""
    return alone("relations")


@pytest.fixture(scope="session")
def embedded(finished, once):
    """The toy's studies that read hidden states, of a model and of an agent whose states are read after each layer.

    The analogies study ends with its pages, and has the demonstration's pairs in place of BATS; the others end with tables.
    """

    def make(folder):
        study = finished.copy(folder / "study")
        study.only("analogies")
        models = {"tiny-causal": toy.CONFIG["models"]["tiny-causal"]}
        models["tiny-states"] = {"model": "tiny-causal", "layers": "all"}
        resources = {name: entry for name, entry in study.config["resources"].items() if name != "bats"}
        study.configure(models=models, resources=resources, encoders=None, lexicon=None)
        pairs = ROOT / "resources/analogies/demonstration.csv"
        study.set("analogies", demonstration=str(pairs), sample={"tuples": 8, "instances": 4})
        table = pl.read_csv(pairs)
        words = {*table["head"], *table["tails"].str.split("/").explode()} - {*toy_data.VECTOR_WORDS}
        toy_data.write_vectors(study.folder / "data/vectors.txt", [*toy_data.VECTOR_WORDS, *sorted(words)])
        study.finish()
        others = [name for name in EMBEDDED if name != "analogies"]
        study.configure(**{name: toy.SECTIONS[name] for name in others})
        study.finish(*(f"results/{name}/tables/{one}.csv" for name in others for one in TABLES))

    return toy.Study(once("embedded", make) / "study", finished.environment)
