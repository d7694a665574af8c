"""There is one list of the studies: what else depends on them follows from it."""

import re
import subprocess

import pytest
from relprobe.studies import STUDIES

from tests import facts
from tests.paths import ROOT

LIST = "workflow/scripts/relprobe/studies/__init__.py"


def lists(text):
    """The places of a text that name three studies or more, one after the other."""
    name = rf"[\"'`]?\b({'|'.join(STUDIES)})\b[\"'`]?"
    return re.findall(rf"{name}(?:(?:, | and | or |,\n *|\n *- ){name}){{2,}}", text)


def test_no_other_file_of_the_program_or_of_its_tests_lists_the_studies():
    assert lists(str(STUDIES[:3]))
    places = ["workflow", "tests/*.py", "docs/*.py", "pyproject.toml", "Makefile"]
    command = ["git", "ls-files", "-co", "--exclude-standard", *places]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = [file for file in files if (ROOT / file).is_file() and lists((ROOT / file).read_text("utf-8"))]
    assert found == [LIST]


def test_a_test_that_knows_nothing_of_a_whole_study_says_so(monkeypatch):
    assert set(facts.WHOLE) >= {study for study in STUDIES if (ROOT / f"docs/studies/{study}.md").is_file()}
    assert facts.facts_by_study(["old", "new"], {"old": 1}, __file__) == {"old": 1}  # it has no page yet
    monkeypatch.setattr(facts, "WHOLE", ("old", "new"))
    with pytest.raises(
        AssertionError, match=r"^tests/package/test_one_list.py says nothing of the study new: add there"
    ):
        facts.facts_by_study(["old", "new"], {"old": 1}, __file__)
    assert facts.facts_by_study(["old"], {"old": 1, "older": 2}, __file__) == {"old": 1}
