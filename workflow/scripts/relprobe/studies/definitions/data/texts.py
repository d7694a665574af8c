"""The tokens of words and definitions, and whether a definition names its word."""

import re
from functools import cache
from typing import Any

NAMES, INFLECTS, SHARES = "names", "inflects", "shares"
"""What a definition says of its word: the word itself, another form of it, or a content word of a phrase."""
LEAKS = (NAMES, INFLECTS, SHARES)
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
ENGLISH = (
    "a about above across after against along among an and any around as at away back be before behind below beneath "
    "beside between beyond but by down during each every for forth from he her his if in into is it its like near no "
    "nor not of off on one one's onto or oneself out over past per she so some than that the their them they this "
    "through till to together toward under until up upon us via we what when where which who whom with within "
    "without you your "
)
FUNCTION_WORDS = {"en": frozenset(ENGLISH.split())}
"""Language -> words that a phrase may share with its definition without a leak."""
SHORTEST = 4
"""The letters of the shortest content word in a language without a list."""
STEMMERS = {
    **{"da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french"},
    **{"hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pt": "portuguese"},
    **{"ro": "romanian", "ru": "russian", "sv": "swedish"},
}
"""The languages whose inflected forms are known. Words of others are compared as they are."""
CONTRACTIONS = {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"}
"""The words of letters alone that NLTK parts, such as can + not."""


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation.

    >>> tokens("a well-known sign (of St. John's)")
    ['a', 'well-known', 'sign', 'of', 'st', "john's"]
    """
    return WORD.findall(text.lower())


def count_tokens(word: str) -> int:
    """Count the tokens of a word or phrase as NLTK does (footnote 5 of the paper): "'s" is a token of its own.

    >>> count_tokens("St. John's wort"), count_tokens("cannot"), count_tokens("barn owl")
    (4, 2, 2)
    """
    words = word.split()
    # NLTK tries two dozen patterns, 0.2 ms a word; letters and spaces need none of them.
    if "".join(words).isalpha() and CONTRACTIONS.isdisjoint(map(str.lower, words)):
        return len(words)
    return len(_nltk().tokenize(word))


def leak(word: str, definition: str, language: str = "en") -> str | None:
    """Return how a definition tells its word: NAMES, INFLECTS or SHARES; None if it does not.

    A definition names a word that stands in it between the limits of words, whatever the capitals. It inflects a word if it
    has words of the same stems in the same order (Snowball's stemmer). It shares a content word with a phrase if one of the
    phrase's words that is no function word has a stem of the definition.

    >>> [leak("nod", text) for text in ("give a nod", "signify by nodding", "lower the head")]
    ['names', 'inflects', None]
    >>> leak("barn owl", "an owl that nests in buildings"), leak("give up", "lose to one's enemy, up to the end")
    ('shares', None)
    """
    lower, text = word.lower(), definition.lower()
    if lower in text and re.search(rf"\b{re.escape(lower)}\b", text):  # the first alone is quick
        return NAMES
    words = tokens(word)
    of_word, of_definition = ([_stem(token, language) for token in text] for text in (words, tokens(definition)))
    places = range(len(of_definition) - len(of_word) + 1)
    if of_word and any(of_definition[place : place + len(of_word)] == of_word for place in places):
        return INFLECTS
    content = {stem for token, stem in zip(words, of_word, strict=True) if _is_content(token, language)}
    return SHARES if len(words) > 1 and content & set(of_definition) else None


def _is_content(token: str, language: str) -> bool:
    known = FUNCTION_WORDS.get(language)
    return len(token) >= SHORTEST if known is None else token not in known


@cache
def _nltk() -> Any:
    from nltk.tokenize import NLTKWordTokenizer  # which imports scipy.stats, a second

    return NLTKWordTokenizer()


@cache
def _stemmer(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(STEMMERS[language]) if language in STEMMERS else None


@cache
def _stem(token: str, language: str) -> str:
    stemmer = _stemmer(language)
    return token if stemmer is None else str(stemmer.stem(token))
