"""The gold standard: what the answers to the probes are compared with."""

from dataclasses import dataclass

import polars as pl

from relprobe.core.relation import in_lexicon
from relprobe.lm.words.lexicon import Words
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.schemas import Probes, Relata, Tuples


@dataclass(frozen=True)
class GoldStandard:
    """The probes of a study (PROBES), and the words that are right answers to them.

    `relata`: the relatum sets (RELATA). `tuples`: all tuples (TUPLES), also those with words outside the
    `shared_lexicon` (WORDS), which holds the words that may be answers. `relations`: all relations of the study.
    """

    probes: Probes
    relata: Relata
    tuples: Tuples
    shared_lexicon: Words
    relations: RelationsFile

    def inside(self) -> pl.DataFrame:
        """Return the tuples whose words are all in the lexicon."""
        return in_lexicon(self.tuples, self.shared_lexicon)
