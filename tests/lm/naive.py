"""What every primitive must equal: one sequence, one plain forward through the whole network, full logits."""

import numpy as np
import torch
from relprobe.lm.primitives.slots import slot_top_k


@torch.no_grad()
def logprobs(net, ids):
    """Natural-log probabilities, shape (positions, vocabulary)."""
    return torch.log_softmax(net(torch.tensor([ids])).logits[0].float(), -1)


@torch.no_grad()
def hidden(net, ids, layer):
    return net(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]


def slot(net, tokenizer, text):
    """The distribution over the vocabulary at the slot, as a user would write it."""
    if tokenizer.mask_token_id is not None:
        ids = tokenizer(text.replace("[V]", tokenizer.mask_token)).input_ids
        return logprobs(net, ids)[ids.index(tokenizer.mask_token_id)]
    return logprobs(net, tokenizer(text.replace("[V]", "").rstrip()).input_ids)[-1]


def cut(tokenizer, text, candidate):
    """The ids of the text with the candidate in it, and where the candidate's tokens start and stop."""
    left, _, right = text.partition("[V]")
    whole = tokenizer(left + candidate + right)
    ids = list(whole.input_ids)
    stop_char = len(left) + len(candidate)
    covered = [
        i
        for i in range(len(ids))
        if (span := whole.token_to_chars(i)) and span.end > len(left) and span.start < stop_char
    ]
    return ids, covered[0], covered[-1] + 1


def words(tokenizer, text):
    return tokenizer(text).word_ids()


def chain(net, tokenizer, text, candidate):
    ids, start, stop = cut(tokenizer, text, candidate)
    rows = logprobs(net, ids)
    return [rows[i - 1, ids[i]].item() for i in range(start, stop)]


def filled(tokenizer, text, candidate):
    """The text with its slot as mask tokens, one per token of the candidate; those tokens, and their words' numbers."""
    ids, start, stop = cut(tokenizer, text, candidate)
    around = tokenizer(text.replace("[V]", tokenizer.mask_token)).input_ids
    slot = around.index(tokenizer.mask_token_id)
    groups = words(tokenizer, text.replace("[V]", candidate))[start:stop]
    return around[:slot], ids[start:stop], around[slot + 1 :], groups


def all_masks(net, tokenizer, text, candidate):
    left, ids, right, _ = filled(tokenizer, text, candidate)
    rows = logprobs(net, [*left, *[tokenizer.mask_token_id] * len(ids), *right])
    return [rows[len(left) + i, token].item() for i, token in enumerate(ids)]


def within_word(net, tokenizer, text, candidate):
    left, ids, right, groups = filled(tokenizer, text, candidate)
    groups = [*[None] * len(left), *groups, *[None] * len(right)]
    return one_by_one(net, tokenizer, [*left, *ids, *right], groups, range(len(left), len(left) + len(ids)))


def one_by_one(net, tokenizer, ids, groups, read):
    """Mask each token in turn; if the words' numbers are given as `groups`, the later tokens of its word with it."""
    found = []
    for i in read:
        masked = list(ids)
        for j in range(i, len(ids)):
            if j == i or (groups and groups[j] == groups[i] and groups[i] is not None):
                masked[j] = tokenizer.mask_token_id
        found.append(logprobs(net, masked)[i, ids[i]].item())
    return found


def assert_answers(scorer, net, probes):
    """The ten likeliest tokens of each probe, which is its own id and only text, are as likely as `net` says."""
    for probe, answer in zip(probes, slot_top_k(scorer, probes, 10), strict=True):
        expected = slot(net, scorer.encoder.tokenizer, probe.id).topk(10).values
        np.testing.assert_allclose(answer.logprobs, expected, rtol=0, atol=1e-4)
