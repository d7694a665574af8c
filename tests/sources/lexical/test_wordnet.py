from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace

import pytest
from relprobe.core.errors import SourceError
from relprobe.core.relation import Links, Relation
from relprobe.sources.lexical import resource as lexical
from relprobe.sources.lexical.pointers import INVERSE, SISTER, SYNSET
from relprobe.sources.lexical.wordnet import Princeton, prepare
from relprobe.sources.relations import read

from tests.paths import ROOT
from tests.sources.lexical import tiny_wordnet
from tests.sources.lexical.tiny_wordnet import Synset, write
from tests.studies.relations.six import ENGLISH, SIX

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


def linked(wordnet, targets, relations):
    return lexical.linked_words(Princeton(wordnet, ENGLISH), targets, relations)


def first_sense_tuples(wordnet, words, relations):
    return lexical.first_sense_tuples(Princeton(wordnet, ENGLISH), words, relations, "wordnet")


def frequent_words(wordnet, parts, number):
    return Princeton(wordnet, ENGLISH).frequent_words(parts, number)


def nouns(wordnet, targets):
    return linked(wordnet, {"noun": targets}, SIX.entries)


def relata(wordnet, target):
    rows = nouns(wordnet, [target]).select("relation", "relatum", "steps").iter_rows()
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


def test_instances_are_hyponyms_and_several_words_have_blanks(wordnet):
    assert relata(wordnet, "city") == {("HPO", "Paris"): 1, ("HPO", "City of Light"): 1, ("SYN", "metropolis"): 0}
    assert relata(wordnet, "Paris") == {("HYP", "city"): 1, ("HYP", "metropolis"): 1, ("SYN", "City of Light"): 0}


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
    table = nouns(opened(tmp_path / "prepared"), ["bottom"])
    assert table.rows() == [("bottom", "HYP", "middle", 1), ("bottom", "HYP", "top", 1)]


@pytest.mark.parametrize(("inflected", "relatum"), [("robins", "animal"), ("geese", "animal"), ("houses", "artifact")])
def test_inflected_targets_are_looked_up_by_their_lemma(wordnet, inflected, relatum):
    table = nouns(wordnet, [inflected])
    assert set(table["target"]) == {inflected}
    assert relata(wordnet, inflected)["HYP", relatum] == 2


def test_unknown_words_and_other_parts_of_speech_have_no_relata(wordnet):
    assert nouns(wordnet, ["xyzzy", "short"]).height == 0


def test_frequent_nouns_come_in_the_order_of_their_frequency(wordnet):
    assert frequent_words(wordnet, ["noun"], 4) == {"noun": ["time", "day", "home", "house"]}


def test_frequent_nouns_are_mostly_nouns(wordnet):
    nouns = frequent_words(wordnet, ["noun"], 10)["noun"]
    assert "house" in nouns
    assert not {"in", "can"} & set(nouns)


def test_first_sense_tuples_are_direct_links_of_first_senses(wordnet):
    words = ["animal", "beast", "bird", "robin", "wing", "feather", "building", "day", "night", "time", "annexe"]
    tuples = {row[:3] for row in first_sense_tuples(wordnet, {"noun": words}, SIX.entries).rows()}
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
    assert first_sense_tuples(wordnet, {"noun": ["robin", "bird"]}, SIX.entries).rows() == [
        ("robin", "HYP", "bird", ["wordnet"])
    ]


VERBS = {
    "move": Synset("move", pos="v", uses=(9,)),
    "walk": Synset("walk", pos="v", hypernyms="move", uses=(8,)),
    "march": Synset("march parade", pos="v", hypernyms="walk", uses=(3,)),
    "stroll": Synset("stroll", pos="v", hypernyms="walk", uses=(1,)),
    "sleep": Synset("sleep", pos="v", uses=(7,)),
    "snore": Synset("snore", pos="v", entails="sleep", uses=(2,)),
    "die": Synset("die", pos="v", uses=(6,)),
    "kill": Synset("kill", pos="v", causes="die", uses=(5,)),
    "hot": Synset("hot", pos="a", antonyms={"hot": ("cold", "cold")}, attribute="temperature", uses=(4,)),
    "scorching": Synset("scorching", pos="a", similar="hot", uses=(1,)),
    "cold": Synset("cold", pos="a", uses=(4,)),
    "temperature": Synset("temperature", uses=(3,)),
    "ancient": Synset("ancient", pos="a", uses=(1,)),  # nltk does not find the counts of the first word of all
    "spice": Synset("hot", uses=(1,)),  # a noun
}
MORE = read(ROOT / "resources/relations/english-verbs-adjectives.yaml").entries


@pytest.fixture
def verbs(tmp_path, opened):
    prepare(write(tmp_path / "original", VERBS), tmp_path / "prepared")
    return opened(tmp_path / "prepared")


@pytest.mark.parametrize(
    ("part", "target", "words"),
    [
        ("verb", "march", {("VHY", "walk"), ("VHY", "move")}),
        ("verb", "move", {("TRO", "walk"), ("TRO", "march"), ("TRO", "parade"), ("TRO", "stroll")}),
        ("verb", "snore", {("ENT", "sleep")}),
        ("verb", "sleep", {("PRE", "snore")}),  # WordNet has the pointer at "snore" alone
        ("verb", "kill", {("CAU", "die")}),
        ("verb", "die", {("EFF", "kill")}),
        ("adjective", "hot", {("AAN", "cold"), ("SIM", "scorching"), ("ATT", "temperature")}),
        ("noun", "temperature", {("VAL", "hot")}),
    ],
)
def test_relations_of_verbs_and_adjectives(verbs, part, target, words):
    assert set(linked(verbs, {part: [target]}, MORE).select("relation", "relatum").iter_rows()) == words


def test_sisters_share_a_direct_hypernym(verbs, wordnet):
    sister = [Relation("COO", "co-hyponymy", "COO", "verb", Links(("sister",)))]
    assert linked(verbs, {"verb": ["march"]}, sister)["relatum"].to_list() == ["stroll"]


def test_the_first_sense_alone_counts_if_the_relation_says_so(wordnet):
    up = Relation("HYP", "hypernymy", "HPO", wordnet=Links(("hypernym",)))
    first = replace(up, wordnet=Links(("hypernym",), senses="first"))
    assert linked(wordnet, {"noun": ["bird"]}, [up])["relatum"].to_list() == ["animal", "artefact", "artifact", "beast"]
    assert linked(wordnet, {"noun": ["bird"]}, [first])["relatum"].to_list() == ["animal", "beast"]


def test_a_relation_without_pointers_has_no_words_in_wordnet(wordnet):
    assert linked(wordnet, {"noun": ["bird"]}, [Relation("COO", "co-hyponymy", "COO")]).is_empty()


def test_tuples_may_join_words_of_two_parts_of_speech(verbs):
    words = frequent_words(verbs, ["noun", "verb", "adjective"], 20)
    assert "hot" in words["adjective"]
    assert "hot" not in words["noun"]
    rows = {row[:3] for row in first_sense_tuples(verbs, words, MORE).rows()}
    assert ("hot", "ATT", "temperature") in rows
    assert ("kill", "CAU", "die") in rows
    assert ("march", "VHY", "move") not in rows  # two steps
    assert {relation for _, relation, _ in rows} == {"VHY", "ENT", "CAU", "AAN", "SIM", "ATT"}


NAMES = {
    "bird": Synset("bird"),
    "country": Synset("country"),
    "turkey": Synset("turkey Meleagris_gallopavo", hypernyms="bird"),
    "Turkey": Synset("Turkey", instance_of="country"),
    "Monday": Synset("Monday", hypernyms="time"),
    "time": Synset("time"),
    "organ": Synset("organ"),
    "stamen": Synset("stamen", hypernyms="organ"),
    "strength": Synset("strength"),
    "stamina": Synset("stamina staying_power", hypernyms="strength"),
    "vessel": Synset("vessel"),
    "glass": Synset("glass drinking_glass", hypernyms="vessel"),
    "lens": Synset("lens"),
    "glasses": Synset("glasses spectacles", hypernyms="lens"),
    "dessert": Synset("dessert"),
    "ice cream": Synset("ice_cream icecream", hypernyms="dessert", antonyms={"ice_cream": ("glass", "glass")}),
    "tool": Synset("tool"),
    "axe": Synset("axe ax", hypernyms="tool"),
    "axis": Synset("axis", hypernyms="lens"),
    "Emmy": Synset("Emmy", hypernyms="tool"),
}


@pytest.fixture
def names(tmp_path, opened):
    exceptions = ("axes ax axis", "stamina stamen")
    prepare(write(tmp_path / "original", NAMES, exceptions=exceptions), tmp_path / "prepared")
    return opened(tmp_path / "prepared")


@pytest.mark.parametrize(
    ("word", "above"),
    [
        ("ice cream", {"dessert"}),  # several words
        ("ice_cream", {"dessert"}),
        ("ice creams", {"dessert"}),
        ("Ice cream", set()),
        ("turkey", {"bird"}),  # nltk takes one for the other
        ("Turkey", {"country"}),
        ("TURKEY", set()),
        ("monday", set()),
        ("Monday", {"time"}),
        ("Bird", set()),
        ("stamina", {"strength"}),  # a lemma, and the plural of another one
        ("glasses", {"lens"}),
        ("glass", {"vessel"}),
        ("birds", set()),
        ("turkeys", {"bird"}),
        ("Turkeys", {"country"}),
        ("TURKEYS", set()),
        ("Mondays", {"time"}),
        ("mondays", set()),
        ("Emmies", {"tool"}),  # the last letter of a lemma may change
        ("emmies", set()),
        ("Ice creams", set()),
        ("Birds", set()),
        ("Axes", set()),
        ("axes", {"tool", "lens"}),  # an inflected form of two lemmas has the words of both
        ("wug", set()),
    ],
)
def test_a_lemma_has_its_own_senses_alone_and_is_written_so(names, word, above):
    links = (Relation("UP", "up", "UP", wordnet=Links(("hypernym", "instance_hypernym"))),)
    assert set(linked(names, {"noun": [word]}, links)["relatum"]) == above


@pytest.mark.parametrize(
    ("word", "above"),
    [
        ("ice cream", {"dessert"}),
        ("turkey", {"bird", "country"}),
        ("Turkey", {"bird", "country"}),
        ("TURKEY", {"bird", "country"}),
        ("glasses", {"lens", "vessel"}),
        ("wug", set()),
    ],
)
def test_any_spelling_is_the_reading_of_nltk_and_the_paper(names, word, above):
    links = (Relation("UP", "up", "UP", wordnet=Links(("hypernym", "instance_hypernym"), spelling="any")),)
    assert set(linked(names, {"noun": [word]}, links)["relatum"]) == above


def test_the_words_of_an_expression_are_its_own(names):
    own = (
        Relation("SYN", "s", "SYN", wordnet=Links(("co_lemma",))),
        Relation("ANT", "a", "ANT", wordnet=Links(("antonym",))),
    )
    rows = linked(names, {"noun": ["ice cream", "axes"]}, own).select("target", "relation", "relatum").rows()
    assert sorted(rows) == [("axes", "SYN", "axe"), ("ice cream", "ANT", "glass"), ("ice cream", "SYN", "icecream")]


def test_what_an_inflected_word_inherits_is_listed(names):
    targets = {"noun": ["turkeys", "turkey", "axes", "glasses", "ice creams", "wug"]}
    rows = [("axes", "ax"), ("axes", "axis"), ("ice creams", "ice cream"), ("turkeys", "turkey")]
    written, loose = (
        (Relation("UP", "up", "UP", wordnet=Links(("hypernym",), spelling=spelling)),)
        for spelling in ("written", "any")
    )
    assert lexical.inherited_senses(Princeton(names, ENGLISH), targets, written).rows() == rows
    first = [("axes", "ax"), ("ice creams", "ice cream"), ("turkeys", "turkey")]
    assert lexical.inherited_senses(Princeton(names, ENGLISH), targets, loose).rows() == first
    # Once, whatever asks for it again: a target, a relation, or a relation without words of WordNet
    again = {"noun": [*reversed(targets["noun"]), "axes"]}
    several = (*written, *written, Relation("OWN", "own", "OWN"))
    assert lexical.inherited_senses(Princeton(names, ENGLISH), again, several).rows() == rows


class Placed:
    """A synset at an offset of WordNet's file; every pointer of it leads to the same ones."""

    def __init__(self, offset, linked=()):
        self.where, self.linked = offset, linked

    def pos(self):
        return "n"

    def offset(self):
        return self.where

    def __getattr__(self, method):
        assert method in SYNSET.values()
        return lambda: list(self.linked)


@pytest.mark.parametrize("pointer", [*SYNSET, *INVERSE, SISTER])
def test_what_a_pointer_leads_to_has_an_order(pointer):
    """nltk has the synsets of a pointer as a set, so that each process drew other words."""
    first, second, third = Placed(1), Placed(2), Placed(3)
    for order in ([third, first, second], [second, third, first]):
        start = Placed(9, [Placed(5, order)] if pointer == SISTER else order)
        reader = SimpleNamespace(reversed_pointers={name: {start: order} for name in INVERSE})
        assert Princeton(reader, ENGLISH).follow(start, pointer) == [first, second, third]
