"""The classifier of the supervised setting: a multi-layer perceptron decides whether a tuple is in the query's relation."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn


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
    for before, after in itertools.pairwise(sizes):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], 1))
