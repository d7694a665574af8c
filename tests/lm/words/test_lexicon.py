"""Tokens of scripts without spaces between words."""

import json
from types import SimpleNamespace

import polars as pl
from relprobe.lm.words.lexicon import WORDS, lexicon, shared_lexicon, unspaced_words
from relprobe.lm.words.model_lexicon import list_tokens
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import BertPreTokenizer, WhitespaceSplit
from transformers import PreTrainedTokenizerFast

from tests.lm.tokenizers_for_tests import word_piece


def of(mark, *tokens):
    """Return a tokenizer that marks the first token of a word."""
    return SimpleNamespace(
        tokenize=lambda text: [f"{mark}{word}" for word in text.split()],
        get_vocab=lambda: {token: number for number, token in enumerate(tokens)},
        convert_tokens_to_string=lambda parts: "".join(parts).replace(mark, " ").lstrip() if mark else "".join(parts),
    )


def test_unspaced_words_are_letters_of_scripts_without_spaces_inside_a_word():
    tokens = ("▁bird", "鸟", "▁鸟", "ing", "知更鸟", "。", "鸟a", "นก", "ー", "に", "새", "")
    assert unspaced_words(of("▁", *tokens)) == {1: "鸟", 4: "知更鸟", 7: "นก", 8: "ー", 9: "に"}


def test_a_vocabulary_without_a_mark_of_the_first_token_has_none():
    assert unspaced_words(of("", "bird", "鸟")) == {}


def test_the_rows_of_a_lexicon_are_those_of_the_output_layer():
    """A vocabulary of WordPiece in full: the article has no mark, and a network may have more ids than tokens, or fewer."""
    names = ["[PAD]", "[UNK]", "x", "a", "bird", "##s", "x-ray", "-", "ray", "b", "##ird", "b-", "robin"]
    backend = Tokenizer(WordPiece({name: i for i, name in enumerate(names[:-1])}, unk_token="[UNK]"))
    backend.pre_tokenizer = BertPreTokenizer()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, pad_token="[PAD]", unk_token="[UNK]")
    tokenizer.add_tokens([AddedToken("robin", special=False)])  # it was added, but stands in texts
    words = [None, None, "x", "a", "bird", None, None, "-", "ray", "b", None, None, "robin"]
    rows = list(zip(range(13), names, words, strict=True))
    assert lexicon(tokenizer, 15).rows() == [*rows, (13, "<unused13>", None), (14, "<unused14>", None)]
    assert lexicon(tokenizer, 13).rows() == lexicon(tokenizer, 3).rows() == rows


def test_a_later_part_of_a_word_is_no_word_where_the_tokenizer_takes_its_mark_for_letters():
    """As one that divides a text at spaces alone; a word that ends in such a mark is one."""
    backend = Tokenizer(
        WordPiece({name: i for i, name in enumerate(["[UNK]", "x", "a", "##s", "s##"])}, unk_token="[UNK]")
    )
    backend.pre_tokenizer = WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
    assert tokenizer.tokenize("x ##s") == ["x", "##s"]
    assert lexicon(tokenizer, 5)["word"].to_list() == [None, "x", "a", None, "s##"]


def test_words_that_are_no_token_of_a_lexicon_are_not_shared():
    tables = [pl.DataFrame({"word": words}) for words in (["wren", None, "bird"], [None, "bird", "robin", "wren"])]
    assert shared_lexicon(tables)["word"].to_list() == ["bird", "wren"]
    none = shared_lexicon([tables[0], pl.DataFrame({"word": ["oak"]})])
    assert (none.height, none.schema) == (0, WORDS)


def test_the_lexicon_of_a_model_has_the_ids_of_its_network_and_the_words_of_its_tokenizer(tmp_path):
    tokenizer = word_piece()
    tokenizer.save_pretrained(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert", "vocab_size": len(tokenizer) + 3}))
    table = list_tokens(tmp_path)
    assert table.height == len(tokenizer) + 3
    assert table.head(len(tokenizer)).equals(lexicon(tokenizer, 0))
    assert "bird" in set(table["word"])
