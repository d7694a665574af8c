"""What a dry run comes to: jobs by kind, submissions, and what each model takes, from the plan that Snakemake prints."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SCORING = re.compile(r"_(scores(_alone)?|draws|writing|words|embeddings|encoder|layer_map)$")
"""The rules whose jobs run a model."""
FETCHING = ("inputs_fetch", "inputs_vectors", "models_snapshot", "models_adapter", "analogies_snapshot")
"""The rules whose jobs fetch or link files."""
MOST = 6
"""How many models have a line of their own; the largest come first."""
JOB = re.compile(r"^( *)(local)?rule (\w+):\n((?:\1    .*\n?)*)", re.MULTILINE)
"""A job of a plan, with what is said of it in lines that stand further in."""


@dataclass(frozen=True)
class Job:
    """A planned job: its rule, the model that it runs ("" for none), its limits of minutes and megabytes, and its GPUs.

    `submitted`: a cluster gets it. `alone`: it is a submission by itself, and not part of a group.
    """

    rule: str
    model: str
    minutes: int
    megabytes: int
    gpus: int
    submitted: bool
    alone: bool


def jobs(plan: str) -> list[Job]:
    r"""Read the jobs of a plan, without the rule `all`.

    >>> text = "rule relations_scores:\n    wildcards: model=gpt2\n    resources: mem_mb=4080, runtime=76, gpu=1\n"
    >>> jobs(text + "localrule all:\n    jobid: 0\n")
    [Job(rule='relations_scores', model='gpt2', minutes=76, megabytes=4080, gpus=1, submitted=True, alone=True)]
    """
    found = []
    for indent, local, rule, said in JOB.findall(plan):
        if rule == "all":
            continue
        wildcards, resources = (_line(said, name) for name in ("wildcards", "resources"))
        model = re.search(r"\b(?:model|encoder)=([^,\s]+)", wildcards)
        minutes, megabytes, gpus = (_number(resources, name) for name in ("runtime", "mem_mb", "gpu"))
        runs = model[1] if model and SCORING.search(rule) else ""
        found.append(Job(rule, runs, minutes, megabytes, gpus, not local, not local and not indent))
    return found


def _line(said: str, name: str) -> str:
    """Return what a job says in a line, or nothing."""
    match = re.search(rf"^ *{name}: (.*)$", said, re.MULTILINE)
    return match[1] if match else ""


def _number(resources: str, name: str) -> int:
    """Return a resource of a job; 0 without it."""
    match = re.search(rf"(?:^|, ){name}=(\d+)", resources)
    return int(match[1]) if match else 0


def summary(plan: str) -> list[str]:
    r"""Return at most ten lines on a plan; none where nothing is to be done.

    The hours and the memory are the limits that jobs ask for, and not what they are expected to take.

    >>> text = "rule relations_scores:\n    wildcards: model=gpt2\n    resources: mem_mb=4080, runtime=90, gpu=1\n"
    >>> print(*summary(text + "rule relations_show:\n    resources: mem_mb=2000\n"), sep="\n")
    2 jobs: 1 runs a model, 0 fetch files, 1 other
    on a cluster: 2 submissions; 1 job asks for a GPU, for at most 1.5 hours
    gpt2: 1 job, at most 1.5 hours and 4.1 GB
    """
    planned = jobs(plan)
    if not planned:
        return []
    scoring, fetching = ([job for job in planned if chosen(job)] for chosen in (_runs_model, _fetches))
    others = len(planned) - len(scoring) - len(fetching)
    runs = f"{len(scoring)} {'runs' if len(scoring) == 1 else 'run'} a model"
    lines = [f"{_count(len(planned), 'job')}: {runs}, {len(fetching)} fetch files, {others} other"]
    with_gpu = [job for job in planned if job.gpus]
    if with_gpu or "Group job" in plan or "slurm_" in plan:
        lines.append(_submitted(plan, planned, with_gpu))
    return [*lines, *_by_model(scoring)]


def _submitted(plan: str, planned: Sequence[Job], with_gpu: Sequence[Job]) -> str:
    """Return the line on what a cluster gets; the plan of a workstation does not know groups of jobs."""
    gpu_hours = sum(job.gpus * job.minutes for job in with_gpu) / 60
    ask = f"{_count(len(with_gpu), 'job')} {'asks' if len(with_gpu) == 1 else 'ask'} for a GPU"
    of_gpus = f"; {ask}, for at most {gpu_hours:,.1f} hours" if with_gpu else ""
    return f"on a cluster: {_count(submissions(plan, planned), 'submission')}{of_gpus}"


def _runs_model(job: Job) -> bool:
    return bool(job.model)


def _fetches(job: Job) -> bool:
    return job.rule in FETCHING


def submissions(plan: str, planned: Sequence[Job]) -> int:
    """Return how many times a cluster gets something: a job that stands alone, or a group of jobs."""
    return sum(job.alone for job in planned) + len(re.findall(r"^\[.*\] Group job ", plan, re.MULTILINE))


def _by_model(scoring: Sequence[Job]) -> Iterator[str]:
    """Yield a line for each model, that with the most memory first, and one for all others."""
    counts = Counter(job.model for job in scoring)
    megabytes = {model: max(job.megabytes for job in scoring if job.model == model) for model in counts}
    ranked = sorted(counts, key=lambda model: -megabytes[model])
    for model in ranked[:MOST]:
        hours = sum(job.minutes for job in scoring if job.model == model) / 60
        size = f"{megabytes[model] / 1000:,.1f} GB"
        yield f"{model}: {_count(counts[model], 'job')}, at most {hours:,.1f} hours and {size}"
    if len(ranked) > MOST:
        rest = ranked[MOST:]
        hours = sum(job.minutes for job in scoring if job.model in rest) / 60
        number = sum(counts[model] for model in rest)
        yield f"{len(rest)} further models: {_count(number, 'job')}, at most {hours:,.1f} hours"


def _count(number: int, noun: str) -> str:
    """Return a number of things: "1 job", "2 jobs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
