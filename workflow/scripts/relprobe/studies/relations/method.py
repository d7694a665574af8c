"""What do language models know about semantic relations? Cao et al., from words to numbers.

What is asked. A tuple is a target, a relation and a relatum, such as (robin, HYP, bird). A prompt of hypernymy and the
target robin make the probe “a robin is a kind of [DET] [V]”. A model reads it twice, “… kind of a [V]” and “… kind of an
[V]”, and nothing stands after the slot but what the prompt has there: a masked model reads one mask in the slot, an
encoder-decoder a blank, and a causal model the text up to it. It answers with its likeliest next tokens v of the whole
vocabulary. The two probabilities are averaged, P(v) = Σ f · P(v | article), with the shares f of the articles in the
language as weights, which add up to 1 (by wordfreq; `variants`). A prompt without [DET] before the slot is read once. The
paper's people read a prompt once and type up to five words each; `human_text` is its wording in the authors' file. The
prompts of an asymmetric relation are also asked about relata, “a bird is a kind of”: these are trick probes, the others main
probes.

What is right. Each target and relation has a relatum set Y: the words of the shared lexicon that have the relation to the
target, by the tuples and by WordNet. The shared lexicon has the words that are one token of every model of `lexicon.panel`,
whatever other models the run has, and a model is asked about the targets that are one of its own tokens. Answers of several
tokens have lists of their own, and ask about all targets (answer_spaces.py). A word that has two relations to the target is
in the set of neither, unless these may share words. Any other answer is wrong, but takes up a rank: such a word, one outside
the lexicon, a token that starts no word. Tuples with a word outside the lexicon are left out. A target without relata has
symmetry and asymmetry alone, for which a word of a tuple counts even if Y lacks it.

How it is scored. An agent's response is a ranked list L of words, the likeliest first. Y is that of the prompted relation r.

- soundness, P@1: 1 if the first word is in Y, else 0;
- completeness: the share of the first k words that are in Y, for k = min(|Y|, |L|);
- symmetry at k, of a tuple with the words w and v: 1 if v is among the first k words for w, and w among those for v;
  asymmetry: v for w, and not w for v, when the prompt of the relation asks about v (a trick probe, or v's main probe);
- prototypicality: ½ if the first word is people's, and ½ · c / k, where people's ranking has k words, and c is the length of
  its longest common subsequence with the first k words. A probe counts if its relation is `prototypical`, people name words
  of the lexicon alone, and they do not name several words equally often (entropy below 1; lists.py);
- distinguishability of a relation s: the target's best relatum of s has rank i; the value is (i - 1) / |Y|, or 1 if i > |Y|,
  where Y is still that of r. The distance D(r, s) is the mean of the value of s minus the value of r, on the targets that
  have relata of both. AuDC is the sum of the distances of the pairs (r, s) with at least `choices.minimum_targets` such
  targets: ten by default, one in the paper.

All orders of words of equal weight are equally likely. A value is its mean over these orders. Further values say how an
answer is wrong (measures.py).

How values are averaged, and what a test takes as independent. The unit of a value is a probe or, of symmetry and asymmetry,
a tuple with a prompt, at each cut-off `k`; a symmetric pair counts once. Of distinguishability, `versus` is the relation s
whose relata are ranked, which may be r itself. An average is over the prompts of a target or tuple first, and then over the
targets or tuples of a relation. In a relation that people have answered, every agent is averaged over the probes that people
answered, unless the config says otherwise (`targets`). Each average is of a relation; the main test of an agent and the
table of model sizes go over relations, and AuDC is a sum over pairs of these. An agent that likes a word is right wherever
it is a relatum. So two targets with a common word of Y are linked, two tuples by a word, and two targets of a distance by a
relatum of r or s. Tests and intervals take two linked units as dependent, and the prompts of a relation as a sample, too.
Those of AuDC have all distances of a target word as one unit (areas.py). Links do not chain: if A is linked to B and B to C,
A and C count as independent (stats/linked.py). In the form of all studies the relation, `versus` and `k` are one condition,
and target, relatum and prompt one unit (core/values.py).

Each of these four tables is made from the ones before it, in the order of the paper:

    items      tuples    target, relation, relatum                                 (robin, HYP, bird), and its reverse
               probes    probe_id, relation, target, prompt_id, kind, text         what is asked: main and trick probes
               relata    target, relation, relatum                                 what is right: the relatum sets Y
    scores     probe_id, token_ids, logprobs                                       a row per probe; lists, likeliest first
    responses  probe_id, words, weights                                            a row per probe; lists, best word first
    values     metric, relation, target, prompt_id, relatum, k, versus, cluster, value

Tuples and relata also name their `sources`, and a probe the `variants` of its text. The file of an agent's responses also
says of which kind the agent is, and under which choice its answers were read.

A model answers a probe with the natural-log probabilities of its likeliest tokens (`relations.top_k`). A probe with a word
that its tokenizer cannot write is left out. People are two agents: `humans`, all together, where the weight of a word is its
share of all answers, and `annotator`, where each list has values of its own, and a probe counts as the mean over its lists
(symmetry takes the shares of lists, as nobody knows which two are by one person). The other agents are models, norms and
controls. Prototypicality is a mean over people: each is left out in turn, and the answer is compared with the ranking of the
rest. Other modules bring answers of other kinds into this form: words of any length, closed lists (answer_spaces.py), lists
that models write (lists.py), norms and people (people.py), and controls, which know nothing of the pair (controls.py).

The paper has the tuples, prompts and probes, the relatum sets, and the metrics with their equations. This study adds what
`Choices` names: the expected value of ties, the best relatum (Eq. 24 prints the mean), people without the one who answers
(the paper pools all), and other readings. A list shorter than k has c / k here, and more by the paper's edit similarity. It
also adds tuples of WordNet and of a user, parts of the prompts for each target (`prompt_parts`), distances over the same
targets, distances below 0 and a least number of targets in AuDC, shares of articles by wordfreq (the paper's are of COCA),
links, solved examples, `annotator`, norms, controls, and answers of other kinds; distances.py has AuDC as Eq. 25, 26 and 28
are printed. Numbers of sections and equations are those of the paper.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.relation import Relations, augment, in_lexicon, merge
from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.words.lexicon import Words
from relprobe.sources.language import Articles
from relprobe.sources.relations import RelationsFile
from relprobe.sources.written import Capitals
from relprobe.studies.relations.prompts import Prompt, verbalise
from relprobe.studies.relations.ranks import PROMPTED, best_ranks, hits, linked_pairs, mean_ranks, rank_bounds, within
from relprobe.studies.relations.sampling import deal
from relprobe.studies.relations.schemas import METRICS, PROBES, RELATA, UNIT, Probes, Relata, Tuples
from relprobe.studies.relations.similarity import mean_similarity

# 4.1 Tuples (w, r, v): the relatum v has the relation r to the target w. Every tuple has its reverse, too (Eq. 4 to 7).


def united_tuples(sources: list[pl.DataFrame], relations: Relations) -> pl.DataFrame:
    """Unite the sources' tuples and augment them (Eq. 4 to 7), whatever any model's lexicon holds.

    A tuple of a word with itself is left out.
    """
    united = augment(merge(pl.concat(sources)), relations.inverse)
    return united.filter(pl.col("target") != pl.col("relatum"))


# 4.2 Probes: a prompt p of the relation r and the target w make a question, such as "a robin is a kind of [DET] [V]".
# `verbalise` in prompts.py puts the target in, and chooses the articles (section 7.2).
# 5.2 The prompts of an asymmetric relation are also asked about the targets of its reverse. No answer to such a trick probe
# counts as right. For (robin, HYP, bird) the main probe is “a robin is a kind of”, and the trick probe “a bird is a kind
# of”: asymmetry checks that robin is not among its first k words.


def probes(
    tuples: pl.DataFrame, prompts: list[Prompt], articles: Articles, relations: Relations, parts: int = 1
) -> pl.DataFrame:
    """Verbalise every prompt with its targets: main probes, and trick probes for the asymmetric relations (section 5.2).

    The rows of one target stand together, so that its probes share what they begin with. `parts`: the prompts
    of a relation are split into so many parts, and each target is asked with one of them.
    """
    names = {
        prompt.relation: [other.id for other in prompts if other.relation == prompt.relation] for prompt in prompts
    }
    dealt = deal(tuples, names, relations, parts)
    targets = {
        relation: set(tuples.filter(relation=relation)["target"])
        for relation in {prompt.relation for prompt in prompts}
    }
    rows = []
    for prompt in prompts:
        main = targets[prompt.relation]
        trick = set(tuples.filter(relation=relations.inverse[prompt.relation])["target"]) - main
        for target in (main | trick) & dealt.get(prompt.id, set()):
            text, variants = verbalise(prompt, target, articles)
            kind = "main" if target in main else "trick"
            rows.append((f"{prompt.id}:{target}", prompt.relation, target, prompt.id, kind, text, variants))
    return pl.DataFrame(rows, schema=PROBES, orient="row").sort("target", "probe_id")


# 4.3 What is right: the relatum set Y of a target and relation has the relata of its tuples, and those that WordNet adds.


def relata(tuples: pl.DataFrame, wordnet: pl.DataFrame, lexicon: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the relatum sets Y (section 4.3): the tuples and WordNet's relata of their targets, in the shared lexicon.

    A word that lands in two relations of one target is dropped from both, so the sets of a target are disjoint; but
    relations that name each other in `shares_words_with` may both have it.
    """
    targets = in_lexicon(tuples, lexicon).select("target").unique()
    expansion = wordnet.select("target", "relation", "relatum", sources=pl.lit(["wordnet"]))
    pairs = merge(pl.concat([tuples, expansion])).join(targets, on="target", how="semi")
    pairs = in_lexicon(pairs, lexicon).filter(pl.col("target") != pl.col("relatum"))
    return unambiguous(pairs, relations).select(list(RELATA))


def unambiguous(pairs: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Leave out the pairs whose words stand in another relation as well, unless the two relations may share words."""
    codes = relations.codes
    excluding = [(first, second) for first in codes for second in codes if relations.exclude(first, second)]
    exclusions = pl.DataFrame(excluding, schema=["relation", "other"], orient="row")
    several = pairs.filter(pl.len().over("target", "relatum") > 1).select("target", "relatum", "relation")
    other_relations = several.rename({"relation": "other"})
    ambiguous = several.join(other_relations, on=["target", "relatum"]).join(
        exclusions, on=["relation", "other"], how="semi"
    )
    return pairs.join(ambiguous, on=["target", "relatum", "relation"], how="anti", maintain_order="left")


@dataclass(frozen=True)
class GoldStandard:
    """The items of the study: its probes (PROBES), and the words that are right answers to them.

    `relata`: the relatum sets (RELATA). `tuples`: all tuples (TUPLES), also those with words outside the
    `shared_lexicon` (WORDS), which holds the words that may be answers. `relations`: all relations of the study.
    """

    probes: Probes
    relata: Relata
    tuples: Tuples
    shared_lexicon: Words
    relations: RelationsFile

    @cached_property
    def capitals(self) -> Capitals:
        """The capitals of the study's words: those of its tuples and relata, and those of the lexicon."""
        named = [table[name] for table in (self.tuples, self.relata) for name in ("target", "relatum")]
        return Capitals.of(itertools.chain(*named, self.probes["target"]), self.shared_lexicon["word"])

    def inside(self) -> pl.DataFrame:
        """Return the tuples whose words are all in the lexicon."""
        return in_lexicon(self.tuples, self.shared_lexicon)


# What a model is asked, and what it answers: its likeliest tokens at the slot [V], with their natural-log probabilities.


def requests(probes: pl.DataFrame, prefixes: Mapping[str, str] | None = None, draw: int = 1) -> Iterator[SlotProbe]:
    """Turn rows of PROBES into requests to the engine.

    `prefixes`: probe -> the text before it. The id of a request is that of its probe; from the second draw
    of examples on, the number of the draw stands before it ("2 hyp-kind:robin").
    """
    start = "" if draw == 1 else f"{draw} "
    for probe_id, variants in probes.select("probe_id", "variants").iter_rows():
        text = prefixes[probe_id] if prefixes else ""
        wordings = tuple(Variant(text + variant["text"], variant["weight"]) for variant in variants)
        yield SlotProbe(f"{start}{probe_id}", wordings)


def score_responses(scores: pa.Table, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its scores, each column in one chunk.

    `lexicon` (LEXICON) says which word a token is. Any other token is written "##token", which is no word. The weights are
    probabilities.
    """
    no_word = pl.lit("##") + pl.col("token").str.strip_prefix("##")
    words = lexicon.sort("token_id").select(pl.coalesce("word", no_word)).to_series().to_arrow().cast(pa.string())
    ids, logprobs = (scores[name].chunk(0) for name in ("token_ids", "logprobs"))
    columns = {
        "probe_id": scores["probe_id"],
        "words": pa.ListArray.from_arrays(ids.offsets, pa.DictionaryArray.from_arrays(ids.values, words)),
        "weights": pa.ListArray.from_arrays(ids.offsets, _float_array(np.exp(logprobs.values.to_numpy()))),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns)))


def _float_array(values: NDArray[np.float32]) -> pa.Array:
    """Return an Arrow array of the same memory; `pa.array` would import pandas to look at the values."""
    return pa.Array.from_buffers(pa.float32(), len(values), [None, pa.py_buffer(values)])


# What people answer: a list each. 5 The response of all of them ranks the words by their shares.


def pooled_responses(words: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of all annotators together, from their words (`answered_words`).

    A word's weight is its share of all answers to the probe (section 5), and words of equal weight keep the order in
    which they were first named.

    >>> rows = [("hyp:robin", "HYP", "animal"), ("hyp:robin", "HYP", "bird"), ("hyp:robin", "HYP", "bird")]
    >>> words = pl.DataFrame(rows, schema=["probe_id", "relation", "word"], orient="row")
    >>> pooled_responses(words)["words"].to_list()
    [['bird', 'animal']]
    """
    counts = words.group_by("probe_id", "word", maintain_order=True).agg(count=pl.len())
    share = (pl.col("count") / pl.col("count").sum().over("probe_id")).cast(pl.Float32)
    ranked = counts.with_columns(weight=share).sort("probe_id", "count", descending=[False, True], maintain_order=True)
    return ranked.group_by("probe_id", maintain_order=True).agg(
        words=pl.col("word").cast(pl.Categorical), weights="weight"
    )


# 5 What is right: an agent's responses meet the relatum sets. A word in a set of its target is a hit. It has a rank, or any
# of the ranks low to high, as words of equal weight tie. It is among the first k words with the probability
#
#   P(rank ≤ k) = (k - low + 1) / (high - low + 1), at least 0 and at most 1        (`within` in ranks.py)
#
# UNIT names a probe: relation, target and prompt. `PROMPTED` hits are relata of the relation of the prompt.


@dataclass(frozen=True)
class JudgedAnswers:
    """An agent's responses beside the gold standard: what the metrics read, whatever the choices.

    `responses`, `probes` and `relata` are RESPONSES, PROBES and RELATA. `tuples`: those in the shared lexicon that
    symmetry and asymmetry are about. `hits`: where the relata stand in the responses (`hits` in ranks.py). `units`: the main
    probes that count (`main_probes`). `human_responses`: by the choice `gold`, those that prototypicality compares with; the
    value is the mean over them. `relations`: all relations of the study. `people`: the responses are those
    of people, whose words tie because equally many people named them. `left_out`: what a model's responses leave out
    (LEFT_OUT of answer_spaces.py).
    """

    responses: pl.DataFrame
    probes: pl.DataFrame
    relata: pl.DataFrame
    tuples: pl.DataFrame
    hits: pl.DataFrame
    units: pl.DataFrame
    human_responses: Mapping[str, Sequence[pl.DataFrame]]
    relations: Relations
    people: bool = False
    left_out: pl.DataFrame | None = None


def judge(
    responses: pl.DataFrame,
    gold: GoldStandard,
    human_responses: Mapping[str, Sequence[pl.DataFrame]] | None = None,
    *,
    people: bool = False,
    left_out: pl.DataFrame | None = None,
) -> JudgedAnswers:
    """Find the relata in an agent's responses (RESPONSES): `JudgedAnswers`, which says what the arguments are.

    Agents that have answered no trick probe, as the humans, have no asymmetry, as in the paper.
    """
    inside = gold.inside()
    tricked = gold.probes.filter(kind="trick").join(responses, on="probe_id", how="semi").height > 0
    return JudgedAnswers(
        responses,
        gold.probes,
        gold.relata,
        inside if tricked else inside.filter(pl.col("relation").is_in(gold.relations.symmetric)),
        hits(responses, gold.probes, gold.relata, inside),
        main_probes(responses, gold),
        human_responses or {},
        gold.relations,
        people,
        left_out,
    )


def main_probes(responses: pl.DataFrame, gold: GoldStandard) -> pl.DataFrame:
    """Return the answered main probes about targets with tuples and a relatum set: UNIT, relata (|Y|), size (|L|).

    Tuples with a word outside the lexicon do not count. A target whose relata are all ambiguous has an empty set and is left
    out.
    """
    sizes = gold.relata.group_by("target", "relation").agg(relata=pl.len())
    sizes = sizes.join(gold.inside(), on=["target", "relation"], how="semi")
    lengths = responses.select("probe_id", size=pl.col("words").list.len())
    main = gold.probes.filter(kind="main").join(lengths, on="probe_id")
    return main.join(sizes, on=["target", "relation"]).select(*UNIT, "relata", "size")


# 5 Metrics: each is a function of the answers and of what the paper leaves open, and returns a value per probe or tuple.
# `MEASURES_OF` in measures.py lists them, with the unit of each, and `all_metrics` in values.py computes all.


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open. Each field is a key of the config.

    - ties: the rank of words of equal weight, which humans' responses have. "expected" takes the expected value over all
      orders of these words; "favourable" puts those of the prompted relation (for symmetry and asymmetry: of the tuple)
      before their equals, "unfavourable" puts them after, and "listed" keeps the order of the response. A model's equal
      weights, of which there are hardly any, always count by their expected value.
    - gold: prototypicality compares with the answers of the "rest", all annotators but one, and is the mean over who is left
      out; or with those of all, "pooled", as in the paper.
    - rank: the rank of a relation in a response is that of its "best" relatum, or the "mean" over its relata.
    - recall: completeness is the share of the "cutoff" k = min(|Y|, |L|), or of the "relata" |Y|. These differ only for
      responses that are shorter than |Y|, which only humans have.
    - k: the length of the response that distinguishability looks at; 0 is |Y^r| of the target.
    - symmetry_k: the cut-offs of symmetry and asymmetry.

    What speaks for a reading: with favourable ties, the published answers give the paper's 0.90 and 0.88 for soundness and
    symmetry of antonymy. The paper prints a completeness of 0.38 to 0.49 for humans outside antonymy; over the cutoff its
    data give 0.36 to 0.45, over the relata 0.16 to 0.43.
    """

    ties: Literal["expected", "favourable", "unfavourable", "listed"] = "expected"
    gold: Literal["rest", "pooled"] = "rest"
    recall: Literal["cutoff", "relata"] = "cutoff"
    rank: Literal["best", "mean"] = "best"
    k: int = 0
    symmetry_k: Sequence[int] = (1, 5, 10)


# 5.1 Soundness: is the first answer right (Eq. 11, 12)? Completeness: how much of the relatum set comes first (Eq. 13, 14)?


def soundness(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return Precision@1 per probe (Eq. 11): 1 if the top word is a relatum of the prompted relation, else 0.

    If several words tie for the top, its expected value is the share of relata among them.

    >>> from relprobe.studies.relations.values import example  # of robin: HYP bird, animal; MER wing
    >>> values = soundness(example(hyp_robin="bird x", hol_wing="x robin"), Choices())
    >>> sorted(values.select("target", "value").rows())
    [('robin', 1.0), ('wing', 0.0)]
    """
    right = _relation_hits(answers, choices).group_by(UNIT).agg(value=ordered_sum(within(pl.lit(1))))
    value = answers.units.select(UNIT).join(right, on=UNIT, how="left")
    return rows_of(value.with_columns(pl.col("value").fill_null(0.0)), "soundness")


def completeness(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return Recall@k per probe (Eq. 13): how many of the first k words are relata, k = min(|Y|, |L|), as a share.

    |L| is the number of words in the response. By `choices.recall` it is a share of k, which is the precision of the first
    k words, or of |Y|.

    >>> from relprobe.studies.relations.values import example
    >>> completeness(example(hyp_robin="bird x animal"), Choices())["value"].to_list()
    [0.5]
    """
    units = answers.units
    cutoff = pl.min_horizontal("relata", "size")
    counts = _relation_hits(answers, choices).join(units, on=UNIT).group_by(UNIT).agg(right=ordered_sum(within(cutoff)))
    share = pl.col("right").fill_null(0) / (cutoff if choices.recall == "cutoff" else pl.col("relata"))
    return rows_of(units.join(counts, on=UNIT, how="left").with_columns(value=share), "completeness")


def _relation_hits(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return the hits of the prompted relation in main probes, with the ranks that they can take: low and high."""
    right = answers.hits.filter((pl.col("kind") == "main") & PROMPTED)
    return right.with_columns(rank_bounds(choices.ties, [], PROMPTED))


# 5.2 Symmetry and asymmetry (Eq. 1, 2 and 15 to 18): does v come for w, and w for v?


def reciprocity(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return symmetry μ (Eq. 1) and asymmetry α (Eq. 2) per tuple, prompt and k.

    μ = P(v among the first k for w) · P(w among the first k for v), for symmetric relations. α, for the others, has 1 - P(w
    among the first k for v): the probe on v is a trick probe or, if v is a target of the relation, too, its main probe.
    Since μ of (w, v) is that of (v, w), a symmetric pair has one row: `target` is its first word in the alphabet, and
    `cluster` names the pairs that it is linked to (`linked_pairs`).

    >>> from relprobe.studies.relations.values import example
    >>> rows = reciprocity(example(ant_night="day x", ant_day="x night"), Choices(symmetry_k=[1, 2]))
    >>> sorted(rows.select("metric", "k", "target", "relatum", "value").rows())
    [('symmetry', 1, 'day', 'night', 0.0), ('symmetry', 2, 'day', 'night', 1.0)]
    """
    answered = answers.probes.join(answers.responses.select("probe_id"), on="probe_id", how="semi").select(UNIT)
    reverse = answered.select("relation", "prompt_id", relatum="target")
    pairs = answers.tuples.select("target", "relation", "relatum").join(answered, on=["relation", "target"])
    pairs = pairs.join(reverse, on=["relation", "prompt_id", "relatum"], how="semi")
    ranks = _elicited(answers, choices)
    pair_ranks = pairs.join(ranks, left_on=[*UNIT, "relatum"], right_on=[*UNIT, "word"], how="left").join(
        ranks.rename({"target": "relatum", "word": "target", "within_k": "reverse_within_k"}),
        on=["relation", "prompt_id", "relatum", "target"],
        how="left",
    )
    once = _counted_once(pair_ranks, answers.tuples, answers.relations.symmetric)
    return pl.concat([_reciprocal(once, k, answers.relations.symmetric) for k in choices.symmetry_k])


def _counted_once(pair_ranks: pl.DataFrame, tuples: pl.DataFrame, codes: Sequence[str]) -> pl.DataFrame:
    """Keep each pair of the symmetric `codes` once, its first word in the alphabet as target, and add its cluster."""
    symmetric = pl.col("relation").is_in(codes)
    pairs = pair_ranks.filter(symmetric).join(linked_pairs(tuples, codes), on=["relation", "target", "relatum"])
    turned = {"target": "relatum", "relatum": "target", "within_k": "reverse_within_k", "reverse_within_k": "within_k"}
    in_order = pl.concat([pairs, pairs.rename(turned).select(pairs.columns)])
    once = in_order.filter(pl.col("target") < pl.col("relatum")).unique([*UNIT, "relatum"])
    return pl.concat([once, pair_ranks.filter(~symmetric)], how="diagonal")


def _elicited(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return UNIT, word and within_k of each hit: a field per cut-off k, the probability to be among the first k words.

    If a probe has several responses, as those of single annotators, it is the mean over these.
    """
    lists = (
        answers.responses.join(answers.probes.select("probe_id", *UNIT), on="probe_id")
        .group_by(UNIT)
        .agg(lists=pl.len())
    )
    # A word of two relatum sets has a row for each, and counts once.
    one_set = pl.col("versus").eq_missing(pl.col("versus").first().over([*UNIT, "word"]))
    placed = answers.hits.filter(one_set).with_columns(
        rank_bounds(choices.ties, ["word"], pl.col("word").is_not_null())
    )
    shares = [(ordered_sum(within(pl.lit(k))) / pl.col("lists").first()).alias(str(k)) for k in choices.symmetry_k]
    return placed.join(lists, on=UNIT).group_by(*UNIT, "word").agg(within_k=pl.struct(shares))


def _reciprocal(pair_ranks: pl.DataFrame, k: int, codes: Sequence[str]) -> pl.DataFrame:
    """Return the values of symmetry, of the relations `codes`, and of asymmetry, of all others, at the cut-off k."""
    symmetric = pl.col("relation").is_in(codes)
    forward, backward = (pl.col(name).struct.field(str(k)).fill_null(0.0) for name in ("within_k", "reverse_within_k"))
    # Two responses have their orders independently of each other, so that the probabilities multiply.
    right = forward * pl.when(symmetric).then(backward).otherwise(1 - backward)
    values = pair_ranks.with_columns(k=pl.lit(k, pl.UInt16), value=right)
    parts = (("symmetry", symmetric), ("asymmetry", ~symmetric))
    return pl.concat([rows_of(values.filter(rows), metric) for metric, rows in parts])


# 5.3.1 The entropy of a response of people (Eq. 19): low where they agree on a prototype. Analyses read it; no value does.


ROUNDED = 12
"""Decimals at which an entropy counts as 0 or 1: sums of logarithms miss them by float noise."""


def response_entropy(humans: pl.DataFrame) -> pl.DataFrame:
    """Return the normalised entropy of each human response (Eq. 19): probe_id, words (n different ones), entropy.

    It is -Σ p log2 p / log2 n, from 0 (all answers are one word, where the formula has no value) to 1 (all words are equally
    frequent).

    >>> humans = pl.DataFrame({"probe_id": ["a", "b"], "words": [["x", "y"], ["x"]], "weights": [[0.5, 0.5], [1.0]]})
    >>> response_entropy(humans).rows()
    [('a', 2, 1.0), ('b', 1, 0.0)]
    """
    share = pl.element() / pl.element().sum()
    bits = pl.col("weights").cast(pl.List(pl.Float64)).list.eval(-(share * share.log(2)).sum()).list.first()
    words = pl.col("words").list.len()
    entropy = pl.when(words == 1).then(0.0).otherwise(bits / words.cast(pl.Float64).log(2)).round(ROUNDED)
    return humans.select("probe_id", words=words, entropy=entropy)


# 5.3.2 Prototypicality ρ: how near a response comes to the ranking of people (Eq. 20 to 23).


def prototypicality(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return ρ per probe that has a human response to compare with (Eq. 20 and 21), by `choices.gold`.

    ρ = ½ [the top words are the same] + ½ (the longest common subsequence of both rankings, cut at k) / k, where k is the
    number of words in the human response. Where words tie, it is the expected value (`similarity` in similarity.py). The
    pooled humans have none: compared with themselves they would have 1.
    """
    human_responses = answers.human_responses.get(choices.gold, ())
    if not human_responses:
        return pl.DataFrame(schema=METRICS)
    return rows_of(mean_similarity(answers.responses, human_responses), "prototypicality")


# 5.3.3 Distinguishability: the relative ranks δ of the relata of two relations (Eq. 24), the distance D(r, s), which is
# the mean of their differences (Eq. 25 and 26), and AuDC, the area under the distance curve, which is the sum of all
# distances (Eq. 28).


def distinguishability(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return δ(w, p, s) per probe and relation s with relata of the target (Eq. 24): their relative rank, 0 to 1.

    A word at rank i of the first k has (i - 1)/k, an absent one 1. By `choices.rank`, δ is that of the best s-relatum or,
    as Eq. 24 is printed, the mean over all of them. A relatum of r and one of s may have equal weight: if the r-relatum is
    put first (`ties: favourable`), people's AuDC is 21.3, as in the paper.

    >>> from relprobe.studies.relations.values import example
    >>> rows = distinguishability(example(hyp_robin="x bird wing"), Choices(k=4))
    >>> sorted(rows.select("relation", "versus", "value").rows())
    [('HYP', 'HYP', 0.25), ('HYP', 'MER', 0.5)]
    """
    depth = pl.lit(choices.k) if choices.k else pl.col("relata")
    main = answers.hits.filter(kind="main")
    return rows_of(
        relative_ranks(main, answers.units.with_columns(k=depth), answers.relata, choices), "distinguishability"
    )


def relative_ranks(hits: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return the relative rank of each relation s with relata of a probe's target: UNIT, versus (s) and value, 0 to 1.

    `hits`: those of the probes (`ranks.hits`). `probes`: UNIT and k, the number of words of the response that count.
    `relata`: the relatum sets. Of `choices`, ties and rank count.
    """
    sizes = relata.group_by("target", versus="relation").agg(others=pl.len())
    pairs = probes.join(sizes, on="target")
    ranked = (
        hits.drop_nulls("versus")
        .with_columns(rank_bounds(choices.ties, [], PROMPTED))
        .join(pairs, on=[*UNIT, "versus"])
    )
    near = ranked.filter(pl.col("low") <= pl.col("k"))
    ranks = (best_ranks if choices.rank == "best" else mean_ranks)(near, [*UNIT, "versus"])
    joined = pairs.join(ranks, on=[*UNIT, "versus"], how="left")
    if choices.rank == "best":
        value = pl.col("relative").fill_null(1.0)
    else:  # the mean over the relata, of which each that is absent counts 1
        absent = pl.col("others") - pl.col("seen").fill_null(0)
        value = (pl.col("relative").fill_null(0.0) + absent) / pl.col("others")
    return joined.select(*UNIT, "versus", value=value)


def rank_gaps(values: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Return how much later the relata of s come than those of r: δ(w, p, s) - δ(w, p, r) per probe and other relation s.

    `values`: METRICS with further columns `by`. The result has their columns; `versus` is s, and the value lies between -1
    and 1. A probe counts for s only if its target has relata of both relations. So D(r, s), the mean of the gaps (Eq. 25 and
    26), compares the two relations on the same targets. The equations average δ(w, p, r) over all targets of r instead.

    >>> rows = [("HYP", "HYP", "robin", 0.25), ("HYP", "MER", "robin", 1.0), ("HYP", "HYP", "idea", 1.0)]
    >>> table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    >>> table = table.with_columns(metric=pl.lit("distinguishability"), prompt_id=pl.lit("p"))
    >>> rank_gaps(table).select("relation", "versus", "target", "value").rows()  # the mean over targets would be 1 - 0.625
    [('HYP', 'MER', 'robin', 0.75)]
    """
    ranks = values.filter(metric="distinguishability")
    key = [*by, "relation", "target", "prompt_id"]
    same = pl.col("relation") == pl.col("versus")
    prompted = ranks.filter(same).select(*key, prompted="value")
    other_ranks = ranks.filter(~same).join(prompted, on=key)
    return other_ranks.with_columns(value=pl.col("value") - pl.col("prompted")).drop("prompted")


def distances(gaps: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return D(r, s), the mean gap over prompts and then over targets: `by`, relation, versus and value.

    A distance below 0 says that relata of s come before those of r, though r was asked for. The paper then takes 0; this
    function keeps the distance.
    """
    targets = gaps.group_by(by, "relation", "versus", "target", maintain_order=True).agg(ordered_mean("value"))
    return targets.group_by(by, "relation", "versus", maintain_order=True).agg(ordered_mean("value"))


def audc(distances: pl.DataFrame, by: str = "agent") -> pl.DataFrame:
    """Return AuDC, the sum of the given distances (Eq. 28, which has none below 0), per value of the column `by`."""
    totals = distances.group_by(by, maintain_order=True).agg(ordered_sum("value"))
    return totals.select(by, pl.lit("audc").alias("metric"), "value")


def rows_of(values: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Bring the values of one metric into the columns of METRICS."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in METRICS.items() if name not in values.columns]
    return values.with_columns(*missing).with_columns(metric=pl.lit(metric)).select(list(METRICS)).cast(METRICS)
