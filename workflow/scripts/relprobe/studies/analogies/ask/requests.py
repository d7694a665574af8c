"""The probes, their rows as requests to the primitives, and the tables of what a model answers."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.core.files import parquet
from relprobe.lm.requests import Sentence, SentenceResponse, SpanResponse, SpanText
from relprobe.studies.analogies.ask.prompts import ANALOGY, Template
from relprobe.studies.examples import Example, before_probe

PROBES = pl.Schema(
    {
        "relation": pl.String(),
        "partition": pl.String(),
        "text": pl.String(),
        **{place: pl.String() for place in ANALOGY},  # the words
    }
)
"""The different sentences of the study: a row per relation, partition and text."""
Probes = Annotated[pl.DataFrame, parquet(PROBES, "relation", "partition", "text")]

SCORES = pa.schema(
    [
        ("text", pa.string()),
        ("logprob", pa.float64()),  # natural log, summed over the tokens that have a probability
        ("tokens", pa.int32()),  # how many tokens have one
    ]
)
Scores = Annotated[pl.DataFrame, parquet(pl.DataFrame(SCORES.empty_table()).schema, "text")]

EMBEDDINGS = pa.schema(
    [
        ("relation", pa.string()),
        ("text", pa.string()),
        *((place, pa.list_(pa.float32())) for place in ANALOGY),
    ]
)


def sentence_requests(
    probes: pl.DataFrame, template: Template | None = None, shots: int = 0, examples: Sequence[Example] = ()
) -> Iterator[Sentence]:
    """Yield every text of PROBES once, as a request for the probabilities of its tokens.

    `shots`: how many `examples` (h1, t1, h2, t2) in the `template` stand before a text; none has a word of it. DataError:
    there are fewer.
    """
    for text, *words in probes.unique("text", maintain_order=True).select("text", *ANALOGY).iter_rows():
        before = ""
        if template is not None and shots:
            before = before_probe(examples, template.solve, shots, "", text, {*words})
        yield Sentence(text, text, before)


def span_requests(probes: pl.DataFrame, template: Template) -> Iterator[SpanText]:
    """Yield every sentence of a relation in PROBES once, as a request for the vectors of its words in the order of ANALOGY.

    >>> words = {"relation": "E01", "h1": "paris", "t1": "france", "h2": "rome", "t2": "italy"}
    >>> template = Template.of("{h1} {t1}, {h2} {t2}")
    >>> next(span_requests(pl.DataFrame([words]), template)).spans
    ((0, 5), (6, 12), (14, 18), (19, 24))
    """
    different = probes.unique(["relation", *template.places], maintain_order=True)
    for relation, *words in different.select("relation", *template.places).iter_rows():
        text, spans = template.fill(words)
        yield SpanText(f"{relation}\t{text}", text, tuple(spans[place] for place in ANALOGY))


def score_table(responses: Sequence[SentenceResponse]) -> pa.Table:
    """Return the summed log-probabilities (SCORES), in natural log.

    A causal model whose input begins without a BOS token gives the first token no probability (NaN). All sentences of a
    query share this token, so that their sums still compare. Where no token has one, there is no sum (null): the tokenizer
    cannot write a word of the sentence.

    >>> response = SentenceResponse("a b c", np.array([4, 5, 6]), np.array([np.nan, -1.5, -0.25]))
    >>> score_table([response]).to_pylist()
    [{'text': 'a b c', 'logprob': -1.75, 'tokens': 2}]
    """
    values = [response.logprobs[~np.isnan(response.logprobs)].astype(np.float64) for response in responses]
    columns = [
        [response.id for response in responses],
        [float(logprobs.sum()) if len(logprobs) else None for logprobs in values],
        [len(logprobs) for logprobs in values],
    ]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SCORES, strict=True)], schema=SCORES
    )


def embedding_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the four words of each sentence (EMBEDDINGS)."""
    ids = [response.id.split("\t", 1) for response in responses]
    columns = [
        pa.array(column, pa.string()) for column in ([relation for relation, _ in ids], [text for _, text in ids])
    ]
    vectors = [
        pa.array([response.vectors[place] for response in responses], pa.list_(pa.float32()))
        for place in range(len(ANALOGY))
    ]
    return pa.table([*columns, *vectors], schema=EMBEDDINGS)
