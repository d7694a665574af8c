"""A GPU for tests on a machine that has none: the CPU computes its tensors, which are kept apart from those of the CPU.

As on a GPU, an operation that takes a tensor from each is an error, and a tensor there has no NumPy array. So a test finds
what the engine makes on the wrong device, or reads without a copy. It says nothing of what a GPU computes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

GPU = torch.device("cuda", 0)
MOVES = {Tensor.to, Tensor.cpu}
PROPERTIES = {Tensor.device.__get__: GPU, Tensor.is_cuda.__get__: True, Tensor.is_cpu.__get__: False}
SETTINGS = {Tensor.requires_grad_, Tensor.backward}
"""These change what is known of a tensor, and not its values."""
WITHOUT_TENSORS = {"device", "_parse_to", "_has_compatible_shallow_copy_type"}
"""These neither compute nor make a tensor."""


class OnGpu(Tensor):
    """A tensor of the GPU."""

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Compute a function of torch with a tensor of the GPU."""
        with torch._C.DisableTorchFunction():
            return _compute(func, args, kwargs or {})


class _Everywhere(TorchFunctionMode):
    """Computes all functions of torch: those that make a tensor on the GPU have none there yet."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        with torch._C.DisableTorchFunction():
            return _compute(func, args, kwargs or {})


@contextmanager
def pretended_gpu() -> Iterator[torch.device]:
    """Have a GPU, and a network that moves there keep its parameters, of which two may be one."""
    swapped = torch.__future__.get_swap_module_params_on_conversion()
    torch.__future__.set_swap_module_params_on_conversion(True)
    stream, no_kernels = SimpleNamespace(synchronize=lambda: None), (0, 0)
    try:
        with ExitStack() as stack:
            stack.enter_context(patch("torch.cuda.current_stream", lambda device: stream))
            stack.enter_context(patch("torch.cuda.get_device_capability", lambda device: no_kernels))
            stack.enter_context(_Everywhere())
            yield GPU
    finally:
        torch.__future__.set_swap_module_params_on_conversion(swapped)


def _compute(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return what a function gives, on the device on which torch would have it. RuntimeError: there are tensors of both."""
    if func in PROPERTIES:
        return PROPERTIES[func] if isinstance(args[0], OnGpu) else func(*args)
    if func.__name__ in WITHOUT_TENSORS:
        return func(*args, **kwargs)
    if func is Tensor.pin_memory:
        return args[0]
    call = _Call()
    if func.__name__ in ("__get__", "__set__") or func in SETTINGS:
        return call.result(func(*args, **kwargs), isinstance(args[0], OnGpu))
    raw_args, raw_kwargs = tree_map(call.raw, (list(args), {**kwargs}))
    raw_kwargs.pop("pin_memory", None)
    call.check(func, args)
    counted = raw_args[0].float() if func is torch.histc else None  # whole numbers are counted on a GPU alone
    out = func(*(raw_args if counted is None else [counted, *raw_args[1:]]), **raw_kwargs)
    if func in MOVES:
        return call.moved(func, args, out)
    on_gpu = call.device.type == GPU.type if call.device else bool(call.on_gpu)
    return tree_map(lambda value: call.result(value, on_gpu), out, is_leaf=lambda value: isinstance(value, torch.Size))


class _Call:
    """The tensors of a call, and the device that it names."""

    def __init__(self) -> None:
        self.on_gpu: list[Tensor] = []
        self.on_cpu: list[Tensor] = []
        self.device: torch.device | None = None
        self._given: dict[int, Tensor] = {}

    def raw(self, value: Any) -> Any:
        """Return what the CPU takes for an argument."""
        if isinstance(value, OnGpu):
            self.on_gpu.append(value)
            raw = value.as_subclass(Tensor)
            self._given[id(raw)] = value
            return raw
        if isinstance(value, Tensor):
            self.on_cpu.append(value)
            self._given[id(value)] = value
        elif isinstance(value, torch.device) or (isinstance(value, str) and value.partition(":")[0] in ("cpu", "cuda")):
            self.device = torch.device(value)
            return torch.device("cpu")
        return value

    def check(self, func: Callable[..., Any], args: Sequence[Any]) -> None:
        """Raise an error as torch does; single numbers may be on the CPU, and so may indices of a tensor of the GPU."""
        if func in (Tensor.numpy, Tensor.__array__) and self.on_gpu:
            raise TypeError(f"can't convert {GPU} device type tensor to numpy. Use Tensor.cpu() to copy it first.")
        if func in MOVES or func is Tensor.copy_ or (func is Tensor.__getitem__ and isinstance(args[0], OnGpu)):
            return
        on_cpu = self.on_cpu
        if func is Tensor.__setitem__ and isinstance(args[0], OnGpu):
            on_cpu = [one for one in on_cpu if one is args[2]]
        if self.on_gpu and any(one.dim() for one in on_cpu):
            raise RuntimeError(f"{func.__name__}: expected all tensors to be on one device, but found {GPU} and cpu")

    def moved(self, func: Callable[..., Any], args: Sequence[Any], out: Tensor) -> Tensor:
        """Return a tensor where `Tensor.to` or `Tensor.cpu` has it; a tensor that is there already is returned itself."""
        if func is Tensor.cpu:
            to_gpu = False
        elif len(args) > 1 and isinstance(args[1], Tensor):
            to_gpu = isinstance(args[1], OnGpu)
        else:
            to_gpu = self.device.type == GPU.type if self.device else isinstance(args[0], OnGpu)
        if to_gpu == isinstance(args[0], OnGpu):
            return self.result(out, to_gpu)
        copy = out.clone() if id(out) in self._given else out
        return copy.as_subclass(OnGpu) if to_gpu else copy

    def result(self, value: Any, on_gpu: bool) -> Any:
        """Return a value as the function's: an argument that it has changed in its place is itself."""
        if not isinstance(value, Tensor) or isinstance(value, OnGpu):
            return value
        if id(value) in self._given:
            return self._given[id(value)]
        return value.as_subclass(OnGpu) if on_gpu else value
