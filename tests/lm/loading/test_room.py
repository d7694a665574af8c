"""A model that has no room, or that may not be read, is refused in one sentence before it is fetched or loaded."""

import json
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
import torch
from huggingface_hub.errors import DryRunError, GatedRepoError, HfHubHTTPError, RepositoryNotFoundError
from relprobe.core.errors import ModelError, SourceError
from relprobe.core.room import SCORES_HERE
from relprobe.lm.loading import room
from relprobe.lm.loading.load import load
from relprobe.lm.loading.snapshot import adapter_snapshot, snapshot

from tests.large import without_room
from tests.lm.loading.test_snapshot import save

ENTRY = {"huggingface": "org/name", "revision": "main"}
Usage = namedtuple("Usage", "total used free")


class Hub:
    """A hub of one model: its weights take so many bytes, and are counted by their formats where it says them."""

    def __init__(self, monkeypatch, size, formats=None, cached=False):
        self.downloads = 0
        self.size, self.cached = size, cached
        counted = None if formats is None else SimpleNamespace(parameters=formats)
        monkeypatch.setattr("huggingface_hub.snapshot_download", self.download)
        monkeypatch.setattr("huggingface_hub.model_info", lambda *_, **__: SimpleNamespace(safetensors=counted))

    def download(self, *_, dry_run=False, **__):
        if dry_run:
            file = SimpleNamespace(filename="model.safetensors", file_size=self.size, will_download=not self.cached)
            return [file, SimpleNamespace(filename="config.json", file_size=None, will_download=True)]
        self.downloads += 1
        raise DryRunError("the download begins")


def refused(tmp_path):
    with pytest.raises((SourceError, ModelError)) as caught:
        snapshot("models.m", ENTRY, tmp_path / "m")
    assert not (tmp_path / "m").exists()
    return str(caught.value)


def test_a_model_without_room_on_the_disk_is_not_downloaded(tmp_path, monkeypatch):
    hub = Hub(monkeypatch, 140e9)
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, 12e9))
    assert refused(tmp_path).startswith("models.m: org/name takes 140.0 GB on the disk of ")
    assert hub.downloads == 0
    hub.cached = True
    assert "cannot be fetched" in refused(tmp_path)
    assert hub.downloads == 1


@pytest.mark.parametrize(
    ("size", "formats", "least"),
    [
        (140e9, {"BF16": 70e9}, "140.0 GB"),
        (140e9, {"F32": 35e9}, "70.0 GB"),
        (40e9, {"I32": 8e9, "BF16": 2e9}, "8.0 GB"),
        (140e9, None, "70.0 GB"),
    ],
)
def test_a_model_without_room_in_memory_is_not_downloaded_where_it_would_be_asked(
    size, formats, least, tmp_path, monkeypatch
):
    hub = Hub(monkeypatch, size, formats)
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, 1e15))
    monkeypatch.setattr(room, "most", lambda: 4e9)
    monkeypatch.setenv(SCORES_HERE, "1")
    assert refused(tmp_path) == (
        f"models.m: org/name takes at least {least} of memory, and 4.0 GB are there: {room.REMEDY}."
    )
    assert hub.downloads == 0
    monkeypatch.delenv(SCORES_HERE)  # it is asked on other machines
    refused(tmp_path)
    assert hub.downloads == 1


def answers(status):
    return httpx2.Response(status, request=httpx2.Request("GET", "https://huggingface.co/org/name"))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            GatedRepoError("gated", response=answers(403)),
            "org/name is gated, and its owners have not let you in: ask them",
        ),
        (
            RepositoryNotFoundError("none", response=answers(401)),
            "Hugging Face has no org/name at revision main that you",
        ),
        (HfHubHTTPError("token", response=answers(401)), "does not let you read org/name with your token: log in anew"),
        (HfHubHTTPError("busy", response=answers(503)), "org/name cannot be fetched from Hugging Face"),
        (DryRunError("offline"), "org/name cannot be fetched from Hugging Face"),
        (json.JSONDecodeError("Expecting value", "<html>", 0), "answers is no answer of Hugging Face (Expecting value"),
        (
            TypeError("string indices must be integers"),
            "is no answer of Hugging Face (string indices must be integers)",
        ),
    ],
    ids=["gated", "private or wrong", "token", "busy", "offline", "page to log in", "other JSON"],
)
def test_a_model_that_may_not_be_read_is_refused_before_a_file_comes(error, sentence, tmp_path, monkeypatch):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr("huggingface_hub.snapshot_download", fails)
    assert sentence in refused(tmp_path)
    with pytest.raises(SourceError) as caught:
        adapter_snapshot("models.m.peft", ENTRY, tmp_path / "base.json", tmp_path / "a")
    assert sentence in str(caught.value)


def test_weights_of_this_machine_that_have_no_room_are_refused_before_they_are_read(tmp_path, monkeypatch):
    source = without_room(save("llama", tmp_path / "source"))
    with pytest.raises(
        ModelError, match=r"source takes at least \S+ [MGk]B of memory, and \S+ [MGk]B are there: choose a"
    ):
        load(source, masked=False, dtype=torch.float32)
    monkeypatch.setenv(SCORES_HERE, "1")
    with pytest.raises(ModelError, match=r"^models\.m takes at least \S+ [MGk]B of memory, and \S+ [MGk]B are there"):
        snapshot("models.m", {"path": str(source)}, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_file_that_cannot_be_mapped_into_memory_is_named(tmp_path, monkeypatch):
    def fails(*_):
        raise RuntimeError("unable to mmap 200 bytes from file <x>: Cannot allocate memory (12)")

    source = save("llama", tmp_path / "source")
    monkeypatch.setattr("safetensors.safe_open", fails)
    with pytest.raises(ModelError, match=r"model\.safetensors takes \S+ [MGk]B, which have no room in memory \(unable"):
        load(source, masked=False)


def test_the_room_is_that_of_the_place_where_weights_are_loaded(monkeypatch):
    monkeypatch.setattr(room, "main_memory", lambda: 8.0)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr(
        "torch.cuda.get_device_properties",
        lambda place: SimpleNamespace(total_memory=80 if place in (0, "cuda:0") else 40),
    )
    assert room.room_on(None) == room.room_on({"": "cpu"}) == 8
    assert [room.room_on({"": place}) for place in ("cuda:0", "cuda:1")] == [80, 40]
    assert room.room_on("auto") == room.room_on({"a": "cuda:0", "b": "cpu"}) == 128


@pytest.mark.parametrize(
    ("formats", "least"),
    [(None, 50), ({"F32": 10, "I8": 10, "BF16": 1}, 27), ({"F64": 10, "F16": 10}, 40), ({"F32": 1000}, 100), ({}, 0)],
)
def test_the_least_memory_of_weights_at_hugging_face(monkeypatch, formats, least):
    """Plain numbers take two bytes at least, quantised ones half a byte, and no more than they take there."""
    Hub(monkeypatch, 0, formats)
    assert room.least_at_hub(ENTRY, 100) == least


def test_files_that_come_need_disk_and_weights_need_memory(monkeypatch):
    asked, seen, here = [], [], SimpleNamespace(scores=True, most=100.0)
    files = [("a.safetensors", 60, True), ("b.bin", 40, False), ("c.json", 7, True), ("d.model", None, True)]
    listed = [SimpleNamespace(filename=name, file_size=size, will_download=comes) for name, size, comes in files]
    monkeypatch.setattr(
        "huggingface_hub.snapshot_download", lambda *given, **named: seen.append((given, named)) or listed
    )
    monkeypatch.setattr(room, "require_disk", lambda *given: asked.append(given))
    monkeypatch.setattr(room, "least_at_hub", lambda entry, stored: stored)
    monkeypatch.setattr(room, "scores_here", lambda: here.scores)
    monkeypatch.setattr(room, "most", lambda: here.most)
    for here.scores, here.most in ((True, 100.0), (False, 99.0)):
        room.require_for_download("models.m", ENTRY, ["*.json"])
        assert asked.pop() == ("models.m: org/name", 67, Path(room.HF_HUB_CACHE), SourceError)
    assert seen[0] == (("org/name",), {"revision": "main", "allow_patterns": ["*.json"], "dry_run": True})
    here.scores = True
    with pytest.raises(SourceError, match=r"models\.m: org/name takes at least"):
        room.require_for_download("models.m", ENTRY, ["*.json"])
    del listed[:2]
    monkeypatch.setattr(room, "least_at_hub", lambda *_: pytest.fail("without weights there is nothing to ask for"))
    room.require_for_download("models.m", ENTRY, ["*.json"])


@pytest.mark.parametrize(
    ("dtype", "quantised", "size"),
    [
        *((torch.float32, False, 40), (torch.float16, False, 20), ("bfloat16", False, 20), ("float32", False, 40)),
        *(("auto", False, 20), (None, False, 20), (torch.float32, True, 30)),
    ],
)
def test_the_memory_of_ten_weights_by_their_format(tmp_path, monkeypatch, dtype, quantised, size):
    (tmp_path / "model.safetensors").write_bytes(b"x" * 30)
    config = {"quantization_config": {"quant_method": "fp8"}} if quantised else {}
    (tmp_path / "config.json").write_text(json.dumps(config))
    monkeypatch.setattr(room, "count_parameters", lambda folder, config: 10)
    monkeypatch.setattr(room, "room_on", lambda device_map: float(size))
    room.require_memory(tmp_path, dtype, None)
    monkeypatch.setattr(room, "room_on", lambda device_map: size - 1.0)
    with pytest.raises(ModelError, match="takes at least"):
        room.require_memory(tmp_path, dtype, None)
    assert room.least_of(tmp_path) == (30 if quantised else 20)
    monkeypatch.setattr(room, "scores_here", lambda: True)
    monkeypatch.setattr(room, "most", lambda: room.least_of(tmp_path))
    room.require_here("models.m", tmp_path)
    monkeypatch.setattr(room, "count_parameters", lambda folder, config: 100)
    assert room.least_of(tmp_path) == 30


def test_all_memory_is_that_of_all_gpus_and_main_memory_with_swap(monkeypatch):
    monkeypatch.setattr(room, "memory", lambda: 5.0)
    monkeypatch.setattr(room, "swap", lambda: 3.0)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda place: SimpleNamespace(total_memory=[80, 40][place]))
    assert (room.main_memory(), room.most()) == (8, 128)
