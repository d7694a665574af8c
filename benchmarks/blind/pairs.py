"""Sampled small studies of pairs, and what their pages say of blind agents.

A target has related words, and foils as those of WordNet: words of its other relations, related words of other targets,
words as frequent as related ones, and the pair turned round. In the simulated world near words are those of one group, so
that nearness would tell such foils; further ones are related words of others that are near to the target. An agent weighs
the words of a target's pairs, and for a pair that is turned round those words after the related one.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from relprobe.report.page_words import words_of
from relprobe.stats.controls import beyond_controls
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.baselines import CONTROLS, baseline
from relprobe.studies.pairs.compare import agent_tests, averages, primary
from relprobe.studies.pairs.data import OTHER_TARGET, Sample, known_of, with_foils
from relprobe.studies.pairs.method import PAIR, links, values
from relprobe.studies.pairs.results import by_agent
from relprobe.studies.pairs.schemas import JUDGMENTS, PROBES
from relprobe.studies.pairs.tables import overview

from benchmarks.blind.door import Agent, Answer, Question, World, praises_in, weights_of

PAGE = words_of("pairs")
"""What the page says, with what analyses say at its head."""

TARGETS = {"HYP": 20, "MER": 14, "SYN": 12}
NEAR = 4
"""The foils of a target that are near to it."""
PROMPTS = ("one", "two")
JUDGE = "statement"
SHOWN = ("ap",)
"""The metric that the sentences and the verdicts of such a page are about."""


def praises(world: World, agents: Mapping[str, Agent], seed: int) -> dict[str, list[str]]:
    """Return agent -> the praises of the page and its card in the study of a seed; each is judged as if it were alone."""
    items = study_of(world, np.random.default_rng(seed))
    asked = pl.concat([_probes(items, prompt) for prompt in PROMPTS])
    known = known_of(world.sets)
    said = [baseline(items, asked, known, world.vectors, agent=name, language="en") for name in CONTROLS]
    seen = world.without(items["target"].unique())
    said += [judgments_of(f"{name} {JUDGE}", agent(seen), items) for name, agent in agents.items()]
    measured = values(pl.concat(said), items).filter(pl.col("metric").is_in(SHOWN))
    agent_values, linked = by_agent([measured]), {"links": links(items)}
    result = {}
    for name in agents:
        values_beside = {
            agent: agent_values[agent] for agent in (*CONTROLS, f"{name} {JUDGE}") if agent in agent_values
        }
        comparing = AgentComparison(list(CONTROLS))
        tests = agent_tests(values_beside, linked, comparing)
        tables = {
            "overview": overview(averages(values_beside, items, linked, comparing), list(values_beside)),
            "tests": tests,
            "controls": beyond_controls(tests, CONTROLS),
            "primary": primary(values_beside, linked, comparing),
        }
        result[name] = praises_in(f"{name} {JUDGE}", PAGE.finding(tables, [name]), PAGE.headline(tables, [name]))
    return result


def study_of(world: World, chance: np.random.Generator) -> pl.DataFrame:
    """Return the pairs of a sampled study (ITEMS): so many targets of each relation, which may share related words."""
    tuples = world.sets.filter(pl.col("relation").is_in(list(TARGETS))).select("target", "relation", "relatum")
    words = sorted(set(world.words), key=lambda word: (-world.uses.get(word, 0.0), word))  # the most frequent first
    sample = Sample(TARGETS, each=2, seed=int(chance.integers(2**31)), shared_relata=True)
    return _with_near_foils(world, with_foils(tuples, world.sets, words, world.relations, sample))


def _with_near_foils(world: World, items: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with further foils: words of other targets of the relation, those nearest to the target."""
    words = [word for word in world.words.to_list() if np.isfinite(world.unit([word])).all()]
    vectors = world.unit(words)
    added = []
    for (relation, target), pairs in items.group_by("relation", "target", maintain_order=True):
        popular = {word for of in world.members[str(relation)].values() for word in of}
        related = {word for of in world.members.values() for word in of.get(str(target), ())}
        taken = related | {target, *pairs["first"], *pairs["second"]}
        order = np.argsort(-(vectors @ np.nan_to_num(world.unit([str(target)])[0])))
        near = [words[row] for row in order if words[row] in popular - taken][:NEAR]
        row = pairs.row(0, named=True)
        added += [{**row, "first": target, "second": word, "kind": OTHER_TARGET, "label": False} for word in near]
    return pl.concat([items, pl.DataFrame(added, schema=items.schema)])


def _probes(items: pl.DataFrame, prompt: str) -> pl.DataFrame:
    """Return the pairs as probes of a prompt without a text, as controls read none."""
    pairs = (
        items.select(PAIR).unique(maintain_order=True).with_columns(prompt=pl.lit(f"{prompt} ") + pl.col("relation"))
    )
    missing = [pl.lit(None, kind).alias(name) for name, kind in PROBES.items() if name not in pairs.columns]
    return pairs.with_columns(missing).select(list(PROBES))


def judgments_of(name: str, answer: Answer, items: pl.DataFrame) -> pl.DataFrame:
    """Return the judgments of an agent (JUDGMENTS): of each pair, what it weighs its second word after the first."""
    rows: list[tuple[object, ...]] = []
    for (relation, target), pairs in items.group_by("relation", "target", maintain_order=True):
        words = sorted({target, *pairs["first"], *pairs["second"]})
        for first in pairs["first"].unique(maintain_order=True):
            options = [word for word in words if word != first]  # no agent sees which one is right
            for prompt in PROMPTS:
                given = weights_of(answer, Question("pairs", str(relation), (first,), options, f"{prompt} {relation}"))
                weights = np.full(len(options), np.nan) if given is None else given
                score_of = dict(zip(options, weights.tolist(), strict=True))
                rows += [
                    (name, relation, f"{prompt} {relation}", first, second, _known(score_of[second]), None)
                    for second in pairs.filter(first=first)["second"]
                ]
    table = pl.DataFrame(rows, schema=JUDGMENTS, orient="row")
    return table.unique(["prompt", *PAIR], keep="first", maintain_order=True)


def _known(weight: float) -> float:
    """Return the weight of a word; one that is no answer at all comes last."""
    return -np.inf if np.isnan(weight) else float(weight)
