"""The kinds of errors of section 3.3, decided automatically: what a model answers where it misses the category."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from relprobe.studies.systematicity.measure.metrics import open_answers, with_gold
from relprobe.studies.systematicity.schemas import Errors, Items, Probes, Scores

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

    from relprobe.sources.lexical.wordnet import WordNetReader

KINDS = ("hyponym", "hypernym", "generic", "fragment", "unknown")
"""The kinds, in the order in which `kind` tries them."""
CONTENTLESS = frozenset(
    (
        *("noun", "verb", "adjective", "adverb", "pronoun", "singular", "plural", "word", "name", "term", "title"),
        *("phrase", "synonym", "symbol", "letter", "type", "kind", "sort", "form", "variety", "species", "genus"),
        *("example", "member"),
    )
)
"""Generic answers about the word itself ("an imaret is a noun"), or that need another after them ("a robin is a type …")."""
GENERIC_DEPTH = 4
"""Hypernyms at most so many steps below WordNet's root are generic, too: entity, object, thing, whole, substance, …"""
FRAGMENT_LETTERS = 3
"""Letters of the shortest fragment: "pen" of "penknife"."""
EXAMPLES = 3


def kind(wordnet: WordNetReader, hyponym: str, answer: str) -> str:
    """Return the kind of a wrong answer to "A HYPONYM is a …".

    - hyponym: the word itself;
    - hypernym: a hypernym of any noun sense in WordNet;
    - generic: a hypernym near WordNet's root, or one of CONTENTLESS;
    - fragment: a subword that begins or ends the hyponym ("a penknife is a pen") and is none of the kinds above, as a right
      fragment is a hypernym ("a steamboat is a boat");
    - unknown: any other answer.
    """
    word = " ".join(answer.lower().replace("_", " ").split())
    if word == hyponym.lower():
        return "hyponym"
    above = _hypernyms(wordnet, hyponym)
    if word in above:
        return "hypernym" if above[word] > GENERIC_DEPTH else "generic"
    if word in CONTENTLESS:
        return "generic"
    piece = word.removeprefix("##")
    if len(piece) >= FRAGMENT_LETTERS and (hyponym.lower().startswith(piece) or hyponym.lower().endswith(piece)):
        return "fragment"
    return "unknown"


def _hypernyms(wordnet: WordNetReader, hyponym: str) -> dict[str, int]:
    """Return the words above all noun senses of a word, and how many steps the deepest synset of each is below the root."""
    above: dict[str, int] = {}
    senses = wordnet.senses(hyponym, "n")
    if not senses and hyponym.islower():  # five released hyponyms are names in lower case
        senses = list(wordnet.synsets(hyponym.replace(" ", "_"), "n"))
    for sense in senses:
        for synset in sense.closure(_up):
            for name in synset.lemma_names():
                word = name.replace("_", " ").lower()
                above[word] = max(above.get(word, 0), synset.min_depth())
    return above


def _up(synset: Synset) -> list[Synset]:
    return synset.hypernyms() + synset.instance_hypernyms()


def error_kinds(wordnet: WordNetReader, scores: Mapping[str, Scores], probes: Probes, items: Items) -> Errors:
    """Return, per set, agent and kind, the wrong first answers where the vocabulary is open: number, share, examples.

    The answers are those of the units of open@1: a model cannot answer with a category that is no word of its vocabulary.
    (The paper's authors judged 50 answers by hand.) `frequent` is the most frequent answer of a kind, `second` the next one
    (of equally frequent ones the first by name), and `frequent_share` and `second_share` are their shares of that kind; the
    paper has "horse" and "dog" for unknown answers (section 3.3).
    """
    wrong = pl.concat(
        [_wrong(table, probes, items).with_columns(agent=pl.lit(agent)) for agent, table in scores.items()]
    )
    pairs = {pair: kind(wordnet, *pair) for pair in wrong.select("hyponym", "answer").unique().iter_rows()}
    kinds = [pairs[pair] for pair in wrong.select("hyponym", "answer").iter_rows()]
    named = wrong.with_columns(kind=pl.Series(kinds, dtype=pl.String))
    key = ["set", "agent"]
    example = pl.format("{}: {}", "hyponym", "answer")
    table = named.group_by(*key, "kind", maintain_order=True).agg(
        errors=pl.len(), examples=example.head(EXAMPLES).str.join("; ")
    )
    table = table.with_columns(share=pl.col("errors") / pl.col("errors").sum().over(key))
    counts = named.group_by(*key, "kind", "answer").len().sort("len", "answer", descending=[True, False])
    for place, name in enumerate(("frequent", "second")):
        of_kind = counts.group_by(*key, "kind", maintain_order=True)
        of_place = of_kind.agg(
            pl.col("answer").get(place, null_on_oob=True).alias(name),
            (pl.col("len").get(place, null_on_oob=True) / pl.col("len").sum()).alias(f"{name}_share"),
        )
        table = table.join(of_place, on=[*key, "kind"], how="left", maintain_order="left")
    columns = [*key, "kind", "errors", "share", "frequent", "frequent_share", "second", "second_share", "examples"]
    agents = pl.Enum(list(scores))
    return table.select(columns).sort("set", pl.col("agent").cast(agents), pl.col("kind").cast(pl.Enum(KINDS)))


def _wrong(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    rows = open_answers(with_gold(scores, probes, items)).filter(~pl.col("control"))
    first = rows.with_columns(answer=pl.col("words").list.first())
    return first.filter(pl.col("answer") != pl.col("gold")).select("set", "hyponym", "answer")
