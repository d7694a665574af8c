"""Real servers of SmolLM2, started on a free port and stopped at the end, and the probes that they are compared with."""

import contextlib
import os
import socket
import subprocess
import time

import numpy as np
import requests
from relprobe.lm.requests import SlotProbe, Variant

GGUF = os.environ.get("RELPROBE_GGUF")
NAME = "smollm2"
START_S = 600
"""Beside other work vLLM had not started after 180 seconds."""
STOP_S = 60
NOUNS = ["robin", "car", "dog", "house", "tree", "hammer", "piano", "apple", "river", "doctor"]
PROBES = [
    SlotProbe(f"{noun} {i}", (Variant(f"{text.format(noun)} [V]"),))
    for noun in NOUNS
    for i, text in enumerate(["a {} is a kind of a", "the word {} has a more specific meaning than the word"])
]


@contextlib.contextmanager
def started(*words, **variables):
    """Start the command `words` with --port and a free port; give the endpoint once the server lists its models."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [*words, "--host", "127.0.0.1", "--port", str(port)],
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/v1/models", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=STOP_S)


def _wait_for(url, server):
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert server.poll() is None, "the server has ended"
        try:
            if requests.get(url, timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.5)
    raise TimeoutError(url)


def gaps(served, local, best):
    """Return how far the log-probabilities of the `best` tokens of each served list are from the local ones."""
    found = []
    for one, other in zip(served, local, strict=True):
        ours = dict(zip(other.token_ids.tolist(), other.logprobs.tolist(), strict=True))
        found += [
            abs(value - ours[token])
            for token, value in zip(one.token_ids[:best].tolist(), one.logprobs[:best].tolist(), strict=True)
        ]
    return np.array(found)


def common(served, local, best):
    """Return how many of the `best` tokens are the same, on average over the probes."""
    return np.mean(
        [
            len(set(one.token_ids[:best].tolist()) & set(other.token_ids[:best].tolist()))
            for one, other in zip(served, local, strict=True)
        ]
    )


def same_first(served, local):
    """Return the share of the probes whose first token is the same."""
    return np.mean([one.token_ids[0] == other.token_ids[0] for one, other in zip(served, local, strict=True)])
