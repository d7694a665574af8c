"""The sentences that the maps of layers are fitted on: not those of the study, but WordNet's glosses or the user's."""

import random
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import parquet, read_own_text
from relprobe.sources.lexical.glosses import Glosses

SENTENCES = pl.Schema({"sentence": pl.String()})
Sentences = Annotated[pl.DataFrame, parquet(SENTENCES)]
SEED = 1
FEWEST = 100
"""With fewer sentences no map can be fitted."""


def layer_text(wordnet: Glosses | None = None, file: Path | None = None, *, sentences: int) -> Sentences:
    """Draw at most so many sentences, with a seed: WordNet's glosses and examples, or the lines of the user's `file`.

    DataError: the file has too few lines.
    """
    if file is not None:
        pool = sorted({" ".join(line.split()) for line in read_own_text(file, as_published=True).splitlines()} - {""})
    else:
        pool = wordnet or []
    if file is not None and len(pool) < FEWEST:
        raise DataError(f"{file} has {len(pool)} sentences, one a line: maps of layers need {FEWEST} or more.")
    drawn = random.Random(SEED).sample(pool, min(sentences, len(pool)))  # noqa: S311
    return pl.DataFrame({"sentence": drawn}, schema=SENTENCES)
