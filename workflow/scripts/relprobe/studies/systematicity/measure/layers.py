"""The accuracy of the probing classifier on the states after each layer of a model."""

import logging

import polars as pl

from relprobe.lm.score_files.reader import ScoreFile
from relprobe.stats.schemas import RAW
from relprobe.studies.systematicity.measure.classifier import detections
from relprobe.studies.systematicity.measure.metrics import detection
from relprobe.studies.systematicity.measure.networks import Training
from relprobe.studies.systematicity.schemas import EMBEDDINGS, LAYER_METRICS, LayerMetrics, Pairs

logger = logging.getLogger("relprobe")


def layer_metrics(pairs: Pairs, embeddings: ScoreFile, training: Training, threads: int = 1) -> LayerMetrics:
    """Train the classifiers anew on the states after each layer, and measure them as those of an agent's one layer.

    `embeddings`: the states after each layer; one layer is read at a time. DataError: see `classifier.detections`.
    """
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in embeddings.layers():
        states = embeddings.where(list(EMBEDDINGS), layer=layer)
        values = detection(detections(pairs, states, training, threads))
        place = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(values.with_columns(**place).select(list(LAYER_METRICS)))
        logger.info("layer %d: done", layer)
    return pl.concat(parts)
