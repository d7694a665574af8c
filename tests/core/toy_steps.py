"""The toy steps that the tests of the command line call."""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import polars as pl
from relprobe.core.errors import SourceError
from relprobe.core.files import parquet

COLUMNS = [*pl.Schema({"word": pl.String()})]
Words = Annotated[pl.DataFrame, parquet(pl.Schema({name: pl.String() for name in COLUMNS}))]


@dataclass(frozen=True)
class Model:
    model: Path
    threads: int = 2


def everything(
    model: Model,
    paths: list[Path],
    out: Path,
    optional: Path | None = None,
    *,
    count: int,
    share: float,
    kind: Literal["schema", "pmi"],
    names: list[str],
    settings: dict[str, Any],
    deep: bool = False,
) -> None:
    """Print the arguments."""
    values = {name: value for name, value in locals().items() if name != "model"} | dataclasses.asdict(model)
    print(json.dumps(values, default=str))


def failing() -> None:
    """Fail like a step whose input is missing."""
    raise SourceError("resources.x is gone: fetch it again.")


class Listed(NamedTuple):
    """A result with a field of the step's own name."""

    words: Words


def words(table: Words) -> Listed:
    """Return a table whose columns are read from a schema: a library's object is iterated when the module is imported."""
    return Listed(table)
