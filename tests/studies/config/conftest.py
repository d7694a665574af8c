"""The paths of a configuration start from the folder that Snakemake runs in."""

import pytest

from tests.paths import ROOT


@pytest.fixture(autouse=True)
def root(monkeypatch):
    monkeypatch.chdir(ROOT)  # a config's paths start from the folder Snakemake runs in
