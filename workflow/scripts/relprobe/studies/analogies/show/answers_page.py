"""What the answers page of the analogies study shows: the choices of every agent between two pairs of words."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, publish
from relprobe.studies.analogies.data.relations import relation_names
from relprobe.studies.analogies.schemas import Decisions, Instances, Tuples

TITLE = "Answers: analogies"
LEAD = (
    "What every agent has chosen in the unsupervised setting: which of two pairs of words is related as the pair of the "
    "query is? The first column has the pair that the agent chose, the second one the other. The right pair is bold and on "
    "green. Where an agent has no choice, or has chosen each pair as often as the other, both pairs count one half."
)
LABELS = Labels(
    "Probe", "Relation", "Pair", weight="", gold="right_for", first="accuracy", others=False, prompt_texts=False
)
CHOICE = ["relation", "probe", "query", "tuple"]


def answers(
    decisions: dict[str, Decisions],
    instances: Instances,
    tuples: Tuples,
    template: Path,
    out: Path,
    *,
    notice: str = "",
    models: list[str] | None = None,
) -> None:
    """Write the page of all agents' choices in the unsupervised setting.

    `template`: the file of the page's form. `notice`: what the page says first. `models`: the agents that are models.
    """
    # An agent whose answers cannot be read has no decisions.
    whole = max(decisions.values(), key=lambda table: table.height)
    shown = choices(instances, whole, relation_names(tuples))
    agents = [agent(name, table, shown) for name, table in decisions.items()]
    data = probes(shown), gold(shown)
    publish(TITLE, LEAD, *data, agents, template, out, LABELS, notice, models or ())


def choices(instances: Instances, decisions: Decisions, names: Mapping[str, str]) -> pl.DataFrame:
    """Return the choices that `decisions` are about, each once: probe_id, the columns CHOICE, draw, other, number and name.

    `decisions`: those of any agent in the unsupervised setting; `names`: relation -> its name.
    `other`: the pair that is wrong; `number`: the place among the instances of a draw that differ in `other` alone.
    """
    rows = in_words(instances.filter(pl.col("instead_of").is_null()))
    rows = rows.join(decisions, on=[*CHOICE, "draw"], how="semi").pipe(with_number)
    once = rows.unique([*CHOICE, "other"], keep="first", maintain_order=True).with_row_index("probe_id")
    name = pl.col("relation").replace(names)
    return once.select(pl.col("probe_id").cast(pl.String), *CHOICE, "draw", "other", "number", name=name)


def in_words(instances: pl.DataFrame) -> pl.DataFrame:
    """Return INSTANCES with their pairs as texts: query, tuple, and other, which is the pair that is wrong."""
    pairs = {
        "query": ("query_head", "query_tail"),
        "tuple": ("head", "tail"),
        "other": ("negative_head", "negative_tail"),
    }
    return instances.with_columns(pl.format("{} : {}", *columns).alias(name) for name, columns in pairs.items())


def with_number(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with `number`: the place of each among those of its draw that differ in the wrong pair alone."""
    return rows.with_columns(number=pl.int_range(pl.len()).over(*CHOICE, "draw"))


def probes(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the probes of the page (PROBES of report.answers) from `choices`."""
    group = pl.col("probe").str.replace_all("_", " ")
    return choices.select(
        "probe_id",
        group=group,
        prompt_id=pl.format("{} ({})", "name", group),
        target="tuple",
        text=pl.format("{} :: {} or {}?", "query", "tuple", "other"),
        zipf=pl.lit(None),
    ).cast(PROBES)


def gold(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the right pairs (GOLD of report.answers)."""
    group = pl.col("probe").str.replace_all("_", " ")
    rows = choices.select(target="tuple", group=group, word="tuple", source=pl.lit("the data"))
    return rows.unique(maintain_order=True).cast(GOLD)


def agent(name: str, decisions: Decisions, choices: pl.DataFrame) -> Agent:
    """Return an agent's choices. `decisions`: those of the unsupervised setting; a missing value is no answer.

    >>> decision = {"relation": "E01", "probe": "reverse", "draw": 1, "query": "rome : italy", "tuple": "oslo : norway"}
    >>> choice = {**decision, "probe_id": "0", "other": "norway : oslo", "number": 0}
    >>> decision |= {"value": 0.0, "instead_of": None}
    >>> agent("m", pl.DataFrame([decision]), pl.DataFrame([choice])).answers.select("rank", "word").rows()
    [(1, 'norway : oslo'), (2, 'oslo : norway')]
    """
    own = decisions.filter(pl.col("instead_of").is_null())
    rows = choices.join(with_number(own), on=[*CHOICE, "draw", "number"], maintain_order="left").drop_nulls("value")
    right = pl.col("value") >= 0.5
    first = pl.when(right).then("tuple").otherwise("other")
    second = pl.when(right).then("other").otherwise("tuple")
    weight = pl.when(value=0.5).then(0.5)
    both = [
        rows.select("probe_id", rank=pl.lit(rank), word=word, weight=weight) for rank, word in ((1, first), (2, second))
    ]
    return Agent(name, pl.concat(both).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS))
