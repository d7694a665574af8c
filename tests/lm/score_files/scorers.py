"""A scorer of requests without a network, and the table of its answers: a process that is killed imports no torch."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

SCHEMA = pa.schema([("id", pa.string()), ("word", pa.list_(pa.dictionary(pa.int32(), pa.string())))])
NAMES = pa.array(["bird", "robin", "wall"], pa.string())


@dataclass(frozen=True)
class Request:
    id: str


class Scorer:
    """Answers each request, remembers its id, and stops at a request, or kills its process there."""

    def __init__(self, stop_at=None, kill_at=None):
        self.ids, self.stop_at, self.kill_at = [], stop_at, kill_at

    def __call__(self, requests):
        for request in requests:
            if request.id == self.stop_at:
                raise KeyboardInterrupt
            if request.id == self.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            self.ids.append(request.id)
            yield request.id


def table(ids):
    if not ids:
        return SCHEMA.empty_table()
    numbers = pa.array([int(name) % 3 for name in ids], pa.int32())
    words = pa.ListArray.from_arrays(
        pa.array(range(len(ids) + 1), pa.int32()), pa.DictionaryArray.from_arrays(numbers, NAMES)
    )
    return pa.table([pa.array(ids), words], schema=SCHEMA)


def parts(path) -> list[Path]:
    return sorted((path.parent / f".{path.name}.store").glob("*/*.arrow"))
