"""The reference: every primitive computed the plain way, as a user of transformers would write it.

One text at a time goes through the whole network, and a log-softmax turns the logits of every position into natural-log
probabilities. This is the idea, and everything else here only says which row and column of the table to look at:

    ids = tokenizer("a robin is a").input_ids
    table = log_softmax(net(ids).logits)     # (positions, vocabulary)
    table[-1, id of "bird"]                  # causal: log P(bird | a robin is a), at the last position
    table[i, id of "bird"]                   # masked: the same, at the position i of the mask

The engine must give these numbers, however it groups, shares or orders its inputs (docs/engine.md).
"""

import numpy as np
import torch
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.words.boundary import boundary_ids

from tests.patched import made_once


@torch.no_grad()
def logprobs(net, ids):
    """Return the natural-log probabilities of one input, shape (positions, vocabulary)."""
    return torch.log_softmax(net(torch.tensor([ids])).logits[0].float(), -1)


@torch.no_grad()
def hidden_states(net, ids, layer):
    """Return the hidden states of one input after a layer, shape (positions, width)."""
    return net(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]


def slot(net, tokenizer, text):
    """Return the log-probabilities of the whole vocabulary at the slot, shape (vocabulary,)."""
    if tokenizer.mask_token_id is not None:
        ids = tokenizer(with_mask(tokenizer, text)).input_ids
        return logprobs(net, ids)[ids.index(tokenizer.mask_token_id)]
    return logprobs(net, tokenizer(text.replace("[V]", "").rstrip()).input_ids)[-1]


def with_mask(tokenizer, text):
    """Return the text with the mask in its slot; the blank before a word belongs to it, and so to the mask."""
    return text.replace(" [V]", tokenizer.mask_token).replace("[V]", tokenizer.mask_token)


def chain(net, tokenizer, text, candidate):
    """Return log P of each token of a candidate after all tokens before it: a causal model, the chain rule."""
    ids, start, stop = ids_with_candidate(tokenizer, text, candidate)
    table = logprobs(net, ids)
    return [table[i - 1, ids[i]].item() for i in range(start, stop)]


def word(net, tokenizer, text, candidate):
    """Return log P of a word and of its end, given that the word before has ended: a causal model, one forward a word."""
    ids, start, stop = ids_with_candidate(tokenizer, text, candidate)
    table, ends = logprobs(net, ids), boundaries(tokenizer)
    value = sum(table[i - 1, ids[i]] for i in range(start, stop)) + table[stop - 1, ends].logsumexp(0)
    return (value - table[start - 1, ends].logsumexp(0) if ids[start] in ends else value).item()


@made_once
def boundaries(tokenizer):
    """Return the ids of the tokens that cannot continue a word."""
    return torch.tensor(boundary_ids(tokenizer))


def left_to_right(net, tokenizer, text, candidate):
    """Return log P of each token of a candidate where masks stand for it and for all its later tokens."""
    left, ids, right, _ = parts(tokenizer, text, candidate)
    words = [*[None] * len(left), *[0] * len(ids), *[None] * len(right)]
    return one_mask_at_a_time(net, tokenizer, [*left, *ids, *right], words, range(len(left), len(left) + len(ids)))


def all_masks(net, tokenizer, text, candidate):
    """Return log P of each token of a candidate where masks stand for all of its tokens: a masked model."""
    left, ids, right, _ = parts(tokenizer, text, candidate)
    table = logprobs(net, [*left, *[tokenizer.mask_token_id] * len(ids), *right])
    return [table[len(left) + i, token].item() for i, token in enumerate(ids)]


def within_word(net, tokenizer, text, candidate):
    """Return log P of each token of a candidate where masks stand for it and the later tokens of its word."""
    left, ids, right, words = parts(tokenizer, text, candidate)
    words = [*[None] * len(left), *words, *[None] * len(right)]
    return one_mask_at_a_time(net, tokenizer, [*left, *ids, *right], words, range(len(left), len(left) + len(ids)))


def one_mask_at_a_time(net, tokenizer, ids, words, positions):
    """Return log P of the token at each position where a mask stands for it.

    If `words` are the numbers of the tokens' words, and not None, masks stand for the later tokens of its word, too.
    """
    values = []
    for i in positions:
        masked = list(ids)
        for j in range(i, len(ids)):
            if j == i or (words and words[j] == words[i] and words[i] is not None):
                masked[j] = tokenizer.mask_token_id
        values.append(logprobs(net, masked)[i, ids[i]].item())
    return values


def ids_with_candidate(tokenizer, text, candidate):
    """Return the ids of the text with the candidate in its slot, and where the candidate's tokens start and stop."""
    left, _, right = text.partition("[V]")
    encoding = tokenizer(left + candidate + right)
    ids = list(encoding.input_ids)
    first_character, stop_character = len(left.rstrip(" ")), len(left) + len(candidate)  # a space alone may be a token
    inside = [
        i
        for i in range(len(ids))
        if (span := encoding.token_to_chars(i)) and span.end > first_character and span.start < stop_character
    ]
    return ids, inside[0], inside[-1] + 1


def parts(tokenizer, text, candidate):
    """Return the ids left of the slot, those of the candidate and those right of it, and the candidate's word numbers."""
    ids, start, stop = ids_with_candidate(tokenizer, text, candidate)
    around = tokenizer(with_mask(tokenizer, text)).input_ids
    position = around.index(tokenizer.mask_token_id)
    words = word_numbers(tokenizer, text.replace("[V]", candidate))[start:stop]
    return around[:position], ids[start:stop], around[position + 1 :], words


def word_numbers(tokenizer, text):
    """Return for each token of a text the number of its word, None for special tokens."""
    return tokenizer(text).word_ids()


def assert_slots_equal(model, net, probes):
    """Assert that the ten likeliest tokens of each probe are as likely as `net` says; the id of a probe is its text."""
    for probe, response in zip(probes, slot_top_k(model, probes, 10), strict=True):
        expected = slot(net, model.encoder.tokenizer, probe.id).topk(10).values
        np.testing.assert_allclose(response.logprobs, expected, rtol=0, atol=1e-4)
