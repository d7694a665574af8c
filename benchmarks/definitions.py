"""Count the inputs and tokens of the whole definitions benchmark: one input per question, and as the engine computes them.

A question is a candidate of a group's task under one pattern. The engine computes a definition once per pattern; for masked
models once per number of masks, and for causal models with the common beginnings of the words once. The script also times
the building of all groups and requests, and measures the memory of scoring with different numbers of definitions.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from relprobe.core.files import write_table
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.requests import Continuation
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.sources.lexical.wordnet_synsets import synsets
from relprobe.studies.definitions import scoring
from relprobe.studies.definitions.method import Patterns
from relprobe.studies.definitions.patterns import read
from relprobe.studies.definitions.probes import probe_tables, requests
from relprobe.studies.definitions.schemas import GROUPS, PROBES
from transformers import LlamaConfig, LlamaForCausalLM

from benchmarks.measure import peak_mb, seconds
from benchmarks.probes import CAUSAL, MASKED, ROOT

WORDNET = ROOT / "resources" / "fetched" / "nltk_wordnet"
PATTERNS = read(ROOT / "resources" / "prompts" / "definitions.yaml")
Counts = NDArray[np.int64]


def main(memory_of: list[int]) -> None:
    """Print the counts, the time, and the memory of scoring these numbers of definitions."""
    with tempfile.TemporaryDirectory() as folder:
        groups, probes = Path(folder) / "groups.parquet", Path(folder) / "probes.parquet"
        print(f"all groups and probes built and written in {seconds(lambda: build(groups, probes)):.0f} s")
        for name, manifest, kind in (("SmolLM2-135M", CAUSAL, "causal"), ("BERT", MASKED, "masked")):
            report(
                name,
                kind,
                Encoder.of(tokenizer_of(manifest.with_suffix("")), masked=kind == "masked", max_length=512),
                groups,
                probes,
            )
        for count in memory_of:
            print(
                f"peak memory of scoring with a small causal model, {count:6,} definitions: {memory(probes, count)} MB"
            )


def build(groups: Path, probes: Path) -> None:
    """Write the tables of the whole benchmark."""
    built = probe_tables({pos: synsets(WORDNET, pos) for pos in ("noun", "verb")})
    write_table(built.groups, GROUPS, groups)
    write_table(built.probes, PROBES, probes)


def report(name: str, kind: str, encoder: Encoder, groups: Path, probes: Path) -> None:
    """Print the inputs and tokens of one model, one by one and together."""
    patterns = PATTERNS[kind]
    before, after = np.zeros(2, np.int64), np.zeros(2, np.int64)
    counts = iter(_questions(pl.read_parquet(groups), pl.read_parquet(probes, columns=["words", "pos"]), patterns))
    for request in requests(probes, patterns, capitals=False):
        one_by_one, together = (masked_counts if encoder.masked else causal_counts)(encoder, request, next(counts))
        before += one_by_one
        after += together
    for what, old, new in zip(("inputs", "tokens"), before, after, strict=True):
        print(f"{name:13} {kind}: {old:13,} {what} one by one, {new:11,} together, {old / new:5.1f} times fewer")


def _questions(groups: pl.DataFrame, probes: pl.DataFrame, patterns: Patterns) -> list[Counts]:
    """Return for each request how many questions each of its words answers, shape (2 tasks, words)."""
    lengths = probes["words"].list.len().to_numpy()
    times = np.array([np.bincount(groups[task].explode(), minlength=lengths.sum()) for task in ("w2d", "d2w")])
    per_probe = np.split(times, np.cumsum(lengths)[:-1], axis=1)
    numbers = [len(patterns[pos]) for pos in probes["pos"]]
    return [counts for counts, number in zip(per_probe, numbers, strict=True) for _ in range(number)]


def masked_counts(encoder: Encoder, request: Continuation, times: Counts) -> tuple[Counts, Counts]:
    """Return inputs and tokens, one by one and together, for a masked model."""
    words, text = _lengths(encoder, request)
    once = text - 1 + np.unique([len(ids) for ids in words])
    each = text - 1 + np.array([len(ids) for ids in words])
    return np.array([times.sum(), (times.sum(0) * each).sum()]), np.array([len(once), once.sum()])


def causal_counts(encoder: Encoder, request: Continuation, times: Counts) -> tuple[Counts, Counts]:
    """Return the same for a causal model, whose D2W reads the definition alone."""
    words, text = _lengths(encoder, request)
    w2d, d2w = times
    each = text - 1 + np.array([len(ids) for ids in words])
    inputs = {ids[:-1] for ids in words}
    nodes = {ids[:stop] for ids in words for stop in range(1, len(ids))}
    together = np.array([len(inputs), text + len(nodes)])
    return np.array([times.sum(), (w2d * each).sum() + d2w.sum() * text]), together


def _lengths(encoder: Encoder, request: Continuation) -> tuple[list[tuple[int, ...]], int]:
    words = [encoder.candidate(request.id, request.text, word).ids for word in request.candidates]
    return words, len(encoder.slot(request.id, request.text).ids)


def score(probes: Path, count: int) -> None:
    """Score the first definitions with a small network, and print this process's peak memory."""
    torch.manual_seed(0)
    tokenizer = tokenizer_of(CAUSAL.with_suffix(""))
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
    net = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **size)).eval()
    model = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=512), budget=1024)
    sample = itertools.islice(requests(probes, PATTERNS["causal"], capitals=False), count)
    with tempfile.TemporaryDirectory() as folder:
        write_in_parts(
            sample,
            partial(scoring.answer, model),
            scoring.word_table,
            {},
            Path(folder) / "s.parquet",
            scoring.PART,
            key=scoring.question,
            split=scoring.single_words,
            join=scoring.table,
        )
    print(round(peak_mb()))


def memory(probes: Path, count: int) -> str:
    """Return the peak memory, in MB, of scoring in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.definitions", "--probes", str(probes), "--score", str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=Path, help="for the measurement of memory")
    arguments.add_argument("--score", type=int, help="for the same: how many definitions")
    arguments.add_argument("--memory", type=int, nargs="*", default=[1_000, 8_000], help="numbers of definitions")
    options = arguments.parse_args()
    if options.score:
        score(options.probes, options.score)
    else:
        main(options.memory)
