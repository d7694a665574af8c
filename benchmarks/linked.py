"""Show that the tests and intervals of linked items hold: simulate targets that share right answers, as a study has them.

    python -m benchmarks.linked --studies 1000 --results results/relations

`results/relations` has probes.parquet, relata.parquet and tuples.parquet of any study of relations. They are made by
`snakemake --cores 2 results/relations/probes.parquet`; those of the study with people's answers, which needs the published
data, by `snakemake results/relations-human/relations/probes.parquet results/relations-human/relations/relata.parquet
--cores 2 --configfile resources/studies/relations-human.yaml`. A second table is of links that make clusters, where both
tests could be taken. A smaller version with the same functions is in tests/stats/test_inference_holds.py.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from relprobe.stats import (
    Links,
    Values,
    linked_interval,
    linked_items,
    linked_p,
    linked_share_interval,
    sign_flip,
)
from relprobe.stats.samples import cluster_sums

from benchmarks.inference import ALPHA, AT_ONCE, Generator, families, holds


@dataclass(frozen=True)
class Sharing:
    """Items that share words, such as targets that share relata: the words of item i are `words[starts[i]:starts[i + 1]]`.

    `both`: an item is right only if all of its words are liked, as a pair is symmetric only if both are found; else the one
    that is liked best decides, as the first answer is right if any relatum comes first.
    """

    name: str
    words: Values
    starts: Values
    both: bool = False

    @property
    def links(self) -> Links:
        """The links of the items."""
        sizes = np.diff([*self.starts, len(self.words)])
        return linked_items(np.repeat(np.arange(len(sizes)), sizes), self.words, len(sizes))


def sharing(name: str, items: pl.Series, words: pl.Series, *, both: bool = False) -> Sharing:
    """Return the items that share words, from a row per item and word."""
    rows = pl.DataFrame({"item": items, "word": words}).unique().sort("item", "word")
    numbers = rows["word"].rank("dense").cast(pl.Int64).to_numpy() - 1
    return Sharing(name, numbers, np.flatnonzero(rows["item"].rle_id().diff().fill_null(1).to_numpy()), both)


def sharings(folder: Path) -> list[Sharing]:
    """Return the targets of a study of relations with their relata, and its pairs and tuples with their two words."""
    if not (folder / "relata.parquet").exists():
        raise SystemExit(f"{folder} has no relata.parquet: run a study of relations, as the head of {__file__} says.")
    probes = pl.read_parquet(folder / "probes.parquet").filter(kind="main").select("relation", "target").unique()
    relata, tuples = (
        pl.read_parquet(folder / f"{name}.parquet").join(probes, on=["relation", "target"], how="semi")
        for name in ("relata", "tuples")
    )
    found = [
        sharing(f"targets, {relation}", rows["target"], rows["relatum"])
        for (relation,), rows in relata.sort("relation").group_by("relation", maintain_order=True)
    ]
    for (relation,), rows in tuples.sort("relation").group_by("relation", maintain_order=True):
        pairs = rows.select(
            first=pl.min_horizontal("target", "relatum"), last=pl.max_horizontal("target", "relatum")
        ).unique()
        names = pl.concat([pairs.select(pl.format("{} {}", "first", "last")).to_series()] * 2)
        found.append(
            sharing(f"pairs or tuples, {relation}", names, pl.concat([pairs["first"], pairs["last"]]), both=True)
        )
    return found


@dataclass(frozen=True)
class Liking:
    """How much agents differ in the words that they like: normal with this deviation. An item is right from `threshold`."""

    deviation: float
    threshold: float


WHOLE = 0.5
"""The standard deviation of a liking of all words of a relation, which no link knows."""
LIKINGS = (Liking(1.5, 2.5), Liking(3.0, 4.0), Liking(1.5, 5.0))


def taste(items: Sharing, liking: Liking, shift: float | Values, studies: int, generator: Generator) -> Values:
    """Return the values of an agent that likes some words, (items, studies): how many of 7 prompts it answers rightly.

    `shift`: by how much the agent likes all words more, in all studies or in each, (studies,).
    """
    liked = generator.normal(0, liking.deviation, size=(int(items.words.max()) + 1, studies))
    item_likings = (np.minimum if items.both else np.maximum).reduceat(liked[items.words], items.starts, axis=0) + shift
    threshold = 0.0 if items.both else liking.threshold
    values: Values = generator.binomial(7, 1 / (1 + np.exp(1.5 * (threshold - item_likings)))) / 7
    return values


@dataclass(frozen=True)
class LinkedRates:
    """How often, over the studies, sign flips over items and the linked test are significant, and intervals hold.

    `constant`: how often the linked test calls an agent different from a constant control whose value is the agent's true
    mean. `whole`: how often it calls two agents different of which each likes all words of the relation more or less, too.
    """

    flips: float
    linked: float
    difference: float
    mean: float
    constant: float
    whole: float


def linked_rates(items: Sharing, liking: Liking, shift: float, studies: int, seed: int) -> LinkedRates:
    """Simulate studies in which two agents like other words, and one likes all words more by `shift`."""
    generator, links = np.random.default_rng(seed), items.links
    truth, other = (float(taste(items, liking, extra, 2000, generator).mean()) for extra in (shift, 0.0))
    found = []
    for start in range(0, studies, AT_ONCE):
        count = min(AT_ONCE, studies - start)
        a, b = (taste(items, liking, extra, count, generator) for extra in (shift, 0.0))
        flips = sign_flip(a - b, seed, 1000)
        few = (np.abs(a - b) > 1e-9).sum(axis=0) <= 15
        c, d = (taste(items, liking, generator.normal(0, WHOLE, count), count, generator) for _ in "cd")
        for column in range(count):
            p = linked_p(a[:, column] - b[:, column], links)
            control_ps = [linked_p(values, links) for values in (b[:, column] - other, c[:, column] - d[:, column])]
            found.append(
                [
                    flips[column] < ALPHA,
                    p is not None and max(p, flips[column] if few[column] else 0) < ALPHA,
                    holds(linked_interval(a[:, column] - b[:, column], links), truth - other),
                    holds(linked_share_interval(b[:, column], links), other),
                    *(p_value is not None and p_value < ALPHA for p_value in control_ps),
                ]
            )
    return LinkedRates(*np.mean(found, axis=0).tolist())


def families_of(sizes: Values) -> Sharing:
    """Return items in clusters of these sizes: each cluster shares a word, and no item has two."""
    return Sharing("", np.repeat(np.arange(len(sizes)), sizes), np.arange(sizes.sum()))


def shared_table(studies: int, folder: Path) -> None:
    """Print the table of items that share words, of a study."""
    head = ("items", "number", "effective", "spread", "threshold", "flips, equal", "linked, equal", "interval, equal")
    head = (*head, "interval, a mean", "interval, different", "power, linked", "beside a constant", "whole relation")
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for items in sharings(folder):
        for liking in LIKINGS[:1] if items.both else LIKINGS:
            null, other = (linked_rates(items, liking, shift, studies, seed=7) for shift in (0.0, 0.5))
            rates = null.flips, null.linked, null.difference, null.mean, other.difference, other.linked
            rates = (*rates, null.constant, null.whole)
            cells = [
                f"{len(items.starts)}",
                f"{items.links.effective:.1f}",
                f"{liking.deviation}",
                f"{0.0 if items.both else liking.threshold}",
            ]
            print("| " + " | ".join([items.name, *cells, *(f"{rate:.3f}" for rate in rates)]) + " |", flush=True)


def clusters_table(studies: int) -> None:
    """Print how sign flips over clusters and the test of linked items do where the links make clusters."""
    generator = np.random.default_rng(8)
    print("| clusters | items | effective | sign flips, equal | linked, equal | power, signs | power, linked |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    designs = {
        "6 of 8 each": np.full(6, 8),
        "9 of 8 to 70, as categories": np.array([8, 12, 20, 25, 30, 36, 44, 55, 70]),
        "30 families": families(30, generator),
        "150 families": families(150, generator),
    }
    for name, sizes in designs.items():
        items, starts = families_of(sizes), np.concatenate([[0], np.cumsum(sizes)[:-1]])
        rates = []
        for shift in (0.0, 1.0):
            a, b = (taste(items, LIKINGS[0], extra, studies, generator) for extra in (shift, 0.0))
            flips = sign_flip(cluster_sums(a - b, starts)[0], 1, 2000)
            links = items.links
            found = [linked_p(a[:, column] - b[:, column], links) for column in range(studies)]
            rates.append(((flips < ALPHA).mean(), np.mean([p is not None and p < ALPHA for p in found])))
        cells = rates[0][0], rates[0][1], rates[1][0], rates[1][1]
        numbers = [f"{sizes.sum()}", f"{items.links.effective:.1f}", *(f"{cell:.3f}" for cell in cells)]
        print("| " + " | ".join([name, *numbers]) + " |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--only", choices=["links", "groups"], help="linked targets; links that make clusters")
    parser.add_argument(
        "--results", type=Path, default=Path("results/relations"), help="of a study with linked targets"
    )
    options = parser.parse_args()
    if options.only in (None, "groups"):
        clusters_table(options.studies)
    if options.only in (None, "links"):
        shared_table(options.studies, options.results)


if __name__ == "__main__":
    main()
