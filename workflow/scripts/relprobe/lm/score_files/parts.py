"""Score files of every study: written in parts, so that a job that was killed goes on where it stopped.

The parts of OUT lie in the folder .OUT.parts beside it until the file is whole. Each is a Parquet file with a file of two
digests, of what it was made of and of itself; a part that is missing, damaged or of something else is made again.
"""

import hashlib
import importlib.metadata
import json
import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.core.files import read_json, sha256, whole_file
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import batched

logger = logging.getLogger("relprobe")
Request = TypeVar("Request")
Response = TypeVar("Response")

PART = 4096
"""Requests of one part, of one model input each: as many states as a model holds at once (`LanguageModel.chunk`)."""
AFFORDABLE = 150e6
"""Parameters of a model that two CPU cores take through such a part, of some ten tokens a request, in five minutes."""
LIBRARIES = ("numpy", "torch", "transformers", "tokenizers")


def write_in_parts(
    requests: Iterable[Request],
    answer: Callable[[Iterable[Request]], Iterable[Response]],
    table: Callable[[Sequence[Response]], pa.Table],
    about: dict[str, Any],
    path: Path,
    size: int = PART,
) -> None:
    """Write the `table` of the responses that `answer` gives to the requests, in their order, in constant memory.

    `about` says what the responses depend on beside the requests (`provenance`); it goes into the file's metadata. The
    requests must print (`repr`) as what they are: frozen dataclasses do.
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
    """Yield the parts in order, those that are there as they are."""
    base = json.dumps(about, sort_keys=True)
    kept = 0
    for number, group in enumerate(batched(requests, size)):
        key = hashlib.sha256("\n".join([base, *map(repr, group)]).encode()).hexdigest()
        file = folder / f"{number:06}.parquet"
        if _is_whole(file, key):
            kept += 1
        else:
            _write(table(list(answer(group))), key, file)
        yield file
    if kept:
        logger.info("%d parts of %d requests were there from a run that had stopped", kept, size)


def _write(made: pa.Table, key: str, file: Path) -> Path:
    with whole_file(file) as partial:
        pq.write_table(made, partial)
    with whole_file(_mark(file)) as partial:
        partial.write_bytes(_digests(key, file))
    return file


def _is_whole(file: Path, key: str) -> bool:
    mark = _mark(file)
    return file.is_file() and mark.is_file() and mark.read_bytes() == _digests(key, file)


def _mark(file: Path) -> Path:
    return file.with_suffix(".digests")


def _digests(key: str, file: Path) -> bytes:
    return f"{key} {sha256(file)}\n".encode()


def part_size(net: Any, size: int = PART) -> int:
    """Return how many requests make a part: `size`, but fewer in proportion where a CPU computes more than AFFORDABLE.

    A job that is killed then loses minutes, whatever its model. It does not depend on the clock: with parts of another
    size other inputs share a batch, and the last digits of a restarted job's scores would be others.
    """
    weights = list(net.parameters())
    if all(weight.device.type == "cuda" for weight in weights):
        return size
    return max(1, min(size, int(size * AFFORDABLE / sum(weight.numel() for weight in weights))))


def provenance(
    model: LanguageModel, manifest: Path, inputs: Sequence[Path], code: str, **settings: Any
) -> dict[str, Any]:
    """Say what the scores of a model are made of: its files, how they are used, and what `made_of` says."""
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
    """Say what a file is made of: inputs by hash, the `digest` of the step's code, versions of libraries, and settings."""
    return {
        "inputs": {path.name: sha256(path) for path in inputs},
        "settings": settings,
        "libraries": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "code": code,
    }
