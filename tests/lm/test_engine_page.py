"""docs/engine-details.md is true: its examples give what it prints, and its files exist."""

import doctest
import re

from relprobe.core.digest import SCRIPTS

from tests.paths import ROOT

PAGE = ROOT / "docs" / "engine-details.md"


def test_the_examples_give_what_the_page_prints():
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 20


def test_the_files_of_the_table_exist():
    table = PAGE.read_text("utf-8").partition("## The files, in reading order")[2]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    assert len(rows) > 10
    for row in rows:
        names = re.findall(r"`([\w/]+\.py)`", row)
        folder = ""  # a name without one is in the folder of the name before it
        for name in names:
            folder = name.rpartition("/")[0] or folder
            assert (SCRIPTS / "relprobe/lm" / folder / name.rpartition("/")[2]).is_file(), row
