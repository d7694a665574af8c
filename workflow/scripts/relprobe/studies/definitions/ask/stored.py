"""The scores of an earlier sample of groups, which a later one uses: only what is new is asked.

Snakemake deletes a score file before it is made anew. So a finished file is kept under another name, in a hidden folder
beside it, with the probes that it answers:

    smollm2-135m.parquet                 the score file
    .smollm2-135m.parquet.kept/scores    the same file once more (a hard link, which takes no room)
    .smollm2-135m.parquet.kept/probes    the probes that it answers
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq

from relprobe.core.files import sha256, whole_folder
from relprobe.lm.requests import Continuation
from relprobe.lm.witness import WITNESS, same_model

logger = logging.getLogger("relprobe")
Value = tuple[float | None, float | None, int | None, float | None]
"""What SCORES holds of a word: logprobs, first, tokens and whole; None where the model cannot write it, or was not asked."""
COLUMNS = ["logprobs", "first", "tokens"]


@dataclass(frozen=True)
class Asked:
    """A request, and for each of its words the values that an earlier run has stored, or None for a word that is new."""

    request: Continuation
    stored: tuple[Value | None, ...]

    @cached_property
    def new(self) -> Continuation:
        """The request for the new words alone.

        >>> known = (-1.0, -1.0, 1, None)
        >>> Asked(Continuation("noun:0 is", "[V] is a bird", ("owl", "goose")), (known, None)).new.candidates
        ('goose',)
        """
        pairs = zip(self.request.candidates, self.stored, strict=True)
        return replace(self.request, candidates=tuple(word for word, stored in pairs if stored is None))


Lookup = Callable[[Continuation], tuple[Value | None, ...]]
"""Returns the stored values of the words of a request."""


def nothing(request: Continuation) -> tuple[Value | None, ...]:
    """Return no value for every word: nothing is stored."""
    return (None,) * len(request.candidates)


def open_questions(requests: Iterable[Continuation], lookup: Lookup) -> Iterator[Asked]:
    """Yield the requests with what is stored of them."""
    for request in requests:
        yield Asked(request, lookup(request))


def stored(
    scores: Path, probes: Path, about: dict[str, Any], requests: Callable[[Path], Iterable[Continuation]]
) -> Lookup:
    """Return what an earlier run has stored for the requests of `probes`.

    `scores`: the score file that is to be made; `about`: what it will depend on (`provenance`). Stored scores are used if
    they depend on the same, but for the probes: the same model, patterns, settings, libraries and code. A run for the same
    probes is one that somebody asked for once more, so nothing is used. `requests`: the requests of a file of probes.
    """
    folder = folder_of(scores)
    kept, asked = folder / "scores", folder / "probes"
    if not (folder / "digest").is_file():
        return nothing
    reason = _unfit(folder, about, probes)
    if reason:
        logger.info("the scores of %s are not used: %s", folder, reason)
        return nothing
    table = pl.read_parquet(kept)
    words: dict[str, str] = {}
    places = {
        request.text: (row, tuple(words.setdefault(word, word) for word in request.candidates))
        for row, request in enumerate(requests(asked))
    }
    logger.info("an earlier run has stored the scores of %s definitions in patterns", f"{len(places):,}")
    return lambda request: _values(request, table, places)


def _unfit(folder: Path, about: dict[str, Any], probes: Path) -> str | None:
    """Return why the scores of an earlier run cannot be used, or None."""
    if (folder / "digest").read_text(encoding="utf-8") != _digest(folder):
        return "a file of it is damaged"
    earlier = json.loads(pq.read_schema(folder / "scores").metadata[b"relprobe"])
    if earlier["inputs"].pop(probes.name, None) == about["inputs"][probes.name]:
        return "they answer the same probes, and were asked for once more"
    here = {**about, "inputs": {name: digest for name, digest in about["inputs"].items() if name != probes.name}}
    witnesses = earlier.pop(WITNESS, None), here.pop(WITNESS, None)
    same = json.loads(json.dumps(here)) == earlier
    if None not in witnesses:
        same = same and same_model(witnesses[0], witnesses[1])
    return None if same and (witnesses[0] is None) == (witnesses[1] is None) else "they depend on other things"


def _values(
    request: Continuation, table: pl.DataFrame, places: Mapping[str, tuple[int, Sequence[str]]]
) -> tuple[Value | None, ...]:
    if request.text not in places:
        return nothing(request)
    row, words = places[request.text]
    number = {word: i for i, word in enumerate(words)}
    columns = [table[name][row].to_list() for name in COLUMNS]
    whole = table["whole"][row]
    columns.append([None] * len(words) if whole is None else whole.to_list())
    values = list(zip(*columns, strict=True))
    return tuple(values[number[word]] if word in number else None for word in request.candidates)


def keep(scores: Path, probes: Path) -> None:
    """Keep a finished score file, and the probes that it answers, for a later run."""
    with whole_folder(folder_of(scores)) as folder:
        try:
            os.link(scores, folder / "scores")
        except OSError:  # a file system without hard links
            shutil.copyfile(scores, folder / "scores")
        shutil.copyfile(probes, folder / "probes")
        (folder / "digest").write_text(_digest(folder), encoding="utf-8")


def folder_of(scores: Path) -> Path:
    """Return the folder in which a score file is kept.

    >>> folder_of(Path("scores/bert.parquet")).as_posix()
    'scores/.bert.parquet.kept'
    """
    return scores.with_name(f".{scores.name}.kept")


def _digest(folder: Path) -> str:
    return hashlib.sha256("".join(sha256(folder / name) for name in ("scores", "probes")).encode()).hexdigest()
