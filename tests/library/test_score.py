"""`python -m relprobe score`: a CSV file in, a table of answers out."""

import inspect
import re

import polars as pl
import pytest
import relprobe
from relprobe import load
from relprobe.core.cli import main
from relprobe.core.errors import ConfigError, DataError
from relprobe.library.answers import check_columns, check_place, read_probes, score, what_is_asked, write_answers
from relprobe.library.model import Model
from relprobe.lm.loading.example import bigram_model
from relprobe.steps import COMMANDS, GROUPS

SLOTS = (
    "[MASK_1]",
    "[gMASK]",
    "{mask}",
    "{{slot}}",
    "[mask_token]",
    "【MASK】",
    "<|mask|>",
    "<blank>",
    "[X]",
    "[y]",
    "___",
    "＿＿",
)


def test_what_is_asked_is_said(capsys, folders, tmp_path):
    """A column whose name says nothing to the command is a note, and the sentence is scored without it."""
    status, said, _ = scored(capsys, folders["causal"], tmp_path, ["text,answer", "a robin is a,bird"])
    assert status == 0
    assert "1 text is scored as a whole sentence; the column answer is a note." in said
    assert f"{tmp_path / 'scores.parquet'} has 1 rows with the columns id, text, logprob, " in said


def test_brackets_and_underscores_of_a_text_are_text(capsys, folders, tmp_path):
    lines = ["text", "a robin is a [bird] {mask of a bird}", "def __init__(self): _ = [v1]", "a snake_case_name"]
    status, said, _ = scored(capsys, folders["causal"], tmp_path, lines)
    assert status == 0, said


def scored(capsys, folder, tmp_path, lines, *options, out="scores.parquet"):
    """Run the command on a CSV of these lines; return its exit status, its errors, and the file that it writes."""
    (tmp_path / "probes.csv").write_text("\n".join(lines) + "\n")
    files = ["--probes", str(tmp_path / "probes.csv"), "--out", str(tmp_path / out)]
    status = main(GROUPS, ["score", "--model", str(folder), *files, *options], COMMANDS)
    return status, capsys.readouterr().err, tmp_path / out


def test_a_slot_gets_its_likeliest_words_and_the_other_columns(capsys, folders, tmp_path, causal):
    lines = ["set,text", "x,a robin is a [SLOT]", "y,a hammer is a [SLOT]"]
    status, errors, out = scored(capsys, folders["causal"], tmp_path, lines, "--k", "3")
    assert status == 0, errors
    table = pl.read_parquet(out)
    expected = causal.top_words(["a robin is a [SLOT]", "a hammer is a [SLOT]"], k=3)
    assert table.drop("set").equals(expected)
    assert table["set"].to_list() == ["x"] * 3 + ["y"] * 3


def test_candidates_and_words_of_a_list(capsys, folders, tmp_path, causal):
    lines = ["text,candidate", "a robin is a,bird", "a robin is a [SLOT],animal"]
    _, _, out = scored(capsys, folders["causal"], tmp_path, lines, out="scores.csv")
    expected = causal.score(["a robin is a", "a robin is a [SLOT]"], [["bird"], ["animal"]])
    assert pl.read_csv(out)["logprob"].to_list() == pytest.approx(expected["logprob"].to_list(), abs=1e-5)
    (tmp_path / "words.txt").write_text("bird\nanimal\n\n")
    options = ["--words", str(tmp_path / "words.txt"), "--k", "2"]
    _, _, out = scored(capsys, folders["causal"], tmp_path, ["text", "a robin is a [SLOT]"], *options)
    assert sorted(pl.read_parquet(out)["word"]) == ["animal", "bird"]


def test_sentences_as_csv_have_their_tokens_in_one_field(capsys, folders, tmp_path):
    _, _, out = scored(capsys, folders["masked"], tmp_path, ["text", "a robin is a bird"], out="scores.csv")
    assert pl.read_csv(out)["tokens"].to_list() == ["a robin is a bird"]


def test_a_chat_and_examples_are_those_of_load(capsys, folders, tmp_path):
    shots = [("a night is a kind of a [SLOT]", "day"), ("a house is a", "home")]
    (tmp_path / "shots.csv").write_text("text,candidate\n" + "".join(f"{','.join(shot)}\n" for shot in shots))
    (tmp_path / "texts.csv").write_text('text\n"a night, a day"\n')
    lines = ["text,candidate", "a robin is a,bird"]
    for shot_file, own in (("shots.csv", shots), ("texts.csv", ["a night, a day"])):
        options = ["--shots", str(tmp_path / shot_file), "--chat", "true"]
        for more, chat in (([], True), (["--instruction", "Name it."], {"instruction": "Name it."})):
            status, errors, out = scored(capsys, folders["causal"], tmp_path, lines, *options, *more)
            assert status == 0, errors
            expected = load(folders["causal"], chat=chat, shots=own, progress=False).score("a robin is a", ["bird"])
            assert pl.read_parquet(out).equals(expected)


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        (["sentence", "a robin"], (), "has no column text"),
        (["text", "a [SLOT]", "a robin"], (), "others have none, such as "),
        (["text", "a [SLOT]", "", "a robin"], (), "probes.csv, line 4: make two files"),
        (["text,candidate", "a,bird", "a,"], (), "probes.csv, line 3: the column `candidate` is empty"),
        (["text", "a [SLOT]"], ("--out", "x.json"), "ends in neither .parquet nor .csv"),
        (["text", "a [SLOT]"], ("--out", "x.tsv"), "ends in neither .parquet nor .csv"),
        (["text", "a [SLOT]"], ("--instruction", "Name it."), "--instruction are those of a chat: add --chat true"),
        (["text", "a [SLOT]"], ("--shots", "no-such.csv"), "no-such.csv cannot be read as CSV"),
        (["text,candidates", "a robin is a,bird"], (), "the column 'candidates', which would not be asked about"),
        (
            ["text", "a robin is a [MASK]."],
            (),
            "line 2 holds '[MASK]', which is no slot here: write [SLOT] in its place",
        ),
        (["text", "a robin is a bird", "a robin is a <mask>"], (), "line 3 holds '<mask>'"),
        *((["text", f"a robin is a {slot}."], (), f"line 2 holds '{slot}'") for slot in SLOTS),
        (["text,candidate", "a [V] is a,bird"], (), "line 2 holds '[V]'"),
        (["id,text", "s1,a robin is a bird"], (), "the texts have a column 'id', and so have their answers"),
        (["text,word", "a [SLOT],x"], (), "the texts have a column 'word'"),
        (["text,logprob,candidate", "a,x,bird"], (), "the texts have a column 'logprob'"),
        (
            ["text", '"a robin is a bird', "a duck is a bird"],
            (),
            "line 2: a field that begins with a quote is not closed",
        ),
        (["text"], (), "holds no texts"),
    ],
)
def test_a_mistake_gets_one_sentence_before_the_model_is_loaded(capsys, tmp_path, lines, options, words):
    status, errors, out = scored(capsys, "no-such-model", tmp_path, lines, *options)
    assert status == 1
    assert words in errors
    assert "Traceback" not in errors
    assert not out.exists()


@pytest.mark.parametrize(
    "header", ["text,candidate", "text, candidate", "Text,Candidate", "text;candidate", "\ufefftext,candidate"]
)
def test_the_same_is_asked_however_the_columns_are_named(capsys, folders, tmp_path, causal, header):
    row = "a robin is a;bird" if ";" in header else "a robin is a,bird"
    status, errors, out = scored(capsys, folders["causal"], tmp_path, [header, row])
    assert status == 0, errors
    assert pl.read_parquet(out).equals(causal.score("a robin is a", ["bird"]))


def test_texts_of_several_lines_and_notes_stay(capsys, folders, tmp_path, causal):
    lines = ["note,text,candidate", ',"a robin', 'is a",bird', "x,a robin,bird"]
    status, errors, out = scored(capsys, folders["causal"], tmp_path, lines)
    assert status == 0, errors
    table = pl.read_parquet(out)
    assert table["text"].to_list() == ["a robin\nis a", "a robin"]
    assert table["note"].to_list() == [None, "x"]


def test_the_list_of_commands_names_it(capsys):
    assert main(GROUPS, [], COMMANDS) == 0
    assert "score" in capsys.readouterr().out


def test_an_out_that_cannot_be_written_is_said_before_the_model_is_loaded(tmp_path, capsys):
    (tmp_path / "file").touch()
    (tmp_path / "probes.csv").write_text("text\na robin\n")
    words = ["score", "--model", "no-such-model", "--probes", str(tmp_path / "probes.csv")]
    assert main({}, [*words, "--out", str(tmp_path / "file/out.csv")], COMMANDS) == 1
    assert "file/out.csv cannot be written (" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "reason"),
    [("file/out.csv", "cannot be written"), (".", "is a folder: name a file in it"), ("x.tsv", "ends in neither")],
)
def test_a_place_that_cannot_be_written_is_said_before_anything_is_computed(tmp_path, name, reason):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=reason):
        check_place(tmp_path / name, "--out")
    check_place(tmp_path / "new/out.csv", "--out")
    assert list((tmp_path / "new").iterdir()) == []


SPELLINGS = {
    "equal": lambda path: path,
    "with points": lambda path: path.parent / "x" / ".." / path.name,
    "a link": lambda path: path.parent / "x" / "link.csv",
    "a hard link": lambda path: path.parent / "x" / "hard.csv",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("read", ["probes", "words", "shots", "model"])
@pytest.mark.parametrize("written", ["out", "log"])
def test_a_file_that_is_read_is_not_overwritten_by_any_spelling(tmp_path, capsys, spelling, read, written):
    names = ("probes", "words", "shots", "model")
    files = {name: tmp_path / f"{name}.csv" for name in names}
    for file in files.values():
        file.write_text("text\na robin is a [SLOT]\n")
    before = {file: file.read_bytes() for file in files.values()}
    (tmp_path / "x").mkdir()
    (tmp_path / "x/link.csv").symlink_to(files[read])
    (tmp_path / "x/hard.csv").hardlink_to(files[read])
    target = SPELLINGS[spelling](files[read])
    outputs = {"out": tmp_path / "out.csv"} | {written: target}
    words = [part for name, file in (files | outputs).items() for part in (f"--{name}", str(file))]
    assert main(GROUPS, ["score", *words], COMMANDS) == 1
    expected = f"Error: --{written} {target} is also --{read}, and would overwrite it: name another file."
    assert expected in capsys.readouterr().err
    assert {file: file.read_bytes() for file in files.values()} == before
    assert not (tmp_path / "out.csv").exists()


def test_answers_and_the_log_are_two_files(tmp_path, capsys):
    (tmp_path / "texts.csv").write_text("text\na robin is a [SLOT]\n")
    words = ["--model", "no-such", "--probes", str(tmp_path / "texts.csv"), "--out", str(tmp_path / "x.csv")]
    assert main(GROUPS, ["score", *words, "--log", str(tmp_path / "../" / tmp_path.name / "x.csv")], COMMANDS) == 1
    assert "is also --out, and would overwrite it" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["texts.csv"]


def test_the_command_asks_as_the_library_does(tmp_path, monkeypatch):
    """Each option is passed on under its name, and without it both have the same default."""
    asked, tiny = {}, Model(bigram_model({"a": {"robin": 0.25, "bird": 0.75}}))

    def loaded(*given, **named):
        asked.update(zip(("model", "kind"), given, strict=True), **named)
        return tiny

    monkeypatch.setattr("relprobe.library.answers.load", loaded)
    probes = pl.DataFrame({"text": ["a [SLOT]"]})
    score("m", probes, tmp_path / "out.csv", words=["robin", "bird"], k=1)
    defaults = {name: option.default for name, option in inspect.signature(relprobe.load).parameters.items()}
    assert {name: defaults[name] for name in asked if name not in ("model", "shots")} == {
        name: value for name, value in asked.items() if name not in ("model", "shots")
    }
    assert (asked["model"], list(asked["shots"])) == ("m", [])
    assert pl.read_csv(tmp_path / "out.csv")["word"].to_list() == ["bird"]
    settings = {
        **{"revision": "abc", "name": "toy", "tokenizer": "t", "key_env": "KEY", "dtype": "float32", "device": "cpu"},
        **{"batch_tokens": 5, "threads": 3, "timeout": 7.5, "context": "before"},
    }
    shots = pl.DataFrame({"text": ["a robin is a", "b"], "candidate": ["bird", "c"]})
    score("m", probes, tmp_path / "out.csv", kind="masked", chat=True, system="Be brief.", shots=shots, **settings)
    assert asked == {
        **settings,
        **{"model": "m", "kind": "masked", "chat": {"system": "Be brief."}},
        "shots": [("a robin is a", "bird"), ("b", "c")],
    }
    score("m", probes, tmp_path / "out.csv", chat=True)
    assert asked["chat"] is True


def test_the_options_of_an_answer_are_those_of_the_command(tmp_path, monkeypatch, causal):
    monkeypatch.setattr("relprobe.library.answers.load", lambda *_, **__: causal)
    out, text, words = tmp_path / "out.parquet", "a robin is a", ["bird", "animal", "robin"]
    pairs = pl.DataFrame({"text": [text] * 3, "candidate": words})
    for asked in ({}, {"word_ends": True}, {"join": "none"}, {"word_ends": True, "join": "none"}):
        score("m", pairs, out, **asked)
        assert pl.read_parquet(out)["logprob"].to_list() == causal.score(text, words, **asked)["logprob"].to_list()
    for word_ends in (False, True):
        score("m", pl.DataFrame({"text": [text]}), out, word_ends=word_ends)
        assert pl.read_parquet(out).equals(causal.sentences(text, word_ends=word_ends))
    slots = pl.DataFrame({"text": [f"{text} [SLOT]"]})
    score("m", slots, out)
    assert pl.read_parquet(out).equals(causal.top_words(f"{text} [SLOT]", k=10))
    score("m", slots, out, k=2, words=words)
    assert pl.read_parquet(out).equals(causal.top_words(f"{text} [SLOT]", k=2, words=words))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"text": ["a"], "candidate": ["b"]}, "1 text is scored with its candidates."),
        ({"text": ["a", "b"], "candidate": ["b", "c"]}, "2 texts are scored with their candidates."),
        ({"text": ["a [SLOT]"]}, "1 text gets words at its slot."),
        ({"text": ["a [SLOT]"] * 3}, "3 texts get words at their slots."),
        ({"text": ["a", "b"]}, "2 texts are scored as whole sentences."),
        ({"text": ["a"], "x": ["b"]}, "1 text is scored as a whole sentence; the column x is a note."),
        ({"text": ["a"], "x": ["b"], "y": ["c"]}, "1 text is scored as a whole sentence; the columns x, y are notes."),
    ],
)
def test_what_is_asked_of_one_text_and_of_several(columns, said):
    assert what_is_asked(pl.DataFrame(columns)) == said


def test_a_note_may_not_have_the_name_of_a_column_of_the_answers():
    """Those of a server have their error, too."""
    slots, sentences = ({"text": [text], "error": ["x"], "set": ["x"]} for text in ("a [SLOT]", "a"))
    for table, served in ((slots, False), (sentences, True), (sentences, False)):
        check_columns(pl.DataFrame(table), served=served)
    with pytest.raises(DataError, match="the texts have a column 'error', and so have their answers"):
        check_columns(pl.DataFrame(slots), served=True)
    with pytest.raises(DataError, match="the texts have a column 'logprobs', and so have their answers"):
        check_columns(pl.DataFrame({"text": ["a"], "logprobs": ["x"]}), served=False)


def test_numbers_in_csv_are_those_of_the_model_to_the_last_digit(tmp_path):
    values = [1 / 3, -(2.0**-30), 1e-12, -123456.789012345]
    table = pl.DataFrame({"tokens": [["a", "b"], [], ["c"], [None, "d"]], "logprob": values})
    write_answers(table, tmp_path / "scores.CSV")
    found = pl.read_csv(tmp_path / "scores.CSV")
    assert found["logprob"].to_list() == values
    assert [text or "" for text in found["tokens"]] == ["a b", "", "c", "d"]


def test_the_lines_of_a_chat_go_with_a_chat_alone(tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        "relprobe.library.answers.load", lambda *_, **named: asked.update(named) or Model(bigram_model(TINY))
    )
    probes = pl.DataFrame({"text": ["a robin"]})
    score("m", probes, tmp_path / "out.parquet", chat=True, instruction="Say a word.")
    assert asked["chat"] == {"instruction": "Say a word."}
    score("m", probes, tmp_path / "out.parquet", chat=True, system="s", instruction="i")
    assert asked["chat"] == {"system": "s", "instruction": "i"}
    for line in ("system", "instruction"):
        with pytest.raises(ConfigError, match="add --chat true, or leave them out"):
            score("m", probes, tmp_path / "out.parquet", **{line: "x"})


TINY = {"a": {"robin": 0.25, "bird": 0.75}}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["text,candidates", "a,b"], "has the column 'candidates', which would not be asked about"),
        (["text,candidte", "a,b"], "has the column 'candidte'"),
        (["text,candidate", "a, "], "the column `candidate` is empty"),
        (["text,candidate", " \t,b"], "the column `text` is empty"),
        (["text"], "holds no texts"),
        (["text", "a [SLOT]", "b"], "some texts have a [SLOT] and others have none, such as"),
    ],
)
def test_a_file_of_texts_of_another_form_is_refused(tmp_path, lines, said):
    path = tmp_path / "texts.csv"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match=re.escape(said)):
        read_probes(path)


def test_texts_of_several_lines_are_counted_and_other_names_are_notes(tmp_path, caplog):
    path = tmp_path / "texts.csv"
    path.write_text('text,date,candidate\n"a\nb",,x\nc,2,y\n"d\n",3,z\n')
    table = read_probes(path)
    assert table.rows() == [("a\nb", None, "x"), ("c", "2", "y"), ("d\n", "3", "z")]
    assert "2 texts have several lines, such as that of" in caplog.text
    (tmp_path / "one.csv").write_text("text,candor\na,b\n")
    caplog.clear()
    assert read_probes(tmp_path / "one.csv")["candor"].to_list() == ["b"]
    assert "several lines" not in caplog.text
    with pytest.raises(DataError, match="as it is no file: correct the path"):
        read_probes(tmp_path)


def test_a_list_of_tokens_is_one_field_of_a_csv_file_without_those_that_are_missing(tmp_path):
    table = pl.DataFrame({"id": [0, 1], "tokens": [["a", None, "b"], []], "logprobs": [[None, -0.5, -1.0], None]})
    write_answers(table, tmp_path / "a.CSV")
    assert (tmp_path / "a.CSV").read_text().splitlines() == ["id,tokens,logprobs", "0,a b,-0.5 -1.0", '1,"",']
    write_answers(table, tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(table)
