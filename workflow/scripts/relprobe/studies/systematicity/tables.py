"""The tables of the method: the overview (Table 2), the data, and what is left out; and the page of all answers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, Texts, publish
from relprobe.sources.word_frequency import frequencies
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.hyponyms import RESOURCE
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import DETECTION_METRICS, responses
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import (
    COMPLETE,
    PARTS,
    SETS,
    Items,
    Pairs,
    Probes,
    ReplyChoices,
    Scores,
)

# The tables of the report.


def overview(averages: Averages, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order of `agents`, and a column per metric.

    `hyponyms` and `answered` count those of the singular: in its average, and those that the agent has answered.
    `own_hyponyms`: some average is over other hyponyms than those of the other agents.

    >>> counts = {"units": 18, "answered": 20, "own_units": False}
    >>> row = {"agent": "static", "metric": "singular", "condition": "extended", "value": 0.5, **counts}
    >>> overview(pl.DataFrame([row]), ["static"]).row(0)
    ('extended', 'static', 0.5, 18, 20, False)
    """
    columns = [metric.name for metric in MEASURES if metric.name not in DETECTION_METRICS.values()]
    rows = averages.join(pl.DataFrame({"metric": columns}), on="metric", how="inner", maintain_order="right")
    key = ["condition", "agent"]
    singular_counts = rows.filter(metric="singular").select(*key, hyponyms="units", answered="answered")
    wide = rows.pivot("metric", index=key, values="value").join(singular_counts, on=key, how="left")
    other_units = rows.group_by(key).agg(own_hyponyms=pl.col("own_units").any())
    wide = wide.join(other_units, on=key).rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))


# The size of the data: the diagnostics (Table 1) and the parts of the pairs (Tables 5 and 6); and what a run lacks.


CHOOSES = "It takes people's task: it chooses one of the categories, and gives no probabilities and no states."


def diagnostics(items: Items) -> pl.DataFrame:
    """Return Table 1: the number of items by diagnostic, per set and category, and in all (rows without a category)."""
    counts = {"singular": pl.len(), "plural": pl.len(), "contextual": pl.col("sentence").is_not_null().sum()}
    in_all = items.group_by("set", maintain_order=True).agg(**counts)
    by_category = items.group_by("set", "category", maintain_order=True).agg(**counts)
    table = pl.concat([in_all, by_category], how="diagonal").select("set", "category", *counts)
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def parts(pairs: Pairs) -> pl.DataFrame:
    """Return Tables 5 and 6: per setting and fold the pairs of each part, the share of true pairs in the test, hyponyms.

    `hyponyms` counts those that have pairs: `contexts.pairs_in_carriers` leaves hyponyms of too large a category without.
    """
    counts = {part: (pl.col("part") == part).sum() for part in PARTS}
    true = ordered_mean(pl.col("label").filter(pl.col("part") == "test"))
    return pairs.group_by("setting", "fold", maintain_order=True).agg(
        **counts, true_in_test=true, hyponyms=pl.col("hyponym").n_unique()
    )


def omissions(resources: Collection[str], task_agents: Iterable[str] = ()) -> pl.DataFrame:
    """Return the parts of the paper that this run leaves out, and why: what, reason.

    `resources`: the optional ones. `task_agents`: the agents that take people's task.

    >>> omissions(["systematicity", "static_vectors", "corpus"]).is_empty()
    True
    """
    reasons = {
        "corpus": (
            "Pattern matching (section 3.4)",
            "It asks which pairs Wikipedia holds as “[hyponym] is a [hypernym]”, and so it needs a corpus: give its text as "
            "resources.corpus.",
        ),
        "systematicity": (
            "LM Diagnostic, the released sentences and splits",
            "The authors' data are not configured (resources.systematicity). Items from WordNet have no sentences, so that "
            "there is no contextual and no aggregate accuracy, and the classifier's pairs stand in carrier sentences.",
        ),
        "static_vectors": ("Static vectors", "None are configured (resources.static_vectors)."),
    }
    if RESOURCE in resources:
        reasons["systematicity"] = (
            reasons["systematicity"][0],
            f"Own hyponyms (resources.{RESOURCE}) take their place.",
        )
        resources = [name for name in resources if name != "systematicity"]
    rows = [reason for name, reason in reasons.items() if name not in resources]
    rows += [
        (f"Open answers, scores of sentences, log-probabilities and classifiers of {name}", CHOOSES)
        for name in task_agents
    ]
    return pl.DataFrame(rows, schema={"what": pl.String(), "reason": pl.String()}, orient="row")


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "overview": lambda results: overview(results.averages, list(results.metrics)),
    "averages": lambda results: results.averages,
    "detection": lambda results: results.detection,
    "tests": lambda results: results.tests,
    "controls": lambda results: beyond_controls(results.tests, results.settings.controls),
    "contrasts": lambda results: results.contrasts,
    "diagnostics": lambda results: diagnostics(results.item_table),
    "parts": lambda results: parts(results.pairs),
    "left_out": lambda results: omissions(results.settings.resources or [], results.reply_choices or []),
}
"""Name -> the table of the page; the other ones are those of analyses."""


# What the answers page of the systematicity study shows: how every agent ranks the categories, and its first words.


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


def answers(results: Results, template: Path, out: Path, *, models: list[str] | None = None, run: str = "") -> None:
    """Write the page of all agents' answers to each sentence.

    `template`: that of the page. `models`: the agents that are models. `run`: the title of the run.
    """
    probes, items = results.probes, results.item_table
    all_agents = agents(results.scores or {}, probes, items, results.settings.vectors or ())
    readable = {name: table for name, table in (results.reply_choices or {}).items() if absence(table) is None}
    all_agents += [Agent(name, category_choices(table, probes)) for name, table in readable.items()]
    data = sentences(probes, items), gold(items)
    publish(Texts(TITLE, LEAD, LABELS, run=run), *data, all_agents, template, out, models or ())


def sentences(table: Probes, items: Items) -> pl.DataFrame:
    """Return the probes of the page (PROBES of report.answers), without those of the controls.

    The main singular probe of a hyponym is an open probe as well.
    """
    asked = table.join(
        items.select("set", "hyponym").unique(), on=["set", "hyponym"], how="semi", maintain_order="left"
    )
    asked = asked.filter(~pl.col("kind").str.starts_with("control"))
    also_open = asked.filter(pl.col("main"), kind="singular").with_columns(pl.lit(OPEN).alias("kind"))
    sentences_asked = pl.concat([asked, also_open])
    zipf = frequencies(sentences_asked["hyponym"], "zipf", language="en").select(hyponym="word", zipf="frequency")
    return (
        sentences_asked.join(zipf, on="hyponym", how="left", maintain_order="left")
        .select(
            pl.when(kind=OPEN)
            .then(pl.format("{}:{}", pl.lit(OPEN), "probe_id"))
            .otherwise("probe_id")
            .alias("probe_id"),
            group="kind",
            prompt_id=pl.when("main")
            .then(pl.format("{} ({})", "set", "kind"))  # as in `page.answers`
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
        Agent(name, _ranked(agent_scores, table, items, shares=name not in vectors))
        for name, agent_scores in scores.items()
    ]


def category_choices(choices: ReplyChoices, table: Probes) -> pl.DataFrame:
    """Return the categories that an agent has chosen to complete each main probe (ANSWERS), the most frequent first.

    Answers without a choice have no row, but count in the shares.
    """
    key = ["set", "kind", "hyponym"]
    completed = choices.filter(task=COMPLETE).join(table.filter("main").select(*key, "probe_id"), on=key)
    share = pl.len() / pl.col("answers").first()
    counts = (
        completed.with_columns(answers=pl.len().over("probe_id")).group_by("probe_id", word="choice").agg(weight=share)
    )
    rows = counts.filter(pl.col("word") != "").sort("probe_id", "weight", "word", descending=[False, True, False])
    return (
        rows.with_columns(rank=pl.int_range(pl.len()).over("probe_id") + 1)
        .select(list(FIRST_ANSWERS))
        .cast(FIRST_ANSWERS)
    )  # type: ignore[arg-type]


def _ranked(scores: Scores, table: Probes, items: Items, *, shares: bool) -> pl.DataFrame:
    """Rank the candidates of each probe at the slot, as the metrics do for all agents."""
    rows = responses(scores, table, items).filter(~pl.col("control"), pl.col("method").is_in(["slot", OPEN]))
    long = rows.select("probe_id", is_open=pl.col("method") == OPEN, word="words", score="scores").explode(
        "word", "score"
    )
    key = ["probe_id", "is_open"]
    # The log-probability of a category of many tokens is far below 0, so shares are taken from the best one on.
    relative = (pl.col("score") - pl.col("score").max().over(key)).exp()
    share = pl.when("is_open").then(pl.col("score").exp()).otherwise(relative / ordered_sum(relative).over(key))
    weight = share if shares else pl.lit(None)
    rank = pl.col("score").rank("ordinal", descending=True).over(key)
    name = pl.when("is_open").then(pl.format("{}:{}", pl.lit(OPEN), "probe_id")).otherwise("probe_id")
    first = long.with_columns(rank=rank, weight=weight).filter(pl.col("rank") <= 10)
    return first.with_columns(probe_id=name).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS)
