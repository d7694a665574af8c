"""Show that tests and intervals over clusters hold: simulate studies with and without a difference between two agents.

For the units of each study, and for 30, 150 and 700 clusters, the script prints
- how often a test is significant at 0.05 although the agents are equal: the paper's test and ours (0.05 is right);
- how often the 95 % interval holds the true difference or mean (0.95 is right);
- how often the tests find a difference that is there (the power). That of the paper's test has no meaning where it is
  significant too often without a difference.

    python benchmarks/inference.py --studies 2000

takes minutes. The same for targets that share right answers, on the relatum sets of a study:

    python benchmarks/inference.py --only links --studies 1000 --results results/relations

`results/relations` has probes.parquet, relata.parquet and tuples.parquet of any study of relations. They are made by
`snakemake --cores 2 results/relations/relata.parquet`; those of the study with people's answers, which needs the published
data, by `snakemake --cores 2 --configfile resources/studies/relations-human.yaml
results/relations-human/relations/relata.parquet`. A smaller version with the same functions is in
tests/stats/test_inference_holds.py.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))
from relprobe.stats import (
    Interval,
    Links,
    TestResult,
    Values,
    exchange_test,
    kolmogorov_smirnov,
    linked_interval,
    linked_items,
    linked_p,
    linked_share_interval,
    mcnemar,
    mean_intervals,
    null_p,
    share_interval,
    sign_flip,
    statistic_interval,
    wilcoxon,
)
from relprobe.stats.resampling import resamples
from relprobe.stats.samples import cluster_sums, item_means

Generator = np.random.Generator
ALPHA = 0.05
AT_ONCE = 100
"""The number of studies whose values are held at once."""


@dataclass(frozen=True)
class Design:
    """The units of a metric.

    `sizes`: takes the number of clusters, and draws the number of items of each. `prompts`: values of each item. `alike`:
    the correlation of the values of a cluster. `alike_items`: that of the values of an item, if it is larger. `copies`: how
    often the paper's test counts each value. `binary`: values are 0 or 1, else between 0 and 1. `mean`: their mean.
    """

    name: str
    sizes: Callable[[int, Generator], Values]
    prompts: int = 1
    alike: float = 0.0
    alike_items: float = 0.0
    copies: int = 1
    binary: bool = True
    mean: float = 0.35


def one(clusters: int, generator: Generator) -> Values:
    """Return one item per cluster."""
    return np.ones(clusters, dtype=int)


def one_to_three(clusters: int, generator: Generator) -> Values:
    """Return 1 to 3 items per cluster: the pairs of synonyms that hang together by common words."""
    return generator.choice([1, 2, 3], p=[0.75, 0.15, 0.1], size=clusters)


def one_to_nine(clusters: int, generator: Generator) -> Values:
    """Return 1 to 9 items per cluster: the pairs of a hyponym."""
    return generator.integers(1, 10, size=clusters)


def families(clusters: int, generator: Generator) -> Values:
    """Return as many items per cluster as families of sister words have: on average 12, with 1,025 effective of 4,233."""
    return np.ceil(generator.lognormal(np.log(12.1) - 1.418 / 2, np.sqrt(1.418), size=clusters)).astype(int)


DESIGNS = (
    Design("relations: target x 7 prompts, correlation .2", one, 7, alike_items=0.2),
    Design("relations: target x 7 prompts, correlation .4", one, 7, alike_items=0.4),
    Design("relations: target x 7 prompts, 6 % right", one, 7, alike_items=0.4, mean=0.06),
    Design("relations: pairs both ways x 7 prompts", one_to_three, 7, alike=0.1, alike_items=0.3, copies=2),
    Design("relations: scores of targets", one, binary=False),
    Design("definitions: families, design effect 2.4", families, alike=0.0286),
    Design("definitions: families, design effect 8.6", families, alike=0.155),
    Design("systematicity: hyponym x pairs", one_to_nine, alike=0.3),
    Design("analogies: tuple x 5 splits", one, 5, alike_items=0.6),
    Design("degrees: subcategories", one, binary=False, mean=0.6),
)


def beta(mean: Values | float, alike: float, generator: Generator, shape: tuple[int, ...]) -> Values:
    """Return chances with this mean whose 0/1 values have this correlation."""
    if alike == 0:
        return np.broadcast_to(mean, shape).astype(float)
    scale = (1 - alike) / alike
    inner = np.clip(mean, 1e-6, 1 - 1e-6)
    return generator.beta(inner * scale, (1 - inner) * scale, size=shape)


def agent(design: Design, sizes: Values, mean: float, studies: int, generator: Generator) -> Values:
    """Return the values of an agent, (items x prompts, studies); the correlation within an item is the larger one."""
    of_clusters = beta(mean, design.alike, generator, (len(sizes), studies))
    chances = np.repeat(of_clusters, sizes, axis=0)
    rest = max(design.alike_items - design.alike, 0) / (1 - design.alike)
    chances = np.repeat(beta(chances, rest, generator, chances.shape), design.prompts, axis=0)
    if design.binary:
        return (generator.random(chances.shape) < chances).astype(float)
    return generator.beta(2 * chances, 2 * (1 - chances)).round(2)


@dataclass(frozen=True)
class Rates:
    """How often, over the studies, the paper's test and ours are significant, and the intervals hold the truth."""

    paper: float
    ours: float
    difference: float
    mean: float


def rates(design: Design, clusters: int, effect: float, studies: int, seed: int) -> Rates:
    """Simulate studies in which agent a is better by `effect`."""
    parts = [_rates(design, clusters, effect, count, generator) for count, generator in _batches(studies, seed)]
    return Rates(*(float(np.concatenate(column).mean()) for column in zip(*parts, strict=True)))


def _batches(studies: int, seed: int) -> Iterator[tuple[int, Generator]]:
    for start in range(0, studies, AT_ONCE):
        yield min(AT_ONCE, studies - start), np.random.default_rng([seed, start])


def _rates(design: Design, clusters: int, effect: float, studies: int, generator: Generator) -> list[Values]:
    sizes = design.sizes(clusters, generator)
    a, b = (agent(design, sizes, mean, studies, generator) for mean in (design.mean + effect, design.mean))
    items = np.arange(sizes.sum()) * design.prompts
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    sums, numbers = cluster_sums(item_means(a - b, items), starts)
    sums_a, _ = cluster_sums(item_means(a, items), starts)
    test = mcnemar if design.binary else wilcoxon
    paper = [paper_test(test, a[:, i], b[:, i], design.copies) for i in range(studies)]
    seed = int(generator.integers(2**31))
    of_differences = mean_intervals(sums, numbers, seed, differences=True)
    shares = [share_interval(*columns) for columns in zip(sums_a.T, numbers.T, strict=True)]
    of_means = shares if design.binary else mean_intervals(sums_a, numbers, seed)
    return [
        np.array([result.p is not None and result.p < ALPHA for result in paper]),
        sign_flip(sums, seed) < ALPHA,
        np.array([holds(interval, effect) for interval in of_differences]),
        np.array([holds(interval, design.mean + effect) for interval in of_means]),
    ]


def paper_test(test: Callable[[Values, Values], TestResult], a: Values, b: Values, copies: int) -> TestResult:
    """Test with each value counted `copies` times."""
    return test(np.tile(a, copies), np.tile(b, copies))


def holds(interval: Interval, truth: float) -> bool:
    """Say whether an interval holds the truth."""
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


def effect_of(design: Design, clusters: int) -> float:
    """Return a difference of about 2.8 standard errors, which a test of the right size finds in 80 % of the studies."""
    generator = np.random.default_rng(0)
    sizes = design.sizes(clusters, generator)
    a, b = (agent(design, sizes, design.mean, 200, generator) for _ in "ab")
    return float(min(2.8 * (a - b).mean(axis=0).std(), 0.4))


RELATIONS = 6


def gaps(means: Values, floor: float = -np.inf) -> Values:
    """Return the sum of the distances of all relations (AuDC without a normalisation): (k, 36) -> (k,).

    `means`: for each relation the mean rank of its own relata, and of those of 5 other relations.
    """
    by_relation = means.reshape(len(means), RELATIONS, RELATIONS)
    distances: Values = np.maximum(by_relation[..., 1:] - by_relation[..., :1], floor).sum(axis=(1, 2))
    return distances


def audc_rates(clusters: int, studies: int, seed: int) -> tuple[float, ...]:
    """Simulate AuDC of two agents that tell nothing apart, from the ranks of 6 x 6 relations for each target.

    Return how often the percentile interval of the clipped sum excludes 0, how often the interval of the plain sum does, how
    often the permutation of a target's relations calls the sum above chance, and how often the exchange test finds a
    difference between the two.
    """
    found = [_audc(clusters, np.random.default_rng([seed, study])) for study in range(studies)]
    return tuple(np.mean(found, axis=0).tolist())


def _audc(clusters: int, generator: Generator) -> list[bool]:
    size = clusters, RELATIONS * RELATIONS
    a, b = (beta(0.5, 0.3, generator, (clusters, 1)) * generator.random(size) for _ in "ab")
    seed = int(generator.integers(2**31))

    def plain(weights: Values) -> Values:
        return gaps(weights @ a / weights.sum(axis=1, keepdims=True))

    def difference(swap: Values) -> Values:
        of_a, of_b = ((np.where(swap, 0.0, 1.0) @ (one - other) + other.sum(axis=0)) for one, other in ((a, b), (b, a)))
        return gaps(of_a / clusters, 0.0) - gaps(of_b / clusters, 0.0)

    clipped = [gaps(weights @ a / clusters, 0.0) for weights in resamples(clusters, seed, 500)]
    cells = a.reshape(clusters, RELATIONS, RELATIONS)
    null = [generator.permuted(cells, axis=2).mean(axis=0).reshape(1, -1) for _ in range(199)]
    observed = float(gaps(a.mean(axis=0, keepdims=True), 0.0)[0])
    return [
        bool(np.quantile(np.concatenate(clipped), 0.025) > 0),
        not holds(statistic_interval(plain, clusters, seed, differences=True), 0.0),
        null_p(observed, np.array([gaps(means, 0.0)[0] for means in null])) < ALPHA,
        exchange_test(difference, clusters, seed, draws=500) < ALPHA,
    ]


def share_rates(clusters: int, share: float, studies: int, seed: int) -> tuple[float, float]:
    """Return how often the bootstrap interval and Wilson's hold a share, of targets with 7 prompts each."""
    design = Design("", one, 7, alike_items=0.4)
    generator = np.random.default_rng(seed)
    values = agent(design, np.ones(clusters, dtype=int), share, studies, generator)
    sums = item_means(values, np.arange(clusters) * 7)
    sizes = np.ones_like(sums)
    bootstrap = [holds(interval, share) for interval in mean_intervals(sums, sizes, seed)]
    wilson = [holds(share_interval(sums[:, i], sizes[:, i]), share) for i in range(studies)]
    return float(np.mean(bootstrap)), float(np.mean(wilson))


def repeated_tuples(tuples: int, repeats: int, studies: int, seed: int) -> float:
    """Return how often Kolmogorov and Smirnov's test finds a relation of errors and frequency, over repeated decisions.

    A tuple has one frequency, and is decided rightly at a chance of its own that has nothing to do with the frequency.
    """
    found = 0
    for study in range(studies):
        generator = np.random.default_rng([seed, study])
        frequencies = np.repeat(generator.normal(size=tuples), repeats)
        chances = np.repeat(generator.beta(0.5, 0.5, size=tuples), repeats)
        right = generator.random(tuples * repeats) < chances
        p = kolmogorov_smirnov(frequencies[right], frequencies[~right]).p
        found += p is not None and p < ALPHA
    return found / studies


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


LIKINGS = (Liking(1.5, 2.5), Liking(3.0, 4.0), Liking(1.5, 5.0))


def taste(items: Sharing, liking: Liking, shift: float, studies: int, generator: Generator) -> Values:
    """Return the values of an agent that likes some words, (items, studies): how many of 7 prompts it answers rightly.

    `shift`: by how much the agent likes all words more.
    """
    liked = generator.normal(0, liking.deviation, size=(int(items.words.max()) + 1, studies))
    of_items = (np.minimum if items.both else np.maximum).reduceat(liked[items.words], items.starts, axis=0) + shift
    threshold = 0.0 if items.both else liking.threshold
    values: Values = generator.binomial(7, 1 / (1 + np.exp(1.5 * (threshold - of_items)))) / 7
    return values


@dataclass(frozen=True)
class LinkedRates:
    """How often, over the studies, sign flips over items and the linked test are significant, and intervals hold."""

    flips: float
    linked: float
    difference: float
    mean: float


def linked_rates(items: Sharing, liking: Liking, shift: float, studies: int, seed: int) -> LinkedRates:
    """Simulate studies in which two agents like other words, and one likes all words more by `shift`."""
    generator, links = np.random.default_rng(seed), items.links
    truth, other = (float(taste(items, liking, one, 2000, generator).mean()) for one in (shift, 0.0))
    found = []
    for start in range(0, studies, AT_ONCE):
        count = min(AT_ONCE, studies - start)
        a, b = (taste(items, liking, one, count, generator) for one in (shift, 0.0))
        flips = sign_flip(a - b, seed, 1000)
        few = (np.abs(a - b) > 1e-9).sum(axis=0) <= 15
        for column in range(count):
            p = linked_p(a[:, column] - b[:, column], links)
            found.append(
                [
                    flips[column] < ALPHA,
                    p is not None and max(p, flips[column] if few[column] else 0) < ALPHA,
                    holds(linked_interval(a[:, column] - b[:, column], links), truth - other),
                    holds(linked_share_interval(b[:, column], links), other),
                ]
            )
    return LinkedRates(*np.mean(found, axis=0).tolist())


def families_of(sizes: Values) -> Sharing:
    """Return items in clusters of these sizes: each cluster shares a word, and no item has two."""
    return Sharing("", np.repeat(np.arange(len(sizes)), sizes), np.arange(sizes.sum()))


def shared_table(studies: int, folder: Path) -> None:
    """Print the table of items that share words, of a study."""
    head = ("items", "number", "effective", "deviation", "threshold", "flips", "linked", "difference", "mean")
    head = (*head, "a true difference", "power of linked")
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for items in sharings(folder):
        for liking in LIKINGS[:1] if items.both else LIKINGS:
            null, other = (linked_rates(items, liking, shift, studies, seed=7) for shift in (0.0, 0.5))
            rates = null.flips, null.linked, null.difference, null.mean, other.difference, other.linked
            cells = [
                f"{len(items.starts)}",
                f"{items.links.effective:.1f}",
                f"{liking.deviation}",
                f"{liking.threshold}",
            ]
            print("| " + " | ".join([items.name, *cells, *(f"{rate:.3f}" for rate in rates)]) + " |", flush=True)


def clusters_table(studies: int) -> None:
    """Print how sign flips over clusters and the test of linked items do where the links make clusters."""
    generator = np.random.default_rng(8)
    print(
        "| clusters | items | effective | sign flips over clusters | t of linked items | power of signs | power of t |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    designs = {
        "6 of 8 each": np.full(6, 8),
        "9 of 8 to 70 (systematicity)": np.array([8, 12, 20, 25, 30, 36, 44, 55, 70]),
        "30 families": families(30, generator),
        "150 families": families(150, generator),
    }
    for name, sizes in designs.items():
        items, starts = families_of(sizes), np.concatenate([[0], np.cumsum(sizes)[:-1]])
        rates = []
        for shift in (0.0, 1.0):
            a, b = (taste(items, LIKINGS[0], one, studies, generator) for one in (shift, 0.0))
            flips = sign_flip(cluster_sums(a - b, starts)[0], 1, 2000)
            links = items.links
            found = [linked_p(a[:, column] - b[:, column], links) for column in range(studies)]
            rates.append(((flips < ALPHA).mean(), np.mean([p is not None and p < ALPHA for p in found])))
        cells = rates[0][0], rates[0][1], rates[1][0], rates[1][1]
        numbers = [f"{sizes.sum()}", f"{items.links.effective:.1f}", *(f"{cell:.3f}" for cell in cells)]
        print("| " + " | ".join([name, *numbers]) + " |", flush=True)


def special_cases(studies: int) -> None:
    """Print the cases that are no comparison of two means."""
    for alike, design in zip((0.2, 0.4), DESIGNS[:2], strict=True):
        null = rates(design, 554, 0.0, studies, seed=3)
        print(f"554 targets x 7 prompts, correlation {alike}: McNemar {null.paper:.3f}, sign flips {null.ours:.3f}")
    for clusters in (10, 18, 29):
        cells = [share_rates(clusters, share, studies, seed=4) for share in (0.5, 0.9, 0.97)]
        text = "; ".join(f"{a:.3f} and {b:.3f}" for a, b in cells)
        print(f"{clusters} targets, share .5, .9, .97: the bootstrap and Wilson's interval hold it in {text}")
    for clusters in (30, 150, 700):
        clipped, plain, chance, exchange = audc_rates(clusters, max(studies // 2, 20), seed=5)
        print(
            f"AuDC without signal, {clusters} targets: clipped interval above 0 {clipped:.3f}, plain interval without 0 "
            f"{plain:.3f}, above chance by permutation {chance:.3f}, difference of two agents {exchange:.3f}"
        )
    share = repeated_tuples(100, 24, max(studies // 5, 20), seed=6)
    print(f"Kolmogorov-Smirnov over 24 decisions of each of 100 tuples: {share:.3f}")


def table(studies: int, numbers: Sequence[int], names: str) -> None:
    """Print the table of the designs whose name holds a text."""
    head = ("units", "clusters", "paper", "ours", "difference", "mean", "non-null", "power", "paper's")
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for design in DESIGNS:
        if names not in design.name:
            continue
        for clusters in numbers:
            null = rates(design, clusters, 0.0, studies, seed=1)
            other = rates(design, clusters, effect_of(design, clusters), studies, seed=2)
            cells = [null.paper, null.ours, null.difference, null.mean, other.difference, other.ours, other.paper]
            print(
                "| " + " | ".join([design.name, str(clusters), *(f"{cell:.3f}" for cell in cells)]) + " |", flush=True
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--clusters", type=int, nargs="*", default=[30, 150, 700])
    parser.add_argument("--design", default="", help="only designs whose name holds this text")
    only = ["table", "cases", "links", "groups"]
    parser.add_argument("--only", choices=only, help="designs; other cases; linked targets; links that make clusters")
    parser.add_argument(
        "--results", type=Path, default=Path("results/relations"), help="of a study with linked targets"
    )
    options = parser.parse_args()
    if options.only in (None, "cases"):
        special_cases(options.studies)
    if options.only in (None, "table"):
        table(options.studies, options.clusters, options.design)
    if options.only in (None, "groups"):
        clusters_table(options.studies)
    if options.only in (None, "links"):
        shared_table(options.studies, options.results)


if __name__ == "__main__":
    main()
