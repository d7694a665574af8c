"""The score files of words: the likeliest words of a word list, or all words of a closed list, at the slot of each probe."""

import itertools
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import ClosedResponse, WordResponse

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


CANDIDATE_SCORES = WORD_SCORES.append(pa.field("premise", pa.list_(pa.float32())))
"""Those of closed lists: `premise` has the natural-log probability of each word after the premise of the probe, missing
without a premise."""


def candidate_table(responses: Sequence[ClosedResponse]) -> pa.Table:
    """Return the responses as a table of the schema CANDIDATE_SCORES.

    >>> words = WordResponse("p", np.array([2, 0], np.int32), np.array([-1, -2], np.float32), 0.25)
    >>> candidate_table([ClosedResponse(words, np.array([-3, -1], np.float32))])["premise"].to_pylist()
    [[-3.0, -1.0]]
    """
    if not responses:
        return CANDIDATE_SCORES.empty_table()
    premises = pa.array([response.premise for response in responses], CANDIDATE_SCORES.field("premise").type)
    table = word_table([response.words for response in responses])
    return table.append_column(CANDIDATE_SCORES.field("premise"), premises)
