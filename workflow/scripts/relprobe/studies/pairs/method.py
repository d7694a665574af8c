"""Do models know which words are related, and how strongly? Pairs of words are judged, from words to numbers.

What is asked. A pair has a relation and two words, and an agent gives it a score, or chooses a word (`pick`). The higher the
score, the more are the words related. Each prompt of a relation is a statement, “a robin is a kind of bird”, without a full
stop, and a question, “Is a robin a kind of bird?”. A probe has both words, or “something” in the place of one word or both.
In the tables such a word is the empty text.

What is right. A pair is right or a foil, people have rated how much it is related, or both, as in HyperLex. The foils of a
target of WordNet are of four kinds: the right pair reversed (bird, robin; not in symmetric relations), a word with another
relation to the target (robin, wing), a right word of another target (robin, vehicle), and an unrelated word about as
frequent as a right one. In HyperLex the pairs of hyponyms are right, and its other kinds are foils, such as co-hyponyms. The
pairs of a target are ranked together.

How it is scored. A model has several judges, each of which makes a score of one kind of scores:

- statement: log P(second word | statement up to it), summed over its tokens, in natural log; the word ends the statement;
- sentence: Σ log P(t_i) of the tokens of the whole statement;
- pmi: statement minus the statement about “something”, log P(bird | a robin is a kind of) - log P(bird | something is a kind
  of);
- verification: log P(yes) - log P(no) after “Answer yes or no. Is a robin a kind of bird? The answer is”, as the mean over
  both orders (“yes or no”, “no or yes”). The same number for “Is something a kind of something?” is subtracted; this
  calibrates the answers (Zhao et al. 2021). The probability of yes is 1 / (1 + exp(-score));
- embedding: the cosine of the hidden states of the two words in the statement, each the mean over the word's tokens, after
  the last layer if the config names no other, of an encoder-decoder in its encoder. A causal model's state of a word knows
  nothing after the word.

No score is divided by the number of tokens. A causal model reads what stands before t_i. A masked model reads the text on
both sides, with masks for t_i and the later tokens of its word (Kauf and Ivanova 2023), which would else tell it what t_i
is. An encoder-decoder has one blank. In the judge sentence it stands for t_i and the later tokens of its word, and t_i is
the decoder's first token there. In statement, pmi and verification it stands for the whole second word, or for yes or no,
and the decoder reads the tokens before t_i. BART's decoder always reads the text before the blank, too. If a causal model
has no BOS token and nothing stands before the text, its first token has no probability, and does not count. A text with a
word that the tokenizer cannot write has none, and the pair no score. A pair without a score takes no part, and a target with
such a pair has no value.

Each judge has two controls of the model. “gpt2 pmi+candidate” leaves out the first word: what the model says of the second
word whatever the first one is, as models learn which words are typical hypernyms (Levy et al. 2015). “+target” leaves out
the second word. Without the first word, the difference of pmi would be 0: pmi+candidate is the log-probability itself, as
statement+candidate is. An agent is a model with a judge, "gpt2 pmi", or asked in words about the first prompt alone, "gpt2
rate" (chat.py). It may also be a control of all models, such as "frequency"; or an inclusion measure, which asks how far the
second word's vector has the features of the first one's, and in invCL also others (baselines.py); or people, "humans": the
mean of their ratings, their share of yes, and the words that they chose, if their file has any. In `judge` and `rate` an
answer that cannot be read takes no part, in `pick` it is wrong; a task with more than 20 % of these has no values. How well
people agree is in ceiling.py.

How values are made and averaged. A target has, per prompt, the average precision of its pairs ranked by score (`ap`), the
reciprocal rank of the first right one (`rr`), and a choice among one right word and the first foil of each kind whose pair
begins with the target (`choice`; so of WordNet no reversed one). Equal scores: `ap` lets the pairs enter the ranking
together, `rr` is a mean over their orders, `choice` counts 1/n for n tied words of which one is right, and `auc` and
`direction` count ½. A right pair has, per prompt, whether it scores higher than its reverse, if that is a foil
(`direction`). A pair has its part in each statistic t over the n pairs of a condition that have what t needs: Spearman's rho
with people's ratings, the area under the ROC curve (`auc`), and of agents that say yes or no the balanced `accuracy` and the
calibration error (`ece`). `judged` is the share of pairs with a score. Such a statistic belongs to the whole condition, but
tests need a value per pair. So each pair gets its jackknife pseudovalue, n·t - (n-1)·t₋ᵢ, where t₋ᵢ is t without the pair; a
constant is added, so that their mean is t (stats/pseudovalues.py). Tests compare two agents on the targets or pairs that
both have. An average is over the prompts of a target or pair first, and then over the targets or pairs of a condition. Over
the whole of HyperLex, whose nouns and verbs have other prompts, rho is that of a pair's mean score. The condition is a
relation, or a set of pairs such as the nouns of HyperLex; over the whole of a set, such as WordNet, all targets count alike.

What a test takes as independent. The cluster is the target or pair. An agent that likes a word scores it high in every pair.
So two targets are linked by a right word that they share, or if one is a right word of the other, and two pairs by a word.
Tests and intervals take two linked units as dependent, and the prompts of a relation as a sample, too. Links do not chain:
if A is linked to B and B to C, A and C count as independent (`links`; stats/linked.py).

Each of these four tables is made from the ones before it:

    items      set, part, condition, relation, target, first, second, kind, label, rating, spread      a row per pair
               probe_id, relation, prompt, first, second, statement, sentence, question       what is asked (`probes`)
    scores     probe_id, values                                         a row per text: log-probabilities, or states
    responses  agent, relation, prompt, first, second, score, probability    a row per pair and prompt (`judgments`)
    values     agent, metric, condition, foils, unit, prompt, value     what averages and tests read (relprobe.stats)

`foils` is the kind of foils that a target's pairs are ranked with, or “all”. Verification has two rows of scores per probe,
one for each order, with those of yes and no. In the form of all studies the condition also has the foils, and the unit the
prompt (core/values.py).

As in BLESS (Baroni and Lenci 2011), a target has right words, words of other relations and random words; reversed pairs and
the right words of other targets are added here, as is average precision. The ratings are those of HyperLex (Vulić et al.
2017), where Spearman's correlation is the measure. This study adds several prompts, the judges and their controls, choices,
the reciprocal rank, answers in words, links, pseudovalues, and that a target has no value if one of its pairs has no score.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.sums import ordered_mean
from relprobe.lm.requests import Continuation, Sentence, SpanText
from relprobe.stats.pseudovalues import auc_values, balanced_accuracy_values, calibration_values, spearman_values
from relprobe.stats.rankings import average_precision, reciprocal_rank
from relprobe.studies.pairs.data import HYPERLEX
from relprobe.studies.pairs.prompts import OPTIONS, QUESTION, Prompts, fill
from relprobe.studies.pairs.schemas import (
    ALL,
    JUDGMENTS,
    LINKS,
    METRICS,
    PROBES,
    RIGHT,
    Items,
    Judgments,
    Links,
    Metrics,
    Probes,
    Scores,
)

# What a model is asked: each pair in each prompt of its relation, and the same with a word left out.


Articles = Callable[[str], str] | None
"""Returns the article of a word; None: the language has none."""


def probes(items: Items, prompts: Prompts, article: Articles) -> Probes:
    """Put every pair, and every word of a pair alone, into the prompts of its relation.

    A pair that several sets or targets have is asked once.
    """
    rows = []
    for (relation,), relation_items in items.group_by("relation", maintain_order=True):
        pairs = relation_items.select("first", "second").unique(maintain_order=True)
        alone = [*((word, "") for word in pairs["first"].unique(maintain_order=True))]
        alone += [("", word) for word in pairs["second"].unique(maintain_order=True)]
        for prompt in prompts.relation_prompts[str(relation)]:
            for first, second in [*pairs.iter_rows(), *alone, ("", "")]:
                fill_pair = partial(fill, first=first, second=second, nothing=prompts.nothing, article=article)
                sentence, question = fill_pair(prompt.statement), fill_pair(prompt.question).text
                statement = fill_pair(prompt.statement, slot=True).text
                texts = statement, second or prompts.nothing, sentence.text, *sentence.first, *sentence.second, question
                rows.append((f"{prompt.id} {first}:{second}", relation, prompt.id, first, second, *texts))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def statements(probes: Probes, prefixes: Mapping[str, str]) -> Iterator[Continuation]:
    """Yield a request for the probability of the second word at the end of each statement. `prefixes`: probe -> examples."""
    for probe, text, candidate in probes.select("probe_id", "statement", "candidate").iter_rows():
        yield Continuation(probe, prefixes.get(probe, "") + text, (candidate,))


def sentences(probes: Probes, prefixes: Mapping[str, str]) -> Iterator[Sentence]:
    """Yield a request for the tokens' probabilities in each statement with both words."""
    for probe, text in probes.select("probe_id", "sentence").iter_rows():
        yield Sentence(probe, text, prefixes.get(probe, ""))


def questions(probes: Probes, prompts: Prompts, prefixes: Mapping[str, str]) -> Iterator[Continuation]:
    """Yield two requests for each question, one in each order of the options: the probabilities of yes and of no."""
    for probe, text in probes.select("probe_id", "question").iter_rows():
        for order in range(2):
            asked = prefixes.get(probe, "") + whole_question(prompts, text, order)
            yield Continuation(f"{probe} {order}", asked, (prompts.yes, prompts.no))


def whole_question(prompts: Prompts, question: str, order: int) -> str:
    """Return a question with what stands around it, up to the slot of its answer. `order`: of the options, 0 or 1."""
    return prompts.asked.replace(QUESTION, question).replace(OPTIONS, prompts.orders[order])


def spans(probes: Probes) -> Iterator[SpanText]:
    """Yield a request for the vectors of both words in the sentence of each pair and of each word alone."""
    columns = ["probe_id", "sentence", "first_start", "first_stop", "second_start", "second_stop"]
    for probe, text, *bounds in probes.select(columns).iter_rows():
        yield SpanText(probe, text, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))


# From scores to judgments: the judges of a model.


PAIR = ["relation", "first", "second"]
SCORED = {**{name: JUDGMENTS[name] for name in PAIR}, "score": JUDGMENTS["score"]}
CANDIDATE, TARGET = "+candidate", "+target"
"""The endings of the two controls of a model with a judge: one of the words is left out."""
Judge = Callable[[pl.DataFrame], pl.DataFrame]
"""From probes with their scores (`values`) to the same with `score` and `probability`."""


Vector = NDArray[np.float64]


def _array(values: Any) -> Vector:
    """Return the scores of a probe as an array, empty if there are none."""
    return np.array([] if values is None else values, np.float64)


def is_missing(values: Vector) -> bool:
    """Return whether no value is there: the model cannot read the text."""
    return bool(np.isnan(values).all())


def _sums(values: pl.Series, add: Callable[[Vector], Any]) -> pl.Series:
    """Return the sum of each probe's log-probabilities by `add`; null if one or, of `np.nansum`, all are missing."""
    arrays = map(_array, values)
    sums = [np.nan if is_missing(array) else float(add(array)) for array in arrays]
    return pl.Series([None if np.isnan(total) else total for total in sums], dtype=pl.Float64)


def _log_odds(values: Vector) -> float | None:
    """Return the mean over both orders of log P(yes) - log P(no); `values`: yes, no, yes, no."""
    odds = float(np.mean(values[0::2] - values[1::2]))
    return None if np.isnan(odds) else odds


def _cosine(values: Vector) -> float | None:
    """Return the cosine of the two halves of an array; None if they are missing, or one is zero."""
    if is_missing(values):
        return None
    first, second = np.split(values, 2)
    scale = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / scale if scale > 0 else None


def statement_score(table: pl.DataFrame) -> pl.DataFrame:
    """Judge by log P(second word | statement about the first), in natural log, summed over the tokens of the word."""
    return table.with_columns(score=_sums(table["values"], np.sum))


def sentence_score(table: pl.DataFrame) -> pl.DataFrame:
    """Judge by the (pseudo-)log-probability of the statement with both words: Σ log P(t_i), in natural log.

    A token without probability does not count: the first one of a causal model without BOS token.
    """
    return table.with_columns(score=_sums(table["values"], np.nansum))


def mutual_information(table: pl.DataFrame) -> pl.DataFrame:
    """Judge by log P(second | statement about the first) - log P(second | the same about "something"), in natural log.

    The score of the control "candidate" is the log-probability itself, as its difference would always be 0.
    """
    scored = statement_score(table)
    alone = scored.filter(first="").select("prompt", "second", uninformed="score")
    joined = scored.join(alone, on=["prompt", "second"], how="left", maintain_order="left")
    difference = pl.when(pl.col("first") == "").then("score").otherwise(pl.col("score") - pl.col("uninformed"))
    return joined.with_columns(score=difference).drop("uninformed")


def log_odds(table: pl.DataFrame) -> pl.DataFrame:
    """Judge by the calibrated log-odds of yes, log P(yes) - log P(no) less those of the question with both words left out.

    Both are means over the two orders of the options. The probability of yes is 1 / (1 + exp(-log-odds)).
    """
    odds = pl.Series([None if is_missing(values) else _log_odds(values) for values in map(_array, table["values"])])
    scored = table.with_columns(odds=odds.cast(pl.Float64))
    with_neither = scored.filter(first="", second="").select("prompt", uninformed="odds")
    joined = scored.join(with_neither, on="prompt", how="left", maintain_order="left")
    calibrated = joined.with_columns(score=pl.col("odds") - pl.col("uninformed"))
    return calibrated.with_columns(probability=1 / (1 + (-pl.col("score")).exp())).drop("odds", "uninformed")


def similarity(table: pl.DataFrame) -> pl.DataFrame:
    """Judge by the cosine of the hidden states of the two words in the statement; None where one is missing or zero."""
    return table.with_columns(
        score=pl.Series([_cosine(_array(states)) for states in table["values"]], dtype=pl.Float64)
    )


JUDGES: Mapping[str, Judge] = {
    "statement": statement_score,  # of `statements`
    "sentence": sentence_score,  # of `sentences`
    "pmi": mutual_information,  # of `statements`
    "verification": log_odds,  # of `questions`
    "embedding": similarity,  # of `spans`
}
"""Judge -> what makes judgments of the answers to a kind of requests."""


def judgments(scores: Sequence[Scores], probes: Probes, *, model: str, judges: Sequence[str]) -> Judgments:
    """Turn the scores of a model into the judgments of its judges, and of the two controls of each.

    There are scores for each judge, in their order.
    """
    parts = [pl.DataFrame(schema=JUDGMENTS)]
    for judge, judge_scores in zip(judges, scores, strict=True):
        parts += _with_controls(scores_of_judge(judge, probes, judge_scores), f"{model} {judge}")
    return pl.concat(parts)


def scores_of_judge(judge: str, probes: Probes, scores: Scores) -> pl.DataFrame:
    """Return the probes with the score, and perhaps the probability, that a judge makes of its scores."""
    table = JUDGES[judge](with_values(probes, scores, in_orders=judge == "verification"))
    return table if "probability" in table.columns else table.with_columns(probability=pl.lit(None, pl.Float64))


def with_values(probes: Probes, scores: Scores, *, in_orders: bool = False) -> pl.DataFrame:
    """Return the probes with their scores. `in_orders`: a probe has the values of both orders, one after the other."""
    if in_orders:
        orders = scores.with_columns(pl.col("probe_id").str.replace(r" [01]$", ""))
        scores = orders.group_by("probe_id", maintain_order=True).agg(pl.col("values").explode())
    return probes.join(scores, on="probe_id", how="left", maintain_order="left")


def _with_controls(table: pl.DataFrame, agent: str) -> list[pl.DataFrame]:
    """Return the judgments of pairs, and the same pairs as judged by one of their words alone."""
    columns = ["relation", "prompt", "first", "second"]
    pairs = table.filter(pl.col("first") != "", pl.col("second") != "")
    judged_pairs = [(agent, pairs)]
    for ending, word, left_out in ((CANDIDATE, "second", "first"), (TARGET, "first", "second")):
        alone = table.filter(pl.col(left_out) == "", pl.col(word) != "").select("prompt", word, "score", "probability")
        joined = pairs.select(columns).join(alone, on=["prompt", word], how="left", maintain_order="left")
        judged_pairs.append((agent + ending, joined))
    return [judged.with_columns(agent=pl.lit(name)).select(list(JUDGMENTS)) for name, judged in judged_pairs]


def judgment_table(
    agent: str, scores: Mapping[tuple[str, str, str], float | None], probes: Probes, *, yes: float | None = None
) -> Judgments:
    """Return the judgments of an agent that reads no prompt, which are the same in each of them.

    `scores`: relation, first and second word -> its score. `yes`: the probability with which it says yes to all pairs.

    >>> asked = pl.DataFrame({"relation": "HYP", "prompt": ["is", "kind"], "first": "robin", "second": "bird"})
    >>> judgment_table("static", {("HYP", "robin", "bird"): 0.5}, asked).select("agent", "prompt", "score").rows()
    [('static', 'is', 0.5), ('static', 'kind', 0.5)]
    """
    pairs = probes.filter(pl.col("first") != "", pl.col("second") != "").select(*PAIR, "prompt")
    rows = pl.DataFrame([(*pair, score) for pair, score in scores.items()], schema=SCORED, orient="row")
    joined = pairs.join(rows, on=PAIR, how="inner", maintain_order="left")
    named = joined.with_columns(agent=pl.lit(agent), probability=pl.lit(yes, pl.Float64))
    return named.select(list(JUDGMENTS))


# Values: how well an agent's scores tell right pairs from foils, and how well they agree with people's ratings.


WHOLE_SET = "all prompts"
"""Stands in the column `prompt` where a value is made of a pair's mean score over its prompts."""


def values(judgments: Judgments, items: Items) -> Metrics:
    """Measure the judgments of one or several agents.

    Metrics of a target, per prompt, against all foils and against each kind of them:
    - "ap": the average precision of its pairs ranked by score; "rr": the reciprocal rank of the first right one;
    - "choice": 1 if of one right word and one foil of each kind the right one has the highest score; ties share.
    Metrics of a pair, per prompt:
    - "rho": its part in Spearman's correlation with people's ratings (`spearman_values`), over the pairs of the
      condition. The condition "hyperlex" has all pairs of HyperLex, by their mean score over prompts, as nouns and
      verbs have other prompts;
    - "auc": its part in the area under the ROC curve; "direction": 1 if a right pair has a higher score than its
      reverse;
    - "accuracy", "ece", of agents that say yes or no: its part in the mean of two shares, of right pairs with P(yes) > 1/2
      and of foils with P(yes) < 1/2 (1/2 counts half), and in the expected calibration error of the probability of yes;
    - "judged": 1 if the agent has judged the pair, else 0.
    Pairs without a score take no part; a target of which one is missing has no value. A value that cannot be computed
    has no row: rho of fewer than three rated pairs, auc, accuracy and ece of fewer than two right pairs or two foils.
    """
    rows: list[tuple[object, ...]] = []
    for (agent,), agent_judgments in judgments.group_by("agent", maintain_order=True):
        for (condition,), condition_items in items.group_by("condition", maintain_order=True):
            for prompt, table in by_prompt(agent_judgments, condition_items):
                key = (agent, condition, prompt)
                rows += [_row(key, *value) for value in (*target_values(table), *pair_values(table))]
        rows += [_row((agent, HYPERLEX, WHOLE_SET), *value) for value in _hyperlex_values(agent_judgments, items)]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def _row(key: tuple[object, ...], metric: str, foils: str, unit: str, value: float) -> tuple[object, ...]:
    agent, condition, prompt = key
    return agent, metric, condition, foils, unit, prompt, value


def by_prompt(judgments: Judgments, items: Items) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield each prompt with the items of its relation and the scores of one agent, null where it has none."""
    scores = judgments.select("prompt", *PAIR, "score", "probability")
    prompts = scores.join(items.select("relation").unique(), on="relation", how="semi")["prompt"]
    for prompt in prompts.unique(maintain_order=True):
        prompt_scores = scores.filter(prompt=prompt).drop("prompt")
        yield prompt, items.join(prompt_scores, on=PAIR, how="left", maintain_order="left")


def _hyperlex_values(judgments: Judgments, items: Items) -> Iterator[tuple[str, str, str, float]]:
    """Yield the correlation over all pairs of HyperLex, if there are nouns and verbs."""
    hyperlex = items.filter(set=HYPERLEX)
    if hyperlex["condition"].n_unique() < 2:
        return
    means = judgments.group_by(PAIR).agg(score=ordered_mean("score"), whole=pl.col("score").is_not_null().all())
    joined = hyperlex.join(means.filter("whole"), on=PAIR, how="left", maintain_order="left")
    yield from correlation_values(_pairs(joined))


def target_values(table: pl.DataFrame) -> Iterator[tuple[str, str, str, float]]:
    """Yield (metric, foils, target, value) of the targets all of whose pairs have a score. `table`: as of `by_prompt`."""
    labelled = table.filter(pl.col("label").is_not_null())
    for (target,), pairs in labelled.group_by("target", maintain_order=True):
        if pairs["score"].null_count() or not 0 < pairs["label"].sum() < pairs.height:
            continue
        kinds = [kind for kind in pairs["kind"].unique(maintain_order=True) if kind != RIGHT]
        for foils in [ALL, *kinds]:
            part = pairs if foils == ALL else pairs.filter(pl.col("label") | (pl.col("kind") == foils))
            scores, right = part["score"].to_numpy(), part["label"].to_numpy()
            yield "ap", foils, str(target), average_precision(scores, right)
            yield "rr", foils, str(target), reciprocal_rank(scores, right)
        shown = options(pairs)
        if shown.height > 1:
            yield "choice", ALL, str(target), chosen_share(shown)


def options(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of a target that a choice shows: the first right one, and the first foil of each kind.

    A pair that begins with another word than the target, as the reversed ones of WordNet do, is no word to choose.
    """
    return pairs.filter(pl.col("first") == pl.col("target")).unique("kind", keep="first", maintain_order=True)


class Choice(NamedTuple):
    """The words of which one completes the statement about a target of a condition. `right`: the related one."""

    condition: str
    relation: str
    target: str
    right: str
    words: tuple[str, ...]


def choices(items: Items) -> Iterator[Choice]:
    """Yield the choice that each target with a right word and a foil gives (`options`).

    >>> rows = {"condition": "HYP", "relation": "HYP", "target": "robin", "first": "robin", "second": ["bird", "fish"]}
    >>> [*choices(pl.DataFrame({**rows, "kind": ["right", "random"], "label": [True, False]}))]
    [Choice(condition='HYP', relation='HYP', target='robin', right='bird', words=('bird', 'fish'))]
    """
    labelled = items.filter(pl.col("label").is_not_null())
    for (condition, target), pairs in labelled.group_by("condition", "target", maintain_order=True):
        shown = options(pairs)
        if shown.height > 1 and shown["label"].any():
            right = shown.filter("label")["second"][0]
            yield Choice(str(condition), shown["relation"][0], str(target), right, tuple(shown["second"]))


def chosen_share(shown: pl.DataFrame) -> float:
    """Return 1 if the right one of the shown pairs has the highest score, 0 if a foil has it; ties share.

    >>> chosen_share(pl.DataFrame({"label": [True, False, False], "score": [2.0, 2.0, 1.0]}))
    0.5
    """
    best = shown.filter(pl.col("score") == pl.col("score").max())
    return float(best["label"].mean() or 0.0)  # type: ignore[arg-type]


def pair_values(table: pl.DataFrame) -> Iterator[tuple[str, str, str, float]]:
    """Yield (metric, foils, pair, value) of the pairs with a score. `table`: as of `by_prompt`."""
    pairs = _pairs(table)
    yield from (
        ("judged", ALL, pair, float(score is not None)) for pair, score in pairs.select("pair", "score").iter_rows()
    )
    yield from correlation_values(pairs)
    yield from _direction_values(pairs)
    scored = pairs.filter(pl.col("label").is_not_null(), pl.col("score").is_not_null())
    if min(scored["label"].sum(), (~scored["label"]).sum()) < 2:
        return
    right = scored["label"].to_numpy()
    yield from _values_of_pairs("auc", scored, auc_values(scored["score"].to_numpy(), right))
    if scored["probability"].null_count() == 0:
        probabilities = scored["probability"].to_numpy()
        yield from _values_of_pairs("accuracy", scored, balanced_accuracy_values(probabilities, right))
        yield from _values_of_pairs("ece", scored, calibration_values(probabilities, right))


def correlation_values(pairs: pl.DataFrame) -> Iterator[tuple[str, str, str, float]]:
    """Yield the values of rho of the rated pairs with a score; none of fewer than three, or if all ratings are equal."""
    rated = pairs.filter(pl.col("rating").is_not_null(), pl.col("score").is_not_null())
    if rated.height > 2 and rated["rating"].n_unique() > 1:
        yield from _values_of_pairs(
            "rho", rated, spearman_values(rated["rating"].to_numpy(), rated["score"].to_numpy())
        )


def _direction_values(pairs: pl.DataFrame) -> Iterator[tuple[str, str, str, float]]:
    """Yield whether each right pair has a higher score than its reverse, if that is judged and is not right as well."""
    turned = pairs.select(first="second", second="first", other="score", other_label="label")
    in_both = pairs.filter("label").join(turned, on=["first", "second"], how="inner", maintain_order="left")
    scored = in_both.filter(~pl.col("other_label"), pl.col("score").is_not_null(), pl.col("other").is_not_null())
    above = pl.when(pl.col("score") == pl.col("other")).then(0.5).otherwise(pl.col("score") > pl.col("other"))
    yield from _values_of_pairs("direction", scored, scored.select(above.cast(pl.Float64)).to_series().to_numpy())


def _pairs(table: pl.DataFrame) -> pl.DataFrame:
    """Return the different pairs of items, which several targets may share, each with its name."""
    return table.unique(["first", "second"], keep="first", maintain_order=True).with_columns(pair=pair_name())


def pair_name() -> pl.Expr:
    """Return the name of a pair as an item."""
    return pl.format("{}:{}", "first", "second")


def _values_of_pairs(
    metric: str, pairs: pl.DataFrame, numbers: NDArray[np.float64]
) -> Iterator[tuple[str, str, str, float]]:
    yield from ((metric, ALL, pair, value) for pair, value in zip(pairs["pair"], numbers.tolist(), strict=True))


def links(items: Items) -> Links:
    """Return what items share (LINKS): a target its right words, and a pair its two words.

    A target is linked to itself and to its right words, so that a word that is a target here and a right word there
    links the two.

    >>> rows = {"condition": "HYP", "target": "robin", "first": "robin", "second": ["bird", "fish"], "label": [True, False]}
    >>> links(pl.DataFrame({**rows, "set": "wordnet"})).filter(unit="robin")["link"].to_list()
    ['bird', 'robin']
    """
    right = items.filter("label", pl.col("first") == pl.col("target"))
    targets = [
        right.select("condition", unit="target", link="second"),
        items.select("condition", unit="target", link="target"),
    ]
    hyperlex = items.filter(set=HYPERLEX).with_columns(condition=pl.lit(HYPERLEX))
    pairs = [*_named_pairs(items), *_named_pairs(hyperlex)]
    return pl.concat([pl.DataFrame(schema=LINKS), *targets, *pairs]).unique().sort(pl.all())


def _named_pairs(items: Items) -> list[pl.DataFrame]:
    return [items.select("condition", unit=pair_name(), link=word) for word in ("first", "second")]
