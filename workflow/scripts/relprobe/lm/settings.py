"""The options of every step that runs a model. This module does not import torch, so that `--help` answers at once."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from relprobe.lm.network.model import LanguageModel
    from relprobe.lm.served.model import ServedModel
    from relprobe.lm.words.encode import Encoder

    Model: TypeAlias = LanguageModel | ServedModel

CLIENT = "relprobe.lm.connect"
"""The module that connects to a server. It is imported by name: it is no part of the digest of a step of other models."""


@dataclass(frozen=True)
class ModelSettings:
    """A model: its snapshot, the keys of its config entry that decide the scores, and how to compute the scores.

    The scores depend on the options from `model` to `served_name`; the others decide where and how fast they are computed.

    >>> ModelSettings(Path("bert.json"), "masked").dtype
    'auto'
    """

    model: Path  # the manifest of the snapshot
    type: Literal["masked", "causal", "encoder-decoder"]
    dtype: str = "auto"  # auto: float32 below 3 billion parameters, bfloat16 above; quantised weights as they are
    bos: Literal["auto", "true", "false"] = (
        "auto"  # does an input begin with the BOS token? auto: as the tokenizer does
    )
    context: str = ""  # a text before every probe
    chat: Literal["none", "true", "answer", "thinking"] = (
        "none"  # the tokenizer's chat template; answer: the model is asked in words; thinking: and thinks first
    )
    conversation: dict[str, Any] | None = None  # of chat: the study's system, instruction and question
    thoughts: int = 0  # the most tokens of a thought before an answer that the model writes
    served_name: str = ""  # the server's name of the model; empty: its weights are on this machine
    server: dict[str, Any] | None = None  # endpoint, key_env, concurrency and timeout of a served model
    device_map: Literal["none", "auto"] = "none"  # auto: spread the model over all GPUs
    device: str = "auto"  # auto, cpu, cuda, cuda:0, …
    batch_tokens: int = 0  # the tokens of a batch; 0: a number that fits the device
    threads: int = 0  # the threads of the CPU; 0: torch decides
    reuse: bool = True  # take the answers that earlier jobs have stored, and store the new ones
    results: Path | None = (
        None  # the folder of all results: a new store takes what others there hold of the same questions
    )

    @property
    def by_name(self) -> tuple[str, ...]:
        """The modules that `load` imports by name, so that the code of a step does not show them."""
        return () if self.server is None else (CLIENT,)

    @functools.cached_property
    def encoder(self) -> Encoder:
        """What stands around a text, of the tokenizer alone; that of a served model after its checks.

        It knows neither the longest input nor the number of ids of the network: the loaded model's does.
        """
        if self.server is not None:
            return self.load().encoder
        from relprobe.lm.loading.load import encoder_of_files

        return encoder_of_files(self.model, self.type, **self._encoding())

    @functools.cached_property
    def config(self) -> Any:
        """The config of the network, which is not loaded."""
        from relprobe.core.manifest import model_folder
        from relprobe.lm.loading.weights import config_of

        return config_of(model_folder(self.model, weights=False))

    @functools.cached_property
    def format(self) -> str:
        """The number format that the network computes in, such as float32, by its files."""
        from relprobe.core.manifest import model_folder
        from relprobe.lm.loading.weights import format_of

        return format_of(model_folder(self.model, weights=False)) if self.dtype == "auto" else self.dtype

    @property
    def is_loaded(self) -> bool:
        """Whether `load` has loaded the model."""
        return "_model" in self.__dict__

    def load(self) -> Any:
        """Load the model, or connect to its server; a step that asks several things gets one model from its settings.

        ModelError: it cannot be loaded as a model of this type, or its server cannot be reached, or does not pass its
        validation.
        """
        return self._model

    @functools.cached_property
    def _model(self) -> Model:
        return self.load_network() if self.server is None else self._connect(self.server)

    def load_network(self) -> LanguageModel:
        """Load the model from the files of its snapshot. ModelError: it cannot be loaded as a model of this type."""
        import torch

        from relprobe.lm.loading.load import load

        if self.threads:
            torch.set_num_threads(self.threads)
        return load(
            self.model,
            masked=self.type == "masked",
            encoder_decoder=self.type == "encoder-decoder",
            dtype=None if self.dtype == "auto" else getattr(torch, self.dtype),
            device=self.device,
            budget=self.batch_tokens or None,
            device_map=None if self.device_map == "none" else self.device_map,
            **self._encoding(),
        )

    def _connect(self, server: dict[str, Any]) -> ServedModel:
        connect: Callable[..., ServedModel] = importlib.import_module(CLIENT).connect
        return connect(self.model, self.served_name, server, **self._encoding())

    def _encoding(self) -> dict[str, Any]:
        """Return the settings of the encoder (`relprobe.lm.words.encode.Encoder.of`)."""
        return {
            "bos": None if self.bos == "auto" else self.bos == "true",
            "context": self.context,
            "chat": self.chat,
            "conversation": self.conversation,
        }
