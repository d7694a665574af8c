"""Tables of people's answers as programs of experiments export them: each made by hand in the form of its program."""

import json

import pytest
from relprobe.core.errors import ConfigError, DataError
from relprobe.sources import exported, human_responses
from relprobe.sources.exported import AnswerTable, Layout
from relprobe.sources.own import definition_answers
from relprobe.studies.definitions import study as definitions

from tests.paths import ROOT

RIGHT = {
    ("anna", 1, "robin", "bird"),
    ("ben", 1, "robin", "animal"),
    ("anna", 1, "cat", "pet"),
    ("ben", 1, "cat", "animal"),
}
ASKED = {
    "robin": {"target": "robin", "relation": "HYP", "prompt": "is"},
    "cat": {"target": "cat", "relation": "HYP", "prompt": "is"},
}
QUALTRICS = (
    "StartDate,EndDate,Status,IPAddress,Progress,Duration (in seconds),Finished,ResponseId,Q1,Q2_TEXT\n"
    'Start Date,End Date,Response Type,IP Address,Progress,Duration (in seconds),Finished,Response ID,"A robin is a\n...",'
    '"A cat is a kind of, ..."\n'
    + ",".join(f'"{{""ImportId"":""{name}""}}"' for name in ("a", "b", "c", "d", "e", "f", "g", "h", "QID1", "QID2"))
    + "\n2026-11-01 10:00:00,2026-11-01 10:05:00,Survey Preview,,100,300,True,R_0,test,test\n"
    "2026-11-01 10:00:00,2026-11-01 10:05:00,IP Address,1.2.3.4,100,300,True,anna,Bird,a pet\n"
    "2026-11-01 11:00:00,2026-11-01 11:05:00,IP Address,1.2.3.5,100,300,True,ben,animal,animal\n"
)
FORMS = (
    "Timestamp,Your name,a robin is a ___,a cat is a ___\n2026/11/01 10:00:00 AM GMT+1,anna,Bird,pet\n"
    "2026/11/01 11:00:00 AM GMT+1,ben,Animal.,\u201canimal\u201d\n"
)


def jspsych_file():
    """The rows of a survey among those of other trials: all cells in quotes, and the answer in JSON."""
    head = ["rt", "response", "trial_type", "trial_index", "time_elapsed", "subject", "word"]
    rows = [head]
    for who, word, answer in (
        ("anna", "robin", "bird"),
        ("anna", "cat", "a pet"),
        ("ben", "robin", "animal"),
        ("ben", "cat", "animal"),
    ):
        rows += [["null", "", "html-keyboard-response", "0", "7", who, ""]]
        rows += [["812", json.dumps({"Q0": answer}), "survey-text", "1", "812", who, word]]
    return "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows) + "\n"


PCIBEX = (
    "# Results on Sunday, November 1 2026 10:00:00 UTC.\n# USER AGENT: Mozilla/5.0, (X11)\n"
    "# Columns below this comment are as follows:\n# 1. Reception time.\n# 2. MD5 hash of participant's IP address.\n"
    "# 3. Label.\n# 4. PennElementType.\n# 5. Value.\n# 6. Item.\n"
    "1793527200,anna,intro,PennController,Start,\n"
    "1793527200,anna,probe,TextInput,bird,robin\n1793527201,anna,probe,TextInput,pet,cat,more\n"
    "# 7. Comments.\n1793527300,ben,probe,TextInput,animal,robin\n1793527301,ben,probe,TextInput,animal,cat,NULL\n"
)
EXCEL = (
    "\ufeffParticipant no.;Item;Date;Answer;Remark\nanna;robin;2026-11-01;bird;\nanna;cat;2026-11-01;pet;\u201cfast\u201d\n"
    "ben;robin;2026-11-02;animal;\nben;cat;2026-11-02;animal;NA\n;;;;\n"
)
SAME = {"relation": {"value": "HYP"}, "prompt": {"value": "is"}}
EXPORTS = {
    "Qualtrics": (
        QUALTRICS,
        {
            "columns": {"participant": "ResponseId"},
            "questions": {"Q1": ASKED["robin"], "Q2_TEXT": ASKED["cat"]},
            "rows": {"skip": 2, "without": {"Status": "Survey Preview"}},
        },
    ),
    "Google Forms": (
        FORMS,
        {
            "columns": {"participant": "Your name"},
            "questions": {"a robin is a ___": ASKED["robin"], "a cat is a ___": ASKED["cat"]},
        },
    ),
    "jsPsych": (
        jspsych_file(),
        {
            "columns": {
                "participant": "subject",
                "target": "word",
                "answer": {"column": "response", "key": "Q0"},
                **SAME,
            },
            "rows": {"only": {"trial_type": "survey-text"}},
        },
    ),
    "PCIbex": (
        PCIBEX,
        {
            "columns": {"participant": 2, "target": 6, "answer": 5, **SAME},
            "rows": {"comment": "#", "only": {"4": ["TextInput"]}},
        },
    ),
    "Excel": (EXCEL, {"columns": {"participant": "Participant no.", "target": "Item", "answer": "Answer", **SAME}}),
}


def read(path, entry):
    table = human_responses.read(path, {}, ("a", "an"), Layout.of(entry))
    return {
        (row["participant"], row["rank"], row["target"], row["word"].lower()) for row in table.iter_rows(named=True)
    }


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_read_as_it_is(tmp_path, name):
    text, entry = EXPORTS[name]
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode())
    assert read(path, entry) == RIGHT


# The same for answers to the tasks of the definitions study.

ABOUT = {"task": "w2d", "group": "nod.v.01"}
LOWER, BEND = "lower the head", "bend the body"
RANKED = {("anna", LOWER, 1), ("anna", BEND, 2), ("ben", BEND, 1)}
ORDERED = (  # Qualtrics' rank order: a column for each candidate, whose cell is its rank
    "StartDate,Status,ResponseId,Q1_1,Q1_2\nStart Date,Response Type,Response ID,Nod - lower the head,Nod - bend the body\n"
    '"{""ImportId"":""a""}","{""ImportId"":""b""}","{""ImportId"":""c""}","{""ImportId"":""d""}","{""ImportId"":""e""}"\n'
    "2026-11-01,Survey Preview,R_0,2,1\n2026-11-01,IP Address,anna,1,2\n2026-11-01,IP Address,ben,,1\n"
)
CHOSEN = (  # Google Forms' multiple choice: a column for each question, whose cell is the chosen candidate
    "Timestamp,Your name,Which is best?,And the next one?\n2026/11/01,anna,lower the head,bend the body\n"
    "2026/11/01,ben,bend the body,\n"
)
LONG = (  # jsPsych: a row for each trial
    "rt,response,trial_type,subject,group,rank\n1,,preload,anna,,\n5,lower the head,html-button-response,anna,nod.v.01,1\n"
    "5,bend the body,html-button-response,anna,nod.v.01,2\n5,bend the body,html-button-response,ben,nod.v.01,1\n"
)
DEFINITION_FILES = {
    "Qualtrics": (
        ORDERED,
        {
            "columns": {"participant": "ResponseId"},
            "questions": {"Q1_1": {**ABOUT, "candidate": LOWER}, "Q1_2": {**ABOUT, "candidate": BEND}},
            "rows": {"skip": 2, "without": {"Status": "Survey Preview"}},
        },
    ),
    "Google Forms": (
        CHOSEN,
        {
            "columns": {"participant": "Your name"},
            "questions": {"Which is best?": {**ABOUT, "rank": 1}, "And the next one?": {**ABOUT, "rank": 2}},
        },
    ),
    "jsPsych": (
        LONG,
        {
            "columns": {
                "participant": "subject",
                "candidate": "response",
                "group": "group",
                "rank": "rank",
                "task": {"value": "w2d"},
            },
            "rows": {"only": {"trial_type": "html-button-response"}},
        },
    ),
}


@pytest.mark.parametrize("name", DEFINITION_FILES)
def test_an_export_of_the_definitions_study_is_read_as_it_is(tmp_path, name):
    text, entry = DEFINITION_FILES[name]
    (tmp_path / "export.csv").write_text(text)
    ranks = definition_answers.read(tmp_path / "export.csv", Layout.of(entry))
    assert {(one.participant, one.candidate, one.rank) for one in ranks} == RANKED


@pytest.mark.parametrize("name", DEFINITION_FILES)
def test_an_export_of_the_definitions_study_is_checked_in_the_plan(tmp_path, name):
    text, entry = DEFINITION_FILES[name]
    study = {"prompts": str(ROOT / "resources/prompts/definitions.yaml"), "capitals": []}

    def check(text, entry):
        (tmp_path / "export.csv").write_text(text)
        resources = {"wordnet": {}, "definition_answers": {"path": str(tmp_path / "export.csv"), **entry}}
        definitions.check({"models": {}, "resources": resources, "definitions": study})

    check(text, entry)
    with pytest.raises(ConfigError, match=r"resources\.definition_answers: .*export\.csv.* names the column"):
        check(text.replace("ResponseId", "ID").replace("subject", "ID").replace("Your name", "ID"), entry)
    questions = {
        one: {**said, "candidate": LOWER, "rank": 1} for one, said in entry.get("questions", {"x": ABOUT}).items()
    }
    with pytest.raises(ConfigError, match="so that its column has nothing to say: leave the rank out"):
        check(text, {"questions": questions})
    with pytest.raises(ConfigError, match=r"definition_answers\.columns does not say where the group stands"):
        check(text, {"columns": {"task": {"value": "w2d"}, "participant": 1, "candidate": 2, "rank": 3}})


@pytest.mark.parametrize("suffix", [".tsv", ".tab", ".txt"])
def test_a_table_with_tabs_is_read(tmp_path, suffix):
    path = tmp_path / f"answers{suffix}"
    path.write_text('target\trelation\tprompt\tparticipant\trank\tanswer\nrobin\tHYP\tis\tanna\t1\t"bird"\n')
    assert human_responses.read(path, {})["word"].to_list() == ["bird"]


def test_names_of_rows_as_pandas_and_r_write_them_do_not_count(tmp_path):
    path = tmp_path / "answers.csv"
    head = ",target,relation,prompt,participant,rank,answer\n"
    path.write_text(f"{head}0,robin,HYP,is,anna,1,bird\n1,cat,HYP,is,anna,1,pet\n")
    assert human_responses.read(path, {})["word"].to_list() == ["pet", "bird"]
    path.write_text(f"{head}x,robin,HYP,is,anna,1,bird\nx,cat,HYP,is,anna,1,pet\n")
    with pytest.raises(DataError, match=r"line 3: 'x', in the first column without a name, is in line 2 already: name"):
        human_responses.read(path, {})


def test_answers_without_ranks_count_in_their_order_and_rows_are_participants(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("who,word,said\nanna,robin,bird\nanna,robin,\nanna,robin,animal\nben,robin,pet\n")
    columns = {"participant": "who", "target": "word", "answer": "said", **SAME}
    assert read(path, {"columns": columns}) == {
        ("anna", 1, "robin", "bird"), ("anna", 2, "robin", "animal"), ("ben", 1, "robin", "pet")
    }  # fmt: skip
    path.write_text("Q1\nbird\nanimal\n")
    assert {row[0] for row in read(path, {"questions": {"Q1": ASKED["robin"]}})} == {"line 2", "line 3"}


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"columns": {"target": "word", "answer": "said"}}, "does not say where the relation stands"),
        (
            {"questions": {"said": {"target": "robin", "relation": "HYP"}}},
            "where the prompt of the question 'said' stands",
        ),
        (
            {"columns": {"target": "Word", "participant": "who", "answer": "said", **SAME}},
            "names the column 'Word', but the first",
        ),
        ({"columns": {"target": "word", "participant": 9, "answer": "said", **SAME}}, "line 2: there is no column 9"),
        (
            {"columns": {"target": "word", "participant": "who", "answer": {"column": "said", "key": "Q0"}, **SAME}},
            "line 2: 'bird' is no JSON object with the key 'Q0'",
        ),
    ],
)
def test_a_layout_that_does_not_fit_is_named(tmp_path, entry, why):
    path = tmp_path / "export.csv"
    path.write_text("who,word,said\nanna,robin,bird\n")
    with pytest.raises((ConfigError, DataError), match=why):
        read(path, entry)


@pytest.mark.parametrize(
    ("value", "said"),
    [("0", "0"), ("0.0", "0.0"), ("false", "False"), ("7", "7"), ('"pet"', "pet"), ("true", "True")]
    + [(nothing, "") for nothing in ("null", '""', "[]", "{}")],
)
def test_a_value_of_json_is_an_answer_unless_it_is_empty(tmp_path, value, said):
    """The scales of jsPsych begin with 0."""
    log = json.dumps(f'{{"Q0": {value}}}').replace('\\"', '""')
    (tmp_path / "own.csv").write_text(f"word,log\nbird,{log}\n")
    table = AnswerTable("human_responses", ("answer",), "answer")
    layout = Layout.of({"columns": {"answer": "word"}, "further": {"scale": {"column": "log", "key": "Q0"}}})
    (row,) = exported.read(tmp_path / "own.csv", table, layout)
    assert (row.cells, row.further) == ({"answer": "bird"}, {"scale": said})


ROWS = "who,kind,done,word\nanna,text,{done},bird\nben,scale,{other},7\n"
ROWS_ENTRY = {
    "columns": {"participant": "who", "answer": "word"}
    | {name: {"value": value} for name, value in (("target", "robin"), ("relation", "HYP"), ("prompt", "is"))}
}
BY_PLACE = {"columns": ROWS_ENTRY["columns"] | {"participant": 1, "answer": 4}}


def read_rows(path, entry, done="True", other="False"):
    path.write_text(ROWS.format(done=done, other=other))
    return human_responses.read(path, {}, layout=Layout.of(entry))["word"].to_list()


@pytest.mark.parametrize(("done", "other"), [("True", "False"), ("TRUE", "FALSE"), ("true", "false"), ("1", "0")])
def test_a_truth_value_of_rows_is_one_however_a_program_writes_it(tmp_path, done, other):
    for rows in ({"only": {"done": True}}, {"without": {"done": False}}):
        assert read_rows(tmp_path / "rows.csv", ROWS_ENTRY | {"rows": rows}, done, other) == ["bird"]


@pytest.mark.parametrize("place", [2, "2"])
def test_a_place_of_rows_is_a_number_or_as_json_a_text(tmp_path, place):
    assert read_rows(tmp_path / "rows.csv", BY_PLACE | {"rows": {"only": {place: "text"}}}) == ["bird"]


def test_rows_that_leave_out_all_are_named(tmp_path):
    with pytest.raises(DataError, match=r"human_responses\.rows leaves out all rows \(2\): correct the values"):
        read_rows(tmp_path / "rows.csv", ROWS_ENTRY | {"rows": {"only": {"kind": "survey"}}})


def test_several_lines_in_a_cell_are_no_word(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('who,word\nanna,"bird\nanimal"\n')
    with pytest.raises(DataError, match=r"line 2: the answer 'bird.*animal' has several lines"):
        human_responses.read(path, {}, layout=Layout.of(ROWS_ENTRY))
    path.write_text('who,word\nanna,"bird\n"\n')
    assert human_responses.read(path, {}, layout=Layout.of(ROWS_ENTRY))["word"].to_list() == ["bird"]


@pytest.mark.parametrize(
    ("text", "rows", "answers"),
    [
        ("who,word,answer\nx,robin,bird\n,,\nanna,robin,bird\n", {"skip": 1}, ["anna"]),
        ("who,word,answer\n,,\nx,robin,bird\nanna,robin,bird\n", {"skip": 2}, ["anna"]),
        ("who,word,answer\n , ,\nanna,robin,bird\n", {}, ["anna"]),
        ("who,word,answer\nanna,robin,bird\n", {"skip": 0}, ["anna"]),
    ],
)
def test_rows_behind_the_first_line_are_skipped_and_empty_ones_say_nothing(tmp_path, text, rows, answers):
    (tmp_path / "own.csv").write_text(text)
    columns = {"participant": "who", "target": "word", "answer": "answer", **SAME}
    assert [who for who, *_ in read(tmp_path / "own.csv", {"columns": columns, "rows": rows})] == answers


def test_a_sign_that_cannot_be_seen_is_named_by_its_line(tmp_path):
    (tmp_path / "own.csv").write_text("who,word,answer\nanna,robin,bi\u200brd\n")
    with pytest.raises(DataError, match=r"own\.csv, line 2: "):
        read(tmp_path / "own.csv", {"columns": {"participant": "who", "target": "word", "answer": "answer", **SAME}})
