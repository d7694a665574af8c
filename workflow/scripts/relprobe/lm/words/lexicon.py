"""Words and token ids: which words are one token in a model's vocabulary."""

from typing import Any

import polars as pl

LEXICON = pl.Schema({"token_id": pl.Int32(), "token": pl.String(), "word": pl.String()})
WORDS = pl.Schema({"word": pl.String()})


def lexicon(tokenizer: Any, width: int) -> pl.DataFrame:
    """Return the `width` tokens a model can answer with: token_id (0, 1, …), token, and the word it stands for, if any.

    A word's token is its word-initial form (" bird" is `Ġbird`, `▁bird`, or `bird` in a WordPiece vocabulary), so
    continuations ("##ing", "ing"), special tokens, and ids that only pad the model's matrices have none.
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
    """Return what marks the first token of a word: "Ġ", "▁", or nothing in WordPiece vocabularies."""
    return str(tokenizer.tokenize("x a")[-1]).removesuffix("a")


def _word(tokenizer: Any, token: str | None, initial: str) -> str | None:
    if token is None or not token.startswith(initial) or token.startswith("##"):
        return None
    word = str(tokenizer.convert_tokens_to_string([token])).strip() if initial else token
    return word or None


def shared(lexicons: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the words (a column `word`, sorted) that are one token in every lexicon."""
    words = set.intersection(*({word for word in table["word"] if word is not None} for table in lexicons))
    return pl.DataFrame({"word": sorted(words)}, schema=WORDS)
