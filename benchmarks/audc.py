"""Does AuDC's interval hold, and its test? By simulation, on the targets of each pair of relations of a finished study.

    python -m benchmarks.audc results/relations

Each agent has, for each target, prompt and relation, the relative rank of the best relatum: 1 if none is among its answers,
else anything from 0 to 1. How often there is one depends on the target, on the relation, and on how much the agent likes
the relata, so that targets which share relata rise and fall together. A blind agent does not look at which relation is
asked for.
"""

import argparse
import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.random import Generator
from relprobe.stats import Values
from relprobe.stats.samples import LINK
from relprobe.studies.relations.areas import area_averages, area_tests

ALPHA = 0.05
PROMPTS = 7
LIKINGS = (1.0, 3.0)
"""The standard deviations of an agent's liking of relata, in log odds; that between targets is 1."""


@dataclass(frozen=True)
class Study:
    """The targets of each pair of relations, and their relata.

    `pairs`: relation, versus and target. `sets`: relation -> whether a target has a relatum, of shape (targets, relata).
    `relata`: relation, target and link, which is a relatum.
    """

    pairs: pl.DataFrame
    targets: list[str]
    sets: dict[str, Values]
    relata: pl.DataFrame

    @classmethod
    def of(cls, asked: pl.DataFrame, relata: pl.DataFrame) -> "Study":
        """Return the study of some targets: `asked` has relation and target, `relata` is RELATA."""
        related = relata.select("target", versus="relation").unique()
        pairs = asked.join(relata, on=["relation", "target"], how="semi").join(related, on="target")
        pairs = pairs.filter(pl.col("relation") != pl.col("versus")).unique().sort(pl.all())
        targets = pairs["target"].unique().sort().to_list()
        rows = relata.filter(pl.col("target").is_in(targets))
        words = rows["relatum"].cast(pl.Enum(rows["relatum"].unique().sort())).to_physical().to_numpy()
        places = rows["target"].cast(pl.Enum(targets)).to_physical().to_numpy()
        sets = {}
        for code in rows["relation"].unique().sort():
            inside = (rows["relation"] == code).to_numpy()
            sets[code] = np.zeros((len(targets), int(words.max()) + 1))
            sets[code][places[inside], words[inside]] = 1
        return cls(pairs, targets, sets, rows.select("relation", "target", pl.col("relatum").alias(LINK)))

    def counted(self, minimum: int) -> pl.DataFrame:
        """Return which pairs of relations have at least `minimum` targets (the columns of PAIRS that AuDC needs)."""
        return self.pairs.group_by("relation", "versus").agg(counted=pl.len() >= minimum).sort("relation", "versus")


def gaps(study: Study, reading: float, liking: float, generator: Generator) -> pl.DataFrame:
    """Return the gaps of an agent (distances.gaps), averaged over prompts.

    `reading`: how much oftener (in log odds) it names a relatum of the relation that is asked for. `liking`: the standard
    deviation of its liking of relata.
    """
    codes = list(study.sets)
    likings = generator.normal(0, liking, next(iter(study.sets.values())).shape[1])
    best = np.column_stack([np.where(sets > 0, likings, -np.inf).max(axis=1) for sets in study.sets.values()])
    best = np.where(np.isfinite(best), best, 0.0)
    odds = generator.normal(0, 1, (len(study.targets), 1)) + best - best.mean(axis=0) + np.linspace(-2, 0, len(codes))
    tables = []
    for place, code in enumerate(codes):
        likelihood = 1 / (1 + np.exp(-(odds + reading * (np.arange(len(codes)) == place))))
        shape = PROMPTS, *odds.shape
        ranks = np.where(generator.random(shape) < likelihood, generator.random(shape), 1.0).mean(axis=0)
        later = pl.DataFrame(ranks - ranks[:, [place]], schema=codes).with_columns(target=pl.Series(study.targets))
        tables.append(later.unpivot(codes, index="target", variable_name="versus").with_columns(relation=pl.lit(code)))
    return pl.concat(tables).join(study.pairs, on=["relation", "versus", "target"], how="semi")


@dataclass(frozen=True)
class Rates:
    """How often AuDC's interval holds the truth, that of the difference of two equal agents 0, and p < 0.05 for them.

    `different`: by the test of linked words. `flips`: by sign flips over words. `effective`: the effective number of words.
    """

    coverage: float
    coverage_difference: float
    different: float
    flips: float
    effective: float


def rates(study: Study, minimum: int, reading: float, liking: float, studies: int) -> Rates:
    """Simulate studies with two agents that are equal. The true AuDC is the mean over 4 × `studies` agents."""
    counted = study.counted(minimum)

    def simulated(number: int) -> dict[str, pl.DataFrame]:
        return {
            agent: gaps(study, reading, liking, np.random.default_rng([number, seed]))
            for seed, agent in enumerate("ab")
        }

    def area(table: pl.DataFrame) -> float:
        means = table.join(counted.filter("counted"), on=["relation", "versus"], how="semi")
        return float(means.group_by("relation", "versus").agg(pl.col("value").mean())["value"].sum())

    truth = np.mean([area(table) for number in range(2 * studies) for table in simulated(studies + number).values()])
    found = []
    for number in range(studies):
        both = simulated(number)
        row = area_averages({"a": both["a"]}, pairs=counted, relata=study.relata)[0]
        test = area_tests(both, {"a": "model", "b": "model"}, counted, study.relata)[0]
        holds = row["low"] <= truth <= row["high"], test["low"] <= 0 <= test["high"]
        p, flips = (test[name] is not None and test[name] < ALPHA for name in ("p", "cluster_p"))
        found.append((*holds, p, flips, test["effective_n"]))
    return Rates(*np.mean(found, axis=0).tolist())


def main() -> None:
    """Print how often intervals hold and blind agents are called different."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the folder of a finished relations study")
    parser.add_argument("--studies", type=int, default=500)
    options = parser.parse_args()
    pairs, metrics = (options.results / name for name in ("relata.parquet", "metrics"))
    answered = pl.concat(
        [pl.read_parquet(path).filter(metric="soundness") for path in sorted(metrics.glob("*.parquet"))]
    )
    study = Study.of(answered.select("relation", "target").unique(), pl.read_parquet(pairs))
    head = ["AuDC over pairs with at least", "pairs", "effective", "liking", "two equal agents", "its interval holds"]
    print("| " + " | ".join([*head, "that of the difference holds 0", "p < 0.05", "sign flips < 0.05"]) + " |")
    print("|---|---:|---:|---:|---|---:|---:|---:|---:|")
    for minimum, liking, reading in itertools.product((1, 10), LIKINGS, (0.0, 1.0)):
        row = rates(study, minimum, reading, liking, options.studies)
        number = study.counted(minimum)["counted"].sum()
        name = "reading" if reading else "blind"
        numbers = (f"{rate:.3f}" for rate in (row.coverage, row.coverage_difference, row.different, row.flips))
        cells = (
            f"{minimum} target{'s' * (minimum > 1)}",
            str(number),
            f"{row.effective:.1f}",
            f"{liking:g}",
            name,
            *numbers,
        )
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
