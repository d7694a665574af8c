"""The steps that every study shares: a model becomes a folder that loads offline, and gets a lexicon."""

from pathlib import Path
from typing import Any


def snapshot(manifest: Path, *, name: str, entry: dict[str, Any], weights: bool = True) -> None:
    """Fetch a model into a folder that loads offline, beside its manifest.

    `name` is the model's place in the config, such as models.bert. `entry` holds the keys there that say where the model
    comes from. Without `weights` it gets the files of the tokenizer and the config only: a served model needs no others.
    """
    from relprobe.lm.loading.snapshot import snapshot

    snapshot(name, entry, manifest.with_suffix(""), weights=weights)


def adapter(base: Path, manifest: Path, *, name: str, entry: dict[str, Any]) -> None:
    """Fetch an adapter into a folder beside its manifest.

    `base` is the manifest of the model that the adapter was trained on. `name` is the adapter's place in the config, such as
    models.bert.peft, and `entry` holds the keys there that say where it comes from.
    """
    from relprobe.lm.loading.snapshot import adapter_snapshot

    adapter_snapshot(name, entry, base, manifest.with_suffix(""))


def lexicon(model: Path, out: Path) -> None:
    """List the words that are one token of a model, from the manifest of its snapshot."""
    from relprobe.core.files import write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.lm.words.lexicon import LEXICON, lexicon
    from relprobe.lm.words.tokenizer import tokenizer_of, vocabulary_size

    folder = fetched_folder(model)
    write_table(lexicon(tokenizer_of(folder), vocabulary_size(folder)), LEXICON, out)


def shared_lexicon(lexicons: list[Path], out: Path) -> None:
    """List the words that are one token of every model of the panel."""
    from relprobe.core.files import read_table, write_table
    from relprobe.lm.words.lexicon import LEXICON, WORDS, shared

    write_table(shared([read_table(path, LEXICON) for path in lexicons]), WORDS, out)
