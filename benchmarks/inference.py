"""Show that tests and intervals over clusters hold: simulate studies with and without a difference between two agents.

For the units of each study, and for 30, 150 and 700 clusters, the script prints
- how often a test is significant at 0.05 although the agents are equal: the paper's test and ours (0.05 is right);
- how often the 95 % interval holds the true difference or mean (0.95 is right);
- how often the tests find a difference that is there (the power). That of the paper's test has no meaning where it is
  significant too often without a difference.

    python -m benchmarks.inference --studies 2000

takes minutes. linked.py does the same for targets that share right answers. A smaller version with the same functions is in
tests/stats/test_inference_holds.py.
"""

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from relprobe.stats import (
    Interval,
    Values,
    exchange_test,
    kolmogorov_smirnov,
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


def one_item(clusters: int, generator: Generator) -> Values:
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
    Design("relations: target x 7 prompts, correlation .2", one_item, 7, alike_items=0.2),
    Design("relations: target x 7 prompts, correlation .4", one_item, 7, alike_items=0.4),
    Design("relations: target x 7 prompts, 6 % right", one_item, 7, alike_items=0.4, mean=0.06),
    Design("relations: pairs both ways x 7 prompts", one_to_three, 7, alike=0.1, alike_items=0.3, copies=2),
    Design("relations: scores of targets", one_item, binary=False),
    Design("definitions: families, design effect 2.4", families, alike=0.0286),
    Design("definitions: families, design effect 8.6", families, alike=0.155),
    Design("systematicity: hyponym x pairs", one_to_nine, alike=0.3),
    Design("analogies: tuple x 5 splits", one_item, 5, alike_items=0.6),
    Design("degrees: subcategories", one_item, binary=False, mean=0.6),
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
    cluster_chances = beta(mean, design.alike, generator, (len(sizes), studies))
    chances = np.repeat(cluster_chances, sizes, axis=0)
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
    counted = [np.tile(values, (design.copies, 1)) for values in (a, b)]
    paper = [test(*pair) for pair in zip(*(values.T for values in counted), strict=True)]
    seed = int(generator.integers(2**31))
    difference_intervals = mean_intervals(sums, numbers, seed, differences=True)
    shares = [share_interval(*columns) for columns in zip(sums_a.T, numbers.T, strict=True)]
    mean_bounds = shares if design.binary else mean_intervals(sums_a, numbers, seed)
    significant = np.array([result.p is not None and result.p < ALPHA for result in paper])
    held = [(difference_intervals, effect), (mean_bounds, design.mean + effect)]
    holding = [np.array([holds(interval, truth) for interval in intervals]) for intervals, truth in held]
    return [significant, sign_flip(sums, seed) < ALPHA, *holding]


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
        ranks_of_a, ranks_of_b = (
            (np.where(swap, 0.0, 1.0) @ (first - other) + other.sum(axis=0)) for first, other in ((a, b), (b, a))
        )
        return gaps(ranks_of_a / clusters, 0.0) - gaps(ranks_of_b / clusters, 0.0)

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
    design = Design("", one_item, 7, alike_items=0.4)
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


def special_cases(studies: int) -> None:
    """Print the table of the cases that are no comparison of two means."""
    print("| case | rate |\n|---|---:|")
    for name, rate in cases(studies):
        print(f"| {name} | {rate:.3f} |", flush=True)


def cases(studies: int) -> Iterator[tuple[str, float]]:
    """Yield the name of a case and the share of studies in which it is so."""
    for alike, design in zip((0.2, 0.4), DESIGNS[:2], strict=True):
        null = rates(design, 554, 0.0, studies, seed=3)
        equal = f"equal agents, 554 targets × 7 prompts, correlation {alike}"
        yield from ((f"{equal}: McNemar", null.paper), (f"{equal}: sign flips", null.ours))
    for clusters, share in itertools.product((10, 29), (0.5, 0.9, 0.97)):
        bootstrap, wilson = share_rates(clusters, share, studies, seed=4)
        yield f"{clusters} targets, a share of {share:g}: the bootstrap holds it", bootstrap
        yield f"{clusters} targets, a share of {share:g}: Wilson's interval holds it", wilson
    for clusters in (30, 150, 700):
        clipped, plain, chance, exchange = audc_rates(clusters, studies, seed=5)
        alike = f"two agents that tell nothing apart, {clusters} targets"
        yield f"{alike}: AuDC's interval of clipped distances excludes 0", clipped
        yield f"{alike}: AuDC's interval excludes 0", plain
        yield f"{alike}: AuDC is above chance by permutation", chance
        yield f"{alike}: the exchange test finds a difference of the two", exchange
    share = repeated_tuples(100, 24, studies, seed=6)
    yield (
        "Kolmogorov-Smirnov finds a relation of errors to a random frequency, over 24 decisions of each of 100 tuples",
        share,
    )


def table(studies: int, numbers: Sequence[int], names: str) -> None:
    """Print the table of the designs whose name holds a text."""
    head = ("units", "clusters", "paper's test, equal", "ours, equal", "interval, equal", "interval, a mean")
    head = (*head, "interval, different", "power, ours", "power, paper's")
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for design in (design for design in DESIGNS if names in design.name):
        for clusters in numbers:
            null = rates(design, clusters, 0.0, studies, seed=1)
            other = rates(design, clusters, effect_of(design, clusters), studies, seed=2)
            cells = [null.paper, null.ours, null.difference, null.mean, other.difference, other.ours, other.paper]
            row = [design.name, str(clusters), *(f"{cell:.3f}" for cell in cells)]
            print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--clusters", type=int, nargs="*", default=[30, 150, 700])
    parser.add_argument("--design", default="", help="only designs whose name holds this text")
    parser.add_argument("--only", choices=["table", "cases"], help="designs; other cases")
    options = parser.parse_args()
    if options.only in (None, "cases"):
        special_cases(options.studies)
    if options.only in (None, "table"):
        table(options.studies, options.clusters, options.design)


if __name__ == "__main__":
    main()
