"""What the models answer: examples, all first answers, and the categories that they write in several tokens (Table 3).

## Examples of answers

```yaml
table: examples
empty: No agent has an answer.
columns:
  open: the first three words where the vocabulary is open
  singular: the first three categories in the singular
  plural: the first three categories in the plural
  contextual: the first three categories in context
  consistent: whether the singular and the plural have the same first category
```

The first three answers to each diagnostic *(Table 3 of the paper)*. The file answers.csv has all of them.

## Categories of several tokens

```yaml
table: tokens
part: Left out, and why
empty: Every category is one token of every model.
columns:
  word: the category
  tokens: its number of tokens
```

They are scored by the sum over their tokens (of a masked model, over as many masks) and cannot be answered where the
vocabulary is open.

## All answers

```yaml
table: answers
on_page: false
```

The first answers to each diagnostic, of every hyponym.
"""

import random
from collections.abc import Mapping

import polars as pl

from relprobe.sources.word_frequency import frequency
from relprobe.studies.systematicity.method import responses
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Items, Probes, Scores

PLACE = 1
PAPER = ("robin", "trout", "car", "aircraft", "bumblebee", "bedbug")
"""The hyponyms of the paper's Table 3."""
EXAMPLES = 6
"""Hyponyms per set in the table of examples."""
FIRST = 3
"""Answers per probe."""
COLUMNS = ("set", "agent", "hyponym", "category", "open", "singular", "plural", "contextual", "consistent")
"""The columns of the first answers."""
TOKENS = ("agent", "word", "tokens")
"""The columns of the candidates of several tokens."""


def first_answers(scores: Mapping[str, Scores], probes: Probes, items: Items, seed: int) -> pl.DataFrame:
    """Return, per set, hyponym and agent, the first three answers to each diagnostic, and whether the agent is consistent.

    The answers in `open` are from the whole vocabulary. Those in the other columns are categories at the slot; `seed` draws
    between equal ones. `consistent`: the singular and the plural answer are the same category.
    """
    if not scores:
        return pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String()))
    parts = [_first(table, probes, items, seed).with_columns(agent=pl.lit(agent)) for agent, table in scores.items()]
    wide = pl.concat(parts).pivot("kind", index=["set", "hyponym", "category", "agent"], values="answer")
    kinds = [name for name in ("open", "singular", "plural", "contextual") if name in wide.columns]
    first = pl.concat(parts).pivot("kind", index=["set", "hyponym", "agent"], values="place")
    same = first.select("set", "hyponym", "agent", consistent=pl.col("singular") == pl.col("plural"))
    table = wide.join(same, on=["set", "hyponym", "agent"], how="left", maintain_order="left")
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(list(scores)))]
    return table.select("set", "agent", "hyponym", "category", *kinds, "consistent").sort(*order, maintain_order=True)


def _first(scores: Scores, probes: Probes, items: Items, seed: int) -> pl.DataFrame:
    """Return set, hyponym, category, kind ("open" too), the first answers as text, and the place of the first category."""
    rows = responses(scores, probes, items).filter(
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


def with_ranking(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Add the column `ranking` to rows with probe_id, words and scores: the likeliest word first, to show answers.

    Words of equal scores have an order that is drawn by the seed and the probe, whatever their order in the
    configuration. All agents have the same draw. Values come from no draw (`first_share`).

    >>> rows = pl.DataFrame({"probe_id": ["p"], "words": [["bird", "fish", "tool"]], "scores": [[-2.0, -3.0, -1.0]]})
    >>> with_ranking(rows, seed=1)["ranking"].to_list()
    [['tool', 'bird', 'fish']]
    """
    order = pl.col("scores").list.eval(pl.element().arg_sort(descending=True))
    ranked = rows.with_columns(ranking=pl.col("words").list.gather(order))
    tied = ranked.select(pl.col("scores").list.n_unique() < pl.col("scores").list.len()).to_series()
    if not tied.any():
        return ranked
    columns = rows.select("probe_id", "words", "scores").iter_rows()
    drawn = [
        _drawn(probe_id, words, scores, seed) if is_tied else ranking
        for is_tied, ranking, (probe_id, words, scores) in zip(tied, ranked["ranking"], columns, strict=True)
    ]
    return ranked.with_columns(ranking=pl.Series(drawn, dtype=pl.List(pl.String)))


def _drawn(probe_id: str, words: list[str], scores: list[float], seed: int) -> list[str]:
    draw = random.Random(f"{seed} {probe_id}")  # noqa: S311
    in_order = sorted(zip(words, scores, strict=True))
    shuffled = draw.sample(in_order, len(words))
    return [word for word, _ in sorted(shuffled, key=lambda pair: -pair[1])]


def examples(table: pl.DataFrame) -> pl.DataFrame:
    """Return the answers (`first_answers`) about EXAMPLES hyponyms per set: the paper's, then the most frequent others."""
    hyponyms = table.select("set", "hyponym").unique(maintain_order=True)
    zipf = pl.Series("zipf", [frequency(word, "zipf", language="en") for word in hyponyms["hyponym"]])
    order = [pl.col("hyponym").is_in(PAPER), zipf]
    best = (
        hyponyms.sort(order, descending=True, maintain_order=True).group_by("set", maintain_order=True).head(EXAMPLES)
    )
    return best.join(table, on=["set", "hyponym"], maintain_order="left").select(table.columns)


def several_tokens(scores: Mapping[str, Scores]) -> pl.DataFrame:
    """Return the candidates that are several tokens of a model at a slot: agent, word, tokens.

    >>> scores = {"method": "slot", "words": [["bird", "hippopotamus"]], "tokens": [[1, 3]]}
    >>> several_tokens({"m": pl.DataFrame(scores)}).rows()
    [('m', 'hippopotamus', 3)]
    """
    if not scores:
        return pl.DataFrame(schema=dict.fromkeys(TOKENS, pl.String()))
    parts = [table.with_columns(agent=pl.lit(agent)).filter(method="slot") for agent, table in scores.items()]
    long = pl.concat(parts).select("agent", word="words", tokens="tokens").explode("word", "tokens")
    return long.filter(pl.col("tokens") > 1).unique().sort("agent", "word")


def _answers(results: Results) -> pl.DataFrame:
    return first_answers(results.scores_of_models(), results.probes, results.item_table, results.settings.seed)


def _examples(results: Results) -> pl.DataFrame:
    return examples(_answers(results))


def _tokens(results: Results) -> pl.DataFrame:
    return several_tokens(results.scores_of_models())


TABLES = {"examples": _examples, "tokens": _tokens, "answers": _answers}
