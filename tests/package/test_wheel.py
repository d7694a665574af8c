"""The wheel and the sdist: what they hold, and that an installed wheel answers the README's lines outside the checkout."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

from tests.paths import ROOT, SCRIPTS
from tests.workflow.toy_models import causal_model

pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
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


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """The folder of a wheel and an sdist, which are built from the files that git tracks or would track."""
    folder = tmp_path_factory.mktemp("dist")
    code = "from hatchling.build import build_sdist, build_wheel; import sys; "
    code += "build_sdist(sys.argv[1]); build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def installed(archives, tmp_path_factory):
    """The folder that an installed wheel lies in. Its dependencies are those of the environment of the tests."""
    folder = tmp_path_factory.mktemp("site")
    (wheel,) = archives.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, wheel]
    subprocess.run(command, check=True)
    return folder


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
    own = {str(path.relative_to(SCRIPTS)) for path in (SCRIPTS / "relprobe").rglob("*.py")}
    assert own <= set(names)
    assert {"relprobe/py.typed", f"relprobe-{VERSION}.dist-info/licenses/LICENSE"} <= set(names)
    assert {name.partition("/")[0] for name in names} == {"relprobe", f"relprobe-{VERSION}.dist-info"}
    assert "License-Expression: MIT" in about
    required = re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra)", about, re.MULTILINE)
    assert not {"snakemake", "matplotlib", "statsmodels", "scipy", "nltk"} & set(required)


def test_the_sdist_holds_what_a_build_needs(archives):
    (sdist,) = archives.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml"} <= names
    assert "workflow/scripts/relprobe/py.typed" in names


def test_the_lines_of_the_readme_run_with_the_wheel_alone(installed, tmp_path):
    """A tiny random model takes the place of gpt2, which is not to be downloaded here."""
    (lines,) = re.findall(
        r"^```python\n(from relprobe import load.*?)```", (ROOT / "README.md").read_text(), re.M | re.S
    )
    causal_model(tmp_path / "gpt2", seed=1, more=["capital", "France", "Paris", "Lyon", "sings"])
    lines = re.sub(r'load\(".*?"', 'load("gpt2"', lines)
    done = elsewhere(installed, tmp_path, RUN, str(installed), text=lines)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow  # they also run from the checkout, in every `make test`
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
