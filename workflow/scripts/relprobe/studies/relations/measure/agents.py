"""The responses of each kind of agent: models, controls, norms and people."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.manifest import only_file
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.sources.exported import Layout
from relprobe.sources.human_responses import Answer, check_prompts, failed_answers, is_table, read
from relprobe.sources.language import LanguageFile
from relprobe.sources.own import norms as readers
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.relations.ask import Befores, Prompts, answerable, names_of, request_ids
from relprobe.studies.relations.data import Candidates, GoldStandard
from relprobe.studies.relations.measure.nearest import known_relata, nearest
from relprobe.studies.relations.measure.responses import (
    LEFT_OUT,
    UNKNOWN_PROMPT,
    UNMATCHED,
    WORD,
    Calibration,
    Lists,
    Ranking,
    Space,
    absence,
    annotator_lists,
    choose,
    count_respelled,
    each_annotators_responses,
    log_short,
    model_lists,
    people_responses,
    rankings,
    spelled_answers,
    spelled_lists,
    unmatched_answers,
)
from relprobe.studies.relations.schemas import (
    ANSWERS,
    CONFIGURED,
    RESPONSES,
    WRITING,
    AnswerKind,
    Answers,
    Control,
    Probes,
    Relata,
)

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


# The answers of an agent in one form (ANSWERS), whatever the agent is.


logger = logging.getLogger("relprobe")


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


# Norms of people as an agent: what they named for a target is the response to all its probes that it fits.


def norms(norms: Path, probes: Probes, *, form: Literal["associations", "feature_norms"]) -> Answers:
    """Turn norms of people, who were asked without prompts, into the responses of an agent. `norms`: their manifest."""
    read = {"associations": readers.associations, "feature_norms": readers.feature_norms}[form]
    with pl.StringCache():
        return plain_answers("lists", norm_responses(read(only_file(norms)), probes))


def norm_responses(norms: pl.DataFrame, probes: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of norms (NORMS) to the main probes of a study.

    An answer about a relation is one to the probes of this relation, and an answer about none to all probes of its target.
    The weight of a word is its share of all that people named for the target and relation. Words with equal weights are in
    the order of the alphabet, and count as tied.

    >>> from relprobe.sources.own.norms import NORMS
    >>> norms = pl.DataFrame([("robin", "HYP", "bird", 3), ("robin", "HYP", "animal", 1)], schema=NORMS, orient="row")
    >>> probes = pl.DataFrame({"probe_id": ["p", "q"], "relation": ["HYP", "MER"], "target": "robin", "kind": "main"})
    >>> norm_responses(norms, probes).rows()
    [('p', ['bird', 'animal'], [0.75, 0.25])]
    """
    main = probes.filter(pl.col("kind") == "main").select("probe_id", "target", "relation")
    of_relation = main.join(norms.drop_nulls("relation"), on=["target", "relation"])
    of_target = main.join(norms.filter(pl.col("relation").is_null()).drop("relation"), on="target")
    columns = ["probe_id", "word", "people"]
    answers = pl.concat([of_relation.select(columns), of_target.select(columns)])
    ranked = answers.sort("probe_id", -pl.col("people").cast(pl.Int64), "word")
    share = pl.col("people") / pl.col("people").sum()
    table = ranked.group_by("probe_id", maintain_order=True).agg(words="word", weights=share)
    return table.select(list(RESPONSES)).cast(RESPONSES)  # type: ignore[arg-type]


# People who were asked the probes: their lists, and the responses of all of them together.


class People(NamedTuple):
    """The annotators' lists, the answers of all together and of each annotator, and the answers to no probe of the study.

    `reading`: how many answers there are (READING).
    """

    lists: Lists
    humans: Answers
    annotator: Answers
    unmatched: pl.DataFrame
    reading: pl.DataFrame


READING = pl.Schema(
    {
        "participants": pl.UInt32(),  # in the authors' file, the most of one probe
        "answers": pl.UInt32(),
        "respelled": pl.UInt32(),  # answers that differ from a word of the study in capitals alone, and count as it
        "unmatched": pl.UInt32(),  # answers to no probe of the study
    }
)


def read_answers(
    file: Path, gold: GoldStandard, language: LanguageFile, layout: Layout | None = None
) -> tuple[pl.DataFrame, int]:
    """Return people's answers (HUMAN_ANSWERS), and how many of them differ from the study's words in capitals alone.

    These have the study's capitals, as phones write words with others. The authors' file is taken letter by letter.
    """
    words = read(file, gold.relations.answer_keys, language.answer_articles, layout)
    if not is_table(file):
        return words, 0
    count = count_respelled(words["word"], gold.capitals)
    if count:
        logger.info("%s: %d of %d answers have other capitals than the study's words", file, count, words.height)
    return spelled_answers(words, gold.capitals), count


def people(
    answers: Path, gold: GoldStandard, prompts: Prompts, language: LanguageFile, layout: dict[str, Any] | None = None
) -> People:
    """Turn the annotators' answers into lists, and these into the answers of two agents (section 5).

    All lists of a probe together are one response of `humans`, and each list alone is one of an `annotator`.

    `answers`: the manifest of the answers. `layout`: what the configuration says of their table (`Layout`). DataError: all
    answers are to no probe of the study, one is to an unknown prompt,
    or a participant gives a rank twice to a prompt.
    """
    file, probes, relations, form = only_file(answers), gold.probes, gold.relations, Layout.of(layout)
    if is_table(file):
        check_prompts(file, relations, names_of(prompts), form)
    words, count = read_answers(file, gold, language, form)
    failed = failed_answers(file, relations.answer_keys, language.answer_articles, form)
    if words.is_empty() and failed:
        raise DataError(
            f"{file}: all participants failed a catch item; of the first one, {failed[0][1]}: correct the file."
        )
    lost = unmatched_answers(words, probes, prompts)
    if lost.height == words.height:
        why = f" Of the first one, {lost['reason'][0]}." if lost.height else ""
        raise DataError(f"{file}: none of its {words.height} answers is to a probe of the study.{why} Compare the two.")
    logger.info("%d of %d answers are to no probe of the study.", lost.height, words.height)
    _warn_of_prompts(file, lost)
    lists = annotator_lists(words, probes, prompts)
    together, each = (
        plain_answers("people", people_responses(lists)),
        plain_answers("annotator", each_annotators_responses(lists)),
    )
    row = (words["annotator"].n_unique(), words.height, count, lost.height)
    reading = pl.DataFrame([row], schema=READING, orient="row")
    return People(lists, together, each, pl.concat([lost, _excluded(failed)]), reading)


def _warn_of_prompts(file: Path, lost: pl.DataFrame) -> None:
    """Warn of answers to prompts that the study does not have, among the answers to no probe (UNMATCHED)."""
    unknown = lost.filter(pl.col("reason").str.starts_with(UNKNOWN_PROMPT))
    if unknown.height:
        logger.warning(
            "%s: %d answers are to prompts that the study does not have, and are left out; of the first one, %s",
            file, unknown.height, unknown["reason"][0],
        )  # fmt: skip


def _excluded(failed: list[tuple[Answer, str]]) -> pl.DataFrame:
    """Return the answers of those who failed a catch item as UNMATCHED."""
    rows = [
        (target, relation, prompt, participant, word, reason)
        for (target, relation, prompt, participant, _, word), reason in failed
    ]
    return pl.DataFrame(rows, schema=UNMATCHED, orient="row")


# Agents that know nothing of the pair: what they get right is no sign that an agent knows it (docs/controls.md).
# Each answers with words of the answer space, and never with the target itself. Words that a control cannot tell apart
# have equal weights, and count by their expected value over all orders, as those of models do.


Weights = NDArray[np.float64]
Weighting = Callable[[str, str], Weights | None]
"""A function of relation and target: the weight of each word of the answer space, NaN for a word that is no answer; None if
the control has no answer at all."""
KEY = ["relation", "target"]


def control(
    gold: GoldStandard,
    language: LanguageFile,
    vectors: Vectors | None = None,
    candidates: Candidates | None = None,
    resource: Relata | None = None,
    *,
    agent: Control,
    top_k: int,
) -> Answers:
    """Answer the probes as a control does, which knows nothing of the pair of words: the responses of the agent.

    `vectors`: the manifest of static vectors, for neighbours, typical and nearest. `candidates`: the closed lists, if these
    limit the answers. `resource`: the relatum sets that a lexical resource gives to all words, if there is one. `top_k`: the
    number of words of a response; words that tie with the last are there, too.
    """
    responses = control_responses(agent, gold, top_k, language.wordfreq, vectors, candidates, resource)
    return plain_answers("ranking", responses)


def control_responses(
    control: Control,
    gold: GoldStandard,
    size: int,
    language: str,
    vectors: StaticVectors | None = None,
    lists: pl.DataFrame | None = None,
    resource: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the responses of a control to all probes (RESPONSES): its `size` best words, and those that tie with the last.

    majority: the commonest relata of the other targets of the relation, and of the other words that the `resource`
    (RELATA) has relata of; the weight is the share of these targets and words that have the word. neighbours: the
    words whose `vectors` are nearest to that of the target, by cosine, whatever the relation; the vector of several
    words is their mean. typical: the words of majority in the order of neighbours, with its cosines. frequency: the
    most frequent words of the language (`language`: its code in wordfreq), the same for every target; the weight is
    the share of the language's words. nearest: what a look-up of similar words says (measure/nearest.py); it takes the
    words of the `resource` that are no targets of the study. `lists`: the closed lists of words that may be answers
    (CANDIDATES), if there are any. A probe has no response if the relation has no other target, or the target no
    vector. ValueError: neighbours, typical or nearest without `vectors`.
    """
    words = answer_words(gold)
    targets = gold.probes["target"].unique().implode()
    others = None if resource is None else resource.filter(~pl.col("target").is_in(targets))
    rankings: dict[Control, Callable[[], Weighting]] = {
        "majority": lambda: majority(gold, words, others),
        "neighbours": lambda: neighbours(vectors, words),
        "typical": lambda: typical(majority(gold, words, others), neighbours(vectors, words)),
        "frequency": lambda: frequency(words, language),
        "nearest": lambda: look_up(gold, words, vectors, others),
    }
    return ranked_responses(rankings[control](), gold, size, lists)


def ranked_responses(
    ranking: Weighting, gold: GoldStandard, size: int, lists: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Return the responses to all probes (RESPONSES) of an agent that ranks the words of the answer space (`answer_words`).

    `size`: its best words, and those that tie with the last. `lists`: the closed lists, if there are any.
    """
    words = answer_words(gold)
    keys = gold.probes.select(KEY).unique(maintain_order=True)
    ranked = _ranked(ranking, keys, words, size, None if lists is None else _allowed(lists, words))
    table = gold.probes.select("probe_id", *KEY).join(ranked, on=KEY, maintain_order="left")
    return table.select(list(RESPONSES)).cast(RESPONSES)  # type: ignore[arg-type]


def answer_words(gold: GoldStandard) -> pl.Series:
    """Return the words of the answer space that a control may answer with, sorted."""
    return gold.shared_lexicon.filter(pl.col("word").str.contains(WORD))["word"].unique().sort()


def asked_sets(gold: GoldStandard) -> pl.DataFrame:
    """Return the relatum sets of the targets that are asked and have tuples in the lexicon."""
    asked = gold.inside().join(gold.probes.filter(kind="main"), on=KEY, how="semi")
    return gold.relata.join(asked, on=KEY, how="semi")


def look_up(
    gold: GoldStandard, words: pl.Series, vectors: StaticVectors | None, others: pl.DataFrame | None
) -> Weighting:
    """Rank words as a look-up of similar words does (`nearest`). `others`: the relatum sets of words outside the study."""
    if vectors is None:
        raise ValueError("the control nearest needs static vectors")
    known = {} if others is None else known_relata(others, words, vectors)
    return nearest(known, known_relata(asked_sets(gold), words, vectors), vectors, words)


def majority(gold: GoldStandard, words: pl.Series, others: pl.DataFrame | None = None) -> Weighting:
    """Rank words by the share of the other targets of a relation that have them as relata: a target gives itself no hint.

    Targets are those that are asked and have tuples in the lexicon. `others`: the relatum sets of words outside the study,
    which count as further targets.
    """
    sets = asked_sets(gold)
    if others is not None:
        sets = pl.concat([sets, others])
    sets = sets.filter(pl.col("relatum").is_in(words.implode()))
    places = {word: place for place, word in enumerate(words)}
    own = {
        (relation, target): np.array([places[word] for word in relata], dtype=np.int64)
        for relation, target, relata in sets.group_by(KEY).agg(pl.col("relatum").unique()).iter_rows()
    }
    counts: dict[str, Weights] = {}
    numbers: dict[str, int] = {}
    for (relation, _), relata in own.items():
        counts.setdefault(relation, np.zeros(len(words)))[relata] += 1
        numbers[relation] = numbers.get(relation, 0) + 1

    def ranking(relation: str, target: str) -> Weights | None:
        relata = own.get((relation, target))
        others = numbers.get(relation, 0) - (relata is not None)
        if others == 0:
            return None
        rest = counts[relation].copy()
        if relata is not None:
            rest[relata] -= 1
        return np.where(rest > 0, rest / others, np.nan)

    return ranking


def neighbours(vectors: StaticVectors | None, words: pl.Series) -> Weighting:
    """Rank words by the cosine of their static vector with that of the target; a word without a vector is no answer."""
    if vectors is None:
        raise ValueError("the controls neighbours and typical need static vectors")
    matrix = vectors.unit(words)

    def ranking(_: str, target: str) -> Weights | None:
        own = vectors.unit([target])[0]
        return None if np.isnan(own[0]) else (matrix @ own).astype(np.float64)

    return ranking


def typical(common: Weighting, near: Weighting) -> Weighting:
    """Rank the words of `common` (`majority`) as `near` does (`neighbours`): the nearest relata of the other targets.

    This is the prototypical relatum of Levy, Remus, Biemann and Dagan (2015, "Do supervised distributional methods really
    learn lexical inference relations?"): a word that relata of the relation look like, near to the target. It takes nothing
    of the pair of words to name it.
    """

    def ranking(relation: str, target: str) -> Weights | None:
        shares, cosines = common(relation, target), near(relation, target)
        return None if shares is None or cosines is None else np.where(np.isnan(shares), np.nan, cosines)

    return ranking


def frequency(words: pl.Series, language: str) -> Weighting:
    """Rank words by their frequency in a language, whatever is asked; a word that wordfreq does not know has 0."""
    of_words = dict(frequencies(words, language=language).iter_rows())
    weights = np.array([of_words[word] or 0.0 for word in words])
    return lambda _relation, _target: weights


def _allowed(lists: pl.DataFrame, words: pl.Series) -> Callable[[str, str], NDArray[np.bool_]]:
    """Return a function of relation and target: which words are on its closed list (CANDIDATES)."""
    places = pl.DataFrame({"word": words}).with_row_index("place")
    rows = lists.join(places, on="word").group_by("relation", "target").agg("place").iter_rows()
    of_lists: Mapping[tuple[str, str | None], list[int]] = {(relation, target): own for relation, target, own in rows}

    def allowed(relation: str, target: str) -> NDArray[np.bool_]:
        flags = np.zeros(len(words), dtype=bool)
        flags[of_lists.get((relation, target), of_lists.get((relation, None), []))] = True
        return flags

    return allowed


def _ranked(
    ranking: Weighting,
    keys: pl.DataFrame,
    words: pl.Series,
    size: int,
    allowed: Callable[[str, str], NDArray[np.bool_]] | None,
) -> pl.DataFrame:
    """Return relation, target, words and weights of each key that has an answer, best first."""
    places = {word: place for place, word in enumerate(words)}
    kept, orders, weights = [], [np.empty(0, np.int64)], [np.empty(0)]
    for row, (relation, target) in enumerate(keys.iter_rows()):
        values = ranking(relation, target)
        if values is None:
            continue
        values = np.where(allowed(relation, target), values, np.nan) if allowed else values.copy()
        if target in places:
            values[places[target]] = np.nan
        best = _best(values, size)
        if len(best):
            kept.append(row)
            orders.append(best)
            weights.append(values[best])
    offsets = pa.array(np.cumsum([len(order) for order in orders]), pa.int32())
    listed = pa.DictionaryArray.from_arrays(
        pa.array(np.concatenate(orders), pa.int32()), words.to_arrow().cast(pa.string())
    )
    of_weights = pa.array(np.concatenate(weights), pa.float32())
    columns = [pa.ListArray.from_arrays(offsets, values) for values in (listed, of_weights)]
    lists = pl.DataFrame(pl.from_arrow(pa.table(columns, names=["words", "weights"])))
    return keys[kept].hstack(lists)


def _best(weights: Weights, size: int) -> NDArray[np.int64]:
    """Return the places of the `size` largest weights, the largest first, and of those that equal the last; no NaN.

    >>> _best(np.array([0.1, np.nan, 0.3, 0.1, 0.2]), 3).tolist()
    [2, 4, 0, 3]
    """
    there = np.flatnonzero(~np.isnan(weights))
    if len(there) > size:
        there = there[weights[there] >= np.partition(weights[there], -size)[-size]]
    return there[np.argsort(-weights[there], kind="stable")]
