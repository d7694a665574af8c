"""The relata that count as right, and what was left out of the data, with its reason."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import parquet
from relprobe.core.relation import Relations, in_lexicon, merge
from relprobe.core.unmade import table_or_reason
from relprobe.lm.words.lexicon import Lexicon, Words
from relprobe.sources.lexical.resource import LINKED, Resource, inherited_senses, linked_words
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations import method
from relprobe.studies.relations.method import unambiguous
from relprobe.studies.relations.schemas import ALTERNATIVES, Alternatives, Relata, Tuples
from relprobe.studies.relations.tuples import Candidates, LexicalResource, keep_candidates, other_expansions, targets_of

# The words that a lexical resource adds to the relatum sets, as the relations file says and under other choices.


def expansions(
    resource: Resource | None, gold: pl.DataFrame, relations: Relations
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the words that a lexical resource adds for the targets of `gold` (LINKED), and those under other choices.

    The choices are those of `tuples.other_expansions`. Without a resource no words are added, and there are no choices.
    """
    if resource is None:
        return pl.DataFrame(schema=LINKED), {}
    targets = targets_of(gold, relations)
    configured = linked_words(resource, targets, relations.entries)
    other_relations = other_expansions(relations).items()
    return configured, {
        name: configured.clear() if changed is None else linked_words(resource, targets, changed.entries)
        for name, changed in other_relations
    }


def alternatives(
    gold: pl.DataFrame, linked: dict[str, pl.DataFrame], lexicon: pl.DataFrame, relations: Relations
) -> pl.DataFrame:
    """Return the relatum sets under other choices of the expansion (ALTERNATIVES); `linked`: choice -> LINKED."""
    tables = [
        method.relata(gold, words, lexicon, relations).select(pl.lit(choice).alias("choice"), pl.all())
        for choice, words in linked.items()
    ]
    return pl.concat([pl.DataFrame(schema=ALTERNATIVES), *tables])


# What is lost between the sources and the relatum sets: every tuple, target and relatum, and why.


ATTRITION = pl.Schema(
    {
        "step": pl.String(),  # tuples, lexicon, relata, scores or answers
        "kind": pl.String(),  # tuple, target, relatum, prompt, probe, answer, or form: an inflected target, not lost
        "relation": pl.String(),
        "target": pl.String(),
        "word": pl.String(),  # the relatum of a tuple or a set, the answer, the prompt or a lemma; missing for a target
        "reason": pl.String(),
        "detail": pl.String(),  # the words that are not one token and the models, the other relation, or why no probe fits
    }
)
Losses = Annotated[pl.DataFrame, parquet(ATTRITION)]
SELF = "target and relatum are the same word"
SEVERAL_WORDS = "several words"
SEVERAL_TOKENS = "not one token of every model of the panel"
NOT_LISTED = "not in the list of words"
NOT_A_CANDIDATE = "not in the list of candidates"
NO_CANDIDATE = "none of its tuples is in the list of candidates"
NO_TUPLE = "none of its tuples is in the shared lexicon"
TWO_RELATIONS = "stands in two relations that exclude each other"
NO_RELATA = "no relata are left"
INHERITED = "it is an inflected form and no lemma: the relata of its lemma count"
PAIR = ["target", "relatum", "relation"]
KEY = ["relation", "target"]


def tuple_losses(
    raw_tuples: pl.DataFrame, tuples: pl.DataFrame, lexicon: pl.DataFrame, panel: Mapping[str, pl.DataFrame]
) -> pl.DataFrame:
    """Return the losses before the relatum sets (ATTRITION): tuples of a word with itself or with a word outside.

    `raw_tuples`: the sources' tuples before augmentation, `tuples`: after it. `lexicon`: the shared words. `panel`: model ->
    LEXICON. A target that no tuple is left of is lost as well.
    """
    same = raw_tuples.filter(pl.col("target") == pl.col("relatum")).select(*KEY, word="relatum", reason=pl.lit(SELF))
    inside = in_lexicon(tuples, lexicon)
    outside = tuples.join(inside, on=PAIR, how="anti", maintain_order="left")
    targets = outside.select(KEY).unique(maintain_order=True).join(inside, on=KEY, how="anti", maintain_order="left")
    parts = [
        losses(same, "tuples", "tuple"),
        losses(_outside(outside, ["target", "relatum"], panel), "lexicon", "tuple"),
        losses(targets.with_columns(reason=pl.lit(NO_TUPLE)), "lexicon", "target"),
    ]
    return pl.concat(parts)


def relatum_losses(
    gold: pl.DataFrame,
    linked: pl.DataFrame,
    relata: pl.DataFrame,
    lexicon: pl.DataFrame,
    panel: Mapping[str, pl.DataFrame],
    relations: Relations,
) -> pl.DataFrame:
    """Return the losses from the relatum sets (ATTRITION): words outside the shared lexicon, and those of two relations.

    `gold`: the tuples in the shared lexicon; `linked`: what a lexical resource adds to their targets; `relata`: the sets. A
    target whose words are all lost has no metric but symmetry and asymmetry.
    """
    added = linked.select("target", "relation", "relatum", sources=pl.lit(["wordnet"]))
    candidates = merge(pl.concat([gold, added])).filter(pl.col("target") != pl.col("relatum"))
    inside = in_lexicon(candidates, lexicon)
    outside = candidates.join(inside, on=PAIR, how="anti", maintain_order="left")
    twice = inside.join(unambiguous(inside, relations), on=PAIR, how="anti", maintain_order="left")
    relation_names = inside.group_by("target", "relatum").agg(detail=pl.col("relation").sort().str.join(", "))
    ambiguous = twice.join(relation_names, on=["target", "relatum"], maintain_order="left")
    ambiguous = ambiguous.select(*KEY, "detail", word="relatum", reason=pl.lit(TWO_RELATIONS))
    empty = gold.select(KEY).unique(maintain_order=True).join(relata, on=KEY, how="anti", maintain_order="left")
    parts = [
        losses(_outside(outside, ["relatum"], panel), "lexicon", "relatum"),
        losses(ambiguous, "relata", "relatum"),
        losses(empty.with_columns(reason=pl.lit(NO_RELATA)), "relata", "target"),
    ]
    return pl.concat(parts)


def inherited_forms(inherited: pl.DataFrame) -> pl.DataFrame:
    """Return the targets that have the relata of their lemmas (ATTRITION); `inherited`: target, and word, the lemma."""
    return losses(
        inherited.select(pl.lit(None, pl.String).alias("relation"), "target", "word", reason=pl.lit(INHERITED)),
        "relata",
        "form",
    )


def candidate_losses(
    tuples: pl.DataFrame, listed: pl.DataFrame, sets: pl.DataFrame, listed_sets: pl.DataFrame
) -> pl.DataFrame:
    """Return what closed lists of candidates leave out (ATTRITION): tuples and words of relatum sets, and targets.

    `listed` and `listed_sets`: those of `tuples` and `sets` whose relata are candidates.
    """
    pairs, words = (
        rows.join(kept_rows, on=PAIR, how="anti", maintain_order="left")
        for rows, kept_rows in ((tuples, listed), (sets, listed_sets))
    )
    targets, empty = (
        rows.select(KEY).unique(maintain_order=True).join(kept_rows, on=KEY, how="anti", maintain_order="left")
        for rows, kept_rows in ((tuples, listed), (sets, listed_sets))
    )
    return pl.concat(
        [
            losses(targets.with_columns(reason=pl.lit(NO_CANDIDATE)), "lexicon", "target"),
            losses(pairs.select(*KEY, word="relatum", reason=pl.lit(NOT_A_CANDIDATE)), "lexicon", "tuple"),
            losses(words.select(*KEY, word="relatum", reason=pl.lit(NOT_A_CANDIDATE)), "lexicon", "relatum"),
            losses(empty.with_columns(reason=pl.lit(NO_RELATA)), "relata", "target"),
        ]
    )


def losses(table: pl.DataFrame, step: str, kind: str) -> pl.DataFrame:
    """Return losses with the columns of ATTRITION."""
    missing = [pl.lit(None, pl.String).alias(name) for name in ("word", "detail") if name not in table.columns]
    rows = table.with_columns(*missing, step=pl.lit(step), kind=pl.lit(kind))
    return rows.select(list(ATTRITION)).cast(ATTRITION)


def _outside(pairs: pl.DataFrame, columns: list[str], panel: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return KEY, word, reason and detail of pairs with a word, in one of the columns, that is not in the shared lexicon.

    Without a panel the shared lexicon is a list of words, which may have several tokens, or be several words.
    """
    if not panel:
        return pairs.select(*KEY, word="relatum", reason=pl.lit(NOT_LISTED), detail=pl.lit(None, pl.String))
    words = pl.concat([pairs.select(word=name) for name in columns]).unique()
    lexicons = {model: set(table["word"].drop_nulls()) for model, table in panel.items()}
    lacking = {word: [model for model, held in lexicons.items() if word not in held] for word in words["word"]}
    details = {word: f"{word}: {', '.join(models)}" for word, models in lacking.items() if models}
    several = pl.any_horizontal(pl.col(name).str.contains(r"\s") for name in columns)
    detail = pl.concat_str(
        [pl.col(name).replace_strict(details, default=None, return_dtype=pl.String) for name in columns],
        separator="; ",
        ignore_nulls=True,
    )
    reason = pl.when(several).then(pl.lit(SEVERAL_WORDS)).otherwise(pl.lit(SEVERAL_TOKENS))
    return pairs.select(*KEY, word="relatum", reason=reason, detail=detail)


# The relatum sets of the study, and what is lost before them.


class Sets(NamedTuple):
    """The relatum sets (`out`), those under other choices of the expansion, and what is lost before them."""

    out: Relata
    alternatives: Alternatives
    losses: Losses


def relata(
    raw_tuples: Tuples,
    tuples: Tuples,
    shared_lexicon: Words,
    relations: RelationsFile,
    wordnet: LexicalResource | None = None,
    panel: dict[str, Lexicon] | None = None,
    candidates: Candidates | None = None,
) -> Sets:
    """Build the relatum sets: the tuples, expanded with a lexical resource, in the shared lexicon (section 4.3).

    `wordnet`: its manifest; without it, the sets hold the words of the tuples alone. `raw_tuples`: the tuples before
    augmentation. `panel`: the lexicons of the models whose common words are the shared lexicon; a list of words has none.
    `candidates`: the closed lists that limit the sets beside the lexicon, if there are any. The other choices are no
    expansion, that of one step, and that of first senses.
    """
    inside, models = in_lexicon(tuples, shared_lexicon), panel or {}
    if inside.is_empty():
        raise DataError(_nothing_left(tuples, panel))
    added, other_words = expansions(wordnet, inside, relations)
    sets = method.relata(inside, added, shared_lexicon, relations)
    final_sets = sets if candidates is None else keep_candidates(sets, candidates)

    def other_sets() -> pl.DataFrame:
        table = alternatives(inside, other_words, shared_lexicon, relations)
        return table if candidates is None else keep_candidates(table, candidates)

    def losses() -> pl.DataFrame:
        lost = [
            tuple_losses(raw_tuples, tuples, shared_lexicon, models),
            relatum_losses(inside, added, sets, shared_lexicon, models, relations),
        ]
        if wordnet is not None:
            lost.append(inherited_forms(inherited_senses(wordnet, targets_of(inside, relations), relations.entries)))
        if candidates is not None:
            lost.append(candidate_losses(inside, keep_candidates(inside, candidates), sets, final_sets))
        return pl.concat(lost)

    return Sets(final_sets, table_or_reason("alternatives", other_sets), table_or_reason("losses", losses))


def _nothing_left(tuples: pl.DataFrame, panel: dict[str, Lexicon] | None) -> str:
    """Return the sentence of a study none of whose tuples can be asked about."""
    example = ", ".join(tuples.select("target", "relatum").row(0)) if tuples.height else "there are none"
    if panel is None:
        return (
            f"none of the tuples ({tuples.height:,}: {example}) has both words in the list of words that may be answers: "
            "add them to the file of relations.word_list.path, or of relations.candidates.path."
        )
    return (
        f"none of the tuples ({tuples.height:,}: {example}) has two words that are one token of every model of "
        f"lexicon.panel ({', '.join(panel)}): choose relations.answers: words or candidates, or other words or models."
    )
