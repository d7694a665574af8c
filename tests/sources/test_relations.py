import pytest
import yaml
from relprobe.core.errors import DataError
from relprobe.core.relation import Links
from relprobe.sources.relations import read

from tests.studies.relations.six import SIX

COLD = {"name": "antonymy", "symmetric": True, "part_of_speech": "adjective", "wordnet": {"pointers": ["antonym"]}}
UP = {"name": "hypernymy", "inverse": "HPO", "wordnet": {"pointers": ["hypernym"], "depth": 2}}
DOWN = {"name": "hyponymy", "inverse": "HYP"}


def write(tmp_path, content):
    path = tmp_path / "my.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
    return path


def test_the_papers_relations():
    assert dict(SIX.inverse) == {"HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL", "ANT": "ANT", "SYN": "SYN"}
    assert SIX.codes == ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")
    assert list(SIX.names.values()) == ["hypernymy", "hyponymy", "holonymy", "meronymy", "antonymy", "synonymy"]
    assert SIX.prototypical == ("HYP", "HOL", "ANT", "SYN")
    assert SIX.pairs == 30


def test_an_entry_with_all_keys(tmp_path):
    entry = UP["wordnet"] | {"senses": "first", "tuples": True}
    keys = {"shares_words_with": ["HPO"], "prototypical": True, "hyperlex": "hyp", "answers": "up"}
    more = {"part_of_speech": "verb", "category_norms": "part"}
    relation, _ = read(write(tmp_path, {"HYP": UP | {"wordnet": entry} | keys | more, "HPO": DOWN})).entries
    assert relation.wordnet == Links(("hypernym",), depth=2, senses="first", tuples=True)
    assert (relation.part_of_speech, relation.shares_words_with, relation.answers) == ("verb", ("HPO",), "up")


@pytest.mark.parametrize(
    "keys",
    [
        {"sources": {"hyperlex": "hyp", "category_norms": "part"}},
        {"hyperlex": "hyp", "category_norms": "part"},
        {"sources": {"hyperlex": "hyp"}, "category_norms": "part"},
    ],
)
def test_the_names_in_sources_stand_below_one_key_or_as_keys_of_their_own(tmp_path, keys):
    relation, other = read(write(tmp_path, {"HYP": UP | keys, "HPO": DOWN})).entries
    assert relation.sources == {"hyperlex": "hyp", "category_norms": "part"}
    assert other.sources == {}


def test_what_an_entry_leaves_out(tmp_path):
    _, relation = read(write(tmp_path, {"HYP": UP, "HPO": DOWN})).entries
    assert (relation.part_of_speech, relation.wordnet, relation.prototypical) == ("noun", None, False)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "expected relations, each a code with its keys"),
        ("- HYP", "expected relations, each a code with its keys"),
        ({"NO": "x"}, r"'NO' should have keys such as name and part_of_speech, not 'x'\."),
        ("NO: {name: a}", r"YAML takes NO for a truth value: put it into quotation marks \(\"NO\"\)"),
        ({"A-B": DOWN}, "'A-B' is no code of a relation"),
        ({"HPO": DOWN | {"nam": "x"}}, r"HPO has the unknown key 'nam': did you mean 'name'\?"),
        ({"HPO": {"symmetric": True}}, "HPO has no name: add it"),
        ({"HPO": {"name": "x"}}, "HPO is not symmetric and has no inverse: write either"),
        ({"HPO": DOWN | {"symmetric": True}}, "HPO is symmetric and has an inverse: write either"),
        ({"HPO": DOWN}, r"HPO\.inverse names 'HYP': write one of HPO\."),
        (
            {"HYP": UP, "HPO": DOWN, "X": {"name": "x", "inverse": "HYP"}},
            "X has the inverse HYP, whose inverse is HPO: let",
        ),
        (
            {"A": COLD | {"part_of_speech": "adj"}},
            r"A\.part_of_speech names 'adj': write one of noun, verb, adjective, adv",
        ),
        (
            {"A": COLD | {"wordnet": {"pointers": ["cause"]}}},
            r"A\.wordnet\.pointers names 'cause': write one of co_lemma, ",
        ),
        ({"A": COLD | {"wordnet": {"depth": 1}}}, r"A\.wordnet has no pointers: name one or several of co_lemma, "),
        ({"A": COLD | {"wordnet": True}}, r"A\.wordnet should have the key pointers"),
        (
            {"A": COLD | {"wordnet": {"pointers": ["antonym"], "depth": 2}}},
            "antonym joins words and no synsets: write depth",
        ),
        (
            {"A": COLD | {"wordnet": {"pointers": ["similar"], "depth": 0}}},
            r"depth is 0: write a whole number from 1 to 20",
        ),
        (
            {"A": COLD | {"wordnet": {"pointers": ["similar"], "senses": "two"}}},
            r"senses names 'two': write one of all, fi",
        ),
        (
            {"A": COLD | {"wordnet": {"pointers": ["similar"], "tuples": "y"}}},
            r"tuples is 'y', but must be true or false",
        ),
        ({"A": COLD | {"shares_words_with": ["B"]}}, r"A\.shares_words_with names 'B': write one of A\."),
        ({"A": COLD | {"shares_words_with": "B"}}, r"A\.shares_words_with is 'B', but must be a list of words"),
        ({"A": COLD | {"sources": "hyp"}}, r"A\.sources is 'hyp', but must be a mapping, such as \{hyperlex: hyp\}\."),
        (
            {"A": COLD | {"sources": {"hyperlx": "hyp"}}},
            r"A\.sources has the unknown key 'hyperlx': did you mean 'hyperlex'",
        ),
        ({"A": COLD | {"sources": {"hyperlex": 1}}}, r"A\.sources\.hyperlex is 1, but must be a text"),
        (
            {"A": COLD | {"sources": {"category_norms": "all"}}},
            r"A\.sources\.category_norms names 'all': write one of ex",
        ),
        (
            {"A": COLD | {"sources": {"hyperlex": "ant"}, "hyperlex": "ant"}},
            "A names hyperlex twice: take out the one that does not stand below `sources`",
        ),
        ({"A": COLD | {"category_norms": "whole"}}, r"A\.category_norms names 'whole': write one of exemplar, part\."),
        ({"A": COLD | {"name": 5}}, r"A\.name is 5, but must be a text"),
    ],
)
def test_what_is_no_file_of_relations_is_refused(tmp_path, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write(tmp_path, content))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"wordnet": {"pointers": ["hypernym"], "depht": 2}}, "has the unknown key 'depht'"),
        ({"wordnet": {"pointers": ["hypernym"], "depth": True}}, "depth is True"),
        ({"wordnet": {"pointers": ["hypernym"], "depth": 0}}, "depth is 0"),
        ({"wordnet": {"pointers": ["antonym"], "depth": 2}}, "antonym joins words and no synsets"),
        ({"sources": {"hyperlex": "hyp"}, "hyperlex": "hyp"}, "names hyperlex twice"),
        ({"sources": {"hyperlex": None, "category_norms": "part"}}, ""),
    ],
)
def test_an_entry_with_a_fault_names_it(tmp_path, change, sentence):
    path = write(tmp_path, {"HYP": UP | change, "HPO": DOWN})
    if sentence == "":
        assert read(path).entries[0].sources == {"category_norms": "part"}
    else:
        with pytest.raises(DataError, match=sentence):
            read(path)
