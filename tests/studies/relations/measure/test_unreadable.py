"""Lists that models wrote as responses: samples are pooled, and too many unreadable ones leave no value."""

import polars as pl
from relprobe.studies.relations.lists import UNREADABLE, absence, model_lists, people_responses, with_absences
from relprobe.studies.relations.responses import list_answers
from relprobe.studies.relations.schemas import AVERAGES

from tests.studies.relations.ask.test_writing import written
from tests.studies.relations.six import SIX


def test_samples_are_pooled_as_the_lists_of_people_and_an_empty_one_is_a_wrong_answer():
    lists = model_lists(written(("p", 1, ["animal", "bird"], 0), ("p", 2, ["bird"], 1), ("q", 1, [], 2)))
    responses = dict(zip(*people_responses(lists).select("probe_id", "words").get_columns(), strict=True))
    assert {probe: words.to_list() for probe, words in responses.items()} == {
        "p": ["bird", "animal"],
        "q": [UNREADABLE],
    }


def answers(readable, unreadable):
    """Return so many answers with and without a readable word."""
    rows = [["bird"]] * readable + [[]] * unreadable
    return written(*(("p", number, words, 1) for number, words in enumerate(rows)))


def test_an_agent_more_than_a_fifth_of_whose_answers_cannot_be_read_has_no_value():
    assert absence(answers(4, 1)) is None
    assert absence(answers(0, 0)) is None
    assert absence(answers(3, 1)).startswith("no value, as 25 % of its answers hold no word that could be read")
    assert absence(answers(0, 7)).startswith("no value, as 100 % of its answers")


def test_the_log_warns_of_lists_that_cannot_be_read(caplog):
    for written_lists, kind in ((answers(4, 1), "lists"), (answers(3, 1), "unreadable")):
        assert list_answers(written_lists)["kind"].to_list() == [kind]
    (line,) = caplog.messages
    assert line == f"the agent has {absence(answers(3, 1))}"


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
    soundness_rows = [("soundness", code, None) for code in SIX.codes]
    assert added.select("metric", "relation", "k").rows() == [*soundness_rows, ("symmetry", "ANT", 5)]
    assert table.filter(metric="soundness", relation="HYP")["agent"].to_list() == ["list", "a"]
    assert with_absences(own, {}, ["a"], SIX) is own
