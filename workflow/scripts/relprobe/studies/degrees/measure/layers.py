"""The agreement of the rater `hidden` with people after each layer of a model."""

import polars as pl

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.stats.schemas import RAW
from relprobe.studies.degrees.ask.requests import Probes
from relprobe.studies.degrees.measure.metrics import HEADLINES, WITHOUT, units
from relprobe.studies.degrees.measure.raters import hidden_similarity
from relprobe.studies.degrees.schemas import LAYER_METRICS, RATINGS, Gold, LayerMetrics, Questions

MEASURED = [name + pairs for name in HEADLINES for pairs in ("", WITHOUT)]


def layer_metrics(scores: ScoreFile, probes: Probes, gold: Gold, questions: Questions) -> LayerMetrics:
    """Measure the ratings of the rater `hidden` after each layer against people's, as those of its one layer are measured.

    `scores`: the states after each layer; one layer is read at a time. DataError: there
    are no scores.
    """
    layers = scores.layers()
    if not layers:
        raise DataError(f"{scores.path} holds no states: the study has no pair to rate.")
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in layers:
        of_layer = scores.where(["probe_id", "values"], layer=layer)
        rows = [("", *key, rating) for key, rating in hidden_similarity(probes, of_layer).items()]
        values = units(pl.DataFrame(rows, schema=RATINGS, orient="row"), gold, questions)
        place = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(values.filter(pl.col("metric").is_in(MEASURED)).with_columns(**place).select(list(LAYER_METRICS)))
    return pl.concat(parts)
