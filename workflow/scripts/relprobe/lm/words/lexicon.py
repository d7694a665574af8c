"""A lexicon: the tokens of a model's vocabulary, and which of them are whole words."""

from typing import Any

import polars as pl

LEXICON = pl.Schema({"token_id": pl.Int32(), "token": pl.String(), "word": pl.String()})
WORDS = pl.Schema({"word": pl.String()})


def lexicon(tokenizer: Any, width: int) -> pl.DataFrame:
    """Return the tokens that a model can answer with, in a table of the schema LEXICON: one row for each id from 0.

    `width` is the size of the model's output layer. Column `word` is the word that a token stands for. The token of a word
    is its word-initial form: " bird" is `Ġbird`, `▁bird`, or `bird` in a WordPiece vocabulary. So continuations ("##ing",
    "ing"), special tokens, and ids that only pad the model's matrices have no word (null).

        token_id 0  token "[PAD]"   word null
        token_id 1  token "bird"    word "bird"
        token_id 2  token "##ing"   word null
    """
    initial = _word_start(tokenizer)
    special = set(tokenizer.all_special_ids)
    tokens = {token_id: token for token, token_id in tokenizer.get_vocab().items()}
    rows = [
        (
            token_id,
            tokens.get(token_id, f"<unused{token_id}>"),
            _word(tokenizer, tokens.get(token_id), initial),
        )
        for token_id in range(max(width, max(tokens) + 1))
    ]
    table = pl.DataFrame(rows, schema=LEXICON, orient="row")
    return table.with_columns(word=pl.when(~pl.col("token_id").is_in(special)).then("word"))


def _word_start(tokenizer: Any) -> str:
    """Return the mark of a word's first token: "Ġ", "▁", or an empty string in WordPiece vocabularies."""
    return str(tokenizer.tokenize("x a")[-1]).removesuffix("a")


def _word(tokenizer: Any, token: str | None, initial: str) -> str | None:
    if token is None or not token.startswith(initial) or token.startswith("##"):
        return None
    word = str(tokenizer.convert_tokens_to_string([token])).strip() if initial else token
    return word or None


def shared(lexicons: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the words that are one token in every lexicon, sorted, in a table of the schema WORDS.

    >>> one = pl.DataFrame({"word": ["bird", "robin", None]})
    >>> other = pl.DataFrame({"word": ["wren", "robin", "bird"]})
    >>> shared([one, other])["word"].to_list()
    ['bird', 'robin']
    """
    words = set.intersection(*({word for word in table["word"] if word is not None} for table in lexicons))
    return pl.DataFrame({"word": sorted(words)}, schema=WORDS)
