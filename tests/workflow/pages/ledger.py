"""Which test runs a block of a page: every block has one."""

from collections.abc import Iterator

from tests.package.pages_of_docs import Block, blocks, pages
from tests.paths import ROOT
from tests.workflow.pages.exceptions import PYTHON

WHOLE = {
    ("docs/tutorial.md", "sh yaml csv python"): "tests/package/test_tutorial.py",
    ("docs/compared.md", "python"): "tests/package/test_coming_from.py",
    **{
        (f"docs/{page}.md", "diff sh csv"): "tests/workflow/test_adding.py"
        for page in ("adding", "how-to/add-a-source", "how-to/add-a-figure", "how-to/add-a-study")
    },
}
"""(page, languages) -> the test that runs all blocks of these languages."""
PARTS = {
    ("docs/tutorial.md", "pip install ."): "tests/package/wheel/test_wheel.py",
    ("docs/tutorial.md", "relprobe init first"): "tests/package/wheel/test_wheel.py",
}
"""(page, a part of a block) -> the test that runs the block, before WHOLE."""
EXAMPLES = {
    "docs/engine-details.md": "tests/lm/test_engine_page.py",
    "docs/library.md": "tests/library/test_library_page.py",
}
"""Page -> the test that runs its examples with a prompt of Python."""


def name(block: Block) -> str:
    """The page of a block and its first line, for the names of tests."""
    return f"{page_of(block)}: {block.text.partition(chr(10))[0][:50]}"


def page_of(block: Block) -> str:
    return block.page.relative_to(ROOT).as_posix()


def elsewhere(block: Block) -> str | None:
    """The test outside this folder that runs a block, if there is one."""
    page = page_of(block)
    if ">>> " in block.text and block.language == "python" and page in EXAMPLES:
        return EXAMPLES[page]
    if block.text.startswith(("# workflow/", "# resources/", "<!-- workflow/")) or (
        page in ("docs/adding.md", "docs/how-to/add-a-source.md") and block.text.startswith(("COO:", "sources:"))
    ):
        return "tests/workflow/test_adding.py"
    for (its, part), test in PARTS.items():
        if its == page and part in block.text:
            return test
    return next((test for (its, kinds), test in WHOLE.items() if its == page and block.language in kinds.split()), None)


def is_excepted(block: Block) -> bool:
    return any(page_of(block) == page and part in block.text for page, part in PYTHON)


def ours(*languages: str) -> Iterator[Block]:
    """The blocks of all pages that the tests of this folder run."""
    for page in pages():
        for block in blocks(page, *languages):
            if elsewhere(block) is None and not is_excepted(block):
                yield block


def find(page: str, part: str) -> Block:
    """The one block of a page that holds a part."""
    (found,) = (block for block in blocks(ROOT / page) if part in block.text)
    return found
