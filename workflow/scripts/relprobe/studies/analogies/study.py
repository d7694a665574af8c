"""What the analogies study is, and what its configuration must have beyond its schema."""

from collections.abc import Mapping, Sequence
from typing import Any

from relprobe.core.analyses import by_agent
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import single_file
from relprobe.core.series import members
from relprobe.core.study import (
    Config,
    InRun,
    Needs,
    Roles,
    StandIn,
    StepInput,
    Study,
    Task,
    agent_files,
    readings,
    table_files,
)
from relprobe.studies.analogies.claims import CLAIMS
from relprobe.studies.analogies.relations import DEMONSTRATION, OWN, read_own
from relprobe.studies.analogies.template import Template, check_pair_template
from relprobe.studies.duplicates import duplicate_agents
from relprobe.studies.frame.run import page_in_run


def check(config: Config) -> None:
    """Check the templates of the analogies study, the names of the encoders, and own analogies on this machine.

    ConfigError: a template has another form, an encoder has the name of a model, or a line of own data is wrong.
    """
    for name in (OWN, DEMONSTRATION):
        try:
            if (file := single_file(config["resources"].get(name, {}).get("path"))) is not None:
                read_own(file)
        except DataError as error:
            raise ConfigError(str(error)) from None
    Template.of(config["analogies"]["template"])
    for name in config["analogies"].get("supervised", {}).get("layers", {}):
        if name not in config["models"]:
            raise ConfigError(f"config: analogies.supervised.layers names {name!r}, which is no model: correct it.")
    for name, entry in config["encoders"].items():
        if name in config["models"]:
            raise ConfigError(f"config: encoders.{name} has the name of a model: rename one of them.")
        if "template" in entry:
            check_pair_template(entry["template"], entry.get("pooling", ""), f"config: encoders.{name}.template")


def classifier_layer(config: Mapping[str, Any], agent: str) -> Any:
    """Return what the section says of an agent by its name: the layer that its classifiers read."""
    return config.get("analogies", {}).get("supervised", {}).get("layers", {}).get(agent)


def resource(config: Config) -> str:
    """Return the resource with the pairs: own analogies, the demonstration, which a run has only without BATS, or BATS."""
    return next((name for name in (OWN, DEMONSTRATION) if name in config["resources"]), "bats")


def controls(config: Config) -> list[str]:
    """Return the agents of a run that do not know what it asks about."""
    return ["static"] if "static_vectors" in config["resources"] else []


def baselines(config: Config) -> list[str]:
    """Return the agents that embed pairs of words: the encoders, and static vectors."""
    return [*config["encoders"], *controls(config)]


def embedding_agents(config: Config, models: Sequence[str]) -> list[str]:
    """Return the agents whose embeddings classifiers read.

    An agent with examples embeds the bare sentences: its classifiers would be those of the agent without examples.
    """
    repeated = duplicate_agents(config, "analogies", models, "embeddings")
    return [*(model for model in models if model not in repeated), *baselines(config)]


def kinds(config: Config, roles: Roles) -> Mapping[str, str]:
    """Return agent -> masked, causal or control, in the order of the tables and figures."""
    types = {agent: roles.types[agent] for agent in (*roles.models, *roles.task_agents)}
    return dict.fromkeys(baselines(config), "control") | types


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    results = "<results>/analogies"
    data = resource(config)
    page = page_in_run("analogies", config, roles, {"paper": data == "bats", "benchmark": data != DEMONSTRATION})
    agents = [*roles.models, *roles.task_agents, *baselines(config)]
    items = table_files("analogies", "instances", "tuples")
    drawn = {**table_files("analogies", "averages", "tuples"), **page.figure_tables()}
    figures = page.figure_settings(kinds(config, roles))
    unsupervised = agent_files("analogies", "unsupervised", agents)
    supervised = agent_files("analogies", "supervised", embedding_agents(config, roles.models))
    return InRun(
        agents,
        controls(config),
        page.has,
        scored=agent_files("analogies", "scores", roles.models),
        compared=StepInput(
            {
                "static": agent_files("analogies", "metrics", page.layer_agents(controls(config))),
                "layered": agent_files("analogies", "layer_metrics", page.layer_agents(roles.layered)),
            },
            {
                "table_names": page.table_names("compare"),
                "controls": baselines(config),
            },
            makes=["swapped"],
        ),
        shown=StepInput(
            {
                **drawn,
                **items,
                "decisions": unsupervised,
                "supervised": supervised,
                **page.agent_tables(agents, roles.task_agents),
                "by_agent": by_agent("analogies", agents),
                "queries": f"{results}/swapped.parquet",
            },
            {
                **figures,
                "table_names": page.table_names(),
                "notice": page.notice(),
                "members": members({model: config["models"][model] for model in roles.models}),
                "inference": config["inference"],
            },
            shipped=page.published(),
            makes=["answers"],
        ),
        drawn=StepInput(drawn, figures),
        trials=StepInput({"unsupervised": unsupervised, "supervised": supervised, **items}, {}),
        readable=readings(
            {
                **items,
                "responses": unsupervised,
                "supervised": supervised,
            }
        ),
    )


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=("static",),
    takes=("agent_table", "tables_of_layers", "tables_of_vectors", "published"),
    task=Task("continue"),
    needs=Needs(
        "bats",
        "get BATS 3.0 at https://vecto.space/projects/BATS and name its folder, or the archive's url and sha256, "
        "under resources.bats, or a CSV file of your own analogies as resources.own_analogies.path",
        substitute=OWN,
        stand_in=StandIn("demonstration", DEMONSTRATION, "BATS 3.0"),
    ),
    example=4,  # two pairs that are related alike
    sentences=True,
    layers=True,
    unread={"embeddings": ("shots",), "layers": ("shots",)},  # sentences are embedded without examples before them
    agent_settings=classifier_layer,
    hidden_states=lambda _config: True,  # which the classifiers of every model read
    in_run=in_run,
)
