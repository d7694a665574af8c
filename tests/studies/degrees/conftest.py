"""Small packages of SemEval-2012 Task 2: one subcategory, and those of the toy study."""

import pytest
from relprobe.sources.semeval2012 import read

from tests.sources.made import tiny_semeval
from tests.sources.made.tiny_semeval import FUNCTIONAL
from tests.workflow import toy_data


@pytest.fixture
def package(tmp_path):
    return tiny_semeval.write(tmp_path / "data", [FUNCTIONAL])


@pytest.fixture
def folder(tmp_path):
    toy_data._write_semeval(tmp_path / "semeval")
    return tmp_path / "semeval"


@pytest.fixture
def relations(folder):
    return read(folder, mended=False)
