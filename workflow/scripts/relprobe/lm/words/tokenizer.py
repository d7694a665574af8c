"""The tokenizer of a snapshot and the size of its vocabulary, without the weights."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from tokenizers import Tokenizer
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerFast

from relprobe.core.errors import ModelError, first_line
from relprobe.lm.child import ChildError, in_child
from relprobe.lm.words.tokens import COMPARED, Reading, ids_in, is_panic, reading_of, reading_of_backend, tokens_in

logger = logging.getLogger("relprobe")
TOKENIZER_FILES = ("tokenizer*", "vocab*", "*.model", "*.spm", "*.tiktoken")
"""The names of files that hold a tokenizer."""
SECONDS = 20.0
"""The time that a tokenizer may take to load and to read COMPARED; the largest ones take some seconds."""


def tokenizer_of(folder: Path) -> Any:
    """Load the tokenizer of a snapshot, whose tokens are those of the file tokenizer.json if there is one.

    Many classes of transformers make a tokenizer anew from its vocabulary, and drop what the file says of case, digits and
    blanks. Where the class that the files name reads a text of COMPARED in another way than the file, the file is loaded
    without that class, and a warning shows the text both ways.
    ModelError: the folder has no tokenizer, or its tokenizer does not load, does not end, or takes no text; or there is no
    tokenizer.json, and all capitals become small though the vocabulary has words with capitals. Of a config.json alone,
    transformers makes a tokenizer that knows the special tokens and nothing else.
    """
    if not any(path for pattern in TOKENIZER_FILES for path in folder.glob(pattern)):
        raise ModelError(f"{folder} has no tokenizer: save the tokenizer of the model there, as tokenizer.json.")
    file = folder / "tokenizer.json"
    written = _File.read(file) if file.is_file() else None
    tokenizer = _loaded(folder, AutoTokenizer)
    if written is not None:
        tokenizer = _as_in_file(folder, written, tokenizer)
    elif tokenizer.is_fast:
        _check_capitals(folder, tokenizer)
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


def _loaded(folder: Path, kind: Any, **special: str) -> Any:
    """Return the tokenizer that a class of transformers makes of a folder, with the `special` tokens."""
    try:
        tokenizer = kind.from_pretrained(folder, local_files_only=True, trust_remote_code=False, **special)
    except MemoryError:
        raise
    except ImportError as error:
        raise ModelError(
            f"{folder}: its tokenizer needs a package that is not installed ({first_line(error)}): install it, or choose a "
            "model with a tokenizer.json, which scores need."
        ) from error
    except BaseException as error:  # a file can make transformers fail in any way
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        reason = f"{folder}: its tokenizer cannot be loaded ({first_line(error)})"
        raise ModelError(f"{reason}: {_remedy(error)}.") from error
    if tokenizer.is_fast:
        tokenizer.backend_tokenizer.no_truncation()  # some tokenizer.json files turn it on
        tokenizer.backend_tokenizer.no_padding()
    return tokenizer


def _remedy(error: BaseException) -> str:
    """Return what to do about a tokenizer that transformers does not load."""
    if "trust_remote_code" in str(error):
        return "it has code of its own, which is not run: choose a model whose tokenizer is a tokenizer.json alone"
    return "get its files anew"


class _File(NamedTuple):
    """How a tokenizer.json reads COMPARED: text -> its tokens, and text -> their ids."""

    reading: Reading
    ids: Mapping[str, list[int]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. A child process does so, as a damaged file may end the process, or never end."""
        try:
            return cls(*in_child(_read, path, seconds=SECONDS))
        except ChildError as error:
            raise ModelError(f"{path.parent}: its tokenizer cannot be loaded ({error}): get its files anew.") from error

    def other_text(self, tokenizer: Any) -> str | None:
        """Return the first text of COMPARED that a tokenizer reads otherwise than the file, as one written in Python may."""
        ids = {text: ids_in(tokenizer.backend_tokenizer, text) for text in COMPARED} if tokenizer.is_fast else {}
        return next((text for text in COMPARED if ids.get(text) != self.ids[text]), None)


def _read(path: Path) -> tuple[Reading, dict[str, list[int]]]:
    backend = Tokenizer.from_file(str(path))
    reading = reading_of_backend(backend)
    backend.encode(COMPARED[0])  # its special tokens may be at fault, too
    return reading, {text: ids_in(backend, text) for text in COMPARED}


def _as_in_file(folder: Path, file: _File, tokenizer: Any) -> Any:
    """Return a tokenizer that reads texts as its file does. ModelError: there is none."""
    if (text := file.other_text(tokenizer)) is None:
        return tokenizer
    made, name = reading_of(tokenizer)[text], type(tokenizer).__name__
    readings = f"its class {name} makes {made} of {text!r}, but the file tokenizer.json makes {file.reading[text]}"
    plain = _loaded(folder, PreTrainedTokenizerFast, **tokenizer.special_tokens_map)
    if (still := file.other_text(plain)) is not None:
        raise ModelError(
            f"{folder}: {readings}, and transformers does not take the file as it is, by {still!r}: write "
            '`"tokenizer_class": "PreTrainedTokenizerFast"` into tokenizer_config.json, and take out keys there that change '
            "a text."
        )
    logger.warning("%s: %s: the tokens of the file are used, with which the model was trained", folder, readings)
    return plain


def _check_capitals(folder: Path, tokenizer: Any) -> None:
    """Check a tokenizer without a tokenizer.json. ModelError: it never writes the capitals that its vocabulary has."""
    backend, words = tokenizer.backend_tokenizer, tokenizer.get_vocab()
    ordinary = set(words).difference(tokenizer.all_special_tokens, tokenizer.get_added_vocab())
    capitals = sorted(word for word in ordinary if word != word.lower())
    tried = [word.removeprefix("##").lstrip("▁Ġ") for word in capitals]
    written = "".join(token for word in tried for token in tokens_in(backend, word) if token in ordinary)
    if len(capitals) > len(ordinary) / 100 and tried and written == written.lower():
        raise ModelError(
            f"{folder}: its tokenizer makes small letters of all capitals, but {len(capitals):,} of its words have some, "
            f'as {capitals[0]!r}: write `"do_lower_case": false` into tokenizer_config.json.'
        )


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
