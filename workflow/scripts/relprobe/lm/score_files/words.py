"""The score file of words: the likeliest words of a word list for a model at the slot of each probe."""

import itertools
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import WordResponse

WORD_SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("word_ids", pa.list_(pa.int32())),  # best first; the rows of the word list
        ("logprobs", pa.list_(pa.float32())),  # natural log
        ("outside", pa.float32()),  # the probability outside the list (WordResponse); missing where it is not computed
    ]
)


def word_table(responses: Sequence[WordResponse]) -> pa.Table:
    """Return the responses as a table of the schema WORD_SCORES.

    >>> response = WordResponse("p", np.array([2, 0], np.int32), np.array([-1, -2], np.float32), 0.25)
    >>> word_table([response]).to_pylist()
    [{'probe_id': 'p', 'word_ids': [2, 0], 'logprobs': [-1.0, -2.0], 'outside': 0.25}]
    """
    if not responses:
        return WORD_SCORES.empty_table()
    offsets = pa.array([0, *itertools.accumulate(len(response.word_ids) for response in responses)], pa.int32())
    ids = np.concatenate([response.word_ids for response in responses])
    logprobs = np.concatenate([response.logprobs for response in responses])
    lists = [pa.ListArray.from_arrays(offsets, pa.array(values)) for values in (ids, logprobs)]
    outside = pa.array([response.outside for response in responses], pa.float32())
    return pa.table([pa.array([response.id for response in responses]), *lists, outside], schema=WORD_SCORES)
