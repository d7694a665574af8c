"""The tables of the study, and the page of all answers."""

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, Texts, publish
from relprobe.report.words.in_words import in_words as values_in_words
from relprobe.stats.controls import beyond_controls
from relprobe.stats.schemas import CONTRASTS, Averages
from relprobe.studies.analogies.measures import SHOWN
from relprobe.studies.analogies.method import ALL, COLUMNS, RIGHT, SWAPPED, UNMARKED
from relprobe.studies.analogies.relations import group_order, relation_names, relations_of
from relprobe.studies.analogies.results import Results
from relprobe.studies.analogies.schemas import PROBE_TYPES, Contrasts, Decisions, Instances, Tuples

# The tables of the report: Table 1, what the right query adds, and the sizes of the sets.


SWAPPED_QUERIES = pl.Schema(
    {
        "condition": pl.String(),  # a group of relations, or a relation by its name
        "agent": pl.String(),
        "setting": pl.String(),
        "probe": pl.String(),
        "right_query": pl.Float64(),  # the accuracy on the sampled instances
        "swapped_query": pl.Float64(),  # the accuracy on the same instances with a query of two other tuples
        **{
            name: CONTRASTS[name]
            for name in ("difference", "low", "high", "error", "freedom", "p", "p_holm", "detectable")
        },
        "tuples": pl.UInt32(),
        "clusters": pl.UInt32(),  # families of tuples, or relations
        "note": pl.String(),  # the reason why p or the interval is missing
    }
)


def by_group(averages: Averages, tuples: Tuples, queries: Contrasts) -> pl.DataFrame:
    """Return Table 1: group, agent, accuracy per setting and probe, and the numbers behind it.

    Beside each accuracy stands that with the swapped query, of `queries`. Below the groups and all
    relations come the means without the many-to-many and the bidirectional relations. `tuples` and `relations`: the numbers
    that the accuracies are over; `own_tuples`: some of them are not over the tuples of the others.
    """
    return wide(averages, queries, _groups(tuples), "group")


def _groups(tuples: Tuples) -> list[str]:
    """Return the conditions of Table 1: the groups, all relations, and all of these without marked relations."""
    groups = group_order(relation.group for relation in relations_of(tuples))
    return [*groups, ALL, UNMARKED, *(f"{group} {UNMARKED}" for group in groups)]


def swapped_queries(queries: Contrasts, tuples: Tuples) -> pl.DataFrame:
    """Return what the right query adds per agent, setting and probe (SWAPPED_QUERIES): the groups, then the relations.

    `queries`: the tests of the swapped queries.
    """
    names = relation_names(tuples)
    order = [*_groups(tuples), *names]
    rows = queries.filter(pl.col("condition").is_in(order)).sort(
        pl.col("condition").cast(pl.Enum(order)), maintain_order=True
    )
    probe = pl.col("a").str.strip_suffix(RIGHT).str.split(" ").list.last()
    columns = {"setting": pl.col("metric"), "probe": probe, "right_query": pl.col("value_a")}
    columns |= {"swapped_query": pl.col("value_b"), "tuples": pl.col("units")}
    return rows.with_columns(**columns, condition=pl.col("condition").replace(names)).select(list(SWAPPED_QUERIES))


def seen_words(tuples: Tuples) -> pl.DataFrame:
    """Return the shares of the test tuples whose head and whose tail is a word of a training tuple.

    The columns are relation, heads_seen and tails_seen; the shares are means over the draws.
    """
    key = ["relation", "draw"]
    train, test = (tuples.filter(partition=name) for name in ("train", "test"))
    words = pl.concat([train.select(*key, word=word) for word in ("head", "tail")]).unique().with_columns(seen=True)
    for word in ("head", "tail"):
        marked_words = words.rename({"word": word, "seen": f"{word}s_seen"})
        test = test.join(marked_words, on=[*key, word], how="left", maintain_order="left")
    shares = ordered_mean(pl.col("heads_seen", "tails_seen").fill_null(value=False))
    by_draw = test.group_by(key, maintain_order=True).agg(shares)
    return by_draw.group_by("relation", maintain_order=True).agg(ordered_mean(pl.col("heads_seen", "tails_seen")))


def wide(
    averages: pl.DataFrame, queries: pl.DataFrame, conditions: list[str], name: str, clusters: str = "relations"
) -> pl.DataFrame:
    """Return a row per condition and agent, the conditions in their order in a column `name`, and a column per metric.

    A column after that of a metric has the accuracy with the swapped query, if the study has such instances. Three columns
    follow: the largest numbers of tuples and of `clusters` that one of the metrics has, and own_tuples.
    """
    rows = averages.filter(pl.col("condition").is_in(conditions) & pl.col("metric").is_in(SHOWN))
    table = rows.pivot("metric", index=["condition", "agent"], values="value")
    numbers = rows.group_by("condition", "agent").agg(
        pl.col("units").max().alias("tuples"), pl.col("clusters").max().alias(clusters), own_tuples=pl.any("own_units")
    )
    table = table.join(numbers, on=["condition", "agent"], how="left", maintain_order="left")
    controls = queries.pivot("b", index=["condition", "agent"], values="value_b")
    table = table.join(controls, on=["condition", "agent"], how="left", maintain_order="left")
    names = (f"{metric}{end}" for metric in SHOWN for end in ("", SWAPPED))
    columns = [name for name in names if name in table.columns]
    return table.sort(pl.col("condition").cast(pl.Enum(conditions)), maintain_order=True).select(
        pl.col("condition").alias(name), "agent", *columns, "tuples", clusters, "own_tuples"
    )


def data(tuples: Tuples, instances: Instances) -> pl.DataFrame:
    """Return the sizes of the sets per relation, and the shares of the words of test tuples that training has seen.

    Tuples and positives (of one probe; there are as many negatives) are means over the draws.
    """
    draws = tuples["draw"].n_unique()
    keys = ["relation", "name", "group", "marks"]
    counts = tuples.pivot("partition", index=keys, values="tail", aggregate_function="len")
    probe = instances.filter(pl.col("instead_of").is_null(), probe=PROBE_TYPES[0])
    positives = probe.pivot("partition", index="relation", values="tail", aggregate_function="len")
    words = tuples.group_by("relation").agg(tails=pl.col("tail").n_unique(), families=pl.col("family").n_unique())
    return (
        counts.join(positives, on="relation", suffix="_positives")
        .with_columns(pl.col("train", "test", "train_positives", "test_positives") / draws)
        .join(words, on="relation")
        .join(seen_words(tuples), on="relation")
        .select(
            group="group",
            relation="relation",
            name="name",
            draws=pl.lit(draws),
            marks="marks",
            train_tuples="train",
            test_tuples="test",
            different_tails="tails",
            families="families",
            heads_seen="heads_seen",
            tails_seen="tails_seen",
            train_positives="train_positives",
            test_positives="test_positives",
        )
        .sort(pl.col("group").cast(pl.Enum(group_order(tuples["group"]))), "relation")
    )


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "overview": lambda results: by_group(results.averages, results.tuples, results.queries),
    "swapped": lambda results: swapped_queries(results.queries, results.tuples),
    "averages": lambda results: results.averages,
    "tests": lambda results: results.tests,
    "controls": lambda results: beyond_controls(results.tests, results.controls or []),
    "data": lambda results: data(results.tuples, results.instances),
}
"""Name -> the table of the page; the other ones are those of analyses."""


# What the answers page of the analogies study shows: the choices of every agent between two pairs of words.


TITLE = "Answers: analogies"
LEAD = (
    "What every agent has chosen in the unsupervised setting: which of two pairs of words is related as the pair of the "
    "query is? The first column has the pair that the agent chose, the second one the other. The right pair is bold and on "
    "green. Where an agent has no choice, or has chosen each pair as often as the other, both pairs count one half."
)
LABELS = Labels(
    "Probe", "Relation", "Pair", weight="", gold="right_for", first="accuracy", others=False, prompt_texts=False
)
NUMBER = ("number", "instances")
"""The columns that tell choices apart whose wrong pairs differ (`with_number`)."""
CHOICE = ["relation", "probe", "query", "tuple"]


def answers(
    decisions: dict[str, Decisions],
    instances: Instances,
    tuples: Tuples,
    template: Path,
    out: Path,
    *,
    notice: str = "",
    models: list[str] | None = None,
    run: str = "",
) -> None:
    """Write the page of all agents' choices in the unsupervised setting.

    `template`: the file of the page's form. `notice`: what the page says first. `models`: the agents that are models.
    `run`: the title of the run.
    """
    # An agent whose answers cannot be read has no decisions.
    largest = max(decisions.values(), key=lambda table: table.height)
    shown = choices(instances, largest, relation_names(tuples))
    agents = [agent(name, table, shown) for name, table in decisions.items()]
    data = probes(shown), gold(shown)
    publish(Texts(TITLE, LEAD, LABELS, notice, run), *data, agents, template, out, models or ())


def choices(instances: Instances, decisions: Decisions, names: Mapping[str, str]) -> pl.DataFrame:
    """Return the choices that `decisions` are about, each once: probe_id, the columns CHOICE, draw, other, NUMBER and name.

    `decisions`: those of any agent in the unsupervised setting; `names`: relation -> its name. `other`: the pair that is
    wrong; NUMBER: see `with_number`.
    """
    rows = in_words(instances.filter(pl.col("instead_of").is_null()))
    rows = rows.join(decisions, on=[*CHOICE, "draw"], how="semi").pipe(with_number)
    once = rows.unique([*CHOICE, "other"], keep="first", maintain_order=True).with_row_index("probe_id")
    name = pl.col("relation").replace(names)
    return once.select(pl.col("probe_id").cast(pl.String), *CHOICE, "draw", "other", *NUMBER, name=name)


def in_words(instances: pl.DataFrame) -> pl.DataFrame:
    """Return INSTANCES with their pairs as texts: query, tuple, and other, which is the pair that is wrong."""
    pairs = {
        "query": ("query_head", "query_tail"),
        "tuple": ("head", "tail"),
        "other": ("negative_head", "negative_tail"),
    }
    return instances.with_columns(pl.format("{} : {}", *columns).alias(name) for name, columns in pairs.items())


def with_number(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with `number`: the place of each among those of its draw that differ in the wrong pair alone.

    `instances` is how many these are. Decisions do not name the wrong pair: an agent that lacks some of them has fewer, and
    its numbers do not say which ones.
    """
    keys = (*CHOICE, "draw")
    return rows.with_columns(number=pl.int_range(pl.len()).over(keys), instances=pl.len().over(keys))


def probes(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the probes of the page (PROBES of report.answers) from `choices`."""
    group = pl.col("probe").str.replace_all("_", " ")
    return choices.select(
        "probe_id",
        group=group,
        prompt_id=pl.format("{} ({})", "name", group),
        target="tuple",
        text=pl.format("{} :: {} or {}?", "query", "tuple", "other"),
        zipf=pl.lit(None),
    ).cast(PROBES)


def gold(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the right pairs (GOLD of report.answers)."""
    group = pl.col("probe").str.replace_all("_", " ")
    rows = choices.select(target="tuple", group=group, word="tuple", source=pl.lit("the data"))
    return rows.unique(maintain_order=True).cast(GOLD)


def agent(name: str, decisions: Decisions, choices: pl.DataFrame) -> Agent:
    """Return an agent's choices. `decisions`: those of the unsupervised setting; a missing value is no answer.

    Where it lacks one of several choices that differ in the wrong pair alone, none of them has an answer.

    >>> decision = {"relation": "E01", "probe": "reverse", "draw": 1, "query": "rome : italy", "tuple": "oslo : norway"}
    >>> choice = {**decision, "probe_id": "0", "other": "norway : oslo", "number": 0, "instances": 1}
    >>> decision |= {"value": 0.0, "instead_of": None}
    >>> agent("m", pl.DataFrame([decision]), pl.DataFrame([choice])).answers.select("rank", "word").rows()
    [(1, 'norway : oslo'), (2, 'oslo : norway')]
    """
    judged = decisions.filter(pl.col("instead_of").is_null())
    rows = choices.join(with_number(judged), on=[*CHOICE, "draw", *NUMBER], maintain_order="left").drop_nulls("value")
    right = pl.col("value") >= 0.5
    first = pl.when(right).then("tuple").otherwise("other")
    second = pl.when(right).then("other").otherwise("tuple")
    weight = pl.when(value=0.5).then(0.5)
    ranked = [
        rows.select("probe_id", rank=pl.lit(rank), word=word, weight=weight) for rank, word in ((1, first), (2, second))
    ]
    return Agent(name, pl.concat(ranked).select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS))


def probes_in_words(table: pl.DataFrame, setting: str, by: str) -> str:
    """Return the accuracies of a setting in words, probe by probe. `by`: the column of the table that divides them."""
    in_probes = {probe: values_in_words(table, f"{setting} {probe}", by, "tuples", "tuples") for probe in COLUMNS}
    return " ".join(f"{probe}: {words}" for probe, words in in_probes.items() if words)
