"""Score files are whole and in order, and a job that stopped at any request continues where it was."""

import contextlib
import gc
import io
import itertools
import re
import shutil
import threading
import time
from collections import namedtuple
from dataclasses import replace
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.errors import DataError
from relprobe.core.manifest import write_manifest
from relprobe.core.progress import Progress
from relprobe.core.step import Call
from relprobe.lm.primitives.threads import prefetch, prefetching
from relprobe.lm.score_files import parts as parts_module
from relprobe.lm.score_files.pace import Pace
from relprobe.lm.score_files.parts import PART, Scoring, made_of, part_size, provenance, write_in_parts
from relprobe.lm.score_files.plan import NEW, groups
from relprobe.lm.score_files.store import digest_of
from relprobe.lm.settings import CLIENT, ModelSettings

from tests.lm.architectures import model
from tests.lm.score_files.scorers import SCHEMA, Request, Scorer, parts, table


def run(path, count=10, about="model", scorer=None):
    scorer = scorer or Scorer()
    write_in_parts((Request(str(i)) for i in range(count)), scorer, table, {"about": about}, path, size=3)
    return scorer.ids


def stop(path, at, about="model"):
    """Run a job that is killed at a request."""
    with pytest.raises(KeyboardInterrupt):
        run(path, about=about, scorer=Scorer(stop_at=at))


def test_the_file_holds_all_responses_in_order_and_nothing_else_stays(tmp_path):
    path = tmp_path / "scores.parquet"
    run(path)
    scores = pq.read_table(path)
    assert scores["id"].to_pylist() == [str(i) for i in range(10)]
    assert scores["word"].to_pylist()[:4] == [["bird"], ["robin"], ["wall"], ["bird"]]
    assert scores.schema.equals(SCHEMA)
    assert b'"about": "model"' in scores.schema.metadata[b"relprobe"]
    assert list(tmp_path.iterdir()) == [path]


def test_no_requests_make_an_empty_file(tmp_path):
    run(tmp_path / "s.parquet", count=0)
    assert pq.read_table(tmp_path / "s.parquet").num_rows == 0


@pytest.mark.parametrize(("at", "again"), [("2", 10), ("3", 7), ("8", 4), ("9", 1)])
def test_a_stopped_job_continues_after_its_last_whole_part(tmp_path, at, again):
    path = tmp_path / "scores.parquet"
    stop(path, at)
    assert not path.exists()
    assert len(run(path)) == again
    whole = tmp_path / "whole.parquet"
    run(whole)
    assert pq.read_table(path).equals(pq.read_table(whole))


def test_answers_without_room_on_the_disk_end_the_job_after_the_first_of_them(tmp_path, monkeypatch, caplog):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, 10_000))
    scorer, path = Scorer(), tmp_path / "x.parquet"

    def write():
        requests = [Request(str(i)) for i in range(1000)]
        write_in_parts(requests, scorer, table, {}, path, size=10, progress=Progress(len(requests), "probes"))

    with pytest.raises(DataError, match=r"the answers to 990 more probes take \d+\.\d kB on the disk of .*free some"):
        write()
    assert len(scorer.ids) <= 30  # groups are computed ahead
    assert not path.exists()
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, 1e9))
    caplog.set_level("INFO")
    write()
    assert pq.read_metadata(path).num_rows == 1000
    assert f"wrote {path}" in caplog.messages


@pytest.mark.parametrize(("stored", "size"), [(0, 2 * 64 * 200), (5, (64 + 59) * 100), (200, 64 * 1000 / 205)])
def test_what_is_left_to_answer_is_written_once_and_what_is_new_twice(stored, size, tmp_path, monkeypatch):
    """Of 100 requests 20 are answered, the last 10 in a group with 5 new and 3 stored answers: 80 · 8/10 answers are left.

    Of these, all but as many as had been stored are new. The store has 1,000 bytes.
    """
    asked = []
    monkeypatch.setattr(parts_module, "require_disk", lambda what, size, *_, **__: asked.append((what, size)))
    (tmp_path / "a.arrow").write_bytes(bytes(1000))
    store = SimpleNamespace(root=tmp_path, folder=tmp_path)
    writing = parts_module._Writing(None, store, None, None, None, stored=stored, written=10)
    group = SimpleNamespace(requests=[None] * 5, stored=3, count=10)
    writing._require_room(Progress(100, "probes"), group)
    assert asked == [(f"{tmp_path}: the answers to 80 more probes", pytest.approx(size))]


@pytest.mark.parametrize("earlier", ["ended", "refused"])
def test_a_later_job_without_room_on_the_disk_ends_after_its_first_new_answers(earlier, tmp_path, monkeypatch):
    """Also where the store has answers: of a job that ended well, and of one that had no room either."""
    usage = namedtuple("usage", "total used free")
    path = tmp_path / "x.parquet"

    def write(count, free):
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, free))
        scorer = Scorer()
        requests = [Request(str(i)) for i in range(count)]
        try:
            write_in_parts(
                requests, scorer, table, {}, path, size=10, reuse=True, progress=Progress(len(requests), "probes")
            )
        except DataError as error:
            return len(scorer.ids), str(error)
        return len(scorer.ids), ""

    if earlier == "ended":
        assert write(100, 1e9) == (100, "")
    else:
        assert "the answers to 990 more probes take" in write(1000, 10_000)[1]
    before = path.read_bytes() if path.exists() else b""
    asked, said = write(1000, 10_000)
    assert re.search(r"the answers to \d+ more probes take \d+\.\d kB on the disk of .*free some", said)
    assert asked <= 30  # groups are computed ahead
    assert before == (path.read_bytes() if path.exists() else b"")
    assert write(1000, 1e9)[1] == ""
    assert pq.read_metadata(path).num_rows == 1000
    # With all but ten stored, the rows of the score file alone need room, and those that are stored are not counted twice.
    folder = next(folder for folder in tmp_path.glob(".x.parquet.store/*") if folder.is_dir())
    stored = sum(file.stat().st_size for file in folder.glob("*.arrow"))
    assert write(1010, 1.5 * stored) == (10, "")


def test_parts_of_another_model_are_computed_again(tmp_path):
    path = tmp_path / "scores.parquet"
    stop(path, "9")
    assert len(run(path, about="another model")) == 10


def test_a_part_is_handed_over_before_the_part_before_it_is_computed(tmp_path):
    """So a primitive encodes the inputs of a part ahead, while the network computes the part before it."""
    steps = []

    def answer(requests):
        ids = [request.id for request in requests]
        steps.append(f"get {ids[0]}")
        return ((name == ids[0] and steps.append(f"compute {name}")) or name for name in ids)

    write_in_parts([Request(str(i)) for i in range(6)], answer, table, {}, tmp_path / "s.parquet", size=2)
    assert steps == ["get 0", "get 2", "compute 0", "get 4", "compute 2", "compute 4"]


def test_a_part_is_written_while_the_next_one_is_computed(tmp_path):
    computing, written = threading.Event(), threading.Event()

    def answer(requests):
        for request in requests:
            if request.id == "3":
                computing.set()
                assert written.wait(10)
            yield request.id

    def slow_table(ids):
        if ids[0] == "0":
            assert computing.wait(10)
            written.set()
        return table(ids)

    path = tmp_path / "s.parquet"
    write_in_parts([Request(str(i)) for i in range(9)], answer, slow_table, {}, path, size=3)
    assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in range(9)]


def failing(function, at, error):
    """Return the function, which raises an error when its argument begins with this request or id."""

    def call(values):
        values = list(values)
        if values and getattr(values[0], "id", values[0]) == at:
            raise error
        return function(values)

    return call


@pytest.mark.parametrize("at", ["0", "3", "6", "9"])
def test_an_error_of_a_thread_is_raised_as_itself_and_the_job_continues_later(tmp_path, at):
    path, error = tmp_path / "s.parquet", OSError(28, "No space left on device")
    requests = [Request(str(i)) for i in range(10)]
    with pytest.raises(OSError, match="No space left") as raised:
        write_in_parts(requests, Scorer(), failing(table, at, error), {"about": "model"}, path, size=3)
    assert raised.value is error
    assert not path.exists()
    assert [file.stem[:6] for file in parts(path)[: int(at) // 3]] == [f"{i:06}" for i in range(int(at) // 3)]
    assert run(path)[0] == at
    assert pq.read_table(path)["id"].to_pylist() == [str(i) for i in range(10)]


def test_of_two_errors_the_one_of_the_earlier_part_is_raised_and_names_the_other(tmp_path):
    writing, computing = OSError(28, "No space left on device"), RuntimeError("a defect")
    answer = failing(lambda requests: (request.id for request in requests), "3", computing)
    lazy = lambda requests: (one for one in answer(requests))  # noqa: E731
    with pytest.raises(OSError, match="No space left") as raised:
        write_in_parts(
            [Request(str(i)) for i in range(6)],
            lambda requests: itertools.chain.from_iterable(map(lazy, [list(requests)])),
            failing(table, "0", writing),
            {},
            tmp_path / "s.parquet",
            size=3,
        )
    assert raised.value.__context__ is computing


def test_an_error_of_the_requests_comes_after_the_parts_before_it(tmp_path):
    path = tmp_path / "s.parquet"

    def requests():
        yield from (Request(str(i)) for i in range(7))
        raise ValueError("a damaged table of probes")

    with pytest.raises(ValueError, match="a damaged table of probes"):
        write_in_parts(requests(), Scorer(), table, {"about": "model"}, path, size=3)
    assert not path.exists()
    assert run(path)[0] in ("3", "6")  # the last whole part had been handed over, but not computed


def test_no_thread_is_left(tmp_path):
    before = threading.active_count()
    run(tmp_path / "s.parquet")
    stop(tmp_path / "other.parquet", "5")
    gc.collect()
    assert wait_until(lambda: threading.active_count() <= before)


def wait_until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


@pytest.mark.parametrize("items", [3, 0])
def test_items_that_nobody_takes_leave_no_thread(items):
    before = threading.active_count()
    unused = prefetch(range(items))
    del unused
    gc.collect()
    assert wait_until(lambda: threading.active_count() <= before)


def test_nobody_waits_for_the_thread_of_items_that_are_collected_as_garbage():
    """Python collects garbage also while it starts a thread, and holds what the end of another thread needs: a deadlock."""
    made, closing, goes_on = blocked_items(prefetch)
    closing.start()
    closing.join(5)
    assert not closing.is_alive()
    goes_on.set()
    assert list(made) == []


def test_no_item_is_made_after_the_block_that_they_are_made_for():
    before = threading.active_count()
    with contextlib.ExitStack() as stack:
        _, _, goes_on = blocked_items(lambda items: stack.enter_context(prefetching(items)))
        threading.Timer(0.1, goes_on.set).start()
    assert goes_on.is_set()
    assert wait_until(lambda: threading.active_count() <= before)


def blocked_items(make):
    """Items whose second one is not ready, a thread that closes them, and what the second one waits for."""
    goes_on, begun = threading.Event(), threading.Event()

    def items():
        yield 1
        begun.set()
        assert goes_on.wait(60)
        yield 2

    made = make(items())
    assert next(made) == 1
    assert begun.wait(60)
    return made, threading.Thread(target=made.close), goes_on


def test_an_error_of_items_that_are_made_ahead_comes_after_the_items_before_it():
    def items():
        yield 1
        raise KeyboardInterrupt

    made = prefetch(items())
    assert next(made) == 1
    with pytest.raises(KeyboardInterrupt):
        next(made)


@pytest.mark.parametrize("keep", [0, 1, 40, -1])
def test_a_truncated_part_is_computed_again(tmp_path, keep):
    path = tmp_path / "scores.parquet"
    stop(path, "9")
    file = parts(path)[1]
    file.write_bytes(file.read_bytes()[:keep])
    assert run(path) == ["3", "4", "5", "9"]


def test_a_part_with_a_flipped_byte_is_computed_again(tmp_path):
    left = tmp_path / "stopped.parquet"
    stop(left, "9")
    good = parts(left)[0].read_bytes()
    for at in range(0, len(good), 29):
        path = tmp_path / f"{at}.parquet"
        shutil.copytree(parts(left)[0].parents[1], tmp_path / f".{path.name}.store")
        parts(path)[0].write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        assert run(path) == ["0", "1", "2", "9"], at


@pytest.fixture
def files(tmp_path):
    """Return a folder with the manifest of a model and a file of probes."""
    (tmp_path / "model").mkdir()
    write_manifest(tmp_path / "model")
    (tmp_path / "probes.parquet").write_bytes(b"probes")
    return tmp_path


def about(scorer, files, **settings):
    model = SimpleNamespace(model=files / "model.json", encoder=scorer.encoder, server=None, format="float32")
    return provenance(model, [files / "probes.parquet"], "1f2e03", **settings)


def test_after_a_change_of_the_settings_no_part_is_used_again(files):
    """A job that was killed before its `context` or `bos` was edited must not use its old responses."""
    scorer = model("llama")
    encoder = scorer.encoder
    encoders = [
        encoder,
        replace(encoder, context="a cat is a kind of animal. "),
        replace(encoder, before=()),
        replace(encoder, after=(1,)),
        replace(encoder, closing=" answer:"),
        replace(encoder, masked=True),
    ]
    ways = [about(replace(scorer, encoder=one), files, k=5) for one in encoders]
    for number, (before, after) in enumerate(itertools.permutations(ways, 2)):
        path = files / f"{number}.parquet"
        stop(path, "9", about=before)
        assert len(run(path, about=after)) == 10
    again = files / "again.parquet"
    stop(again, "9", about=ways[0])
    assert len(run(again, about=about(scorer, files, k=5))) == 1


def test_parts_of_other_code_are_computed_again(files):
    path, inputs = files / "scores.parquet", [files / "probes.parquet"]
    before, after = made_of(inputs, "1f2e03", k=5), made_of(inputs, "4a5b06", k=5)
    stop(path, "9", about=before)
    assert len(run(path, about=after)) == 10
    stop(path, "9", about=before)
    assert len(run(path, about=before)) == 1


def test_the_provenance_of_a_model_has_what_made_of_says(files):
    model_facts = about(model("llama"), files, k=5)
    file_facts = made_of([files / "probes.parquet"], "1f2e03", k=5)
    assert {key: model_facts[key] for key in file_facts} == file_facts
    assert set(model_facts) - set(file_facts) == {
        "model_files",
        "type",
        "special_tokens",
        "tokens",
        "context",
        "closing",
        "dtype",
    }


def test_made_of_tells_inputs_code_settings_and_libraries_apart(files, monkeypatch):
    inputs = files / "probes.parquet"
    before = made_of([inputs], "1f2e03", layer=1)
    assert made_of([inputs], "1f2e03", layer=2) != before
    assert made_of([inputs], "4a5b06", layer=1) != before
    inputs.write_bytes(b"others")
    assert made_of([inputs], "1f2e03", layer=1) != before
    inputs.write_bytes(b"probes")
    assert made_of([inputs], "1f2e03", layer=1) == before
    monkeypatch.setattr(parts_module.importlib.metadata, "version", lambda name: f"{name} of tomorrow")
    assert made_of([inputs], "1f2e03", layer=1) != before


def facts_of_size(parameters, device):
    """Return a network of that many parameters that takes no memory."""
    net = torch.nn.Module()
    weight = torch.empty(parameters, device="meta")
    net.weight = torch.nn.Parameter(weight)
    if device == "cuda":
        net.parameters = lambda: [type("Weight", (), {"device": torch.device("cuda"), "numel": weight.numel})()]
    return net


@pytest.mark.parametrize(
    ("parameters", "device", "size"),
    [
        (30_000_000, "cpu", PART),
        (60_000_000, "cpu", PART // 2),
        (7_000_000_000, "cpu", 17),  # 4096 · 30 / 7000
        (7_000_000_000, "cuda", 4 * PART),
    ],
)
def test_the_parts_of_a_large_model_on_a_cpu_are_small(parameters, device, size):
    assert part_size(facts_of_size(parameters, device)) == size


def test_a_part_has_at_least_one_request():
    assert part_size(facts_of_size(10**12, "cpu"), 128) == 1


def test_the_requests_of_a_step_may_be_made_anew_at_each_call(files, tmp_path, monkeypatch):
    followed = []
    monkeypatch.setattr(parts_module, "Progress", lambda total, what: followed.append((total, what)))
    numbers = [Request(str(number)) for number in range(5)]
    settings = LoadedSettings(files / "model.json", "causal")
    for name, requests in (("list", numbers), ("made", lambda: iter(numbers))):
        scoring = Scoring(
            "numbers", settings, requests, lambda _, part: Scorer()(part), table, "numbers", part=2, count=5
        )
        scoring.write(tmp_path / f"{name}.parquet", Call("relprobe.lm.words.model_lexicon.list_tokens", [], {}))
    assert followed == [(5, "numbers")] * 2
    assert pq.read_table(tmp_path / "made.parquet").equals(pq.read_table(tmp_path / "list.parquet"))
    assert pq.read_table(tmp_path / "list.parquet").num_rows == 5


def test_the_first_groups_of_a_step_are_eight_times_smaller(files, tmp_path):
    sizes = []

    def answer(_, part):
        part = list(part)
        sizes.append(len(part))
        return Scorer()(part)

    settings = LoadedSettings(files / "model.json", "causal")
    numbers = [Request(str(number)) for number in range(30)]
    call = Call("relprobe.lm.words.model_lexicon.list_tokens", [], {})
    Scoring("numbers", settings, numbers, answer, table, "numbers", part=16).write(tmp_path / "s.parquet", call)
    assert sizes == [2, 2, 2, 16, 8]


def test_a_request_of_several_questions_is_asked_in_parts_and_its_rows_are_joined(tmp_path):
    """What an earlier job has asked is not asked again, and nor is a word that comes twice in a request."""

    def join(rows, requests):
        words = iter(rows["id"].to_pylist())
        joined = [[next(words) for _ in request.id.split()] for request in requests]
        return pa.table({"ids": pa.array(joined, pa.list_(pa.string())), "of": [request.id for request in requests]})

    def asked(split, *ids):
        scorer, path = Scorer(), tmp_path / "scores.parquet"
        write_in_parts([Request(i) for i in ids], scorer, table, {}, path, 2, join=join, split=split, reuse=True)
        assert pq.read_table(path)["of"].to_pylist() == list(ids)
        assert pq.read_table(path)["ids"].to_pylist() == [i.split() for i in ids]
        return scorer.ids

    words = lambda request: [Request(word) for word in request.id.split()]  # noqa: E731
    assert asked(words, "1 2", "3", "4 5 6", "7") == [*"1234567"]
    assert asked(words, "8 8", "5 2") == ["8"]
    assert asked(None, "8", "9") == ["9"]  # a request of one question is joined with its rows, too
    assert asked(words) == []


def stored_of(*numbers):
    """A store that answers these numbers, each in its row of the file 0."""
    known = {digest_of(str(number)): (0, number, number + 1) for number in numbers}
    return SimpleNamespace(find=known.get, has_old_questions=False)


def test_groups_are_bounded_where_most_questions_are_stored():
    """A group has four new questions at most, reaches over 16 requests from the first of them, or has 4 stored ones."""
    digests = io.BytesIO()

    def counts(new):
        store = stored_of(*(number for number in range(40) if number not in new))
        made = list(groups(range(40), str, store, digests, Pace(4)))
        assert [one for group in made for one in group.requests] == [number for number in range(40) if number in new]
        return [group.count for group in made]

    assert counts({}) == [4] * 10
    assert counts({0}) == [16, *[4] * 6]
    assert counts({3}) == [3 + 16, *[4] * 5, 1]
    assert counts({0, 1, 2, 3, 5}) == [4, 1 + 16, *[4] * 4, 3]
    assert digests.getvalue() == b"".join(digest_of(str(number)) for number in range(40)) * 4


def test_answers_that_follow_one_another_in_a_file_are_one_piece():
    (group,) = groups([5, 6, 7, 1, 2, 9, 1, 8], str, stored_of(1, 2, 5, 6, 7), io.BytesIO(), Pace(10))
    assert group.pieces == [(0, 5, 8), (0, 1, 3), (NEW, 0, 1), (0, 1, 2), (NEW, 1, 2)]
    assert (group.requests, group.stored, group.count, group.joined) == ([9, 8], 6, 8, [])


class LoadedSettings(ModelSettings):
    """Settings whose model is in memory."""

    loads = 0

    @property
    def encoder(self):
        return model("llama").encoder

    format = "float32"

    def load_network(self):
        type(self).loads += 1
        return model("llama")


def test_the_answers_of_a_server_depend_on_the_code_that_asks_it(files, monkeypatch):
    """This code is imported by name, so that the step's own code does not show it."""
    codes = []
    monkeypatch.setattr(parts_module, "provenance", lambda _, files, code: codes.append(code) or {})
    monkeypatch.setattr(parts_module, "write_in_parts", lambda *_, **__: None)
    call = Call("relprobe.studies.relations.scoring.scores", [], {})
    for server in (None, {"endpoint": "http://127.0.0.1:9/v1"}):
        settings = LoadedSettings(files / "model.json", "causal", server=server)
        settings.__dict__["_model"] = model("llama")
        Scoring("numbers", settings, [], Scorer(), table, "numbers").write(files / "scores.parquet", call)
    assert codes == [call.code, call.code_with(CLIENT)]
    assert len(set(codes)) == 2
