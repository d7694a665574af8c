"""Score files written in parts: whole, in order, and resumed after a stop at any request."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from relprobe.lm.parts import write_in_parts

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


def stopped(path, at):
    with pytest.raises(KeyboardInterrupt):
        run(path, scorer=Scorer(stop_at=at))


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
