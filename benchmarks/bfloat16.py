"""Show what it changes if some matrix products of SmolLM2 are in bfloat16 and others in float32 (docs/engine-details.md).

The factors of a product are rounded to bfloat16, and the sums are in float32, as processors with such instructions compute
them. So any processor shows how many answers change, but not the speed. The probes are a sample of the default study's.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl
from relprobe.lm.loading.load import load
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.studies.relations.method import requests
from torch import Tensor, nn

from benchmarks.measure import machine
from benchmarks.probes import CAUSAL, STUDY

ATTENTION, MLP = ("q_proj", "k_proj", "v_proj", "o_proj"), ("gate_proj", "up_proj", "down_proj")
FORMS = {
    "all of the layers": (0, 1, ATTENTION + MLP),
    "all MLPs": (0, 1, MLP),
    "gate and up of all MLPs": (0, 1, MLP[:2]),
    "MLPs of the second half": (1 / 2, 1, MLP),
    "attention and MLPs of the last quarter": (3 / 4, 1, ATTENTION + MLP),
    "all attention": (0, 1, ATTENTION),
    "MLPs of the last quarter": (3 / 4, 1, MLP),
    "the MLP of the last layer": (29 / 30, 1, MLP),
    "the MLP of layer 15": (15 / 30, 16 / 30, MLP),
}
"""Which products: those of the layers from one share of the depth to another, and the names of their matrices."""


def main(args: argparse.Namespace) -> None:
    """Print for each form how many probes have another likeliest token, and another set of the five likeliest ones."""
    print(machine())
    model = load(CAUSAL, masked=False)
    probes = pl.read_parquet(STUDY)
    probes = probes.sample(min(args.probes, probes.height), seed=1).sort("target", "probe_id")
    plain, every = best(model, probes), products(model, *FORMS["all of the layers"])
    for name, form in FORMS.items():
        chosen = products(model, *form)
        with rounded(chosen):
            other = best(model, probes)
        first = sum(a[0] != b[0] for a, b in zip(plain, other, strict=True)) / len(plain)
        five = sum(set(a) != set(b) for a, b in zip(plain, other, strict=True)) / len(plain)
        share = size(chosen) / size(every)
        print(f"{name:40} {share:5.0%} of the products: another first {first:.1%}, other five {five:.1%}", flush=True)


def best(model: LanguageModel, probes: pl.DataFrame) -> list[list[int]]:
    """Return the five likeliest tokens of each probe."""
    return [response.token_ids.tolist() for response in slot_top_k(model, requests(probes), 5)]


def products(model: LanguageModel, start: float, stop: float, names: tuple[str, ...]) -> list[nn.Linear]:
    """Return the linear layers of these names in the layers from one share of the depth to another."""
    layers = model.net.model.layers
    chosen = layers[round(start * len(layers)) : round(stop * len(layers))]
    return [module for layer in chosen for name, module in layer.named_modules() if name.rpartition(".")[2] in names]


@contextmanager
def rounded(linear: list[nn.Linear]) -> Iterator[None]:
    """Round the factors of these products to bfloat16."""
    weights = [module.weight.data for module in linear]
    hooks = [module.register_forward_pre_hook(lambda _, inputs: (to_bfloat16(inputs[0]),)) for module in linear]
    for module in linear:
        module.weight.data = to_bfloat16(module.weight.data)
    try:
        yield
    finally:
        for module, weight, hook in zip(linear, weights, hooks, strict=True):
            module.weight.data = weight
            hook.remove()


def to_bfloat16(values: Tensor) -> Tensor:
    """Return the values with the digits of bfloat16, in float32."""
    return values.bfloat16().float()


def size(linear: list[nn.Linear]) -> int:
    """Return the number of weights, to which the work of a product is in proportion."""
    return sum(module.weight.numel() for module in linear)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--probes", type=int, default=800)
    main(arguments.parse_args())
