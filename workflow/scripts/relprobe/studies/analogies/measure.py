"""The decisions of each agent without training, and how many of them are right."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.metric import Metric
from relprobe.core.sums import ordered_mean
from relprobe.lm.participants.replies import Replies
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.ask import ANALOGY, NEGATIVE, POSITIVE, Scores, Template, reply_choices
from relprobe.studies.analogies.schemas import (
    DECISIONS,
    METRICS,
    PROBE_TYPES,
    SETTINGS,
    Decisions,
    Instances,
    Metrics,
    Partition,
    ReplyChoices,
    Tuples,
    Unjudged,
)
from relprobe.studies.letters import places, readable, readings

# From decisions to units: the accuracy of an agent on each tuple.


COLUMNS = ("random", "reverse", "type")
"""The columns of Tables 1 and 2; random is the mean of random_head and random_tail."""
CLUSTERS = "families of tuples, or relations"
RIGHT, SWAPPED = ", right query", ", swapped query"
"""The ends of the metrics' names on the sampled instances: with their own query, and with one of two other tuples."""
MEASURES = tuple(
    Metric(
        f"{setting} {probe}{end}",
        title=probe if probe in COLUMNS and not end else "",
        test=None if end else "Wilcoxon",
        items="tuples",
        cluster=("cluster",),
        clusters=CLUSTERS,
        share=True,
    )
    for setting in SETTINGS
    for end in ("", RIGHT, SWAPPED)
    for probe in (COLUMNS if end else dict.fromkeys([*COLUMNS, *PROBE_TYPES]))
)
"""The accuracy per setting and probe type, and the two of the control, which compare/analyses.py compares.

The tables and figures show those with a title, which is their column.
"""

ALL = "All"
UNMARKED = "unmarked"
"""The condition without the many-to-many and the bidirectional relations (section 4), over all groups; "ES unmarked" is the
same within one group."""


def unjudged_decisions(decisions: pl.DataFrame) -> pl.DataFrame:
    """Return how many decisions of each setting have no value (UNJUDGED); the controls are not counted."""
    own = decisions.filter(pl.col("instead_of").is_null())
    return own.group_by("setting", maintain_order=True).agg(decisions=pl.len(), unjudged=pl.col("value").null_count())


def metrics(decisions: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracies of an agent's decisions (DECISIONS) on TUPLES as METRICS.

    A metric is a setting and a probe type, such as "supervised random" (MEASURES). "supervised random, swapped query" is
    the accuracy on the controls, and "supervised random, right query" that on the same instances. A unit is the positive
    tuple of an instance; its value is the mean of the decisions on its instances, over all queries and draws: how hard
    an instance is depends on this tuple more than on the query. Decisions without a value take no part. A condition is a
    relation (its code) or a group (ES, LS, DM, IM, All, unmarked, ES unmarked). Under a relation a cluster is a family
    of tuples, and under a group it is a relation.

    >>> from relprobe.studies.analogies.schemas import DECISIONS, TUPLES
    >>> row = ("supervised", "E01", "reverse", 1, "rome : italy", "oslo : norway", "oslo", "norway", True)
    >>> decisions = pl.DataFrame([(*row, 1.0, None), (*row, 0.0, None)], schema=DECISIONS, orient="row")
    >>> tuples = pl.DataFrame(
    ...     [("E01", "capitals", "ES", 1, "test", "oslo", "norway", ["norway"], "oslo : norway", "")],
    ...     schema=TUPLES,
    ...     orient="row",
    ... )
    >>> metrics(decisions, tuples).rows()[:2]
    [('supervised reverse', 'E01', 'E01 oslo : norway', 'oslo : norway', 0.5), ('supervised reverse', 'ES', \
'E01 oslo : norway', 'E01', 0.5)]
    """
    judged = decisions.drop_nulls("value")
    right, swapped = _paired(judged)
    parts = {"": judged.filter(pl.col("instead_of").is_null()), RIGHT: right, SWAPPED: swapped}
    tables = [_accuracies(part, tuples, end) for end, part in parts.items()]
    by_relation = pl.concat(tables).filter(pl.col("metric").is_in([measure.name for measure in MEASURES]))
    return pl.concat([by_relation, *_by_group(by_relation, tuples)]).select(list(METRICS)).cast(METRICS)


def _paired(judged: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the decisions of the same instances with the right query and with the swapped one, where both were made."""
    asked = judged.with_columns(query=pl.coalesce("instead_of", "query"))
    is_control = pl.col("instead_of").is_not_null()
    controls, others = asked.filter(is_control), asked.filter(~is_control)
    key = ["setting", "relation", "probe", "draw", "query", "tuple", "head", "tail"]
    return (
        others.join(controls, on=key, how="semi", maintain_order="left"),
        controls.join(others, on=key, how="semi", maintain_order="left"),
    )


def _accuracies(judged: pl.DataFrame, tuples: pl.DataFrame, end: str) -> pl.DataFrame:
    """Return the accuracy of each tuple under its relation (METRICS); `end`: that of the names of the metrics."""
    both = judged.filter(pl.col("probe").str.starts_with("random_")).with_columns(probe=pl.lit("random"))
    family = tuples.select("relation", "family", tuple=pl.format("{} : {}", "head", "tail")).unique()
    return (
        pl.concat([judged, both])
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
    about = tuples.select("group", "marks", cluster="relation").unique("cluster")
    rows = by_relation.with_columns(cluster="condition").join(about, on="cluster", how="left", maintain_order="left")
    group, unmarked = pl.col("group"), rows.filter(marks="")
    # In another group the unmarked relations are all.
    with_marks = group.is_in(about.filter(pl.col("marks") != "")["group"].unique().to_list())
    parts = [
        rows.with_columns(condition=group),
        rows.with_columns(condition=pl.lit(ALL)),
        unmarked.with_columns(condition=pl.lit(UNMARKED)),
        unmarked.filter(with_marks).with_columns(condition=pl.format("{} {}", group, pl.lit(UNMARKED))),
    ]
    return [part.select(list(METRICS)) for part in parts]


# What an agent knows of tuples, as vectors: of words in a sentence, or of pairs of words.


Matrix = NDArray[np.floating[Any]]
"""Numbers of 32 bits, or of 16 as embeddings are stored."""


class Features(Protocol):
    """What an agent knows of the tuples of one relation."""

    def of(self, words: pl.DataFrame) -> Matrix:
        """Return the features (rows, width) of each row's query and tuple (columns ANALOGY); NaN: a vector is missing."""


class SentenceFeatures:
    """The vectors of the four words in their sentence, concatenated (section 2.4)."""

    def __init__(self, embeddings: ScoreFile, template: Template, **where: str | int) -> None:
        """Read the vectors of one relation, or of one of its layers; memory then does not grow with the study.

        `embeddings`: requests.EMBEDDINGS, or with a column layer (layers.LAYER_EMBEDDINGS). `where`: see
        `ScoreFile.where`.
        """
        rows = embeddings.where(["text", *ANALOGY], **where)
        self._rows = {text: row for row, text in enumerate(rows["text"])}
        self._matrix: Matrix = np.hstack([_matrix(rows[place]) for place in ANALOGY])
        self._template = template

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features. DataError: the file lacks a sentence."""
        texts = words.select(self._template.expression({place: place for place in ANALOGY})).to_series()
        missing = [text for text in texts if text not in self._rows]
        if missing:
            raise DataError(f"the embeddings lack {missing[0]!r}: delete them and run again.")
        return self._matrix[[self._rows[text] for text in texts]]


class PairFeatures:
    """The embeddings of the query and of the tuple, concatenated (section 3.1)."""

    def __init__(self, rows: pl.DataFrame) -> None:
        """Take the vectors of one relation (head, tail and vector of pairs.VECTORS), none of them null."""
        self._rows = {pair: row for row, pair in enumerate(rows.select("head", "tail").iter_rows())}
        matrix = _matrix(rows["vector"])
        self._matrix: Matrix = np.vstack([matrix, np.full((1, matrix.shape[1]), np.nan, np.float32)])

    @classmethod
    def read(cls, vectors: ScoreFile, relation: str) -> "PairFeatures":
        """Read the vectors of one relation from a file (pairs.VECTORS)."""
        return cls(vectors.where(["head", "tail", "vector"], relation=relation).drop_nulls("vector"))

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features."""
        return np.hstack(
            [self.pair_embeddings(words.select(head, tail)) for head, tail in (("h1", "t1"), ("h2", "t2"))]
        )

    def pair_embeddings(self, pairs: pl.DataFrame) -> Matrix:
        """Return the embeddings (rows, width) of pairs of words (two columns); NaN where a pair has none."""
        return self._matrix[[self._rows.get(pair, -1) for pair in pairs.iter_rows()]]


def features_in(vectors: ScoreFile, template: Template | None, layer: int | None = None) -> Callable[[str], Features]:
    """Return the function that reads the features of a relation from a file.

    With a template the file holds the vectors of words in sentences, without one those of pairs of words. `layer`: the one
    to read of a file of several.
    """
    if template is None:
        return lambda relation: PairFeatures.read(vectors, relation)
    of_layer = {} if layer is None else {"layer": layer}
    return lambda relation: SentenceFeatures(vectors, template, relation=relation, **of_layer)


def _matrix(vectors: pl.Series) -> Matrix:
    """Return a series of lists of one length as a matrix (rows, width); an empty series gives (0, 1)."""
    width = 1 if vectors.is_empty() else len(vectors[0])
    return vectors.explode().to_numpy().reshape(len(vectors), width)


# The unsupervised setting (sections 2.1, 2.4 and 3.1): an agent says which of two tuples is more like the query.


Perplexity = Literal["sentence", "token"]


def by_perplexity(
    scores: Scores, instances: Instances, *, template: str, partitions: list[Partition], perplexity: Perplexity
) -> Decisions:
    """Let a model choose the tuple of each instance whose sentence has the lower (pseudo-)perplexity (Eq. 1).

    "sentence" is exp(-Σ log P) as Eq. 1 prints it, "token" the usual exp(-Σ log P / |S|). An instance with a word that the
    model's tokenizer cannot write has no decision. DataError: the scores lack a sentence.

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
    known = positive.is_not_null() & negative.is_not_null()
    return decisions_of(rows.filter(known), _values(-positive.filter(known), -negative.filter(known)))


def by_cosine(vectors: ScoreFile, instances: Instances, *, partitions: list[Partition]) -> Decisions:
    """Let a baseline choose the tuple of each instance whose embedding has the larger cosine with the query's (section 3.1).

    `vectors`: a file of pair_embeddings.VECTORS, from which one relation is read at a time.
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
    return decisions_of(rows, _values(positive, negative))


def cosines(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    """Return the cosine of each row of `a` with that of `b` (rows,); NaN where a vector is missing (NaN) or zero.

    >>> cosines(np.array([[1.0, 0.0], [0.0, 0.0]], np.float32), np.array([[2.0, 0.0], [1.0, 1.0]], np.float32))
    array([ 1., nan])
    """
    scale = np.linalg.norm(a, axis=1).astype(np.float64) * np.linalg.norm(b, axis=1)
    dots = np.einsum("ij,ij->i", a, b, dtype=np.float64)
    return np.divide(dots, scale, out=np.full(len(a), np.nan), where=scale > 0)


def _values(positive: pl.Series, negative: pl.Series) -> pl.Series:
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


# The choices in words of an agent as its decisions in the unsupervised setting, and how many of them could be read.


CHOICE = ["probe", "query", "tuple", "negative"]
"""The columns of CHOICES that say which choice it is."""
PAIRS = {
    "query": ("query_head", "query_tail"),
    "tuple": ("head", "tail"),
    "negative": ("negative_head", "negative_tail"),
}
"""Column of CHOICES -> the columns of INSTANCES with its words."""


def reply_decisions(choices: ReplyChoices, instances: Instances, *, partitions: list[Partition]) -> Decisions:
    """Return the choices as decisions of the unsupervised setting: a value is the share of right answers.

    It is the mean over all orders and samples, in which an answer that cannot be read is a wrong one. A probe of which
    too many answers cannot be read (`letters.readable`) has no decisions. DataError: the choices lack an instance.
    """
    values = choices.group_by(CHOICE).agg(value=ordered_mean(pl.col("right").cast(pl.Float64)))
    rows = instances.filter(pl.col("partition").is_in(partitions))
    keys = rows.select("probe", **{name: pl.format("{} : {}", *words) for name, words in PAIRS.items()})
    value = keys.join(values, on=CHOICE, how="left", maintain_order="left")["value"]
    if value.null_count():
        raise DataError("the choices lack an instance: delete the replies and run again.")
    kept = rows["probe"].is_in(readable(choices, "probe")["probe"].unique().to_list())
    return decisions_of(rows.filter(kept), value.filter(kept))


def read_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read, by probe (`letters.readings`)."""
    question = pl.struct("query", "tuple", "negative").alias("question")
    return readings(_by_probe(choices, question), "question").rename({"task": "probe"})


def places_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often each agent chooses the pair at each place, by probe (`letters.places`)."""
    return places(_by_probe(choices)).rename({"task": "probe"})


def _by_probe(choices: Mapping[str, ReplyChoices], *columns: pl.Expr) -> dict[str, pl.DataFrame]:
    return {agent: table.with_columns(*columns, task="probe") for agent, table in choices.items()}


# What classifiers get right, by probe.


SUPERVISED = "supervised "
"""What the names of the metrics of classifiers begin with; the probe follows."""


def classifier_values(values: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the classifiers' metrics, named by their probes alone.

    >>> names = ["supervised random", "unsupervised random", "supervised random_head"]
    >>> classifier_values(pl.DataFrame({"metric": names}))["metric"].to_list()
    ['random']
    """
    of_probes = values.filter(pl.col("metric").is_in([SUPERVISED + probe for probe in COLUMNS]))
    return of_probes.with_columns(pl.col("metric").str.strip_prefix(SUPERVISED))


# The tables of each kind of agent.


class AgentTables(NamedTuple):
    """The decisions of an agent in the unsupervised setting, its accuracies, and how many decisions it could not make."""

    unsupervised: Decisions
    metrics: Metrics
    unjudged: Unjudged


def model_metrics(
    scores: Scores,
    instances: Instances,
    tuples: Tuples,
    decisions: Decisions | None = None,
    *,
    template: str,
    partitions: list[Partition],
    perplexity: Perplexity,
) -> AgentTables:
    """Let a model choose by perplexity (`by_perplexity`), and compute its accuracies (`agent_metrics`)."""
    chosen = by_perplexity(scores, instances, template=template, partitions=partitions, perplexity=perplexity)
    return agent_metrics(chosen, tuples, decisions)


def control_metrics(
    vectors: ScoreFile,
    instances: Instances,
    tuples: Tuples,
    decisions: Decisions | None = None,
    *,
    partitions: list[Partition],
) -> AgentTables:
    """Let a baseline choose by cosine (`by_cosine`), and compute its accuracies (`agent_metrics`)."""
    return agent_metrics(by_cosine(vectors, instances, partitions=partitions), tuples, decisions)


class TakerTables(NamedTuple):
    """The choices of a model that takes people's task, and the tables of an agent."""

    reply_choices: ReplyChoices
    unsupervised: Decisions
    metrics: Metrics
    unjudged: Unjudged


def taker_metrics(
    replies: Replies, instances: Instances, tuples: Tuples, *, partitions: list[Partition], line: str, orders: int = 1
) -> TakerTables:
    """Read the choices in the replies of a model, and compute their accuracies (`agent_metrics`)."""
    chosen = reply_choices(replies, instances, partitions=partitions, line=line, orders=orders)
    return TakerTables(chosen, *agent_metrics(reply_decisions(chosen, instances, partitions=partitions), tuples))


def agent_metrics(choices: Decisions, tuples: Tuples, decisions: Decisions | None = None) -> AgentTables:
    """Compute the accuracies of an agent in both settings, and count what it could not judge for want of a vector.

    `choices` and `decisions`: those of the unsupervised and of the supervised setting; an agent may lack the second.
    """
    judged = pl.concat(table for table in (decisions, choices) if table is not None)
    return AgentTables(choices, metrics(judged, tuples), unjudged_decisions(judged))
