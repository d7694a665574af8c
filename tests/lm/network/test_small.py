"""Small random networks of a config, which stand for the large one in checks."""

import pytest
import torch
import transformers
from relprobe.lm.network.small import WIDTHS, _narrow, small_network, small_network_of

from tests.lm.architectures import build


@pytest.mark.parametrize("name", ["Marian", "GPT2", "Llama"])
def test_a_small_network_answers_with_the_ids_that_it_is_given(name):
    """The decoder of Marian has a number of ids of its own."""
    config = getattr(transformers, f"{name}Config")()
    net = small_network_of(
        getattr(transformers, {"GPT2": "GPT2LMHeadModel"}.get(name, f"{name}ForCausalLM")), config, 50
    )
    with torch.inference_mode():
        assert net(input_ids=torch.tensor([[1, 2, 3]]), use_cache=False).logits.shape == (1, 3, 50)


@pytest.mark.parametrize(
    ("value", "narrowed"),
    [(4096, "least"), (1, 1), (0, 0), (-1, -1), (None, None), (True, True), (0.5, 0.5), ([4096], [4096])],
)
def test_a_width_is_narrowed_and_what_is_no_size_stays(value, narrowed):
    for name, width in WIDTHS.items():
        assert _narrow(name, value) == (width if narrowed == "least" else narrowed)
    assert _narrow("max_position_embeddings_of_none", 4096) == 4096


@pytest.mark.parametrize("name", ["llama", "bert"])
def test_a_small_network_depends_on_nothing_that_is_drawn_elsewhere(name):
    """So what a network is checked with is the same in each process; and others draw what they would draw without it."""
    net = build(name)
    first = dict(small_network(net).named_parameters())
    torch.rand(1)
    state = torch.get_rng_state()
    again = dict(small_network(net).named_parameters())
    assert all(torch.equal(weights, again[key]) for key, weights in first.items())
    assert torch.equal(torch.get_rng_state(), state)
