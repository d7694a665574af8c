"""How prototypical the answers to a probe are: their entropy (section 5.3.1)."""

import polars as pl

ROUNDED = 12
"""Decimals at which an entropy counts as 0 or 1: sums of logarithms miss them by float noise."""


def response_entropy(humans: pl.DataFrame) -> pl.DataFrame:
    """Return the normalised entropy of each human response (Eq. 19): probe_id, words (n different ones), entropy.

    It is -Σ p log2 p / log2 n, from 0 (all answers are one word, where the formula has no value) to 1 (all words are equally
    frequent).

    >>> humans = pl.DataFrame({"probe_id": ["a", "b"], "words": [["x", "y"], ["x"]], "weights": [[0.5, 0.5], [1.0]]})
    >>> response_entropy(humans).rows()
    [('a', 2, 1.0), ('b', 1, 0.0)]
    """
    share = pl.element() / pl.element().sum()
    bits = pl.col("weights").cast(pl.List(pl.Float64)).list.eval(-(share * share.log(2)).sum()).list.first()
    words = pl.col("words").list.len()
    entropy = pl.when(words == 1).then(0.0).otherwise(bits / words.cast(pl.Float64).log(2)).round(ROUNDED)
    return humans.select("probe_id", words=words, entropy=entropy)
