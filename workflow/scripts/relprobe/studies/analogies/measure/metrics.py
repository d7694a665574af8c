"""From decisions to units: the accuracy of an agent on each tuple."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from pathlib import Path

import polars as pl

from relprobe.core.files import read_table
from relprobe.core.metric import Metric
from relprobe.stats.comparisons import contrast_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import Kind
from relprobe.studies.analogies.schemas import METRICS, PROBE_TYPES, SETTINGS

COLUMNS = ("random", "reverse", "type")
"""The columns of Tables 1 and 2; random is the mean of random_head and random_tail."""
CLUSTERS = "families of tuples, or relations"
RIGHT, SWAPPED = ", right query", ", swapped query"
"""The ends of the metrics' names on the sampled instances: with their own query, and with one of another relation."""
MEASURES = tuple(
    Metric(
        f"{setting} {probe}{end}",
        title=probe if probe in COLUMNS and not end else "",
        test=None if end else "Wilcoxon",
        items="tuples",
        cluster=("cluster",),
        clusters=CLUSTERS,
        share=True,
    )
    for setting in SETTINGS
    for end in ("", RIGHT, SWAPPED)
    for probe in (COLUMNS if end else dict.fromkeys([*COLUMNS, *PROBE_TYPES]))
)
"""The accuracy per setting and probe type, and the two of the control, which `swapped` compares.

The tables and figures show those with a title, which is their column.
"""

ALL = "All"
UNMARKED = "unmarked"
"""The condition without the many-to-many and the bidirectional relations (section 4), over all groups; "ES unmarked" is the
same within one group."""


def metrics(decisions: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracies of an agent's decisions (DECISIONS) on TUPLES as METRICS.

    A metric is a setting and a probe type, such as "supervised random" (MEASURES). "supervised random, swapped query" is
    the accuracy on the controls, and "supervised random, right query" that on the same instances. A unit is the positive
    tuple of an instance; its value is the mean of the decisions on its instances, over all queries and draws: how hard
    an instance is depends on this tuple more than on the query. Decisions without a value take no part. A condition is a
    relation (its code) or a group (ES, LS, DM, IM, All, unmarked, ES unmarked). Under a relation a cluster is a family
    of tuples, and under a group it is a relation.

    >>> from relprobe.studies.analogies.schemas import DECISIONS, TUPLES
    >>> row = ("supervised", "E01", "reverse", 1, "rome : italy", "oslo : norway", "oslo", "norway", True)
    >>> decisions = pl.DataFrame([(*row, 1.0, None), (*row, 0.0, None)], schema=DECISIONS, orient="row")
    >>> tuples = pl.DataFrame(
    ...     [("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")],
    ...     schema=TUPLES,
    ...     orient="row",
    ... )
    >>> metrics(decisions, tuples).rows()[:2]
    [('supervised reverse', 'E01', 'E01 oslo : norway', 'oslo : norway', 0.5), ('supervised reverse', 'ES', \
'E01 oslo : norway', 'E01', 0.5)]
    """
    judged = decisions.drop_nulls("value")
    right, swapped = _paired(judged)
    parts = {"": judged.filter(pl.col("instead_of").is_null()), RIGHT: right, SWAPPED: swapped}
    tables = [_accuracies(part, tuples, end) for end, part in parts.items()]
    by_relation = pl.concat(tables).filter(pl.col("metric").is_in([measure.name for measure in MEASURES]))
    return pl.concat([by_relation, *_by_group(by_relation, tuples)]).select(list(METRICS)).cast(METRICS)


def _paired(judged: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the decisions of the same instances with the right query and with the swapped one, where both were made."""
    asked = judged.with_columns(query=pl.coalesce("instead_of", "query"))
    is_control = pl.col("instead_of").is_not_null()
    controls, others = asked.filter(is_control), asked.filter(~is_control)
    key = ["setting", "relation", "probe", "draw", "query", "tuple", "head", "tail"]
    return (
        others.join(controls, on=key, how="semi", maintain_order="left"),
        controls.join(others, on=key, how="semi", maintain_order="left"),
    )


def _accuracies(judged: pl.DataFrame, tuples: pl.DataFrame, end: str) -> pl.DataFrame:
    """Return the accuracy of each tuple under its relation (METRICS); `end`: that of the names of the metrics."""
    both = judged.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    family = tuples.select("relation", "family", tuple=pl.format("{} : {}", "head", "tail")).unique()
    return (
        pl.concat([judged, both])
        .group_by("setting", "probe", "relation", "tuple", maintain_order=True)
        .agg(pl.col("value").mean())
        .join(family, on=["relation", "tuple"], how="left", maintain_order="left")
        .select(
            metric=pl.format("{} {}{}", "setting", "probe", pl.lit(end)),
            condition="relation",
            unit=pl.format("{} {}", "relation", "tuple"),
            cluster="family",
            value="value",
        )
    )


def _by_group(by_relation: pl.DataFrame, tuples: pl.DataFrame) -> list[pl.DataFrame]:
    about = tuples.select("group", "marks", cluster="relation").unique("cluster")
    rows = by_relation.with_columns(cluster="condition").join(about, on="cluster", how="left", maintain_order="left")
    group, unmarked = pl.col("group"), rows.filter(marks="")
    # In another group the unmarked relations are all.
    with_marks = group.is_in(about.filter(pl.col("marks") != "")["group"].unique().to_list())
    parts = [
        rows.with_columns(condition=group),
        rows.with_columns(condition=pl.lit(ALL)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(with_marks).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(METRICS)) for part in parts]


def values_of(paths: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Read the metrics of all agents: agent -> METRICS. Each file has the name of its agent."""
    return {path.stem: read_table(path, METRICS) for path in paths}


def contrasts(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Test within every agent whether a probe is harder than another, on the same tuples (CONTRASTS_OF_CONDITIONS).

    The column `metric` is the setting; a and b are the metrics of the two probes.
    """
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        pairs = [(f"{setting} {a}", f"{setting} {b}") for a, b in combinations(COLUMNS, 2)]
        tables.append(contrast_tests(values, like, pairs, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)


def swapped(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Test within every agent what the right query adds to a swapped one, on the same instances (CONTRASTS_OF_CONDITIONS).

    The column `metric` is the setting; a is the metric of a probe with the right query, and b that with the swapped query.
    """
    tables = []
    for setting in SETTINGS:
        like = Metric(setting, cluster=("cluster",), share=True)
        pairs = [(f"{setting} {probe}{RIGHT}", f"{setting} {probe}{SWAPPED}") for probe in COLUMNS]
        tables.append(contrast_tests(values, like, pairs, column="metric", groups=("condition",), kinds=kinds))
    return pl.concat(tables)


def kinds_of_agents(kinds: Mapping[str, str], members: Collection[str] = ()) -> dict[str, Kind]:
    """Return the kind of each agent in tests: encoders, too, are controls. `kinds`: agent -> masked, causal or control.

    >>> kinds_of_agents({"bert": "masked", "static": "control"})
    {'bert': 'model', 'static': 'control'}
    """
    return kinds_of(kinds, [agent for agent, kind in kinds.items() if kind == "control"], members)
