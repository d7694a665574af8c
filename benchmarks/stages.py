"""Time everything after scoring: 17 agents whose scores are simulated at the size of the paper's study.

usage: stages.py [CONFIG] [RESULTS]. The tuples, probes and lexicons are those of a finished run (by default config.yaml and
results): the probes are thinned out to the paper's 17,608, and each model's answers are drawn anew.
"""

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
from relprobe.lm.score_file import slot_table

ROOT = Path(__file__).parents[1]
AGENTS, PROBES, K = 17, 17_608, 1000
FAMILIES = [("BERT", "masked"), ("RoBERTa", "masked"), ("OPT", "causal"), ("GPT", "causal")]


def main(config_file: Path, results: Path) -> None:
    """Print the seconds that two cores need from the scores to the report, and the peak memory of all processes."""
    with tempfile.TemporaryDirectory() as folder:
        simulate(Path(folder), yaml.safe_load(config_file.read_text()), results)
        seconds, peak = watched(["--quiet", "all", "--rerun-triggers", "mtime", "--cores", "2"], Path(folder))
    print(f"{AGENTS} agents, {PROBES:,} probes, {K} words each: {seconds:.0f} s, peak {peak / 2**30:.2f} GiB")


def simulate(folder: Path, config: dict[str, Any], results: Path) -> None:
    """Lay out a study in `folder` that is done as far as scoring: every file is newer than those it is made from."""
    for part in ("workflow", "envs", "resources/prompts", "resources/published"):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy2(ROOT / "Snakefile", folder)
    (folder / "resources/fetched/models").mkdir(parents=True)
    (folder / "nothing").mkdir()  # what models and resources are fetched from, which they have been
    for manifest in (ROOT / "resources/fetched").glob("*.json"):
        shutil.copy2(manifest, folder / "resources/fetched")
    humans = "human_responses" in config["resources"]
    if humans:
        shutil.copytree(ROOT / "resources/fetched/human_responses", folder / "resources/fetched/human_responses")
    names = [f"model-{i}" for i in range(AGENTS - humans)]
    original = config["lexicon"]["panel"][0]
    config["models"] = {name: entry(i) for i, name in enumerate(names)}
    config["lexicon"]["panel"] = names[:4]
    config["resources"] = {name: {"path": "nothing"} for name in config["resources"]}
    config.pop("pathvars", None)
    config["relations"].pop("shown_probes", None)  # it may be thinned out
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    home = folder / "results/relations"
    (home / "scores").mkdir(parents=True)
    (folder / "results/lexicons").mkdir()
    for name in names:
        (folder / f"resources/fetched/models/{name}.json").write_text(json.dumps({}))
    for name in names:
        shutil.copy(results / f"lexicons/{original}.parquet", folder / f"results/lexicons/{name}.parquet")
    shutil.copy(results / "shared_lexicon.parquet", folder / "results")
    for name in ("tuples", "relata"):
        shutil.copy(results / f"relations/{name}.parquet", home)
    probes = pl.read_parquet(results / "relations/probes.parquet")
    known = pl.read_parquet(results / "shared_lexicon.parquet")["word"]
    probes = probes.filter(pl.col("target").is_in(known.implode()))
    probes = probes.sample(min(PROBES, probes.height), seed=1).sort("target", "probe_id")
    probes.write_parquet(home / "probes.parquet")
    tokens = pl.read_parquet(results / f"lexicons/{original}.parquet")
    for seed, name in enumerate(names):
        write_scores(home / f"scores/{name}.parquet", probes["probe_id"].to_list(), tokens, seed)


def entry(number: int) -> dict[str, Any]:
    """Return a model's entry of the config."""
    family, kind = FAMILIES[number % len(FAMILIES)]
    return {"type": kind, "family": family, "size": 1e8 * (1 + number), "path": "nothing"}


def write_scores(path: Path, probes: list[str], tokens: pl.DataFrame, seed: int) -> None:
    """Write K different random tokens per probe, with falling log-probabilities."""
    random = np.random.default_rng(seed)
    orders = np.stack([random.permutation(tokens.height) for _ in range(64)]).astype(np.int32)
    names = tokens["token"].to_arrow().cast("string")
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
        table = slot_table(responses, names)
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    assert writer is not None
    writer.close()


def watched(arguments: list[str], folder: Path) -> tuple[float, int]:
    """Run snakemake in `folder`; return its seconds and the peak of its processes' memory together, in bytes."""
    environment = os.environ | {"PYTHONPATH": ""}
    start, peak = time.perf_counter(), 0
    process = psutil.Popen([sys.executable, "-m", "snakemake", *arguments], cwd=folder, env=environment)
    while process.poll() is None:
        peak = max(peak, memory(process))
        time.sleep(0.1)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, "snakemake")
    return time.perf_counter() - start, peak


def memory(process: psutil.Process) -> int:
    """Return the proportional set size of a process and all below it."""
    total = 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_full_info().pss
        except psutil.NoSuchProcess:  # it has just ended
            continue
    return total


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    main(*(given + [ROOT / "config.yaml", ROOT / "results"][len(given) :]))
