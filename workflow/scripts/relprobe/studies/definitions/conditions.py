"""What the results are broken down by: part of speech, frequency of the target, depth of its synset."""

import polars as pl

from relprobe.studies.definitions.prompts import POS

FREQUENCIES = {"rare": (-1.0, 1.0), "medium": (1.0, 2.0), "frequent": (2.0, 9.0)}
"""Bands of zipf frequency, lower bound included. The paper counts in a Wikipedia corpus of a billion words (fewer than 10
uses, 10 to 99, 100 or more), and zipf is the log10 of the uses in a billion words."""
RARE_FROM = 4
"""Words in a target string from which the paper calls it rare without counting."""
DEPTHS = ((3, 5), (6, 8), (9, 11), (12, 14), (15, 19))
"""The ranges of Table 6, ends included."""


def frequency_names(pos: str) -> dict[str, str]:
    """Return band -> the condition's name."""
    return {band: f"{pos}, {band}" for band in FREQUENCIES}


def depth_names() -> list[str]:
    """Return the names of the conditions by depth; like the paper's they are about nouns."""
    return [f"noun, depth {low}–{high}" for low, high in DEPTHS]


def names() -> list[str]:
    """Return every condition, in the order of the tables."""
    return [*(name for pos in POS for name in (pos, *frequency_names(pos).values())), *depth_names()]


def conditions(groups: pl.DataFrame) -> pl.DataFrame:
    """Return every condition that each group falls under: the columns group and condition, one row for each of both.

    `groups` has group, pos, word, zipf and depth. A part of speech is a condition; so is one with a frequency band, and
    for nouns one with a range of depths.
    """
    phrase = pl.col("word").str.count_matches(" ") + 1 >= RARE_FROM
    zipf = pl.when(phrase).then(0.0).otherwise(pl.col("zipf"))
    parts = [groups.select("group", condition="pos")]
    for band, (low, high) in FREQUENCIES.items():
        inside = groups.filter((zipf >= low) & (zipf < high))
        parts.append(inside.select("group", condition=pl.format("{}, {}", "pos", pl.lit(band))))
    for name, (low, high) in zip(depth_names(), DEPTHS, strict=True):
        inside = groups.filter(pos="noun").filter(pl.col("depth").is_between(low, high))
        parts.append(inside.select("group", condition=pl.lit(name)))
    return pl.concat(parts)
