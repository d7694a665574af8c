"""The conditions that results are averaged under: part of speech, frequency of the target, depth of its synset."""

import polars as pl

from relprobe.studies.definitions.prompts import POS

FREQUENCIES = {"rare": (-1.0, 1.0), "medium": (1.0, 2.0), "frequent": (2.0, 9.0)}
"""Band -> its lowest zipf frequency, and the lowest above it. The paper counts in a Wikipedia corpus of a billion words
(fewer than 10 uses, 10 to 99, 100 or more), and zipf is the log10 of the uses in a billion words."""
PHRASE_WORDS = 4
"""A target of at least this many words is rare; the paper does not count it."""
DEPTHS = ((3, 5), (6, 8), (9, 11), (12, 14), (15, 19))
"""The first and the last depth of each range of Table 6."""


def frequency_names(pos: str) -> dict[str, str]:
    """Return band -> name of the condition.

    >>> frequency_names("noun")["rare"]
    'noun, rare'
    """
    return {band: f"{pos}, {band}" for band in FREQUENCIES}


def depth_names() -> list[str]:
    """Return the names of the conditions by depth, which are about nouns, as in the paper.

    >>> depth_names()[:2]
    ['noun, depth 3–5', 'noun, depth 6–8']
    """
    return [f"noun, depth {low}–{high}" for low, high in DEPTHS]


def names() -> list[str]:
    """Return every condition, in the order of the tables."""
    return [*(name for pos in POS for name in (pos, *frequency_names(pos).values())), *depth_names()]


def conditions(groups: pl.DataFrame) -> pl.DataFrame:
    """Return the conditions of each group: the columns group and condition, one row for each pair of both.

    `groups` has the columns group, pos, word, zipf and depth. A group has its part of speech as a condition, the part of
    speech with a frequency band, and, if it is about a noun, a range of depths.

    >>> row = {"group": "goose.n.01", "pos": "noun", "word": "goose", "zipf": 3.4, "depth": 11}
    >>> conditions(pl.DataFrame([row]))["condition"].to_list()
    ['noun', 'noun, frequent', 'noun, depth 9–11']
    """
    phrase = pl.col("word").str.count_matches(" ") + 1 >= PHRASE_WORDS
    zipf = pl.when(phrase).then(0.0).otherwise(pl.col("zipf"))
    parts = [groups.select("group", condition="pos")]
    for band, (low, high) in FREQUENCIES.items():
        inside = groups.filter((zipf >= low) & (zipf < high))
        parts.append(inside.select("group", condition=pl.format("{}, {}", "pos", pl.lit(band))))
    for name, (low, high) in zip(depth_names(), DEPTHS, strict=True):
        inside = groups.filter(pos="noun").filter(pl.col("depth").is_between(low, high))
        parts.append(inside.select("group", condition=pl.lit(name)))
    return pl.concat(parts)
