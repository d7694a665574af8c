"""Score files of the states after several layers: their rows, and the words that a text must not have."""

import numpy as np
import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.requests import SpanResponse, SpanText
from relprobe.lm.score_files.layers import LAYER_SCORES, layer_table, states_of_layers

from tests.lm.architectures import model

KNOWN = [SpanText("r", "a robin is a bird", ((2, 7),))]
UNKNOWN = [SpanText("s", "a \N{SNOWMAN} is a bird", ((2, 3),))]


def scoring(texts, where="", **more):
    """The scoring of a network with three layers, after layer 1; the tables say which layers they are of."""
    network = model("bert")
    settings = type("Settings", (), {"encoder": network.encoder, "config": network.net.config})
    return network, states_of_layers("kind", settings, texts, [1], lambda layers: layers, "texts", 7, where, **more)


def test_no_responses_make_a_table_without_rows():
    assert layer_table([], [0, 30]).schema == LAYER_SCORES
    assert layer_table([], [0, 30]).num_rows == 0


def test_a_response_has_a_row_for_each_layer_with_the_values_of_all_spans():
    """Two texts of two spans after two layers; a state has three numbers."""
    one = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    rows = layer_table([SpanResponse("a", one), SpanResponse("b", one + 100)], [0, 30]).to_pylist()
    assert [(row["probe_id"], row["layer"]) for row in rows] == [("a", 0), ("a", 30), ("b", 0), ("b", 30)]
    assert [row["values"] for row in rows] == [
        [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [100, 101, 102, 103, 104, 105], [106, 107, 108, 109, 110, 111]
    ]  # fmt: skip


def test_the_embeddings_and_the_last_layer_are_asked_beside_the_chosen_ones():
    network, found = scoring(KNOWN)
    last = network.net.config.num_hidden_layers
    assert found.table == sorted({0, 1, last})
    (response,) = found.answer(network, list(found.requests()))
    assert response.vectors.shape[0] == len(found.table)
    assert (found.kind, found.what, found.part, found.count) == ("kind", "texts", 7, 1)


def test_requests_may_be_made_anew_at_each_call_and_are_counted_by_who_makes_them():
    _, found = scoring(lambda: iter(KNOWN), count=5)
    assert [list(found.requests()), list(found.requests()), found.count] == [KNOWN, KNOWN, 5]
    assert scoring(lambda: iter(KNOWN))[1].count == 0


def test_a_word_that_the_tokenizer_cannot_write_is_refused_only_where_no_vector_may_be_missing():
    for texts in (UNKNOWN, lambda: iter(UNKNOWN)):
        assert list(scoring(texts)[1].requests()) == UNKNOWN
        with pytest.raises(ModelError, match="has no tokens for '\N{SNOWMAN}', asked about in own_pairs"):
            list(scoring(texts, "own_pairs")[1].requests())
    assert list(scoring(KNOWN, "own_pairs")[1].requests()) == KNOWN
