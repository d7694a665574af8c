"""What depends on which examples were drawn: the averages of an agent under each draw, on the sample of probes."""

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import all_metrics, answers
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.responses.ranked_lists import of_model

SHOTS_DRAWS = pl.Schema(
    {
        "agent": pl.String(),
        "relation": pl.String(),
        "draw": pl.UInt8(),  # 1 is that of the other tables
        "targets": pl.UInt32(),
        "soundness": pl.Float64(),
        "completeness": pl.Float64(),
    }
)
COMPARED = ("soundness", "completeness")
"""The metrics of one probe at a time; the others need the probes that the sample lacks."""


def shots(
    scores: list[ScoreFile],
    draws: list[ScoreFile],
    lexicons: list[Lexicon],
    gold: GoldStandard,
    choices: Choices,
    *,
    spoken: list[str] | None = None,
) -> ShownTable:
    """Compare the draws of examples of every agent that has some, on a sample of the probes.

    `scores`, `draws` and `lexicons`: a file of each such agent. `spoken`: those that were asked in words.
    """
    rows = [
        draws_of(own, others, lexicon, gold, choices, spoken=own.agent in (spoken or []))
        for own, others, lexicon in zip(scores, draws, lexicons, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=SHOTS_DRAWS), *rows])


def draws_of(
    scores: ScoreFile,
    draws: ScoreFile,
    lexicon: Lexicon,
    gold: GoldStandard,
    choices: Choices,
    *,
    spoken: bool,
) -> pl.DataFrame:
    """Return the averages of an agent under each draw of examples (SHOTS_DRAWS), on the probes of the sample.

    `scores` and `draws`: its score files. `lexicon`: that of its model. `spoken`: it answers in words.
    """
    others = of_model(draws, lexicon, spoken=spoken).with_columns(
        draw=pl.col("probe_id").str.extract(r"^(\d+) ").cast(pl.UInt8),
        probe_id=pl.col("probe_id").str.replace(r"^\d+ ", ""),
    )
    first = of_model(scores, lexicon, spoken=spoken).join(others, on="probe_id", how="semi")
    parts = [(1, first), *((int(draw), rows.drop("draw")) for (draw,), rows in others.group_by("draw"))]
    tables = [_averages(responses, gold, choices).with_columns(draw=pl.lit(draw)) for draw, responses in parts]
    table = pl.concat(tables).with_columns(agent=pl.lit(scores.agent))
    return table.select(list(SHOTS_DRAWS)).cast(SHOTS_DRAWS).sort("relation", "draw")


def _averages(responses: pl.DataFrame, gold: GoldStandard, choices: Choices) -> pl.DataFrame:
    wanted = [measure for measure in MEASURES if measure.name in COMPARED]
    values = all_metrics(answers(responses, gold), choices, wanted).filter(pl.col("metric").is_in(COMPARED))
    targets = values.group_by("metric", "relation", "target", maintain_order=True).agg(pl.col("value").mean())
    sizes = targets.group_by("relation").agg(targets=pl.col("target").n_unique())
    wide = targets.group_by("relation", "metric").agg(pl.col("value").mean()).pivot("metric", index="relation")
    missing = [pl.lit(None, pl.Float64).alias(name) for name in COMPARED if name not in wide.columns]
    return wide.with_columns(missing).select("relation", *COMPARED).join(sizes, on="relation")
