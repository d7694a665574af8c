"""What stands in the place of a table that could not be made, so that it costs its study nothing else.

Such a table has one row and one column, in which a sentence says why. Its page shows the sentence, the run ends with a
status that is not 0, and the next run makes the table again.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.errors import DataError, first_line

logger = logging.getLogger("relprobe")
COLUMN = "note"
UNMADE = "This table could not be made"
"""How the sentence begins."""
REFUSED = (OSError, MemoryError)
"""The errors of the system, such as that of a full disk: they end a step."""


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


def table_or_reason(name: str, make: Callable[..., pl.DataFrame], *of: Any) -> pl.DataFrame:
    """Return the table that `make` makes of its arguments, or the one that says why it could not be made."""
    try:
        return make(*of)
    except REFUSED:
        raise
    except Exception as error:
        return reason_table(name, error)


def reason_table(name: str, error: Exception) -> pl.DataFrame:
    """Return the table that says why another one is missing, which the log says in full."""
    logger.error("the table %s cannot be made", name, exc_info=error)
    return pl.DataFrame({COLUMN: [f"{UNMADE} ({in_words(error)})."]})


def in_words(error: Exception) -> str:
    """Return the kind of an error and the first line of its message.

    >>> in_words(KeyError("agent"))
    "KeyError: 'agent'"
    """
    return f"{type(error).__name__}: {first_line(error)}".rstrip(": .")


def reasons(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return the tables among some that could not be made: name -> why."""
    return {name: str(table.item()) for name, table in tables.items() if table.columns == [COLUMN] and _says_why(table)}


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


def _says_why(table: pl.DataFrame) -> bool:
    return table.height == 1 and str(table.item()).startswith(UNMADE)
