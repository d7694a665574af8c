"""What agents are averaged over, which targets share right answers, and the averages of any values (section 5.3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from relprobe.core.relation import Relations
from relprobe.stats.samples import LINK
from relprobe.stats.side_by_side import MODELS, AgentComparison
from relprobe.studies.relations.areas import area_averages
from relprobe.studies.relations.distances import printed_area
from relprobe.studies.relations.measures import (
    AUDC,
    AUDC_PRINTED,
    DISTINGUISHABILITY,
    MEASURES,
    RELATED_WORDS,
    SHARED_RELATA,
    measures_of,
)
from relprobe.studies.relations.method import Choices, GoldStandard, judge, rank_gaps, reciprocity, soundness
from relprobe.studies.relations.schemas import AVERAGES, METRICS, RELATA, RESPONSES, UNIT

# What the study asks, and which targets share right answers: both follow from the gold standard, whoever answers.
# So another agent changes neither what the others are averaged over nor what counts as independent.


TARGETS = ["relation", "target"]
TUPLES = ["relation", "target", "relatum"]
MAIN = soundness.__name__
"""The metric whose units are the main probes that an agent has answered."""
RECIPROCAL = tuple(measure.name for measure in measures_of(reciprocity))
"""The metrics whose items are tuples."""


@dataclass(frozen=True)
class Design:
    """The items of a study and their links.

    `links`: the tables of links that the metrics name (stats/samples.py); those of targets by their relata. `gap_links`: the
    same for distances, whose items are targets under two relations. `items`: metric -> those that agents are averaged
    over; `asked_gaps`: relation, versus and target of the distances. Without `items` these are all that any agent has.
    `probes`: metric -> the units that people have answered, where they take part; MAIN is the entry of all other metrics.
    """

    links: Mapping[str, pl.DataFrame]
    gap_links: Mapping[str, pl.DataFrame]
    items: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    asked_gaps: pl.DataFrame | None = None
    probes: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    def in_common(self, values: pl.DataFrame) -> pl.DataFrame:
        """Return the values (METRICS) of the probes that people have answered, and all of relations that they have not.

        So an agent that was asked by seven prompts is compared with people who were asked by one of them, on this one.

        >>> table = pl.DataFrame([("right", "HYP", "robin", p) for p in "ab"], ["metric", *UNIT], orient="row")
        >>> Design({}, {}, probes={MAIN: table[:1].drop("metric")}).in_common(table)["prompt_id"].to_list()
        ['a']
        """
        parts = []
        for metric in (*RECIPROCAL, MAIN):
            is_of_metric = ~pl.col("metric").is_in(RECIPROCAL) if metric == MAIN else pl.col("metric") == metric
            rows, answered = values.filter(is_of_metric), self.probes.get(metric)
            if answered is not None:
                theirs = rows.join(answered, on=answered.columns, how="semi", maintain_order="left")
                rows = pl.concat([theirs, rows.join(answered, on="relation", how="anti", maintain_order="left")])
            parts.append(rows)
        return pl.concat(parts)


def linked_by(relata: pl.DataFrame) -> Design:
    """Return the links of targets: two are linked if they share a relatum of the prompted relation. `relata`: RELATA.

    What counts a relatum of any relation, as the rank of the first related word does, links targets by all of their relata.
    A distance is one of two relations, so its targets share a relatum of either.

    >>> rows = [("robin", "HYP", "bird"), ("wren", "HYP", "bird"), ("robin", "MER", "wing")]
    >>> design = linked_by(pl.DataFrame(rows, schema=["target", "relation", "relatum"], orient="row"))
    >>> design.gap_links["relata"].filter(relation="HYP", versus="MER").select("target", "link").rows()
    [('robin', 'bird'), ('robin', 'wing')]
    """
    words = relata.select("relation", "target", pl.col("relatum").alias(LINK)).unique(maintain_order=True)
    targets = words.select("target", pl.col("relation")).unique(maintain_order=True)
    pairs = targets.join(targets.rename({"relation": "versus"}), on="target", maintain_order="left_right")
    pairs = pairs.filter(pl.col("relation") != pl.col("versus"))
    pair_words = [
        pairs.join(words.rename({"relation": name}), on=[name, "target"], maintain_order="left_right")
        for name in ("relation", "versus")
    ]
    return Design(
        {SHARED_RELATA: words, RELATED_WORDS: words.select("target", LINK).unique(maintain_order=True)},
        {SHARED_RELATA: pl.concat(pair_words).select("relation", "versus", "target", LINK)},
    )


UNLINKED = linked_by(pl.DataFrame(schema=RELATA))
"""No target shares a relatum, and the items are those that any agent has."""


def design_of(gold: GoldStandard, people: Iterable[pl.DataFrame] = ()) -> Design:
    """Return the links of the study's targets, and the items and probes that agents are averaged over.

    `people`: the values (METRICS) of the agents that are people. Where they take part, the items and probes of a relation
    are those that they have answered. In relations that they have not answered, and without them, they are all targets with
    relata in the shared lexicon, and all tuples in it, whose probes are asked.
    """
    nothing = [{"probe_id": probe, "words": [], "weights": []} for probe in gold.probes["probe_id"]]
    everything = judge(pl.DataFrame(nothing, schema=RESPONSES), gold)
    values = pl.concat([soundness(everything, Choices()), reciprocity(everything, Choices(symmetry_k=[1]))])
    by_people = pl.concat([pl.DataFrame(schema=METRICS), *people])
    asked = {name: _common(values, by_people, name, TUPLES) for name in RECIPROCAL}
    targets = _common(values, by_people, soundness.__name__, TARGETS)
    asked |= {measure.name: targets for measure in MEASURES if measure.name not in RECIPROCAL}
    links = linked_by(gold.relata)
    related = gold.relata.select("target", versus="relation").unique(maintain_order=True)
    gaps = targets.join(related, on="target", maintain_order="left").filter(pl.col("relation") != pl.col("versus"))
    probes = {name: by_people.filter(metric=name).select(*UNIT, "relatum").unique() for name in RECIPROCAL}
    probes[MAIN] = by_people.filter(metric=MAIN).select(UNIT).unique()
    return Design(links.links, links.gap_links, asked, gaps.select("relation", "versus", "target"), probes)


def _common(values: pl.DataFrame, by_people: pl.DataFrame, metric: str, key: list[str]) -> pl.DataFrame:
    """Return the items of a metric, in each relation those of people if they have any; `key` names an item."""
    items, people_items = (
        table.filter(metric=metric).select(key).unique(maintain_order=True) for table in (values, by_people)
    )
    theirs = items.join(people_items, on=key, how="semi")
    return pl.concat([theirs, items.join(theirs, on="relation", how="anti")])


# The averages, with intervals and coverage.


GROUPS = ["relation", "k"]
GAP_GROUPS = ["relation", "versus"]
NO_INTERVAL = "no interval: distances that are cut off at 0 add up to more than 0 without any signal"
Values = Mapping[str, pl.DataFrame]
"""Agent -> METRICS."""


def averages_of(
    values: Values,
    comparing: AgentComparison = MODELS,
    *,
    relations: Relations,
    design: Design = UNLINKED,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Average the values of all agents: over the prompts of a target or tuple, then over those (AVERAGES).

    The equations are 12, 14, 16, 18, 23 and 25. The value of distinguishability is D(r, s) (Eq. 26) on targets that have
    relata of both relations; it may be below 0. Its sum over the pairs of relations that count is AuDC (Eq. 28), which has
    no relation. `pairs`: which these are (PAIRS); all without it. The AuDC as printed is over all pairs.
    The common targets and probes are those of the `design`, which also says what links them. `coverage` is the share of the
    study's units that the agent has answered; for AuDC, that of the pairs of relations.
    """
    targets = comparing.targets
    common = {agent: design.in_common(table) if targets == "common" else table for agent, table in values.items()}
    distances = {agent: rank_gaps(table) for agent, table in common.items()}
    gaps = {} if design.asked_gaps is None else {DISTINGUISHABILITY.name: design.asked_gaps}
    areas = area_averages(distances, targets, design.asked_gaps, pairs, design.links[SHARED_RELATA])
    parts = [
        comparing.averages(plain(common), MEASURES, GROUPS, links=design.links, asked=design.items),
        comparing.averages(distances, [DISTINGUISHABILITY], GAP_GROUPS, links=design.gap_links, asked=gaps),
        pl.DataFrame(areas, schema=AVERAGES),
        _printed(values),
    ]
    table = pl.concat(parts, how="diagonal_relaxed")
    is_area = pl.col("metric").is_in([AUDC.name, AUDC_PRINTED.name])
    table = table.with_columns(coverage=pl.when(is_area).then(pl.col("units") / relations.pairs).otherwise("coverage"))
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    agents = pl.col("agent").cast(pl.Enum(list(values)))
    table = _with_counted(table, pairs)
    return table.select(list(AVERAGES)).cast(AVERAGES).sort("metric", "k", *order, agents)


def plain(values: Values) -> dict[str, pl.DataFrame]:
    """Return the values without those of distinguishability, whose averages are distances."""
    return {agent: table.filter(pl.col("metric") != DISTINGUISHABILITY.name) for agent, table in values.items()}


def _printed(values: Values) -> pl.DataFrame:
    """Return the AuDC of each agent as the equations are printed, without an interval."""
    areas = [printed_area(table).with_columns(agent=pl.lit(agent)) for agent, table in values.items()]
    return pl.concat(areas).with_columns(own_units=pl.lit(True), note=pl.lit(NO_INTERVAL))


def _with_counted(table: pl.DataFrame, pairs: pl.DataFrame | None) -> pl.DataFrame:
    """Add to each distance whether AuDC counts its pair of relations."""
    distance = pl.col("metric") == DISTINGUISHABILITY.name
    if pairs is None:
        return table.with_columns(in_audc=pl.when(distance).then(pl.lit(value=True)))
    counts = pairs.select("relation", "versus", in_audc="counted")
    joined = table.drop("in_audc", strict=False).join(
        counts, on=["relation", "versus"], how="left", maintain_order="left"
    )
    return joined.with_columns(in_audc=pl.when(distance).then("in_audc"))
