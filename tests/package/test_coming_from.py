"""The page for people who come from other libraries: both sides of every example run, and their numbers are equal."""

import re

import numpy as np
import pytest
from transformers import AutoTokenizer

from tests.paths import ROOT
from tests.workflow.toy_models import causal_model, masked_model

PAGE = (ROOT / "docs/compared.md").read_text("utf-8")
WITHIN = 1e-4
LIBRARIES = {"minicons": "minicons", "lm-evaluation-harness": "lm_eval", "LM-PUB-QUIZ": "lm_pub_quiz"}
WORDS = ["the", "kind", "of", "The", "sings", "hammer"]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """What takes the place of each model on the page: a folder with a tiny random one."""
    place = tmp_path_factory.mktemp("peers")
    causal_model(place / "gpt2", seed=1, more=WORDS)
    tokenizer = AutoTokenizer.from_pretrained(place / "gpt2")
    tokenizer.eos_token = tokenizer.bos_token  # as GPT-2's; without one, minicons adds a token to the network
    tokenizer.save_pretrained(place / "gpt2")
    masked_model(place / "bert-base-uncased", seed=1, more=WORDS)
    return {f'"{name}"': repr(str(place / name)) for name in ("gpt2", "bert-base-uncased")}


def examples(title):
    """The blocks of a section, in pairs: there and here."""
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    blocks = re.findall(r"^```python\n(.*?)```", section, re.MULTILINE | re.DOTALL)
    return list(zip(blocks[::2], blocks[1::2], strict=True))


def run(code, names, everything):
    """Run a block of the page with the tiny models."""
    for name, folder in names.items():
        code = code.replace(name, folder)
    exec(code, everything)


@pytest.mark.parametrize(("title", "module"), LIBRARIES.items())
def test_both_sides_of_every_example_are_equal(title, module, names):
    pytest.importorskip(module)
    everything = {}
    run(examples("minicons")[0][1], names, everything)
    run('bert = load("bert-base-uncased", kind="masked")', names, everything)
    pairs = examples(title)
    assert pairs
    for there, here in pairs:
        run(there, names, everything)
        run(here, names, everything)
        assert len(everything["there"]) == len(everything["here"]), there
        np.testing.assert_allclose(everything["here"], everything["there"], rtol=0, atol=WITHIN, err_msg=there)
