"""The values that the paper prints, beside ours: under the names of resources/published/definitions.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.report.published import Published, average_values, compare_published, figures
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.measures import MEASURES, metric_name
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import GUESS, OF_BENCHMARK, SMALL, TASKS, Sizes, enough

PLACE = 11
MEAN = "candidates (mean)"
TABLE_8 = "20 groups of up to 10 candidates"
"""The condition of Table 8, whose groups the paper does not name; ours are the groups of SMALL that people answered."""


def published_figures(
    averages: Averages, sizes: Sizes, published: Published | None = None, people: Averages | None = None
) -> pl.DataFrame:
    """Compare the paper's printed values with ours. `published`: None on own data, where there is nothing to compare."""
    return compare_published(published, ours(averages, sizes, people))


def ours(averages: Averages, sizes: Sizes, people: Averages | None = None) -> pl.DataFrame:
    """Return the agents' averages, P@1 in percent as the paper prints it, and the sizes of the groups (OURS).

    The values of a guess are its expected values over the whole benchmark. `people`: the averages over the groups that
    people answered (`average_on_peoples_groups`).
    """
    scale = pl.col("metric").replace_strict({metric.name: metric.scale for metric in MEASURES})
    agents = averages.filter(pl.col("agent") != GUESS)
    if people is not None:
        agents = pl.concat([agents, people.filter(condition=SMALL).with_columns(condition=pl.lit(TABLE_8))])
    parts = [average_values(agents, {metric.name: metric.items for metric in MEASURES}, "metric", "condition", scale)]
    benchmark = sizes.filter(groups_of=OF_BENCHMARK)
    for task in TASKS:
        for measure, expected in (("P@1", pl.col(f"{task}_random") * 100), ("RS", pl.lit(0.5))):
            quantity, agent = pl.lit(metric_name(task, measure)), pl.lit(GUESS)
            guess = benchmark.select("condition", agent=agent, quantity=quantity, ours=expected, n="groups")
            parts.append(figures(guess.with_columns(units=pl.lit("groups"))))
    five = sizes.filter(groups_of=enough(5))  # Table 2 averages over these groups
    deep = benchmark.filter(pl.col("condition").str.starts_with("noun, depth "))
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


def _table(results: Results) -> pl.DataFrame:
    return published_figures(results.averages, results.sizes, results.published, results.people)


TABLES = {"published": _table}
