"""Responses ranked by how much the target changes them: P(word | probe) / P(word | prompt), whatever the target.

Some words are likely after a prompt about any word at all. A model that says "cold" after most prompts of antonymy seems to
know antonymy. Divided by the prior of its prompt, a word ranks high if this target makes it likelier than other targets do.
The prior is the mean over all targets (`by_prior`), or the probability after the prompt without a target (`by_premise`).
"""

from typing import Literal

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

Calibration = Literal["none", "prior", "premise"]
LARGEST = 80.0
"""The logarithm of the largest ratio, which a float32 holds."""


def by_prior(responses: pl.DataFrame, probes: pl.DataFrame, *, closed: bool = False) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) with the weight w(v | probe) / prior(v | prompt) of each word, best first.

    The prior of a word is its mean weight over all probes of the prompt (PROBES), main and trick ones. A probe that has not
    stored the word counts with its smallest stored weight, so that a word in the tail of a single list gains nothing. Of
    equal ratios the likelier word comes first. Only stored words are ranked: k in P(v | probe) is `relations.top_k`.
    `closed`: the lists hold all candidates of a probe, and the prior of a word is its mean over the probes that have it.

    >>> probes = pl.DataFrame({"probe_id": ["p:hot", "p:big"], "prompt_id": ["p", "p"]})
    >>> lists = {"words": [["it", "cold", "a"], ["it", "small", "a"]], "weights": [[0.6, 0.2, 0.1], [0.6, 0.2, 0.1]]}
    >>> schema = {"words": pl.List(pl.Categorical), "weights": pl.List(pl.Float32)}
    >>> table = pl.DataFrame({"probe_id": ["p:hot", "p:big"], **lists}, schema_overrides=schema)
    >>> by_prior(table, probes)["words"].to_list()
    [['cold', 'it', 'a'], ['small', 'it', 'a']]
    """
    prompts = responses.select("probe_id").join(probes.select("probe_id", "prompt_id"), on="probe_id", how="left")
    words = responses["words"].list.explode(keep_nulls=False, empty_as_null=False).to_physical().to_numpy()
    weights = responses["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy().astype(np.float64)
    lengths = responses["words"].list.len().to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    ratios = np.empty_like(weights)
    for (_,), rows in prompts.with_row_index("row").group_by("prompt_id", maintain_order=True):
        numbers = rows["row"].to_numpy()
        indices = np.concatenate([np.arange(ends[i] - lengths[i], ends[i]) for i in numbers])
        ratios[indices] = _ratios(words[indices], weights[indices], lengths[numbers], closed=closed)
    return _ranked(responses, ratios)


def by_premise(responses: pl.DataFrame, gains: NDArray[np.float64]) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) with the weight P(v | probe) / P(v | premise) of each word, best first.

    The premise is the prompt without its target. The logarithm of the weight is PMI_DC, domain-conditional pointwise mutual
    information (Holtzman et al. 2021, section 3). `gains`: this logarithm, natural, of all words of all responses, one after
    another; a word that has none (NaN) comes last. Of equal gains the likelier word comes first.

    >>> lists = {"probe_id": ["p:hot"], "words": [["it", "cold"]], "weights": [[0.6, 0.2]]}
    >>> schema = {"words": pl.List(pl.Categorical), "weights": pl.List(pl.Float32)}
    >>> ranked = by_premise(pl.DataFrame(lists, schema_overrides=schema), np.log([0.6 / 0.6, 0.2 / 0.1]))
    >>> ranked["words"].to_list(), ranked["weights"].to_list()
    ([['cold', 'it']], [[2.0, 1.0]])
    """
    return _ranked(responses, np.exp(np.clip(np.nan_to_num(gains, nan=-np.inf), None, LARGEST)))


def _ranked(responses: pl.DataFrame, ratios: NDArray[np.float64]) -> pl.DataFrame:
    """Return responses with other weights, of all words one after another, best first."""
    lengths = responses["words"].list.len().to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    # A list is sorted by weight, so that a stable sort leaves the likelier of two equal ratios first.
    sorted_lists = [b - n + np.argsort(-ratios[b - n : b], kind="stable") for b, n in zip(ends, lengths, strict=True)]
    order = np.concatenate([np.empty(0, np.int64), *sorted_lists])
    offsets = pa.array(np.concatenate([[0], ends]), pa.int32())
    ranked = responses["words"].list.explode(keep_nulls=False, empty_as_null=False)[order].to_arrow()
    columns = {
        "probe_id": responses["probe_id"].to_arrow(),
        "words": pa.ListArray.from_arrays(offsets, ranked),
        "weights": pa.ListArray.from_arrays(offsets, pa.array(ratios[order].astype(np.float32))),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns)))


def _ratios(
    words: NDArray[np.uint32], weights: NDArray[np.float64], lengths: NDArray[np.int64], *, closed: bool
) -> NDArray[np.float64]:
    """Return weight / prior of the words of one prompt, whose probes have lists of these lengths, one after another."""
    if closed:
        _, word_numbers, counts = np.unique(words, return_inverse=True, return_counts=True)
        means = (np.bincount(word_numbers, weights) / counts)[word_numbers]
        return np.divide(weights, means, out=np.zeros_like(weights), where=means > 0)
    starts = np.cumsum(lengths)[lengths > 0] - lengths[lengths > 0]
    least = np.minimum.reduceat(weights, starts) if len(starts) else weights
    names, word_numbers = np.unique(words, return_inverse=True)
    above = np.bincount(word_numbers, weights - np.repeat(least, lengths[lengths > 0]), minlength=len(names))
    prior = (above + least.sum()) / len(lengths)
    return weights / prior[word_numbers]
