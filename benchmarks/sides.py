"""The sides of a comparison: each runs as its users would run it, in a process of its own, and they take turns."""

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import torch
from relprobe.lm.loading.load import BUDGET, fastest_model, load
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, SlotProbe
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from transformers import AutoModelForCausalLM, BertConfig, BertForMaskedLM

from benchmarks.measure import peak_mb, seconds
from benchmarks.peers import FillMask, Harness, Minicons
from benchmarks.probes import CAUSAL, MASKED, study_probes, texts

K = 1000
Probes = list[SlotProbe]
Work = Callable[[], object]


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


def engine_causal(probes: Probes) -> Work:
    """Take the K likeliest words of each probe from the causal model."""
    model = causal_model()
    return lambda: list(slot_top_k(model, probes, K))


def engine_candidate(probes: Probes) -> Work:
    """Score one candidate after each text with the causal model."""
    model = causal_model()
    requests = [Continuation(text, f"{text} [V]", ("animal",)) for text in texts(probes)]
    return lambda: list(continuation_logprob(model, requests))


def minicons(probes: Probes) -> Work:
    """Let minicons return the K likeliest words."""
    peer, inputs = Minicons(*smollm2()), texts(probes)
    return lambda: peer(inputs)


def harness(probes: Probes) -> Work:
    """Let lm-evaluation-harness score one candidate."""
    peer, inputs = Harness(*smollm2()), texts(probes)
    return lambda: peer(inputs)


def engine_masked(probes: Probes) -> Work:
    """Take the K likeliest words of each probe from the masked model."""
    model = masked_model()
    return lambda: list(slot_top_k(model, probes, K))


def fill_mask(probes: Probes) -> Work:
    """Let the fill-mask pipeline return the K likeliest words."""
    peer, inputs = FillMask(*bert_base(), K), texts(probes)
    return lambda: peer(inputs)


def fill_mask_five(probes: Probes) -> Work:
    """Let the fill-mask pipeline return the five likeliest words."""
    peer, inputs = FillMask(*bert_base(), 5), texts(probes)
    return lambda: peer(inputs)


@dataclass
class Side:
    """A process that has loaded one side's model and waits for its turns."""

    name: str
    make: Callable[[Probes], Work]
    count: int  # probes
    threads: int

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self.make, self.count, self.threads), daemon=True)
        self._process.start()
        other.close()
        self._connection.recv()  # wait until it is ready

    def turn(self) -> float:
        """Let the side do its work once; return the seconds."""
        self._connection.send("go")
        duration: float = self._connection.recv()
        return duration

    def close(self) -> float:
        """End the process; return its peak memory in MB."""
        self._connection.send(None)
        peak: float = self._connection.recv()
        self._process.join()
        return peak


def _serve(connection: Connection, make: Callable[[Probes], Work], count: int, threads: int) -> None:
    torch.set_num_threads(threads)
    work = make(study_probes(count))
    connection.send("ready")
    while connection.recv():
        connection.send(seconds(work))
    connection.send(peak_mb())
