"""Every CSV file and list of words on the pages: the study's own reader takes it, and the page names its key."""

import pytest
from relprobe.core.errors import DataError

from tests.paths import ROOT
from tests.workflow.pages.files import FILES, read_words
from tests.workflow.pages.ledger import find, name, ours


@pytest.mark.parametrize(("page", "part"), FILES)
def test_the_reader_of_a_study_takes_the_file_of_the_page(page, part, tmp_path):
    file = FILES[page, part]
    path = tmp_path / "file.csv"
    path.write_text(find(page, part).text + file.more)
    assert len(file.read(path)) == file.rows


@pytest.mark.parametrize(("page", "part"), FILES)
def test_the_reader_notices_a_line_that_is_cut_off(page, part, tmp_path):
    """So it has read the lines of the page, and not only found a file."""
    file = FILES[page, part]
    path = tmp_path / "file.csv"
    path.write_text(find(page, part).text + file.more + ("!\n" if file.read is read_words else "cut,\n"))
    with pytest.raises(DataError, match="line"):
        file.read(path)


def test_every_file_of_the_pages_is_in_the_table():
    """And the file of a key that its page does not name is in none: who would know where it goes?"""
    listed = {find(page, part): file.key for (page, part), file in FILES.items()}
    assert [name(block) for block in ours("csv") if block not in listed] == []
    for block, key in listed.items():
        words = key.split(".")
        text = block.page.read_text("utf-8")
        assert all(word in text for word in words) or block.page == ROOT / "README.md", (name(block), key)
