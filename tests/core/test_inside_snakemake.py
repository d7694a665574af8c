"""What the workflow asks of Snakemake that no public part tells, and that nothing else of it asks so."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from relprobe.core.inside_snakemake import (
    PlannedJob,
    default_resources,
    failed_jobs,
    local_rules,
    planned_jobs,
    products,
    raise_priority,
    with_signature,
)

from tests.paths import ROOT

PRIVATE = (
    r"needrun_jobs|wildcards_dict|\.products\(\)|constant_prefix|group_settings|logger_manager|"
    r"__signature__|is_main_process|\.raw\b|set_params|rule\.priority"
)
"""What no public part of Snakemake has."""
UNDERSCORE = r"\._\w+"
"""A name that begins with an underscore: in a rule it is Snakemake's, in a module most often the module's."""


def test_no_rule_and_no_other_module_asks_so():
    own = ROOT / "workflow/scripts/relprobe/core/inside_snakemake.py"
    rules = [*(ROOT / "workflow/rules").rglob("*.smk"), ROOT / "workflow/Snakefile", ROOT / "Snakefile"]
    modules = [file for file in (ROOT / "workflow/scripts").rglob("*.py") if "snakemake" in file.read_text("utf-8")]
    files = [*rules, *modules]
    found = {
        file.name: re.findall(
            PRIVATE if file in modules else f"{PRIVATE}|{UNDERSCORE}", re.sub(r"#.*", "", file.read_text("utf-8"))
        )
        for file in files
        if file != own and file.is_file()
    }
    asked = {
        name: [part for part in parts if not part.startswith(("._asdict", "._replace"))]
        for name, parts in found.items()
    }
    assert {name: parts for name, parts in asked.items() if parts} == {}


def test_resources_are_numbers_where_they_are_written_as_such():
    parsed = {
        "model_gpu": SimpleNamespace(raw="1"),
        "slurm_partition": SimpleNamespace(raw="gpu"),
        "mem_mb": SimpleNamespace(raw=5),
    }
    workflow = SimpleNamespace(resource_settings=SimpleNamespace(_parsed_default_resources=parsed))
    assert default_resources(workflow) == {"model_gpu": 1, "slurm_partition": "gpu", "mem_mb": 5}


def test_planned_jobs_have_their_rule_and_study():
    def job(number, rule, **wildcards):
        return SimpleNamespace(jobid=number, rule=SimpleNamespace(name=rule), wildcards_dict=wildcards)

    dag = SimpleNamespace(needrun_jobs=lambda: [job(3, "report_study", study="degrees"), job(0, "all")])
    found = planned_jobs(SimpleNamespace(dag=dag))
    assert found == {3: PlannedJob("report_study", "degrees"), 0: PlannedJob("all", None)}


def test_local_rules_are_those_of_the_directive():
    assert local_rules(SimpleNamespace(_localrules={"report_index"})) == {"report_index"}


def test_products_come_with_how_their_files_begin():
    outputs = [
        SimpleNamespace(constant_prefix=lambda: "results/a/"),
        SimpleNamespace(constant_prefix=lambda: "results/b"),
    ]
    rules = [SimpleNamespace(products=lambda: outputs[:1]), SimpleNamespace(products=lambda: outputs[1:])]
    assert [*products(SimpleNamespace(rules=rules))] == [("results/a/", outputs[0]), ("results/b", outputs[1])]


def test_a_priority_is_raised_or_said_by_a_function():
    rule = SimpleNamespace(priority=7)
    raise_priority(rule, 100)
    assert rule.priority == 107
    by_study = with_signature(lambda wildcards: 3)
    raise_priority(rule, by_study)
    assert rule.priority is by_study


class Job:
    """A job of a plan, which needs other jobs; a group is several of them."""

    def __init__(self, name, *needs, study=None, together=()):
        self.rule, self.needs, self.together = SimpleNamespace(name=name), needs, together
        self.wildcards_dict, self.log = {"study": study} if study else {}, [f"{name}.log"]

    def is_group(self):
        return bool(self.together)

    def __iter__(self):
        return iter(self.together)


def failures(jobs, failed, finished=()):
    """Return the names of the failed jobs with those that need them, and their logs."""
    depending = {job: {other: set() for other in jobs if job in other.needs} for job in jobs}
    dag = SimpleNamespace(
        dependencies={job: dict.fromkeys(job.needs) for job in jobs},
        depending=depending,
        noneedrun_finished=lambda job: job in finished,
    )
    found = failed_jobs(SimpleNamespace(dag=dag, scheduler=SimpleNamespace(failed=failed)))
    return [(job.name.rule, sorted(name.rule for name in job.needed_by), job.logs) for job in found]


def test_what_fails_takes_along_what_needs_it_and_nothing_else():
    first, other = Job("fetch"), Job("other")
    second = Job("score", first)
    last = Job("page", second, first, other)
    jobs = [first, second, last, other]
    assert failures(jobs, [first]) == [("fetch", ["fetch", "page", "score"], ["fetch.log"])]
    assert failures(jobs, [second], [first]) == [("score", ["page", "score"], ["score.log"])]
    assert failures(jobs, [last, other], [first, second]) == [
        ("page", ["page"], ["page.log"]),
        ("other", ["other", "page"], ["other.log"]),
    ]
    assert failures(jobs, []) == []


def test_of_jobs_that_were_submitted_together_those_fail_whose_inputs_were_there():
    first = Job("fetch")
    second = Job("score", first)
    third = Job("measure", second)
    group = Job("group", together=(third, second))
    jobs = [first, second, third]
    assert failures(jobs, [group], [first]) == [("score", ["measure", "score"], ["score.log"])]
    assert [name for name, *_ in failures(jobs, [group])] == ["measure", "score"]  # where nothing tells them apart


@pytest.mark.slow("it installs another version of Snakemake, and runs a study with it")
def test_a_study_runs_with_the_oldest_snakemake_that_is_allowed(tmp_path):
    """All other tests run with the newest one, which the requirements pin."""
    oldest = re.search(r'min_version\("([\d.]+)"\)', (ROOT / "workflow/Snakefile").read_text("utf-8"))[1] + ".0"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path / "old")]
    if subprocess.run([*pip, f"snakemake=={oldest}"], capture_output=True, check=False).returncode:
        pytest.skip(f"snakemake {oldest} cannot be fetched")
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "RELPROBE_ONCE"))}
    shown = [sys.executable, "-c", "import snakemake; print(snakemake.__version__)"]
    environment = {**variables, "PYTHONPATH": str(tmp_path / "old")}
    assert subprocess.run(shown, env=environment, capture_output=True, text=True, check=True).stdout.strip() == oldest
    tests = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", __file__, "tests/test_one_study.py"]
    done = subprocess.run(tests, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
