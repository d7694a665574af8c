"""What a run takes: its jobs, and about how many minutes and how much disk, by the figures of docs/scale.md."""

import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.command.events import RunState
from relprobe.command.forecast import SCORING
from relprobe.command.run import dry_run, last_words
from relprobe.core.words import amount
from relprobe.lm.resources import memory_mb, weight_bytes

PROBES = 18_339
"""The probes of the published relations study, for studies whose own number is not known.

They are about the targets of tuples between words that are one token for all four tokenizers of its panel.
"""
TOKENS = 4.8
"""The tokens that a causal model computes for a probe."""
WHOLE = 3.6
"""How many times as many a model computes that shares no beginnings: a masked or an encoder-decoder one."""
CORE_FLOPS = 125e9
"""Operations a second of a core: half of what docs/scale.md takes for two cores."""
JOB_S = 3
"""Seconds of a core for a job that runs no model."""
PROBE_BYTES = 7000
"""What the scores of a probe take, with 1,000 words."""
SIZE = 1e9
"""The parameters of a model whose entry says no `size`."""
TIMEOUT_S = 300


class Plan(NamedTuple):
    """What a run would do: rule -> number of its jobs, and why: a reason in words -> the rules that have it."""

    jobs: Mapping[str, int]
    reasons: Mapping[str, Sequence[str]]


def plan_here(variables: Mapping[str, str]) -> Plan | str:
    """Return what `relprobe run` would do here, or what Snakemake says if it cannot plan."""
    words = ["--dry-run", "--quiet", "rules", "--cores", "1"]
    try:
        done, run = dry_run(words, variables, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"planning takes more than {TIMEOUT_S} s"
    if done.returncode:
        return last_words(done)
    return plan_of(run)


REASONS = {
    "Missing output files": "are not there",
    "Incomplete output files": "were cut off",
    "Updated input files": "were computed of other files than are there now",
    "Set of input files has changed since last execution": "were computed of other files than the configuration names",
    "Params have changed since last execution": "have other settings or code",
    "Code has changed since last execution": "have another command",
}
"""What Snakemake says of a job that it plans for a reason of its own -> what that says of its results."""


def plan_of(run: RunState) -> Plan:
    """Return the jobs of a dry run without the target `all`, and why results are computed anew.

    What follows from other jobs has no reason of its own.

    >>> from relprobe.command.events import Job
    >>> changed = "Params have changed since last execution: top_k"
    >>> jobs = [Job(0, "all", 0), Job(1, "relations_words", 0, reason=changed), Job(2, "relations_show", 0)]
    >>> plan_of(RunState(jobs={job.number: job for job in jobs}))
    Plan(jobs={'relations_words': 1, 'relations_show': 1}, reasons={'have other settings or code': ['relations_words']})
    """
    jobs = [job for job in run.jobs.values() if job.rule != "all"]
    rules = {REASONS[text]: sorted({job.rule for job in jobs if text in job.reason}) for text in REASONS}
    return Plan(
        dict(Counter(job.rule for job in jobs)),
        {reason: rules_with for reason, rules_with in rules.items() if rules_with},
    )


def work(plan: Plan) -> Iterator[str]:
    r"""Yield what a run would do by its plan, and why it computes results anew that are there.

    >>> plan = Plan({"relations_scores": 2, "relations_show": 1}, {"have other settings or code": ["relations_scores"]})
    >>> print(*work(plan), sep="\n")
    the next run would do 3 jobs, of which 2 run a model
    results that have other settings or code: those of relations_scores, and what follows
    """
    if not plan.jobs:
        yield "the next run has nothing to do: all results are there and up to date"
        return
    scoring = sum(count for rule, count in plan.jobs.items() if SCORING.search(rule))
    number_of_jobs = amount(sum(plan.jobs.values()), "job")
    yield f"the next run would do {number_of_jobs}, of which {amount(scoring, 'runs', 'run')} a model"
    if "are not there" not in plan.reasons or len(plan.reasons) > 1:  # not of a first run
        for reason, rules in plan.reasons.items():
            yield f"results that {reason}: those of {', '.join(rules)}, and what follows"


def seconds(
    plan: Mapping[str, int],
    models: Mapping[str, Mapping[str, Any]],
    cores: int,
    sizes: Mapping[str, tuple[int, int]] = {},
) -> float:
    """Return about how long a run takes at most, on CPU cores.

    `sizes`: study -> its probes and the answers to them; a study without any is taken to have PROBES. An answer beyond the
    first to a probe, such as each candidate of a closed list, is a token more.

    A rule with n jobs that run a model is taken to run the n models that cost most. Operations are 2 × parameters × tokens.

    >>> round(seconds({"relations_scores": 1}, {"bert": {"type": "masked", "size": 110e6}}, cores=2))
    279
    """
    scoring = {rule: count for rule, count in plan.items() if SCORING.search(rule)}
    operations = 0.0
    for rule, count in scoring.items():
        probes, answers = sizes.get(rule.partition("_")[0], (PROBES, PROBES))
        costs = sorted((_operations(entry, probes, answers) for entry in models.values()), reverse=True)
        operations += sum(costs[:count])
    light = sum(plan.values()) - sum(scoring.values())
    return operations / (CORE_FLOPS * cores) + JOB_S * light / cores


def _operations(entry: Mapping[str, Any], probes: int, answers: int) -> float:
    if "endpoint" in entry:
        return 0.0
    tokens = (probes * TOKENS + answers - probes) * (1 if entry["type"] == "causal" else WHOLE)
    return 2 * _parameters(entry) * tokens


def known_sizes(
    studies: Iterable[str], results: Path, configured: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[int, int]]:
    """Return study -> its probes and answers: those of its configuration (`configured`), or of its file of probes."""
    from relprobe.core.files import read_parquet  # which imports polars, too

    made = {study: results / study / "probes.parquet" for study in studies}
    rows = {
        study: read_parquet(file).height for study, file in made.items() if file.is_file() and study not in configured
    }
    return {study: (probes, probes) for study, probes in rows.items()} | dict(configured)


def disk(
    plan: Mapping[str, int],
    models: Mapping[str, Mapping[str, Any]],
    fetched: Path,
    sizes: Mapping[str, tuple[int, int]] = {},
) -> float:
    """Return about how many bytes a run writes at most: the weights that are not in `fetched` yet, and the score files.

    Score files are counted twice, as a file is beside its parts while it is written.

    >>> plan = {"models_snapshot": 1, "relations_scores": 1}
    >>> round(disk(plan, {"gpt2": {"type": "causal", "size": 125e6}}, Path("/no-such-folder")) / 1e6)
    757
    """
    from relprobe.core.manifest import is_fetched  # polars: no command waits for it that needs no costs

    stored = [(name, entry) for name, entry in models.items() if "model" not in entry and "endpoint" not in entry]
    missing = [entry for name, entry in stored if not is_fetched(fetched, name)]
    scores = sum(
        count * sizes.get(rule.partition("_")[0], (PROBES, PROBES))[0]
        for rule, count in plan.items()
        if SCORING.search(rule)
    )
    return sum(map(_weights, missing)) + 2 * PROBE_BYTES * scores


def too_large(
    models: Mapping[str, Mapping[str, Any]], memory: float, gpus: Sequence[float], device: str = "auto"
) -> list[str]:
    """Return a sentence for each model whose weights have no room on this machine, the largest first.

    `memory`: the bytes of main memory that a process may take; `gpus`: those of each GPU; `device`: the key of the
    configuration. A model on a GPU has room on one, or, with `device_map`, on all together with the main memory.

    >>> large = {"opt-66b": {"type": "causal", "size": 66e9}, "gpt2": {"type": "causal", "size": 125e6}}
    >>> too_large(large, 25e9, [])
    ['opt-66b takes about 267 GB of memory, and 25 GB are there']
    >>> too_large(large, 25e9, [80e9]), too_large(large, 64e9, [150e9])
    (['opt-66b takes about 132 GB on a GPU, and 80 GB are there'], [])
    """
    sentences = []
    for name, entry in sorted(models.items(), key=lambda item: -_parameters(item[1])):
        if "model" in entry or ("endpoint" in entry and not entry.get("compare")):
            continue
        on_gpu = bool(gpus) and device != "cpu"
        needed = memory_mb(_parameters(entry), entry.get("dtype"), gpu=on_gpu) * 1e6
        if on_gpu and (weights := _in_memory(entry)) > (room := _room(entry, memory, gpus)):
            sentences.append(f"{name} takes about {weights / 1e9:,.0f} GB on a GPU, and {room / 1e9:,.0f} GB are there")
        elif needed > memory:
            sentences.append(
                f"{name} takes about {needed / 1e9:,.0f} GB of memory, and {memory / 1e9:,.0f} GB are there"
            )
    return sentences


def _room(entry: Mapping[str, Any], memory: float, gpus: Sequence[float]) -> float:
    """Return the bytes that a model may take on GPUs."""
    return sum(gpus) + memory if "device_map" in entry else max(gpus)


def _in_memory(entry: Mapping[str, Any]) -> float:
    """Return the bytes of a model's weights in its number format."""
    return weight_bytes(_parameters(entry), entry.get("dtype"))


def _parameters(entry: Mapping[str, Any]) -> float:
    return float(entry.get("size", SIZE))


def _weights(entry: Mapping[str, Any]) -> float:
    if "path" in entry and Path(entry["path"]).is_dir():
        return 0.0  # its files are linked
    return _in_memory(entry)
