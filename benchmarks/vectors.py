"""Compare the reader of fastText's files with gensim: seconds and peak memory for the vectors of some words.

`python -m benchmarks.vectors [WORDS] [BUCKETS]`. A model of random numbers is written, with so many words and buckets of
n-grams; each reader looks up 3,000 of its words and 3,000 others in a process of its own, and the vectors are compared.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import machine, peak_mb

WIDTH, LOOKED_UP, AT_ONCE = 300, 3000, 50_000
SIDES = ("relprobe", "gensim")


def write(path: Path, words: int, buckets: int) -> None:
    """Write a fastText model with words w0, w1 and so on, and n-grams of three to six characters."""
    numbers = [793_712_314, 12, WIDTH, 5, 5, 1, 5, 1, 2, 1, buckets, 3, 6, 100]
    sizes = np.array([words, words, 0], "<i4").tobytes() + np.array([99, -1], "<i8").tobytes()
    entries = b"".join(f"w{i}".encode() + b"\0" + np.int64(7).tobytes() + b"\0" for i in range(words))
    draws = np.random.default_rng(1)
    with path.open("wb") as file:
        file.write(np.array(numbers, "<i4").tobytes() + np.float64(1e-4).tobytes() + sizes + entries + b"\0")
        file.write(np.array([words + buckets, WIDTH], "<i8").tobytes())
        for start in range(0, words + buckets, AT_ONCE):
            rows = min(AT_ONCE, words + buckets - start)
            file.write(draws.standard_normal((rows, WIDTH), np.float32).tobytes())


def look_up(side: str, path: Path) -> Any:
    """Return the vectors (words, WIDTH) of known and unknown words by one of the SIDES."""
    words = [f"{kind}{i}" for kind in ("w", "other") for i in range(LOOKED_UP)]
    if side == "relprobe":
        from relprobe.sources.static_vectors import read

        vectors = read(path.parent)
        return np.array([vectors.of(word) for word in words])
    from gensim.models.fasttext import load_facebook_vectors

    loaded = load_facebook_vectors(path)
    return np.array([loaded.get_vector(word) for word in words])


def main(words: int, buckets: int) -> None:
    """Write the model, let each side look words up, and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model", "m.bin")
        path.parent.mkdir()
        write(path, words, buckets)
        print(f"{machine()}: {words:,} words, {buckets:,} n-grams, {path.stat().st_size / 1e9:.2f} GB", flush=True)
        for side in SIDES:
            command = [sys.executable, "-m", "benchmarks.vectors", side, str(path), f"{folder}/{side}.npy"]
            subprocess.run(command, check=True)  # noqa: S603
        ours, theirs = (np.load(f"{folder}/{side}.npy") for side in SIDES)
        print(f"the vectors differ by {np.abs(ours - theirs).max():.1e} at most")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        start = time.perf_counter()
        vectors_of_words = look_up(sys.argv[1], Path(sys.argv[2]))
        print(f"{sys.argv[1]}: {time.perf_counter() - start:.1f} s, {peak_mb():,.0f} MB", flush=True)
        np.save(sys.argv[3], vectors_of_words)
    else:
        main(*(int(word) for word in [*sys.argv[1:], *["300000", "500000"][len(sys.argv) - 1 :]]))
