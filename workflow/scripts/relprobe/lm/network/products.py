"""The library of float32 products on a CPU: the one that torch takes by itself or oneDNN, whichever is faster on a machine.

Torch computes `linear` by MKL, which takes a slow way on processors of AMD: 107 Gflop/s on a core of an EPYC, where oneDNN
of the same torch computes 245. On a Xeon MKL is as fast or faster. So both are timed when a model is loaded. Torch has no
public function for products by oneDNN that rounds nowhere: `set_float32_matmul_precision("medium")` lets oneDNN round to
bfloat16 where the processor can. So its operator for compiled networks is taken, here alone, and only if it works.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import grouped_mm, linear
from torch.overrides import TorchFunctionMode
from transformers.pytorch_utils import Conv1D

from relprobe.core.errors import ConfigError

ProductLibrary = Literal["torch", "oneDNN"]
"""What computes products: "torch" is the library that torch takes by itself, such as MKL."""
AHEAD = 1.25
"""How many times as fast as torch's own library oneDNN must be: where both are equally fast, every job takes torch's own."""
ROUNDS = 3
"""How many times each library is timed, in turns; the shortest time counts, in seconds of the processor."""
ROWS = (64, 512)
"""The fewest and the most rows of the product that is timed."""
OPERATIONS = 2e9
"""The operations of the product that is timed, between these rows: 0.02 seconds of a core."""
EXACT = 3e-5
"""The largest error of a product in float32, as a share of the largest value. Measured: 1e-6, and 3e-3 in bfloat16."""
FEW = 4
"""Products of fewer rows are left to torch's own library."""


def fastest_library(net: nn.Module) -> ProductLibrary:
    """Return the library that computes the products of a network on this machine, as a trial of its commonest shape says.

    ConfigError: torch is set to round products in float32.
    """
    weights = [module.weight for module in net.modules() if isinstance(module, nn.Linear | Conv1D)]
    sizes: dict[tuple[int, int], int] = {}
    for weight in weights:
        if weight.dim() == 2 and weight.device.type == "cpu":  # weights of bitsandbytes have other shapes
            shape = (min(weight.shape), max(weight.shape))
            sizes[shape] = sizes.get(shape, 0) + weight.numel()
    if not sizes:
        return "torch"
    measured = rates(*max(sizes, key=lambda shape: sizes[shape]))
    if not measured:
        raise ConfigError(
            "torch rounds products in float32 here: leave out `torch.set_float32_matmul_precision` and "
            "`torch.backends.mkldnn.matmul.fp32_precision`."
        )
    return choice(measured)


def choice(measured: dict[ProductLibrary, float]) -> ProductLibrary:
    """Return the library to take, given the rate of each that does not round.

    >>> choice({"torch": 107e9, "oneDNN": 245e9}), choice({"torch": 156e9, "oneDNN": 160e9}), choice({"torch": 1e9})
    ('oneDNN', 'torch', 'torch')
    """
    return "oneDNN" if measured.get("oneDNN", 0.0) > AHEAD * measured.get("torch", 0.0) else "torch"


@torch.inference_mode()
def rates(inner: int, columns: int, clock: Callable[[], float] = time.process_time) -> dict[ProductLibrary, float]:
    """Return the operations of each library in a second of a processor, for (rows, inner) x (inner, columns) in float32.

    A library that fails is left out, and one that rounds: its error against float64 is that of a shorter format. The rate
    is infinite where the `clock`, which counts seconds of the processor, has not moved: some machines move it in steps of
    hundredths.
    """
    rows = int(min(max(OPERATIONS / (2 * inner * columns), ROWS[0]), ROWS[1]))
    generator = torch.Generator().manual_seed(0)
    states, weights = (torch.randn(count, inner, generator=generator) for count in (rows, columns))
    exact = states[: ROWS[0]].double() @ weights.double().T
    libraries: dict[ProductLibrary, Callable[[Tensor, Tensor], Tensor]] = {"torch": linear, "oneDNN": _linear_by_onednn}
    times: dict[ProductLibrary, float] = {}
    for name, compute in libraries.items():
        try:
            error = (compute(states, weights)[: ROWS[0]].double() - exact).abs().max() / exact.abs().max()
        except (RuntimeError, AttributeError, TypeError):  # no such operator in this torch, or another form of it
            continue
        if error <= EXACT:
            times[name] = float("inf")
    for name in [*times] * ROUNDS:
        start = clock()
        libraries[name](states, weights)
        times[name] = min(times[name], clock() - start)
    operations = 2 * rows * inner * columns
    return {name: operations / duration if duration else math.inf for name, duration in times.items()}


def products_by(library: ProductLibrary) -> AbstractContextManager[Any]:
    """Return the context in which a library computes the float32 products with weights on the CPU, in this thread.

    >>> with torch.inference_mode(), products_by("oneDNN"):
    ...     linear(torch.ones(4, 2), torch.tensor([[1.0, 2.0]])).flatten()
    tensor([3., 3., 3., 3.])
    """
    return nullcontext() if library == "torch" else _ByOneDNN()


def lay_out(net: nn.Module, library: ProductLibrary) -> None:
    """Lay weights of the shape (…, inner, columns) out as oneDNN reads them fast: by column. Their values stay the same.

    So are those of GPT-2's products (Conv1D) and of the experts of gpt-oss; oneDNN would turn them around at each product.
    Nothing is held twice.
    """
    if library == "oneDNN":
        for weight in _inner_first(net):
            if _fits(weight):
                weight.data = weight.data.transpose(-2, -1).contiguous().transpose(-2, -1)


def _inner_first(net: nn.Module) -> Iterator[nn.Parameter]:
    """Yield the weights of a network whose inner dimension stands before their columns."""
    for module in net.modules():
        if isinstance(module, Conv1D):
            yield module.weight
        elif getattr(module, "is_transposed", False) is True:  # experts, as transformers marks them
            yield from (weight for weight in module.parameters(recurse=False) if weight.dim() == 3)


class _ByOneDNN(TorchFunctionMode):
    """The context in which oneDNN computes: it looks at each call of torch, and takes those that are such products."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        compute = _REPLACED.get(func)
        product = None if compute is None else compute(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {})) if product is None else product


def _linear_by_onednn(states: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return product


def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor | None:
    """Return the product of a linear layer; None if it is none for oneDNN."""
    return _linear_by_onednn(input, weight, bias) if _is_product(input, weight) else None


def _addmm(input: Tensor, mat1: Tensor, mat2: Tensor, **options: Any) -> Tensor | None:
    """Return the product of a Conv1D whose weights are laid out by column."""
    if options or input.dim() != 1 or not _is_product(mat1, mat2.T) or not mat2.T.is_contiguous():
        return None
    return _linear_by_onednn(mat1, mat2.T, input)


def _grouped_mm(mat_a: Tensor, mat_b: Tensor, *, offs: Tensor | None = None, **options: Any) -> Tensor | None:
    """Return the products of rows (rows, inner) with the weights (experts, inner, columns) of the expert of each.

    The rows of expert i end before the row `offs[i]`.
    """
    is_grouped = mat_a.dim() == 2 and mat_b.dim() == 3 and offs is not None
    if not is_grouped or options.get("bias") is not None or options.get("out_dtype") is not None:
        return None
    if not _is_product(mat_a, mat_b[0]) or not mat_b.transpose(1, 2).is_contiguous():
        return None
    product, start = mat_a.new_zeros(len(mat_a), mat_b.shape[2]), 0
    for expert, end in enumerate(offs.tolist() if offs is not None else ()):
        if end > start:
            rows, weight = mat_a[start:end], mat_b[expert].T
            product[start:end] = linear(rows, weight) if len(rows) < FEW else _linear_by_onednn(rows, weight)
        start = end
    return product


_REPLACED: dict[Any, Callable[..., Tensor | None]] = {
    linear: _linear,
    torch.addmm: _addmm,
    grouped_mm: _grouped_mm,
    torch._grouped_mm: _grouped_mm,
}


def _is_product(states: Tensor, weight: Tensor) -> bool:
    """Return whether oneDNN is to compute states (…, inner) times a matrix of weights."""
    rows = states.numel() // max(states.shape[-1], 1)
    return _fits(states) and _fits(weight) and weight.dim() == 2 and rows >= FEW and torch.is_inference_mode_enabled()


def _fits(values: Tensor) -> bool:
    return type(values) in (Tensor, nn.Parameter) and values.dtype is torch.float32 and values.device.type == "cpu"
