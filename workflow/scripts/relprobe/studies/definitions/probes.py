"""The items as files: the groups that are asked, and the probes, which are definitions with the words to score."""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import check_schema, parquet_parts, read_columns
from relprobe.core.words import amount
from relprobe.lm.requests import SLOT, Continuation
from relprobe.studies.definitions import method
from relprobe.studies.definitions.dictionary import Synsets
from relprobe.studies.definitions.method import (
    DEFINITION,
    LIMITS,
    Limits,
    Patterns,
    candidates,
    families,
    large_groups,
    sisters,
    word_in,
)
from relprobe.studies.definitions.schemas import BENCHMARK, GROUPS, PROBES, TASKS, Benchmark, Groups, Probes
from relprobe.studies.examples import Example, probe_prefix

# The groups of a part of speech that are asked, and those of the benchmark.


class Part(NamedTuple):
    """The synsets of a part of speech, the pairs of its groups that are asked (`sisters`), and its rows of BENCHMARK."""

    synsets: pl.DataFrame
    pairs: pl.DataFrame
    benchmark: pl.DataFrame


def part(
    pos: str, synsets: pl.DataFrame, sampling: Mapping[str, Any] | None, names: Sequence[str], limits: Limits
) -> Part:
    """Draw the groups of one part of speech, and add those of some names; `synsets`: SYNSETS.

    `sampling` holds the number of groups to draw per part of speech, and the seed; None takes all groups. DataError: there
    are fewer groups.
    """
    pairs = sisters(synsets)
    large = large_groups(pairs, synsets, limits)
    drawn = large
    if sampling:
        drawn = _pairs_of(large, draw_targets(large["target"].unique().sort(), sampling[pos], pos, sampling["seed"]))
    asked = pl.concat([drawn, keep_targets(large, synsets, names)]).unique().sort("target", "member")
    return Part(synsets, asked, _rows(pairs, large, drawn, synsets, limits))


def draw_targets(targets: pl.Series, size: int, pos: str, seed: int) -> pl.Series:
    """Draw groups of one part of speech without replacement; with one seed, a larger sample holds all of a smaller one.

    DataError: there are fewer than `size` groups.
    """
    if len(targets) < size:
        count = amount(len(targets), f"group of {pos}s is", f"groups of {pos}s are")
        raise DataError(
            f"definitions.sample: only {count} there, but the config asks for {size}: "
            "take fewer, or all with `sample: null`."
        )
    drawn, draws = set[int](), random.Random(f"{seed} {pos}")  # noqa: S311
    while len(drawn) < size:
        drawn.add(draws.randrange(len(targets)))
    return targets[sorted(drawn)]


def _rows(
    pairs: pl.DataFrame, large: pl.DataFrame, drawn: pl.DataFrame, synsets: pl.DataFrame, limits: Limits
) -> pl.DataFrame:
    """Return a row of BENCHMARK per group of one part of speech with enough synsets."""
    members = pairs.group_by(row="target").agg(synsets=pl.len().cast(pl.UInt16))
    members = members.filter(pl.col("synsets") >= limits.minimum)
    lengths = candidates(large, synsets).group_by("target", "task").agg(length=pl.len().cast(pl.UInt16))
    task_lengths = [lengths.filter(task=task).select(row="target", **{task: pl.col("length")}) for task in TASKS]
    table = targets(synsets).join(members, on="row", maintain_order="left")
    for lists in task_lengths:
        table = table.join(lists, on="row", how="left", maintain_order="left")
    in_benchmark, sampled = (pl.col("row").is_in(part["target"].unique().to_list()) for part in (large, drawn))
    return table.with_columns(kept=in_benchmark, drawn=sampled).select(list(BENCHMARK))


def keep_targets(pairs: pl.DataFrame, synsets: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """Keep the pairs of the groups whose target has one of these names: a synset such as beckon.v.01, or its string."""
    targets = synsets.with_row_index("row").filter(pl.col("synset").is_in(names) | pl.col("word").is_in(names))
    return _pairs_of(pairs, targets["row"])


def _pairs_of(pairs: pl.DataFrame, targets: pl.Series) -> pl.DataFrame:
    wanted = pl.DataFrame({"target": targets.cast(pl.UInt32)})
    return pairs.join(wanted, on="target", how="semi", maintain_order="left")


def targets(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of GROUPS that describe a target, for every synset, and `row`, the number of the synset."""
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    described = synsets.select(row.alias("row"), "pos", "word", "definition", "depth", group="synset")
    return described.with_columns(families(synsets))


# The probes: definitions with the words that the tasks of the groups need; the groups name their candidates by them.


class ProbeTables(NamedTuple):
    """The groups that are asked, the probes of their tasks, and all groups with enough synsets."""

    groups: Groups
    probes: Probes
    benchmark: Benchmark


def probe_tables(
    dictionary: Synsets,
    limits: Limits = LIMITS,
    *,
    sample: dict[str, Any] | None = None,
    targets: list[str] | None = None,
) -> ProbeTables:
    """Build the groups of sister synsets, a sample of them, and the probes of their tasks (section 2.1).

    `dictionary` is the prepared WordNet or an own dictionary, which has its own parts of speech. `sample` holds the number
    of groups to draw per part of speech and the seed, such as {"noun": 20, "verb": 20, "seed": 1}; without it, all groups
    are kept. `targets`: synsets or words that are asked in any case. DataError: there are fewer groups than the sample asks
    for, or a target has none.
    """
    names = targets or []
    parts = {pos: part(pos, synsets, sample, names, limits) for pos, synsets in dictionary.items()}
    groups, probes = _tables(parts)
    words_asked = {*groups["group"], *groups["word"]}
    if unknown := [name for name in names if name not in words_asked]:
        raise DataError(
            f"definitions.targets names {unknown[0]!r}, which has no group of {limits.minimum} candidates or more: correct "
            "it, or leave it out."
        )
    return ProbeTables(groups, probes, pl.concat([part_tables.benchmark for part_tables in parts.values()]))


def _tables(parts: Mapping[str, Part]) -> tuple[Groups, Probes]:
    """Return the groups and the probes. `parts`: part of speech -> what is asked of it.

    A probe is a definition with all words that any task needs with it, so that a model reads the definition once per
    pattern.
    """
    groups, probes, first = [], [], 0
    for pos, (synsets, pairs, _) in parts.items():
        rows = candidates(pairs, synsets)
        key = ["definition", "word"]
        scored = rows.group_by(key).agg(questions=pl.len()).sort(key)
        scored = scored.with_columns(pair=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
        probes.append(_probes(scored, synsets, pos))
        groups.append(_groups(rows.join(scored, on=key), pairs, synsets))
        first += scored.height
    return pl.concat(groups), pl.concat(probes)


def _probes(scored: pl.DataFrame, synsets: pl.DataFrame, pos: str) -> pl.DataFrame:
    """Return a row of PROBES per definition from the pairs (definition, word) that a model scores."""
    words, definitions = (synsets[name].unique(maintain_order=True) for name in ("word", "definition"))
    texts = scored.with_columns(words=words.gather(scored["word"]))
    rows = texts.group_by("definition", maintain_order=True).agg("words", pl.col("questions").sum().cast(pl.UInt32))
    return rows.select(
        pl.lit(pos).alias("pos"),
        "words",
        "questions",
        probe_id=pl.format("{}:{}", pl.lit(pos), "definition"),
        definition=definitions.gather(rows["definition"]),
    ).select(list(PROBES))


def _groups(rows: pl.DataFrame, pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return a row of GROUPS per target from the candidates and the numbers of their pairs."""
    lists = pairs.select("target").unique()
    for task in TASKS:
        task_rows = rows.filter(task=task).sort("right", "pair", descending=[True, False])
        lists = lists.join(
            task_rows.group_by("target", maintain_order=True).agg(pl.col("pair").alias(task)), on="target", how="left"
        )
    described = targets(synsets).join(lists, left_on="row", right_on="target", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.UInt32))
    return described.with_columns(pl.col(task).fill_null(none) for task in TASKS).select(list(GROUPS))


Candidates = Mapping[tuple[str, str], list[str]]
"""Task and group -> the texts of the candidates, the right one first."""


def candidate_texts(groups: Groups, probes: Probes) -> Candidates:
    """Return the candidates of every task of the groups as texts.

    >>> probes = pl.DataFrame({"definition": ["lower the head", "bend the body"], "words": [["nod", "bow"], ["nod"]]})
    >>> candidate_texts(pl.DataFrame([{"group": "nod.v.01", "w2d": [0, 2], "d2w": [0, 1]}]), probes)
    {('w2d', 'nod.v.01'): ['lower the head', 'bend the body'], ('d2w', 'nod.v.01'): ['nod', 'bow']}
    """
    pairs = probes.select("definition", word="words").explode("word")
    texts = dict(zip(TASKS, (pairs["definition"], pairs["word"]), strict=True))
    return {
        (task, group): texts[task].gather(numbers).to_list()
        for group, *number_lists in groups.select("group", *TASKS).iter_rows()
        for task, numbers in zip(TASKS, number_lists, strict=True)
        if numbers
    }


# The probes as requests to the scoring engine.


BATCH_ROWS = 256
"""Probes that are Python's values at a time, which take more memory than Arrow's."""


def counts(probes: Path, patterns: Patterns) -> tuple[int, int]:
    """Return the number of requests that the probes make, and of the groups' questions that these answer.

    DataError: the file is no table of probes.
    """
    check_schema(probes, PROBES)
    table = read_columns(probes, ["pos", "questions"])
    number_of_patterns = {pos: len(texts) for pos, texts in patterns.items()}
    times = table["pos"].replace_strict(number_of_patterns)
    return int(times.sum()), int((times * table["questions"]).sum())


def requests(
    probes: Path,
    patterns: Patterns,
    *,
    capitals: bool,
    shots: int = 0,
    examples: Mapping[str, Sequence[Example]] | None = None,
) -> Iterator[Continuation]:
    """Yield the requests of a file of PROBES (`method.requests`), which is read in parts.

    `shots`: how many `examples` of its part of speech stand before a probe, as (word, definition) in the same pattern, none
    of them about a word of the probe. DataError: there are fewer.
    """

    def prefix(probe: Mapping[str, Any], name: str, pattern: str) -> str:
        if not (shots and examples):
            return ""
        pos_examples, request_id = examples.get(probe["pos"], ()), f"{probe['probe_id']} {name}"
        solve = partial(_solved, pattern, capitals=capitals)
        return probe_prefix(pos_examples, solve, shots, name, request_id, {*probe["words"]})

    for part in parquet_parts(probes, ["probe_id", "pos", "definition", "words"]):
        for batch in part.to_batches(BATCH_ROWS):
            yield from method.requests(batch.to_pylist(), patterns, capitals=capitals, prefix=prefix)


def _solved(pattern: str, example: Example, *, capitals: bool) -> str:
    word, definition = example
    return pattern.replace(DEFINITION, definition).replace(SLOT, word_in(pattern, word, capitals=capitals))
