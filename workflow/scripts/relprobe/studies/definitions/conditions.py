"""The conditions that values are averaged under: part of speech, leaks, frequency and depth of the target, group size."""

from collections.abc import Sequence

import polars as pl

from relprobe.studies.definitions.method import Ties, values
from relprobe.studies.definitions.schemas import FEW, POS, Metrics, Properties, Responses

BANDS = ("rare", "medium", "frequent")
UNKNOWN = "unknown"
"""The band of words whose frequency no source says, most of them phrases."""
BAND_LIMITS = (10, 100)
"""The uses from which a word is medium, and frequent. The paper counts in a Wikipedia corpus of a billion words."""
PHRASE_TOKENS = 4
"""A target of at least this many tokens is rare; the paper does not count it (footnote 5)."""
DEPTHS = ((3, 5), (6, 8), (9, 11), (12, 14), (15, 19))
"""The first and the last depth of each range of Table 6."""
SMALL = f"groups of up to {FEW} candidates"


def frequency_names(pos: str) -> dict[str, str]:
    """Return band -> name of the condition.

    >>> frequency_names("noun")["rare"]
    'noun, rare'
    """
    return {band: f"{pos}, {band}" for band in (*BANDS, UNKNOWN)}


def leak_free(pos: str) -> str:
    """Return the name of the condition of groups whose definition says nothing of its word.

    >>> leak_free("noun")
    'noun, leak-free'
    """
    return f"{pos}, leak-free"


def depth_names() -> list[str]:
    """Return the names of the conditions by depth, which are about nouns, as in the paper.

    >>> depth_names()[:2]
    ['noun, depth 3–5', 'noun, depth 6–8']
    """
    return [f"noun, depth {low}–{high}" for low, high in DEPTHS]


def names() -> list[str]:
    """Return every condition, in the order of the tables."""
    of_pos = [(pos, leak_free(pos), *frequency_names(pos).values()) for pos in POS]
    return [*(name for names in of_pos for name in names), *depth_names(), SMALL]


def conditions(groups: Properties, limits: Sequence[float] = BAND_LIMITS) -> pl.DataFrame:
    """Return the conditions of each group: the columns group and condition, one row for each pair of both.

    `limits`: the uses from which a word is medium, and frequent. A group has its
    part of speech as a condition, the part of speech with a band of frequency and, unless its definition tells its word,
    with leak-free. If it is about a noun, it has a range of depths. SMALL holds those whose tasks have at most FEW
    candidates.

    >>> about = {"group": "goose.n.01", "pos": "noun", "uses": 2400.0, "tokens": 1, "leak": None, "depth": 11}
    >>> conditions(pl.DataFrame([about | {"w2d": 40, "d2w": 38}]))["condition"].to_list()
    ['noun', 'noun, leak-free', 'noun, frequent', 'noun, depth 9–11']
    """
    uses = pl.when(pl.col("tokens") >= PHRASE_TOKENS).then(0.0).otherwise(pl.col("uses"))
    medium, frequent = limits
    bands = pl.when(uses < medium).then(pl.lit(BANDS[0])).when(uses < frequent).then(pl.lit(BANDS[1]))
    band = bands.when(uses >= frequent).then(pl.lit(BANDS[2])).otherwise(pl.lit(UNKNOWN))
    parts = [
        groups.select("group", condition="pos"),
        groups.filter(pl.col("leak").is_null()).select("group", condition=pl.format("{}, leak-free", "pos")),
        groups.select("group", condition=pl.format("{}, {}", "pos", band)),
    ]
    for name, (low, high) in zip(depth_names(), DEPTHS, strict=True):
        inside = groups.filter(pos="noun").filter(pl.col("depth").is_between(low, high))
        parts.append(inside.select("group", condition=pl.lit(name)))
    small = groups.filter(pl.max_horizontal("w2d", "d2w") <= FEW)
    return pl.concat([*parts, small.select("group", condition=pl.lit(SMALL))])


def metrics(
    responses: Responses, groups: Properties, ties: Ties = "expected", limits: Sequence[float] = BAND_LIMITS
) -> Metrics:
    """Return the values of an agent's responses (`method.values`) for the drawn groups, under each of their conditions."""
    drawn = groups.filter("drawn")
    families = drawn.select("group", "family")
    return values(responses, conditions(drawn, limits).join(families, on="group", maintain_order="left"), ties)
