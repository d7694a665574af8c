"""Responses ranked by how much the target changes them: P(word | probe) / P(word | prompt), whatever the target.

Some words are likely after a prompt about any word at all. A model that says "cold" after most prompts of antonymy seems to
know antonymy. Divided by the prior of its prompt, a word ranks high if this target makes it likelier than other targets do.
"""

from typing import Literal

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

Calibration = Literal["none", "prior"]


def by_prior(responses: pl.DataFrame, probes: pl.DataFrame) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) with the weight w(v | probe) / prior(v | prompt) of each word, best first.

    The prior of a word is its mean weight over all probes of the prompt (PROBES), main and trick ones. A probe that has not
    stored the word counts with its smallest stored weight, so that a word in the tail of a single list gains nothing. Of
    equal ratios the likelier word comes first. Only stored words are ranked: k in P(v | probe) is `relations.top_k`.

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
        places = np.concatenate([np.arange(ends[i] - lengths[i], ends[i]) for i in numbers])
        ratios[places] = _ratios(words[places], weights[places], lengths[numbers])
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


def _ratios(words: NDArray[np.uint32], weights: NDArray[np.float64], lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weight / prior of the words of one prompt, whose probes have lists of these lengths, one after another."""
    starts = np.cumsum(lengths)[lengths > 0] - lengths[lengths > 0]
    least = np.minimum.reduceat(weights, starts) if len(starts) else weights
    names, places = np.unique(words, return_inverse=True)
    above = np.bincount(places, weights - np.repeat(least, lengths[lengths > 0]), minlength=len(names))
    prior = (above + least.sum()) / len(lengths)
    return weights / prior[places]
