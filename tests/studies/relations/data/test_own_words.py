"""A user's own list of words, and own lists of candidates: their formats, and each fault in one sentence."""

import pytest
from relprobe.core.errors import DataError
from relprobe.studies.relations.tuples import read_candidates, read_words

CODES = ("HYP", "SYN")


def write(tmp_path, text):
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_line_is_a_word_or_an_expression(tmp_path):
    assert read_words(write(tmp_path, "robin\nice cream\n\n42nd Street\nRobin")) == [
        "robin",
        "ice cream",
        "42nd Street",
        "Robin",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no words: write one on each line."),
        ("\n\n", "holds no words: write one on each line."),
        ("robin\nbird\nrobin\n", ", line 3: 'robin' is in line 1 already: remove one of them."),
        ("robin\n bird\n", ", line 2: ' bird' has a blank too many: write 'bird'."),
        ("ice  cream\n", ", line 1: 'ice  cream' has a blank too many: write 'ice cream'."),
        ("robin\n42\n", ", line 2: '42' has no letter and is no word: remove it."),
        ("robin\n...\n", ", line 2: '...' has no letter and is no word: remove it."),
    ],
)
def test_a_bad_line_is_named(tmp_path, text, sentence):
    with pytest.raises(DataError) as caught:
        read_words(write(tmp_path, text))
    assert str(caught.value).endswith(sentence)


def test_blank_lines_do_not_count(tmp_path):
    assert read_words(write(tmp_path, "\nrobin\n  \n\t\nice cream\n\n")) == ["robin", "ice cream"]


def test_candidates_are_those_of_a_relation_or_of_a_target(tmp_path):
    assert read_candidates(write(tmp_path, "relation,candidate\nHYP,bird\nSYN,ice cream\n"), CODES).rows() == [
        ("HYP", None, "bird"),
        ("SYN", None, "ice cream"),
    ]
    text = "relation,candidate,target\nHYP,bird,\nHYP,bird,robin\n"
    assert read_candidates(write(tmp_path, text), CODES).rows() == [("HYP", None, "bird"), ("HYP", "robin", "bird")]
    text = "relation,candidate,target\n HYP ,“bird”.,  “ice  cream”! \n"
    assert read_candidates(write(tmp_path, text), CODES).rows() == [("HYP", "ice cream", "bird")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "relation,word\n",
            ": the first line must be relation,candidate, and may go on with target, but 'relation,word' has no column "
            "candidate: correct it.",
        ),
        ("relation,candidate\n", " holds no candidates: add a line such as HYP,bird."),
        (
            "relation,candidate\nHYP,bird,robin\n",
            ", line 2: 3 fields where 2 are expected: put a field with one of the commas in it into quotes, or delete "
            "what is too much.",
        ),
        ("relation,candidate\nhyp,bird\n", ", line 2: unknown relation 'hyp'; the relations file has HYP, SYN."),
        ("relation,candidate\nHYP,bird\nHYP,42\n", ", line 3: '42' has no letter and is no word: remove it."),
        ("relation,candidate\nHYP, bird\n", ", line 2: ' bird' has a blank too many: write 'bird'."),
        (
            "relation,candidate\nHYP,bird\nSYN,bird\nHYP,bird\n",
            ", line 4: 'bird' is in the same list in line 2 already: remove one of them.",
        ),
    ],
)
def test_a_bad_line_of_candidates_is_named(tmp_path, text, sentence):
    with pytest.raises(DataError) as caught:
        read_candidates(write(tmp_path, text), CODES)
    assert str(caught.value).endswith(sentence)
