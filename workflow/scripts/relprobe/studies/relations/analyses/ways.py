"""What one model gets right with the bare probe, with examples, in a chat and in lists.

```yaml
may_lack:
  ways: a model that is asked in several ways
```

## $title by the way of asking

```yaml
figure: ways_$metric
each: [{metric: soundness, title: Soundness}, {metric: completeness, title: Completeness}]
needs: [ways]
part: Ways of asking
```

One model, asked in several ways: a row per way. The black line is people, with their interval as a band, and the grey
dashed line is the best control.

With the bare probe, with examples and in a chat, its log-probabilities rank the words; as people's task, it writes
lists that are read as people's are. All are averaged over the same targets (n); the table of metrics names
agents that lack some. A difference between two rows is one between ways of asking, and not between models.

## What each way of asking can show

```yaml
table: ways
needs: [ways]
part: Ways of asking
columns:
  model: the model behind the agents
  way: how it is asked
  shows: what the answers can show
  cannot_show: what they cannot show
  lacks: the metrics that other ways of asking the model have values of, and this one has not
```

The models that are asked in several ways. lacks: the metrics that another agent of the model has a value of, and this
one has not.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.study import Config, Roles
from relprobe.report.agent_styles import CONTROL, PEOPLE
from relprobe.report.figures import (
    dots,
    label_rows,
    nothing_to_draw,
    panels,
    to_scale,
)
from relprobe.stats.series import references
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.figures import FigureData, panel_title
from relprobe.studies.relations.results import Results

PLACE = 12
Ways = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Model -> agent -> its way (`core.prompting.prompting_by_model`)."""


READS = {
    "log-probabilities": (
        "the rank of every word of the answer space",
        "what the model would write itself: other words are left out",
    ),
    "one word": (
        "the rank of every word of the answer space as the first word of a reply",
        "what the model would write later in its reply",
    ),
    "list": (
        "the words that the model writes, read as people's lists are",
        "ranks of words that it does not write, which count as not known",
    ),
}
"""What an agent gives -> what it shows, and what it cannot show."""


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether a model is asked in several ways."""
    from relprobe.studies.relations.run import Agents

    return {"ways": bool(Agents(config, roles).ways)}


def ways_table(ways: Mapping[str, Mapping[str, Mapping[str, Any]]], averages: pl.DataFrame) -> pl.DataFrame:
    """Return a row per agent of a model that is asked in several ways: model, agent, way, shows, cannot_show and lacks.

    `ways`: see `core.prompting.prompting_by_model`; `averages`: of all agents. lacks: the metrics that another agent of the
    model has a value of, and this one has not, with commas between them.

    >>> agents = (("bare", "log-probabilities"), ("l", "list"))
    >>> ways = {"gpt": {name: {"way": name, "answer": answer} for name, answer in agents}}
    >>> rows = [("bare", "soundness", 0.5), ("bare", "symmetry", 0.2), ("l", "soundness", 0.1), ("l", "symmetry", None)]
    >>> averages = pl.DataFrame(rows, schema=["agent", "metric", "value"], orient="row")
    >>> ways_table(ways, averages).select("agent", "way", "lacks").rows()
    [('bare', 'bare', ''), ('l', 'l', 'symmetry')]
    """
    values = averages.drop_nulls("value").group_by("agent").agg(pl.col("metric").unique())
    metrics = {agent: set(names) for agent, names in values.iter_rows()}
    rows = []
    for model, agents in ways.items():
        model_metrics = set().union(*(metrics.get(agent, set()) for agent in agents))
        for agent, entry in agents.items():
            shows, cannot = READS[entry["answer"]]
            lacks = ", ".join(sorted(model_metrics - metrics.get(agent, set())))
            rows.append((model, agent, entry["way"], shows, cannot, lacks))
    return pl.DataFrame(rows, schema=["model", "agent", "way", "shows", "cannot_show", "lacks"], orient="row")


def by_way(metric: str, results: FigureData) -> Figure:
    """Draw a panel per relation, in it a block per model and in this a row per way of asking it.

    The black line is people with their 95 % interval as a band, and the grey dashed line is the best control that knows no
    relation. A control of one model alone (without-target) is not drawn. An agent without a value is missing in its row.
    """
    relations = results.relations
    rows = results.averages.filter(metric=metric)
    present = set(rows["agent"])
    drawn = {model: ways_of_model for model, ways_of_model in results.ways.items() if present & set(ways_of_model)}
    agents = [agent for ways_of_model in drawn.values() for agent in ways_of_model]
    codes = [code for code in relations.codes if code in set(rows.filter(pl.col("agent").is_in(agents))["relation"])]
    if not codes:
        return nothing_to_draw(f"No model that is asked in several ways has values of {metric}.")
    titles = [panel_title(relations.names[code], rows.filter(relation=code)) for code in codes]
    figure, axes = panels(titles, len(agents) + 1, same_rows=True)
    for axis, code in zip(axes, codes, strict=True):
        relation_rows = rows.filter(relation=code)
        _draw_references(axis, relation_rows, results)
        _way_rows(axis, relation_rows, agents, results, code)
    label_rows(axes[0], agents, labels(drawn))
    shown = rows.filter(pl.col("relation").is_in(codes))
    axes[0].set_xlim(0, 1.05 * float(shown.select(pl.max_horizontal("value", "high").max()).item() or 0.1))
    people = "; black: people" if "humans" in results.kinds.values() else ""
    figure.supxlabel(f"{metric}{people}; dashed: the best control")
    return figure


def labels(ways: Ways) -> list[str]:
    """Return the labels of the rows: the ways, with the name of the model where there are several models.

    >>> gpt, opt = {"gpt": {"way": "bare"}, "gpt-chat": {"way": "chat"}}, {"opt": {"way": "bare"}}
    >>> labels({"gpt": gpt})
    ['bare', 'chat']
    >>> labels({"gpt": gpt, "opt": opt})
    ['gpt: bare', 'gpt: chat', 'opt: bare']
    """
    rows = [(model, str(entry["way"])) for model, agents in ways.items() for entry in agents.values()]
    return [f"{model}: {way}" if len(ways) > 1 else way for model, way in rows]


def _way_rows(axis: Axes, rows: pl.DataFrame, agents: Sequence[str], results: FigureData, code: str) -> None:
    """Draw the agents that have a value in their rows; the row of another one says that it is missing."""
    rows_by_agent = {row["agent"]: row for row in rows.iter_rows(named=True)}
    values = [rows_by_agent.get(agent, {}) for agent in agents]
    dots(
        axis,
        agents,
        [row.get("value") for row in values],
        [results.agent_styles[agent] for agent in agents],
        [(row.get("low"), row.get("high")) for row in values],
        links=[answers(agent, code, k=1) for agent in agents],
    )


def _draw_references(axis: Axes, rows: pl.DataFrame, results: FigureData) -> None:
    """Draw people's value with its interval, and the best control."""
    people = [agent for agent, kind in results.kinds.items() if kind == "humans"]
    controls = [agent for agent, kind in results.kinds.items() if kind == "control"]
    for row in references.people_values(rows, people).iter_rows(named=True):
        axis.axvline(row["value"], color=PEOPLE, linewidth=to_scale(0.8))
        if row["low"] is not None:
            axis.axvspan(row["low"], row["high"], color=PEOPLE, alpha=0.1, linewidth=0)
    for row in references.best_control_values(rows, controls, "", ("relation",)).iter_rows(named=True):
        axis.axvline(row["value"], color=CONTROL, linestyle="--", linewidth=to_scale(1.0))


def _table(results: Results) -> pl.DataFrame:
    return ways_table(results.settings.ways or {}, results.averages)


TABLES = {"ways": _table}
FIGURES = {f"ways_{metric}": partial(by_way, metric) for metric in ("soundness", "completeness")}
