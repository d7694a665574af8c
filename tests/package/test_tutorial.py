"""The tutorial, the first notebook and the page that reads results, followed to the end with tiny random models."""

import csv
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import polars as pl
import pytest
import yaml

from tests.package.pages_of_docs import blocks
from tests.paths import ROOT, SCRIPTS
from tests.workflow.toy_models import causal_model, masked_model

PAGE = ROOT / "docs/tutorial.md"
NOTEBOOK = ROOT / "docs/notebooks/first.ipynb"
MAKERS = {"smollm2-135m": causal_model, "splade-tiny": masked_model}
OWN = "## 3. Describe a relation of your own"
MORE = ["Robins", "sparrows", "and", "other", "opposite", "hot", "capital", "France", "Paris", "Lyon"]
COMMAND = """#!/bin/sh
case "$1" in
  run) shift; exec {python} -m relprobe run --cores 2 --scheduler greedy "$@" ;;
  open) exec {python} -m relprobe open --print ;;
  *) exec {python} -m relprobe "$@" ;;
esac
"""


def configure(file, text, models):
    """Write the sections of a block into a configuration, with tiny models under the names of the block."""
    sections = yaml.safe_load(text)
    if "models" in sections:
        kinds = {name: entry["type"] for name, entry in sections["models"].items()}
        assert set(kinds) == set(models)
        sections["models"] = {name: {"type": kind, "path": str(models[name])} for name, kind in kinds.items()}
        known = {}
    else:
        known = yaml.safe_load(file.read_text())
    file.write_text(yaml.safe_dump({**known, **sections}, sort_keys=False))


@pytest.fixture(scope="module")
def study(once):
    """The folder of the reader's study, and what the commands printed, in their order."""
    home = once("tutorial", lambda home: (home / "printed.json").write_text(json.dumps(read(home))))
    return home / "sounds", json.loads((home / "printed.json").read_text())


def read(home):
    """Do what the page says, and return what the commands printed."""
    command = home / "bin/relprobe"
    command.parent.mkdir()
    command.write_text(COMMAND.format(python=sys.executable))
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    places = (str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"])
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(SCRIPTS), "PATH": ":".join(places)}
    environment |= {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    folder, printed, models = home / "sounds", [], {}
    skipped = PAGE.read_text("utf-8").index(OWN)  # tests/package/wheel/test_wheel.py installs, and runs the toy study
    for block in blocks(PAGE):
        if PAGE.read_text("utf-8").index(block.before) < skipped:
            continue
        if block.language == "sh":
            place = folder if folder.is_dir() else home
            done = subprocess.run(
                ["bash", "-ec", block.text], cwd=place, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, block.text + done.stdout + done.stderr
            printed.append(done.stdout + done.stderr)
        elif block.file == "config.yaml":
            if not models:
                with (folder / "tuples.csv").open() as lines:
                    words = sorted({word for row in csv.DictReader(lines) for word in (row["target"], row["relatum"])})
                models = {name: home / name for name in MAKERS}
                for name, make in MAKERS.items():
                    make(models[name], seed=1, more=[*words, "can", "animal", "sound", "that", *MORE])
            configure(folder / "config.yaml", block.text, models)
        else:
            (folder / block.file).write_text(block.text)
    return printed


@pytest.mark.slow("it computes the study of the tutorial with real models")
def test_the_tutorial_ends_with_a_manuscript_of_models_and_people(study):
    folder, _ = study
    paper = folder / "results/paper"
    assert (paper / "figures/relations/8.4cm/soundness.pdf").read_bytes().startswith(b"%PDF")
    assert "The relations are sound (16 targets under 2 prompts)" in (paper / "methods.md").read_text("utf-8")
    assert {"humans", "annotator"} <= set(pl.read_parquet(paper / "trials.parquet")["agent"])
    averages = pl.read_parquet(folder / "results/relations/tables/averages.parquet")
    sound = averages.filter(metric="soundness", relation="SOU")
    assert {"smollm2-135m", "splade-tiny", "humans", "annotator", "majority"} <= set(sound["agent"])
    assert set(sound["units"]) == {7}  # the page says how many targets people have answered
    assert (folder / "results/relations/figures/soundness.svg").is_file()


@pytest.mark.slow("it computes the study of the tutorial with real models")
def test_peoples_answers_ask_no_model_again(study):
    _, printed = study
    plans = [text for text in printed if "This was a dry-run" in text]
    assert len(plans) == 2
    first, second = (text.partition("This was a dry-run")[0] for text in plans)
    assert "relations_candidate_scores" in first
    assert "scores" not in "".join(line for line in second.splitlines() if line.startswith(("rule ", "localrule ")))


def cells():
    """The code of the notebook, cell by cell."""
    content = json.loads(NOTEBOOK.read_text("utf-8"))
    return ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]


def execute(code, monkeypatch, folder):
    """Run cells in one namespace, in a folder; return the namespace. Jupyter is not needed for that."""
    plt.switch_backend("Agg")
    monkeypatch.chdir(folder)
    everything = {}
    for cell in code:
        exec(compile(cell, NOTEBOOK.name, "exec"), everything)
    return everything


def test_the_notebook_asks_a_model_and_draws(tmp_path, monkeypatch):
    causal_model(tmp_path / "resources/fetched/models/smollm2-135m", seed=1, more=MORE)
    asked = [cell for cell in cells() if "results/" not in cell and "words." not in cell]
    everything = execute(asked, monkeypatch, tmp_path)
    assert everything["answers"].height == 10
    assert len(everything["axes"].patches) == 5
    plt.close("all")


@pytest.mark.slow("it computes the study of the tutorial with real models")
def test_the_notebook_reads_a_study(study, monkeypatch):
    folder, _ = study
    place = folder / "resources/fetched/models"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "smollm2-135m").exists():
        (place / "smollm2-135m").symlink_to(folder.parent / "smollm2-135m")
    everything = execute(cells(), monkeypatch, folder)
    assert set(everything["soundness"]["relation"]) == {"SOU", "ANI"}
    assert everything["averages"].height
    assert everything["words"].height
    plt.close("all")


@pytest.mark.slow("it computes the study of the tutorial with real models")
def test_the_lines_that_read_results_read_those_of_a_study(study, monkeypatch):
    folder, _ = study
    monkeypatch.chdir(folder)
    everything = {}
    for block in blocks(ROOT / "docs/how-to/read-results.md", "python"):
        exec(compile(block.text, block.place, "exec"), everything)
    assert everything["by_prompt"].height == 4
    assert everything["both"].height
    assert set(everything["first"]["rank"]) == {1, 2, 3}


def test_the_notebook_holds_no_output_that_nobody_computed():
    content = json.loads(NOTEBOOK.read_text("utf-8"))
    assert all(not cell.get("outputs") for cell in content["cells"])
