"""Score files of every study: they are made of stored answers and of new ones, and a job that was killed goes on.

A job takes the answers that the store has (`relprobe.lm.score_files.store`), asks a model the other questions in groups, and
stores the answers to each group at once. So a job that is killed loses one group, which takes a minute or less
(`relprobe.lm.score_files.pace`).

Three things go on at the same time, so that the network does not wait: one thread reads the requests of the next group, the
primitive computes a group (and encodes the next one ahead, see `relprobe.lm.primitives.threads`), and one thread writes the
group before it.
"""

from __future__ import annotations

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

from relprobe.core.files import sha256, whole_file
from relprobe.core.manifest import model_files
from relprobe.core.progress import Progress
from relprobe.lm.primitives.threads import behind, frequent_switches, made_ahead
from relprobe.lm.score_files.pace import Pace, first_size
from relprobe.lm.score_files.plan import NEW, Group, groups
from relprobe.lm.score_files.store import ASKED, Store, dependencies, folder_of, lock
from relprobe.lm.score_files.writer import Writer
from relprobe.lm.witness import WITNESS
from relprobe.lm.words.tokens import reading_of

if TYPE_CHECKING:  # steps without a model write such files, too, and must not import torch
    from relprobe.core.step import Call
    from relprobe.lm.settings import Model, ModelSettings

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
LIBRARIES = ("numpy", "torch", "transformers", "tokenizers")
"""The libraries whose versions may change scores."""


@dataclass(frozen=True)
class Scoring:
    """The scores of a model as the result of a step: they are computed while they are written."""

    model: Model
    settings: ModelSettings
    requests: Sequence[Any] | Iterator[Any]
    answer: Callable[[Iterable[Any]], Iterable[Any]]
    table: Callable[[Sequence[Any]], pa.Table]
    what: str  # what the requests are, such as "probes"
    part: int = PART
    count: int = 0  # of the requests, if they are an iterator, which has no length
    about: Mapping[str, Any] | None = None  # what the metadata say besides
    key: Callable[[Any], str] = repr  # tells the question of a request from others
    join: Callable[[pa.Table, Sequence[Any]], pa.Table] | None = None  # makes rows of the file from those of `table`

    def write(self, path: Path, call: Call) -> None:
        """Write the scores. They depend on the step's files and settings, and on the model; what is stored is not asked."""
        reuse = self.settings.reuse
        code = call.code_with(*self.settings.by_name)
        depends = provenance(self.model, self.settings.model, call.files, code, **call.settings)
        about = {**depends, "reuse": reuse, **(self.about or {})}
        size = part_size(self.model.net, self.part)
        total = self.count if isinstance(self.requests, Iterator) else len(self.requests)
        write_in_parts(
            self.requests,
            self.answer,
            self.table,
            about,
            path,
            size,
            progress=Progress(total, self.what),
            first=first_size(size),
            key=self.key,
            join=self.join,
            apart=APART,
            reuse=reuse,
            former=self.settings.former or (),
        )
        self.model.log_work()


def write_in_parts(
    requests: Iterable[Request],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    about: dict[str, Any],
    path: Path,
    size: int = PART,
    *,
    first: int | None = None,
    key: Callable[[Any], str] = repr,
    split: Callable[[Request], Sequence[Any]] | None = None,
    join: Callable[[pa.Table, Sequence[Request]], pa.Table] | None = None,
    apart: Sequence[str] = (),
    reuse: bool = False,
    former: Sequence[str] = (),
    progress: Progress | None = None,
) -> None:
    """Write the responses to the requests as a Parquet file, in the order of the requests and in constant memory.

    `answer` turns requests into responses, one for each and in order, and `table` turns responses into a table, with as many
    rows for each as alone. `size` is the number of requests that are asked at a time, and `first` that at the start; where
    that takes too long there are fewer (`Pace`). `about` says what the responses depend
    on beside the requests (`provenance`, `made_of`); it becomes the file's metadata "relprobe". `key` must tell a request
    from all others, as does the `repr` of a frozen dataclass. `reuse`: what earlier jobs have stored is not asked again, and
    the answers stay stored; so is what the store of one of the `former` agents holds. Otherwise only what a killed job has
    left is taken, and nothing stays. `apart`: see
    `dependencies`. `progress` counts the requests whose answers are there.

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
    with lock(folder_of(path)):
        store = Store(path, dependencies(about, apart), about.get(WITNESS), keep=reuse, former=former)
        asked, pace = store.folder / f"{ASKED}.partial", Pace(size, first, store.seconds)
        with (
            whole_file(path) as temporary,
            asked.open("wb") as digests,
            Writer(temporary, about, lambda: join(table([]), []) if join else table([]), size) as file,
            frequent_switches(),
            made_ahead(groups(requests, key, store, digests, pace, split or (_alone if join else None))) as todo,
        ):
            behind(_tasks(todo, answer, pace, _Writing(table, store, file, join), progress))
        if reuse:
            store.end(asked)
        else:
            store.remove()
    logger.info("wrote %s", path)


def _alone(request: Request) -> list[Request]:
    return [request]


@dataclass(frozen=True)
class _Writing:
    """Where the answers to a group go: into the store, if they are new, and into the score file."""

    table: Callable[[Sequence[Any]], pa.Table]
    store: Store
    file: Writer
    join: Callable[[pa.Table, Sequence[Any]], pa.Table] | None

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
            self.store.add(new, digests, seconds)
        pieces = [
            new.slice(starts[start], starts[stop] - starts[start])
            if number == NEW
            else self.store.read(number, start, stop)
            for number, start, stop in group.pieces
        ]
        rows = pa.concat_tables(pieces)
        self.file.append(self.join(rows, group.joined) if self.join else rows)


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


def provenance(model: Model, manifest: Path, inputs: Sequence[Path], code: str, **settings: Any) -> dict[str, Any]:
    """Say what the scores of a model depend on: its files and their use, and what `made_of` says.

    `manifest` is that of the model's snapshot and `inputs` are the files that the requests come from. Of a served model it
    says the name and the server's version, and how the model answered fixed texts at the start (WITNESS).
    """
    encoder = model.encoder
    return {
        **made_of(inputs, code, **settings),
        "model_files": model_files(manifest),
        "type": encoder.kind,
        "special_tokens": [encoder.before, encoder.after],
        "tokens": reading_of(encoder.tokenizer),
        "context": encoder.context,
        "closing": encoder.closing,
        **model.origin(),
    }


def made_of(inputs: Sequence[Path], code: str, **settings: Any) -> dict[str, Any]:
    """Say what a file depends on: its inputs by SHA-256, the settings, the versions of LIBRARIES, and the step's code.

    `code` is the digest of the step (`relprobe.core.digest.digest`).

    >>> made_of([], "1f2e03", layer=-1)["settings"]
    {'layer': -1}
    """
    return {
        "inputs": {path.name: sha256(path) for path in inputs},
        "settings": settings,
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "code": code,
    }
