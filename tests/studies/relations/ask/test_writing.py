"""Lists that models write: what can be read."""

import polars as pl
import pytest
from relprobe.studies.relations.replies import read_words
from relprobe.studies.relations.schemas import WRITING
from relprobe.studies.relations.scoring import tasks


@pytest.mark.parametrize(
    ("text", "words", "unreadable"),
    [
        ("bird\nanimal", ["bird", "animal"], 0),
        ("1. Bird\n2) an animal\n- the pet.\n* 'robin'", ["bird", "animal", "pet", "robin"], 0),
        ("bird, animal; pet", ["bird", "animal", "pet"], 0),
        ("a small bird\nbird", ["bird"], 1),
        ("passer-by\nbird2\n42", ["passer-by"], 2),
        ("one\ntwo\nthree\nfour\nfive\nsix\nseven eight", ["one", "two", "three", "four", "five"], 0),
        ("bird\n\nI hope that this helps, dear reader", ["bird"], 0),
        ("", [], 0),
        ("It is not clear what you mean.", [], 1),
    ],
)
def test_an_entry_is_one_word(text, words, unreadable):
    assert read_words(text, whole=True) == (words, unreadable)


def test_the_last_entry_of_an_answer_that_was_cut_off_cannot_be_read():
    assert read_words("bird\nanim", whole=False) == (["bird"], 1)
    assert read_words("bird\n\nand then", whole=False) == (["bird"], 0)


def written(*rows):
    return pl.DataFrame([(probe, n, "", words, bad) for probe, n, words, bad in rows], schema=WRITING, orient="row")


def test_only_main_probes_are_tasks():
    table = pl.DataFrame({"probe_id": ["p", "q"], "kind": ["main", "trick"], "text": ["the word [V]", "a [DET] [V]"]})
    assert [(task.id, task.text) for task in tasks(table)] == [("p", "the word")]
