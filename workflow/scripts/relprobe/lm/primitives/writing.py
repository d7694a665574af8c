"""Free answers: what a causal model writes after a text, by the `generate` of transformers."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import GenerationConfig

from relprobe.core.errors import ModelError
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.products import products_by
from relprobe.lm.primitives.stream import chunks
from relprobe.lm.requests import SLOT
from relprobe.lm.words.encode import Encoder

BATCH = 32
"""The answers that are written together."""


@dataclass(frozen=True)
class Task:
    """A text after which a model writes."""

    id: str
    text: str


@dataclass(frozen=True)
class WrittenAnswers:
    """The answers of a model to a task; `whole` says of each whether the model ended it itself."""

    id: str
    texts: tuple[str, ...]
    whole: tuple[bool, ...]


def write(
    model: LanguageModel, encoder: Encoder, tasks: Iterable[Task], tokens: int, samples: int | None = None
) -> Iterator[WrittenAnswers]:
    """Yield what the model writes after each task, in order, in up to `tokens` tokens.

    Without `samples` it takes the likeliest token at every step. With a number, it draws so many answers from its
    distribution; the seed of a batch comes from its tasks, so that a run that was stopped goes on as it would have.
    `encoder` says what stands around a task. ModelError: a masked or an encoder-decoder model.
    ProbeError: too long a text (`Encoder.slot`).
    """
    if encoder.both_sides:
        kind = encoder.kind_in_words
        raise ModelError(f"{kind.capitalize()} writes no answers: leave `task` out.")
    at_once = max(1, BATCH // (samples or 1))
    for batch in chunks(tasks, lambda _: 1, at_once):
        yield from _batch(model, encoder, batch, tokens, samples)


@torch.inference_mode()
def _batch(
    model: LanguageModel, encoder: Encoder, tasks: Sequence[Task], tokens: int, samples: int | None
) -> Iterator[WrittenAnswers]:
    queries = encoder.slots([(task.id, f"{task.text} {SLOT}") for task in tasks])
    width = max(len(query.ids) for query in queries)
    settings = _settings(model, encoder.tokenizer, tokens, samples)
    padding, ends = settings.pad_token_id, settings.eos_token_id
    ids = [[padding] * (width - len(query.ids)) + list(query.ids) for query in queries]
    seen = [[0] * (width - len(query.ids)) + [1] * len(query.ids) for query in queries]
    device = input_device(model.net)
    torch.manual_seed(int.from_bytes(hashlib.sha256(repr(tasks).encode()).digest()[:6]))
    with products_by(model.products):
        whole = model.net.generate(
            torch.tensor(ids, device=device),
            attention_mask=torch.tensor(seen, device=device),
            generation_config=settings,
        )
    model.inputs += len(tasks)
    model.tokens += whole[:, :-1].numel()  # padding, too; the last token of an answer is not read
    rows = whole[:, width:].tolist()
    count = samples or 1
    for number, task in enumerate(tasks):
        answers = rows[number * count : (number + 1) * count]
        texts = tuple(encoder.tokenizer.decode(answer, skip_special_tokens=True) for answer in answers)
        yield WrittenAnswers(task.id, texts, tuple(not set(ends).isdisjoint(answer) for answer in answers))


def _settings(model: LanguageModel, tokenizer: Any, tokens: int, samples: int | None) -> GenerationConfig:
    """Return the settings of `generate`: greedy, or samples of the model's own distribution."""
    ends = getattr(model.net.generation_config, "eos_token_id", None) or tokenizer.eos_token_id
    ends = [ends] if isinstance(ends, int) else list(ends or [])
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else (ends or [0])[0]
    draw = {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "num_return_sequences": samples}
    return GenerationConfig(
        max_new_tokens=tokens, eos_token_id=ends, pad_token_id=padding, **(draw if samples else {"do_sample": False})
    )
