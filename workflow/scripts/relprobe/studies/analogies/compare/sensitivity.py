"""What the choices about negative tuples change: the accuracies of static vectors under each choice and the other one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.analogies.ask.pair_embeddings import pairs as pairs_of
from relprobe.studies.analogies.ask.pair_embeddings import vector_table
from relprobe.studies.analogies.ask.static import differences
from relprobe.studies.analogies.data.instances import Split, instances, tuples
from relprobe.studies.analogies.data.negatives import Choices
from relprobe.studies.analogies.data.relations import group_order
from relprobe.studies.analogies.data.word_pairs import Analogies
from relprobe.studies.analogies.measure.features import PairFeatures
from relprobe.studies.analogies.measure.metrics import ALL, COLUMNS, metrics
from relprobe.studies.analogies.measure.unsupervised import by_features
from relprobe.studies.analogies.schemas import SENSITIVITY, Tuples

OTHERS: Mapping[str, tuple[Any, Any, tuple[str, ...]]] = {
    "random": ("positive", "query", ("random",)),
    "reverse": ("random", "own", ("reverse",)),
    "type": ("positive", "printed", ("type",)),
    "filter": (True, False, COLUMNS),
}
"""Choice -> its two settings, and the probes that it concerns."""
AGENT = "static"


def sensitivity(pairs: Analogies, vectors: Vectors, split: Split, choices: Choices) -> ShownTable:
    """Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.

    The columns are those of SENSITIVITY. The setting is the unsupervised one, and `choices` are those of the study. The
    means are over the tuples of a group, as in Table 1. Static vectors are the one agent whose answers need no scoring by a
    network.
    """
    table = tuples(pairs, None, split)
    usual = _accuracies(pairs, table, vectors, split, choices)
    rows = []
    for name, (first, second, probes) in OTHERS.items():
        here = getattr(choices, name)
        other = second if here == first else first
        setting = Setting(name, _text(here), _text(other))
        values = _accuracies(pairs, table, vectors, split, replace(choices, **{name: other}))
        rows += [
            settings.row(setting, Mean(value), Mean(values[probe, group]), probe=probe, group=group, agent=AGENT)
            for (probe, group), value in usual.items()
            if probe in probes and (probe, group) in values
        ]
    return settings.table(rows, SENSITIVITY)


def _text(setting: object) -> str:
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _accuracies(
    analogies: Analogies, table: Tuples, vectors: StaticVectors, split: Split, choices: Choices
) -> dict[tuple[str, str], float]:
    """Return the mean accuracy of each probe and group, and over all relations."""
    built = instances(table, analogies, None, split.seed, choices)
    of_pairs = pl.DataFrame(vector_table(list(differences(pairs_of(built), vectors)))).drop_nulls("vector")
    judged = [
        by_features(rows, PairFeatures(of_pairs.filter(relation=relation)))
        for (relation,), rows in built.group_by("relation", maintain_order=True)
        if of_pairs.filter(relation=relation).height
    ]
    if not judged:
        return {}
    groups = [*group_order(table["group"]), ALL]
    names = {f"unsupervised {probe}": probe for probe in COLUMNS}
    means = (
        metrics(pl.concat(judged), table)
        .filter(pl.col("metric").is_in(list(names)) & pl.col("condition").is_in(groups))
        .group_by("metric", "condition", maintain_order=True)
        .agg(pl.col("value").mean())
    )
    value = {(names[metric], group): mean for metric, group, mean in means.iter_rows()}
    return {(probe, group): value[probe, group] for probe in COLUMNS for group in groups if (probe, group) in value}
