"""The arguments by which every scoring entry point is told its model."""

import argparse
from pathlib import Path

import torch

from relprobe.lm.load import load
from relprobe.lm.model import LanguageModel


def add_model_arguments(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the arguments of a model and of how to compute it."""
    parser.add_argument("--model", required=True, type=Path, help="manifest of the model's snapshot")
    parser.add_argument("--type", required=True, choices=["masked", "causal"])
    parser.add_argument("--dtype", default="auto", help="auto: float32 on CPU, bfloat16 on GPU")
    parser.add_argument("--bos", default="auto", help="auto (the tokenizer's default), True or False")
    parser.add_argument("--context", default="", help="a text to place before every probe")
    parser.add_argument("--device-map", default="none", choices=["none", "auto"], help="auto: spread over all GPUs")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:0, …")
    parser.add_argument("--batch-tokens", type=int, default=0, help="0 leaves it to the device")
    parser.add_argument("--compile", type=int, default=0, choices=[0, 1], help="1: let torch compile the layers")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0 leaves it to torch")
    return parser


def load_model(args: argparse.Namespace) -> LanguageModel:
    """Load the model that the arguments describe."""
    if args.threads:
        torch.set_num_threads(args.threads)
    return load(
        args.model,
        masked=args.type == "masked",
        dtype=None if args.dtype == "auto" else getattr(torch, args.dtype),
        device=args.device,
        budget=args.batch_tokens or None,
        context=args.context,
        device_map=None if args.device_map == "none" else args.device_map,
        compiled=bool(args.compile),
        bos=None if args.bos == "auto" else args.bos == "True",
    )
