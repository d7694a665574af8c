"""The same texts through the programs that people use today, each as its documentation shows, in batches of 64.

Each returns what it says of each text: the ids of its likeliest tokens, or of one candidate, and their natural-log
probabilities. All have as many threads as torch has.
"""

import logging
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from minicons.scorer import IncrementalLMScorer
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import pipeline

BATCH = 64
K = 1000
CANDIDATE = " animal"
"""The candidate of the sides that score one; it is one token of SmolLM2."""
Answer = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Ids of tokens, the likeliest first, and their natural-log probabilities."""


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the texts in batches."""
    for start in range(0, len(texts), BATCH):
        yield list(texts[start : start + BATCH])


def best(logprobs: Tensor) -> Iterator[Answer]:
    """Yield the K likeliest tokens of each row of natural-log probabilities."""
    values, ids = logprobs.topk(K)
    yield from zip(ids.cpu().numpy(), values.cpu().double().numpy(), strict=True)


class Transformers:
    """transformers: a batch of texts that are filled up at their beginnings, and the last row of its logits."""

    def __init__(self, net: Any, tokenizer: Any) -> None:
        self.net, self.tokenizer = net, filled_up(tokenizer, "left")  # the last token of each is read

    @torch.inference_mode()
    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts."""
        found: list[Answer] = []
        for batch in batches(texts):
            logits = self.net(**self.tokenizer(batch, return_tensors="pt", padding=True), logits_to_keep=1).logits
            found += best(logits[:, -1].float().log_softmax(-1))
        return found


def filled_up(tokenizer: Any, side: str) -> Any:
    """Return a tokenizer that fills up texts at a side, "left" or "right"."""
    tokenizer.padding_side = side
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


class LastToken(nn.Module):
    """A network as other programs take it: token ids and mask become the log-probabilities after the last token."""

    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return natural-log probabilities, shape (texts, vocabulary); texts are filled up at their ends."""
        states = self.net.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=False).last_hidden_state
        last = (attention_mask.sum(-1) - 1)[:, None, None].expand(-1, 1, states.shape[-1])
        logits: Tensor = self.net.lm_head(states.gather(1, last)[:, 0])
        return logits.log_softmax(-1)


class Converted:
    """A network that another program has compiled from `LastToken`."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = filled_up(tokenizer, "right")

    def example(self) -> dict[str, Tensor]:
        """Return the inputs that a network is converted with."""
        rows = self.tokenizer(["a robin is a kind of", "an owl is"], return_tensors="pt", padding=True)
        return {name: rows[name] for name in ("input_ids", "attention_mask")}

    def compute(self, inputs: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the log-probabilities of a batch."""
        raise NotImplementedError

    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts."""
        found: list[Answer] = []
        for batch in batches(texts):
            rows = self.tokenizer(batch, return_tensors="np", padding=True)
            inputs = {name: rows[name] for name in ("input_ids", "attention_mask")}
            found += best(torch.from_numpy(self.compute(inputs)))
        return found


class OpenVino(Converted):
    """OpenVINO: the network converted from torch, in float32."""

    def __init__(self, net: Any, tokenizer: Any) -> None:
        import openvino

        super().__init__(tokenizer)
        with torch.inference_mode():
            model = openvino.convert_model(LastToken(net), example_input=self.example())
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": torch.get_num_threads()}
        self.compiled = openvino.compile_model(model, "CPU", settings)

    def compute(self, inputs: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the log-probabilities of a batch."""
        result: NDArray[np.float32] = self.compiled(inputs)[0]
        return result


class OnnxRuntime(Converted):
    """ONNX Runtime: the network exported by torch, in float32."""

    def __init__(self, net: Any, tokenizer: Any) -> None:
        import onnxruntime

        super().__init__(tokenizer)
        sizes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
        shapes = {"input_ids": sizes, "attention_mask": sizes}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "model.onnx")
            torch.onnx.export(LastToken(net), (), file, kwargs=self.example(), dynamic_shapes=shapes, dynamo=True)
            self.session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def compute(self, inputs: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the log-probabilities of a batch."""
        result: NDArray[np.float32] = self.session.run(None, inputs)[0]
        return result


class LlamaCpp:
    """llama.cpp in this process (xllamacpp): the GGUF file itself, with its weights in 4 bits and 8 texts at once."""

    def __init__(self, file: Path, tokenizer: Any) -> None:
        import xllamacpp

        settings = xllamacpp.CommonParams()
        settings.model.path, settings.n_ctx, settings.n_parallel = str(file), 4096, 8
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = torch.get_num_threads()
        settings.verbosity = -1
        self.server, self.tokenizer = xllamacpp.Server(settings), tokenizer

    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts."""
        found: list[Answer] = []
        for batch in batches(texts):
            request = {"prompt": self.tokenizer(batch).input_ids, "max_tokens": 1, "logprobs": K, "cache_prompt": True}
            choices = self.server.handle_completions(request)["choices"]
            for choice in sorted(choices, key=lambda choice: choice["index"]):
                tokens = choice["logprobs"]["content"][0]["top_logprobs"]
                found.append(
                    (
                        np.array([token["id"] for token in tokens]),
                        np.array([token["logprob"] for token in tokens], np.float64),
                    )
                )
        return found


class Minicons:
    """minicons: `next_word_distribution`, and its top K."""

    def __init__(self, net: Any, tokenizer: Any, device: str = "cpu") -> None:
        self.scorer = IncrementalLMScorer(net, device=device, tokenizer=tokenizer)

    @torch.inference_mode()
    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts."""
        return [answer for batch in batches(texts) for answer in best(self.scorer.next_word_distribution(batch))]


class Harness:
    """lm-evaluation-harness: `loglikelihood` of one candidate per text."""

    def __init__(self, net: Any, tokenizer: Any, device: str = "cpu") -> None:
        logging.getLogger("lm_eval").setLevel(logging.ERROR)
        self.model = HFLM(pretrained=net, tokenizer=tokenizer, batch_size=BATCH, device=device)
        (self.candidate,) = tokenizer(CANDIDATE, add_special_tokens=False).input_ids

    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts."""
        instances = [Instance("loglikelihood", {}, (text, CANDIDATE), i) for i, text in enumerate(texts)]
        found = self.model.loglikelihood(instances, disable_tqdm=True)
        return [(np.array([self.candidate]), np.array([logprob], np.float64)) for logprob, _ in found]


class FillMask:
    """The transformers pipeline "fill-mask" with its best `top_k` tokens."""

    def __init__(self, net: Any, tokenizer: Any, top_k: int) -> None:
        self.pipeline = pipeline("fill-mask", model=net, tokenizer=tokenizer, device="cpu", batch_size=BATCH)
        self.mask, self.top_k = tokenizer.mask_token, top_k

    def __call__(self, texts: Sequence[str]) -> list[Answer]:
        """Score all texts, with the mask at their ends."""
        found = self.pipeline([f"{text} {self.mask}" for text in texts], top_k=self.top_k)
        return [
            (np.array([token["token"] for token in tokens]), np.log([token["score"] for token in tokens]))
            for tokens in found
        ]
