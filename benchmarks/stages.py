"""Time everything after scoring: 17 agents, whose scores are simulated at the size of the paper's study.

The tuples, probes and lexicons are those of a finished run of the relations study. The probes are a sample of the paper's
size, 17,608, and the responses of each model are random.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import psutil
import pyarrow.parquet as pq
import yaml
from relprobe.lm.requests import SlotResponse
from relprobe.lm.score_files.slots import slot_table

ROOT = Path(__file__).parents[1]
K = 1000
FAMILIES = [("BERT", "masked"), ("RoBERTa", "masked"), ("OPT", "causal"), ("GPT", "causal")]


def main(args: argparse.Namespace) -> None:
    """Print the seconds that two cores need from the scores to the report, the peak memory and the size of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        simulate(folder, yaml.safe_load(args.config.read_text()), args)
        seconds, peak = run(["--quiet", "all", "--rerun-triggers", "mtime", "--cores", "2"], folder)
        page = (folder / "results/relations/report.html").stat().st_size
    print(
        f"{args.agents} agents, {args.probes:,} probes, {K} words each: {seconds:.0f} s, "
        f"peak {peak / 2**30:.2f} GiB, page {page / 1e6:.1f} MB"
    )


def simulate(folder: Path, config: dict[str, Any], args: argparse.Namespace) -> None:
    """Write a study into `folder` that is done up to scoring: every file is newer than the files that it depends on."""
    for part in ("workflow", "envs", "resources"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("fetched"))
    shutil.copy2(ROOT / "Snakefile", folder)
    (folder / "resources/fetched/models").mkdir(parents=True)
    (folder / "nothing").mkdir()  # the source of models and resources, which are there already
    for manifest in sorted((ROOT / "resources/fetched").glob("*.json"), key=lambda file: file.stat().st_mtime):
        shutil.copy(manifest, folder / "resources/fetched")  # the order of their times stays
    humans = "human_responses" in config["resources"]
    for data in ("human_responses", "static_vectors"):
        if data in config["resources"]:
            shutil.copytree(ROOT / "resources/fetched" / data, folder / "resources/fetched" / data)
    names = [f"model-{i}" for i in range(args.agents - humans)]
    for name in names:
        (folder / f"resources/fetched/models/{name}.json").write_text(json.dumps({"files": {}}))
    (folder / "config.yaml").write_text(yaml.safe_dump(enlarged(config, names)))
    write_results(folder / "results", names, config["lexicon"]["panel"][0], args)


def enlarged(config: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return the config's relations study with these models in place of its own."""
    # The sample of probes may lack those that are shown, and the models have no words of any length.
    relations = {key: value for key, value in config["relations"].items() if key not in ("shown_probes", "word_sample")}
    return {
        "models": {name: entry(i) for i, name in enumerate(names)},
        "lexicon": {**config["lexicon"], "panel": names[:4]},
        "resources": {name: {"path": "nothing"} for name in config["resources"]},
        "relations": relations,
    }


def write_results(folder: Path, names: list[str], original: str, args: argparse.Namespace) -> None:
    """Write the study's words and probes, and each model's lexicon and scores, with and without targets."""
    home, models = folder / "relations", folder / "models"
    (home / "scores").mkdir(parents=True)
    (home / "without_target").mkdir()
    (models / "lexicon").mkdir(parents=True)
    for name in names:
        shutil.copy(args.results / f"models/lexicon/{original}.parquet", models / f"lexicon/{name}.parquet")
    shutil.copy(args.results / "models/shared_lexicon.parquet", models)
    for table in ("given", "tuples", "losses", "alternatives", "relata"):
        shutil.copy(args.results / f"relations/{table}.parquet", home)
    probes = pl.read_parquet(args.results / "relations/probes.parquet")
    words = pl.read_parquet(args.results / "models/shared_lexicon.parquet")["word"]
    probes = probes.filter(pl.col("target").is_in(words.implode()))
    probes = probes.sample(min(args.probes, probes.height), seed=1).sort("target", "probe_id")
    probes.write_parquet(home / "probes.parquet")
    shutil.copy(args.results / "relations/premises.parquet", home)
    premises = pl.read_parquet(home / "premises.parquet")["prompt_id"].to_list()
    tokens = pl.read_parquet(args.results / f"models/lexicon/{original}.parquet")
    for seed, name in enumerate(names):
        write_scores(home / f"scores/{name}.parquet", probes["probe_id"].to_list(), tokens, seed)
        write_scores(home / f"without_target/{name}.parquet", premises, tokens, seed)


def entry(number: int) -> dict[str, Any]:
    """Return a model's entry of the config."""
    family, kind = FAMILIES[number % len(FAMILIES)]
    return {"type": kind, "family": family, "size": 1e8 * (1 + number), "path": "nothing"}


def write_scores(path: Path, probes: list[str], tokens: pl.DataFrame, seed: int) -> None:
    """Write K different random tokens per probe, with falling log-probabilities."""
    random = np.random.default_rng(seed)
    orders = np.stack([random.permutation(tokens.height) for _ in range(64)]).astype(np.int32)
    logprobs = np.log(np.arange(1, K + 1, dtype=np.float32) ** -1.2 / 5).astype(np.float32)
    writer = None
    for start in range(0, len(probes), 4096):
        part = probes[start : start + 4096]
        places = zip(
            random.integers(len(orders), size=4096), random.integers(tokens.height - K, size=4096), strict=True
        )
        responses = [
            SlotResponse(name, orders[order, at : at + K], logprobs)
            for name, (order, at) in zip(part, places, strict=False)
        ]
        table = slot_table(responses).replace_schema_metadata({"relprobe": json.dumps({"sent": {}})})
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer is not None
    writer.close()


def run(arguments: list[str], folder: Path) -> tuple[float, int]:
    """Run snakemake in `folder`; return its seconds and the peak of its processes' memory together, in bytes."""
    environment = os.environ | {"PYTHONPATH": ""}
    start, peak = time.perf_counter(), 0
    process = psutil.Popen([sys.executable, "-m", "snakemake", *arguments], cwd=folder, env=environment)
    while process.poll() is None:
        peak = max(peak, memory(process))
        time.sleep(0.5)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, "snakemake")
    return time.perf_counter() - start, peak


def memory(process: psutil.Process) -> int:
    """Return the proportional set size of a process and of all its descendants, in bytes."""
    total = 0
    for member in [process, *process.children(recursive=True)]:
        try:
            total += member.memory_full_info().pss
        except psutil.NoSuchProcess:  # the process has just ended
            continue
    return total


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--config", type=Path, default=ROOT / "config.yaml")
    arguments.add_argument(
        "--results", type=Path, default=ROOT / "results", help="those of a finished run of the config"
    )
    arguments.add_argument("--agents", type=int, default=17)
    arguments.add_argument("--probes", type=int, default=17_608)
    main(arguments.parse_args())
