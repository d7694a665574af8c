"""The tables of the study, and the page of all answers."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, publish
from relprobe.report.tables import sent_texts
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.sources.word_frequency import frequency as word_frequency
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.letters import absence, places, readings
from relprobe.studies.systematicity.compare import consistency, frequency, verification
from relprobe.studies.systematicity.data import Choice, built_items, diagnostics, hyponyms_of, omissions, overlap, parts
from relprobe.studies.systematicity.measure import MEASURES, error_kinds, with_gold, with_ranking
from relprobe.studies.systematicity.published import recognition
from relprobe.studies.systematicity.schemas import (
    CATEGORY_LOGPROBS,
    COMPLETE,
    ERRORS,
    MAJORITY,
    SETS,
    CategoryLogprobs,
    Detection,
    Errors,
    Items,
    Metrics,
    Occurrences,
    OwnContrasts,
    Pairs,
    Probes,
    ReplyChoices,
    Scores,
)

# The tables of the agents' metrics, such as the overview (Table 2), and of the data.


def tables(
    metrics: dict[str, Metrics],
    averages: Averages,
    detection: Detection,
    agents: Tests,
    contrasts: OwnContrasts,
    item_table: Items,
    pairs: Pairs,
    choice: Choice,
    wordnet: WordNet | None = None,
    occurrences: Occurrences | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    categories: dict[str, list[str]],
    controls: list[str],
    scale: Scale,
    resources: list[str] | None = None,
) -> ShownTables:
    """Write the tables of the agents and of the data (Tables 1, 2, 4, 5 and 6; sections 3.4 and 3.5).

    `wordnet` comes with the authors' data: WordNet's items, by the `choice` of the step `probes`, are then counted beside
    theirs. `occurrences` comes with a corpus. `controls`: the agents that are no language models. `scale`: that of the
    frequencies. `resources` names the configured optional ones. `reply_choices`: what the agents with people's task have
    chosen, and `replies` the files of what they have said.
    """
    answering = {agent: table for agent, table in metrics.items() if agent != MAJORITY}
    results = {
        "overview": overview(averages, list(metrics)),
        "averages": averages,
        "detection": detection,
        "consistency": consistency(metrics),
        "frequency": frequency(answering, controls, scale),
        "tests": agents,
        "controls": beyond_controls(agents, controls),
        "contrasts": contrasts,
        "diagnostics": diagnostics(item_table),
        "parts": parts(pairs),
        "left_out": omissions(resources or [], reply_choices or []),
    }
    if wordnet is not None:
        built = built_items(hyponyms_of(wordnet, categories, choice))
        results["overlap"] = overlap(built, item_table.filter(set="extended"))
    if occurrences is not None:
        results["patterns"] = recognition(metrics, occurrences)
    if reply_choices:
        results |= {"choices": readings(reply_choices, "question"), "orders": places(reply_choices)}
        results |= {"verification": verification(reply_choices, metrics, item_table), "sent": sent_texts(replies or [])}
    return results


def overview(averages: Averages, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order of `agents`, and a column per metric.

    `hyponyms` and `answered` count those of the singular: in its average, and those that the agent has answered.
    `own_hyponyms`: some average is over other hyponyms than those of the other agents.

    >>> counts = {"units": 18, "answered": 20, "own_units": False}
    >>> row = {"agent": "static", "metric": "singular", "condition": "extended", "value": 0.5, **counts}
    >>> overview(pl.DataFrame([row]), ["static"]).row(0)
    ('extended', 'static', 0.5, 18, 20, False)
    """
    columns = [metric.name for metric in MEASURES if not metric.input]
    rows = averages.join(pl.DataFrame({"metric": columns}), on="metric", how="inner", maintain_order="right")
    key = ["condition", "agent"]
    of_singular = rows.filter(metric="singular").select(*key, hyponyms="units", answered="answered")
    wide = rows.pivot("metric", index=key, values="value").join(of_singular, on=key, how="left")
    own = rows.group_by(key).agg(own_hyponyms=pl.col("own_units").any())
    wide = wide.join(own, on=key).rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))


# The models' answers: all, examples (Table 3), the categories' log-probabilities (Figure 2) and those of several tokens.


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
    every, logprobs = first_answers(scores, probes, item_table, seed), category_logprobs(scores, probes, item_table)
    errors = error_kinds(wordnet, scores, probes, item_table)
    tables = {"answers": every, "examples": examples(every), "tokens": several_tokens(scores)}
    return AnswerTables(tables | {"category_logprobs": logprobs, "errors": errors}, logprobs, errors)


def first_answers(scores: Mapping[str, Scores], probes: Probes, items: Items, seed: int) -> pl.DataFrame:
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
    zipf = pl.Series("zipf", [word_frequency(word, "zipf", language="en") for word in hyponyms["hyponym"]])
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
        logprob=ordered_mean("scores"), hyponyms=pl.len()
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
    run: str = "",
) -> None:
    """Write the page of all agents' answers to each sentence.

    `template`: that of the page. `reply_choices`: what the agents with people's task have chosen. `models`: the agents that
    are models. `vectors`: those that are static vectors, whose scores are cosines. `run`: the title of the run.
    """
    every = agents(scores or {}, probes, item_table, vectors or ())
    readable = {name: table for name, table in (reply_choices or {}).items() if absence(table) is None}
    every += [Agent(name, category_choices(table, probes)) for name, table in readable.items()]
    data = sentences(probes, item_table), gold(item_table)
    publish(TITLE, LEAD, *data, every, template, out, LABELS, models=models or (), run=run)


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
    share = pl.when("is_open").then(pl.col("score").exp()).otherwise(relative / ordered_sum(relative).over(key))
    weight = share if shares else pl.lit(None)
    rank = pl.col("score").rank("ordinal", descending=True).over(key)
    name = pl.when("is_open").then(pl.format("{}:{}", pl.lit(OPEN), "probe_id")).otherwise("probe_id")
    first = long.with_columns(rank=rank, weight=weight).filter(pl.col("rank") <= 10)
    return first.with_columns(probe_id=name).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS)
