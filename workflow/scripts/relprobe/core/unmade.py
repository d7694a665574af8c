"""What stands in the place of a table that could not be made, so that it costs its study nothing else.

Such a table has one row and one column, in which a sentence says why. Its page shows the sentence, the run ends with a
status that is not 0, and the next run makes the table again.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from relprobe.core.errors import first_line

logger = logging.getLogger("relprobe")
COLUMN = "note"
UNMADE = "This table could not be made"
"""How the sentence begins."""
REFUSED = (OSError, MemoryError)
"""The errors of the system, such as that of a full disk: they end a step."""


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


def made_tables(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return the tables that could be made.

    >>> tables = {"overview": pl.DataFrame({"n": [1]}), "tests": reason_table("tests", ValueError("no agent"))}
    >>> reasons(tables)
    {'tests': 'This table could not be made (ValueError: no agent).'}
    >>> [*made_tables(tables)]
    ['overview']
    """
    missing = reasons(tables)
    return {name: table for name, table in tables.items() if name not in missing}


def _says_why(table: pl.DataFrame) -> bool:
    return table.height == 1 and str(table.item()).startswith(UNMADE)
