"""The options of a step whose questions go to a model that only chats."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class ChatModel:
    """A model behind a chat endpoint of OpenAI's form, and how it takes a task.

    Its replies depend on the options up to `thoughts`; the others decide where and how it is asked, and what it may cost.

    >>> ChatModel("gpt", {"endpoint": "http://localhost:8000/v1"}, {"system": "Hi."}, Path("gpt.jsonl")).temperature
    0.0
    """

    served_name: str  # the server's name of the model
    server: dict[str, Any]  # endpoint, and as far as they are set key_env, concurrency and timeout
    conversation: dict[str, Any]  # the study's `system`, and the line of the task
    spending: Path  # the file of all that the agent has sent, in all of its runs and studies
    samples: int | None = None  # the number of replies to a question; none: one, at temperature 0
    request: dict[str, Any] | None = None  # further keys of each request, such as repeat_penalty
    thoughts: int = 0  # the most tokens of a reasoning model's thoughts
    limits: dict[str, Any] | None = None  # requests and tokens that the agent may take in all
    reuse: bool = True  # take the replies that earlier jobs have stored, and store the new ones
    results: Path | None = (
        None  # the folder of all results: a new store takes what others there hold of the same questions
    )

    @property
    def temperature(self) -> float:
        """1 for samples of the model's own distribution, else 0."""
        return 1.0 if self.samples else 0.0

    def messages(self, text: str) -> list[dict[str, str]]:
        """Return what is sent for a question: the system line of the study, and the question as the user's."""
        return [{"role": "system", "content": self.conversation["system"]}, {"role": "user", "content": text}]
