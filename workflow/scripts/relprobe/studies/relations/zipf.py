"""How frequent words are in English."""

import polars as pl


def zipf(words: pl.Series) -> pl.DataFrame:
    """Return word and zipf for the different words of a series; null where `wordfreq` does not know the word.

    The unit is the Zipf scale: the logarithm to base 10 of the occurrences per billion words.

    >>> zipf(pl.Series(["dog", "dog", "qqzzxv"])).with_columns(pl.col("zipf").round(1)).rows()
    [('dog', 5.1), ('qqzzxv', None)]
    """
    import wordfreq

    distinct = words.drop_nulls().unique().sort()
    frequency = [wordfreq.zipf_frequency(word, "en") or None for word in distinct]  # an unknown word has 0 there
    return pl.DataFrame({"word": distinct.cast(pl.String), "zipf": pl.Series(frequency, dtype=pl.Float64)})
