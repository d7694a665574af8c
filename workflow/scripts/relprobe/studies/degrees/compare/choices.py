"""How well the MaxDiff choices of a model that only chats agree with people's, and what the place of a pair earns."""

from collections.abc import Mapping

import polars as pl

from relprobe.studies.degrees.compare.analyses import by_agent
from relprobe.studies.degrees.compare.sensitivity import AgentTables, of_choices
from relprobe.studies.degrees.measure.metrics import of_answers
from relprobe.studies.degrees.schemas import METRICS, SENSITIVITY, TRAINING, Gold, Metrics, Questions, ReplyChoices
from relprobe.studies.unreadable import absence_of

RATER = "maxdiff"
"""What stands after the model in the name of such an agent, as a rater does."""


def choice_metrics(choices: ReplyChoices, gold: Gold, questions: Questions, *, model: str) -> AgentTables:
    """Compare the choices of a model with those of the majority of people, as the task scores its systems.

    The values are those that `evaluate` gives for the same answers. Several orders and samples of a question count alike. An
    agent of which too many answers cannot be read (`absence`) has none.
    """
    agent = f"{model} {RATER}"
    if absence(choices) is not None:
        return AgentTables(pl.DataFrame(schema=METRICS), pl.DataFrame(schema=SENSITIVITY))
    usual = _measured(choices, gold, questions, agent)
    without_ties = questions.filter((pl.col("least").list.len() == 1) & (pl.col("most").list.len() == 1))
    other = _measured(choices, gold, without_ties, agent)
    return AgentTables(usual, of_choices(by_agent([usual]), by_agent([other])))


def _measured(choices: ReplyChoices, gold: Gold, questions: Questions, agent: str) -> Metrics:
    exchanged = dict(
        gold.group_by("subcategory").agg(pl.col("pair").filter(pl.col("reverses").is_not_null())).iter_rows()
    )
    conditions = gold.unique("subcategory").select(
        unit="subcategory", condition=pl.when("training").then(pl.lit(TRAINING)).otherwise("relation_class")
    )
    values = of_answers(choices.select("subcategory", "pairs", "least", "most"), questions, exchanged)
    rows = values.join(conditions, on="unit", how="left", maintain_order="left").with_columns(agent=pl.lit(agent))
    return rows.select(list(METRICS))


def absence(choices: ReplyChoices) -> str | None:
    """Say why an agent has no value; None if it has some.

    >>> rows = pl.DataFrame({"least": ["a:b", ""], "most": ["c:d", ""]})
    >>> absence(rows)[:58]
    'no value, as 50 % of its answers do not name the two pairs'
    """
    what, remedy = "do not name the two pairs", "let it think (thoughts), or ask another model"
    return absence_of(_unreadable(choices), what, remedy)


def _unreadable(choices: pl.DataFrame) -> float:
    return choices.select(((pl.col("least") == "") | (pl.col("most") == "")).mean()).item() or 0.0


def of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read: agent, questions, answers, unreadable, note."""
    rows = [
        {
            "agent": f"{model} {RATER}",
            "questions": table.select(pl.struct("subcategory", "pairs").n_unique()).item(),
            "answers": table.height,
            "unreadable": _unreadable(table),
            "note": absence(table),
        }
        for model, table in choices.items()
    ]
    return pl.DataFrame(rows, schema_overrides={"note": pl.String()})


def places(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often an agent chooses the pair at each place, from 1: agent, place, orders, answers, least, most.

    Without a preference for a place, each share is near 0.25, and nearer the more orders there are.
    """
    parts = []
    for model, table in choices.items():
        for place in range(4):
            at = pl.col("shown").list.get(place)
            parts.append(
                table.select(
                    agent=pl.lit(f"{model} {RATER}"),
                    place=pl.lit(place + 1),
                    orders=pl.col("order").n_unique(),
                    answers=pl.len(),
                    least=(pl.col("least") == at).mean(),
                    most=(pl.col("most") == at).mean(),
                )
            )
    return pl.concat(parts)
