"""The figures of what agents answer: the relations of their first related words, and how alike people's answers are."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.report.figures import PALETTE, WIDTH, part_colours, parts
from relprobe.studies.relations.show.addresses import answers


def entropy_boxes(values: pl.DataFrame, *, relations: Relations) -> Figure:
    """Draw the distribution of the human response entropies above 0 per relation, its mean in orange (Figure 2)."""
    figure, axis = plt.subplots(figsize=(6.4, 3.2))
    above = values.filter(pl.col("entropy") > 0)
    groups = [above.filter(relation=code)["entropy"] for code in relations.codes]
    axis.boxplot(
        [group.to_numpy() for group in groups],
        tick_labels=[
            f"{relations.names[r]}\nn = {len(group)}" for r, group in zip(relations.codes, groups, strict=True)
        ],
        showmeans=True,
        meanline=True,
        meanprops={"color": PALETTE[4], "linestyle": "-"},
        medianprops={"color": PALETTE[0]},
        flierprops={"markersize": 2},
    )
    axis.set(ylabel="response entropy", ylim=(None, 1.02))
    return figure


def first_related_bars(shares: pl.DataFrame, *, relations: Relations, agents: Sequence[str] | None = None) -> Figure:
    """Draw, per agent, the relations that the first related words stand in, beside the prompted ones (Figure 3).

    `agents`: their order; without it, that of the table, whose rows are no single agents then.
    """
    present = shares["agent"].unique(maintain_order=True).to_list()
    names = present if agents is None else [agent for agent in agents if agent in present]
    figure, axis = plt.subplots(figsize=(WIDTH, 0.9 + 0.27 * len(names)))
    share = {(agent, relation): part for relation, part, agent in shares.select("relation", "share", "agent").rows()}
    widths = {relation: [share.get((agent, relation), 0.0) for agent in names] for relation in relations.codes}
    links = {(a, r): answers(a, other=r) for a in names if a != "gold" for r in relations.codes}
    parts(axis, names, widths, part_colours(len(relations.codes)), None if agents is None else links)
    axis.set(xlim=(0, 1), xlabel="share of the first related words")
    figure.legend(
        labels=[f"{name} ({code})" for code, name in relations.names.items()],
        loc="outside upper center",
        ncols=3,
        frameon=False,
        fontsize=8,
    )
    return figure
