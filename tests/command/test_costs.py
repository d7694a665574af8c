"""What a run costs, by hand: operations, bytes, and which models have room."""

import subprocess
from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.command import costs
from relprobe.command.costs import (
    CORE_FLOPS,
    JOB_S,
    PROBE_BYTES,
    PROBES,
    TOKENS,
    WHOLE,
    Plan,
    disk,
    plan_of,
    seconds,
    too_large,
    work,
)

from tests.command.events import run_of, started

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
        ({"dtype": "float32"}, 64e9, [1e9], "cpu", True),
        ({"dtype": "float32"}, 64e9, [1e9], "cuda", False),
        ({"dtype": "float32"}, 1e9, [80e9], "auto", False),  # it is read into the main memory first
        ({"dtype": "float32"}, 64e9, [1e9, 4e9, 2e9], "auto", True),
        ({"dtype": "float32", "device_map": "auto"}, 1.9e9, [1e9, 1e9], "auto", False),
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


def test_models_without_room_are_named_with_the_largest_first():
    models = {
        name: {"type": "causal", "size": size} for name, size in (("a", 1e9), ("b", 3e12), ("c", 2e12), ("d", 1e6))
    }
    said = too_large(models, 4e9, [])
    assert [sentence.split()[0] for sentence in said] == ["b", "c", "a"]
    assert said[0].startswith("b takes about 12,003 GB")
    assert said[0].endswith(" of memory, and 4 GB are there")
    assert too_large({"m": {"type": "causal"}}, 4e9, []) != []  # of 1 billion parameters, if nothing is said


def test_other_architectures_compute_all_that_a_causal_model_shares():
    """A server computes on another machine, whatever the model; the answers beyond the first are a token each."""
    for kind, times in (("causal", 1), ("masked", WHOLE), ("encoder-decoder", WHOLE)):
        models = {"m": {"type": kind, "size": 1e6}}
        assert seconds({"pairs_scores": 1}, models, 1, {"pairs": (10, 25)}) == pytest.approx(
            2 * 1e6 * (10 * TOKENS + 15) * times / CORE_FLOPS
        )
    assert seconds({"pairs_scores": 1}, {"m": {"type": "masked", "endpoint": "x"}}, 1) == 0


def test_a_plan_counts_jobs_by_rule_and_says_each_reason_once():
    """A job may have several reasons; the target has none, and a rule that is called twice is named once."""
    texts = {
        "Missing output files: a": "are not there",
        "Incomplete output files: a": "were cut off",
        "Updated input files: a": "were computed of other files than are there now",
        "Set of input files has changed since last execution": "were computed of other files than the configuration names",
        "Params have changed since last execution": "have other settings or code",
        "Code has changed since last execution": "have another command",
    }
    for text, reason in texts.items():
        jobs = [
            started(1, "b", reason=text),
            started(2, "a", reason=text),
            started(3, "b", reason=text),
            started(4, "c"),
        ]
        plan = plan_of(run_of(*jobs, started(0, "all", reason=text)))
        assert plan == Plan({"b": 2, "a": 1, "c": 1}, {reason: ["a", "b"]})
    assert plan_of(run_of(started(1, "a", reason="; ".join(texts)))).reasons == {
        reason: ["a"] for reason in texts.values()
    }


def test_what_a_run_would_do_here_is_what_snakemake_plans_or_the_last_that_it_says(monkeypatch):
    asked = []

    def planned(words, variables, **options):
        asked.append((words, variables, options))
        return answer

    monkeypatch.setattr(costs, "dry_run", planned)
    answer = SimpleNamespace(returncode=0, stdout="", stderr=""), run_of(started(1, "pairs_show"))
    assert costs.plan_here({"X": "1"}) == Plan({"pairs_show": 1}, {})
    words, variables, options = asked[0]
    assert words == ["--dry-run", "--quiet", "rules", "--cores", "1"]
    assert (variables, options) == ({"X": "1"}, {"capture_output": True, "timeout": costs.TIMEOUT_S})
    answer = SimpleNamespace(returncode=1, stdout="first\n", stderr="second\nthird\n \n"), run_of()
    assert costs.plan_here({}) == "third"
    answer = SimpleNamespace(returncode=-9, stdout="", stderr=""), run_of()
    assert costs.plan_here({}) == "Snakemake ended with status -9 and said nothing"

    def waits(*_, **__):
        raise subprocess.TimeoutExpired([], 1)

    monkeypatch.setattr(costs, "dry_run", waits)
    assert costs.plan_here({}) == "planning takes more than 300 s"


def test_the_number_of_probes_is_that_of_the_configuration_or_else_of_the_file(tmp_path):
    for study, rows in (("pairs", 3), ("degrees", 2)):
        (tmp_path / study).mkdir()
        pl.DataFrame({"probe_id": ["x"] * rows}).write_parquet(tmp_path / study / "probes.parquet")
    sizes = costs.known_sizes(["pairs", "analogies"], tmp_path, {"relations": (1, 9)})
    assert sizes == {"pairs": (3, 3), "relations": (1, 9)}
    assert costs.known_sizes(["pairs", "degrees"], tmp_path, {"pairs": (7, 8)}) == {"pairs": (7, 8), "degrees": (2, 2)}


def test_a_folder_of_weights_is_linked_and_a_file_is_read_into_another(tmp_path):
    (tmp_path / "weights.gguf").touch()
    entry = {"type": "causal", "size": 1e6}
    for path, size in ((tmp_path, 0), (tmp_path / "weights.gguf", 4e6), (tmp_path / "nowhere", 4e6)):
        assert disk({}, {"m": {**entry, "path": str(path)}}, tmp_path / "fetched") == size


def test_a_run_of_further_results_says_why_although_some_are_not_there():
    plan = Plan({"a_show": 1}, {"are not there": ["a_show"], "were cut off": ["a_show"]})
    assert list(work(plan)) == [
        "the next run would do 1 job, of which 0 run a model",
        "results that are not there: those of a_show, and what follows",
        "results that were cut off: those of a_show, and what follows",
    ]
    assert len(list(work(Plan({"a_show": 1}, {})))) == 1
