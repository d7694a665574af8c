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
from relprobe.lm.words.lexicon import with_unspaced
from relprobe.studies.relations.calibration import Calibration, by_premise, by_prior
from relprobe.studies.relations.method import GoldStandard, score_responses

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
    `shares`: of closed lists, the responses with the share of each word among the candidates of its probe as weight.
    """

    responses: pl.DataFrame
    left_out: pl.DataFrame
    premised: pl.DataFrame | None = None
    shares: pl.DataFrame | None = None


def model_responses(scores: ScoreFile, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its score file (`score_responses`)."""
    return score_responses(scores.columns("probe_id", "token_ids", "logprobs").combine_chunks(), lexicon)


def token_words(lexicon: pl.DataFrame, gold: GoldStandard, *, chat_formatted: bool) -> pl.DataFrame:
    """Return the words that the tokens of a model are as answers (LEXICON).

    `chat_formatted`: a token is the first of a reply. No space comes before it, and a capital letter may begin it. So every
    token of letters counts as a word, also one that begins a longer word, and a word has the capitals of the study's words.
    """
    if not chat_formatted:
        return lexicon
    table = with_unspaced(lexicon)
    spelled = [word if word is None else gold.capitals.spelled(word) for word in table["word"]]
    return table.with_columns(word=pl.Series(spelled, dtype=pl.String))


def rankings(
    scores: ScoreFile,
    tokens: pl.DataFrame,
    lexicon: pl.DataFrame,
    words: ScoreFile | None = None,
    candidates: ScoreFile | None = None,
    *,
    word_list: pl.DataFrame | None = None,
) -> dict[Space, Ranking]:
    """Return a model's answers in every space that its score files hold.

    `scores`: the likeliest tokens of each probe, and `tokens` the words that they are (LEXICON). `lexicon`: the words that
    may be answers (WORDS). `words`: the likeliest words of that list, or of another `word_list` (WORDS), of any length, if
    they are computed. `candidates`: the words of closed lists, if they are.

    A model that has no target as one token is asked about words of any length alone: then it has these spaces, and no other.
    DataError: it has no answer at all.
    """
    spaces: dict[Space, Ranking] = {}
    left_out = pl.DataFrame(schema=LEFT_OUT)
    if scores.rows or (words is None and candidates is None):
        _require_answers(scores)
        # Part by part: what a part becomes on the way takes several times the memory of what is kept of it.
        parts = [spaces_of(part, tokens, lexicon) for part in scores.parts("probe_id", "token_ids", "logprobs")]
        spaces = {name: _joined([part[name] for part in parts]) for name in parts[0]}
        left_out = spaces["tokens"].left_out
    if words is not None:
        spaces["words"] = _word_responses(words, lexicon if word_list is None else word_list, left_out)
    if candidates is not None:
        ranking = _word_responses(candidates, lexicon, left_out)
        spaces["candidates"] = replace(
            ranking,
            premised=_premised(candidates, ranking.responses),
            shares=_among_candidates(candidates, ranking.responses),
        )
    return spaces


def spaces_of(scores: pa.Table, tokens: pl.DataFrame, lexicon: pl.DataFrame) -> dict[Space, Ranking]:
    """Return a model's answers among all tokens and among the words of the lexicon, from its likeliest tokens.

    `scores`: probe_id, token_ids and logprobs, each in one chunk. The others are as in `rankings`.
    """
    allowed = lexicon.filter(pl.col("word").str.contains(WORD))["word"]
    everything = score_responses(scores, tokens)
    left_out, restricted = _lexicon_responses(scores, tokens, allowed, everything)
    return {"tokens": Ranking(everything, left_out), "lexicon": Ranking(restricted, left_out)}


def _joined(parts: Sequence[Ranking]) -> Ranking:
    """Return the ranking of all probes from those of some probes each, which have no shares and no premises."""
    return Ranking(
        pl.concat([ranking.responses for ranking in parts]), pl.concat([ranking.left_out for ranking in parts])
    )


def choose(
    spaces: Mapping[Space, Ranking], answers: Space, calibrate: Calibration, probes: pl.DataFrame
) -> tuple[Ranking, dict[str, Ranking]]:
    """Return the ranking that the configuration chooses, and those that differ in one choice, by its name.

    `spaces`: of `rankings`. `answers`: the space. `calibrate`: what the probabilities are divided by (`Calibration`):
    "prior", or "premise", which candidates alone have. `probes`: PROBES. Of candidates every way to calibrate is shown; of
    other answers "none" beside "prior". DataError: the model has no answers of this space.
    """
    if answers not in spaces:
        raise DataError(
            f"a model has no answers for relations.answers {answers}, as none of its targets is one token: take answers "
            f"{' or '.join(spaces)}, or leave the model out of relations."
        )
    alternatives = {
        f"answers: {name}": _calibrated(spaces, name, calibrate, probes) for name in spaces if name != answers
    }
    ways: tuple[Calibration, ...] = ("none", "premise", "prior") if answers == "candidates" else ("none",)
    alternatives |= {f"calibrate: {way}": _calibrated(spaces, answers, way, probes) for way in ways if way != calibrate}
    return _calibrated(spaces, answers, calibrate, probes), alternatives


def _calibrated(spaces: Mapping[Space, Ranking], name: Space, calibrate: Calibration, probes: pl.DataFrame) -> Ranking:
    """Return the answers of a space, divided as `calibrate` says; where there are no premises they stay as they are.

    Undivided answers of closed lists have their shares among the candidates: a probability among all texts that a model may
    write is tiny, and says little of a choice between a few words.
    """
    ranking = spaces[name]
    if calibrate == "prior":
        return replace(ranking, responses=by_prior(ranking.responses, probes, closed=name == "candidates"))
    chosen = ranking.shares if calibrate == "none" or ranking.premised is None else ranking.premised
    return ranking if chosen is None else replace(ranking, responses=chosen)


def log_short(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame) -> None:
    """Log how many main probes ask about a target with more relata than the response has words."""
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


def _lexicon_responses(
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


def _word_responses(scores: ScoreFile, lexicon: pl.DataFrame, left_out: pl.DataFrame) -> Ranking:
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
    left_out_words = outside.join(
        left_out.select("probe_id", "no_word"), on="probe_id", how="left", maintain_order="left"
    )
    return Ranking(
        pl.DataFrame(pl.from_arrow(responses)),
        left_out_words.select("probe_id", "no_word", pl.col("outside").cast(pl.Float64)),
    )


def _among_candidates(scores: ScoreFile, responses: pl.DataFrame) -> pl.DataFrame:
    """Return the responses of a score file of candidates, whose weights are the words' shares among their probe's list."""
    logprobs, *_ = _lists(scores, "logprobs")
    shares = among_list(logprobs.values.to_numpy(), np.diff(logprobs.offsets.to_numpy()))
    weights = pa.ListArray.from_arrays(logprobs.offsets, pa.array(shares))
    return responses.with_columns(pl.Series("weights", weights))


def among_list(logprobs: NDArray[np.float32], lengths: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the shares of words among their lists: the softmax of each list's natural-log probabilities.

    `lengths`: those of the lists, which stand one after another. A list whose words all have the probability 0 has no
    shares (NaN).

    "bird" is three times as likely as "wing" is, however unlikely both are:

    >>> among_list(np.array([-200, -200 - np.log(3), -7], np.float32), np.array([2, 0, 1])).round(2).tolist()
    [0.75, 0.25, 1.0]
    """
    sizes = lengths[lengths > 0]
    if not len(sizes):
        return np.empty(0, np.float32)
    starts, values = np.cumsum(sizes) - sizes, logprobs.astype(np.float64)
    with np.errstate(invalid="ignore"):
        odds = np.exp(values - np.repeat(np.maximum.reduceat(values, starts), sizes))
    return (odds / np.repeat(np.add.reduceat(odds, starts), sizes)).astype(np.float32)


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


def _lists(scores: ScoreFile, *names: str) -> tuple[pa.Array, ...]:
    """Return columns of lists of a score file, and its probes."""
    table = _answered(scores, *names)
    return tuple(table[name].chunk(0) for name in (*names, "probe_id"))


def _answered(scores: ScoreFile, *names: str) -> pa.Table:
    """Return the probes and these columns of a score file, each in one chunk. DataError: it holds no answer."""
    _require_answers(scores)
    return scores.columns("probe_id", *names).combine_chunks()


def _require_answers(scores: ScoreFile) -> None:
    """Raise a DataError if a score file holds no answer."""
    if not scores.rows:
        raise DataError(
            f"{scores.path} holds no answers, as no target can be asked of the model: leave it out of the study, or take "
            "answers: candidates, which may be of any length."
        )
