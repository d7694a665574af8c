"""The file of prompts: what is read of it, and what is refused of each of its parts."""

import copy

import pytest
import yaml
from relprobe.core.errors import DataError
from relprobe.studies.pairs.prompts import Prompt, check, fill, read

from tests.studies.pairs.made import article

RIGHT = {
    "verification": {
        "text": "[QUESTION] [OPTIONS]? [V]",
        "answers": ["yes", "no"],
        "between": "or",
        "nothing": "thing",
    },
    "relations": {
        "HYP": [
            {
                "id": "kind",
                "statement": "[DET] [W] is a kind of [V]",
                "question": "Is [DET] [W] a kind of [DET:dat] [V]?",
            },
            {"id": "is", "statement": "[W] is [V]", "question": "Is [W] [V]?"},
        ],
        "MER": [{"id": "part", "statement": "[W] has [V]", "question": "Has [W] [V]?"}],
    },
}


def changed(folder, change):
    """A file of prompts with one part changed: `change` gets the verification, the prompts of HYP, and all of it."""
    content = copy.deepcopy(RIGHT)
    found = change(content["verification"], content["relations"]["HYP"], content)
    path = folder / "prompts.yaml"
    path.write_text(yaml.safe_dump(content if found is None else found))
    return path


def test_a_file_has_prompts_of_relations_and_the_words_around_a_question(tmp_path):
    found = read(changed(tmp_path, lambda *_: None))
    assert list(found.relation_prompts) == ["HYP", "MER"]
    assert found.relation_prompts["HYP"] == tuple(Prompt(*one.values()) for one in RIGHT["relations"]["HYP"])
    assert (found.asked, found.yes, found.no, found.between, found.nothing) == (
        *("[QUESTION] [OPTIONS]? [V]", "yes", "no", "or", "thing"),
    )


SECTIONS = "a file of prompts has the sections verification and relations"
KEYS = "verification must have the keys text, answers, between, nothing"
ANSWERS = "verification.answers must be two words in quotes"
TEXT = r"verification.text must have one \[QUESTION\] and one \[OPTIONS\], and end in \[V\]"
LISTS = "relations must have a list of prompts for each relation"
TEXTS = "a prompt of HYP has the texts id, statement and question"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda _v, _p, _all: ["verification", "relations"], SECTIONS),
        (lambda _v, _p, everything: everything.update(more={}), SECTIONS),
        (lambda _v, _p, everything: everything.update(verification=["text"]), KEYS),
        (lambda words, *_: words.pop("nothing") and None, KEYS),
        (lambda words, *_: words.update(more="x"), KEYS),
        (lambda words, *_: words.update(answers="yn"), ANSWERS),
        (lambda words, *_: words.update(answers=["yes"]), ANSWERS),
        (lambda words, *_: words.update(answers=["yes", "no", "maybe"]), ANSWERS),
        (lambda words, *_: words.update(answers=[True, "no"]), ANSWERS),
        (lambda words, *_: words.update(answers=["yes", ""]), ANSWERS),
        (lambda words, *_: words.update(answers=["yes", "yes"]), "verification.answers has 'yes' twice"),
        (lambda words, *_: words.update(between=1), "verification.between must be a text"),
        (lambda words, *_: words.update(nothing=" "), "verification.nothing must be a text"),
        (lambda words, *_: words.update(text="[QUESTION] [V]"), TEXT),
        (lambda words, *_: words.update(text="[QUESTION] [OPTIONS] [OPTIONS] [V]"), TEXT),
        (lambda words, *_: words.update(text="[V] [QUESTION] [OPTIONS]"), TEXT),
        (lambda _v, _p, everything: everything.update(relations=["HYP"]), LISTS),
        (lambda _v, _p, everything: everything.update(relations={}), LISTS),
        (lambda _v, _p, everything: everything["relations"].update(MER={}), LISTS),
        (lambda _v, _p, everything: everything["relations"].update(MER=[]), "MER has no prompts: add one"),
        (lambda _v, prompts, _all: prompts.append("a text"), TEXTS),
        (lambda _v, prompts, _all: prompts.append({**prompts[1], "more": "x"}), TEXTS),
        (lambda _v, prompts, _all: prompts.append({"id": "b", "statement": "[W] is [V]"}), TEXTS),
        (lambda _v, prompts, _all: prompts.append({**prompts[1], "id": 2}), TEXTS),
        (lambda _v, prompts, _all: prompts[1].update(statement="[W] is"), r"statement of 'is' must have one \[W\]"),
        (lambda _v, prompts, _all: prompts[1].update(question="[V] or [V]?"), r"question of 'is' must have one \[W\]"),
        (lambda _v, prompts, _all: prompts[1].update(question="[W] [V] [X]?"), r"question of 'is' must have one \[W\]"),
        (
            lambda _v, prompts, _all: prompts[0].update(question="Is [W] [DET] kind of [V]?"),
            r"question of 'kind' has a \[DET\]",
        ),
        (lambda _v, prompts, _all: prompts[1].update(statement="[V] is [W]"), r"statement of 'is' must end in \[V\]"),
        (lambda _v, prompts, _all: prompts[1].update(id="i s"), "the prompt id 'i s' has a blank"),
        (lambda _v, prompts, _all: prompts[1].update(id="part"), "the prompt id 'part' is used twice"),
    ],
)
def test_a_wrong_part_of_a_file_is_named(tmp_path, change, said):
    with pytest.raises(DataError, match=said) as caught:
        read(changed(tmp_path, change))
    assert "prompts.yaml: " in str(caught.value)


def test_relations_need_prompts_and_prompts_articles_of_their_cases(tmp_path):
    """Those of the relations that are asked for; a case is one that the language has."""
    path = changed(tmp_path, lambda *_: None)
    prompts = read(path)
    check(path, prompts, ["HYP", "MER"], articles=True, cases=["dat"])
    check(path, prompts, ["MER"], articles=False)
    check(path, prompts, [], articles=False)
    with pytest.raises(DataError, match=r"ANT"):
        check(path, prompts, ["MER", "ANT"], articles=True)
    with pytest.raises(
        DataError, match=r"prompt 'kind' has \[DET:dat\], but the language has no articles of that case"
    ):
        check(path, prompts, ["HYP"], articles=True, cases=["gen"])
    plain = read(changed(tmp_path, lambda _v, texts, _all: texts[0].update(question="Is [DET] [W] a [V]?")))
    check(path, plain, ["HYP"], articles=True)
    with pytest.raises(DataError, match=r"prompt 'kind' has a \[DET\], but the language has no articles"):
        check(path, plain, ["HYP"], articles=False)


def test_a_slot_stands_for_the_second_word_only_where_it_is_asked_for():
    text = "[DET] [W] is [DET] [V]"
    assert fill(text, "owl", "egg", "something", article).text == "an owl is an egg"
    assert fill(text, "owl", "egg", "something", article, slot=True).text == "an owl is an [V]"
    assert fill(text, "owl", "", "something", article).text == "an owl is something"
    assert fill(text, "owl", "egg", "something", None).text == "owl is egg"
