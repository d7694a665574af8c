"""Two jobs of one user do not share a GPU."""

import subprocess
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from filelock import FileLock, Timeout
from relprobe.core.errors import ConfigError
from relprobe.lm.network.devices import _lock_file, claim, claim_all, set_up_gpus, unless_out_of_memory

HOLD = (
    "import sys, filelock; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print(flush=True); sys.stdin.read()"
)


@pytest.fixture(autouse=True)
def two_gpus(monkeypatch, tmp_path):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda index: SimpleNamespace(uuid=f"gpu-{index}"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))


@contextmanager
def another_job_on(index):
    command = [sys.executable, "-c", HOLD, str(_lock_file(index))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
        job.stdout.readline()
        yield job.stdin.close


def test_the_cpu_needs_no_lock():
    assert claim("cpu") == ("cpu", ())


def test_auto_takes_the_first_free_gpu():
    with another_job_on(0):
        device, (lock,) = claim("auto")
        assert device == "cuda:1"
        assert lock.is_locked
    assert claim("auto")[0] == "cuda:0"


def test_a_job_waits_for_its_gpu(caplog):
    caplog.set_level("INFO")
    with another_job_on(1) as finish:
        threading.Timer(0.3, finish).start()
        assert claim("cuda:1")[1][0].is_locked
    assert "waiting for another job to release GPU 1" in caplog.text


def test_auto_waits_for_the_gpu_that_is_free_first(caplog, monkeypatch):
    caplog.set_level("INFO")
    monkeypatch.setattr("relprobe.lm.network.devices.LOGGED", 0.1)
    with another_job_on(0), another_job_on(1) as finish:
        threading.Timer(0.5, finish).start()
        assert claim("auto")[0] == "cuda:1"
    lines = [line for line in caplog.messages if line.startswith("waiting for another job to release a GPU, for ")]
    assert len(lines) >= 2  # a job that waits goes on saying so
    assert "relprobe-" in lines[0]  # the lock's file, whose holder a user can look up


def test_two_jobs_of_one_machine_get_a_gpu_each():
    """As Snakemake starts them with `--resources gpu=2`: each is a process, and both hold their GPU at the same time."""
    with another_job_on(0):
        second, locks = claim("auto")
        with pytest.raises(Timeout):
            FileLock(_lock_file(1)).acquire(timeout=0)
    assert second == "cuda:1"
    locks[0].release()


def test_a_gpu_convolves_in_float32_and_attends_without_plans_for_each_shape():
    convolution, before = torch.backends.cudnn.conv, torch.backends.cudnn.conv.fp32_precision
    assert before == "tf32"  # torch's default
    assert torch.backends.cuda.cudnn_sdp_enabled()  # torch's default
    try:
        set_up_gpus()
        assert convolution.fp32_precision == "ieee"
        assert torch.get_float32_matmul_precision() == "highest"
        assert not torch.backends.cuda.cudnn_sdp_enabled()
    finally:
        convolution.fp32_precision = before
        torch.backends.cuda.enable_cudnn_sdp(True)


def test_one_process_may_have_two_models_on_a_gpu():
    assert claim("cuda:0")[1] == claim("cuda:0")[1]


def test_a_model_over_all_gpus_locks_them_all():
    assert [lock.is_locked for lock in claim_all()] == [True, True]


def test_all_gpus_are_locked_in_one_order_whatever_their_numbers(monkeypatch):
    """The numbers depend on CUDA_VISIBLE_DEVICES, by which two jobs could wait for each other."""
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda index: SimpleNamespace(uuid=f"gpu-{1 - index}"))
    assert [lock.lock_file for lock in claim_all()] == [str(_lock_file(1)), str(_lock_file(0))]


@pytest.mark.parametrize(("device", "index"), [("cuda", 0), ("cuda:0", 0), ("cuda:1", 1)])
def test_a_gpu_is_locked_by_its_number_and_without_one_it_is_the_first(device, index):
    name, (lock,) = claim(device)
    assert (name, lock.lock_file) == (device, str(_lock_file(index)))


@pytest.mark.parametrize(("count", "device"), [(2, "cuda:2"), (2, "cuda:7"), (1, "cuda:1"), (0, "cuda"), (0, "cuda:0")])
def test_a_gpu_that_is_not_there_is_refused(monkeypatch, count, device):
    monkeypatch.setattr("torch.cuda.is_available", lambda: count > 0)
    monkeypatch.setattr("torch.cuda.device_count", lambda: count)
    with pytest.raises(ConfigError, match=f"the device '{device}' is asked for, but torch sees {count} GPUs here"):
        claim(device)


def test_what_is_no_device_is_refused_and_one_of_another_kind_needs_no_lock():
    with pytest.raises(ConfigError, match="'gpu' is no device: use auto, cpu, cuda or, of several GPUs, cuda:0"):
        claim("gpu")
    assert claim("meta") == ("meta", ())
    assert claim("cuda:1")[1][0].is_locked  # the last of two


def test_memory_of_a_gpu_that_has_run_out_is_freed_and_other_errors_are_raised(monkeypatch):
    freed = []
    monkeypatch.setattr("torch.cuda.empty_cache", lambda: freed.append("cuda"))

    def fail(error):
        raise error

    for device, expected in (("cpu", []), ("cuda", ["cuda"])):
        for error in (ValueError("no"), RuntimeError("no")):
            with pytest.raises(type(error), match="no"):
                unless_out_of_memory(torch.device(device), fail, error)
        assert unless_out_of_memory(torch.device(device), max, 2, 3) == 3
        assert freed == []
        assert unless_out_of_memory(torch.device(device), fail, torch.OutOfMemoryError("full")) is None
        assert freed == expected
