"""Where the weights are here, a server is compared with the local engine."""

import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.connect import connect
from relprobe.lm.loading.snapshot import snapshot

from tests.lm.architectures import build


@pytest.fixture
def source(small, tmp_path):
    for part in small:
        part.save_pretrained(tmp_path / "source")
    return {"path": str(tmp_path / "source")}


def test_the_same_weights_pass_and_the_difference_is_logged(stub, source, tmp_path, caplog):
    caplog.set_level("INFO")
    manifest = snapshot("models.m", source, tmp_path / "m")
    connect(manifest, "toy", {"endpoint": stub.endpoint})
    assert "differs from the local engine by 0.000 on average; 5 of 5 first tokens are the same" in caplog.text


def test_another_model_is_refused(stub, source, tmp_path):
    manifest = snapshot("models.m", source, tmp_path / "m")
    stub.net = build("llama", max_position_embeddings=512)
    torch.nn.init.normal_(stub.net.lm_head.weight, std=0.25)
    with pytest.raises(ModelError, match="differ from those of the same weights on this machine by"):
        connect(manifest, "toy", {"endpoint": stub.endpoint})


def test_without_weights_there_is_nothing_to_compare(stub, source, tmp_path, caplog):
    caplog.set_level("INFO")
    manifest = snapshot("models.m", source, tmp_path / "m", weights=False)
    assert not list((tmp_path / "m").glob("*.safetensors"))
    connect(manifest, "toy", {"endpoint": stub.endpoint})
    assert "local engine" not in caplog.text
