"""`relprobe ask`: the words of a model beside those without the target."""

import math
import re

import polars as pl
import pytest
from relprobe import load
from relprobe.command.ask import SIGNS, WIDTH, Answer, bar, control_of, main, model_named, table
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
        ("a robin, robins and the robin: a [SLOT]", "robin", ("robin", ", robins and : a [SLOT]")),
        ("T恤是一种[SLOT]", "T恤", ("T恤", "是一种[SLOT]")),
        ("2 birds o'clock _a_ well-known [SLOT]", None, ("o'clock", "2 birds _a_ well-known [SLOT]")),
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
    with pytest.raises(SystemExit) as end:
        main(["a robin is a [SLOT]", "-k", "0"])
    assert end.value.code == 1
    assert "-k 0 is no number of words: use 1 or more." in capsys.readouterr().err


def test_a_text_whose_words_a_model_does_not_know_has_no_answer(folder, capsys):
    assert main(["zzyzx qwxq is a [SLOT]", "--model", str(folder), "--target", "zzyzx"]) == 0
    assert capsys.readouterr().out


class Known:
    """A model whose likeliest tokens are signs, and which gives a word half of the probability of the one before it."""

    def __init__(self, words):
        self.tokens = ["", *("." * number for number in range(1, SIGNS)), *words]
        self.asked = []

    def top_words(self, text, k):
        logs = [-number * math.log(2) for number in range(1, len(self.tokens) - SIGNS + 1)]
        column = [*[-0.01] * SIGNS, *logs]
        return pl.DataFrame({"word": self.tokens, "logprob": column}).head(k)

    def score(self, text, words):
        self.asked.append((text, words))
        return pl.DataFrame({"candidate": words, "logprob": [None, *[-math.log(4)] * (len(words) - 1)]})


def said_of(monkeypatch, capsys, model, *words):
    """What is printed where this model is loaded, and how it was."""
    loaded = []
    monkeypatch.setattr("relprobe.load", lambda name, **options: loaded.append((name, options)) or model)
    assert main([*words, "--model", "known"]) == 0
    assert loaded == [("known", {"progress": False})]  # a bar would stand between the tables
    return capsys.readouterr().out


def test_signs_and_empty_words_take_no_place_and_a_word_without_a_logarithm_has_no_probability(monkeypatch, capsys):
    model = Known([f"word{number}" for number in range(20)])
    *_, first, second, last = said_of(monkeypatch, capsys, model, "a robin is a [SLOT]", "-k", "3").splitlines()[:-1]
    assert (first.split()[0], second.split()[0], last.split()[0]) == ("word0", "word1", "word2")
    assert model.asked == [("is a [SLOT]", ["word0", "word1", "word2"])]
    assert [re.findall(r"\d\.\d+", line) for line in (first, second, last)] == [
        ["0.500", "0.000"],
        ["0.250", "0.250"],
        ["0.125", "0.250"],
    ]
    rows = said_of(monkeypatch, capsys, Known([f"word{number}" for number in range(20)]), "a robin is a [SLOT]")
    assert len(re.findall("word", rows)) == 8


def test_where_nothing_is_left_beside_the_slot_or_no_word_is_likely_no_control_is_asked(monkeypatch, capsys):
    model = Known(["bird"])
    said = said_of(monkeypatch, capsys, model, "robin: [SLOT]", "[SLOT]")
    assert said == "".join(f"{text}\n  bird  0.500 {'█' * WIDTH}\n\n" for text in ("robin: [SLOT]", "[SLOT]"))
    said = said_of(monkeypatch, capsys, model := Known([]), "a robin is a [SLOT]")
    assert said == "a robin is a [SLOT]\n  no word among the likeliest tokens\n\n"
    assert model.asked == []


def test_the_longest_bar_is_that_of_the_largest_number_in_either_column():
    """Half of the largest is half as long, to an eighth of a character."""
    answers = [Answer("bird", 0.25, 0.5), Answer("ox", 0.13, 0.0)]
    half, blank = "█" * (WIDTH // 2), " " * (WIDTH // 2)
    assert table("a robin is a [SLOT]", "robin", answers).splitlines()[2:] == [
        f"  bird  0.250 {half}{blank}  0.500 {half}{half}",
        f"  ox    0.130 ██████▎{' ' * 17}  0.000",  # 6.24 of 24 characters
    ]
    assert [bar(float(eighths), 8.0 * WIDTH) for eighths in (1, 4, 7, 8, 11)] == ["▏", "▌", "▉", "█", "█▍"]
    assert table("[SLOT]", "", [Answer("ox", 0.0, None)]) == "[SLOT]\n  ox  0.000\n"


def test_a_text_of_a_script_with_spaces_needs_no_target_where_one_word_is_likelier_than_another():
    assert control_of("the zyzzyva is a [SLOT]") == ("zyzzyva", "is a [SLOT]")
    assert control_of("[SLOT] 42 §") == ("", None)


def test_the_models_of_the_configuration_are_asked_in_its_order_and_none_of_what_is_no_list_of_them(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    for folder in ("b", "a", "unfetched"):
        (tmp_path / f"resources/fetched/models/{folder}").mkdir(parents=True)
    for folder in ("b", "a"):
        write_json({}, tmp_path / f"resources/fetched/models/{folder}/config.json")
    loaded = []
    monkeypatch.setattr("relprobe.load", lambda name, **options: loaded.append(name) or Known(["bird"]))
    for text in ("models: {unfetched: {}, b: {}, a: {}}", "models: {a: {}, b: {}}"):
        (tmp_path / "config.yaml").write_text(text)
        assert main(["a robin is a [SLOT]"]) == 0
    assert [name.rpartition("/")[2] for name in loaded] == ["b", "a"]
    for text in ("models: [a]", "- a", "title: a"):
        (tmp_path / "config.yaml").write_text(text)
        assert main(["a robin is a [SLOT]"]) == 1
        assert "No model of a study is here" in capsys.readouterr().err
