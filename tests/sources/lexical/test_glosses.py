"""The sentences of WordNet's glosses."""

from relprobe.sources.lexical.glosses import glosses
from relprobe.sources.lexical.wordnet import prepare

from tests.sources.lexical import tiny_wordnet
from tests.sources.lexical.tiny_wordnet import Synset


def test_definitions_and_examples_of_four_words_or_more_once_each(tmp_path):
    gloss = 'a bird that sings; "the robin  sings in May"; "robins"'
    synsets = {
        "robin.n.01": Synset("robin", gloss=gloss),
        "sing.v.01": Synset("sing", "v", gloss='make music | or noise; "the robin sings in May"'),
    }
    prepare(tiny_wordnet.write(tmp_path / "original", synsets), tmp_path / "prepared")
    assert glosses(tmp_path / "prepared") == ["a bird that sings", "make music | or noise", "the robin sings in May"]
