import re
from collections import Counter

import pytest
from relprobe.core.errors import DataError
from relprobe.sources.language import Articles
from relprobe.studies.relations.probes import premise
from relprobe.studies.relations.prompts import Prompt, check, read, verbalise

from tests.paths import ROOT
from tests.studies.relations.six import ENGLISH, WEIGHTS

SHIPPED = ROOT / "resources/prompts/relations.yaml"


def prompt(text, relation="HYP"):
    return Prompt("p", relation, text, text)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "prompts.yaml"
    path.write_bytes(text.encode(encoding))
    return path


def test_the_prompts_of_table_a1_are_as_many_as_in_table_1():
    assert Counter(prompt.relation for prompt in read(SHIPPED)) == {
        "HYP": 7,
        "HPO": 4,
        "HOL": 7,
        "MER": 6,
        "ANT": 9,
        "SYN": 7,
    }


def test_no_two_shipped_prompts_are_the_same():
    prompts = read(SHIPPED)
    assert len({prompt.text for prompt in prompts}) == len({(p.relation, p.human_text) for p in prompts}) == 40


def test_the_examples_of_equation_3_are_among_the_shipped_prompts():
    shipped = {(prompt.relation, prompt.text) for prompt in read(SHIPPED)}
    assert {
        ("HYP", "[DET] [W] is a kind of [DET] [V]"),
        ("HPO", "the word [W] has a more general meaning than the word [V]"),
        ("HOL", "[DET] [W] is a part of [DET] [V]"),
        ("MER", "[DET] [W] has [DET] [V]"),
        ("ANT", "[DET] [W] is the opposite of [DET] [V]"),
        ("SYN", "[DET] [W] is also known as [DET] [V]"),
    } <= shipped


MORE = read(ROOT / "resources/prompts/relations-more.yaml")


def test_there_are_three_times_as_many_prompts_and_the_paper_s_are_among_them():
    numbers = Counter(prompt.relation for prompt in read(SHIPPED))
    assert Counter(prompt.relation for prompt in MORE) == {relation: 3 * number for relation, number in numbers.items()}
    assert [prompt for prompt in MORE if prompt in read(SHIPPED)] == read(SHIPPED)
    assert len({(prompt.relation, prompt.text) for prompt in MORE}) == len({prompt.id for prompt in MORE}) == 120


@pytest.mark.parametrize("prompt", MORE, ids=lambda prompt: prompt.id)
def test_a_causal_model_can_be_asked_each_and_no_article_stands_twice(prompt):
    text, variants = verbalise(prompt, "owl", WEIGHTS)
    assert text.endswith(" [V]")
    for variant in variants:
        assert not re.search(r"\b(a|an|the|one|every|any) (a|an|the)\b|\ba owl\b|  |\[DET\]", variant["text"])
    assert premise(prompt)


def test_a_prompt_reads_as_itself_to_humans_unless_said_otherwise(tmp_path):
    path = write(
        tmp_path,
        'HYP:\n  - {id: one, text: "[W] is [V]"}\n  - {id: two, text: "[W] is a [V]", human_text: "[W]: [V]"}\n',
    )
    assert read(path) == [
        Prompt("one", "HYP", "[W] is [V]", "[W] is [V]"),
        Prompt("two", "HYP", "[W] is a [V]", "[W]: [V]"),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "expected relations with lists of prompts"),
        ("- {id: p}", "expected relations with lists of prompts"),
        (
            'HYP: [{id: p, text: "[W] [WORD] [V]"}]',
            r"prompt 'p' has the mark \[WORD\]: known are \[W\], \[V\] and \[DET\]",
        ),
        ('HYP: [{id: p, text: "[W] is [DET], [V]"}]', r"prompt 'p' has a \[DET\] that no word follows after a blank"),
        ('HYP: [{id: p, text: "[W] is [DET]  [V]"}]', r"prompt 'p' has a \[DET\] that no word follows after a blank"),
        ("HYP: [{id: p}]", "a prompt of HYP needs `id` and `text`"),
        ('HYP: [{text: "[W] [V]"}]', "a prompt of HYP needs `id` and `text`"),
        ('HYP: [{id: p, text: "[W] [V]", txt: b}]', "a prompt of HYP needs `id` and `text`"),
        ('HYP: ["[W] is [V]"]', "a prompt of HYP needs `id` and `text`"),
        ('HYP: [{id: p, text: "it is [V]"}]', r"prompt 'p' must have one \[W\] and one \[V\]"),
        ('HYP: [{id: p, text: "[W] and [W] is [V]"}]', r"must have one \[W\]"),
        ('HYP: [{id: p, text: "[W] is"}]', r"and one \[V\]: '\[W\] is' has not"),
        ('HYP: [{id: p, text: "[W] [V] is [V]"}]', r"and one \[V\]"),
        (
            'HYP: [{id: p, text: "[W] is [V]"}]\nANT: [{id: p, text: "[W] not [V]"}]',
            "the prompt ids p are used twice: give each prompt an id of its own",
        ),
        ("HYP: 5", "HYP"),
        ("HYP: [{id: p, text: 5}]", "prompt"),
        ('HYP: [{id: 5, text: "[W] is [V]"}]', "prompt"),
        ("HYP: [", "prompts"),
    ],
)
def test_what_is_no_prompt_file_is_refused(tmp_path, content, sentence):
    with pytest.raises(DataError, match=sentence):
        read(write(tmp_path, content))


def test_a_prompt_of_a_relation_that_the_study_does_not_have_is_refused(tmp_path):
    path = write(tmp_path, 'hyp: [{id: p, text: "[W] [V]"}]')
    with pytest.raises(DataError, match=r"unknown relation 'hyp'; the relations file has HYP, HPO: add it there, or "):
        check(path, read(path), ("HYP", "HPO"), articles=True)


def test_another_encoding_is_refused(tmp_path):
    with pytest.raises(DataError, match="prompts"):
        read(write(tmp_path, 'HYP: [{id: p, text: "[W] né [V]"}]', "latin-1"))


def test_windows_line_ends(tmp_path):
    assert [p.text for p in read(write(tmp_path, 'HYP:\r\n  - {id: p, text: "[W] is [V]"}\r\n'))] == ["[W] is [V]"]


@pytest.mark.parametrize(
    ("target", "article"),
    [
        ("robin", "a"),
        ("animal", "an"),
        ("hour", "an"),
        ("honor", "an"),
        ("house", "a"),
        ("university", "a"),
        ("uncle", "an"),
        ("unit", "a"),
        ("one", "a"),
        ("eye", "an"),
        ("European", "a"),
        ("x-ray", "an"),
    ],
)
def test_the_article_before_the_target_follows_its_pronunciation(target, article):
    text, _ = verbalise(prompt("it is [DET] [W] so it is not [V]"), target, WEIGHTS)
    assert text == f"it is {article} {target} so it is not [V]"


def test_the_article_before_the_slot_stays_open_and_makes_two_variants():
    text, variants = verbalise(prompt("[DET] [W] is a part of [DET] [V]"), "wall", WEIGHTS)
    assert text == "a wall is a part of [DET] [V]"  # Eq. 10
    assert variants == [
        {"text": "a wall is a part of a [V]", "weight": 0.75},
        {"text": "a wall is a part of an [V]", "weight": 0.25},
    ]


def test_without_an_article_before_the_slot_there_is_one_variant():
    text, variants = verbalise(prompt("the word [W] means the word [V]"), "hour", WEIGHTS)
    assert text == "the word hour means the word [V]"
    assert variants == [{"text": text, "weight": 1.0}]


def test_a_target_that_looks_like_a_mark_is_left_alone():
    text, _ = verbalise(prompt("[DET] [W] is [V]"), "determiner", WEIGHTS)
    assert text == "a determiner is [V]"


def test_every_shipped_probe_ends_with_its_slot_and_has_no_other_mark_left():
    for shipped in read(SHIPPED):
        text, variants = verbalise(shipped, "hour", ENGLISH.articles)
        assert text.endswith("[V]")
        assert sum(variant["weight"] for variant in variants) == pytest.approx(1)
        for variant in variants:
            assert variant["text"].endswith(" [V]")
            assert variant["text"].count("[") == 1
            assert "a hour" not in variant["text"]


def test_the_articles_are_weighted_by_their_frequencies():
    weights = ENGLISH.articles.weights
    assert list(weights) == ["a", "an"]
    assert sum(weights.values()) == pytest.approx(1)
    # "a" is six to seven times as frequent as "an" in English corpora
    assert 0.8 < weights["a"] < 0.95


@pytest.mark.parametrize(("word", "article"), [("old", "an"), ("big", "a")])
def test_the_article_before_a_word_of_the_prompt_follows_that_word(word, article):
    text, variants = verbalise(prompt(f"[DET] {word} [W] is [DET] [V]"), "hour", WEIGHTS)
    assert text == f"{article} {word} hour is [DET] [V]"
    assert [variant["text"] for variant in variants] == [f"{article} {word} hour is {one} [V]" for one in ("a", "an")]


def test_a_prompt_with_an_article_needs_a_language_with_articles(tmp_path):
    path = write(tmp_path, 'HYP: [{id: p, text: "[W] is [DET] [V]"}]')
    with pytest.raises(
        DataError, match=r"prompt 'p' has a \[DET\], but the language has no articles: take it out, or add"
    ):
        check(path, read(path), ("HYP",), articles=False)


def test_a_prompt_with_an_article_in_a_case_needs_a_language_that_says_it(tmp_path):
    path = write(tmp_path, 'HYP: [{id: p, text: "mit [DET:dat] [W] kann man [V]"}]')
    check(path, read(path), ("HYP",), articles=True, cases=["dat"])
    with pytest.raises(
        DataError, match=r"prompt 'p' has \[DET:dat\], but the language has no articles of that case: add"
    ):
        check(path, read(path), ("HYP",), articles=True)


def test_a_language_without_articles_needs_none():
    text, variants = verbalise(prompt("[W] は [V]"), "犬", Articles())
    assert (text, [variant["text"] for variant in variants]) == ("犬 は [V]", ["犬 は [V]"])


def test_a_slot_may_stand_anywhere_and_has_its_article_there(tmp_path):
    (inside,) = read(write(tmp_path, 'HYP: [{id: p, text: "[DET] [V] such as [DET] [W]."}]'))
    text, variants = verbalise(inside, "owl", WEIGHTS)
    assert text == "[DET] [V] such as an owl."
    assert [variant["text"] for variant in variants] == ["a [V] such as an owl.", "an [V] such as an owl."]


def test_a_prompt_with_an_article_is_refused_in_a_language_without_any():
    with pytest.raises(ValueError, match=r"The prompt p has \[DET\], but the language has no articles"):
        verbalise(prompt("[DET] [W] is [V]"), "robin", Articles({}, None))
