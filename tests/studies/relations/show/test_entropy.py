import math

import polars as pl
import pytest
from relprobe.studies.relations.analyses.ceiling import differences, entropy_tables, outside
from relprobe.studies.relations.method import response_entropy
from relprobe.studies.relations.schemas import RELATA, RESPONSES
from relprobe.studies.relations.tables import by_relation

from tests.studies.relations.six import SIX


def response(probe_id, *counts):
    total = sum(counts)
    return probe_id, [f"w{i}" for i in range(len(counts))], [count / total for count in counts]


def responses(*rows):
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def test_one_word_has_no_entropy_and_equal_words_have_all():
    found = dict(
        response_entropy(responses(response("one", 4), response("two", 2, 2), response("four", 1, 1, 1, 1)))
        .select("probe_id", "entropy")
        .iter_rows()
    )
    assert found == {"one": 0.0, "two": 1.0, "four": 1.0}


def test_entropy_is_relative_to_the_number_of_different_words():
    """-(3/4 log2 3/4 + 1/4 log2 1/4) / log2 2 = 2 - 3/4 log2 3."""
    found = response_entropy(responses(response("p", 3, 1)))
    assert found["words"].to_list() == [2]
    assert found["entropy"][0] == pytest.approx(2 - 0.75 * math.log2(3))


VALUES = pl.DataFrame(
    [
        ("ANT", "day", 1, 0.0),
        ("ANT", "day", 2, 0.5),
        ("ANT", "light", 3, 0.7),
        ("HYP", "robin", 2, 1.0),
        ("HYP", "robin", 4, 1.0),
    ],
    schema=["relation", "target", "words", "entropy"],
    orient="row",
)


WORDS = pl.DataFrame(
    [("ANT", "day"), ("ANT", "day"), ("ANT", "light"), ("HYP", "bird"), ("HYP", "day")],
    schema=["relation", "word"],
    orient="row",
)


def test_the_table_counts_both_ends_and_averages_without_the_zeros():
    table = by_relation(VALUES, WORDS, relations=SIX)
    ant = table.filter(relation="ANT").row(0, named=True)
    assert (ant["responses"], ant["entropy_0"], ant["entropy_1"], ant["words"]) == (3, 1, 0, 2.0)
    assert ant["entropy_0_share"] == pytest.approx(1 / 3)
    assert ant["mean_without_zeros"] == pytest.approx(0.6)
    assert ant["sd_without_zeros"] == pytest.approx(math.sqrt(0.1**2 + 0.1**2))  # of 0.5 and 0.7, over n - 1 = 1
    assert table["relation"].to_list() == ["HYP", "ANT", None]
    every = table.row(2, named=True)
    assert (every["responses"], every["entropy_0"], every["entropy_1"]) == (5, 1, 2)
    assert every["mean_without_zeros"] == pytest.approx(3.2 / 4)
    assert every["sd_without_zeros"] == pytest.approx(math.sqrt((0.09 + 0.01 + 0.04 + 0.04) / 3))


def test_the_table_counts_the_words_and_the_different_ones():
    table = by_relation(VALUES, WORDS, relations=SIX)
    assert table.select("answered_words", "different_words").rows() == [(2, 2), (3, 2), (5, 3)]


def test_relations_are_compared_in_pairs_and_absent_ones_say_why_not():
    table = differences(VALUES, relations=SIX)
    assert table.height == 15
    compared = table.filter(relation="HYP", versus="ANT").row(0, named=True)
    assert compared["effect"] == compared["paper_effect"] == 1  # every hypernymy response is less prototypical
    assert (compared["targets"], compared["responses"]) == (3, 5)
    assert compared["p"] == pytest.approx(2 / 3)  # 1 against 2 targets: 2 of 3 orders are as extreme
    assert compared["p_holm"] == pytest.approx(compared["p"])  # the only pair that can be tested
    absent = table.filter(relation="HOL", versus="SYN").row(0, named=True)
    assert absent["p"] is None
    assert absent["note"]


def test_the_entropies_of_a_target_are_averaged_over_its_prompts():
    rows = [("ANT", "day", 0.5), ("HYP", "robin", 0.3), ("HYP", "robin", 0.4)]
    values = pl.DataFrame(rows, schema=["relation", "target", "entropy"], orient="row")
    compared = differences(values, relations=SIX).filter(relation="HYP", versus="ANT").row(0, named=True)
    assert (compared["effect"], compared["targets"]) == (-1, 2)  # 0.35 is below 0.5; the sum of both would be above


def test_the_target_of_a_response_is_that_of_its_probe():
    rows = [("hyp-a:robin", "HYP", "bird"), ("hyp-b:robin", "HYP", "bird"), ("hyp-b:robin", "HYP", "pet")]
    rows += [("ant-a:day", "ANT", "night"), ("ant-a:light", "ANT", "dark"), ("ant-a:light", "ANT", "dim")]
    rows += [("ant-a:noon", "ANT", "midnight")]
    words = pl.DataFrame(rows, schema=["probe_id", "relation", "word"], orient="row")
    tables = entropy_tables(words, relations=SIX)
    compared = tables["entropy_differences"].filter(relation="HYP", versus="ANT").row(0, named=True)
    assert (compared["targets"], compared["responses"]) == (4, 5)  # robin has two responses
    assert sorted(tables["response_entropies"]["entropy"]) == [0, 0, 0, 1, 1]


def test_answers_in_no_relatum_set_of_any_target_are_counted():
    rows = [("robin", "HYP", "bird"), ("night", "SYN", "dark"), ("wall", "HOL", "pet")]
    relata = pl.DataFrame([(*row, ["x"]) for row in rows], schema=RELATA, orient="row")
    said = {"HYP": "bird pet x bird", "ANT": "dark y y bird x"}  # pet is a relatum of wall, and so no OOR word of robin
    words = pl.DataFrame(
        [(relation, word) for relation, text in said.items() for word in text.split()],
        schema=["relation", "word"],
        orient="row",
    )
    table = outside(words, relata, relations=SIX)
    assert table.drop("share", "different_share").rows() == [
        ("HYP", 4, 1, 3, 1),
        ("ANT", 5, 3, 4, 2),
        (None, 9, 4, 5, 2),
    ]
    assert table["share"].to_list() == [1 / 4, 3 / 5, 4 / 9]
    assert table["different_share"].to_list() == [1 / 3, 2 / 4, 2 / 5]
