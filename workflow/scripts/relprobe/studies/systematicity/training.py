"""The classifiers that are trained to detect hypernymy in embeddings."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np
import polars as pl
import torch
from torch import Tensor, nn

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.stats.schemas import RAW
from relprobe.studies.systematicity.method import detection_values, with_category
from relprobe.studies.systematicity.schemas import (
    DETECTIONS,
    EMBEDDINGS,
    INPUTS,
    LAYER_METRICS,
    PARTS,
    Detections,
    Embeddings,
    LayerMetrics,
    Pairs,
)

# The networks of the probing classifier (section 2.2.1): those of several seeds are trained at once.


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
        indices = examples.hypernyms[pairs]
        count = len(examples.distinct)
        few = count <= pairs.shape[1]
        firsts = None if few and not examples.full else examples.distinct[indices]
        chosen = torch.eye(count)[indices] if few else None
        second = examples.distinct if few or firsts is None else firsts
        if not examples.full or firsts is None:
            return cls(None, None, second, chosen)
        first = examples.vectors[examples.hyponyms[pairs]]
        return cls(first, first * firsts, second, chosen)


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
        weights, *tensors_left = (torch.stack(tensors) for tensors in zip(*layers, strict=True))
        self.hidden = [nn.Parameter(part.mT.contiguous()) for part in torch.split(weights, width, 2)]
        self.bias, self.output, self.output_bias = map(nn.Parameter, tensors_left)
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
        """Drop the other networks and the state of their optimizer; `stays`: which, (seeds,)."""
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
        hidden = self._hidden_layer(inputs).relu_().mul_(self._kept(pairs.shape))
        output = self.output / (1 - self.left_out)  # in place of scaling the units that dropout keeps
        outputs = torch.baddbmm(self.output_bias[:, None], hidden, output.mT)
        error = (outputs.softmax(-1) - nn.functional.one_hot(examples.labels[pairs], 2)) / pairs.shape[1]
        back = (error @ output).mul_(hidden > 0)
        output_gradient = (error.mT @ hidden) / (1 - self.left_out)
        return [*_hidden_gradients(inputs, back), back.sum(1), output_gradient, error.sum(1)]

    def _kept(self, shape: torch.Size) -> Tensor:
        """Return which hidden units dropout keeps, (seeds, pairs, hidden); each network has a generator of its own."""
        draws = np.empty((*shape, self.bias.shape[1]), np.float32)
        for random, network_draws in zip(self.random, draws, strict=True):
            random.random(out=network_draws, dtype=np.float32)
        return torch.from_numpy(draws) >= self.left_out

    def _hidden_layer(self, inputs: Inputs) -> Tensor:
        """Return the hidden layer before dropout, (seeds, pairs, hidden)."""
        second = self.hidden[0] if inputs.first is None else self.hidden[1] + self.hidden[2]
        if inputs.chosen is None:
            sums = torch.baddbmm(self.bias[:, None], inputs.second, second)
        else:
            sums = torch.baddbmm(self.bias[:, None], inputs.chosen, inputs.second @ second)
        if inputs.first is not None and inputs.product is not None:
            sums.baddbmm_(inputs.first, self.hidden[0] - self.hidden[2])
            sums.baddbmm_(inputs.product, self.hidden[3])
        return sums

    @torch.no_grad()
    def probability(self, examples: Examples) -> Tensor:
        """Return each network's probability of hypernymy of all pairs, shape (seeds, pairs), without dropout."""
        count = len(examples.labels)
        pairs = torch.arange(count).expand(len(self.bias), count)
        hidden = self._hidden_layer(Inputs.of(examples, pairs)).relu_()
        return torch.baddbmm(self.output_bias[:, None], hidden, self.output.mT).softmax(-1)[..., 1]


def _hidden_gradients(inputs: Inputs, back: Tensor) -> list[Tensor]:
    """Return the gradients of `Classifiers.hidden`; `back`: that of the hidden layer before dropout."""
    second_gradient = back if inputs.chosen is None else inputs.chosen.mT @ back
    second = inputs.second.mT @ second_gradient
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
    active = torch.arange(len(seeds))  # the networks that are still in the stack
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
        better = right > accuracy[active]
        accuracy[active[better]], epoch_of[active[better]] = right[better], epoch
        for best_tensor, tensor in zip(best, stack.tensors, strict=True):
            best_tensor[active[better]] = tensor[better]
        stays = epoch - epoch_of[active] < training.patience
        if not stays.any():
            break
        if not stays.all():
            active = active[stays]
            stack.keep(stays, optimizer)
    for tensor, best_tensor in zip(stack.tensors, best, strict=True):
        tensor.data = best_tensor
    return stack


# The probing classifier of section 2.2.1, which separates pairs of hyponym and hypernym from others by their embeddings.


logger = logging.getLogger("relprobe")
WEIGHTS_AT_ONCE = 20_000_000
"""The weights of the networks that are trained at once; with their gradients and Adam's state they take 16 bytes each."""


def detections(pairs: Pairs, embeddings: Embeddings, training: Training, threads: int = 1) -> Detections:
    """Train classifiers per setting, fold, input and seed on an agent's embeddings, and let them judge the test pairs.

    All parts leave out a pair if one of its words has no embedding (static vectors lack some); the log counts the others.
    Up to `threads` folds are trained at once, each by one thread: with several for one product, sums would round
    differently from run to run. DataError: a part has no pair left.
    """
    width = int(embeddings["vector"].list.len().max() or 0)  # type: ignore[arg-type]
    vectors = embeddings["vector"].list.to_array(width).to_torch()
    embedded = _with_rows(with_category(pairs), embeddings)
    logger.info("%d of %d pairs have an embedding for both words", embedded.height, pairs.height)
    folds = embedded.partition_by("setting", "fold", maintain_order=True)
    trials = [(fold, name, _examples_of_parts(fold, vectors, name)) for fold in folds for name in INPUTS]
    at_once = WEIGHTS_AT_ONCE // threads
    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        results = [pool.submit(_decisions, *trial, training, at_once) for trial in trials]
    return pl.concat([result.result() for result in results]).select(list(DETECTIONS)).cast(DETECTIONS)


def _examples_of_parts(fold: pl.DataFrame, vectors: Tensor, name: str) -> dict[str, Examples]:
    """Return the examples of each part of a fold. DataError: a part has none."""
    examples = {part: _examples(fold.filter(part=part), vectors, name) for part in PARTS}
    empty = [part for part, part_examples in examples.items() if len(part_examples.labels) == 0]
    if empty:
        setting, number = fold.select("setting", "fold").row(0)
        raise DataError(
            f"no {empty[0]} pair of fold {number} ({setting} hypernyms) has an embedding for both of its words: "
            "take other vectors."
        )
    return examples


def _decisions(
    fold: pl.DataFrame, name: str, examples: Mapping[str, Examples], training: Training, weights_at_once: int
) -> pl.DataFrame:
    """Train the classifiers of one fold and input, and return their decisions on its test pairs, seed by seed."""
    tested = fold.filter(part="test").with_columns(input=pl.lit(name))
    tables = [
        tested.with_columns(pl.Series("p", decided), seed=pl.lit(seed))
        for seeds, p in _judged(examples, training, weights_at_once)
        for seed, decided in zip(seeds, p, strict=True)
    ]
    logger.info("%s hypernyms, fold %s, %s input: done", *fold.select("setting", "fold").row(0), name)
    return pl.concat(tables)


def _with_rows(pairs: Pairs, embeddings: Embeddings) -> pl.DataFrame:
    """Return the pairs whose words both have an embedding, with the rows of these."""
    rows = embeddings.select("context", row=pl.int_range(pl.len()))
    for word in ("hyponym", "hypernym"):
        named = rows.rename({"context": f"{word}_context", "row": f"{word}_row"})
        pairs = pairs.join(named, on=f"{word}_context", maintain_order="left")
    return pairs


def _examples(pairs: pl.DataFrame, vectors: Tensor, name: str) -> Examples:
    hyponyms, hypernyms, labels = (
        pairs[name].cast(pl.Int64).to_torch() for name in ("hyponym_row", "hypernym_row", "label")
    )
    rows, indices = (torch.from_numpy(part) for part in np.unique(hypernyms.numpy(), return_inverse=True))
    return Examples(vectors, hyponyms, vectors[rows], indices, labels, name == "full")


def _judged(
    examples: Mapping[str, Examples], training: Training, weights_at_once: int
) -> Iterator[tuple[list[int], list[list[float]]]]:
    """Train the classifiers of all seeds, some at once, and yield their seeds and their probabilities of the test pairs."""
    train = examples["train"]
    weights = train.parts * train.vectors.shape[1] * training.hidden
    at_once = max(1, weights_at_once // weights)
    for first in range(0, training.seeds, at_once):
        seeds = [training.seed + number for number in range(first, min(first + at_once, training.seeds))]
        yield seeds, fit(train, examples["dev"], training, seeds).probability(examples["test"]).tolist()


# The accuracy of the probing classifier on the states after each layer of a model.


def layer_metrics(pairs: Pairs, embeddings: ScoreFile, training: Training, threads: int = 1) -> LayerMetrics:
    """Train the classifiers anew on the states after each layer, and measure them as those of an agent's one layer.

    `embeddings`: the states after each layer; one layer is read at a time. DataError: see `detections`.
    """
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in embeddings.layers():
        states = embeddings.where(list(EMBEDDINGS), layer=layer)
        values = detection_values(detections(pairs, states, training, threads))
        columns = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(values.with_columns(**columns).select(list(LAYER_METRICS)))
        logger.info("layer %d: done", layer)
    return pl.concat(parts)
