"""The networks of the probing classifier (section 2.2.1): those of several seeds are trained at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import torch
from torch import Tensor, nn

_GENERATOR_LOCK = Lock()
"""Held while weights are drawn: all threads draw from torch's one generator."""


@dataclass(frozen=True)
class Training:
    """How the classifier is trained. The hidden size and dropout are the paper's; the paper does not state the rest.

    Adam minimises the cross-entropy over shuffled batches. Training ends after `epochs`, or after `patience` epochs in
    which the accuracy on the development part has not risen. The weights are those of the best epoch. Every fold has
    `seeds` classifiers, with the seeds `seed`, `seed` + 1 and so on; a seed decides the first weights, the order of the
    pairs, and dropout.
    """

    hidden: int = 300
    dropout: float = 0.2
    learning_rate: float = 0.001
    batch: int = 64
    epochs: int = 20
    patience: int = 3
    seed: int = 1
    seeds: int = 10


@dataclass(frozen=True)
class Examples:
    """Pairs of a hyponym and a hypernym, and their labels, shape (pairs,).

    `vectors`: (words, width), of which `hyponyms` are rows, shape (pairs,). `hypernyms` are rows of `distinct`, (different
    hypernyms, width): there are few, so what a network computes of each of them is computed once a batch. `full`: whether
    the classifiers see both words, or the hypernym alone.
    """

    vectors: Tensor
    hyponyms: Tensor
    distinct: Tensor
    hypernyms: Tensor
    labels: Tensor
    full: bool

    @property
    def parts(self) -> int:
        """The number of parts of a classifier's input, each of the width of a vector (`Classifiers`)."""
        return 4 if self.full else 1


@dataclass(frozen=True)
class Inputs:
    """The vectors of a batch: `first` of its hyponyms and `product` with its hypernyms, (seeds, pairs, width) each.

    Both are None if the classifiers see the hypernym alone. `second` and `chosen` give the hypernyms: if there are no more
    different ones than pairs, `second` are the different ones, (different hypernyms, width), and `chosen`, (seeds, pairs,
    different hypernyms), is 1 where a pair has that hypernym, else 0. Otherwise `second` has the hypernym of each pair,
    (seeds, pairs, width), and `chosen` is None.
    """

    first: Tensor | None
    product: Tensor | None
    second: Tensor
    chosen: Tensor | None

    @classmethod
    def of(cls, examples: Examples, pairs: Tensor) -> "Inputs":
        """Gather the vectors of the pairs with these numbers, (seeds, pairs)."""
        places = examples.hypernyms[pairs]
        count = len(examples.distinct)
        few = count <= pairs.shape[1]
        own = None if few and not examples.full else examples.distinct[places]
        chosen = torch.eye(count)[places] if few else None
        second = examples.distinct if few or own is None else own
        if not examples.full or own is None:
            return cls(None, None, second, chosen)
        first = examples.vectors[examples.hyponyms[pairs]]
        return cls(first, first * own, second, chosen)


class Classifiers:
    """Networks W · ReLU(Dropout(h(x))), one per seed, whose tensors are stacked: all of them take a step at once.

    The input x of a pair is [w1; w2; w2 - w1; w1 ⊙ w2] (Vu and Shwartz 2018), or w2 alone; the softmax of the two outputs
    are the probabilities. The hidden layer h has a matrix of weights for each part of x, `hidden`, (seeds, width, hidden)
    each. x is never made. With the weights A, B, C and D of its parts, h(x) = (A - C) w1 + (B + C) w2 + D (w1 ⊙ w2), which
    takes three products of matrices in place of four, of which the second one is small.

    A network depends on its seed alone, and not on those that are trained with it.
    """

    def __init__(self, parts: int, width: int, training: Training, seeds: Sequence[int]) -> None:
        layers = [_layers(parts * width, training.hidden, seed) for seed in seeds]
        weights, *others = (torch.stack(tensors) for tensors in zip(*layers, strict=True))
        self.hidden = [nn.Parameter(part.mT.contiguous()) for part in torch.split(weights, width, 2)]
        self.bias, self.output, self.output_bias = map(nn.Parameter, others)
        self.left_out = training.dropout
        self.random = [np.random.Generator(np.random.SFC64(seed)) for seed in seeds]

    @property
    def tensors(self) -> list[nn.Parameter]:
        """The weights and biases, each of shape (seeds, …)."""
        return [*self.hidden, self.bias, self.output, self.output_bias]

    def shuffle(self, count: int) -> Tensor:
        """Return an order of `count` pairs for each network, shape (seeds, count)."""
        return torch.from_numpy(np.stack([random.permutation(count) for random in self.random]))

    def keep(self, stays: Tensor, optimizer: torch.optim.Optimizer) -> None:
        """Keep only some of the networks, with the state of their optimizer; `stays`: which, (seeds,)."""
        for tensor in self.tensors:
            tensor.data = tensor.data[stays]
            state = optimizer.state[tensor]
            state |= {name: state[name][stays] for name in ("exp_avg", "exp_avg_sq")}
        self.random = [random for random, stay in zip(self.random, stays.tolist(), strict=True) if stay]

    @torch.no_grad()
    def gradients(self, examples: Examples, pairs: Tensor) -> list[Tensor]:
        """Return the gradients of the mean cross-entropy of a batch, with dropout, in the order of `tensors`.

        `pairs`: the numbers of the pairs, (seeds, batch). The gradients are worked out by hand, as autograd takes up to 1.6
        times the time for batches as small as the usual ones.
        """
        inputs = Inputs.of(examples, pairs)
        after = self._before(inputs).relu_().mul_(self._kept(pairs.shape))
        output = self.output / (1 - self.left_out)  # in place of scaling the units that dropout keeps
        outputs = torch.baddbmm(self.output_bias[:, None], after, output.mT)
        error = (outputs.softmax(-1) - nn.functional.one_hot(examples.labels[pairs], 2)) / pairs.shape[1]
        back = (error @ output).mul_(after > 0)
        of_output = (error.mT @ after) / (1 - self.left_out)
        return [*_of_hidden(inputs, back), back.sum(1), of_output, error.sum(1)]

    def _kept(self, shape: torch.Size) -> Tensor:
        """Return which hidden units dropout keeps, (seeds, pairs, hidden); each network has a generator of its own."""
        draws = np.empty((*shape, self.bias.shape[1]), np.float32)
        for random, of_network in zip(self.random, draws, strict=True):
            random.random(out=of_network, dtype=np.float32)
        return torch.from_numpy(draws) >= self.left_out

    def _before(self, inputs: Inputs) -> Tensor:
        """Return the hidden layer before dropout, (seeds, pairs, hidden)."""
        second = self.hidden[0] if inputs.first is None else self.hidden[1] + self.hidden[2]
        if inputs.chosen is None:
            before = torch.baddbmm(self.bias[:, None], inputs.second, second)
        else:
            before = torch.baddbmm(self.bias[:, None], inputs.chosen, inputs.second @ second)
        if inputs.first is not None and inputs.product is not None:
            before.baddbmm_(inputs.first, self.hidden[0] - self.hidden[2])
            before.baddbmm_(inputs.product, self.hidden[3])
        return before

    @torch.no_grad()
    def probability(self, examples: Examples) -> Tensor:
        """Return each network's probability of hypernymy of all pairs, shape (seeds, pairs), without dropout."""
        count = len(examples.labels)
        pairs = torch.arange(count).expand(len(self.bias), count)
        after = self._before(Inputs.of(examples, pairs)).relu_()
        return torch.baddbmm(self.output_bias[:, None], after, self.output.mT).softmax(-1)[..., 1]


def _of_hidden(inputs: Inputs, back: Tensor) -> list[Tensor]:
    """Return the gradients of `Classifiers.hidden`; `back`: that of the hidden layer before dropout."""
    of_second = back if inputs.chosen is None else inputs.chosen.mT @ back
    second = inputs.second.mT @ of_second
    if inputs.first is None or inputs.product is None:
        return [second]
    first = inputs.first.mT @ back
    return [first, second, second - first, inputs.product.mT @ back]


def _layers(inputs: int, hidden: int, seed: int) -> tuple[Tensor, ...]:
    """Return the first weights and biases of a network, as torch draws them for linear layers with this seed."""
    with _GENERATOR_LOCK:
        torch.manual_seed(seed)
        layers = nn.Linear(inputs, hidden), nn.Linear(hidden, 2)
    return tuple(tensor.detach() for layer in layers for tensor in (layer.weight, layer.bias))


@torch.no_grad()
def fit(train: Examples, dev: Examples, training: Training, seeds: Sequence[int]) -> Classifiers:
    """Return a classifier per seed, each as it was when it was best on the development part.

    A network that has not become better for `patience` epochs leaves the stack, and the others go on.
    """
    stack = Classifiers(train.parts, train.vectors.shape[1], training, seeds)
    optimizer = torch.optim.Adam(stack.tensors, lr=training.learning_rate, fused=True)
    best = [tensor.clone() for tensor in stack.tensors]
    there = torch.arange(len(seeds))  # the networks that are still in the stack
    accuracy, epoch_of = (
        torch.full((len(seeds),), -1.0, dtype=torch.float64),
        torch.zeros(len(seeds), dtype=torch.int64),
    )
    for epoch in range(training.epochs):
        for pairs in torch.split(stack.shuffle(len(train.labels)), training.batch, 1):
            for tensor, gradient in zip(stack.tensors, stack.gradients(train, pairs), strict=True):
                tensor.grad = gradient
            optimizer.step()
        right = ((stack.probability(dev) > 0.5) == (dev.labels == 1)).double().mean(1)
        better = right > accuracy[there]
        accuracy[there[better]], epoch_of[there[better]] = right[better], epoch
        for kept, tensor in zip(best, stack.tensors, strict=True):
            kept[there[better]] = tensor[better]
        stays = epoch - epoch_of[there] < training.patience
        if not stays.any():
            break
        if not stays.all():
            there = there[stays]
            stack.keep(stays, optimizer)
    for tensor, kept in zip(stack.tensors, best, strict=True):
        tensor.data = kept
    return stack
