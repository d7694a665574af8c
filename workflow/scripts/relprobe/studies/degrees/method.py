"""How prototypical is a pair of words for its relation? SemEval-2012 Task 2 (Jurgens et al., 2012), from words to numbers.

What is asked. A subcategory, as the task calls a relation, such as "Y functions as an X", has a few paradigms, such as
weapon:knife, and some forty pairs, such as tool:hammer. An agent rates each pair: the higher, the more prototypical is the
pair for the relation. The task has ten classes of relations, such as Part-Whole, with 79 subcategories. Ten of these were
published as training data. They are in no average of the other 69.

What is right. People chose of four pairs at a time the most and the least illustrative one (a MaxDiff question). The
prototypicality of a pair, people's rating, is a difference of two percentages of the answers to the questions that show it:
those that choose it as most illustrative, minus those that choose it as least illustrative, rounded to one decimal. Of a
user's pairs it is the mean of the ratings, and there are no questions. A question has two sides, the most and the least
illustrative pair. For each side, the pair that is chosen most often is right; if several tie, each of them is. A side that
nobody answered is wrong for every agent.

How it is scored. A model reads texts about a pair (requests.py), and each of its raters makes a rating of what it gives
(raters.py). Let x:y be the pair tool:hammer, and S the sentence of the subcategory with the pair in it, without the articles
of the two words and without a full stop: "hammer functions as tool". All logs are natural.

- schema: Σ log P(t_i) of the tokens of S;
- analogy: Σ log P(t_i) of the tokens of "tool is to hammer" after all paradigms: "weapon is to knife as … as tool is to
  hammer". The analogy of a pair that is a paradigm has the other paradigms;
- schema-mean, analogy-mean: the same over their number n, 1/n Σ log P(t_i);
- pmi: log P(v | S, u) - log P(v | S). Here u is the word of the pair that stands first in S, v the other one, and log P(v |
  S, u) the sum over the tokens of v. P(v | S) is the same without knowing u: the mean of P(v | S, u') over the different
  first words u' of the subcategory's rated pairs, u among them;
- hidden: the mean cosine of the offset h(y) - h(x) of the words' hidden states in S with the offsets of the paradigms, but
  for the pair itself. h is the mean over a word's tokens, after the last layer if the config names no other, of an
  encoder-decoder in its encoder. A causal model's h knows nothing after the word.

A causal model reads what stands before t_i; for pmi it reads S up to v. A masked model reads the text on both sides, with
masks for t_i and the later tokens of its word (Kauf and Ivanova 2023), which would else tell it what t_i is. An
encoder-decoder has one blank. In schema and schema-mean it stands for t_i and the later tokens of its word, and t_i is the
decoder's first token there. In analogy and pmi it stands for the whole last clause or v, and the decoder reads the tokens
before t_i. BART's decoder always reads the text before the blank, too. If a causal model has no BOS token and nothing stands
before the text, its first token has no probability: neither the sum nor n counts it. A pair with a word that the tokenizer
cannot write has no rating, and in an analogy no pair that such a paradigm stands before.

An agent is a baseline, such as "random" or the authors' "pmi" (log₂, of a corpus), or a model with a rater, such as "gpt2
pmi". Its ratings are compared with people's by Spearman's rho over the pairs of a subcategory that it rates (the correlation
of the ranks; ties have their mean rank), and by MaxDiff. The pair with the lowest rating is taken as the least illustrative
of a question, and that with the highest as the most; each of n tied ones counts 1/n. `maxdiff` is the mean of two
percentages, of right least choices and of right most choices. A question with a pair that the agent does not rate is left
out. A model may also answer the questions in words: "gpt2 maxdiff" has no rho (chat.py). A side that cannot be read is
wrong, and an agent has no value if more than 20 % of its answers lack a side. People are no agent: how well they agree with
each other bounds what an agent can reach (ceiling.py).

How values are averaged, and what a test takes as independent. The unit of a value is a subcategory. Tests and intervals take
subcategories as independent of each other, as clusters: the pairs of one share the sentence, the paradigms and the people.
The error of reversals has a unit per reversed pair: ((r - r') - (g - g'))², where r and r' are the agent's ranks of the pair
and of the pair that it reverses, and g and g' people's. Its cluster is the subcategory. The condition is the class of the
subcategory, or "training". An average is over the 69 subcategories of the test, each of which counts alike, over those of a
class, or over the ten of training. Tests compare two agents on the subcategories that both have. The ten of training choose
a rater for each model, and one among all models, by each measure of the tests (table `choice`). The error in the tables is
the root of the mean over all reversed pairs.

Each of these four tables is made from the ones before it:

    items      subcategory, relation_class, training, name, pair, reverses, rating     a row per pair, with people's rating
               subcategory, pairs, least, most, answers           a row per question, with people's choices (`questions`)
               subcategory, pair, paradigm, text, analogy         a row per pair, and per paradigm: its texts (`probes`)
    scores     probe_id, values                                   a row per text: log-probabilities, or hidden states
    responses  agent, subcategory, pair, rating                   a row per pair, with the agent's rating
    values     agent, metric, condition, unit, cluster, value     what averages and tests read (relprobe.stats)

The first table of the items is the file `gold`; the probes (requests.py) also say where the two words of the pair stand in
the text (`x_start` to `y_stop`). Each kind of scores is a file: a log-probability per token (schema, analogy) or per
candidate v (pmi), or the two hidden states.

The task has people's ratings, the MaxDiff questions, the baselines random and pmi, and the measures: rho, the number of
significant ones (Table 3), MaxDiff and the error of reversals, whose formula is our reading. Table 5 has rho without
reversed pairs. The raters, choices in words, the ceiling, the baselines of vectors and the tests over subcategories are this
study's. So are MaxDiff without reversed pairs, the expected value of ties in MaxDiff, rho = 0 for an agent whose ratings are
all equal, and the examples before a text (none by default). Numbers in comments, such as 3.1, are those of the paper's
sections.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from relprobe.sources.semeval2012 import Answer, Subcategory
from relprobe.stats import TestResult, spearman
from relprobe.studies.degrees.schemas import (
    GOLD,
    METRICS,
    QUESTIONS,
    RATINGS,
    TRAINING,
    Gold,
    Metrics,
    Questions,
    Ratings,
)

# 3.1 Prototypicality: what people's choices say of each pair. Of each subcategory, five pairs are the reversals of others:
# hammer:tool reverses tool:hammer.


def prototypicality(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the prototypicality of every pair in the questions, from -100 to 100.

    It is the percentage of answers to the pair's questions that choose it as most illustrative, minus the percentage that
    choose it as least illustrative, rounded to one decimal as in the authors' gold files. An answer without a choice
    counts among the answers.

    >>> question = ("a:b", "c:d", "e:f", "g:h")
    >>> answers = [Answer(question, least=least, most="a:b", relation="1b") for least in ("c:d", "")]
    >>> prototypicality(answers)
    {'a:b': 100.0, 'c:d': -50.0, 'e:f': 0.0, 'g:h': 0.0}
    """
    shown = Counter(pair for answer in answers for pair in answer.question)
    most = Counter(answer.most for answer in answers)
    least = Counter(answer.least for answer in answers)
    # This is the order of the authors' script, whose floating-point error decides how x.x5 is rounded.
    return {pair: round(100 * most[pair] / n - 100 * least[pair] / n, 1) for pair, n in shown.items()}


def gold(subcategories: Sequence[Subcategory]) -> Gold:
    """Return people's rating of every pair: its prototypicality. For a user's data it is the mean of ratings."""
    rows = []
    for subcategory in subcategories:
        ratings = {pair: sum(numbers) / len(numbers) for pair, numbers in subcategory.ratings.items()}
        ratings = ratings or prototypicality(subcategory.answers)
        relation = subcategory.id, subcategory.relation_class, subcategory.training
        rows += [
            (*relation, pair, subcategory.reversals.get(pair), ratings[pair], subcategory.name)
            for pair in subcategory.pairs
        ]
    return pl.DataFrame(rows, schema=GOLD, orient="row")


def questions(subcategories: Sequence[Subcategory]) -> Questions:
    """Return the MaxDiff questions with the choices of the majority."""
    rows = []
    for subcategory in subcategories:
        answers: dict[tuple[str, ...], list[Answer]] = {question: [] for question in subcategory.questions}
        for answer in subcategory.answers:
            answers[answer.question].append(answer)
        for question, answers_to_it in answers.items():
            least, most = (majority(getattr(answer, side) for answer in answers_to_it) for side in SIDES)
            rows.append((subcategory.id, list(question), least, most, len(answers_to_it)))
    return pl.DataFrame(rows, schema=QUESTIONS, orient="row")


def majority(choices: Iterable[str]) -> list[str]:
    """Return the most frequent choice, or all that tie (section 4.1); "" stands for an answer without a choice.

    >>> majority(["c:d", "a:b", "a:b", ""]), majority(["c:d", "a:b"])
    (['a:b'], ['a:b', 'c:d'])
    """
    counts = Counter(choice for choice in choices if choice)
    return sorted(pair for pair, n in counts.items() if n == max(counts.values()))


# 4 Responses: an agent's rating of every pair. A model's ratings are those of its raters (raters.py).


PairRatings = Mapping[tuple[str, str], float | None]
"""(subcategory, pair) -> rating; None: the agent does not know the words."""


def rating_table(agent: str, ratings: PairRatings) -> Ratings:
    """Return ratings as the table of one agent.

    >>> rating_table("random", {("1b", "tool:hammer"): 40.0}).rows()
    [('random', '1b', 'tool:hammer', 40.0)]
    """
    rows = [(agent, subcategory, pair, rating) for (subcategory, pair), rating in ratings.items()]
    return pl.DataFrame(rows, schema=RATINGS, orient="row")


# 4.1 Values: how well an agent's ratings agree with people's. Each is also taken without the reversed pairs (Table 5).


WITHOUT = "_without_reversals"
"""The ending of a metric that is taken without the reversed pairs, and without the questions about these."""
SIDES: Mapping[str, Callable[..., float]] = {"least": min, "most": max}
"""What a MaxDiff question asks for, and which rating of its pairs answers it."""
Question = Mapping[str, Sequence[str]]


def values(ratings: Ratings, gold: Gold, questions: Questions) -> Metrics:
    """Measure the ratings of one or several agents against people's.

    Metrics, with the subcategory as unit:
    - "rho": Spearman's rank correlation with people's ratings, "p": its two-sided p-value, which takes pairs as independent;
    - "significant_05", "significant_01": 1 if p is below 0.05 and 0.01, else 0; "negative_05": 1 if rho is also negative;
    - "least", "most": the percentage of MaxDiff questions in which the agent picks the majority's least or most illustrative
      pair; "maxdiff": the mean of both;
    - all of these, except least and most, once more with the ending "_without_reversals";
    - "rated": the share of pairs that the agent rates; "constant": 1 if all of its ratings are equal, else 0;
    and with the reversed pair as unit "reversal_error" (section 6). Unrated pairs, and questions about them, take no part. A
    value that cannot be computed has no row: rho if fewer than three pairs are rated, or if people's ratings are equal.
    """
    agents = ratings.partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    questions_of = questions.partition_by("subcategory", as_dict=True, maintain_order=True)
    rows: list[tuple[str, str, str, str, str, float]] = []
    for (agent,), agent_ratings in agents.items():
        pairs = gold.join(agent_ratings.drop_nulls("rating"), on=["subcategory", "pair"], how="left", suffix="_agent")
        for (subcategory,), subcategory_pairs in pairs.group_by("subcategory", maintain_order=True):
            condition = TRAINING if subcategory_pairs["training"][0] else subcategory_pairs["relation_class"][0]
            asked = questions_of.get((subcategory,), questions.head(0)).to_dicts()
            for metric, pair, value in subcategory_values(subcategory_pairs, asked):
                unit = f"{subcategory} {pair}" if pair else subcategory
                rows.append((agent, metric, condition, unit, subcategory, value))
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def subcategory_values(pairs: pl.DataFrame, questions: Sequence[Question]) -> Iterator[tuple[str, str, float]]:
    """Yield (metric, reversed pair or "", value) of a subcategory.

    `pairs`: its rows of GOLD with the agent's ratings as `rating_agent`, null where it has none; `questions`: its rows.
    """
    rated = pairs.drop_nulls("rating_agent")
    yield "rated", "", rated.height / pairs.height
    if rated.height:
        yield "constant", "", float(rated["rating_agent"].n_unique() == 1)
    for ending, subset in (("", rated), (WITHOUT, rated.filter(pl.col("reverses").is_null()))):
        yield from ((metric + ending, "", value) for metric, value in correlation_values(subset))
        rating_of = dict(subset.select("pair", "rating_agent").iter_rows())
        for metric, value in maxdiff_values(rating_of, questions):
            if not ending or metric == "maxdiff":
                yield metric + ending, "", value
    yield from (("reversal_error", pair, error) for pair, error in reversal_errors(rated))


def correlation_values(pairs: pl.DataFrame) -> Iterator[tuple[str, float]]:
    """Yield the metrics that are made of `correlation`."""
    result = correlation(pairs)
    if result.effect is not None and result.p is not None:
        yield "rho", result.effect
        yield "p", result.p
        yield "significant_05", float(result.p < 0.05)
        yield "significant_01", float(result.p < 0.01)
        yield "negative_05", float(result.p < 0.05 and result.effect < 0)


def correlation(pairs: pl.DataFrame) -> TestResult:
    """Return Spearman's rank correlation of the columns `rating` and `rating_agent`.

    The ratings are ranked as they are, without rounding: very small probabilities have an order, too. If the agent's ratings
    are all equal and people's are not, rho is 0 and p is 1; the paper does not say what it counts.

    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0, 4.0], "rating_agent": [4.0, 6.0, 8.0, 7.0]})).effect
    0.8
    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0], "rating_agent": [5.0, 5.0, 5.0]})).effect
    0.0
    """
    result = spearman(pairs["rating"].rank().to_numpy(), pairs["rating_agent"].rank().to_numpy())
    constant = pairs["rating_agent"].n_unique() == 1 < pairs["rating"].n_unique()
    return TestResult(result.name, result.n, 0.0, 1.0) if constant and result.n > 2 else result


def maxdiff_values(ratings: Mapping[str, float], questions: Sequence[Question]) -> Iterator[tuple[str, float]]:
    """Yield the MaxDiff accuracies of ratings, over the questions all of whose pairs are rated."""
    answered = [question for question in questions if set(question["pairs"]) <= set(ratings)]
    if answered:
        yield from accuracies([[chosen_share(ratings, question, side) for question in answered] for side in SIDES])


def accuracies(right: Sequence[Sequence[float]]) -> Iterator[tuple[str, float]]:
    """Yield the percentages of right answers: of least, of most, and their mean, maxdiff.

    `right`: a row for each of the two sides, with the score of each question, from 0 to 1.
    """
    shares = 100 * np.array(right, dtype=float).mean(axis=1)
    yield from zip((*SIDES, "maxdiff"), [*shares.tolist(), float(shares.mean())], strict=True)


def chosen_share(ratings: Mapping[str, float], question: Question, side: str) -> float:
    """Return how often the pair that the ratings choose in a MaxDiff question is the majority's, over all orders of ties.

    `side`: "least", which the pair with the lowest rating answers, or "most", the highest. The task breaks ties arbitrarily.
    Here each of n pairs with this rating counts 1 / n, so that no order of the pairs changes the value.

    >>> question = {"pairs": ["a:b", "c:d", "e:f", "g:h"], "least": ["c:d"], "most": ["g:h"]}
    >>> ratings = {"a:b": 1.0, "c:d": 1.0, "e:f": 2.0, "g:h": 3.0}
    >>> chosen_share(ratings, question, "least"), chosen_share(ratings, question, "most")
    (0.5, 1.0)
    """
    chosen = chosen_pairs(ratings, question, side)
    return sum(pair in question[side] for pair in chosen) / len(chosen)


def chosen_pairs(ratings: Mapping[str, float], question: Question, side: str) -> list[str]:
    """Return the pair of a question with the lowest or the highest rating, or all that tie."""
    extreme = SIDES[side](ratings[pair] for pair in question["pairs"])
    return [pair for pair in question["pairs"] if ratings[pair] == extreme]


# 6 Sensitivity to argument reversal: how differently an agent and people separate a pair from its reversal (Table 6).


def reversal_errors(pairs: pl.DataFrame) -> list[tuple[str, float]]:
    """Return ((r - r') - (g - g'))² for each reversed pair, with its rank r by the agent and g by people's ratings.

    r' and g' are the ranks of the pair that it reverses. Ranks are among the pairs of the subcategory that the agent rates,
    people's ranks as well, and ties have their mean rank. Table 6 has a root mean square of such differences, whose scale
    could not be reproduced.

    >>> pairs = {"pair": ["a:b", "c:d", "b:a"], "reverses": [None, None, "a:b"]}
    >>> reversal_errors(pl.DataFrame({**pairs, "rating": [9.0, 5.0, 1.0], "rating_agent": [9.0, 1.0, 5.0]}))
    [('b:a', 1.0)]
    """
    agent, people = (dict(zip(pairs["pair"], pairs[name].rank(), strict=True)) for name in ("rating_agent", "rating"))
    reversals = [row for row in pairs.select("pair", "reverses").iter_rows() if row[1] in agent]
    return [(pair, float(agent[pair] - agent[was] - people[pair] + people[was]) ** 2) for pair, was in reversals]
