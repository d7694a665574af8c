"""What a dry run comes to, from plans as Snakemake prints them."""

import pytest
from relprobe.command.forecast import MOST, jobs, submissions, summary

JOB = """\
[Sat Nov 28 18:24:47 2026]
{rule}:
    input: resources/fetched/models/{model}.json, results/relations/probes.parquet
    output: results/relations/scores/{model}.parquet
    jobid: 13
    reason: Missing output files: results/relations/scores/{model}.parquet
    wildcards: model={model}
    priority: 1050
    resources: tmpdir=/tmp, {resources}
"""
GROUP = """\
[Sat Nov 28 18:24:47 2026] Group job metrics (jobs in lexicogr. order):

    [Sat Nov 28 18:24:47 2026]
    rule relations_gold:
        input: results/relations/probes.parquet
        jobid: 3
        resources: tmpdir=/tmp, mem_mb=2000, slurm_partition=cpu, runtime=30
    [Sat Nov 28 18:24:47 2026]
    rule relations_metrics:
        input: results/relations/scores/gpt2.parquet
        jobid: 4
        wildcards: agent=gpt2
        resources: tmpdir=/tmp, mem_mb=2000, slurm_partition=cpu, runtime=30
"""
ALL = """\
[Sat Nov 28 18:24:47 2026]
localrule all:
    input: results/report.html
    jobid: 0
    resources: tmpdir=/tmp
Job stats:
job      count
-----  -------
all          1
"""


def planned(model, rule="rule relations_scores", megabytes=4080, minutes=30, **resources):
    limits = {"mem_mb": megabytes, "runtime": minutes, **resources}
    said = ", ".join(f"{name}={value}" for name, value in limits.items())
    return JOB.format(rule=rule, model=model, resources=said)


def test_a_plan_on_a_cluster_counts_groups_once_and_names_the_hours_of_gpus():
    plan = (
        planned("gpt2", gpu=1)
        + planned("opt", gpu=2, megabytes=90000)
        + GROUP
        + planned("gpt2", "localrule x_report")
        + ALL
    )
    assert summary(plan) == [
        "5 jobs: 2 run a model, 0 fetch files, 3 other",
        "on a cluster: 3 submissions; 2 jobs ask for a GPU, for at most 1.5 hours",  # 30 minutes, and 30 of two GPUs
        "opt: 1 job, at most 0.5 hours and 90.0 GB",
        "gpt2: 1 job, at most 0.5 hours and 4.1 GB",
    ]
    assert submissions(plan, jobs(plan)) == 3


def test_a_plan_on_a_workstation_says_nothing_of_submissions():
    plan = (
        planned("gpt2")
        + planned("gpt2", "rule definitions_writing", 5000, 60)
        + planned("gpt2", "rule models_snapshot")
    )
    assert summary(plan + ALL) == [
        "3 jobs: 2 run a model, 1 fetch files, 0 other",
        "gpt2: 2 jobs, at most 1.5 hours and 5.0 GB",
    ]


def test_of_many_models_the_largest_have_a_line_and_the_others_one():
    models = {f"m{place}": 1000 * place for place in range(1, 12)}
    lines = summary("".join(planned(name, megabytes=size) for name, size in models.items()))
    assert [line.partition(":")[0] for line in lines[1:-1]] == [f"m{place}" for place in range(11, 11 - MOST, -1)]
    assert lines[-1] == "5 further models: 5 jobs, at most 2.5 hours"
    assert len(lines) <= 10


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("analogies_scores_alone", "1 runs a model, 0 fetch"),
        ("degrees_scores", "1 runs a model, 0 fetch"),
        ("models_layer_map", "1 runs a model, 0 fetch"),
        ("systematicity_embeddings", "1 runs a model, 0 fetch"),
        ("models_adapter", "0 run a model, 1 fetch"),
        ("inputs_vectors", "0 run a model, 1 fetch"),
        ("relations_scores_table", "0 run a model, 0 fetch"),
    ],
)
def test_what_runs_a_model_and_what_fetches_is_told(rule, kind):
    assert kind in summary(planned("gpt2", f"rule {rule}"))[0]


def test_the_rule_of_an_encoder_runs_a_model():
    plan = planned("gpt2", "rule analogies_encoder").replace("wildcards: model=", "wildcards: encoder=")
    assert summary(plan)[1].startswith("gpt2: 1 job")


def test_nothing_to_do_has_no_summary():
    assert summary("Nothing to be done (all requested files are present and up to date).") == []
    assert summary(ALL) == []
