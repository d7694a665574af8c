"""Own dictionaries, files of counts, and people's answers: the files, their faults, and what is read."""

import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.manifest import write_manifest
from relprobe.sources.own import definition_answers, word_counts
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own.definition_answers import Rank
from relprobe.studies.definitions.dictionary import counts_of, read
from relprobe.studies.definitions.study import check

from tests.paths import ROOT

HEADER = "word,part_of_speech,definition,group"
ROWS = [f"word{n},verb,meaning {n},gesture" for n in range(5)]


def file(folder, rows, header=HEADER, name="own.csv"):
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_language_and_count_are_optional(tmp_path):
    path = file(tmp_path, ["Haus,noun,ein Gebäude,Bau,de,70", "Hof,noun,ein Platz,Bau,de,"], f"{HEADER},language,count")
    entries = own_definitions.read(path)
    assert [(entry.language, entry.count) for entry in entries] == [("de", 70), ("de", None)]
    assert counts_of(entries) == {"Haus": 70}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("nod,verb,lower the head", "line 7: 3 fields where 4 are expected"),
        ("nod,verb,,gesture", "line 7: definition is empty"),
        (
            "nod,adverb,lower the head,gesture",
            "line 7: unknown part of speech 'adverb'; known are noun, verb, adjective",
        ),
        ("word0,verb,meaning 0,gesture", "line 7: the same is in line 2 already: remove one of them"),
        (
            "nod,noun,lower the head,gesture",
            "line 7: the part of speech of the group 'gesture' is noun, but verb in line 2",
        ),
    ],
)
def test_a_wrong_line_of_a_dictionary_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        own_definitions.read(file(tmp_path, [*ROWS, row]))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["a,noun,x,g,en,1", "b,noun,y,g,de,1"], "line 3: the language is de, but en in line 2"),
        (["a,noun,x,g,en,1", "a,noun,y,g,en,2"], "line 3: the count of the word 'a' is 2, but 1 in line 2"),
        (["a,noun,x,g,en,many"], "line 2: the count 'many' is no whole number"),
        ([], "holds no definitions"),
    ],
)
def test_languages_and_counts_must_agree(tmp_path, rows, said):
    with pytest.raises(DataError, match=said):
        own_definitions.read(file(tmp_path, rows, f"{HEADER},language,count"))


def test_another_header_of_a_dictionary_says_what_it_must_be(tmp_path):
    with pytest.raises(DataError, match=f"the first line must be {HEADER}, and may go on with language and count"):
        own_definitions.read(file(tmp_path, ROWS, "word,pos,definition,group"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("nod", "line 3: 1 field where 2 are expected"),
        ("nod,often", "line 3: expected a word and a whole number, not 'nod' and 'often'"),
        (",7", "line 3: expected a word and a whole number"),
        ("beckon,7", "line 3: 'beckon' is in line 2 already: add up its counts"),
    ],
)
def test_a_wrong_line_of_counts_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        word_counts.read(file(tmp_path, ["beckon,57", row], "word,count"))


def test_counts_need_their_header_and_some_lines(tmp_path):
    with pytest.raises(DataError, match="the first line must be word,count"):
        word_counts.read(file(tmp_path, [], "beckon,57"))
    with pytest.raises(DataError, match="holds no counts"):
        word_counts.read(file(tmp_path, [], "word,count"))


@pytest.mark.parametrize(
    ("resource", "text", "said"),
    [
        ("own_definitions", "word\n", "resources.own_definitions: .*own.csv: the first line must be"),
        ("word_counts", "nod,1\n", "resources.word_counts: .*own.csv: the first line must be word,count"),
        (
            "definition_answers",
            "task\n",
            "resources.definition_answers: .*own.csv: the first line must have task,.* no column group",
        ),
    ],
)
def test_files_are_checked_before_any_work(tmp_path, resource, text, said):
    (tmp_path / "own.csv").write_text(text)
    study = {"prompts": str(ROOT / "resources/prompts/definitions.yaml"), "capitals": []}
    resources = {"wordnet": {}, resource: {"path": str(tmp_path / "own.csv")}}
    with pytest.raises(ConfigError, match=said):
        check({"models": {}, "resources": resources, "definitions": study})


def test_an_own_dictionary_takes_the_place_of_wordnet(tmp_path):
    folder = tmp_path / "own_definitions"
    folder.mkdir()
    file(folder, ROWS)
    manifest = write_manifest(folder)
    assert read(manifest, ["noun"])["verb"].height == 5
    study = {"prompts": str(ROOT / "resources/prompts/definitions.yaml"), "capitals": []}
    check({"models": {}, "resources": {"own_definitions": {"path": str(folder / "own.csv")}}, "definitions": study})


# People.

ANSWERS = "task,group,participant,candidate,rank"
GROUP_TEXTS = {
    ("w2d", "nod.v.01"): ["lower the head", "bend the body", "clap"],
    ("d2w", "nod.v.01"): ["nod", "bow", "applaud"],
}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("w2d,nod.v.01,anna,clap", "line 3: 4 fields where 5 are expected"),
        ("w2d,nod.v.01,,clap,2", "line 3: participant is empty"),
        ("w3d,nod.v.01,anna,clap,2", "line 3: unknown task 'w3d'; known are w2d and d2w"),
        ("w2d,nod.v.01,anna,clap,0", "line 3: the rank '0' is no whole number from 1 on"),
        ("w2d,nod.v.01,anna,clap,1", "line 3: 'anna' has the rank or the candidate in line 2, too"),
        ("w2d,nod.v.01,anna,clap,3", "line 3: 'anna' gives rank 3 in w2d of 'nod.v.01', but not all ranks before it"),
    ],
)
def test_a_wrong_line_of_answers_is_named(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        definition_answers.read(file(tmp_path, ["w2d,nod.v.01,anna,lower the head,1", row], ANSWERS))


def ranks(*given):
    return [Rank("w2d", "nod.v.01", who, text, rank, line) for line, (who, text, rank) in enumerate(given, start=2)]
