"""The layout of the engine: its parts import one another in one direction, and light modules start without torch."""

import subprocess
import sys
from pathlib import Path

import pytest
from relprobe.core.digest import SCRIPTS

from tests.closure import closure

LM = SCRIPTS / "relprobe" / "lm"
PARTS = [
    "precision",
    "requests",
    "witness",
    "retries",
    "child",
    "http",
    "words",
    "network",
    "loading",
    "primitives",
    "maps",
    "score_files",
    "served",
    "connect",
    "chat_models",
    "steps",
]
"""Each part may import itself and those before it; `settings` loads a model and may import the network. `chat_models` loads
the models of this machine that take the tasks of people.

`resources` says what a job asks of a cluster, and no part imports it."""
LIGHT = [
    "requests",
    "settings",
    "steps",
    "words.encode",
    "words.lexicon",
    "words.word_list",
    "score_files.parts",
    "score_files.reader",
    "score_files.slots",
    "served.client",
    "served.model",
    "score_files.words",
]


def part_of(file: Path) -> str:
    return file.relative_to(LM).with_suffix("").parts[0]


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(SCRIPTS).with_suffix("").parts).removesuffix(".__init__")


def files_of(part: str) -> list[Path]:
    return sorted([*(LM / part).rglob("*.py"), *LM.glob(f"{part}.py")])


def test_every_file_belongs_to_a_part():
    assert {part_of(file) for file in LM.rglob("*.py")} == {*PARTS, "settings", "resources", "__init__"}


@pytest.mark.parametrize("part", PARTS)
def test_the_parts_import_in_one_direction(part):
    allowed = {"__init__", *PARTS[: PARTS.index(part) + 1], *({"settings"} if part in ("maps", "chat_models") else ())}
    for file in files_of(part):
        imported = {part_of(other) for other in closure([module_of(file)]) if other.is_relative_to(LM)}
        assert imported <= allowed, file


def test_the_engine_imports_no_study_and_no_report():
    files = closure([module_of(file) for file in LM.rglob("*.py")])
    assert {file.relative_to(SCRIPTS / "relprobe").parts[0] for file in files} <= {
        "__init__.py",
        "core",
        "sources",
        "lm",
    }


@pytest.mark.parametrize("name", LIGHT)
def test_light_modules_do_not_import_torch(name):
    """A step without a model reads lexicons and score files, and `--help` reads the settings: torch would take seconds."""
    code = f"import sys, relprobe.lm.{name}; print({{'torch', 'transformers'}} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "set()"
