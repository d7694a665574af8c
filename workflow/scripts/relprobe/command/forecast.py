"""What a dry run comes to: jobs by kind, submissions, and what each model takes, from the events of its plan."""

import re
from collections.abc import Iterator, Sequence

from relprobe.command.events import Job, RunState

SCORING = re.compile(r"_(scores(_alone)?|draws|writing|words|embeddings|encoder|layer_map)$")
"""The rules whose jobs run a model."""
FETCHING = ("inputs_fetch", "inputs_vectors", "models_snapshot", "models_adapter", "analogies_snapshot")
"""The rules whose jobs fetch or link files."""
MOST = 6
"""How many models have a line of their own; the largest come first."""


def summary(run: RunState) -> list[str]:
    r"""Return at most ten lines on a plan; none where nothing is to be done.

    The hours and the memory are the limits that jobs ask for, and not what they are expected to take.

    >>> limits = {"mem_mb": 4080, "runtime": 90, "gpu": 1}
    >>> jobs = {1: Job(1, "relations_scores", 0, {"model": "gpt2"}, resources=limits), 2: Job(2, "relations_show", 0)}
    >>> print(*summary(RunState(jobs=jobs)), sep="\n")
    2 jobs: 1 runs a model, 0 fetch files, 1 other
    on a cluster: 2 submissions; 1 job asks for a GPU, for at most 1.5 hours
    gpt2: 1 job, at most 1.5 hours and 4.1 GB
    """
    planned = [job for job in run.jobs.values() if job.rule != "all"]
    if not planned:
        return []
    scoring = [job for job in planned if model_of(job)]
    fetching = [job for job in planned if job.rule in FETCHING]
    number_of_others = len(planned) - len(scoring) - len(fetching)
    runs = f"{len(scoring)} {'runs' if len(scoring) == 1 else 'run'} a model"
    lines = [f"{_count(len(planned), 'job')}: {runs}, {len(fetching)} fetch files, {number_of_others} other"]
    with_gpu = [job for job in planned if limit(job, "gpu")]
    if with_gpu or run.groups or any(name.startswith("slurm_") for job in planned for name in job.resources):
        lines.append(_submitted(submissions(run), with_gpu))
    return [*lines, *_by_model(scoring)]


def model_of(job: Job) -> str:
    """Return the model that a job runs; "" for a job that runs none."""
    name = job.wildcards.get("model") or job.wildcards.get("encoder") or ""
    return name if SCORING.search(job.rule) else ""


def limit(job: Job, resource: str) -> int:
    """Return how much of a resource a job asks for; 0 without it, and where it is not known yet."""
    amount = str(job.resources.get(resource, 0))
    return int(amount) if amount.isdecimal() else 0


def submissions(run: RunState) -> int:
    """Return how many times a cluster gets something: a job that stands alone, or a group of jobs."""
    return run.groups + sum(not job.grouped and job.rule not in (*run.local, "all") for job in run.jobs.values())


def _submitted(number: int, with_gpu: Sequence[Job]) -> str:
    """Return the line on what a cluster gets; the plan of a workstation does not know groups of jobs."""
    gpu_hours = sum(limit(job, "gpu") * limit(job, "runtime") for job in with_gpu) / 60
    ask = f"{_count(len(with_gpu), 'job')} {'asks' if len(with_gpu) == 1 else 'ask'} for a GPU"
    gpus = f"; {ask}, for at most {gpu_hours:,.1f} hours" if with_gpu else ""
    return f"on a cluster: {_count(number, 'submission')}{gpus}"


def _by_model(scoring: Sequence[Job]) -> Iterator[str]:
    """Yield a line for each model, that with the most memory first, and one for all others."""
    jobs: dict[str, list[Job]] = {}
    for job in scoring:
        jobs.setdefault(model_of(job), []).append(job)
    megabytes = {model: max(limit(job, "mem_mb") for job in its) for model, its in jobs.items()}
    hours = {model: sum(limit(job, "runtime") for job in its) / 60 for model, its in jobs.items()}
    ranked = sorted(jobs, key=lambda model: -megabytes[model])
    for model in ranked[:MOST]:
        size = f"{megabytes[model] / 1000:,.1f} GB"
        yield f"{model}: {_count(len(jobs[model]), 'job')}, at most {hours[model]:,.1f} hours and {size}"
    if small := ranked[MOST:]:
        number = sum(len(jobs[model]) for model in small)
        together = sum(hours[model] for model in small)
        yield f"{len(small)} further models: {_count(number, 'job')}, at most {together:,.1f} hours"


def _count(number: int, noun: str) -> str:
    """Return a number of things: "1 job", "2 jobs"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
