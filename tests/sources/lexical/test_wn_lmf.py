import pytest
from relprobe.core.errors import SourceError
from relprobe.core.relation import Links, Relation
from relprobe.sources import language
from relprobe.sources.lexical.resource import first_sense_tuples, linked_words

from tests.paths import ROOT
from tests.sources.lexical import tiny_lmf
from tests.studies.relations.six import ENGLISH, SIX

pytest.importorskip("wn", reason="the library wn is missing: pip install --requirement envs/requirements.txt")
GERMAN = language.read(ROOT / "resources/languages/german.yaml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A resource that was fetched in a folder, beside a note and a folder with the suffix of a file."""
    from relprobe.sources.lexical.wn_lmf import prepare

    home = tmp_path_factory.mktemp("lmf")
    tiny_lmf.write(home / "fetched/tiny/tiny.xml")
    (home / "fetched/README").write_text("a note")
    (home / "fetched/empty.xml").mkdir()
    prepare(home / "fetched", home / "prepared")
    return home / "prepared"


@pytest.fixture
def german(folder):
    from relprobe.sources.lexical.wn_lmf import WnLmf

    return WnLmf(folder, GERMAN)


def related(resource, part, target, *relations):
    return set(linked_words(resource, {part: [target]}, relations).select("relation", "relatum").iter_rows())


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("Amsel", {("HYP", "Vogel"), ("HYP", "Tier"), ("SYN", "Schwarzdrossel")}),
        (
            "Tier",
            {("HPO", word) for word in ("Vogel", "Amsel", "Schwarzdrossel", "Rabe", "Kolkrabe", "schwarzer Rabe")},
        ),
        ("Flügel", {("HOL", "Vogel"), ("SYN", "Konzertflügel")}),
        (
            "Vogel",
            {("HYP", "Tier"), ("MER", "Flügel")}
            | {("HPO", w) for w in ("Amsel", "Schwarzdrossel", "Rabe", "Kolkrabe", "schwarzer Rabe")},
        ),
    ],
)
def test_the_papers_relations_hold_in_another_language(german, target, words):
    assert related(german, "noun", target, *SIX.entries) == words


@pytest.mark.parametrize(
    ("target", "above"),
    [
        ("schwarzer Rabe", {"Vogel"}),  # several words
        ("schwarzer_Rabe", set()),  # no underscores in words
        ("Amsel", {"Vogel"}),
        ("amsel", set()),  # the library takes words without their capitals and accents, too
        ("AMSEL", set()),
        ("Fluegel", set()),
        ("Flugel", set()),
        ("wug", set()),
    ],
)
def test_a_lemma_is_written_so(german, target, above):
    up = Relation("UP", "up", "UP", wordnet=Links(("hypernym", "holo_part")))
    assert {word for _, word in related(german, "noun", target, up)} == above
    assert german.forms(target, "noun") == {target}


def test_relations_of_verbs_and_adjectives(german):
    entailed = Relation("PRE", "precondition", "ENT", "verb", Links(("is_entailed_by",)))
    opposite = Relation("AAN", "antonymy", "AAN", "adjective", Links(("antonym",)))
    similar = Relation("SIM", "similarity", "SIM", "adjective", Links(("similar",)))
    sister = Relation("COO", "co-hyponymy", "COO", wordnet=Links(("sister",)))
    assert related(german, "verb", "schlafen", entailed) == {("PRE", "schnarchen")}
    assert related(german, "adjective", "warm", opposite, similar) == {("AAN", "kalt"), ("SIM", "heiß")}
    assert related(german, "noun", "Amsel", sister) == {("COO", w) for w in ("Rabe", "Kolkrabe", "schwarzer Rabe")}


def test_tuples_join_first_senses_of_frequent_words(german):
    words = german.frequent_words(["noun", "verb"], 20)
    assert words["verb"][:2] == ["gehen", "schlafen"]  # the more frequent first
    assert {"Vogel", "Flügel"} <= set(words["noun"])
    assert "schwarzer Rabe" not in words["noun"]
    rows = {row[:3] for row in first_sense_tuples(german, words, SIX.entries, "wn_lmf").rows()}
    assert {("Rabe", "HYP", "Vogel"), ("Vogel", "MER", "Flügel")} <= rows
    assert ("Amsel", "HYP", "Tier") not in rows  # two steps


def test_a_language_that_the_files_do_not_have_is_said(folder):
    from relprobe.sources.lexical.wn_lmf import WnLmf

    with pytest.raises(SourceError, match=r"has no lexicon of the language 'en', but of de: correct `lexicon` in"):
        WnLmf(folder, ENGLISH)


@pytest.mark.parametrize(
    ("name", "text", "why"), [("a.txt", "x", "has no file that ends in"), ("a.xml", "<a>", "is no resource")]
)
def test_what_is_no_lmf_is_refused(tmp_path, name, text, why):
    from relprobe.sources.lexical.wn_lmf import prepare

    (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match=why):
        prepare(tmp_path, tmp_path / "prepared")


def test_letters_of_parts_of_speech_and_words_of_several_letters(german):
    from relprobe.sources.lexical.wn_lmf import _letters

    assert {part: _letters(part) for part in ("noun", "verb", "adjective")} == {
        "noun": "n",
        "verb": "v",
        "adjective": "as",
    }
    assert [german._single(word) for word in ("A", "ab", "AB", "a b", "a1", "")] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_pointer_between_words_leads_from_no_synset(german):
    (synset,) = {entry for word in german.wordnet.words("Amsel") for entry in word.synsets()}
    assert german.follow(synset, "antonym") == []
    assert german.follow(synset, "hypernym")
