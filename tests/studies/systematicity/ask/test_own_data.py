"""Hyponyms of one's own become items, pairs and probes."""

import pytest
from relprobe.core.errors import DataError
from relprobe.core.manifest import write_manifest
from relprobe.studies.systematicity.contexts import splits
from relprobe.studies.systematicity.hyponyms import TEMPLATE, Choice, template
from relprobe.studies.systematicity.method import Asking
from relprobe.studies.systematicity.probes import probe_tables
from relprobe.studies.systematicity.prompts import read

from tests.studies.systematicity.data.test_own_data import CATEGORIES, PROMPTS


def test_the_template_is_an_example_that_passes_through_items_and_pairs(tmp_path):
    folder = tmp_path / "own_hyponyms"
    folder.mkdir()
    (folder / "own.csv").write_text(template(), encoding="utf-8")
    assert template() == TEMPLATE
    asking, own = Asking(read(PROMPTS, 2), "mended"), write_manifest(folder)
    items, table = probe_tables(asking, Choice(1.0), user_items=own, categories=CATEGORIES)
    assert table.filter(hyponym="éclair", kind="singular")["text"].to_list()[0] == "An éclair is a [V]."
    assert table.filter(hyponym="éclair", kind="contextual")["text"].to_list() == [
        "He ate a [V] with his coffee.",
        "He ate an [V] with his coffee.",
    ]
    assert table.filter(hyponym="goose", kind="plural", prompt="paper")["text"].to_list() == ["geese are [V]."]
    pairs, _ = splits(items, categories=CATEGORIES, carriers=["The [W]."], folds=3, seed=1)
    assert set(pairs["part"]) == {"train", "dev", "test"}


def test_items_need_a_source():
    with pytest.raises(DataError, match="there are no data for the items: give one of wordnet, released and own"):
        probe_tables(Asking(read(PROMPTS)), Choice(1.0), categories=CATEGORIES)
