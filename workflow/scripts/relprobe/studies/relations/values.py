"""The values of one agent: its metrics, those of single annotators and layers, and its first words."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Literal

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES, Relation, Relations
from relprobe.core.sums import ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Lexicon
from relprobe.studies.relations.answer_spaces import spaces_of
from relprobe.studies.relations.counts import OR
from relprobe.studies.relations.lists import annotators, human_responses
from relprobe.studies.relations.measures import DISTINGUISHABILITY, MEASURES, MEASURES_OF, Measure, measures_of
from relprobe.studies.relations.method import Choices, GoldStandard, JudgedAnswers, judge, reciprocity
from relprobe.studies.relations.ranks import RESPONSE
from relprobe.studies.relations.schemas import LAYER_METRICS, METRICS, PROBES, RESPONSES, TOP_WORDS, LayerMetrics

# All that is measured of one agent.


def all_metrics(
    answers: JudgedAnswers, choices: Choices, measures: Iterable[Measure] = (*MEASURES, DISTINGUISHABILITY)
) -> pl.DataFrame:
    """Return the values of the metrics of one agent (METRICS), sorted by all columns.

    The same study is thus the same file. A function that computes several metrics returns all of them. The choice of ties is
    one for people's lists; a model's ties count by their expected value.

    >>> from relprobe.studies.relations.values import example
    >>> table = all_metrics(example(hyp_robin="bird animal x"), Choices())
    >>> table.filter(metric="soundness").select("relation", "target", "value").rows()
    [('HYP', 'robin', 1.0)]
    """
    if not answers.people:
        choices = replace(choices, ties="expected")
    wanted = set(measures)
    computed = [function for function in MEASURES_OF if wanted.intersection(measures_of(function))]
    return pl.concat([function(answers, choices) for function in computed]).sort(METRICS.names())


# One annotator as an agent: the lists of a probe one after the other, each left out of the answers it is compared with.


TOGETHER = measures_of(reciprocity)
"""The metrics that need the lists of two probes. These may be by different people."""


def annotator_answers(responses: pl.DataFrame, lists: pl.DataFrame, gold: GoldStandard) -> list[JudgedAnswers]:
    """Match the responses of each annotator with the gold standard, one Answers per annotator number.

    `lists`: the lists that the responses were made of (LISTS). Prototypicality compares a response with the lists of all
    other annotators of the probe, whatever the choice `gold`.
    """
    respondents = []
    for number, other_lists in zip(annotators(lists), human_responses(lists, gold)["rest"], strict=True):
        answered = judge(responses.filter(annotator=number).drop("annotator"), gold, people=True)
        respondents.append(replace(answered, human_responses={"rest": [other_lists], "pooled": [other_lists]}))
    return respondents


def annotator_metrics(
    respondents: Sequence[JudgedAnswers],
    choices: Choices,
    measures: Iterable[Measure] = (*MEASURES, DISTINGUISHABILITY),
) -> pl.DataFrame:
    """Return the values of the metrics of one annotator (METRICS): the mean over the lists of each probe.

    `respondents`: what `annotator_answers` returns. For symmetry every list of one probe meets every list of the other,
    since nobody knows which lists are by one person: μ is the product of two shares of lists. `versus` of `first_related`
    has the relations of all lists (OR).
    """
    wanted = list(measures)
    alone = [measure for measure in wanted if measure not in TOGETHER]
    tables = [all_metrics(answered, choices, alone) for answered in respondents]
    if len(alone) < len(wanted):
        tables.append(reciprocity(_all_lists(respondents), choices))
    table = pl.concat(tables)
    first = pl.col("metric") == "first_related"
    key = [name for name in METRICS if name not in ("value", "versus")]
    firsts = table.filter(first).group_by(key).agg(ordered_mean("value"), pl.col("versus").sort().str.join(OR))
    other_metrics = table.filter(~first).group_by([*key, "versus"]).agg(ordered_mean("value"))
    return pl.concat([part.select(METRICS.names()) for part in (firsts, other_metrics)]).sort(METRICS.names())


def _all_lists(respondents: Sequence[JudgedAnswers]) -> JudgedAnswers:
    """Return the lists of all annotators as several responses to each probe, numbered one after the other."""
    offsets = accumulate((answered.responses.height for answered in respondents), initial=0)
    hits = [
        answered.hits.with_columns(pl.col(RESPONSE) + rows)
        for answered, rows in zip(respondents, offsets, strict=False)
    ]
    return replace(
        respondents[0], responses=pl.concat([answered.responses for answered in respondents]), hits=pl.concat(hits)
    )


# The metrics of an agent after each layer.


MEASURED = ("soundness", "completeness", DISTINGUISHABILITY.name)
"""The metrics of one main probe at a time. The others need trick probes, or people's answers."""


def layer_metrics(
    scores: ScoreFile,
    lexicon: Lexicon,
    gold: GoldStandard,
    choices: Choices,
    *,
    answer_space: Literal["tokens", "lexicon"] = "tokens",
) -> LayerMetrics:
    """Compute the metrics of one agent after each layer, as those of its last layer are computed (section 5).

    `scores`: its answers after each layer. The metrics look at as many answers as were stored: relata that come later count
    as not answered. The last layer has no map of its own: its mapped values are the raw ones. DataError: there are no
    answers.
    """
    table = scores.columns("probe_id", "variant", "layer", "token_ids", "logprobs")
    if not table.num_rows:
        raise DataError(f"{scores.path} holds no answers: the model could answer no probe.")
    measures = [measure for measure in (*MEASURES, DISTINGUISHABILITY) if measure.name in MEASURED]
    views = pl.DataFrame(pl.from_arrow(table.select(["variant", "layer"])))
    parts = []
    for variant, layer in views.unique(maintain_order=True).rows():
        is_of_view = views.select((pl.col("variant") == variant) & (pl.col("layer") == layer)).to_series().to_arrow()
        ranking = spaces_of(table.filter(is_of_view).combine_chunks(), lexicon, gold.shared_lexicon)[answer_space]
        values = all_metrics(judge(ranking.responses, gold), choices, measures).filter(pl.col("metric").is_in(MEASURED))
        parts.append(values.with_columns(variant=pl.lit(variant), layer=pl.lit(layer)))
    all_values = pl.concat(parts).with_columns(pl.col("layer").cast(pl.UInt16))
    if "mapped" in all_values["variant"]:
        last_values = all_values.filter(pl.col("layer") == pl.col("layer").max(), variant="raw")
        all_values = pl.concat([all_values, last_values.with_columns(variant=pl.lit("mapped"))])
    return all_values.select(list(LAYER_METRICS)).sort(LAYER_METRICS.names())


# The best words of each response, and the relation each stands in to the target.


FIRST = 10
"""The words of a response that the answers page shows."""


def top_words(
    responses: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    ties: str = "listed",
    lists: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the first words of each response to a main probe and the relations they stand in (TOP_WORDS).

    `lists`: the lists of the people who have answered (LISTS); a weight is then the share of the people asked who named the
    word, however often. A response has their share of all answers, which is small where people name many words.

    `ties`: the order of words of equal weight (`method.Choices`). "favourable" and "unfavourable" put relata of the
    prompted relation before or after their equals, so that the first word is the one that counts as the answer; otherwise
    the words keep the order of the response.

    >>> from relprobe.studies.relations.values import example
    >>> people = example(hyp_robin="x bird")
    >>> tied = people.responses.with_columns(weights=pl.lit([0.5, 0.5], pl.List(pl.Float32)))
    >>> top_words(tied, people.probes, people.relata, "favourable")["word"].to_list()
    ['bird', 'x']
    """
    if ties in ("favourable", "unfavourable"):
        responses = _ordered(responses, probes, relata, first=ties == "favourable")
    main = probes.filter(kind="main").select("probe_id", "target")
    first = responses.select(
        "probe_id", word=pl.col("words").list.head(FIRST), weight=pl.col("weights").list.head(FIRST)
    )
    words = first.join(main, on="probe_id").explode("word", "weight")
    words = words.with_columns(pl.col("word").cast(pl.String)).drop_nulls("word")
    ranked = words.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.UInt8).over("probe_id"))
    shared = relata.group_by("target", word="relatum", maintain_order=True)
    sets = shared.agg(pl.col("relation").str.join("/"))
    if lists is not None:
        ranked = ranked.drop("weight").join(_named(lists), on=["probe_id", "word"], how="left", maintain_order="left")
    table = ranked.join(sets, on=["target", "word"], how="left", maintain_order="left")
    return table.select(list(TOP_WORDS)).cast(TOP_WORDS)


def with_probabilities(words: pl.DataFrame, responses: pl.DataFrame) -> pl.DataFrame:
    """Return words (probe_id and word, best first) with their weights in other responses, which have the same words.

    So words that are ranked by a ratio (`calibrate`) have their probabilities as `weight`. A word that a list has twice is
    likelier at its first place in both.

    >>> other = pl.DataFrame({"probe_id": ["p:hot"], "words": [["it", "cold"]], "weights": [[0.6, 0.2]]})
    >>> ranked = pl.DataFrame({"probe_id": ["p:hot", "p:hot"], "word": ["cold", "it"], "weight": [2.0, 1.0]})
    >>> with_probabilities(ranked, other)["weight"].to_list()
    [0.2, 0.6]
    """
    asked = responses.join(words.select("probe_id").unique(), on="probe_id", how="semi")
    listed = asked.select("probe_id", word="words", weight="weights").explode("word", "weight")
    occurrence = pl.int_range(pl.len()).over("probe_id", "word").alias("occurrence")
    weights = listed.with_columns(pl.col("word").cast(pl.String)).with_columns(occurrence)
    numbered = words.drop("weight", strict=False).with_columns(occurrence)
    return numbered.join(weights, on=["probe_id", "word", "occurrence"], how="left", maintain_order="left").drop(
        "occurrence"
    )


def _named(lists: pl.DataFrame) -> pl.DataFrame:
    """Return probe_id, word and weight: the share of the people asked who named the word.

    >>> rows = [("hyp:robin", "anna", ["bird", "pet", "bird"]), ("hyp:robin", "ben", ["bird"])]
    >>> sorted(_named(pl.DataFrame(rows, ["probe_id", "annotator", "words"], orient="row")).select("word", "weight").rows())
    [('bird', 1.0), ('pet', 0.5)]
    """
    people = lists.with_columns(people=pl.col("annotator").n_unique().over("probe_id"))
    words = people.explode("words").with_columns(word=pl.col("words").cast(pl.String))
    named = words.group_by("probe_id", "word", "people").agg(pl.col("annotator").n_unique())
    return named.select("probe_id", "word", weight=pl.col("annotator") / pl.col("people"))


def _ordered(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, *, first: bool) -> pl.DataFrame:
    """Return responses with the relata of the prompted relation before (`first`) or after the words of equal weight."""
    right = relata.select("target", "relation", word="relatum", right=pl.lit(True)).unique()
    words = (
        responses.with_row_index("row").explode("words", "weights").with_columns(word=pl.col("words").cast(pl.String))
    )
    rows = words.join(probes.select("probe_id", "target", "relation"), on="probe_id", how="left", maintain_order="left")
    rows = rows.join(right, on=["target", "relation", "word"], how="left", maintain_order="left")
    keys = rows.with_columns(pl.col("right").fill_null(value=False))
    ranked = keys.sort("row", "weights", "right", descending=[False, True, first], maintain_order=True)
    return ranked.group_by("row", "probe_id", maintain_order=True).agg("words", "weights").drop("row")


# A study of a few relations, made by hand for the examples in docstrings.


TUPLE_ROWS = pl.DataFrame(
    [
        ("robin", "HYP", "bird", ["hand"]),
        ("robin", "HYP", "animal", ["hand"]),
        ("robin", "MER", "wing", ["hand"]),
        ("wing", "HOL", "robin", ["hand"]),
        ("night", "ANT", "day", ["hand"]),
        ("day", "ANT", "night", ["hand"]),
    ],
    schema=TUPLES,
    orient="row",
)

RELATIONS = Relations(
    (
        Relation("HYP", "hypernymy", "HPO", prototypical=True),
        Relation("HPO", "hyponymy", "HYP"),
        Relation("HOL", "holonymy", "MER", prototypical=True),
        Relation("MER", "meronymy", "HOL"),
        Relation("ANT", "antonymy", "ANT", prototypical=True),
    )
)


def example(**responses: str) -> JudgedAnswers:
    """Return the answers of an agent: `hyp_robin="bird x"` is its response to the prompt hyp about robin, best word first.

    The tuples are the relatum sets. Weights are 1, 1/2, 1/4, …, so that no words tie.
    """
    rows = [
        (name.replace("_", ":"), text.split(), [2.0**-rank for rank in range(len(text.split()))])
        for name, text in responses.items()
    ]
    gold = example_gold(*(name.replace("_", ":") for name in responses))
    return judge(pl.DataFrame(rows, schema=RESPONSES, orient="row"), gold)


def example_gold(*probe_ids: str) -> GoldStandard:
    """Return the gold standard of some main probes: "hyp:robin" is the prompt hyp about robin."""
    keys = [name.split(":") for name in probe_ids]
    probes: list[tuple[object, ...]] = [
        (f"{prompt}:{target}", prompt.upper(), target, prompt, "main", f"{target} [V]", []) for prompt, target in keys
    ]
    words = TUPLE_ROWS.select(word=pl.concat_list("target", "relatum")).explode("word").unique()
    return GoldStandard(pl.DataFrame(probes, schema=PROBES, orient="row"), TUPLE_ROWS, TUPLE_ROWS, words, RELATIONS)
