"""Score files of every study: they are written in parts, so that a job that was killed continues where it stopped.

Until a file is whole, its parts lie in a hidden folder beside it:

    scores.parquet                       absent until the job is done
    .scores.parquet.parts/000000.parquet the responses to the first requests
    .scores.parquet.parts/000000.digests two digests: of the requests and the provenance, and of the Parquet file
    .scores.parquet.parts/000001.parquet …

A part that is missing or damaged, or whose digests are not those of the present job, is computed again.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import itertools
import json
import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.core.files import read_json, sha256, whole_file

if TYPE_CHECKING:  # steps without a model write such files, too, and must not import torch
    from relprobe.lm.network.model import LanguageModel

logger = logging.getLogger("relprobe")
Request = TypeVar("Request")
Response = TypeVar("Response")

PART = 4096
"""The requests of a part, for requests of one model input: as many states as a model has at once (`LanguageModel.chunk`)."""
PARAMETERS = 150e6
"""The size of a model that computes such a part, of some ten tokens a request, in five minutes on two CPU cores."""
LIBRARIES = ("numpy", "torch", "transformers", "tokenizers")
"""The libraries whose versions may change scores."""


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
    files = list(_parts(requests, answer, table, about, folder, size))
    if not files:
        files = [_write(table([]), "", folder / "none.parquet")]
    schema = pq.read_schema(files[0]).with_metadata({"relprobe": json.dumps(about)})
    with whole_file(path) as partial, pq.ParquetWriter(partial, schema, compression="zstd") as writer:
        for file in files:
            for batch in pq.ParquetFile(file).iter_batches(size):
                writer.write_table(pa.Table.from_batches([batch]).cast(schema))
    shutil.rmtree(folder)
    logger.info("wrote %s", path)


def _parts(
    requests: Iterable[Request],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    about: dict[str, Any],
    folder: Path,
    size: int,
) -> Iterator[Path]:
    """Yield the files of the parts in order; a part that a stopped run has left stays as it is."""
    base = json.dumps(about, sort_keys=True)
    left = 0
    for number, group in enumerate(_groups(requests, size)):
        key = hashlib.sha256("\n".join([base, *map(repr, group)]).encode()).hexdigest()
        file = folder / f"{number:06}.parquet"
        if _is_whole(file, key):
            left += 1
        else:
            _write(table(list(answer(group))), key, file)
        yield file
    if left:
        logger.info("%d parts of %d requests were left by a run that had stopped", left, size)


def _groups(requests: Iterable[Request], size: int) -> Iterator[list[Request]]:
    """Yield lists of `size` requests, the last list shorter.

    >>> list(_groups("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(requests)
    while group := list(itertools.islice(iterator, size)):
        yield group


def _write(part: pa.Table, key: str, file: Path) -> Path:
    with whole_file(file) as partial:
        pq.write_table(part, partial)
    with whole_file(_digest_file(file)) as partial:
        partial.write_bytes(_digests(key, file))
    return file


def _is_whole(file: Path, key: str) -> bool:
    digests = _digest_file(file)
    return file.is_file() and digests.is_file() and digests.read_bytes() == _digests(key, file)


def _digest_file(file: Path) -> Path:
    return file.with_suffix(".digests")


def _digests(key: str, file: Path) -> bytes:
    return f"{key} {sha256(file)}\n".encode()


def part_size(net: Any, size: int = PART) -> int:
    """Return how many requests make a part: `size`, but fewer where a CPU computes a network of more than PARAMETERS.

    A network of twice PARAMETERS gets half the size, so a job that is killed loses minutes, whatever its model. The number
    does not depend on the speed of the machine: in parts of another size other inputs share a batch, and the last digits of
    the scores would differ after a restart.

    >>> import torch
    >>> part_size(torch.nn.Linear(10, 10), 128)
    128
    """
    weights = list(net.parameters())
    if all(weight.device.type == "cuda" for weight in weights):
        return size
    return max(1, min(size, int(size * PARAMETERS / sum(weight.numel() for weight in weights))))


def provenance(
    model: LanguageModel, manifest: Path, inputs: Sequence[Path], code: str, **settings: Any
) -> dict[str, Any]:
    """Say what the scores of a model depend on: its files and their use, and what `made_of` says.

    `manifest` is that of the model's snapshot and `inputs` are the files that the requests come from.
    """
    encoder = model.encoder
    return {
        **made_of(inputs, code, **settings),
        "model_files": read_json(manifest)["files"],
        "type": "masked" if encoder.masked else "causal",
        "special_tokens": [encoder.before, encoder.after],
        "context": encoder.context,
        "dtype": str(model.net.dtype).removeprefix("torch."),
        "path": model.path,
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
