"""The file of a model's maps: safetensors, with what they were fitted on in its metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from relprobe.core.errors import DataError
from relprobe.core.files import whole_file

if TYPE_CHECKING:
    from torch import Tensor

    from relprobe.core.step import Call
    from relprobe.lm.maps.ridge import Fit

MAPPED, SHUFFLED, UNTRAINED = "mapped", "shuffled", "untrained"
VARIANTS = (MAPPED, SHUFFLED, UNTRAINED)
"""The maps of a layer: that of its pairs, and two controls: of shuffled pairs, and from the same layer of an untrained
network, which a file may lack."""


@dataclass(frozen=True)
class LayerMaps:
    """The maps of some layers. `tensors`: (variant, layer) -> weights and offset, float32, of `View`.

    `layer_facts`: layer -> the penalty, and the share of the variance of the last layer's states that the map explains in
    held-out sentences.
    """

    tensors: Mapping[tuple[str, int], tuple[Tensor, Tensor]]
    layer_facts: Mapping[int, Mapping[str, float]]

    @classmethod
    def of(cls, fits: Mapping[int, tuple[Fit, ...]]) -> Self:
        """Return the maps of fits (`fit_maps`)."""
        pairs = {
            (variant, layer): fit
            for layer, layer_fits in fits.items()
            for variant, fit in zip(VARIANTS, layer_fits, strict=False)
        }
        return cls(
            {key: (fit.weights.float().cpu(), fit.offset.float().cpu()) for key, fit in pairs.items()},
            {
                layer: {"penalty": layer_fits[0].penalty, "explained": layer_fits[0].explained_share}
                for layer, layer_fits in fits.items()
            },
        )

    def write(self, path: Path, call: Call | None = None) -> None:
        """Write the maps as safetensors; the metadata have what is said of the layers, and the step's settings."""
        from safetensors.torch import save_file

        parts = {
            f"{variant}.{layer}.{name}": tensor.contiguous()
            for (variant, layer), pair in self.tensors.items()
            for name, tensor in zip(("weights", "offset"), pair, strict=True)
        }
        metadata = {"layers": json.dumps(self.layer_facts), "settings": json.dumps(call.settings if call else {})}
        with whole_file(path) as partial:
            save_file(parts, partial, metadata=metadata)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the maps. DataError: the file is no such file."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, "pt") as file:
                facts = dict(json.loads((file.metadata() or {}).get("layers", "{}")))
                names = set(file.keys())
                tensors = {
                    (variant, int(layer)): (
                        file.get_tensor(f"{variant}.{layer}.weights"),
                        file.get_tensor(f"{variant}.{layer}.offset"),
                    )
                    for layer in facts
                    for variant in VARIANTS
                    if variant != UNTRAINED or f"{variant}.{layer}.weights" in names
                }
                return cls(tensors, {int(layer): values for layer, values in facts.items()})
        except (SafetensorError, OSError, ValueError, TypeError) as error:
            raise DataError(f"{path} is no file of the maps of layers ({error}): delete it and run again.") from error
