"""Responses: for each task of a group, the rank of the right candidate and the candidate ranked first."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.studies.definitions.schemas import RESPONSES, TASKS, Groups, Probes, Responses, Scores

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
    return rank_candidates(of_pairs(scores, masked=type == "masked", choices=choices), groups, probes)


def of_pairs(scores: Scores, *, masked: bool, choices: Choices = PAPER) -> OfPairs:
    """Return a model's score of every pair from its stored scores: natural logs, -inf where it cannot write the word.

    W2D: the log of P(word), the product over its tokens, averaged over the patterns. D2W: for a masked model, the mean
    log-probability of the tokens, averaged over the patterns; for a causal one, the log of the first token's probability,
    averaged over the patterns (section 2.3). `choices` may say otherwise. DataError: the file does not hold what they ask
    for.

    >>> row = {"probe_id": "noun:0", "pattern": "is", "logprobs": [-4.0, None], "first": [-1.0, None], "tokens": [2, None]}
    >>> {task: values.tolist() for task, values in of_pairs(pl.DataFrame([row]), masked=True).items()}
    {'w2d': [-4.0, -inf], 'd2w': [-2.0, -inf]}
    >>> of_pairs(pl.DataFrame([row]), masked=False)["d2w"].tolist()
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
        both = zip(_by_pattern(rows, "logprobs"), _by_pattern(rows, "tokens"), strict=True)
        return [whole / number for whole, number in both]
    column = {"first": "first", "sum": "logprobs", "whole": "whole"}[reading]
    if rows[column].null_count():
        raise DataError(
            "the scores do not say how likely words end, which D2W is to read: set definitions.word_boundary: true."
        )
    return _by_pattern(rows, column)


def _by_pattern(rows: pl.DataFrame, column: str) -> list[Values]:
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
