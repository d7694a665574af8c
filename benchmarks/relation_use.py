"""Does the test of the use of a relation hold? Agents that do not read the relation, and agents that do, by simulation.

    python -m benchmarks.relation_use results/relations

Targets, prompts and relatum sets are those of a finished study. An agent ranks the relata of a target among other words by
scores. A blind agent's scores have no part that depends on which relation is asked for; they may vary between prompts:

- noise: of each target and prompt by itself;
- quirks: a prompt favours some words, for all targets that have them among their relata;
- leaning: a prompt favours the relata of some relations, by chance and for all targets.

An agent that reads adds `reading` to the scores of the relata of the relation that is asked for.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.random import Generator
from numpy.typing import NDArray
from relprobe.stats import CrossedMean, Values, crossed_mean, sign_flip_above
from relprobe.studies.relations.compare.distinguishability.relation_use import DEPTH

ALPHA = 0.05
OTHERS = 40
"""The number of words beside the relata of a target."""


@dataclass(frozen=True)
class Target:
    """A target: the numbers of the relations that it was asked for, and the number and relation of each of its relata."""

    asked: NDArray[np.int64]
    words: NDArray[np.int64]
    relations: NDArray[np.int64]


@dataclass(frozen=True)
class Study:
    """The targets of a study that were asked for several relations, and the relation of each prompt, by numbers."""

    targets: list[Target]
    prompts: NDArray[np.int64]
    words: int

    @classmethod
    def of(cls, probes: pl.DataFrame, relata: pl.DataFrame) -> "Study":
        """Return the study of the tables PROBES and RELATA."""
        key = ["target", "relation"]
        asked = probes.select(*key).unique().join(relata, on=key, how="semi")
        several = asked.filter(pl.len().over("target") > 1).sort(key)
        sets = relata.join(several, on=key, how="semi").sort(*key, "relatum")
        codes = {code: number for number, code in enumerate(several["relation"].unique().sort())}
        numbers = {word: number for number, word in enumerate(sets["relatum"].unique().sort())}
        prompts = probes.join(several, on=key, how="semi").select("relation", "prompt_id").unique().sort(pl.all())
        targets = []
        for (name,), rows in sets.group_by("target", maintain_order=True):
            own = several.filter(target=name)["relation"].to_list()
            words, relations = (
                [table[one] for one in rows[column]] for column, table in (("relatum", numbers), ("relation", codes))
            )
            targets.append(Target(np.array([codes[one] for one in own]), np.array(words), np.array(relations)))
        return cls(targets, np.array([codes[one] for one in prompts["relation"]]), len(numbers))

    def some(self, number: int, seed: int) -> "Study":
        """Return the study with `number` of its targets, drawn at random."""
        places = np.random.default_rng(seed).permutation(len(self.targets))[:number]
        return Study([self.targets[place] for place in places], self.prompts, self.words)


@dataclass(frozen=True)
class Agent:
    """An agent: the standard deviations of what varies between its prompts, beside 1 between the words of a target."""

    name: str
    noise: float = 0.5
    quirks: float = 0.0
    leaning: float = 0.0
    reading: float = 0.0
    related: float = 1.0
    """How much higher the scores of relata are than those of other words."""


def shares(study: Study, agent: Agent, generator: Generator) -> Values:
    """Return the share of each prompt in the contrast of each target (relation_use), of shape (targets, prompts)."""
    quirks = generator.normal(0, agent.quirks, (len(study.prompts), study.words)) if agent.quirks else None
    leaning = generator.normal(0, agent.leaning, (len(study.prompts), int(study.prompts.max()) + 1))
    result = np.full((len(study.targets), len(study.prompts)), np.nan)
    for row, target in enumerate(study.targets):
        columns = np.flatnonzero(np.isin(study.prompts, target.asked))
        related = len(target.words)
        scores = generator.normal(0, 1, related + OTHERS) + generator.normal(
            0, agent.noise, (len(columns), related + OTHERS)
        )
        scores[:, :related] += agent.related + leaning[columns][:, target.relations]
        if quirks is not None:
            scores[:, :related] += quirks[np.ix_(columns, target.words)]
        scores[:, :related] += agent.reading * (study.prompts[columns][:, None] == target.relations)
        ranks = _relative_ranks(scores, target)
        own = ranks[np.arange(len(columns)), np.searchsorted(target.asked, study.prompts[columns])]
        prompts = np.array([(study.prompts == one).sum() for one in study.prompts[columns]])
        pairs = len(target.asked) * (len(target.asked) - 1) / 2
        result[row, columns] = (ranks - own[:, None]).sum(axis=1) / prompts / pairs
    return result


def _relative_ranks(scores: Values, target: Target) -> Values:
    """Return the relative rank of the best relatum of each relation that was asked for, (prompts, relations)."""
    places = np.argsort(np.argsort(-scores, axis=1), axis=1)[:, : len(target.words)]
    best = [places[:, target.relations == one].min(axis=1) for one in target.asked]
    return np.minimum(np.column_stack(best) / DEPTH, 1.0)


@dataclass(frozen=True)
class Rates:
    """How often p, and p over targets alone, are below 0.05; and how often the interval holds the true contrast."""

    p: float
    p_targets: float
    coverage: float
    contrast: float


def rates(study: Study, agent: Agent, studies: int, seed: int) -> Rates:
    """Simulate studies. The true contrast of a reading agent is the mean over all of them; that of a blind one is 0."""
    found = list(_simulated(study, agent, studies, seed))
    means = np.array([mean.value for mean, _ in found])
    truth = means.mean() if agent.reading else 0.0
    bounds = [mean.interval() or (0.0, 0.0) for mean, _ in found]
    return Rates(
        float(np.mean([(mean.p_above() or 1.0) < ALPHA for mean, _ in found])),
        float(np.mean([p < ALPHA for _, p in found])),
        float(np.mean([low <= truth <= high for low, high in bounds])),
        float(means.mean()),
    )


def _simulated(study: Study, agent: Agent, studies: int, seed: int) -> Iterator[tuple[CrossedMean, float]]:
    for one in range(studies):
        values = shares(study, agent, np.random.default_rng([seed, one]))
        yield crossed_mean(values, study.prompts), sign_flip_above(np.nansum(values, axis=1), seed + one, flips=1000)


BLIND = (
    Agent("noise of each target and prompt"),
    Agent("more noise, relata no likelier than other words", noise=1.0, related=0.0),
    Agent("prompts favour words", quirks=1.0),
    Agent("prompts favour relations", leaning=0.3),
)
READING = (Agent("reads a little", quirks=0.5, reading=0.15), Agent("reads", quirks=0.5, reading=0.3))


def main() -> None:
    """Print how often agents are called users of the relation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the folder of a finished relations study")
    parser.add_argument("--studies", type=int, default=1000)
    options = parser.parse_args()
    tables = (pl.read_parquet(options.results / f"{name}.parquet") for name in ("probes", "relata"))
    whole = Study.of(*tables)
    print("| agent | targets | p | p over targets alone | interval | contrast |\n|---|---:|---:|---:|---:|---:|")
    for number in (10, 20, 40, len(whole.targets)):
        for agent in (*BLIND, *READING):
            found = rates(whole.some(number, seed=0), agent, options.studies, seed=1)
            cells = [f"{one:.3f}" for one in (found.p, found.p_targets, found.coverage, found.contrast)]
            print("| " + " | ".join([agent.name, str(number), *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
