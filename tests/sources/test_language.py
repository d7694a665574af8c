import re

import pytest
import typeguard
import yaml
from relprobe.core.errors import DataError
from relprobe.sources.language import Articles, cases, check_articles, guesses_articles, has_articles, inflector, read

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH

LATIN = {"name": "Latin", "wordfreq": "it"}
WORD = {"default": "ein", "patterns": [["ung$", "eine"]]}
ARTICLES = {"before_slot": ["un", "una"], "before_word": WORD}


def write(tmp_path, content):
    path = tmp_path / "language.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return path


@pytest.mark.parametrize(("word", "article"), [("hour", "an"), ("unicorn", "a"), ("owl", "an"), ("house", "a")])
def test_english_articles_follow_the_pronunciation(word, article):
    assert ENGLISH.articles.before(word) == article


def test_inflect_is_imported_in_one_place_and_without_the_rewriting_of_its_functions():
    """Typeguard parses the whole module for each of them, which takes seconds of every step that asks for an article."""
    assert "typeguard" not in type(inflector()).a.__code__.co_names
    assert typeguard.typechecked.__module__.startswith("typeguard")
    modules = (ROOT / "workflow/scripts").rglob("*.py")
    assert [file.name for file in modules if re.search(r"import inflect\b", file.read_text())] == ["language.py"]


@pytest.mark.parametrize("name", ["english", "german", "japanese"])
def test_the_shipped_languages_are_read(name):
    if name == "japanese":
        assert not read(ROOT / "resources/languages/japanese.yaml").articles.weights
    else:
        assert sum(read(ROOT / f"resources/languages/{name}.yaml").articles.weights.values()) == pytest.approx(1)


def test_an_article_may_be_asked_for_in_a_case_and_a_language_without_articles_has_none():
    german = Articles(
        before=lambda word: "eine" if word == "Katze" else "ein", cases={"dat": {"ein": "einem", "eine": "einer"}}
    )
    assert [german.chooser("Katze"), german.chooser("Hund", "dat"), german.chooser("Katze", "dat")] == [
        *("eine", "einem", "einer"),
    ]
    assert Articles().chooser is None


def test_patterns_and_a_table_pick_articles(tmp_path):
    (tmp_path / "articles.csv").write_text("word,article\nKatze,eine\nSprung,ein\n")
    article = read(write(tmp_path, LATIN | {"articles": ARTICLES | {"before_word": WORD | {"table": "articles.csv"}}}))
    before = article.articles.before
    assert [before(word) for word in ("Katze", "Zeitung", "Hund")] == ["eine", "eine", "ein"]
    assert before("Sprung") == "ein"  # a word of the table goes before a pattern that it fits


def test_a_case_has_a_form_of_each_article(tmp_path):
    cases = {"dat": {"un": "aun", "una": "auna"}}
    language = read(write(tmp_path, LATIN | {"articles": ARTICLES | {"cases": cases}}))
    assert language.articles.form("una", "dat") == "auna"
    for wrong in ({"dat": {"un": "aun"}}, {"dat": "aun"}, ["dat"]):
        with pytest.raises(DataError, match=r"articles\.cases"):
            read(write(tmp_path, LATIN | {"articles": ARTICLES | {"cases": wrong}}))


def test_a_language_without_articles_has_no_weights(tmp_path):
    language = read(write(tmp_path, LATIN))
    assert (language.articles.weights, language.articles.before, language.answer_articles) == ({}, None, ())
    assert language.lexicon == "it"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "a language needs name and wordfreq, and may have lexicon, letters"),
        ({"name": "Latin"}, "a language needs name and wordfreq"),
        (LATIN | {"article": []}, "a language needs name and wordfreq"),
        (LATIN | {"wordfreq": 5}, "wordfreq is 5, but must be a text"),
        (LATIN | {"letters": "["}, "letters is no regular expression"),
        (LATIN | {"answers": ["un"]}, "answers should have the key articles alone"),
        (LATIN | {"articles": ["un"]}, "articles needs before_slot and before_word"),
        (LATIN | {"articles": ARTICLES | {"before_slot": []}}, r"articles\.before_slot is empty"),
        (LATIN | {"articles": ARTICLES | {"before_slot": ["qqzzxv"]}}, "wordfreq knows none of qqzzxv"),
        (LATIN | {"wordfreq": "la", "articles": ARTICLES}, "wordfreq has no words of 'la', but of ar, bg"),
        (
            LATIN | {"articles": ARTICLES | {"before_word": "un"}},
            r"articles\.before_word is 'un': write {library: inflect}",
        ),
        (
            LATIN | {"articles": ARTICLES | {"before_word": WORD | {"patterns": ["x"]}}},
            "pairs of a pattern and an article",
        ),
        (
            LATIN | {"articles": ARTICLES | {"before_word": WORD | {"patterns": [["[", "x"]]}}},
            "is no regular expression",
        ),
        (
            LATIN | {"articles": ARTICLES | {"before_word": WORD | {"table": "no.csv"}}},
            r"no\.csv does not exist: correct",
        ),
    ],
)
def test_what_is_no_language_is_refused(tmp_path, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write(tmp_path, content))


def test_a_word_of_a_table_stands_there_once(tmp_path):
    (tmp_path / "articles.csv").write_text("word,article\nBand,ein\nBand,eine\n")
    content = LATIN | {"articles": ARTICLES | {"before_word": WORD | {"table": "articles.csv"}}}
    with pytest.raises(DataError, match="'Band' is"):
        read(write(tmp_path, content))


def test_what_a_file_of_a_language_says_of_articles(tmp_path):
    with_cases = LATIN | {"articles": ARTICLES | {"cases": {"dat": {"un": "x", "una": "y"}, "acc": None}}}
    rules = ({"library": "inflect"}, WORD | {"table": "x"})
    library, table = ({"articles": ARTICLES | {"before_word": rule}} for rule in rules)
    for content, has, named, guesses in (
        (LATIN, False, [], False),
        (LATIN | {"articles": ARTICLES}, True, [], True),
        (with_cases, True, ["acc", "dat"], True),
        (LATIN | library, True, [], False),
        (LATIN | table, True, [], False),
    ):
        path = write(tmp_path, content)
        assert (has_articles(path), cases(path), guesses_articles(path)) == (has, named, guesses)


@pytest.mark.parametrize("forms", [{"un": "x"}, {"un": "x", "una": "y", "uno": "z"}, ["un", "una"], "un", None])
def test_a_case_has_the_forms_of_these_articles_and_no_others(tmp_path, forms):
    with pytest.raises(DataError, match=r"articles\.cases\.dat should have a form of each of un, una"):
        read(write(tmp_path, LATIN | {"articles": ARTICLES | {"cases": {"dat": forms}}}))


def test_a_prompt_has_no_article_that_the_language_lacks(tmp_path):
    path = tmp_path / "prompts.yaml"
    for text, articles, named in (
        ("a [W] is a [V]", False, ()),
        ("[DET] [W] is [V]", True, ()),
        ("[DET:dat] [W], [DET:acc] [V]", True, ("acc", "dat")),
    ):
        check_articles(path, "up", text, articles=articles, cases=named)
    with pytest.raises(DataError, match=r"prompts\.yaml: prompt 'up' has a \[DET\], but the language has no articles"):
        check_articles(path, "up", "[DET] [W] is [V]", articles=False, cases=())
    for text in ("[DET:dat] [W]", "[DET:acc] [W], [DET] [V] of [DET:dat] [V]"):
        with pytest.raises(
            DataError, match=r"prompt 'up' has \[DET:dat\], but the language has no articles of that case"
        ):
            check_articles(path, "up", text, articles=True, cases=("acc",))


def test_what_a_file_of_a_language_says_is_read(tmp_path):
    keys = {"lexicon": "lat", "letters": "[a-z]+", "answers": {"articles": ["the", "a"]}}
    language = read(write(tmp_path, LATIN | keys))
    assert (language.name, language.wordfreq, language.lexicon) == ("Latin", "it", "lat")
    assert (language.letters.pattern, language.answer_articles) == ("[a-z]+", ("the", "a"))
    plain = read(write(tmp_path, LATIN | {"answers": None}))
    assert [bool(plain.letters.fullmatch(word)) for word in ("Ärger", "a b", "")] == [True, False, False]
    assert plain.answer_articles == ()


def test_articles_are_mixed_as_they_are_frequent(tmp_path):
    """In English "a" is some six times as frequent as "an", and "qqzzxv" is no word."""
    english = {"name": "English", "wordfreq": "en", "articles": ARTICLES | {"before_slot": ["an", "a", "qqzzxv"]}}
    weights = read(write(tmp_path, english)).articles.weights
    assert list(weights) == ["an", "a", "qqzzxv"]
    assert weights["qqzzxv"] == 0
    assert weights["an"] + weights["a"] == pytest.approx(1)
    assert 4 < weights["a"] / weights["an"] < 10


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "name is '', but must be a text"),
        ({"lexicon": 7}, "lexicon is 7, but must be a text"),
        ({"answers": {"articles": "the"}}, r"answers\.articles is 'the', but must be a list of words"),
        ({"answers": {"articles": ["the", 1]}}, r"answers\.articles is \['the', 1\], but must be a list of words"),
        ({"answers": {"articles": [], "more": 1}}, "answers should have the key articles alone"),
        ({"articles": ARTICLES | {"after": 1}}, "articles needs before_slot and before_word"),
        ({"articles": {"before_slot": ["un"]}}, "articles needs before_slot and before_word"),
        ({"articles": ARTICLES | {"before_word": {"library": "other"}}}, r"articles\.before_word is "),
        ({"articles": ARTICLES | {"before_word": WORD | {"library": "inflect"}}}, r"articles\.before_word is "),
        ({"articles": ARTICLES | {"before_word": {"patterns": []}}}, r"articles\.before_word is "),
        ({"articles": ARTICLES | {"before_word": {"default": 1}}}, r"articles\.before_word\.default is 1"),
        (
            {"articles": ARTICLES | {"before_word": WORD | {"patterns": [["a", "b", "c"]]}}},
            r"articles\.before_word\.patterns should have pairs",
        ),
    ],
)
def test_a_fault_in_a_file_of_a_language_names_its_key(tmp_path, change, sentence):
    with pytest.raises(DataError, match=rf"language\.yaml: {sentence}"):
        read(write(tmp_path, LATIN | change))
