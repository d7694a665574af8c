"""The validation of a served model, before it is asked and at random later: checks that need no copy of the model.

Servers answer wrongly without an error. One gave log-probabilities that depend on the order of requests when it keeps
beginnings (vLLM issue 42019), one gave 0 for every choice (llama.cpp issue 27174), and others add or drop BOS, or give a
prompt's log-probabilities one token off. Each check here ends in a ModelError with its finding, or passes.

Later answers are checked for what costs nothing (`asking.check_list`). What they cannot show, such as the answers to two
prompts exchanged, shows in prompts whose answers are known from the start. These *controls* are asked among the others at
random and after the last one, and answers are returned only when their controls have passed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import numpy as np

from relprobe.core.errors import ModelError
from relprobe.lm.served.asking import EXCESS, Asking
from relprobe.lm.served.dialect import TopList
from relprobe.lm.witness import ALIKE, Witness, difference, values

logger = logging.getLogger("relprobe")

TEXTS = (
    "a robin is a kind of a",
    "the opposite of hot is",
    "the word bird has a more general meaning than the word",
    "it is",
    "a small bird that sings at night is called a",
)
"""Short texts with a slot after them."""
SHARED = " ".join(f"a day has {number} hours, and a night has as many." for number in range(2, 14))
"""The beginning that long texts share: longer than the blocks of 16 tokens in which servers keep beginnings."""
LONG = tuple(f"{SHARED} {text}" for text in TEXTS[:2])
LIST = 20
"""The length of the lists: what every server gives without a flag."""
AGREE = 0.25
"""The same between a server's lists and its log-probabilities of prompts, which it may compute in another way."""
CHOICE = 5
"""How many of the likeliest tokens of a text make a forced choice."""
LOCAL = 0.5
"""The same between a server and the local engine, whose number formats differ. Another model differs by 2 and more."""
REMEDY = "use another server or version, or a study that needs no log-probabilities of prompts (relations)"
"""What helps where only the log-probabilities of prompts are wrong."""
PROMPTS_OF_CONTROL = 50
"""The prompts for each control."""


def prompts_of(model: Asking, texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the prompts of texts, without those that are too long for the model."""
    queries = (model.encoder.slots([(text, f"{text} [V]")])[0].ids for text in texts if _fits(model, text))
    return list(queries)


def _fits(model: Asking, text: str) -> bool:
    return len(model.encoder.tokenizer.encode(model.encoder.context + text)) < model.encoder.max_length


def check_lists(model: Asking) -> Witness:
    """Check lists of likely tokens: each alone, then all again at once and in another order; return those of TEXTS.

    The same prompt must have the same list alone and among others, and after a prompt that begins alike.
    """
    prompts = prompts_of(model, (*TEXTS, *LONG))
    single_lists = [model.ask_top(prompt, LIST) for prompt in prompts]
    _check_repetition(model, prompts, single_lists)
    short = single_lists[: len(prompts_of(model, TEXTS))]
    return [{"token_ids": top_list.ids.tolist(), "logprobs": top_list.logprobs.tolist()} for top_list in short]


def _check_repetition(model: Asking, prompts: Sequence[tuple[int, ...]], single_lists: Sequence[TopList]) -> None:
    order = [*reversed(range(len(prompts))), *range(len(prompts))]
    again = model.client.in_parallel(lambda index: model.ask_top(prompts[index], LIST), order)
    for index, top_list in zip(order, again, strict=True):
        _compare(model, prompts[index], single_lists[index].values(), top_list.values(), "among others than alone")


@dataclass(frozen=True)
class Control:
    """A question whose answer is known; `check` raises a ModelError if an answer differs from it."""

    question: tuple[Any, ...]
    check: Callable[[Any], None]


def list_controls(model: Asking, k: int) -> list[Control]:
    """Return the controls for lists of `k` tokens: the texts of the start, whose lists have LIST tokens or more."""
    prompts = prompts_of(model, TEXTS)
    return [
        Control((prompt, max(k, LIST)), partial(_compare_later, model, prompt, values(first)))
        for prompt, first in zip(prompts, model.witness, strict=True)
    ]


def _compare_later(model: Asking, prompt: tuple[int, ...], first: Mapping[int, float], now: TopList) -> None:
    _compare(model, prompt, first, now.values(), "now than at the start")


def mixed_in(
    questions: Sequence[tuple[Any, ...]], controls: Sequence[Control], numbers: Random
) -> list[tuple[tuple[Any, ...], Control | None]]:
    """Return the questions in order, with controls at random positions and one at the end.

    There is one for each PROMPTS_OF_CONTROL questions.

    >>> control = Control(("known",), print)
    >>> [question for question, _ in mixed_in([("a",), ("b",)], [control], Random(0))]
    [('a',), ('b',), ('known',)]
    >>> len(mixed_in([("a",)] * 2 * PROMPTS_OF_CONTROL, [control], Random(0))) - 2 * PROMPTS_OF_CONTROL
    3
    """
    if not controls:
        return [(question, None) for question in questions]
    positions = sorted(numbers.randrange(len(questions)) for _ in range(len(questions) // PROMPTS_OF_CONTROL))
    mixed: list[tuple[tuple[Any, ...], Control | None]] = []
    for i, question in enumerate(questions):
        mixed += [(control.question, control) for control in numbers.choices(controls, k=positions.count(i))]
        mixed.append((question, None))
    last = numbers.choice(controls)
    return [*mixed, (last.question, last)]


def _compare(
    model: Asking, prompt: tuple[int, ...], first: Mapping[int, float], second: Mapping[int, float], when: str
) -> None:
    gap = difference(first, second)
    if gap > ALIKE:
        prompt_end = repr(model.encoder.tokenizer.decode(list(prompt))[-60:])
        raise ModelError(
            f"{model} is not trusted: after {prompt_end} it gives other log-probabilities {when}; they differ by {gap:.2f} "
            "on average: start it without a cache of beginnings (--no-enable-prefix-caching of vLLM), and with one model."
        )


def check_prompt_logprobs(model: Asking) -> None:
    """Check the log-probabilities of prompts.

    A prompt that ends in one of the likeliest tokens must give that token the log-probability of the list, and over these
    tokens, a forced choice, the probabilities must sum to at most 1. Long prompts that begin alike must have the same
    log-probabilities in any order. These answers are the controls of later ones (`prompt_controls`).
    """
    texts = prompts_of(model, TEXTS)
    choices: list[tuple[tuple[int, ...], int]] = []
    listed: list[float] = []
    for prompt, witness_list in zip(texts, model.witness, strict=True):
        writable = [pair for pair in values(witness_list).items() if model.can_send((*prompt, pair[0]))][:CHOICE]
        choices += [(prompt, token) for token, _ in writable]
        listed += [value for _, value in writable]
    echoed = model.client.in_parallel(lambda choice: model.ask_prompt((*choice[0], choice[1])), choices)
    last = np.array([values[-1] for values in echoed], float)
    for prompt in texts:
        total = sum(np.exp(value) for (text, _), value in zip(choices, last, strict=True) if text == prompt)
        if total > 1 + EXCESS:
            raise ModelError(
                f"{model} is not trusted: the probabilities of a choice of {CHOICE} tokens after "
                f"{model.encoder.tokenizer.decode(list(prompt))!r}, from its log-probabilities of prompts, sum to "
                f"{total:.3g}, and no distribution exceeds 1: {REMEDY}."
            )
    differences = np.abs(last - np.array(listed))
    if differences.mean() > AGREE:
        raise ModelError(_disagreement(model, choices, listed, last, differences))
    model.echoed = {(*prompt, token): logprobs for (prompt, token), logprobs in zip(choices, echoed, strict=True)}
    _check_order(model)


def prompt_controls(model: Asking) -> list[Control]:
    """Return the controls for log-probabilities of prompts: the choices of the start."""
    return [
        Control((prompt,), partial(_compare_prompt, model, prompt, logprobs))
        for prompt, logprobs in model.echoed.items()
    ]


def _compare_prompt(model: Asking, prompt: tuple[int, ...], first: Any, now: Any) -> None:
    gap = float(np.abs(now[1:] - first[1:]).mean())
    if gap > ALIKE:
        raise ModelError(
            f"{model} is not trusted: the tokens of {model.encoder.tokenizer.decode(list(prompt))!r} have other "
            f"log-probabilities now than at the start; they differ by {gap:.2f} on average: start it with one model, and "
            "without a cache of beginnings (--no-enable-prefix-caching of vLLM)."
        )


def _disagreement(
    model: Asking, choices: Sequence[tuple[tuple[int, ...], int]], listed: Sequence[float], last: Any, differences: Any
) -> str:
    worst = int(np.argmax(differences))
    prompt, token = choices[worst]
    return (
        f"{model} is not trusted with the log-probabilities of prompts: they differ from its own lists by "
        f"{differences.mean():.2f} on average; {_name(model, token)} after "
        f"{model.encoder.tokenizer.decode(list(prompt))!r} has "
        f"{listed[worst]:.2f} in the list and {last[worst]:.2f} as a token of the prompt, as if they were those of another "
        f"position: {REMEDY}."
    )


def _check_order(model: Asking) -> None:
    prompts = prompts_of(model, LONG)
    first = [model.ask_prompt(prompt) for prompt in prompts]
    order = [*reversed(range(len(prompts))), *range(len(prompts))]
    again = model.client.in_parallel(lambda index: model.ask_prompt(prompts[index]), order)
    for index, logprobs in zip(order, again, strict=True):
        gap = float(np.abs(logprobs[1:] - first[index][1:]).mean())
        if gap > ALIKE:
            raise ModelError(
                f"{model} is not trusted with the log-probabilities of prompts: those of a long prompt differ by {gap:.2f} "
                "on average when another prompt that begins alike was asked before: start it without a cache of "
                "beginnings (--no-enable-prefix-caching of vLLM)."
            )


def check_tokens(model: Asking) -> None:
    """Compare the server's own tokens of a text with those of the named tokenizer, where the server shows them."""
    text = TEXTS[0]
    expected = tuple(model.encoder.tokenizer.encode(text, add_special_tokens=False))
    body = {"model": model.name, "prompt": text, "content": text, "input": text, "add_special_tokens": False}
    for path in ("/tokenize", "/extras/tokenize"):
        answer = model.client.get_from_root(path, body)
        if isinstance(answer, dict) and isinstance(answer.get("tokens"), list):
            tokens = tuple(answer["tokens"])
            if tokens not in (expected, (*model.encoder.before, *expected)):
                raise ModelError(
                    f"{model} makes the tokens {list(tokens)} of {text!r}, but the named tokenizer makes {list(expected)}: "
                    "correct the source of the tokenizer in the model's entry."
                )
            return
    logger.info("%s shows no tokens of a text, so they are not compared with the tokenizer's", model)


def check_against(model: Asking, local: Witness) -> None:
    """Compare the server's lists with those of the same weights on this machine, and log how far they differ."""
    differences = [
        difference(values(local_list), values(served_list))
        for local_list, served_list in zip(local, model.witness, strict=True)
    ]
    first = sum(
        local_list["token_ids"][0] == served_list["token_ids"][0]
        for local_list, served_list in zip(local, model.witness, strict=True)
    )
    logger.info(
        "%s differs from the local engine by %.3f on average; %d of %d first tokens are the same",
        model, np.mean(differences), first, len(differences),
    )  # fmt: skip
    if np.mean(differences) > LOCAL:
        raise ModelError(
            f"{model} is not trusted: its log-probabilities differ from those of the same weights on this machine by "
            f"{np.mean(differences):.2f} on average: does `name` stand for the model that the entry's source holds?"
        )


def _name(model: Asking, token: int) -> str:
    return repr(model.encoder.tokenizer.decode([token]))
