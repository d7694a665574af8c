"""Pairs of relations: how many targets each has, AuDC as it is printed, and the curve of distances."""

import itertools

import numpy as np
import polars as pl

from relprobe.core.relation import Relations
from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.studies.relations.measures import AUDC, AUDC_PRINTED, DISTINGUISHABILITY
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import PAIRS

# The ordered pairs of relations: how many targets each has, and which of them AuDC is over (Eq. 28).
# D(r, s) of one or two targets may well be 1 or 0 by chance, and counts in the sum as much as that of a hundred. So AuDC
# is over the pairs with enough targets. These follow from the study, and not from who answers it: another agent changes
# no sum.


TARGET = ["relation", "target"]


def relation_pairs(gold: GoldStandard, minimum: int, lists: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the ordered pairs (r, s) of different relations with the numbers of their targets (PAIRS).

    A target of (r, s) has tuples of r in the shared lexicon and relata of r and s, and main probes of r. Where people take
    part, it is one that they have answered: `lists` are those of the annotators (LISTS). A relation that they have not
    answered has all targets. `minimum`: how many targets a pair needs to be `counted` in AuDC.

    >>> from relprobe.studies.relations.values import example_gold  # robin: HYP bird and animal, MER wing
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
    asked_relations = asked.select("target", versus="relation").unique().with_columns(asked=pl.lit(value=True))
    target_pairs = (
        targets.select(TARGET)
        .unique()
        .join(related, on="target")
        .join(asked_relations, on=["target", "versus"], how="left")
    )
    counts = target_pairs.group_by("relation", "versus").agg(targets=pl.len(), asked_for_both=pl.col("asked").sum())
    all_pairs = pl.DataFrame(
        list(itertools.permutations(gold.relations.codes, 2)), schema=["relation", "versus"], orient="row"
    )
    table = all_pairs.join(counts, on=["relation", "versus"], how="left", maintain_order="left")
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

    >>> from relprobe.studies.relations.values import RELATIONS
    >>> rows = {"metric": ["audc"], "units": [12]}
    >>> audc_label(pl.DataFrame(rows), RELATIONS)
    'AuDC (of 12 of 20 pairs)'
    """
    counted = counted_pairs(averages, relations)
    return f"AuDC (of {'' if counted == relations.pairs else f'{counted} of '}{relations.pairs} pairs)"


# AuDC as the equations are printed, and the curve of the distances (section 5.3.3).


CURVE = pl.Schema({"agent": pl.String(), "p": pl.Float64(), "pairs": pl.Int64()})


def printed_area(values: pl.DataFrame) -> pl.DataFrame:
    """Return one agent's AuDC as Eq. 25, 26 and 28 are printed: metric, value and units, the number of relation pairs.

    δ(r, r) and δ(r, s) are averaged each over all targets that have it, and a negative distance counts as 0. No row if there
    is no distance.

    >>> rows = [("HYP", "HYP", "robin", 0.25), ("HYP", "MER", "robin", 1.0), ("HYP", "HYP", "idea", 1.0)]
    >>> table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    >>> printed_area(table.with_columns(metric=pl.lit("distinguishability"), prompt_id=pl.lit("p")))["value"].item()
    0.375
    """
    key = ["relation", "versus"]
    distances = values.filter(metric=DISTINGUISHABILITY.name)
    # In a fixed order, as the last digit of a sum depends on it.
    target_means = distances.group_by(*key, "target", maintain_order=True).agg(ordered_mean("value"))
    means = target_means.group_by(key, maintain_order=True).agg(ordered_mean("value")).sort(key)
    same = pl.col("relation") == pl.col("versus")
    prompted = means.filter(same).select("relation", prompted="value")
    pairs = means.filter(~same).join(prompted, on="relation", maintain_order="left")
    cut_off = pairs.select(value=(pl.col("value") - pl.col("prompted")).clip(lower_bound=0))
    total = cut_off.select(pl.lit(AUDC_PRINTED.name).alias("metric"), ordered_sum("value"), pl.len().alias("units"))
    return total.filter(pl.col("units") > 0)


def curve(table: pl.DataFrame) -> pl.DataFrame:
    """Return η(p), the number of relation pairs with D > p (Eq. 27), as steps (CURVE), from AVERAGES.

    The area under the curve is the sum of the distances above 0. Pairs that AuDC does not count (`in_audc`) are left out.

    >>> rows = [("m", "distinguishability", 0.5), ("m", "distinguishability", 0.0)]
    >>> curve(pl.DataFrame(rows, schema=["agent", "metric", "value"], orient="row")).rows()
    [('m', 0.0, 1), ('m', 0.5, 0), ('m', 1.0, 0)]
    """
    steps = []
    counted = pl.col("in_audc").fill_null(value=True) if "in_audc" in table.columns else pl.lit(value=True)
    for (agent,), rows in table.filter(counted, metric=DISTINGUISHABILITY.name).group_by("agent", maintain_order=True):
        scores = np.sort(rows["value"].to_numpy())
        p = np.concatenate([[0.0], scores[scores > 0], [1.0]])
        steps.append(pl.DataFrame({"agent": [agent] * len(p), "p": p, "pairs": [int((scores > x).sum()) for x in p]}))
    return pl.concat(steps) if steps else pl.DataFrame(schema=CURVE)
