"""How a model is asked: what stands before every text, as before the probes of the studies."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from relprobe.core.errors import ConfigError, ProbeError
from relprobe.core.files import nfc
from relprobe.core.words import enumeration
from relprobe.lm.requests import SLOT as ENGINE_SLOT
from relprobe.lm.words.examples import join_examples
from relprobe.lm.words.spacing import joint

Chat = bool | Mapping[str, str]
Shots = Sequence[str | tuple[str, str]]
SLOT = "[SLOT]"
"""The open position in a text."""
LINES = {
    "system": "You know the meanings of English words.",
    "instruction": "Complete a sentence with the noun that fits best.",
}
"""What a model is told in a chat, unless the caller says otherwise: the lines of the relations study."""


def encoding(bos: bool | None, context: str, chat: Chat, shots: Shots) -> dict[str, Any]:
    r"""Return the settings of the encoder that `relprobe.lm.loading.load.load` and `relprobe.lm.connect.connect` take.

    The examples are the end of the context, so a model reads the conversation, the context, the examples, and the text.
    ConfigError: `chat` or `shots` has another form.

    >>> encoding(None, "Birds:", False, ["a rook is a bird", ("a rose is a [SLOT]", "flower")])["context"]
    'Birds: a rook is a bird.\na rose is a flower.\n'
    >>> encoding(None, "", {"instruction": "Complete a text."}, [])["conversation"]["instruction"]
    'Complete a text.'
    """
    examples = join_examples(_solved(shots))
    separator = " " if examples and context and not context[-1].isspace() else ""
    lines = _lines(chat)
    check_composed("`context`", context)
    return {
        "bos": bos,
        "context": f"{context}{separator}{examples}",
        "chat": "none" if lines is None else "true",
        "conversation": lines,
    }


def check_composed(where: str, text: str) -> None:
    """Check that a text is in Unicode's form NFC, as models read nearly all texts. ProbeError: it is not.

    Letters whose accents are signs of their own, as files of macOS and PDFs have them, are other tokens.
    """
    if not unicodedata.is_normalized("NFC", text):
        composed = nfc(text)
        start = next((i for i, (a, b) in enumerate(zip(text, composed, strict=False)) if a != b), len(composed))
        raise ProbeError(
            f"{where} is not in Unicode's form NFC (at {text[start : start + 2]!a}), so that a model reads other tokens: "
            'bring it there with unicodedata.normalize("NFC", text).'
        )


def _lines(chat: Chat) -> dict[str, str] | None:
    """Return the lines of a conversation, or None without one. ConfigError: `chat` is neither a bool nor such lines."""
    if isinstance(chat, bool):
        return dict(LINES) if chat else None
    if not isinstance(chat, Mapping):
        raise ConfigError(f"chat={chat!r} is no way to ask: use True, False, or your own {_names()}.")
    for name, text in chat.items():
        if name not in LINES:
            raise ConfigError(f"`chat` has {name!r}, which is no line of a conversation: use {_names()}.")
        if not isinstance(text, str) or SLOT in text:
            raise ConfigError(f"`chat` has {name}={text!r}: write it as a text without {SLOT}.")
        check_composed(f"`chat` with its {name}", text)
    return {**LINES, **chat}


def _names() -> str:
    return enumeration(f"`{name}`" for name in LINES)


def _solved(shots: Shots) -> list[str]:
    """Return the texts of examples. ConfigError: `shots` is no list of examples."""
    if not isinstance(shots, Sequence) or isinstance(shots, str):
        raise ConfigError(
            f"shots={shots!r} is no list of solved examples: give texts, or pairs of a text and its answer."
        )
    return [_example(number, shot) for number, shot in enumerate(shots)]


def _example(number: int, shot: Any) -> str:
    """Return the text of an example. ConfigError: it is neither a text nor a pair, or has a slot too many.

    >>> _example(0, ("a robin is a", "bird")), _example(0, ("a [SLOT] sings", "robin"))
    ('a robin is a bird', 'a robin sings')
    """
    parts = ("", shot) if isinstance(shot, str) else shot
    pair = isinstance(parts, Sequence) and len(parts) == 2 and all(isinstance(part, str) for part in parts)
    if not pair or not all(part.strip() for part in ([shot] if isinstance(shot, str) else parts)):
        raise ConfigError(f"example {number} of `shots` is {shot!r}: give a text, or a pair of a text and its answer.")
    text, answer = parts
    check_composed(f"example {number} of `shots`", f"{text}{answer}")
    solved = text.replace(SLOT, answer, 1) if SLOT in text else f"{text}{joint(text, answer)}{answer}"
    if SLOT in solved or ENGINE_SLOT in solved:
        raise ConfigError(f"example {number} of `shots` still holds a slot: {solved!r}; write its answer there.")
    return solved
