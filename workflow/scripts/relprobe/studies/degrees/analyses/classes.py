"""How well agents agree with people in each class of relations (Table 4 of the paper).

## Agreement per relation class

```yaml
figure: classes
values: classes
```

Spearman's correlation averaged over the test subcategories of a class *(Table 4 of the paper)*; in brackets the
number of subcategories. Fewer than ten of them say little: table classes has the noise ceiling and the averages
without reversed pairs.

## Spearman's rho per relation class

```yaml
table: classes
columns:
  pairs: all pairs, or those without the pairs whose words were exchanged
  "*": "a relation class: the average rho over its test subcategories"
```

Averages over the test subcategories of each class *(Table 4 of the paper)*, with and without the reversed
pairs, and the noise ceiling.
"""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.report.agent_styles import Styles
from relprobe.report.figures import (
    cells,
    drawn_size,
    label_rows,
    mark,
    short,
)
from relprobe.report.published import Published
from relprobe.report.words.in_words import in_words
from relprobe.stats.controls import model_of
from relprobe.stats.schemas import Averages
from relprobe.studies.degrees.ceiling import mean_ceiling
from relprobe.studies.degrees.figures import in_order
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.results import FigureFiles, Results
from relprobe.studies.degrees.schemas import Ceilings
from relprobe.studies.degrees.tables import (
    CEILING_ROWS,
    HERE,
    KEY,
    PAPER,
    PEOPLE,
    QUANTITIES,
    select_columns,
    stack,
    wide,
)

PLACE = 1


def classes(averages: Averages, published: Published, ceilings: Ceilings, order: Sequence[str]) -> pl.DataFrame:
    """Return Table 4: the average rho per relation class, the classes in this `order`, with and without reversed pairs."""
    tables = {}
    for pairs, ending in (("all", ""), ("without reversals", WITHOUT)):
        rows = averages.filter(pl.col("condition").is_in(order), metric=f"rho{ending}")
        values = {name: mean_ceiling(ceilings, [name], reversals=not ending)["ceiling"] for name in order}
        people = pl.DataFrame(
            [{"agent": CEILING_ROWS["ceiling"], **values}], schema_overrides=dict.fromkeys(order, pl.Float64)
        )
        theirs = published.filter(pl.col("condition").is_in(order), quantity=QUANTITIES["rho"])
        paper = theirs.pivot("condition", index="agent", values="value", maintain_order=True)
        parts = {HERE: select_columns(wide(rows, "condition", "value"), order), PEOPLE: people}
        tables[pairs] = stack(parts if ending else {**parts, PAPER: paper})
    table = pl.concat([part.with_columns(pairs=pl.lit(pairs)) for pairs, part in tables.items()])
    return table.select(*KEY, "pairs", pl.exclude(*KEY, "pairs"))


def by_class(summary: Averages, classes: Sequence[str], models: Sequence[str]) -> Figure:
    """Draw the average rho of every agent (row) in every relation class (column) as a table of colours (Table 4).

    The label of a class has the number of its subcategories. `models`: in the order of the rows, with the baselines.
    """
    rated = summary.filter(metric="rho")["agent"].unique().to_list()
    agents = [agent for agent in in_order(summary, models) if agent in rated]
    rows = summary.filter(pl.col("condition").is_in(classes), metric="rho")
    value = {(agent, name): v for agent, name, v in rows.select("agent", "condition", "value").iter_rows()}
    values = [[value.get((agent, name)) for name in classes] for agent in agents]
    figure, axis = plt.subplots(figsize=drawn_size(1.8 + 0.75 * len(classes), 1.2 + 0.21 * len(agents)))
    texts = [["–" if cell is None else short(cell) for cell in row] for row in values]
    for agent, row in zip(agents, cells(axis, values, "PuOr_r", (-0.8, 0.8), texts), strict=True):
        for cell in row:
            mark(cell, model_of(agent) or agent)
    numbers = dict(rows.group_by("condition").agg(pl.col("units").max()).iter_rows())
    labels = [f"{name.capitalize()} ({numbers.get(name, 0)})" for name in classes]
    axis.set_xticks(range(len(classes)), labels, fontsize="small", rotation=30, ha="right")
    label_rows(axis, [model_of(agent) or agent for agent in agents], agents)
    return figure


def _table(results: Results) -> pl.DataFrame:
    return classes(results.averages, results.paper_figures(), results.ceiling, results.classes())


def _figure(files: FigureFiles, styles: Styles) -> Figure:
    return by_class(files.averages, files.classes(), list(styles.agents))


TABLES = {"classes": _table}
FIGURES = {"classes": _figure}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of the figure in words, over all pairs; "" for another figure."""
    if name != "classes" or name not in tables:
        return ""
    table = tables[name].filter(pl.col("from") == HERE, pairs="all")
    in_classes = [column for column in table.columns if column not in (*KEY, "pairs")]
    return in_words(table.unpivot(in_classes, index="agent", variable_name="class", value_name="rho"), "rho", "class")
