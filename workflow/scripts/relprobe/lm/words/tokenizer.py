"""A snapshot's tokenizer, without its weights."""

from pathlib import Path
from typing import Any

from transformers import AutoConfig, AutoTokenizer

from relprobe.core.errors import ModelError, first_line


def tokenizer_of(folder: Path) -> Any:
    """Load the tokenizer of a snapshot. ModelError: there is none that loads."""
    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: its tokenizer cannot be loaded ({first_line(error)}).") from error


def vocabulary_size(folder: Path) -> int:
    """Return how many tokens the model's output layer has (often more than its tokenizer knows)."""
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder}: its config.json cannot be loaded ({first_line(error)}).") from error
    return int(config.get_text_config().vocab_size)
