"""The items of the study as files: the tuples, the instances that ask about them, and the sentences of both."""

import logging
from typing import NamedTuple

import polars as pl

from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.method import Split, instances, tuples
from relprobe.studies.analogies.relations import Analogies
from relprobe.studies.analogies.schemas import ANALOGY, PROBES, Instances, Probes, Tuples
from relprobe.studies.analogies.swapped import swapped_queries
from relprobe.studies.analogies.template import NEGATIVE, POSITIVE, Template

logger = logging.getLogger("relprobe")


class InstanceTables(NamedTuple):
    """The tuples of every relation and draw, and the instances that they make."""

    tuples: Tuples
    instances: Instances


def build(
    pairs: Analogies,
    split: Split,
    choices: Choices,
    *,
    sample_tuples: int | None = None,
    sample_instances: int | None = None,
    sample_swapped: int = 0,
) -> InstanceTables:
    """Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).

    Below them stand controls: `sample_swapped` test instances of each relation, draw and probe, with a query made
    of two other tuples. `pairs`: the manifest of BATS or of own analogies. `sample_tuples` of each relation are taken, and
    `sample_instances` of each relation, draw, partition and probe; without them all are taken. The samples and the
    negatives have the seed of the split.
    """
    sampled = tuples(pairs, sample_tuples, split)
    asked = instances(sampled, pairs, sample_instances, split.seed, choices)
    return InstanceTables(sampled, pl.concat([asked, swapped_queries(asked, sampled, sample_swapped, split.seed)]))


def probes(instances: Instances, *, template: str) -> Probes:
    """Put both tuples of all instances into the sentence of the study, and log the share that is scored only once."""
    sentence = Template.of(template)
    sides = [
        instances.select(
            "relation",
            "partition",
            text=sentence.expression(columns),
            **{term: pl.col(column) for term, column in columns.items()},
        )
        for columns in (POSITIVE, NEGATIVE)
    ]
    sentences = pl.concat(sides)
    different = sentences.unique(["relation", "partition", "text"]).sort("relation", "partition", *ANALOGY)
    saved = 1 - different.height / max(sentences.height, 1)
    logger.info(
        "%s instances ask for %s sentences, of which %s are different: %.0f %% need not be scored again",
        *(f"{count:,}" for count in (instances.height, sentences.height, different.height)),
        100 * saved,
    )
    return different.select(list(PROBES))
