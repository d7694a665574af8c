"""The sides of a comparison: each runs as its users would run it, in a process of its own, and they take turns."""

import atexit
import contextlib
import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from relprobe.core.files import read_yaml
from relprobe.lm.loading.load import BUDGET, fastest_model, load
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, SlotProbe, Variant
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from relprobe.sources.fetch import Source, bring
from transformers import AutoModelForCausalLM, BertConfig, BertForMaskedLM

from benchmarks.measure import Clock, peak_mb, seconds
from benchmarks.peers import (
    CANDIDATE,
    Answer,
    FillMask,
    Harness,
    K,
    LlamaCpp,
    Minicons,
    OnnxRuntime,
    OpenVino,
    Transformers,
)
from benchmarks.probes import CAUSAL, MASKED, ROOT, study_probes, texts

Probes = list[SlotProbe]
Ask = Callable[[Probes], list[Answer]]


def causal_model() -> LanguageModel:
    """Return SmolLM2-135M as the study loads it."""
    return load(CAUSAL, masked=False)


def masked_model() -> LanguageModel:
    """Return a BERT-base (uncased) as the study would load it; its weights are random and as fast as trained ones."""
    keep_freed_memory()
    net, tokenizer = bert_base()
    return fastest_model(net, Encoder.of(tokenizer, masked=True, max_length=512), BUDGET["cpu"])


def bert_base() -> tuple[Any, Any]:
    """Return the network and the tokenizer."""
    torch.manual_seed(0)
    tokenizer = tokenizer_of(MASKED.with_suffix(""))
    return BertForMaskedLM(BertConfig(vocab_size=len(tokenizer))).eval(), tokenizer


def smollm2() -> tuple[Any, Any]:
    """Return the network and the tokenizer as their users load them."""
    folder = CAUSAL.with_suffix("")
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(), tokenizer_of(folder)


def gguf_file() -> Path:
    """Return the GGUF file of SmolLM2 as the default study fetches it, in a folder that ends with the process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    bring(Source.of("models.smollm2-135m", read_yaml(ROOT / "config.yaml")["models"]["smollm2-135m"]), folder)
    (file,) = folder.rglob("*.gguf")
    return file


# Each side is made once and then asked at each turn. The engine mixes the wordings of a probe; others take each.


def engine(model: LanguageModel) -> Ask:
    """Take the K likeliest words of each probe."""
    return lambda probes: [(response.token_ids, response.logprobs) for response in slot_top_k(model, probes, K)]


def engine_causal() -> Ask:
    """Take the K likeliest words of each probe from the causal model."""
    return engine(causal_model())


def engine_masked() -> Ask:
    """Take the K likeliest words of each probe from the masked model."""
    return engine(masked_model())


def engine_candidate() -> Ask:
    """Score one candidate after each text with the causal model."""
    model = causal_model()
    (candidate,) = model.encoder.tokenizer(CANDIDATE, add_special_tokens=False).input_ids

    def ask(probes: Probes) -> list[Answer]:
        requests = [Continuation(text, f"{text} [V]", (CANDIDATE.strip(),)) for text in texts(probes)]
        found = continuation_logprob(model, requests)
        return [(np.array([candidate]), np.array([response.sums()[0]], np.float64)) for response in found]

    return ask


def ask_texts(peer: Callable[[list[str]], list[Answer]]) -> Ask:
    """Let a peer take each wording of the probes."""
    return lambda probes: peer(texts(probes))


def transformers() -> Ask:
    """Let transformers return the K likeliest words."""
    return ask_texts(Transformers(*smollm2()))


def minicons() -> Ask:
    """Let minicons return the K likeliest words."""
    return ask_texts(Minicons(*smollm2()))


def harness() -> Ask:
    """Let lm-evaluation-harness score one candidate."""
    return ask_texts(Harness(*smollm2()))


def openvino() -> Ask:
    """Let OpenVINO return the K likeliest words."""
    return ask_texts(OpenVino(*smollm2()))


def onnx_runtime() -> Ask:
    """Let ONNX Runtime return the K likeliest words."""
    return ask_texts(OnnxRuntime(*smollm2()))


def llama_cpp() -> Ask:
    """Let llama.cpp return the K likeliest words of the same model in its own format."""
    return ask_texts(LlamaCpp(gguf_file(), smollm2()[1]))


def fill_mask() -> Ask:
    """Let the fill-mask pipeline return the K likeliest words."""
    return ask_texts(FillMask(*bert_base(), K))


def fill_mask_five() -> Ask:
    """Let the fill-mask pipeline return the five likeliest words."""
    return ask_texts(FillMask(*bert_base(), 5))


@torch.inference_mode()
def references(net: Any, tokenizer: Any, probes: Probes) -> list[NDArray[np.float64]]:
    """Return the log-probabilities of all tokens at each wording's slot, by the plain forward: one text at a time."""
    mask = tokenizer.mask_token_id
    found = []
    for text in texts(probes):
        ids = tokenizer(text if mask is None else f"{text} {tokenizer.mask_token}", return_tensors="pt").input_ids
        slot = -1 if mask is None else int((ids[0] == mask).nonzero())
        found.append(net(input_ids=ids).logits[0, slot].double().log_softmax(-1).numpy())
    return found


def single_wordings(count: int) -> Probes:
    """Return the first `count` wordings of the probes as probes of one wording each, so that all sides answer the same."""
    wordings = [variant.text for probe in study_probes(count) for variant in probe.variants]
    return [SlotProbe(text, (Variant(text),)) for text in wordings[:count]]


@dataclass
class Side:
    """A process that has loaded one side's model and waits for its turns."""

    name: str
    make: Callable[[], Ask]
    count: int  # probes
    threads: int
    now: Clock = time.perf_counter  # the clock of its turns

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        # No daemon: these may have no children, and a tokenizer is first read in one. It ends with this process.
        self._process = context.Process(target=_serve, args=(other, self.make, self.count, self.threads, self.now))
        self._process.start()
        other.close()
        atexit.register(self._connection.close)
        self._received()  # wait until it is ready

    def _received(self) -> Any:
        try:
            return self._connection.recv()
        except EOFError:
            raise SideError(f"{self.name} failed, as its lines above say") from None

    def turn(self) -> float:
        """Let the side do its work once; return the seconds."""
        self._connection.send("go")
        duration: float = self._received()
        return duration

    def answers(self, probes: Probes) -> list[Answer]:
        """Return what the side says of other probes."""
        self._connection.send(probes)
        found: list[Answer] = self._received()
        return found

    def close(self) -> float:
        """End the process; return its peak memory in MB."""
        self._connection.send(None)
        peak: float = self._received()
        self._process.join()
        return peak


class SideError(Exception):
    """A side that cannot be made, or has ended."""


def _serve(connection: Connection, make: Callable[[], Ask], count: int, threads: int, now: Clock) -> None:
    torch.set_num_threads(threads)
    ask, probes = make(), study_probes(count)
    connection.send("ready")
    with contextlib.suppress(EOFError):  # this process's parent has ended
        while (message := connection.recv()) is not None:
            connection.send(seconds(lambda: ask(probes), now) if message == "go" else ask(message))
        connection.send(peak_mb())
