"""What the study is about: the tuples of all relations, and the instances that ask about them."""

from typing import NamedTuple

import polars as pl

from relprobe.studies.analogies.data import instances as make
from relprobe.studies.analogies.data.instances import Split
from relprobe.studies.analogies.data.negatives import Choices
from relprobe.studies.analogies.data.swapped import swapped_queries
from relprobe.studies.analogies.data.word_pairs import Analogies
from relprobe.studies.analogies.schemas import Instances, Tuples


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

    Below them stand controls: `sample_swapped` test instances of each relation, draw and probe, with a query of another
    relation. `pairs`: the manifest of BATS or of own analogies. `sample_tuples` of each relation are taken, and
    `sample_instances` of each relation, draw, partition and probe; without them all are taken. The samples and the
    negatives have the seed of the split.
    """
    tuples = make.tuples(pairs, sample_tuples, split)
    asked = make.instances(tuples, pairs, sample_instances, split.seed, choices)
    return InstanceTables(tuples, pl.concat([asked, swapped_queries(asked, tuples, sample_swapped, split.seed)]))
