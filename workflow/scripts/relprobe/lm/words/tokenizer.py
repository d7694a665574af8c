"""The tokenizer of a snapshot and the size of its vocabulary, without the weights."""

from pathlib import Path
from typing import Any

from transformers import AutoConfig, AutoTokenizer

from relprobe.core.errors import ModelError, first_line

TOKENIZER_FILES = ("tokenizer*", "vocab*", "*.model", "*.spm", "*.tiktoken")
"""The names of files that hold a tokenizer."""


def tokenizer_of(folder: Path) -> Any:
    """Load the tokenizer of a snapshot.

    ModelError: the folder has none, or its tokenizer does not load, or takes no text. Of a config.json alone, transformers
    makes a tokenizer that knows the special tokens and nothing else.
    """
    if not any(path for pattern in TOKENIZER_FILES for path in folder.glob(pattern)):
        raise ModelError(f"{folder} has no tokenizer: save the tokenizer of the model there, as tokenizer.json.")
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except MemoryError:
        raise
    except Exception as error:  # a file can make transformers fail in any way
        raise ModelError(
            f"{folder}: its tokenizer cannot be loaded ({first_line(error)}): get its files anew."
        ) from error
    longest = tokenizer.model_max_length
    if isinstance(longest, bool) or not isinstance(longest, int | float) or not longest > 0:
        raise ModelError(
            f"{folder / 'tokenizer_config.json'} has {longest!r} as `model_max_length`: write the most tokens of a text, or "
            "take it out."
        )
    if not set(tokenizer.get_vocab().values()) - set(tokenizer.added_tokens_decoder):
        raise ModelError(
            f"{folder}: its tokenizer has no vocabulary: save the tokenizer there anew, as tokenizer.json."
        )
    return tokenizer


def vocabulary_size(folder: Path) -> int:
    """Return how many tokens the model's output layer has, which is often more than its tokenizer has.

    It is 0 if the folder has no config.json, which a served model's need not have. ModelError: config.json does not load.
    """
    if not (folder / "config.json").is_file():
        return 0
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise ModelError(f"{folder}: its config.json cannot be loaded ({first_line(error)}).") from error
    return int(config.get_text_config().vocab_size)
