"""The check of stored answers on real networks: it finds edits that change a score, and loads nothing without a change."""

import itertools
import logging
import shutil
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.lm.chat_models.here import write_replies
from relprobe.lm.chat_models.interview import Question
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, Query, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.score_files.check import LEAST
from relprobe.lm.score_files.layers import states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.score_files.slots import slot_table
from relprobe.lm.score_files.words import word_table
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.word_list import WordList
from relprobe.studies.relations.scoring import layer_table
from safetensors.torch import load_file, save_file

from tests.workflow.toy_data import WORDS
from tests.workflow.toy_models import causal_model, encoder_decoder_model, masked_model

NUMBER = 40
LIST = WordList(tuple(sorted(WORDS))[:30])
MAKERS = {"causal": causal_model, "masked": masked_model, "encoder-decoder": encoder_decoder_model}


@pytest.fixture(scope="module", params=MAKERS)
def snapshot(request, tmp_path_factory):
    """The kind of a model and its manifest; its weights are so large that its answers differ by nats."""
    folder = tmp_path_factory.mktemp("models") / request.param
    MAKERS[request.param](folder, seed=1)
    file = folder / "model.safetensors"
    tensors = load_file(file)
    save_file({name: 8 * one if one.ndim > 1 else one for name, one in tensors.items()}, file, {"format": "pt"})
    return request.param, write_manifest(folder)


def texts():
    pairs = itertools.islice(itertools.permutations(sorted(WORDS), 2), NUMBER)
    return [f"a {one} {'of ' * (i % 3)}{other} is a" for i, (one, other) in enumerate(pairs)]


def floats(responses, values):
    rows = [np.asarray(values(response), np.float32).ravel().tolist() for response in responses]
    ids = [response.id for response in responses]
    return pa.table({"id": pa.array(ids, pa.string()), "values": pa.array(rows, pa.list_(pa.float32()))})


def slots(settings, *_):
    requests = [SlotProbe(text, (Variant(f"{text} [V]", 0.75), Variant(f"{text} not [V]", 0.25))) for text in texts()]
    return Scoring("slots", settings, requests, lambda model, part: slot_top_k(model, part, 50), slot_table, "probes")


def words(settings):
    requests = [SlotProbe(text, (Variant(f"{text} [V]"),)) for text in texts()]
    answer = lambda model, part: slot_top_words(model, part, LIST, 20)  # noqa: E731
    return Scoring("words", settings, requests, answer, word_table, "probes")


def layers(settings):
    requests = [SlotProbe(text, (Variant(f"{text} [V]"),)) for text in texts()]
    answer = lambda model, part: slot_top_k_of_layers(model, part, 50, [View(0), View(1), View(2)])  # noqa: E731
    rows = partial(layer_table, views=[("raw", 0), ("raw", 1), ("raw", 2)])
    return Scoring("layers", settings, requests, answer, rows, "probes")


def continuations(settings):
    requests = [Continuation(text, f"{text} [V]", tuple(f"{one} bird" for one in LIST.words[:5])) for text in texts()]
    return Scoring(
        "continuations",
        settings,
        requests,
        continuation_logprob,
        lambda part: floats(part, lambda one: one.sums()),
        "x",
    )


def sentences(settings):
    requests = [Sentence(text, text) for text in texts()]
    rows = lambda part: floats(part, lambda one: one.logprobs)  # noqa: E731
    return Scoring("sentences", settings, requests, pseudo_logprob, rows, "sentences")


def states(settings):
    requests = [SpanText(text, text, ((2, len(text)),)) for text in texts()]
    rows = lambda part: floats(part, lambda one: one.vectors)  # noqa: E731
    return Scoring("states", settings, requests, lambda model, part: embeddings(model, part, -1), rows, "sentences")


def states_of_all(settings):
    requests = [SpanText(text, text, ((2, len(text)),)) for text in texts()]
    rows = lambda part: floats(part, lambda one: one.vectors)  # noqa: E731
    return states_of_layers("states", settings, requests, "all", lambda _: rows, "sentences")


def written(settings):
    questions = [Question(text, text) for text in texts()]
    return write_replies("replies", replace(settings, conversation={"system": "x"}), questions, 4, None)


def drawn(settings):
    questions = [Question(text, text) for text in texts()]
    return write_replies("replies", replace(settings, conversation={"system": "x"}), questions, 4, 3)


EVERY = [slots, words, layers, continuations, sentences, states, states_of_all, written, drawn]
LACKS = {"encoder-decoder": {layers, written, drawn}, "masked": {written, drawn}}


class Call:
    """A call of a step whose code has a digest."""

    def __init__(self, code):
        self.code, self.files, self.settings = code, [], {}

    def code_with(self, *_: str) -> str:
        return self.code


def asked(make, settings, path, code="first"):
    """Write the answers of a job under some code; return how many were asked, and whether the network was loaded."""
    settings, count = replace(settings), 0
    scoring = make(settings)

    def answer(model: Any, part: Any) -> Any:
        nonlocal count
        part = list(part)
        count += len(part)
        return scoring.answer(model, part)

    replace(scoring, answer=answer).write(path, Call(code))
    return count, scoring.model.is_loaded


PLACE = "study/step/agent.parquet"
"""A score file in the folder of the results."""


@pytest.fixture(scope="module")
def answered(snapshot, tmp_path_factory):
    """The folder of the results of a job, asked once for all tests of the same model: to copy."""
    kind, manifest = snapshot
    folders = {}

    def folder_of(make):
        if make in LACKS.get(kind, ()):
            pytest.skip(f"a {kind} model does not do this")
        if make not in folders:
            folder = tmp_path_factory.mktemp(make.__name__)
            settings = ModelSettings(manifest, kind, device="cpu", results=folder)
            assert asked(make, settings, folder / PLACE) == (NUMBER, True)
            folders[make] = folder
        return folders[make]

    return folder_of


@pytest.fixture
def job(snapshot, answered, tmp_path, caplog):
    """A function that copies the finished job of a kind of answers: its settings, and its score file."""
    caplog.set_level(logging.INFO, logger="relprobe")
    kind, manifest = snapshot

    def copy(make):
        shutil.copytree(answered(make), tmp_path / "results")
        return ModelSettings(manifest, kind, device="cpu", results=tmp_path / "results"), tmp_path / "results" / PLACE

    return copy


@pytest.mark.parametrize("make", EVERY, ids=lambda one: one.__name__)
def test_a_job_whose_answers_are_all_stored_loads_no_network_and_writes_the_same_file(job, make):
    settings, path = job(make)
    content = path.read_bytes()
    path.unlink()
    assert asked(make, settings, path) == (0, False)
    assert path.read_bytes() == content


@pytest.mark.parametrize("make", EVERY, ids=lambda one: one.__name__)
def test_other_code_that_answers_the_same_asks_a_sample_of_every_kind_of_answer(job, make):
    settings, path = job(make)
    count, loaded = asked(make, settings, path, "second")
    assert loaded
    assert count == 0 if make is drawn else LEAST <= count <= LEAST + 2
    assert asked(make, settings, path, "second") == (0, False)


def shifted(monkeypatch):
    """Each position is read one too early."""
    real = LanguageModel._states

    def read(self, queries, *more, **options):
        moved = [one._replace(positions=tuple(max(0, place - 1) for place in one.positions)) for one in queries]
        return real(self, moved, *more, **options)

    monkeypatch.setattr(LanguageModel, "_states", read)


def with_bos(monkeypatch):
    """Each input has one token more before it."""
    real = LanguageModel._states

    def read(self, queries, *more, **options):
        longer = [
            one._replace(source=(5, *one.source))
            if one.source
            else Query((5, *one.ids), tuple(place + 1 for place in one.positions))
            for one in queries
        ]
        return real(self, longer, *more, **options)

    monkeypatch.setattr(LanguageModel, "_states", read)


def in_half(monkeypatch):
    """The head's result is rounded to half of its digits."""
    real = LanguageModel.logits
    monkeypatch.setattr(LanguageModel, "logits", lambda self, states: real(self, states).bfloat16().float())
    states = LanguageModel._states

    def rounded(self, *arguments, **options):
        found, rows = states(self, *arguments, **options)
        return found.bfloat16().to(found.dtype), rows

    monkeypatch.setattr(LanguageModel, "_states", rounded)


def averaged(monkeypatch):
    """The log-probabilities of a candidate's tokens are averaged in place of summed."""
    monkeypatch.setattr("relprobe.lm.requests.ContinuationResponse.sums", lambda self: self.means())


EDITS = [(slots, shifted), (sentences, with_bos), (continuations, averaged)]
MORE = [pair for make in EVERY for edit in (shifted, with_bos, in_half) if (pair := (make, edit)) not in EDITS]


@pytest.mark.parametrize(("make", "edit"), EDITS, ids=lambda one: one.__name__)
def test_an_edit_that_changes_a_score_is_found_and_everything_is_asked(job, make, edit, monkeypatch, caplog):
    find(job, make, edit, monkeypatch, caplog)


@pytest.mark.slow("it loads and asks each of three networks fifty times")
@pytest.mark.parametrize(("make", "edit"), MORE, ids=lambda one: one.__name__)
def test_such_an_edit_is_found_in_every_kind_of_answer(job, make, edit, monkeypatch, caplog):
    if edit is in_half and make in (written, drawn, layers):
        pytest.skip("it writes the same, or the self-check at load finds it first")
    find(job, make, edit, monkeypatch, caplog)


def find(job, make, edit, monkeypatch, caplog):
    """Check that after an edit all questions are asked again, and that a sentence shows why."""
    settings, path = job(make)
    edit(monkeypatch)
    count, _ = asked(make, settings, path, "second")
    assert count >= NUMBER
    assert "cannot be taken, and all questions are asked again: code changed, and of " in caplog.text
