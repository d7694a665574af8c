"""The gold standard: what the answers to the probes are compared with."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from relprobe.core.files import read_table
from relprobe.core.relation import Relations, in_lexicon
from relprobe.lm.words.lexicon import WORDS
from relprobe.sources.relations import read as read_relations
from relprobe.studies.relations.schemas import PROBES, RELATA, TUPLES


@dataclass(frozen=True)
class GoldStandard:
    """The probes of a study (PROBES), and the words that are right answers to them.

    `relata`: the relatum sets (RELATA). `tuples`: all tuples (TUPLES), also those with words outside the `lexicon` (WORDS),
    which holds the words that may be answers. `relations`: all relations of the study.
    """

    probes: pl.DataFrame
    relata: pl.DataFrame
    tuples: pl.DataFrame
    lexicon: pl.DataFrame
    relations: Relations

    @classmethod
    def read(cls, probes: Path, relata: Path, tuples: Path, shared_lexicon: Path, relations: Path) -> "GoldStandard":
        """Read the gold standard from its files. DataError: a file has other columns than its table."""
        return cls(
            read_table(probes, PROBES),
            read_table(relata, RELATA),
            read_table(tuples, TUPLES),
            read_table(shared_lexicon, WORDS),
            read_relations(relations),
        )

    def inside(self) -> pl.DataFrame:
        """Return the tuples whose words are all in the lexicon."""
        return in_lexicon(self.tuples, self.lexicon)
