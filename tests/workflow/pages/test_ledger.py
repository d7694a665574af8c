"""Each block of each page is run by one test, or has its reason in exceptions.py."""

import re

import pytest

from tests.package.pages_of_docs import blocks, pages
from tests.paths import ROOT
from tests.workflow.pages import ledger, test_code, test_commands, test_configurations, test_files
from tests.workflow.pages.exceptions import PYTHON
from tests.workflow.pages.files import FILES
from tests.workflow.pages.ledger import find, name

FILE_BLOCKS = [find(*one) for one in FILES]
RULE_BLOCKS = {
    find(*test_code.MODULE): test_code.test_another_workflow_uses_the_module_of_the_page,
    find(*test_code.RULE): test_code.test_the_rule_of_an_agent_runs_its_step,
}
PRINTED = [("docs/exchange.md", "data/relprobe-relations"), ("docs/cluster.md", "5 of 6 models are here")]
"""Blocks that show the names of files, or what a run says, where there is nothing to run."""


def runners(block):
    """The tests that run a block, or the reasons that none does."""
    found = [
        test_code.test_the_code_of_a_page_runs if block in test_code.CODE else None,
        RULE_BLOCKS.get(block),
        test_files.test_the_reader_of_a_study_takes_the_file_of_the_page if block in FILE_BLOCKS else None,
        test_configurations.test_a_study_with_the_lines_of_the_page_is_valid
        if block in test_configurations.CONFIGURATIONS
        or test_configurations.is_of(block, {*test_configurations.PROMPTS})
        else None,
        test_configurations.test_relations_of_the_page_are_entries_of_a_file_of_relations
        if test_configurations.is_of(block, test_configurations.RELATIONS)
        else None,
        test_configurations.test_snakemake_takes_a_profile_with_the_lines_of_the_page
        if test_configurations.is_of(block, test_configurations.PROFILES)
        else None,
        test_commands.test_the_commands_of_a_block_run if block in test_commands.BLOCKS else None,
        ledger.elsewhere(block),
        "nothing to run" if any(block == find(*one) for one in PRINTED) else None,
    ]
    found += [reason for (page, part), reason in PYTHON.items() if ledger.page_of(block) == page and part in block.text]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_each_block_of_a_page_is_run_by_one_test_or_has_a_reason(page):
    counts = {name(block): len(runners(block)) for block in blocks(page)}
    assert [block for block, count in counts.items() if count != 1] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_block_of_a_page_hides_behind_a_missing_language(page):
    """Without a language, or in a form that the tests do not find, a block would be in nobody's list."""
    opened, fence = list[str](), ""
    for mark, language in re.findall(r"^ *(`{3,}|~{3,})(.*)$", page.read_text("utf-8"), re.MULTILINE):
        if not fence:
            fence = mark
            opened.append(language)
        elif mark == fence:  # a longer one holds shorter ones, as a page in Markdown does
            assert language == ""
            fence = ""
    assert fence == ""
    assert [language for language in opened if not language.startswith("{")] == [
        block.language for block in blocks(page)
    ]


def test_the_tests_elsewhere_are_there_and_read_their_pages():
    named = {**ledger.WHOLE, **ledger.PARTS, **{(page, ""): test for page, test in ledger.EXAMPLES.items()}}
    for (page, _), test in named.items():
        text = (ROOT / test).read_text()
        assert page.rpartition("/")[2].removesuffix(".md") in text or page == "docs/tutorial.md", (page, test)


def test_every_part_in_a_list_is_that_of_a_block():
    for page, part in [*ledger.PARTS, *PYTHON, *PRINTED]:
        assert find(page, part).text
