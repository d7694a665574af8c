import pytest
from relprobe.lm import resources


@pytest.mark.parametrize(
    ("device", "there", "used"),
    [("auto", True, True), ("cuda:1", True, True), ("cpu", True, False), ("auto", False, False)],
)
def test_a_gpu_of_this_machine_is_used_unless_the_device_is_the_cpu(device, there, used, tmp_path, monkeypatch):
    driver = tmp_path / "nvidia0"
    if there:
        driver.touch()
    monkeypatch.setattr(resources, "GPU_FILES", (tmp_path / "kfd", driver))
    assert resources.gpu_is_used(device) is used


def test_a_job_of_several_networks_has_their_minutes_but_begins_once():
    assert resources.minutes(1e9, gpu=False) == 60 + 120
    assert resources.minutes(1e9, gpu=False, networks=3) == 60 + 3 * 120
    assert resources.minutes(1e9, gpu=True, attempt=2, networks=3) == 2 * (30 + 3 * 2)


@pytest.mark.parametrize(
    ("parameters", "cores", "threads"),
    [(1e8, 1, 1), (1e8, 2, 1), (1e8, 3, 1), (1e8, 4, 2), (1e8, 99, 8), (1e8, None, 8), (5e8, 4, 8), (4.99e8, 4, 2)],
)
def test_a_small_model_has_half_of_the_cores_and_one_at_least(parameters, cores, threads):
    assert resources.threads(parameters, cores) == threads


def test_a_second_attempt_has_twice_as_much():
    """Three gigabytes for libraries; weights lie there twice on a CPU, and one shard of ten gigabytes twice on a GPU."""
    assert resources.memory_mb(1e9, "float32", gpu=False) == 3000 + 8000
    assert resources.memory_mb(1e9, "float16", gpu=False, attempt=2) == 2 * (3000 + 4000)
    assert resources.memory_mb(2e9, "float32", gpu=True) == 3000 + 16000
    assert resources.memory_mb(1e10, "float16", gpu=True, attempt=3) == 3 * (3000 + 20000)
    assert resources.memory_mb(1e9, "float32", gpu=True, untrained=True) == 3000 + 8000 + 4000
    assert [resources.weight_bytes(parameters) for parameters in (2.5e9, 3e9)] == [10e9, 6e9]
    assert resources.conversion_mb(1e9, 2) == 2 * (3000 + 6000)
    assert resources.served_minutes(3) == 3 * 480
