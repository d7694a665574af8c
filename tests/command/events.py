"""Events of runs as Snakemake logs them, for tests."""

import logging

from relprobe.command.events import RunState, event_of


def record(event, message="", **said):
    """A log record of Snakemake."""
    return logging.makeLogRecord({"event": event, "msg": message, **said})


def started(number, rule, at=0.0, **said):
    """The record of a job that starts, or that a dry run plans."""
    said = {"wildcards": {}, "output": [], "log": [], "resources": {}, "indent": False, "reason": "", **said}
    return record("job_info", jobid=number, rule_name=rule, created=at, shellcmd=said.pop("command", ""), **said)


def finished(number, at=0.0):
    """The record of a job that is done."""
    return record("job_finished", job_id=number, created=at)


def run_of(*records, **facts):
    """The run that has logged these records. `facts`: what else is known of it."""
    run = RunState(**facts)
    for said in records:
        run.note(event_of(said))
    return run
