"""Changed code takes stored answers if those that are asked again are the same, and else none of them."""

import json
import logging
import math
import os
import random
import shutil
from dataclasses import dataclass
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, Variant, question
from relprobe.lm.score_files import store
from relprobe.lm.score_files.check import LEAST, LISTED, SHARE, TEXTS, Check, CheckResult, _result, fixed_answers
from relprobe.lm.score_files.comparison import Comparison
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.lm.score_files.store import DEPENDS, GUARD, folder_of

from tests.lm.score_files.scorers import Request

FORM = pa.schema([("id", pa.string()), ("token_ids", pa.list_(pa.int32())), ("logprobs", pa.list_(pa.float32()))])
LIBRARIES = {"torch": "2.9"}
OLD = {
    "code": "1a",
    "libraries": LIBRARIES,
    "path": "packed",
    "inputs": {"probes.parquet": "1f", "maps.safetensors": "2e"},
}
ABOUT = {"kind": "slots", "model_files": {"model.safetensors": "9z"}, "type": "causal", "dtype": "float32", **OLD}
ABOUT["special_tokens"] = ((0,), ())  # which are lists when they are read again


class Engine:
    """Answers with three tokens; `change` alters the log-probabilities of a request."""

    def __init__(self, change=lambda _, logprobs: logprobs):
        self.ids, self.change = [], change

    def __call__(self, requests):
        for request in requests:
            self.ids.append(request.id)
            number = int(request.id)
            yield request.id, [number, 1000, 2000], self.change(number, [-1.0, -2.5, -3.0])


def table(responses):
    columns = list(zip(*responses, strict=True)) or [(), (), ()]
    return pa.table([pa.array(one, field.type) for one, field in zip(columns, FORM, strict=True)], schema=FORM)


def run(path, /, count=300, change=lambda _, logprobs: logprobs, check=None, **about):
    """Write the answers to so many requests, and return the numbers that were asked."""
    engine = Engine(change)
    requests = [Request(str(number)) for number in range(count)]
    write_in_parts(requests, engine, table, ABOUT | about, path, size=50, apart=["probes"], reuse=True, check=check)
    assert pq.read_table(path)["id"].to_pylist() == [request.id for request in requests]
    return [int(one) for one in engine.ids]


@pytest.fixture
def path(tmp_path, caplog):
    caplog.set_level(logging.INFO, logger="relprobe")
    return tmp_path / "scores.parquet"


@pytest.mark.parametrize(
    "changed",
    [
        {"code": "2b"},
        {"libraries": {"torch": "3.0"}},
        {"inputs": {"probes.parquet": "1f", "maps.safetensors": "3d"}},
    ],
    ids=["code", "library", "maps"],
)
def test_what_changed_and_answers_the_same_asks_a_sample_and_no_more(path, changed, caplog):
    assert len(run(path)) == 300
    first = run(path, **changed)
    assert LEAST <= len(first) <= LEAST + 2
    assert {0, 299} <= {*first}
    assert "changed, but the stored answers are taken" in caplog.text
    assert run(path, **changed) == []
    noted = json.loads(pq.read_schema(path).metadata[b"relprobe"])["checked"]
    assert noted["asked"] == len(first)
    assert noted["former"] == {next(iter(changed)): ["2e"] if "inputs" in changed else OLD[next(iter(changed))]}
    other = run(path, **{**changed, "code": "4d"})
    assert {*other} != {*first}  # each change is looked at in other answers


def test_another_name_of_an_input_and_another_way_of_computing_change_nothing(path):
    run(path)
    assert run(path, **{"inputs": {"probes.parquet": "9z", "map.safetensors": "2e"}, "path": "plain"}) == []


def test_two_of_a_hundred_are_asked_of_many(path):
    run(path, 3000)
    assert SHARE * 3000 <= len(run(path, 3000, code="2b")) <= SHARE * 3000 + 2


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_other_answers_are_not_taken_and_the_sentence_shows_one(path, caplog, dtype):
    check = Check(Comparison(dtype))
    run(path)
    asked = run(path, code="2b", change=lambda _, logprobs: [logprobs[1], logprobs[0], -3.0], check=check)
    assert asked[-300:] == [*range(300)]
    assert "cannot be taken, and all questions are asked again: code changed, and of Request(id='" in caplog.text
    assert "logprobs: -1 was stored, and -2" in caplog.text
    assert run(path, code="2b") == []


@pytest.mark.parametrize(
    ("dtype", "difference", "taken"),
    [
        ("float32", 6e-6, True),  # another library for products
        ("float32", 5e-4, True),
        ("float32", 5e-3, False),
        ("bfloat16", 0.1, True),
        ("bfloat16", 0.5, False),
        ("float16", 0.02, True),
        ("float16", 0.2, False),
    ],
)
def test_what_rounding_makes_of_answers_is_no_change(path, dtype, difference, taken):
    noise = random.Random(1)

    def rounded(_, logprobs):
        return [one + noise.choice([-1, 1]) * difference for one in logprobs]

    check = Check(Comparison(dtype))
    run(path, dtype=dtype, check=check)
    assert (len(run(path, code="2b", change=rounded, dtype=dtype, check=check)) < 300) == taken


def test_a_token_at_the_end_of_a_list_may_change_places_with_the_next_one(path):
    run(path)

    def near(number, logprobs):
        return [*logprobs[:2], -3.0005]

    class Near(Engine):
        def __call__(self, requests):
            for name, ids, logprobs in super().__call__(requests):
                yield name, [*ids[:2], 3000], logprobs

    engine = Near(near)
    requests = [Request(str(number)) for number in range(300)]
    write_in_parts(requests, engine, table, ABOUT | {"code": "2b"}, path, size=50, apart=["probes"], reuse=True)
    assert len(engine.ids) <= LEAST + 2


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.2])
def test_a_change_of_some_answers_is_missed_as_often_as_was_worked_out(tmp_path, share):
    """Of 300 answers, `share` change; a sample of n that is drawn evenly misses them in (1 - share)^n of all changes."""
    missed, tries, draw = 0, 60, random.Random(2)
    first = tmp_path / "first" / "scores.parquet"
    run(first)
    for number in range(tries):
        path = tmp_path / str(number) / "scores.parquet"
        shutil.copytree(first.parent, path.parent)
        changed = {*draw.sample(range(300), round(300 * share))}
        asked = run(
            path, code=str(number), change=lambda one, _, changed=changed: [-1.0 - (one in changed), -2.5, -3.0]
        )
        missed += len(asked) < 300
    expected = (1 - share) ** (LEAST + 2)
    spread = math.sqrt(expected * (1 - expected) / tries)
    assert missed / tries <= expected + 3 * spread


def test_answers_that_are_drawn_are_judged_by_the_fixed_texts_alone(path):
    fixed = [{"token_ids": [1, 2], "logprobs": [-1.0, -2.0]}] * 10
    other = [{"token_ids": [1, 2], "logprobs": [-1.5, -2.0]}] * 10
    run(path, check=Check(fixed=lambda: fixed, drawn=True))
    again = {"change": lambda _, logprobs: [-2.0, *logprobs[1:]]}
    assert run(path, code="2b", check=Check(fixed=lambda: fixed, drawn=True), **again) == []
    assert run(path, code="3c", check=Check(fixed=lambda: other, drawn=True), **again) == [*range(300)]


def test_the_fixed_texts_find_a_change_that_no_stored_answer_of_the_job_shows(path):
    fixed = [{"token_ids": [1, 2], "logprobs": [-1.0, -2.0]}] * 10
    run(path, check=Check(fixed=lambda: fixed))
    other = [{**fixed[0], "logprobs": [-1.01, -2.0]}, *fixed[1:]]
    assert len(run(path, code="2b", check=Check(fixed=lambda: fixed))) < 300
    assert run(path, code="3c", check=Check(fixed=lambda: other))[-300:] == [*range(300)]


@pytest.mark.parametrize("kept", [False, True])
def test_without_fixed_answers_before_or_now_a_sample_alone_is_compared(path, kept):
    """As after a job that was killed before it kept them."""
    with_texts = Check(fixed=lambda: [{"token_ids": [1], "logprobs": [-1.0]}] * 10)
    run(path, check=with_texts if kept else Check())
    asked = run(path, code="2b", check=Check() if kept else with_texts)
    assert LEAST <= len(asked) <= LEAST + 2
    assert json.loads(pq.read_schema(path).metadata[b"relprobe"])["checked"]["asked"] == len(asked)


def test_columns_that_are_no_answer_are_not_compared(path):
    unread = Check(Comparison(unread=["logprobs"]))
    run(path)
    assert len(run(path, code="2b", change=lambda *_: [-9.0, -9.5, -10.0], check=unread)) <= LEAST + 2


@pytest.mark.parametrize("same", [True, False])
def test_what_a_killed_job_has_left_is_checked_too(path, same):
    def stop(number, logprobs):
        if number == 199:
            raise KeyboardInterrupt
        return logprobs

    with pytest.raises(KeyboardInterrupt):
        run(path, change=stop)
    asked = run(path, code="2b", change=lambda _, logprobs: logprobs if same else [-1.1, *logprobs[1:]])
    assert len([one for one in {*asked} if one < 150]) <= LEAST + 2 if same else {*asked} == {*range(300)}


def first_form(path):
    """Make the store of a job that has ended one of form 1, whose folder and questions were named by the code."""
    folder = next(one for one in folder_of(path).iterdir() if one.is_dir())
    about = {key: value for key, value in ABOUT.items() if key != "kind"}
    about["inputs"] = {"maps.safetensors": "2e"}
    about["model_files"] = {**about["model_files"], "LICENSE.txt": "7c"}
    (folder / DEPENDS).write_text(json.dumps(about))
    (folder / GUARD).unlink()
    folder.rename(folder.with_name("aaaaaaaaaaaa"))


@pytest.mark.parametrize("same", [True, False])
def test_the_answers_of_an_earlier_version_are_taken_after_a_check(path, same, caplog):
    engine = Engine()
    requests = [Request(str(number)) for number in range(300)]
    options = {"size": 50, "apart": ["probes"], "reuse": True}
    write_in_parts(requests, engine, table, ABOUT, path, key=repr, **options)
    first_form(path)
    asked = run(path, change=lambda _, logprobs: logprobs if same else [-5.0, *logprobs[1:]])
    assert len(asked) <= LEAST + 2 if same else asked[-300:] == [*range(300)]
    assert run(path) == []


def test_of_two_stores_of_an_earlier_version_the_newer_one_is_taken(path):
    run(path)
    first_form(path)
    root = folder_of(path)
    shutil.copytree(root / "aaaaaaaaaaaa", root / "000000000000")
    shutil.copytree(root / "aaaaaaaaaaaa", root / "bbbbbbbbbbbb")
    for name, moment in (("000000000000", 1e9), ("aaaaaaaaaaaa", 3e9), ("bbbbbbbbbbbb", 2e9)):
        os.utime(root / name / DEPENDS, (moment, moment))
    depends = json.loads((root / "aaaaaaaaaaaa" / DEPENDS).read_text())
    assert [folder.name for folder in store._form_1_folders(root, store.dependencies(depends))] == [
        *("aaaaaaaaaaaa", "bbbbbbbbbbbb", "000000000000"),
    ]


def test_answers_about_words_are_not_taken_from_an_earlier_version(path):
    """It had words as files, whose bytes may have changed. What else answers depend on beside files, it did not store."""
    run(path)
    first_form(path)
    root = folder_of(path)
    depends = store.dependencies(json.loads((root / "aaaaaaaaaaaa" / DEPENDS).read_text())) | {"kind": "odd"}
    for key, found in (("frames", [root / "aaaaaaaaaaaa"]), ("words", [])):
        assert list(store._form_1_folders(root, {**depends, "beside": {key: "4a"}})) == found


def test_the_store_of_a_newer_version_is_refused_with_the_remedy(path):
    run(path)
    file = next(folder_of(path).glob(f"*/{GUARD}"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "form": 3}))
    with pytest.raises(
        ModelError, match="was written by a newer version of relprobe: use that version here, or delete"
    ):
        run(path)
    assert len(list(folder_of(path).glob("*/*.arrow"))) == 6


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"guard": 3}'])
def test_a_damaged_record_of_a_store_is_refused_with_the_remedy(path, damage):
    run(path)
    next(folder_of(path).glob(f"*/{GUARD}")).write_text(damage)
    with pytest.raises(ModelError, match=r"guard\.json is damaged, .*: delete its folder, and all are asked again"):
        run(path)


def test_a_question_is_told_by_its_values_and_not_by_the_names_of_code():
    @dataclass(frozen=True)
    class Probe:
        name: str
        wordings: tuple
        since: str = ""

    @dataclass(frozen=True)
    class Wording:
        text: str
        share: float = 1.0

    probe = SlotProbe("x", (Variant("a [V]", 0.5), Variant("an [V]", 0.5)))
    assert question(probe) == question(Probe("x", (Wording("a [V]", 0.5), Wording("an [V]", 0.5))))
    different = [
        probe,
        SlotProbe("y", probe.variants),
        SlotProbe("x", probe.variants[:1]),
        SlotProbe("x", (Variant("a [V]", 0.25), Variant("an [V]", 0.75))),
        Continuation("x", "a [V]", ("b", "c")),
        Continuation("x", "a [V]", ("b, c",)),
        Sentence("x", "a"),
        Sentence("x", "a", "b"),
    ]
    assert len({question(one) for one in different}) == len(different)


def test_fields_at_the_end_that_have_their_own_default_are_no_part_of_a_question():
    @dataclass(frozen=True)
    class Asked:
        name: str = "a"
        number: int = 1
        more: str = "b"

    cases = [Asked(), Asked("x"), Asked("x", 2), Asked("x", 2, "y"), Asked(more="y"), Asked("a", 1, "a"), Asked("b")]
    assert [question(one) for one in cases] == [
        *("()", "('x',)", "('x', 2)", "('x', 2, 'y')", "('a', 1, 'y')", "('a', 1, 'a')", "('b',)")
    ]
    assert question(Sentence("x", "a")) == "('x', 'a')"
    assert question([1, (2.5, None)]) == "(1, (2.5, None))"


def test_answers_of_which_none_can_be_asked_again_are_not_taken():
    assert _result([], Comparison()) == CheckResult(0, 0.0, "none of them can be asked again")


def test_a_fixed_text_that_a_model_cannot_take_has_no_answer():
    """Of 12 tokens the ten likeliest are kept, the last of the vocabulary first."""

    def slot(name, text):
        if name == TEXTS[1]:
            raise ProbeError("it is too long")
        return text

    logprobs = torch.arange(-12.0, 0.0)
    model = SimpleNamespace(
        encoder=SimpleNamespace(slot=slot), states=lambda queries: queries, log_probs=lambda states: logprobs[None]
    )
    first, second, *_ = fixed_answers(model)
    assert first == {"token_ids": [*range(11, 1, -1)], "logprobs": [-1.0 * number for number in range(1, 11)]}
    assert (second, LISTED) == ({}, 10)
