"""Texts as a reader can read them: numbers, tokens that are no words, and what glosses of WordNet have left over."""

import re
from collections.abc import Iterable

PIECE = re.compile(r"(?:^|(?<=[ (]))##(\S+?)(?=$| |[;,)](?: |$))")
"""A token that begins no word, as the tables of answers have it, at the beginning of a text or after a space."""
PIECES = (
    "An answer such as -ing is a piece of a word: a token that cannot begin one. [space] and [line break] are tokens, "
    "too. The files have them as the model's tokenizer writes them, behind ##."
)
"""What is said where such tokens are shown."""
BLANKS_OF_PROMPTS = {"[DET]": "a(n)", "[V]": "…"}
"""What stands in the text of a probe for an article of either form, and for the slot -> what a reader sees there."""
BLANKS = {" ": "[space]", "\n": "[line break]", "\t": "[tab]"}


def minus(number: str) -> str:
    """Return a number with a minus sign, U+2212, as on the axes of figures, in place of the hyphen.

    >>> minus("-0.5"), minus(f"{1e-9:.1e}")
    ('−0.5', '1.0e−09')
    """
    return number.replace("-", "−")


def decimals_of(low: float, high: float, least: int = 2) -> int:
    """Return how many decimals, `least` or more, tell the bounds of an interval apart, so that it is written with a width.

    They tell a bound from 0, too, if the interval lies on one side of it.

    >>> decimals_of(-0.25, 0.5), decimals_of(-0.0241, -0.0219), decimals_of(0.004, 0.14), decimals_of(0.0, 0.14)
    (2, 3, 3, 2)
    """
    for ends in ((low, high, 0.0), (low, high)) if low * high > 0 else ((low, high),):
        for number in range(least, 9):
            if len({in_digits(end, number) for end in ends}) == len(ends):
                return number
    return least


def interval_in_words(low: float, high: float, least: int = 2) -> str:
    """Return in words an interval with as many decimals as tell its bounds apart, `least` or more.

    >>> interval_in_words(-0.25, 0.5), interval_in_words(0.0219, 0.0241), interval_in_words(60.2, 86.1, 0)
    ('95 % interval −0.25 to 0.50', '95 % interval 0.022 to 0.024', '95 % interval 60 to 86')
    """
    digits = decimals_of(low, high, least)
    return f"95 % interval {in_digits(low, digits)} to {in_digits(high, digits)}"


def in_digits(value: float, decimals: int) -> str:
    """Return a number with so many decimals; one that rounds to 0 has no sign.

    >>> in_digits(-0.25, 3), in_digits(1234.5, 0), in_digits(-0.001, 2)
    ('−0.250', '1,234', '0.00')
    """
    return minus(f"{round(value, decimals) + 0.0:,.{decimals}f}")


def p_in_words(p: float) -> str:
    """Return in words a p with two digits that count, or that it is below 0.001.

    >>> p_in_words(0.0334), p_in_words(0.2), p_in_words(0.00001)
    ('p = 0.033', 'p = 0.2', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def with_end(title: str) -> str:
    """Return a title as it stands before a caption: with a full stop, unless it is a question.

    >>> with_end("Tests"), with_end("Are deep synsets harder?")
    ('Tests.', 'Are deep synsets harder?')
    """
    return title if title.endswith(("?", "!", ".")) else f"{title}."


def readable(text: str) -> str:
    """Return a text with its tokens as `piece` shows them, and with one semicolon for several.

    Glosses of WordNet have several semicolons where examples stood between them. What fills the slot of a prompt is an
    ellipsis.

    >>> readable("a robin is a kind of [DET] [V]")
    'a robin is a kind of a(n) …'
    >>> [readable(text) for text in ("##inator", "ani: ##Ġ; auk: bird", "by chance; ;  (Santayana)", "## title")]
    ['-inator', 'ani: [space]; auk: bird', 'by chance; (Santayana)', '## title']
    """
    for sign, shown in BLANKS_OF_PROMPTS.items():
        text = text.replace(sign, shown)
    if "##" in text:
        text = PIECE.sub(lambda match: piece(match[1]), text)
    return re.sub(r"\s*;(\s*;)+\s*", "; ", text).rstrip() if ";" in text else text


def unlike(texts: Iterable[str]) -> dict[int, str]:
    """Return place -> readable text, of those texts that read otherwise than they are.

    >>> unlike(["bird", "##ing"])
    {1: '-ing'}
    """
    shown = enumerate((text, readable(text)) for text in texts)
    return {number: reads for number, (text, reads) in shown if reads != text}


def piece(token: str) -> str:
    """Return a token that begins no word as a reader reads it: letters behind a hyphen, signs as they are, spaces by name.

    Byte-level tokenizers write each byte as a character of its own; a token that is no whole character stays as it is.

    >>> [piece(token) for token in ("ing", "'s", ",", "ĊĊ", "âĢĻ", "âĢ")]
    ['-ing', "-'s", ',', '[line break]', '’', '-âĢ']
    """
    text = _decoded(token)
    if not text.strip():
        return BLANKS.get(text[:1], BLANKS[" "])
    return f"-{text}" if any(map(str.isalnum, text)) else text


def _byte_characters() -> dict[str, int]:
    """Return the character of each byte in byte-level vocabularies (GPT-2's): its own, or one from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    unprintable = (byte for byte in range(0x100) if byte not in printable)
    return {chr(byte): byte for byte in printable} | {
        chr(0x100 + number): byte for number, byte in enumerate(unprintable)
    }


_BYTES = _byte_characters()


def _decoded(token: str) -> str:
    if not set(token) <= set(_BYTES):
        return token
    try:
        return bytes(_BYTES[character] for character in token).decode()
    except UnicodeDecodeError:
        return token  # a part of a character, or a token of another kind of vocabulary
