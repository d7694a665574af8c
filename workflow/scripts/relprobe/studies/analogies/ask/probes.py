"""The probes of the study: the sentences that models are asked about, each of them once."""

import logging

import polars as pl

from relprobe.studies.analogies.ask.prompts import ANALOGY, NEGATIVE, POSITIVE, Template
from relprobe.studies.analogies.ask.requests import PROBES, Probes
from relprobe.studies.analogies.schemas import Instances

logger = logging.getLogger("relprobe")


def probes(instances: Instances, *, template: str) -> Probes:
    """Put both tuples of all instances into the sentence of the study, and log the share that is scored only once."""
    sentence = Template.of(template)
    both = [
        instances.select(
            "relation",
            "partition",
            text=sentence.expression(columns),
            **{place: pl.col(column) for place, column in columns.items()},
        )
        for columns in (POSITIVE, NEGATIVE)
    ]
    sentences = pl.concat(both)
    different = sentences.unique(["relation", "partition", "text"]).sort("relation", "partition", *ANALOGY)
    saved = 1 - different.height / max(sentences.height, 1)
    logger.info(
        "%s instances ask for %s sentences, of which %s are different: %.0f %% need not be scored again",
        *(f"{count:,}" for count in (instances.height, sentences.height, different.height)),
        100 * saved,
    )
    return different.select(list(PROBES))
