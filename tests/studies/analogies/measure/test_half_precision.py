"""Vectors in 16 bits: what is stored, and what a classifier learns from them."""

from contextlib import nullcontext

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from relprobe.lm.requests import SpanResponse
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.features import SentenceFeatures, features_in
from relprobe.studies.analogies.pair_vectors import PairVector, RelationPair, vector_table
from relprobe.studies.analogies.scoring import embedding_table, in_half_precision, layer_table
from relprobe.studies.analogies.template import Template
from relprobe.studies.analogies.training import Settings, accuracies

from tests.lm.pretended_gpu import pretended_gpu
from tests.studies.analogies.ask.test_precision import responses


def test_a_number_is_stored_in_16_bits_to_the_nearest_one(tmp_path):
    # 1/3 lies between 1365/4096 and 1366/4096, which 11 binary digits can hold; the former is nearer.
    table = in_half_precision(embedding_table)(responses(1 / 3, 65504.0))
    assert table.schema.field("h1").type == pa.list_(pa.float16())
    pq.write_table(table, tmp_path / "e.parquet")
    features = SentenceFeatures(
        ScoreFile.read(tmp_path / "e.parquet"), Template.of("{h1} {t1}, {h2} {t2}"), relation="E01"
    )
    matrix = features._matrix
    assert matrix.dtype == np.float16
    assert matrix[0].tolist() == [1365 / 4096, 0, 1365 / 4096, 1, 1365 / 4096, 2, 1365 / 4096, 3]
    assert matrix[1, 0] == 65504


def test_a_classifier_learns_from_half_precision_as_from_single():
    examples = torch.tensor([[-1.0], [-0.5], [0.5], [1.0]]), torch.tensor([0, 0, 1, 1])
    half = examples[0].half(), examples[1]
    settings = Settings(epochs=50, batch=2, learning_rate=0.1, seeds=[1], hidden=[4])
    assert accuracies(half, half, settings).tolist() == accuracies(examples, examples, settings).tolist() == [1.0] * 4


def test_a_classifier_on_a_gpu_learns_the_same():
    """Without a GPU it learns on a pretended one: no tensor is on the wrong device."""
    examples = torch.tensor([[-1.0], [-0.5], [0.5], [1.0]]), torch.tensor([0, 0, 1, 1])
    with nullcontext() if torch.cuda.is_available() else pretended_gpu():
        values = [
            accuracies(examples, examples, Settings(50, 2, 0.1, [1], [4], device)).tolist()
            for device in ("cpu", "cuda")
        ]
    assert values[0] == values[1]


def test_the_features_of_a_layer_are_its_own_and_those_of_pairs_need_no_sentences(tmp_path):
    vectors = np.array([[[layer * 10 + place] for place in range(4)] for layer in (0, 1)], np.float32)
    pq.write_table(layer_table([SpanResponse("E01\ta b, c d", vectors)], [0, 3]), tmp_path / "layers.parquet")
    template, file = Template.of("{h1} {t1}, {h2} {t2}"), ScoreFile.read(tmp_path / "layers.parquet")
    words = pl.DataFrame({"h1": ["a"], "t1": ["b"], "h2": ["c"], "t2": ["d"]})
    assert features_in(file, template, 0)("E01").of(words).tolist() == [[0, 1, 2, 3]]
    assert features_in(file, template, 3)("E01").of(words).tolist() == [[10, 11, 12, 13]]
    rows = [PairVector(RelationPair(name, *pair), np.array([value], np.float32)) for name, pair, value in
            (("E01", ("a", "b"), 5.0), ("E02", ("a", "b"), 9.0), ("E01", ("c", "d"), 7.0))]  # fmt: skip
    pq.write_table(vector_table(rows), tmp_path / "pairs.parquet")
    assert features_in(ScoreFile.read(tmp_path / "pairs.parquet"), None)("E01").of(words).tolist() == [[5, 7]]
