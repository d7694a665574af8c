"""Small random networks of a config, which stand for the large one in checks."""

import pytest
import torch
import transformers
from relprobe.lm.network.small import small_network_of


@pytest.mark.parametrize("name", ["Marian", "GPT2", "Llama"])
def test_a_small_network_answers_with_the_ids_that_it_is_given(name):
    """The decoder of Marian has a number of ids of its own."""
    config = getattr(transformers, f"{name}Config")()
    net = small_network_of(
        getattr(transformers, {"GPT2": "GPT2LMHeadModel"}.get(name, f"{name}ForCausalLM")), config, 50
    )
    with torch.inference_mode():
        assert net(input_ids=torch.tensor([[1, 2, 3]]), use_cache=False).logits.shape == (1, 3, 50)
