"""How many jobs the profile for clusters submits, and what they ask for."""

import re
import shutil

import pytest


@pytest.fixture(scope="module")
def sixteen(finished, tmp_path_factory):
    """What a dry run on the cluster says of the relations study of 16 models of two sizes."""
    study = finished.copy(tmp_path_factory.mktemp("sixteen") / "study")
    shutil.rmtree(study.results)
    shutil.rmtree(study.folder / "resources/fetched")
    study.only("relations")
    study.unset("relations", "word_sample")
    sizes = {f"model{n}": 7e9 if n else 1e8 for n in range(16)}
    models = {name: {"type": "masked", "path": "data/masked", "size": size} for name, size in sizes.items()}
    study.configure(models=models, lexicon={"panel": ["model0"]})
    done = study.snakemake("--dry-run", "--workflow-profile", "workflow/profiles/slurm")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_study_of_16_models_is_some_20_submissions(sixteen, rules):
    # Words; the metrics of 16 models, of their own controls, of two other controls and of two of people, eight a group; the
    # tables; and a job of scores for each model.
    groups = sorted(re.findall(r"Group job (\w+)", sixteen))
    assert groups == [*["metrics"] * 5, "tables", "words"]
    submitted = [name for name in re.findall(r"^rule (\w+):", sixteen, re.MULTILINE) if name != "all"]
    single = [name for name in submitted if not rules[name]["local"]]
    assert single == ["relations_scores"] * 16


def test_a_scoring_job_asks_for_what_its_model_needs(sixteen):
    megabytes = dict(
        re.findall(r"rule relations_scores:\n(?:.*\n)*?.*model=(\w+)\n.*\n?.*resources: .*mem_mb=(\d+)", sixteen)
    )
    # On a GPU: 3,000 MB, and twice the weights or, at most, twice a file of the checkpoint.
    assert megabytes["model0"] == "3800"
    assert megabytes["model1"] == "23000"
