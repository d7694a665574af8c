"""The probing classifier of section 2.2.1, which separates pairs of hyponym and hypernym from others by their embeddings."""

import copy
import logging
from dataclasses import dataclass, replace

import polars as pl
import torch
from torch import Tensor, nn

from relprobe.core.errors import DataError
from relprobe.studies.systematicity.categories import with_category
from relprobe.studies.systematicity.schemas import DETECTIONS, INPUTS, PARTS

logger = logging.getLogger("relprobe")


@dataclass(frozen=True)
class Training:
    """How the classifier is trained. The hidden size and dropout are the paper's; the paper does not state the rest.

    Adam minimises the cross-entropy over shuffled batches. Training ends after `epochs`, or after `patience` epochs in
    which the accuracy on the development part has not risen. The weights are those of the best epoch. Every fold has
    `seeds` classifiers, with the seeds `seed`, `seed` + 1 and so on.
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
    """Pairs as rows of `vectors` (words, width), and their labels, shape (pairs,) each; `input` is one of INPUTS."""

    vectors: Tensor
    hyponyms: Tensor
    hypernyms: Tensor
    labels: Tensor
    input: str

    def features(self, pairs: Tensor) -> Tensor:
        """Return the classifier's input for the pairs of these numbers, shape (numbers, width or 4 width).

        It is made for one batch at a time, as that of all pairs would take four times the memory of their vectors.
        """
        hypernyms = self.vectors[self.hypernyms[pairs]]
        return interact(self.vectors[self.hyponyms[pairs]], hypernyms) if self.input == "full" else hypernyms


def detections(pairs: pl.DataFrame, embeddings: pl.DataFrame, training: Training) -> pl.DataFrame:
    """Train classifiers per setting, fold, input and seed, and return their decisions on the test pairs (DETECTIONS).

    All parts leave out a pair if one of its words has no embedding (static vectors lack some); the log counts the others.
    DataError: a part has no pair left.
    """
    width = int(embeddings["vector"].list.len().max() or 0)  # type: ignore[arg-type]
    vectors = embeddings["vector"].list.to_array(width).to_torch()
    embedded = _with_rows(with_category(pairs), embeddings)
    logger.info("%d of %d pairs have an embedding for both words", embedded.height, pairs.height)
    parts = []
    for (setting, fold), of_fold in embedded.group_by("setting", "fold", maintain_order=True):
        tested = of_fold.filter(part="test")
        for name in INPUTS:
            examples = {part: _examples(of_fold.filter(part=part), vectors, name) for part in PARTS}
            empty = [part for part, of_part in examples.items() if len(of_part.labels) == 0]
            if empty:
                raise DataError(
                    f"no {empty[0]} pair of fold {fold} ({setting} hypernyms) has an embedding for both of its words: "
                    "take other vectors."
                )
            for seed in range(training.seed, training.seed + training.seeds):
                model = fit(examples["train"], examples["dev"], replace(training, seed=seed))
                p = pl.Series("p", _probability(model, examples["test"]).tolist(), dtype=pl.Float64)
                parts.append(tested.with_columns(p, input=pl.lit(name), seed=pl.lit(seed)))
        logger.info("%s hypernyms, fold %s: done", setting, fold)
    return pl.concat(parts).select(list(DETECTIONS)).cast(DETECTIONS)


def _with_rows(pairs: pl.DataFrame, embeddings: pl.DataFrame) -> pl.DataFrame:
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
    return Examples(vectors, hyponyms, hypernyms, labels, name)


def interact(w1: Tensor, w2: Tensor) -> Tensor:
    """Return [w1; w2; w2 - w1; w1 ⊙ w2] of vectors (pairs, width), shape (pairs, 4 width) (Vu and Shwartz 2018).

    >>> interact(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 5.0]])).tolist()
    [[1.0, 2.0, 3.0, 5.0, 2.0, 3.0, 3.0, 10.0]]
    """
    return torch.cat([w1, w2, w2 - w1, w1 * w2], dim=-1)


class Classifier(nn.Module):
    """The network W · ReLU(Dropout(h(x))); the softmax of its outputs, shape (pairs, 2), are the probabilities."""

    def __init__(self, width: int, training: Training) -> None:
        super().__init__()
        self.hidden = nn.Linear(width, training.hidden)
        self.dropout = nn.Dropout(training.dropout)
        self.output = nn.Linear(training.hidden, 2)
        for parameter in self.parameters():
            parameter.grad = torch.zeros_like(parameter)

    def forward(self, features: Tensor) -> Tensor:
        """Return the outputs, shape (pairs, 2), for inputs of shape (pairs, width)."""
        outputs: Tensor = self.output(self.dropout(self.hidden(features)).relu())
        return outputs

    @torch.no_grad()
    def set_gradients(self, features: Tensor, labels: Tensor) -> None:
        """Set the gradients of the mean cross-entropy of a batch, with dropout.

        `features`: (pairs, width); `labels`: (pairs,). The gradients are computed by hand, since autograd takes up to 1.6
        times the time for batches as small as these.
        """
        before = self.hidden(features)
        left_out = self.dropout.p
        kept = ((torch.rand_like(before) >= left_out) & (before > 0)) / (1 - left_out)  # by dropout and ReLU together
        after = before * kept
        error = (self.output(after).softmax(-1) - nn.functional.one_hot(labels, 2)) / len(labels)
        back = (error @ self.output.weight) * kept
        torch.mm(error.T, after, out=self.output.weight.grad)
        torch.sum(error, 0, out=self.output.bias.grad)
        torch.mm(back.T, features, out=self.hidden.weight.grad)
        torch.sum(back, 0, out=self.hidden.bias.grad)


def fit(train: Examples, dev: Examples, training: Training) -> Classifier:
    """Return the classifier that was best on the development part; the same one for the same seed on one thread."""
    torch.manual_seed(training.seed)
    model = Classifier(train.features(torch.zeros(1, dtype=torch.int64)).shape[1], training)
    optimizer = torch.optim.Adam(model.parameters(), lr=training.learning_rate, fused=True)
    best, best_epoch, weights = -1.0, 0, model.state_dict()
    for epoch in range(training.epochs):
        for batch in torch.split(torch.randperm(len(train.labels)), training.batch):
            model.set_gradients(train.features(batch), train.labels[batch])
            optimizer.step()
        right = float(((_probability(model, dev) > 0.5) == (dev.labels == 1)).double().mean())
        if right > best:
            best, best_epoch, weights = right, epoch, copy.deepcopy(model.state_dict())
        elif epoch - best_epoch >= training.patience:
            break
    model.load_state_dict(weights)
    return model


@torch.inference_mode()
def _probability(model: Classifier, examples: Examples) -> Tensor:
    """Return the probability of hypernymy of each pair, shape (pairs,)."""
    model.eval()
    return model(examples.features(torch.arange(len(examples.labels)))).softmax(-1)[:, 1]
