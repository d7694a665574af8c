"""Static word vectors: one vector per word, whatever its context. GloVe as PyPI has it, or any text file of vectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.errors import DataError


@dataclass(frozen=True)
class StaticVectors:
    """The vectors of some words, `matrix` (words, width) in the order of `rows`."""

    rows: dict[str, int]
    matrix: NDArray[np.float32]

    def of(self, text: str) -> NDArray[np.float32] | None:
        """Return the mean vector (width,) of the words of a text that have one; None if none has.

        Words are split at blanks, hyphens and underscores, and looked up as written, then in lower case.
        """
        words = text.replace("_", " ").replace("-", " ").split()
        found = [row for row in map(self._row, words) if row is not None]
        return self.matrix[found].mean(axis=0) if found else None

    def _row(self, word: str) -> int | None:
        return self.rows.get(word, self.rows.get(word.lower()))


def read(folder: Path) -> StaticVectors:
    """Read a folder with one `.npy` matrix and a Parquet file of its words, or with one text file of vectors.

    A text file has a line per word, blanks between the word and its numbers; a first line of two numbers, as word2vec and
    fastText write it, is skipped. DataError: neither is there, a file is damaged, or a line is no such vector.
    """
    matrices, lists = sorted(folder.rglob("*.npy")), sorted(folder.rglob("*.parquet"))
    if len(matrices) == len(lists) == 1:
        return _of_matrix(matrices[0], lists[0])
    texts = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if len(texts) != 1:
        raise DataError(f"{folder} holds no static vectors: it must have one text file, or one .npy and one .parquet.")
    return _of_text(texts[0])


def _of_matrix(matrix_file: Path, words_file: Path) -> StaticVectors:
    try:
        words = pl.read_parquet(words_file).to_series().to_list()
        matrix = np.load(matrix_file, allow_pickle=False)
    except (pl.exceptions.PolarsError, OSError, ValueError, EOFError) as error:
        raise DataError(f"{matrix_file} or {words_file} cannot be read ({error}): fetch them again.") from error
    if matrix.ndim != 2 or matrix.shape[0] != len(words):
        raise DataError(f"{matrix_file} is a table of {matrix.shape}, but {words_file} has {len(words)} words.")
    return StaticVectors(dict(zip(words, range(len(words)), strict=True)), matrix.astype(np.float32, copy=False))


def _of_text(path: Path) -> StaticVectors:
    rows: dict[str, int] = {}
    vectors: list[NDArray[np.float32]] = []
    width = 0
    for number, fields in _lines(path):
        width = width or len(fields) - 1
        if width == 0:
            raise DataError(f"{path}, line {number}: {fields[0]!r} is followed by no numbers.")
        try:
            vector = np.array(fields[-width:], np.float32)
        except ValueError:
            raise DataError(f"{path}, line {number}: not all of its last {width} fields are numbers.") from None
        if len(fields) <= width:
            raise DataError(f"{path}, line {number}: it has fewer than {width} numbers, unlike the first line.")
        if not np.isfinite(vector).all():
            raise DataError(f"{path}, line {number}: a number is not finite.")
        rows.setdefault(" ".join(fields[:-width]), len(vectors))
        vectors.append(vector)
    if not vectors:
        raise DataError(f"{path} holds no vectors: give a text file of words, each followed by its numbers.")
    return StaticVectors(rows, np.stack(vectors))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line but empty ones and word2vec's header."""
    with path.open(encoding="utf-8") as file:
        try:
            for number, line in enumerate(file, start=1):
                fields = line.rstrip("\n ").split(" ")
                header = number == 1 and len(fields) == 2 and all(map(str.isdecimal, fields))
                if fields != [""] and not header:
                    yield number, fields
        except UnicodeDecodeError as error:
            raise DataError(f"{path} is not UTF-8 ({error}): convert it, for example with iconv.") from error


def cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float | None:
    """Return the cosine of two vectors (width,); None if one of them is 0."""
    scale = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / scale if scale else None
