"""What `pip install relprobe` brings is what the engine imports, and the pinned requirements have every part of it."""

import ast
import importlib.metadata
import re
import sys
import tomllib

import pytest
from relprobe.core.digest import SCRIPTS

from tests.closure import closure
from tests.paths import ROOT
from tests.trees import tree_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "huggingface_hub": "huggingface_hub",
    "snakemake_interface_logger_plugins": "snakemake",  # which brings it
}
NOT_IMPORTED = {"accelerate", "sentencepiece", "snakemake-executor-plugin-slurm", "gguf", "pip", "pygments"}
"""What transformers, matplotlib's pages or Snakemake import themselves, and what is run as a program."""
BY_NAME = ["relprobe.lm.connect"]
ON_DEMAND = {"httpx2", "peft", "requests", "tenacity"}
"""What the engine imports where an adapter is merged, a server asked or a URL fetched."""
STUDIES = {
    "gguf",
    "inflect",
    "typeguard",
    "jsonschema",
    "matplotlib",
    "nltk",
    "pip",
    "psutil",
    "pygments",
    "scipy",
    "sentencepiece",
    "snakemake",
}
STUDIES |= {
    "snakemake-executor-plugin-slurm",
    "snakemake-logger-plugin-rich",
    "statsmodels",
    "typeguard",
    "wn",
    "wordfreq",
}
"""What only the studies need, or models in GGUF files: test_wheel runs the engine without it."""


def names(requirements):
    """The distributions of a list of requirements, in lower case, without those of relprobe itself."""
    found = {re.match(r"[\w-]+", requirement)[0].lower() for requirement in requirements}
    return found - {"relprobe"}


def imported(*roots):
    """The top-level modules that modules of relprobe import, directly or through others, but for the standard library."""
    tops = set()
    for file in closure(roots):
        for node in ast.walk(tree_of(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                tops |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                tops.add(node.module.partition(".")[0])
    own = tops - sys.stdlib_module_names - {"relprobe"}
    return {DISTRIBUTIONS.get(name, name) for name in own}


ENGINE = [
    *(f"relprobe.library.{name}" for name in ("load", "model", "steps", "answers")),
    "relprobe.lm.loading.example",
]


def test_the_engine_needs_what_its_modules_import_and_no_more():
    needed = imported(*ENGINE) - ON_DEMAND - {"gguf"}
    assert needed == names(PROJECT["dependencies"]) - NOT_IMPORTED - ON_DEMAND - STUDIES


def test_a_served_model_needs_no_more_than_is_installed():
    assert imported(*BY_NAME) <= names(PROJECT["dependencies"])
    assert imported(*BY_NAME) >= {"httpx2", "tenacity"}


@pytest.mark.parametrize("name", ["relprobe/studies", "relprobe/report", "relprobe/sources", "relprobe/command"])
def test_the_workflow_needs_what_its_modules_import(name):
    roots = [".".join(file.relative_to(SCRIPTS).with_suffix("").parts) for file in (SCRIPTS / name).rglob("*.py")]
    assert imported(*roots) <= names(PROJECT["dependencies"])


def test_the_pinned_requirements_are_those_of_the_package():
    """A missing line is one that a package of the list brings, such as tqdm with transformers."""
    lines = [line for line in (ROOT / "envs/requirements.txt").read_text().splitlines() if "==" in line]
    pinned = names(lines)
    declared = names(PROJECT["dependencies"])
    brought = {"filelock", "huggingface_hub", "safetensors", "tokenizers", "tqdm", "typeguard"}
    assert pinned == declared - brought


def test_the_page_names_every_pinned_package():
    """`snakemake, its SLURM and rich plugins` stand for three."""
    page = set(re.findall(r"[\w-]+", (ROOT / "docs/dependencies.md").read_text("utf-8").lower()))
    lists = [(ROOT / "envs" / f"requirements{name}.txt").read_text() for name in ("", "-dev", "-bench")]
    pinned = names(line for text in lists for line in text.splitlines() if "==" in line)
    assert {name for name in pinned - page if not name.startswith("snakemake-")} == set()


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_the_environment_of_the_tests_fits_the_lower_bounds(requirement):
    name, bound = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
    actual = importlib.metadata.version(name).partition("+")[0]
    assert tuple(map(int, actual.split(".")[:2])) >= tuple(map(int, bound.split(".")[:2]))
