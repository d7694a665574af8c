"""Tiny random models in folders, as a user would have them."""

import pytest
import torch
from relprobe import load

from tests.workflow.toy_models import causal_model, masked_model

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Kind -> the folder of a random model whose tokenizer knows the words of the toy study."""
    place = tmp_path_factory.mktemp("models")
    causal_model(place / "causal", seed=1)
    masked_model(place / "masked", seed=1)
    return {"causal": place / "causal", "masked": place / "masked"}


@pytest.fixture(scope="session")
def causal(folders):
    return load(folders["causal"], progress=False)


@pytest.fixture(scope="session")
def masked(folders):
    return load(str(folders["masked"]), progress=False)
