"""Who answers in a run of the study, and what the run has, as its configuration says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from relprobe.core.analyses import analyses_of, by_agent, steps_of
from relprobe.core.prompting import prompting_by_model
from relprobe.core.series import SeriesOf, compared_agents, model_properties, series_by_axis
from relprobe.core.study import Config, InRun, Roles, StepInput, readings
from relprobe.sources.relations import read as read_relations
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.schemas import Control

if TYPE_CHECKING:
    from relprobe.report.exhibits import Page

RESULTS = "<results>/relations"
NEAR = ("neighbours", "typical", "nearest")
"""The controls that read static vectors."""
TAUGHT = ("majority", "typical", "nearest")
"""The controls that have read the relata of other words."""
NORMS = ("associations", "feature_norms")
"""The resources with norms of people, who were asked without prompts; each is an agent."""
RELATIONS_OF_PAPER = {"HYP", "HPO", "HOL", "MER", "ANT", "SYN"}


@dataclass(frozen=True)
class Agents:
    """The agents of a run. `config`: a validated one. `roles`: who takes part in the study.

    A model answers the probes, or writes lists as people did. Its own control, MODEL+without-target, is what it answers to
    its prompts without a target. Of people there are one annotator, with whom models are compared, and all of them together.
    """

    config: Config
    roles: Roles

    @property
    def section(self) -> Mapping[str, Any]:
        """What the configuration says of the study."""
        section: Mapping[str, Any] = self.config["relations"]
        return section

    @property
    def scored(self) -> Sequence[str]:
        """The models that answer the probes, and whose likeliest tokens are scored."""
        return self.roles.models

    @property
    def task_agents(self) -> Sequence[str]:
        """The models that write lists, as people did."""
        return self.roles.task_agents

    @cached_property
    def models(self) -> list[str]:
        """All models: those that are scored, and those that write lists."""
        return [*self.scored, *self.task_agents]

    @cached_property
    def people(self) -> list[str]:
        """One annotator, and all of them together, where people have answered the probes."""
        return ["annotator", "humans"] if "human_responses" in self.config["resources"] else []

    @cached_property
    def norms(self) -> list[str]:
        """The norms of people that are configured."""
        return [name for name in NORMS if name in self.config["resources"]]

    @cached_property
    def answering(self) -> list[str]:
        """All agents but the controls."""
        return [*self.people, *self.norms, *self.models]

    @cached_property
    def all_agents(self) -> list[str]:
        """All agents, in the order of tables."""
        return [*self.answering, *self.controls]

    @cached_property
    def shared_controls(self) -> list[str]:
        """The controls that know nothing of the pair, and are of no model (docs/controls.md)."""
        near = NEAR if "static_vectors" in self.config["resources"] else ()
        available = [name for name in get_args(Control) if name not in NEAR or name in near]
        return [name for name in self.section["controls"] if name in available]

    @cached_property
    def own_controls(self) -> dict[str, str]:
        """Control of a model -> the model: its prompts without a target, where its tokens are the answers."""
        asked = "without-target" in self.section["controls"] and self.section["answers"] in ("tokens", "lexicon")
        return {f"{model}+without-target": model for model in self.scored if asked}

    @cached_property
    def controls(self) -> list[str]:
        """All controls."""
        return [*self.shared_controls, *self.own_controls]

    @cached_property
    def with_shots(self) -> list[str]:
        """The scored models that have solved examples."""
        return [name for name in self.scored if "shots" in self.config["models"][name]]

    @cached_property
    def asked_in_words(self) -> list[str]:
        """The scored models that answer in a chat."""
        return [name for name in self.scored if self.config["models"][name].get("chat") == "answer"]

    @cached_property
    def sampled(self) -> list[str]:
        """The scored models that answer a sample of the probes with words of any length, too."""
        if "word_sample" not in self.section:
            return []
        named = self.section["word_sample"].get("models", self.scored)
        return [name for name in named if name in self.scored]

    @cached_property
    def entries(self) -> dict[str, Any]:
        """Model -> its entry of the configuration, with its place in a series."""
        return {model: model_properties(self.config["models"][model]) for model in self.models}

    @cached_property
    def layered_entries(self) -> dict[str, Any]:
        """The same of the agents that are asked after each of their layers."""
        return {model: model_properties(self.config["models"][model]) for model in self.roles.layered}

    @cached_property
    def series(self) -> Mapping[str, SeriesOf]:
        """Axis -> its series: the checkpoints of a training, and the sizes of a family."""
        return series_by_axis(self.entries)

    @cached_property
    def series_of_layered(self) -> Mapping[str, SeriesOf]:
        """The same of the agents that are asked after each of their layers."""
        return series_by_axis(self.layered_entries)

    @cached_property
    def members(self) -> list[str]:
        """The agents of all series."""
        return list(dict.fromkeys(name for axis in self.series.values() for series in axis.values() for name in series))

    @cached_property
    def kinds(self) -> dict[str, AgentKind]:
        """Agent -> its kind. Models are compared with one person; of a series the last member is one of the models."""
        agents_by_kind = self.compared
        return {
            **dict.fromkeys(agents_by_kind["persons"], "person"),
            **dict.fromkeys(agents_by_kind["pooled"], "pooled"),
            **{model: "member" if model in agents_by_kind["members"] else "model" for model in self.models},
            **dict.fromkeys(self.controls, "control"),
        }

    @cached_property
    def compared(self) -> dict[str, list[str]]:
        """The agents that are no models, by what they are in comparisons (the fields of `side_by_side.AgentComparison`)."""
        last = compared_agents(self.entries)
        return {
            "controls": self.controls,
            "members": [model for model in self.models if model not in last],
            "persons": self.people[:1],
            "pooled": [*self.people[1:], *self.norms],
        }

    @cached_property
    def ways(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The models that are asked in several ways, such as with examples, in a chat and in lists."""
        return prompting_by_model(self.config["models"], self.models)

    @cached_property
    def answers(self) -> dict[str, str]:
        """Model, or a model's own control -> the kind of file that it has answered with."""
        return {
            **dict.fromkeys(self.scored, "scores"),
            **dict.fromkeys(self.task_agents, "writing"),
            **dict.fromkeys(self.own_controls, "without_target"),
        }

    @cached_property
    def with_responses(self) -> list[str]:
        """The agents whose responses a step of their own writes, such as people: all that no other step measures."""
        return [name for name in self.all_agents if name not in {*self.answers, *self.shared_controls, *self.norms}]

    def network(self, agent: str) -> str:
        """Return the model behind an agent."""
        name: str = self.config["models"][agent].get("model", agent)
        return name

    def lexicons(self, agents: Sequence[str]) -> list[str]:
        """Return the lexicons of the models behind agents."""
        return [f"<results>/models/lexicon/{self.network(agent)}.parquet" for agent in agents]

    def model(self, agent: str) -> str:
        """Return the agent, or of a model's own control the model."""
        return self.own_controls.get(agent, agent)

    def answers_file(self, agent: str) -> str:
        """Return the file that a model has answered with; its own control has its answers without a target."""
        return f"{RESULTS}/{self.answers[agent]}/{self.model(agent)}.parquet"

    def people_files(self, file: str) -> list[str]:
        """Return a file of the study that a run has where people take part, such as lists.parquet; else none."""
        return [f"{RESULTS}/{file}"] if self.people else []

    def files(self, kind: str, agents: Sequence[str] | None = None) -> list[str]:
        """Return the files of a kind, such as metrics, of some agents; without them, of all."""
        return [f"{RESULTS}/{kind}/{agent}.parquet" for agent in (self.all_agents if agents is None else agents)]


def is_papers(section: Mapping[str, Any]) -> bool:
    """Return whether the paper's figures are about the study: its six relations, between English words, of its sources."""
    return (
        set(read_relations(Path(section["relations"])).codes) == RELATIONS_OF_PAPER
        and Path(section["language"]).name == "english.yaml"
        and "own_tuples" not in section["tuples"]
    )


def cutoff(section: Mapping[str, Any]) -> int:
    """Return the cut-off of symmetry and asymmetry where a table or figure has one: the paper's 5, or else the largest.

    >>> cutoff({"choices": {"symmetry_k": [1, 5, 10]}}), cutoff({"choices": {"symmetry_k": [1, 3]}})
    (5, 3)
    """
    return int(min(section["choices"]["symmetry_k"], key=lambda k: (k != 5, -k)))


def lexicon_file(section: Mapping[str, Any]) -> str:
    """Return the file of the words that may be answers: those of a list or of closed lists, or those of all tokenizers."""
    list_files = {"words": f"{RESULTS}/word_list.parquet", "candidates": f"{RESULTS}/candidate_words.parquet"}
    return list_files.get(section["answers"], "<results>/models/shared_lexicon.parquet")


def kind_of_answers(section: Mapping[str, Any]) -> str:
    """Return the kind of file with the answers that count: what a model was asked for it decides which probes it lacks."""
    return {"words": "words", "candidates": "candidate_scores"}.get(section["answers"], "scores")


def gold_files(section: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of the gold standard (`method.GoldStandard`). Closed lists limit the tuples, too."""
    closed = section["answers"] == "candidates"
    return {
        "probes": f"{RESULTS}/probes.parquet",
        "relata": f"{RESULTS}/relata.parquet",
        "tuples": f"{RESULTS}/{'listed' if closed else 'tuples'}.parquet",
        "shared_lexicon": lexicon_file(section),
        "relations": section["relations"],
    }


def _facts(agents: Agents) -> dict[str, bool]:
    """Return name of `may_lack` of page.md -> whether the run has that."""
    controls = agents.shared_controls
    return {
        "paper": is_papers(agents.section),
        "people": bool(agents.people),
        **{name: name in controls or "frequency" not in controls for name in NEAR},
    }


def in_run(config: Config, roles: Roles) -> InRun:
    """Return what the study says of itself in a run. `config`: a validated one."""
    from relprobe.report.shown import has_in_run, page_of

    agents, page, gold = Agents(config, roles), page_of("relations"), gold_files(config["relations"])
    has = has_in_run("relations", config, roles, _facts(agents))
    reads_layers = [analysis.name for analysis in analyses_of("relations") if "metrics_by_layer" in analysis.reads]
    return InRun(
        agents.all_agents,
        agents.controls,
        has,
        scored=[agents.answers_file(model) for model in agents.models],
        compared=StepInput(
            {
                **gold,
                "pairs": f"{RESULTS}/relation_pairs.parquet",
                "writing": agents.files("writing", agents.task_agents),
            },
            agents.compared,
            makes=["contrasts"],
        ),
        shown=_show_reading(agents, page, has, gold),
        drawn=_figure_reading(agents, page, has),
        trials=_trial_reading(agents, gold),
        people="human_responses",
        late=reads_layers if roles.layered else [],
        exported={
            "metrics": agents.files("metrics", agents.models),
            "top_words": agents.files("top_words", agents.models),
            "probes": [gold["probes"]],
            "relata": [gold["relata"]],
            "language": [agents.section["language"]],
        },
        readable=_readable(agents, gold),
    )


def _figure_reading(agents: Agents, page: "Page", has: Mapping[str, bool]) -> StepInput:
    """Return what the step reads that draws the figures of the page: the averages, tests and tables behind them."""
    figures = page.figures(has, {"show", *steps_of("relations")})
    tables = [table for table in dict.fromkeys(figure.values for figure in figures) if table != "averages"]
    return StepInput(
        {
            **{name: f"{RESULTS}/{name}.parquet" for name in ("averages", "tests")},
            "values": [f"{RESULTS}/tables/{table}.parquet" for table in tables],
            "relations": agents.section["relations"],
        },
        {
            "names": list(dict.fromkeys(figure.name for figure in figures)),
            "agents": agents.all_agents,
            "models": agents.entries,
            "k": cutoff(agents.section),
            "inference": agents.config["inference"],
            "families": agents.roles.families,
            "controls": agents.controls,
            "layered": {model: entry["type"] for model, entry in agents.layered_entries.items()},
            "ways": agents.ways,
        },
    )


def _show_reading(agents: Agents, page: "Page", has: Mapping[str, bool], gold: Mapping[str, str]) -> StepInput:
    """Return what the step `show` reads: the method's tables in their order, and tables that other steps have made."""
    section, models = agents.section, agents.config["models"]
    return StepInput(
        {
            **{name: f"{RESULTS}/{name}.parquet" for name in ("probes", "relata", "contrasts", "losses")},
            **{name: gold[name] for name in ("tuples", "shared_lexicon", "relations")},
            **{name: section[name] for name in ("language", "prompts")},
            "raw_tuples": f"{RESULTS}/given.parquet",
            "metrics": agents.files("metrics", agents.answering),
            "top_words": agents.files("top_words"),
            "by_agent": by_agent("relations", agents.all_agents),
            "compared": [f"{RESULTS}/tables/{table}.parquet" for table in _tables_read(page, has)],
            "unmatched": agents.people_files("tables/unmatched_answers.parquet"),
            "lists": agents.people_files("lists.parquet"),
            "lexicons": list(dict.fromkeys(agents.lexicons(agents.scored))),
            "scores": agents.files("scores", agents.scored),
            "counted": agents.files(kind_of_answers(section), agents.scored),
            "writing": agents.files("writing", agents.task_agents),
            "replies": agents.files("replies", agents.roles.chat_models),
        },
        {
            **_figure_reading(agents, page, has).settings,
            "names": [figure.name for figure in page.figures(has)],
            "table_names": [table.name for table in page.tables(has)],
            "shown": section["shown_probes"],
            "kinds": agents.kinds,
            "causal": [name for name, entry in models.items() if entry["type"] == "causal"],
            "people": agents.people,
            "panel": agents.config.get("lexicon", {}).get("panel", []),
            "sources": section["tuples"],
            "closed": section["answers"] == "candidates",
            "frequency": section["choices"]["frequency"],
        },
        shipped={"published": "resources/published/relations.csv"},
        makes=["answers"],
    )


def _tables_read(page: "Page", has: Mapping[str, bool]) -> list[str]:
    """Return the tables of other steps that the step `show` reads: behind its figures, and for tables of tables."""
    read = {figure.values for figure in page.figures(has)}
    read |= {name for analysis in analyses_of("relations") for name in analysis.tables}
    other_tables = [exhibit for exhibit in page.available(has) if exhibit.folder == "tables" and exhibit.step != "show"]
    return [table.name for table in other_tables if table.name in read]


def _trial_reading(agents: Agents, gold: Mapping[str, str]) -> StepInput:
    """Return what the step reads that lists the trials: the agents' answers and values, and the gold standard."""
    return StepInput(
        {
            **{name: agents.files(name) for name in ("responses", "metrics", "top_words")},
            **gold,
            "language": agents.section["language"],
            "prompts": agents.section["prompts"],
        },
        {"people": agents.people[:1]},
    )


def _readable(agents: Agents, gold: Mapping[str, str]) -> dict[str, StepInput]:
    """Return what the step of an analysis may read: name of a parameter of its `make_exhibits` -> files and settings."""
    section, layered = agents.section, [*agents.roles.layered]
    members = {agent: agents.network(agent) for agent in agents.members}
    # The scale of word frequencies and the pairs of relations that AuDC counts do not change a metric.
    choices = {key: value for key, value in section["choices"].items() if key not in ("frequency", "minimum_targets")}
    files = {
        # The words, and what counts as right.
        **{name: gold[name] for name in ("probes", "tuples", "relata", "relations")},
        "language": section["language"],
        "prompts": section["prompts"],
        "pairs": f"{RESULTS}/relation_pairs.parquet",
        "word_list": f"{RESULTS}/word_list.parquet",
        # What people and models have answered.
        "lists": f"{RESULTS}/lists.parquet",
        "scores": agents.files("scores", agents.scored),
        "scores_with_shots": agents.files("scores", agents.with_shots),
        "lexicons_with_shots": agents.lexicons(agents.with_shots),
        "draws": agents.files("draws", agents.with_shots),
        "scores_of_sample": agents.files("scores", agents.sampled),
        "lexicons_of_sample": agents.lexicons(agents.sampled),
        "words_of_sample": agents.files("words", agents.sampled),
        # What agents have answered in the common form, and their values.
        "responses": agents.files("responses"),
        "metrics": agents.files("metrics", agents.answering),
        "use": agents.files("use"),
        # The values of agents that are in an order, and of the agents beside them.
        "metrics_of_members": agents.files("metrics", agents.members),
        "metrics_by_layer": agents.files("layer_metrics", layered),
        "blind": agents.files("metrics", agents.shared_controls if layered else []),
        "people_metrics": agents.files("metrics", agents.people[:1] if layered else []),
    }
    settings = {
        "kinds": agents.kinds,
        "people": agents.people,
        "chat_agents": agents.asked_in_words,
        "along": agents.series,
        "checkpoints": agents.series_of_layered,
        "networks": members,
        "map_text": section["layers"]["map"],
    }
    return {**readings(files, settings), "gold": StepInput(gold, {}), "choices": StepInput({}, choices)}
