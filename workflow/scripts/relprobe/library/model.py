"""A model that answers in tables: the words of a slot, candidates, sentences, and embeddings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from relprobe.core.errors import ProbeError
from relprobe.library.columns import (
    CANDIDATES,
    SENTENCES,
    SERVED_WORDS,
    TOP_WORDS,
    WORDS,
    finite,
    possible,
    ranked_by_layer,
    ranking,
)
from relprobe.library.layers import Layers, asked_layers
from relprobe.library.texts import (
    Join,
    Texts,
    Words,
    lists_of,
    slot_forms,
    spans_of,
    texts_of,
    with_slot,
    word_list,
    word_spans,
)
from relprobe.library.tokens import WordTokens
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import Method, continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import Masking, pseudo_logprob
from relprobe.lm.primitives.surprisal import surprisals
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model as Engine
    from relprobe.lm.words.encode import ModelKind

Item = TypeVar("Item")
BAR_AFTER_S = 0.5
"""Seconds before a progress bar appears."""


class Model:
    """A language model that answers in polars tables; `relprobe.load` makes it.

    Every table has the column `id`, the number of the text in the input from 0, and all log-probabilities are natural
    logarithms in float32. A text may be one string or a list of strings. `[SLOT]` is the open position of a text.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}})).kind
    'causal'
    """

    def __init__(self, engine: Engine, progress: bool | None = None) -> None:
        self.engine = engine
        """The model behind this one, for the functions of `relprobe.lm.primitives`."""
        self.progress = progress
        self._tokens = WordTokens(engine)

    @property
    def kind(self) -> ModelKind:
        """Whether the model is masked (BERT), causal (GPT) or encoder-decoder (T5)."""
        return self.engine.encoder.kind

    def top_words(
        self, texts: Texts, k: int = 10, words: Words | None = None, *, layers: Layers | None = None
    ) -> pl.DataFrame:
        """Return the `k` likeliest words at the slot of each text, best first, with the columns of TOP_WORDS.

        Without `words`, the answers are the words that are one token of the model, which costs one forward pass. A sign
        after a space, such as a quote, counts as a word here. The log-probability is that of the token. So " bird" includes
        " birdhouse" if that begins with the same token. In a script without spaces, such as Chinese, tokens do not show
        where words begin: the answers are tokens of letters of such scripts, with a warning, and whole words need a list.

        `words` is a list of words of any length, or a mapping from words to their frequencies. The k likeliest words of
        the list are found exactly. The log-probability is that of the whole word, and that it ends there, so models with
        different tokenizers can be compared (docs/engine-details.md, "Words of any length"). A served model adds the column
        `error`: how far the true log-probability may be from the one that is given, as the server's lists end somewhere.

        Of a server without a list, the answers are the words among the tokens that it lists, and a warning says how many
        texts have fewer than `k`.

        `layers` asks for the answers after these layers, and the last one, from one forward pass: "all", a list such as
        [0, 12], where 0 are the embeddings, or {"every": 3}. The columns are LAYER_WORDS then. The head of the model reads
        each layer (docs/engine-details.md, "Answers after every layer").

        ProbeError: a text without exactly one slot, or with text after the slot of a causal model; `k` is below 1; `layers`
        with `words`, of a server, or with a layer that is not there.

        >>> from relprobe.lm.loading.example import bigram_model
        >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}}))
        >>> model.top_words("robin a [SLOT]", k=2).select("rank", "word", pl.col("logprob").exp().round(2)).rows()
        [(1, 'bird', 0.75), (2, 'robin', 0.25)]
        >>> model.top_words("a [SLOT]", k=1, words=["robin sings", "sings"])["word"].to_list()
        ['robin sings']
        """
        texts = texts_of(texts)
        if not isinstance(k, Integral) or k < 1:
            raise ProbeError(f"k={k!r} is no number of words: use 1 or more.")
        k = int(k)
        probes = [SlotProbe(str(i), (Variant(with_slot(i, text)),)) for i, text in enumerate(texts)]
        if layers is not None:
            asked = asked_layers(self.engine, layers, words)
            return ranked_by_layer(texts, self._tokens.top(texts, probes, k, self._bar, asked), asked)
        if words is None:
            return ranking(
                texts, [possible(*answer) for answer in self._tokens.top(texts, probes, k, self._bar)], TOP_WORDS
            )
        listed = word_list(words)
        if not isinstance(self.engine, LanguageModel):
            from relprobe.lm.served.words import likeliest_words

            engine, tokenizer = self.engine, self.engine.encoder.tokenizer
            likeliest = null_unknown(tokenizer, probes, lambda asked: likeliest_words(engine, [*asked], listed, k))
            served = self._bar(likeliest, len(texts), "texts")
            return ranking(
                texts,
                [(listed.words, response.word_ids, response.logprobs, response.errors) for response in served],
                SERVED_WORDS,
            )
        responses = self._bar(slot_top_words(self.engine, probes, listed, k), len(texts), "texts")
        return ranking(
            texts, [(listed.words, response.word_ids, response.logprobs) for response in responses], TOP_WORDS
        )

    def score(
        self,
        texts: Texts,
        candidates: Sequence[str] | Sequence[Sequence[str]],
        *,
        method: Method | None = None,
        word_ends: bool = False,
        join: Join = "auto",
    ) -> pl.DataFrame:
        """Return the log-probability of each candidate in each text, with the columns of CANDIDATES.

        A candidate stands in the slot of the text or, if the text has none, after the text. There `join` says what is
        between them. "auto" puts a space where the language writes one: not after white space, an opening quote or bracket,
        and not in scripts without spaces, such as Chinese (`relprobe.lm.words.spacing.joint`). "space" puts a space unless
        one is there, and "none" puts nothing. A candidate that begins with a space brings its own. The log-probability is
        the sum over the candidate's tokens in the joined text. It is null, with a warning, where the tokenizer cannot write
        a word of the candidate or of the text; so it is in all methods.

        `candidates` is one list for all texts, or a list for each text. `method` and `word_ends` are those of
        `relprobe.lm.primitives.continuation.continuation_logprob` (`word_boundary`): with `word_ends`, the probability of a
        word includes that the word ends.

        ProbeError: a candidate is empty or begins with a line break, or the model's tokenizer cannot write it in this place,
        because it grows together with the text.

        >>> from relprobe.lm.loading.example import bigram_model
        >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}}))
        >>> table = model.score("a", ["bird", "robin sings"])
        >>> table.select("candidate", "tokens", pl.col("logprob").exp().round(2)).rows()
        [('bird', 1, 0.75), ('robin sings', 2, 0.25)]
        """
        texts = texts_of(texts)
        lists = lists_of(candidates, len(texts))
        groups = [
            group
            for i, (text, candidates_of) in enumerate(zip(texts, lists, strict=True))
            for group in slot_forms(i, text, candidates_of, join)
        ]
        requests = [
            Continuation(str(i), text, tuple(lists[i][j] for j in candidates_of)) for i, text, candidates_of in groups
        ]
        responses = continuation_logprob(self.engine, requests, method, word_boundary=word_ends)
        logprobs = {
            (i, j): values
            for (i, _, candidates_of), response in zip(groups, self._bar(responses, len(groups), "texts"), strict=True)
            for j, values in zip(candidates_of, response.logprobs, strict=True)
        }
        rows = [
            (i, text, candidate, len(logprobs[i, j]), finite(logprobs[i, j].sum()))
            for i, (text, candidates_of) in enumerate(zip(texts, lists, strict=True))
            for j, candidate in enumerate(candidates_of)
        ]
        return pl.DataFrame(rows, schema=CANDIDATES, orient="row")

    def sentences(self, texts: Texts, *, masking: Masking = "one_mask", word_ends: bool = False) -> pl.DataFrame:
        """Return the log-probability of each sentence and of its tokens, with the columns of SENTENCES.

        For a causal model this is log P(sentence). For a masked model it is the pseudo-log-likelihood of Salazar et al.
        (2020), or with masking="within_word_l2r" that of Kauf and Ivanova (2023).

        >>> from relprobe.lm.loading.example import bigram_model
        >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}}))
        >>> row = model.sentences("a robin sings").row(0, named=True)
        >>> row["tokens"], np.exp(row["logprobs"][1:]).round(2).tolist()
        (['a', 'robin', 'sings'], [0.25, 1.0])
        """
        texts = texts_of(texts)
        requests = [Sentence(str(i), text) for i, text in enumerate(texts)]
        responses = pseudo_logprob(self.engine, requests, masking, word_boundary=word_ends)
        convert = self.engine.encoder.tokenizer.convert_ids_to_tokens
        rows = [
            (
                i,
                text,
                None if np.isnan(response.logprobs).all() else float(np.nansum(response.logprobs)),
                convert(response.token_ids.tolist()),
                list(map(finite, response.logprobs.tolist())),
            )
            for i, (text, response) in enumerate(zip(texts, self._bar(responses, len(texts), "sentences"), strict=True))
        ]
        return pl.DataFrame(rows, schema=SENTENCES, orient="row")

    def words(
        self,
        texts: Texts,
        spans: Sequence[Sequence[tuple[int, int]]] | None = None,
        *,
        masking: Masking = "within_word_l2r",
    ) -> pl.DataFrame:
        """Return the surprisal of each word of each text, in nats and bits, with the columns of WORDS.

        A word is what stands between white space, or in one of the `spans` of its text, which are (start, stop) in
        characters. For a causal model the surprisal is corrected for where a word ends, as Pimentel and Meister (2024) do;
        `nats - correction` is the sum over the tokens. Masked and encoder-decoder models have no correction, and `masking`
        is that of `sentences`.

        ProbeError: a span has no token, or divides one.

        >>> from relprobe.lm.loading.example import bigram_model
        >>> model = Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}}))
        >>> model.words("a robin sings").select("word", "bits").rows()  # log2 of 1/0.25 and of 1
        [('a', None), ('robin', 2.0), ('sings', 0.0)]
        """
        texts = texts_of(texts)
        span_lists = (
            word_spans(texts) if spans is None else [tuple((a, b) for a, b in text_spans) for text_spans in spans]
        )
        if len(span_lists) != len(texts):
            raise ProbeError(
                f"there are {len(span_lists)} lists of spans for {len(texts)} texts: give one for each text."
            )
        requests = [
            SpanText(str(i), text, text_spans)
            for i, (text, text_spans) in enumerate(zip(texts, span_lists, strict=True))
        ]
        responses = surprisals(self.engine, requests, masking, by_spaces=spans is None)
        convert = self.engine.encoder.tokenizer.convert_ids_to_tokens
        rows = [
            (
                i,
                position,
                text.text[start:stop],
                start,
                stop,
                convert(ids.tolist()),
                nats,
                nats / math.log(2),
                correction,
            )
            for i, (text, response) in enumerate(zip(requests, self._bar(responses, len(texts), "texts"), strict=True))
            for position, ((start, stop), ids, nats, correction) in enumerate(
                zip(text.spans, response.token_ids, response.nats.tolist(), response.correction.tolist(), strict=True)
            )
        ]
        numbers = [name for name, kind in WORDS.items() if kind == pl.Float32()]
        return pl.DataFrame(rows, schema=WORDS, orient="row").with_columns(pl.col(numbers).fill_nan(None))

    def embed(self, texts: Texts, words: Texts | None = None, *, layer: int = -1) -> pl.DataFrame:
        """Return a vector for each text: the mean hidden state of its tokens, or of those of a word in it.

        `words` has the word or phrase of each text whose vector is wanted; of several the first counts. `layer` 0 is the
        embedding layer, n the output of the n-th layer, and -1 the last one. The columns are `id`, `text` and `vector`
        (float32); `table["vector"].to_numpy()` has the shape (texts, width).

        ProbeError: a text does not hold its word, or has no tokens.

        >>> from relprobe.lm.loading.example import bigram_model
        >>> model = Model(bigram_model({"a": {"robin": 1}, "robin": {"sings": 1}}))
        >>> model.embed(["a robin", "a robin sings"], ["robin", "a robin"], layer=0)["vector"].to_numpy().tolist()
        [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
        """
        texts = texts_of(texts)
        spans = [(0, len(text)) for text in texts] if words is None else spans_of(texts, texts_of(words, "word"))
        requests = [SpanText(str(i), text, (span,)) for i, (text, span) in enumerate(zip(texts, spans, strict=True))]
        responses = self._bar(embeddings(self.engine, requests, layer), len(texts), "texts")
        vectors = [response.vectors for response in responses]
        table = pl.DataFrame({"id": range(len(texts)), "text": texts}, {"id": pl.UInt32(), "text": pl.String()})
        table = table.with_columns(vector=pl.Series(np.concatenate(vectors) if vectors else [], strict=False))
        lost = pl.Series([bool(np.isnan(vector).all()) for vector in vectors], dtype=pl.Boolean)
        return table.with_columns(vector=pl.when(~lost).then("vector")) if lost.any() else table

    def __repr__(self) -> str:
        if not isinstance(self.engine, LanguageModel):
            return f"Model({self.engine}, causal)"
        origin = self.engine.origin()
        return f"Model({type(self.engine.net).__name__}, {self.kind}, {origin['dtype']}, {origin['path']})"

    def _bar(self, items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
        """Yield the items with a progress bar: on terminals and in notebooks, or as `progress` says."""
        from tqdm.auto import tqdm

        disable = None if self.progress is None else not self.progress
        yield from tqdm(items, total=total, unit=f" {what}", delay=BAR_AFTER_S, disable=disable, leave=False)
