"""Tables of a schema from the cells that matter."""

import polars as pl


def rows(schema, *entries):
    """A table with these cells; the others are missing."""
    return pl.DataFrame([{name: entry.get(name) for name in schema} for entry in entries], schema=schema)
