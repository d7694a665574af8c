"""The score file of slots: the likeliest tokens of a model at the slot of each probe."""

import itertools
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import SlotResponse

SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("token_ids", pa.list_(pa.int32())),  # best first
        ("logprobs", pa.list_(pa.float32())),  # natural log
    ]
)


def slot_table(responses: Sequence[SlotResponse]) -> pa.Table:
    """Return the responses as a table of the schema SCORES.

    >>> response = SlotResponse("p", np.array([2, 0], np.int32), np.array([-1, -2], np.float32))
    >>> slot_table([response]).to_pylist()
    [{'probe_id': 'p', 'token_ids': [2, 0], 'logprobs': [-1.0, -2.0]}]
    """
    if not responses:
        return SCORES.empty_table()
    offsets = pa.array([0, *itertools.accumulate(len(response.token_ids) for response in responses)], pa.int32())
    ids = np.concatenate([response.token_ids for response in responses])
    logprobs = np.concatenate([response.logprobs for response in responses])
    columns = [pa.ListArray.from_arrays(offsets, pa.array(values)) for values in (ids, logprobs)]
    return pa.table([pa.array([response.id for response in responses]), *columns], schema=SCORES)
