"""A lexicon: the tokens of a model's vocabulary, and which of them are whole words."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.words.spacing import is_unspaced
from relprobe.lm.words.tokens import encode_texts

LEXICON = pl.Schema({"token_id": pl.Int32(), "token": pl.String(), "word": pl.String()})
Lexicon = Annotated[pl.DataFrame, parquet(LEXICON, "token_id")]
BROKEN = "\N{REPLACEMENT CHARACTER}"
"""What stands in a text for bytes that are no whole character."""
LETTERS = r"^[\p{L}\p{M}]+$"
BYTE_LEVEL_SPACE = "Ġ"
"""What stands for a space in a vocabulary of bytes. In it, letters beyond ASCII have signs, too."""
WORDS = pl.Schema({"word": pl.String()})
Words = Annotated[pl.DataFrame, parquet(WORDS, "word")]


def lexicon(tokenizer: Any, width: int) -> pl.DataFrame:
    """Return the tokens that a model can answer with, in a table of the schema LEXICON: one row for each id from 0.

    `width` is the size of the model's output layer. Column `word` is the word that a token stands for. The token of a word
    is its word-initial form: " bird" is `Ġbird`, `▁bird`, or `bird` in a WordPiece vocabulary. And the tokenizer must take
    it as one word of a text: BERT's divides "[unused1]" into "[", "unused1" and "]" before it looks for tokens. So
    continuations ("##ing", "ing"), special tokens, tokens that stand for no text or end inside a character of several bytes,
    and ids that only pad the model's matrices have no word (null).

        token_id 0  token "[PAD]"      word null
        token_id 1  token "[unused1]"  word null
        token_id 2  token "bird"       word "bird"
        token_id 3  token "##ing"      word null
    """
    initial = _word_start(tokenizer)
    tokens = {token_id: token for token, token_id in tokenizer.get_vocab().items()}
    words = {token_id: word for token_id, token in tokens.items() if (word := _word(tokenizer, token, initial))}
    answers = _undivided(tokenizer, words) - _special_ids(tokenizer)
    rows = [
        (token_id, tokens.get(token_id, f"<unused{token_id}>"), words[token_id] if token_id in answers else None)
        for token_id in range(max(width, max(tokens) + 1))
    ]
    return pl.DataFrame(rows, schema=LEXICON, orient="row")


def _undivided(tokenizer: Any, words: Mapping[int, str]) -> set[int]:
    """Return the ids in `words` (id -> word) whose word the tokenizer does not divide into several words of a text."""
    texts = ["x", *(f"x {word}" for word in words.values())]
    encodings = encode_texts(tokenizer, texts)
    counts = [len({*encoding.word_ids}) for encoding in encodings]
    return {token_id for token_id, count in zip(words, counts[1:], strict=True) if count <= counts[0] + 1}


def _special_ids(tokenizer: Any) -> set[int]:
    added = {token_id for token_id, token in tokenizer.added_tokens_decoder.items() if token.special}
    return added | set(tokenizer.all_special_ids)


def _word_start(tokenizer: Any) -> str:
    """Return the mark of a word's first token: "Ġ", "▁", or an empty string in WordPiece vocabularies.

    A vocabulary may lack the word "a" as one token, as T5's does: "x a" becomes "▁", "x", "▁" and "a". So all tokens after
    those of "x" are looked at, and not the last one alone.
    """
    joined, before = tokenizer.tokenize("x a"), tokenizer.tokenize("x")
    return "".join(joined[len(before) :]).removesuffix("a")


def _word(tokenizer: Any, token: str, initial: str) -> str | None:
    if not token.startswith(initial) or token.startswith("##"):
        return None
    word = str(tokenizer.convert_tokens_to_string([token])).strip() if initial else token
    return None if BROKEN in word else word or None


def with_unspaced(lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return a LEXICON in which every token of letters is a word, also where no space comes before it.

    >>> rows = [(0, "Ġbird", "bird"), (1, "Bird", None), (2, "Ãĸl", None), (3, "...", None)]
    >>> with_unspaced(pl.DataFrame(rows, schema=LEXICON, orient="row"))["word"].to_list()
    ['bird', 'Bird', 'Öl', None]
    """
    from tokenizers.decoders import ByteLevel

    texts = lexicon["token"].to_list()
    if lexicon["token"].str.starts_with(BYTE_LEVEL_SPACE).any():
        decoder = ByteLevel()
        texts = [decoder.decode([token]) for token in texts]
    tokens = pl.Series(texts, dtype=pl.String)
    return lexicon.with_columns(word=pl.coalesce("word", pl.when(tokens.str.contains(LETTERS)).then(tokens)))


def unspaced_words(tokenizer: Any) -> dict[int, str]:
    """Return the tokens that are letters of scripts without spaces, such as Chinese: id -> text.

    Such a script marks no beginnings of words, so that a token may be a word or the beginning or a later part of one. A
    tokenizer of the WordPiece kind marks them nevertheless, and has none here: `lexicon` lists its words.
    """
    initial = _word_start(tokenizer)  # of WordPiece it is empty, and begins each token
    tokens = [(i, token) for token, i in tokenizer.get_vocab().items() if not token.startswith(initial)]
    texts = ((i, str(tokenizer.convert_tokens_to_string([token]))) for i, token in tokens)
    return {i: text for i, text in texts if text and all(map(_is_unspaced_letter, text))}


def _is_unspaced_letter(character: str) -> bool:
    return is_unspaced(character) and unicodedata.category(character)[0] in "LM"


def shared_lexicon(lexicons: list[Lexicon]) -> Words:
    """Return the words that are one token in every lexicon, sorted, in a table of the schema WORDS.

    >>> first = pl.DataFrame({"word": ["bird", "robin", None]})
    >>> second = pl.DataFrame({"word": ["wren", "robin", "bird"]})
    >>> shared_lexicon([first, second])["word"].to_list()
    ['bird', 'robin']
    """
    words = set.intersection(*({word for word in table["word"] if word is not None} for table in lexicons))
    return pl.DataFrame({"word": sorted(words)}, schema=WORDS)
