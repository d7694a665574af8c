"""The tables of the report: Tables 1 and 2, the frequency tests, the sizes of the sets, and what could not be judged."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.tables import sent_texts
from relprobe.stats.schemas import Averages, Inference, Tests
from relprobe.studies.analogies.compare.frequency import frequency_summary
from relprobe.studies.analogies.data.relations import group_order, relation_names, relations_of
from relprobe.studies.analogies.measure.choices import places_of_agents, read_of_agents
from relprobe.studies.analogies.measure.metrics import ALL, MEASURES, RIGHT, SWAPPED, UNMARKED
from relprobe.studies.analogies.schemas import (
    PROBE_TYPES,
    SWAPPED_QUERIES,
    Contrasts,
    Frequency,
    Instances,
    ReplyChoices,
    Tuples,
    Unjudged,
)
from relprobe.studies.analogies.show.samples import samples

SHOWN = [metric.name for metric in MEASURES if metric.title]


def tables(
    averages: Averages,
    tests: Tests,
    contrasts: Contrasts,
    queries: Contrasts,
    frequency: Frequency,
    unjudged: dict[str, Unjudged],
    tuples: Tuples,
    instances: Instances,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    inference: Inference,
) -> ShownTables:
    """Write Tables 1 and 2, the tests, the frequencies, the sizes of the sets, and what could not be judged.

    `inference` chooses the test that decides whether frequency plays a role. `reply_choices`: what the agents that answer in
    words have chosen, and `replies` the files of what they have said; without them there are no tables of these.
    """
    read = reply_choices or {}
    return {
        **({"choices": read_of_agents(read), "orders": places_of_agents(read)} if read else {}),
        **({"sent": sent_texts(replies)} if replies else {}),
        "overview": by_group(averages, tuples, queries),
        "swapped": swapped_queries(queries, tuples),
        "samples": samples(instances),
        "relations": by_relation(averages, tuples, queries),
        "averages": averages,
        "contrasts": contrasts,
        "tests": tests,
        "frequency": frequency,
        "frequency_summary": frequency_summary(frequency, inference),
        "unjudged": of_agents(unjudged),
        "data": data(tuples, instances),
    }


def by_group(averages: Averages, tuples: Tuples, queries: Contrasts) -> pl.DataFrame:
    """Return Table 1: group, agent, accuracy per setting and probe, and the numbers behind it.

    Beside each accuracy stands that with the swapped query, of `queries`. Below the groups and all
    relations come the means without the many-to-many and the bidirectional relations. `tuples` and `relations`: the numbers
    that the accuracies are over; `own_tuples`: some of them are not over the tuples of the others.
    """
    return _wide(averages, queries, _groups(tuples), "group")


def _groups(tuples: Tuples) -> list[str]:
    """Return the conditions of Table 1: the groups, all relations, and all of these without marked relations."""
    groups = group_order(one.group for one in relations_of(tuples))
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


def by_relation(averages: Averages, tuples: Tuples, queries: Contrasts) -> pl.DataFrame:
    """Return Table 2 for all agents and both settings: group, relation, its marks, tails_seen, agent, accuracies, numbers.

    The mark ∗ stands for a many-to-many relation, whose random probe cannot be fair, and † for a bidirectional one, whose
    reverse probe cannot be fair. `tails_seen`: see `seen_words`; it concerns the supervised setting. `queries`: as in
    `by_group`.
    """
    of_code = {one.code: one for one in relations_of(tuples)}
    wide = _wide(averages, queries, list(of_code), "code", "families")
    code = pl.col("code")
    seen = seen_words(tuples).select(code="relation", tails_seen="tails_seen")
    return wide.join(seen, on="code", how="left", maintain_order="left").select(
        group=code.replace_strict({name: one.group for name, one in of_code.items()}, return_dtype=pl.String),
        relation=code.replace_strict({name: one.label for name, one in of_code.items()}, return_dtype=pl.String),
        marks=code.replace_strict({name: one.marks for name, one in of_code.items()}, return_dtype=pl.String),
        tails_seen="tails_seen",
        **{column: pl.col(column) for column in wide.columns if column != "code"},
    )


def seen_words(tuples: Tuples) -> pl.DataFrame:
    """Return the shares of the test tuples whose head and whose tail is a word of a training tuple.

    The columns are relation, heads_seen and tails_seen; the shares are means over the draws.
    """
    key = ["relation", "draw"]
    train, test = (tuples.filter(partition=name) for name in ("train", "test"))
    words = pl.concat([train.select(*key, word=word) for word in ("head", "tail")]).unique().with_columns(seen=True)
    for word in ("head", "tail"):
        of_word = words.rename({"word": word, "seen": f"{word}s_seen"})
        test = test.join(of_word, on=[*key, word], how="left", maintain_order="left")
    shares = pl.col("heads_seen", "tails_seen").fill_null(value=False).mean()
    by_draw = test.group_by(key, maintain_order=True).agg(shares)
    return by_draw.group_by("relation", maintain_order=True).agg(pl.col("heads_seen", "tails_seen").mean())


def _wide(
    averages: pl.DataFrame, queries: pl.DataFrame, conditions: list[str], name: str, clusters: str = "relations"
) -> pl.DataFrame:
    """Return a row per condition and agent, the conditions in their order in a column `name`, and a column per metric.

    A column after that of a metric has the accuracy with the swapped query, if the study has such instances. Three columns
    follow: the largest numbers of tuples and of `clusters` that one of the metrics has, and own_tuples.
    """
    rows = averages.filter(pl.col("condition").is_in(conditions) & pl.col("metric").is_in(SHOWN))
    wide = rows.pivot("metric", index=["condition", "agent"], values="value")
    numbers = rows.group_by("condition", "agent").agg(
        pl.col("units").max().alias("tuples"), pl.col("clusters").max().alias(clusters), own_tuples=pl.any("own_units")
    )
    wide = wide.join(numbers, on=["condition", "agent"], how="left", maintain_order="left")
    controls = queries.pivot("b", index=["condition", "agent"], values="value_b")
    wide = wide.join(controls, on=["condition", "agent"], how="left", maintain_order="left")
    both = (f"{metric}{end}" for metric in SHOWN for end in ("", SWAPPED))
    columns = [column for column in both if column in wide.columns]
    return wide.sort(pl.col("condition").cast(pl.Enum(conditions)), maintain_order=True).select(
        pl.col("condition").alias(name), "agent", *columns, "tuples", clusters, "own_tuples"
    )


def of_agents(unjudged: Mapping[str, Unjudged]) -> pl.DataFrame:
    """Return how many decisions each agent could not make, for want of a vector: agent, setting, decisions, unjudged."""
    rows = [table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in unjudged.items()]
    return pl.concat(rows).sort("setting", maintain_order=True)


def data(tuples: Tuples, instances: Instances) -> pl.DataFrame:
    """Return the sizes of the sets per relation, and the shares of the words of test tuples that training has seen.

    Tuples and positives (of one probe; there are as many negatives) are means over the draws.
    """
    draws = tuples["draw"].n_unique()
    about = ["relation", "name", "group", "marks"]
    counts = tuples.pivot("partition", index=about, values="tail", aggregate_function="len")
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
