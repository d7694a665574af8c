"""What a run goes on without: agents and studies whose jobs failed, with the reason, until the next run takes them up.

A run plans with all that the configuration names. Where jobs fail and the others go on (`--keep-going`), the workflow notes
what the failed ones were for, and plans once more without it, as if the configuration did not name it: tests, tables, pages
and manuscripts are those of the agents that are there. Nothing that failed counts as done. So the next run asks it again,
and makes what all agents are in anew.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import read_json, write_json
from relprobe.core.words import amount, enumeration

FILE = "missing.json"
"""The file of the results that lists what the last run went on without."""
FOLLOWS = "RELPROBE_FOLLOWS"
"""The variable of a process that plans without what the file lists; any other one plans with all."""
FETCHING = ("models_snapshot", "models_adapter", "inputs_fetch", "inputs_vectors", "analogies_snapshot")
"""The rules that get files from elsewhere."""
APART = ("paper", "export", "trials")
"""How the rules begin of what a page does not wait for: a study has its pages without them."""


class JobName(NamedTuple):
    """What names a job of a run: its rule and its wildcards."""

    rule: str
    wildcards: Mapping[str, str]


class FailedJob(NamedTuple):
    """A job that failed: its name, the files of its log, and the jobs that need what it makes, itself among them."""

    name: JobName
    logs: Sequence[str]
    needed_by: Sequence[JobName]


class Missing(NamedTuple):
    """An agent that a study goes on without, or, with agent "", a study that the run goes on without.

    `event`: what happened, as words after "it". `reason`: what the log says of it.
    """

    study: str
    agent: str
    event: str
    reason: str


def write(results: Path, missing: Iterable[Missing]) -> None:
    """Write what a run goes on without into its results; nothing if all is there."""
    rows = [loss._asdict() for loss in missing]
    if rows:
        write_json({"missing": rows}, results / FILE)
    else:
        (results / FILE).unlink(missing_ok=True)


def read(results: Path) -> list[Missing]:
    """Return what the last run in these results went on without. DataError: the file is damaged."""
    file = results / FILE
    if not file.is_file():
        return []
    try:
        return [Missing(**row) for row in read_json(file)["missing"]]
    except (TypeError, LookupError) as error:
        raise DataError(f"{file} is damaged: delete it, and run again.") from error


def event(rule: str) -> str:
    """Return the reason, in words, why an agent or a study is missing after a job of this rule failed.

    >>> event("models_snapshot"), event("relations_scores")
    ('could not be fetched', 'failed in the step relations_scores')
    """
    return "could not be fetched" if rule in FETCHING else f"failed in the step {rule}"


def losses(job: FailedJob, studies: Collection[str], networks: Mapping[str, str | None]) -> list[tuple[str, str]]:
    """Return the agents that lack values as a job failed, each with its study; with agent "", studies that lack their page.

    A job of an agent, or of its model, costs this agent alone. Any other one costs the studies that need it: without one of
    their controls, or the answers of people, they would say more than they know. `networks`: agent -> the model whose files
    it uses, or None.

    >>> scores, metrics = (JobName(f"degrees_{step}", {"model": "m"}) for step in ("scores", "metrics"))
    >>> show = JobName("degrees_show", {})
    >>> fetch = JobName("models_snapshot", {"model": "m"})
    >>> losses(FailedJob(fetch, [], [fetch, scores, metrics, show]), ["degrees"], {"m": "m", "other": "other"})
    [('degrees', 'm')]
    >>> losses(FailedJob(show, [], [show, JobName("report_study", {"study": "degrees"})]), ["degrees"], {"m": "m"})
    [('degrees', '')]
    """
    name = _agent(job.name)
    alike = {agent for agent, network in networks.items() if name in (agent, network)}
    needed = [(study, _agent(job_name)) for job_name in job.needed_by if (study := study_of(job_name, studies))]
    agent_losses = [(study, agent) for study, agent in needed if agent in alike]
    return [*dict.fromkeys(agent_losses or ((study, "") for study, _ in needed))]


def study_of(job: JobName, studies: Collection[str]) -> str:
    """Return the study whose page a job is for; "" if it is for several or none.

    >>> study_of(JobName("degrees_show", {}), ["degrees"])
    'degrees'
    >>> study_of(JobName("report_study", {"study": "degrees"}), ["degrees"])
    'degrees'
    >>> study_of(JobName("paper_figures", {"study": "degrees"}), ["degrees"])
    ''
    """
    if job.rule.startswith(APART):
        return ""
    named = job.wildcards.get("study") or job.rule.partition("_")[0]
    return named if named in studies else ""


def _agent(job: JobName) -> str:
    """Return the agent, or model, that a job is about; a control that is made of a model's own answers is the model's."""
    return (job.wildcards.get("model") or job.wildcards.get("agent") or "").partition("+")[0]


def missing_agents(missing: Iterable[Missing], study: str) -> dict[str, str]:
    """Return the agents that a study goes on without: agent -> a sentence that says so.

    >>> missing_agents([Missing("degrees", "m", "could not be fetched", "no such name")], "degrees")["m"]
    'm is not here: it could not be fetched (no such name). The next run takes it up.'
    """
    return {
        loss.agent: f"{loss.agent} is not here: it {loss.event} ({loss.reason}). The next run takes it up."
        for loss in missing
        if loss.agent and loss.study == study
    }


def whole_studies(missing: Iterable[Missing]) -> dict[str, str]:
    """Return the studies that a run goes on without: study -> a sentence that says so.

    >>> whole_studies([Missing("degrees", "", "failed in the step degrees_show", "killed")])["degrees"]
    'The study degrees is not here: it failed in the step degrees_show (killed). The next run takes it up.'
    """
    return {
        loss.study: f"The study {loss.study} is not here: it {loss.event} ({loss.reason}). The next run takes it up."
        for loss in missing
        if not loss.agent
    }


def studies_left(missing: Iterable[Missing], studies: Mapping[str, Collection[str]]) -> list[str]:
    """Return the studies that a run can go on with: they are not missing, and neither are all of their agents.

    `studies`: study -> the agents that it asks.

    >>> gone = [Missing("degrees", "m", "could not be fetched", "gone"), Missing("analogies", "", "failed", "killed")]
    >>> studies_left(gone, {"degrees": ["m", "n"], "analogies": ["m", "n"]}), studies_left(gone, {"degrees": ["m"]})
    (['degrees'], [])
    """
    lost = {(loss.study, loss.agent) for loss in missing}
    return [
        study
        for study, agents in studies.items()
        if (study, "") not in lost and not {(study, agent) for agent in agents} <= lost
    ]


def summary(missing: Sequence[Missing], agents: Collection[str], studies: Mapping[str, Collection[str]]) -> str:
    """Return in a sentence what a run went on without.

    `agents`: those of the configuration. `studies`: study -> those that it asks.

    >>> gone = [Missing("degrees", "m", "could not be fetched", "no such name")]
    >>> summary(gone, ["m", "n"], {"degrees": ["m", "n"]})
    '1 of 2 models is here: m could not be fetched (no such name); the next run takes it up.'
    >>> summary([*gone, Missing("analogies", "", "failed in the step analogies_show", "killed")], ["m", "n"], {})
    '1 of 2 models is here: m could not be fetched (no such name); the study analogies failed in the step analogies_show \
(killed); the next run takes them up.'
    """
    lost_studies = {loss.study: loss for loss in missing if not loss.agent}
    lost_agents = [loss for loss in missing if loss.agent and loss.study not in lost_studies]
    gone = dict.fromkeys(loss.agent for loss in lost_agents)
    parts = []
    for agent in gone:
        where = [loss.study for loss in lost_agents if loss.agent == agent]
        asking = [study for study, asked in studies.items() if agent in asked and study not in lost_studies]
        first = next(loss for loss in lost_agents if loss.agent == agent)
        only = "" if set(asking) <= set(where) else f", and is missing in {enumeration(where)}"
        parts.append(f"{agent} {first.event} ({first.reason}){only}")
    present = len(agents) - len(gone)
    begin = f"{present} of {amount(len(agents), 'model')} {'is' if present == 1 else 'are'} here: " if gone else ""
    parts += [f"the study {study} {loss.event} ({loss.reason})" for study, loss in lost_studies.items()]
    sentence = f"{begin}{'; '.join(parts)}; the next run takes {'it' if len(parts) == 1 else 'them'} up."
    return sentence[:1].upper() + sentence[1:]
