"""The classifiers that are trained on embeddings, and what they get right."""

import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from relprobe.lm.network.devices import claim
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.stats.schemas import RAW
from relprobe.studies.analogies.features import Features, Matrix, features_in
from relprobe.studies.analogies.measures import classifier_values
from relprobe.studies.analogies.method import values
from relprobe.studies.analogies.schemas import (
    DECISIONS,
    LAYER_METRICS,
    PROBE_TYPES,
    Decisions,
    Instances,
    LayerMetrics,
    Tuples,
)
from relprobe.studies.analogies.template import NEGATIVE, POSITIVE, Template

# The classifier of the supervised setting: a multi-layer perceptron decides whether a tuple is in the query's relation.


@dataclass(frozen=True)
class Settings:
    """The perceptron's form and training, which the paper leaves open.

    Training takes `epochs` rounds of Adam with `learning_rate` on batches of `batch` examples. Every seed gives a classifier
    of its own. `hidden`: units of each hidden layer; without any the classifier is linear.
    """

    epochs: int
    batch: int
    learning_rate: float
    seeds: list[int]
    hidden: list[int] | None = None
    device: str = "cpu"  # where they are trained: the weights begin alike, and the batches are the same, on all devices


def accuracies(train: tuple[Tensor, Tensor], test: tuple[Tensor, Tensor], settings: Settings) -> Tensor:
    """Return the accuracy on each test example, averaged over the seeds: float64, shape (examples,).

    `train` and `test`: features (examples, width) and labels (examples,) of 0 and 1. A right decision counts 1 and a wrong
    one 0; a logit of exactly 0 decides nothing and counts 1/2, as a guess would.

    >>> examples = torch.tensor([[-1.0], [1.0]]), torch.tensor([0, 1])
    >>> accuracies(examples, examples, Settings(epochs=50, batch=2, learning_rate=0.1, seeds=[1, 2], hidden=[4])).tolist()
    [1.0, 1.0]
    """
    centre, scale = _scale(train[0])
    inputs, unseen = (((f.float() - centre) / scale).to(settings.device) for f in (train[0], test[0]))
    labels = train[1].float().to(settings.device)
    total = torch.zeros(len(unseen), dtype=torch.float64)
    for seed in settings.seeds:
        logits = _trained(inputs, labels, settings, seed)(unseen).detach().squeeze(1)
        total += _right(logits.cpu(), test[1])
    return total / len(settings.seeds)


def _right(logits: Tensor, labels: Tensor) -> Tensor:
    """Return 1 or 0 for each decision, and 1/2 where the logit is 0."""
    towards = torch.sign(logits).double() * (2 * labels.double() - 1)
    return (towards + 1) / 2


def _scale(features: Tensor) -> tuple[Tensor, Tensor]:
    """Return the means and standard deviations of the training features; 1 stands for the deviation of a constant one."""
    deviation = features.float().std(dim=0, correction=0)
    return features.float().mean(dim=0), torch.where(deviation > 0, deviation, 1.0)


def _trained(inputs: Tensor, labels: Tensor, settings: Settings, seed: int) -> nn.Module:
    """Return a perceptron that was trained from `seed`; the generator of the caller keeps its state."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = _perceptron(inputs.shape[1], settings.hidden or []).to(inputs.device)
        optimizer = torch.optim.Adam(net.parameters(), lr=settings.learning_rate)
        loss = nn.BCEWithLogitsLoss()
        for _ in range(settings.epochs):
            for batch in torch.split(torch.randperm(len(inputs)).to(inputs.device), settings.batch):
                optimizer.zero_grad()
                loss(net(inputs[batch]).squeeze(1), labels[batch]).backward()
                optimizer.step()
    return net


def _perceptron(width: int, hidden: Sequence[int]) -> nn.Module:
    sizes = (width, *hidden)
    layers: list[nn.Module] = []
    for size_before, size_after in itertools.pairwise(sizes):
        layers += [nn.Linear(size_before, size_after), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1))


# The supervised setting: a classifier per relation and probe says which tuples are in the relation (sections 2.1, 2.4).


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
    settings_of_run = replace(settings, device=device)
    tables = [pl.DataFrame(schema=DECISIONS)]
    for relation in instances["relation"].unique(maintain_order=True):
        relation_features, rows = features(relation), instances.filter(relation=relation)
        for draw, probe in itertools.product(rows["draw"].unique(maintain_order=True), PROBE_TYPES):
            tables.append(_probe_decisions(rows.filter(draw=draw, probe=probe), relation_features, settings_of_run))
    return pl.concat(tables)


def _probe_decisions(rows: pl.DataFrame, features: Features, settings: Settings) -> pl.DataFrame:
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
            **{term: pl.col(column) for term, column in columns.items()},
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


# The accuracy of the supervised classifiers on the vectors after each layer of a model.


logger = logging.getLogger("relprobe")


def layer_metrics(
    vectors: ScoreFile, instances: Instances, tuples: Tuples, settings: Settings, *, template: str, threads: int = 1
) -> LayerMetrics:
    """Train the classifiers anew on the vectors after each layer, and measure them as those of an agent's one layer.

    `vectors`: those of the words in the sentences of `template`, after each layer; one relation of one layer is read at a
    time. A metric has the name of its probe: random, reverse or type.
    """
    torch.set_num_threads(threads)
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in vectors.layers():
        judged = decisions(features_in(vectors, Template.of(template), layer), instances, settings)
        measured = classifier_values(values(judged, tuples))
        keys = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(measured.with_columns(**keys).select(list(LAYER_METRICS)))
        logger.info("layer %d: done", layer)
    return pl.concat(parts)
