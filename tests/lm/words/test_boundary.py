"""The tokens that end a word, of small vocabularies written by hand."""

from types import SimpleNamespace

from relprobe.lm.words.boundary import boundary_ids, space_ids
from tokenizers import AddedToken

from tests.lm.tokenizers_for_tests import byte_level, word_piece


class Made(SimpleNamespace):
    """A tokenizer whose boundaries can be remembered."""

    __hash__ = object.__hash__


def of(vocabulary, special=(), added=None):
    """Return a tokenizer of tokens that begin with "▁" after a space. `vocabulary`: token -> id; `added`: id -> token."""
    return Made(
        all_special_ids=list(special),
        added_tokens_decoder=added or {},
        tokenize=lambda text: [f"▁{word}" for word in text.split()],
        get_vocab=lambda: vocabulary,
        convert_tokens_to_string=lambda tokens: "".join(tokens).replace("▁", " ").lstrip(),
    )


VOCABULARY = {
    **{"▁bird": 9, "s": 8, ",": 7, "▁,": 6, "-like": 5, "'s": 4, "\ufffd": 3, "<end>": 2, "<new>": 1, "<x>": 0},
    **{" \ufffd": 16, "": 10, "7": 11, "\u0301": 12, "\n": 13, "€": 14, "x.": 15},
}


def test_a_word_ends_before_a_space_or_a_mark_that_is_none_of_its_own():
    tokenizer = of(VOCABULARY, [2], {1: AddedToken("<new>", special=True), 5: AddedToken("-like", special=False)})
    assert boundary_ids(tokenizer) == (0, 1, 2, 6, 7, 9, 13, 14, 16)  # "<" of 0 is a symbol


def test_what_stands_between_spaces_ends_before_a_space_alone():
    tokenizer = of(VOCABULARY, [2], {1: AddedToken("<new>", special=True)})
    assert space_ids(tokenizer) == (1, 2, 6, 9, 13, 16)


def test_boundaries_of_a_trained_vocabulary_are_ascending():
    for tokenizer in (byte_level(), word_piece()):
        for ids in (boundary_ids(tokenizer), space_ids(tokenizer)):
            assert list(ids) == sorted(set(ids))
            assert {*tokenizer.all_special_ids} <= {*ids} < {*tokenizer.get_vocab().values()}
