"""The models' answers: all, examples (Table 3), the categories' log-probabilities (Figure 2) and those of several tokens."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.word_frequency import frequency
from relprobe.studies.systematicity.measure.error_kinds import error_kinds
from relprobe.studies.systematicity.measure.metrics import with_gold
from relprobe.studies.systematicity.measure.ranking import with_ranking
from relprobe.studies.systematicity.schemas import (
    CATEGORY_LOGPROBS,
    ERRORS,
    SETS,
    CategoryLogprobs,
    Errors,
    Items,
    Probes,
    Scores,
)

PAPER = ("robin", "trout", "car", "aircraft", "bumblebee", "bedbug")
"""The hyponyms of the paper's Table 3."""
EXAMPLES = 6
"""Hyponyms per set in the table of examples."""
FIRST = 3
"""Answers per probe."""
ANSWER_COLUMNS = ("set", "agent", "hyponym", "category", "open", "singular", "plural", "contextual", "consistent")
"""The columns of the first answers."""
TOKENS = ("agent", "word", "tokens")
"""The columns of the candidates of several tokens."""


class AnswerTables(NamedTuple):
    """The tables of the models' answers, and two of them for the steps that draw and compare them."""

    tables: ShownTables
    category_logprobs: CategoryLogprobs
    errors: Errors


def answer_tables(
    probes: Probes, item_table: Items, wordnet: WordNet, scores: dict[str, Scores] | None = None, *, seed: int
) -> AnswerTables:
    """Write the tables of the models' answers: examples, kinds of errors, the categories' log-probabilities and tokens.

    `seed` draws between categories of equal scores. Where no agent has scores, as those that only chat have none, the tables
    have no rows.
    """
    if not scores:
        first = pl.DataFrame(schema=dict.fromkeys(ANSWER_COLUMNS, pl.String()))
        tables = {
            "answers": first,
            "examples": first,
            "tokens": pl.DataFrame(schema=dict.fromkeys(TOKENS, pl.String())),
        }
        logprobs, errors = pl.DataFrame(schema=CATEGORY_LOGPROBS), pl.DataFrame(schema=ERRORS)
        return AnswerTables(tables | {"category_logprobs": logprobs, "errors": errors}, logprobs, errors)
    every, logprobs = answers(scores, probes, item_table, seed), category_logprobs(scores, probes, item_table)
    errors = error_kinds(wordnet, scores, probes, item_table)
    tables = {"answers": every, "examples": examples(every), "tokens": several_tokens(scores)}
    return AnswerTables(tables | {"category_logprobs": logprobs, "errors": errors}, logprobs, errors)


def answers(scores: Mapping[str, Scores], probes: Probes, items: Items, seed: int) -> pl.DataFrame:
    """Return, per set, hyponym and agent, the first three answers to each diagnostic, and whether the agent is consistent.

    The answers in `open` are from the whole vocabulary. Those in the other columns are categories at the slot; `seed` draws
    between equal ones. `consistent`: the singular and the plural answer are the same category.
    """
    parts = [_first(table, probes, items, seed).with_columns(agent=pl.lit(agent)) for agent, table in scores.items()]
    wide = pl.concat(parts).pivot("kind", index=["set", "hyponym", "category", "agent"], values="answer")
    kinds = [name for name in ("open", "singular", "plural", "contextual") if name in wide.columns]
    first = pl.concat(parts).pivot("kind", index=["set", "hyponym", "agent"], values="place")
    same = first.select("set", "hyponym", "agent", consistent=pl.col("singular") == pl.col("plural"))
    table = wide.join(same, on=["set", "hyponym", "agent"], how="left", maintain_order="left")
    order = [pl.col("set"), pl.col("agent").cast(pl.Enum(list(scores)))]
    return table.select("set", "agent", "hyponym", "category", *kinds, "consistent").sort(*order, maintain_order=True)


def _first(scores: Scores, probes: Probes, items: Items, seed: int) -> pl.DataFrame:
    """Return set, hyponym, category, kind ("open" too), the first answers as text, and the place of the first category."""
    rows = with_gold(scores, probes, items).filter(
        ~pl.col("control") & pl.col("main") & (pl.col("method") != "sentence")
    )
    is_open = pl.col("method") == "open"
    opened = rows.filter(is_open).with_columns(kind=pl.lit("open"), ranking="words")  # the best word stands first
    ranked = pl.concat([opened, with_ranking(rows.filter(~is_open), seed)]).with_columns(
        answer=pl.col("ranking").list.head(FIRST).list.join(", "),
        place=pl.struct("words", "ranking").map_elements(
            lambda row: row["words"].index(row["ranking"][0]), return_dtype=pl.Int64
        ),
    )
    return ranked.select("set", "hyponym", "category", "kind", "answer", "place")


def examples(table: pl.DataFrame) -> pl.DataFrame:
    """Return the answers (`answers`) about EXAMPLES hyponyms per set: the paper's, then the most frequent others."""
    hyponyms = table.select("set", "hyponym").unique(maintain_order=True)
    zipf = pl.Series("zipf", [frequency(word, "zipf", language="en") for word in hyponyms["hyponym"]])
    order = [pl.col("hyponym").is_in(PAPER), zipf]
    best = (
        hyponyms.sort(order, descending=True, maintain_order=True).group_by("set", maintain_order=True).head(EXAMPLES)
    )
    return best.join(table, on=["set", "hyponym"], maintain_order="left").select(table.columns)


def category_logprobs(scores: Mapping[str, Scores], probes: Probes, items: Items) -> CategoryLogprobs:
    """Return Figure 2: per category and number the mean log-probability (natural) of the right category at the slot."""
    parts = []
    for agent, table in scores.items():
        slots = table.filter(method="slot")
        of_numbers = pl.col("kind").is_in(["singular", "plural"]) & ~pl.col("control") & pl.col("main")
        rows = with_gold(slots, probes, items).filter(of_numbers)
        parts.append(rows.with_columns(agent=pl.lit(agent)))
    long = pl.concat(parts).explode("words", "scores").filter(pl.col("words") == pl.col("gold"))
    table = long.group_by("set", "agent", "category", "kind", maintain_order=True).agg(
        logprob=pl.col("scores").mean(), hyponyms=pl.len()
    )
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def several_tokens(scores: Mapping[str, Scores]) -> pl.DataFrame:
    """Return the candidates that are several tokens of a model at a slot: agent, word, tokens.

    >>> scores = {"method": "slot", "words": [["bird", "hippopotamus"]], "tokens": [[1, 3]]}
    >>> several_tokens({"m": pl.DataFrame(scores)}).rows()
    [('m', 'hippopotamus', 3)]
    """
    parts = [table.with_columns(agent=pl.lit(agent)).filter(method="slot") for agent, table in scores.items()]
    long = pl.concat(parts).select("agent", word="words", tokens="tokens").explode("word", "tokens")
    return long.filter(pl.col("tokens") > 1).unique().sort("agent", "word")
