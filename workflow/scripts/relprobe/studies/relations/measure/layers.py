"""The metrics of an agent after each layer."""

from typing import Literal

import polars as pl

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import all_metrics, answers
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.responses.answer_space import spaces_of
from relprobe.studies.relations.schemas import LAYER_METRICS, LayerMetrics

MEASURED = ("soundness", "completeness", DISTINGUISHABILITY.name)
"""The metrics of one main probe at a time. The others need trick probes, or people's answers."""


def layer_metrics(
    scores: ScoreFile,
    lexicon: Lexicon,
    gold: GoldStandard,
    choices: Choices,
    *,
    answer_space: Literal["tokens", "lexicon"] = "tokens",
) -> LayerMetrics:
    """Compute the metrics of one agent after each layer, as those of its last layer are computed (section 5).

    `scores`: its answers after each layer. The metrics look at as many answers as were stored: relata that come later count
    as not answered. The last layer has no map of its own: its mapped values are the raw ones. DataError: there are no
    answers.
    """
    table = scores.columns("probe_id", "variant", "layer", "token_ids", "logprobs")
    if not table.num_rows:
        raise DataError(f"{scores.path} holds no answers: the model could answer no probe.")
    measures = [one for one in (*MEASURES, DISTINGUISHABILITY) if one.name in MEASURED]
    views = pl.DataFrame(pl.from_arrow(table.select(["variant", "layer"])))
    parts = []
    for variant, layer in views.unique(maintain_order=True).rows():
        of_view = views.select((pl.col("variant") == variant) & (pl.col("layer") == layer)).to_series().to_arrow()
        own = spaces_of(table.filter(of_view).combine_chunks(), lexicon, gold.shared_lexicon)[answer_space]
        values = all_metrics(answers(own.responses, gold), choices, measures).filter(pl.col("metric").is_in(MEASURED))
        parts.append(values.with_columns(variant=pl.lit(variant), layer=pl.lit(layer)))
    every = pl.concat(parts).with_columns(pl.col("layer").cast(pl.UInt16))
    if "mapped" in every["variant"]:
        of_last = every.filter(pl.col("layer") == pl.col("layer").max(), variant="raw")
        every = pl.concat([every, of_last.with_columns(variant=pl.lit("mapped"))])
    return every.select(list(LAYER_METRICS)).sort(LAYER_METRICS.names())
