"""Tokenizers for tests: published ones where they lie beside the repository, otherwise small ones that are trained here."""

import json
import os
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast, T5Tokenizer

from tests.paths import ROOT

DATA = Path(os.environ.get("RELPROBE_DATA", ROOT.parent / "shared" / "data"))
CORPUS = [
    "a robin is a kind of bird and a sparrow is a kind of bird too.",
    "the word hippopotamus has a more specific meaning than the word animal.",
    "my favorite vehicle is a car, a bicycle or an aeroplane; ice cream melts.",
    "it is not likely to be both hot and cold (or so they say), isn't it?",
    "parts of a car include an engine, four wheels, a windscreen and a steering wheel.",
] * 4


@cache
def published(name):
    folder = DATA / "tokenizers" / name
    return AutoTokenizer.from_pretrained(folder) if folder.is_dir() else None


@cache
def word_piece():
    """Return a tokenizer like BERT's: [CLS] a text [SEP], continuations with ##, lower case."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=220, special_tokens=special, initial_alphabet=['"'])
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token="[MASK]", **names)


@cache
def byte_level(masked=False):
    """Return a byte-level BPE tokenizer: like GPT-2's without special tokens, or like ModernBERT's if `masked`."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|endoftext|>", "[PAD]", "[MASK]", "[CLS]", "[SEP]"]
    tokenizer.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=420, special_tokens=special, initial_alphabet=alphabet)
    )
    names = {"eos_token": "<|endoftext|>", "bos_token": "<|endoftext|>", "pad_token": "[PAD]"}
    if masked:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
        )
        names |= {"mask_token": "[MASK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


@cache
def sentence_piece():
    """Return a BPE tokenizer over ▁ with a BOS token before every text, like those of Llama 2 and Gemma."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    special = ["<pad>", "<eos>", "<bos>", "<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=440, special_tokens=special))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A", special_tokens=[("<bos>", tokenizer.token_to_id("<bos>"))]
    )
    names = {"pad_token": "<pad>", "eos_token": "<eos>", "bos_token": "<bos>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


@cache
def sentinels():
    """Return a tokenizer like T5's: a text </s>, and the sentinels <extra_id_0> to <extra_id_2>."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace("▁", "always")]
    )
    special = ["<pad>", "</s>", "<unk>"]
    alphabet = sorted({*"".join(CORPUS), '"'} - {" "})
    trainer = trainers.UnigramTrainer(
        vocab_size=150, special_tokens=special, unk_token="<unk>", initial_alphabet=alphabet
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return T5Tokenizer(vocab=[tuple(one) for one in json.loads(tokenizer.to_str())["model"]["vocab"]], extra_ids=3)


@cache
def unigram():
    """Return a Unigram tokenizer whose pre-tokenizer is Metaspace alone, as mT5's: a text [SEP]."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", "always")
    tokenizer.decoder = decoders.Metaspace("▁", "always")
    special = ["<unk>", "[PAD]", "[MASK]", "[SEP]", "<extra_id_0>"]
    tokenizer.train_from_iterator(
        CORPUS, trainers.UnigramTrainer(vocab_size=160, special_tokens=special, unk_token="<unk>")
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP]", special_tokens=[("[SEP]", tokenizer.token_to_id("[SEP]"))]
    )
    names = {"unk_token": "<unk>", "pad_token": "[PAD]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def with_flags(tokenizer, token, **flags):
    """Return a tokenizer like another, in which an added token has other flags, such as lstrip=True."""
    about = json.loads(tokenizer.backend_tokenizer.to_str())
    (entry,) = [one for one in about["added_tokens"] if one["content"] == token]
    entry.update(flags)
    names = {name: str(value) for name, value in tokenizer.special_tokens_map.items() if isinstance(value, str)}
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(about)), **names)
