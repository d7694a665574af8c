"""Where words end: the tokens that cannot continue a word.

The tokenizers of most causal models put the space before a word into the word's first token. So the tokens of " bird" say
that a word begins with "bird", but not that it ends there: " birds" or " birdhouse" may begin with the same tokens. The
probability of the word is that of its tokens and then a boundary, given that the word before it has ended (Pimentel and
Meister 2024, Theorem 2; Oh and Schuler 2024):

    P(bird | c) = P(" bird" | c) x P(boundary | c " bird") / P(boundary | c)

"Boundary" is the event that the next token cannot continue a word. Where the space stands at the end of tokens
(the "</w>" of the first GPT), every token after a whole word is a boundary, and the factor is 1.
"""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any

IN_WORDS = "-'\u2010\u2011\u2019\u00ad\u200c\u200d"
"""What continues a word beside letters, digits and their marks: hyphens (one of them soft), apostrophes, and joiners."""


def continues_word(character: str) -> bool:
    """Return whether a character that stands right after a letter belongs to the same word.

    Letters, digits, the marks that combine with letters, hyphens and apostrophes do; white space, other punctuation and
    symbols do not.

    >>> [character for character in "a1é-'’ ,.€_ि" if continues_word(character)]
    ['a', '1', 'é', '-', "'", '’', 'ि']
    """
    return character.isalnum() or character in IN_WORDS or unicodedata.category(character).startswith("M")


@lru_cache(8)
def boundary_ids(tokenizer: Any) -> tuple[int, ...]:
    """Return the ids of the tokens that cannot continue a word, ascending.

    These are the special tokens, the end of a text among them, and the tokens whose text after the letter "x" begins with
    a space, another white space, punctuation or a symbol. Hyphens and apostrophes continue a word, so "ice-cream" and
    "don't" are words. So does a token that begins inside a character of several bytes, as nobody can know what it ends.

        "Ġbird" " ," "," ")" "<|endoftext|>"    boundaries
        "s" "house" "'s" "-like" "2"            no boundaries

    A WordPiece token without "##" begins a word, so that all these are boundaries, except for hyphens and apostrophes.
    """
    return _begin_with(tokenizer, lambda character: not continues_word(character))


@lru_cache(8)
def space_ids(tokenizer: Any) -> tuple[int, ...]:
    """Return the ids of the tokens that end what stands between spaces, ascending: special tokens, and those with a space.

    "Ġbird" and " ," are among them; "," and ")" are not, as in "bird," they belong to what stands between spaces.
    """
    return _begin_with(tokenizer, str.isspace)


def _begin_with(tokenizer: Any, ends: Callable[[str], bool]) -> tuple[int, ...]:
    """Return the ids of special tokens and of those whose text after the letter "x" begins with a character that `ends`."""
    special = {*tokenizer.all_special_ids}
    special |= {token_id for token_id, token in tokenizer.added_tokens_decoder.items() if token.special}
    letter = tokenizer.tokenize("x")
    letter_length = len(tokenizer.convert_tokens_to_string(letter))
    ids = []
    for token, token_id in tokenizer.get_vocab().items():
        text = tokenizer.convert_tokens_to_string([*letter, token])[letter_length:]
        if token_id in special or (text and text[0] != "\ufffd" and ends(text[0])):
            ids.append(token_id)
    return tuple(sorted(ids))
