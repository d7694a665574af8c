"""Networks for texts and images as the language models that they are: what reads images or sounds is left out.

Most checkpoints of 2025 and 2026 hold a language model and, beside it, a tower for images. The class of such a network puts
an image's vectors among those of the tokens and runs the language model; of a text alone the tower computes nothing. So the
same class without the tower gives the same log-probabilities, and its memory is that of the language model.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMultimodalLM

from relprobe.core.errors import ModelError, first_line
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.self_check import FAILURES


class AutoModelForTexts:
    """Loads the causal network of a snapshot: AutoModelForCausalLM, or the text part of a network for texts and images."""

    @staticmethod
    def from_pretrained(folder: Path, **settings: Any) -> Any:
        """Return what the `from_pretrained` of the network's class returns. The errors are those of transformers."""
        safe = {name: settings[name] for name in ("local_files_only", "trust_remote_code") if name in settings}
        return _loader(AutoConfig.from_pretrained(folder, **safe)).from_pretrained(folder, **settings)


def _loader(config: Any) -> Any:
    """Return the class that loads the causal network of a config.

    >>> from transformers import LlamaConfig, LlavaConfig
    >>> _loader(LlamaConfig()).__name__, _loader(LlavaConfig()).__name__
    ('AutoModelForCausalLM', 'LlavaForConditionalGeneration')
    """
    text = config.get_text_config()
    causal = AutoModelForCausalLM._model_mapping.get(type(config), None)
    multimodal = AutoModelForMultimodalLM._model_mapping.get(type(config), None)
    if (
        text is config
        or multimodal is None
        or text.is_encoder_decoder
        or getattr(causal, "config_class", None) is type(text)
    ):
        return AutoModelForCausalLM
    return text_part(multimodal)


@cache
def text_part(architecture: Any) -> Any:
    """Return a class of networks like `architecture` that has only the decoder of texts, its embeddings and its head.

    Transformers makes a network without memory, and then loads the weights of the parameters that it has. So the weights of
    the parts that are left out are never read. An instance names these parts in `left_out`.
    """

    def init(self: Any, config: Any, *arguments: Any, **settings: Any) -> None:
        architecture.__init__(self, config, *arguments, **settings)
        used = {id(part) for part in (self.get_decoder(), self.get_input_embeddings(), self.get_output_embeddings())}
        self.left_out = tuple(_leave_out(self, used))
        unread = {rf"^{re.escape(part)}\." for part in self.left_out}  # or else transformers lists them in a warning
        self._keys_to_ignore_on_load_unexpected = {*(self._keys_to_ignore_on_load_unexpected or ()), *unread}

    names = {"__init__": init, "__module__": architecture.__module__, "__qualname__": architecture.__qualname__}
    return type(architecture.__name__, (architecture,), names)


def check_text_part(net: Any, folder: Path) -> None:
    """Raise a ModelError if a network whose other parts were left out cannot read a text alone, as BLIP-2 cannot."""
    if not getattr(net, "left_out", ()):
        return
    try:
        with torch.inference_mode():
            net(input_ids=torch.tensor([[0, 1]], device=input_device(net)), use_cache=False)
    except FAILURES as error:
        raise ModelError(
            f"{folder}: a {type(net).__name__} cannot read a text without an image or a sound ({first_line(error)}), so "
            "that it is no language model here: choose another model, or the language model that it was made of."
        ) from error


def _leave_out(module: nn.Module, used: set[int], prefix: str = "") -> Iterator[str]:
    """Take the parts out of a module that neither are nor hold a `used` one (by `id`), and yield their names.

    >>> net = nn.ModuleDict({"tower": nn.Linear(2, 3), "model": nn.ModuleDict({"eyes": nn.Identity(), "text": nn.Tanh()})})
    >>> list(_leave_out(net, {id(net["model"]["text"])}))
    ['tower', 'model.eyes']
    """
    for name, child in list(module.named_children()):
        if id(child) in used:
            continue
        if any(id(part) in used for part in child.modules()):
            yield from _leave_out(child, used, f"{prefix}{name}.")
        else:
            module._modules[name] = None
            yield f"{prefix}{name}"
