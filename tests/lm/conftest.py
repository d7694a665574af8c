import itertools

import pytest
import torch
from relprobe.lm import child
from relprobe.lm.words import tokenizer

torch.set_num_threads(1)  # the models are tiny, and idle threads spin


CACHES = itertools.count()


@pytest.fixture(autouse=True)
def no_kept_conversions(tmp_path_factory, monkeypatch):
    """Let no test take what another one has converted, or leave anything in the user's cache.

    The folder is made by what writes to it: most tests write nothing.
    """
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path_factory.getbasetemp() / f"relprobe-cache-{next(CACHES)}"))


READ = {}
"""What a child process has read of a tokenizer.json, by its content."""


@pytest.fixture(autouse=True)
def tokenizers_read_once():
    """Let a child process read each content of tokenizer.json once: to fork the process of all tests takes longer than most
    of them. The tests of that child have none of it. What is made stays the same, so nothing is noted (tests/patched.py)."""
    read = tokenizer._File.read

    def read_once(path):
        content = path.read_bytes()
        if content not in READ:
            READ[content] = read(path)
        return READ[content]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer._File, "read", staticmethod(read_once))
        yield


@pytest.fixture
def impatient(monkeypatch):
    """Let code of others take half a second in place of eight: each endless call keeps a core busy for all of it."""
    assert child.SECONDS < 10
    monkeypatch.setattr(child, "SECONDS", 0.5)


@pytest.fixture(scope="session")
def smollm2(tmp_path_factory):
    """The manifest of the snapshot of SmolLM2's GGUF file."""
    from relprobe.lm.loading.snapshot import snapshot  # few tests need it, and it takes a second

    from tests.lm.served.servers import GGUF

    if not GGUF:
        pytest.skip("RELPROBE_GGUF names no file")
    return snapshot("models.smollm2", {"path": GGUF}, tmp_path_factory.mktemp("models") / "smollm2")
