"""A job that asks a server continues where it stopped, and does not mix two models."""

import json
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.score_files.parts import SERVED_PART, part_size, provenance, write_in_parts
from relprobe.lm.score_files.slots import slot_table

from tests.lm.architectures import build

REQUESTS = [SlotProbe(str(i), (Variant(f"it is {i} hot and [V]"),)) for i in range(10)]


def run(model, manifest, path, stop_at=None):
    """Score the requests; a job that stops is killed when it asks the request `stop_at`."""

    def answer(part):
        for request in part:
            if request.id == stop_at:
                raise KeyboardInterrupt
            yield from slot_top_k(model, [request], 5)

    settings = SimpleNamespace(model=manifest, encoder=model.encoder, server={}, load=lambda: model)
    write_in_parts(REQUESTS, answer, slot_table, provenance(settings, [], "1f2e", k=5), path, size=3)


@pytest.fixture
def stopped(connected, manifest, tmp_path):
    """The path of a score file, of which a job has written the first two parts."""
    path = tmp_path / "scores.parquet"
    with pytest.raises(KeyboardInterrupt):
        run(connected(), manifest, path, stop_at="7")
    return path


def asked(stub, served):
    return [served.encoder.tokenizer.decode(body["prompt"]) for body in stub.bodies if body.get("logprobs") == 5]


def test_a_stopped_job_asks_only_what_is_missing(stub, connected, manifest, stopped):
    served = connected()
    stub.bodies.clear()
    stub.noise = 0.01  # of one model's numbers
    run(served, manifest, stopped)
    assert {prompt for i in range(6) for prompt in asked(stub, served) if f"is {i} hot" in prompt} == set()
    assert pq.read_table(stopped)["probe_id"].to_pylist() == [request.id for request in REQUESTS]
    assert list(stopped.parent.iterdir()) == [stopped]


def test_parts_of_another_model_under_the_same_name_are_refused(stub, connected, manifest, stopped):
    first = stub.net
    stub.net = build("llama", max_position_embeddings=512)
    torch.nn.init.normal_(stub.net.lm_head.weight, std=0.25)
    with pytest.raises(ModelError, match="holds scores of another model than the server has now") as caught:
        run(connected(), manifest, stopped)
    assert str(stopped.parent / ".scores.parquet.store") in str(caught.value)
    assert not stopped.exists()
    stub.net = first
    run(connected(), manifest, stopped)
    assert stopped.exists()


def test_parts_of_a_model_with_another_name_are_not_used(stub, connected, manifest, stopped):
    stub.name = "other"
    served = connected(name="other")
    stub.bodies.clear()
    run(served, manifest, stopped)
    assert len(set(asked(stub, served))) == len(REQUESTS)


def test_a_score_file_names_the_model_and_the_server_but_not_its_address(stub, connected, manifest, stopped):
    run(connected(), manifest, stopped)
    about = json.loads(pq.read_schema(stopped).metadata[b"relprobe"])
    assert about["server"]["name"] == "toy"
    assert about["server"]["server"] == "vllm 0.99.0"
    assert len(about["witness"]) == 5
    assert stub.endpoint not in json.dumps(about)


def test_parts_are_small(connected):
    assert part_size(connected().net) == SERVED_PART
    assert part_size(None, 128) == 128
