"""Encoder-decoder networks: the encoder reads a text, and the decoder predicts what fills its slot.

An input is a pair: the text with a blank (the query's `source`), and what the decoder has written so far (its `ids`). Many
inputs have one text, as those of its candidates do. So a text is encoded once, and its states are kept for a while.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

KEPT = 2**24
"""The most values of encoder states that are kept: 67 MB in float32."""
Source = tuple[int, ...]


class PairStates:
    """The last hidden states of a network's decoder; `tokens` counts those that its encoder has computed."""

    def __init__(self, net: Any) -> None:
        self._encoder, self._decoder = net.get_encoder(), net.get_decoder()
        self._kept: OrderedDict[Source, Tensor] = OrderedDict()
        self.tokens = 0

    def __call__(self, input_ids: Tensor, sources: Sequence[Source]) -> Tensor:
        """Return the states (rows, length, width) of the decoder's tokens `input_ids` (rows, length).

        `sources` are the texts of the rows, all of one length. A row may be filled up at its end: a decoder's state depends
        on the tokens before it alone.
        """
        texts = list(dict.fromkeys(sources))
        place = {text: i for i, text in enumerate(texts)}
        states = self._encoded(texts, input_ids.device)
        rows = torch.tensor([place[source] for source in sources], device=states.device)
        output = self._decoder(input_ids=input_ids, encoder_hidden_states=states[rows], use_cache=False)
        last: Tensor = output.last_hidden_state
        return last

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
        while len(self._kept) > 1 and sum(map(len, self._kept)) * encoded.shape[2] > KEPT:
            self._kept.popitem(last=False)
        return encoded
