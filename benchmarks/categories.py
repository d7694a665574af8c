"""How often the tests of the systematicity study call two equal agents different, and how often intervals hold.

Run from the root of the repository, with the results of a study:

    python -m benchmarks.categories results/systematicity smollm2-135m static singular

The differences of the two agents say how far categories differ, and how far hyponyms within a category. A simulated study
keeps the categories and their sizes. Its categories have effects of these sizes with random signs, so that no agent is
better, and its hyponyms are drawn from those of their category. The table has the share of studies that reject at 0.05 and
the share of intervals that hold 0: where each hyponym is an observation (a normal test), where each category is one (as in
the study), and where the hyponyms of a category are linked (docs/simulations.md).
"""

import argparse
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from relprobe.stats import mean_intervals, sign_flip
from relprobe.stats.linked import linked_interval, linked_items, linked_p

Values = NDArray[np.float64]


def differences(folder: Path, a: str, b: str, metric: str) -> tuple[Values, NDArray[np.int64]]:
    """Return the differences of two agents on the hyponyms that both answered, and the numbers of their categories."""
    first, second = (pl.read_parquet(folder / f"metrics/{name}.parquet").filter(metric=metric) for name in (a, b))
    items = pl.read_parquet(folder / "items.parquet").select("category", unit="hyponym")
    rows = first.join(second, on="unit", suffix="_b").join(items, on="unit").sort("category", "unit")
    numbers = rows["category"].rank("dense").cast(pl.Int64).to_numpy() - 1
    return (rows["value"] - rows["value_b"]).to_numpy(), numbers


def simulated(values: Values, category: NDArray[np.int64], draw: np.random.Generator) -> Values:
    """Return the differences of a study without a difference between the agents."""
    sizes = np.bincount(category)
    means = np.bincount(category, weights=values) / sizes
    within = values - means[category]
    drawn = [draw.choice(within[category == number], size) for number, size in enumerate(sizes)]
    return np.concatenate(drawn) + (means * draw.choice([-1.0, 1.0], len(sizes)))[category]


def main() -> None:
    """Print the shares of studies that reject, and of intervals that hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("agents", nargs=2)
    parser.add_argument("metric")
    parser.add_argument("--studies", type=int, default=500)
    options = parser.parse_args()
    values, category = differences(options.folder, *options.agents, options.metric)
    links = linked_items(np.arange(len(values)), category, len(values))
    sizes = np.bincount(category).astype(np.float64)
    draw = np.random.default_rng(1)
    rejected, held = np.zeros(3), np.zeros(3)
    for _ in range(options.studies):
        simulated_values = simulated(values, category, draw)
        sums = np.bincount(category, weights=simulated_values)
        error = simulated_values.std(ddof=1) / np.sqrt(len(simulated_values))
        p_linked, p_category = linked_p(simulated_values, links), float(sign_flip(sums[:, None], seed=1)[0])
        bounds = [mean_intervals(sums[:, None], sizes[:, None], 1, draws=1000, simulated_values=True)[0]]
        bounds.append(linked_interval(simulated_values, links))
        inside = [one_of.low is not None and one_of.low <= 0 <= (one_of.high or 0) for one_of in bounds]
        rejected += [
            abs(simulated_values.mean()) > 1.96 * error,
            p_category <= 0.05,
            p_linked is not None and p_linked <= 0.05,
        ]
        held += [abs(simulated_values.mean()) <= 1.96 * error, *inside]
    print("| agents | hyponyms | effective | test over | rejects | interval holds |\n|---|---:|---:|---|---:|---:|")
    agents_and_metric = f"{' and '.join(options.agents)}, {options.metric} | {len(values)} | {links.effective:.1f}"
    for name, *shares in zip(("hyponyms", "categories", "linked hyponyms"), rejected, held, strict=True):
        print(
            f"| {agents_and_metric} | {name} | {shares[0] / options.studies:.3f} | {shares[1] / options.studies:.3f} |"
        )


if __name__ == "__main__":
    main()
