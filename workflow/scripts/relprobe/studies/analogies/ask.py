"""What the study asks: probes of the tuples, the embeddings of pairs without a network, and questions in words."""

from __future__ import annotations

import logging
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.errors import ConfigError
from relprobe.core.files import parquet
from relprobe.core.manifest import model_files
from relprobe.lm.participants.interview import InterviewResults, Question, interview
from relprobe.lm.participants.orders import drawn_orders
from relprobe.lm.participants.replies import Replies
from relprobe.lm.participants.settings import Participant
from relprobe.lm.requests import Sentence, SentenceResponse, SpanResponse, SpanText
from relprobe.lm.score_files.check import Check
from relprobe.lm.score_files.comparison import Comparison
from relprobe.lm.score_files.pace import first_size
from relprobe.lm.score_files.parts import PART, made_of, write_in_parts
from relprobe.lm.score_files.store import dependencies, facts_in, guard_of
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.studies.analogies.data import Pair
from relprobe.studies.analogies.schemas import REPLY_CHOICES, Instances, Partition, ReplyChoices
from relprobe.studies.conversations import HEAD, OPTIONS, TAIL, pair_in
from relprobe.studies.examples import Example, before_probe
from relprobe.studies.letters import TOKENS, lettered_lines, read_choice

if TYPE_CHECKING:
    from relprobe.core.step import Call


# The sentence that an analogy is put into, such as "What {h1} is to {t1}, {h2} is to {t2}".


ANALOGY = ("h1", "t1", "h2", "t2")
"""The places of an analogy: head and tail of the query, head and tail of the other tuple."""
POSITIVE = {"h1": "query_head", "t1": "query_tail", "h2": "head", "t2": "tail"}
NEGATIVE = {**POSITIVE, "h2": "negative_head", "t2": "negative_tail"}
"""Place -> column of INSTANCES that holds its word, for the positive and for the negative tuple."""
WHERE = "config: analogies.template"


@dataclass(frozen=True)
class Template:
    """A text with places for words, in the order of the text.

    `literals` are the texts before each place and, as the last one, the text after all of them.
    """

    literals: tuple[str, ...]
    places: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Template:
        """Read a text in which each place of ANALOGY stands once, in braces. ConfigError: the text has another form.

        The text must not begin with a word of the second tuple: a causal model may give the first word no probability.

        >>> Template.of("What {h1} is to {t1}, {h2} is to {t2}.").places
        ('h1', 't1', 'h2', 't2')
        """
        parts = list(fields(text, WHERE))
        literals, places = [literal for literal, _ in parts], [name for _, name in parts if name is not None]
        if sorted(places) != sorted(ANALOGY):
            raise ConfigError(
                f"{WHERE} is {text!r}, but must hold each of {{h1}}, {{t1}}, {{h2}} and {{t2}} once: correct it."
            )
        if literals[0] == "" and places[0] in ("h2", "t2"):
            raise ConfigError(f"{WHERE} is {text!r}, but must not begin with {{{places[0]}}}: put a word first.")
        return cls((*literals, *[""] * (len(places) + 1 - len(literals))), tuple(places))

    def fill(self, words: Sequence[str]) -> tuple[str, dict[str, tuple[int, int]]]:
        """Put a word into every place, in the order of the text; return the text and each place's (start, stop).

        The stop is exclusive; both count characters.

        >>> Template.of("{h1} to {t1}: {h2} to {t2}").fill(["paris", "france", "rome", "italy"])
        ('paris to france: rome to italy', {'h1': (0, 5), 't1': (9, 15), 'h2': (17, 21), 't2': (25, 30)})
        """
        text, spans = self.literals[0], {}
        for place, word, literal in zip(self.places, words, self.literals[1:], strict=True):
            spans[place] = (len(text), len(text) + len(word))
            text += word + literal
        return text, spans

    def solve(self, example: Sequence[str]) -> str:
        """Put the words of an example (h1, t1, h2, t2) into their places.

        >>> Template.of("what {h2} is to {t2}, {h1} is to {t1}").solve(["big", "bigger", "cold", "colder"])
        'what cold is to colder, big is to bigger'
        """
        words = dict(zip(ANALOGY, example, strict=True))
        return self.fill([words[place] for place in self.places])[0]

    def expression(self, columns: dict[str, str]) -> pl.Expr:
        """Return the polars expression of the filled texts of a table whose `columns` (place -> column) hold the words."""
        parts: list[pl.Expr] = [pl.lit(self.literals[0])]
        for place, literal in zip(self.places, self.literals[1:], strict=True):
            parts += [pl.col(columns[place]), pl.lit(literal)]
        return pl.concat_str(parts)


def fields(text: str, where: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of a text with places: the text before a place, and its name; None after the last place.

    ConfigError, which names `where`: a brace is single or doubled, or the braces hold something other than a name.

    >>> list(fields("{h} and {t}!", "config: a template"))
    [('', 'h'), (' and ', 't'), ('!', None)]
    """
    try:
        if "{{" in text or "}}" in text:
            raise ValueError("doubled braces")
        for literal, name, form, conversion in string.Formatter().parse(text):
            if form or conversion:
                raise ValueError("a place is a name alone")
            yield literal, name
    except ValueError as error:
        raise ConfigError(f"{where} is {text!r} ({error}): write every place as a name in single braces.") from None


def check_pair_template(text: str, pooling: str, where: str) -> None:
    """Check the template of an encoder of pairs, which encoder.py fills.

    ConfigError, which names `where`: the template has other places than {h}, {t} and {mask}, or it lacks one that is needed.
    """
    places = {name for _, name in fields(text, where) if name is not None}
    needed = {"h", "t"} | ({"mask"} if pooling == "mask" else set())
    if not needed <= places <= {"h", "t", "mask"}:
        names = ", ".join(f"{{{name}}}" for name in sorted(needed))
        raise ConfigError(f"{where} is {text!r}, but must hold {names} and may hold {{mask}}: correct it.")


# The probes, their rows as requests to the primitives, and the tables of what a model answers.


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


# The probes of the study: the sentences that models are asked about, each of them once.


logger = logging.getLogger("relprobe")


def probes(instances: Instances, *, template: str) -> Probes:
    """Put both tuples of all instances into the sentence of the study, and log the share that is scored only once."""
    sentence = Template.of(template)
    both = [
        instances.select(
            "relation",
            "partition",
            text=sentence.expression(columns),
            **{place: pl.col(column) for place, column in columns.items()},
        )
        for columns in (POSITIVE, NEGATIVE)
    ]
    sentences = pl.concat(both)
    different = sentences.unique(["relation", "partition", "text"]).sort("relation", "partition", *ANALOGY)
    saved = 1 - different.height / max(sentences.height, 1)
    logger.info(
        "%s instances ask for %s sentences, of which %s are different: %.0f %% need not be scored again",
        *(f"{count:,}" for count in (instances.height, sentences.height, different.height)),
        100 * saved,
    )
    return different.select(list(PROBES))


# The choice in words: which of two pairs continues an analogy, as one would ask a person.


LINE = "continue"
"""The line of the chat in which the task stands."""
WORDS = ("query_head", "query_tail", "head", "tail", "negative_head", "negative_tail")
"""The columns of INSTANCES that a question shows."""


class Sheet(NamedTuple):
    """A choice as it is shown once: the query, and the pairs in their order, one of which is right."""

    probe: str
    query: Pair
    right: Pair
    wrong: Pair
    order: int
    options: tuple[Pair, ...]

    @property
    def id(self) -> str:
        """The id of the question.

        >>> france, italy, swap = ("paris", "france"), ("rome", "italy"), ("italy", "rome")
        >>> Sheet("reverse", france, italy, swap, 1, (swap, italy)).id
        'reverse 1 paris : france :: rome : italy or italy : rome'
        """
        query, right, wrong = map(colon, (self.query, self.right, self.wrong))
        return f"{self.probe} {self.order} {query} :: {right} or {wrong}"


def colon(pair: Pair) -> str:
    """Return a pair as the tables of the study name it.

    >>> colon(("rome", "italy"))
    'rome : italy'
    """
    return f"{pair[0]} : {pair[1]}"


def sheets(instances: Instances, partitions: list[Partition], orders: int) -> Iterator[Sheet]:
    """Yield the choices of the unsupervised setting, those with a swapped query too, each in up to two orders.

    A choice that several draws have is there once. The first order is drawn: the instances have the right pair first.
    """
    asked = instances.filter(pl.col("partition").is_in(partitions)).unique(["probe", *WORDS], maintain_order=True)
    for probe, *words in asked.select("probe", *WORDS).iter_rows():
        query, right, wrong = zip(words[::2], words[1::2], strict=True)
        key = f"{probe} {' '.join(words)}"
        for number, shown in enumerate(drawn_orders([right, wrong], orders, key), 1):
            yield Sheet(probe, query, right, wrong, number, shown)


def questions(
    lines: Mapping[str, str], instances: Instances, partitions: list[Partition], orders: int
) -> list[Question]:
    """Return the choices as questions. `lines`: that of the task has HEAD, TAIL and OPTIONS."""
    line = lines[LINE]
    return [Question(one.id, _text(line, one)) for one in sheets(instances, partitions, orders)]


def _text(line: str, one: Sheet) -> str:
    return _filled(line, one.query).replace(OPTIONS, lettered_lines(_options(line, one)))


def _options(line: str, one: Sheet) -> list[str]:
    """Return the pairs as they are shown, in the words in which the line has the query."""
    return [_filled(pair_in(line), pair) for pair in one.options]


def _filled(text: str, pair: Pair) -> str:
    return text.replace(HEAD, pair[0]).replace(TAIL, pair[1])


def replies(
    participant: Participant, instances: Instances, *, partitions: list[Partition], orders: int = 1
) -> InterviewResults:
    """Ask a model that only chats which of two pairs continues an analogy: the instances of some partitions."""
    asked = questions(participant.conversation, instances, partitions, orders)
    return interview(participant, "analogies", asked, TOKENS)


def reply_choices(
    replies: Replies, instances: Instances, *, partitions: list[Partition], line: str, orders: int = 1
) -> ReplyChoices:
    """Read the choices in replies: the pair of every question, "" where there is none.

    `line`: the words of the task, which say how a pair is written; `partitions`, `orders`: what was asked.
    """
    asked = {one.id: one for one in sheets(instances, partitions, orders)}
    rows = []
    for question, sample, outcome, text in replies.select("question_id", "sample", "outcome", "text").iter_rows():
        one = asked[question]
        pair_of = {option: colon(pair) for option, pair in zip(_options(line, one), one.options, strict=True)}
        choice = pair_of.get(read_choice(text, list(pair_of), outcome), "")
        names = (colon(one.query), colon(one.right), colon(one.wrong))
        shown = [colon(pair) for pair in one.options]
        rows.append((one.probe, *names, shown, one.order, sample, text, choice, choice == names[1]))
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")


# Pairs of words, and the file of a baseline's embeddings of them (section 3.1).


VECTORS = pa.schema(
    [
        ("relation", pa.string()),
        ("head", pa.string()),
        ("tail", pa.string()),
        ("vector", pa.list_(pa.float32())),  # null: a word has no static vector
    ]
)


@dataclass(frozen=True)
class RelationPair:
    """A pair of words of a relation of BATS, or a negative pair of this relation."""

    relation: str
    head: str
    tail: str


@dataclass(frozen=True)
class PairVector:
    """The embedding of a pair, shape (width,); None if a word has no vector."""

    pair: RelationPair
    vector: NDArray[np.float32] | None


def pairs(instances: pl.DataFrame) -> Iterator[RelationPair]:
    """Yield every different pair of words of a relation that is a query, a positive or a negative in INSTANCES."""
    columns = [("query_head", "query_tail")] + [(side["h2"], side["t2"]) for side in (POSITIVE, NEGATIVE)]
    parts = [instances.select("relation", head=head, tail=tail) for head, tail in columns]
    for row in pl.concat(parts).unique().sort("relation", "head", "tail").iter_rows():
        yield RelationPair(*row)


def vector_table(responses: Sequence[PairVector]) -> pa.Table:
    """Return the embeddings as a table (VECTORS)."""
    columns: list[list[Any]] = [
        [response.pair.relation for response in responses],
        [response.pair.head for response in responses],
        [response.pair.tail for response in responses],
        [response.vector for response in responses],
    ]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, VECTORS, strict=True)], schema=VECTORS
    )


@dataclass(frozen=True)
class PairVectors:
    """Embeddings of pairs as the result of a step (VECTORS): they are computed while they are written."""

    pairs: Callable[[], Iterable[RelationPair]]
    embed: Callable[[Iterable[RelationPair]], Iterable[PairVector]]
    settings: dict[str, Any]  # what the embeddings depend on beside the step's files and code
    part: Callable[[], int] = lambda: PART  # the size of a part, which is asked for where a network must be loaded
    reuse: bool = False  # whether pairs that are stored are not embedded again
    results: Path | None = None  # the folder of all results, in which other stores may hold the same embeddings
    encoder: Path | None = None  # the manifest of the network

    def write(self, path: Path, call: Call) -> None:
        """Write the embeddings in parts, and in the file's metadata what they depend on."""
        read = [
            file for file in call.files if file not in (self.encoder, self.results)
        ]  # results is a folder to look in
        about = made_of(read, call.code, **self.settings)
        if self.encoder is not None:
            about |= {"kind": "analogies pairs", "model_files": model_files(self.encoder)}
        apart = ("instances",)
        facts = facts_in(path, dependencies(about), guard_of(about, apart)) if self.reuse else None
        facts = facts or {"size": self.part()}
        write_in_parts(
            self.pairs,
            self.embed,
            vector_table,
            about,
            path,
            facts["size"],
            first=first_size(facts["size"]),
            apart=apart,
            reuse=self.reuse,
            results=self.results,
            check=Check(Comparison(self.settings.get("dtype", "float32"))),
            facts=facts,
        )


# Embeddings of pairs by static vectors: the difference of the two words' vectors (section 3.1).


def static(vectors: Vectors, instances: Instances) -> PairVectors:
    """Embed every pair of words by the difference of its static vectors.

    They are made anew each time: reading the vectors takes seconds, and all the rest a moment.
    """
    return PairVectors(partial(pairs, instances), lambda part: differences(part, vectors), {})


def differences(word_pairs: Iterable[RelationPair], vectors: StaticVectors) -> Iterator[PairVector]:
    """Yield for each pair the head's vector minus the tail's; the vector of several words is their mean.

    >>> import numpy as np
    >>> vectors = StaticVectors({"a": 0, "b": 1}, np.array([[1, 0], [0, 2]], np.float32))
    >>> [pair.vector for pair in differences([RelationPair("E01", "a", "b"), RelationPair("E01", "a", "x")], vectors)]
    [array([ 1., -2.], dtype=float32), None]
    """
    for pair in word_pairs:
        head, tail = vectors.of(pair.head), vectors.of(pair.tail)
        yield PairVector(pair, None if head is None or tail is None else head - tail)
