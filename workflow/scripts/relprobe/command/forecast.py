"""What a dry run comes to: jobs by kind, submissions, and what each model takes, from the events of its plan."""

import re
from collections.abc import Iterator, Mapping, Sequence

from relprobe.command.events import Job, RunState
from relprobe.core.room import size_in_words
from relprobe.core.words import amount

SCORING = re.compile(r"_(scores(_alone)?|draws|writing|words|embeddings|encoder|layer_map)$")
"""The rules whose jobs run a model."""
SNAPSHOTS = ("models_snapshot", "analogies_snapshot")
"""The rules whose jobs fetch or link a model; what they ask for of the disk are its weights."""
FETCHING = ("inputs_fetch", "inputs_vectors", "models_adapter", *SNAPSHOTS)
"""The rules whose jobs fetch or link files."""
MOST = 6
"""How many models have a line of their own; the largest come first."""


def summary(run: RunState) -> list[str]:
    r"""Return at most ten lines on a plan; none where nothing is to be done.

    The hours and the memory are the limits that jobs ask for, and not what they are expected to take. The disk is that of
    models to be fetched, by their `size`.

    >>> limits = {"mem_mb": 4080, "runtime": 90, "gpu": 1}
    >>> jobs = {1: Job(1, "relations_scores", 0, {"model": "gpt2"}, resources=limits), 2: Job(2, "relations_show", 0)}
    >>> print(*summary(RunState(jobs=jobs)), sep="\n")
    2 jobs: 1 runs a model, 0 fetch files, 1 other
    on a cluster: 2 submissions; 1 job asks for a GPU, for at most 1.5 hours
    gpt2: 1 job, at most 1.5 hours and 4.1 GB of memory
    """
    planned = [job for job in run.jobs.values() if job.rule != "all"]
    if not planned:
        return []
    scoring = [job for job in planned if model_of(job)]
    fetching = [job for job in planned if job.rule in FETCHING]
    number_of_others = len(planned) - len(scoring) - len(fetching)
    kinds = (
        f"{amount(len(scoring), 'runs', 'run')} a model",
        amount(len(fetching), "fetches files", "fetch files"),
        f"{number_of_others} other",
    )
    lines = [f"{amount(len(planned), 'job')}: {', '.join(kinds)}"]
    with_gpu = [job for job in planned if limit(job, "gpu")]
    if with_gpu or run.groups or any(name.startswith("slurm_") for job in planned for name in job.resources):
        lines.append(_submitted(submissions(run), with_gpu))
    return [
        *lines,
        *_by_model(scoring, {_name(job): limit(job, "disk_mb") for job in fetching if job.rule in SNAPSHOTS}),
    ]


def model_of(job: Job) -> str:
    """Return the model that a job runs; "" for a job that runs none."""
    return _name(job) if SCORING.search(job.rule) else ""


def _name(job: Job) -> str:
    return job.wildcards.get("model") or job.wildcards.get("encoder") or ""


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
    ask = f"{amount(len(with_gpu), 'job asks', 'jobs ask')} for a GPU"
    gpus = f"; {ask}, for at most {gpu_hours:,.1f} hours" if with_gpu else ""
    return f"on a cluster: {amount(number, 'submission')}{gpus}"


def _by_model(scoring: Sequence[Job], disk: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each model, that with the most memory first, and one for all others.

    `disk`: model that is to be fetched -> the megabytes of its weights.
    """
    jobs: dict[str, list[Job]] = {}
    for job in scoring:
        jobs.setdefault(model_of(job), []).append(job)
    megabytes = {model: max(limit(job, "mem_mb") for job in its) for model, its in jobs.items()}
    hours = {model: sum(limit(job, "runtime") for job in its) / 60 for model, its in jobs.items()}
    ranked = sorted(jobs, key=lambda model: -megabytes[model])
    for model in ranked[:MOST]:
        size = f"{megabytes[model] / 1000:,.1f} GB of memory{_fetched(disk.get(model, 0))}"
        yield f"{model}: {amount(len(jobs[model]), 'job')}, at most {hours[model]:,.1f} hours and {size}"
    if small := ranked[MOST:]:
        number = sum(len(jobs[model]) for model in small)
        together = f"{sum(hours[model] for model in small):,.1f} hours"
        fetched = _fetched(sum(disk.get(model, 0) for model in small))
        yield f"{amount(len(small), 'further model')}: {amount(number, 'job')}, at most {together}{fetched}"


def _fetched(megabytes: int) -> str:
    """Return the words on the disk that weights to be fetched take; "" where none are."""
    return f"; about {size_in_words(megabytes * 1e6)} of disk" if megabytes else ""
