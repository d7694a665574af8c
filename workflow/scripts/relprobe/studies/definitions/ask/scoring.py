"""Scoring: the words of every probe under the patterns for the model's type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relprobe.core.progress import Progress
from relprobe.lm.requests import Continuation
from relprobe.lm.score_files.pace import first_size
from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
from relprobe.lm.settings import ModelSettings
from relprobe.studies.definitions.ask.prompts import Prompts
from relprobe.studies.definitions.ask.requests import counts, requests
from relprobe.studies.definitions.ask.word_scores import (
    PART,
    answer,
    log_inputs,
    question,
    single_words,
    table,
    word_table,
)

if TYPE_CHECKING:
    from relprobe.core.step import Call
    from relprobe.lm.settings import Model


def scores(
    model: ModelSettings,
    probes: Path,
    prompts: Prompts,
    *,
    capitals: bool,
    word_boundary: bool = False,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> WordScores:
    """Score the words of every probe with a model, under the patterns for the model's type (section 2.2.1).

    `probes`: the file of PROBES, which is read in parts. `capitals`: a word at the beginning of a text gets a capital
    letter. `word_boundary`: a causal model says how likely the words end, too. `shots`: how many `examples` (part of speech
    -> pairs of word and definition) stand before a probe.
    """
    patterns = prompts["causal" if model.type == "causal" else "masked"]
    total, questions = counts(probes, patterns)
    of_file = partial(requests, patterns=patterns, capitals=capitals, shots=shots, examples=examples)
    return WordScores(model.load(), model, probes, of_file, total, questions, word_boundary)


@dataclass(frozen=True)
class WordScores:
    """The scores of a model as the result of a step: they are computed while they are written.

    Words that an earlier run has asked about a definition are not asked again.
    """

    model: Model
    settings: ModelSettings
    probes: Path
    requests: Callable[[Path], Iterable[Continuation]]  # of a file of probes
    total: int  # the number of requests
    questions: int  # of the groups, that the requests answer
    word_boundary: bool

    def write(self, path: Path, call: Call) -> None:
        """Write the scores. They depend on the step's files and settings, and on the model; what is stored is not asked."""
        reuse = self.settings.reuse
        code = call.code_with(*self.settings.by_name)
        about = provenance(self.model, self.settings.model, call.files, code, **call.settings) | {"reuse": reuse}
        size = part_size(self.model.net, PART)
        write_in_parts(
            self.requests(self.probes),
            partial(answer, self.model, ends=self.word_boundary and self.settings.type != "masked"),
            word_table,
            about,
            path,
            size,
            first=first_size(size),
            key=question,
            split=single_words,
            join=table,
            apart=[file.stem for file in call.files],  # the probes and the patterns: the texts show them
            reuse=reuse,
            former=self.settings.former or (),
            progress=Progress(self.total, "definitions in patterns"),
        )
        log_inputs(path, self.questions)
        self.model.log_work()
