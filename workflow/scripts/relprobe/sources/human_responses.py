"""The human responses of Cao et al.: the answers of four annotators to each probe."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_json

ANSWERS = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),
        "annotator": pl.UInt8(),
        "rank": pl.UInt8(),
        "word": pl.String(),
    }
)


def read(path: Path, codes: Mapping[str, str]) -> pl.DataFrame:
    """Return a row per answer (ANSWERS): target, relation, prompt (as the file writes it), annotator, rank and word.

    The file is JSON: target -> relation key -> prompt -> a list of words per annotator, in the order of typing. Annotators
    and ranks count from 1. `codes`: the file's key of a relation -> its code. DataError: the file has another form, or an
    unknown relation key.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.json")
    ...     _ = path.write_text('{"robin": {"hyp": {"a robin is a [V]": [["bird"], []]}}}')
    ...     read(path, {"hyp": "HYP"}).rows()
    [('robin', 'HYP', 'a robin is a [V]', 1, 1, 'bird')]
    """
    rows = []
    for target, relations in _mapping(read_json(path), path, "the file").items():
        for key, prompts in _mapping(relations, path, target).items():
            if key not in codes:
                raise DataError(f"{path}: unknown relation {key!r} of {target!r}; known are {', '.join(codes)}.")
            for prompt, annotators in _mapping(prompts, path, f"{target}/{key}").items():
                rows += [
                    (target, codes[key], prompt, annotator, rank, word)
                    for annotator, words in enumerate(_words(annotators, path, f"{target}/{key}"), start=1)
                    for rank, word in enumerate(words, start=1)
                ]
    return pl.DataFrame(rows, schema=ANSWERS, orient="row")


def _mapping(value: object, path: Path, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise DataError(f"{path}: {where} should be a JSON object, but is {type(value).__name__}.")
    return value


def _words(value: object, path: Path, where: str) -> list[list[str]]:
    lists = isinstance(value, list) and all(isinstance(words, list) for words in value)
    if not lists or not all(isinstance(word, str) for words in value for word in words):  # type: ignore[attr-defined]
        raise DataError(f"{path}: a prompt of {where} should have one list of words per annotator.")
    return value  # type: ignore[return-value]
