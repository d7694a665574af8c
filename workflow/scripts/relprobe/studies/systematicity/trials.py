"""The trials of the systematicity study: how every agent completes each sentence, and what each classifier decided."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from relprobe.lm.requests import SLOT
from relprobe.paper.trials import TRIALS, Trials, as_trials
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.letters import readable
from relprobe.studies.systematicity.method import (
    CONTROL,
    DETECTION_METRICS,
    END,
    closed_answers,
    decided_right,
    first_share,
    open_answers,
    pair_unit,
    responses,
)
from relprobe.studies.systematicity.schemas import Detections, Items, Metrics, Probes, ReplyChoices, Scores

SINGLE_ANSWER_METRICS = ("singular", "plural", "contextual", "detection")
"""The metrics of an agent without answers that are about one answer each."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of a run that trials are made of: the items, and agent -> what it has answered; None: no agent has.

    `values`: those of the agents that have no answers but values alone, such as the majority baseline.
    """

    probes: Probes
    item_table: Items
    values: dict[str, Metrics]
    scores: dict[str, Scores] | None = None
    detections: dict[str, Detections] | None = None
    reply_choices: dict[str, ReplyChoices] | None = None


def trials(files: Files, *, vectors: list[str] | None = None, controls: list[str] | None = None) -> Trials:
    """Return a trial for each sentence and agent in each task, and for each pair that a classifier of one seed judged.

    The tasks are the metrics with one answer each: open (any word), singular, plural and contextual (a category at the
    slot), the same with _sentence, and detection. Sentences in other wordings than the main ones are trials too, which the
    averages do not count. `vectors`: the agents whose scores are cosines, and no probabilities. `controls`: the agents that
    answer prompts without a relation, each a model's name with an ending.
    """
    tables = [pl.DataFrame(schema=TRIALS), *(_value_trials(metrics, agent) for agent, metrics in files.values.items())]
    texts_of_probes = files.probes.select("probe_id", "text", "word").iter_rows()
    texts = {probe_id: text.replace(word, "–", 1).replace(SLOT, "…") for probe_id, text, word in texts_of_probes}
    for agent, table in (files.scores or {}).items():
        rows = responses(table, files.probes, files.item_table)
        control = next((name for name in controls or [] if name.rpartition("+")[0] == agent), None)
        for name, part in ((agent, rows.filter(~pl.col("control"))), (control, rows.filter("control"))):
            if name is not None and part.height:
                tables.append(_completions(part, name, texts, shares=agent not in (vectors or [])))
    tables += [_classified(table, agent) for agent, table in (files.detections or {}).items()]
    tables += [_chosen(readable(table), agent) for agent, table in (files.reply_choices or {}).items()]
    return _with_words(pl.concat(tables), files.item_table)


def _completions(rows: pl.DataFrame, agent: str, texts: Mapping[str, str], *, shares: bool) -> pl.DataFrame:
    """Return the trials of an agent's rows (`responses`). `shares`: whether its scores are logarithms of probabilities."""
    open_rows = open_answers(rows)
    parts = [open_rows.with_columns(first_share(open_rows).alias("right"), task=pl.lit("open"))]
    for method, end in END.items():
        parts.append(closed_answers(rows, method).with_columns(task=pl.col("kind") + end))
    answers = pl.concat(parts, how="diagonal_relaxed").with_row_index("row")
    table = answers.join(_ranked(answers, shares=shares), on="row", how="left", maintain_order="left").select(
        task="task",
        condition="set",
        prompt=pl.when(pl.col("prompt") != "").then("prompt"),
        prompt_text=pl.col("probe_id").replace_strict(texts, default=None, return_dtype=pl.String),
        target="hyponym",
        item=pl.format("{}:{}", "task", pl.col("probe_id").str.replace(CONTROL, "", literal=True)),
        answer="answer",
        right="right",
        probability="probability",
        right_probability="right_probability",
        rank="rank",
        candidates=pl.when(pl.col("task") != "open").then(pl.col("words").list.len()),
        cluster="category",
        counted="main",
    )
    return as_trials(table, study="systematicity", agent=agent)


def _ranked(rows: pl.DataFrame, *, shares: bool) -> pl.DataFrame:
    """Return row, answer (none if the best words tie), rank of the right word, and the probabilities of both."""
    long = rows.select("row", "gold", word="words", score="scores").explode("word", "score")
    best, is_right = pl.col("score") == pl.col("score").max(), pl.col("word") == pl.col("gold")
    score = pl.col("score").filter(is_right).max()
    ranked = long.group_by("row").agg(
        answer=pl.when(best.sum() == 1).then(pl.col("word").filter(best).first()),
        first=pl.col("score").max(),
        score=score,
        rank=pl.when(score.is_not_null()).then((pl.col("score") > score).sum() + 1),
    )
    exp = {"probability": pl.col("first").exp(), "right_probability": pl.col("score").exp()}
    return ranked.with_columns(**{name: value if shares else pl.lit(None) for name, value in exp.items()}).drop(
        "first", "score"
    )


def _classified(detections: Detections, agent: str) -> pl.DataFrame:
    """Return the trials of an agent's classifiers, whose answer is "yes" where p is above one half."""
    p, label = pl.col("p"), pl.col("label") == 1
    table = detections.select(
        task=pl.col("input").replace_strict(DETECTION_METRICS),
        condition="setting",
        target="hyponym",
        item=pair_unit(),
        respondent=pl.format("seed {}", "seed"),
        answer=pl.when(p > 0.5).then(pl.lit("yes")).when(p < 0.5).then(pl.lit("no")),
        right=decided_right(),
        probability=pl.max_horizontal(p, 1 - p),
        right_probability=pl.when(label).then(p).otherwise(1 - p),
        candidates=pl.lit(2),
        cluster="category",
    )
    return as_trials(table, study="systematicity", agent=agent, counted=True)


def _chosen(choices: ReplyChoices, agent: str) -> pl.DataFrame:
    """Return the trials of an agent with people's task, one for each order and sample."""
    table = choices.select(
        task=pl.format("{} {}", "task", "kind"),
        condition="set",
        target="hyponym",
        item="question",
        respondent=pl.format("order {}, sample {}", "order", "sample"),
        answer=pl.when(pl.col("choice") != "").then("choice"),
        right=pl.col("right").cast(pl.Float64),
        candidates=pl.col("shown").list.len(),
    )
    return as_trials(table, study="systematicity", agent=agent, counted=True)


def _value_trials(metrics: Metrics, agent: str) -> pl.DataFrame:
    """Return the trials of an agent that has values (METRICS) alone; a pair of the classifier is FOLD:HYPONYM:HYPERNYM."""
    rows = metrics.filter(pl.col("metric").is_in(SINGLE_ANSWER_METRICS))
    is_pair = pl.col("metric") == "detection"
    word = pl.when(is_pair).then(pl.col("unit").str.split(":").list.get(1, null_on_oob=True)).otherwise("unit")
    sentence = pl.format("{}:{}:{}:{}", "metric", "condition", "metric", "unit")  # as `_completions` names it
    item = pl.when(is_pair).then("unit").otherwise(sentence)
    table = rows.select(task="metric", condition="condition", target=word, item=item, right="value", cluster="cluster")
    return as_trials(table, study="systematicity", agent=agent, counted=True)


def _with_words(table: pl.DataFrame, items: Items) -> pl.DataFrame:
    """Return trials with the frequency of their targets and, where it is missing, the cluster: the target's category."""
    zipf = frequencies(table["target"], "zipf", language="en").rename({"word": "target", "frequency": "zipf"})
    category = items.select(condition="set", target="hyponym", category="category")
    joined = table.join(zipf, on="target", how="left", maintain_order="left")
    joined = joined.join(category, on=["condition", "target"], how="left", maintain_order="left")
    return joined.with_columns(frequency="zipf", cluster=pl.coalesce("cluster", "category")).select(list(TRIALS))
