"""The supervised setting: a classifier per relation and probe says which tuples are in the relation (sections 2.1, 2.4)."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.studies.analogies.ask.probes import NEGATIVE, POSITIVE
from relprobe.studies.analogies.measure.classifier import Settings, accuracies
from relprobe.studies.analogies.measure.features import Features, Matrix
from relprobe.studies.analogies.schemas import DECISIONS, PROBE_TYPES


def decisions(
    instances: pl.DataFrame, features: Callable[[str], Features], settings: Settings
) -> Iterator[pl.DataFrame]:
    """Yield the decisions (DECISIONS) on the test tuples of every relation, draw and probe type, also under swapped queries.

    `features`: relation -> its features, read once for each relation. An example without features takes no part in
    training, and in the test its value is null. All values of a probe are null if its training examples have only one label.
    """
    for relation in instances["relation"].unique(maintain_order=True):
        features_of_relation = features(relation)
        rows = instances.filter(relation=relation)
        for draw, probe in itertools.product(rows["draw"].unique(maintain_order=True), PROBE_TYPES):
            yield _of_probe(rows.filter(draw=draw, probe=probe), features_of_relation, settings)


def _of_probe(rows: pl.DataFrame, features: Features, settings: Settings) -> pl.DataFrame:
    """Train on the training instances of one relation, draw and probe; return the decisions on the test instances."""
    train, test = (_examples(rows.filter(partition=partition)) for partition in ("train", "test"))
    values = _values(features.of(train), train["label"], features.of(test), test["label"], settings)
    return test.select(
        "relation",
        "probe",
        "draw",
        "tuple",
        "label",
        "instead_of",
        setting=pl.lit("supervised"),
        query=pl.format("{} : {}", "h1", "t1"),
        head="h2",
        tail="t2",
        value=pl.Series(values, dtype=pl.Float64, nan_to_null=True),
    ).select(list(DECISIONS))


def _examples(rows: pl.DataFrame) -> pl.DataFrame:
    """Return two examples per instance, the query with its positive and with its negative tuple.

    The columns are ANALOGY, the label, and those that DECISIONS takes over from INSTANCES.
    """
    parts = [
        rows.select(
            "relation",
            "probe",
            "draw",
            "instead_of",
            tuple=pl.format("{} : {}", "head", "tail"),
            label=pl.lit(label),
            **{place: pl.col(column) for place, column in columns.items()},
        )
        for columns, label in ((POSITIVE, True), (NEGATIVE, False))
    ]
    return pl.concat(parts)


def _values(
    inputs: Matrix, labels: pl.Series, unseen: Matrix, truth: pl.Series, settings: Settings
) -> NDArray[np.float64]:
    """Return the accuracy on each row of `unseen` (rows,); NaN where it has no features or nothing could be trained."""
    usable, judged = ~np.isnan(inputs).any(axis=1), ~np.isnan(unseen).any(axis=1)
    values = np.full(len(unseen), np.nan)
    if len(np.unique(labels.to_numpy()[usable])) == 2 and judged.any():
        values[judged] = accuracies(
            _tensors(inputs[usable], labels.to_numpy()[usable]),
            _tensors(unseen[judged], truth.to_numpy()[judged]),
            settings,
        ).numpy()
    return values


def _tensors(features: Matrix, labels: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(features), torch.from_numpy(labels.copy())
