"""Do estimates vary from one sampled study to the next as their intervals say? A pool of words that is asked once.

    python -m benchmarks.spread --studies 200

A pool has the words of `blind.worlds.simulated`. A model and a control know some of its words: whether one knows a word in
a relation is drawn once, for all studies, more likely where it likes a relatum of the word. A study is a sample of tuples
whose targets share no relatum, with prompts of its own, each of which changes some answers. So a study differs from the
next one in its targets and prompts alone. Of each relation, and pooled over all, the table has the standard deviation of the
difference over the studies, the mean of the error that a study says, and how often its 95 % interval holds the mean over all
studies.
"""

import argparse
import random
from functools import cache

import polars as pl
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.relations.averages import linked_by, plain
from relprobe.studies.relations.compare import primary
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.method import GoldStandard

from benchmarks.blind.door import World
from benchmarks.blind.relations import study_of
from benchmarks.blind.worlds import simulated

SOUNDNESS = [measure for measure in MEASURES if measure.name == "soundness"]
SHARES = {"m": 0.5, "frequency": 0.2}
"""Agent -> the share of words that it knows; the second is a control."""
LIKING, FLIPPED = 0.3, 0.15
"""By how much a relatum of a word changes the chance that it is known, and how many answers a prompt changes on average."""


@cache
def _draw(text: str) -> float:
    return random.Random(text).random()  # noqa: S311


def values_of(agent: str, world: World, study: GoldStandard, seed: int) -> pl.DataFrame:
    """Return whether an agent answers each main probe of a study rightly: metric, relation, target, prompt_id and value."""
    rows = []
    main = study.probes.filter(kind="main").select("relation", "target", "prompt_id")
    for relation, target, prompt in main.iter_rows():
        relatum = min(world.members[relation].get(target, [target]))
        chance = SHARES[agent] + LIKING * (_draw(f"{agent} {relation} likes {relatum}") - 0.5)
        known = _draw(f"{agent} {relation} {target}") < chance
        poor = 2 * FLIPPED * _draw(f"{seed} {prompt} {agent}")  # the prompt of this study
        changed = _draw(f"{seed} {prompt} {agent} {target}") < poor
        rows.append(("soundness", relation, target, prompt, float(known and not changed)))
    table = pl.DataFrame(rows, schema=["metric", "relation", "target", "prompt_id", "value"], orient="row")
    return table.with_columns(versus=None, k=None, relatum=None)


def found(world: World, seed: int) -> pl.DataFrame:
    """Return the difference of the agents in a sampled study, its error and bounds, by relation and pooled ("all")."""
    study = study_of(world, seed)
    comparing = AgentComparison(["frequency"])
    values = plain({agent: values_of(agent, world, study, seed) for agent in SHARES})
    tests = comparing.tests(values, SOUNDNESS, ["relation"], links=linked_by(study.relata).links)
    pooled = primary(values, study.relata, comparing).with_columns(relation=pl.lit("all"))
    columns = ["relation", "difference", "error", "low", "high"]
    return pl.concat([tests.select(columns), pooled.select(columns)]).with_columns(seed=pl.lit(seed))


def spread(studies: pl.DataFrame) -> pl.DataFrame:
    """Return relation, mean, deviation, error and holds: over the studies of `found`."""
    around = studies.with_columns(mean=pl.col("difference").mean().over("relation"))
    held = ((pl.col("low") <= pl.col("mean")) & (pl.col("mean") <= pl.col("high"))).mean()
    relation_groups = around.group_by("relation", maintain_order=True)
    return relation_groups.agg(
        pl.col("mean").first(), deviation=pl.col("difference").std(), error=pl.col("error").mean(), holds=held
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--studies", type=int, default=200)
    args = parser.parse_args()
    world = simulated()
    print("| relation | mean difference | its deviation | the error that a study says | its interval holds the mean |")
    print("|---|---:|---:|---:|---:|")
    for relation, *numbers in spread(pl.concat(found(world, seed) for seed in range(1, args.studies + 1))).iter_rows():
        print(f"| {relation} | {' | '.join(f'{number:.3f}' for number in numbers)} |")


if __name__ == "__main__":
    main()
