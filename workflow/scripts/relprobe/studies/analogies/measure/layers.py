"""The accuracy of the supervised classifiers on the vectors after each layer of a model."""

import logging

import polars as pl
import torch

from relprobe.lm.score_files.reader import ScoreFile
from relprobe.stats.schemas import RAW
from relprobe.studies.analogies.ask.prompts import Template
from relprobe.studies.analogies.measure.classifier import Settings
from relprobe.studies.analogies.measure.features import features_in
from relprobe.studies.analogies.measure.metrics import COLUMNS, metrics
from relprobe.studies.analogies.measure.supervised import decisions
from relprobe.studies.analogies.schemas import LAYER_METRICS, Instances, LayerMetrics, Tuples

logger = logging.getLogger("relprobe")
SUPERVISED = "supervised "
"""What the names of the metrics of classifiers begin with; the probe follows."""


def layer_metrics(
    vectors: ScoreFile, instances: Instances, tuples: Tuples, settings: Settings, *, template: str, threads: int = 1
) -> LayerMetrics:
    """Train the classifiers anew on the vectors after each layer, and measure them as those of an agent's one layer.

    `vectors`: those of the words in the sentences of `template`, after each layer; one relation of one layer is read at a
    time. A metric has the name of its probe: random, reverse or type.
    """
    torch.set_num_threads(threads)
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in vectors.layers():
        judged = decisions(features_in(vectors, Template.of(template), layer), instances, settings)
        values = of_classifiers(metrics(judged, tuples))
        place = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(values.with_columns(**place).select(list(LAYER_METRICS)))
        logger.info("layer %d: done", layer)
    return pl.concat(parts)


def of_classifiers(values: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the classifiers' metrics, named by their probes alone.

    >>> names = ["supervised random", "unsupervised random", "supervised random_head"]
    >>> of_classifiers(pl.DataFrame({"metric": names}))["metric"].to_list()
    ['random']
    """
    of_probes = values.filter(pl.col("metric").is_in([SUPERVISED + probe for probe in COLUMNS]))
    return of_probes.with_columns(pl.col("metric").str.strip_prefix(SUPERVISED))
