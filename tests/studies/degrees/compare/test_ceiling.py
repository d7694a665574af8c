"""How well people agree: halves of their ratings, one person and the others, and the ceiling of each."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from relprobe.sources.semeval2012 import read
from relprobe.studies.degrees.ceiling import ceiling, mean_ceiling, one_against_the_others
from relprobe.studies.degrees.relations import read_own
from relprobe.studies.degrees.schemas import CEILING

from tests.sources.made import tiny_semeval
from tests.sources.made.tiny_semeval import FIRST, FUNCTIONAL, Spec
from tests.studies.degrees.ask.test_own_data import RELATIONS, files
from tests.studies.degrees.measure.test_metrics import DATA, real


def test_the_agreement_of_raters_is_that_of_halves_of_their_ratings(tmp_path):
    # Both raters have the same order, so that every half agrees: split-half and ceiling are 1. Without c:a there are only
    # two pairs.
    rows = ["relation,pair,rating,rater"]
    rows += [f"size,{pair},{value},{rater}" for rater in "xy" for pair, value in (("a:b", 1), ("a:c", 2), ("c:a", 3))]
    relations = RELATIONS.replace("lion:cat", "c:a")
    table = ceiling(read_own(*files(tmp_path, "\n".join(rows), relations)), seed=1)
    assert table.select("reversals", "pairs", "people", "split_half", "ceiling").rows() == [
        (True, 3, 2.0, pytest.approx(1), pytest.approx(1)),
        (False, 2, 2.0, None, None),
    ]


def test_a_pair_that_one_person_rated_takes_no_part_in_the_halves(tmp_path):
    rows = ["relation,pair,rating,rater", "size,b:c,9,x"]
    rows += [f"size,{pair},{value},{rater}" for rater in "xy" for pair, value in (("a:b", 1), ("a:c", 2), ("c:a", 3))]
    relations = RELATIONS.replace("lion:cat", "c:a")
    table = ceiling(read_own(*files(tmp_path, "\n".join(rows), relations)), seed=1)
    assert table.select("reversals", "pairs", "people", "split_half").rows() == [
        (True, 4, 2.0, pytest.approx(1)),
        (False, 3, 2.0, None),
    ]


def test_a_ceiling_is_the_root_of_the_reliability_of_all_ratings_and_this_is_stepped_up_from_halves(tmp_path):
    """Four raters agree in part: 2 r / (1 + r) and its root, which are 1 where all agree, tell r from both."""
    values = {"a:b": (1, 2, 1, 3), "a:c": (2, 1, 3, 2), "c:a": (3, 4, 2, 2), "b:c": (5, 3, 4, 5), "b:a": (4, 5, 5, 1)}
    rows = [f"size,{pair},{value},{rater}" for pair, of in values.items() for rater, value in enumerate(of)]
    relations = RELATIONS.replace("lion:cat", "c:a")
    table = ceiling(read_own(*files(tmp_path, "\n".join(["relation,pair,rating,rater", *rows]), relations)), seed=1)
    half, reliability, top = table.filter("reversals").select("split_half", "reliability", "ceiling").row(0)
    assert 0.2 < half < 0.9
    assert reliability == pytest.approx(2 * half / (1 + half))
    assert top == pytest.approx(reliability**0.5)


@pytest.mark.parametrize(
    ("raters", "changed"),
    [
        (4, lambda value: value + 7),  # the mean of two ratings of a half is moved by as much
        (2, lambda value: 2**value),  # a half has one rating of each pair, whose rank stays
    ],
)
def test_the_agreement_of_halves_hangs_on_the_ranks_of_their_mean_ratings(tmp_path, raters, changed):
    values = {"a:b": (1, 2, 1, 3), "a:c": (2, 1, 3, 2), "c:a": (3, 4, 2, 2), "b:c": (5, 3, 4, 5), "b:a": (4, 5, 5, 1)}
    relations = RELATIONS.replace("lion:cat", "c:a")
    halves = []
    for number, change in enumerate((lambda value: value, changed)):
        folder = tmp_path / str(number)
        folder.mkdir()
        rows = [f"size,{pair},{change(of[rater])},{rater}" for pair, of in values.items() for rater in range(raters)]
        table = ceiling(read_own(*files(folder, "\n".join(["relation,pair,rating,rater", *rows]), relations)), seed=1)
        halves.append(table.filter("reversals")["split_half"][0])
    assert halves[0] == pytest.approx(halves[1])
    assert 0.2 < halves[0] < 0.9


def test_one_person_is_compared_with_the_majority_of_the_others():
    # The choices a a b: each a sees the other a tie with b, and is right; b is wrong. a a a b b: each a sees two a and two
    # b, and is right; each b sees three a and one b. One answer alone has no others.
    assert one_against_the_others(np.array([[2, 1], [3, 2], [1, 0]])) == pytest.approx((2 + 3) / 8)
    assert np.isnan(one_against_the_others(np.array([[1, 0]])))


def test_one_answer_in_each_half_is_enough_for_a_ceiling(tmp_path):
    # Each half is one person, who gives 1, 0, 0 and -1: the halves agree.
    spec = replace(FUNCTIONAL, pairs=FIRST, answers=[(FIRST, "fuel:oil", "tool:hammer")] * 2, reversals={})
    table = ceiling(read(tiny_semeval.write(tmp_path, [spec])), seed=1)
    assert table.select("people", "split_half", "ceiling").rows() == [(2.0, 1.0, 1.0)] * 2


def test_a_ceiling_counts_the_pairs_and_the_questions_with_and_without_reversals(package):
    table = ceiling(read(package), seed=1)
    assert table.schema == CEILING
    assert table.select("subcategory", "condition", "reversals", "pairs", "people").rows() == [
        ("1b", "CLASS-INCLUSION", True, 5, 2.5),  # three and two answers
        ("1b", "CLASS-INCLUSION", False, 4, 2.5),
    ]
    # FIRST: both agree on the least, and two of three on the most illustrative pair. SECOND: both agree on the least, and
    # none of two on the most illustrative pair; it shows the reversed pair.
    assert table["annotator_maxdiff"].to_list() == pytest.approx([100 * 6 / 9, 100 * 4 / 5])
    assert table["split_half"].null_count() == 0


@real
def test_people_agree_as_much_as_the_package_says():
    """The figures were computed by hand from the package: halves 0.82, one against the others 52.4 %."""
    first = [one for one in read(DATA) if not one.training][:6]
    table = ceiling(first, seed=1).filter("reversals")
    assert table["split_half"].is_between(0.7, 0.95).all()
    assert table.select(exact=(pl.col("ceiling") ** 2 - pl.col("reliability")).abs() < 1e-9)["exact"].all()
    assert table["annotator_maxdiff"].is_between(40, 65).all()


def test_halves_of_answers_are_ranked_by_the_choices_in_the_questions_that_show_a_pair(tmp_path):
    """Of the first question each half has one person, who differ; of the second one both have the same choices.

    A pair's rating is most less least over its questions. a c d f e b get 0 0 -1 0 1 0 of the one half, and -1/2 0 -1 0 1
    1/2 of the other: ranks 3.5 3.5 1 3.5 6 3.5 and 2 3.5 1 3.5 6 5, whose products are 12.5, and squares 12.5 and 17.
    """
    a, b, c, d, e, f = (f"{letter}:y" for letter in "abcdef")
    first, second = [a, b, c, d], [a, b, e, f]
    answers = [(first, d, a), (first, d, b), (second, a, e), (second, a, e)]
    spec = Spec("1b", "CLASS", "Y functions as an X", ["k:l"], [a, b, c, d, e, f], answers, training=True)
    (row,) = ceiling(read(tiny_semeval.write(tmp_path, [spec])), seed=1).filter("reversals").to_dicts()
    assert row["split_half"] == pytest.approx((12.5 / 17) ** 0.5)
    assert (row["people"], row["condition"]) == (2.0, "training")


def test_questions_of_one_person_have_no_share_of_right_choices_and_no_halves(tmp_path):
    spec = replace(FUNCTIONAL, pairs=FIRST, answers=[(FIRST, "fuel:oil", "tool:hammer")], reversals={})
    (row,) = ceiling(read(tiny_semeval.write(tmp_path, [spec])), seed=1).filter("reversals").to_dicts()
    assert (row["annotator_maxdiff"], row["split_half"], row["ceiling"]) == (None, None, None)
    assert row["note"]


def test_ceilings_are_averaged_over_the_subcategories_of_some_classes():
    rows = [("t0", "A", True, 0.2, 0.4, 50.0), ("t1", "A", True, 0.6, 0.8, None), ("t1", "A", False, 1.0, 1.0, 1.0)]
    rows.append(("t2", "B", True, 1.0, 1.0, 1.0))
    names = ["subcategory", "condition", "reversals", "split_half", "ceiling", "annotator_maxdiff"]
    table = pl.DataFrame(rows, schema={name: CEILING[name] for name in names}, orient="row")
    assert mean_ceiling(table, ["A"], reversals=True) == {
        **{"split_half": pytest.approx(0.4), "ceiling": pytest.approx(0.6), "annotator_maxdiff": 50.0}
    }
    assert mean_ceiling(table, ["A", "B"], reversals=False)["split_half"] == 1.0
    assert mean_ceiling(table, ["C"], reversals=True)["ceiling"] is None
