"""Who failed a catch item, by hand."""

import pytest
from relprobe.core.csv_schema import Row
from relprobe.core.errors import DataError
from relprobe.sources.catch_items import failures

SUN, DAYS = "the earth rotates around the ___", "a week has seven ___"


def row(participant, answer, rank="1", prompt=SUN, target="sun", relation="catch"):
    cells = {"relation": relation, "target": target, "prompt": prompt, "participant": participant}
    return Row(2, "line 2", {**cells, "rank": rank, "answer": answer})


@pytest.mark.parametrize(
    ("rows", "how"),
    [
        ([row("p", "The Sun.")], None),
        ([row("p", "moon")], f"answered 'moon' to {SUN!r}"),
        ([row("p", "")], f"did not answer {SUN!r}"),
        ([row("p", "moon", "2"), row("p", "sun", "1")], None),
        ([row("p", "sun", "2"), row("p", "moon", "1")], f"answered 'moon' to {SUN!r}"),
        ([row("p", "sun", "1"), row("p", "moon", "2")], None),
        ([row("p", "moon", "1000000"), row("p", "sun", "12")], None),
        ([row("p", "sun", "1"), row("p", "moon", "1")], None),  # of equal ranks the first row counts
        ([row("p", "sun", "2"), row("p", "", "1")], None),  # who leaves out the first line has answered all the same
        ([row("p", "", "1"), row("p", "sun", "2")], None),
        ([row("p", "", "1"), row("p", "moon", "2")], f"answered 'moon' to {SUN!r}"),
        ([row("p", "sun", "x")], None),
        ([row("p", "moon", relation="HYP")], None),
        ([row("p", "Day", prompt=DAYS, target="days| day |")], None),
        ([row("p", "moon"), row("p", "week", prompt=DAYS, target="days")], f"answered 'moon' to {SUN!r}"),
        ([row("q", "star", target="star"), row("p", "star")], None),  # what any row accepts
    ],
)
def test_the_answer_of_the_lowest_rank_is_an_accepted_one(rows, how):
    assert failures(rows, ["the"]) == ({} if how is None else {"p": how})


def test_a_catch_item_accepts_an_answer():
    with pytest.raises(DataError, match=r"line 2: the catch item .* accepts no answer"):
        failures([row("p", "sun", target=" | ")])


def test_a_row_without_a_rank_is_one_of_the_first():
    assert failures([row("p", "sun", "1"), row("p", "moon", "x")]) == {}
    assert failures([row("p", "moon", "x"), row("p", "sun", "1")]) == {"p": f"answered 'moon' to {SUN!r}"}
