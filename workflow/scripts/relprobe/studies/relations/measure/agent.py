"""All that is measured of one agent."""

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure import metrics
from relprobe.studies.relations.measure.hits import Answers, hits, main_probes
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES, Measure
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.prototypicality import golds
from relprobe.studies.relations.schemas import METRICS


def answers(
    responses: pl.DataFrame,
    gold: GoldStandard,
    lists: pl.DataFrame | None = None,
    *,
    people: bool = False,
    left_out: pl.DataFrame | None = None,
) -> Answers:
    """Put an agent's responses beside the gold standard.

    `lists` (LISTS): the annotators' lists that prototypicality compares with, if there are any. `people`: the responses are
    those of people. `left_out`: what the responses of a model leave out (LEFT_OUT of answer_space.py). Agents that have
    answered no trick probe, as the humans, have no asymmetry, as in the paper.
    """
    inside = gold.inside()
    tricked = gold.probes.filter(kind="trick").join(responses, on="probe_id", how="semi").height > 0
    about = gold.probes.join(inside, on=["target", "relation"], how="semi")
    return Answers(
        responses,
        gold.probes,
        gold.relata,
        inside if tricked else inside.filter(pl.col("relation").is_in(gold.relations.symmetric)),
        hits(responses, gold.probes, gold.relata, inside),
        main_probes(responses, gold.probes, gold.relata, inside),
        {} if lists is None else golds(lists, about, gold.shared_lexicon, gold.relations.prototypical),
        gold.relations,
        people,
        left_out,
    )


def all_metrics(
    answers: Answers, choices: Choices, measures: Iterable[Measure] = (*MEASURES, DISTINGUISHABILITY)
) -> pl.DataFrame:
    """Return the values of the metrics of one agent (METRICS), sorted by all columns.

    The same study is thus the same file. A function that computes several metrics returns all of them. The choice of ties is
    one for people's lists; a model's ties count by their expected value.

    >>> from relprobe.studies.relations.measure.example import example
    >>> table = all_metrics(example(hyp_robin="bird animal x"), Choices())
    >>> table.filter(metric="soundness").select("relation", "target", "value").rows()
    [('HYP', 'robin', 1.0)]
    """
    if not answers.people:
        choices = replace(choices, ties="expected")
    functions = dict.fromkeys(measure.function or measure.name for measure in measures)
    return pl.concat([getattr(metrics, name)(answers, choices) for name in functions]).sort(METRICS.names())
