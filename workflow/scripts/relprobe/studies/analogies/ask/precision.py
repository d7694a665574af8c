"""Embeddings in half precision: a file of the published study then has half its size."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from relprobe.core.errors import ModelError

Table = Callable[[Sequence[Any]], pa.Table]
LARGEST = float(np.finfo(np.float16).max)
"""65,504: a larger number would become infinite."""


def in_half_precision(table: Table) -> Table:
    """Return a function that makes the same table with the numbers of vectors in 16 bits in place of 32.

    The relative error of a number is at most 1/2048. ModelError: a number of a vector is beyond LARGEST.

    >>> columns = pa.schema([("x", pa.string()), ("v", pa.list_(pa.float32()))])
    >>> def wide(rows): return pa.table({"x": ["a"], "v": [[1.0, 0.5]]}, schema=columns)
    >>> half = in_half_precision(wide)([])
    >>> str(half.schema.field("v").type.value_type), half["v"].to_pylist()
    ('halffloat', [[1.0, 0.5]])
    """

    def in_half(responses: Sequence[Any]) -> pa.Table:
        whole = table(responses)
        columns = [_half(column) if column.type == pa.list_(pa.float32()) else column for column in whole.itercolumns()]
        return pa.table(columns, names=whole.column_names)

    return in_half


def _half(column: pa.ChunkedArray) -> pa.Array:
    lists = column.combine_chunks()
    lists = lists if isinstance(lists, pa.ListArray) else pa.concat_arrays(column.chunks)
    values = lists.flatten().to_numpy(zero_copy_only=False)
    if len(values) and float(np.abs(values).max()) > LARGEST:
        raise ModelError(
            f"an embedding holds the number {float(np.abs(values).max()):.4g}, which is too large for 16 bits: "
            "set analogies.supervised.precision: single."
        )
    lengths = lists.value_lengths().to_numpy(zero_copy_only=False)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values.astype(np.float16)))
