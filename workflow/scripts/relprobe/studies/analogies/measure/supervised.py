"""The supervised setting: a classifier per relation and probe says which tuples are in the relation (sections 2.1, 2.4)."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.devices import claim
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.ask.prompts import NEGATIVE, POSITIVE, Template
from relprobe.studies.analogies.measure.classifier import Settings, accuracies
from relprobe.studies.analogies.measure.features import Features, Matrix, features_in
from relprobe.studies.analogies.schemas import DECISIONS, PROBE_TYPES, Decisions, Instances


def by_classifier(
    vectors: ScoreFile, instances: Instances, settings: Settings, *, template: str | None = None, threads: int = 1
) -> Decisions:
    """Train an agent's classifiers on the training tuples of each relation, and let them judge the test tuples.

    Each draw and probe has classifiers of its own. `vectors`: the file with the embeddings of words in the sentences of
    `template`, or, without a template, of pairs; one relation is read at a time. The test has swapped queries, too. An
    example without embeddings takes no part in training, and in the test its value is null. All values of a probe are null
    if its training examples have only one label. The device "auto" is a GPU where there is one.
    """
    torch.set_num_threads(threads)
    return decisions(features_in(vectors, Template.of(template) if template else None), instances, settings)


def decisions(features: Callable[[str], Features], instances: Instances, settings: Settings) -> Decisions:
    """Train classifiers on features, and let them judge the test tuples (`by_classifier`). `features`: of a relation."""
    device, _locks = claim(settings.device)
    there = replace(settings, device=device)
    tables = [pl.DataFrame(schema=DECISIONS)]
    for relation in instances["relation"].unique(maintain_order=True):
        of_relation, rows = features(relation), instances.filter(relation=relation)
        for draw, probe in itertools.product(rows["draw"].unique(maintain_order=True), PROBE_TYPES):
            tables.append(_of_probe(rows.filter(draw=draw, probe=probe), of_relation, there))
    return pl.concat(tables)


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
