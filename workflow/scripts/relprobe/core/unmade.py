"""What stands in the place of a table that could not be made, so that it costs its study nothing else.

Such a table has one row and one column, in which a sentence says why. Its page shows the sentence, the run ends with a
status that is not 0, and the next run makes the table again.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ParamSpec

import polars as pl

from relprobe.core.errors import DataError, first_line
from relprobe.core.files import AGENT, files_below, read_parquet, write_parquet

logger = logging.getLogger("relprobe")
P = ParamSpec("P")
COLUMN = "note"
UNMADE = "This table could not be made"
"""How the sentence begins."""
UNSHOWN = "The answers could not be shown"
"""How the sentence begins that stands in place of a page of answers."""
REFUSED = (OSError, MemoryError)
"""The errors of the system, such as that of a full disk: they end a step."""
MOST_BYTES = 1 << 13
"""The size that a file with such a sentence may have; results with values are larger, and need not be opened to be told."""


class UnmadeError(DataError):
    """A table that could not be made is asked for; the message says which."""


class MadeTables(dict[str, pl.DataFrame]):
    """The tables that could be made, by their names. To ask for one of `unmade` is an UnmadeError, else a KeyError.

    >>> MadeTables({"overview": pl.DataFrame()}, ["tests"])["tests"]
    Traceback (most recent call last):
    relprobe.core.unmade.UnmadeError: the table tests could not be made
    """

    def __init__(self, tables: Mapping[str, pl.DataFrame], unmade: Collection[str]) -> None:
        super().__init__(tables)
        self.unmade = unmade

    def __missing__(self, name: str) -> pl.DataFrame:
        if name in self.unmade:
            raise UnmadeError(f"the table {name} could not be made")
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:  # a dict's asks no __missing__
        """Return a table, or else the default. UnmadeError: it could not be made."""
        return self[name] if name in self or name in self.unmade else default


class UnmadeTable(pl.DataFrame):
    """What a step reads in place of a table that could not be made: whatever is asked of it is an UnmadeError.

    So what a step makes of other tables is made, and what it would make of this one says that this one is missing, and why.

    >>> UnmadeTable("ceiling", "This table could not be made (ValueError: no rater).").height
    Traceback (most recent call last):
    relprobe.core.unmade.UnmadeError: the table ceiling could not be made: ValueError: no rater
    """

    def __init__(self, name: str, why: str) -> None:
        object.__setattr__(self, "_error", f"the table {name} could not be made: {error_in(why)}")

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return super().__getattribute__(name)
        raise UnmadeError(object.__getattribute__(self, "_error"))


def table_or_reason(name: str, make: Callable[P, pl.DataFrame], *args: P.args, **options: P.kwargs) -> pl.DataFrame:
    """Return the table that `make` makes of its arguments, or the one that says why it could not be made."""
    try:
        table = make(*args, **options)
        return table if type(table) is not UnmadeTable else table.clone()  # an UnmadeError
    except REFUSED:
        raise
    except Exception as error:
        return reason_table(name, error)


def tables_or_reasons(
    names: Iterable[str], make: Callable[P, Mapping[str, pl.DataFrame]], *args: P.args, **options: P.kwargs
) -> dict[str, pl.DataFrame]:
    """Return the tables of these names that `make` makes of its arguments, or those that say why they could not be made."""
    try:
        return dict(make(*args, **options))
    except REFUSED:
        raise
    except Exception as error:
        return {name: reason_table(name, error) for name in names}


def reason_table(name: str, error: Exception) -> pl.DataFrame:
    """Return the table that says why another one is missing, which the log says in full."""
    logger.error("the table %s cannot be made", name, exc_info=error)
    return pl.DataFrame({COLUMN: [f"{UNMADE} ({in_words(error)})."]})


def in_words(error: Exception) -> str:
    """Return the kind of an error and the first line of its message, which is enough of a table that is missing.

    >>> in_words(KeyError("agent")), in_words(UnmadeError("the table tests could not be made"))
    ("KeyError: 'agent'", 'the table tests could not be made')
    """
    kind = "" if isinstance(error, UnmadeError) else f"{type(error).__name__}: "
    return f"{kind}{first_line(error)}".rstrip(": .")


def reasons(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return the tables among some that could not be made: name -> why."""
    made = {name: table for name, table in tables.items() if type(table) is not UnmadeTable}
    return {name: str(table.item()) for name, table in made.items() if table.columns == [COLUMN] and _says_why(table)}


def made_tables(tables: Mapping[str, pl.DataFrame]) -> MadeTables:
    """Return the tables that could be made.

    >>> tables = {"overview": pl.DataFrame({"n": [1]}), "tests": reason_table("tests", ValueError("no agent"))}
    >>> reasons(tables)
    {'tests': 'This table could not be made (ValueError: no agent).'}
    >>> [*made_tables(tables)]
    ['overview']
    """
    unmade = reasons(tables)
    return MadeTables({name: table for name, table in tables.items() if name not in unmade}, unmade)


def change_tables(
    tables: Mapping[str, pl.DataFrame], change: Callable[[str, pl.DataFrame], pl.DataFrame]
) -> dict[str, pl.DataFrame]:
    """Return tables with a change to each, which `change` makes of its name and the table; see `MadeTables` for the others.

    >>> shorter = change_tables(MadeTables({"overview": pl.DataFrame({"n": [1, 2]})}, ["tests"]), lambda _, table: table[:1])
    >>> shorter["overview"].height, shorter.unmade
    (1, ['tests'])
    """
    changed = {name: change(name, table) for name, table in tables.items()}
    return MadeTables(changed, tables.unmade) if isinstance(tables, MadeTables) else changed


def to_use(name: str, table: Any) -> Any:
    """Return a table as its users need it: one that says why another one is missing says so when it is used."""
    why = reasons({name: table}).get(name) if isinstance(table, pl.DataFrame) else None
    return table if why is None else UnmadeTable(name, why)


def unmade_in(path: Path) -> UnmadeTable | None:
    """Return what a step reads of a Parquet file with such a sentence, of an agent's too; None: the file is another one."""
    if path.suffix != ".parquet" or not path.is_file() or path.stat().st_size > MOST_BYTES:
        return None
    table = to_use(path.stem, read_parquet(path).drop(AGENT, strict=False))
    return table if type(table) is UnmadeTable else None


def unmade_files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, and in those below it, that have such a sentence in place of a table.

    A damaged file is none of them: whoever reads it, or its record, names it with the way out.
    """
    for path in sorted(files_below(folder, "*.parquet")):
        try:
            unmade = unmade_in(path)
        except (DataError, FileNotFoundError):
            continue
        if unmade is not None:
            yield path


def unshown(error: Exception) -> str:
    """Return the sentence that stands in place of the answers of a page."""
    return f"{UNSHOWN} ({in_words(error)})."


def is_unshown(page: Path) -> bool:
    """Return whether a file is a page with such a sentence in place of the answers."""
    return page.is_file() and page.stat().st_size <= MOST_BYTES and f"<p>{UNSHOWN}" in page.read_text("utf-8")


def error_in(why: str) -> str:
    """Return the error in the sentence that stands in place of a table (`reason_table`).

    >>> error_in(reason_table("x", ValueError("no rows")).item())
    'ValueError: no rows'
    """
    return why.removeprefix(f"{UNMADE} (").removesuffix(").")


def write_reason(table: pl.DataFrame, path: Path) -> bool:
    """Write a table that says why another one is missing in the place of that; return False for any other table."""
    is_reason = isinstance(table, pl.DataFrame) and bool(reasons({"": table}))
    if is_reason:
        write_parquet(table, path)
    return is_reason


def _says_why(table: pl.DataFrame) -> bool:
    return table.height == 1 and str(table.item()).startswith(UNMADE)
