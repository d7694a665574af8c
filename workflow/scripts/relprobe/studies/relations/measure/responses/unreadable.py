"""Lists that models have written and that cannot be read: such an agent has no value, and a sentence says why."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.relation import Relations
from relprobe.studies.relations.schemas import AVERAGES
from relprobe.studies.unreadable import absence_of


def absence(answers: pl.DataFrame) -> str | None:
    """Say why the agent that has written these answers (WRITING) has no value; None if it has some.

    >>> absence(pl.DataFrame({"words": [["bird"], [], ["wing"], []]}, schema={"words": pl.List(pl.String)}))[:60]
    'no value, as 50 % of its answers hold no word that could be '
    """
    share = (answers["words"].list.len() == 0).mean()
    what = "hold no word that could be read"
    remedy = "let a model that runs here answer in its chat template (chat: true), or ask another model"
    return absence_of(share, what, remedy) if isinstance(share, float) else None


def with_absences(
    averages: pl.DataFrame, reasons: Mapping[str, str], agents: Sequence[str], relations: Relations
) -> pl.DataFrame:
    """Add rows without a value to AVERAGES, which say why an agent has none: agent -> `absence`.

    They are those of soundness, and of all metrics, relations and k that another agent has. `agents`: all in their order.
    """
    if not reasons:
        return averages
    key = ["metric", "relation", "k"]
    sound = pl.DataFrame({"relation": relations.codes}).with_columns(
        metric=pl.lit("soundness"), k=pl.lit(None, pl.UInt16)
    )
    keys = pl.concat([averages.filter(pl.col("versus").is_null()).select(key), sound.select(key)]).unique()
    empty = [keys.with_columns(agent=pl.lit(agent), note=pl.lit(reason)) for agent, reason in reasons.items()]
    rows = pl.concat([averages, *empty], how="diagonal").select(list(AVERAGES)).cast(AVERAGES)
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    return rows.sort("metric", "k", *order, pl.col("agent").cast(pl.Enum(agents)))
