"""What a study is, in one place: what it may be asked, which data it needs, and what its metrics are.

The module `study` of each study has its `STUDY`. The configuration, the rules and the comparison of two runs read it. What a
study is made of has a module with a fixed name (MODULES).
"""

import importlib
import importlib.util
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.claim import Claim
from relprobe.core.metric import Metric
from relprobe.core.values import USUAL, ValueColumns, tidy_values

Config = dict[str, Any]
"""A configuration: validated by its schema, with all defaults."""


MODULES = {"measures": "MEASURES", "page": "WORDS", "methods": "sentences"}
"""Module of a study -> what it has there: its metrics, what its page says, and the sentences of a manuscript."""


@dataclass(frozen=True)
class Task:
    """A task that people took, and that models may take, too (`task` of an agent).

    >>> Task("choose", ("w2d", "d2w")).lines, Task("list").lines
    (('w2d', 'd2w'), ('list',))
    """

    name: str
    lines: tuple[str, ...] = ()  # the prompt templates of the chat; by default the one of its name
    here: bool = True  # whether models on this machine may take it, too

    def __post_init__(self) -> None:
        """Set the prompt template of a task that names none: the one of its own name."""
        if not self.lines:
            object.__setattr__(self, "lines", (self.name,))


@dataclass(frozen=True)
class StandIn:
    """Data of this project that a study has where its own are not there."""

    key: str  # of the study's section, which names the file
    resource: str  # that the file becomes
    lacking: str  # what is not there then, in a sentence


@dataclass(frozen=True)
class Questions:
    """What a study on the frame asks: the columns of its tables from which its trials and its page of answers are made.

    A row of its table `probes`, with the key `probe_id`, is a question. The table `responses` of each agent has an answer to
    it under the same key, and a value that says whether this is right has the key as its unit.
    """

    text: str = ""  # column of the probes: what is asked, with a slot for the answer
    target: str = ""  # column of the probes: the word that it is about
    right: str = ""  # column of the probes: the right answer
    prompt: str = ""  # column of the probes: the name of the prompt, if there are several
    answer: str = "answer"  # column of the responses
    source: str = "this study"  # where the right answers are from, in words

    def __bool__(self) -> bool:
        """Return whether the study says what it asks."""
        return bool(self.text)


NO_QUESTIONS = Questions()
"""What a study says that does not say what it asks."""


@dataclass(frozen=True)
class Needs:
    """A resource that users get themselves; the study is left out where it is not there and nothing takes its place."""

    resource: str
    remedy: str  # how to get it, in a sentence that begins with a verb
    substitute: str = ""  # the resource with data of the user that may take its place
    stand_in: StandIn | None = None


def _no_hidden_states(_config: Config) -> bool:
    return False


def _no_settings(_config: Mapping[str, Any], _agent: str) -> Any:
    return None


def _unknown_size(_config: Config) -> tuple[int, int] | None:
    return None


class Targets(NamedTuple):
    """How many targets, or groups of words, are asked about, and as how many independent ones they count."""

    number: int
    effective: float


def _unknown_targets(_config: Config) -> Mapping[str, Targets]:
    return {}


class Roles(NamedTuple):
    """Which agents take part in a study, as the configuration says."""

    models: Sequence[str]  # that answer its probes
    task_agents: Sequence[str]  # that take people's task
    chat_models: Sequence[str]  # of these, those that only chat
    vectors: Sequence[str]  # sets of static vectors
    types: Mapping[str, str]  # model or task agent -> masked, causal or encoder-decoder
    families: Mapping[str, str]
    layered: Mapping[str, str] = {}  # agent that is asked after each of its layers -> its type

    def facts(self) -> dict[str, bool]:
        """Return whether a run has the agents that report/shared.md speaks of: name of its `may_lack` -> that."""
        return {
            "task_agents": bool(self.task_agents),
            "chat_models": bool(self.chat_models),
            "layers": bool(self.layered),
        }


class StepInput(NamedTuple):
    """What a step that several studies have reads, and what it makes for one study alone."""

    files: Mapping[str, Any]
    settings: Mapping[str, Any]
    group: str = ""  # of the step, if that is not the study
    resources: Mapping[str, str] = {}  # input -> the resource whose files it is
    shipped: Mapping[str, str] = {}  # input -> the file of this project that it is
    makes: Sequence[str] = ()  # its files beside those that it makes of every study
    memory: int = 0  # of its job, in MB; 0: the usual one
    definitions: Sequence[str] = ()  # dotted names of what the step finds by the name of the study, for its digest


def table_files(study: str, *names: str) -> dict[str, str]:
    """Return name -> the file of a table that a study has once, as rules name it.

    >>> table_files("degrees", "gold", "questions")
    {'gold': '<results>/degrees/gold.parquet', 'questions': '<results>/degrees/questions.parquet'}
    """
    return {name: f"<results>/{study}/{name}.parquet" for name in names}


def agent_files(study: str, kind: str, agents: Iterable[str]) -> list[str]:
    """Return the file of a kind, such as metrics, of each of these agents of a study, as rules name them.

    >>> agent_files("degrees", "ratings", ["gpt2"])
    ['<results>/degrees/ratings/gpt2.parquet']
    """
    return [f"<results>/{study}/{kind}/{agent}.parquet" for agent in agents]


def reply_files(study: str, task_agents: Iterable[str], chat_models: Collection[str]) -> list[str]:
    """Return the files with the replies of agents that take people's task: from an endpoint, or written here.

    >>> reply_files("degrees", ["gpt2-task"], [])
    ['<results>/degrees/writing/gpt2-task.parquet']
    """
    kinds = {agent: "replies" if agent in chat_models else "writing" for agent in task_agents}
    return [file for agent, kind in kinds.items() for file in agent_files(study, kind, [agent])]


def readings(files: Mapping[str, Any], settings: Mapping[str, Any] | None = None) -> dict[str, StepInput]:
    """Return name of an input, or of a setting -> the reading of it alone.

    >>> readings({"tests": "tests.parquet"}, {"seed": 1})["seed"].settings
    {'seed': 1}
    """
    file_readings = {name: StepInput({name: value}, {}) for name, value in files.items()}
    return file_readings | {name: StepInput({}, {name: value}) for name, value in (settings or {}).items()}


@dataclass(frozen=True)
class InRun:
    """What a study says of itself in a run, to the rules that all studies share."""

    agents: Sequence[str]
    """Those with a file of values, in the order of tables. A model with several raters is one of them."""
    controls: Sequence[str]
    """Its agents that do not know what it asks about."""
    has: Mapping[str, bool]
    """Name of its page's `may_lack` -> whether this run has that (report/shown.py)."""
    scored: Sequence[str]
    """What its models have answered with: files that say how it was computed."""
    drawn: StepInput
    """What its step `figures` reads."""
    compared: StepInput | None = None
    """What its step `compare` reads beside the values of its agents; None: it is that of the frame (studies/frame). It makes
    averages, tests and tables of the page, and what `makes` names. Of `AgentComparison` the settings say what differs."""
    shown: StepInput | None = None
    """What its step `show` reads beside averages and tests; None: it is that of the frame. It makes tables and figures of
    the page, and the page of all agents' answers, if `makes` names "answers"."""
    trials: StepInput | None = None
    """What its step `trials` reads; None: it has none, and a manuscript has no methods of it."""
    people: str = ""
    """The resource with people's answers, whose further columns are columns of trials; "" for a study without such."""
    late: Sequence[str] = ()
    """The steps whose tables and figures its first page does without: they wait for agents that are asked layer by layer."""
    exported: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What its exports have beside averages and tests: name -> files."""
    readable: Mapping[str, StepInput] = field(default_factory=dict)
    """What the step of an analysis may read beside what all studies have (rules/analyses.smk): name of a parameter of
    `make_exhibits` -> the files and settings that it stands for, first of all the items and the responses of all agents."""


@dataclass(frozen=True)
class Study:
    """A study. `check` is in each; the other fields say how it differs from a study that is only scored."""

    check: Callable[[Config], None]
    """Check what its schema cannot check. ConfigError: a sentence with the key and the remedy."""
    name: str = ""
    """That of its folder, which `study_of` fills in."""
    claims: tuple[Claim, ...] = ()
    """What its pages may say of agents, of which one is primary; without any it is that of each metric with a test."""
    controls: tuple[str, ...] = ()
    """The names of its agents that do not know what it asks about; those of all studies have one marker in figures."""
    task: Task | None = None
    needs: Needs | None = None
    example: int | None = None
    """The number of words, or texts, of a solved example; None: agents with `shots` take no part."""
    sentences: bool = False
    """Whether it scores or embeds whole sentences, which are no answers in words."""
    layers: bool = False
    """Whether agents may be asked layer by layer."""
    unread: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Part of the study -> the keys of an agent's entry that it does not read (studies/duplicates.py)."""
    agent_settings: Callable[[Mapping[str, Any], str], Any] = _no_settings
    """Return what its section says of an agent by its name (studies/duplicates.py)."""
    hidden_states: Callable[[Config], bool] = _no_hidden_states
    """Return whether it reads hidden states, which servers do not give."""
    size: Callable[[Config], tuple[int, int] | None] = _unknown_size
    """Return its probes and the answers that a model gives to all of them, where they are known before a run."""
    targets: Callable[[Config], Mapping[str, Targets]] = _unknown_targets
    """Return relation, or another part -> its targets, where they are known before a run."""
    in_run: Callable[[Config, Roles], InRun] | None = None
    """Return what it says of itself in a run; None: the frame says so (studies/frame/run.py)."""
    takes: tuple[str, ...] = ()
    """What it takes of its further analyses beside what all studies take (`core.analyses.NAMES_OF_SOME_STUDIES`)."""
    groups: tuple[str, ...] = ("condition",)
    """The columns that divide its values, where two runs are compared."""
    questions: Questions = NO_QUESTIONS
    """What it asks, if it stands on the frame and has trials, methods in a manuscript, and a page of answers."""
    values: ValueColumns = USUAL
    """The columns of its values that make up condition, unit and cluster, which all studies have in common."""
    links: Callable[[Path], Mapping[str, pl.DataFrame]] | None = None
    """Return the tables of links between its items, from its folder of results (`Metric.links`)."""

    # Functions, as reading the configuration needs none of their code.

    def metrics(self) -> Sequence[Metric]:
        """Return its metrics. ModuleNotFoundError: it has no module `measures`."""
        metrics: Sequence[Metric] = importlib.import_module(_module(self.name, "measures")).MEASURES
        return metrics

    def tidy_values(self, values: pl.DataFrame) -> pl.DataFrame:
        """Return its values in the form of all studies: metric, condition, unit, cluster and value (core/values.py)."""
        return tidy_values(values, self.values)

    def words(self) -> Any:
        """Return what its page says beyond the captions (`PageWords`); None, without a module `page`: on each metric."""
        return _part(self.name, "page")

    def methods(self, run: Any) -> Iterable[str]:
        """Yield the sentences on its methods in a manuscript, then those of its analyses. `run`: a `paper.run.Run`."""
        for sentences in (_part(self.name, "methods"), *take(self.name, "methods").values()):
            yield from sentences(run) if sentences else ()


def study_of(name: str) -> Study:
    """Return a study.

    >>> study_of("definitions").task, study_of("degrees").example
    (Task(name='choose', lines=('w2d', 'd2w'), here=True), None)
    """
    study: Study = importlib.import_module(_module(name, "study")).STUDY
    return replace(study, name=name)


def parts_of(name: str) -> list[str]:
    """Return the dotted names of what a study has in the modules of its folder.

    >>> parts_of("degrees")[0], len(parts_of("degrees"))
    ('relprobe.studies.degrees.study.STUDY', 4)
    """
    modules = {"study": "STUDY", **{module: part for module, part in MODULES.items() if _has(name, module)}}
    return [f"{_module(name, module)}.{part}" for module, part in modules.items()]


def _part(study: str, module: str) -> Any:
    """Return what a study has in a module (MODULES); None if there is no such module."""
    return getattr(importlib.import_module(_module(study, module)), MODULES[module]) if _has(study, module) else None


def _has(study: str, module: str) -> bool:
    """Return whether a study has a module. What goes wrong as it is imported is another matter, and is raised."""
    return importlib.util.find_spec(_module(study, module)) is not None


def _module(study: str, module: str) -> str:
    return f"relprobe.studies.{study}.{module}"
