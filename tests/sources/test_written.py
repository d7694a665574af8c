"""How somebody writes a word: one reading for people, own tables and models that chat."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core.errors import DataError
from relprobe.sources import human_responses
from relprobe.sources.own import analogies, hyponyms, ratings, tuples
from relprobe.sources.written import (
    Capitals,
    answered_word,
    checked_word,
    fault_in,
    plain_text,
    plain_word,
    without_article,
    without_pictures,
)
from relprobe.studies.relations.tuples import read_candidates, read_words

FAULTS = {
    **dict.fromkeys(["NA", "N/A", "nan", "NaN", "NULL", "null", "None", " NA "], "stands for no answer in a program"),
    **dict.fromkeys(["#NAME?", "#N/A", "#DIV/0!", "#WERT!", "####", "Err:508"], "is an error of a spreadsheet"),
    **dict.fromkeys(["-", "?", "...", "—", "🐦"], "has no letter"),
    **dict.fromkeys(['{"Q0":"bird"}', '["bird"]'], "is JSON"),
    **dict.fromkeys(["caf&eacute;", "bird&#39;s", "a&nbsp;bird"], "as web pages write it"),
    **dict.fromkeys(["<p>bird</p>", "bird<br>", "bird<br/>"], "has a tag of a web page"),
    **dict.fromkeys(["caf\\u00e9", "ice%20cream", "bird\\n"], "as programs write it"),
    **dict.fromkeys(["cafÃ©", "SchrÃ¶der", "caf√©", "naÃ¯ve", "РїС‚РёС†Р°", "itâ€™s"], "was read in another encoding"),
    **dict.fromkeys(["bіrd", "раpа", "Αthens"], "letters of two scripts"),
    **dict.fromkeys(["2026-03-01", "2026-03-01 00:00:00", "1-Mar", "01.03.2026", "2/1/2026", "Mar-01"], "is a date"),
    **dict.fromkeys(["-99", "-9", "1E+10", "1.00E+10"], "is a number that stands for no word"),
    **dict.fromkeys(["caf?bar", "na?ve", "b\ufffdrd"], "in place of a letter that was lost"),
    **dict.fromkeys(["#NOM?", "#VALEUR!", "#ИМЯ?", "#FIELD!", "#NV", "#N/D"], "is an error of a spreadsheet"),
    **dict.fromkeys(['["bird', "{'Q0': 'bird'}", "[]", "[object Object]", 'c("bird")'], "is JSON"),
    **dict.fromkeys(["[V]", "robin [SLOT]", "[MASK]"], "has a mark of prompts"),
    **dict.fromkeys(["dog.n.01", "/c/en/dog/n", "dog#n#1", "dog%1:05:00::", "bn:00015267n"], "in a lexical resource"),
    **dict.fromkeys(["1-mars", "01. Mrz", "Dez 24", "2026/11/01", "12:30:00", "01.03.2026 00:00"], "is a date"),
    **dict.fromkeys(["-99.0", "-9,0"], "is a number that stands for no word"),
    **dict.fromkeys(["None.", "n/a!"], "stands for no answer in a program"),
    **dict.fromkeys(["I don’t know", "idk", "no idea.", "not sure", "Sorry, I do not know"], "there is no answer"),
}
AROUND = {
    "bird,": "bird",
    "bird;": "bird",
    "bird 🐦": "bird",
    "❤️ bird 👩‍🚀": "bird",
    "¿pájaro?": "pájaro",
    "¡Ave!": "Ave",
    "bat (animal)": "bat",
    "bird(s)": "bird",
    "① bird": "bird",
    "(1) bird": "bird",
    "(bird)": "bird",
    "...bird": "bird",
    "… a bird": "bird",
    "→ bird": "bird",
    "-> bird": "bird",
    "= bird": "bird",
    "## Bird": "Bird",
    "1️⃣ bird": "bird",
    "[1] bird": "bird",
    "1 - bird": "bird",
    "#1 bird": "bird",
    "・鳥": "鳥",
    "bird :)": "bird",
    "bird ;-)": "bird",
    "bird <3": "bird",
    "bird -": "bird",
    "[bird]": "bird",
    "{bird}": "bird",
    "‚Vogel‘": "Vogel",
    "``bird''": "bird",
    "**bird** (animal)": "bird",
    "Answer = bird": "bird",
    "The missing word is “bird”.": "bird",
    "Sure! Bird": "Bird",
    "طائر؟": "طائر",
    "पक्षी।": "पक्षी",
    "թռչուն։": "թռչուն",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 bird": "bird",
}
SEVERAL = ["bird, animal", "bird; animal", "bird|animal", "bird / animal", "鳥、魚", "طائر، حيوان", "bird\\animal"]
NO_WORDS_OF_ANSWERS = {
    **dict.fromkeys(["na", "N/a", "undefined"], "stands for no answer"),
    **dict.fromkeys(["A robin is a bird.", "Antwort: Vogel", "bird: it flies"], "more than a word"),
}
WORDS = [
    *(
        "bird",
        "ice cream",
        "will-o'-the-wisp",
        "café",
        "été",
        "Ärger",
        "Straße",
        "naïve",
        "mère",
        "Œuvre",
        "İstanbul",
        "ōkami",
    ),
    *(
        "птица",
        "ёж",
        "їжак",
        "Тёрн",
        "πουλί",
        "鳥",
        "東京",
        "ペット",
        "새",
        "ציפור",
        "عصفور",
        "चिड़िया",
        "นกน้ำ",
        "chim sẻ",
    ),
    *(
        "β-carotene",
        "X-ray",
        "3D printer",
        "U.S.",
        "rock 'n' roll",
        "AT&T",
        "l’oiseau",
        "“nan”",
        "nana",
        "naive",
        "none",
    ),
    *("°C", "μm", "kΩ", "3-ply", "dec 25", "14 july", "St. Bernard", "don't", "mar", "bird of prey", "'tis", "dogs'"),
]


@pytest.mark.parametrize(("text", "why"), FAULTS.items())
def test_what_is_no_word_is_named(text, why):
    assert why in str(fault_in(text))


@pytest.mark.parametrize("text", SEVERAL)
def test_several_answers_in_one_cell_are_named(text):
    assert "holds several answers" in str(fault_in(text, several=False))
    assert fault_in(text) is None


@pytest.mark.parametrize(("text", "why"), NO_WORDS_OF_ANSWERS.items())
def test_what_is_no_word_of_an_answer_may_be_one_of_a_table(text, why):
    assert why in str(fault_in(text, several=False))
    assert fault_in(text) is None


@pytest.mark.parametrize("word", WORDS)
def test_words_of_any_language_are_no_faults(word):
    assert fault_in(word, several=False) is None


@pytest.mark.parametrize(
    "text",
    ["bird.", "Bird", "“bird”", "'bird'", "**bird**", "`bird`", "_bird_", "1. bird", "2) bird", "- bird", "• bird", "(bird)",
     "„bird“", "«bird»", " bird ", "bird!", "bird…", "a) bird", "** bird **.", "\"bird.\"", "ｂｉｒｄ"],
)  # fmt: skip
def test_what_stands_around_a_word_does_not_count(text):
    assert plain_word(text).lower() == "bird"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a bird", "bird"),
        ("An Animal.", "Animal"),
        ("The answer is a bird.", "bird"),
        ("Answer: **bird**", "bird"),
        ("I would say: bird", "bird"),
        ("It's a bird!", "bird"),
        ("a", "a"),
        ("letter box", "letter box"),
        ("word", "word"),
        ("one", "one"),
        ("answer", "answer"),
        ("a  few", "few"),
        ("jack-o’-lantern", "jack-o'-lantern"),
        ("jack-o´-lantern", "jack-o'-lantern"),
        ("rock 'n' roll", "rock 'n' roll"),
        ("ice‑cream", "ice-cream"),
        ("rock–paper", "rock-paper"),
        ("jack‐o'‑lantern", "jack-o'-lantern"),
        ("בית־ספר", "בית-ספר"),
        ("צה״ל", 'צה"ל'),
        ("\u200bice\xadberg\u200f", "iceberg"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("30 °C", "30 °C"),
        ("ﬁsh", "fish"),
        ("น้ำ", "น้ำ"),
    ],
)
def test_what_is_said_before_an_answer_does_not_count(text, word):
    assert answered_word(text, ("a", "an", "the")) == word


@given(st.text(max_size=30))
def test_a_reading_is_read_as_itself(text):
    word = answered_word(text, ("a", "an"))
    assert plain_word(plain_word(word)) == plain_word(word)
    fault_in(text)


def test_capitals_are_those_of_the_only_word_that_differs_in_them():
    capitals = Capitals.of(["bark", "Turkey", "turkey"], ["Rook", "rook", "Vogel"])
    found = [capitals.spelled(word) for word in ("Bark", "BARK", "Turkey", "TURKEY", "ROOK", "vogel", "Haus")]
    assert found == ["bark", "bark", "Turkey", "TURKEY", "rook", "Vogel", "haus"]
    assert [capitals.is_respelled(word) for word in ("Bark", "bark", "TURKEY", "Haus")] == [True, False, False, False]


def test_capitals_of_turkish_are_those_of_both_letters_i():
    capitals = Capitals.of(["inek", "ısırgan", "kır", "kir", "İzmir", "STRASSE"], ["kılıç"])
    written = ("İnek", "INEK", "ISIRGAN", "Isırgan", "KIR", "izmir", "Straße", "KILIÇ", "İP")
    assert [capitals.spelled(word) for word in written] == [
        *("inek", "inek", "ısırgan", "ısırgan", "KIR", "İzmir", "STRASSE", "kılıç", "ip"),
    ]


@pytest.mark.parametrize("text", ["bird, fish", "bird;fish", "bird|fish", "鳥、魚", "bird / fish"])
def test_a_table_of_words_has_one_in_each_cell(text):
    with pytest.raises(DataError, match=re.escape(f"own.csv, line 2: {text!r} holds several words")):
        checked_word(text, "own.csv, line 2")


@pytest.mark.parametrize("word", ["Washington, D.C.", "24/7", "input/output", "AC/DC", "C#", "50%"])
def test_marks_inside_a_word_of_a_table_stay(word):
    assert checked_word(word, "own.csv, line 2") == word


CODES = ["HYP"]
READERS = {
    "tuples": ("target,relation,relatum\nrobin,HYP,{}\n", lambda path: tuples.read(path, CODES)["relatum"][0]),
    "candidates": ("relation,candidate\nHYP,{}\n", lambda path: read_candidates(path, CODES)["word"][0]),
    "words": ("robin\n{}\n", lambda path: read_words(path)[1]),
    "hyponyms": ("hyponym,category,plural\n{},pastry,\n", lambda path: hyponyms.read(path)[0].word),
    "ratings": ("relation,pair,rating\ntool,{}:hammer,6.5\n", lambda path: ratings.read(path)[0].pair.split(":")[0]),
    "analogies": (
        "relation,group,head,tails\nsound,animals,animal,{}\n"
        + "".join(f"sound,animals,x{n}er,bark\n" for n in range(6)),
        lambda path: analogies.read(path)["answers"][0][0],
    ),
    "people": (
        "target,relation,prompt,participant,rank,answer\nrobin,HYP,is,anna,1,{}\n",
        lambda path: human_responses.read(path, {})["word"][0],
    ),
}


@pytest.mark.parametrize(("table", "read"), READERS.values(), ids=READERS)
def test_all_tables_read_words_alike(tmp_path, table, read):
    path = tmp_path / "own.csv"
    for written in ("will-o’-the-wisp", "“will-o'-the-wisp”", "**will-o'-the-wisp**"):
        path.write_text(table.format(written))
        assert read(path) == "will-o'-the-wisp"
    path.write_text(table.format("will_o'_the_wisp"))
    assert read(path) == "will o' the wisp"
    for fault in ("#NAME?", "NA", "cafÃ©", "bіrd", "[SLOT]", "dog.n.01", "bird; fish"):
        path.write_text(table.format(fault))
        with pytest.raises(DataError, match=rf"own\.csv, line [23]: .*{re.escape(fault[:2])}"):
            read(path)


@pytest.mark.parametrize("text", AROUND)
def test_what_stands_around_an_answer_does_not_count(text):
    assert fault_in(text, several=False) is None
    assert answered_word(text, ["a"]) == AROUND[text]


@pytest.mark.parametrize("word", ["l'", "le", "L'"])
def test_an_article_alone_is_the_word_that_was_answered(word):
    assert without_article(word, ["le", "l'"]) == word
    assert without_article("l'oiseau", ["le", "l'"]) == without_article("le oiseau", ["le", "l'"]) == "oiseau"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        *(
            ("$B$", "B"),
            ("$5", "$5"),
            ("a $5", "a $5"),
            ("(B)", "B"),
            ("(a) (b)", "(a) (b)"),
            ("[B]", "B"),
            ("{B}", "B"),
        ),
        *(("(B]", "(B]"), ('["a", {"x": ["b", 7]}]', "a\nb"), ("[a", "[a"), ("(a[b])", "(a[b])")),
    ],
)
def test_marks_of_formulas_and_one_pair_of_brackets_say_nothing(text, plain):
    assert plain_text(text) == plain


@pytest.mark.parametrize(
    ("word", "plain"),
    [("🐦 bird 🐦", "bird"), ("bird🐦", "bird"), ("🐦bird", "bird"), ("🐦", "🐦"), ("a🐦b", "a🐦b")],
)
def test_pictures_around_a_word_do_not_count(word, plain):
    assert without_pictures(word) == plain
