"""Examples of answers (Table 3), and all answers in the same form."""

from collections.abc import Mapping

import polars as pl
import wordfreq

from relprobe.studies.systematicity.metrics import answered

PAPER = ("robin", "trout", "car", "aircraft", "bumblebee", "bedbug")
"""The hyponyms of the paper's Table 3."""
SHOWN = 6
FIRST = 3


def answers(responses: Mapping[str, pl.DataFrame], probes: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return, per set, hyponym and agent, the first three answers to each diagnostic, and whether the agent is consistent.

    `open` is chosen from the whole vocabulary, the others from the categories (by the full sentence where the agent was
    asked so); `consistent`: the singular and the plural answer are the same category.
    """
    parts = [_first(table, probes, items).with_columns(agent=pl.lit(agent)) for agent, table in responses.items()]
    wide = pl.concat(parts).pivot("kind", index=["set", "hyponym", "category", "agent"], values="said")
    kinds = [name for name in ("open", "singular", "plural", "contextual") if name in wide.columns]
    first = pl.concat(parts).pivot("kind", index=["set", "hyponym", "agent"], values="place")
    same = first.select("set", "hyponym", "agent", consistent=pl.col("singular") == pl.col("plural"))
    table = wide.join(same, on=["set", "hyponym", "agent"], how="left", maintain_order="left")
    order = [pl.col("set"), pl.col("agent").cast(pl.Enum(list(responses)))]
    return table.select("set", "agent", "hyponym", "category", *kinds, "consistent").sort(*order, maintain_order=True)


def _first(responses: pl.DataFrame, probes: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return set, hyponym, category, kind ("open" too), the first answers as text, and the place of the first category."""
    asked = answered(responses, probes, items).filter(~pl.col("control"))
    opened = pl.col("method") == "open"
    by_sentence = (pl.col("method") == "sentence").any().over("probe_id")
    asked = asked.filter(opened | (pl.col("method") == "sentence") | ~by_sentence)
    best = pl.col("scores").list.eval(pl.element().arg_sort(descending=True)).list.head(FIRST)
    ranked = asked.with_columns(
        kind=pl.when(opened).then(pl.lit("open")).otherwise("kind"),
        said=pl.col("words").list.gather(best).list.join(", "),
        place=pl.col("scores").list.arg_max(),
    )
    return ranked.select("set", "hyponym", "category", "kind", "said", "place")


def shown(table: pl.DataFrame) -> pl.DataFrame:
    """Return the answers about the paper's examples and, up to six per set, about the most frequent other hyponyms."""
    hyponyms = table.select("set", "hyponym").unique(maintain_order=True)
    frequency = [wordfreq.zipf_frequency(word, "en") for word in hyponyms["hyponym"]]
    order = [pl.col("hyponym").is_in(PAPER), pl.Series("zipf", frequency)]
    best = hyponyms.sort(order, descending=True, maintain_order=True).group_by("set", maintain_order=True).head(SHOWN)
    return best.join(table, on=["set", "hyponym"], maintain_order="left").select(table.columns)
