"""How probable the right category is in the singular and in the plural (Figure 2 of the paper).

## Categories in the singular and the plural: $title

```yaml
figure: category_logprobs_$set
values: category_logprobs
needs: [$needs]
each:
  - {set: diagnostic, title: LM Diagnostic, needs: released}
  - {set: extended, title: LM Diagnostic Extended, needs: released}
  - {set: wordnet, title: WordNet's hyponyms, needs: wordnet}
  - {set: own, title: own hyponyms, needs: own}
```

How probable the right category is at the slot, averaged over its hyponyms *(Figure 2 of the paper)*: the
lighter, the more probable. An empty cell has no probe.

## Categories in the singular and the plural, as numbers

```yaml
table: category_logprobs
part: Data
empty: No agent has log-probabilities of the categories.
columns:
  kind: "the diagnostic: singular, plural or contextual"
  logprob: the mean log-probability (natural) of the right category at the slot
```

The mean log-probability (natural) of the right category at the slot, and its hyponyms.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.sums import ordered_mean
from relprobe.report.figures import (
    ROW,
    WIDTH,
    cells,
    drawn_size,
    label_rows,
    mark,
    nothing_to_draw,
)
from relprobe.report.words.in_words import in_words
from relprobe.report.words.readable import in_digits
from relprobe.studies.systematicity.addresses import answers
from relprobe.studies.systematicity.figures import Styles
from relprobe.studies.systematicity.method import responses
from relprobe.studies.systematicity.prompts import NUMBERS
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Items, Probes, Scores

PLACE = 4
KEY = ("agent", "category")


LOGPROBS = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "category": pl.String(),
        "kind": pl.String(),  # singular, plural
        "logprob": pl.Float32(),  # mean natural-log probability of the category at the slot, where it is right
        "hyponyms": pl.UInt32(),
    }
)


def category_logprobs(scores: Mapping[str, Scores], probes: Probes, items: Items) -> pl.DataFrame:
    """Return Figure 2 (LOGPROBS): per category and number the mean log-probability of the right category at the slot.

    A category that a model cannot write has no row.
    """
    if not scores:
        return pl.DataFrame(schema=LOGPROBS)
    parts = []
    for agent, table in scores.items():
        slots = table.filter(method="slot")
        is_number_probe = pl.col("kind").is_in(["singular", "plural"]) & ~pl.col("control") & pl.col("main")
        rows = responses(slots, probes, items).filter(is_number_probe)
        parts.append(rows.with_columns(agent=pl.lit(agent)))
    long = pl.concat(parts).explode("words", "scores").filter(pl.col("words") == pl.col("gold"))
    long = long.filter(pl.col("scores").is_finite())  # a category that the model cannot write has no probability
    table = long.group_by("set", "agent", "category", "kind", maintain_order=True).agg(
        logprob=ordered_mean("scores"), hyponyms=pl.len()
    )
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def category_cells(logprobs: pl.DataFrame, agents: Sequence[str], name: str = "") -> Figure:
    """Draw Figure 2 for one set: how probable each category (column) is for each model (row), in a panel per number.

    A cell has the mean log-probability; that of a category without probes in a number is empty. `name`: the set, for the
    addresses of the answers.
    """
    models = [agent for agent in agents if agent in set(logprobs["agent"])]
    if not models:
        return nothing_to_draw("No agent has log-probabilities of the categories.")
    categories = logprobs["category"].unique(maintain_order=True).to_list()
    lowest = min([-1.0, *logprobs["logprob"].drop_nulls()])
    figure, axes = plt.subplots(1, 2, figsize=drawn_size(WIDTH, 1.6 + ROW * len(models)), sharey=True)
    for axis, number in zip(axes, NUMBERS, strict=True):
        rows = logprobs.filter(kind=number)
        values_by_cell = {
            (agent, category): value for agent, category, value in rows.select(*KEY, "logprob").iter_rows()
        }
        counts = dict(rows.group_by("category").agg(pl.col("hyponyms").max()).iter_rows())
        values = [[values_by_cell.get((agent, category)) for category in categories] for agent in models]
        texts = [["" if value is None else in_digits(value, 1) for value in row] for row in values]
        drawn = cells(axis, values, "viridis", (lowest, 0.0), texts)
        for agent, row in zip(models, drawn, strict=True):
            for cell in row:
                mark(cell, agent, answers(agent, number, name))
        names = [f"{category} ({counts.get(category, 0)})" for category in categories]
        axis.set_xticks(range(len(categories)), names, rotation=90, fontsize="small")
        axis.set_title(number)
    label_rows(axes[0], models)
    figure.supxlabel("mean log-probability of the right category (natural log); in brackets the hyponyms")
    return figure


def _table(results: Results) -> pl.DataFrame:
    table = category_logprobs(results.scores_of_models(), results.probes, results.item_table)
    return table.cast(LOGPROBS)  # type: ignore[arg-type]


def _figure(logprobs: pl.DataFrame, styles: Styles, name: str) -> Figure:
    return category_cells(logprobs.filter(set=name), list(styles.agents), name)


TABLES = {"category_logprobs": _table}
FIGURES = {f"category_logprobs_{name}": partial(_figure, name=name) for name in SETS}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, from the table behind it; "" for another figure."""
    kind, _, set_name = name.rpartition("_")
    if kind != "category_logprobs" or kind not in tables:
        return ""
    set_rows = tables[kind].filter(set=set_name).with_columns(condition=pl.format("{}, {}", "category", "kind"))
    return in_words(set_rows, "logprob", "condition", "hyponyms", "hyponyms")
