"""Spaces between words: which scripts write none, and where a text asks for none before its next word."""

import re
import unicodedata

UNSPACED = (
    "CJK ", "HIRAGANA ", "KATAKANA", "HALFWIDTH KATAKANA ", "FULLWIDTH ", "IDEOGRAPHIC ", "BOPOMOFO ", "THAI ", "LAO ",
    "KHMER ", "MYANMAR ", "TIBETAN ", "YI ", "JAVANESE ", "BALINESE ", "NEW TAI LUE ", "TAI THAM ",
)  # fmt: skip
"""How the Unicode names of the characters begin whose scripts put no spaces between words, and of their punctuation."""
QUOTES = ("Pi", "Pf")
"""The categories of typographic quotes: German closes with the one that English opens with."""
STRAIGHT_QUOTES = "\"'`"
ELISION = re.compile(r"(?:^|[^\w'’])(?:[cdjlmnst]|\w*qu|\w*ll|un)['’]$", re.IGNORECASE)
"""A French or Italian word that has lost its end before the next word: "l'", "qu'", "dell'"."""
FOLLOWS_AT_ONCE = ".,:;!?%…"
"""The punctuation that stands right after a word."""


def is_unspaced(character: str) -> bool:
    """Return whether a character belongs to a script that puts no spaces between words; Korean does put them.

    >>> [character for character in "鳥とりトリนก。bird새" if is_unspaced(character)]
    ['鳥', 'と', 'り', 'ト', 'リ', 'น', 'ก', '。']
    """
    return unicodedata.name(character, "").startswith(UNSPACED)


def joint(text: str, word: str) -> str:
    """Return what stands between a text and the word after it: a space, or nothing where the language writes none.

    Nothing stands after white space, an opening quote or bracket, a hyphen inside a word, an elision, or the sign of a
    currency before a number, and nothing before a mark such as a comma. There is none beside a character of a script
    without spaces either.

    >>> [joint(text, "bird") for text in ("a", "a ", 'the word "', 'a "robin"', "(", "song-", "l'")]
    [' ', '', '', ' ', '', '', '']
    >>> joint("知更鸟是一种", "鸟"), joint("a robin sings", ".")
    ('', '')
    """
    if not text or not word or text[-1].isspace() or word[0].isspace():
        return ""
    end = text[-1]
    closes = word[0] in FOLLOWS_AT_ONCE or unicodedata.category(word[0]) == "Pe"
    if closes or is_unspaced(end) or is_unspaced(word[0]) or _opens(text) or ELISION.search(text):
        return ""
    kind, before = unicodedata.category(end), text[-2:-1]
    inside = (kind == "Pd" or end == "/") and before and not before.isspace()
    return "" if inside or (kind == "Sc" and word[0].isdigit()) else " "


def _opens(text: str) -> bool:
    """Return whether a text ends in an opening bracket, a quote that opens, or a sign that stands before a word.

    >>> [_opens(text) for text in ('"', 'a "', '("', 'a"', "“", "a“", "¿", "#")]
    [True, True, True, False, True, False, True, True]
    """
    end, before = text[-1], text[-2:-1]
    kind = unicodedata.category(end)
    if kind == "Ps" or end in "¿¡":
        return True
    if kind not in QUOTES and end not in f"{STRAIGHT_QUOTES}#@":
        return False
    return not before or before.isspace() or _opens(text[:-1])
