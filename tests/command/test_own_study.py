"""`relprobe init --pairs`: a study of a user's own pairs and people's answers, from files as they are."""

import polars as pl
import pytest
import yaml
from relprobe.command import init, own_study
from relprobe.command.home import root
from relprobe.command.own_study import layout_of
from relprobe.core.errors import DataError
from relprobe.sources import human_responses
from relprobe.sources.exported import Layout
from relprobe.sources.own import pairs as own_pairs
from relprobe.studies.config import validate

PAIRS = "Werkzeug;Tätigkeit\nSäge;sägen\nSäge;schneiden\nHammer;klopfen\nBesen;fegen\n"
JSPSYCH = """\
"rt","response","trial_type","subject","word"
"1200","null","html-button-response","a1",""
"2300","{""Q0"":""sägen""}","survey-text","a1","Säge"
"2100","{""Q0"":""hämmern""}","survey-text","a1","Hammer"
"2800","{""Q0"":""Schneiden""}","survey-text","a2","Säge"
"""
GIVEN = [("Säge", "a1", "sägen"), ("Hammer", "a1", "hämmern"), ("Säge", "a2", "Schneiden")]
"""Target, participant and answer in JSPSYCH."""


@pytest.fixture
def pairs(tmp_path):
    (tmp_path / "paare.csv").write_text(PAIRS)
    return tmp_path / "paare.csv"


def made(tmp_path, *words):
    """The configuration of a study that `init` has written, and its folder."""
    assert init.main([str(tmp_path / "mine"), *map(str, words)]) == 0
    return yaml.safe_load((tmp_path / "mine/config.yaml").read_text()), tmp_path / "mine"


def refused(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        init.main([*map(str, words)])
    assert ended.value.code == 1
    return capsys.readouterr().err


@pytest.mark.parametrize("language", ["de", "en", "ja"])
def test_pairs_become_a_valid_study_with_relation_inverse_prompts_and_models(tmp_path, monkeypatch, pairs, language):
    config, folder = made(tmp_path, "--pairs", pairs, "--language", language)
    relations = yaml.safe_load((folder / "relations.yaml").read_text())
    assert {code: (entry["name"], entry["inverse"]) for code, entry in relations.items()} == {
        "TAT": ("Tätigkeit", "TATINV"),
        "TATINV": ("Werkzeug", "TAT"),
    }
    prompts = yaml.safe_load((folder / "prompts.yaml").read_text())
    assert {code: len(entries) for code, entries in prompts.items()} == {"TAT": 2, "TATINV": 2}
    tuples = pl.read_csv(folder / "data/pairs.csv")
    assert tuples.rows()[1:3] == [("Säge", "TAT", "schneiden"), ("Hammer", "TAT", "klopfen")]
    monkeypatch.chdir(folder)
    validate(config, root())
    assert set(config["models"]) == {"smollm2-135m", "splade-tiny"}


def test_a_profile_stands_beside_the_pairs(tmp_path, pairs):
    _, folder = made(tmp_path, "--pairs", pairs, "--profile", "slurm")
    assert (folder / "profiles/slurm/config.yaml").read_text() == (
        root() / "workflow/profiles/slurm/config.yaml"
    ).read_text()


def answers_in(config, folder):
    """What the study reads of people's answers: target, participant and word."""
    entry = config["resources"]["human_responses"]
    read = human_responses.read(folder / entry["path"], {"TAT": "TAT"}, (), Layout.of(entry))
    return [tuple(row) for row in read.select("target", "participant", "word").iter_rows()]


def test_the_export_of_jspsych_is_read_by_the_columns_that_are_found(tmp_path, pairs):
    (tmp_path / "jspsych.csv").write_text(JSPSYCH)
    config, folder = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "jspsych.csv", "--language", "de")
    entry = config["resources"]["human_responses"]
    assert entry["columns"]["answer"] == {"column": "response", "key": "Q0"}
    assert entry["columns"]["prompt"] == {"value": "tat-1"}
    assert entry["rows"] == {"only": {"trial_type": ["survey-text"]}}
    assert entry["further"] == {"rt": "rt"}
    assert sorted(row[1:] for row in answers_in(config, folder)) == sorted(row[1:] for row in GIVEN)
    assert {row[0].casefold() for row in answers_in(config, folder)} == {"säge", "hammer"}


def plain(target="word", answer="answer", people="participant", separator=","):
    rows = [(target, people, answer), *GIVEN]
    return "\n".join(separator.join(row) for row in rows) + "\n"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (plain(), ("word", "participant", "answer")),
        (plain("Stimulus", "Antwort", "VP", ";"), ("Stimulus", "VP", "Antwort")),
        (plain("item", "Response", "Prolific PID"), ("item", "Prolific PID", "Response")),
        (plain("item", "response", "subject_id"), ("item", "subject_id", "response")),
    ],
)
def test_tables_with_other_names_are_read_by_what_stands_in_them(tmp_path, pairs, text, columns):
    (tmp_path / "answers.csv").write_text(text)
    config, folder = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "answers.csv")
    found = config["resources"]["human_responses"]["columns"]
    assert (found["target"], found["participant"], found["answer"]) == columns
    assert sorted(row[1:] for row in answers_in(config, folder)) == sorted(row[1:] for row in GIVEN)


def test_a_file_of_our_form_needs_no_columns(tmp_path, pairs):
    lines = ["target,relation,prompt,participant,rank,answer", "Säge,TAT,tat-1,a1,1,sägen"]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    assert layout_of(tmp_path / "people.csv", own_pairs.read(pairs)) == {}
    lines = [f"{line},{rt}" for line, rt in zip(lines, ("RT (ms)", "512"), strict=True)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    config, folder = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "people.csv")
    assert config["resources"]["human_responses"]["further"] == {"RT_ms": "RT (ms)"}
    assert answers_in(config, folder) == [("Säge", "a1", "sägen")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word,participant\nSäge,a\n", "as no column is called answer, response or the like"),
        ("word,answer\nSäge,sägen\n", "as no column is called participant, subject or the like"),
        (
            "thing,participant,answer\nx,a,sägen\ny,a,fegen\n",
            "as no column holds targets of the pairs in half of its cells",
        ),
        ("word,participant,answer\n", "as there are no rows below the names of the columns"),
    ],
)
def test_answers_whose_columns_cannot_be_told_end_in_a_sentence_and_write_nothing(tmp_path, capsys, pairs, text, said):
    (tmp_path / "answers.csv").write_text(text)
    error = refused(capsys, tmp_path / "mine", "--pairs", pairs, "--answers", tmp_path / "answers.csv")
    assert said in error
    assert "leave --answers out, and say it in config.yaml" in error
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a,b,c\nx,y,z\n",
            "must name two columns, or target and relatum among others, but names 3 and has no column target and relatum",
        ),
        ("tool,use\nsaw,\n", "line 2: a pair has two words"),
        ("tool,use\nsaw,#NAME?\n", "line 2"),
        ("tool,use\n", "holds no pairs"),
        ("target,relatum,relation\nsaw,cut,\n", "line 2: the relation must not be empty"),
    ],
)
def test_pairs_in_another_form_end_in_a_sentence(tmp_path, capsys, text, said):
    (tmp_path / "pairs.csv").write_text(text)
    assert said in refused(capsys, tmp_path / "mine", "--pairs", tmp_path / "pairs.csv")
    assert not (tmp_path / "mine").exists()


def test_several_relations_have_codes_of_their_own(tmp_path):
    (tmp_path / "pairs.csv").write_text(
        "relation,target,relatum\nsound,dog,bark\nsound of,bark,dog\nplace,dog,kennel\n"
    )
    read = own_pairs.read(tmp_path / "pairs.csv")
    assert {code: names[0] for code, names in read.relations.items()} == {
        "SOU": "sound",
        "SOU2": "sound of",
        "PLA": "place",
    }
    assert [code for _, code, _ in read.rows] == ["SOU", "SOU2", "PLA"]
    (tmp_path / "answers.csv").write_text("word,subject,answer\ndog,a,bark\n")
    with pytest.raises(DataError, match="no column holds codes of relations"):
        layout_of(tmp_path / "answers.csv", read)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--answers", "x.csv"], "--answers and --language belong to --pairs"),
        (["--language", "de"], "--answers and --language belong to --pairs"),
        (["--pairs", "PAIRS", "--study", "toy"], "--pairs makes a study of its own: leave --study out."),
        (["--pairs", "PAIRS", "--language", "dee"], "--language dee: did you mean 'de'?"),
        (["--pairs", "no-such.csv"], "There is no file no-such.csv"),
    ],
)
def test_options_that_do_not_fit_end_in_a_sentence(tmp_path, capsys, pairs, words, said):
    words = [str(pairs) if word == "PAIRS" else word for word in words]
    assert said in refused(capsys, tmp_path / "mine", *words)
    assert not (tmp_path / "mine").exists()


def test_english_sentences_of_the_inverse_name_the_relation_and_braces_stay(tmp_path):
    (tmp_path / "pairs.csv").write_text("tool,use {x}\nsaw,cut\n")
    _, folder = made(tmp_path, "--pairs", tmp_path / "pairs.csv")
    prompts = yaml.safe_load((folder / "prompts.yaml").read_text())
    assert next(entry["text"] for entry in prompts["USE"]) == "the use {x} of [DET] [W] is [DET] [V]"
    assert [entry["text"] for entry in prompts["USEINV"]] == [
        "[DET] [W] is the use {x} of [DET] [V]",
        "[W] is the use {x} of the word [V]",
    ]


@pytest.mark.parametrize("name", ["no", "off", "007", "2024", "yes"])
def test_relations_that_yaml_reads_as_other_types_stay_texts(tmp_path, name):
    (tmp_path / "pairs.csv").write_text(f"target,relatum,relation\nsaw,cut,{name}\n")
    _, folder = made(tmp_path, "--pairs", tmp_path / "pairs.csv")
    relations, prompts = (yaml.safe_load((folder / f"{file}.yaml").read_text()) for file in ("relations", "prompts"))
    code = (folder / "data/pairs.csv").read_text().split("\n")[1].split(",")[1]
    assert set(relations) == set(prompts) == {code, f"{code}INV"}
    assert not code[0].isdigit()
    assert not any("inverse of" in entry["text"] for entry in prompts[f"{code}INV"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("target,relatum,relation\ndog,bark,Sound\ncat,purr,sound\n", "the relation 'sound' is 'Sound' in line 2"),
        ("target,Target_,relatum\ndog,dog,bark\n", "'target' and 'Target_' have one name"),
        ("target,relatum,relation\ndog,bark,a [V]\n", "named with [V], a mark of prompts"),
        ("a,b [x]\ndog,bark\n", "gives no valid study: prompts.yaml: prompt 'bx-1' has the mark [x]"),
    ],
)
def test_pairs_of_which_no_valid_study_comes_are_refused(tmp_path, capsys, text, said):
    (tmp_path / "pairs.csv").write_text(text)
    assert said in refused(capsys, tmp_path / "mine", "--pairs", tmp_path / "pairs.csv")
    assert not (tmp_path / "mine").exists()


HEAD = "word,participant,answer"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD},relation\nSäge,a,sägen,Farbe\n", "the relation 'Farbe' is none of the pairs"),
        (f'{HEAD}\nSäge,a,"{{""Q0"":""x"",""Q1"":""y""}}"\n', "several keys, 'Q0', 'Q1'"),
        (f'{HEAD}\nSäge,a,"{{""rt"":12,""Q1"":""y""}}"\n', "several keys, 'rt', 'Q1'"),
        (f"{HEAD},trial_type\nSäge,a,sägen,x\nHammer,a,klopfen,y\n", "of several kinds, 'x', 'y'"),
        (f"{HEAD},Word_\nSäge,a,sägen,x\n", "'word' and 'Word_' have one name"),
        (f"{HEAD},prompt\nSäge,a,sägen,tat-9\n", "answers.csv, line 2: 'tat-9' is no prompt of TAT"),
    ],
)
def test_answers_that_can_be_read_in_two_ways_are_refused(tmp_path, capsys, pairs, text, said):
    (tmp_path / "answers.csv").write_text(text)
    assert said in refused(capsys, tmp_path / "mine", "--pairs", pairs, "--answers", tmp_path / "answers.csv")
    assert not (tmp_path / "mine").exists()


def test_relation_and_rank_of_answers_are_taken_by_name(tmp_path, pairs):
    (tmp_path / "a.tsv").write_text(
        "word, x,y,z\t participant \tanswer\trank\trelation\nSäge\ta\tsägen\t3\tTätigkeit\n"
    )
    config, folder = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "a.tsv")
    columns = config["resources"]["human_responses"]["columns"]
    assert (columns["rank"], columns["relation"], columns["target"]) == ("rank", "relation", "word, x,y,z")
    assert answers_in(config, folder)


def test_answers_that_are_targets_too_are_no_targets(tmp_path):
    (tmp_path / "pairs.csv").write_text("word,opposite\nhot,cold\ncold,hot\n")
    (tmp_path / "a.csv").write_text("answer,subject,item\nhot,a,cold\ncold,a,hot\n")
    found = layout_of(tmp_path / "a.csv", own_pairs.read(tmp_path / "pairs.csv"))["columns"]
    assert (found["target"], found["answer"]) == ("item", "answer")


def test_the_json_file_of_the_authors_needs_no_columns(tmp_path, pairs):
    (tmp_path / "a.json").write_text('{"Säge": {"Tätigkeit": {"tat-1": [["sägen"]]}}}')
    config, _ = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "a.json")
    assert config["resources"]["human_responses"] == {"path": "data/answers.json"}


def test_several_relations_are_taken_by_name(tmp_path):
    (tmp_path / "pairs.csv").write_text("relation,target,relatum\nsound,dog,bark\nhome,dog,kennel\n")
    (tmp_path / "a.csv").write_text(
        "word,subject,answer,relation,prompt\ndog,a,bark,sound,sou-1\ndog,a,kennel,home,hom-1\n"
    )
    config, _ = made(tmp_path, "--pairs", tmp_path / "pairs.csv", "--answers", tmp_path / "a.csv")
    assert config["resources"]["human_responses"]["columns"]["relation"] == "relation"


def test_an_empty_language_is_refused_and_a_failed_writing_leaves_nothing(tmp_path, capsys, monkeypatch, pairs):
    assert "--language " in refused(capsys, tmp_path / "mine", "--pairs", pairs, "--language", "")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("relprobe.core.files.write_json", fail)
    assert "No space left" in refused(capsys, tmp_path / "new/mine", "--pairs", pairs)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        (["1", "2.5", "-3"], True),
        (["yes", "no", "yes", "no", "yes"], True),
        (["yes", "no", "yes", "no"], False),  # as many values as half of the rows
        (["a" * 300] * 9, False),
        (["", "", ""], False),
        (["5", "", ""], True),
    ],
)
def test_a_further_column_has_numbers_or_few_short_values(cells, kept):
    found = own_study.further_of(["block"], [{"block": cell} for cell in cells])
    assert found == ({"further": {"block": "block"}} if kept else {})


def test_further_columns_have_names_of_their_own():
    names = ["Response Time", "response-time", "9th", "§", "item"]
    rows = [dict.fromkeys(names, str(number)) for number in range(3)]
    assert list(own_study.further_of(names, rows)["further"]) == [
        *("Response_Time", "response_time", "people_9th", "column", "people_item"),
    ]
    twice = own_study.further_of(["a b", "a-b"], [{"a b": "1", "a-b": "2"}])
    assert twice == {"further": {"a_b": "a b", "a_b_": "a-b"}}


def test_the_column_of_words_is_that_with_most_of_them_and_an_empty_one_has_none(tmp_path):
    names = ["empty", "few", "most"]
    rows = [{"empty": "", "few": "Säge" if number < 4 else "x", "most": "säge"} for number in range(8)]
    assert own_study._column_of(tmp_path, names, rows, {"säge"}, "words") == "most"
    with pytest.raises(DataError):
        own_study._column_of(tmp_path, names[:1], rows, {"säge"}, "words")
    with pytest.raises(DataError):
        own_study._column_of(tmp_path, [], rows, {"säge"}, "words")


def laid_out(tmp_path, pairs, text, name="answers.csv"):
    """What is found in a file of answers with this text."""
    (tmp_path / name).write_text(text)
    return layout_of(tmp_path / name, own_pairs.read(pairs))


def test_rows_without_an_answer_or_with_another_word_do_not_say_how_answers_are_written(tmp_path, pairs):
    """An empty cell is no JSON, and the texts of other trials are not either; a cell of numbers has no keys."""
    rows = ['Säge,a,"{""Q"":""sägen""}",512', "Säge,b,,600", "x,b,ready,", 'HAMMER,b,"{""Q"":""y""}",700']
    found = laid_out(tmp_path, pairs, "\n".join(["word,participant,answer,rt", *rows]) + "\n")
    assert found["columns"]["answer"] == {"column": "answer", "key": "Q"}
    assert found["further"] == {"rt": "rt"}
    assert found.keys() == {"columns", "further"}
    for first in ("12", "{}"):
        found = laid_out(tmp_path, pairs, f"word,participant,answer\nSäge,a,{first}\nSäge,a,{first}\n")
        assert found == {
            "columns": {
                "participant": "participant",
                "target": "word",
                "answer": "answer",
                "relation": {"value": "TAT"},
                "prompt": {"value": "tat-1"},
            }
        }
    mixed = 'word,participant,answer\nSäge,a,"{""Q"":""y""}"\nSäge,b,sägen\n'
    assert laid_out(tmp_path, pairs, mixed)["columns"]["answer"] == "answer"


def test_of_several_columns_for_people_and_answers_the_most_usual_name_is_taken(tmp_path, pairs):
    rows = ["value,response,subject,Participant,word", "1,sägen,s1,p1,Säge", "2,fegen,s2,p2,Besen"]
    found = laid_out(tmp_path, pairs, "\n".join(rows) + "\n")
    columns = found["columns"]
    assert (columns["participant"], columns["answer"], columns["target"]) == ("Participant", "response", "word")
    assert found["further"] == {"value": "value"}  # what is taken stands once; the subjects are texts


def test_catch_items_and_rows_without_an_answer_may_have_other_relations(tmp_path, pairs):
    rows = ["Säge,a,sägen,Tätigkeit,tat-1", "sun,a,sun,catch,the earth ___", "Säge,a,,Farbe,tat-1"]
    found = laid_out(tmp_path, pairs, "\n".join(["word,participant,answer,relation,prompt", *rows]) + "\n")
    assert found["columns"]["relation"] == "relation"
    assert found["columns"]["prompt"] == "prompt"


def several(tmp_path):
    """A file of pairs of two relations."""
    (tmp_path / "pairs.csv").write_text("relation,target,relatum\nsound,dog,bark\nhome,dog,kennel\n")
    return tmp_path / "pairs.csv"


def test_of_several_relations_the_column_with_their_codes_or_names_is_found_and_prompts_must_be_named(tmp_path):
    pairs = several(tmp_path)
    rows = ["word,subject,answer,kind,prompt", "dog,a,bark,Sou,sou-1", "dog,a,kennel,home,hom-1"]
    found = laid_out(tmp_path, pairs, "\n".join(rows) + "\n")
    assert (found["columns"]["relation"], found["columns"]["prompt"]) == ("kind", "prompt")
    with pytest.raises(DataError, match="several relations have prompts of their own, and no column is called prompt"):
        laid_out(tmp_path, pairs, "word,subject,answer,relation\ndog,a,bark,zzz\n")


def test_names_are_those_of_the_first_line_with_text_and_rows_of_another_length_are_left_out(tmp_path, pairs):
    text = "\n\n the   word ,participant,answer\nSäge,a\nSäge, a , sägen \nBesen,b,fegen,x\n"
    (tmp_path / "a.csv").write_text(text)
    names, rows = own_study._cells(tmp_path / "a.csv")
    assert names == ["the word", "participant", "answer"]
    assert rows == [{"the word": "Säge", "participant": "a", "answer": "sägen"}]


def test_tabs_separate_only_files_that_are_named_so(tmp_path):
    line = "word\tx,participant,answer\n"
    for name, names in (
        ("a.csv", ["word x", "participant", "answer"]),
        ("a.txt", ["word", "x,participant,answer"]),
        ("a.TSV", ["word", "x,participant,answer"]),
    ):
        (tmp_path / name).write_text(line + line)
        assert own_study._cells(tmp_path / name)[0] == names
    (tmp_path / "b.tsv").write_text("word,participant\na,b\n")
    assert own_study._cells(tmp_path / "b.tsv")[0] == ["word", "participant"]


def test_half_of_the_cells_of_a_column_are_enough_and_empty_ones_do_not_count(tmp_path):
    rows = [{"word": word} for word in ("säge", "x", "", "", "")]
    assert own_study._column_of(tmp_path, ["word"], rows, {"säge"}, "words") == "word"
    with pytest.raises(DataError, match="no column holds words in half of its cells"):
        own_study._column_of(tmp_path, ["word"], [*rows, {"word": "y"}], {"säge"}, "words")


def test_a_column_of_ten_texts_of_30_characters_is_kept_and_one_more_of_either_is_too_many():
    def kept(cells):
        return own_study.further_of(["block"], [{"block": cell} for cell in cells * 3]) != {}

    ten = [chr(97 + number) * 30 for number in range(10)]
    assert kept(ten)
    assert kept([*ten, "null", "NA", "undefined", ""])
    assert not kept([*ten, "k"])
    assert not kept([*ten[1:], "a" * 31])
    assert kept([str(number) for number in range(11)])
    assert not kept([*(str(number) for number in range(11)), "late"])


@pytest.mark.parametrize(
    "name", ["IP Address", "e-mail", "Last Name", "url", "phone", "success", "time_elapsed", "run_id"]
)
def test_what_tells_who_a_person_is_and_what_a_program_counts_for_itself_are_left_out(name):
    rows = [{name: str(number), "trial_index": str(number)} for number in range(5)]
    assert own_study.further_of([name, "trial_index"], rows) == {"further": {"trial_index": "trial_index"}}


def test_the_files_of_a_study_are_ready_to_be_edited(tmp_path, pairs):
    """Names stand as the user wrote them; models of another language are remarked upon."""
    config, folder = made(tmp_path, "--pairs", pairs, "--language", "de")
    assert (folder / "prompts.yaml").read_text().splitlines()[2:] == [
        '"TAT":',
        '  - {id: tat-1, text: "Tätigkeit – [W]: [V]"}',
        '  - {id: tat-2, text: "[W] (Tätigkeit): [V]"}',
        '"TATINV":',
        '  - {id: tatinv-1, text: "[W] – Werkzeug: [V]"}',
        '  - {id: tatinv-2, text: "Werkzeug [W]: [V]"}',
    ]
    assert yaml.safe_load((folder / "relations.yaml").read_text()) == {
        "TAT": {"name": "Tätigkeit", "inverse": "TATINV", "prototypical": True, "answers": "Tätigkeit"},
        "TATINV": {"name": "Werkzeug", "inverse": "TAT"},
    }
    assert "name: Tätigkeit\n" in (folder / "relations.yaml").read_text()
    assert (folder / "data/pairs.csv").read_text().splitlines()[:2] == ["target,relation,relatum", "Säge,TAT,sägen"]
    assert config["relations"] == {
        **{"relations": "relations.yaml", "prompts": "prompts.yaml", "tuples": ["own_tuples"], "expansion": "none"},
        **{"answers": "candidates", "language": "resources/languages/german.yaml"},
    }
    assert config["resources"] == {"own_tuples": {"path": "data/pairs.csv"}}
    note = "# These models have read English: name some of your language.\n"
    assert note in (folder / "config.yaml").read_text()
    english = own_study.files(pairs, None, "en", {"m": {"path": "a"}}, {"en": root() / "resources/languages/en.yaml"})
    assert note not in english["config.yaml"]
    assert "language" not in yaml.safe_load(english["config.yaml"].partition("\nrelations:")[2])
    assert yaml.safe_load(english["config.yaml"])["models"] == {"m": {"path": "a"}}


def test_a_relation_that_is_called_by_its_code_needs_no_other_name_for_answers(tmp_path):
    (tmp_path / "pairs.csv").write_text("relation,target,relatum\nSOU,dog,bark\nhome,dog,kennel\n")
    _, folder = made(tmp_path, "--pairs", tmp_path / "pairs.csv")
    relations = yaml.safe_load((folder / "relations.yaml").read_text())
    assert {code: entry.get("answers") for code, entry in relations.items()} == {
        **{"SOU": None, "SOUINV": None, "HOM": "home", "HOMINV": None}
    }


def test_answers_keep_the_form_of_their_file_and_a_path_that_is_wrong_is_named(tmp_path, capsys, pairs):
    (tmp_path / "ANSWERS.CSV").write_text(plain())
    config, folder = made(tmp_path, "--pairs", pairs, "--answers", tmp_path / "ANSWERS.CSV")
    assert config["resources"]["human_responses"]["path"] == "data/answers.csv"
    assert (folder / "data/answers.csv").read_text() == plain()
    said = refused(capsys, tmp_path / "other", "--pairs", pairs, "--answers", tmp_path / "gone.csv")
    assert said == f"There is no file {tmp_path / 'gone.csv'}: correct the path.\n"


def test_a_fault_names_the_files_of_the_user_and_none_that_is_made_to_be_checked(tmp_path, capsys, pairs):
    (tmp_path / "people.csv").write_text(f"{HEAD},prompt\nSäge,a,sägen,tat-9\n")
    said = refused(capsys, tmp_path / "mine", "--pairs", pairs, "--answers", tmp_path / "people.csv")
    assert said.startswith(f"{tmp_path / 'people.csv'}, line 2: 'tat-9' is no prompt of TAT")
    (tmp_path / "pairs.csv").write_text("a,b [x]\ndog,bark\n")
    said = refused(capsys, tmp_path / "mine", "--pairs", tmp_path / "pairs.csv")
    assert said.startswith(f"{tmp_path / 'pairs.csv'} gives no valid study: prompts.yaml: prompt 'bx-1' has")


def test_the_models_of_an_own_study_are_those_of_the_default_one_that_need_no_other(tmp_path, pairs):
    config, _ = made(tmp_path, "--pairs", pairs)
    shipped = yaml.safe_load((root() / "config.yaml").read_text())["models"]
    assert config["models"] == {name: entry for name, entry in shipped.items() if "model" not in entry}
    assert len(config["models"]) < len(shipped)


def test_a_trial_of_one_kind_is_taken_by_it_and_its_column_is_no_further_one(tmp_path, pairs):
    rows = ["a,Säge,sägen,survey,1", "a,x,,button,2", "a,Besen,fegen,survey,3", "a,Säge,,slider,4"]
    found = laid_out(tmp_path, pairs, "\n".join(["subject,word,answer,trial_type,rank", *rows]) + "\n")
    assert found["rows"] == {"only": {"trial_type": ["survey"]}}
    assert found["columns"]["rank"] == "rank"
    assert "further" not in found
