"""The score file of slots: the likeliest tokens of a model at the slot of each probe."""

import itertools
from collections.abc import Sequence

import pyarrow as pa

from relprobe.lm.requests import SlotResponse

SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("tokens", pa.list_(pa.dictionary(pa.int32(), pa.string()))),  # best first
        ("token_ids", pa.list_(pa.int32())),
        ("logprobs", pa.list_(pa.float32())),  # natural log
    ]
)


def slot_table(responses: Sequence[SlotResponse], tokens: pa.Array) -> pa.Table:
    """Return the responses as a table of the schema SCORES; `tokens` are the strings of the model's vocabulary, by id.

    >>> import numpy as np
    >>> response = SlotResponse("p", np.array([2, 0], np.int32), np.array([-1, -2], np.float32))
    >>> slot_table([response], pa.array(["a", "robin", "bird"])).to_pylist()
    [{'probe_id': 'p', 'tokens': ['bird', 'a'], 'token_ids': [2, 0], 'logprobs': [-1.0, -2.0]}]
    """
    if not responses:
        return SCORES.empty_table()
    offsets = pa.array([0, *itertools.accumulate(len(response.token_ids) for response in responses)], pa.int32())
    ids = pa.concat_arrays([pa.array(response.token_ids) for response in responses])
    logprobs = pa.concat_arrays([pa.array(response.logprobs) for response in responses])
    names = pa.DictionaryArray.from_arrays(ids, tokens)
    columns = [pa.ListArray.from_arrays(offsets, values) for values in (names, ids, logprobs)]
    return pa.table([pa.array([response.id for response in responses]), *columns], schema=SCORES)
