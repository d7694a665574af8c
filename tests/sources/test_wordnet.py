from contextlib import ExitStack

import pytest
from relprobe.core.errors import SourceError
from relprobe.sources.wordnet import first_sense_tuples, frequent_nouns, noun_relations, prepare

from tests.sources import tiny_wordnet
from tests.sources.tiny_wordnet import Synset, write

NLTK_READS = [
    *(f"{part}.{suffix}" for part in ("data", "index") for suffix in ("noun", "verb", "adj", "adv")),
    *(f"{suffix}.exc" for suffix in ("noun", "verb", "adj", "adv")),
    "index.sense",
    "lexnames",
    "cntlist.rev",
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    prepare(write(folder / "original"), folder / "prepared")
    return folder / "prepared"


@pytest.fixture
def opened():
    """Open prepared folders until the test ends."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(tiny_wordnet.reader_of(folder))


@pytest.fixture
def wordnet(prepared, opened):
    return opened(prepared)  # anew for each test: nltk reads below the last loaded folder only


def relata(wordnet, target):
    rows = noun_relations(wordnet, [target]).select("relation", "relatum", "steps").iter_rows()
    return {(relation, relatum): steps for relation, relatum, steps in rows}


def test_prepare_puts_the_files_where_nltk_looks(tmp_path):
    original = write(tmp_path / "original")
    prepare(original, tmp_path / "prepared")
    home = tmp_path / "prepared/corpora/wordnet"
    assert {path.name for path in home.iterdir()} == {path.name for path in original.iterdir()}
    assert (home / "data.noun").read_bytes() == (original / "data.noun").read_bytes()


def test_prepare_mends_crlf_line_ends(tmp_path, opened):
    write(tmp_path / "lf")
    write(tmp_path / "crlf", newline="\r\n")
    assert (tmp_path / "crlf/data.noun").read_bytes() != (tmp_path / "lf/data.noun").read_bytes()
    prepare(tmp_path / "crlf", tmp_path / "prepared")
    for name in NLTK_READS:
        assert (tmp_path / "prepared/corpora/wordnet" / name).read_bytes() == (tmp_path / "lf" / name).read_bytes()
    assert [synset.name() for synset in opened(tmp_path / "prepared").synsets("robin")] == ["robin.n.01"]


def test_prepare_takes_the_place_of_an_older_copy(tmp_path):
    (tmp_path / "prepared").mkdir()
    (tmp_path / "prepared/stale").touch()
    prepare(write(tmp_path / "original"), tmp_path / "prepared")
    assert [path.name for path in (tmp_path / "prepared").iterdir()] == ["corpora"]


@pytest.mark.parametrize("name", NLTK_READS)
def test_prepare_names_the_missing_file(tmp_path, name):
    original = write(tmp_path / "original")
    (original / name).unlink()
    with pytest.raises(SourceError, match=rf"has no {name}: it is no complete WordNet 3.0 database\.$"):
        prepare(original, tmp_path / "prepared")
    assert not (tmp_path / "prepared").exists()


def test_hypernyms_reach_two_steps_and_no_further(wordnet):
    assert relata(wordnet, "robin") == {
        ("HYP", "bird"): 1,
        ("HYP", "animal"): 2,
        ("HYP", "beast"): 2,  # organism is three steps up
        ("SYN", "redbreast"): 0,
    }


def test_hyponyms_reach_two_steps_and_no_further(wordnet):
    assert relata(wordnet, "organism") == {("HPO", "animal"): 1, ("HPO", "beast"): 1, ("HPO", "bird"): 2}


def test_all_noun_senses_count_and_all_kinds_of_parts_and_wholes(wordnet):
    assert relata(wordnet, "bird") == {
        ("HYP", "animal"): 1,
        ("HYP", "beast"): 1,
        ("HYP", "organism"): 2,
        ("HYP", "artifact"): 1,  # of the shuttlecock
        ("HYP", "artefact"): 1,
        ("HPO", "robin"): 1,
        ("HPO", "redbreast"): 1,
        ("HPO", "goose"): 1,
        ("HOL", "flock"): 1,  # as a member
        ("MER", "wing"): 1,
        ("MER", "feather"): 1,
        ("MER", "plume"): 1,
        ("SYN", "shuttlecock"): 0,
    }
    assert relata(wordnet, "wing") == {
        ("HOL", "bird"): 1,
        ("HOL", "building"): 1,
        ("HOL", "edifice"): 1,
        ("MER", "feather"): 1,
        ("MER", "plume"): 1,
        ("SYN", "annexe"): 0,
    }


def test_substances_are_parts(wordnet):
    assert relata(wordnet, "wall")["MER", "brick"] == 1
    assert relata(wordnet, "brick")["HOL", "wall"] == 1


def test_instances_are_hyponyms_and_words_of_several_words_are_left_out(wordnet):
    assert relata(wordnet, "city") == {("HPO", "Paris"): 1, ("SYN", "metropolis"): 0}
    assert relata(wordnet, "Paris") == {("HYP", "city"): 1, ("HYP", "metropolis"): 1}


def test_antonyms_belong_to_the_lemma(wordnet):
    assert relata(wordnet, "day")["ANT", "night"] == 0
    assert relata(wordnet, "night")["ANT", "day"] == 0
    assert not [key for key in relata(wordnet, "daytime") if key[0] == "ANT"]


def test_the_shortest_path_counts(tmp_path, opened):
    diamond = {
        "top": Synset("top"),
        "middle": Synset("middle", hypernyms="top"),
        "bottom": Synset("bottom", hypernyms="middle top"),
        "filler": Synset("filler"),
    }
    prepare(write(tmp_path / "original", diamond), tmp_path / "prepared")
    table = noun_relations(opened(tmp_path / "prepared"), ["bottom"])
    assert table.rows() == [("bottom", "HYP", "middle", 1), ("bottom", "HYP", "top", 1)]


@pytest.mark.parametrize(("inflected", "relatum"), [("robins", "animal"), ("geese", "animal"), ("houses", "artifact")])
def test_inflected_targets_are_looked_up_by_their_lemma(wordnet, inflected, relatum):
    table = noun_relations(wordnet, [inflected])
    assert set(table["target"]) == {inflected}
    assert relata(wordnet, inflected)["HYP", relatum] == 2


def test_unknown_words_and_other_parts_of_speech_have_no_relata(wordnet):
    assert noun_relations(wordnet, ["xyzzy", "short"]).height == 0


def test_frequent_nouns_come_in_the_order_of_their_frequency(wordnet):
    assert frequent_nouns(wordnet, 4) == ["time", "day", "home", "house"]


def test_frequent_nouns_are_mostly_nouns(wordnet):
    nouns = frequent_nouns(wordnet, 10)
    assert "house" in nouns
    assert not {"in", "can"} & set(nouns)


def test_first_sense_tuples_are_direct_links_of_first_senses(wordnet):
    nouns = ["animal", "beast", "bird", "robin", "wing", "feather", "building", "day", "night", "time", "annexe"]
    tuples = {row[:3] for row in first_sense_tuples(wordnet, nouns).rows()}
    assert tuples == {
        ("animal", "SYN", "beast"),
        ("beast", "SYN", "animal"),
        ("bird", "HYP", "animal"),  # not artifact, which is a hypernym of its second sense
        ("bird", "HYP", "beast"),
        ("robin", "HYP", "bird"),  # not animal, two steps away
        ("bird", "MER", "wing"),
        ("bird", "MER", "feather"),
        ("wing", "MER", "feather"),
        ("building", "MER", "annexe"),  # not wing: the wing of a building is its second sense
        ("day", "HYP", "time"),
        ("night", "HYP", "time"),
        ("day", "ANT", "night"),
        ("night", "ANT", "day"),
    }


def test_first_sense_tuples_name_their_source(wordnet):
    assert first_sense_tuples(wordnet, ["robin", "bird"]).rows() == [("robin", "HYP", "bird", ["wordnet"])]
