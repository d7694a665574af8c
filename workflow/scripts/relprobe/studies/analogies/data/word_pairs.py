"""The pairs of words of the study: BATS, a user's own analogies, or the project's demonstration."""

from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.files import Format
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources import bats
from relprobe.sources.own import analogies as own_analogies
from relprobe.studies.analogies.data.relations import BOTH_WAYS, MANY, of_bats

OWN = "own_analogies"
"""The resource with own analogies; it takes the place of BATS."""
DEMONSTRATION = "demonstration_analogies"
"""The resource with this project's own ten relations, in the form of own analogies; a run that lacks BATS may have it."""


def read(manifest: Path) -> pl.DataFrame:
    """Read the pairs of a fetched resource (ANALOGIES).

    `manifest`: that of resources.own_analogies, whose order does not matter, of the demonstration, or of resources.bats.

    DataError: see own_analogies.read and bats.read.
    """
    if manifest.stem == OWN:
        return own(only_file(manifest)).sort("group", "relation", "head")  # draws are of places
    return own(only_file(manifest)) if manifest.stem == DEMONSTRATION else of_bats(bats.read(fetched_folder(manifest)))


Analogies = Annotated[pl.DataFrame, Format(read)]


def own(path: Path) -> pl.DataFrame:
    """Read own analogies, their marks as Table 2 writes them (ANALOGIES)."""
    table = own_analogies.read(path)
    marks = pl.concat_str(
        *(
            pl.when(pl.col("marks").list.contains(word)).then(pl.lit(sign)).otherwise(pl.lit(""))
            for word, sign in zip(own_analogies.MARKS, (MANY, BOTH_WAYS), strict=True)
        )
    )
    return table.with_columns(marks=marks)
