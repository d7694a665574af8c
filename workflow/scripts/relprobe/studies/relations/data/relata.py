"""The relatum sets of the study, and what is lost before them."""

from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import in_lexicon
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.sources.lexical.resource import inherited_senses
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.data import build, expansion
from relprobe.studies.relations.data import losses as losses_of
from relprobe.studies.relations.data.candidates import keep_candidates
from relprobe.studies.relations.data.lexical_resource import LexicalResource
from relprobe.studies.relations.data.losses import Losses
from relprobe.studies.relations.data.own_words import Candidates
from relprobe.studies.relations.schemas import Alternatives, Relata, Tuples


class Sets(NamedTuple):
    """The relatum sets (`out`), those under other choices of the expansion, and what is lost before them."""

    out: Relata
    alternatives: Alternatives
    losses: Losses


def relata(
    given: Tuples,
    tuples: Tuples,
    shared_lexicon: Words,
    relations: RelationsFile,
    wordnet: LexicalResource | None = None,
    panel: dict[str, Lexicon] | None = None,
    candidates: Candidates | None = None,
) -> Sets:
    """Build the relatum sets: the tuples, expanded with a lexical resource, in the shared lexicon (section 4.3).

    `wordnet`: its manifest; without it, the sets hold the words of the tuples alone. `given`: the tuples before
    augmentation. `panel`: the lexicons of the models whose common words are the shared lexicon; a list of words has none.
    `candidates`: the closed lists that limit the sets beside the lexicon, if there are any. The other choices are no
    expansion, that of one step, and that of first senses.
    """
    inside, models = in_lexicon(tuples, shared_lexicon), panel or {}
    if inside.is_empty():
        raise DataError(_nothing_left(tuples, panel))
    added, others = expansion.expansions(wordnet, inside, relations)
    sets = build.relata(inside, added, shared_lexicon, relations)
    other_sets = expansion.alternatives(inside, others, shared_lexicon, relations)
    lost = [
        losses_of.of_tuples(given, tuples, shared_lexicon, models),
        losses_of.of_relata(inside, added, sets, shared_lexicon, models, relations),
    ]
    if wordnet is not None:
        lost.append(
            losses_of.of_forms(inherited_senses(wordnet, build.targets_of(inside, relations), relations.entries))
        )
    if candidates is not None:
        lost.append(
            losses_of.of_candidates(
                inside, keep_candidates(inside, candidates), sets, keep_candidates(sets, candidates)
            )
        )
        sets, other_sets = keep_candidates(sets, candidates), keep_candidates(other_sets, candidates)
    return Sets(sets, other_sets, pl.concat(lost))


def _nothing_left(tuples: pl.DataFrame, panel: dict[str, Lexicon] | None) -> str:
    """Return the sentence of a study none of whose tuples can be asked about."""
    example = ", ".join(tuples.select("target", "relatum").row(0)) if tuples.height else "there are none"
    if panel is None:
        return (
            f"none of the {tuples.height} tuples ({example}) has both words in the list of words that may be answers: add "
            "them to the file of relations.word_list.path, or of relations.candidates.path."
        )
    return (
        f"none of the {tuples.height} tuples ({example}) has two words that are one token of every model of lexicon.panel "
        f"({', '.join(panel)}): choose relations.answers: words or candidates, or other words or models."
    )
