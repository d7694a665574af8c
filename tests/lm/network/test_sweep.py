"""Every causal and masked class of the installed transformers, small and random, against its plain forward.

benchmarks/architectures.md lists what becomes of each. A new version of transformers is taken when `make sweep` has passed:
a class that is new, or that takes another path than before, has to be looked at. `UPDATE_ENGINE_PAGE=1 make sweep` writes
the table anew.
"""

import logging
import os
import re
from collections import defaultdict

import pytest
import torch
import transformers
from relprobe.core.errors import ModelError
from relprobe.lm.loading.load import fastest_model, max_length
from relprobe.lm.network.packing import reason_against_tries
from relprobe.lm.network.self_check import FAILURES
from relprobe.lm.network.small import small_network_of
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

from tests.lm.architectures import masked_byte_level
from tests.lm.tokenizers_for_tests import byte_level
from tests.patched import made_once
from tests.paths import ROOT

pytestmark = pytest.mark.slow("it makes each class of two mappings of transformers, and compares it with plain loops")

MOST_PARAMETERS = 30_000_000
"""Networks that stay larger are left out: their configs have other names for their widths."""
LONGEST = 64
KINDS = {"causal": MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, "masked": MODEL_FOR_MASKED_LM_MAPPING_NAMES}
CASES = [
    (kind, model_type, names if isinstance(names, str) else names[0])
    for kind, mapping in KINDS.items()
    for model_type, names in mapping.items()
]
MIXED = {"layer_types": ["conv", "full_attention"] * 2, "num_hidden_layers": 4}
CHANGES = {
    "deepseek_v2": {"num_experts_per_tok": 2, "n_routed_experts": 4},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_n_heads": 4, "mamba_d_head": 16},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "lfm2_moe": MIXED,
    "ministral": {"head_dim": 16},
}
"""What default configs leave open, or say of nothing that was published."""
SLOW = {"bailing_hybrid", "kimi_linear"}
"""Even small, their layers that are computed token by token take too long for a sweep."""
PAGE = ROOT / "benchmarks" / "architectures.md"
TABLE = re.compile(r"(?<=\| kind \| what becomes of it \| model types \|\n\|---\|---\|---\|\n)(\| .* \|\n)*")
NOT_MADE = "not tried: its default config makes no network, or none that is small"
NOT_COMPUTED = "not tried: its small network cannot be computed"
READS_LATER = "refused: it reads later tokens"
TOO_SLOW = "not tried: it takes minutes even if it is small"


class Warnings(logging.Handler):
    """The warnings of loading."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def small(model_type, name, tokenizer):
    """Return a small network of a class; None if its default config makes none."""
    architecture = getattr(transformers, name, None)
    try:
        settings = CONFIG_MAPPING[model_type](**CHANGES.get(model_type, {}))
        with torch.device("meta"):
            size = sum(
                weights.numel() for weights in small_network_of(architecture, settings, len(tokenizer)).parameters()
            )
        return small_network_of(architecture, settings, len(tokenizer)) if size <= MOST_PARAMETERS else None
    except Exception:  # a default config can make transformers fail in any way
        return None


@made_once
def outcome(kind, model_type, name):
    """Return what becomes of a class, and the largest difference of a natural-log probability from the plain forward."""
    if model_type in SLOW:
        return TOO_SLOW, 0.0
    masked = kind == "masked"
    tokenizer = masked_byte_level() if masked else byte_level()
    net = small(model_type, name, tokenizer)
    if net is None:
        return NOT_MADE, 0.0
    heard = Warnings()
    logging.getLogger("relprobe").addHandler(heard)
    try:
        encoder = Encoder.of(tokenizer, masked=masked, max_length=min(max_length(net, tokenizer), 200))
        model = fastest_model(net, encoder, 1024)
    except (ModelError, *FAILURES) as error:
        return (READS_LATER if "is no causal network" in str(error) else NOT_COMPUTED), 0.0
    finally:
        logging.getLogger("relprobe").removeHandler(heard)
    queries = inputs(encoder, masked)
    logprobs = model.log_probs(model.states(queries))
    expected = torch.cat([plain(net, query.ids)[list(query.positions)] for query in queries])
    difference = float((logprobs - expected).nan_to_num(0).abs().max())
    why = reason_against_tries(net, encoder) if model.path != "packed" else None
    if heard.texts:
        return f"{model.path}, with a warning", difference
    return model.path if why is None else f"{model.path}: {why}", difference


def inputs(encoder, masked):
    """Return inputs with common beginnings at several depths, and long ones."""
    longest = min(encoder.max_length, LONGEST)
    ids = [(*range(5, 5 + stem), *range(30, 30 + rest)) for stem in (1, 9, 30, 40) for rest in (1, 4, 15, 19)]
    ids += [(60 + i, *range(7, 6 + longest)) for i in range(3)]
    ids = [one[:longest] for one in ids]
    return [Query(one, (len(one) // 2 if masked else len(one) - 1, 0)) for one in dict.fromkeys(ids)]


def plain(net, ids):
    with torch.inference_mode():
        return torch.log_softmax(net(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float(), -1)


def listed():
    """Return what benchmarks/architectures.md says of each kind and model type."""
    rows = [line.strip("| \n").split(" | ") for line in TABLE.search(PAGE.read_text("utf-8")).group().splitlines()]
    return {(kind, model_type): what for kind, what, names in rows for model_type in names.split(", ")}


@pytest.mark.skipif("UPDATE_ENGINE_PAGE" in os.environ, reason="the table is being written")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_every_class_takes_its_path_and_agrees_with_the_plain_forward(case):
    what, difference = outcome(*case)
    assert difference < 1e-4
    assert listed().get(case[:2]) == what


def test_the_table_lists_every_class_and_no_other():
    if "UPDATE_ENGINE_PAGE" in os.environ:
        found = defaultdict(set)
        for case in CASES:
            found[case[0], outcome(*case)[0]].add(case[1])
        rows = "".join(
            f"| {kind} | {what} | {', '.join(sorted(names))} |\n" for (kind, what), names in sorted(found.items())
        )
        PAGE.write_text(TABLE.sub(lambda _: rows, PAGE.read_text("utf-8")), "utf-8")
    assert set(listed()) == {case[:2] for case in CASES}
