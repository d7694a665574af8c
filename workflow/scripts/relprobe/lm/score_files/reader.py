"""A score file as steps read it: opened first, and its columns and rows when they are asked for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from relprobe.core.errors import DataError
from relprobe.core.files import STAMPED, parquet_columns, parquet_errors, parquet_parts, read_columns, read_table


@dataclass(frozen=True)
class ScoreFile:
    """A file that a model has answered with, and its number of `rows`.

    A file may be larger than the memory of a job, so that a step names the columns, the rows or the layer that it needs.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "gpt2.parquet"
    >>> pl.DataFrame({"probe_id": ["a", "a"], "layer": [0, 1], "value": [0.5, 0.25]}).write_parquet(path)
    >>> scores = ScoreFile.read(path)
    >>> scores.agent, scores.rows, scores.layers()
    ('gpt2', 2, [0, 1])
    >>> scores.where(["probe_id", "value"], layer=1).rows()
    [('a', 0.25)]
    """

    path: Path
    rows: int

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a score file. DataError: it is missing or damaged."""
        with parquet_errors(path):
            return cls(path, pq.read_metadata(path).num_rows)

    @property
    def agent(self) -> str:
        """The name of the agent, which is that of the file."""
        return self.path.stem

    @property
    def names(self) -> list[str]:
        """The names of its columns, which say what kind of answers it holds. DataError: the file is damaged."""
        with parquet_errors(self.path):
            return list(pq.read_schema(self.path).names)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the file says of itself (`parts.write_in_parts`), such as what was sent to the model.

        DataError: the file is damaged, or says nothing of itself.
        """
        with parquet_errors(self.path):
            texts = pq.read_schema(self.path).metadata or {}
        try:
            return dict(json.loads(texts[STAMPED.encode()]))
        except (KeyError, ValueError, TypeError) as error:
            raise DataError(f"{self.path} does not say what it was made of: delete it and run again.") from error

    def columns(self, *names: str) -> pa.Table:
        """Read these columns as an Arrow table. DataError: the file is damaged or has no such columns."""
        return parquet_columns(self.path, names)

    def parts(self, *names: str) -> Iterator[pa.Table]:
        """Yield these columns in the parts that they were written in, each column in one chunk. DataError: as `columns`."""
        return parquet_parts(self.path, names)

    def where(self, columns: list[str], **values: str | int) -> pl.DataFrame:
        """Read columns of the rows that have these values; the other rows take no memory. DataError: as `columns`."""
        return read_columns(
            self.path, columns, pl.all_horizontal(pl.col(name) == value for name, value in values.items())
        )

    def layers(self) -> list[int]:
        """Return the layers that the file has rows of, ascending."""
        return sorted(self.columns("layer")["layer"].unique().to_pylist())

    def table(self, schema: pl.Schema) -> pl.DataFrame:
        """Read the file whole. DataError: it is damaged, or its columns or types are not those of the schema."""
        return read_table(self.path, schema)
