"""The groups of sister synsets, their two tasks, and what is asked of the models for them (section 2 of the paper)."""

import random
from collections.abc import Mapping
from functools import cache

import polars as pl
import wordfreq

from relprobe.core.errors import DataError
from relprobe.studies.definitions.schemas import GROUPS, PROBES

LEAST = 5
"""Different strings, and different definitions, in a group. With both, WordNet 3.0 has exactly the groups of Table 2."""
TASKS = ("w2d", "d2w")


def sisters(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the groups G(t) = {x | ∃y: t < y ∧ x < y} of one part of speech, as pairs of row numbers target and member.

    Every synset with a hypernym has a group, of which it is itself a member; groups of any size are returned.
    """
    links = synsets.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("target"), "hypernyms").explode("hypernyms")
    links = links.drop_nulls("hypernyms")
    members = links.rename({"target": "member"})
    return links.join(members, on="hypernyms").select("target", "member").unique().sort("target", "member")


def large(pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Keep the groups with at least LEAST different strings and definitions."""
    codes = _codes(synsets)
    sizes = pairs.join(codes, left_on="member", right_on="row").group_by("target").agg(pl.exclude("member").n_unique())
    kept = sizes.filter((pl.col("word") >= LEAST) & (pl.col("definition") >= LEAST))
    return pairs.join(kept.select("target"), on="target", how="semi", maintain_order="left")


def sample(pairs: pl.DataFrame, size: int, pos: str, seed: int) -> pl.DataFrame:
    """Draw `size` groups without replacement, the same ones for the same seed. DataError: fewer groups than asked for."""
    targets = pairs["target"].unique().sort()
    if len(targets) < size:
        raise DataError(
            f"definitions.sample: there are only {len(targets)} groups of {pos}s, but the config asks for {size}: "
            "take fewer, or all with `sample: null`."
        )
    drawn = random.Random(f"{seed} {pos}").sample(range(len(targets)), size)  # noqa: S311
    return pairs.join(pl.DataFrame({"target": targets[sorted(drawn)]}), on="target", how="semi", maintain_order="left")


def candidates(pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the candidates of both tasks as rows of task, target, word, definition (codes) and right.

    W2D: the different definitions of the members whose string is not the target's (theirs would be right as well), and the
    target's own. D2W: likewise the different strings of the members whose definition is not the target's. With that a
    guess is right as often as Tables 4 and 5 say. Tasks in which the right candidate is the only one are left out.
    """
    codes = _codes(synsets)
    both = pairs.join(codes, left_on="member", right_on="row").join(
        codes, left_on="target", right_on="row", suffix="_target"
    )
    own = pl.col("member") == pl.col("target")
    w2d = both.filter(own | (pl.col("word") != pl.col("word_target"))).with_columns(word="word_target")
    d2w = both.filter(own | (pl.col("definition") != pl.col("definition_target")))
    d2w = d2w.with_columns(definition="definition_target")
    key = ["target", "word", "definition"]
    right = (pl.col("word") == pl.col("word_target")) & (pl.col("definition") == pl.col("definition_target"))
    parts = [
        part.with_columns(task=pl.lit(task), right=right).select("task", *key, "right").unique()
        for task, part in zip(TASKS, (w2d, d2w), strict=True)
    ]
    return pl.concat(parts).filter(pl.len().over("task", "target") > 1)


def tables(parts: Mapping[str, tuple[pl.DataFrame, pl.DataFrame]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the tables GROUPS and PROBES of each part of speech's (synsets, pairs of the groups asked about).

    A probe is a definition with all words that any task asks for there, so that a model reads it once per pattern.
    """
    groups, probes, first = [], [], 0
    for pos, (synsets, pairs) in parts.items():
        asked = candidates(pairs, synsets)
        key = ["definition", "word"]
        pairs_asked = asked.group_by(key).agg(questions=pl.len()).sort(key)
        pairs_asked = pairs_asked.with_columns(pair=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
        probes.append(_probes(pairs_asked, synsets, pos))
        groups.append(_groups(asked.join(pairs_asked, on=key), pairs, synsets))
        first += pairs_asked.height
    return pl.concat(groups), pl.concat(probes)


def _probes(pairs: pl.DataFrame, synsets: pl.DataFrame, pos: str) -> pl.DataFrame:
    words, definitions = (synsets[name].unique(maintain_order=True) for name in ("word", "definition"))
    texts = pairs.with_columns(words=words.gather(pairs["word"]))
    rows = texts.group_by("definition", maintain_order=True).agg("words", pl.col("questions").sum().cast(pl.UInt32))
    return rows.select(
        pl.lit(pos).alias("pos"),
        "words",
        "questions",
        probe_id=pl.format("{}:{}", pl.lit(pos), "definition"),
        definition=definitions.gather(rows["definition"]),
    ).select(list(PROBES))


def _groups(asked: pl.DataFrame, pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    lists = pairs.select("target").unique()
    for task in TASKS:
        rows = asked.filter(task=task).sort("right", "pair", descending=[True, False])
        lists = lists.join(
            rows.group_by("target", maintain_order=True).agg(pl.col("pair").alias(task)), on="target", how="left"
        )
    about = targets(synsets).join(lists, left_on="row", right_on="target", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.UInt32))
    return about.with_columns(pl.col(task).fill_null(none) for task in TASKS).select(list(GROUPS))


def targets(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return what GROUPS says of a target, for every synset: row (its number), group, pos, word, definition, depth, zipf."""
    zipf = pl.Series([_zipf(word) for word in synsets["word"]], dtype=pl.Float32)
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    return synsets.select(row.alias("row"), "pos", "word", "definition", "depth", group="synset", zipf=zipf)


def _codes(synsets: pl.DataFrame) -> pl.DataFrame:
    """Give numbers to the different strings and definitions in the order of their first synsets."""
    parts = []
    for name in ("word", "definition"):
        distinct = synsets.select(name).unique(maintain_order=True).with_row_index("code")
        parts.append(synsets.join(distinct, on=name, how="left", maintain_order="left")["code"].alias(name))
    return pl.DataFrame(parts).with_columns(pl.int_range(pl.len(), dtype=pl.UInt32).alias("row"))


@cache
def _zipf(word: str) -> float:
    return float(wordfreq.zipf_frequency(word, "en", wordlist="large"))
