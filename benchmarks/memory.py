"""Print the peak memory, in MB, of scoring a number of probes, the argument, into a Parquet file."""

import sys
import tempfile
from pathlib import Path

import torch
from relprobe.lm.loading.load import BUDGET, fastest_model
from relprobe.lm.network.cpu import keep_freed_memory
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of
from transformers import LlamaConfig, LlamaForCausalLM

from benchmarks.measure import peak_mb
from benchmarks.probes import CAUSAL, frequent_word_probes

K = 100  # of 1,000, so that the largest file is written in seconds


def main(count: int) -> None:
    """Score generated probes with a small network, so that memory which grows with their number shows."""
    keep_freed_memory()  # as load() does
    torch.manual_seed(0)
    tokenizer = tokenizer_of(CAUSAL.with_suffix(""))
    size = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    net = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **size)).eval()
    model = fastest_model(net, Encoder.of(tokenizer, masked=False, max_length=512), BUDGET["cpu"])
    with tempfile.TemporaryDirectory() as folder:
        write_in_parts(
            frequent_word_probes(count),
            lambda part: slot_top_k(model, part, K),
            slot_table,
            {},
            Path(folder) / "scores.parquet",
            reuse=True,
        )
    print(round(peak_mb()))


if __name__ == "__main__":
    main(int(sys.argv[1]))
