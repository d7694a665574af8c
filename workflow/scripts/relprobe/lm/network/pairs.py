"""Encoder-decoder networks: the encoder reads a text, and the decoder predicts what fills its slot.

An input is a pair: the text with a blank (the query's `source`), and what the decoder has written so far (its `ids`). Many
inputs have one text, as those of its candidates do. So a text is encoded once, and its states are kept for a while. The
decoder's layers make keys and values of a text once, too, for all rows of a batch that have this text.
"""

import inspect
import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache

logger = logging.getLogger("relprobe")
MOST_KEPT = 2**24
"""The most values of encoder states that are kept: 67 MB in float32."""
SAME = 1e-5
"""The largest difference of a decoder's states, which are around 1, where rows share keys and values. Measured: 0."""
Source = tuple[int, ...]


class _RowCache(DynamicCache):  # type: ignore[misc]
    """What a layer sees as its cache of keys and values of texts: it gets those of the text of each row.

    A layer hands the new keys and values of the texts (texts, heads, length, size) to `update`, and attends to what comes
    back (rows, heads, length, size). Nothing is kept.
    """

    def __init__(self, rows: Tensor) -> None:
        super().__init__()
        self._rows = rows

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *_args: Any, **_kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the rows; `layer_idx` has no meaning here."""
        rows = self._rows.to(key_states.device)
        return key_states[rows], value_states[rows]


class PairStates:
    """The last hidden states of a network's decoder; `tokens` counts those that its encoder has computed."""

    def __init__(self, net: Any) -> None:
        self._net = net
        self._encoder, self._decoder = net.get_encoder(), net.get_decoder()
        self._kept: OrderedDict[Source, Tensor] = OrderedDict()
        self._shares: bool | None = None  # whether rows share keys and values; not yet known
        self.tokens = 0

    def __call__(self, input_ids: Tensor, sources: Sequence[Source]) -> Tensor:
        """Return the states (rows, length, width) of the decoder's tokens `input_ids` (rows, length).

        `sources` are the texts of the rows, all of one length. A row may be filled up at its end: a decoder's state depends
        on the tokens before it alone.
        """
        texts = list(dict.fromkeys(sources))
        row_of = {text: i for i, text in enumerate(texts)}
        states = self._encoded(texts, input_ids.device)
        rows = torch.tensor([row_of[source] for source in sources], device=states.device)
        if self._shares is None:
            self._shares = self._may_share(input_ids[:1], states)
        if self._shares and len(texts) < len(sources):
            return self._decoded_together(input_ids, states, rows)
        return self._decoded(input_ids, states[rows])

    def logits(self, input_ids: Tensor, sources: Sequence[Source]) -> Tensor:
        """Return the logits (rows, length, vocabulary), float32, of the network's own forward: nothing is kept or shared."""
        source = torch.tensor(sources, device=input_ids.device)
        logits: Tensor = self._net(input_ids=source, decoder_input_ids=input_ids, use_cache=False).logits
        return logits.float()

    def forget(self) -> None:
        """Free the states that are kept."""
        self._kept.clear()

    def _encoded(self, texts: Sequence[Source], device: torch.device) -> Tensor:
        """Return the encoder's states of texts of one length, shape (texts, length, width)."""
        new = [text for text in texts if text not in self._kept]
        if new:
            states = self._encoder(input_ids=torch.tensor(new, device=device)).last_hidden_state
            self._kept.update(zip(new, states, strict=True))
            self.tokens += len(new) * len(new[0])
        encoded = torch.stack([self._kept[text] for text in texts])
        while len(self._kept) > 1 and sum(map(len, self._kept)) * encoded.shape[2] > MOST_KEPT:
            self._kept.popitem(last=False)
        return encoded

    def _decoded(self, input_ids: Tensor, states: Tensor) -> Tensor:
        """Return the decoder's states, where each row has its own `states` (rows, length, width) of a text."""
        output = self._decoder(input_ids=input_ids, encoder_hidden_states=states, use_cache=False)
        last: Tensor = output.last_hidden_state
        return last

    def _decoded_together(self, input_ids: Tensor, states: Tensor, rows: Tensor) -> Tensor:
        """Return the same for `states` (texts, length, width) of texts and the text of each row (rows,)."""
        cache = EncoderDecoderCache(DynamicCache(), _RowCache(rows))
        named = {_cache_argument(self._decoder): cache}
        output = self._decoder(input_ids=input_ids, encoder_hidden_states=states, use_cache=True, **named)
        last: Tensor = output.last_hidden_state
        return last

    def _may_share(self, ids: Tensor, states: Tensor) -> bool:
        """Return whether three rows of two made-up texts get the same states in both ways.

        UMT5, LED and MVP compute something else with an empty cache than without one, and others may not take it at all.
        """
        numbers = torch.arange(2 * 5 * states.shape[2], device=states.device)
        texts = numbers.sin().to(states.dtype).view(2, 5, -1)
        rows = torch.tensor([0, 0, 1], device=states.device)
        ids = ids.repeat(3, 1)
        expected = self._decoded(ids, texts[rows])
        try:
            difference = (self._decoded_together(ids, texts, rows) - expected).abs().max().item()
        except (RuntimeError, TypeError, ValueError, AttributeError, LookupError) as error:
            logger.debug("%s takes no cache of texts (%s)", type(self._decoder).__name__, error)
            return False
        return difference <= SAME


def _cache_argument(decoder: Any) -> str:
    """Return the name of a decoder's argument for its cache: transformers 5.24 began to rename it, with T5's.

    >>> class Decoder:
    ...     def forward(self, input_ids, cache=None): ...
    >>> _cache_argument(Decoder())
    'cache'
    """
    return "cache" if "cache" in inspect.signature(decoder.forward).parameters else "past_key_values"
