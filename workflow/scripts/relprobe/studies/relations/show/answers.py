"""The pages of all answers, and the probes that the first page shows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.core.relation import Relations
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, publish
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.relations.measure.agents import Control
from relprobe.studies.relations.schemas import Probes, Relata, TopWords

# Table 5: what the agents answer to chosen probes.


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


# What the answers page of the relations study shows: its probes, its relatum sets and its agents' first words.


TITLE = "Answers: semantic relations"
LEAD = (
    "The first ten answers of every agent to every probe. Bold answers on green are right: they are in the target's relatum "
    "set of the relation that the probe asks for. An answer in the relatum set of another relation has that relation's "
    "name. {numbers}"
)
NUMBERS = (
    "The number behind an answer is a model's probability, or the share of the people asked who named it; of agents "
    "that write lists and of norms it is the share of all their answers, and of the controls majority and frequency it says "
    "how common the word is, among right answers and in texts."
)
NUMBERS_OF_LISTS = (
    "The number behind an answer of a model is its share among the candidates of the probe: of all words of its closed list "
    "the shares sum to 100 %. Of people it is the share of those asked who named the word, and of agents that write lists "
    "and of norms the share of all their answers. Controls have no such number."
)
HEAD_OF_LISTS = "answers, those of models with their share among the candidates of the probe"
SIMILARITIES = ("neighbours", "typical")
"""The controls whose weights are cosines, and no shares, so that the page has no numbers of them."""
CONTROLS: tuple[str, ...] = get_args(Control)
"""The controls, none of which has shares among candidates."""


def answers(
    top_words: dict[str, TopWords],
    probes: Probes,
    relata: Relata,
    language: LanguageFile,
    relations: RelationsFile,
    template: Path,
    out: Path,
    *,
    people: list[str] | None = None,
    models: list[str] | None = None,
    run: str = "",
    closed: bool = False,
) -> None:
    """Write the page of all agents' first answers to each probe. `people`, `models`: the agents that are these.

    `template`: the file of the page's form. `run`: the title of the run. `closed`: the answers are words of closed lists.
    """
    shown = main_probes(probes, language.wordfreq)
    labels = Labels(names=relations.names)
    if closed:
        labels = replace(labels, weight="share_among_candidates", head=HEAD_OF_LISTS)
    lead = LEAD.format(numbers=NUMBERS_OF_LISTS if closed else NUMBERS)
    lead = f"{lead} {_other_probes(probes)}".strip()
    every = agents(top_words, people or [], CONTROLS if closed else SIMILARITIES)
    publish(TITLE, lead, shown, gold(relata), every, template, out, labels, models=models or (), run=run)


def _other_probes(probes: pl.DataFrame) -> str:
    """Say how many probes the study asks that are not on the page.

    >>> _other_probes(pl.DataFrame({"kind": ["main", "trick"]}))
    'The study also asks 1 trick probes, the prompts of a relation with targets of its reverse, which are not shown here.'
    """
    tricks = probes.filter(pl.col("kind") != "main").height
    if not tricks:
        return ""
    return (
        f"The study also asks {tricks:,} trick probes, the prompts of a relation with targets of its reverse, which are not "
        "shown here."
    )


def main_probes(table: pl.DataFrame, language: str) -> pl.DataFrame:
    """Return the main probes of the study (PROBES of report.answers), from its table of probes.

    `language`: its code in wordfreq.

    >>> row = {"probe_id": "hyp-is:robin", "relation": "HYP", "target": "robin", "prompt_id": "hyp-is", "kind": "main"}
    >>> main_probes(pl.DataFrame([{**row, "text": "a robin is [DET] [V]"}]), "en").select("group", "text").row(0)
    ('HYP', 'a robin is a(n) …')
    """
    main = table.filter(kind="main")
    text = pl.col("text").str.replace("[DET]", "a(n)", literal=True).str.replace("[V]", "…", literal=True)
    zipf = frequencies(main["target"], "zipf", language=language).select(target="word", zipf="frequency")
    with_zipf = main.join(zipf, on="target", how="left", maintain_order="left")
    return with_zipf.with_columns(text, group="relation").select(list(PROBES)).cast(PROBES)


def gold(relata: pl.DataFrame) -> pl.DataFrame:
    """Return the correct answers (GOLD of report.answers), from the relatum sets."""
    source = pl.col("sources").list.sort().list.join(", ")
    return relata.select("target", group="relation", word="relatum", source=source).cast(GOLD)


def agents(
    words: Mapping[str, pl.DataFrame], people: Collection[str], without: Collection[str] = SIMILARITIES
) -> list[Agent]:
    """Return the agents. `words`: agent -> TOP_WORDS. `without`: the agents whose weights are no numbers to be shown.

    A single annotator has no words of its own, and is left out.
    """
    shares = {
        name: table.with_columns(weight=pl.lit(None, pl.Float32)) if name in without else table
        for name, table in words.items()
    }
    return [
        Agent(name, table.select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS), name in people)
        for name, table in shares.items()
        if not (name in people and table.is_empty())
    ]
