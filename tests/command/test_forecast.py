"""What a dry run comes to, from the jobs that Snakemake plans."""

import itertools

import pytest
from relprobe.command.forecast import MOST, submissions, summary

from tests.command.events import record, run_of, started

NUMBERS = itertools.count(1)
ALL = started(0, "all", resources={"tmpdir": "/tmp"})
GROUP = [
    record("group_info", group_id="metrics"),
    started(1003, "relations_gold", indent=True, resources={"slurm_partition": "cpu", "mem_mb": 2000, "runtime": 30}),
    started(1004, "relations_metrics", indent=True, resources={"mem_mb": 2000, "runtime": 30}),
]


def planned(model, rule="relations_scores", megabytes=4080, minutes=30, wildcard="model", **resources):
    limits = {"mem_mb": megabytes, "runtime": minutes, **resources}
    return started(next(NUMBERS), rule, wildcards={wildcard: model}, resources=limits)


def test_a_plan_on_a_cluster_counts_groups_once_and_names_the_hours_of_gpus():
    jobs = [planned("gpt2", gpu=1), planned("opt", gpu=2, megabytes=90000), *GROUP, planned("gpt2", "x_report"), ALL]
    run = run_of(*jobs, local={"x_report", "all"})
    assert summary(run) == [
        "5 jobs: 2 run a model, 0 fetch files, 3 other",
        "on a cluster: 3 submissions; 2 jobs ask for a GPU, for at most 1.5 hours",  # 30 minutes, and 30 of two GPUs
        "opt: 1 job, at most 0.5 hours and 90.0 GB of memory",
        "gpt2: 1 job, at most 0.5 hours and 4.1 GB of memory",
    ]
    assert submissions(run) == 3


def test_a_plan_on_a_workstation_says_nothing_of_submissions():
    jobs = [planned("gpt2"), planned("gpt2", "definitions_writing", 5000, 60), planned("gpt2", "models_snapshot"), ALL]
    assert summary(run_of(*jobs)) == [
        "3 jobs: 2 run a model, 1 fetches files, 0 other",
        "gpt2: 2 jobs, at most 1.5 hours and 5.0 GB of memory",
    ]


def test_models_to_be_fetched_say_what_they_take_of_the_disk():
    """An encoder is fetched by a rule of its own; a folder of this machine is linked, and takes nothing."""
    jobs = [
        *(planned("gpt2", "models_snapshot", disk_mb=500), planned("gpt2")),
        *(
            planned("e", "analogies_snapshot", wildcard="encoder", disk_mb=14000),
            planned("e", "analogies_encoder", 100, wildcard="encoder"),
        ),
        *(planned("linked", "models_snapshot", disk_mb=0), planned("linked", megabytes=50)),
    ]
    assert [line.partition("hours and ")[2] for line in summary(run_of(*jobs))[1:]] == [
        "4.1 GB of memory; about 500.0 MB of disk",
        "0.1 GB of memory; about 14.0 GB of disk",
        "0.1 GB of memory",
    ]
    many = [
        planned(f"m{number}", rule, disk_mb=100)
        for number in range(MOST + 2)
        for rule in ("models_snapshot", "relations_scores")
    ]
    assert summary(run_of(*many))[-1] == "2 further models: 2 jobs, at most 1.0 hours; about 200.0 MB of disk"


def test_of_many_models_the_largest_have_a_line_and_the_others_one():
    models = {f"m{number}": 1000 * number for number in range(1, 12)}
    lines = summary(run_of(*(planned(name, megabytes=size) for name, size in models.items())))
    assert [line.partition(":")[0] for line in lines[1:-1]] == [f"m{number}" for number in range(11, 11 - MOST, -1)]
    assert lines[-1] == "5 further models: 5 jobs, at most 2.5 hours"
    assert len(lines) <= 10


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("analogies_scores_alone", "1 runs a model, 0 fetch"),
        ("degrees_scores", "1 runs a model, 0 fetch"),
        ("models_layer_map", "1 runs a model, 0 fetch"),
        ("systematicity_embeddings", "1 runs a model, 0 fetch"),
        ("models_adapter", "0 run a model, 1 fetches"),
        ("inputs_vectors", "0 run a model, 1 fetches"),
        ("relations_scores_table", "0 run a model, 0 fetch"),
    ],
)
def test_what_runs_a_model_and_what_fetches_is_told(rule, kind):
    assert kind in summary(run_of(planned("gpt2", rule)))[0]


def test_the_rule_of_an_encoder_runs_a_model():
    plan = planned("gpt2", "analogies_encoder", wildcard="encoder")
    assert summary(run_of(plan))[1].startswith("gpt2: 1 job")


def test_a_limit_that_is_not_known_yet_counts_for_nothing():
    assert summary(run_of(planned("gpt2", minutes="<TBD>")))[1] == "gpt2: 1 job, at most 0.0 hours and 4.1 GB of memory"


def test_nothing_to_do_has_no_summary():
    assert summary(run_of()) == []
    assert summary(run_of(ALL)) == []


def test_a_plan_for_slurm_counts_submissions_without_groups_and_gpus():
    """A profile for SLURM gives some rule a partition; the target `all` is submitted nowhere."""
    assert summary(run_of(planned("gpt2"), planned("opt", slurm_partition="cpu"), ALL))[:2] == [
        "2 jobs: 2 run a model, 0 fetch files, 0 other",
        "on a cluster: 2 submissions",
    ]


def test_many_hours_and_gigabytes_have_commas():
    limits = {"megabytes": 1_234_500, "minutes": 90_000, "disk_mb": 0}
    assert summary(run_of(planned("gpt2", gpu=2, **limits)))[1:] == [
        "on a cluster: 1 submission; 1 job asks for a GPU, for at most 3,000.0 hours",
        "gpt2: 1 job, at most 1,500.0 hours and 1,234.5 GB of memory",
    ]


def test_groups_of_jobs_are_submitted_each_at_once_wherever_the_cluster_is():
    """Another cluster than SLURM has no key of its own; the jobs of a group are one submission."""
    together = [started(number, "relations_gold", indent=True) for number in (2001, 2002)]
    plan = run_of(record("group_info", group_id="a"), *together, started(2003, "pairs_show"), ALL)
    assert summary(plan) == [
        "3 jobs: 0 run a model, 0 fetch files, 3 other",
        "on a cluster: 2 submissions",
    ]


def test_of_what_is_fetched_the_weights_of_models_alone_are_said():
    jobs = [
        planned("gpt2", "models_snapshot", disk_mb=500),
        planned("gpt2", "models_adapter", disk_mb=7000),
        planned("gpt2"),
    ]
    assert summary(run_of(*jobs)) == [
        "3 jobs: 1 runs a model, 2 fetch files, 0 other",
        "gpt2: 1 job, at most 0.5 hours and 4.1 GB of memory; about 500.0 MB of disk",
    ]
