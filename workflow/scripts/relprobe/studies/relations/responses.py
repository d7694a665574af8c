"""The answers of agents in one form: how they are read, in which answer space, and what they are ranked by."""

import difflib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, cast

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.files import parquet
from relprobe.core.relation import Relations
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.sources.written import Capitals
from relprobe.studies.relations.method import Prompt, pooled_responses, score_responses
from relprobe.studies.relations.probes import Befores, answerable, names_of, request_ids
from relprobe.studies.relations.schemas import (
    ANSWERS,
    AVERAGES,
    CONFIGURED,
    RESPONSES,
    WRITING,
    AnswerKind,
    Answers,
)
from relprobe.studies.relations.tuples import GoldStandard
from relprobe.studies.unreadable import absence_of

# Responses: a ranked list of words per probe, in one form for models and humans.


UNREADABLE = "##"
"""What stands for an answer without a readable word; it is no word, as a token that starts none."""
LISTS = pl.Schema({"probe_id": pl.String(), "annotator": pl.UInt16(), "words": pl.List(pl.Categorical())})
"""Each annotator's words in the order of typing. In a CSV file of answers, an annotator is the same person everywhere. In
the authors' file the number only tells the lists of one probe apart: the published answers do not say which person gave
them, so that the first list of one probe need not be by the person of the first of another."""
Lists = Annotated[pl.DataFrame, parquet(LISTS, "probe_id", "annotator")]
UNMATCHED = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),
        "participant": pl.String(),
        "answer": pl.String(),
        "reason": pl.String(),
    }
)
"""Answers to no main probe of the study, and why: its table unmatched_answers."""
UNKNOWN_PROMPT = "no prompt of"
"""How the reason begins why an answer to a prompt that the study does not have is left out."""


def model_responses(scores: ScoreFile, lexicon: pl.DataFrame, *, spoken: bool = False) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its score file (`score_responses`)."""
    return score_responses(scores.columns("probe_id", "token_ids", "logprobs").combine_chunks(), lexicon, spoken=spoken)


def _wordings(prompts: list[Prompt]) -> pl.DataFrame:
    """Return prompt_id, relation and prompt: all that answers may call a prompt (`names_of`)."""
    rows = [(prompt_id, relation, name) for (relation, name), prompt_id in names_of(prompts).items()]
    return pl.DataFrame(rows, schema=dict.fromkeys(("prompt_id", "relation", "prompt"), pl.String), orient="row")


def answered_words(answers: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to the study's prompts: probe_id, relation, annotator, word; a row per answered word.

    An answer names its prompt by the text for people (`human_text`), by the text or by the id.
    """
    wording = _wordings(prompts)
    of_study = answers.join(wording, on=["relation", "prompt"], maintain_order="left")
    return of_study.select(pl.format("{}:{}", "prompt_id", "target").alias("probe_id"), "relation", "annotator", "word")


def annotator_lists(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return each annotator's answers to the main probes (LISTS); answers to anything else are left out."""
    words = answered_words(answers, prompts).join(probes.filter(kind="main"), on="probe_id", how="semi")
    return words.group_by("probe_id", "annotator", maintain_order=True).agg(words=pl.col("word").cast(pl.Categorical))


def unmatched_answers(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to no main probe of the study, each with the reason (UNMATCHED)."""
    known, relations = _wordings(prompts), {prompt.relation for prompt in prompts}
    rows = answers.join(known, on=["relation", "prompt"], how="left", maintain_order="left")
    rows = rows.with_columns(probe_id=pl.format("{}:{}", "prompt_id", "target"))
    lost = rows.join(probes.filter(kind="main"), on="probe_id", how="anti", maintain_order="left")
    texts = {code: sorted(known.filter(relation=code)["prompt"]) for code in relations}
    names = ("relation", "prompt", "prompt_id", "target")
    rows_lost = lost.select(names).iter_rows()
    reasons = [_reason(relation, prompt, asked, target, texts) for relation, prompt, asked, target in rows_lost]
    table = lost.with_columns(pl.Series("reason", reasons, pl.String), answer="word")
    return table.select(list(UNMATCHED)).cast(UNMATCHED)


def _reason(relation: str, prompt: str, prompt_id: str | None, target: str, texts: Mapping[str, Sequence[str]]) -> str:
    if relation not in texts:
        return f"the study asks nothing about a relation {relation}"
    if prompt_id is None:
        near = difflib.get_close_matches(prompt, texts[relation], 1)
        return f"{UNKNOWN_PROMPT} {relation} reads so" + (f"; the nearest is {near[0]!r}" if near else "")
    return f"{target} is no target of {relation} in this study"


def spelled_answers(answers: pl.DataFrame, capitals: Capitals) -> pl.DataFrame:
    """Return people's answers (HUMAN_ANSWERS) with the capitals of the study's words; an answer given again counts once."""
    words = answers["word"].unique().to_list()
    spelled = answers.with_columns(pl.col("word").replace(words, [capitals.spelled(word) for word in words]))
    key = ["target", "relation", "prompt", "annotator", "word"]
    return spelled.unique(key, keep="first", maintain_order=True)


def spelled_lists(writing: pl.DataFrame, capitals: Capitals) -> pl.DataFrame:
    """Return what a model has written (WRITING), its words with the capitals of the study's words."""
    words = writing["words"].list.explode(keep_nulls=False, empty_as_null=False).unique().to_list()
    spelled = pl.element().replace(words, [capitals.spelled(word) for word in words])
    return writing.with_columns(pl.col("words").list.eval(spelled)) if words else writing


def count_respelled(words: pl.Series, capitals: Capitals) -> int:
    """Return how many of the words differ from the study's words in capitals alone, and count as these."""
    return sum(map(capitals.is_respelled, words))


def model_lists(writing: pl.DataFrame) -> pl.DataFrame:
    """Return the lists that a model has written (WRITING) in the form of the annotators' (LISTS).

    A list without a readable word holds UNREADABLE, so that such an answer counts as a wrong one.
    """
    words = pl.when(pl.col("words").list.len() > 0).then("words").otherwise([UNREADABLE])
    return writing.select("probe_id", annotator="sample", words=words.cast(pl.List(pl.Categorical)))


def people_responses(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of several annotators together (`pooled_responses`), from their lists (LISTS)."""
    return pooled_responses(lists.explode("words").rename({"words": "word"}))


def each_annotators_responses(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of each `annotator`, one after another: the words in the order of typing, from LISTS.

    A word that was typed twice stands at its first place. The weights 1, 1/2, 1/3, … only give the order.
    """
    own = lists.sort("annotator", maintain_order=True)
    own = own.with_columns(words=pl.col("words").list.unique(maintain_order=True))
    ranks = pl.int_ranges(1, pl.col("words").list.len() + 1)
    return own.with_columns(weights=ranks.list.eval(1 / pl.element()).cast(pl.List(pl.Float32)))


def annotator_responses(lists: pl.DataFrame, annotator: int) -> pl.DataFrame:
    """Return the responses (RESPONSES) of one annotator (`each_annotators_responses`)."""
    return each_annotators_responses(lists.filter(annotator=annotator)).drop("annotator")


# Lists that models have written and that cannot be read: such an agent has no value, and a sentence says why.


def absence(answers: pl.DataFrame) -> str | None:
    """Say why the agent that has written these answers (WRITING) has no value; None if it has some.

    >>> absence(pl.DataFrame({"words": [["bird"], [], ["wing"], []]}, schema={"words": pl.List(pl.String)}))[:60]
    'no value, as 50 % of its answers hold no word that could be '
    """
    share = (answers["words"].list.len() == 0).mean()
    what = "hold no word that could be read"
    remedy = "let a model that runs here answer in its chat template (chat: true), or ask another model"
    return absence_of(share, what, remedy) if isinstance(share, float) else None


def with_absences(
    averages: pl.DataFrame, reasons: Mapping[str, str], agents: Sequence[str], relations: Relations
) -> pl.DataFrame:
    """Add rows without a value to AVERAGES, which say why an agent has none: agent -> `absence`.

    They are those of soundness, and of all metrics, relations and k that another agent has. `agents`: all in their order.
    """
    if not reasons:
        return averages
    key = ["metric", "relation", "k"]
    sound = pl.DataFrame({"relation": relations.codes}).with_columns(
        metric=pl.lit("soundness"), k=pl.lit(None, pl.UInt16)
    )
    keys = pl.concat([averages.filter(pl.col("versus").is_null()).select(key), sound.select(key)]).unique()
    empty = [keys.with_columns(agent=pl.lit(agent), note=pl.lit(reason)) for agent, reason in reasons.items()]
    rows = pl.concat([averages, *empty], how="diagonal").select(list(AVERAGES)).cast(AVERAGES)
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    return rows.sort("metric", "k", *order, pl.col("agent").cast(pl.Enum(agents)))


# Responses ranked by how much the target changes them: P(word | probe) / P(word | prompt), whatever the target.
# Some words are likely after a prompt about any word at all. A model that says "cold" after most prompts of antonymy
# seems to know antonymy. Divided by the prior of its prompt, a word ranks high if this target makes it likelier than
# other targets do. The prior is the mean over all targets (`by_prior`), or the probability after the prompt without a
# target (`by_premise`).


Calibration = Literal["none", "prior", "premise"]
LARGEST = 80.0
"""The logarithm of the largest ratio, which a float32 holds."""


def by_prior(responses: pl.DataFrame, probes: pl.DataFrame, *, closed: bool = False) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) with the weight w(v | probe) / prior(v | prompt) of each word, best first.

    The prior of a word is its mean weight over all probes of the prompt (PROBES), main and trick ones. A probe that has not
    stored the word counts with its smallest stored weight, so that a word in the tail of a single list gains nothing. Of
    equal ratios the likelier word comes first. Only stored words are ranked: k in P(v | probe) is `relations.top_k`.
    `closed`: the lists hold all candidates of a probe, and the prior of a word is its mean over the probes that have it.

    >>> probes = pl.DataFrame({"probe_id": ["p:hot", "p:big"], "prompt_id": ["p", "p"]})
    >>> lists = {"words": [["it", "cold", "a"], ["it", "small", "a"]], "weights": [[0.6, 0.2, 0.1], [0.6, 0.2, 0.1]]}
    >>> schema = {"words": pl.List(pl.Categorical), "weights": pl.List(pl.Float32)}
    >>> table = pl.DataFrame({"probe_id": ["p:hot", "p:big"], **lists}, schema_overrides=schema)
    >>> by_prior(table, probes)["words"].to_list()
    [['cold', 'it', 'a'], ['small', 'it', 'a']]
    """
    prompts = responses.select("probe_id").join(probes.select("probe_id", "prompt_id"), on="probe_id", how="left")
    words = responses["words"].list.explode(keep_nulls=False, empty_as_null=False).to_physical().to_numpy()
    weights = responses["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy().astype(np.float64)
    lengths = responses["words"].list.len().to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    ratios = np.empty_like(weights)
    for (_,), rows in prompts.with_row_index("row").group_by("prompt_id", maintain_order=True):
        numbers = rows["row"].to_numpy()
        places = np.concatenate([np.arange(ends[i] - lengths[i], ends[i]) for i in numbers])
        ratios[places] = _ratios(words[places], weights[places], lengths[numbers], closed=closed)
    return _ranked(responses, ratios)


def by_premise(responses: pl.DataFrame, gains: NDArray[np.float64]) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) with the weight P(v | probe) / P(v | premise) of each word, best first.

    The premise is the prompt without its target. The logarithm of the weight is PMI_DC, domain-conditional pointwise mutual
    information (Holtzman et al. 2021, section 3). `gains`: this logarithm, natural, of all words of all responses, one after
    another; a word that has none (NaN) comes last. Of equal gains the likelier word comes first.

    >>> lists = {"probe_id": ["p:hot"], "words": [["it", "cold"]], "weights": [[0.6, 0.2]]}
    >>> schema = {"words": pl.List(pl.Categorical), "weights": pl.List(pl.Float32)}
    >>> ranked = by_premise(pl.DataFrame(lists, schema_overrides=schema), np.log([0.6 / 0.6, 0.2 / 0.1]))
    >>> ranked["words"].to_list(), ranked["weights"].to_list()
    ([['cold', 'it']], [[2.0, 1.0]])
    """
    return _ranked(responses, np.exp(np.clip(np.nan_to_num(gains, nan=-np.inf), None, LARGEST)))


def _ranked(responses: pl.DataFrame, ratios: NDArray[np.float64]) -> pl.DataFrame:
    """Return responses with other weights, of all words one after another, best first."""
    lengths = responses["words"].list.len().to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    # A list is sorted by weight, so that a stable sort leaves the likelier of two equal ratios first.
    sorted_lists = [b - n + np.argsort(-ratios[b - n : b], kind="stable") for b, n in zip(ends, lengths, strict=True)]
    order = np.concatenate([np.empty(0, np.int64), *sorted_lists])
    offsets = pa.array(np.concatenate([[0], ends]), pa.int32())
    ranked = responses["words"].list.explode(keep_nulls=False, empty_as_null=False)[order].to_arrow()
    columns = {
        "probe_id": responses["probe_id"].to_arrow(),
        "words": pa.ListArray.from_arrays(offsets, ranked),
        "weights": pa.ListArray.from_arrays(offsets, pa.array(ratios[order].astype(np.float32))),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns)))


def _ratios(
    words: NDArray[np.uint32], weights: NDArray[np.float64], lengths: NDArray[np.int64], *, closed: bool
) -> NDArray[np.float64]:
    """Return weight / prior of the words of one prompt, whose probes have lists of these lengths, one after another."""
    if closed:
        _, places, counts = np.unique(words, return_inverse=True, return_counts=True)
        means = (np.bincount(places, weights) / counts)[places]
        return np.divide(weights, means, out=np.zeros_like(weights), where=means > 0)
    starts = np.cumsum(lengths)[lengths > 0] - lengths[lengths > 0]
    least = np.minimum.reduceat(weights, starts) if len(starts) else weights
    names, places = np.unique(words, return_inverse=True)
    above = np.bincount(places, weights - np.repeat(least, lengths[lengths > 0]), minlength=len(names))
    prior = (above + least.sum()) / len(lengths)
    return weights / prior[places]


# What counts as an answer of a model: every token, the words of the lexicon that are one token, or words of any length.
# The paper ranks all tokens of a vocabulary. A token may be a quote, a number or a piece of a word, and it takes up a
# rank. In the other spaces nothing that is no word is an answer. Words of any length are those of one list, or a closed
# list of candidates for each relation or target.


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
    they are computed. `candidates`: the words of closed lists, if they are. `spoken`: see `responses.score_responses`.

    A model that has no target as one token is asked about words of any length alone: then it has these spaces, and no other.
    DataError: it has no answer at all.
    """
    spaces: dict[Space, Ranking] = {}
    left_out = pl.DataFrame(schema=LEFT_OUT)
    if scores.rows or (words is None and candidates is None):
        _require_answers(scores)
        # Part by part: what a part becomes on the way takes several times the memory of what is kept of it.
        parts = [
            spaces_of(part, tokens, lexicon, spoken=spoken)
            for part in scores.parts("probe_id", "token_ids", "logprobs")
        ]
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


def spaces_of(
    scores: pa.Table, tokens: pl.DataFrame, lexicon: pl.DataFrame, *, spoken: bool = False
) -> dict[Space, Ranking]:
    """Return a model's answers among all tokens and among the words of the lexicon, from its likeliest tokens.

    `scores`: probe_id, token_ids and logprobs, each in one chunk. The others are as in `rankings`.
    """
    allowed = lexicon.filter(pl.col("word").str.contains(WORD))["word"]
    everything = score_responses(scores, tokens, spoken=spoken)
    left_out, restricted = _lexicon_responses(scores, tokens, allowed, everything)
    return {"tokens": Ranking(everything, left_out), "lexicon": Ranking(restricted, left_out)}


def _joined(parts: Sequence[Ranking]) -> Ranking:
    """Return the ranking of all probes from those of some probes each, which have no shares and no premises."""
    return Ranking(pl.concat([one.responses for one in parts]), pl.concat([one.left_out for one in parts]))


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
    others = {f"answers: {name}": _calibrated(spaces, name, calibrate, probes) for name in spaces if name != answers}
    ways: tuple[Calibration, ...] = ("none", "premise", "prior") if answers == "candidates" else ("none",)
    others |= {f"calibrate: {way}": _calibrated(spaces, answers, way, probes) for way in ways if way != calibrate}
    return _calibrated(spaces, answers, calibrate, probes), others


def _calibrated(spaces: Mapping[Space, Ranking], name: Space, calibrate: Calibration, probes: pl.DataFrame) -> Ranking:
    """Return the answers of a space, divided as `calibrate` says; where there are no premises they stay as they are.

    Undivided answers of closed lists have their shares among the candidates: a probability among all texts that a model may
    write is tiny, and says little of a choice between a few words.
    """
    own = spaces[name]
    if calibrate == "prior":
        return replace(own, responses=by_prior(own.responses, probes, closed=name == "candidates"))
    chosen = own.shares if calibrate == "none" or own.premised is None else own.premised
    return own if chosen is None else replace(own, responses=chosen)


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
    about = outside.join(left_out.select("probe_id", "no_word"), on="probe_id", how="left", maintain_order="left")
    return Ranking(
        pl.DataFrame(pl.from_arrow(responses)), about.select("probe_id", "no_word", pl.col("outside").cast(pl.Float64))
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


# The answers of an agent in one form (ANSWERS), whatever the agent is.


def responses(
    scores: ScoreFile,
    gold: GoldStandard,
    lexicon: Lexicon | None = None,
    words: ScoreFile | None = None,
    candidates: ScoreFile | None = None,
    examples: Befores | None = None,
    *,
    kind: Literal["scores", "without_target", "writing"],
    answers: Space = "tokens",
    calibrate: Calibration = "none",
    spoken: bool = False,
) -> Answers:
    """Bring what a model has answered into the form of all agents.

    `scores`: the file that the model has answered with. Its `kind`: the "scores" of the probes; those of the prompts
    "without_target", which are the model's own control; or the lists of its "writing". The first two need the model's
    `lexicon`. `words` and `candidates`: its scores of words of any length, and of those of closed lists. `answers`: what
    counts as an answer (`Space`). `calibrate`: "prior" and "premise" rank words by how much the target changes
    them (`Calibration`). `examples`: what stands before the probes of a model with `shots`. `spoken`: it was asked in
    words. DataError: the lexicon is missing.
    """
    if kind == "writing":
        return list_answers(spelled_lists(scores.table(WRITING), gold.capitals))
    if lexicon is None:
        raise DataError(
            f"{scores.path} holds tokens, but no lexicon says which words they are: name the model's lexicon."
        )
    if kind == "without_target":
        return plain_answers("ranking", read_without_target(scores, lexicon, gold, answers, examples, spoken=spoken))
    spaces = rankings(scores, lexicon, gold.shared_lexicon, words, candidates, spoken=spoken)
    own, others = choose(spaces, answers, calibrate, gold.probes)
    if answers == "words":
        log_short(own.responses, gold.probes, gold.relata)
    return table({CONFIGURED: own, **others})


def list_answers(writing: pl.DataFrame) -> Answers:
    """Return the answers of a model from the lists that it has written (WRITING), and log if too many cannot be read."""
    reason = absence(writing)
    if reason:
        logger.warning("the agent has %s", reason)
    return plain_answers("unreadable" if reason else "lists", people_responses(model_lists(writing)))


def plain_answers(kind: AnswerKind, responses: pl.DataFrame) -> Answers:
    """Return the answers of an agent that no other choice changes, and that leaves nothing out.

    `responses`: RESPONSES, and of single annotators the number `annotator` of each.

    >>> rows = {"probe_id": ["p:hot"], "words": [["cold"]], "weights": [[1.0]]}
    >>> plain_answers("lists", pl.DataFrame(rows)).row(0)
    ('lists', 'as configured', 0, 'p:hot', ['cold'], [1.0], None, None)
    """
    nothing = {name: pl.lit(None, ANSWERS[name]) for name in ("no_word", "outside")}
    return _answers(responses.with_columns(choice=pl.lit(CONFIGURED), **nothing), kind)


def table(rankings: Mapping[str, Ranking]) -> Answers:
    """Return the rankings of a model by the choice that they stand for, one after another."""
    parts = [
        one.responses.join(one.left_out, on="probe_id", how="left", maintain_order="left").with_columns(
            choice=pl.lit(choice)
        )
        for choice, one in rankings.items()
    ]
    return pl.concat([_answers(part, "ranking") for part in parts])


def _answers(table: pl.DataFrame, kind: AnswerKind) -> Answers:
    """Complete the answers of an agent by its kind and, if they are no annotators', by 0 for the annotator."""
    own = table.with_columns(kind=pl.lit(kind))
    if "annotator" not in own.columns:
        own = own.with_columns(annotator=pl.lit(0))
    return own.select(list(ANSWERS)).cast(ANSWERS)  # type: ignore[arg-type]


def kind_of(answers: Answers) -> AnswerKind:
    """Return the kind of an agent. One without any answer is a "ranking": it has no values, whatever it is."""
    return cast(AnswerKind, answers["kind"][0]) if answers.height else "ranking"


def by_choice(answers: Answers) -> dict[str, Ranking]:
    """Return choice -> the answers under it, in their order: what `table` was made of; CONFIGURED is always there.

    Where the answers of a choice stand together, they are no copies: they are most of what a step has in memory.
    """
    runs = answers["choice"].rle().struct.unnest()
    ends = runs["len"].cum_sum()
    rows = zip(runs["value"], runs["len"], ends, strict=True)
    parts = {str(choice): answers.slice(end - length, length) for choice, length, end in rows}
    if len(parts) < runs.height:
        parts = {str(name): part for (name,), part in answers.partition_by("choice", as_dict=True).items()}
    return {
        choice: Ranking(part.select(list(RESPONSES)), part.select(list(LEFT_OUT)).drop_nulls("outside"))
        for choice, part in (parts or {CONFIGURED: answers}).items()
    }


# A model's own control: its answers to the prompts without a target (`premise_requests`) stand for those to its probes.


def read_without_target(
    scores: ScoreFile,
    tokens: pl.DataFrame,
    gold: GoldStandard,
    answers: Space,
    befores: Mapping[str, str] | None = None,
    *,
    spoken: bool = False,
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES) from the scores of its requests; none if no prompt could be asked.

    `tokens`: the model's LEXICON. `answers`: what counts as an answer. `befores`: probe -> what stands before
    it. `spoken`: the model was asked in words.
    """
    if scores.rows == 0:
        return pl.DataFrame(schema=RESPONSES)
    own = rankings(scores, tokens, gold.shared_lexicon, spoken=spoken)[answers].responses
    return responses_without_target(own, answerable(gold.probes, tokens), befores)


def responses_without_target(
    answers: pl.DataFrame, probes: pl.DataFrame, befores: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return the responses of the control (RESPONSES): to each probe those of its request, without the target itself.

    `answers`: RESPONSES, whose probe_id is the request's.
    """
    asked = probes.select("probe_id", "target", request=request_ids(probes, befores))
    rows = asked.join(answers.with_row_index("row"), left_on="request", right_on="probe_id", maintain_order="left")
    words = answers["words"].list.explode(keep_nulls=False, empty_as_null=False)
    weights = answers["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy()
    numbers = words.to_physical().to_numpy()
    targets = rows["target"].cast(pl.Categorical).to_physical().to_numpy()
    ends = answers["words"].list.len().cum_sum().to_numpy().astype(np.int64)
    starts = np.concatenate([[0], ends])[:-1]
    kept = [np.empty(0, np.int64)]
    for row, target in zip(rows["row"].to_numpy(), targets, strict=True):
        places = np.arange(starts[row], ends[row])
        kept.append(places[numbers[places] != target])
    offsets = pa.array(np.cumsum([len(places) for places in kept]), pa.int32())
    order = np.concatenate(kept)
    columns = {
        "probe_id": rows["probe_id"].to_arrow(),
        "words": pa.ListArray.from_arrays(offsets, words[order].to_arrow()),
        "weights": pa.ListArray.from_arrays(offsets, pa.array(weights[order])),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns))).cast(RESPONSES)  # type: ignore[arg-type]
