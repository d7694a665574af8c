"""An interview: the questions of a study to a model that only chats, and its replies as the result of a step.

Each reply is stored at once, in the store of scored questions beside the file of replies (`relprobe.lm.score_files.store`).
So a job that is killed asks again only the questions that were under way, at most `concurrency` of them. A reply depends on
what was sent and on the model, and not on the code: a new version asks nothing again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from relprobe.core.errors import ModelError
from relprobe.core.files import whole_file, write_parquet
from relprobe.core.progress import track
from relprobe.core.secrets import public_url
from relprobe.lm.chat_models.client import ChatClient, most_tokens
from relprobe.lm.chat_models.ledger import ledger
from relprobe.lm.chat_models.replies import REPLIES, Reply
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.score_files.cleaning import merge
from relprobe.lm.score_files.store import ASKED, Store, dependencies, digest_of, folder_of, lock, stored_digests
from relprobe.lm.score_files.writer import Writer
from relprobe.lm.served.key import key_of

if TYPE_CHECKING:
    import pyarrow as pa

    from relprobe.core.step import Call

logger = logging.getLogger("relprobe")
CONCURRENCY = 8
"""The most questions under way, if the entry of the model does not say."""
TIMEOUT_S = 120.0
"""The seconds that a server may keep silent, if the entry does not say."""
Ask = Callable[["SampledQuestion"], Reply]


@dataclass(frozen=True)
class Question:
    """A question: its id, such as that of a probe, and its text."""

    id: str
    text: str


class SampledQuestion(NamedTuple):
    """A question as one of its samples, and the digest under which the reply is stored."""

    question: Question
    sample: int
    digest: bytes


@dataclass(frozen=True)
class Interview:
    """The replies of a chat model (REPLIES) as the result of a step: they are asked for while they are written.

    `study`: whose questions they are. `tokens`: the most tokens of a reply without its thoughts.
    """

    chat_model: ChatModel
    study: str
    questions: Sequence[Question]
    tokens: int

    def write(self, path: Path, call: Call) -> None:
        """Ask what is not stored, and write the replies to all questions.

        ModelError: see ChatClient; the server returns another model than before; or a limit is reached. What was answered
        until then is stored.
        """
        chat_model, metadata = self.chat_model, self._reply_facts
        items = list(self._samples())
        with lock(folder_of(path)):
            origin = public_url(chat_model.server["endpoint"])
            store = Store(
                path, dependencies(metadata), keep=chat_model.reuse, results=chat_model.results, origin=origin
            )
            rows = {sample.digest: _stored(store, sample.digest) for sample in items}
            self._ask(
                store, rows, list({sample.digest: sample for sample in items if rows[sample.digest] is None}.values())
            )
            sent = {question.id: str(chat_model.messages(question.text)) for question in self.questions[:1]}
            self._write(path, {**metadata, "code": call.code, "reuse": chat_model.reuse, "sent": sent}, items, rows)
            if chat_model.reuse:
                (store.folder / f"{ASKED}.partial").write_bytes(b"".join(sample.digest for sample in items))
                store.end(store.folder / f"{ASKED}.partial")
                merge(store.folder)
            else:
                store.remove()
        logger.info("wrote %s", path)

    def forecast(self, path: Path) -> str:
        """Return a sentence on what `write` would send, and how many replies are stored; nothing is sent."""
        chat_model = self.chat_model
        stored = stored_digests(path, dependencies(self._reply_facts), keep=chat_model.reuse)
        different = {sample.digest: sample for sample in self._samples()}
        todo = [sample for digest, sample in different.items() if digest not in stored]
        limits = "".join(f"; limits.{name} is {most:,}" for name, most in (chat_model.limits or {}).items())
        return (
            f"{chat_model.spending.stem}, {self.study}: {len(todo):,} questions would be sent to {chat_model.served_name}, "
            f"in up to {self._most_tokens(todo):,} tokens; {len(different) - len(todo):,} replies are stored{limits}"
        )

    @property
    def _reply_facts(self) -> dict[str, Any]:
        """What a reply depends on beside its question."""
        chat_model = self.chat_model
        return {
            "name": chat_model.served_name,
            "system": chat_model.conversation["system"],
            "temperature": chat_model.temperature,
            "tokens": self.tokens + chat_model.thoughts,
            **({"request": chat_model.request} if chat_model.request else {}),
        }

    def _most_tokens(self, todo: Sequence[SampledQuestion]) -> int:
        chat_model = self.chat_model
        return sum(
            most_tokens(chat_model.messages(sample.question.text), self.tokens + chat_model.thoughts) for sample in todo
        )

    def _samples(self) -> Iterator[SampledQuestion]:
        for question in self.questions:
            for sample in range(1, (self.chat_model.samples or 1) + 1):
                yield SampledQuestion(question, sample, digest_of(repr((question.text, sample))))

    def _ask(self, store: Store, rows: dict[bytes, Any], todo: Sequence[SampledQuestion]) -> None:
        """Ask questions, and store each reply as it comes; `rows` gets it, too."""
        chat_model, server = self.chat_model, self.chat_model.server
        stored = len(rows) - len(todo)
        limit = self.tokens + chat_model.thoughts
        sentence = "%s replies are stored, and %s questions are sent to %s, in up to %s tokens"
        logger.info(sentence, f"{stored:,}", f"{len(todo):,}", chat_model.served_name, f"{self._most_tokens(todo):,}")
        if not todo:
            return
        spending = Spending(chat_model.spending, self.study, chat_model.limits)
        timeout = server.get("timeout", TIMEOUT_S)
        model = next((row["model"] for row in rows.values() if row and row["model"]), None)
        where = server["endpoint"], key_of(server), chat_model.served_name, spending
        with ChatClient(*where, timeout_s=timeout, more=chat_model.request) as client:

            def ask(sample: SampledQuestion) -> Reply:
                return client.reply(chat_model.messages(sample.question.text), limit, chat_model.temperature)

            with closing(replies_of(ask, todo, server.get("concurrency", CONCURRENCY))) as replies:
                for sample, reply, seconds in track(replies, len(todo), "questions"):
                    _check_model(model, reply.model)
                    model = model or reply.model
                    rows[sample.digest] = _row(reply)
                    store.add(_table([rows[sample.digest]]), [sample.digest], seconds)

    def _write(
        self, path: Path, metadata: dict[str, Any], items: Sequence[SampledQuestion], rows: dict[bytes, Any]
    ) -> None:
        reply_rows = [
            {**rows[sample.digest], "question_id": sample.question.id, "sample": sample.sample} for sample in items
        ]
        with (
            whole_file(path) as partial,
            Writer(partial, metadata, lambda: _table([]), max(1, len(reply_rows))) as file,
        ):
            if reply_rows:
                file.append(_table(reply_rows))


@dataclass(frozen=True)
class StudyLedger:
    """What the questions of a study to a chat model have cost, in all runs (LEDGER), as the result of a step."""

    chat_model: ChatModel
    study: str

    def write(self, path: Path, _: Call) -> None:
        """Write the ledger of the study."""
        sent = Spending(self.chat_model.spending, self.study).requests()
        write_parquet(ledger(request for request in sent if request.job == self.study), path)


class InterviewResults(NamedTuple):
    """The results of a step that asks a chat model."""

    out: Interview
    ledger: StudyLedger


def interview(chat_model: ChatModel, study: str, questions: Sequence[Question], tokens: int) -> InterviewResults:
    """Return the results of the step that asks a chat model the questions of a study."""
    return InterviewResults(Interview(chat_model, study, questions, tokens), StudyLedger(chat_model, study))


def replies_of(
    ask: Ask, todo: Sequence[SampledQuestion], concurrency: int
) -> Generator[tuple[SampledQuestion, Reply, float], None, None]:
    """Yield each question with its reply and the seconds that it took, as the replies come, `concurrency` at a time.

    The first question goes alone: a wrong key or name costs one request. After an error no question is sent any more; the
    replies to those under way are yielded before it is raised, as they are paid.
    """

    def timed(sample: SampledQuestion) -> tuple[SampledQuestion, Reply, float]:
        start = time.monotonic()
        return sample, ask(sample), time.monotonic() - start

    yield timed(todo[0])
    waiting, error = iter(todo[1:]), None
    running: set[Future[tuple[SampledQuestion, Reply, float]]] = set()
    with ThreadPoolExecutor(concurrency, "question") as pool:
        while True:
            while error is None and len(running) < concurrency and (sample := next(waiting, None)) is not None:
                running.add(pool.submit(timed, sample))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                if (failure := future.exception()) is not None:
                    error = error or failure
                else:
                    yield future.result()
    if error is not None:
        raise error


def _check_model(first: str | None, model: str | None) -> None:
    """Check that a reply comes from the model of the first reply. ModelError: the server returns another name."""
    if first and model and model != first:
        raise ModelError(
            f"the server answers as {model!r}, but was {first!r} before: its provider has changed the model; name "
            "the dated model that you mean, or delete the agent's replies and their store to ask everything again."
        )


def _row(reply: Reply) -> dict[str, Any]:
    return {"question_id": "", "sample": 1, **vars(reply)}


def _stored(store: Store, digest: bytes) -> dict[str, Any] | None:
    location = store.find(digest)
    return None if location is None else pl.DataFrame(store.read(*location)).row(0, named=True)


def _table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    return pl.DataFrame(rows, schema=REPLIES, orient="row").to_arrow(compat_level=pl.CompatLevel.oldest())
