"""What is made once for all workers of a run of the tests."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock


@dataclass(frozen=True)
class Once:
    """`once(name, make)` is the folder that `make` has filled; `shared` is where all of them lie.

    The first who asks calls `make` with the empty folder; the others wait, in whichever process they are.
    """

    shared: Path

    def __call__(self, name: str, make: Callable[[Path], object]) -> Path:
        place, done = self.shared / name, self.shared / f"{name}.done"
        with FileLock(self.shared / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(place, ignore_errors=True)  # of a worker that failed
                place.mkdir()
                make(place)
                done.touch()
        return place
