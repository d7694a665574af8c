"""The averages of agents after each of their layers."""

import polars as pl

from relprobe.core.files import Csv
from relprobe.core.relation import Relations
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.measure.distances import gaps
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY
from relprobe.studies.relations.schemas import LayerMetrics

LAYERS = pl.Schema(
    {
        "agent": pl.String(),
        "layer": pl.UInt16(),
        "variant": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "versus": pl.String(),  # distances between relations alone
        "targets": pl.UInt32(),
        "value": pl.Float64(),
    }
)


def layers(metrics: dict[str, LayerMetrics], relations: RelationsFile) -> Csv:
    """Average the metrics of each agent after each layer over prompts, and then over targets; distances likewise."""
    parts = [averages(table, relations).with_columns(agent=pl.lit(agent)) for agent, table in metrics.items()]
    return pl.concat([pl.DataFrame(schema=LAYERS), *(part.select(list(LAYERS)) for part in parts)])


def averages(metrics: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the averages of one agent (LAYERS without `agent`), in the order of the study's relations."""
    view = ["variant", "layer"]
    alone = metrics.filter(pl.col("metric") != DISTINGUISHABILITY.name)
    apart = gaps(metrics, view).with_columns(metric=pl.lit(DISTINGUISHABILITY.name))
    key = [*view, "metric", "relation", "versus"]
    rows = pl.concat([table.select(*key, "target", "prompt_id", "value") for table in (alone, apart)])
    targets = rows.group_by(*key, "target", maintain_order=True).agg(pl.col("value").mean())
    table = targets.group_by(key, maintain_order=True).agg(
        targets=pl.len().cast(pl.UInt32), value=pl.col("value").mean()
    )
    order = pl.Enum(relations.codes)
    return table.sort("metric", pl.col("relation").cast(order), "versus", "variant", "layer")
