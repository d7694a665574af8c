"""Score files of every study: they are written in parts, so that a job that was killed continues where it stopped.

Until a file is whole, its parts lie in a hidden folder beside it:

    scores.parquet                       absent until the job is done
    .scores.parquet.parts/000000.arrow   the responses to the first requests
    .scores.parquet.parts/000000.digests the digest of the requests and the provenance, and the checksum of the Arrow file
    .scores.parquet.parts/000001.arrow …

A part that is missing or damaged, or that is not of the present job's requests, is computed again.

Three things go on at the same time, so that the network does not wait: one thread reads the requests of the next part, the
primitive computes a part (and encodes the next one ahead, see `relprobe.lm.primitives.threads`), and one thread writes the
part before it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import itertools
import json
import logging
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.core.errors import ModelError
from relprobe.core.files import read_json, sha256, whole_file, write_json
from relprobe.core.progress import track
from relprobe.lm.primitives.threads import ahead, behind, frequent_switches
from relprobe.lm.witness import WITNESS, Witness, same_model

if TYPE_CHECKING:  # steps without a model write such files, too, and must not import torch
    from relprobe.core.step import Call
    from relprobe.lm.settings import Model

logger = logging.getLogger("relprobe")
Request = TypeVar("Request")
Response = TypeVar("Response")
Item = TypeVar("Item")

PART = 4096
"""The requests of a part, for requests of one model input: as many states as a model has at once (`LanguageModel.chunk`)."""
PARAMETERS = 150e6
"""The size of a model that computes such a part, of some ten tokens a request, in five minutes on two CPU cores."""
SERVED_PART = 512
"""The requests of a part that a server answers: a job that is killed loses seconds to minutes."""
GPU_PARTS = 4
"""A GPU's parts are so many times as large."""
LIBRARIES = ("numpy", "torch", "transformers", "tokenizers")
"""The libraries whose versions may change scores."""


@dataclass(frozen=True)
class Scoring:
    """The scores of a model as the result of a step: they are computed while they are written."""

    model: Model
    manifest: Path  # of the model
    requests: Sequence[Any] | Iterator[Any]
    answer: Callable[[Iterable[Any]], Iterable[Any]]
    table: Callable[[Sequence[Any]], pa.Table]
    what: str  # what the requests are, such as "probes"
    part: int = PART
    count: int = 0  # of the requests, if they are an iterator, which has no length
    about: Mapping[str, Any] | None = None  # what the metadata say besides

    def write(self, path: Path, call: Call) -> None:
        """Write the scores in parts. They depend on the step's files and settings, and on the model."""
        about = {**provenance(self.model, self.manifest, call.files, call.code, **call.settings), **(self.about or {})}
        total = self.count if isinstance(self.requests, Iterator) else len(self.requests)
        requests = track(self.requests, total, self.what)
        write_in_parts(requests, self.answer, self.table, about, path, part_size(self.model.net, self.part))
        self.model.log_work()


def write_in_parts(
    requests: Iterable[Request],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    about: dict[str, Any],
    path: Path,
    size: int = PART,
) -> None:
    """Write the responses to the requests as a Parquet file, in the order of the requests and in constant memory.

    `answer` turns requests into responses, and `table` turns responses into a table. `size` is the number of requests of a
    part. `about` says what the responses depend on beside the requests (`provenance`, `made_of`); it becomes the file's
    metadata "relprobe". The `repr` of a request must tell it from all others, as that of a frozen dataclass does.

    >>> import tempfile
    >>> schema = pa.schema([("square", pa.int64())])
    >>> def squares(numbers): return [number**2 for number in numbers]
    >>> def column(values): return pa.table([pa.array(values, pa.int64())], schema)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_in_parts([1, 2, 3], squares, column, {"code": "1f2e"}, Path(folder) / "squares.parquet", size=2)
    ...     table = pq.read_table(Path(folder) / "squares.parquet")
    >>> table["square"].to_pylist(), table.schema.metadata[b"relprobe"]
    ([1, 4, 9], b'{"code": "1f2e"}')
    """
    folder = path.with_name(f".{path.name}.parts")
    base = json.dumps({key: value for key, value in about.items() if key != WITNESS}, sort_keys=True)
    if WITNESS in about:
        _keep_to_one_model(folder / "witness.json", base, about[WITNESS])
    with whole_file(path) as temporary, _ScoreFile(temporary, about, table) as file, frequent_switches():
        parts = ahead(_parts(requests, base, folder, size))
        behind(_tasks(parts, answer, table, file))
    shutil.rmtree(folder, ignore_errors=True)  # there is none if there were no requests
    logger.info("wrote %s", path)


def _keep_to_one_model(file: Path, base: str, witness: Witness) -> None:
    """Keep a served model's witness beside the parts. ModelError: a stopped run has left there what another model answered.

    The server may have another model by now under the same name. The numbers of one model differ a little from run to run,
    so they are compared, and are no part of a part's digest. Parts that depend on something else (`base`) are not used.
    """
    last = read_json(file) if file.is_file() else {}
    if last.get("base") == base and not same_model(last["witness"], witness):
        raise ModelError(
            f"{file.parent} holds scores of another model than the server has now, by its answers to the same texts: start "
            "the server with the first model, or delete this folder to begin again."
        )
    if last.get("base") != base:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_json({"base": base, "witness": witness}, file)


@dataclass(frozen=True)
class _Part:
    """Some requests, the digest of these and of all that the responses depend on, and the file for the responses.

    `left` says whether a stopped run has left this file whole.
    """

    requests: list[Any]
    key: str
    file: Path
    left: bool


class _ScoreFile:
    """A score file that is being written; its schema is that of its first table, or of a table without responses."""

    def __init__(self, path: Path, about: dict[str, Any], table: Callable[[Sequence[Any]], pa.Table]) -> None:
        self._path, self._about, self._table = path, about, table
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> _ScoreFile:
        return self

    def append(self, part: pa.Table) -> None:
        """Write a table after the tables before it."""
        if self._writer is None:
            schema = part.schema.with_metadata({"relprobe": json.dumps(self._about)})
            self._writer = pq.ParquetWriter(self._path, schema, compression="zstd", **_encodings(schema))
        self._writer.write_table(part.cast(self._writer.schema))

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self._writer is None and error is None:
            self.append(self._table([]))
        if self._writer is not None:
            self._writer.close()


def _encodings(schema: pa.Schema) -> dict[str, Any]:
    """Return how a Parquet file encodes the columns: numbers by their first bytes, then their second ones, and so on.

    So the numbers take half the time and a quarter less room than by default.

    >>> _encodings(pa.schema([("id", pa.string()), ("ids", pa.list_(pa.int32())), ("right", pa.bool_())]))
    {'use_dictionary': ['id'], 'use_byte_stream_split': ['ids.list.element']}
    """
    leaves = {}
    for field in schema:
        is_list = pa.types.is_list(field.type) or pa.types.is_large_list(field.type)
        leaves[f"{field.name}.list.element" if is_list else field.name] = (
            field.type.value_type if is_list else field.type
        )
    texts = [name for name, kind in leaves.items() if not pa.types.is_primitive(kind)]
    numbers = [name for name, kind in leaves.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)]
    return {"use_dictionary": texts or False, "use_byte_stream_split": numbers or False}


def _tasks(
    parts: Iterable[_Part],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    file: _ScoreFile,
) -> Iterator[Callable[[], None]]:
    """Yield for each part the task of writing it; the responses of a part that is not left are computed for that.

    A part is handed to `answer` before the part before it is computed, so that a primitive can encode it ahead.
    """
    left = 0
    for part, responses in _with_next((part, () if part.left else answer(part.requests)) for part in parts):
        if part.left:
            left += 1
            yield partial(_append_left, part, file)
        else:
            yield partial(_write, list(responses), table, part, file)
    if left:
        logger.info("%d parts were left by a run that had stopped", left)


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


def _parts(requests: Iterable[Request], base: str, folder: Path, size: int) -> Iterator[_Part]:
    """Yield the parts of `size` requests in order, the last part shorter. `base` is what all responses depend on."""
    iterator = iter(requests)
    for number in itertools.count():
        group = list(itertools.islice(iterator, size))
        if not group:
            return
        key = hashlib.sha256("\n".join([base, *map(repr, group)]).encode()).hexdigest()
        file = folder / f"{number:06}.arrow"
        yield _Part(group, key, file, _is_whole(file, key))


def _write(
    responses: Sequence[Response], table: Callable[[Sequence[Response]], pa.Table], part: _Part, file: _ScoreFile
) -> None:
    rows = table(responses)
    with (
        whole_file(part.file) as temporary,
        pa.OSFile(str(temporary), "wb") as sink,
        pa.ipc.new_file(sink, rows.schema) as ipc,
    ):
        ipc.write_table(rows)
    with whole_file(_digest_file(part.file)) as temporary:
        temporary.write_bytes(_digests(part.key, part.file))
    file.append(rows)


def _append_left(part: _Part, file: _ScoreFile) -> None:
    with pa.memory_map(str(part.file)) as source:
        file.append(pa.ipc.open_file(source).read_all())


def _is_whole(file: Path, key: str) -> bool:
    digests = _digest_file(file)
    return file.is_file() and digests.is_file() and digests.read_bytes() == _digests(key, file)


def _digest_file(file: Path) -> Path:
    return file.with_suffix(".digests")


def _digests(key: str, file: Path) -> bytes:
    """Return what the file of digests holds. A CRC finds damage as a digest does, and takes a quarter of its time."""
    checksum = 0
    with file.open("rb") as content:
        for block in iter(partial(content.read, 1 << 20), b""):
            checksum = zlib.crc32(block, checksum)
    return f"{key} {checksum:08x}\n".encode()


def part_size(net: Any | None, size: int = PART) -> int:
    """Return how many requests make a part: `size`, but more on GPUs, and fewer for a large network on a CPU.

    A GPU gets GPU_PARTS times the size: it answers so many requests in seconds, and needs many inputs for full batches.
    On a CPU a network of twice PARAMETERS gets half the size, so a job that is killed loses minutes, whatever its model.
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
        "model_files": read_json(manifest)["files"],
        "type": encoder.kind,
        "special_tokens": [encoder.before, encoder.after],
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
