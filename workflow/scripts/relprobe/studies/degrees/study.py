"""What the degrees study is, the names of its raters, and what its configuration must have beyond its schema."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from relprobe.core.analyses import by_agent
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.study import (
    Config,
    InRun,
    Needs,
    Roles,
    StepInput,
    Study,
    Task,
    agent_files,
    readings,
    table_files,
)
from relprobe.sources.exported import Layout
from relprobe.sources.own import ratings as own_ratings
from relprobe.studies.degrees.claims import CLAIMS
from relprobe.studies.degrees.relations import OWN, read_own
from relprobe.studies.duplicates import duplicate_agents
from relprobe.studies.frame.run import page_in_run, score_files

TASK = Task("maxdiff")
"""The MaxDiff questions of the task, as people answered them."""
KINDS = {
    "schema": "schema",
    "schema-mean": "schema",
    "analogy": "analogy",
    "analogy-mean": "analogy",
    "pmi": "pmi",
    "hidden": "hidden",
}
"""Rater -> the kind of scores that it reads."""


def check(config: Config) -> None:
    """Check the prompts of the degrees study, and own ratings that lie on this machine.

    ConfigError: the file of prompts does not exist, a model has the name of a rater, or a line or a relation of own data is
    wrong.
    """
    study = config["degrees"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: degrees.prompts names {study['prompts']}, which does not exist: correct it.")
    if same := [name for name in config.get("models", {}) if name in KINDS]:
        raise ConfigError(
            f"config: models.{same[0]} has the name of a rater of degrees, whose tests are listed under the names of raters "
            "and models: give the model another name."
        )
    if has_own_ratings(config):
        for name, entry in config.get("models", {}).items():
            if entry.get("task") == TASK.name:
                raise ConfigError(
                    f"config: models.{name} has `task: {TASK.name}`, but people answered no MaxDiff questions about own "
                    "ratings: take the agent out."
                )
    try:
        if (file := single_file(config["resources"].get(OWN, {}).get("path"))) is not None:
            read_own(file, Path(study["prompts"]))
            if (layout := Layout.of(config["resources"][OWN])) is not None:
                for _ in own_ratings.read_further(file, OWN, layout):  # each named column is there
                    pass
    except DataError as error:
        raise ConfigError(str(error)) from None


def reads_hidden_states(config: Config) -> bool:
    """Return whether a rater reads hidden states."""
    return "hidden" in config["degrees"]["raters"]


def has_own_ratings(config: Config) -> bool:
    """Return whether ratings of the user take the place of the task's package; they have no MaxDiff questions."""
    return OWN in config["resources"]


def resource(config: Config) -> str:
    """Return the resource with people's ratings: those of the user, or the task's package."""
    return OWN if has_own_ratings(config) else "semeval2012"


def description(config: Config) -> list[str]:
    """Return the file that describes the relations of the user's ratings; the task's package has its own."""
    return [config["degrees"]["prompts"]] if has_own_ratings(config) else []


def controls(config: Config) -> list[str]:
    """Return the baselines of a run: the authors have no PMI ratings of other pairs than theirs."""
    has_vectors = "static_vectors" in config["resources"]
    supplied = [name for name in config["degrees"]["baselines"] if name != "pmi" or not has_own_ratings(config)]
    return [*supplied, *["static", "typical"] * has_vectors]


def raters(config: Config, models: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return model -> its raters.

    An agent with examples is asked without them what holds paradigms itself, and for states: there it repeats another agent,
    and is no further rater.
    """
    repeated = {kind: duplicate_agents(config, "degrees", models, kind) for kind in dict.fromkeys(KINDS.values())}
    chosen = config["degrees"]["raters"]
    raters_by_model = {model: [rater for rater in chosen if model not in repeated[KINDS[rater]]] for model in models}
    return {model: model_raters for model, model_raters in raters_by_model.items() if model_raters}


def task_agents(config: Config, roles: Roles) -> Sequence[str]:
    """Return the agents that answer MaxDiff questions."""
    return [] if has_own_ratings(config) else roles.task_agents


def _page_facts(config: Config, roles: Roles) -> dict[str, bool]:
    """Return what a run has of what its page may lack."""
    asked, is_task = task_agents(config, roles), not has_own_ratings(config)
    return {
        "paper": is_task,
        "questions": is_task,
        "static": "static_vectors" in config["resources"],
        "task_agents": bool(asked),
        "chat_models": bool(set(asked) & set(roles.chat_models)),
    }


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    models, baselines, asked = raters(config, roles.models), controls(config), task_agents(config, roles)
    all_agents = [*models, *asked, *baselines]
    page = page_in_run("degrees", config, roles, _page_facts(config, roles))
    drawn = {**table_files("degrees", "averages", "gold", "ceiling"), **page.figure_tables()}
    figures = page.figure_settings({agent: roles.types[agent] for agent in (*roles.models, *asked)})
    choices = {
        "ratings": agent_files("degrees", "ratings", [*models, *baselines]),
        **table_files("degrees", "questions"),
        "reply_choices": agent_files("degrees", "reply_choices", asked),
    }
    return InRun(
        all_agents,
        baselines,
        page.has,
        scored=score_files("degrees", dict.fromkeys(models, config["degrees"]["raters"][:1]), KINDS),
        compared=StepInput(
            {
                "prompts": description(config),
                "baselines": agent_files("degrees", "metrics", page.layer_agents(baselines)),
                "layered": agent_files("degrees", "layer_metrics", page.layer_agents(roles.layered)),
            },
            {
                "table_names": page.table_names("compare"),
                "seed": config["degrees"]["seed"],
            },
            resources={"relations": resource(config)},
            makes=["ceiling"],
        ),
        shown=StepInput(
            {
                **drawn,
                **choices,
                **page.agent_tables(all_agents, asked),
                "by_agent": by_agent("degrees", all_agents),
            },
            {
                **figures,
                "table_names": page.table_names(),
                "inference": config["inference"],
            },
            shipped=page.published(),
        ),
        drawn=StepInput(drawn, figures),
        trials=StepInput({**choices, "gold": drawn["gold"]}, {}),
        people=OWN,
        readable=readings(
            {
                **table_files("degrees", "gold", "questions", "probes", "ceiling"),
                "scores": score_files("degrees", models, KINDS),
                "responses": choices["ratings"],
                "reply_choices": choices["reply_choices"],
            }
        ),
    )


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=("random", "pmi", "static", "typical"),
    takes=("agent_table", "tables_of_layers", "published"),
    task=TASK,
    needs=Needs(
        "semeval2012",
        "get the packages of SemEval-2012 Task 2 from https://sites.google.com/site/semeval2012task2/ "
        "and name their folder as resources.semeval2012.path, or a CSV file of your own ratings as "
        "resources.own_ratings.path",
        substitute=OWN,
    ),
    sentences=True,
    layers=True,
    # No example stands before an analogy, which holds paradigms itself, or before a sentence whose states are read.
    unread={"analogy": ("shots",), "hidden": ("shots",), "layers": ("shots",)},
    hidden_states=reads_hidden_states,
    in_run=in_run,
)
