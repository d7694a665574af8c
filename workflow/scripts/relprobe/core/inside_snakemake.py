"""What the workflow asks of Snakemake that no public part of it tells: each function says why, and nothing else asks so.

`workflow` is the object of that name in a Snakefile. The workflow needs the version of Snakemake that it is tested with
(`min_version`), so that a version which has these parts elsewhere is noticed by its tests.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.core.missing import FailedJob, JobName


def run_command() -> None:
    """Run Snakemake with the words of this process: in the process of its own that a user stops, not through its API.

    SystemExit: it has ended.
    """
    from snakemake.cli import main

    main()


def targets_in(words: Sequence[str]) -> list[str]:
    """Return those words of a command of Snakemake that name what is to be made: it tells them to no workflow.

    >>> targets_in(["--cores", "2", "--configfile", "a.yaml", "--", "relations"])
    ['relations']
    """
    from snakemake.cli import get_argument_parser

    return get_argument_parser().parse_args(list(words)).targets or []


METADATA = Path(".snakemake/metadata")
"""Where Snakemake keeps the settings and the code of what it made: no command of it takes that along with the results."""
LOGS = Path(".snakemake/log")
"""Where it has a log of each run, also of a version of relprobe that noted no events."""
LOCKS = Path(".snakemake/locks")
STAMP = ".snakemake_timestamp"
"""The file that it writes into a folder that a job makes: its time is that of the folder."""
STOP = "Terminating processes on user request, this might take some time."
NO_INPUT = "MissingInputException"
"""The exception of a plan that lacks files which no rule makes."""
AFFECTED, INDENT = "    affected files:\n", " " * 8
"""The line before the files that such an exception names, and what stands before each of them."""


def is_at_work() -> bool:
    """Return whether a run is at work in the working directory: it has locks there, which no command of it shows."""
    return any(LOCKS.glob("*"))


def is_stop(message: str) -> bool:
    """Return whether a message of the log says that Ctrl-C has reached Snakemake while jobs run: that is no event of it."""
    return message == STOP


def files_without_rule(message: str) -> list[str]:
    r"""Return the files that a NO_INPUT names: it has them in no other form than its message.

    >>> files_without_rule("Missing input files\n    affected files:\n        a.csv\n        b.csv\n")
    ['a.csv', 'b.csv']
    """
    _, _, files = message.partition(AFFECTED)
    return [line.strip() for line in files.splitlines() if line.startswith(INDENT)]


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


def locate(workflow: Any, path: str) -> str:
    """Return a path with the folders of the configuration for <results> and <resources>, as Snakemake does it in rules."""
    return str(workflow.pathvars.apply(path))


def has_configuration(workflow: Any) -> bool:
    """Return whether the command line names files of a configuration: the default one then has no part in it."""
    return bool(workflow.overwrite_configfiles)


def configuration_files(workflow: Any) -> list[Path]:
    """Return the files that the configuration was read from: what is wrong with them names the file and the line."""
    return [*map(Path, workflow.configfiles)]


def main_snakefile(workflow: Any) -> Path:
    """Return the Snakefile that Snakemake was started with: that of another workflow, where this one is its module."""
    return Path(workflow.main_snakefile)


def submits(workflow: Any) -> bool:
    """Return whether the plan is for a cluster: `--jobs`, also of a dry run."""
    return workflow.resource_settings.nodes is not None


def shared_cores(workflow: Any) -> int | None:
    """Return the cores that jobs share; None where each is submitted, and has its own."""
    return None if submits(workflow) else workflow.resource_settings.cores


def runs_elsewhere(workflow: Any) -> bool:
    """Return whether jobs run on other machines; False in a dry run, which runs none."""
    return bool(workflow.non_local_exec)


def is_dry_run(workflow: Any) -> bool:
    """Return whether the run plans, and does nothing: it leaves no events."""
    return bool(workflow.output_settings.dryrun)


def rule_names(workflow: Any) -> list[str]:
    """Return the names of all rules, each of which a command line may ask for."""
    return [rule.name for rule in workflow.rules]


def rule_inputs(workflow: Any) -> set[str]:
    """Return the inputs of all rules that need no wildcard to be known."""
    return {str(file) for rule in workflow.rules for file in rule.input if isinstance(file, str)}


def resource_names(workflow: Any, rule: str) -> Collection[str]:
    """Return the names of the resources of a rule: a profile adds to those that stand in its file."""
    return {*workflow.get_rule(rule).resources}


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


def raise_priorities(workflow: Any, by: Callable[[str, Collection[str]], int | Callable[..., int]]) -> None:
    """Raise the priorities of rules' jobs: the file of a rule does not know the order of the studies.

    `by`: the name of a rule and those of its wildcards -> by how much, or a function of the wildcards in place of its own.
    """
    for rule in workflow.rules:
        more = by(rule.name, rule.wildcard_names)
        rule.priority = more if callable(more) else rule.priority + more


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


def end_display(workflow: Any) -> None:
    """End the display of the jobs, which handlers of the log draw in a thread, and which erases what is written before."""
    manager = workflow.logger_manager
    if manager.queue_listener is not None:
        manager.queue_listener.queue.join()  # until it has heard of all that was logged, such as of Ctrl-C
        for handler in manager.plugin_handlers:
            handler.close()
