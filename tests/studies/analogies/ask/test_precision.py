"""Embeddings in half precision: what is stored, and what is too large for it."""

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.requests import SpanResponse
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.studies.analogies.scoring import embedding_table, in_half_precision


def responses(*numbers):
    """Responses to sentences of E01, the vectors of whose four words are (number, 0), (number, 1), …"""
    words = [np.array([[number, place] for place in range(4)], np.float32) for number in numbers]
    return [SpanResponse(f"E01\t{n} {n}, {n} {n}", vectors) for n, vectors in enumerate(words)]


def test_a_file_that_is_written_in_parts_is_read_by_relation(tmp_path):
    path = tmp_path / "e.parquet"
    write_in_parts(
        [1.0, 2.0, 3.0], lambda part: responses(*part), in_half_precision(embedding_table), {"code": "1"}, path, size=2
    )
    texts = pl.read_parquet(path)["text"].to_list()
    assert texts == ["0 0, 0 0", "1 1, 1 1", "0 0, 0 0"]  # numbered within each part
    assert pl.read_parquet(path)["h1"].to_list() == [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
    assert pq.read_schema(path).field("h1").type.value_type == pa.float16()


def test_a_number_that_16_bits_cannot_hold_is_refused():
    with pytest.raises(ModelError, match=r"holds the number 7e\+04, .*: set analogies\.supervised\.precision: single"):
        in_half_precision(embedding_table)(responses(1.0, -7e4))


def test_no_responses_make_a_table_without_rows():
    assert in_half_precision(embedding_table)([]).num_rows == 0


def test_the_largest_number_of_16_bits_is_the_largest_that_is_held():
    """It is 65,504: (2 - 1/1024) times 2 to the power of 15."""
    held = in_half_precision(embedding_table)(responses(1.0, -65504.0))
    assert held["h1"].to_pylist()[1] == [-65504.0, 0.0]
    with pytest.raises(ModelError, match=r"holds the number 6\.551e\+04"):
        in_half_precision(embedding_table)(responses(1.0, 65512.0))


def test_every_sentence_keeps_its_own_numbers():
    """Three of them, as 2, 4 and 6 are the places where those of two numbers each end."""
    found = in_half_precision(embedding_table)(responses(1.0, 2.0, 3.0, 4.0))
    assert found["h1"].to_pylist() == [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]
    assert found["t2"].to_pylist() == [[1.0, 3.0], [2.0, 3.0], [3.0, 3.0], [4.0, 3.0]]
