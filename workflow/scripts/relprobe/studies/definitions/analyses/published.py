"""The values that the paper prints, beside ours: under the names of resources/published/definitions.csv.

## The paper's values beside this run
"""

import polars as pl

from relprobe.core.analyses import take
from relprobe.report.published import compare_published, figures
from relprobe.stats.schemas import Averages
from relprobe.studies.definitions.measures import metric_name
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import BENCHMARK_GROUPS, GUESS, TASKS, Sizes, enough
from relprobe.studies.definitions.tables import as_printed

PLACE = 11
MEAN = "candidates (mean)"


def ours(averages: Averages, sizes: Sizes) -> pl.DataFrame:
    """Return the agents' averages, P@1 in percent as the paper prints it, and the sizes of the groups (OURS).

    The values of a guess are its expected values over the whole benchmark.
    """
    parts = [as_printed(averages.filter(pl.col("agent") != GUESS))]
    benchmark = sizes.filter(groups_of=BENCHMARK_GROUPS)
    for task in TASKS:
        for measure, expected in (("P@1", pl.col(f"{task}_random") * 100), ("RS", pl.lit(0.5))):
            quantity, agent = pl.lit(metric_name(task, measure)), pl.lit(GUESS)
            guess = benchmark.select("condition", agent=agent, quantity=quantity, ours=expected, n="groups")
            parts.append(figures(guess.with_columns(units=pl.lit("groups"))))
    five = sizes.filter(groups_of=enough(5))  # Table 2 averages over these groups, other tables over the benchmark
    further_sizes = benchmark.join(five, on="condition", how="anti", maintain_order="left")
    parts += [
        _size(benchmark, "groups", "groups"),
        _size(pl.concat([five, further_sizes]), "candidates", MEAN),
        _size(benchmark, "smallest", "candidates (min)"),
        _size(benchmark, "largest", "candidates (max)"),
    ]
    return pl.concat(parts)


def _size(sizes: Sizes, column: str, quantity: str) -> pl.DataFrame:
    """Return a size; a mean is over the groups."""
    mean_columns = {"n": pl.col("groups"), "units": pl.lit("groups")} if quantity == MEAN else {}
    return figures(sizes.select(quantity=pl.lit(quantity), condition="condition", ours=column, **mean_columns))


def _table(results: Results) -> pl.DataFrame:
    """Compare the paper's printed values with ours: the averages, the sizes, and the results of analyses."""
    analysis_tables = [table for published in take("definitions", "published").values() for table in published(results)]
    return compare_published(results.published, pl.concat([ours(results.averages, results.sizes), *analysis_tables]))


TABLES = {"published": _table}
