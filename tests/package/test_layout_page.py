"""docs/layout.md names the folders of the checkout, and docs/engine-details.md the modules of `lm/`."""

import ast
import importlib
import re
import subprocess
from pathlib import PurePosixPath

import pytest
from relprobe.studies import STUDIES

from tests.facts import WHOLE
from tests.paths import ROOT
from tests.trees import tree_of

LAYOUT, ENGINE = ((ROOT / f"docs/{name}.md").read_text("utf-8") for name in ("layout", "engine-details"))
PACKAGE = PurePosixPath("workflow/scripts/relprobe")
OTHER_NAMES = {"images", "relprobe", "snakemake_logger_plugin_relprobe"}
"""Folders that go without saying, and the packages, which the page names in words."""


@pytest.fixture(scope="module")
def files():
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this is no clone")
    return [PurePosixPath(line) for line in done.stdout.splitlines()]


def test_every_folder_has_its_place(files):
    unfinished = {f"studies/{study}/" for study in STUDIES if study not in WHOLE}
    files = [file for file in files if not any(folder in f"{file}" for folder in unfinished)]
    folders = {parent for file in files for parent in file.parents if parent.name and "tests" not in parent.parts}
    words = set(re.findall(r"[.\w-]+", LAYOUT))
    assert sorted(str(folder) for folder in folders if folder.name not in words | OTHER_NAMES) == []


def modules_of(files):
    own = [file.relative_to(PACKAGE) for file in files if PACKAGE in file.parents and file.suffix == ".py"]
    return [file for file in own if file.stem != "__init__"]


def test_every_module_of_the_engine_has_its_line(files):
    lines = set(re.findall(r"`(?:\w+/)?(\w+)(?:\.py)?`", ENGINE))
    engine = [file for file in modules_of(files) if file.parts[0] == "lm"]
    assert len(engine) > 50
    assert [str(file) for file in engine if file.stem not in lines] == []


def test_every_module_begins_with_a_sentence_on_one_line(files):
    """The command of the page lists what each module holds."""
    assert "head -qn 1" in LAYOUT
    texts = {str(file): (ROOT / PACKAGE / file).read_text("utf-8") for file in modules_of(files)}
    first = {file: (ast.get_docstring(tree_of(text)) or "").partition("\n")[0] for file, text in texts.items()}
    assert {file: line for file, line in first.items() if not re.fullmatch(r"\S.*[.:]", line)} == {}


def test_the_rules_of_a_study_in_one_file_have_the_order_of_its_steps():
    """What a study says in one file is read from its items to its page, as `steps.py` lists the steps."""
    rules = ROOT / "workflow/rules"
    for study in WHOLE:
        found = re.findall(rf"use rule \w+ as {study}_(\w+) with:", (rules / f"{study}.smk").read_text("utf-8"))
        steps = [*importlib.import_module(f"relprobe.studies.{study}.steps").STEPS]
        assert len(found) > 8
        assert [rule for rule in found if rule in steps] == [step for step in steps if step in found]
