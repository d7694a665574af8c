"""The options of every step that runs a model. Importing this module imports no torch: `--help` answers at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from relprobe.lm.network.model import LanguageModel


@dataclass(frozen=True)
class ModelSettings:
    """A model's snapshot, what of its config entry decides the scores, and how to compute them.

    The results depend on `model` to `context` alone.
    """

    model: Path  # manifest of the snapshot
    type: Literal["masked", "causal"]
    dtype: str = "auto"  # auto: float32 on a CPU, bfloat16 on a GPU
    bos: Literal["auto", "True", "False"] = (
        "auto"  # whether inputs begin with the token for it; auto: as the tokenizer does
    )
    context: str = ""  # a text before every probe
    device_map: Literal["none", "auto"] = "none"  # auto: spread the model over all GPUs
    device: str = "auto"  # auto, cpu, cuda, cuda:0, …
    batch_tokens: int = 0  # tokens of a batch; 0 leaves it to the device
    compile: Literal["0", "1"] = "0"  # 1: let torch compile the layers
    threads: int = 0  # of the CPU; 0 leaves it to torch

    def load(self) -> LanguageModel:
        """Load the model. ModelError: it cannot be loaded as this type."""
        import torch

        from relprobe.lm.network.load import load

        if self.threads:
            torch.set_num_threads(self.threads)
        return load(
            self.model,
            masked=self.type == "masked",
            dtype=None if self.dtype == "auto" else getattr(torch, self.dtype),
            device=self.device,
            budget=self.batch_tokens or None,
            context=self.context,
            device_map=None if self.device_map == "none" else self.device_map,
            compiled=self.compile == "1",
            bos=None if self.bos == "auto" else self.bos == "True",
        )
