"""Do language models tell analogies from look-alikes? Rezaee and Camacho-Collados (2022), from words to numbers.

What is asked. A relation, such as that of capitals, has tuples of a head and a tail, such as (paris, france). BATS has 40
relations of 50 tuples each. An instance has a query, such as this tuple, a positive, which is another tuple of the relation,
such as (rome, italy), and a negative. This is no tuple of the relation. Random: (oslo, italy), the positive with one word of
a third tuple. Reverse: (norway, oslo), a third tuple turned round. Type: (rome, oslo), two heads or two tails, one of them
the positive's. If none of these is allowed, another tuple takes the positive's place; in reverse, the positive itself may be
turned round. Of a head with several tails the first is taken, and no listed tail makes a negative. A model reads “What paris
is to france, rome is to italy.”, with the query and the positive, and the same with the negative.

What is right. In the unsupervised setting the positive. In the supervised setting two judgments are right: that the positive
has the relation, and that the negative does not.

How it is scored. In the unsupervised setting an agent chooses a tuple. A model chooses the sentence with the lower
perplexity, exp(-Σ log P(t_i)), whose sum is not divided by the number of tokens. A baseline chooses the tuple whose
embedding has the larger cosine with the query's. The choice counts 1 if it is the positive, 0 if it is the negative, and 1/2
if both are equal. A causal model reads what stands before t_i; if it has no BOS token and nothing stands before the
sentence, its first token has no probability, and does not count. A masked model reads the sentence with one mask, for t_i.
An encoder-decoder has a blank there, and t_i is its decoder's first token in the blank; BART's decoder also reads the text
before it. In the supervised setting perceptrons learn from training instances which tuples have the relation (training.py).
Each relation, draw and kind of negative has one for each seed. They judge the positive and the negative of a test instance
one by one. A judgment is the mean over the seeds: 1 right, 0 wrong, 1/2 for a logit of 0. They read the vectors that a model
gives the four words of the sentence, each the mean of its tokens' hidden states after a layer (`supervised.layer`, or
`supervised.layers` for one model; by default the last; of an encoder-decoder in its encoder), or, of a baseline, the
embeddings of both tuples (pair_vectors.py, encoder.py).

How values are averaged. The unit of a value is the positive. Its value is the plain mean of all decisions on it: over
queries, draws and, supervised, both judgments. For random, those of both its kinds count, another head and another tail. The
condition is the relation, or a group of relations; an average is over the positives of a condition, each of which counts
alike. Tuples are dealt into partitions: supervised, only test tuples are judged; unsupervised, those of
`unsupervised.partitions`: all, as in the paper, if the config names none. An agent is a model or a baseline, which models
are tested against: static vectors, or an encoder of pairs such as RelBERT. A model may also choose in words: its value is
the share of right answers over orders and samples, an answer that cannot be read is wrong, and a kind of negative with more
than 20 % of these has no values (chat.py). There are no people.

What a test takes as independent. Tests and intervals take clusters as independent of each other. Under a relation the
cluster is the family: tuples that share a word, or are joined by others that do. A model that knows the word is right about
all of them. Under a group it is the relation, which a model knows or not.

Each of these four tables is made from the ones before it, in the order of the paper:

    items      relation, draw, partition, probe, query, positive, negative     a row per instance (two columns a pair)
    scores     text, logprob, tokens                                           a row per sentence; or its words' vectors
    responses  setting, relation, probe, draw, query, tuple, value           a row per decision: 1 right, 0 wrong, 1/2 tied
    values     metric, condition, unit, cluster, value                         what averages and tests read (relprobe.stats)

The items are the files `tuples`, `instances` and `probes` (their sentences). The column `probe` names a kind of negative,
such as random_head, which has another head. The responses also have the two words that were judged (`head`, `tail`) and, in
the supervised setting, their `label`. A sample of test instances is also asked with a swapped query, the control of each
agent: the head of one tuple with the tail of another one, such as (paris, spain). It has no word of the tuples that are
judged, and its `instead_of` is the right query (swapped.py). A model answers with the natural-log probability of a sentence
and its number of tokens. A sentence with a word that the tokenizer cannot write has no probability, and the instance no
decision. Where a model is asked for vectors, such a word is an error; a baseline without a vector of a word has no decision.

The paper has the probes, both settings, both baselines and the tables. This study adds the choices about negatives
(choices.py), five draws of tuples and instances (the paper names none), several seeds, causal and encoder-decoder models,
answers in words, tied decisions, the swapped queries, and clusters. If the config asks for it, the perplexity is per token,
or no two partitions share a word. Numbers in comments, such as 2.2, are those of the paper's sections.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.sums import ordered_mean
from relprobe.core.words import amount
from relprobe.lm.requests import Sentence, SpanText
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.choices import Choices
from relprobe.studies.analogies.features import Matrix, PairFeatures
from relprobe.studies.analogies.schemas import (
    ANALOGY,
    DECISIONS,
    INSTANCES,
    METRICS,
    PROBE_TYPES,
    TUPLES,
    Decisions,
    Instances,
    Metrics,
    Scores,
    Tuples,
)
from relprobe.studies.analogies.schemas import Partition as PartitionName
from relprobe.studies.analogies.template import NEGATIVE, POSITIVE, Template
from relprobe.studies.examples import Example, probe_prefix

# 2.2 Probes: what makes a negative, and what the paper leaves open about it.
# A positive (h, t) gives the negatives (h', t) and (h, t') (random), (t', h') of another tuple (reverse), and (h, h') or
# (t, t') (type). Read literally, the paper takes words of the query for some of these (choices.py).


Pair = tuple[str, str]


@dataclass(frozen=True)
class Partition:
    """The tuples of one partition of a relation, and the pairs that may not be its negatives.

    `answers`: head -> all its answers, over the whole relation; `forbidden`: pairs of words that belong to the other
    partition.
    """

    name: str
    pairs: Sequence[Pair]
    answers: Mapping[str, frozenset[str]]
    forbidden: frozenset[Pair]
    choices: Choices = field(default_factory=Choices)

    def negative(self, probe: str, query: int, positive: int, chance: random.Random) -> Pair | None:
        """Return a negative for the tuple number `positive` with the tuple number `query`, or None if there is none.

        - random_head (h', t) and random_tail (h, t'): one word of the positive (h, t) is replaced by that of another tuple.
        - reverse (t', h'): another tuple in the other order, drawn at random; the positive itself if no other is allowed.
        - type (h, h') or (t, t'): two heads if query + positive is odd, else two tails; the other kind if none is allowed.
        If no such negative of the positive is allowed, the negative is made from another tuple in the same way. `choices`
        makes them otherwise.

        >>> tuples = [("paris", "france"), ("rome", "italy"), ("oslo", "norway")]
        >>> partition = Partition("test", tuples, {head: frozenset([tail]) for head, tail in tuples}, frozenset())
        >>> partition.negative("reverse", query=0, positive=1, chance=random.Random(1))
        ('norway', 'oslo')
        >>> partition.negative("random_head", query=0, positive=1, chance=random.Random(1))
        ('oslo', 'italy')
        """
        distractors = [number for number in range(len(self.pairs)) if number not in (query, positive)]
        chance.shuffle(distractors)
        heads_first = (query + positive) % 2 == 1
        first = query if self.choices.random == "query" and probe.startswith("random") else positive
        for number in (first, *distractors):
            other_pairs = [self.pairs[distractor] for distractor in distractors if distractor != number]
            for pair in _candidates(probe, self.pairs[number], other_pairs, heads_first, self.choices):
                if self._allows(pair):
                    return pair
        return None

    def _allows(self, pair: Pair) -> bool:
        first, second = pair
        is_true = self.choices.filter and second in self.answers.get(first, ())
        return first != second and not is_true and pair not in self.forbidden


def _candidates(
    probe: str, pair: Pair, other_pairs: Sequence[Pair], heads_first: bool, choices: Choices
) -> Iterator[Pair]:
    """Yield the negatives that one tuple gives with the words of `other_pairs`, the likeliest choice first."""
    head, tail = pair
    if probe == "random_head":
        return ((other_head, tail) for other_head, _ in other_pairs)
    if probe == "random_tail":
        return ((head, other_tail) for _, other_tail in other_pairs)
    if probe == "reverse":
        reversed_pairs = (
            () if choices.reverse == "own" else ((other_tail, other_head) for other_head, other_tail in other_pairs)
        )
        return itertools.chain(reversed_pairs, [(tail, head)])
    heads = itertools.chain(
        _printed([other for other, _ in other_pairs], choices), ((head, other) for other, _ in other_pairs)
    )
    tails = itertools.chain(
        _printed([other for _, other in other_pairs], choices), ((tail, other) for _, other in other_pairs)
    )
    return itertools.chain(heads, tails) if heads_first else itertools.chain(tails, heads)


def _printed(words: Sequence[str], choices: Choices) -> Iterator[Pair]:
    """Yield the pairs of two words of other tuples, if the type probe is to be as printed."""
    return itertools.permutations(words, 2) if choices.type == "printed" else iter(())


def shared_pairs(words: set[str], chance: random.Random) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Divide the ordered pairs of the words that both partitions have; return those that training and test may not use.

    So no pair of words is judged both in training and in the test.

    >>> train, test = shared_pairs({"a", "b", "c"}, random.Random(1))
    >>> len(train), len(test), train & test
    (3, 3, frozenset())
    """
    pairs = list(itertools.permutations(sorted(words), 2))
    chance.shuffle(pairs)
    return frozenset(pairs[::2]), frozenset(pairs[1::2])


# 2.3 Datasets: the tuples of each relation in two partitions, in several draws, of which each has negatives of its own.
#
# Tuples that are linked by words that they share, such as two animals with the same sound, are a family. What an agent knows
# of a shared word decides about all of them. In 23 of the 40 relations of BATS no two tuples share a word; in E09 (things
# and colours) the 50 tuples make eight families.


MIN_TUPLES = 3
"""A partition needs three tuples: the query, the positive, and one that gives the negative its words."""


@dataclass(frozen=True)
class Split:
    """How the tuples of a relation are divided into training and test.

    `train_share`: the share of the tuples for training; `draws`: how many times they are divided. `lexical`: tuples that
    share a word stay together, so that no word of a test tuple is seen in training.
    """

    train_share: float
    seed: int
    draws: int = 1
    lexical: bool = False


def tuples(pairs: pl.DataFrame, size: int | None, split: Split) -> pl.DataFrame:
    """Split the tuples of every relation (ANALOGIES) at random into training and test (TUPLES).

    `size`: how many tuples of each relation are sampled (None: all of them). All draws divide the same sample. The sample
    and the draws of a relation depend only on the seed and on the tuples of this relation. DataError: a partition has fewer
    than three tuples, or a relation fewer than `size`.
    """
    parts = []
    for (code,), rows in pairs.group_by("relation", maintain_order=True):
        if size is not None and rows.height < size:
            raise DataError(
                f"{code} has {amount(rows.height, 'tuple')}, but the config samples {size}: lower `sample.tuples`."
            )
        chance = random.Random(f"{split.seed} {code}")  # noqa: S311
        indices = sorted(chance.sample(range(rows.height), size or rows.height))
        sampled = rows[indices].with_columns(tail=pl.col("answers").list.first())
        family = families(sampled.select("head", "tail").rows())
        for draw in range(1, split.draws + 1):
            train = _training(str(code), family, split, draw)
            partition = pl.Series(["train" if index in train else "test" for index in range(len(indices))])
            parts.append(sampled.with_columns(family=pl.Series(family), draw=pl.lit(draw), partition=partition))
    return pl.concat(parts).select(list(TUPLES)).cast(TUPLES)


def _training(code: str, family: Sequence[str], split: Split, draw: int) -> set[int]:
    """Return the indices of the training tuples of a draw, among tuples of these families; DataError as in `tuples`."""
    count = len(family)
    chance = random.Random(f"{split.seed} {code} draw {draw}")  # noqa: S311
    order = chance.sample(range(count), count)
    train = set(order[: round(count * split.train_share)])
    if split.lexical:
        members = {name: [index for index in order if family[index] == name] for name in dict.fromkeys(family)}
        together = chance.sample(list(members.values()), len(members))
        chosen = nearest_sum([len(group) for group in together], len(train))
        train = {index for number in chosen for index in together[number]}
    if min(len(train), count - len(train)) < MIN_TUPLES:
        raise DataError(
            f"{code}: {len(train)} of {count} tuples are for training, but both partitions need {MIN_TUPLES}: "
            "raise `sample.tuples` or change `split.train_share`."
        )
    return train


def families(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each pair of words the name of its family, which is that of the family's first pair.

    >>> families([("ant", "black"), ("blood", "red"), ("bat", "black"), ("rose", "red")])
    ['ant : black', 'blood : red', 'ant : black', 'blood : red']
    """
    family_of: dict[str, int] = {}  # word -> the number of a family
    merged: dict[int, int] = {}  # the number of a family -> that of the one that took it in

    def first(number: int) -> int:
        while number in merged:
            number = merged[number]
        return number

    for number, pair in enumerate(pairs):
        linked = {first(family_of[word]) for word in pair if word in family_of} | {number}
        merged.update(dict.fromkeys(linked - {min(linked)}, min(linked)))
        family_of.update(dict.fromkeys(pair, min(linked)))
    return [" : ".join(pairs[first(family_of[pair[0]])]) for pair in pairs]


def nearest_sum(sizes: Sequence[int], target: int) -> list[int]:
    """Return indices of sizes whose sum is as near to the target as any choice's; of equal ones, the first that is found.

    >>> nearest_sum([5, 2, 4], 6), nearest_sum([5, 5], 4)
    ([1, 2], [0])
    """
    choices: dict[int, list[int]] = {0: []}
    for index, size in enumerate(sizes):
        for total, chosen in list(choices.items()):
            choices.setdefault(total + size, [*chosen, index])
    return choices[min(choices, key=lambda total: abs(total - target))]


def instances(
    table: pl.DataFrame, pairs: pl.DataFrame, size: int | None, seed: int, choices: Choices | None = None
) -> pl.DataFrame:
    """Pair every tuple of a partition, as the query, with every other as the positive, and add a negative (INSTANCES).

    `table`: the tuples of the study (TUPLES); `pairs`: all relations (ANALOGIES). `choices`: how negatives are made. A
    partition of n tuples has n(n-1) instances per draw and probe type. If `size` is smaller, `size` of them are drawn at
    random, the same for all probe types. Unless `choices` says otherwise, a negative is never a tuple of the relation:
    all answers count, and so do tuples that the sample left out. Within a draw, no pair of words is judged in both
    partitions; the same two words in the other order may be, for example as a negative of the type probe. DataError: a
    positive has no negative.
    """
    rows: list[tuple[str | int | None, ...]] = []
    for (code,), relation in table.group_by("relation", maintain_order=True):
        answers = {
            head: frozenset(words) for head, words in pairs.filter(relation=code).select("head", "answers").iter_rows()
        }
        for (draw,), draw_tuples in relation.group_by("draw", maintain_order=True):
            name = f"{code} draw {draw}"
            for partition in _partitions(draw_tuples, answers, f"{seed} {name}", choices or Choices()):
                for probe, *words in _partition_instances(name, partition, size, f"{seed} {name} {partition.name}"):
                    rows.append((code, draw, partition.name, probe, *words))
    return pl.DataFrame(rows, schema=INSTANCES, orient="row")


def _partitions(
    draw_tuples: pl.DataFrame, answers: Mapping[str, frozenset[str]], seed: str, choices: Choices
) -> list[Partition]:
    pairs_of: dict[str, list[Pair]] = {
        name: draw_tuples.filter(partition=name).select("head", "tail").rows() for name in ("train", "test")
    }
    words = [{word for pair in pairs for word in pair} for pairs in pairs_of.values()]
    forbidden = shared_pairs(words[0] & words[1], random.Random(f"{seed} shared"))  # noqa: S311
    return [
        Partition(name, pairs, answers, forbidden_pairs, choices)
        for (name, pairs), forbidden_pairs in zip(pairs_of.items(), forbidden, strict=True)
    ]


def _partition_instances(
    where: str, partition: Partition, size: int | None, seed: str
) -> Iterator[tuple[str | None, ...]]:
    """Yield the columns of INSTANCES from the probe on, of one partition of a relation in one draw."""
    pairs = partition.pairs
    numbers = list(itertools.permutations(range(len(pairs)), 2))
    if size is not None and size < len(numbers):
        numbers = sorted(random.Random(seed).sample(numbers, size))  # noqa: S311
    for probe in PROBE_TYPES:
        chance = random.Random(f"{seed} {probe}")  # noqa: S311
        for query, positive in numbers:
            negative = partition.negative(probe, query, positive, chance)
            if negative is None:
                raise DataError(
                    f"{where}, {partition.name}: {' : '.join(pairs[positive])} has no negative for the probe {probe!r} "
                    "that is not in the relation: raise `sample.tuples`, change `split.seed`, or leave this relation out."
                )
            yield probe, *pairs[query], *pairs[positive], *negative, None


# 2.4 What a model is asked: how likely each sentence is, and, for classifiers, what vectors its four words have.


def sentence_requests(
    probes: pl.DataFrame, template: Template | None = None, shots: int = 0, examples: Sequence[Example] = ()
) -> Iterator[Sentence]:
    """Yield every text of PROBES once, as a request for the probabilities of its tokens.

    `shots`: how many `examples` (h1, t1, h2, t2) in the `template` stand before a text; none has a word of it. DataError:
    there are fewer.
    """
    for text, *words in probes.unique("text", maintain_order=True).select("text", *ANALOGY).iter_rows():
        prefix = ""
        if template is not None and shots:
            prefix = probe_prefix(examples, template.solve, shots, "", text, {*words})
        yield Sentence(text, text, prefix)


def span_requests(probes: pl.DataFrame, template: Template) -> Iterator[SpanText]:
    """Yield every sentence of a relation in PROBES once, as a request for the vectors of its words in the order of ANALOGY.

    >>> words = {"relation": "E01", "h1": "paris", "t1": "france", "h2": "rome", "t2": "italy"}
    >>> template = Template.of("{h1} {t1}, {h2} {t2}")
    >>> next(span_requests(pl.DataFrame([words]), template)).spans
    ((0, 5), (6, 12), (14, 18), (19, 24))
    """
    different = probes.unique(["relation", *template.slots], maintain_order=True)
    for relation, *words in different.select("relation", *template.slots).iter_rows():
        text, spans = template.fill(words)
        yield SpanText(f"{relation}\t{text}", text, tuple(spans[slot] for slot in ANALOGY))


# 2.1, 2.4, 3.1 Decisions without training: a model prefers the sentence of lower perplexity, a baseline the larger cosine.
# Those of classifiers are made in training.py: a perceptron reads the four vectors of a sentence, concatenated.


Perplexity = Literal["sentence", "token"]


def by_perplexity(
    scores: Scores, instances: Instances, *, template: str, partitions: list[PartitionName], perplexity: Perplexity
) -> Decisions:
    """Return which tuple of each instance has the sentence with the lower (pseudo-)perplexity (Eq. 1).

    "sentence" is exp(-Σ log P) as Eq. 1 prints it (the default), "token" the usual exp(-Σ log P / |S|). An instance with a
    word that the model's tokenizer cannot write has no decision. DataError: the scores lack a sentence.

    >>> from relprobe.studies.analogies.schemas import INSTANCES
    >>> row = ("E01", 1, "test", "reverse", "rome", "italy", "oslo", "norway", "norway", "oslo", None)
    >>> instances = pl.DataFrame([row], schema=INSTANCES, orient="row")
    >>> texts = ["rome italy, oslo norway", "rome italy, norway oslo"]
    >>> scores = pl.DataFrame({"text": texts, "logprob": [-5.0, -7.0], "tokens": [4, 4]})
    >>> options = {"template": "{h1} {t1}, {h2} {t2}", "partitions": ["test"], "perplexity": "sentence"}
    >>> by_perplexity(scores, instances, **options)["value"].item()
    1.0
    """
    sentence, rows = Template.of(template), instances.filter(pl.col("partition").is_in(partitions))
    per = pl.col("tokens") if perplexity == "token" else pl.lit(1)
    log_perplexities = scores.select("text", log_perplexity=-pl.col("logprob") / per)
    texts = [rows.select(text=sentence.expression(columns)) for columns in (POSITIVE, NEGATIVE)]
    if pl.concat(texts).join(scores, on="text", how="anti").height:
        raise DataError("the scores lack a sentence of the instances: delete them and run again.")
    positive, negative = (
        text.join(log_perplexities, on="text", how="left", maintain_order="left")["log_perplexity"].alias(name)
        for name, text in zip(("positive", "negative"), texts, strict=True)
    )
    scored = positive.is_not_null() & negative.is_not_null()
    return decisions_of(rows.filter(scored), larger_wins(-positive.filter(scored), -negative.filter(scored)))


def by_cosine(vectors: ScoreFile, instances: Instances, *, partitions: list[PartitionName]) -> Decisions:
    """Return which tuple of each instance has the embedding with the larger cosine with the query's (section 3.1).

    `vectors`: a file of pair_vectors.VECTORS, from which one relation is read at a time.
    """
    rows = instances.filter(pl.col("partition").is_in(partitions))
    return pl.concat(
        by_features(rows.filter(relation=relation), PairFeatures.read(vectors, relation))
        for relation in rows["relation"].unique(maintain_order=True)
    )


def by_features(rows: pl.DataFrame, vectors: PairFeatures) -> pl.DataFrame:
    """Choose by cosine between the two tuples of each instance of one relation; return the decisions (DECISIONS)."""
    query = vectors.pair_embeddings(rows.select("query_head", "query_tail"))
    positive, negative = (
        pl.Series(cosines(query, vectors.pair_embeddings(rows.select(columns))), dtype=pl.Float64, nan_to_null=True)
        for columns in (["head", "tail"], ["negative_head", "negative_tail"])
    )
    return decisions_of(rows, larger_wins(positive, negative))


def cosines(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    """Return the cosine of each row of `a` with that of `b` (rows,); NaN where a vector is missing (NaN) or zero.

    >>> cosines(np.array([[1.0, 0.0], [0.0, 0.0]], np.float32), np.array([[2.0, 0.0], [1.0, 1.0]], np.float32))
    array([ 1., nan])
    """
    scale = np.linalg.norm(a, axis=1).astype(np.float64) * np.linalg.norm(b, axis=1)
    dots = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.divide(dots, scale, out=np.full(len(a), np.nan), where=scale > 0)


def larger_wins(positive: pl.Series, negative: pl.Series) -> pl.Series:
    """Return the values of decisions between the scores of two tuples: the larger score wins.

    A tie counts 1/2: an agent that scores all tuples alike is right as often as one that guesses.
    """
    value = pl.when(positive > negative).then(1.0).when(positive < negative).then(0.0).when(positive == negative)
    return pl.select(value.then(0.5).otherwise(None)).to_series()


def decisions_of(instances: Instances, values: pl.Series) -> Decisions:
    """Return the decisions on instances (DECISIONS). `values`: of each, 1 right, 0 wrong, or between them; null: none."""
    return instances.select(
        setting=pl.lit("unsupervised"),
        relation="relation",
        probe="probe",
        draw="draw",
        query=pl.format("{} : {}", "query_head", "query_tail"),
        tuple=pl.format("{} : {}", "head", "tail"),
        head="head",
        tail="tail",
        label=pl.lit(None, pl.Boolean),
        value=values,
        instead_of="instead_of",
    ).select(list(DECISIONS))


# 3, 4 Values: accuracies by tuple, under each relation and each group of relations.


COLUMNS = ("random", "reverse", "type")
"""The columns of Tables 1 and 2; random is over the decisions of random_head and random_tail."""
RIGHT, SWAPPED = ", right query", ", swapped query"
"""The ends of the metrics' names on the sampled instances: with their own query, and with a query made of two other
tuples."""
ALL = "All"
UNMARKED = "unmarked"
"""The condition without the marked relations (∗, † in Table 2): one- or many-to-many, and bidirectional ones (section 4),
over all groups; "ES unmarked" is the same within one group."""


def values(decisions: Decisions, tuples: Tuples) -> Metrics:
    """Return the accuracies of an agent's decisions: A = Σ v / n over the values v of its n decisions on a tuple.

    A metric is a setting and a kind of negative, such as "supervised random", over the decisions of random_head and
    random_tail. "supervised random, swapped query" is the accuracy on the controls, and "supervised random, right query"
    that on the same instances. A unit is the positive tuple of an instance; its value is over all queries and draws: how
    hard an instance is depends on this tuple more than on the query. In the supervised setting the judgments of the
    positive and of the negative both count for the positive. Decisions without a value take no part. A condition is a
    relation (its code) or a group (ES and LS, encyclopedic and lexicographic semantics; DM and IM, derivational and
    inflectional morphology; All, unmarked, ES unmarked). Under a relation a cluster is a family of tuples, and under a
    group it is a relation.

    >>> from relprobe.studies.analogies.schemas import DECISIONS, TUPLES
    >>> row = ("supervised", "E01", "reverse", 1, "rome : italy", "oslo : norway", "oslo", "norway", True)
    >>> decisions = pl.DataFrame([(*row, 1.0, None), (*row, 0.0, None)], schema=DECISIONS, orient="row")
    >>> tuples = pl.DataFrame(
    ...     [("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")],
    ...     schema=TUPLES,
    ...     orient="row",
    ... )
    >>> values(decisions, tuples).rows()[:2]
    [('supervised reverse', 'E01', 'E01 oslo : norway', 'oslo : norway', 0.5), ('supervised reverse', 'ES', \
'E01 oslo : norway', 'E01', 0.5)]
    """
    judged = decisions.drop_nulls("value")
    right, swapped = _paired(judged)
    parts = {"": judged.filter(pl.col("instead_of").is_null()), RIGHT: right, SWAPPED: swapped}
    by_relation = pl.concat(_accuracies(part, tuples, end) for end, part in parts.items())
    return pl.concat([by_relation, *_by_group(by_relation, tuples)]).select(list(METRICS)).cast(METRICS)


def _paired(judged: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the decisions of the same instances with the right query and with the swapped one, where both were made."""
    asked = judged.with_columns(query=pl.coalesce("instead_of", "query"))
    is_control = pl.col("instead_of").is_not_null()
    controls, usual = asked.filter(is_control), asked.filter(~is_control)
    key = ["setting", "relation", "probe", "draw", "query", "tuple", "head", "tail"]
    return (
        usual.join(controls, on=key, how="semi", maintain_order="left"),
        controls.join(usual, on=key, how="semi", maintain_order="left"),
    )


def _accuracies(judged: pl.DataFrame, tuples: pl.DataFrame, end: str) -> pl.DataFrame:
    """Return the accuracy of each tuple under its relation (METRICS); `end`: that of the names of the metrics."""
    random_probes = judged.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    probes = COLUMNS if end else (*COLUMNS, *PROBE_TYPES)
    family = tuples.select("relation", "family", tuple=pl.format("{} : {}", "head", "tail")).unique()
    return (
        pl.concat([judged, random_probes])
        .filter(pl.col("probe").is_in(probes))
        .group_by("setting", "probe", "relation", "tuple", maintain_order=True)
        .agg(ordered_mean("value"))
        .join(family, on=["relation", "tuple"], how="left", maintain_order="left")
        .select(
            metric=pl.format("{} {}{}", "setting", "probe", pl.lit(end)),
            condition="relation",
            unit=pl.format("{} {}", "relation", "tuple"),
            cluster="family",
            value="value",
        )
    )


def _by_group(by_relation: pl.DataFrame, tuples: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the accuracies under the groups of relations, all of them, and those without marked relations (section 4)."""
    relations = tuples.select("group", "marks", cluster="relation").unique("cluster")
    rows = by_relation.with_columns(cluster="condition").join(
        relations, on="cluster", how="left", maintain_order="left"
    )
    group, unmarked = pl.col("group"), rows.filter(marks="")
    # Groups without marked relations need no second condition.
    with_marks = group.is_in(relations.filter(pl.col("marks") != "")["group"].unique().to_list())
    parts = [
        rows.with_columns(condition=group),
        rows.with_columns(condition=pl.lit(ALL)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(with_marks).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(METRICS)) for part in parts]
