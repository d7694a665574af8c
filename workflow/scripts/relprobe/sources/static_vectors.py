"""Static word vectors: a word has one vector in all contexts.

The files are a matrix and its words, a text file, or the binary files of fastText and word2vec (binary_vectors.py).
"""

import tokenize
import unicodedata
import warnings
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError, first_line
from relprobe.core.files import nfc, no_utf8, read_parquet
from relprobe.core.manifest import manifest_format
from relprobe.sources.binary_vectors import Subwords, is_fasttext, is_word2vec, read_fasttext, read_word2vec

DAMAGE = (
    *(OSError, ValueError, EOFError, IndexError, SyntaxError, tokenize.TokenError),  # numpy parses the header as Python
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)
"""The errors of numpy and polars on a damaged matrix or list of words."""

GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""


@dataclass(frozen=True)
class StaticVectors:
    """The vectors of some words. `matrix` has the shape (words, width); `rows`: word -> its row in the matrix.

    With `subwords`, the matrix has rows of character n-grams after those of the words, as fastText has. A word is looked up
    in Unicode's form NFC; `spellings` has the words that a file has in another form alone: NFC -> as in the file.

    >>> vectors = StaticVectors({"robin": 0, "bird": 1}, np.array([[1, 0], [3, 4]], np.float32))
    >>> vectors.of("Robin bird").tolist()
    [2.0, 2.0]
    >>> vectors.unit(["bird", "wug"]).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [nan, nan]]
    """

    rows: dict[str, int]
    matrix: NDArray[np.float32]
    subwords: Subwords | None = None
    spellings: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        composed = {nfc(word): word for word in reversed(self.rows) if not unicodedata.is_normalized("NFC", word)}
        object.__setattr__(
            self,
            "spellings",
            {word: composed_form for word, composed_form in composed.items() if word not in self.rows},
        )

    def of(self, text: str) -> NDArray[np.float32] | None:
        """Return the mean vector (width,) of the words of a text that have a vector; None if no word has one.

        Blanks separate words. A word is looked up as it is written, then in lower case. If both have no vector, the parts of
        the word between hyphens and underscores are looked up. With subwords, the vector of a word as it is written is the
        mean of the rows of its n-grams and, if it is in the vocabulary, its own row, as fastText computes it.
        """
        vectors = [vector for word in text.split() for vector in self._word_vectors(word)]
        mean: NDArray[np.float32] | None = np.mean(vectors, axis=0) if vectors else None
        return mean

    def unit(self, texts: Sequence[str] | pl.Series) -> NDArray[np.float32]:
        """Return the vector of each text, scaled to length 1, shape (texts, width); NaN where it has none, or zeros only."""
        scaled = np.full((len(texts), self.matrix.shape[1]), np.nan, np.float32)
        for i, text in enumerate(texts):
            vector = self.of(text)
            if vector is not None and vector.any():
                scaled[i] = vector / np.linalg.norm(vector)
        return scaled

    def _word_vectors(self, word: str) -> list[NDArray[np.float32]]:
        """Return the vector of a word, or those of its parts; none if there is none."""
        word = nfc(word)
        if self.subwords is not None:
            word = self.spellings.get(word, word)
            rows_of_word = [self.rows[word]] if word in self.rows else []
            rows = [*rows_of_word, *self.subwords.rows(word)]
            return [_checked(self.matrix[rows].mean(axis=0), word)] if rows else []
        vector = self._row(word)
        parts = [vector] if vector is not None else map(self._row, word.replace("_", "-").split("-"))
        return [self.matrix[row] for row in parts if row is not None]

    def _row(self, word: str) -> int | None:
        rows = (self.rows.get(self.spellings.get(form, form)) for form in (word, word.lower()))
        return next((row for row in rows if row is not None), None)


def _checked(vector: NDArray[np.float32], word: str) -> NDArray[np.float32]:
    """Return a vector that was read from a file now; the whole file is never read. DataError: it is not finite."""
    if not np.isfinite(vector).all():
        raise DataError(f"the fastText model gives {word!r} a number that is not finite: fetch it again.")
    return vector


def read(folder: Path) -> StaticVectors:
    r"""Read a folder with one `.npy` matrix and a Parquet file of its words, or with one file of vectors.

    This file is a text, a fastText model with subwords (`.bin`), or a binary file of word2vec; its first bytes say which.

    A line of a text file holds a word and its numbers, with blanks between them. A first line of two numbers is skipped:
    word2vec and fastText write the number of words and the width there. DataError: the folder has other files, a file is
    damaged, or a line has another form.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "vectors.txt").write_text("robin 1 0\nbird 3 4\n")
    ...     read(Path(folder)).of("bird").tolist()
    [3.0, 4.0]
    """
    matrices, lists = sorted(folder.rglob("*.npy")), sorted(folder.rglob("*.parquet"))
    if len(matrices) == len(lists) == 1:
        return _matrix_vectors(matrices[0], lists[0])
    texts = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if len(texts) != 1:
        raise DataError(
            f"{folder} holds no static vectors: it must have one file of vectors, or one .npy and one .parquet."
        )
    return _file_vectors(texts[0])


Vectors = Annotated[StaticVectors, manifest_format(read)]


def _file_vectors(path: Path) -> StaticVectors:
    with path.open("rb") as file:
        if file.read(2) == GZIP:
            raise DataError(f"{path} is compressed: unpack it, for example with gunzip.")
    if is_fasttext(path):
        return StaticVectors(*read_fasttext(path))
    if is_word2vec(path):
        rows, matrix = read_word2vec(path)
        return StaticVectors(rows, _finite(matrix, path))
    return _text_vectors(path)


def _matrix_vectors(matrix_file: Path, words_file: Path) -> StaticVectors:
    try:
        words = read_parquet(words_file).to_series()
        matrix = _matrix(matrix_file)
    except (DataError, *DAMAGE) as error:
        cause = error.__cause__ or error  # of a DataError, without its remedy
        raise DataError(
            f"{matrix_file} or {words_file} cannot be read ({first_line(cause)}): fetch them again."
        ) from error
    if words.dtype != pl.String:
        raise DataError(f"{words_file} begins with a column of {words.dtype}: give a table of words.")
    if matrix.ndim != 2 or matrix.shape[0] != len(words):
        raise DataError(f"{matrix_file} is a table of {matrix.shape}, but {words_file} has {len(words)} words.")
    return StaticVectors(dict(zip(words, range(len(words)), strict=True)), _finite(matrix, matrix_file))


def _matrix(path: Path) -> NDArray[Any]:
    """Read the array of a `.npy` file. Errors: those of DAMAGE.

    numpy warns of headers that Python 2 wrote, with sizes such as 2L, and reads them. A damaged header may read as another
    one that is too short; bytes remain then.
    """
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matrix = np.lib.format.read_array(file, allow_pickle=False)
        if file.read(1):
            raise ValueError("there are bytes after the matrix")
    return matrix


def _finite(matrix: NDArray[Any], path: Path) -> NDArray[np.float32]:
    """Return a matrix as 32-bit numbers. DataError: it has no numbers, or other than real numbers, or NaN or infinity."""
    if matrix.size == 0 or matrix.dtype.kind not in "fiu":
        raise DataError(
            f"{path} holds no numbers, but {matrix.size} values of {matrix.dtype}: give a matrix of vectors."
        )
    with np.errstate(over="ignore"):
        numbers = matrix.astype(np.float32, copy=False)
    if not np.isfinite([numbers.min(), numbers.max()]).all():  # np.isfinite(numbers) would need a matrix of its own
        raise DataError(f"{path} holds a number that is not finite: give vectors without one.")
    return numbers


def _text_vectors(path: Path) -> StaticVectors:
    """Read a text file of vectors. The memory holds every number once and grows with the file."""
    rows: dict[str, int] = {}
    numbers = array("f")
    announced = _announced(path)
    width = count = 0
    for line, fields in _lines(path, skip=announced is not None):
        width = width or len(fields) - 1
        numbers.frombytes(_vector(fields, width, f"{path}, line {line}").tobytes())
        rows.setdefault(" ".join(fields[:-width]).strip(" "), count)
        count += 1
    if not count:
        raise DataError(f"{path} holds no vectors: give a text file of words, each followed by its numbers.")
    if announced is not None and announced != (count, width):
        raise DataError(
            f"{path}: its first line announces {announced[0]:,} words with {announced[1]:,} numbers each, but {count:,} "
            f"with {width:,} follow: get the whole file, or correct this line."
        )
    return StaticVectors(rows, np.frombuffer(numbers, np.float32).reshape(count, width))


def _vector(fields: Sequence[str], width: int, where: str) -> NDArray[np.float32]:
    """Return the last `width` fields as a vector. DataError: one is no finite number, or no word stands before them."""
    if width == 0:
        raise DataError(f"{where}: {fields[0]!r} is followed by no numbers.")
    try:
        vector = np.array(fields[-width:], np.float32)
    except ValueError:
        raise DataError(f"{where}: not all of its last {width} fields are numbers.") from None
    if len(fields) <= width:
        raise DataError(f"{where}: it has fewer than {width} numbers, unlike the first line.")
    if not np.isfinite(vector).all():
        raise DataError(f"{where}: a number is not finite.")
    return vector


def _announced(path: Path) -> tuple[int, int] | None:
    """Return how many words, and how many numbers each, the header of word2vec announces; None if there is no header."""
    fields = next((fields for _, fields in _lines(path)), [])
    header = len(fields) == 2 and all(map(str.isdecimal, fields))
    return (int(fields[0]), int(fields[1])) if header else None


def _lines(path: Path, *, skip: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line that has any. `skip`: but not those of the first one."""
    with path.open(encoding="utf-8-sig") as file:
        try:
            for number, line in enumerate(file, start=1):
                fields = line.rstrip("\n ").split(" ")
                if fields == [""]:
                    continue
                if skip:
                    skip = False
                else:
                    yield number, fields
        except UnicodeDecodeError as error:
            raise no_utf8(path, error) from error


def cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float | None:
    """Return the cosine of two vectors (width,); None if one of them is 0.

    >>> round(cosine(np.array([1, 0], np.float32), np.array([3, 4], np.float32)), 3)
    0.6
    """
    scale = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / scale if scale else None
