"""A small WordNet of sisters, and the benchmark of all its groups."""

import pytest
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.lexical.wordnet_synsets import synsets
from relprobe.studies.definitions.probes import probe_tables as build

from tests.sources.lexical.tiny_sisters import SISTERS
from tests.sources.lexical.tiny_wordnet import write


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    prepare(write(folder / "original", SISTERS, exceptions=()), folder / "prepared")
    return folder / "prepared"


@pytest.fixture(scope="session")
def tables(prepared):
    """Part of speech -> its synsets."""
    return {pos: synsets(prepared, pos) for pos in ("noun", "verb")}


@pytest.fixture(scope="session")
def whole_benchmark(tables):
    return build(tables)
