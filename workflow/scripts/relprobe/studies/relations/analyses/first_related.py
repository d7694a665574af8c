"""The first words of responses that are related to the target in any way (section 8.5, Figure 3).

```yaml
may_lack:
  families: a family with two models (family)
```

## First related words

```yaml
figure: first_related
values: first_related
```

The first answer that is in any relatum set of the target: with its relation to the target *(Figure 3 of the
paper)*. The top bar is what was prompted for *(a long antonymy part is the antonymy bias of section 8.5 of
the paper)*.

## First related words, by family

```yaml
figure: first_related_families
values: first_related
needs: [families]
part: Which relations are confused
```

The same, averaged over the models of a family *(as in Figure 3 of the paper)*. An agent without a family has a
bar of its own.

## First related words

```yaml
table: first_related
on_page: false
```

The shares of the relations of the first related words, per agent and prompted relation.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_sum
from relprobe.report.figures import (
    WIDTH,
    drawn_size,
    nothing_to_draw,
    part_colours,
    parts,
)
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.counts import OR
from relprobe.studies.relations.figures import FigureData
from relprobe.studies.relations.results import Models

PLACE = 2


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether two models are of one family."""
    entries = (config["models"][name] for name in (*roles.models, *roles.task_agents))
    families = [entry["family"] for entry in entries if "family" in entry]
    return {"families": len(set(families)) < len(families)}


def distribution(values: Mapping[str, pl.DataFrame], *, relations: Relations) -> pl.DataFrame:
    """Return Figure 3: agent, relation and share of the first related words that stand in it to the target.

    The agent "gold" has the prompted relations of the same probes as the agent with the most first related words.
    """
    if not values:
        return pl.DataFrame(schema={"relation": pl.String, "share": pl.Float64, "agent": pl.String})
    firsts = {agent: table.filter(metric="first_related") for agent, table in values.items()}
    widest = max(firsts.values(), key=lambda table: table.height)
    parts = [_shares(agent, table, "versus") for agent, table in firsts.items()]
    shares = pl.concat([_shares("gold", widest, "relation"), *parts])
    return shares.sort(pl.col("agent").cast(pl.Enum(["gold", *values])), pl.col("relation").cast(relations.order))


def by_family(shares: pl.DataFrame, models: Models) -> pl.DataFrame:
    """Average the shares (`distribution`) of the models of each family (Figure 3), in the order of their first models.

    A model without a family, and an agent that is no model, stands for itself.
    """
    families = {agent: entry.get("family", agent) for agent, entry in models.items()}
    named = shares.with_columns(agent=pl.col("agent").replace(families), member="agent")
    members = named.group_by("agent").agg(members=pl.col("member").n_unique())
    sums = named.group_by("agent", "relation", maintain_order=True).agg(ordered_sum("share"))
    means = sums.join(members, on="agent", maintain_order="left")
    return means.select("relation", share=pl.col("share") / pl.col("members"), agent="agent")


def _shares(agent: str, firsts: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the shares of the relations in a column. Of words that tie, each is as likely the first one (OR)."""
    named = firsts.select(relation=pl.col(column).str.split(OR))
    parts = named.with_columns(share=1 / (pl.col("relation").list.len() * named.height)).explode("relation")
    return parts.group_by("relation").agg(ordered_sum("share"), agent=pl.lit(agent))


def first_related_bars(shares: pl.DataFrame, *, relations: Relations, agents: Sequence[str] | None = None) -> Figure:
    """Draw, per agent, the relations that the first related words stand in, beside the prompted ones (Figure 3).

    `agents`: their order; without it, that of the table, whose rows are no single agents then.
    """
    present = shares["agent"].unique(maintain_order=True).to_list()
    names = present if agents is None else [agent for agent in agents if agent in present]
    figure, axis = plt.subplots(figsize=drawn_size(WIDTH, 0.9 + 0.27 * len(names)))
    share = {(agent, relation): part for relation, part, agent in shares.select("relation", "share", "agent").rows()}
    widths = {relation: [share.get((agent, relation), 0.0) for agent in names] for relation in relations.codes}
    links = {(a, r): answers(a, other=r) for a in names if a != "gold" for r in relations.codes}
    parts(axis, names, widths, part_colours(len(relations.codes)), None if agents is None else links)
    axis.set(xlim=(0, 1), xlabel="share of the first related words")
    figure.legend(
        labels=[f"{name} ({code})" for code, name in relations.names.items()],
        loc="outside upper center",
        ncols=3,
    )
    return figure


def draw(shown: FigureData, *, families: bool = False) -> Figure:
    """Draw the shares of the relations for each agent, or for each family of models; a sentence where there are none."""
    if shown.averages.filter(metric="first_related").is_empty():
        return nothing_to_draw("No agent has values of first_related on the tuples of this study.")
    shares = shown.values["first_related"]
    if families:
        return first_related_bars(by_family(shares, shown.models), relations=shown.relations)
    return first_related_bars(shares, relations=shown.relations, agents=["gold", *shown.agent_styles])


TABLES = {"first_related": lambda results: distribution(results.metrics or {}, relations=results.gold.relations)}
FIGURES = {"first_related": draw, "first_related_families": partial(draw, families=True)}
