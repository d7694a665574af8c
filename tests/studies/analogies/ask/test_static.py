"""The step that embeds pairs by static vectors: what it writes, and what the file says of itself."""

import json

import numpy as np
import polars as pl
import pyarrow.parquet as pq
from relprobe.core.files import write_table
from relprobe.core.manifest import write_manifest
from relprobe.core.step import Call, run
from relprobe.studies.analogies.pair_vectors import PairVector, PairVectors, RelationPair, static
from relprobe.studies.analogies.schemas import INSTANCES

ROW = ("E01", 1, "test", "type", "rome", "italy", "oslo", "norway", "oslo", "unheard", None)


def test_a_pair_has_the_difference_of_its_words_and_the_file_says_what_it_is_made_of(tmp_path):
    folder, instances, out = tmp_path / "static_vectors", tmp_path / "instances.parquet", tmp_path / "static.parquet"
    folder.mkdir()
    (folder / "vectors.txt").write_text("rome 1 0\nitaly 3 4\noslo 5 5\nnorway 5 4\n")
    write_table(pl.DataFrame([ROW], schema=INSTANCES, orient="row"), INSTANCES, instances)
    files = {"vectors": write_manifest(folder), "instances": instances, "out": out}
    run(static, f"{static.__module__}.static", files)
    assert pl.read_parquet(out).rows() == [
        ("E01", "oslo", "norway", [0.0, 1.0]),
        ("E01", "oslo", "unheard", None),
        ("E01", "rome", "italy", [-2.0, -4.0]),
    ]
    about = json.loads(pq.read_schema(out).metadata[b"relprobe"])
    assert set(about["inputs"]) == {"static_vectors.json", "instances.parquet"}
    assert about["settings"] == {}


def test_the_folder_of_results_is_no_file_that_embeddings_are_made_of(tmp_path):
    pairs, file = (
        [RelationPair("E01", "robin", "bird"), RelationPair("E01", "house", "home")],
        tmp_path / "pairs.parquet",
    )
    vectors = PairVectors(
        lambda: pairs, lambda part: (PairVector(one, np.ones(4, np.float32)) for one in part), {}, results=tmp_path
    )
    vectors.write(file, Call("relprobe.core.digest.digest", [tmp_path], {}))
    assert pl.read_parquet(file).height == 2


def test_embeddings_that_are_stored_are_made_again_only_where_the_run_says_so(tmp_path):
    """The file of an earlier run has those of one pair of two."""
    robin, house = RelationPair("E01", "robin", "bird"), RelationPair("E01", "house", "home")
    embedded = []

    def embed(part):
        for one in part:
            embedded.append(one.head)
            yield PairVector(one, np.ones(4, np.float32))

    def write(*word_pairs, reuse):
        embedded.clear()
        vectors = PairVectors(lambda: list(word_pairs), embed, {}, reuse=reuse)
        vectors.write(tmp_path / "pairs.parquet", Call("relprobe.core.digest.digest", [], {}))
        return set(embedded)

    assert write(robin, reuse=True) == {"robin"}
    assert write(robin, house, reuse=True) == {"house"}
    assert write(robin, house, reuse=True) == set()
    assert pl.read_parquet(tmp_path / "pairs.parquet")["head"].to_list() == ["robin", "house"]
    assert write(robin, house, reuse=False) == {"robin", "house"}
