"""The tables of all agents' results: metrics per relation, and what open choices and prompts change."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.report.tables import sent_texts
from relprobe.sources.language import LanguageFile
from relprobe.studies.relations.compare.lists.readability import entropies, summary
from relprobe.studies.relations.compare.sensitivity import WITHOUT
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.measures import MEASURES
from relprobe.studies.relations.schemas import (
    CONFIGURED,
    SENSITIVITY,
    WRITING,
    Averages,
    Contrasts,
    Sensitivity,
    Tests,
    TopWords,
)
from relprobe.studies.relations.show.data_tables import data_table, lexicon_coverage, vocabularies
from relprobe.studies.relations.show.shown_probes import best_words_table as shown_words
from relprobe.studies.relations.show.shown_probes import default_probes
from relprobe.studies.relations.show.ways import ways_table


def tables(
    gold: GoldStandard,
    averages: Averages,
    tests: Tests,
    contrasts: Contrasts,
    top_words: dict[str, TopWords],
    language: LanguageFile,
    sensitivity: dict[str, Sensitivity] | None = None,
    lexicons: dict[str, Lexicon] | None = None,
    scores: list[ScoreFile] | None = None,
    writing: list[ScoreFile] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    shown: list[str] | None = None,
    ways: dict[str, Any] | None = None,
) -> ShownTables:
    """Write the size of the study, the averages and tests of all agents, their sensitivity, coverage and best words.

    `contrasts`: the tests between relations. `lexicons`: of the models that are scored. `scores`: the files that these have
    answered with, whose metadata say what was sent; `writing` are those of models that write lists, and `replies` of those
    that only chat. A study may have none of each, and no `sensitivity` where all agents are asked layer by layer. `shown`:
    PROMPT:TARGET of the probes whose best words are shown; if none is named, one per relation. `ways`: the models that are
    asked in several ways (`core.ways.asked_in_several_ways`).
    """
    relations, code, inside = gold.relations, language.wordfreq, gold.inside()
    names = shown or default_probes(top_words, gold.probes, relations=relations, language=code)
    results = {
        "data": data_table(gold.probes, inside, gold.relata, relations=relations),
        "coverage": lexicon_coverage(lexicons or {}, gold.shared_lexicon, gold.tuples, inside, gold.relata),
        "vocabularies": vocabularies(lexicons or {}),
        "overview": overview(averages, relations=relations),
        "averages": averages,
        "tests": tests,
        "contrasts": contrasts,
        "sent": sent_texts([*(scores or []), *_messages(writing or [], replies or [])]),
        "top_words": shown_words(top_words, gold.probes, names),
    }
    if writing:
        lists = {file.agent: file.table(WRITING) for file in writing}
        results["writing"] = summary(lists, gold.probes)
        results["writing_entropy"] = entropies(lists, gold.probes, relations=relations)
    if ways:
        results["ways"] = ways_table(ways, averages)
    return results | sensitivity_tables(sensitivity or {})


def overview(averages: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return the averages (AVERAGES) per agent and relation, a column per metric (and k), and what they are over.

    targets and coverage are those of soundness: the number of targets, and the share that they make up of those which any
    agent has answered. own_targets: the agent lacks many of the others' targets, and is averaged over its own. tuples: the
    number of tuples, or pairs, of symmetry and asymmetry. prototypicality_targets: the number of targets with an answer of
    people that prototypicality can be compared with, if it is measured.
    """
    names = pl.DataFrame({"metric": [measure.name for measure in MEASURES]})
    rows = averages.join(names, on="metric", how="inner", maintain_order="right")
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    key = ["relation", "agent"]
    wide = rows.with_columns(name=name).pivot("name", index=key, values="value")
    sound = rows.filter(metric="soundness")
    over = sound.select(*key, targets="units", coverage="coverage", own_targets="own_units")
    pairs = rows.filter(pl.col("k").is_not_null()).group_by(key).agg(tuples=pl.col("units").max())
    table = wide.join(over, on=key, how="left", maintain_order="left")
    table = table.join(pairs, on=key, how="left", maintain_order="left")
    ranked = rows.filter(metric="prototypicality").select(*key, prototypicality_targets="units")
    if ranked.height:
        table = table.join(ranked, on=key, how="left", maintain_order="left")
    return table.sort(pl.col("relation").cast(relations.order), maintain_order=True)


def _messages(writing: Sequence[ScoreFile], replies: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Return the files whose metadata say what was sent for lists: of an agent that only chats, that of its replies."""
    chatting = {file.agent: file for file in replies}
    return [chatting.get(file.agent, file) for file in writing]


def sensitivity_tables(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return the sensitivity of all agents (agent -> SENSITIVITY), and its ranges, by the names of their files."""
    every = of_all(tables)
    return {"sensitivity": every, "sensitivity_ranges": ranges(every)}


def of_all(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of all agents (agent -> SENSITIVITY) as one, with the column agent."""
    none = pl.DataFrame(schema={"agent": pl.String, **SENSITIVITY})
    return pl.concat([none, *(table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in tables.items())])


def ranges(table: pl.DataFrame) -> pl.DataFrame:
    """Return the configured value of each agent and result, and its lowest and highest value under other choices or prompts.

    `table`: SENSITIVITY with the agent's name. Beside each end stands the choice that gives it, or the prompt that is left
    out: low_choice, high_choice, low_prompt and high_prompt. Of choices that give the same, the configured one is named, or
    else the first.
    """
    key = ["agent", "metric", "relation", "k"]
    prompt = pl.col("choice").str.starts_with(WITHOUT)
    ends: dict[str, pl.Expr] = {}
    for name, rows in (("choice", ~prompt), ("prompt", prompt)):
        value, of = pl.col("value").filter(rows), pl.col("choice").filter(rows).str.strip_prefix(WITHOUT)
        for end, place in (("low", value.arg_min()), ("high", value.arg_max())):
            ends[f"{name}_{end}"] = value.get(place, null_on_oob=True)
            ends[f"{end}_{name}"] = of.get(place, null_on_oob=True)
    configured = pl.col("value").filter(pl.col("choice") == CONFIGURED).first()
    ordered = table.sort(pl.col("choice") != CONFIGURED, maintain_order=True)
    groups = ordered.group_by(key, maintain_order=True).agg(configured=configured, **ends)
    return table.select(key).unique(maintain_order=True).join(groups, on=key, nulls_equal=True, maintain_order="left")
