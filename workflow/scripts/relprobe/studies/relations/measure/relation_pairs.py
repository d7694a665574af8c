"""The ordered pairs of relations: how many targets each has, and which of them AuDC is over (Eq. 28).

D(r, s) of one or two targets may well be 1 or 0 by chance, and counts in the sum as much as that of a hundred. So AuDC is
over the pairs with enough targets. These follow from the study, and not from who answers it: another agent changes no sum.
"""

import itertools
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.core.relation import Relations
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.measures import AUDC
from relprobe.studies.relations.measure.responses.ranked_lists import Lists
from relprobe.studies.relations.schemas import PAIRS, Pairs

TARGET = ["relation", "target"]


class PairTables(NamedTuple):
    """The pairs of relations, as a table of the study and as one that is shown."""

    out: Pairs
    table: ShownTable


def pairs(gold: GoldStandard, lists: Lists | None = None, *, minimum_targets: int) -> PairTables:
    """Count the targets of each ordered pair of relations, and choose those that AuDC is over.

    `lists`: those of the annotators, whose targets count where people take part. `minimum_targets`: how many a pair needs.
    """
    table = relation_pairs(gold, minimum_targets, lists)
    return PairTables(table, table)


def relation_pairs(gold: GoldStandard, minimum: int, lists: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the ordered pairs (r, s) of different relations with the numbers of their targets (PAIRS).

    A target of (r, s) has tuples of r in the shared lexicon and relata of r and s, and main probes of r. Where people take
    part, it is one that they have answered: `lists` are those of the annotators (LISTS). A relation that they have not
    answered has all targets. `minimum`: how many targets a pair needs to be `counted` in AuDC.

    >>> from relprobe.studies.relations.measure.example import example_gold  # robin: HYP bird and animal, MER wing
    >>> table = relation_pairs(example_gold("hyp:robin", "mer:robin", "hol:wing"), minimum=1)
    >>> table.filter(pl.col("targets") > 0).select("relation", "versus", "targets", "asked_for_both", "counted").rows()
    [('HYP', 'MER', 1, 1, True), ('MER', 'HYP', 1, 1, True)]
    """
    asked = gold.probes.join(gold.relata, on=TARGET, how="semi")
    targets = asked.filter(kind="main").join(gold.inside(), on=TARGET, how="semi").select("probe_id", *TARGET)
    if lists is not None:
        answered = targets.join(lists, on="probe_id", how="semi")
        targets = pl.concat([answered, targets.join(answered, on="relation", how="anti")])
    related = gold.relata.select("target", versus="relation").unique()
    both = asked.select("target", versus="relation").unique().with_columns(asked=pl.lit(value=True))
    of_pairs = (
        targets.select(TARGET).unique().join(related, on="target").join(both, on=["target", "versus"], how="left")
    )
    counts = of_pairs.group_by("relation", "versus").agg(targets=pl.len(), asked_for_both=pl.col("asked").sum())
    every = pl.DataFrame(
        list(itertools.permutations(gold.relations.codes, 2)), schema=["relation", "versus"], orient="row"
    )
    table = every.join(counts, on=["relation", "versus"], how="left", maintain_order="left")
    table = table.with_columns(pl.col("targets", "asked_for_both").fill_null(0))
    return table.with_columns(counted=pl.col("targets") >= minimum).cast(PAIRS)


def only_counted(gaps: pl.DataFrame, pairs: pl.DataFrame | None) -> pl.DataFrame:
    """Return the rows of a table with the columns relation and versus whose pair counts in AuDC (PAIRS); None: all rows."""
    if pairs is None:
        return gaps
    return gaps.join(pairs.filter("counted"), on=["relation", "versus"], how="semi", maintain_order="left")


def counted_pairs(averages: pl.DataFrame, relations: Relations) -> int:
    """Return the number of pairs of relations that AuDC counts, from AVERAGES; all of them if it does not say."""
    counted = averages.filter(metric=AUDC.name)["units"].max()
    return relations.pairs if counted is None else int(counted)  # type: ignore[arg-type]  # it is an integer


def audc_label(averages: pl.DataFrame, relations: Relations) -> str:
    """Return the name of an axis of AuDC, which says how many pairs it counts.

    >>> from relprobe.studies.relations.measure.example import RELATIONS
    >>> rows = {"metric": ["audc"], "units": [12]}
    >>> audc_label(pl.DataFrame(rows), RELATIONS)
    'AuDC (of 12 of 20 pairs)'
    """
    counted = counted_pairs(averages, relations)
    return f"AuDC (of {'' if counted == relations.pairs else f'{counted} of '}{relations.pairs} pairs)"
