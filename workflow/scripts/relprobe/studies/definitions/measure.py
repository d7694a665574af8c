"""The responses of each agent, and how many of them are right."""

import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.manifest import only_file
from relprobe.core.metric import Metric
from relprobe.sources.exported import Layout
from relprobe.sources.own.definition_answers import Rank, read
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.studies.definitions.ask import POS, Candidates, candidate_texts
from relprobe.studies.definitions.data import mean_log
from relprobe.studies.definitions.schemas import (
    FEW,
    METRICS,
    RESPONSES,
    TASKS,
    Groups,
    Metrics,
    Probes,
    Properties,
    ReplyChoices,
    Responses,
    Scores,
    Words,
)
from relprobe.studies.letters import readable

# The conditions that results are averaged under: part of speech, leaks, frequency and depth of the target, group size.


BANDS = ("rare", "medium", "frequent")
UNKNOWN = "unknown"
"""The band of words whose frequency no source says, most of them phrases."""
LIMITS = (10, 100)
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


def conditions(groups: Properties, limits: Sequence[float] = LIMITS) -> pl.DataFrame:
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


# The metrics of the study (section 2.4): each measure of each task.


@dataclass(frozen=True)
class Measure(Metric):
    """A measure that both tasks have; the groups of a family are a cluster.

    `figure`: the file of its figure; `axis`: the label of its values there. `scale`: the factor by which the paper's values
    are larger than ours.
    """

    items: str = "groups"
    cluster: tuple[str, ...] = ("cluster",)
    clusters: str = "families"
    figure: str = ""
    axis: str = ""
    scale: int = 1


IN_BOTH_TASKS = (
    Measure(
        "P@1",
        test="McNemar",
        figure="precision",
        axis="precision at 1",
        scale=100,
    ),
    Measure(
        "RS",
        test="Wilcoxon",
        figure="rank_score",
        axis="rank score (a guess: 0.5)",
    ),
)
"""The measures of either task, under the names that they have without it."""


def metric_name(task: str, measure: str) -> str:
    """Return the name of a task's metric.

    >>> metric_name("w2d", "P@1")
    'W2D P@1'
    """
    return f"{task.upper()} {measure}"


MEASURES = tuple(replace(measure, name=metric_name(task, measure.name)) for task in TASKS for measure in IN_BOTH_TASKS)
"""The metrics of the study in the order of its tables: W2D P@1, W2D RS, D2W P@1, D2W RS."""
TASK_PAIRS = {
    measure: (metric_name("w2d", measure.name), metric_name("d2w", measure.name)) for measure in IN_BOTH_TASKS
}
"""Measure -> its metrics in the two tasks, which are compared within each agent (section 3)."""


def metrics(
    responses: Responses,
    groups: Properties,
    ties: Literal["expected", "drawn"] = "expected",
    limits: Sequence[float] = LIMITS,
) -> Metrics:
    """Return the metrics of one agent from its responses: a row per drawn group, metric and condition of the group.

    P@1 is 1 if the right candidate is ranked first, and 0 otherwise; RS = (L - k) / (L - 1) for its rank k among L
    candidates. `ties`: "expected" takes the mean over all orders of candidates with equal scores, so that P@1 of a guess is
    1 / L and its RS 1/2; "drawn" takes the rank of `rank_candidates`, an order that was drawn. A right
    candidate that a person did not rank always counts by the mean of the places that are left. The unit is the group, and
    its cluster the family; `conditions` says which conditions a group has. A group without a response to a task has no row
    for it, and one with responses of several people a row for each.

    >>> group = {"group": "nod.v.01", "pos": "verb", "uses": 310.0, "tokens": 1, "leak": "names", "family": "move.v.01"}
    >>> groups = pl.DataFrame([group | {"depth": 2, "w2d": 5, "d2w": 4, "drawn": True}])
    >>> response = {"task": "w2d", "group": "nod.v.01", "candidates": 5, "better": 1, "tied": 1, "rank": 2}
    >>> table = metrics(pl.DataFrame([response]), groups, "drawn")
    >>> table.filter(condition="verb, frequent").select("metric", "unit", "cluster", "value").rows()
    [('W2D P@1', 'nod.v.01', 'move.v.01', 0.0), ('W2D RS', 'nod.v.01', 'move.v.01', 0.75)]
    >>> metrics(pl.DataFrame([response]), groups).filter(metric="W2D RS")["value"].to_list()[0]  # rank 2 or 3
    0.625
    """
    length, rank = pl.col("candidates").cast(pl.Float64), _place(ties)
    formulas = {"P@1": first_place(ties), "RS": (length - rank) / (length - 1)}
    task = pl.col("task").str.to_uppercase()
    parts = [
        responses.select(metric=pl.format("{} {}", task, pl.lit(measure)), unit="group", value=value)
        for measure, value in formulas.items()
    ]
    drawn = groups.filter("drawn")
    of_groups = conditions(drawn, limits).join(
        drawn.select("group", cluster="family"), on="group", maintain_order="left"
    )
    of_groups = of_groups.rename({"group": "unit"})
    return pl.concat(parts).join(of_groups, on="unit", maintain_order="left_right").select(list(METRICS))


def first_place(ties: Literal["expected", "drawn"]) -> pl.Expr:
    """Return P@1 of a row of RESPONSES: how often the right candidate is ranked first. `ties`: see `metrics`.

    >>> rows = pl.DataFrame({"better": [0, 1], "tied": [1, 0], "rank": [2, 2]})
    >>> rows.select(first_place("expected")).to_series().to_list(), rows.select(first_place("drawn")).to_series().to_list()
    ([0.5, 0.0], [0.0, 0.0])
    """
    if ties == "expected":
        return (pl.col("better") == 0).cast(pl.Float64) / (1 + pl.col("tied").cast(pl.Float64))
    return (_place(ties) == 1).cast(pl.Float64)


def _place(ties: Literal["expected", "drawn"]) -> pl.Expr:
    """Return the place of the right candidate, from 1; one that a person did not rank has the mean of those left."""
    better, tied, rank = (pl.col(name).cast(pl.Float64) for name in ("better", "tied", "rank"))
    expected = 1 + better + tied / 2
    return expected if ties == "expected" else rank.fill_null(expected)


# Responses: for each task of a group, the rank of the right candidate and the candidate ranked first.


Values = NDArray[np.float64]
ModelType = Literal["masked", "causal", "encoder-decoder"]
Reading = Literal["first", "sum", "mean", "whole"]
READINGS: Mapping[str, str] = {
    "first": "the first token",
    "sum": "all tokens",
    "mean": "the mean token",
    "whole": "all tokens and the word's end",
}
"""How the score of a word is read off the log-probabilities of its tokens."""
OfPairs = Mapping[str, Values]
"""Task -> the score of every pair, shape (pairs of PROBES,); a higher score is better."""
SEED = 1
"""Seed of the order among candidates with equal scores, which is the same for all agents."""


def rank_candidates(scores: OfPairs, groups: Groups, probes: Probes) -> Responses:
    """Rank the candidates of every task by an agent's scores.

    Ties are common where only the first token counts. `better` and `tied` say how many candidates score higher and as high,
    from which values are expected. `rank` and `answer` are one draw for the pages that show answers: candidates with equal
    scores are in an order that is drawn, with the same random numbers for every agent. DataError: the number of scores is
    not the number of pairs in the probes. In this example, the right definition (pair 0) has the lower score:

    >>> probes = pl.DataFrame({"definition": ["lower the head", "bend the body"], "words": [["nod", "bow"], ["nod"]]})
    >>> group = {"group": "nod.v.01", "w2d": [0, 2], "d2w": [0, 1]}
    >>> scores = {"w2d": np.array([-3.0, -9.0, -2.0]), "d2w": np.array([-3.0, -9.0, -2.0])}
    >>> rank_candidates(scores, pl.DataFrame([group]), probes).select("task", "rank", "answer").rows()
    [('w2d', 2, 'bend the body'), ('d2w', 1, 'nod')]
    """
    pairs = int(probes["words"].list.len().sum())
    if any(len(scores[task]) != pairs for task in TASKS):
        raise DataError(
            f"the scores are not those of the {pairs} pairs that the groups ask for: delete them and run again."
        )
    return pl.concat([_task(scores[task], task, groups, probes) for task in TASKS])


def _task(scores: Values, task: str, groups: Groups, probes: Probes) -> Responses:
    """Rank the candidates of one task by its scores; the first pair of a group is the right one."""
    rows = groups.select("group", draw=_draws(groups, task), pair=task).filter(pl.col("pair").list.len() > 0)
    rows = rows.explode("pair")
    rows = rows.with_columns(score=pl.Series(scores[rows["pair"].to_numpy()]))
    right, others = pl.col("score").first(), pl.col("score").slice(1)
    counted = rows.group_by("group", maintain_order=True).agg(
        pl.col("draw").first(),
        candidates=pl.len().cast(pl.UInt16),
        better=(others > right).sum().cast(pl.UInt16),
        tied=(others == right).sum().cast(pl.UInt16),
        right=pl.col("pair").first(),
        wrong=pl.col("pair").slice(1).get(others.arg_max()),
    )
    place = (pl.col("draw") * (pl.col("tied") + 1)).floor()
    rank = (1 + pl.col("better") + place).cast(pl.UInt16)
    table = counted.with_columns(rank=rank, answer=pl.when(rank == 1).then("right").otherwise("wrong"))
    texts = _texts(task, table["answer"], probes)
    return table.with_columns(texts, task=pl.lit(task)).select(list(RESPONSES))


def _draws(groups: Groups, task: str) -> pl.Series:
    """Draw a number from 0 to 1 per group, which puts the right candidate somewhere among those with its score.

    The number depends on the group's name and the task alone, so that other groups change nothing.
    """
    return pl.Series([random.Random(f"{SEED} {task} {group}").random() for group in groups["group"]], dtype=pl.Float64)  # noqa: S311


def _texts(task: str, pairs: pl.Series, probes: Probes) -> pl.Series:
    """Return the definitions (W2D) or the words (D2W) of the pairs."""
    if task == "d2w":
        return probes["words"].explode().gather(pairs).alias("answer")
    starts = np.cumsum(probes["words"].list.len().to_numpy())
    return probes["definition"].gather(np.searchsorted(starts, pairs.to_numpy(), side="right")).alias("answer")


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open about scores, and other readings of a causal model's D2W than the paper's first token.

    `causal_d2w`, `masked_d2w`: how D2W reads the tokens of a word. `patterns`: "scores" averages over the patterns what a
    task ranks by, which is a probability or, for the mean token, its log; "logs" averages logs everywhere. `ties`:
    "expected" takes the mean over all orders of equal scores; "drawn" ranks them in an order drawn once for all agents.
    """

    causal_d2w: Reading = "first"
    masked_d2w: Reading = "mean"
    patterns: Literal["scores", "logs"] = "scores"
    ties: Literal["expected", "drawn"] = "expected"

    def d2w(self, *, masked: bool) -> Reading:
        """Return how D2W reads the tokens for one type of model."""
        return self.masked_d2w if masked else self.causal_d2w


PAPER = Choices()


def responses(
    scores: Scores, groups: Groups, probes: Probes, choices: Choices = PAPER, *, type: ModelType
) -> Responses:
    """Rank the candidates of every task by the scores of one model (section 2.3). `type` is the model's."""
    return rank_candidates(pair_scores(scores, masked=type == "masked", choices=choices), groups, probes)


def pair_scores(scores: Scores, *, masked: bool, choices: Choices = PAPER) -> OfPairs:
    """Return a model's score of every pair from its stored scores: natural logs, -inf where it cannot write the word.

    W2D: the log of P(word), the product over its tokens, averaged over the patterns. D2W: for a masked model, the mean
    log-probability of the tokens, averaged over the patterns; for a causal one, the log of the first token's probability,
    averaged over the patterns (section 2.3). `choices` may say otherwise. DataError: the file does not hold what they ask
    for.

    >>> row = {"probe_id": "noun:0", "pattern": "is", "logprobs": [-4.0, None], "first": [-1.0, None], "tokens": [2, None]}
    >>> {task: values.tolist() for task, values in pair_scores(pl.DataFrame([row]), masked=True).items()}
    {'w2d': [-4.0, -inf], 'd2w': [-2.0, -inf]}
    >>> pair_scores(pl.DataFrame([row]), masked=False)["d2w"].tolist()
    [-1.0, -inf]
    """
    reading = choices.d2w(masked=masked)
    parts: dict[str, list[Values]] = {"w2d": [], "d2w": []}
    for _, rows in scores.with_columns(pos=_pos()).group_by("pos", maintain_order=True):
        average = _log_mean if choices.patterns == "scores" else _mean
        parts["w2d"].append(average(_read(rows, "sum")))
        of_tokens = _mean if reading == "mean" else average
        parts["d2w"].append(of_tokens(_read(rows, reading)))
    return {task: np.concatenate(values) for task, values in parts.items()}


def _pos() -> pl.Expr:
    return pl.col("probe_id").str.split(":").list.first()


def _read(rows: pl.DataFrame, reading: Reading) -> list[Values]:
    """Return the natural log of each pair's score under a reading, an array per pattern."""
    if reading == "mean":
        both = zip(_pattern_values(rows, "logprobs"), _pattern_values(rows, "tokens"), strict=True)
        return [whole / number for whole, number in both]
    column = {"first": "first", "sum": "logprobs", "whole": "whole"}[reading]
    if rows[column].null_count():
        raise DataError(
            "the scores do not say how likely words end, which D2W is to read: set definitions.word_boundary: true."
        )
    return _pattern_values(rows, column)


def _pattern_values(rows: pl.DataFrame, column: str) -> list[Values]:
    """Return a column's values of all pairs, an array per pattern; a missing value is -inf, or 1 as a number of tokens."""
    missing = 1.0 if column == "tokens" else -np.inf
    return [
        part.select(pl.col(column).explode().cast(pl.Float64).fill_null(missing)).to_series().to_numpy()
        for part in rows.partition_by("pattern", maintain_order=True)
    ]


def _log_mean(logprobs: Sequence[Values]) -> Values:
    """Return the log of the mean of probabilities, from the logs of these."""
    mean: Values = np.logaddexp.reduce(logprobs, axis=0) - np.log(len(logprobs))
    return mean


def _mean(logprobs: Sequence[Values]) -> Values:
    mean: Values = np.mean(logprobs, axis=0)
    return mean


# Agents that are no language models: a guess, static word vectors (section 2.3), and two that know no meaning.


logger = logging.getLogger("relprobe")


def baseline(
    groups: Groups, probes: Probes, vectors: Vectors | None = None, words: Words | None = None, *, agent: str
) -> Responses:
    """Rank the candidates without a language model (section 2.3).

    `agent`: random guesses, length takes the shortest candidate, and frequency the most frequent one by `words`; with static
    `vectors`, an agent takes the most similar candidate.
    """
    if vectors is not None:
        scores = similarity(probes, vectors)
    elif words is not None:
        scores = commonness(probes, dict(words.iter_rows()))
    else:
        scores = shortness(probes) if agent == "length" else guess(probes)
    return rank_candidates(scores, groups, probes)


def guess(probes: Probes) -> OfPairs:
    """Return equal scores for all pairs of the probes, so that all orders are as likely.

    >>> probes = pl.DataFrame({"words": [["goose", "owl"], ["owl"]]})
    >>> guess(probes)["w2d"].tolist()
    [0.0, 0.0, 0.0]
    """
    equal = np.zeros(int(probes["words"].list.len().sum()))
    return {"w2d": equal, "d2w": equal}


def shortness(probes: Probes) -> OfPairs:
    """Return scores by length alone: the shorter candidate is better, in characters, for every pair of the probes.

    >>> probes = pl.DataFrame({"definition": ["a bird"], "words": [["goose", "owl"]]})
    >>> {task: values.tolist() for task, values in shortness(probes).items()}
    {'w2d': [-6.0, -6.0], 'd2w': [-5.0, -3.0]}
    """
    definitions = -probes["definition"].str.len_chars().cast(pl.Float64).to_numpy()
    words = -probes["words"].explode().str.len_chars().cast(pl.Float64).to_numpy()
    return {"w2d": _definition_values(definitions, probes), "d2w": words}


def commonness(probes: Probes, uses: Mapping[str, float | None]) -> OfPairs:
    """Return scores by frequency alone, for every pair of the probes: D2W takes the most frequent word.

    W2D takes the definition whose words are the most frequent, by the mean of their logs. `uses`: word -> uses in a corpus,
    None if they are unknown; a candidate without any known frequency comes last.

    >>> probes = pl.DataFrame({"definition": ["a bird"], "words": [["goose", "barn owl"]]})
    >>> scores = commonness(probes, {"goose": 9.0, "barn owl": None, "a": 999.0, "bird": 9.0})
    >>> {task: values.tolist() for task, values in scores.items()}
    {'w2d': [2.0, 2.0], 'd2w': [1.0, -inf]}
    """
    definitions = np.array([mean_log(definition, uses) for definition in probes["definition"]])
    numbers = np.array([uses.get(word) for word in probes["words"].explode()], np.float64)  # None becomes NaN
    words = np.where(np.isnan(numbers), -np.inf, np.log10(1 + numbers))
    return {"w2d": _definition_values(definitions, probes), "d2w": words}


def _definition_values(values: NDArray[np.float64], probes: Probes) -> NDArray[np.float64]:
    """Give every pair the value of its definition."""
    return np.repeat(values, probes["words"].list.len().to_numpy())


def similarity(probes: Probes, vectors: StaticVectors) -> OfPairs:
    """Return the cosine of word and definition for every pair of PROBES; a text is the mean of its tokens' vectors.

    A pair scores -inf if no token of one of its texts has a vector. It then comes last, unless all candidates of a task
    score -inf: these are ranked as a guess ranks them. The log says how many texts have no vector.
    """
    words = probes["words"].explode().unique(maintain_order=True)
    word_vectors = _vectors_of(words, vectors, "words")
    definition_vectors = _vectors_of(probes["definition"], vectors, "definitions")
    row = {word: i for i, word in enumerate(words)}
    cosines = [
        word_vectors[[row[word] for word in of_probe]] @ definition
        for of_probe, definition in zip(probes["words"], definition_vectors, strict=True)
    ]
    values = np.concatenate(cosines).astype(np.float64)
    values[np.isnan(values)] = -np.inf
    return {"w2d": values, "d2w": values}


def _vectors_of(texts: pl.Series, vectors: StaticVectors, what: str) -> NDArray[np.float32]:
    """Return the mean vector of each text, scaled to length 1, shape (texts, width); NaN where no token has a vector."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenize = NLTKWordTokenizer().tokenize
    matrix = vectors.unit([" ".join(tokenize(text)) for text in texts])
    missing = int(np.isnan(matrix[:, 0]).sum())
    logger.info("%s of %s %s have no static vector", f"{missing:,}", f"{len(texts):,}", what)
    return matrix


# People as an agent: the ranks that they gave the candidates (Table 8).


def people(answers: Path, groups: Groups, probes: Probes, layout: dict[str, Any] | None = None) -> Responses:
    """Read people's answers as those of one more agent.

    `answers` is the manifest of their file, which errors name. `layout`: what the configuration says of their table.
    """
    file = only_file(answers)
    return people_responses(read(file, Layout.of(layout)), candidate_texts(groups, probes), file)


def people_responses(ranks: Iterable[Rank], of_groups: Candidates, path: Path) -> Responses:
    """Return people's answers, a row per participant, task and group; `path`: their file.

    Candidates that a participant did not rank share the places after those that he or she ranked: if the right one is among
    them, it has no rank, and `tied` counts the others. Answers about groups that the study does not ask are left out, and
    the log counts them. DataError: a text is no candidate of its task, or no answer is about the study.
    """
    rows, others = [], []
    ordered = sorted(ranks, key=lambda one: (*_sheet(one), one.rank))
    for (task, group, _), given in groupby(ordered, _sheet):
        if (task, group) in of_groups:
            rows.append(_response(task, group, list(given), of_groups[task, group], path))
        else:
            others.append(f"{task} of {group}")
    if not rows:
        raise DataError(
            f"{path} has no answer to the groups of this study, such as {next(iter(of_groups))[1]}: name its groups in "
            "definitions.targets."
        )
    if others:
        logger.warning("%d answers are to other groups, such as %s, and are left out", len(others), others[0])
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def _sheet(one: Rank) -> tuple[str, str, str]:
    return one.task, one.group, one.participant


def _response(task: str, group: str, given: list[Rank], texts: list[str], path: Path) -> tuple[object, ...]:
    wrong = [one for one in given if one.candidate not in texts]
    if wrong:
        raise DataError(
            f"{path}, line {wrong[0].line}: {wrong[0].candidate!r} is no candidate of {task} of {group}: write it as the "
            "study does, for example as in its questionnaire."
        )
    place = next((one.rank for one in given if one.candidate == texts[0]), None)
    better = len(given) if place is None else place - 1
    tied = len(texts) - len(given) - 1 if place is None else 0
    return task, group, len(texts), better, tied, place, given[0].candidate


# The choices of a model that only chats, as people's answers are measured.


def reply_responses(choices: ReplyChoices) -> Responses:
    """Return the choices as the answers of one more agent, a row for each, as those of people who rank one candidate.

    A wrong choice leaves the right candidate somewhere among the others. An answer that cannot be read counts as a wrong
    choice. A task of which too many answers cannot be read (`letters.readable`) has no responses, and only the groups that
    people get count (`in_small_groups`).

    >>> about = {"task": "d2w", "group": "nod.v.01", "candidates": 3}
    >>> rows = {**about, "shown": [["bow", "nod", "wink"]], "choice": ["bow"], "right": [False]}
    >>> reply_responses(pl.DataFrame(rows)).row(0)
    ('d2w', 'nod.v.01', 3, 1, 1, None, 'bow')
    """
    count = pl.col("candidates")
    table = readable(in_small_groups(choices)).select(
        "task",
        "group",
        candidates=count,
        better=pl.when("right").then(0).otherwise(1),
        tied=pl.when("right").then(0).otherwise(count.cast(pl.Int64) - 2),
        rank=pl.when("right").then(1),
        answer="choice",
    )
    return table.cast(RESPONSES)  # type: ignore[arg-type]


def in_small_groups(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the answers in the groups that people get: those of up to FEW candidates in both tasks."""
    return choices.filter(pl.col("candidates").max().over("group") <= FEW)


def in_large_groups(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the answers in all other groups, where an agent may have seen a sample of the candidates."""
    return choices.filter(pl.col("candidates").max().over("group") > FEW)
