"""The supervised setting's classifier: a multi-layer perceptron that says whether a tuple is in the query's relation."""

import itertools
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    """The perceptron's form and training, which the paper leaves open.

    `hidden`: units per hidden layer; training takes `epochs` rounds of Adam with `learning_rate` on batches of `batch`
    examples; one classifier is trained per seed.
    """

    hidden: tuple[int, ...]
    epochs: int
    batch: int
    learning_rate: float
    seeds: tuple[int, ...]


def accuracies(train: tuple[Tensor, Tensor], test: tuple[Tensor, Tensor], settings: Settings) -> Tensor:
    """Return how right the classifiers are on each test example, averaged over the seeds: float64, shape (examples,).

    `train` and `test`: features (examples, width) and labels (examples,) of 0 and 1. A right decision counts 1, a wrong
    one 0; a logit of exactly 0 decides nothing and counts 1/2, as guessing would.
    """
    centre, scale = _scale(train[0])
    inputs, unseen = ((features.float() - centre) / scale for features in (train[0], test[0]))
    total = torch.zeros(len(unseen), dtype=torch.float64)
    for seed in settings.seeds:
        logits = _trained(inputs, train[1].float(), settings, seed)(unseen).detach().squeeze(1)
        total += _right(logits, test[1])
    return total / len(settings.seeds)


def _right(logits: Tensor, labels: Tensor) -> Tensor:
    """Return 1, 0 or, where the logit is 0, 1/2 for each decision."""
    towards = torch.sign(logits).double() * (2 * labels.double() - 1)
    return (towards + 1) / 2


def _scale(features: Tensor) -> tuple[Tensor, Tensor]:
    """Return the features' means and standard deviations in training; a constant feature is left at its scale."""
    deviation = features.float().std(dim=0, correction=0)
    return features.float().mean(dim=0), torch.where(deviation > 0, deviation, 1.0)


def _trained(inputs: Tensor, labels: Tensor, settings: Settings, seed: int) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = _perceptron(inputs.shape[1], settings.hidden)
        optimizer = torch.optim.Adam(net.parameters(), lr=settings.learning_rate)
        loss = nn.BCEWithLogitsLoss()
        for _ in range(settings.epochs):
            for batch in torch.split(torch.randperm(len(inputs)), settings.batch):
                optimizer.zero_grad()
                loss(net(inputs[batch]).squeeze(1), labels[batch]).backward()
                optimizer.step()
    return net


def _perceptron(width: int, hidden: tuple[int, ...]) -> nn.Module:
    sizes = (width, *hidden)
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(sizes):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1))
