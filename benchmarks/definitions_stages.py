"""Measure every stage of the whole definitions study: all groups of WordNet, and a small random network.

Each stage is a process of its own, as in a run of the workflow. The seconds of the scores say nothing of a real model, but
the memory of all stages, and the seconds of the others, are those of the published study. With --simulate the scores are
random numbers in place of a network's.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
import torch
from relprobe.core.files import write_table
from relprobe.core.manifest import write_manifest
from relprobe.studies.definitions.schemas import SCORES
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from benchmarks.measure import peak_mb
from benchmarks.probes import ROOT

PROMPTS = ROOT / "resources" / "prompts" / "definitions.yaml"
ANSWERS = ROOT / "workflow" / "report" / "answers.html.j2"
AGENTS = ("small", "other", "random", "length", "frequency")


def main(wordnet: Path, folder: Path, *, simulated: bool) -> None:
    """Print the seconds, the peak memory and the size of the files of each stage."""
    groups, probes, benchmark = (folder / f"{name}.parquet" for name in ("groups", "probes", "benchmark"))
    parts = ("--parts-of-speech", "noun", "verb")
    stage("probes", dictionary=wordnet, groups=groups, probes=probes, benchmark=benchmark, more=parts)
    properties, words = folder / "properties.parquet", folder / "words.parquet"
    stage("properties", benchmark=benchmark, probes=probes, properties=properties, words=words)
    scores = folder / "scores/small.parquet"
    if simulated:
        simulate(probes, scores)
    else:
        threads = ("--capitals", "false", "--type", "causal", "--threads", str(os.cpu_count()))
        stage("scores", model=network(folder, probes), probes=probes, prompts=PROMPTS, out=scores, more=threads)
    data = {"groups": groups, "probes": probes, "properties": properties}
    folders = {"responses": "responses", "metrics": "metrics", "by_agent": "sensitivity"}
    values = {name: [folder / f"{part}/{agent}.parquet" for agent in AGENTS] for name, part in folders.items()}
    for number, agent in enumerate(AGENTS):
        out = {name: files[number] for name, files in values.items()}
        options = ("--agent", agent, "--ties", "expected" if agent == "random" else "drawn")
        if agent in ("small", "other"):
            stage("metrics", scores=scores, **data, **out, more=(*options, "--type", "causal"))
        else:
            given = {"words": words} if agent == "frequency" else {}
            stage("control_metrics", **data, **given, **out, more=options)
    sizes, averages, tests, tasks = (folder / f"{name}.parquet" for name in ("sizes", "averages", "tests", "tasks"))
    primary = [folder / f"tables/primary.{ending}" for ending in ("csv", "parquet")]
    made = {"averages": averages, "tests": tests, "tasks": tasks, "sizes": sizes, "tables": primary}
    more = ("--targets", "common", "--controls", *AGENTS[2:])
    stage("compare", metrics=values["metrics"], properties=properties, **made, more=more)
    run_files = {"averages": averages, "tests": tests, "tasks": tasks, "sizes": sizes, "groups": groups}
    names = (
        "overview leaks sensitivity tests tasks frequency depth small confusions told data averages controls published"
    )
    drawn = ("precision", "rank_score", "frequency", "depth")
    tables = [folder / f"tables/{name}.{ending}" for name in names.split() for ending in ("csv", "parquet")]
    figures = [folder / f"figures/{name}.svg" for name in drawn]
    page = {"template": ANSWERS, "answers": folder / "answers.html", "tables": tables, "figures": figures}
    kinds = dict.fromkeys(("small", "other"), "causal") | dict.fromkeys(AGENTS[2:], "control")
    shown = ("--table-names", *names.split(), "--figure-names", *drawn, "--kinds", json.dumps(kinds))
    run_files |= {"probes": probes, "properties": properties, **values}
    stage("show", **run_files, **page, more=(*shown, "--controls", *AGENTS[2:]))
    for path in (probes, groups, scores, values["responses"][0], values["metrics"][0]):
        print(f"{path.name:20} of {path.parent.name:12} {path.stat().st_size / 1e6:8.1f} MB")


def simulate(probes: Path, out: Path) -> None:
    """Write random scores in the form of a causal model's: one pattern, and words of one to three tokens."""
    table = pl.read_parquet(probes, columns=["probe_id", "words"])
    lengths = table["words"].list.len()
    draws = np.random.default_rng(1)
    total = int(lengths.sum())
    first, tokens = -draws.exponential(8, total), draws.integers(1, 4, total)
    pairs = pl.DataFrame(
        {
            "logprobs": first * tokens,
            "first": first,
            "tokens": tokens,
            "row": np.repeat(np.arange(table.height), lengths),
        }
    )
    lists = pairs.group_by("row", maintain_order=True).agg("logprobs", "first", "tokens").drop("row")
    columns = table.select("probe_id", pattern=pl.lit("to-is"), whole=pl.lit(None), inputs=lengths)
    rows = pl.concat([columns, lists], how="horizontal").select(list(SCORES)).cast(dict(SCORES))
    write_table(rows, SCORES, out)


def network(folder: Path, probes: Path) -> Path:
    """Save a network of one layer with a tokenizer of 4,096 tokens, which knows the study's texts; return its manifest."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(4096, special_tokens=["<s>"], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(pl.read_parquet(probes, columns=["definition"])["definition"].to_list(), trainer)
    target = folder / "small"
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>").save_pretrained(target)  # noqa: S106
    torch.manual_seed(0)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=tokenizer.get_vocab_size(), **size)).save_pretrained(target)
    return write_manifest(target)


def stage(name: str, *, more: tuple[str, ...] = (), **files: Path | list[Path]) -> None:
    """Run a step of the study and print its seconds and its peak memory."""
    flags = [
        word
        for flag, value in files.items()
        for word in (f"--{flag.replace('_', '-')}", *map(str, value if isinstance(value, list) else [value]))
    ]
    command = [sys.executable, "-m", "relprobe", "definitions", name, *flags, *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    start, peak = time.perf_counter(), 0.0
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, env=environment, stderr=said)  # noqa: S603
        while process.poll() is None:
            peak = max(peak, peak_mb(process.pid))
            time.sleep(0.05)
        if process.returncode:
            said.seek(0)
            raise SystemExit(said.read())
    print(f"{name:12} {time.perf_counter() - start:7.1f} s {peak:8.0f} MB", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--wordnet", type=Path, default=ROOT / "resources/fetched/nltk_wordnet.json")
    arguments.add_argument("--simulate", action="store_true")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        main(options.wordnet, Path(temporary), simulated=options.simulate)
