"""Files that users bring: they may have any name, and one that was replaced, also by an older one, is noticed."""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest
from relprobe.studies import STUDIES

from tests.workflow import toy
from tests.workflow.toy import Study
from tests.workflow.toy_models import causal_model

AWKWARD = """R&D {x} #1 50% 'q' "d" $HOME;`ls` <y>|*?[z] ü~"""
"""A name with all that a shell, a format or Snakemake reads in its own way."""
REASON = re.compile("Params have changed since last execution|Updated input files")
"""Snakemake knows what is fetched by its identity, and other files by their times, which records put right."""


def replace(path: Path, older_s: int = 100) -> None:
    """Put another file of the same size in the place of one, with an older time, as mv, cp -p, rsync -a and unzip do."""
    times = path.stat()
    content = bytearray(path.read_bytes())
    last = len(content) - 1
    if path.suffix in (
        ".yaml",
        ".csv",
        ".json",
    ):  # whose last small letter says something, and the end of the last line nothing
        last = max(place for place, byte in enumerate(content) if ord("a") <= byte <= ord("z"))
    content[last] = ord("w") if content[last] == ord("v") else ord("v")
    new = path.with_name("new")
    new.write_bytes(content)
    os.utime(new, ns=(times.st_atime_ns, times.st_mtime_ns - older_s * 10**9))
    new.replace(path)


def sources(study: Study) -> list[Path]:
    """A file of each `path` of the toy; of a folder its largest one, which are the weights of a model."""
    parts = ("models", "encoders", "vectors", "resources")
    entries = [entry for part in parts for entry in study.config[part].values() if "path" in entry]
    paths = sorted({study.folder / entry["path"] for entry in entries})
    inside = [filter(Path.is_file, path.rglob("*")) if path.is_dir() else [path] for path in paths]
    return [max(some, key=lambda file: file.stat().st_size) for some in inside]


def fetching(study: Study) -> set[str]:
    models = {f"models_snapshot {name}" for name in ("tiny-masked", "tiny-causal")}
    others = {"analogies_snapshot tiny-encoder", "inputs_vectors tiny-vectors"}
    return models | others | {f"inputs_fetch {name}" for name in study.config["resources"]}


def prompts(study: Study) -> list[Path]:
    sections = [study.config.get(name, {}) for name in STUDIES]
    own = [study.folder / section["prompts"] for section in sections if "prompts" in section]
    return [*own, study.folder / "resources/prompts/systematicity.yaml"]


def descriptions(study: Study) -> list[Path]:
    """What describes relations and languages."""
    return [file for name in ("relations", "languages") for file in (study.folder / "resources" / name).iterdir()]


def reasons(study: Study, *targets: str) -> dict[str, str]:
    """Each job that a dry run plans, as RULE or RULE NAME, and why."""
    done = study.snakemake("--dry-run", *targets)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {}
    for rule, about in re.findall(r"^(?:local)?rule (\w+):\n((?:    .+\n)+)", done.stdout + done.stderr, re.MULTILINE):
        name = re.search(r"wildcards: \w+=([^\s,]+)", about)
        found[f"{rule} {name[1]}" if name else rule] = re.search(r"reason: (.*)", about)[1]
    return found


@pytest.mark.parametrize(
    ("files", "readers"),
    [
        (sources, fetching),
        (
            prompts,
            lambda _: {"relations_probes", "systematicity_probes", "degrees_probes", "definitions_scores tiny-causal"},
        ),
        (descriptions, lambda _: {"relations_probes", "relations_word_list"}),
    ],
    ids=["sources", "prompts", "descriptions"],
)
def test_an_own_file_that_is_replaced_by_an_older_one_is_noticed(study, files, readers):
    """For each file, the rules that read it are those that Snakemake names it as the reason for."""
    for file in files(study):
        replace(file)
    planned = reasons(study)
    assert {job for job in readers(study) if not REASON.search(planned.get(job, ""))} == set()


@pytest.fixture
def begun(begun):
    """The relations study alone, of which nothing is made yet."""
    begun.only("relations")
    return begun


def give_names(study: Study, name: str) -> tuple[str, ...]:
    """Give a model's folder and its tokenizer's folder, the tuples and the prompts this name."""
    data, config = study.folder / "data", study.config
    shutil.move(data / "causal", data / name)
    shutil.move(data / "tuples.csv", data / f"{name}.csv")
    plain = re.sub("[{}<>]", "", name)
    shutil.move(data / "relations.yaml", data / f"{plain}.yaml")
    config["models"]["tiny-causal"]["path"] = f"data/{name}"
    config["resources"]["own_tuples"]["path"] = f"data/{name}.csv"
    study.configure(models=config["models"], resources=config["resources"])
    study.set("relations", prompts=f"data/{plain}.yaml")
    return ("results/models/lexicon/tiny-causal.parquet", "results/relations/probes.parquet")


def test_a_file_of_any_name_is_read_and_noticed(begun):
    targets = give_names(begun, AWKWARD)
    begun.finish(*targets)
    assert begun.scheduled(*targets) == {}
    data = begun.folder / "data"
    replace(data / AWKWARD / "model.safetensors")
    replace(data / f"{AWKWARD}.csv")
    replace(data / f"{re.sub('[{}<>]', '', AWKWARD)}.yaml")
    expected = {"models_snapshot", "models_lexicon", "inputs_fetch", "relations_probes"}
    assert expected <= begun.scheduled(*targets).keys()


def test_a_plan_looks_into_no_folder_that_no_entry_names(begun):
    """A source without a `path` is not the folder of the study, which may hold the results of years."""
    place = begun.folder / "tower"
    for _ in range(40):  # each floor has two doors to the next one: nobody gets through all ways
        place.mkdir()
        (place / "again").symlink_to("next")
        place = place / "next"
    hub = {"type": "causal", "huggingface": "nobody/nothing", "revision": "main", "studies": ["relations"]}
    begun.configure(models={**begun.config["models"], "hub": hub})
    said = begun.folder / "said.txt"
    run = begun.start(said, "--dry-run", "results/models/lexicon/hub.parquet")
    try:
        assert run.wait(timeout=300) == 0, said.read_text()
    finally:
        if run.poll() is None:
            begun.kill(run)
    assert "models_snapshot" in said.read_text()


def test_weights_that_are_replaced_under_a_running_study_end_in_a_sentence(begun):
    """The plan has not seen it: the job that loads them does, and the next plan fetches them again."""
    scores = "results/relations/scores/tiny-causal.parquet"
    begun.finish("results/relations/probes.parquet", "results/models/lexicon/tiny-causal.parquet")
    target = begun.folder / "resources/fetched/models/tiny-causal/model.safetensors"
    flipped = bytearray(target.read_bytes())
    flipped[-3] ^= 4
    target.unlink()
    target.write_bytes(flipped)
    error = begun.error(scores)
    assert "tiny-causal/model.safetensors is not the file that was fetched" in error
    assert "Delete resources/fetched/models/tiny-causal.json and run again" in error
    (begun.folder / "resources/fetched/models/tiny-causal.json").unlink()
    begun.finish(scores)


@pytest.mark.slow("it asks a study's questions of two models")
def test_no_score_file_mixes_the_answers_of_two_models(begun):
    """Other weights of the same names, sizes and an older time: nothing that is stored is taken."""
    scores = "results/relations/scores/tiny-causal.parquet"
    begun.finish(scores)
    before = begun.table("relations/scores/tiny-causal.parquet")
    times = (begun.folder / "data/causal/model.safetensors").stat()
    causal_model(begun.folder / "data/causal", seed=11, more=toy.toy_data.ITEM_WORDS)
    for file in (begun.folder / "data/causal").iterdir():
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns - 10**9))
    prompts = begun.folder / "data/relations.yaml"
    prompts.write_text(prompts.read_text().replace("[DET] [W] is a kind of", "[DET] [W] is surely a kind of"))
    begun.finish(scores)
    log = (begun.results / "logs/relations/scores/tiny-causal.log").read_text()
    assert "questions were stored" not in log
    assert "none of the stored answers can be taken, as this has changed: model_files.model.safetensors" in log
    after = begun.table("relations/scores/tiny-causal.parquet")
    assert not before["logprobs"].equals(after["logprobs"])


@pytest.mark.parametrize("name", ["relations.yaml", "tuples.csv"])
def test_a_file_with_a_time_in_the_future_deletes_no_results(begun, name):
    target = "results/relations/probes.parquet"
    file = begun.folder / "data" / name
    file.write_bytes(
        file.read_bytes() + b"# " + b"x" * 2_000_000 + b"\n" if name.endswith("yaml") else file.read_bytes()
    )
    os.utime(file, (time.time() + 10**6, time.time() + 10**6))
    if name.endswith("yaml"):
        error = begun.error(target)
        assert f"data/{name} was changed at a time in the future" in error
        assert f"touch data/{name}" in error
        os.utime(file)
    begun.finish(target)
    assert begun.scheduled(target) == {}


def test_results_of_a_clock_that_was_ahead_are_kept(begun):
    """Snakemake deletes what is older than its input, at every run until that time has come."""
    target = "results/relations/examples.parquet"
    begun.finish("results/relations/probes.parquet")
    for file in begun.results.rglob("*.parquet"):
        os.utime(file, (time.time() + 10**6, time.time() + 10**6))
    done = begun.snakemake(target)
    assert done.returncode == 0, done.stderr
    assert "their times in the future are now those of today" in done.stderr
    assert begun.scheduled(target) == {}
    assert json.loads((begun.folder / "resources/fetched/own_tuples.json").read_text())["files"]
