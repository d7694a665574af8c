"""A small causal network, its snapshot without weights, and a server of it."""

import pytest
from relprobe.core.manifest import write_manifest
from relprobe.lm import retries
from relprobe.lm.connect import connect

from tests.lm.architectures import build
from tests.lm.served.stub import Stub
from tests.lm.tokenizers_for_tests import sentence_piece


@pytest.fixture(autouse=True)
def quick_tries(monkeypatch):
    """Tries follow one another at once."""
    monkeypatch.setattr(retries, "FIRST_WAIT_S", 0.001)


@pytest.fixture(scope="session")
def small():
    """The network and the tokenizer behind the stub: a Llama of tests.lm.architectures with room for 512 tokens."""
    return build("llama", max_position_embeddings=512), sentence_piece()


@pytest.fixture
def stub(small):
    with Stub(*small) as server:
        yield server


@pytest.fixture(scope="session")
def manifest(small, tmp_path_factory):
    """The manifest of a folder with the tokenizer alone."""
    folder = tmp_path_factory.mktemp("models") / "toy"
    small[1].save_pretrained(folder)
    return write_manifest(folder)


@pytest.fixture
def connected(stub, manifest):
    """A function that connects to the stub: the served model, after its checks."""

    def connect_to_stub(**settings):
        encoding = {key: settings.pop(key) for key in ("bos", "context") if key in settings}
        server = {"endpoint": stub.endpoint, "concurrency": 4, **settings}
        return connect(manifest, server.pop("name", "toy"), server, **encoding)

    return connect_to_stub
