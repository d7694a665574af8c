"""What the workflow asks of Snakemake that no public part of it tells: each function says why, and nothing else asks so.

`workflow` is the object of that name in a Snakefile. The workflow needs the version of Snakemake that it is tested with
(`min_version`), so that a version which has these parts elsewhere is noticed by its tests.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from relprobe.core.missing import FailedJob, JobName


class PlannedJob(NamedTuple):
    """A job that a run will do: the name of its rule, and its wildcard `study`, if it has one."""

    rule: str
    study: str | None


def default_resources(workflow: Any) -> Mapping[str, int | str]:
    """Return the default resources of the profile or the command line.

    A profile says with them what jobs that run a model get (`model_NAME`), as it cannot name rules by a pattern.
    """
    parsed = workflow.resource_settings._parsed_default_resources.items()
    texts = {name: str(resource.raw) for name, resource in parsed}
    return {name: int(text) if text.isdecimal() else text for name, text in texts.items()}


def submitted_groups(workflow: Any) -> Collection[str]:
    """Return the groups of jobs that the profile submits together: a group of any other name would change each plan."""
    groups: Collection[str] = workflow.group_settings.group_components
    return groups


def planned_jobs(workflow: Any) -> dict[int, PlannedJob]:
    """Return the jobs that the run will do by their numbers: the page of the run that goes on counts them by study."""
    jobs = workflow.dag.needrun_jobs()
    return {job.jobid: PlannedJob(job.rule.name, job.wildcards_dict.get("study")) for job in jobs}


def local_rules(workflow: Any) -> Collection[str]:
    """Return the rules whose jobs run where Snakemake does: a dry run, whose summary counts submissions, says it of none."""
    rules: Collection[str] = workflow._localrules
    return rules


def failed_jobs(workflow: Any) -> list[FailedJob]:
    """Return the jobs that failed, each with those that need what it makes: what a run lacks follows from them.

    Of jobs that were submitted together, all fail with one of them, and those are returned whose inputs were there.
    """
    dag = workflow.dag
    failures = []
    for failed in workflow.scheduler.failed:
        jobs = [*failed] if failed.is_group() else [failed]
        first = [job for job in jobs if all(map(dag.noneedrun_finished, dag.dependencies[job]))]
        for job in first or jobs:
            needed_by, waiting = {job}, [job]
            while waiting:
                new = dag.depending[waiting.pop()].keys() - needed_by
                needed_by |= new
                waiting += new
            names = [JobName(needed.rule.name, dict(needed.wildcards_dict)) for needed in needed_by]
            failures.append(FailedJob(JobName(job.rule.name, dict(job.wildcards_dict)), [*map(str, job.log)], names))
    return failures


def goes_on(workflow: Any) -> bool:
    """Return whether jobs go on after one that failed: `--keep-going`."""
    return bool(workflow.execution_settings.keep_going)


def first_folder(workflow: Any) -> str:
    """Return the folder that Snakemake was started in: the words of its command mean files from there."""
    return str(workflow.workdir_init)


def products(workflow: Any) -> Iterator[tuple[str, Any]]:
    """Yield how the files of each output of all rules begin, and the output, which says whether it matches a file."""
    for rule in workflow.rules:
        for output in rule.products():
            yield output.constant_prefix(), output


def raise_priority(rule: Any, by: int | Callable[..., int]) -> None:
    """Raise the priority of a rule's jobs: the file of the rule does not know the order of the studies."""
    if callable(by):
        rule.priority = by
    else:
        rule.priority += by


def with_signature(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its signature: Snakemake reads that of each callable for every job, a tenth of its planning.

    >>> with_signature(lambda wildcards, attempt: attempt).__signature__
    <Signature (wildcards, attempt)>
    """
    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return function


def is_main(workflow: Any) -> bool:
    """Return whether this process plans the run: those of its jobs read the workflow, too, and leave records alone."""
    return bool(workflow.is_main_process)


def log_manager(workflow: Any) -> Any:
    """Return the manager of the log's handlers: what a run says last must follow what they still draw."""
    return workflow.logger_manager
