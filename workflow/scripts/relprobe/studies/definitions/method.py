"""Do language models match words with their definitions? WDLMPro (Senel and Schütze, 2021), from words to numbers.

What is asked. A group is a target and its taxonomic sisters, synsets with the same hypernym (of adjectives: that are similar
to the same head word). Each sister is the target of a group of its own, if that is large enough: nod stands in the group of
beckon, and beckon in that of nod. Groups with fewer than five different words or definitions are left out. Each group is
asked in two tasks: which of its definitions is that of the target's word (w2d), and which of its words has the target's
definition (d2w). The word of a synset is its first lemma, without sense and underscores: that of warm_up.v.04 is “warm up”.

What a model reads. A pattern of the part of speech has a definition and a slot for the word (resources/prompts/
definitions.yaml); nothing stands before or after it, not even a full stop, but the `context` of a model or solved examples,
if it has any. A word is in lower case, and one that begins the pattern gets a capital letter for the models of
`definitions.capitals`. A causal model has one pattern, which ends in the slot: “to signal with the hands or nod is the
definition of [V]”, without the “to” for a noun or an adjective. Masked and encoder-decoder models have two or three, with
the slot anywhere, such as “definition of [V] is to signal with the hands or nod”. A masked model reads as many masks as the
word has tokens, and gives the probabilities of all of them at once. The others give the probability of each token after
those before it; an encoder-decoder has a blank in place of the word, and BART's decoder also reads the text before it. No
text is generated for these scores. In w2d the word stays and the definitions change, and in d2w the words change.

What is right. The target's own definition (w2d) or word (d2w), which is the first in each list of candidates. A sister with
the same word (w2d) or the same definition (d2w) is no candidate, as its definition or word would be right as well.

How it is scored. w2d takes the probability of the word, the product over its tokens, whether or not the word ends there. d2w
takes the mean log-probability of its tokens from a masked model, and the probability of its first token from any other one,
as the later tokens are often easily predicted. With several patterns, the probabilities are averaged; in a masked model's
d2w, the logs are. Nothing is taken off for words or definitions that are likely anywhere. Equal definitions (w2d) or words
(d2w) of a group are one candidate. If the tokenizer cannot write the word or the definition of a pair, the pair scores -∞
and comes last. So all L definitions of a word that it cannot write tie, and P@1 is 1/L.

How values are made and averaged. Of L candidates, b score higher than the right one, and t others score the same. P@1 is 1 /
(1 + t) if b = 0, else 0. RS is (L - k) / (L - 1) with the rank k = 1 + b + t / 2 (section 2.4). Groups are drawn at random
(`definitions.sample`), or all are taken. An average has the groups of a condition (below) that the agent answered. Each
group counts alike. Tests compare two agents on the groups that both have. A group that the config names beyond its sample
(`definitions.targets`) is asked, and is in no average but that of Table 8, if people have answered it, and of
`large_groups`. An agent is a model, a baseline or people.

The form for people has the groups of up to ten candidates, which they rank (Table 8; people.py). Each ranking is a response
with values of its own, and a group counts as the mean over the people who ranked it. Candidates that a person did not rank
share the ranks that are left. A chat model names one candidate of a group of up to ten, once for each order and sample, and
the others share the ranks that are left (chat.py). An answer that cannot be read is a wrong choice, and a task with more
than 20 % of these has no values. Table 8 (`people`) has all agents on the groups that people have answered. Every other
table averages people and chat models over the drawn groups that they answered (`own_groups`), and all other agents over all
drawn groups.

What a test takes as independent. The unit of a value is the group, and its cluster the family: the groups of one hypernym
(of several, the first by name). Tests and intervals take families as independent of each other, and the groups of a family
as dependent, as they have nearly the same candidates. A condition of a group is its part of speech, or “groups of up to 10
candidates”, of all parts of speech (Table 8 draws 20 of these for each task, of nouns and verbs). Analyses add conditions,
such as the depth of the target.

Each of these four tables is made from the ones before it, in the order of the paper:

    items      task, group, pair, word, definition                       a row per candidate; the right one is the first
    scores     probe_id, pattern, logprobs, first, tokens, whole         a row per definition and pattern; lists over words
    responses  task, group, candidates, better, tied, rank, answer       a row per question that an agent answered
    values     metric, condition, unit, cluster, value                   what averages and tests read (relprobe.stats)

A pair is a word with a definition. The same pair is a candidate in many groups, and a model scores it once with each
pattern: so the files of the items are `probes`, a definition with the words of its pairs, and `groups`, which lists for each
task the pairs that are its candidates, by their place among all pairs. Of the scores, `logprobs` is the sum over the tokens
of a word in natural logs, `first` that of the first token, `tokens` their number, and `whole` the log-probability of the
word and its end after the end of the word before, if the config asks for it (`word_boundary`); `inputs` counts the texts
that were read.

The paper has the groups, the tasks, the patterns, the scores, the two measures, people, a random baseline and one of
fastText vectors. It has no tests. This study adds the tests and families, the expected value of ties, adjectives,
encoder-decoder and chat models, further baselines (baselines.py), solved examples before a text (none by default),
dictionaries of a user, and other readings of the scores (choices.py). The paper's tables decide two readings. The least size
of a group counts different words and definitions: so Table 2 comes out. A sister with the same word or definition is no
candidate: so the guesses of Tables 4 and 5 come out. Numbers in comments, such as 2.1, are those of the paper's sections.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.lm.requests import SLOT, Continuation
from relprobe.studies.definitions.choices import PAPER, SEED, Choices, Reading, Ties
from relprobe.studies.definitions.schemas import METRICS, RESPONSES, TASKS, Groups, Metrics, Probes, Responses, Scores

# 2.1 Groups: synsets with a common hypernym. Those with at least five different words and definitions are kept.


@dataclass(frozen=True)
class Limits:
    """The smallest and the largest number of different words, and of different definitions, in a group; both inclusive.

    With five of each at least, WordNet 3.0 has exactly the groups of Table 2.
    """

    minimum: int = 5
    maximum: int | None = None


LIMITS = Limits()


def sisters(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the groups G(t) = {x | ∃y: t < y ∧ x < y} of one part of speech, a row per target t and member x.

    Both are row numbers of `synsets`. In this example, two synsets are sisters, and the third has no hypernym:

    >>> sisters(pl.DataFrame({"hypernyms": [["bird"], ["bird"], []]}, schema={"hypernyms": pl.List(pl.String)})).rows()
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    links = synsets.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("target"), "hypernyms").explode("hypernyms")
    links = links.drop_nulls("hypernyms")
    members = links.rename({"target": "member"})
    return links.join(members, on="hypernyms").select("target", "member").unique().sort("target", "member")


def large_groups(pairs: pl.DataFrame, synsets: pl.DataFrame, limits: Limits = LIMITS) -> pl.DataFrame:
    """Keep the rows of `sisters` whose group has as many different words, and different definitions, as the limits allow."""
    codes = codes_of(synsets)
    sizes = pairs.join(codes, left_on="member", right_on="row").group_by("target").agg(pl.exclude("member").n_unique())
    least, most = pl.min_horizontal("word", "definition"), pl.max_horizontal("word", "definition")
    inside = (least >= limits.minimum) & (pl.lit(True) if limits.maximum is None else most <= limits.maximum)
    return pairs.join(sizes.filter(inside).select("target"), on="target", how="semi", maintain_order="left")


def families(synsets: pl.DataFrame) -> pl.Series:
    """Return the family of each synset's group, which is its hypernym (of several, the first by name); null: no group.

    The groups of a family have nearly the same candidates: tests and intervals take a family as one observation, a cluster.

    >>> families(pl.DataFrame({"synset": ["robin", "goose"], "hypernyms": [["bird"], ["pet", "bird"]]})).to_list()
    ['bird', 'bird']
    """
    return synsets["hypernyms"].list.min().alias("family")


def codes_of(synsets: pl.DataFrame) -> pl.DataFrame:
    """Give every different word and definition a number, in the order of their first synsets, whose number is `row`."""
    parts = []
    for name in ("word", "definition"):
        distinct = synsets.select(name).unique(maintain_order=True).with_row_index("code")
        parts.append(synsets.join(distinct, on=name, how="left", maintain_order="left")["code"].alias(name))
    return pl.DataFrame(parts).with_columns(pl.int_range(pl.len(), dtype=pl.UInt32).alias("row"))


# 2.2 Two tasks. W2D asks a word for its definition; D2W, its converse, a definition for its word.


def candidates(pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the candidates of both tasks: the columns task, target, word, definition (as codes) and right.

    W2D: the target's definition, and the definitions of members with another word; one of the same word would be right as
    well. D2W: the target's word, and the words of members with another definition. With these candidates, a guess is right
    as often as Tables 4 and 5 say. A task whose only candidate is the right one is left out. The file lists the right
    candidate first (probes.py).
    """
    codes = codes_of(synsets)
    members = pairs.join(codes, left_on="member", right_on="row")
    rows = members.join(codes, left_on="target", right_on="row", suffix="_target")
    itself = pl.col("member") == pl.col("target")
    w2d = rows.filter(itself | (pl.col("word") != pl.col("word_target"))).with_columns(word="word_target")
    d2w = rows.filter(itself | (pl.col("definition") != pl.col("definition_target")))
    d2w = d2w.with_columns(definition="definition_target")
    # A sister with the target's word now has the target's definition, too: `unique` leaves one of these right pairs.
    right = (pl.col("word") == pl.col("word_target")) & (pl.col("definition") == pl.col("definition_target"))
    parts = [
        part.with_columns(task=pl.lit(task), right=right)
        .select("task", "target", "word", "definition", "right")
        .unique()
        for task, part in zip(TASKS, (w2d, d2w), strict=True)
    ]
    return pl.concat(parts).filter(pl.len().over("task", "target") > 1)


def items(groups: Groups, probes: Probes, task: str) -> pl.DataFrame:
    """Return the items of a task: a row per group and candidate, each a pair of a word and a definition.

    >>> probes = pl.DataFrame({"definition": ["lower the head", "bend the body"], "words": [["nod", "bow"], ["nod"]]})
    >>> groups = pl.DataFrame([{"group": "nod.v.01", "w2d": [0, 2], "d2w": [0, 1]}])
    >>> items(groups, probes, "w2d").select("pair", "word", "definition").rows()
    [(0, 'nod', 'lower the head'), (2, 'nod', 'bend the body')]
    """
    pairs = probes.select("definition", word="words").explode("word")
    rows = (
        groups.select(pl.lit(task).alias("task"), "group", pair=task)
        .filter(pl.col("pair").list.len() > 0)
        .explode("pair")
    )
    return rows.with_columns(pairs[name].gather(rows["pair"]) for name in ("word", "definition"))


# 2.2.1 What a model is asked: P(word) in the patterns of Table 3 with a definition, such as "[V] means [DEF]".

DEFINITION = "[DEF]"
Patterns = dict[str, dict[str, str]]
"""Part of speech -> id of the pattern -> its text, which has one [DEF] and one slot [V]."""


def requests(
    probes: Iterable[Mapping[str, Any]],
    patterns: Patterns,
    *,
    capitals: bool,
    prefix: Callable[[Mapping[str, Any], str, str], str] = lambda *_: "",
) -> Iterator[Continuation]:
    """Yield a request for the words of each probe in each pattern; its id is "probe_id pattern_id".

    `capitals`: a word at the beginning gets a capital letter, as RoBERTa expects it. `prefix`: examples, or nothing.
    """
    for probe in probes:
        for name, pattern in patterns[probe["pos"]].items():
            words = tuple(word_in(pattern, word, capitals=capitals) for word in probe["words"])
            text = prefix(probe, name, pattern) + pattern.replace(DEFINITION, probe["definition"])
            yield Continuation(f"{probe['probe_id']} {name}", text, words)


def word_in(pattern: str, word: str, *, capitals: bool) -> str:
    """Return a word as it stands in a pattern."""
    return word[:1].upper() + word[1:] if capitals and pattern.startswith(SLOT) else word


# 2.3 The score of a pair, from the log-probabilities of the word's tokens t_1 … t_n; Q is the pattern with the definition.
#
#   W2D, every model         ∏ P(t_i | Q): a masked model reads n masks at once, the others also t_1 … t_(i-1)
#   D2W, a masked model      1/n Σ log P(t_i | Q), so that words of several tokens are not behind
#   D2W, any other model     P(t_1 | Q), as the other tokens are often easily predicted
#
# A model with several patterns has the average over them: of probabilities, and in a masked model's D2W of logs.

Values = NDArray[np.float64]
PairScores = Mapping[str, Values]
"""Task -> the score of every pair, shape (pairs of PROBES,); a higher score is better."""
POS_OF_PROBE = pl.col("probe_id").str.split(":").list.first()


def pair_scores(scores: Scores, *, masked: bool, choices: Choices = PAPER) -> PairScores:
    """Return a model's score of every pair: natural logs, -inf where its vocabulary cannot write the word.

    W2D: the log of the mean, over the patterns, of P(word), the product over its tokens. D2W: for a masked model, the mean
    log-probability of the tokens, averaged over the patterns; for any other one, the log of the patterns' mean probability
    of the first token. `choices`: which readings these are. The rows of `scores` are in the order of the probes, those of a
    part of speech together. DataError: the file does not hold what `choices` ask for.

    >>> row = {"probe_id": "noun:0", "pattern": "is", "logprobs": [-4.0, None], "first": [-1.0, None], "tokens": [2, None]}
    >>> {task: values.tolist() for task, values in pair_scores(pl.DataFrame([row]), masked=True).items()}
    {'w2d': [-4.0, -inf], 'd2w': [-2.0, -inf]}
    >>> pair_scores(pl.DataFrame([row]), masked=False)["d2w"].tolist()
    [-1.0, -inf]
    """
    reading = choices.d2w(masked=masked)
    average = log_of_mean if choices.patterns == "scores" else mean_of_logs
    parts: dict[str, list[Values]] = {task: [] for task in TASKS}
    for rows in scores.with_columns(pos=POS_OF_PROBE).partition_by("pos", maintain_order=True):
        parts["w2d"].append(average(word_scores(rows, "sum")))
        parts["d2w"].append((mean_of_logs if reading == "mean" else average)(word_scores(rows, reading)))
    return {task: np.concatenate(arrays) for task, arrays in parts.items()}


def word_scores(rows: pl.DataFrame, reading: Reading) -> list[Values]:
    """Return what a reading takes of the tokens of each word, as a natural log: an array per pattern."""
    columns = {"first": ["first"], "sum": ["logprobs"], "mean": ["logprobs", "tokens"], "whole": ["whole"]}[reading]
    if rows[columns[0]].null_count():
        raise DataError(
            "the scores do not say how likely words end, which D2W is to read: set definitions.word_boundary: true."
        )
    words = rows.select("pattern", *columns).explode(columns).with_columns(pl.col(columns).cast(pl.Float64))
    value = pl.col("logprobs") / pl.col("tokens") if reading == "mean" else pl.col(columns[0])
    # A word, or a definition before it, that the tokenizer cannot write has no value (null or NaN), and comes last.
    value = value.fill_nan(None).fill_null(-np.inf)
    patterns = words.select("pattern", value=value).partition_by("pattern", maintain_order=True)
    return [pattern["value"].to_numpy() for pattern in patterns]


def log_of_mean(logs: Sequence[Values]) -> Values:
    """Return the log of the patterns' mean probability."""
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - np.log(len(logs)))


def mean_of_logs(logs: Sequence[Values]) -> Values:
    """Return the mean of the patterns' logs."""
    return np.asarray(np.mean(logs, axis=0))


# 2.4 Measures: how often the right candidate comes first (P@1), and its rank (RS).


def rank_candidates(scores: PairScores, groups: Groups, probes: Probes) -> Responses:
    """Rank the candidates of every task by an agent's scores of their pairs.

    Equal scores are common where only the first token counts: `better` and `tied` count the candidates that score higher
    than the right one, and as high; values are expected from these counts. `rank` and `answer` come from one random order of
    the candidates with equal scores. Its seed is made of the task and the group, so that it is the same for every agent. Of
    wrong candidates with equal scores, `answer` is the first. DataError: the number of scores is not the number of pairs. In
    this example, the right definition (pair 0) has the lower score:

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
    parts = []
    for task, text in (("w2d", "definition"), ("d2w", "word")):
        rows = items(groups, probes, task)
        rows = rows.with_columns(score=pl.Series(scores[task][rows["pair"].to_numpy()]), text=text)
        right, distractors = pl.col("score").first(), pl.col("score").slice(1)
        ranked = rows.group_by("task", "group", maintain_order=True).agg(
            candidates=pl.len().cast(pl.UInt16),
            better=(distractors > right).sum().cast(pl.UInt16),
            tied=(distractors == right).sum().cast(pl.UInt16),
            right=pl.col("text").first(),
            wrong=pl.col("text").slice(1).get(distractors.arg_max()),
        )
        drawn = [random.Random(f"{SEED} {task} {group}").random() for group in ranked["group"]]  # noqa: S311
        tied_before = (pl.Series(drawn, dtype=pl.Float64) * (pl.col("tied") + 1)).floor()  # among equal scores
        ranked = ranked.with_columns(rank=(1 + pl.col("better") + tied_before).cast(pl.UInt16))
        parts.append(ranked.with_columns(answer=pl.when(pl.col("rank") == 1).then("right").otherwise("wrong")))
    return pl.concat(parts).select(list(RESPONSES))


def values(responses: Responses, conditions: pl.DataFrame, ties: Ties = "expected") -> Metrics:
    """Return P@1 and RS = (L - k) / (L - 1) for the rank k of the right one of L candidates: a row per group and condition.

    `conditions`: the columns group, condition, such as its part of speech, and family, its cluster. `ties`: "expected" takes
    the mean over all orders of candidates with equal scores, so that P@1 of a guess is 1 / L and its RS 1/2; "drawn" takes
    `rank`. A group without a response to a task has no row for it, and one with responses of several people a row for each.

    >>> conditions = pl.DataFrame([{"group": "nod.v.01", "condition": "verb", "family": "move.v.01"}])
    >>> response = {"task": "w2d", "group": "nod.v.01", "candidates": 5, "better": 1, "tied": 1, "rank": 2}
    >>> values(pl.DataFrame([response]), conditions, "drawn").select("metric", "unit", "cluster", "value").rows()
    [('W2D P@1', 'nod.v.01', 'move.v.01', 0.0), ('W2D RS', 'nod.v.01', 'move.v.01', 0.75)]
    >>> values(pl.DataFrame([response]), conditions).filter(metric="W2D RS")["value"].to_list()[0]  # rank 2 or 3
    0.625
    """
    length = pl.col("candidates").cast(pl.Float64)
    formulas = {"P@1": precision(ties), "RS": (length - rank(ties)) / (length - 1)}
    parts = [
        responses.select(
            metric=pl.format("{} {}", pl.col("task").str.to_uppercase(), pl.lit(name)), unit="group", value=value
        )
        for name, value in formulas.items()
    ]
    units = conditions.rename({"group": "unit", "family": "cluster"})
    return pl.concat(parts).join(units, on="unit", maintain_order="left_right").select(list(METRICS))


def precision(ties: Ties) -> pl.Expr:
    """Return P@1 of a row of RESPONSES: how often the right candidate is ranked first.

    >>> rows = pl.DataFrame({"better": [0, 1], "tied": [1, 0], "rank": [2, 2]})
    >>> rows.select(precision("expected")).to_series().to_list(), rows.select(precision("drawn")).to_series().to_list()
    ([0.5, 0.0], [0.0, 0.0])
    """
    if ties == "expected":
        return (pl.col("better") == 0).cast(pl.Float64) / (1 + pl.col("tied").cast(pl.Float64))
    return (rank(ties) == 1).cast(pl.Float64)


def rank(ties: Ties) -> pl.Expr:
    """Return the rank of the right candidate, from 1; one that a person did not rank has the mean of those left."""
    better, tied, drawn = (pl.col(name).cast(pl.Float64) for name in ("better", "tied", "rank"))
    expected = 1 + better + tied / 2
    return expected if ties == "expected" else drawn.fill_null(expected)
