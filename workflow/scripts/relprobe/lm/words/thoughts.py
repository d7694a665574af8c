"""The thoughts of reasoning models: how one is opened and closed in a text, and what is said behind it."""

import re

OPENING = re.compile(
    r"(<\|?|\[|◁)((?:begin|start)(?:_of)?_)?((?:\w+:)?(?:think|thinking|thoughts?|reasoning))(\|?>|\]|▷)", re.IGNORECASE
)
"""What opens a thought: <think>, [THINK], <|START_THINKING|>, <|begin_of_thought|>, ◁think▷."""

_BRACKET, _END = r"(?:<\|?|\[|◁)", r"(?:\|?>|\]|▷)"
_WORD = rf"(?:\w+:)?(?:think|thinking|thoughts?|reasoning){_END}"
_CLOSE = rf"{_BRACKET}(?:/|end(?:_of)?_){_WORD}"
END = re.compile(_CLOSE, re.IGNORECASE)
"""What closes a thought."""
THOUGHT = re.compile(
    rf"^\s*{_BRACKET}(?:(?:begin|start)(?:_of)?_)?{_WORD}(.*?)(?:{_CLOSE}|\Z)", re.DOTALL | re.IGNORECASE
)
"""A thought at the beginning, in marks such as <think>, [THINK] or <|START_THINKING|>; one that is cut off has no end."""
REST_OF_THOUGHT = re.compile(rf"^(.*?){_CLOSE}", re.DOTALL | re.IGNORECASE)
"""The end of a thought that the model's template has opened."""
RESPONSE = re.compile(r"<\|(?:start|end)_response\|>", re.IGNORECASE)
"""Marks around what is said behind a thought."""


def closing_of(opening: re.Match[str]) -> str:
    """Return what closes a thought that a match of OPENING opens.

    >>> [closing_of(OPENING.match(text)) for text in ("<think>", "[THINK]", "<|START_THINKING|>", "<|begin_of_thought|>")]
    ['</think>', '[/THINK]', '<|END_THINKING|>', '<|end_of_thought|>']
    """
    bracket, begin, word, end = opening.groups()
    if not begin:
        return f"{bracket}/{word}{end}"
    return f"{bracket}{re.sub('START|BEGIN', 'END', re.sub('start|begin', 'end', begin))}{word}{end}"


def open_thought(text: str) -> re.Match[str] | None:
    """Return what opens a thought that a text leaves open; None if it leaves none open.

    >>> open_thought("<think>so</think>"), open_thought("robin?<assistant><think>")[0]
    (None, '<think>')
    """
    *_, last = (None, *OPENING.finditer(text))
    return last if last is not None and not END.search(text, last.end()) else None


def without_thoughts(text: str) -> tuple[str, str]:
    """Divide a reply into what the model says and what it thinks in marks before that.

    >>> without_thoughts("<think>A robin is a bird.</think> bird")
    ('bird', 'A robin is a bird.')
    >>> without_thoughts("So: bird.</think>bird"), without_thoughts("<think>A robin")
    (('bird', 'So: bird.'), ('', 'A robin'))
    >>> without_thoughts("[THINK]So: bird.[/THINK]bird"), without_thoughts("◁think▷So.◁/think▷bird")
    (('bird', 'So: bird.'), ('bird', 'So.'))
    >>> without_thoughts("<|START_THINKING|>So.<|END_THINKING|><|START_RESPONSE|>bird<|END_RESPONSE|>")
    ('bird', 'So.')
    """
    match = THOUGHT.match(text) or REST_OF_THOUGHT.match(text)
    answer = text[match.end() :] if match else text
    return RESPONSE.sub("", answer).strip(), match[1] if match else ""
