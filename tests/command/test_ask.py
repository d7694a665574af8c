"""`relprobe ask`: the words of a model beside those without the target."""

import re

import pytest
from relprobe import load
from relprobe.command.ask import control_of, main, model_named
from relprobe.core.errors import DataError
from relprobe.core.files import write_json

from tests.workflow.toy_models import causal_model, masked_model

MAKE = {"causal": causal_model, "masked": masked_model}


@pytest.fixture(scope="module", params=list(MAKE))
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("model") / request.param
    MAKE[request.param](place, seed=1)
    return place


def test_the_words_and_their_probabilities_are_those_of_the_library(folder, capsys):
    assert main(["a robin is a kind of [SLOT]", "--model", str(folder), "-k", "3"]) == 0
    first, head, *rows = capsys.readouterr().out.rstrip().splitlines()
    assert (first, head.strip()) == ("a robin is a kind of [SLOT]", "without “robin”")
    model = load(folder, progress=False)
    answers = {
        row[0]: [float(value) for value in re.findall(r"\d\.\d{3}", " ".join(row))] for row in map(str.split, rows)
    }
    top = model.top_words("a robin is a kind of [SLOT]", 60)
    words = [(word, log) for word, log in top.select("word", "logprob").iter_rows() if re.search(r"\w", word)][:3]
    assert list(answers) == [word for word, _ in words]
    control = model.score("is a kind of [SLOT]", list(answers)).select("candidate", "logprob").iter_rows()
    without = dict(control)
    for word, log in words:
        assert answers[word] == [
            pytest.approx(2.71828**log, abs=6e-4),
            pytest.approx(2.71828 ** without[word], abs=6e-4),
        ]


@pytest.mark.parametrize(
    ("text", "target", "found"),
    [
        ("a robin is a kind of [SLOT]", None, ("robin", "is a kind of [SLOT]")),
        ("An Owl is a [SLOT]", "owl", ("owl", "is a [SLOT]")),
        (
            "it is likely to be both an ice cream and a [SLOT]",
            "ice cream",
            ("ice cream", "it is likely to be both and a [SLOT]"),
        ),
        ("[SLOT] is the opposite of cold", None, ("opposite", "[SLOT] is of cold")),
        ("[SLOT] is the opposite of cold", "cold", ("cold", "[SLOT] is the opposite of")),
        ("robin: [SLOT]", "robin", ("robin", None)),
        ("[SLOT]", None, ("", None)),
        ("eine Amsel ist ein [SLOT]", "Amsel", ("Amsel", "eine ist ein [SLOT]")),
        ("知更鸟是一种[SLOT]", "知更鸟", ("知更鸟", "是一种[SLOT]")),
        ("a cafe\u0301 is a [SLOT]", "caf\u00e9", ("caf\u00e9", "is a [SLOT]")),
        ("a caf\u00e9 is a [SLOT]", "cafe\u0301", ("caf\u00e9", "is a [SLOT]")),
    ],
)
def test_the_control_lacks_the_target_and_its_article(text, target, found):
    assert control_of(text, target) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a robin is a bird"], "has no slot, or several: write [SLOT] once"),
        (["[SLOT] is a [SLOT]"], "has no slot, or several"),
        (["a robin is a [SLOT]", "--target", "owl"], "does not hold 'owl': name a target that stands there."),
        (["a robin is a [SLOT]", "--target", " "], "does not hold ''"),
        (["the [SLOT] of a robin", "--target", "slot"], "does not hold 'slot'"),
        (["the [SLOT] of a robin", "--target", "[SLOT]"], "does not hold '[SLOT]'"),
        (["知更鸟是一种[SLOT]"], "is in a script without spaces: name the target with --target."),
        (["a robin is a [SLOT]", "--model", "https://gpu07:8000/v1"], "is the address of a server: ask it from Python"),
        (["a robin is a [SLOT]"], "No model of a study is here: `relprobe run` fetches those of config.yaml"),
        (["a robin is a [SLOT]", "--model", "no-such-folder/here/at-all"], "no-such-folder"),
    ],
)
def test_what_cannot_be_asked_ends_in_a_sentence(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    assert said in capsys.readouterr().err


def test_the_first_model_that_is_fetched_is_asked_and_any_other_by_its_name(tmp_path):
    folder = tmp_path / "models"
    (folder / "second").mkdir(parents=True)
    write_json({}, folder / "second/config.json")
    assert model_named(None, ["first", "second"], folder) == str(folder / "second")
    assert model_named("second", [], folder) == str(folder / "second")
    assert model_named("third", ["first", "second"], folder) == "third"
    with pytest.raises(DataError, match="first is a model of this study, but is not here"):
        model_named("first", ["first", "second"], folder)
    with pytest.raises(DataError, match="No model of a study is here"):
        model_named(None, ["first"], folder)


def test_so_few_words_are_no_number(capsys):
    with pytest.raises(SystemExit):
        main(["a robin is a [SLOT]", "-k", "0"])
    assert "-k 0 is no number of words: use 1 or more." in capsys.readouterr().err


def test_a_text_whose_words_a_model_does_not_know_has_no_answer(folder, capsys):
    assert main(["zzyzx qwxq is a [SLOT]", "--model", str(folder), "--target", "zzyzx"]) == 0
    assert capsys.readouterr().out
