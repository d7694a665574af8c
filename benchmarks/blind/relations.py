"""Sampled small studies of relations, and what their pages say of blind agents.

Each study has its own tuples, whose targets share no relatum, and the study's own controls.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
from relprobe.core.relation import Relations, augment
from relprobe.report.page_words import words_of
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.relations.analyses.use import use, use_table
from relprobe.studies.relations.averages import GROUPS, linked_by, plain
from relprobe.studies.relations.compare import primary
from relprobe.studies.relations.controls import ControlFiles, control_responses, ranked_responses
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import Choices, GoldStandard, judge
from relprobe.studies.relations.sampling import sample
from relprobe.studies.relations.schemas import PROBES, Control
from relprobe.studies.relations.values import all_metrics

from benchmarks.blind.door import Agent, Answer, Question, Weights, World, praises_in, weights_of

PAGE = words_of("relations")
"""What the page says, with what analyses say at its head."""
SIZES = {"HYP": 16, "MER": 10, "ANT": 8, "SYN": 12}
PROMPTS = 3
CONTROLS: tuple[Control, ...] = ("majority", "frequency", "neighbours", "typical", "nearest")
SOUNDNESS = [measure for measure in MEASURES if measure.name == "soundness"]
DEPTH = 50


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    study = study_of(world, seed)
    responses: dict[str, pl.DataFrame] = {
        name: control_responses(name, study, DEPTH, "en", ControlFiles(world.vectors, resource=world.sets))
        for name in CONTROLS
    }
    seen = world.without(study.probes["target"].unique())
    said = {name: responses_of(agent(seen), study) for name, agent in agents.items()}
    judged = {name: judge(table, study) for name, table in {**responses, **said}.items()}
    values = plain({name: all_metrics(answers, Choices(), SOUNDNESS) for name, answers in judged.items()})
    # Members of a series are compared with controls alone, as the only model of a study is.
    comparing = AgentComparison(list(CONTROLS), list(agents))
    tests = comparing.tests(values, SOUNDNESS, GROUPS, links=linked_by(study.relata).links, absent=True)
    used = {name: use([answers], Choices()) for name, answers in judged.items()}
    uses = use_table(used, comparing.kinds(judged), study.relations, study.relata, pairs=False)
    tables = {
        "overview": _overview(values),
        "tests": tests,
        "controls": beyond_controls(tests, CONTROLS),
        "primary": primary(values, study.relata, comparing),
        "relation_use": uses,
        "relation_pairs": pl.DataFrame({"counted": [True]}),
        "data": _data(study),
    }
    return {name: _praises(tables, name) for name in agents}


def _praises(tables: Mapping[str, pl.DataFrame], agent: str) -> list[str]:
    """Return the praises of an agent, the only model of its study."""
    agents = [agent, *CONTROLS]
    agent_tables = {
        name: table.filter(pl.col("agent").is_in(agents)) if "agent" in table.columns else table
        for name, table in tables.items()
    }
    agent_tables["tests"] = tables["tests"].filter(pl.col("agent_a").is_in(agents), pl.col("agent_b").is_in(agents))
    return praises_in(agent, PAGE.finding(agent_tables, [agent]), PAGE.headline(agent_tables, [agent]))


def study_of(world: World, seed: int) -> GoldStandard:
    """Return a small study: tuples whose targets share no relatum, with their probes."""
    both = augment(world.sets, world.relations.inverse)
    several = world.sets.filter(
        pl.col("relation").is_in(list(SIZES)), pl.col("relatum").is_in(world.sets["target"].unique().implode())
    )
    drawn = augment(sample(several, SIZES, seed, world.relations, several=True, sets=both), world.relations.inverse)
    drawn_sets = both.join(drawn.select("target", "relation").unique(), on=["target", "relation"], how="semi")
    return GoldStandard(
        _probes(drawn, world.relations),
        drawn_sets.filter(pl.col("relatum").is_in(world.words.implode())),
        drawn,
        pl.DataFrame({"word": world.words}),
        world.relations,
    )


def _probes(tuples: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the probes of all targets of a relation and its inverse (PROBES), without their texts."""
    rows: list[tuple[object, ...]] = []
    for code in relations.codes:
        main = set(tuples.filter(relation=code)["target"])
        for target in sorted(main | set(tuples.filter(relation=relations.inverse[code])["target"])):
            kind = "main" if target in main else "trick"
            rows += [(f"{code}{i}:{target}", code, target, f"{code}{i}", kind, "", []) for i in range(PROMPTS)]
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def responses_of(answer: Answer, study: GoldStandard) -> pl.DataFrame:
    """Return what an agent answers to each probe (RESPONSES). One that reads no prompt is asked with the first one alone."""
    words = study.shared_lexicon["word"].to_list()

    def weights(relation: str, target: str, *, prompt: int = 0) -> Weights | None:
        return weights_of(answer, Question("relations", relation, (target,), words, f"{relation}{prompt}"))

    firsts = study.probes.group_by("relation", maintain_order=True).first().select("relation", "target").rows()
    reads = not all(_same(weights(*key), weights(*key, prompt=1)) for key in firsts)
    if not reads:
        return ranked_responses(weights, study, DEPTH)
    parts = []
    for prompt in range(PROMPTS):
        asked = replace(study, probes=study.probes.filter(pl.col("prompt_id").str.ends_with(str(prompt))))
        parts.append(ranked_responses(partial(weights, prompt=prompt), asked, DEPTH))
    return pl.concat(parts)


def _same(first: Weights | None, other: Weights | None) -> bool:
    return first is None if other is None else first is not None and np.array_equal(first, other, equal_nan=True)


def _overview(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the mean soundness of each agent and relation, as the page has it."""
    tables = [table.with_columns(agent=pl.lit(name)) for name, table in values.items()]
    means = pl.concat(tables).group_by("agent", "relation", maintain_order=True)
    numbers = {"soundness": pl.col("value").mean(), "targets": pl.col("target").n_unique()}
    return means.agg(**numbers, own_targets=pl.lit(value=False))


def _data(study: GoldStandard) -> pl.DataFrame:
    """Return the numbers of targets of each relation, as the page has them."""
    numbers = study.probes.filter(kind="main").group_by("relation").agg(targets=pl.col("target").n_unique())
    return numbers.with_columns(
        name=pl.col("relation").replace(dict(study.relations.names)),
        prompts=pl.lit(PROMPTS),
        candidate_targets="targets",
        targets_without_relata=pl.lit(0),
    )
