"""The probes of the study: the sentences that models are asked about, each of them once."""

import logging

import polars as pl

from relprobe.studies.analogies.ask.template import ANALOGY, Template

logger = logging.getLogger("relprobe")

PROBES = pl.Schema(
    {
        "relation": pl.String(),
        "partition": pl.String(),
        "text": pl.String(),
        **{place: pl.String() for place in ANALOGY},  # the words
    }
)
"""The different sentences of the study: a row per relation, partition and text."""

POSITIVE = {"h1": "query_head", "t1": "query_tail", "h2": "head", "t2": "tail"}
NEGATIVE = {**POSITIVE, "h2": "negative_head", "t2": "negative_tail"}
"""Place in the template -> column of INSTANCES that holds its word, for the positive and for the negative tuple."""


def probes(instances: pl.DataFrame, template: Template) -> pl.DataFrame:
    """Return the different sentences of both tuples of all INSTANCES (PROBES); log the share that is scored only once."""
    both = [
        instances.select(
            "relation",
            "partition",
            text=template.expression(columns),
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
