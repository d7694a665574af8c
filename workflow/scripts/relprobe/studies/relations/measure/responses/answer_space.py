"""What counts as an answer of a model: every token, the words of the lexicon that are one token, or words of any length.

The paper ranks all tokens of a vocabulary. A token may be a quote, a number or a piece of a word, and it takes up a rank. In
the other spaces nothing that is no word is an answer. Words of any length are those of one list, or a closed list of
candidates for each relation or target.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.relations.measure.responses.calibration import Calibration, by_premise, by_prior
from relprobe.studies.relations.measure.responses.ranked_lists import of_scores

logger = logging.getLogger("relprobe")
Space = Literal["tokens", "lexicon", "words", "candidates"]
WORD = r"^\p{L}[\p{L}\p{M}'’ -]*$"
"""A word: letters and their marks, and after the first letter hyphens, apostrophes, and the spaces of an expression."""
LEFT_OUT = pl.Schema({"probe_id": pl.String(), "no_word": pl.Float64(), "outside": pl.Float64()})
"""Per probe: 1 if the likeliest token is no word, else 0, and the probability of all that is no word of the lexicon."""


@dataclass(frozen=True)
class Ranking:
    """A model's answers in one space: `responses` (RESPONSES), and what they leave out (LEFT_OUT).

    `premised`: the responses that the premises of the prompts are taken off (`by_premise`), where these were asked.
    """

    responses: pl.DataFrame
    left_out: pl.DataFrame
    premised: pl.DataFrame | None = None


def rankings(
    scores: ScoreFile,
    tokens: pl.DataFrame,
    lexicon: pl.DataFrame,
    words: ScoreFile | None = None,
    candidates: ScoreFile | None = None,
    *,
    word_list: pl.DataFrame | None = None,
    spoken: bool = False,
) -> dict[Space, Ranking]:
    """Return a model's answers in every space that its score files hold.

    `scores`: the likeliest tokens of each probe, and `tokens` the words that they are (LEXICON). `lexicon`: the words that
    may be answers (WORDS). `words`: the likeliest words of that list, or of another `word_list` (WORDS), of any length, if
    they are computed. `candidates`: the words of closed lists, if they are. `spoken`: see `responses.of_scores`.
    """
    spaces = spaces_of(_answered(scores, "token_ids", "logprobs"), tokens, lexicon, spoken=spoken)
    left_out = spaces["tokens"].left_out
    if words is not None:
        spaces["words"] = _of_words(words, lexicon if word_list is None else word_list, left_out)
    if candidates is not None:
        ranking = _of_words(candidates, lexicon, left_out)
        spaces["candidates"] = replace(ranking, premised=_premised(candidates, ranking.responses))
    return spaces


def spaces_of(
    scores: pa.Table, tokens: pl.DataFrame, lexicon: pl.DataFrame, *, spoken: bool = False
) -> dict[Space, Ranking]:
    """Return a model's answers among all tokens and among the words of the lexicon, from its likeliest tokens.

    `scores`: probe_id, token_ids and logprobs, each in one chunk. The others are as in `rankings`.
    """
    allowed = lexicon.filter(pl.col("word").str.contains(WORD))["word"]
    everything = of_scores(scores, tokens, spoken=spoken)
    left_out, restricted = _of_lexicon(scores, tokens, allowed, everything)
    return {"tokens": Ranking(everything, left_out), "lexicon": Ranking(restricted, left_out)}


def choose(
    spaces: Mapping[Space, Ranking], answers: Space, calibrate: Calibration, probes: pl.DataFrame
) -> tuple[Ranking, dict[str, Ranking]]:
    """Return the ranking that the configuration chooses, and those that differ in one choice, by its name.

    `spaces`: of `rankings`. `answers`: the space. `calibrate`: what the probabilities are divided by (calibration.py):
    "prior", or "premise", which candidates alone have. `probes`: PROBES. Of candidates every way to calibrate is shown; of
    other answers "none" beside "prior".
    """
    others = {f"answers: {name}": _calibrated(spaces, name, calibrate, probes) for name in spaces if name != answers}
    ways: tuple[Calibration, ...] = ("none", "premise", "prior") if answers == "candidates" else ("none",)
    others |= {f"calibrate: {way}": _calibrated(spaces, answers, way, probes) for way in ways if way != calibrate}
    return _calibrated(spaces, answers, calibrate, probes), others


def _calibrated(spaces: Mapping[Space, Ranking], name: Space, calibrate: Calibration, probes: pl.DataFrame) -> Ranking:
    """Return the answers of a space, divided as `calibrate` says; where there are no premises they stay as they are."""
    own = spaces[name]
    if calibrate == "prior":
        return replace(own, responses=by_prior(own.responses, probes, closed=name == "candidates"))
    return own if calibrate == "none" or own.premised is None else replace(own, responses=own.premised)


def log_short(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame) -> None:
    """Say how many main probes ask about a target with more relata than the response has words."""
    sizes = relata.group_by("target", "relation").agg(relata=pl.len())
    lengths = responses.select("probe_id", size=pl.col("words").list.len())
    main = probes.filter(kind="main").join(lengths, on="probe_id").join(sizes, on=["target", "relation"])
    short = main.filter(pl.col("relata") > pl.col("size")).height
    if short:
        logger.warning(
            "%s of %s main probes have fewer stored words than their target has relata: completeness and "
            "distinguishability look at the stored words alone; raise relations.top_words for more",
            f"{short:,}",
            f"{main.height:,}",
        )


def _of_lexicon(
    scores: pa.Table, tokens: pl.DataFrame, allowed: pl.Series, everything: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what the tokens of scores are besides words (LEFT_OUT), and the responses of allowed words alone.

    `everything`: the responses over all tokens. Words of the lexicon that are not among the stored tokens count as outside.
    """
    words = tokens.sort("token_id")["word"]
    lists = scores["token_ids"].chunk(0)
    ids, starts = lists.values.to_numpy(), lists.offsets.to_numpy()
    inside = words.is_in(allowed.implode()).fill_null(False).to_numpy()[ids]
    is_word = words.str.contains(WORD).fill_null(False).to_numpy()
    weights = everything["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy()
    total = np.add.reduceat(np.where(inside, weights, np.float32(0)), starts[:-1], dtype=np.float64)
    left_out = pl.DataFrame(
        {
            "probe_id": pl.from_arrow(scores["probe_id"]),
            "no_word": 1.0 - is_word[ids[starts[:-1]]],
            "outside": np.clip(1 - total, 0, 1),
        },
        schema=LEFT_OUT,
    )
    return left_out, _only(everything, inside, starts)


def _only(responses: pl.DataFrame, inside: NDArray[np.bool_], starts: NDArray[np.int32]) -> pl.DataFrame:
    """Return responses without the words for which `inside`, over all lists one after another, is false."""
    counts = np.add.reduceat(inside, starts[:-1], dtype=np.int32)
    offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
    columns = {
        name: pa.ListArray.from_arrays(offsets, values.filter(pa.array(inside)))
        for name, values in _values(responses, ["words", "weights"])
    }
    return pl.DataFrame(pl.from_arrow(pa.table({"probe_id": responses["probe_id"].to_arrow(), **columns})))


def _values(responses: pl.DataFrame, names: Sequence[str]) -> Iterator[tuple[str, pa.Array]]:
    for name in names:
        yield name, responses[name].list.explode(keep_nulls=False, empty_as_null=False).to_arrow()


def _of_words(scores: ScoreFile, lexicon: pl.DataFrame, left_out: pl.DataFrame) -> Ranking:
    """Return the responses of a score file of words; `outside` is what the file says, and `no_word` that of the tokens."""
    ids, logprobs, probes = _lists(scores, "word_ids", "logprobs")
    words = pa.DictionaryArray.from_arrays(ids.values, lexicon["word"].to_arrow().cast(pa.string()))
    responses = pa.table(
        {
            "probe_id": probes,
            "words": pa.ListArray.from_arrays(ids.offsets, words),
            "weights": pa.ListArray.from_arrays(ids.offsets, pa.array(np.exp(logprobs.values.to_numpy()))),
        }
    )
    outside = pl.DataFrame(pl.from_arrow(scores.columns("probe_id", "outside")))
    about = outside.join(left_out.select("probe_id", "no_word"), on="probe_id", how="left", maintain_order="left")
    return Ranking(
        pl.DataFrame(pl.from_arrow(responses)), about.select("probe_id", "no_word", pl.col("outside").cast(pl.Float64))
    )


def _premised(scores: ScoreFile, responses: pl.DataFrame) -> pl.DataFrame:
    """Return the responses of a score file of candidates, divided by their premises; probes without a premise have none."""
    columns = ["probe_id", "logprobs", "premise"]
    table = pl.DataFrame(pl.from_arrow(scores.columns(*columns).combine_chunks()))
    asked = table["premise"].is_not_null()
    logprobs, premises = (
        table.filter(asked)[name].list.explode(keep_nulls=False, empty_as_null=False).to_numpy().astype(np.float64)
        for name in columns[1:]
    )
    return by_premise(responses.filter(asked), logprobs - premises)


def _lists(scores: ScoreFile, *names: str) -> tuple[pa.ListArray, pa.ListArray, pa.Array]:
    """Return two columns of lists of a score file, and its probes."""
    table = _answered(scores, *names)
    first, second = (table[name].chunk(0) for name in names)
    return first, second, table["probe_id"].chunk(0)


def _answered(scores: ScoreFile, *names: str) -> pa.Table:
    """Return the probes and these columns of a score file, each in one chunk. DataError: it holds no answer."""
    if not scores.rows:
        raise DataError(f"{scores.path} holds no answers: the model could answer no probe.")
    return scores.columns("probe_id", *names).combine_chunks()
