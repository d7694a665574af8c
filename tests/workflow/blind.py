"""Networks that do not know words: they look like models, and no page may praise one of them.

Each has the tokenizer and the form of a real masked model, so that the studies ask it what they ask every model.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer, BertConfig, BertForMaskedLM

HIDDEN = 128
LISTED = 40
"""The words of a stereotype list."""


def copy(real: Path, folder: Path) -> None:
    """Copy a model: it is another agent with the same answers."""
    shutil.copytree(real, folder)


def guesser(real: Path, folder: Path) -> None:
    """Save the form of a model with random weights."""
    torch.manual_seed(1)
    config = AutoModelForMaskedLM.from_pretrained(real).config
    _save(BertForMaskedLM(config), real, folder)


def permuted(real: Path, folder: Path) -> None:
    """Save a model that reads each word as another one, and says each word instead of another one."""
    net = AutoModelForMaskedLM.from_pretrained(real)
    words = torch.tensor(_words(AutoTokenizer.from_pretrained(real)))
    order = words[torch.randperm(len(words), generator=torch.Generator().manual_seed(1))]
    for weights in (net.get_input_embeddings().weight.data, net.cls.predictions.bias.data):
        weights[words] = weights[order].clone()
    _save(net, real, folder)


def stereotype(
    real: Path, folder: Path, prompts: Mapping[str, Sequence[str]], lists: Mapping[str, Sequence[str]]
) -> None:
    """Save a network that answers each prompt with the list of its relation, whatever the target is.

    `prompts`: relation -> its texts, with the slot as [MASK] and [W] for the target. `lists`: relation -> its words, best
    first. All words that stand in no prompt have one embedding, attention is uniform and places are not told apart, so that
    the state of the mask is a function of the prompt alone; the head is solved for the lists.
    """
    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(real)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=HIDDEN,
        tie_word_embeddings=False,
        initializer_range=1.0,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    net = BertForMaskedLM(config).eval()
    attention = net.bert.encoder.layer[0].attention.self
    for part in (attention.query, attention.key):
        torch.nn.init.zeros_(part.weight)
        torch.nn.init.zeros_(part.bias)
    embeddings = net.bert.embeddings
    torch.nn.init.zeros_(embeddings.position_embeddings.weight)
    texts = [text for group in prompts.values() for text in group]
    glue = {i for text in texts for i in tokenizer(text.replace("[W]", " ")).input_ids}
    others = [i for i in range(len(tokenizer)) if i not in glue]
    embeddings.word_embeddings.weight.data[others] = embeddings.word_embeddings.weight.data[others[0]].clone()
    word = tokenizer.convert_ids_to_tokens(others[-1])
    states = torch.cat([_state(net, tokenizer, text.replace("[W]", word)) for text in texts])
    logits = torch.zeros(len(texts), len(tokenizer))
    row = 0
    for relation, group in prompts.items():
        ids = tokenizer.convert_tokens_to_ids(list(lists[relation])[:LISTED])
        for _ in group:
            logits[row, ids] = torch.arange(2.0 * LISTED, 2.0 * (LISTED - len(ids)), -2.0)
            row += 1
    net.cls.predictions.decoder.weight.data = (torch.linalg.pinv(states) @ logits).T.contiguous()
    torch.nn.init.zeros_(net.cls.predictions.bias)
    torch.nn.init.zeros_(net.cls.predictions.decoder.bias)
    _save(net, real, folder)


def _state(net: BertForMaskedLM, tokenizer, text: str) -> torch.Tensor:
    """The transformed state of the mask, shape (1, hidden)."""
    whole = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        states = net.cls.predictions.transform(net.bert(**whole).last_hidden_state)
    return states[whole.input_ids == tokenizer.mask_token_id]


def _words(tokenizer) -> list[int]:
    """The tokens that are whole words."""
    return sorted(i for token, i in tokenizer.get_vocab().items() if token.isalpha())


def _save(net, real: Path, folder: Path) -> None:
    net.save_pretrained(folder)
    for file in real.glob("tokenizer*"):
        shutil.copy(file, folder)
