"""Show that the tests of series hold: simulate checkpoints that are equal, that rise and fall, and that rise.

Every target has a difficulty of its own that all checkpoints share, and a state of its own that drifts from checkpoint to
checkpoint, so that neighbours are alike. It is asked in 7 prompts. For numbers of targets and members the script prints
- equal: how often the trend of equal members is significant at 0.05 (0.05 is right), and how often its interval holds 0;
- rises and falls: the same where the middle members are better, so that members differ and the line has no slope;
- any false finding: how often any member is called different from the last, if all are equal, and if the first half is
  worse: then only the others count (0.05 is the bound); Holm's adjustment beside it;
- linked: the same of targets that share answers. A checkpoint likes some answers better than others, so that it is right for
  all targets of an answer it likes; any false finding by Holm's method after the test of linked targets, and by max-T of
  signs as if nothing were linked;
- half: a curve over 31 layers rises to the last one; the members are all layers, or some of them (`--members 31 11 6`). How
  often is there a place where half of the last value is reached, and how often does its interval hold the place where the
  curve itself, and not a line between members, reaches it (0.95 is right)? The same for the percentile interval of the
  places of resamples on the line; and the trend of equal members and the half of rising ones, where targets share answers;
- power: how often a rise of 0.1 over the whole series is found, and how many of the worse members are found.

    python -m benchmarks.series --studies 1000
"""

import argparse
import itertools

import numpy as np
from numpy.typing import NDArray
from relprobe.stats import (
    FEWEST,
    Interval,
    Links,
    Values,
    holm,
    linked_interval,
    linked_items,
    linked_p,
    max_t,
    mean_intervals,
    sign_flip,
    slope_weights,
)
from relprobe.stats.resampling import resamples
from relprobe.stats.series.half import half_of
from scipy.stats import norm

Generator = np.random.Generator
ALPHA = 0.05
PROMPTS = 7
ALIKE = 0.8
"""The correlation of a target's state at neighbouring checkpoints."""
SPREAD, LINKED_SPREAD = 0.12, 0.15
"""The deviation of a target's chances from their mean: of each of its two parts, and of targets that share answers."""
FEW_STUDIES = 10
"""A share of fewer studies is not shown."""
LAYERS = 30
"""The last layer of the curve whose half is sought; a series has all of its layers, or every third, or every sixth."""
CURVES = ((0.3, 12.0), (0.7, 12.0), (0.75, 40.0))
"""The middle of a curve, and how steep it is there."""


def checkpoints(means: Values, targets: int, studies: int, generator: Generator) -> Values:
    """Return the shares of right answers of checkpoints with these means, of shape (studies, targets, members)."""
    shape = studies, targets, len(means)
    states = generator.normal(size=shape)
    for member in range(1, len(means)):
        states[..., member] = ALIKE * states[..., member - 1] + np.sqrt(1 - ALIKE**2) * states[..., member]
    liking = generator.normal(size=(studies, targets, 1)) + states
    chances = np.clip(means + SPREAD * liking, 0.01, 0.99)
    return generator.binomial(PROMPTS, chances) / PROMPTS


def trend_rates(means: Values, targets: int, studies: int, seed: int) -> tuple[float, float]:
    """Return how often the trend is significant, and how often the interval of the slope holds that of the means."""
    values = checkpoints(means, targets, studies, np.random.default_rng(seed))
    truth = float(
        checkpoints(means, 1, 200_000, np.random.default_rng(0)).mean(axis=(0, 1)) @ slope_weights(len(means))
    )
    slopes = (values @ slope_weights(len(means))).T
    intervals = mean_intervals(slopes, np.ones_like(slopes), seed, differences=True)
    held = [
        interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high
        for interval in intervals
    ]
    return float((sign_flip(slopes, seed) < ALPHA).mean()), float(np.mean(held))


def findings(means: Values, targets: int, studies: int, seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which members differ from the last by max-T, and by Holm's method, of shape (studies, members - 1)."""
    values = checkpoints(means, targets, studies, np.random.default_rng(seed))
    differences = values[..., :-1] - values[..., -1:]
    by_max_t = np.array([max_t(study, seed) < ALPHA for study in differences])
    by_holm = np.array([np.array(holm(sign_flip(study, seed).tolist()), dtype=float) < ALPHA for study in differences])
    return by_max_t, by_holm


def curve(places: Values, middle: float, steep: float) -> Values:
    """Return means that rise from 0.05 to 0.35, around `middle` of the way; the larger `steep`, the more suddenly.

    `places`: from 0 to 1.
    """
    rise, ends = (1 / (1 + np.exp(-steep * (at - middle))) for at in (places, np.array([0.0, 1.0])))
    means: Values = 0.05 + 0.3 * (rise - ends[0]) / (ends[1] - ends[0])
    return means


def expected(means: Values, spread: float) -> Values:
    """Return the expected shares of right answers of members with these means, as chances are cut off at 0.01 and 0.99."""
    deviates = norm.ppf((np.arange(2000) + 0.5) / 2000)
    shares: Values = np.clip(means[:, None] + spread * deviates, 0.01, 0.99).mean(axis=1)
    return shares


def true_half(middle: float, steep: float, spread: float) -> float:
    """Return the layer at which the true curve, between all layers too, first reaches half of its last value."""
    places = np.linspace(0, 1, 20 * LAYERS + 1)
    return first_half(expected(curve(places, middle, steep), spread)[None], LAYERS * places)[0]


def first_half(means: Values, places: Values) -> list[float]:
    """Return the first place where the line through each row of means reaches half of its last one."""
    found = []
    for row in means:
        after = int(np.flatnonzero(row >= row[-1] / 2)[0])
        share = 0.0 if after == 0 else (row[-1] / 2 - row[after - 1]) / (row[after] - row[after - 1])
        before = max(after - 1, 0)
        found.append(float(places[before] + share * (places[after] - places[before])))
    return found


def half_rates(members: int, shape: tuple[float, float], targets: int, studies: int, seed: int) -> list[float]:
    """Return how often there is a half, how often its interval and that of resamples hold the truth, and its median width.

    `shape`: the middle of the curve, and how steep it is. The width is a share of the whole series.
    """
    generator, places = np.random.default_rng(seed), np.linspace(0, LAYERS, members)
    truth, means = true_half(*shape, SPREAD * np.sqrt(2)), curve(places / LAYERS, *shape)
    found, held, resampled, widths = 0, 0, 0, []
    for values in checkpoints(means, targets, studies, generator):

        def intervals(weights: Values, values: Values = values) -> list[Interval]:
            columns = values @ weights
            return mean_intervals(columns, np.ones_like(columns), seed, differences=True)

        half = half_of(values.mean(axis=0), places, intervals)
        if half.low is None or half.high is None:
            continue
        found, held = found + 1, held + (half.low <= truth <= half.high)
        widths.append((half.high - half.low) / LAYERS)
        drawn = np.vstack([counts @ values / targets for counts in resamples(targets, seed, 1000)])
        low, high = np.quantile(first_half(drawn, places), [0.025, 0.975])
        resampled += low <= truth <= high
    return [found / studies, share(held, found), share(resampled, found), float(np.median(widths or [np.nan]))]


def linked_half_rates(members: int, shape: tuple[float, float], targets: int, studies: int, seed: int) -> list[float]:
    """Return for targets that share answers how often there is a half, and how often its interval holds the truth."""
    generator, places = np.random.default_rng(seed), np.linspace(0, LAYERS, members)
    truth, means = true_half(*shape, LINKED_SPREAD), curve(places / LAYERS, *shape)
    found, held = 0, 0
    for _ in range(studies):
        values, links = linked_checkpoints(means, targets, generator)

        def intervals(weights: Values, values: Values = values, links: Links = links) -> list[Interval]:
            return [linked_interval(column, links) for column in (values @ weights).T]

        half = half_of(values.mean(axis=0), places, intervals)
        if half.low is not None and half.high is not None and links.effective >= FEWEST:
            found, held = found + 1, held + (half.low <= truth <= half.high)
    return [found / studies, share(held, found)]


def share(part: int, whole: int) -> float:
    """Return a share of those studies that have a half; NaN for so few that it would say nothing."""
    return part / whole if whole >= FEW_STUDIES else np.nan


def linked_trend_rate(members: int, targets: int, studies: int, seed: int) -> float:
    """Return how often the trend of equal members is significant, for targets that share answers."""
    generator, trend = np.random.default_rng(seed), 0
    for _ in range(studies):
        values, links = linked_checkpoints(np.full(members, 0.35), targets, generator)
        p = linked_p(values @ slope_weights(members), links)
        trend += p is not None and p < ALPHA
    return trend / studies


def linked_checkpoints(means: Values, targets: int, generator: Generator) -> tuple[Values, Links]:
    """Return the shares of right answers of targets that share answers, (targets, members), and which are linked."""
    answers = np.minimum(generator.geometric(0.08, size=targets), targets // 3) - 1  # a few answers are of many targets
    links = linked_items(np.arange(targets), answers, targets)
    liking = generator.normal(size=(targets, len(means)))
    for member in range(1, len(means)):
        liking[:, member] = ALIKE * liking[:, member - 1] + np.sqrt(1 - ALIKE**2) * liking[:, member]
    chances = np.clip(means + LINKED_SPREAD * liking[answers], 0.01, 0.99)
    return generator.binomial(PROMPTS, chances) / PROMPTS, links


def linked_findings(means: Values, targets: int, studies: int, seed: int) -> list[NDArray[np.bool_]]:
    """Return which members differ from the last by Holm's method for linked targets and by signs: (studies, members - 1)."""
    generator = np.random.default_rng(seed)
    results: list[list[NDArray[np.bool_]]] = [[], []]
    for _ in range(studies):
        values, links = linked_checkpoints(means, targets, generator)
        differences = values[:, :-1] - values[:, -1:]
        p_values = [linked_p(column, links) for column in differences.T]
        adjusted = holm(p_values), max_t(differences, seed).tolist()
        for result, p in zip(results, adjusted, strict=True):
            result.append(np.array(p, dtype=float) < ALPHA)
    return [np.array(result) for result in results]


def linked_row(targets: int, members: int, studies: int) -> list[float]:
    """Return how often any equal member differs, if all are equal and if the first half is worse, and the worse found."""
    half = members // 2
    worse = np.where(np.arange(members) < half, 0.2, 0.35)
    none = linked_findings(np.full(members, 0.35), targets, studies, seed=6)
    some = linked_findings(worse, targets, studies, seed=7)
    equal = [float(result.any(axis=1).mean()) for result in none]
    rejected = [float(result[:, half:].any(axis=1).mean()) for result in some]
    return [*equal, *rejected, float(some[0][:, :half].mean())]


def row(targets: int, members: int, studies: int) -> list[float]:
    """Return the rates of one number of targets and members."""
    equal, half = np.full(members, 0.35), members // 2
    bent = 0.35 + 0.1 * np.sin(np.pi * np.arange(members) / (members - 1))
    worse = np.where(np.arange(members) < half, 0.25, 0.35)
    none = findings(equal, targets, studies, seed=3)
    some = findings(worse, targets, studies, seed=4)
    return [
        *trend_rates(equal, targets, studies, seed=1),
        *trend_rates(bent, targets, studies, seed=2),
        *(float(found.any(axis=1).mean()) for found in none),
        *(float(found[:, half:].any(axis=1).mean()) for found in some),
        trend_rates(np.linspace(0.3, 0.4, members), targets, studies, seed=5)[0],
        *(float(found[:, :half].mean()) for found in some),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--targets", type=int, nargs="*", default=[12, 30, 150])
    parser.add_argument("--members", type=int, nargs="*", default=[3, 8, 20])
    parser.add_argument("--only", choices=TABLES, help="one of the tables")
    options = parser.parse_args()
    for name, table in TABLES.items():
        if options.only in (None, name):
            table(options)


def plain_table(options: argparse.Namespace) -> None:
    """Print the table of targets that are not linked."""
    head = (
        "targets",
        "members",
        "equal",
        "its interval",
        "rises and falls",
        "its interval",
        "any false, equal: max-T",
        "Holm",
    )
    head += ("any false, half worse: max-T", "Holm", "rise found", "worse found: max-T", "Holm")
    print("| " + " | ".join(head) + " |\n|" + "---:|" * len(head))
    for targets in options.targets:
        for members in options.members:
            cells = [f"{cell:.3f}" for cell in row(targets, members, options.studies)]
            print("| " + " | ".join([str(targets), str(members), *cells]) + " |", flush=True)


def linked_table(options: argparse.Namespace) -> None:
    """Print the table of targets that share answers."""
    head = ("targets", "members", *(f"any false, equal: {name}" for name in ("Holm", "signs")))
    head += (*(f"any false, half worse: {name}" for name in ("Holm", "signs")), "worse found: Holm")
    print("| " + " | ".join(head) + " |\n|" + "---:|" * len(head))
    for targets in options.targets:
        for members in options.members:
            cells = [f"{cell:.3f}" for cell in linked_row(targets, members, options.studies)]
            print("| " + " | ".join([str(targets), str(members), *cells]) + " |", flush=True)


def half_table(options: argparse.Namespace) -> None:
    """Print the table of the places where half of the last value is reached; a member is every so manieth of the layers."""
    head: tuple[str, ...] = ("targets", "members", "middle", "steep", "found", "holds", "of resamples", "width")
    head += ("linked: equal", "found", "holds")
    print("| " + " | ".join(head) + " |\n|" + "---:|" * len(head))
    for targets in options.targets:
        for members, shape in itertools.product(options.members, CURVES):
            rates = half_rates(members, shape, targets, options.studies, seed=8)
            equal = linked_trend_rate(members, targets, options.studies, seed=9)
            linked = linked_half_rates(members, shape, targets, options.studies, seed=10)
            numbers = ("" if np.isnan(cell) else f"{cell:.3f}" for cell in (*rates, equal, *linked))
            cells = [f"{shape[0]:g}", f"{shape[1]:g}", *numbers]
            print("| " + " | ".join([str(targets), str(members), *cells]) + " |", flush=True)


TABLES = {"plain": plain_table, "linked": linked_table, "half": half_table}


if __name__ == "__main__":
    main()
