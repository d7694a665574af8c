"""There is one list of the studies: what else depends on them follows from it."""

import re
import subprocess

from relprobe.studies import STUDIES

from tests.paths import ROOT

LIST = "workflow/scripts/relprobe/studies/__init__.py"


def lists(text):
    """The places of a text that name three studies or more, one after the other."""
    name = rf"[\"'`]?\b({'|'.join(STUDIES)})\b[\"'`]?"
    return re.findall(rf"{name}(?:(?:, | and | or |,\n *|\n *- ){name}){{2,}}", text)


def test_no_other_file_of_the_program_lists_the_studies():
    assert lists('("relations", "definitions", "degrees")')
    command = ["git", "ls-files", "-co", "--exclude-standard", "workflow", "docs/*.py", "pyproject.toml", "Makefile"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = [file for file in files if (ROOT / file).is_file() and lists((ROOT / file).read_text("utf-8"))]
    assert found == [LIST]
