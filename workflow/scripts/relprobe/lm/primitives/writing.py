"""Free answers: what a causal model writes after a text, by the `generate` of transformers."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import torch
from transformers import GenerationConfig, StoppingCriteria, StoppingCriteriaList

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.products import products_by
from relprobe.lm.primitives.stream import chunks
from relprobe.lm.requests import SLOT
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.thoughts import END, OPENING, closing_of, open_thought

BATCH = 32
"""The answers that are written together."""


@dataclass(frozen=True)
class Task:
    """A text after which a model writes."""

    id: str
    text: str


@dataclass(frozen=True)
class WrittenAnswers:
    """The answers of a model to a task; `complete` says of each whether the model ended it itself.

    `thoughts`: what it has written before each, the marks of the thought included, and `lengths` the tokens of these; both
    are empty where it was not asked to think.
    """

    id: str
    texts: tuple[str, ...]
    complete: tuple[bool, ...]
    thoughts: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()


def write(
    model: LanguageModel,
    encoder: Encoder,
    tasks: Iterable[Task],
    tokens: int,
    samples: int | None = None,
    thoughts: int = 0,
) -> Iterator[WrittenAnswers]:
    """Yield what the model writes after each task, in order, in up to `tokens` tokens.

    Without `samples` it takes the likeliest token at every step. With a number, it draws so many answers from its
    distribution; the seed of a batch comes from its tasks, so that a run that was stopped goes on as it would have.
    `encoder` says what stands around a task. With `thoughts`, the model first thinks in up to so many tokens; a thought that
    has no end by then is closed there, and the answer is written after it. ModelError: a masked or an encoder-decoder
    model. ProbeError: too long a text (`Encoder.slot`), with the thought and the answer.
    """
    if encoder.both_sides:
        kind = encoder.kind_in_words
        raise ModelError(f"{kind.capitalize()} writes no answers: leave `task` out.")
    at_once = max(1, BATCH // (samples or 1))
    for batch in chunks(tasks, lambda _: 1, at_once):
        yield from _batch(model, encoder, batch, tokens, samples, thoughts)


@torch.inference_mode()
def _batch(
    model: LanguageModel, encoder: Encoder, tasks: Sequence[Task], tokens: int, samples: int | None, thoughts: int
) -> Iterator[WrittenAnswers]:
    queries = encoder.slots([(task.id, f"{task.text} {SLOT}") for task in tasks])
    asked = [list(query.ids) for query in queries]
    settings = _settings(model, encoder.tokenizer, tokens, samples)
    torch.manual_seed(int.from_bytes(hashlib.sha256(repr(tasks).encode()).digest()[:6]))
    model.inputs += len(tasks)
    count = samples or 1
    written_thoughts: list[WrittenThought] = []
    if thoughts:
        written_thoughts = _thoughts(model, encoder, tasks, asked, settings, thoughts)
        asked = [[*asked[number // count], *thought.ids] for number, thought in enumerate(written_thoughts)]
        settings = _settings(model, encoder.tokenizer, tokens, samples and 1)
    answers, ends = _generate(model, asked, settings), settings.eos_token_id
    for index, thought in enumerate(written_thoughts):
        if thought.begun:
            ended = not set(ends).isdisjoint(thought.begun)
            answers[index] = thought.begun if ended else [*thought.begun, *answers[index]][:tokens]
    for number, task in enumerate(tasks):
        rows = slice(number * count, (number + 1) * count)
        texts = tuple(encoder.tokenizer.decode(answer, skip_special_tokens=True) for answer in answers[rows])
        complete = tuple(not set(ends).isdisjoint(answer) for answer in answers[rows])
        yield WrittenAnswers(
            task.id,
            texts,
            complete,
            tuple(thought.text for thought in written_thoughts[rows]),
            tuple(thought.length for thought in written_thoughts[rows]),
        )


def _generate(
    model: LanguageModel, asked: Sequence[Sequence[int]], settings: GenerationConfig, stops: Sequence[Any] = ()
) -> list[list[int]]:
    """Return the tokens that the model writes after each text, each as many as the longest, with padding at the end."""
    width, device = max(map(len, asked)), input_device(model.net)
    ids = [[settings.pad_token_id] * (width - len(prompt)) + list(prompt) for prompt in asked]
    seen = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in asked]
    with products_by(model.products):
        sequences = model.net.generate(
            torch.tensor(ids, device=device),
            attention_mask=torch.tensor(seen, device=device),
            generation_config=settings,
            stopping_criteria=StoppingCriteriaList(stop(width) for stop in stops),
        )
    model.tokens += sequences[:, :-1].numel()  # padding, too; the last token of an answer is not read
    return [list(row) for row in sequences[:, width:].tolist()]


def _settings(model: LanguageModel, tokenizer: Any, tokens: int, samples: int | None) -> GenerationConfig:
    """Return the settings of `generate`: greedy, or samples of the model's own distribution."""
    ends = getattr(model.net.generation_config, "eos_token_id", None) or tokenizer.eos_token_id
    ends = [ends] if isinstance(ends, int) else list(ends or [])
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else (ends or [0])[0]
    draw = {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "num_return_sequences": samples}
    return GenerationConfig(
        max_new_tokens=tokens, eos_token_id=ends, pad_token_id=padding, **(draw if samples else {"do_sample": False})
    )


# A model that thinks before it answers: its thought is written up to a bound, and is closed there if it has no end.


TAIL = 24
"""The last tokens of a thought in which its end is looked for: marks have up to some ten tokens."""


class WrittenThought(NamedTuple):
    """What a model has written before an answer.

    `ids`: what stands between the question and what is still to be written. `text`: the thought with its marks; empty where
    the model did not think. `length`: its tokens. `begun`: the beginning of an answer that it wrote at once.
    """

    ids: list[int]
    text: str
    length: int
    begun: list[int]


class _Closed(StoppingCriteria):  # type: ignore[misc]
    """Ends each text where it closes a thought."""

    def __init__(self, tokenizer: Any, width: int) -> None:
        self._tokenizer, self._width = tokenizer, width

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        tails = input_ids[:, max(self._width, input_ids.shape[1] - TAIL) :]
        closed = [END.search(text) is not None for text in self._tokenizer.batch_decode(tails)]
        return torch.tensor(closed, device=input_ids.device)


def _thoughts(
    model: LanguageModel,
    encoder: Encoder,
    tasks: Sequence[Task],
    asked: Sequence[Sequence[int]],
    settings: GenerationConfig,
    bound: int,
) -> list[WrittenThought]:
    """Let the model think before each answer, in up to `bound` tokens. ProbeError: the whole is longer than it takes."""
    tokenizer, tokens, opened = encoder.tokenizer, int(settings.max_new_tokens), open_thought(encoder.closing)
    for task, prompt in zip(tasks, asked, strict=True):
        if (length := len(prompt) + bound + TAIL + tokens) > encoder.max_length:
            raise ProbeError(
                f"probe {task.id!r} with a thought and an answer takes up to {length} tokens, but the model takes "
                f"{encoder.max_length}: lower `thoughts`."
            )
    settings.max_new_tokens = bound
    rows = _generate(model, asked, settings, [partial(_Closed, tokenizer)])
    settings.max_new_tokens = tokens
    return [_thought(tokenizer, row, opened, settings.eos_token_id, tokens) for row in rows]


def _thought(
    tokenizer: Any, row: Sequence[int], opened: re.Match[str] | None, ends: Sequence[int], tokens: int
) -> WrittenThought:
    """Return the thought in what a model has written, or the answer that it has begun without one.

    `opened`: how the template has opened the thought, if it has.
    """
    closed = (stop for stop in range(1, len(row) + 1) if END.search(tokenizer.decode(row[max(0, stop - TAIL) : stop])))
    end = next((number for number, token in enumerate(row) if token in ends), len(row))
    if (stop := next(closed, None)) is not None and stop <= end:
        return WrittenThought(list(row[:stop]), tokenizer.decode(row[:stop]), stop, [])
    ids = list(row[:end])
    text = tokenizer.decode(ids)
    opening = opened or OPENING.match(text.lstrip())
    if opening is None:  # it answers at once
        begun = list(row[: min(end + 1, tokens)])
        return WrittenThought(begun, "", 0, begun)
    closing = f"\n{closing_of(opening)}\n\n" if opening[1] == "<" else closing_of(opening)
    return WrittenThought(
        [*ids, *tokenizer.encode(closing, add_special_tokens=False)], f"{text}{closing}", len(ids), []
    )
