"""One annotator as an agent: the lists of a probe one after the other, each left out of the answers it is compared with."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

import polars as pl

from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import all_metrics, answers
from relprobe.studies.relations.measure.hits import RESPONSE, Answers
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES, Measure
from relprobe.studies.relations.measure.metrics import OR, Choices, reciprocity
from relprobe.studies.relations.measure.prototypicality import annotators
from relprobe.studies.relations.measure.responses.ranked_lists import of_annotators
from relprobe.studies.relations.schemas import METRICS

TOGETHER = reciprocity.__name__
"""The function of the metrics that need the lists of two probes. These may be by different people."""


def annotator_answers(responses: pl.DataFrame, lists: pl.DataFrame, gold: GoldStandard) -> list[Answers]:
    """Put the responses of each annotator (`of_each_annotator`) beside the gold standard, one Answers per annotator number.

    `lists`: the lists that the responses were made of (LISTS). Prototypicality compares a response with the lists of all
    other annotators of the probe, whatever the choice `gold`.
    """
    pooled = answers(of_annotators(lists), gold, lists, people=True)
    each = []
    for number, rest in zip(annotators(lists), pooled.golds["rest"], strict=True):
        one = answers(responses.filter(annotator=number).drop("annotator"), gold, people=True)
        each.append(replace(one, golds={"rest": [rest], "pooled": [rest]}))
    return each


def annotator_metrics(
    each: Sequence[Answers], choices: Choices, measures: Iterable[Measure] = (*MEASURES, DISTINGUISHABILITY)
) -> pl.DataFrame:
    """Return the values of the metrics of one annotator (METRICS): the mean over the lists of each probe.

    `each`: what `annotator_answers` returns. For symmetry every list of one probe meets every list of the other, since
    nobody knows which lists are by one person: μ is the product of two shares of lists. `versus` of `first_related` has
    the relations of all lists (OR).
    """
    wanted = list(measures)
    alone = [measure for measure in wanted if measure.function != TOGETHER]
    tables = [all_metrics(one, choices, alone) for one in each]
    if len(alone) < len(wanted):
        tables.append(reciprocity(_together(each), choices))
    table = pl.concat(tables)
    first = pl.col("metric") == "first_related"
    key = [name for name in METRICS if name not in ("value", "versus")]
    firsts = table.filter(first).group_by(key).agg(pl.col("value").mean(), pl.col("versus").sort().str.join(OR))
    others = table.filter(~first).group_by([*key, "versus"]).agg(pl.col("value").mean())
    return pl.concat([part.select(METRICS.names()) for part in (firsts, others)]).sort(METRICS.names())


def _together(each: Sequence[Answers]) -> Answers:
    """Return the lists of all annotators as several responses to each probe, numbered one after the other."""
    before = accumulate((one.responses.height for one in each), initial=0)
    hits = [one.hits.with_columns(pl.col(RESPONSE) + rows) for one, rows in zip(each, before, strict=False)]
    return replace(each[0], responses=pl.concat([one.responses for one in each]), hits=pl.concat(hits))
