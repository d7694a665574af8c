"""Models of a toy study: random weights, two small layers, and a tokenizer of the words that a test needs."""

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForMaskedLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
    T5Tokenizer,
)

from tests.workflow.toy_data import GLUE, WORDS

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for turn in messages %}{{ turn['role'] }}: {{ turn['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}


def masked_model(folder: Path, seed: int, more: Sequence[str] = ()) -> None:
    """Save a random BERT whose vocabulary holds every word of the relations study, and `more`."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = list(dict.fromkeys([*special, *GLUE, *WORDS, ".", "##s", *more]))
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    _save(tokenizer, {f"{name}_token": token for name, token in names.items()}, folder)
    torch.manual_seed(seed)
    BertForMaskedLM(BertConfig(vocab_size=len(vocabulary), **SIZE)).save_pretrained(folder)


def causal_model(folder: Path, seed: int, more: Sequence[str] = ()) -> None:
    """Save a random Llama whose byte-level tokenizer has one token for every word of the relations study, and of `more`."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1200,
        special_tokens=["<s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([f"a {word} a {word}" for word in [*GLUE, *WORDS, *more]] * 20, trainer)
    _save(tokenizer, {"bos_token": "<s>"}, folder)
    torch.manual_seed(seed)
    LlamaForCausalLM(LlamaConfig(vocab_size=tokenizer.get_vocab_size(), **SIZE)).save_pretrained(folder)


def encoder_decoder_model(folder: Path, seed: int, more: Sequence[str] = ()) -> None:
    """Save a random T5 whose tokenizer has a token for every word of the relations study and of `more`, and all letters."""
    words = list(dict.fromkeys([*GLUE, *WORDS, *more]))
    pieces = [
        *(f"▁{word}" for word in words),
        *sorted({letter for word in words for letter in word} | set(",.:;?!\"'()")),
    ]
    special = [(token, 0.0) for token in ("<pad>", "</s>", "<unk>")]
    whole = T5Tokenizer(
        vocab=[*special, ("▁", -5.0), *((piece, -float(len(piece) < 3) - 2) for piece in pieces)], extra_ids=2
    )
    whole.save_pretrained(folder)
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2, "decoder_start_token_id": 0}
    T5ForConditionalGeneration(T5Config(vocab_size=len(whole), **sizes)).save_pretrained(folder)


def _save(tokenizer: Tokenizer, special: dict[str, str], folder: Path) -> None:
    whole = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)
    whole.chat_template = CHAT_TEMPLATE
    whole.save_pretrained(folder)
