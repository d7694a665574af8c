"""What the choices change that the paper leaves open: every agent's accuracy under each choice and under another one.

## What other choices would change

```yaml
table: sensitivity
part: Choices and prompts
empty: No choice can change an answer of an agent.
columns:
  diagnostic: "what is asked: open, singular, plural, and others"
  value: the accuracy with the choice of this study
  other_hyponyms: the number of hyponyms that other_value is over
```

Some choices are left open. A row has the accuracy with the choice of this study, that with another one, and
their difference.

An agent has a row where the choice can change an answer: for example, only sentences that hold their hyponym twice,
or have another article than the category needs, have two readings.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.systematicity.inflection import article
from relprobe.studies.systematicity.method import closed_answers, responses
from relprobe.studies.systematicity.prompts import NUMBERS
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Items, Probes, Scores

PLACE = 8


SENSITIVITY = settings.schema("diagnostic", "set", "agent", units="hyponyms")


SETTINGS = {
    "prompt": Setting("prompt", "the first one of the file", "mean over all prompts"),
    "score": Setting("score", "the category at the slot", "the full sentence"),
    "ties": Setting("categories of equal scores", "mean over all orders", "the first one wins"),
    "contextual": Setting("sentences", "", ""),
    "article": Setting("article that gives a category away", "all hyponyms", "without the categories with “an”"),
    "tokens": Setting("categories of several tokens", "sum over the tokens", "mean over the tokens"),
}
"""The readings of sentences depend on the configuration."""


READINGS = {
    "mended": "mended: each occurrence replaced, article of the category",
    "released": "released: the first occurrence replaced, article of the hyponym",
}


def sensitivity(scores: Mapping[str, Scores], probes: Probes, items: Items) -> pl.DataFrame:
    """Return the accuracies under each choice and under the other one (SENSITIVITY), where an agent has both.

    `scores`: those of models and static vectors, by agent. A choice that changes no answer has a row, too, if it could
    have changed one.
    """
    rows = [
        row | {"agent": agent}
        for agent, table in scores.items()
        for row in _agent_rows(responses(table, probes, items).filter(~pl.col("control")))
    ]
    by_set = settings.table(rows, SENSITIVITY).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)
    return settings.concat_by_choice([by_set], [setting.choice for setting in SETTINGS.values()])


def _agent_rows(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    main = rows.filter("main")
    usual = closed_answers(main, "slot")
    number_answers = closed_answers(rows.filter(pl.col("kind").is_in(NUMBERS)), "slot")
    if number_answers["prompt"].n_unique() > 1:
        yield from _rows("prompt", usual.filter(pl.col("kind").is_in(NUMBERS)), number_answers)
    yield from _rows("score", usual, closed_answers(main, "sentence"))
    tied = pl.col("scores").list.eval(pl.element() == pl.element().max()).list.sum() > 1
    if usual.select(tied.any()).item():
        first = pl.col("words").list.get(pl.col("scores").list.arg_max())
        yield from _rows("ties", usual, usual.with_columns(right=(first == pl.col("gold")).cast(pl.Float64)))
    yield from _readings(rows)
    with_an = [word for word in usual["category"].unique() if article(word) == "an"]
    if with_an:
        with_article = usual.filter(pl.col("kind") != "plural")
        yield from _rows("article", with_article, with_article.filter(~pl.col("category").is_in(with_an)))
    if usual.select((pl.col("tokens").list.max() > 1).any()).item():
        mean = pl.col("scores") / pl.col("tokens").cast(pl.List(pl.Float32))
        yield from _rows("tokens", usual, closed_answers(main.filter(method="slot").with_columns(scores=mean), "slot"))


def _readings(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of the sentences that differ between both readings, and so of all sentences."""
    contextual = rows.filter(kind="contextual")
    other_sentences = closed_answers(contextual.filter(~pl.col("main")), "slot")
    if other_sentences.is_empty():
        return
    usual = closed_answers(contextual.filter("main"), "slot")
    unchanged = usual.join(other_sentences, on=["set", "hyponym"], how="anti")
    usual_reading, other_reading = (READINGS[table["prompt"][0]] for table in (usual, other_sentences))
    for row in _rows("contextual", usual, pl.concat([unchanged, other_sentences])):
        yield row | {"here": usual_reading, "other": other_reading}


def _rows(choice: str, usual: pl.DataFrame, alternative: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a row per set and diagnostic that both tables have."""
    values, other_values = _accuracies(usual), _accuracies(alternative)
    for (name, kind), value in values.items():
        if (name, kind) in other_values:
            columns = {"units": "hyponyms", "set": name, "diagnostic": kind}
            yield settings.row(SETTINGS[choice], value, other_values[name, kind], **columns)


def _accuracies(rows: pl.DataFrame) -> dict[tuple[str, str], Mean]:
    """Return (set, diagnostic) -> the accuracy and the number of hyponyms; the prompts of a hyponym are averaged first."""
    means = rows.group_by("set", "kind", maintain_order=True).agg(ordered_mean("right"), pl.col("hyponym").n_unique())
    return {(name, kind): Mean(right, count) for name, kind, right, count in means.iter_rows()}


def _table(results: Results) -> pl.DataFrame:
    return sensitivity(results.scores or {}, results.probes, results.item_table)


TABLES = {"sensitivity": _table}
