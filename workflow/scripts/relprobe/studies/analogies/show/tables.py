"""The tables of the report: Tables 1 and 2, the frequency tests, the sizes of the sets, and what could not be judged."""

from collections.abc import Iterable, Iterator

import polars as pl

from relprobe.stats.schemas import Inference
from relprobe.studies.analogies.data.relations import group_order, relations_of
from relprobe.studies.analogies.measure.metrics import ALL, MEASURES, RIGHT, SWAPPED, UNMARKED
from relprobe.studies.analogies.schemas import PROBE_TYPES, SWAPPED_QUERIES
from relprobe.studies.analogies.show.samples import samples

SHOWN = [metric.name for metric in MEASURES if metric.title]


FREQUENCY_TESTS: dict[Inference, str] = {
    "linked": "permutation of families of tuples",
    "clusters": "permutation of families of tuples",
    "paper": "Kolmogorov-Smirnov over decisions",
}
"""Choice of `inference` -> the test that decides whether frequency plays a role."""


def all_tables(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    contrasts: pl.DataFrame,
    queries: pl.DataFrame,
    frequency: pl.DataFrame,
    decisions: Iterable[tuple[str, pl.DataFrame]],
    tuples: pl.DataFrame,
    instances: pl.DataFrame,
    inference: Inference,
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield every table by its name."""
    yield "overview", by_group(averages, tuples, queries)
    yield "swapped", swapped(queries, tuples)
    yield "samples", samples(instances)
    yield "relations", by_relation(averages, tuples, queries)
    yield "averages", averages
    yield "contrasts", contrasts
    yield "tests", tests
    yield "frequency", frequency
    yield "frequency_summary", frequency_summary(frequency, inference)
    yield "unjudged", unjudged(decisions)
    yield "data", data(tuples, instances)


def relation_names(tuples: pl.DataFrame) -> dict[str, str]:
    """Return relation -> its name, of TUPLES."""
    return dict(tuples.select("relation", "name").iter_rows())


def by_group(averages: pl.DataFrame, tuples: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1 of the averages (AVERAGES): group, agent, accuracy per setting and probe, and the numbers behind it.

    Beside each accuracy stands that with the swapped query, of `queries` (CONTRASTS_OF_CONDITIONS). Below the groups and all
    relations come the means without the many-to-many and the bidirectional relations. `tuples` and `relations`: the numbers
    that the accuracies are over; `own_tuples`: some of them are not over the tuples of the others.
    """
    return _wide(averages, queries, _groups(tuples), "group")


def _groups(tuples: pl.DataFrame) -> list[str]:
    """Return the conditions of Table 1: the groups, all relations, and all of these without marked relations."""
    groups = group_order(one.group for one in relations_of(tuples))
    return [*groups, ALL, UNMARKED, *(f"{group} {UNMARKED}" for group in groups)]


def swapped(queries: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return what the right query adds per agent, setting and probe (SWAPPED_QUERIES): the groups, then the relations.

    `queries`: the tests of `metrics.swapped`.
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


def by_relation(averages: pl.DataFrame, tuples: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
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


def seen_words(tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the shares of the test tuples whose head and whose tail is a word of a training tuple.

    The columns are relation, heads_seen and tails_seen; the shares are means over the draws of TUPLES.
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


def frequency_summary(tests: pl.DataFrame, inference: Inference) -> pl.DataFrame:
    """Return per agent in how many relations frequency plays no significant role (p > 0.05), and in which it does.

    `tests`: FREQUENCY; `inference` chooses its test. A relation without a test counts in neither, for example one whose
    tuples were all judged rightly.
    """
    p = pl.col("paper_p" if inference == "paper" else "p")
    return tests.group_by("agent", maintain_order=True).agg(
        test=pl.lit(FREQUENCY_TESTS[inference]),
        relations=pl.len(),
        tested=p.is_not_null().sum(),
        without_effect=(p > 0.05).sum(),
        share_without_effect=(p > 0.05).mean(),
        with_effect=pl.col("name").filter(p <= 0.05).str.join(", "),
    )


def unjudged(decisions: Iterable[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return how many decisions each agent could not make, for want of a vector: agent, setting, decisions, unjudged.

    `decisions`: agents with DECISIONS of one setting, one after the other.
    """
    rows = [
        table.filter(pl.col("instead_of").is_null())
        .group_by("setting", maintain_order=True)
        .agg(decisions=pl.len(), unjudged=pl.col("value").null_count())
        .select(agent=pl.lit(agent), setting="setting", decisions="decisions", unjudged="unjudged")
        for agent, table in decisions
    ]
    return pl.concat(rows)


def data(tuples: pl.DataFrame, instances: pl.DataFrame) -> pl.DataFrame:
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
