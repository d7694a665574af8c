"""Score files of every study: they are made of stored answers and of new ones, and a job that was killed goes on.

A job takes the answers that the store has (`relprobe.lm.score_files.store`), asks a model the other questions in groups, and
stores the answers to each group at once. So a job that is killed loses one group, which takes a minute or less
(`relprobe.lm.score_files.pace`).

Three things go on at the same time, so that the network does not wait: one thread reads the requests of the next group, the
primitive computes a group (and encodes the next one ahead, see `relprobe.lm.primitives.threads`), and one thread writes the
group before it.
"""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from relprobe.core.content import content_digest
from relprobe.core.files import whole_file
from relprobe.core.manifest import model_files
from relprobe.core.progress import Progress
from relprobe.core.room import require_disk
from relprobe.lm.primitives.threads import frequent_switches, in_background, prefetching
from relprobe.lm.requests import question
from relprobe.lm.score_files.answers import with_columns
from relprobe.lm.score_files.check import Check, fixed_answers
from relprobe.lm.score_files.comparison import Comparison
from relprobe.lm.score_files.pace import Pace, first_size
from relprobe.lm.score_files.plan import NEW, Group, groups, stored_digest
from relprobe.lm.score_files.store import ASKED, Store, dependencies, facts_in, folder_of, guard_of, lock
from relprobe.lm.score_files.writer import Writer
from relprobe.lm.witness import WITNESS
from relprobe.lm.words.tokens import reading_of

if TYPE_CHECKING:  # steps without a model write such files, too, and must not import torch
    from relprobe.core.step import Call
    from relprobe.lm.settings import ModelSettings

logger = logging.getLogger("relprobe")
Request = TypeVar("Request")
Response = TypeVar("Response")
Item = TypeVar("Item")

PART = 4096
"""The requests of a part, for requests of one model input: as many states as a model has at once (`LanguageModel.chunk`)."""
PARAMETERS = 30e6
"""The size of a model that computes such a part, of some ten tokens a request, in a minute on two CPU cores."""
SERVED_PART = 512
"""The requests of a part that a server answers: a job that is killed loses seconds to minutes."""
GPU_PARTS = 4
"""A GPU's parts are so many times as large."""
APART = ("probes", "premises", "examples", "contexts")
"""The inputs of steps, without their endings, that say what is asked and nothing else: the questions show them."""
ANSWERS = "*.arrow"
"""The files of a store that hold answers."""
LIBRARIES = ("numpy", "torch", "transformers", "tokenizers")
"""The libraries whose versions may change scores."""


@dataclass(frozen=True)
class Scoring:
    """The scores of a model as the result of a step: they are computed while they are written.

    The model is loaded when it is asked first, so that a job whose answers are all stored loads none.
    """

    kind: str  # what is stored, such as "relations scores": answers of other kinds are never taken
    model: ModelSettings
    requests: Callable[[], Iterable[Any]] | Sequence[Any]  # or what makes them anew at each call
    answer: Callable[[Any, Iterable[Any]], Iterable[Any]]  # of the loaded model and requests
    table: Callable[[Sequence[Any]], pa.Table]
    what: str  # what the requests are, such as "probes"
    part: int = PART
    count: int = 0  # of the requests, if they are made at each call
    metadata: Mapping[str, Any] | None = None  # of the file, besides that of each score file
    depends_on: Mapping[str, Any] | None = (
        None  # what answers depend on beside the question, the model and the settings
    )
    key: Callable[[Any], str] = question  # tells the question of a request from others
    old_key: Callable[[Any], str] = repr  # did so before
    join: Callable[[pa.Table, Sequence[Any]], pa.Table] | None = None  # makes rows of the file from those of `table`
    split: Callable[[Any], Sequence[Any]] | None = None  # see `write_in_parts`
    drawn: bool = False  # whether answers are drawn at random
    unread: Sequence[str] = ()  # the columns of `table` that are no answer
    apart: Sequence[str] = APART

    def write(self, path: Path, call: Call) -> None:
        """Write the scores. They depend on the step's files and settings, and on the model; what is stored is not asked."""
        settings = self.model
        code = call.code_with(*settings.by_name)
        metadata = provenance(settings, call.files, code, **call.settings)
        metadata |= {"kind": self.kind, **({"beside": dict(self.depends_on)} if self.depends_on else {})}
        facts = facts_in(path, dependencies(metadata), guard_of(metadata, self.apart)) if settings.reuse else None
        if facts is None or settings.server is not None:  # they are those of the network, which is asked anyway
            facts = {"size": part_size(settings.load().net, self.part), **settings.load().origin()}
            facts = {key: value for key, value in facts.items() if key in ("size", "path")}
        metadata |= {"path": facts["path"]} if "path" in facts else {}
        write_in_parts(
            self.requests,
            lambda requests: self.answer(settings.load(), requests),
            self.table,
            {**metadata, "reuse": settings.reuse, **(self.metadata or {})},
            path,
            facts["size"],
            progress=Progress(self.count if callable(self.requests) else len(self.requests), self.what),
            first=first_size(facts["size"]),
            key=self.key,
            old_key=self.old_key,
            join=self.join,
            split=self.split,
            apart=self.apart,
            reuse=settings.reuse,
            results=settings.results,
            check=self._check(metadata),
            facts=facts,
        )
        if settings.is_loaded:
            settings.load().log_work()
        else:
            logger.info("no network was loaded, as all answers were stored")

    def _check(self, metadata: Mapping[str, Any]) -> Check:
        """Return how stored answers are checked after a change of what must not change them."""
        halves = [field.name for field in self.table([]).schema if _holds_halves(field.type)]
        served = self.model.server is not None
        comparison = Comparison(metadata.get("dtype", "float32"), served, self.unread, halves)
        return Check(comparison, None if served else lambda: fixed_answers(self.model.load()), self.drawn)


def _holds_halves(kind: pa.DataType) -> bool:
    return pa.types.is_float16(kind) or (pa.types.is_nested(kind) and pa.types.is_float16(kind.field(0).type))


def write_in_parts(
    requests: Iterable[Request] | Callable[[], Iterable[Request]],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    metadata: dict[str, Any],
    path: Path,
    size: int = PART,
    *,
    first: int | None = None,
    key: Callable[[Any], str] = question,
    old_key: Callable[[Any], str] = repr,
    split: Callable[[Request], Sequence[Any]] | None = None,
    join: Callable[[pa.Table, Sequence[Request]], pa.Table] | None = None,
    apart: Sequence[str] = (),
    reuse: bool = False,
    results: Path | None = None,
    progress: Progress | None = None,
    check: Check | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write the responses to the requests as a Parquet file, in the order of the requests and in constant memory.

    `answer` turns requests into responses, one for each and in order, and `table` turns responses into a table, with as many
    rows for each as alone. `size` is the number of requests that are asked at a time, and `first` that at the start; where
    that takes too long there are fewer (`Pace`). `metadata` says what the responses depend on beside the requests
    (`provenance`, `made_of`), and what must not change them, such as the code (`guard_of`); it becomes the file's metadata
    "relprobe". `key` must tell a request from all others, as `question` does, and `old_key` did so in stores of form 1.

    `reuse`: what earlier jobs have stored is not asked again, and the answers stay stored; so is what other stores in the
    folder `results` hold. Where something has changed that must not change answers, a sample is asked again (`check`), and
    if one answer is another, all are asked. Without `reuse`, only what a killed job has left is taken, and nothing stays.
    `apart`: see `guard_of`. `progress` counts the requests whose answers are there. `facts`: what `Store.note` keeps.

    `split` makes a request of several questions, such as words, into one for each question. These are what `answer` gets and
    what is stored. `join` makes the rows of the file from the rows of `table` and the requests, also of requests of one
    question, whose number or name is not to be stored.

    >>> import tempfile
    >>> import pyarrow.parquet as pq
    >>> schema = pa.schema([("square", pa.int64())])
    >>> def squares(numbers): return [number**2 for number in numbers]
    >>> def column(values): return pa.table([pa.array(values, pa.int64())], schema)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_in_parts([1, 2, 3], squares, column, {"code": "1f2e"}, Path(folder) / "squares.parquet", size=2)
    ...     table = pq.read_table(Path(folder) / "squares.parquet")
    >>> table["square"].to_pylist(), table.schema.metadata[b"relprobe"]
    ([1, 4, 9], b'{"code": "1f2e"}')
    """
    parts, check = split or (_unsplit if join else None), check or Check()
    with lock(folder_of(path)):
        guard = guard_of(metadata, apart)
        store = Store(path, dependencies(metadata), metadata.get(WITNESS), guard=guard, keep=reuse, results=results)
        if store.guard_changes:
            requests = requests if callable(requests) else list(requests)
            _ask_again(
                store, check, partial(_questions, requests, split or _unsplit, store, key, old_key), answer, table
            )
        if store.checked:
            metadata = {**metadata, "checked": store.checked[-1]}
        todo = requests() if callable(requests) else requests
        asked, pace = store.folder / f"{ASKED}.partial", Pace(size, first, store.seconds)
        with (
            whole_file(path) as temporary,
            asked.open("wb") as digests,
            Writer(temporary, metadata, lambda: join(table([]), []) if join else table([]), size) as file,
            frequent_switches(),
            prefetching(groups(todo, key, store, digests, pace, parts, old_key)) as grouped,
        ):
            writing = _Writing(table, store, file, join, progress, stored=len(store))
            in_background(_tasks(grouped, answer, pace, writing, progress))
        if reuse:
            _keep_store(store, check, asked, facts or {})
        else:
            store.remove()
    logger.info("wrote %s", path)


def _keep_store(store: Store, check: Check, asked: Path, facts: Mapping[str, Any]) -> None:
    """Leave the answers to later jobs, with the fixed ones of a network that was loaded, what was asked, and `facts`."""
    if store.has_grown and check.fixed is not None and store.fixed is None:
        store.keep_fixed(check.fixed())
    store.note(**facts)
    store.end(asked)


def _ask_again(
    store: Store,
    check: Check,
    questions: Callable[[], Iterable[tuple[bytes, Any]]],
    answer: Callable[[Iterable[Any]], Iterable[Any]],
    table: Callable[[Sequence[Any]], pa.Table],
) -> None:
    """Check stored answers after a change: keep them if a sample gives the same answers, else delete them; log which."""
    changed = ", ".join(store.guard_changes)
    result = check.run(store, questions, answer, table)
    if result.wrong:
        logger.warning(
            "the stored answers cannot be taken, and all questions are asked again: %s changed, and %s",
            changed,
            result.wrong,
        )
        store.forget()
        return
    store.accept(asked=result.asked, largest=result.largest)
    if check.fixed is not None and store.fixed is None:
        store.keep_fixed(check.fixed())
    logger.info(
        "%s changed, but the stored answers are taken: %d of them were asked again, and are the same but for rounding (at "
        "most %.2g of what it may be)", changed, result.asked, result.largest,
    )  # fmt: skip


def _questions(
    requests: Callable[[], Iterable[Any]] | Sequence[Any],
    split: Callable[[Any], Sequence[Any]],
    store: Store,
    key: Callable[[Any], str],
    old_key: Callable[[Any], str],
) -> Iterator[tuple[bytes, Any]]:
    """Yield all questions of a job, each with its digest."""
    for request in requests() if callable(requests) else requests:
        for part in split(request):
            yield stored_digest(store, part, key, old_key), part


def _unsplit(request: Request) -> list[Request]:
    return [request]


@dataclass
class _Writing:
    """Where the answers to a group go: into the store, if they are new, and into the score file.

    `progress`: how many requests there are. `stored`: the answers that the store had before the job. `written`: the requests
    whose answers are in the score file.
    """

    table: Callable[[Sequence[Any]], pa.Table]
    store: Store
    file: Writer
    join: Callable[[pa.Table, Sequence[Any]], pa.Table] | None
    progress: Progress | None
    stored: int = 0
    written: int = 0

    @functools.cached_property
    def schema(self) -> pa.Schema:
        """The columns of the answers."""
        return self.table([]).schema

    def write(self, group: Group, responses: Sequence[Any], seconds: float) -> None:
        """Store the answers to the new requests of a group, and append the answers to all its requests to the score file.

        `seconds`: those that a new request took.
        """
        new, starts = pa.table({}), [0]
        if responses:
            new = self.table(responses)
            counts = [1] * len(responses)
            if new.num_rows != len(responses):
                counts = [self.table([response]).num_rows for response in responses]
            starts = [0, *itertools.accumulate(counts)]
            digests = [digest for digest, rows in zip(group.digests, counts, strict=True) for _ in range(rows)]
            is_first = not self.store.has_grown
            self.store.add(new, digests, seconds)
            if is_first and self.progress is not None:
                self._require_room(self.progress, group)
        pieces = [
            new.slice(starts[start], starts[stop] - starts[start])
            if number == NEW
            else with_columns(self.store.read(number, start, stop), self.schema)
            for number, start, stop in group.pieces
        ]
        rows = pa.concat_tables(pieces)
        self.file.append(self.join(rows, group.joined) if self.join else rows)
        self.written += group.count

    def _require_room(self, progress: Progress, group: Group) -> None:
        """Check that what is left to answer after a group, the first with new answers, has room on the disk.

        The answers are taken to be as large as those in the store. Each of them is written into the score file, and into the
        store unless it is there; so those that are more than had been stored are written twice. DataError: they have no
        room. A job would find that hours later.
        """
        number = self.stored + len(group.requests)
        size = sum(file.stat().st_size for file in self.store.folder.glob(ANSWERS)) / number
        remaining = progress.total - self.written - group.count
        to_write = remaining * (group.stored + len(group.requests)) / group.count
        new = max(0.0, to_write - self.stored)
        what = f"{self.store.root}: the answers to {remaining:,} more {progress.what}"
        require_disk(what, (to_write + new) * size, self.store.folder, verb="take")


def _tasks(
    todo: Iterable[Group],
    answer: Callable[[Iterable[Any]], Iterable[Any]],
    pace: Pace,
    writing: _Writing,
    progress: Progress | None,
) -> Iterator[Callable[[], None]]:
    """Yield for each group the task of writing it; the responses to its new requests are computed for that.

    A group is handed to `answer` before the group before it is computed, so that a primitive can encode it ahead.
    """
    stored = asked = 0
    for group, answers in _with_next((group, answer(group.requests) if group.requests else ()) for group in todo):
        stored, asked = stored + group.stored, asked + len(group.requests)
        start = time.monotonic()
        responses, seconds = list(answers), 0.0
        if group.requests:
            seconds = (time.monotonic() - start) / len(group.requests)
            pace.add(seconds)
        if progress:
            progress.add(group.count, group.count * group.stored // (group.stored + len(group.requests)))
        yield partial(writing.write, group, responses, seconds)
    if stored:
        logger.info("%s questions were stored, and %s were asked", f"{stored:,}", f"{asked:,}")


def _with_next(items: Iterable[Item]) -> Iterator[Item]:
    """Yield each item after the next one has been made.

    >>> numbers = _with_next(print(number) or number for number in range(3))
    >>> next(numbers)
    0
    1
    0
    """
    last: list[Item] = []
    for item in items:
        yield from last
        last = [item]
    yield from last


def part_size(net: Any | None, size: int = PART) -> int:
    """Return how many requests make a part: `size`, but more on GPUs, and fewer for a large network on a CPU.

    A GPU gets GPU_PARTS times the size: it answers so many requests in seconds, and needs many inputs for full batches.
    On a CPU a network of twice PARAMETERS gets half the size, so a job that is killed loses a minute, whatever its model.
    A served model has no network on this machine (None): its parts have up to SERVED_PART requests.
    The number does not depend on the speed of the machine: in parts of another size other inputs share a batch, and the last
    digits of the scores would differ after a restart.

    >>> import torch
    >>> part_size(torch.nn.Linear(10, 10), 128)
    128
    """
    if net is None:
        return min(size, SERVED_PART)
    weights = list(net.parameters())
    if all(weight.device.type == "cuda" for weight in weights):
        return size * GPU_PARTS
    return max(1, min(size, int(size * PARAMETERS / sum(weight.numel() for weight in weights))))


def provenance(model: ModelSettings, inputs: Sequence[Path], code: str, **settings: Any) -> dict[str, Any]:
    """Return what the scores of a model depend on: its files and their use, and what `made_of` says.

    `inputs` are the files that the requests come from. Nothing is loaded but the tokenizer. Of a served model it says the
    name and the server's version, and how the model answered fixed texts at the start (WITNESS).
    """
    encoder = model.encoder
    return {
        **made_of(inputs, code, **settings),
        "model_files": model_files(model.model),
        "type": encoder.kind,
        "special_tokens": [encoder.before, encoder.after],
        "tokens": reading_of(encoder.tokenizer),
        "context": encoder.context,
        "closing": encoder.closing,
        **(model.load().origin() if model.server is not None else {"dtype": model.format}),
    }


def made_of(inputs: Sequence[Path], code: str, **settings: Any) -> dict[str, Any]:
    """Return what a file depends on: what is read from its inputs, the settings, the versions of LIBRARIES, and the code.

    `code` is the digest of the step (`relprobe.core.digest.digest`).

    >>> made_of([], "1f2e03", layer=-1)["settings"]
    {'layer': -1}
    """
    return {
        "inputs": {path.name: content_digest(path) for path in inputs},
        "settings": settings,
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "code": code,
    }
