"""Lists that models write: what can be read, how it is counted, and that it is pooled as people's lists are."""

import math

import polars as pl
import pytest
from relprobe.studies.relations.ask.lists import read_words
from relprobe.studies.relations.ask.writing import tasks
from relprobe.studies.relations.compare.lists.written import entropies, summary
from relprobe.studies.relations.measure.responses.ranked_lists import UNREADABLE, model_lists, of_annotators
from relprobe.studies.relations.measure.responses.unreadable import absence, with_absences
from relprobe.studies.relations.schemas import AVERAGES, WRITING

from tests.studies.relations.six import SIX


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


def test_samples_are_pooled_as_the_lists_of_people_and_an_empty_one_is_a_wrong_answer():
    lists = model_lists(written(("p", 1, ["animal", "bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2)))
    responses = dict(zip(*of_annotators(lists).select("probe_id", "words").get_columns(), strict=True))
    assert {probe: words.to_list() for probe, words in responses.items()} == {
        "p": ["bird", "animal"],
        "q": [UNREADABLE],
    }


def test_what_could_not_be_read_is_counted():
    table = {"m": written(("p", 1, ["animal", "bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2))}
    probes = pl.DataFrame({"probe_id": ["p", "q"], "relation": ["HYP", "HYP"]})
    assert summary(table, probes).rows() == [("m", "HYP", 2, 3, 1.0, 1 / 3, 0.5, absence(table["m"]))]


def answers(readable, unreadable):
    """Return so many answers with and without a readable word."""
    rows = [["bird"]] * readable + [[]] * unreadable
    return written(*(("p", number, words, 1) for number, words in enumerate(rows)))


def test_an_agent_more_than_a_fifth_of_whose_answers_cannot_be_read_has_no_value():
    assert absence(answers(4, 1)) is None
    assert absence(answers(0, 0)) is None
    assert absence(answers(3, 1)).startswith("no value, as 25 % of its answers hold no word that could be read")
    assert absence(answers(0, 7)).startswith("no value, as 100 % of its answers")


def test_the_averages_say_why_an_agent_has_no_value():
    rows = [("a", "soundness", "HYP", None, None, 0.5), ("a", "symmetry", "ANT", None, 5, 0.25)]
    rows += [("a", "distinguishability", "HYP", "MER", None, 0.1)]
    names = ["agent", "metric", "relation", "versus", "k", "value"]
    own = pl.DataFrame(rows, schema={name: AVERAGES[name] for name in names}, orient="row")
    table = with_absences(
        pl.concat([pl.DataFrame(schema=AVERAGES), own], how="diagonal"), {"list": "why"}, ["list", "a"], SIX
    )
    assert table.schema == AVERAGES
    added = table.filter(agent="list")
    assert set(added["note"]) == {"why"}
    assert added["value"].null_count() == added.height
    of_six = [("soundness", code, None) for code in SIX.codes]
    assert added.select("metric", "relation", "k").rows() == [*of_six, ("symmetry", "ANT", 5)]
    assert table.filter(metric="soundness", relation="HYP")["agent"].to_list() == ["list", "a"]
    assert with_absences(own, {}, ["a"], SIX) is own


def test_the_entropy_of_lists_is_that_of_the_words_that_could_be_read():
    """p: bird twice and animal once, log2 3 - 2/3 bits of at most 1; q: nothing; r: one word, of entropy 0."""
    lists = written(
        ("p", 1, ["animal", "bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2), ("r", 1, ["wing"], 0), ("r", 2, [], 1)
    )
    probes = pl.DataFrame({"probe_id": ["p", "q", "r"], "relation": ["HYP", "HYP", "MER"]})
    table = entropies({"m": lists}, probes, relations=SIX)
    columns = ["agent", "relation", "responses", "entropy_0", "words", "mean_without_zeros", "answered_words"]
    bits = pytest.approx(math.log2(3) - 2 / 3)
    assert table.select(columns).rows() == [
        ("m", "HYP", 1, 0, 2.0, bits, 3),
        ("m", "MER", 1, 1, 1.0, None, 1),
        ("m", None, 2, 1, 1.5, bits, 4),
    ]


def test_only_main_probes_are_tasks():
    table = pl.DataFrame({"probe_id": ["p", "q"], "kind": ["main", "trick"], "text": ["the word [V]", "a [DET] [V]"]})
    assert [(task.id, task.text) for task in tasks(table)] == [("p", "the word")]
