"""What the answers page of the systematicity study shows: how every agent ranks the categories, and its first words."""

from collections.abc import Collection, Mapping
from pathlib import Path

import polars as pl

from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, publish
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.measure.metrics import with_gold
from relprobe.studies.systematicity.schemas import COMPLETE, Items, Probes, ReplyChoices, Scores

TITLE = "Answers: systematicity"
LEAD = (
    "How every agent completes each sentence. In singular, plural and contextual probes it ranks the categories of the "
    "study at the slot; the number behind a category is its share among them. In open probes it answers with any word of "
    "its vocabulary, and the number is the probability. "
    "The right category is bold and on green. Static vectors rank by cosine and have no numbers. "
    "An agent with people's task has the categories that it has chosen, with their shares of its answers."
)
LABELS = Labels(
    "Kind of probe",
    "Set",
    "Hyponym",
    weight="share",
    gold="right_for",
    first="accuracy; open@1",
    others=False,
    prompt_texts=False,
)
OPEN = "open"


def answers(
    probes: Probes,
    item_table: Items,
    template: Path,
    out: Path,
    scores: dict[str, Scores] | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    *,
    models: list[str] | None = None,
    vectors: list[str] | None = None,
) -> None:
    """Write the page of all agents' answers to each sentence.

    `template`: that of the page. `reply_choices`: what the agents with people's task have chosen. `models`: the agents that
    are models. `vectors`: those that are static vectors, whose scores are cosines.
    """
    every = agents(scores or {}, probes, item_table, vectors or ())
    readable = {name: table for name, table in (reply_choices or {}).items() if absence(table) is None}
    every += [Agent(name, category_choices(table, probes)) for name, table in readable.items()]
    data = sentences(probes, item_table), gold(item_table)
    publish(TITLE, LEAD, *data, every, template, out, LABELS, models=models or ())


def sentences(table: Probes, items: Items) -> pl.DataFrame:
    """Return the probes of the page (PROBES of report.answers), without those of the controls.

    The main singular probe of a hyponym is an open probe as well.
    """
    asked = table.join(
        items.select("set", "hyponym").unique(), on=["set", "hyponym"], how="semi", maintain_order="left"
    )
    asked = asked.filter(~pl.col("kind").str.starts_with("control"))
    also_open = asked.filter(pl.col("main"), kind="singular").with_columns(pl.lit(OPEN).alias("kind"))
    both = pl.concat([asked, also_open])
    zipf = frequencies(both["hyponym"], "zipf", language="en").select(hyponym="word", zipf="frequency")
    return (
        both.join(zipf, on="hyponym", how="left", maintain_order="left")
        .select(
            pl.when(kind=OPEN)
            .then(pl.format("{}:{}", pl.lit(OPEN), "probe_id"))
            .otherwise("probe_id")
            .alias("probe_id"),
            group="kind",
            prompt_id=pl.when("main")
            .then(pl.format("{} ({})", "set", "kind"))  # as in `addresses.prompt`
            .otherwise(pl.format("{} ({}, prompt {})", "set", "kind", "prompt")),
            target="hyponym",
            text=pl.col("text").str.replace("[V]", "…", literal=True),
            zipf="zipf",
        )
        .cast(PROBES)
    )


def gold(items: Items) -> pl.DataFrame:
    """Return the right categories (GOLD of report.answers) of the items, in the number that the probe asks for."""
    number = {"singular": "category", "contextual": "category", OPEN: "category", "plural": "category_plural"}
    parts = [
        items.select(target="hyponym", group=pl.lit(kind), word=column, source="set") for kind, column in number.items()
    ]
    return pl.concat(parts).unique(["target", "group", "word"], maintain_order=True).cast(GOLD)


def agents(scores: Mapping[str, Scores], table: Probes, items: Items, vectors: Collection[str] = ()) -> list[Agent]:
    """Return what each agent answered; the scores of `vectors` are no probabilities, and have no shares."""
    return [
        Agent(name, _ranked(of_agent, table, items, shares=name not in vectors)) for name, of_agent in scores.items()
    ]


def category_choices(choices: ReplyChoices, table: Probes) -> pl.DataFrame:
    """Return the categories that an agent has chosen to complete each main probe (ANSWERS), the most frequent first.

    Answers without a choice have no row, but count in the shares.
    """
    key = ["set", "kind", "hyponym"]
    said = choices.filter(task=COMPLETE).join(table.filter("main").select(*key, "probe_id"), on=key)
    share = pl.len() / pl.col("answers").first()
    counts = said.with_columns(answers=pl.len().over("probe_id")).group_by("probe_id", word="choice").agg(weight=share)
    rows = counts.filter(pl.col("word") != "").sort("probe_id", "weight", "word", descending=[False, True, False])
    return (
        rows.with_columns(rank=pl.int_range(pl.len()).over("probe_id") + 1)
        .select(list(FIRST_ANSWERS))
        .cast(FIRST_ANSWERS)
    )  # type: ignore[arg-type]


def _ranked(scores: Scores, table: Probes, items: Items, *, shares: bool) -> pl.DataFrame:
    """Rank the candidates of each probe at the slot, as the metrics do for all agents."""
    rows = with_gold(scores, table, items).filter(~pl.col("control"), pl.col("method").is_in(["slot", OPEN]))
    long = rows.select("probe_id", is_open=pl.col("method") == OPEN, word="words", score="scores").explode(
        "word", "score"
    )
    key = ["probe_id", "is_open"]
    # The log-probability of a category of many tokens is far below 0, so shares are taken from the best one on.
    relative = (pl.col("score") - pl.col("score").max().over(key)).exp()
    share = pl.when("is_open").then(pl.col("score").exp()).otherwise(relative / relative.sum().over(key))
    weight = share if shares else pl.lit(None)
    rank = pl.col("score").rank("ordinal", descending=True).over(key)
    name = pl.when("is_open").then(pl.format("{}:{}", pl.lit(OPEN), "probe_id")).otherwise("probe_id")
    first = long.with_columns(rank=rank, weight=weight).filter(pl.col("rank") <= 10)
    return first.with_columns(probe_id=name).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS)
