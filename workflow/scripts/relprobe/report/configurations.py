"""What differs between the configurations of two runs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import read_json

FILE = "configuration.json"
"""The file in a results folder that holds the configuration of its run, with all defaults."""
COLUMNS = ("key", "before", "after")
ABSENT = "–"


def differing(old_entries: Mapping[str, Any], new_entries: Mapping[str, Any]) -> pl.DataFrame:
    """Return the keys whose values differ, with their values before and after; a key that one of them lacks has a dash.

    >>> differing({"a": {"k": 1}, "b": 2}, {"a": {"k": 5}, "b": 2, "c": [1]}).rows()
    [('a.k', '1', '5'), ('c', '–', '[1]')]
    >>> differing({}, {"a": {}}).rows()
    [('a', '–', '{}')]
    """
    old, new = (dict(_flat(config, "")) for config in (old_entries, new_entries))
    keys = [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key)]
    rows = [(key, old.get(key, ABSENT), new.get(key, ABSENT)) for key in keys]
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def configuration_changes(old_folder: Path, configuration: Mapping[str, Any]) -> tuple[pl.DataFrame, str]:
    """Return what differs between the configuration of an earlier run and this one's, and the sentence that says so.

    `old_folder`: the results folder of the earlier run. `compare`, which names that folder, is left out.
    """
    file = old_folder / FILE
    if not file.is_file():
        nothing = differing({}, {})
        return (
            nothing,
            f"The run in {old_folder} has kept no {FILE}, so this page cannot say what differs in the configurations.",
        )
    ours, theirs = (
        {key: value for key, value in config.items() if key != "compare"} for config in (configuration, read_json(file))
    )
    table = differing(theirs, ours)
    if table.is_empty():
        return table, "The configurations of both runs are the same: what differs comes from files, code or models."
    return (
        table,
        f"The configurations of the two runs differ in {table.height} {'key' if table.height == 1 else 'keys'}.",
    )


def _flat(value: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and (value or not where):  # an empty configuration has no key
        for key, inner in value.items():
            yield from _flat(inner, f"{where}.{key}" if where else str(key))
    else:
        yield where, str(value)
