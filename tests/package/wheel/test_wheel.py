"""The wheel and the sdist: what they hold, and that an installed wheel answers the README's lines outside the checkout."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from relprobe.studies import STUDIES

from tests.package.wheel.wheels import relprobe, small_study
from tests.paths import ROOT, SCRIPTS
from tests.workflow.toy_models import causal_model

VERSION = re.search(r'__version__ = "(.+)"', (SCRIPTS / "relprobe/version.py").read_text())[1]
EXTRAS = [
    "gguf",
    "inflect",
    "jsonschema",
    "matplotlib",
    "nltk",
    "requests",
    "snakemake",
    "statsmodels",
    "tenacity",
    "wn",
]
RUN = f"""
import sys
sys.modules |= dict.fromkeys({EXTRAS})  # importing one of them fails
import relprobe
assert relprobe.__file__.startswith(sys.argv[1]), relprobe.__file__
code = sys.stdin.read()
exec(compile(code, "README.md", "exec"), dict())
"""


def elsewhere(installed, tmp_path, code, *arguments, text=""):
    """Run Python in an empty folder with the installed wheel alone; return the finished process."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, cwd=tmp_path, env=environment, input=text, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_the_package_its_types_and_its_licence(archives):
    (wheel,) = archives.glob("*.whl")
    assert wheel.name == f"relprobe-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("METADATA"))
        about = archive.read(metadata).decode()
    own = {
        str(path.relative_to(SCRIPTS)) for form in ("py", "md") for path in (SCRIPTS / "relprobe").rglob(f"*.{form}")
    }
    assert {f"relprobe/studies/{study}/page.md" for study in STUDIES} < own
    assert own <= set(names)
    assert {"relprobe/py.typed", f"relprobe-{VERSION}.dist-info/licenses/LICENSE"} <= set(names)
    assert {name.partition("/")[0] for name in names} == {"relprobe", f"relprobe-{VERSION}.dist-info"}
    assert "License-Expression: MIT" in about
    # `pip install relprobe` is enough for all of it.
    assert not re.findall(r"^Provides-Extra: (.+)$", about, re.MULTILINE)


def test_the_wheel_holds_every_file_of_the_workflow_and_none_that_a_run_wrote(archives):
    """Forced files pass over .gitignore, so a file that git does not know shows that one was packed by accident."""
    (wheel,) = archives.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name.removeprefix("relprobe/_workflow/") for name in names if name.startswith("relprobe/_workflow/")}
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    known = set(listing.stdout.decode().splitlines()) or packed
    shipped = {name for name in known if name.startswith(("workflow/", "resources/", "envs/"))} | {"config.yaml"}
    shipped = {
        name for name in shipped if not name.startswith("workflow/scripts/relprobe/") and (ROOT / name).is_file()
    }
    assert packed == shipped | {"resources/studies/toy.yaml"}


def test_the_sdist_holds_what_a_build_needs(archives):
    (sdist,) = archives.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml"} <= names
    assert {"workflow/scripts/relprobe/py.typed", "workflow/Snakefile", ".test/config/config.yaml"} <= names


@pytest.mark.slow("it runs the engine from a wheel, in an interpreter of its own")
def test_the_lines_of_the_readme_run_with_the_wheel_alone(installed, tmp_path):
    """A tiny random model takes the place of gpt2, which is not to be downloaded here."""
    (lines,) = re.findall(
        r"^```python\n(from relprobe import load.*?)```", (ROOT / "README.md").read_text(), re.M | re.S
    )
    causal_model(tmp_path / "gpt2", seed=1, more=["capital", "France", "Paris", "Lyon", "sings"])
    lines = re.sub(r'load\(".*?"', 'load("gpt2"', lines)
    done = elsewhere(installed, tmp_path, RUN, str(installed), text=lines)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow("the examples also run from the checkout, in every `make test`")
def test_the_examples_of_the_docstrings_run_with_the_wheel_alone(installed, tmp_path):
    code = "import doctest, importlib, sys\n"
    code += "names = ['load', 'model', 'answers']\n"
    code += "results = [doctest.testmod(importlib.import_module(f'relprobe.library.{name}')) for name in names]\n"
    code += "print(sum(r.failed for r in results), sum(r.attempted for r in results) > 15)"
    done = elsewhere(installed, tmp_path, code)
    assert done.stdout.split() == ["0", "True"], done.stdout + done.stderr


def test_the_command_line_of_the_wheel_answers(installed, tmp_path):
    done = elsewhere(
        installed, tmp_path, "import sys, relprobe.__main__ as m; sys.argv = ['relprobe']; sys.exit(m.run())"
    )
    assert done.returncode == 0
    assert "score" in done.stdout


def test_a_new_study_has_few_files_and_nothing_is_written_over(installed, tmp_path):
    done = relprobe(installed, tmp_path, "init", "mine", "--study", "toy", "--profile", "slurm")
    assert done.returncode == 0, done.stderr
    files = {str(path.relative_to(tmp_path / "mine")) for path in (tmp_path / "mine").rglob("*") if path.is_file()}
    prompts = "resources/prompts/relations.yaml"
    assert files == {"config.yaml", "config.schema.json", "README.md", prompts, "profiles/slurm/config.yaml"}
    again = relprobe(installed, tmp_path, "init", "mine")
    assert (again.returncode, again.stderr.count("exists")) == (1, 1)


@pytest.fixture
def study(tmp_path):
    return small_study(tmp_path / "study")


@pytest.mark.slow("it plans a study from a wheel, in an interpreter of its own")
def test_the_plan_names_no_path_of_the_package(installed, study):
    plan = relprobe(installed, study, "run", "--dry-run", "--printshellcmds")
    assert plan.returncode == 0, plan.stderr
    flags = [line for line in (plan.stdout + plan.stderr).splitlines() if "python -m relprobe" in line]
    assert any(".snakemake/relprobe/shipped/" in line for line in flags)
    assert not any(str(installed) in line for line in flags)


@pytest.mark.slow("it runs a study from a wheel")
def test_a_study_runs_from_the_package_and_stays_done_when_the_package_moves(installed, study, tmp_path):
    site = shutil.copytree(installed, tmp_path / "first/site")
    before = sorted(site.rglob("*"))
    done = relprobe(site, study, "run", "--cores", "2", "--scheduler", "greedy")
    assert done.returncode == 0, done.stderr
    assert f"relprobe {VERSION}" in (study / "results/report.html").read_text()
    assert [path for path in sorted(site.rglob("*")) if path not in before and path.suffix != ".pyc"] == []
    shutil.move(site, tmp_path / "second")
    plan = relprobe(tmp_path / "second", study, "run", "--dry-run", "--quiet", "rules")
    assert "Nothing to be done" in plan.stdout + plan.stderr


@pytest.mark.slow("it runs a study from a wheel")
def test_the_first_hour_in_a_new_environment(archives, tmp_path):
    """The command of the installed wheel, from `init` to `open`. Its dependencies are those of the tests' environment."""
    (wheel,) = archives.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    (site,) = (tmp_path / "venv/lib").glob("python3*/site-packages")
    (site / "tested.pth").write_text(sysconfig.get_path("purelib"))
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True)
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def command_of(*words, folder):
        command = [tmp_path / "venv/bin/relprobe", *words]
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    command_of("init", "s", "--study", "toy", folder=tmp_path)
    command_of("run", "--cores", "2", folder=tmp_path / "s")
    page = command_of("open", "--print", folder=tmp_path / "s").strip()
    assert "splade-tiny" in Path(page).with_name("relations").joinpath("report.html").read_text()
    assert "Nothing to be done" in command_of("run", folder=tmp_path / "s")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run"], "There is no config.yaml here: `relprobe init FOLDER` makes a study"),
        (["open"], "`relprobe run` makes it"),
    ],
)
def test_a_command_in_the_wrong_folder_says_where_to_go(installed, tmp_path, words, sentence):
    done = relprobe(installed, tmp_path, *words)
    assert done.returncode == 1
    assert sentence in done.stderr
