"""What the answers of all agents are measured against, as the step `gold` writes it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.core.files import ShownTables
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.distances import relation_pairs
from relprobe.studies.relations.lists import Lists
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.people import people
from relprobe.studies.relations.prompts import Prompts
from relprobe.studies.relations.relata import Losses, relata
from relprobe.studies.relations.schemas import Alternatives, Answers, Pairs, Probes, Relata, Tuples
from relprobe.studies.relations.tuples import Candidates, LexicalResource, keep_candidates


class GoldTables(NamedTuple):
    """The relatum sets (`out`), those under other choices, what is lost before them, and the pairs of relations.

    Where people have answered, also their lists, and the answers of all of them together and of each annotator.
    """

    out: Relata
    alternatives: Alternatives
    losses: Losses
    pairs: Pairs
    tables: ShownTables
    lists: Lists | None = None
    humans: Answers | None = None
    annotator: Answers | None = None


@dataclass(frozen=True, kw_only=True)
class GoldFiles:
    """What the gold standard is made of.

    `raw_tuples`: the tuples of the sources, and `tuples` those that are asked about. `wordnet`: what the relatum sets are
    expanded by, `panel` the lexicons of the models whose tokenizers share words, and `candidates` the closed lists.
    `answers`: the manifest of people's answers. None: this run has none of them.
    """

    raw_tuples: Tuples
    tuples: Tuples
    probes: Probes
    prompts: Prompts
    shared_lexicon: Words
    relations: RelationsFile
    language: LanguageFile
    wordnet: LexicalResource | None = None
    panel: dict[str, Lexicon] | None = None
    candidates: Candidates | None = None
    answers: Path | None = None


def gold(files: GoldFiles, *, minimum_targets: int, layout: dict[str, Any] | None = None) -> GoldTables:
    """Build the relatum sets (section 4.3), bring people's answers into lists, and count the targets of pairs of relations.

    `minimum_targets`: how many targets a pair of relations needs, so that AuDC is over it. `layout`: what the configuration
    says of the table of people's answers. The errors are those of `relata` and `people`.
    """
    tuples, words, relations, candidates = files.tuples, files.shared_lexicon, files.relations, files.candidates
    sets = relata(files.raw_tuples, tuples, words, relations, files.wordnet, files.panel, candidates)
    listed = tuples if candidates is None else keep_candidates(tuples, candidates)
    standard = GoldStandard(files.probes, sets.out, listed, words, relations)
    answered = None
    if files.answers is not None:
        answered = people(files.answers, standard, files.prompts, files.language, layout)
    pairs = relation_pairs(standard, minimum_targets, answered.lists if answered else None)
    tables = {"relation_pairs": pairs}
    if answered is None:
        return GoldTables(*sets, pairs, tables)
    tables |= {"unmatched_answers": answered.unmatched, "people_reading": answered.reading}
    return GoldTables(*sets, pairs, tables, answered.lists, answered.humans, answered.annotator)
