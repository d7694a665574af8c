"""Solved examples, which stand before a probe: their file, and which of them a probe gets.

The examples of all probes of a prompt have one random order. A probe gets the first of them that do not clash with it, so
that most probes of a prompt have the same beginning, which a causal model computes once.
"""

import random
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.core.words import amount
from relprobe.lm.requests import SLOT
from relprobe.lm.words.examples import join_examples

Example = tuple[str, ...]
"""The words of an example, such as (rose, flower)."""
DRAWS = 3
"""The draws of examples that are compared. The first is that of the scores."""


def read(path: Path, study: str, width: int) -> dict[str, list[Example]]:
    """Read the examples of a study: group -> examples. A study without groups has its examples in the group "".

    The groups of relations are relations, those of definitions parts of speech. `width`: the number of words, or texts, of
    an example (`Study.example`).
    DataError: the file has no such section, or an example is not a list of `width` texts, or holds a slot.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     _ = file.write("relations: {HYP: [[rose, flower]]}")
    ...     file.flush()
    ...     read(Path(file.name), "relations", width=2)
    {'HYP': [('rose', 'flower')]}
    """
    content = read_yaml(path)
    section = content.get(study) if isinstance(content, dict) else None
    groups = {"": section} if isinstance(section, list) else section
    if not isinstance(groups, dict) or not groups:
        raise DataError(f"{path} has no examples of {study}: add a section.")
    return {group: _examples(path, study, group, entries, width) for group, entries in groups.items()}


def _examples(path: Path, study: str, group: str, entries: Any, width: int) -> list[Example]:
    where = ".".join(filter(None, [study, str(group)]))
    if not isinstance(entries, list):
        raise DataError(f"{path}: {where} must be a list of examples.")
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != width or not all(isinstance(word, str) for word in entry):
            raise DataError(f"{path}: an example of {where} must be a list of {width} texts, not {entry!r}.")
        if any(SLOT in word for word in entry):
            raise DataError(f"{path}: the example {entry!r} of {where} holds a slot {SLOT}: write its answer there.")
    return [tuple(entry) for entry in entries]


def check(path: Path, study: str, width: int, shots: int) -> None:
    """Check that every group of a study has at least `shots` examples. DataError: it has not, or `read` fails."""
    for group, examples in read(path, study, width).items():
        if len(examples) < shots:
            where = ".".join(filter(None, [study, group]))
            raise DataError(f"{path} has {amount(len(examples), 'example')} of {where}: add some.")


def in_order(examples: Sequence[Example], prompt: str, draw: int = 1) -> list[Example]:
    """Return the examples in the random order of a prompt; a draw is one order."""
    return random.Random(f"{draw} {prompt}").sample(list(examples), len(examples))  # noqa: S311


def fitting(examples: Iterable[Example], taboo: Set[str]) -> list[Example]:
    """Return the examples that hold none of the words `taboo`: those of the probe and of its answers.

    >>> fitting([("rose", "flower"), ("oak", "tree")], {"tulip", "flower"})
    [('oak', 'tree')]
    """
    return [example for example in examples if taboo.isdisjoint(example)]


def probe_prefix(
    examples: Sequence[Example],
    solve: Callable[[Example], str],
    shots: int,
    prompt: str,
    probe_id: str,
    taboo: Set[str],
) -> str:
    """Return what stands before a probe of a prompt: the first `shots` examples in the prompt's order that fit it.

    `solve` makes a text of an example. DataError: fewer examples fit.
    """
    chosen = fitting(in_order(examples, prompt), taboo)
    return examples_text([solve(example) for example in chosen[:shots]], shots, probe_id)


def examples_text(texts: Sequence[str], shots: int, probe_id: str) -> str:
    r"""Return what stands before a probe: the first `shots` solved texts. DataError: there are fewer.

    >>> examples_text(["a rose is a flower", "an oak is a tree", "a cat is a pet"], 2, "hyp:robin")
    'a rose is a flower.\nan oak is a tree.\n'
    """
    if len(texts) < shots:
        raise DataError(
            f"probe {probe_id!r} needs {shots} examples, but only {len(texts)} have none of its words: add examples to the "
            "file `prompting.examples`."
        )
    return join_examples(texts[:shots])
