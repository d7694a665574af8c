"""How well agents do in each relation (Table 2 of the paper).

## Accuracy by relation, $setting

```yaml
figure: relations_$setting
each: [{setting: supervised}, {setting: unsupervised}]
```

Every relation of the data. In the random probe of a relation marked ∗, and in the reverse probe of one marked †, a
negative may be right although the data do not list it *(Table 2 of the paper)*; none is one that they list.

## Accuracy by relation

```yaml
table: relations
like: overview
```

The accuracies of every agent in every relation, in both settings; ∗ marks one/many-to-many relations, † bidirectional
ones *(Table 2 of the paper)*. tails_seen: the share of the test tuples whose tail is a word of a training
tuple, so that a classifier may know the tail rather than the relation.

split.lexical in the config keeps such tuples together.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.report.agent_styles import AgentStyle, Styles
from relprobe.report.figures import (
    WIDTH,
    drawn_size,
    mark,
    to_scale,
)
from relprobe.stats.schemas import Averages
from relprobe.studies.analogies.addresses import answers
from relprobe.studies.analogies.figures import CHANCE
from relprobe.studies.analogies.method import COLUMNS
from relprobe.studies.analogies.relations import Relation, relations_of
from relprobe.studies.analogies.results import FigureFiles, Results
from relprobe.studies.analogies.schemas import SETTINGS, Contrasts, Tuples
from relprobe.studies.analogies.tables import probes_in_words, seen_words, wide

PLACE = 1


def by_relation(averages: Averages, tuples: Tuples, queries: Contrasts) -> pl.DataFrame:
    """Return Table 2 for all agents and both settings: group, relation, its marks, tails_seen, agent, accuracies, numbers.

    The mark ∗ stands for a many-to-many relation, whose random probe cannot be fair, and † for a bidirectional one, whose
    reverse probe cannot be fair. `tails_seen`: see `seen_words`; it concerns the supervised setting. `queries`: as in
    `by_group`.
    """
    relations_by_code = {relation.code: relation for relation in relations_of(tuples)}
    table = wide(averages, queries, list(relations_by_code), "code", "families")
    code = pl.col("code")
    seen = seen_words(tuples).select(code="relation", tails_seen="tails_seen")
    return table.join(seen, on="code", how="left", maintain_order="left").select(
        group=code.replace_strict(
            {name: relation.group for name, relation in relations_by_code.items()}, return_dtype=pl.String
        ),
        relation=code.replace_strict(
            {name: relation.label for name, relation in relations_by_code.items()}, return_dtype=pl.String
        ),
        marks=code.replace_strict(
            {name: relation.marks for name, relation in relations_by_code.items()}, return_dtype=pl.String
        ),
        tails_seen="tails_seen",
        **{column: pl.col(column) for column in table.columns if column != "code"},
    )


def drawn_by_relation(
    averages: Averages, setting: str, relations: Sequence[Relation], styles: Mapping[str, AgentStyle]
) -> Figure:
    """Draw a row per relation and a column per probe, with a point per agent (Table 2)."""
    codes = [relation.code for relation in relations]
    figure, axes = plt.subplots(1, len(COLUMNS), figsize=drawn_size(WIDTH, 1.2 + 0.2 * len(codes)), sharey=True)
    for axis, probe in zip(axes, COLUMNS, strict=True):
        rows = averages.filter(metric=f"{setting} {probe}")
        links = {
            relation.code: {agent: answers(agent, setting, probe, relation.label) for agent in styles}
            for relation in relations
        }
        _points(axis, rows, codes, styles, links)
        axis.set_title(probe)
    labels = [f"{relation.label} {relation.marks}".rstrip() for relation in relations]
    axes[0].set_yticks(range(len(codes)), labels, fontsize="small")
    axes[0].set_ylim(len(codes) - 0.5, -0.5)
    figure.supxlabel(f"accuracy, {setting} (dotted: chance; ∗ one/many-to-many, † bidirectional)")
    handles, agents = axes[0].get_legend_handles_labels()
    figure.legend(handles, agents, loc="outside upper center", ncols=6)
    return figure


def _points(
    axis: Axes,
    rows: pl.DataFrame,
    codes: Sequence[str],
    styles: Mapping[str, AgentStyle],
    links: Mapping[str, Mapping[str, str | None]],
) -> None:
    """Draw the points of all agents. `links`: relation -> agent -> the address that a click on the point leads to."""
    for agent, look in styles.items():
        value = dict(rows.filter(agent=agent).select("condition", "value").iter_rows())
        marks = [(value[code], row, links[code][agent]) for row, code in enumerate(codes) if code in value]
        if marks:
            x, y, urls = zip(*marks, strict=True)
            # One face colour per point: matplotlib gives points of a single colour one address.
            faces = ["white" if look.hollow else look.colour] * len(marks)
            style: dict[str, Any] = {
                "s": to_scale(4) ** 2,
                "marker": look.marker,
                "facecolors": faces,
                "edgecolors": look.colour,
                "linewidths": to_scale(0.9),
            }
            points = axis.scatter(x, y, alpha=0.8, label=agent, **style)
            points.set_urls(urls)
            mark(points, agent)
    axis.axvline(CHANCE, color="black", linewidth=to_scale(0.8), linestyle=":")
    axis.set_xlim(0, 1.02)


def _table(results: Results) -> pl.DataFrame:
    return by_relation(results.averages, results.tuples, results.queries)


def _figure(setting: str) -> Callable[[FigureFiles, Styles], Figure]:
    def draw(files: FigureFiles, styles: Styles) -> Figure:
        return drawn_by_relation(files.averages, setting, relations_of(files.tuples), styles.agents)

    return draw


TABLES = {"relations": _table}
FIGURES = {f"relations_{setting}": _figure(setting) for setting in SETTINGS}


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, from the table of all relations; "" for another figure."""
    if "relations" not in tables or not name.startswith("relations_"):
        return ""
    return probes_in_words(tables["relations"], name.removeprefix("relations_"), "relation")
