"""Which token a server means: by its id where the answer has it, else by a text that only one token of the tokenizer has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

BROKEN = "\N{REPLACEMENT CHARACTER}"
"""What stands in the text of a token that is only a part of a character."""
ID = "token_id:"
"""vLLM's name of a token, before its id, where a request asks for `return_tokens_as_token_ids`."""


@dataclass(frozen=True)
class TokenNames:
    """The texts by which servers name tokens: text -> the ids of all tokens that have this text."""

    ids: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, tokenizer: Any) -> TokenNames:
        """Return the names of a tokenizer's tokens.

        A token has its text as it stands inside of a text, with its leading space. The parts of a character have no text of
        their own. Servers leave them out or replace them, so they count under what is left. Special tokens count under
        their text and, as some servers leave them out, under the empty text.
        """
        backend = tokenizer.backend_tokenizer
        anchor = tokenizer.encode("a", add_special_tokens=False)
        start = len(backend.decode(anchor, skip_special_tokens=False))
        vocabulary = sorted(tokenizer.get_vocab().values())
        texts = backend.decode_batch([[*anchor, i] for i in vocabulary], skip_special_tokens=False)
        special = {i for i, token in tokenizer.added_tokens_decoder.items() if token.special}
        ids = defaultdict(set)
        for token_id, decoded in zip(vocabulary, texts, strict=True):
            text = decoded[start:]
            for name in {text, text.replace(BROKEN, "")} | ({""} if token_id in special else set()):
                ids[name].add(token_id)
        return cls({name: tuple(sorted(group)) for name, group in ids.items()})

    @cached_property
    def shared(self) -> int:
        """How many tokens have a text that another token has as well."""
        return len({token_id for ids in self.ids.values() if len(ids) > 1 for token_id in ids})

    def id_of(self, name: str) -> int | None:
        """Return the id of the token that a server names, or None if no token or several tokens have this text.

        >>> names = TokenNames({" bird": (7,), "": (0, 1)})
        >>> names.id_of("token_id:12"), names.id_of(" bird"), names.id_of("")
        (12, 7, None)
        """
        if name.startswith(ID) and name[len(ID) :].isdecimal():
            return int(name[len(ID) :])
        ids = self.ids.get(name, ())
        return ids[0] if len(ids) == 1 else None
