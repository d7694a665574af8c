"""The states after any of a network's layers, as its head takes them: all of them come from one forward pass."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor, nn

from relprobe.lm.network.layers import layers_of, select_reads

Keep = Callable[[int, Tensor], None]


def layer_count(config: Any) -> int:
    """Return the number of the layers of a network with this config."""
    return int(config.get_text_config().num_hidden_layers)


def chosen_layers(choice: str | Sequence[int] | Mapping[str, int], count: int) -> list[int]:
    """Return the layers of a choice, ascending and with the last one: "all", a list, or {"every": n} from layer 0 on.

    Layer 0 are the embeddings and `count` is the last layer; -1 is the last layer, too. ValueError: a layer that is not
    there, or another choice.

    >>> chosen_layers("all", 3), chosen_layers([1], 3), chosen_layers([-3], 3), chosen_layers({"every": 2}, 3)
    ([0, 1, 2, 3], [1, 3], [1, 3], [0, 2, 3])
    """
    if choice == "all":
        return list(range(count + 1))
    if isinstance(choice, Mapping):
        step = choice.get("every")
        if len(choice) != 1 or type(step) is not int or step < 1:
            raise ValueError(f"the choice {dict(choice)!r} is none: write {{every: 3}}, for example")
        return sorted({*range(0, count + 1, step), count})
    if isinstance(choice, str) or not all(type(layer) is int for layer in choice):
        raise ValueError(f"the choice {choice!r} is none: use all, a list of numbers, or {{every: 3}}")
    for layer in choice:
        if not -count - 1 <= layer <= count:
            raise ValueError(f"the network has the layers 0 to {count}, but not {layer}")
    return sorted({*(layer % (count + 1) for layer in choice), count})


class Lens:
    """The states after several layers, as the head takes them, from one forward pass (nostalgebraist's logit lens, 2020).

    The head takes what the body makes of the states after its last layer. Most causal networks put them through a final norm
    there, OPT-350m through a projection, and BERT does nothing. This `tail` is done to the states of every layer, each with
    its own mean and variance. A trial on a short input finds it: the modules that lead from the output of the last layer to
    the body's own result. So no list of architectures is needed. A network whose tail is not found is an error, and never
    one without a tail.

    States are taken where they come into a layer, and at the read positions alone. Layers are counted by their calls: ALBERT
    calls one layer many times. ValueError: the network computes in a way that this does not understand.
    """

    def __init__(self, net: Any, body: Any, layers: Sequence[int], trial: Tensor) -> None:
        self._body, self._count, self._places = body, layer_count(net.config), list(layers)
        self._layers = list(layers_of(body.get_decoder() if hasattr(body, "get_decoder") else body))
        self.tail = self._find_tail(trial)

    def __call__(self, reads: Tensor, **inputs: Any) -> Tensor:
        """Return the states at the read positions of a batch, shape (reads, layers, width)."""
        wanted, states = set(self._places), dict[int, Tensor]()

        def keep(layer: int, layer_states: Tensor) -> None:
            if layer in wanted:
                states[layer] = select_reads(layer_states, reads)

        self._pass(keep, inputs)
        done = {layer: self._to_head(layer_states) for layer, layer_states in states.items()}
        device = done[max(done)].device
        return torch.stack([done[layer].to(device) for layer in self._places], 1)

    def _to_head(self, states: Tensor) -> Tensor:
        for module in self.tail:
            states = module(states)
        return states

    def _pass(self, keep: Keep, inputs: Mapping[str, Any]) -> Any:
        """Let the body compute a batch, and hand `keep` the states before each layer and those after the last one."""
        calls = 0

        def keep_input(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            nonlocal calls
            keep(calls, args[0] if args else kwargs["hidden_states"])
            calls += 1

        def keep_last(_module: nn.Module, _args: Any, output: Any) -> None:
            if calls == self._count:
                keep(calls, output if isinstance(output, Tensor) else output[0])

        with ExitStack() as hooks:
            for layer in dict.fromkeys(self._layers):
                hooks.enter_context(layer.register_forward_pre_hook(keep_input, with_kwargs=True))
                hooks.enter_context(layer.register_forward_hook(keep_last))
            result = self._body(**inputs, use_cache=False)
        if calls != self._count:
            raise ValueError(f"{calls} calls of layers where its config has {self._count}")
        return result

    def _find_tail(self, trial: Tensor) -> list[nn.Module]:
        """Return the modules that the body applies after its last layer. ValueError: none of them give its own result."""
        last: list[Tensor] = []
        calls: list[tuple[nn.Module, Tensor, Tensor]] = []  # those after the last layer

        def keep(layer: int, states: Tensor) -> None:
            calls.clear()
            last[:] = [states] if layer == self._count else []

        def note(module: nn.Module, args: Any, output: Any) -> None:
            if last and args and isinstance(args[0], Tensor) and isinstance(output, Tensor):
                calls.append((module, args[0], output))

        with ExitStack() as hooks:
            for module in self._body.modules():
                hooks.enter_context(module.register_forward_hook(note))
            result = self._pass(keep, {"input_ids": trial}).last_hidden_state
        self.tail = _way(last[0], result, calls)
        # Alone, and at one position, these modules must do what they do in the body.
        row = torch.tensor([trial.numel() - 1], device=trial.device)
        tail_states, expected = self._to_head(select_reads(last[0], row)), select_reads(result, row)
        if not torch.allclose(tail_states, expected.to(tail_states.device), rtol=1e-3, atol=1e-3):
            raise ValueError("modules between its last layer and its head that depend on other positions")
        return self.tail


def _way(states: Tensor, result: Tensor, calls: Sequence[tuple[nn.Module, Tensor, Tensor]]) -> list[nn.Module]:
    """Return the modules that lead from states to a result, by what they took and gave. ValueError: there is no such way."""

    def lead(states: Tensor) -> list[nn.Module] | None:
        if _same(states, result):
            return []
        for module, taken, returned in calls:
            if _same(taken, states) and not _same(returned, states):
                path = lead(returned)
                if path is not None:
                    return [module, *path]
        return None

    way = lead(states)
    if way is None:
        raise ValueError("no known way from its last layer to its head, which the states of other layers could take")
    return way


def _same(a: Tensor, b: Tensor) -> bool:
    return a.numel() == b.numel() and torch.equal(a.flatten().to(b.device), b.flatten())
