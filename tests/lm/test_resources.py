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
