"""What models that write lists have written: how much of it could be read, and its entropy, as people's (Table 3).

```yaml
may_lack:
  task_agents: "agents that write lists (task: list or people)"
```

## Response entropy of models that write lists

```yaml
table: writing_entropy
needs: [task_agents]
part: How people answer
empty: No agent has lists that can be read.
```

The same as for the humans, for agents with task: list. The words of all samples are pooled; entries that are not one
word do not count.

A probe with one list holds every word once, so its entropy is 1, or 0 with one word: only agents with samples compare
with people.

## What models have written

```yaml
table: writing
part: Data
needs: [task_agents]
columns:
  answers: the number of answers
  words: the mean number of words of an answer
  empty: the share of answers without any word
  respelled: how many words differ from a word of the study in capitals alone, and count as it
  unreadable: the share of all entries that are no word, or expression of up to four, in the letters of the language
```

Agents that write up to five words to a probe, as the participants did (task: list). words: the mean number of words
of an answer; empty: the share of answers without any; respelled: how many words differ from the study's in capitals
alone, and count as these; unreadable: the share of all entries that are no word of the language;
note: why an agent has no value, which is so if more than a fifth of its answers are empty.
"""

from collections.abc import Collection, Mapping

import polars as pl

from relprobe.core.relation import Relations
from relprobe.sources.written import Capitals
from relprobe.studies.relations.lists import absence, spelled_lists
from relprobe.studies.relations.method import pooled_responses, response_entropy
from relprobe.studies.relations.results import Results
from relprobe.studies.relations.schemas import WRITING
from relprobe.studies.relations.tables import by_relation

PLACE = 5


def summary(writing: Mapping[str, pl.DataFrame], probes: pl.DataFrame, capitals: Capitals) -> pl.DataFrame:
    """Return per agent and relation how much of its answers could be read: agent -> WRITING.

    answers: their number; words: the mean number of words of an answer; empty: the share of answers without any word;
    respelled: the number of words that differ from the study's in capitals alone (`capitals`), and count as these;
    unreadable: the share of all entries that are no word; note: why the agent has no value (`absence`).
    """
    relation = probes.select("probe_id", "relation")
    columns = pl.col("words").list.len()
    parts = [
        rows.join(relation, on="probe_id")
        .with_columns(respelled=pl.col("words").list.eval(_is_respelled(capitals)).list.sum())
        .group_by("relation")
        .agg(
            agent=pl.lit(agent).first(),
            probes=pl.col("probe_id").n_unique(),
            answers=pl.len(),
            words=columns.mean(),
            empty=(columns == 0).mean(),
            respelled=pl.col("respelled").sum(),
            unreadable=pl.col("unreadable").sum() / (columns.sum() + pl.col("unreadable").sum()),
            note=pl.lit(absence(rows), pl.String).first(),
        )
        for agent, rows in writing.items()
    ]
    order = ["agent", "relation", "probes", "answers", "words", "empty", "respelled", "unreadable", "note"]
    return pl.concat(parts).select(order).sort("agent", "relation")


def _is_respelled(capitals: Capitals) -> pl.Expr:
    return pl.element().map_elements(capitals.is_respelled, pl.Boolean)


def entropies(writing: Mapping[str, pl.DataFrame], probes: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Table 3 for the words of each agent's lists, as for people (`ceiling.by_relation`): agent -> WRITING.

    The words of all answers to a probe are pooled. A probe without a readable word is no response.
    """
    relation = probes.select("probe_id", "relation")
    parts = []
    for agent, rows in writing.items():
        words = rows.select("probe_id", word="words").explode("word").join(relation, on="probe_id")
        values = response_entropy(pooled_responses(words)).join(relation, on="probe_id")
        parts.append(by_relation(values, words, relations=relations).select(pl.lit(agent).alias("agent"), pl.all()))
    return pl.concat(parts)


def _lists(results: Results) -> dict[str, pl.DataFrame]:
    """Return agent -> what it has written (WRITING)."""
    return {file.agent: file.table(WRITING) for file in results.writing or []}


def _writing(results: Results) -> pl.DataFrame:
    gold = results.gold
    return summary(_lists(results), gold.probes, gold.capitals)


def _entropy(results: Results) -> pl.DataFrame:
    gold = results.gold
    spelled = {agent: spelled_lists(table, gold.capitals) for agent, table in _lists(results).items()}
    return entropies(spelled, gold.probes, relations=gold.relations)


TABLES = {"writing_entropy": _entropy, "writing": _writing}


def headline(tables: Mapping[str, pl.DataFrame], _models: Collection[str]) -> tuple[str, str]:
    """Return, for the folded part of the page's head, why agents that write lists have no value."""
    if "writing" not in tables:
        return "", ""
    notes = tables["writing"].select("agent", "note").unique(maintain_order=True).drop_nulls()
    return "", " ".join(f"{agent} has {note}." for agent, note in notes.iter_rows())
