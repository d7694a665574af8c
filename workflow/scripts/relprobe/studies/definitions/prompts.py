"""The patterns that take a word and a definition (Table 3); a user can edit their file."""

from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.lm.requests import SLOT

DEFINITION = "[DEF]"
KINDS = ("masked", "causal")
POS = ("noun", "verb")
Patterns = dict[str, dict[str, str]]
"""Part of speech -> id of the pattern -> its text, which has one [DEF] and one slot [V]."""


def read(path: Path) -> dict[str, Patterns]:
    r"""Return the patterns of masked and of causal models from a YAML file such as resources/prompts/definitions.yaml.

    DataError: the file has another form, a pattern lacks [DEF] or the slot, or a causal model's pattern does not end with
    the slot.

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
    kinds = _keys(read_yaml(path), KINDS, path, "the file")
    return {
        kind: {
            pos: _patterns(of_pos, kind, f"{kind}.{pos}", path)
            for pos, of_pos in _keys(of_kind, POS, path, kind).items()
        }
        for kind, of_kind in kinds.items()
    }


def _keys(value: Any, keys: tuple[str, ...], path: Path, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise DataError(f"{path}: {where} must have the keys {' and '.join(keys)}, and no others.")
    return {key: value[key] for key in keys}


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
