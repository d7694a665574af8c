"""What has no room is refused, and the limits of memory are found where systems write them."""

from collections import namedtuple

import pytest
from relprobe.core import room
from relprobe.core.errors import SourceError


def test_the_memory_is_that_of_a_limit_below_the_machines(monkeypatch):
    monkeypatch.setattr("resource.getrlimit", lambda _: (10**9, 10**8))  # what counts is the first, the soft limit
    assert room.memory() == 1e9
    monkeypatch.setattr("resource.getrlimit", lambda _: (-1, -1))
    assert room.memory() > 1e9


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("0::/slurm/job_7/step_0", "slurm/job_7/memory.max"),
        ("0::/slurm/job_7/step_0", "slurm/job_7/step_0/memory.max"),
        ("0::/elsewhere/than/mounted", "memory.max"),
        ("4:memory:/slurm/uid_1/job_7", "memory/slurm/uid_1/job_7/memory.limit_in_bytes"),
        ("4:cpu,memory:/slurm/job_7", "memory/slurm/memory.limit_in_bytes"),
    ],
)
def test_the_limit_of_a_job_or_of_a_group_above_it_counts(line, file, tmp_path, monkeypatch):
    groups = tmp_path / "groups"
    groups.write_text(f"3:pids:/other\n{line}\n")
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("5000000\n")
    monkeypatch.setattr(room, "GROUPS", groups)
    monkeypatch.setattr(room, "MOUNTED", tmp_path)
    assert list(room.group_limits()) == [5e6]
    assert room.memory() == 5e6
    (tmp_path / file).write_text("max\n")
    assert list(room.group_limits()) == []


def test_the_limits_of_all_groups_count_and_none_above_the_folder_of_the_groups(tmp_path, monkeypatch):
    mounted = tmp_path / "cgroup"
    (mounted / "slurm").mkdir(parents=True)
    for folder, limit in ((tmp_path, "3000000"), (mounted, "5000000"), (mounted / "slurm", "4000000")):
        (folder / "memory.max").write_text(limit)
    (tmp_path / "groups").write_text("0::/slurm\n")
    monkeypatch.setattr(room, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(room, "MOUNTED", mounted)
    assert list(room.group_limits()) == [4e6, 5e6]


def test_a_system_without_groups_has_no_limit_of_them(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "GROUPS", tmp_path / "none")
    assert list(room.group_limits()) == []


def test_what_can_be_put_on_the_disk_is_read_from_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MEMINFO", tmp_path / "meminfo")
    assert room.swap() == 0
    (tmp_path / "meminfo").write_text("MemTotal:  16000000 kB\nSwapTotal:   2000000 kB\nSwapFree:  1000000 kB\n")
    assert room.swap() == 2_048_000_000
    (tmp_path / "meminfo").write_text("MemTotal:  16000000 kB\n")
    assert room.swap() == 0


@pytest.mark.parametrize(
    ("size", "words"),
    [(1e9, "1.0 GB"), (999e6, "999.0 MB"), (1e6, "1.0 MB"), (999_000, "999.0 kB"), (2.5e12, "2,500.0 GB")],
)
def test_a_size_is_in_the_unit_below_it(size, words):
    assert room.size_in_words(size) == words


def test_what_has_no_room_on_the_disk_is_named_with_the_remedy(tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda folder: usage(10, 8, 2e9))
    room.require_disk("models.m", 2e9, tmp_path / "not/yet")
    with pytest.raises(SourceError) as caught:
        room.require_disk("models.m", 2.5e9, tmp_path / "not/yet", SourceError)
    assert str(caught.value) == (
        f"models.m takes 2.5 GB on the disk of {tmp_path}, and 2.0 GB are free: free some space, or use another disk."
    )
