"""What the pairs study is, and what its configuration must have beyond its schema."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import exists, single_file
from relprobe.core.study import (
    Config,
    InRun,
    Roles,
    StepInput,
    Study,
    Targets,
    Task,
    agent_files,
    readings,
    table_files,
)
from relprobe.core.values import ValueColumns
from relprobe.studies.asking import takes_task
from relprobe.studies.duplicates import duplicate_agents
from relprobe.studies.frame.run import page_in_run, score_files
from relprobe.studies.pairs import prompts
from relprobe.studies.pairs.claims import CLAIMS

NAME = "pairs"
OWN, PEOPLE, HYPERLEX = "judged_pairs", "pair_answers", "hyperlex"
"""The resources with own pairs, with people's judgments, and with HyperLex."""
HUMANS = "humans"
TASK = Task("judge", ("judge", "pick", "rate"))
"""The questions in words: whether a pair is related, which word is, and how much."""
JUDGES = {
    "statement": "statement",
    "sentence": "sentence",
    "pmi": "statement",
    "verification": "verification",
    "embedding": "states",
}
"""Judge -> the kind of scores that it reads."""
STATES = "embedding"
"""The judge that reads hidden states."""
CONTROLS = ("yes", "frequency", "typical")
"""The controls of every run; static is one of those with vectors."""
OWN_CONTROLS = ("candidate", "target")
"""The controls of one model with a judge: the word that alone is left in its question."""
INCLUSION = "inclusion"
SCALE = (0, 6)
"""The scale that agents are asked for where none is declared: that of HyperLex."""


def check(config: Config) -> None:
    """Check the data, the prompts and the scale of the study, and own files on this machine. ConfigError: one is wrong."""
    study, resources = config[NAME], config["resources"]
    if study["wordnet"] is None and not {HYPERLEX, OWN} & set(resources):
        raise ConfigError(
            f"config: {NAME} has no pairs: add pairs.wordnet, as config.yaml shows, resources.{HYPERLEX}, or your own as "
            f"resources.{OWN}."
        )
    if study["wordnet"] is not None and "wordnet" not in resources:
        raise ConfigError(
            f"config: {NAME}.wordnet needs resources.wordnet: add it, as config.yaml shows, or write `wordnet: null`."
        )
    if study["scale"] is not None and study["scale"][0] >= study["scale"][1]:
        raise ConfigError(f"config: {NAME}.scale must rise: the first number is its low end.")
    if study["part"] and study["split"] == "none":
        raise ConfigError(f"config: {NAME}.part is of a split: name one in {NAME}.split, or leave it out.")
    for key in ("prompts", "relations", "language"):
        if not exists(study[key]):
            raise ConfigError(f"config: {NAME}.{key} names {study[key]}, which does not exist: correct it.")
    try:
        _check_files(config)
        _check_ratings(config)
    except DataError as error:
        raise ConfigError(f"config: {error}") from None


def scale(config: Config) -> list[float]:
    """Return the lowest and the highest number that agents in words are asked for."""
    return [*(config[NAME]["scale"] or SCALE)]


def _check_files(config: Config) -> None:
    """Check the prompts of all relations, and own pairs on this machine. DataError: one is wrong."""
    from relprobe.sources.language import cases, has_articles
    from relprobe.sources.relations import read as read_relations

    study, path = config[NAME], Path(config[NAME]["prompts"])
    asked = prompts.read(path)
    wanted = dict.fromkeys(relations_of(config))
    if study["wordnet"] is not None:
        codes = read_relations(Path(study["relations"])).codes
        for code in study["wordnet"]["targets"]:
            if code not in codes:
                raise DataError(
                    f"{NAME}.wordnet.targets names {code}; {study['relations']} has {', '.join(codes)}: correct it."
                )
    language = Path(study["language"])
    prompts.check(path, asked, list(wanted), articles=has_articles(language), cases=cases(language))
    _check_further(config["resources"])


def _check_ratings(config: Config) -> None:
    """Check that own ratings lie in the scale that agents are asked for, or that is declared. DataError: one does not."""
    from relprobe.sources.own import judged_pairs

    if config[NAME]["scale"] is None and not _asks_for_numbers(config):
        return
    low, high = scale(config)
    for resource, read in ((OWN, judged_pairs.read), (PEOPLE, judged_pairs.read_answers)):
        if (file := _file_of(config, resource)) is not None:
            read(file, (low, high))


def _asks_for_numbers(config: Config) -> bool:
    """Return whether an agent in words is asked for a number of the scale."""
    from relprobe.studies.pairs.chat import RATE

    return RATE in config[NAME]["questions"] and any(takes_task(entry, NAME) for entry in config["models"].values())


def _check_further(resources: Config) -> None:
    """Check the further columns of people's tables. DataError: two tables name some, or a file lacks one."""
    from relprobe.sources.exported import Layout
    from relprobe.sources.own import judged_pairs

    naming = [name for name in (OWN, PEOPLE) if "further" in resources.get(name, {})]
    if len(naming) > 1:
        raise DataError(
            f"resources.{OWN} and resources.{PEOPLE} both have `further`, and trials have the columns of one of them: leave "
            "it out of the other."
        )
    for name in naming:
        file, layout = single_file(resources[name].get("path")), Layout.of(resources[name])
        if file is not None and layout is not None:
            for _ in judged_pairs.read_further(file, name, layout, answers=name == PEOPLE):
                pass


def relations_of(config: Config) -> Iterator[str]:
    """Yield the relations whose prompts a run needs, as far as they are known before it."""
    from relprobe.sources.own import judged_pairs
    from relprobe.sources.relations import read as read_relations

    study = config[NAME]
    if study["wordnet"] is not None:
        with_tuples = [
            relation.code for relation in read_relations(Path(study["relations"])).entries if _has_tuples(relation)
        ]
        yield from study["wordnet"]["targets"] or with_tuples
    if HYPERLEX in config["resources"]:
        yield from ("HYP", "HYP-V")
    if (file := _file_of(config, OWN)) is not None:
        yield from (pair.relation for pair in judged_pairs.read(file))
    if (file := _file_of(config, PEOPLE)) is not None:
        judged_pairs.read_answers(file)


def _file_of(config: Config, resource: str) -> Path | None:
    """Return the file of a resource, if it lies on this machine."""
    return single_file(config["resources"].get(resource, {}).get("path"))


def _has_tuples(relation: object) -> bool:
    links = getattr(relation, "wordnet", None)
    return links is not None and links.tuples


def judges(config: Config, models: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return model -> its judges.

    An agent with examples has no judge embedding, as its states are those without examples; nor has a served model, as a
    server gives no states.
    """
    lacking = {kind: set(duplicate_agents(config, NAME, models, kind)) for kind in dict.fromkeys(JUDGES.values())}
    lacking[JUDGES[STATES]] |= {model for model in models if "endpoint" in config["models"][model]}
    chosen = config[NAME]["judges"]
    judges_by_model = {model: [judge for judge in chosen if model not in lacking[JUDGES[judge]]] for model in models}
    return {model: model_judges for model, model_judges in judges_by_model.items() if model_judges}


def shared_controls(config: Config) -> list[str]:
    """Return the controls of all models."""
    return [*CONTROLS, *["static"] * ("static_vectors" in config["resources"])]


def has_inclusion(config: Config) -> bool:
    """Return whether measures of inclusion are agents: they need vectors."""
    return bool(config[NAME]["inclusion"]) and "static_vectors" in config["resources"]


def targets(config: Config) -> Mapping[str, Targets]:
    """Return relation -> its targets of WordNet, where a number is drawn; without shared relata each counts as one."""
    sample = config[NAME]["wordnet"] or {}
    return {code: Targets(number, number) for code, number in sample.get("targets", {}).items() if number}


def judge_controls(judges_by_model: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the controls of each model with each of its judges.

    >>> judge_controls({"gpt2": ["pmi"]})
    ['gpt2 pmi+candidate', 'gpt2 pmi+target']
    """
    raters = [f"{model} {judge}" for model, names in judges_by_model.items() for judge in names]
    return [f"{rater}+{word}" for rater in raters for word in OWN_CONTROLS]


def _page_facts(resources: Config) -> dict[str, bool]:
    """Return what a run has of what its page may lack."""
    return {
        "paper": HYPERLEX in resources,
        "ratings": HYPERLEX in resources or OWN in resources,
        "static": "static_vectors" in resources,
    }


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    resources = config["resources"]
    judges_by_model, shared = judges(config, roles.models), shared_controls(config)
    people = [HUMANS] * (PEOPLE in resources)
    page = page_in_run(NAME, config, roles, _page_facts(resources))
    asked = [*judges_by_model, *roles.task_agents]
    files = [*asked, *shared, *[INCLUSION] * has_inclusion(config), *people]
    types = {agent: roles.types[agent] for agent in (*roles.models, *roles.task_agents)}
    figures = page.figure_settings(types | dict.fromkeys(people, "humans"))
    item_table = {"item_table": f"<results>/{NAME}/items.parquet"}
    return InRun(
        files,
        [*shared, *judge_controls(judges_by_model)],
        page.has,
        scored=score_files(NAME, {model: names[:1] for model, names in judges_by_model.items()}, JUDGES),
        compared=StepInput(
            {
                **item_table,
                **table_files(NAME, "raters"),
                "layered": agent_files(NAME, "layer_metrics", page.layer_agents(roles.layered)),
                "shared": agent_files(NAME, "metrics", page.layer_agents(shared)),
            },
            {
                "persons": people,
                "table_names": page.table_names("compare"),
                "seed": config[NAME]["seed"],
            },
            makes=["ceiling"],
        ),
        shown=StepInput(
            {
                **item_table,
                **page.figure_tables(),
                **table_files(NAME, "ceiling"),
                "relations": config[NAME]["relations"],
                **page.agent_tables(files, roles.task_agents),
            },
            {
                **figures,
                "table_names": page.table_names(),
                "inference": config["inference"],
            },
            shipped=page.published(),
        ),
        drawn=StepInput({**table_files(NAME, "averages"), **page.figure_tables()}, figures),
        trials=StepInput(
            {
                **item_table,
                "judgments": agent_files(NAME, "judgments", files),
                "prompts": config[NAME]["prompts"],
                "reply_choices": agent_files(NAME, "reply_choices", [*roles.task_agents, *people]),
            },
            {},
        ),
        people=PEOPLE if "further" in resources.get(PEOPLE, {}) else OWN,
        readable=readings(
            {
                **item_table,
                **table_files(NAME, "probes"),
                "scores": score_files(NAME, judges_by_model, JUDGES),
                "responses": agent_files(NAME, "judgments", files),
            }
        ),
    )


def links(folder: Path) -> Mapping[str, pl.DataFrame]:
    """Return the table of what the items of a finished run share, from its folder of results."""
    from relprobe.core.files import read_parquet
    from relprobe.studies.pairs.method import links as links_of

    return {"links": links_of(read_parquet(folder / "items.parquet"))}


STUDY = Study(
    check=check,
    claims=CLAIMS,
    controls=(*CONTROLS, "static"),
    takes=("tables_of_layers", "published"),
    task=TASK,
    example=2,  # a target and a related word
    sentences=True,
    layers=True,
    unread={"states": ("shots",), "layers": ("shots",)},  # no example stands before a sentence whose states are read
    hidden_states=lambda config: config[NAME]["judges"] == [STATES],  # a served model has the other judges
    targets=targets,
    in_run=in_run,
    groups=("condition", "foils"),
    values=ValueColumns(("condition", "foils"), ("unit", "prompt"), ("unit",)),
    links=links,
)
