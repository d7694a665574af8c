"""What a run costs, by hand: operations, bytes, and which models have room."""

import pytest
from relprobe.command.costs import (
    CORE_FLOPS,
    JOB_S,
    PROBE_BYTES,
    PROBES,
    TOKENS,
    WHOLE,
    Plan,
    disk,
    seconds,
    too_large,
    work,
)

SMALL = {"type": "causal", "size": 1e6}
LARGE = {"type": "causal", "size": 3e6}


def test_a_run_takes_the_operations_of_its_largest_models_and_the_time_of_its_other_jobs():
    plan = {"pairs_scores": 1, "pairs_show": 3, "report_study": 1}
    models = {"small": SMALL, "large": LARGE, "served": {"type": "causal", "size": 9e9, "endpoint": "http://x"}}
    operations = 2 * 3e6 * (10 * TOKENS + 5)  # ten probes with 15 answers: five tokens more
    assert seconds(plan, {"small": SMALL, "large": LARGE}, 2, {"pairs": (10, 15)}) == pytest.approx(
        operations / (2 * CORE_FLOPS) + JOB_S * 4 / 2
    )
    assert seconds({"pairs_scores": 3}, models, 1, {"pairs": (10, 10)}) == pytest.approx(
        2 * (1e6 + 3e6) * 10 * TOKENS / CORE_FLOPS
    )
    assert seconds({"pairs_scores": 1}, {"m": {**SMALL, "type": "masked"}}, 1) == pytest.approx(
        2 * 1e6 * PROBES * TOKENS * WHOLE / CORE_FLOPS
    )
    assert seconds({}, models, 1) == 0


def test_the_disk_holds_weights_that_are_missing_and_scores_twice(tmp_path):
    (tmp_path / "own").mkdir()
    models = {
        "float32": {"type": "causal", "size": 1e6},
        "float16": {"type": "causal", "size": 1e6, "dtype": "float16"},
        "linked": {"type": "causal", "size": 1e6, "path": str(tmp_path / "own")},
        "with-shots": {"type": "causal", "size": 1e6, "model": "float32"},
        "served": {"type": "causal", "size": 1e6, "endpoint": "http://x"},
    }
    assert disk({"models_snapshot": 3}, models, tmp_path) == 4e6 + 2e6
    scored = disk({"pairs_scores": 2, "degrees_scores": 1, "pairs_show": 9}, {}, tmp_path, {"pairs": (10, 99)})
    assert scored == 2 * PROBE_BYTES * (2 * 10 + PROBES)


@pytest.mark.parametrize(
    ("entry", "memory", "gpus", "device", "fits"),
    [
        ({"dtype": "float32"}, 64e9, [4e9], "auto", True),
        ({"dtype": "float32"}, 64e9, [3.9e9], "auto", False),
        ({"dtype": "float16"}, 64e9, [2e9], "auto", True),
        ({"dtype": "float32"}, 64e9, [2e9, 2e9], "auto", False),
        ({"dtype": "float32", "device_map": "auto"}, 64e9, [2e9, 1e9], "auto", True),
        ({"dtype": "float32"}, 1e9, [80e9], "cpu", False),
        ({"dtype": "float32", "endpoint": "http://x"}, 1e9, [], "auto", True),
        ({"dtype": "float32", "endpoint": "http://x", "compare": True}, 1e9, [], "auto", False),
        ({"dtype": "float32", "model": "m"}, 1e9, [], "auto", True),
    ],
)
def test_a_model_of_4_gigabytes_has_room_or_is_named(entry, memory, gpus, device, fits):
    assert (too_large({"m": {"type": "causal", "size": 1e9, **entry}}, memory, gpus, device) == []) is fits


def test_why_results_are_computed_is_said_but_for_a_first_run():
    reasons = {"are not there": ["pairs_scores"]}
    assert list(work(Plan({"pairs_scores": 2, "pairs_show": 1}, reasons))) == [
        "the next run would do 3 jobs, of which 2 run a model"
    ]
    both = list(work(Plan({"pairs_scores": 2}, {**reasons, "have other settings or code": ["pairs_show", "x_y"]})))
    assert both[1:] == [
        "results that are not there: those of pairs_scores, and what follows",
        "results that have other settings or code: those of pairs_show, x_y, and what follows",
    ]
    assert list(work(Plan({}, {}))) == ["the next run has nothing to do: all results are there and up to date"]
