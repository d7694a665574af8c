"""Tokens of scripts without spaces between words."""

from types import SimpleNamespace

from relprobe.lm.words.lexicon import unspaced_words


def of(mark, *tokens):
    """Return a tokenizer that marks the first token of a word."""
    return SimpleNamespace(
        tokenize=lambda text: [f"{mark}{word}" for word in text.split()],
        get_vocab=lambda: {token: number for number, token in enumerate(tokens)},
        convert_tokens_to_string=lambda parts: "".join(parts).replace(mark, " ") if mark else "".join(parts),
    )


def test_unspaced_words_are_letters_of_scripts_without_spaces_inside_a_word():
    tokens = ("▁bird", "鸟", "▁鸟", "ing", "知更鸟", "。", "鸟a", "นก", "ー", "に", "새", "")
    assert unspaced_words(of("▁", *tokens)) == {1: "鸟", 4: "知更鸟", 7: "นก", 8: "ー", 9: "に"}


def test_a_vocabulary_without_a_mark_of_the_first_token_has_none():
    assert unspaced_words(of("", "bird", "鸟")) == {}
