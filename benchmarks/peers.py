"""The same probes through the libraries that people use today, each as its documentation shows, in batches of 64."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from minicons.scorer import IncrementalLMScorer
from transformers import pipeline

BATCH = 64
K = 1000


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the texts in batches."""
    for start in range(0, len(texts), BATCH):
        yield list(texts[start : start + BATCH])


class Minicons:
    """minicons: `next_word_distribution`, and its top K."""

    def __init__(self, net: Any, tokenizer: Any, device: str = "cpu") -> None:
        self.scorer = IncrementalLMScorer(net, device=device, tokenizer=tokenizer)

    @torch.inference_mode()
    def __call__(self, texts: Sequence[str]) -> None:
        """Score all texts."""
        for batch in batches(texts):
            self.scorer.next_word_distribution(batch).topk(K)


class Harness:
    """lm-evaluation-harness: `loglikelihood` of one candidate per text."""

    def __init__(self, net: Any, tokenizer: Any, device: str = "cpu") -> None:
        self.model = HFLM(pretrained=net, tokenizer=tokenizer, batch_size=BATCH, device=device)

    def __call__(self, texts: Sequence[str]) -> None:
        """Score all texts."""
        instances = [Instance("loglikelihood", {}, (text, " animal"), i) for i, text in enumerate(texts)]
        self.model.loglikelihood(instances, disable_tqdm=True)


class FillMask:
    """The transformers pipeline "fill-mask" with its best `top_k` tokens."""

    def __init__(self, net: Any, tokenizer: Any, top_k: int) -> None:
        self.pipeline = pipeline("fill-mask", model=net, tokenizer=tokenizer, device="cpu", batch_size=BATCH)
        self.mask, self.top_k = tokenizer.mask_token, top_k

    def __call__(self, texts: Sequence[str]) -> None:
        """Score all texts, with the mask at their ends."""
        self.pipeline([f"{text} {self.mask}" for text in texts], top_k=self.top_k)
