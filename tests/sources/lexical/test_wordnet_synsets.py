"""The synsets that are read from the files of WordNet, beside those that nltk makes of the same files."""

import polars as pl
import pytest
from relprobe.core.errors import SourceError
from relprobe.sources.lexical.wordnet import prepare
from relprobe.sources.lexical.wordnet_synsets import POS, SYNSETS, string, synsets

from tests.paths import ROOT
from tests.sources.lexical.tiny_sisters import SISTERS
from tests.sources.lexical.tiny_wordnet import DEFAULT, Synset, reader_of, write

REAL = ROOT / "resources/fetched/nltk_wordnet.json"
ADJECTIVES = {
    "fast": Synset("fast", pos="a", gloss='moving far; "a fast horse"; at once'),
    "firm": Synset("fast firm(p)", pos="a"),
    "quick": Synset("Quick fast", pos="s", similar="fast"),
    "firmly": Synset("firm(a)", pos="s", similar="firm"),
    "colour": Synset("colour", attribute="fast"),
}


def by_nltk(folder, pos):
    """Return the same table by the objects of nltk."""
    with reader_of(folder) as reader:
        return pl.DataFrame([row(synset, pos) for synset in reader.all_synsets(POS[pos])], schema=SYNSETS, orient="row")


def row(synset, pos):
    above = synset.hypernyms()
    if synset.pos() == "s":
        above = [head for head in synset.similar_tos() if head.pos() == "a"]
    return (
        synset.name(),
        pos,
        string(synset.name()),
        synset.definition(),
        depth(synset, pos),
        sorted(one.name() for one in above),
    )


def depth(synset, pos):
    """nltk's own depth looks at hypernyms alone, and an adjective has none."""
    if pos == "adjective" and synset.pos() == "s":
        return 2 if any(head.pos() == "a" for head in synset.similar_tos()) else 1
    return synset.min_depth() + 1


@pytest.mark.parametrize("spec", [DEFAULT, SISTERS, ADJECTIVES], ids=["default", "sisters", "adjectives"])
@pytest.mark.parametrize("pos", POS)
def test_synsets_are_those_of_nltk(tmp_path, spec, pos):
    prepare(write(tmp_path / "original", spec), tmp_path / "prepared")
    assert synsets(tmp_path / "prepared", pos).equals(by_nltk(tmp_path / "prepared", pos))


@pytest.mark.slow("nltk makes an object of every lemma of WordNet")
@pytest.mark.skipif(not REAL.is_file(), reason="WordNet 3.0 has not been fetched")
@pytest.mark.parametrize("pos", POS)
def test_all_synsets_of_wordnet_are_those_of_nltk(pos):
    folder = REAL.with_suffix("")
    table = synsets(folder, pos)
    assert table.height == {"noun": 82_115, "verb": 13_767, "adjective": 18_156}[pos]
    assert table.equals(by_nltk(folder, pos))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("data.noun", "00000001 03 n zz robin 0 000 | a bird"),
        ("data.noun", "00000001 03 n 01 robin 0 000"),
        ("data.noun", "00000001 03 n 01 robin 0 001 @ 00000009 n 0000 | a bird"),
        ("data.noun", "00000001 03 n 01 unheard 0 000 | no lemma of the index"),
        ("index.noun", "robin n"),
        ("index.noun", "robin n 1 0 1 0 00000009"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, name, line):
    prepare(write(tmp_path / "original"), tmp_path / "prepared")
    home = tmp_path / "prepared" / "corpora" / "wordnet"
    (home / name).write_text(f"{line}\n")
    with pytest.raises(SourceError, match=r"data\.noun or index\.noun is not in WordNet's form"):
        synsets(tmp_path / "prepared", "noun")
