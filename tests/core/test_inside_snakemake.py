"""What the workflow asks of Snakemake that no public part tells, and that nothing else of it asks so."""

import os
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake
from relprobe.core import inside_snakemake
from relprobe.core.inside_snakemake import (
    PlannedJob,
    configuration_files,
    default_resources,
    end_display,
    failed_jobs,
    first_folder,
    goes_on,
    has_configuration,
    is_dry_run,
    is_main,
    is_stop,
    local_rules,
    locate,
    main_snakefile,
    planned_jobs,
    products,
    raise_priorities,
    resource_names,
    rule_inputs,
    rule_names,
    runs_elsewhere,
    shared_cores,
    submits,
    submitted_groups,
    with_signature,
)

from tests.paths import ROOT

BEFORE = {"current_basedir", "default_target"}
"""What a Snakefile asks of `workflow` before it knows where the package lies."""
PUBLIC = {"exceptions", "logging", "utils"}
"""The modules of Snakemake whose use its documentation shows."""
OWN = ROOT / "workflow/scripts/relprobe/core/inside_snakemake.py"
DIRECTIVES = (*(ROOT / "workflow/rules").rglob("*.smk"), ROOT / "workflow/Snakefile", ROOT / "Snakefile")


def code_lines(file):
    """Yield the lines of a file without what stands in comments and strings."""
    ends, kinds = {tokenize.NEWLINE, tokenize.NL}, {tokenize.NAME, tokenize.OP}
    line = ""
    with file.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            if token.type in ends:
                yield line
                line = ""
            elif token.type in kinds:
                line += (" " if line[-1:].isalnum() and token.type == tokenize.NAME else "") + token.string


@pytest.mark.parametrize("file", DIRECTIVES, ids=lambda file: file.name)
def test_a_snakefile_asks_nothing_of_the_object_workflow(file):
    """It hands it to the functions of one module, and knows no name that begins with an underscore."""
    code = "\n".join(code_lines(file))
    assert {name for name in re.findall(r"\bworkflow\.(\w+)", code) if name not in BEFORE} == set()
    assert re.findall(r"\._(?!asdict|replace)\w+", code) == []


@pytest.mark.parametrize("rule_attribute", ["priority", "products", "wildcard_names", "resources", "input", "output"])
@pytest.mark.parametrize("file", DIRECTIVES, ids=lambda file: file.name)
def test_a_snakefile_asks_nothing_of_the_objects_of_its_rules(file, rule_attribute):
    assert re.findall(rf"\brule_?\.{rule_attribute}\b", "\n".join(code_lines(file))) == []


def test_no_module_but_one_imports_what_is_not_public():
    """Nor does a Snakefile: of Snakemake it takes what the documentation shows."""
    found = {
        f"{file.name}: {module}"
        for file in (*DIRECTIVES, *(ROOT / "workflow/scripts/relprobe").rglob("*.py"))
        if file != OWN and "snakemake" in file.read_text("utf-8")
        for line in code_lines(file)
        for module in re.findall(r"(?:^|[^.\w])(?:from|import) snakemake\b\.?(\w*)", line)
        if module not in PUBLIC
    }
    assert found == set()


def test_what_snakemake_says_without_an_event_it_still_says_so():
    """Two things are read of its texts, as it has them nowhere else."""
    package = Path(snakemake.__file__).parent
    assert f'"{inside_snakemake.STOP}"' in (package / "scheduling/job_scheduler.py").read_text()
    texts = (package / "exceptions.py").read_text()
    assert inside_snakemake.AFFECTED.replace("\n", "\\n") + inside_snakemake.INDENT in texts
    assert f"class {inside_snakemake.NO_INPUT}(" in texts
    assert [is_stop(text) for text in (inside_snakemake.STOP, inside_snakemake.STOP[:-1], "")] == [True, False, False]


def test_snakemake_still_has_its_files_where_they_are_looked_for(tmp_path, monkeypatch):
    """A small workflow is run: what its own folder holds then, while a job runs and in a folder that a job makes."""
    monkeypatch.chdir(tmp_path)
    Path("look.py").write_text("import pathlib; print(*pathlib.Path('.snakemake').rglob('*'), sep=chr(10))")
    made = f'mkdir {{output.out}} && "{sys.executable}" look.py > seen'
    Path("Snakefile").write_text(f"rule:\n    output: out=directory('made')\n    shell: {made!r}\n")
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    command = [sys.executable, "-m", "snakemake", "--cores", "1"]
    subprocess.run(command, env=variables, capture_output=True, check=True)
    during = Path("seen").read_text().splitlines()
    assert [path for path in during if path.startswith(f"{inside_snakemake.LOCKS}/")]
    assert not inside_snakemake.is_at_work()
    assert [*inside_snakemake.METADATA.iterdir()]
    assert [*inside_snakemake.LOGS.glob("*.log")]
    assert (tmp_path / "made" / inside_snakemake.STAMP).is_file()
    inside_snakemake.LOCKS.mkdir(exist_ok=True)
    (inside_snakemake.LOCKS / "0.input.lock").touch()
    assert inside_snakemake.is_at_work()


OUTSIDE = r"\.snakemake\b(?!/relprobe|\", \"relprobe|_timestamp)"
"""The folder of Snakemake, but for our own folder in it."""


def test_no_other_file_knows_what_lies_in_the_folder_of_snakemake():
    files = [*DIRECTIVES, *(ROOT / "workflow/scripts/relprobe").rglob("*.py")]
    lines = [
        f"{file.name}: {line}"
        for file in files
        if file != OWN
        for line in file.read_text("utf-8").splitlines()
        if re.search(OUTSIDE, line) and "Path(" in line
    ]
    assert lines == []


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


def test_settings_of_a_run_are_those_of_its_command_and_its_profile():
    groups = SimpleNamespace(group_components={"models": 4})
    for value in (True, False):
        workflow = SimpleNamespace(
            execution_settings=SimpleNamespace(keep_going=value), is_main_process=value, group_settings=groups
        )
        assert goes_on(workflow) is is_main(workflow) is value
        assert [*submitted_groups(workflow)] == ["models"]
    assert first_folder(SimpleNamespace(workdir_init=Path("/study"))) == "/study"


def test_local_rules_are_those_of_the_directive():
    assert local_rules(SimpleNamespace(_localrules={"report_index"})) == {"report_index"}


def test_products_come_with_how_their_files_begin():
    outputs = [
        SimpleNamespace(constant_prefix=lambda: "results/a/"),
        SimpleNamespace(constant_prefix=lambda: "results/b"),
    ]
    rules = [SimpleNamespace(products=lambda: outputs[:1]), SimpleNamespace(products=lambda: outputs[1:])]
    assert [*products(SimpleNamespace(rules=rules))] == [("results/a/", outputs[0]), ("results/b", outputs[1])]


def test_priorities_are_raised_or_said_by_a_function():
    rules = [
        SimpleNamespace(name=name, priority=7, wildcard_names=names)
        for name, names in {"fetch": set(), "page": {"study"}, "rest": {"model"}}.items()
    ]
    by_study = with_signature(lambda wildcards: 3)
    raise_priorities(
        SimpleNamespace(rules=rules),
        lambda name, wildcards: by_study if "study" in wildcards else {"fetch": 100}.get(name, 0),
    )
    assert [rule.priority for rule in rules] == [107, by_study, 7]


def test_cores_are_shared_where_no_job_is_submitted():
    here = SimpleNamespace(resource_settings=SimpleNamespace(cores=4, nodes=None))
    cluster = SimpleNamespace(resource_settings=SimpleNamespace(cores=4, nodes=100))
    assert (shared_cores(here), submits(here)) == (4, False)
    assert (shared_cores(cluster), submits(cluster)) == (None, True)


@pytest.mark.parametrize("value", [True, False])
def test_what_kind_of_run_it_is(value):
    settings = SimpleNamespace(dryrun=value)
    workflow = SimpleNamespace(output_settings=settings, non_local_exec=value, overwrite_configfiles=["a"] * value)
    assert is_dry_run(workflow) is runs_elsewhere(workflow) is has_configuration(workflow) is value


def test_rules_have_names_inputs_and_resources():
    def input_function(wildcards):
        return []

    rules = {
        "first": SimpleNamespace(name="first", input=["a.csv", input_function], resources={"gpu": 1, "mem_mb": 5}),
        "second": SimpleNamespace(name="second", input=["a.csv", "b.csv"], resources={}),
    }
    workflow = SimpleNamespace(rules=rules.values(), get_rule=rules.__getitem__)
    assert rule_names(workflow) == ["first", "second"]
    assert rule_inputs(workflow) == {"a.csv", "b.csv"}
    assert resource_names(workflow, "first") == {"gpu", "mem_mb"}


def test_files_of_the_workflow_are_paths():
    workflow = SimpleNamespace(configfiles=["a.yaml"], main_snakefile="Snakefile")
    assert configuration_files(workflow) == [Path("a.yaml")]
    assert main_snakefile(workflow) == Path("Snakefile")


def test_a_path_has_the_folders_of_the_configuration():
    workflow = SimpleNamespace(pathvars=SimpleNamespace(apply=lambda path: path.replace("<results>", "out")))
    assert locate(workflow, "<results>/report.html") == "out/report.html"


def test_the_display_ends_when_it_has_heard_of_all():
    events = []
    queue = SimpleNamespace(join=lambda: events.append("heard"))
    handlers = [SimpleNamespace(close=lambda: events.append("closed"))] * 2
    manager = SimpleNamespace(queue_listener=SimpleNamespace(queue=queue), plugin_handlers=handlers)
    end_display(SimpleNamespace(logger_manager=manager))
    assert events == ["heard", "closed", "closed"]
    manager.queue_listener = None  # a job's process draws nothing
    end_display(SimpleNamespace(logger_manager=manager))
    assert len(events) == 3


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


def test_what_fails_takes_along_what_needs_it_by_way_of_other_jobs():
    first = Job("fetch")
    second, beside = Job("score", first), Job("vectors", first)
    third = Job("measure", second, beside)
    last = Job("page", third)
    jobs = [first, second, beside, third, last]
    assert failures(jobs, [first]) == [("fetch", ["fetch", "measure", "page", "score", "vectors"], ["fetch.log"])]
    assert failures(jobs, [beside], [first]) == [("vectors", ["measure", "page", "vectors"], ["vectors.log"])]


def test_the_name_of_a_failed_job_and_those_of_what_needs_it_have_their_wildcards():
    job = Job("score", study="pairs")
    page = Job("page", job, study="degrees")
    dag = SimpleNamespace(
        dependencies={job: {}, page: {job: set()}},
        depending={job: {page: set()}, page: {}},
        noneedrun_finished=lambda needed: False,
    )
    (failed,) = failed_jobs(SimpleNamespace(dag=dag, scheduler=SimpleNamespace(failed=[job])))
    assert failed.name == ("score", {"study": "pairs"})
    assert sorted(failed.needed_by) == [("page", {"study": "degrees"}), ("score", {"study": "pairs"})]


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
