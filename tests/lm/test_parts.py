"""Score files written in parts: whole, in order, and resumed after a stop at any request."""

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from relprobe.core.manifest import write_manifest
from relprobe.lm.score_files import parts as parts_module
from relprobe.lm.score_files.parts import PART, made_of, part_size, provenance, write_in_parts

from tests.lm.architectures import model

SCHEMA = pa.schema([("id", pa.string()), ("word", pa.list_(pa.dictionary(pa.int32(), pa.string())))])
NAMES = pa.array(["bird", "robin", "wall"], pa.string())


@dataclass(frozen=True)
class Asked:
    id: str


class Scorer:
    """Answers each request, counts what it was asked, and stops where it is told to."""

    def __init__(self, stop_at=None):
        self.asked, self.stop_at = [], stop_at

    def __call__(self, requests):
        for request in requests:
            if request.id == self.stop_at:
                raise KeyboardInterrupt
            self.asked.append(request.id)
            yield request.id


def table(ids):
    if not ids:
        return SCHEMA.empty_table()
    numbers = pa.array([int(name) % 3 for name in ids], pa.int32())
    words = pa.ListArray.from_arrays(
        pa.array(range(len(ids) + 1), pa.int32()), pa.DictionaryArray.from_arrays(numbers, NAMES)
    )
    return pa.table([pa.array(ids), words], schema=SCHEMA)


def run(path, count=10, about="model", scorer=None):
    scorer = scorer or Scorer()
    write_in_parts((Asked(str(i)) for i in range(count)), scorer, table, {"about": about}, path, size=3)
    return scorer.asked


def stopped(path, at, about="model"):
    with pytest.raises(KeyboardInterrupt):
        run(path, about=about, scorer=Scorer(stop_at=at))


def parts(path) -> list[Path]:
    return sorted((path.parent / f".{path.name}.parts").glob("*.parquet"))


def test_the_file_holds_all_responses_in_order_and_nothing_else_stays(tmp_path):
    path = tmp_path / "scores.parquet"
    run(path)
    found = pq.read_table(path)
    assert found["id"].to_pylist() == [str(i) for i in range(10)]
    assert found["word"].to_pylist()[:4] == [["bird"], ["robin"], ["wall"], ["bird"]]
    assert found.schema.equals(SCHEMA)
    assert b'"about": "model"' in found.schema.metadata[b"relprobe"]
    assert list(tmp_path.iterdir()) == [path]


def test_no_requests_make_an_empty_file(tmp_path):
    run(tmp_path / "s.parquet", count=0)
    assert pq.read_table(tmp_path / "s.parquet").num_rows == 0


@pytest.mark.parametrize(("at", "again"), [("2", 10), ("3", 7), ("8", 4), ("9", 1)])
def test_a_stopped_job_goes_on_after_the_last_whole_part(tmp_path, at, again):
    path = tmp_path / "scores.parquet"
    stopped(path, at)
    assert not path.exists()
    assert len(run(path)) == again
    whole = tmp_path / "whole.parquet"
    run(whole)
    assert pq.read_table(path).equals(pq.read_table(whole))


def test_parts_of_another_model_or_other_requests_are_made_again(tmp_path):
    path = tmp_path / "scores.parquet"
    stopped(path, "9")
    assert len(run(path, about="another model")) == 10


@pytest.mark.parametrize("keep", [0, 1, 40, -1])
def test_a_truncated_part_is_made_again(tmp_path, keep):
    path = tmp_path / "scores.parquet"
    stopped(path, "9")
    file = parts(path)[1]
    file.write_bytes(file.read_bytes()[:keep])
    assert run(path) == ["3", "4", "5", "9"]


def test_a_part_with_a_flipped_byte_is_never_taken_for_whole(tmp_path):
    path, whole = tmp_path / "scores.parquet", tmp_path / "whole.parquet"
    run(whole)
    stopped(path, "9")
    file = parts(path)[0]
    good = file.read_bytes()
    for at in range(4, len(good), 7):
        file.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        copy = tmp_path / f"{at}.parquet"
        (tmp_path / f".{copy.name}.parts").mkdir()
        (tmp_path / f".{copy.name}.parts" / file.name).write_bytes(file.read_bytes())
        run(copy)
        assert pq.read_table(copy).equals(pq.read_table(whole)), at


@pytest.fixture
def entry(tmp_path):
    (tmp_path / "model").mkdir()
    write_manifest(tmp_path / "model")
    (tmp_path / "probes.parquet").write_bytes(b"probes")
    (tmp_path / "entry.py").write_text("print(1)\n")
    return tmp_path


def about(scorer, entry, **settings):
    return provenance(scorer, entry / "model.json", [entry / "probes.parquet"], entry / "entry.py", **settings)


def test_another_use_of_the_model_leaves_none_of_its_parts(entry):
    """A job that was killed before its `context` or `bos` was edited must not go on with the old answers."""
    scorer = model("llama")
    encoder = scorer.encoder
    used = [
        encoder,
        replace(encoder, context="a cat is a kind of animal. "),
        replace(encoder, before=()),
        replace(encoder, after=(1,)),
        replace(encoder, masked=True),
    ]
    ways = [about(replace(scorer, encoder=one), entry, k=5) for one in used]
    for number, (before, after) in enumerate(itertools.permutations(ways, 2)):
        path = entry / f"{number}.parquet"
        stopped(path, "9", about=before)
        assert len(run(path, about=after)) == 10
    again = entry / "again.parquet"
    stopped(again, "9", about=ways[0])
    assert len(run(again, about=about(scorer, entry, k=5))) == 1


def test_what_a_file_is_made_of_tells_inputs_code_settings_and_libraries_apart(entry, monkeypatch):
    inputs, code = entry / "probes.parquet", entry / "entry.py"
    before = made_of([inputs], code, layer=1)
    assert made_of([inputs], code, layer=2) != before
    inputs.write_bytes(b"others")
    assert made_of([inputs], code, layer=1) != before
    inputs.write_bytes(b"probes")
    code.write_text("print(2)\n")
    assert made_of([inputs], code, layer=1) != before
    code.write_text("print(1)\n")
    assert made_of([inputs], code, layer=1) == before
    monkeypatch.setattr(parts_module.importlib.metadata, "version", lambda name: f"{name} of tomorrow")
    assert made_of([inputs], code, layer=1) != before


def of_size(parameters, device):
    """A network of that many parameters that takes no memory."""
    net = torch.nn.Module()
    weight = torch.empty(parameters, device="meta")
    net.weight = torch.nn.Parameter(weight)
    if device == "cuda":
        net.parameters = lambda: [type("Weight", (), {"device": torch.device("cuda"), "numel": weight.numel})()]
    return net


@pytest.mark.parametrize(
    ("parameters", "device", "size"),
    [
        (150_000_000, "cpu", PART),
        (300_000_000, "cpu", PART // 2),
        (7_000_000_000, "cpu", 87),  # 4096 · 150 / 7000
        (7_000_000_000, "cuda", PART),
    ],
)
def test_the_parts_of_a_large_model_on_a_cpu_are_small(parameters, device, size):
    assert part_size(of_size(parameters, device)) == size


def test_a_part_has_at_least_one_request():
    assert part_size(of_size(10**12, "cpu"), 128) == 1
