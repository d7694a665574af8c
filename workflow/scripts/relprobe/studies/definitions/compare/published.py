"""Our values beside those that the paper prints, under the names of resources/published/definitions.csv."""

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.report.published import Published, beside, figures, of_averages
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.compare.sizes import BENCHMARK, enough
from relprobe.studies.definitions.measure.conditions import SMALL, depth_names
from relprobe.studies.definitions.measure.metrics import MEASURES, metric_name
from relprobe.studies.definitions.schemas import GUESS, TASKS, Sizes

MEAN = "candidates (mean)"
TABLE_8 = "20 groups of up to 10 candidates"
"""The condition of Table 8, whose groups the paper does not name; ours are the groups of SMALL that people answered."""


def published_figures(
    averages: Averages, sizes: Sizes, published: Published | None = None, people: Averages | None = None
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `published`: none on own data, where nothing is put beside."""
    return beside(published, ours(averages, sizes, people))


def ours(averages: Averages, sizes: Sizes, people: Averages | None = None) -> pl.DataFrame:
    """Return the agents' averages, P@1 in percent as the paper prints it, and the sizes of the groups (OURS).

    The values of a guess are its expected values over the whole benchmark. `people`: the averages over the groups that
    people answered (analyses.compared).
    """
    scale = pl.col("metric").replace_strict({metric.name: metric.scale for metric in MEASURES})
    agents = averages.filter(pl.col("agent") != GUESS)
    if people is not None:
        agents = pl.concat([agents, people.filter(condition=SMALL).with_columns(condition=pl.lit(TABLE_8))])
    parts = [of_averages(agents, {metric.name: metric.items for metric in MEASURES}, "metric", "condition", scale)]
    benchmark = sizes.filter(groups_of=BENCHMARK)
    for task in TASKS:
        for measure, expected in (("P@1", pl.col(f"{task}_random") * 100), ("RS", pl.lit(0.5))):
            quantity, agent = pl.lit(metric_name(task, measure)), pl.lit(GUESS)
            guess = benchmark.select("condition", agent=agent, quantity=quantity, ours=expected, n="groups")
            parts.append(figures(guess.with_columns(units=pl.lit("groups"))))
    five = sizes.filter(groups_of=enough(5))  # Table 2 averages over these groups
    deep = benchmark.filter(pl.col("condition").is_in(depth_names()))
    parts += [
        _size(benchmark, "groups", "groups"),
        _size(pl.concat([five, deep]), "candidates", MEAN),
        _size(benchmark, "smallest", "candidates (min)"),
        _size(benchmark, "largest", "candidates (max)"),
    ]
    return pl.concat(parts)


def _size(sizes: Sizes, column: str, quantity: str) -> pl.DataFrame:
    """Return a size; a mean is over the groups."""
    of_mean = {"n": pl.col("groups"), "units": pl.lit("groups")} if quantity == MEAN else {}
    return figures(sizes.select(quantity=pl.lit(quantity), condition="condition", ours=column, **of_mean))
