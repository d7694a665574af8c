"""The patterns that take a word and a definition (Table 3 of the paper); a user can edit their file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.core.words import enumeration
from relprobe.lm.requests import SLOT
from relprobe.studies.definitions.method import DEFINITION, Patterns
from relprobe.studies.definitions.schemas import POS

KINDS = ("masked", "causal")


def read(path: Path) -> dict[str, Patterns]:
    r"""Return the patterns of masked and of causal models from a YAML file such as resources/prompts/definitions.yaml.

    A file need not have patterns of every part of speech of POS. DataError: the file has another form, a pattern lacks [DEF]
    or the slot, or a causal model's pattern does not end with the slot.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     _ = file.write(
    ...         "masked: {noun: {is: '[V] is [DEF]'}, verb: {to-is: 'to [DEF] is to [V]'}}\n"
    ...         "causal: {noun: {is: '[DEF] is the definition of [V]'}, verb: {to-is: 'to [DEF] is to [V]'}}\n"
    ...     )
    ...     file.flush()
    ...     read(Path(file.name))["masked"]["noun"]
    {'is': '[V] is [DEF]'}
    """
    kinds = read_yaml(path)
    if not isinstance(kinds, dict) or set(kinds) != set(KINDS):
        raise DataError(f"{path}: the file must have the keys {enumeration(KINDS)}, and no others.")
    return {
        kind: {
            pos: _patterns(pos_patterns, kind, f"{kind}.{pos}", path)
            for pos, pos_patterns in _parts(kind_patterns, path, kind).items()
        }
        for kind, kind_patterns in kinds.items()
    }


Prompts = Annotated[dict[str, Patterns], Format(read)]
"""The patterns of masked and of causal models."""


def check_parts(patterns: dict[str, Patterns], parts: Iterable[str], path: Path) -> None:
    """Check that there are patterns of some parts of speech. DataError: a kind of models has none of one of them."""
    for kind, kind_patterns in patterns.items():
        for pos in parts:
            if pos not in kind_patterns:
                raise DataError(f"{path}: {kind} has no patterns for {pos}s, which the study asks for: add `{pos}:`.")


def _parts(value: Any, path: Path, kind: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value or not set(value) <= set(POS):
        raise DataError(f"{path}: {kind} must have keys among {', '.join(POS)}, and no others.")
    return value


def _patterns(entries: Any, kind: str, where: str, path: Path) -> dict[str, str]:
    if not isinstance(entries, dict) or not entries:
        raise DataError(f"{path}: {where} must have one pattern or several, each as `id: text`.")
    for name, text in entries.items():
        if not isinstance(name, str) or " " in name:
            raise DataError(f"{path}: the pattern id {name!r} in {where} must be one word.")
        if not isinstance(text, str) or text.count(DEFINITION) != 1 or text.count(SLOT) != 1:
            raise DataError(f"{path}: pattern {where}.{name} must have one {DEFINITION} and one {SLOT}.")
        if kind == "causal" and not text.endswith(SLOT):
            raise DataError(f"{path}: pattern {where}.{name} must end with {SLOT}: a causal model cannot look ahead.")
    return dict(entries)
