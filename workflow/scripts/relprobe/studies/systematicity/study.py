"""What the systematicity study is, and what its configuration must have beyond its schema."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.study import (
    Config,
    InRun,
    Roles,
    StepInput,
    Study,
    Task,
    agent_files,
    readings,
    table_files,
)
from relprobe.sources.own import hyponyms as own_hyponyms
from relprobe.studies.asking import takes_task
from relprobe.studies.duplicates import duplicate_agents
from relprobe.studies.frame.run import page_in_run
from relprobe.studies.letters import LETTERS
from relprobe.studies.systematicity import prompts
from relprobe.studies.systematicity.claims import CLAIMS
from relprobe.studies.systematicity.corpus import Pattern
from relprobe.studies.systematicity.hyponyms import RESOURCE, flat, own_items, senses_of, words_of
from relprobe.studies.systematicity.method import OPEN
from relprobe.studies.systematicity.schemas import MAJORITY, NEAREST

NAME = "systematicity"
RESULTS = f"<results>/{NAME}"
RELEASED = "systematicity"
"""The resource with the authors' data; without them and own hyponyms, the items come from WordNet."""
OPTIONAL = (RESOURCE, RELEASED, "static_vectors", "corpus")
"""The resources that a run may do without."""


def check(config: Config) -> None:
    """Check the categories, carriers, patterns and prompts of the study, and own hyponyms on this machine.

    ConfigError: there is no WordNet or file of prompts; a category is named twice; a carrier, a pattern or a prompt has
    another form; top_k is too low; agents with a task get more categories than there are letters; or a line of own data
    is wrong.
    """
    study = config["systematicity"]
    if "wordnet" not in config["resources"]:
        raise ConfigError("config: systematicity needs resources.wordnet: add it, as config.yaml shows.")
    names = flat(words_of(study["categories"]))
    twice = next((category for category in names if names.count(category) > 1), None)
    if twice is not None:
        raise ConfigError(f"config: systematicity.categories names {twice!r} twice: leave it out once.")
    if len(names) > len(LETTERS) and any(takes_task(entry, "systematicity") for entry in config["models"].values()):
        raise ConfigError(
            f"config: systematicity.categories has {len(names)} categories, but a choice (`task`) has letters for "
            f"{len(LETTERS)}: leave some out, or name other studies in `studies` of the agents with a task."
        )
    for carrier in study["carriers"]:
        if carrier.count("[W]") != 1:
            raise ConfigError(f"config: systematicity.carriers holds {carrier!r}, which must have one [W]: correct it.")
    for pattern in study["patterns"]:
        Pattern.of(pattern)
    longest = max(OPEN.values())
    if study["top_k"] < longest:
        raise ConfigError(
            f"config: systematicity.top_k is below {longest}, the cut-off of open-vocabulary precision: raise it."
        )
    _check_files(config)


def _check_files(config: Config) -> None:
    """Check the prompts, and own hyponyms where their file is on this machine. ConfigError: a line is wrong."""
    study = config["systematicity"]
    if not exists(study["prompts"]):
        raise ConfigError(f"config: systematicity.prompts names {study['prompts']}, which does not exist: correct it.")
    try:
        prompts.read(Path(study["prompts"]))
        if (file := single_file(config["resources"].get(RESOURCE, {}).get("path"))) is not None:
            own_items(own_hyponyms.read(file), words_of(study["categories"]), file, study["plurals"])
    except DataError as error:
        raise ConfigError(str(error)) from None


def sets(config: Config) -> list[str]:
    """Return the sets of items of a run: a user's own, or else the authors', or else the one that is built from WordNet."""
    resources = config["resources"]
    return ["own"] if RESOURCE in resources else ["diagnostic", "extended"] if RELEASED in resources else ["wordnet"]


def choice_of_items(config: Config) -> dict[str, Any]:
    """Return the settings that decide which hyponyms are taken, and under which categories."""
    study = config[NAME]
    return {
        "categories": words_of(study["categories"]),
        "senses": senses_of(study["categories"]),
        **{key: study[key] for key in ("minimum_zipf", "minimum_hyponyms", "phrases")},
    }


def nearest(config: Config) -> list[str]:
    """Return the look-up of similar words, if there are vectors for it."""
    return [NEAREST] * ("static_vectors" in config["resources"])


def controls_of(models: Sequence[str]) -> list[str]:
    """Return the controls of models: what they answer to prompts without a relation.

    >>> controls_of(["gpt2"])
    ['gpt2+control']
    """
    return [f"{model}+control" for model in models]


def embedding_agents(config: Config, roles: Roles) -> list[str]:
    """Return the agents whose classifiers are trained.

    An agent with examples embeds the bare contexts, so that its classifiers are those of the agent without examples.
    """
    repeated = duplicate_agents(config, NAME, roles.models, "embeddings")
    return [*roles.vectors, *(model for model in roles.models if model not in repeated)]


def _page_facts(config: Config) -> dict[str, bool]:
    """Return what a run has of what its page may lack."""
    has_own = RESOURCE in config["resources"]
    return {
        "paper": not has_own,
        "released": "extended" in sets(config),
        "wordnet": "wordnet" in sets(config),
        "own": has_own,
    }


def _answer_files(roles: Roles) -> dict[str, Any]:
    """Return the files of the items, the probes and what agents answer to them."""
    return {
        "probes": f"{RESULTS}/probes.parquet",
        "item_table": f"{RESULTS}/items.parquet",
        "scores": agent_files(NAME, "scores", [*roles.vectors, *roles.models]),
        "reply_choices": agent_files(NAME, "reply_choices", roles.task_agents),
    }


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    model_controls = controls_of(roles.models)
    controls = [MAJORITY, *roles.vectors, *nearest(config), *model_controls]
    page = page_in_run(NAME, config, roles, _page_facts(config))
    figure_values = page.figure_values()
    settings = page.figure_settings(dict.fromkeys(controls, "control") | dict(roles.types))
    figures = {name: value for name, value in settings.items() if name != "figure_names"}
    figures |= {"figure_values": figure_values, "inference": config["inference"]}
    agents = [*controls, *roles.models, *roles.task_agents]
    answers = _answer_files(roles)
    detections = {"detections": agent_files(NAME, "detections", embedding_agents(config, roles))}
    made_by_compare = page.table_names("compare")
    return InRun(
        agents,
        controls,
        page.has,
        scored=agent_files(NAME, "scores", roles.models),
        compared=StepInput(
            {
                **detections,
                "baselines": agent_files(NAME, "metrics", page.layer_agents([MAJORITY, *roles.vectors])),
                "layered": agent_files(NAME, "layer_metrics", page.layer_agents(roles.layered)),
            },
            {"table_names": made_by_compare},
            makes=["detection", "contrasts"],
        ),
        shown=StepInput(
            {
                **answers,
                **table_files(NAME, "pairs", "detection", "contrasts"),
                **page.agent_tables(agents, roles.task_agents),
                "compared": agent_files(NAME, "tables", made_by_compare),
                "occurrences": [f"{RESULTS}/occurrences.parquet"] if page.has.get("corpus") else [],
            },
            {
                **figures,
                **choice_of_items(config),
                "table_names": page.table_names(),
                "seed": config[NAME]["seed"],
                "scale": config[NAME]["frequency"],
                "vectors": roles.vectors,
                "resources": sorted(
                    {name for name in OPTIONAL if name in config["resources"]}
                    | {"static_vectors" for _ in roles.vectors}
                ),
            },
            resources={"wordnet": "nltk_wordnet"},
            shipped={"published": f"resources/published/{NAME}.csv"},
            makes=["answers"],
        ),
        drawn=StepInput({"tables": agent_files(NAME, "tables", dict.fromkeys(figure_values.values()))}, figures),
        trials=StepInput(
            {
                **answers,
                **detections,
                "values": agent_files(NAME, "metrics", [MAJORITY, *nearest(config)]),
            },
            {"vectors": roles.vectors, "controls": model_controls},
        ),
        readable=readings(
            {
                **answers,
                **detections,
                **table_files(NAME, "pairs"),
            }
        ),
    )


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=(MAJORITY, "static", NEAREST, "control"),
    takes=("tables_of_layers", "published"),
    task=Task("complete", ("complete", "verify", "verify_plural")),
    example=4,  # a hyponym and its category, in the singular and in the plural
    sentences=True,
    layers=True,
    unread={"embeddings": ("shots",), "layers": ("shots",)},  # contexts are embedded without examples before them
    in_run=in_run,
    hidden_states=lambda _config: True,  # which the classifiers of every model read
)
