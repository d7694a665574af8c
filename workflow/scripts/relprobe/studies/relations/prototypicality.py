"""Prototypicality (section 5.3.2): how near a response comes to the ranking of the humans."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.studies.relations.response_entropy import response_entropy
from relprobe.studies.relations.schemas import UNIT

PROTOTYPICAL = ("HYP", "HOL", "ANT", "SYN")
"""The relations whose human responses show a prototypicality effect (section 6.2)."""


def prototypical_probes(humans: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return the human responses that can be a gold standard of prototypicality (section 6.2), with UNIT.

    These are the responses to main probes of PROTOTYPICAL relations whose entropy is below 1 and whose words all are in
    the shared lexicon.
    """
    entropy = response_entropy(humans).filter(pl.col("entropy") < 1)
    known = pl.col("words").cast(pl.List(pl.String)).list.eval(pl.element().is_in(lexicon["word"].implode())).list.all()
    chosen = probes.filter(kind="main").filter(pl.col("relation").is_in(PROTOTYPICAL)).select("probe_id", *UNIT)
    return humans.filter(known).join(entropy.select("probe_id"), on="probe_id", how="semi").join(chosen, on="probe_id")


def similarity(responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ per probe of `gold` (Eq. 20 and 21) as `value`, from 0 to 1, beside the columns UNIT.

    Half of it is for the humans' top word, half for the edit similarity of the rankings. Both rankings are cut at k, the
    number of words in the human response. Insertion and deletion cost 1, substitution 2, so the similarity is the longest
    common subsequence over k. If several top words of the humans tie, each of them will do. The words of both are
    Categorical, as in RESPONSES.

    >>> words = {"words": pl.List(pl.Categorical)}
    >>> unit = {"relation": "HYP", "target": "robin", "prompt_id": "p"}
    >>> gold = [{"probe_id": "p:robin", "words": ["bird", "animal"], "weights": [0.75, 0.25], **unit}]
    >>> responses = pl.DataFrame([{"probe_id": "p:robin", "words": ["animal", "bird", "x"]}]).cast(words)
    >>> gold = pl.DataFrame(gold).cast(words)
    >>> similarity(responses, gold)["value"].to_list()  # the wrong top word, and one of two words in common order
    [0.25]
    """
    both = gold.join(responses.select("probe_id", answer="words"), on="probe_id")
    tied = pl.col("weights").list.eval(pl.element() == pl.element().max()).list.sum()
    top = pl.col("words").list.head(tied).list.contains(pl.col("answer").list.first())
    both = both.with_columns(top=top, k=pl.col("words").list.len())
    common = _common_subsequence(_codes(both["words"]), _codes(both.select(pl.col("answer").list.head("k"))["answer"]))
    value = (pl.col("top").cast(pl.Float64) + pl.Series(common, dtype=pl.Float64) / pl.col("k")) / 2
    return both.select(*UNIT, value=value)


def _codes(words: pl.Series) -> NDArray[np.int64]:
    """Return word lists as a matrix (lists, longest) of codes; -1 where a list has ended."""
    width = int(words.list.len().max() or 0)  # type: ignore[arg-type]
    coded = words.cast(pl.List(pl.Categorical)).list.eval(pl.element().to_physical().cast(pl.Int64))
    padded = coded.list.concat(pl.Series([[-1] * width]).new_from_index(0, len(words))).list.head(width)
    return padded.list.to_array(width).to_numpy()


def _common_subsequence(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the length of the longest common subsequence of each pair of rows; negative codes never match."""
    best = np.zeros((len(a), a.shape[1] + 1, b.shape[1] + 1), np.int64)
    for i in range(a.shape[1]):
        for j in range(b.shape[1]):
            same = (a[:, i] == b[:, j]) & (a[:, i] >= 0)
            best[:, i + 1, j + 1] = np.maximum(best[:, i, j] + same, np.maximum(best[:, i, j + 1], best[:, i + 1, j]))
    return best[:, -1, -1]
