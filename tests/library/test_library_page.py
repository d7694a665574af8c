"""docs/library.md is true: its examples give what it prints, and its commands have the options that they show."""

import doctest
import re
import shlex

from relprobe.core.cli import arguments_of
from relprobe.library.answers import score

from tests.package.pages_of_docs import blocks
from tests.paths import ROOT


def test_the_examples_give_what_the_page_prints():
    results = doctest.testfile(str(ROOT / "docs/library.md"), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 8


def test_the_first_lines_run_with_any_model(folders):
    """A tiny random model takes the place of the one that the page names, which is not to be downloaded here."""
    first = next(blocks(ROOT / "docs/library.md", "python")).text
    everything = {}
    exec(re.sub(r'load\(".*?"', f'load("{folders["causal"]}"', first), everything)
    assert everything["model"].kind == "causal"


def test_the_commands_of_the_pages_have_the_options_that_they_show():
    commands = []
    for name in ("library", "exchange"):
        page = (ROOT / f"docs/{name}.md").read_text("utf-8")
        commands += re.findall(r"^relprobe score (.*)$", page, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        options = arguments_of(score).parse_args(shlex.split(command))
        assert options.model == "openai-community/gpt2"
