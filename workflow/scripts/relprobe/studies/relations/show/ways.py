"""The table of ways of asking: what each can and cannot show of a model."""

from collections.abc import Mapping
from typing import Any

import polars as pl

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


def ways_table(ways: Mapping[str, Mapping[str, Mapping[str, Any]]], averages: pl.DataFrame) -> pl.DataFrame:
    """Return a row per agent of a model that is asked in several ways: model, agent, way, shows, cannot_show and lacks.

    `ways`: see `core.ways.asked_in_several_ways`; `averages`: of all agents. lacks: the metrics that another agent of the
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
        every = set().union(*(metrics.get(agent, set()) for agent in agents))
        for agent, about in agents.items():
            shows, cannot = READS[about["answer"]]
            lacks = ", ".join(sorted(every - metrics.get(agent, set())))
            rows.append((model, agent, about["way"], shows, cannot, lacks))
    return pl.DataFrame(rows, schema=["model", "agent", "way", "shows", "cannot_show", "lacks"], orient="row")
