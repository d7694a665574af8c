"""The binary files of static vectors: fastText's models with subwords (`.bin`), and word2vec's (`-negative300.bin`)."""

import mmap
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import DataError

MAGIC = 793_712_314
"""The first number of a fastText model."""
VERSIONS = (11, 12)
SUPERVISED = 3
"""fastText's number for a classifier; one of version 11 has no subwords."""
END = "</s>"
"""fastText's end of a sentence, the only word without subwords."""
WORD2VEC = re.compile(rb"\A(\d{1,12}) (\d{1,6})\n")
"""The first line of a word2vec file: the number of words, and the width."""
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
SAMPLE = 1 << 16


@dataclass(frozen=True)
class Subwords:
    """The character n-grams of fastText: `smallest` to `largest` characters, in `buckets` rows after those of the words.

    `pruned`: the places of the buckets that a pruned model has kept, or None for a model with all of them. A word's n-grams
    are those of the word with < before it and > after it (Bojanowski et al. 2017, section 3.2):

    >>> Subwords(words=2, smallest=3, largest=3, buckets=100).grams("ant")
    ['<an', 'ant', 'nt>']
    """

    words: int
    smallest: int
    largest: int
    buckets: int
    pruned: Mapping[int, int] | None = field(default=None, repr=False)

    def grams(self, word: str) -> list[str]:
        """Return the n-grams of a word, from left to right, shorter ones first; a lone < or > is none."""
        marked = f"<{word}>"
        return [
            marked[start:stop]
            for start in range(len(marked))
            for stop in range(start + self.smallest, min(start + self.largest, len(marked)) + 1)
            if stop - start > 1 or 0 < start < len(marked) - 1
        ]

    def rows(self, word: str) -> list[int]:
        """Return the rows of a word's n-grams in the model's matrix."""
        if word == END or not self.buckets or self.largest < 1:
            return []
        buckets = [gram_hash(gram) % self.buckets for gram in self.grams(word)]
        if self.pruned is not None:
            buckets = [self.pruned[bucket] for bucket in buckets if bucket in self.pruned]
        return [self.words + bucket for bucket in buckets]


def gram_hash(gram: str) -> int:
    """Return fastText's hash of an n-gram: FNV-1a of 32 bits over its UTF-8 bytes, each with its sign.

    The byte of "a" is 97, so its hash is (2166136261 xor 97) · 16777619 mod 2³²:

    >>> gram_hash("a") == (2166136261 ^ 97) * 16777619 % 2**32
    True
    """
    value = 2_166_136_261
    for byte in gram.encode():
        value = ((value ^ (byte | (0xFFFFFF00 if byte > 127 else 0))) * 16_777_619) & 0xFFFFFFFF
    return value


def is_fasttext(path: Path) -> bool:
    """Return whether a file begins like a fastText model."""
    with path.open("rb") as file:
        return file.read(4) == struct.pack("<i", MAGIC)


def is_word2vec(path: Path) -> bool:
    """Return whether a file has word2vec's first line, and bytes after it that no text has."""
    with path.open("rb") as file:
        sample = file.read(SAMPLE)
    header = WORD2VEC.match(sample)
    return header is not None and CONTROL.search(sample, header.end()) is not None


def read_fasttext(path: Path) -> tuple[dict[str, int], NDArray[np.float32], Subwords]:
    """Read a fastText model: word -> row, the matrix of words and n-grams, and how a word's n-grams are found.

    The matrix stays on disk, and only the rows that are looked up are read: 2,000,000 words and as many n-grams of 300
    numbers are 4.8 GB. DataError: the file is damaged, is of another version, or is quantised (`.ftz`).
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return _fasttext(path, content)
    except (struct.error, ValueError, IndexError) as error:
        raise DataError(f"{path} is no whole fastText model ({error}): fetch it again.") from error


def _fasttext(path: Path, content: mmap.mmap) -> tuple[dict[str, int], NDArray[np.float32], Subwords]:
    _, version, width, *_, model, buckets, smallest, largest, _ = struct.unpack_from("<14i", content, 0)
    if version not in VERSIONS:
        raise DataError(
            f"{path} is a fastText model of version {version}, but {VERSIONS} can be read: get a newer one."
        )
    if version == min(VERSIONS) and model == SUPERVISED:
        largest = 0
    size, words, _, _, pruned_size = struct.unpack_from("<iiiqq", content, 64)
    rows, offset = _entries(content, 92, size, words)
    pruned = None
    if pruned_size > len(content):
        raise ValueError(f"{pruned_size:,} pruned n-grams do not fit in")
    if pruned_size >= 0:
        pairs = np.frombuffer(content, "<i4", 2 * pruned_size, offset).reshape(-1, 2)
        pruned, offset = dict(pairs.tolist()), offset + 8 * pruned_size
        del pairs  # the map of the file cannot be closed while an array looks into it
    if content[offset]:
        raise DataError(f"{path} is a quantised fastText model: get the model itself (.bin).")
    height, columns = struct.unpack_from("<qq", content, offset + 1)
    if columns != width or height < words or offset + 17 + 4 * height * columns > len(content):
        raise ValueError(f"a matrix of {height} rows of {columns} numbers does not fit in")
    matrix: Any = np.memmap(path, "<f4", "r", offset + 17, (height, columns))
    return rows, matrix, Subwords(words, smallest, largest, buckets, pruned)


def _entries(content: mmap.mmap, start: int, size: int, words: int) -> tuple[dict[str, int], int]:
    """Return word -> row of the first `words` of the `size` entries of a dictionary, and the place after all entries."""
    rows: dict[str, int] = {}
    for number in range(size):
        end = content.find(b"\0", start)
        if end < 0:
            raise ValueError("its dictionary has no end")
        if number < words:
            rows.setdefault(content[start:end].decode(errors="replace"), number)
        start = end + 10  # the zero, the count of 8 bytes, and the kind of 1
    return rows, start


def read_word2vec(path: Path) -> tuple[dict[str, int], NDArray[np.float32]]:
    """Read a binary file of word2vec: word -> row, and the matrix. DataError: the file is damaged."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        header = WORD2VEC.match(content[:64])
        assert header is not None  # is_word2vec
        count, width = int(header[1]), int(header[2])
        if count * (4 * width + 2) > len(content) + 1 or width == 0:
            raise DataError(f"{path} ends before its {count} vectors of {width} numbers do: fetch it again.")
        matrix = np.empty((count, width), np.float32)
        rows: dict[str, int] = {}
        for number, (word, offset) in enumerate(_records(path, content, header.end(), count, width)):
            matrix[number] = np.frombuffer(content, "<f4", width, offset)
            rows.setdefault(word.decode(errors="replace"), number)
    return rows, matrix


def _records(path: Path, content: mmap.mmap, start: int, count: int, width: int) -> Iterator[tuple[bytes, int]]:
    """Yield each word and the place of its vector; some writers put a line break after a vector."""
    for number in range(count):
        end = content.find(b" ", start)
        if end < 0 or end + 1 + 4 * width > len(content):
            raise DataError(f"{path} ends in vector {number + 1} of {count}: fetch it again.")
        yield content[start:end].lstrip(b"\n"), end + 1
        start = end + 1 + 4 * width
