"""What each agent answers to a probe of each relation, or to those that the study names (Table 5).

## What the agents answer

```yaml
table: top_words
columns:
  prompted: the relation that the probe asks for
  top_*: the first, second and third word, and the relation whose relatum set holds it
```

The first three words of each agent to one probe of each relation, or to those of relations.shown_probes. Behind a
word stands the relation whose relatum set of the target holds it *(Table 5 of the paper, whose bold words are
those with antonymy)*.

Words that the same number of people named are in the order of `ties`, if this is favourable or unfavourable, and
otherwise in the order in which they were first named.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.core.relation import Relations
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.relations.results import Results

PLACE = 3


SHOWN = 3
"""Words per agent in Table 5."""


def default_probes(
    words: Mapping[str, pl.DataFrame], probes: pl.DataFrame, *, relations: Relations, language: str
) -> list[str]:
    """Return one main probe per relation: among the probes that most agents have answered, the most frequent target's."""
    answered = pl.concat([table.select("probe_id").unique() for table in words.values()]).group_by("probe_id").len()
    main = probes.filter(kind="main").join(answered, on="probe_id")
    frequent = main.join(frequencies(main["target"], language=language), left_on="target", right_on="word", how="left")
    best = frequent.sort("len", "frequency", "probe_id", descending=[True, True, False], nulls_last=True)
    first = best.unique("relation", keep="first", maintain_order=True)
    return first.sort(pl.col("relation").cast(relations.order))["probe_id"].to_list()


def best_words_table(words: Mapping[str, pl.DataFrame], probes: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return Table 5 for the probes `names`: a row per probe and agent, a column per rank.

    `words`: agent -> TOP_WORDS. A word in a relatum set of the target has its relation behind it. ConfigError: the study has
    no such probe.
    """
    main = probes.filter(kind="main")
    unknown = sorted(set(names) - set(main["probe_id"]))
    if unknown:
        raise ConfigError(
            f"config: relations.shown_probes names {unknown[0]!r}, but the study asks no such probe: "
            "write PROMPT:TARGET, with a target of the prompt's relation."
        )
    text = pl.when(pl.col("relation").is_null()).then("word").otherwise(pl.format("{} ({})", "word", "relation"))
    order = pl.DataFrame({"probe_id": names}, schema={"probe_id": pl.String})
    rows = order.join(main.select("probe_id", probe="text", prompted="relation"), on="probe_id", maintain_order="left")
    tables = [
        rows.join(table.with_columns(shown=text), on="probe_id", how="left", maintain_order="left_right")
        .group_by("probe", "prompted", maintain_order=True)
        .agg(pl.col("shown").get(rank, null_on_oob=True).alias(f"top_{rank + 1}") for rank in range(SHOWN))
        .select("probe", "prompted", pl.lit(agent).alias("agent"), pl.selectors.starts_with("top_"))
        for agent, table in words.items()
    ]
    return pl.concat(tables).sort(
        pl.col("probe").cast(pl.Enum(rows["probe"].unique(maintain_order=True))), maintain_order=True
    )


def _table(results: Results) -> pl.DataFrame:
    gold, words = results.gold, results.top_words
    names = results.settings.shown or default_probes(
        words, gold.probes, relations=gold.relations, language=results.language.wordfreq
    )
    return best_words_table(words, gold.probes, names)


TABLES = {"top_words": _table}
