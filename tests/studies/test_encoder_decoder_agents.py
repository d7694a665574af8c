"""An encoder-decoder agent is asked the texts of masked models, and scored by the chain rule in its decoder."""

import json

import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.files import write_table
from relprobe.core.manifest import write_manifest
from relprobe.core.step import Call
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.requests import Continuation
from relprobe.lm.settings import ModelSettings
from relprobe.studies.definitions.patterns import read
from relprobe.studies.definitions.schemas import PROBES
from relprobe.studies.definitions.scoring import scores
from relprobe.studies.relations.probes import predictable

from tests.paths import ROOT
from tests.workflow.toy_models import encoder_decoder_model

torch.set_num_threads(1)
WORDS = ("bird", "animal")


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "t5"
    encoder_decoder_model(folder, seed=1)
    return ModelSettings(write_manifest(folder), "encoder-decoder")


def test_definitions_have_the_patterns_of_masked_models_and_count_the_ends_of_words(settings, tmp_path):
    probe = {"probe_id": "n:0", "pos": "noun", "definition": "a robin", "words": list(WORDS), "questions": 2}
    probes = tmp_path / "probes.parquet"
    write_table(pl.DataFrame([{name: probe.get(name) for name in PROBES}], schema=PROBES), PROBES, probes)
    prompts = ROOT / "resources/prompts/definitions.yaml"
    scored = scores(settings, probes, read(prompts), capitals=False, word_boundary=True)
    scored.write(tmp_path / "scores.parquet", Call(f"{scores.__module__}.scores", [probes, prompts], {}))
    table = pl.read_parquet(tmp_path / "scores.parquet")
    patterns = read(prompts)["masked"]["noun"]
    assert table["pattern"].to_list() == list(patterns)
    model = settings.load_network()
    for pattern, logprobs, whole in table.select("pattern", "logprobs", "whole").iter_rows():
        request = Continuation("x", patterns[pattern].replace("[DEF]", "a robin"), WORDS)
        for ends, values in ((False, logprobs), (True, whole)):
            expected = next(continuation_logprob(model, [request], word_boundary=ends)).sums()
            assert values == pytest.approx(expected.tolist(), abs=1e-4)
    about = json.loads(pq.read_schema(tmp_path / "scores.parquet").metadata[b"relprobe"])
    assert (about["type"], about["path"]) == ("encoder-decoder", "grouped")


def test_relations_have_probes_with_text_after_the_slot():
    table = pl.DataFrame({"text": ["a robin is a [V]", "a [V] sings"]})
    assert len(predictable(table, "encoder-decoder")) == 2
    assert len(predictable(table, "causal")) == 1
