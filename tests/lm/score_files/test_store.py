"""Stored answers: only what is new is asked, a change of anything else asks all again, and damage is noticed."""

import logging
import os
import random
import shutil
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from relprobe.core.errors import DataError, ModelError
from relprobe.lm.score_files import store as store_module
from relprobe.lm.score_files.answers import (
    QUESTION,
    Index,
    number_of,
    read_rows,
    seconds_in,
    whole_files,
    write_answers,
)
from relprobe.lm.score_files.cleaning import drop_unasked, merge, summary
from relprobe.lm.score_files.parts import write_in_parts
from relprobe.lm.score_files.store import ASKED, GUARD, Store, dependencies, digest_of, folder_of, guard_of

from tests.lm.score_files.scorers import Request, Scorer, table


def run(path, ids, about="model", size=3, stop_at=None, kill_at=None, **options):
    """Write the scores of requests with these ids, and return the ids that were asked."""
    scorer = Scorer(stop_at=stop_at, kill_at=kill_at)
    requests = [Request(str(i)) for i in ids]
    options = {"reuse": True, **options}
    write_in_parts(requests, scorer, table, {"about": about}, path, size=size, **options)
    assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in ids]
    return [int(one) for one in scorer.ids]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.parquet"


def test_only_what_is_new_is_asked_and_the_order_is_that_of_the_requests(path, caplog):
    caplog.set_level(logging.INFO, logger="relprobe")
    assert run(path, range(10)) == list(range(10))
    path.unlink()  # as Snakemake does
    assert run(path, [20, 9, 8, 21, 0, 1, 2, 22, 23, 5]) == [20, 21, 22, 23]
    assert "6 questions were stored, and 4 were asked" in caplog.messages
    assert run(path, [*range(10), *range(20, 24)]) == []


def test_any_order_of_stored_and_new_questions_is_written(path):
    moments = random.Random(1)
    known = set()
    for _ in range(30):
        ids = moments.sample(range(60), moments.randint(0, 40))
        assert run(path, ids, size=moments.choice([1, 3, 7])) == [i for i in ids if i not in known]
        known |= set(ids)


def test_a_change_of_what_answers_depend_on_asks_everything_and_says_what_it_was(path, caplog):
    caplog.set_level(logging.INFO, logger="relprobe")
    run(path, range(5))
    assert run(path, range(5), about="other") == list(range(5))
    assert "none of the stored answers can be taken, as this has changed: about" in caplog.text
    assert run(path, range(5)) == []  # back to the first


def test_without_reuse_nothing_is_taken_and_nothing_stays(path):
    run(path, range(5))
    assert run(path, range(5), reuse=False) == list(range(5))
    assert not folder_of(path).exists()


@pytest.mark.parametrize("reuse", [True, False])
@pytest.mark.parametrize("at", [0, 2, 3, 10, 13])
def test_a_killed_job_leaves_what_the_next_one_takes_and_the_bytes_are_the_same(tmp_path, path, reuse, at):
    other = tmp_path / "undisturbed" / path.name
    for file in (path, other):
        if reuse:
            run(file, [1, 4, 5, 12])
    batches = []
    with pytest.raises(KeyboardInterrupt):
        run(path, range(14), stop_at=str(at), reuse=reuse)
    assert not path.is_file() or reuse
    batches += [run(path, range(14), reuse=reuse)]
    everything = run(other, range(14), reuse=reuse)
    assert batches[0] == everything[-len(batches[0]) :]
    assert len(batches[0]) == len(everything) - everything.index(at) // 3 * 3
    assert path.read_bytes() == other.read_bytes()


def test_a_question_that_comes_twice_is_asked_once_and_answered_twice(path):
    asked = []
    for ids in ([1, 1, 2, 3, 1, 4], [4, 1, 1, 5]):
        scorer = Scorer()
        requests = [Request(str(i)) for i in ids]
        write_in_parts(requests, scorer, table, {}, path, size=4, reuse=True)
        assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in ids]
        asked += scorer.ids
    assert asked == ["1", "2", "3", "4", "5"]


def test_two_jobs_never_write_one_store(path):
    """The second job is refused before it touches anything, and the first one ends as if there had been none."""
    refused = []

    def answer(requests):
        for request in requests:
            if request.id == "4":
                with pytest.raises(
                    ModelError, match=f"in use by process {os.getpid()} on .*two jobs must not"
                ) as caught:
                    run(path, range(10))
                refused.append(caught.value)
            yield request.id

    write_in_parts([Request(str(i)) for i in range(10)], answer, table, {"about": "model"}, path, size=3, reuse=True)
    assert len(refused) == 1
    assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in range(10)]
    assert run(path, range(10)) == []


def test_a_killed_job_locks_nobody_out(path):
    work = f"run(pathlib.Path({str(path)!r}), range(9), kill_at='7')"
    done = subprocess.run(
        [sys.executable, "-c", f"import pathlib\nfrom tests.lm.score_files.test_store import run\n{work}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert run(path, range(9)) in ([6, 7, 8], [3, 4, 5, 6, 7, 8])  # the second group may not have been stored yet


@pytest.mark.parametrize(
    ("key", "changed", "said"),
    [
        ("model_files", {"model.safetensors": "9z", "tokenizer.json": "2b"}, "model_files.model.safetensors"),
        ("model_files", {"model.safetensors": "1a", "tokenizer.json": "9z"}, "model_files.tokenizer.json"),
        ("type", "causal", "type"),
        ("special_tokens", [[0], []], "special_tokens"),
        ("context", "a cat is a ", "context"),
        ("closing", "answer:", "closing"),
        ("dtype", "bfloat16", "dtype"),
        ("kind", "layers", "kind"),
        ("beside", {"words": "9z"}, "beside.words"),
        ("settings", {"top_k": 6, "shots": 2}, "settings.top_k"),
        ("settings", {"top_k": 5, "shots": 2, "ends": True}, "settings.ends"),
        ("server", {"name": "other", "server": "vllm 1.0"}, "server"),
    ],
)
def test_a_change_of_what_is_asked_takes_nothing_and_the_log_names_it(path, caplog, key, changed, said):
    caplog.set_level(logging.INFO, logger="relprobe")
    about = {
        "inputs": {"probes.parquet": "1f", "words.parquet": "2e"},
        "settings": {"top_k": 5, "shots": 2},
        "libraries": {"torch": "2.9"},
        "code": "1a2b3c",
        "model_files": {"model.safetensors": "1a", "tokenizer.json": "2b"},
        "type": "masked",
        "special_tokens": [[0], [1]],
        "context": "",
        "closing": "",
        "dtype": "float32",
        "path": "packed",
        "kind": "scores",
        "beside": {"words": "1a"},
    }

    def asked(depends):
        scorer = Scorer()
        write_in_parts([Request("1"), Request("2")], scorer, table, depends, path, apart=["probes"], reuse=True)
        return scorer.ids

    assert asked(about) == ["1", "2"]
    other_questions = {
        "inputs": {"probes.parquet": "9z", "words.parquet": "2e"},
        "settings": {"top_k": 5, "shots": 3, "ends": False, "layers": None},
    }
    assert asked(about | other_questions) == []
    assert asked(about | {"path": "plain"}) == []
    assert asked(about | {key: changed}) == ["1", "2"]
    assert f"none of the stored answers can be taken, as this has changed: {said}\n" in caplog.text


def test_another_prompt_file_after_a_kill_takes_what_the_killed_job_has_left(path):
    with pytest.raises(KeyboardInterrupt):
        run(path, range(10), stop_at="7")
    assert run(path, [0, 50, 2, 3, 9]) == [50, 9]


def test_a_damaged_file_is_dropped_with_a_sentence_and_asked_again(path, caplog):
    run(path, range(10))
    file = sorted(folder_of(path).glob("*/*.arrow"))[1]
    content = file.read_bytes()
    file.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    assert run(path, range(10)) == [3, 4, 5]
    assert f"{file} is damaged: it is deleted, and its questions are asked again" in caplog.text


def test_an_answer_of_several_rows_is_one_question(path):
    def twice(ids):
        return table([one for one in ids for _ in range(2)])

    for ids in ([1, 2, 3], [3, 1, 4]):
        scorer = Scorer()
        write_in_parts([Request(str(i)) for i in ids], scorer, twice, {}, path, reuse=True)
        assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in ids for _ in range(2)]
    assert scorer.ids == ["4"]


OLD = {"model_files": {"model.safetensors": "1a"}, "inputs": {"old.parquet": "2e"}, "settings": {"top_k": 5}}
PLACES = [
    ("relations/scores/old", "relations/scores/new-2.1"),
    ("relations/scores/one", "relations/answers/one"),
    ("degrees/scores/pmi/one", "degrees/candidates/one"),
    ("degrees/candidates/one", "degrees/scores/pmi/one"),
]


def asked_elsewhere(results, about, old, new, known=True):
    """What is asked for a score file after four questions were asked for another one; the lexicon was called old, too."""
    scorers = Scorer(), Scorer()
    options = {"apart": ["probes"], "reuse": True, "size": 3}
    for number, name, what in ((0, old, OLD), (1, new, about)):
        path = results / f"{name}.parquet"
        requests = [Request(str(i)) for i in range(6 if number else 4)]
        write_in_parts(requests, scorers[number], table, what, path, results=results if known else None, **options)
        assert pq.read_table(path)["id"].to_pylist() == [one.id for one in requests]
    return [int(one) for one in scorers[1].ids]


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({}, [4, 5]),
        ({"model_files": {"model.safetensors": "9z"}}, list(range(6))),
        ({"kind": "others"}, list(range(6))),
        ({"settings": {"top_k": 6}}, list(range(6))),
    ],
    ids=["the same", "other weights", "another kind", "other settings"],
)
@pytest.mark.parametrize(("old", "new"), PLACES, ids=["agent", "rule", "up", "down"])
def test_a_score_file_that_was_renamed_or_moved_takes_what_it_has_and_no_other_answers(
    tmp_path, old, new, changed, asked
):
    about = {**OLD, "inputs": {"new.parquet": "2e"}} | changed
    assert asked_elsewhere(tmp_path, about, old, new) == asked
    assert asked_elsewhere(tmp_path, about, old, new) == []  # its own store has all
    folder_of(tmp_path / f"{old}.parquet").rename(tmp_path / "gone")  # as `relprobe store --drop` deletes it
    assert asked_elsewhere(tmp_path, about, old, new) == []


def test_a_store_that_is_no_new_one_takes_nothing_over(tmp_path):
    assert asked_elsewhere(tmp_path, OLD, *PLACES[0], known=False) == list(range(6))
    assert asked_elsewhere(tmp_path, {**OLD, "type": "masked"}, *PLACES[0]) == list(range(6))
    assert asked_elsewhere(tmp_path, {**OLD, "type": "causal"}, *PLACES[1]) == list(range(6))
    assert asked_elsewhere(tmp_path, OLD, *PLACES[1]) == list(range(6))  # which the other one has


@pytest.mark.parametrize("name", ["_is_of_model", "_record_in", "link_or_copy"])
def test_a_store_that_its_own_job_deletes_at_this_moment_is_not_taken_over(name, tmp_path, monkeypatch):
    witness = [{"token_ids": [1, 2], "logprobs": [-0.5, -1.0]}]
    old = Store(tmp_path / "a/b/old.parquet", OLD, witness)
    old.add(table(["1"]), [digest_of("'1'")], 0.0)
    real = getattr(store_module, name)

    def deletes(*arguments):
        shutil.rmtree(old.root, ignore_errors=True)
        return real(*arguments)

    monkeypatch.setattr(store_module, name, deletes)
    new = Store(tmp_path / "a/b/new.parquet", OLD, witness, results=tmp_path)
    assert new.find(digest_of("'1'")) is None
    new.add(table(["1"]), [digest_of("'1'")], 0.0)
    assert Store(tmp_path / "a/b/new.parquet", OLD, witness).find(digest_of("'1'")) is not None


def test_a_damaged_record_of_another_store_is_named(tmp_path):
    old = Store(tmp_path / "a/b/old.parquet", OLD)
    old.add(table(["1"]), [digest_of("'1'")], 0.0)
    (old.folder / GUARD).write_text("[]")
    with pytest.raises(ModelError, match=r"old\.parquet\.store/.* is damaged, so that nobody knows which code"):
        Store(tmp_path / "a/b/new.parquet", OLD, results=tmp_path)


def test_what_another_served_model_has_answered_is_not_taken_over(tmp_path):
    witness = [{"token_ids": [1, 2], "logprobs": [-0.5, -1.0]}]
    other = [{"token_ids": [3, 4], "logprobs": [-0.1, -3.0]}]
    Store(tmp_path / "a/b/old.parquet", OLD, witness).add(table(["1"]), [digest_of("'1'")], 0.0)
    for said, found in ((witness, True), (other, False)):
        store = Store(tmp_path / f"a/b/new{found}.parquet", OLD, said, results=tmp_path)
        assert (store.find(digest_of("'1'")) is not None) == found


def test_what_shapes_the_questions_is_no_dependency_of_the_answers():
    about = {
        "inputs": {"probes.parquet": "1", "words.parquet": "2"},
        "settings": {"shots": 3, "k": 1},
        "sent": {"a": 1},
    }
    other = {
        "inputs": {"probes.parquet": "3", "words.parquet": "2"},
        "settings": {"shots": 2, "k": 1},
        "sent": {"b": 1},
    }
    assert dependencies(about) == dependencies(other)
    assert guard_of(about, ["probes"]) == guard_of(other, ["probes"])
    assert dependencies({**about, "settings": {"k": 2}}) != dependencies(about)
    for changed in ({"inputs": {"words.parquet": "3"}}, {"code": "1f"}, {"libraries": {"torch": "3.0"}}):
        assert dependencies({**about, **changed}) == dependencies(about)
        assert guard_of({**about, **changed}, ["probes"]) != guard_of(about, ["probes"])


def test_answers_of_another_served_model_are_not_mixed_in(path, caplog):
    """What a killed job has left is refused; what a finished one has stored is dropped."""
    one, other = ([{"token_ids": [7], "logprobs": [-value]}] for value in (1.0, 3.0))

    def served(witness, stop_at=None):
        scorer = Scorer(stop_at)
        requests = [Request(str(i)) for i in range(5)]
        write_in_parts(requests, scorer, table, {"witness": witness}, path, size=2, reuse=True)
        return scorer.ids

    with pytest.raises(KeyboardInterrupt):
        served(one, stop_at="4")
    with pytest.raises(ModelError, match="holds scores of another model"):
        served(other)
    assert served(one) == ["4"]
    assert len(served(other)) == 5
    assert "the server has another model than the one whose answers were stored" in caplog.text
    assert [file.name for file in folder_of(path).glob(f"*/{ASKED}")] == [ASKED]


def test_answers_under_the_same_dependencies_are_found_whatever_their_order(tmp_path):
    scores = tmp_path / "m.parquet"
    one, other = {"model": "m", "code": "c"}, {"code": "c", "model": "m"}
    folders = {store_module._folder_under(folder_of(scores), depends) for depends in (one, other)}
    assert len(folders) == 1
    assert store_module._folder_under(folder_of(scores), {"model": "m", "code": "d"}) not in folders


def test_files_of_single_answers_become_one_with_a_number_of_its_own(tmp_path):
    """The last file has an answer to a further question, and a column that the first, of an earlier version, lacks."""
    for number, (name, columns) in enumerate((("a", {}), ("b", {"more": ["x"]})), 4):
        question = pa.array([name.encode() * 16], pa.binary(16))
        write_answers(pa.table({QUESTION: question, "id": [name], **columns}), tmp_path, number)
    merge(tmp_path)
    (file,) = whole_files(tmp_path)
    assert number_of(file) == 6
    assert read_rows(file).select(["id", "more"]).to_pylist() == [{"id": "a", "more": None}, {"id": "b", "more": "x"}]
    assert seconds_in(file) == 0  # a job that goes on here knows of no time that these took
    merge(tmp_path)  # of a single file nothing is to be merged
    assert whole_files(tmp_path) == [file]


def test_answers_under_one_guard_are_taken_over_from_all_places_and_those_under_another_one_are_passed_over(tmp_path):
    """The guard is that of the first place: of four, the second has another one."""
    for place, guard in enumerate("XYXX"):
        name = str(place)
        store = Store(tmp_path / f"a/b/old{place}.parquet", OLD, guard={"code": guard})
        store.add(table([name]), [digest_of(repr(name))], 0.0)
    new = Store(tmp_path / "a/b/new.parquet", OLD, results=tmp_path)
    assert [new.find(digest_of(repr(str(place)))) is not None for place in range(4)] == [True, False, True, True]


def test_the_answers_that_the_last_job_did_not_ask_for_are_deleted_and_all_others_stay(path):
    """The first file has 0, 1 and 2, of which two are asked for, the second 3, 4 and 5, and the third 6 and 7."""
    run(path, range(8))
    path.unlink()
    run(path, [0, 2, 6, 7])
    root = folder_of(path)
    assert summary(root) == (8, 4)
    (folder,) = (file for file in root.iterdir() if file.is_dir())
    whole = whole_files(folder)[2]
    drop_unasked(root)
    assert summary(root) == (4, 0)
    assert whole_files(folder)[-1] == whole  # a file of which all is needed is left as it is
    path.unlink()
    assert run(path, range(8)) == [1, 3, 4, 5]


def test_what_a_killed_job_has_left_is_kept_as_long_as_none_has_ended(path):
    Store(path, {"model": "m"}).add(table(["1"]), [digest_of("'1'")], 0.0)
    drop_unasked(folder_of(path))
    assert summary(folder_of(path)) == (1, 0)


def test_a_damaged_list_of_what_was_asked_deletes_no_answer_and_is_named(path):
    run(path, range(4))
    file = next(folder_of(path).glob(f"*/{ASKED}"))
    file.write_bytes(file.read_bytes()[:-3])
    for use in (drop_unasked, summary):
        with pytest.raises(
            DataError, match=r"asked is damaged: delete it; all answers are kept until a job asks again\."
        ):
            use(folder_of(path))
    file.unlink()
    drop_unasked(folder_of(path))
    assert summary(folder_of(path)) == (4, 0)


def test_of_answers_in_two_files_the_first_is_found():
    """As a job that was killed while it made one file of all may leave them; each answer has one row or two."""
    distinct = np.random.default_rng(1).integers(0, 2**63, (200, 2)).astype(np.uint64)
    first, second = np.repeat(distinct, [1, 2] * 100, axis=0), distinct[::-1]
    index = Index([first, second])
    found = [index.find(digest.tobytes()) for digest in distinct]
    starts = [3 * (number // 2) + number % 2 for number in range(200)]
    assert found == [(0, start, start + 1 + number % 2) for number, start in enumerate(starts)]
    later = Index([first[:3], second])
    assert [later.find(digest.tobytes()) for digest in distinct[:3]] == [(0, 0, 1), (0, 1, 3), (1, 197, 198)]
    assert later.find(bytes(16)) is None
