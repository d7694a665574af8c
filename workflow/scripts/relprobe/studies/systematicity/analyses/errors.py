"""What agents answer where they miss the category: the kinds of errors of section 3.3 of the paper, decided by WordNet.

## Kinds of errors where the vocabulary is open

```yaml
table: errors
empty: No agent has a wrong answer where the vocabulary is open, or none was asked there.
columns:
  kind: the first answer, which is not the category
  errors: the number of wrong answers of this kind
  share: the share of all wrong answers
  frequent: the most frequent of these answers
  frequent_share: its share
  second: the next most frequent one
  second_share: its share; missing without a second one
  examples: some hyponyms with these answers
```

The first answer where it is not the category *(section 3.3 of the paper, decided by WordNet's hypernyms and a
list of empty words)*: the hyponym itself, another hypernym, a generic one (at most four steps below WordNet's root,
or “noun”, “type”), a fragment of the hyponym, or none of these; with the two most frequent such answers and their
shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from relprobe.core.errors import DataError
from relprobe.report.published import shares_in_percent
from relprobe.studies.systematicity.method import open_answers, responses
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Items, Probes, Scores

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

    from relprobe.sources.lexical.wordnet import WordNetReader

PLACE = 2


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


ERRORS = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "kind": pl.String(),  # of error
        "errors": pl.UInt32(),
        "share": pl.Float64(),  # of the errors of the set and agent
        "frequent": pl.String(),  # the most frequent answer of the kind
        "frequent_share": pl.Float64(),  # of the errors of the kind
        "second": pl.String(),  # the next one
        "second_share": pl.Float64(),
        "examples": pl.String(),  # "hyponym: answer", several
    }
)


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


def error_kinds(wordnet: WordNetReader, scores: Mapping[str, Scores], probes: Probes, items: Items) -> pl.DataFrame:
    """Return ERRORS: per set, agent and kind the wrong first answers where the vocabulary is open: number, share, examples.

    The answers are those of the units of open@1: a model cannot answer with a category that is no word of its vocabulary.
    (The paper's authors judged 50 answers by hand.) `frequent` is the most frequent answer of a kind, `second` the next one
    (of equally frequent ones the first by name), and `frequent_share` and `second_share` are their shares of that kind; the
    paper has "horse" and "dog" for unknown answers (section 3.3).
    """
    if not scores:
        return pl.DataFrame(schema=ERRORS)
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
    for rank, name in enumerate(("frequent", "second")):
        kind_counts = counts.group_by(*key, "kind", maintain_order=True)
        rank_columns = kind_counts.agg(
            pl.col("answer").get(rank, null_on_oob=True).alias(name),
            (pl.col("len").get(rank, null_on_oob=True) / pl.col("len").sum()).alias(f"{name}_share"),
        )
        table = table.join(rank_columns, on=[*key, "kind"], how="left", maintain_order="left")
    columns = [*key, "kind", "errors", "share", "frequent", "frequent_share", "second", "second_share", "examples"]
    orders = {"set": SETS, "agent": list(scores), "kind": KINDS}
    return table.select(columns).sort(pl.col(name).cast(pl.Enum(order)) for name, order in orders.items())


def _wrong(scores: Scores, probes: Probes, items: Items) -> pl.DataFrame:
    rows = open_answers(responses(scores, probes, items)).filter(~pl.col("control"))
    first = rows.with_columns(answer=pl.col("words").list.first())
    return first.filter(pl.col("answer") != pl.col("gold")).select("set", "hyponym", "answer")


QUANTITIES = {
    "hyponym": "errors: the hyponym itself (%)",
    "hypernym": "errors: another hypernym (%)",
    "generic": "errors: a generic hypernym (%)",
    "fragment": "errors: a fragment of the hyponym (%)",
    "unknown": "errors: unknown (%)",
}
"""Kind -> the quantity among the published figures."""
FREQUENT = {
    "frequent_share": "most frequent answer of the unknown errors (%)",
    "second_share": "second most frequent answer of the unknown errors (%)",
}
"""Column -> the same, of unknown errors."""


@cache
def _table(results: Results) -> pl.DataFrame:
    if results.wordnet is None:
        raise DataError("the kinds of errors are decided by WordNet: give it as --wordnet.")
    table = error_kinds(results.wordnet, results.scores_of_models(), results.probes, results.item_table)
    return table.cast(ERRORS)  # type: ignore[arg-type]


def published(results: Results) -> list[pl.DataFrame]:
    """Return the shares as the paper prints them (OURS)."""
    return ours(_table(results))


def ours(errors: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the shares of the kinds of errors, and of the most frequent unknown ones (OURS)."""
    totals = errors.with_columns(all=pl.col("errors").sum().over("set", "agent"))
    kinds = pl.col("kind").replace_strict(QUANTITIES)
    by_kind = shares_in_percent(totals, kinds, "set", "share", n="all", units="errors")
    unknown = errors.filter(kind="unknown").unpivot(list(FREQUENT), index=["set", "agent", "errors"])
    named = pl.col("variable").replace_strict(FREQUENT)
    return [by_kind, shares_in_percent(unknown, named, "set", "value", n="errors", units="unknown errors")]


TABLES = {"errors": _table}
