"""Own dictionaries, files of counts, and people's answers: the files, their faults, and what the study makes of them."""

from itertools import permutations

import polars as pl
import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.core.manifest import write_manifest
from relprobe.sources.own import definition_answers, word_counts
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own.definition_answers import Rank
from relprobe.studies.definitions.ask.probes import questions as build
from relprobe.studies.definitions.ask.questionnaire import candidates, form
from relprobe.studies.definitions.compare.analyses import compared
from relprobe.studies.definitions.compare.sensitivity import of_agent
from relprobe.studies.definitions.config import check
from relprobe.studies.definitions.data.synsets import counts_of, of_entries, read
from relprobe.studies.definitions.data.template import template
from relprobe.studies.definitions.measure.metrics import metrics
from relprobe.studies.definitions.measure.people import responses
from relprobe.studies.definitions.measure.responses import Choices
from relprobe.studies.definitions.schemas import GROUPS, RESPONSES
from relprobe.studies.definitions.show.tables import confusions

from tests.paths import ROOT
from tests.studies.definitions.about import properties

HEADER = "word,part_of_speech,definition,group"
ROWS = [f"word{n},verb,meaning {n},gesture" for n in range(5)]


def file(folder, rows, header=HEADER, name="own.csv"):
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_dictionary_becomes_groups_and_candidates(tmp_path):
    rows = [*ROWS, '"word0",verb,"another meaning, of word0",gesture', "word1,verb,meaning 1,greeting"]
    entries = own_definitions.read(file(tmp_path, rows))
    (pos,) = tables = of_entries(entries)
    assert pos == "verb"
    assert tables["verb"]["synset"].to_list() == [f"word{n}.v.01" for n in range(5)] + ["word0.v.02"]
    assert tables["verb"]["hypernyms"].to_list()[1] == ["gesture", "greeting"]  # one sense in two groups
    groups, probes, _ = build(tables)
    of_group = candidates(groups, probes)["w2d", "word0.v.01"]
    # The other meaning of word0 is right as well, so it is no candidate.
    assert (of_group[0], sorted(of_group[1:])) == ("meaning 0", [f"meaning {n}" for n in range(1, 5)])
    assert dict(zip(groups["group"], groups["family"], strict=True))["word1.v.01"] == "gesture"


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
        ("word0,verb,meaning 0,gesture", "line 7: it is line 2 a second time"),
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
        ("nod", "line 3: 1 fields where 2 are expected"),
        ("nod,often", "line 3: expected a word and a whole number, not 'nod' and 'often'"),
        (",7", "line 3: expected a word and a whole number"),
        ("beckon,7", "line 3: 'beckon' comes a second time"),
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


def test_the_templates_are_files_of_the_study(tmp_path):
    dictionary, counts = tmp_path / "dictionary.csv", tmp_path / "counts.csv"
    dictionary.write_text(template().dictionary)
    counts.write_text(template().counts)
    groups, _, rows = build(of_entries(own_definitions.read(dictionary)))
    assert groups.height == rows.filter("drawn").height == 10
    assert word_counts.read(counts)["beckon"] == 57


@pytest.mark.parametrize(
    ("resource", "text", "said"),
    [
        ("own_definitions", "word\n", "resources.own_definitions: .*own.csv: the first line must be"),
        ("word_counts", "nod,1\n", "resources.word_counts: .*own.csv: the first line must be word,count"),
        ("definition_answers", "task\n", "resources.definition_answers: .*own.csv has no column 'group'"),
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
OF_GROUPS = {
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


def test_people_rank_candidates_and_those_left_out_share_the_last_places(tmp_path):
    given = ranks(("anna", "bend the body", 1), ("anna", "lower the head", 2), ("ben", "clap", 1))
    table = responses(given, OF_GROUPS, tmp_path)
    assert dict(table.schema) == dict(RESPONSES)
    assert table.select("candidates", "better", "tied", "rank", "answer").rows() == [
        (3, 1, 0, 2, "bend the body"),  # anna's second
        (3, 1, 1, None, "clap"),  # ben ranked one, and the right one is among the two others
    ]
    for ties in ("drawn", "expected"):
        value = metrics(table, properties({"group": "nod.v.01", "pos": "verb"}), ties)
        # Anna: (3 - 2) / 2. Ben: rank 2 or 3, on average 2.5, so 1/4.
        assert value.filter(metric="W2D RS", condition="verb")["value"].to_list() == [1 / 2, 1 / 4]


@pytest.mark.parametrize("ranked", [1, 3])
@pytest.mark.parametrize("ties", ["drawn", "expected"])
def test_a_form_that_is_filled_in_at_random_gets_what_a_guess_gets(tmp_path, ties, ranked):
    # One participant for each ordered choice of candidates, so that every way to fill in the form at random occurs once.
    texts = OF_GROUPS["w2d", "nod.v.01"]
    ways = list(permutations(texts, ranked))
    given = [(f"person {n}", text, rank) for n, way in enumerate(ways) for rank, text in enumerate(way, start=1)]
    answers = responses(ranks(*given), OF_GROUPS, tmp_path)
    about = properties({"group": "nod.v.01", "pos": "verb"})
    value = metrics(answers, about, ties).filter(condition="verb").group_by("metric").agg(pl.col("value").mean())
    assert dict(value.iter_rows()) == {"W2D P@1": pytest.approx(1 / 3), "W2D RS": pytest.approx(1 / 2)}


def test_the_sensitivity_of_people_has_the_value_of_the_study(tmp_path):
    answers = responses(ranks(("ben", "clap", 1)), OF_GROUPS, tmp_path)
    rows = of_agent(answers, properties({"group": "nod.v.01", "pos": "verb"}), Choices())
    assert [row["value"] for row in rows if (row["choice"], row["metric"]) == ("equal scores", "W2D RS")] == [1 / 4]


def test_a_candidate_that_a_person_did_not_rank_has_no_rank_in_the_tables(tmp_path):
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    answers = {"humans": responses(ranks(("anna", "lower the head", 1), ("ben", "clap", 1)), OF_GROUPS, tmp_path)}
    about = properties({"group": "nod.v.01", "pos": "verb"})
    assert confusions(answers, groups, about).select("answer", "rank").rows() == [("clap", None)]


def test_a_text_that_is_no_candidate_is_named(tmp_path):
    with pytest.raises(DataError, match=r"line 2: 'wave' is no candidate of w2d of nod\.v\.01"):
        responses(ranks(("anna", "wave", 1)), OF_GROUPS, tmp_path / "a.csv")


def test_answers_to_other_groups_are_left_out_and_need_some_of_this_study(tmp_path, caplog):
    other = Rank("w2d", "bow.v.01", "anna", "x", 1, 9)
    assert responses([*ranks(("anna", "clap", 1)), other], OF_GROUPS, tmp_path).height == 1
    assert "1 answers are to other groups, such as w2d of bow.v.01" in caplog.text
    with pytest.raises(DataError, match=r"no answer to the groups of this study, such as nod\.v\.01"):
        responses([other], OF_GROUPS, tmp_path)


def test_the_filled_form_is_a_file_of_answers(tmp_path):
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    sheet = form(OF_GROUPS, groups, participants=2, each=1, seed=1)
    assert sheet.height == 2 * 2 * 3
    assert set(sheet.filter(task="d2w")["question"]) == {"lower the head"}
    assert set(sheet.filter(task="w2d")["question"]) == {"nod"}
    right = pl.col("candidate").is_in(["nod", "lower the head"])
    filled = sheet.with_columns(rank=pl.when(right).then(1))
    filled.write_csv(tmp_path / "filled.csv")
    table = responses(definition_answers.read(tmp_path / "filled.csv"), OF_GROUPS, tmp_path)
    assert table.select("task", "better", "tied").rows() == [("d2w", 0, 0)] * 2 + [("w2d", 0, 0)] * 2


def test_the_form_has_groups_of_up_to_ten_candidates():
    many = {**OF_GROUPS, ("w2d", "nod.v.01"): [f"meaning {n}" for n in range(11)]}
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    with pytest.raises(DataError, match="the study has 0 groups of up to 10 candidates, but 1 are asked for"):
        form(many, groups, participants=1, each=1, seed=1)
    ten = {**many, ("w2d", "nod.v.01"): many["w2d", "nod.v.01"][:10]}
    assert form(ten, groups, participants=1, each=1, seed=1).height == 10 + 3


def test_the_form_has_all_groups_unless_a_number_is_given_and_needs_one():
    groups = pl.DataFrame([("nod.v.01", "verb", "nod", "lower the head", 2, "f", [], [])], schema=GROUPS, orient="row")
    assert form(OF_GROUPS, groups, participants=1, each=None, seed=1).height == 2 * 3
    with pytest.raises(DataError, match="the study has 0 groups of up to 10 candidates, but 1 are asked for"):
        form(OF_GROUPS, groups.clear(), participants=1, each=None, seed=1)


def test_all_agents_are_averaged_over_the_groups_that_people_answered():
    about = properties({"group": "a", "w2d": 9, "d2w": 9}, {"group": "b"}, {"group": "c"})

    def values(**ranks):
        rows = [("w2d", group, 5, rank - 1, 0, rank, "x") for group, rank in ranks.items()]
        return metrics(pl.DataFrame(rows, schema=RESPONSES, orient="row"), about)

    table = compared({"humans": values(a=1, b=2), "gpt2": values(a=2, b=1, c=5)})
    value = {(row["agent"], row["metric"], row["condition"]): row["value"] for row in table.iter_rows(named=True)}
    small = "groups of up to 10 candidates"
    assert value["humans", "W2D P@1", "noun"] == value["gpt2", "W2D P@1", "noun"] == 1 / 2  # c is left out
    assert (value["humans", "W2D P@1", small], value["gpt2", "W2D P@1", small]) == (1, 0)
