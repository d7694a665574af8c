"""The miniature study, run to its end once for all tests of the workflow."""

import pytest

from tests.workflow import toy


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The miniature study, run to its end once."""
    return toy.make(tmp_path_factory.mktemp("toy") / "study").finish()


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished study to change."""
    return finished.copy(tmp_path / "study")
