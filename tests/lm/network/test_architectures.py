"""Every architecture takes its path, by name, and agrees with the plain forward; benchmarks/architectures.md lists both.

`UPDATE_ENGINE_PAGE=1 pytest tests/lm/network/test_architectures.py` writes the table of the page anew.
"""

import math
import os
import re
from collections import defaultdict

import pytest
import torch
from relprobe.lm.network.packing import reason_against_tries
from relprobe.lm.network.self_check import Proof
from relprobe.lm.network.small import small_network
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder

from tests.lm import naive
from tests.lm.architectures import ALL, MORE, made, model, network
from tests.paths import ROOT

BOTH_SIDES = [name for name, (masked, *_) in ALL.items() if masked]
ONE_SIDE = [name for name in ALL if name not in BOTH_SIDES]
GROUPED = ["gpt_neo", "llama4", "falcon", "falcon_h1", "bloom", "mpt", "stablelm", "jamba", "mamba", "mamba2"]
PAGE = ROOT / "benchmarks" / "architectures.md"
TABLE = re.compile(
    r"(?<=\| path \| why \| largest difference \| architectures \|\n\|---\|---\|---\|---\|\n)(\| .* \|\n)+"
)


def queries(name):
    """Return inputs that make one trie of several blocks, branches at all depths, and inputs as long as the model takes."""
    encoder = model(name).encoder
    longest = min(encoder.max_length, 64)
    inputs = [[*range(5, 5 + stem), *range(30, 30 + rest)] for stem in (1, 9, 30, 45) for rest in (1, 4, 15, 19)]
    inputs += [[60 + i, *range(7, 6 + longest)] for i in range(3)]
    last = (lambda ids: len(ids) // 2) if encoder.masked else (lambda ids: len(ids) - 1)
    return [Query(tuple(ids), (last(ids), 0)) for ids in inputs]


def difference(name):
    """Return the largest difference of a natural-log probability from the plain forward."""
    scorer, inputs = model(name), queries(name)
    logprobs = scorer.log_probs(scorer.states(inputs))
    expected = [naive.logprobs(network(name), query.ids)[list(query.positions)] for query in inputs]
    return float((logprobs - torch.cat(expected)).nan_to_num(0).abs().max())


@pytest.mark.parametrize("name", ALL)
def test_every_architecture_takes_its_fast_path(name):
    assert model(name).path == ("grouped" if name in [*BOTH_SIDES, *GROUPED] else "packed")


@pytest.mark.parametrize("name", ALL)
def test_every_architecture_agrees_with_the_plain_forward(name):
    assert difference(name) < 1e-4


@pytest.mark.parametrize("name", MORE)
def test_no_architecture_falls_back(name):
    assert not made(name)[1]


@pytest.mark.parametrize("name", [name for name in ONE_SIDE if name not in GROUPED])
def test_every_packed_architecture_is_proven_from_its_default_config(name):
    _, tokenizer, config, architecture, _ = ALL[name]
    with torch.device("meta"):
        net = architecture(config())
    proof = Proof(small_network(net), Encoder.of(tokenizer(), masked=False, max_length=400))
    assert sum(weights.numel() for weights in proof.small.parameters()) < 1e6
    assert proof.passes("packed", 512)


def rows():
    """Return (path, why) -> the architectures that the table of the page has in a row."""
    found = defaultdict(list)
    for name in [*BOTH_SIDES, *ONE_SIDE]:
        if name != "smollm2":  # which is a Llama
            why = reason_against_tries(network(name), model(name).encoder) or "every layer attends by its mask alone"
            found[model(name).path, why].append(name)
    return found


def table():
    """Return the rows of the table."""
    for (path, why), names in rows().items():
        wide = max(3 * max(map(difference, names)), 1e-9)  # so that the bound holds on other machines, too
        exponent = min(5, math.floor(-math.log10(wide)))  # the last digit of a log-probability of -8 to -16 is 1e-6
        yield f"| {path} | {why} | < 1e-{exponent} | {classes(names)} |\n"


def classes(names):
    return ", ".join(type(network(name)).__name__ for name in names)


@pytest.mark.slow("it compares 30 architectures with plain loops")
def test_the_table_of_the_page_is_true():
    page = PAGE.read_text("utf-8")
    if os.environ.get("UPDATE_ENGINE_PAGE"):
        PAGE.write_text(TABLE.sub(lambda _: "".join(table()), page), "utf-8")
        return
    shown = [line.strip("| ").split(" | ") for line in TABLE.search(page).group().splitlines()]
    found = rows()
    assert [(path, why, names) for path, why, _, names in shown] == [
        (path, why, classes(names)) for (path, why), names in found.items()
    ]
    for (_, _, bound, _), names in zip(shown, found.values(), strict=True):
        assert max(map(difference, names)) < float(bound.removeprefix("< "))
