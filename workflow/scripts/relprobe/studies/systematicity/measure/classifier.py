"""The probing classifier of section 2.2.1, which separates pairs of hyponym and hypernym from others by their embeddings."""

import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
import torch
from torch import Tensor

from relprobe.core.errors import DataError
from relprobe.studies.systematicity.data.categories import with_category
from relprobe.studies.systematicity.measure.networks import Examples, Training, fit
from relprobe.studies.systematicity.schemas import DETECTIONS, INPUTS, PARTS, Detections, Embeddings, Pairs

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
    empty = [part for part, of_part in examples.items() if len(of_part.labels) == 0]
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
        tested.with_columns(pl.Series("p", one), seed=pl.lit(seed))
        for seeds, p in _judged(examples, training, weights_at_once)
        for seed, one in zip(seeds, p, strict=True)
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
    rows, places = (torch.from_numpy(part) for part in np.unique(hypernyms.numpy(), return_inverse=True))
    return Examples(vectors, hyponyms, vectors[rows], places, labels, name == "full")


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
