"""Own judged pairs: what is read, and what is refused."""

import pytest
from relprobe.core.errors import DataError
from relprobe.sources.exported import Layout
from relprobe.sources.own.judged_pairs import JudgedPair, read, read_answers, read_further

HEAD = "relation,target,candidate"


def written(tmp_path, text):
    path = tmp_path / "own.csv"
    path.write_text(text)
    return path


def test_labels_and_ratings_of_raters_are_read(tmp_path):
    pairs = read(written(tmp_path, f"{HEAD},label,kind,rater\nHYP,robin,bird,Yes,,ann\nHYP,robin,fish,0,foil,ann\n"))
    assert pairs == [
        JudgedPair("HYP", "robin", "bird", True, None, "", "ann"),
        JudgedPair("HYP", "robin", "fish", False, None, "foil", "ann"),
    ]
    assert read(written(tmp_path, f"{HEAD},rating\nHYP,robin,ice cream,1.5\n"))[0].rating == 1.5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{HEAD},label\nHYP,robin,bird,perhaps\n", "line 2: the label 'perhaps' is neither yes nor no"),
        (f"{HEAD},rating\nHYP,robin,bird,6;5\n", "the rating '6;5' is not a number"),
        (f"{HEAD},label\nHYP,robin,,yes\n", "must not be empty"),
        (f"{HEAD},label\nHYP,robin,robin,yes\n", "is paired with itself"),
        (f"{HEAD}\nHYP,robin,bird\n", "neither a label nor a rating"),
        (f"{HEAD},label\n", "holds no pairs"),
        (f"{HEAD},label\nHYP,robin,bird,yes\nHYP,robin,bird,no\n", "or name the raters in a column rater"),
        (
            f"{HEAD},label,rater\nHYP,robin,bird,yes,a\nHYP,robin,fish,no,\n",
            "some pairs have a rater and others have none",
        ),
        (f"{HEAD},label,rating\nHYP,robin,bird,yes,6\nHYP,robin,fish,no,\n", "some pairs have a rating"),
        (
            f"{HEAD},label,kind,rater\nHYP,a,b,no,foil,x\nHYP,a,b,no,other,y\n",
            "'a' with 'b' has another kind before",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_one_sentence(tmp_path, text, sentence):
    with pytest.raises(DataError, match=r"own\.csv") as error:
        read(written(tmp_path, text))
    assert sentence in str(error.value)


def test_people_may_also_have_chosen_words(tmp_path):
    text = f"{HEAD},label,choice,rater\nHYP,robin,bird,,yes,ann\nHYP,robin,fish,,no,ann\nHYP,owl,bird,yes,,ann\n"
    answers = read_answers(written(tmp_path, text))
    assert [(one.target, one.candidate, one.label, one.chosen) for one in answers] == [
        ("owl", "bird", True, None),
        ("robin", "bird", None, True),
        ("robin", "fish", None, False),
    ]
    with pytest.raises(DataError, match="has the column 'choice', too"):
        read(tmp_path / "own.csv")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("HYP,robin,bird,perhaps,", "line 2: the choice 'perhaps' is neither yes nor no"),
        ("HYP,robin,bird,no,ann", "of HYP and 'robin', 0 words are chosen by 'ann': give one of them"),
        ("HYP,robin,bird,yes,ann\nHYP,robin,fish,yes,ann", "2 words are chosen by 'ann'"),
        (
            "HYP,robin,bird,yes,\nHYP,robin,fish,yes,",
            "2 words are chosen: give one of them the choice yes, or name the raters",
        ),
        ("HYP,robin,bird,,ann", "neither a label nor a rating, nor a choice"),
        ("HYP,robin,bird,yes,ann\nHYP,owl,bird,yes,", "some pairs have a rater and others have none"),
    ],
)
def test_a_choice_that_cannot_be_read_is_one_sentence(tmp_path, rows, sentence):
    with pytest.raises(DataError, match=r"own\.csv") as error:
        read_answers(written(tmp_path, f"{HEAD},choice,rater\n{rows}\n"))
    assert sentence in str(error.value)


@pytest.mark.parametrize(("rating", "fits"), [("1", True), ("7", True), ("0.5", False), ("77", False)])
def test_a_rating_lies_in_the_declared_scale(tmp_path, rating, fits):
    path = written(tmp_path, f"{HEAD},rating\nHYP,robin,bird,{rating}\n")
    if fits:
        assert read(path, scale=(1, 7))[0].rating == float(rating)
    else:
        with pytest.raises(
            DataError, match=rf"own\.csv, line 2: the rating {rating} lies outside .* 1 to 7: correct the"
        ):
            read(path, scale=(1, 7))


def test_of_several_raters_no_column_is_advised_and_a_pair_without_a_rating_has_none(tmp_path):
    text = f"{HEAD},label,rater\nHYP,robin,bird,yes,ann\nHYP,robin,bird,no,ann\n"
    with pytest.raises(DataError, match=r"'robin' with 'bird' is judged by 'ann'.*remove one of them\.?$"):
        read(written(tmp_path, text))
    (pair,) = read(written(tmp_path, f"{HEAD},label,rating\nHYP,robin,bird,yes,\n"))
    assert (pair.label, pair.rating) == (True, None)


@pytest.mark.parametrize(("rating", "right"), [("1", True), ("7", True), ("0.9", False), ("7.1", False)])
def test_a_rating_may_be_an_end_of_the_scale(tmp_path, rating, right):
    path = written(tmp_path, f"{HEAD},rating\nHYP,robin,bird,{rating}\n")
    if right:
        assert read(path, (1, 7))[0].rating == float(rating)
    else:
        with pytest.raises(
            DataError, match=f"the rating {rating} lies outside the scale of pairs.scale, 1 to 7: correct"
        ):
            read(path, (1, 7))


def test_a_pair_without_a_rating_lies_in_any_scale(tmp_path):
    assert read(written(tmp_path, f"{HEAD},label,rating\nHYP,robin,bird,yes,\n"), (1, 7))[0].label is True


def test_what_further_columns_say_stands_beside_each_row_in_the_order_of_the_file(tmp_path):
    layout = Layout.of({"further": {"ms": "rt"}})
    path = written(tmp_path, f"{HEAD},label,choice,rt\nHYP,robin,“bird”,yes,,512\nHYP,owl,bird,,yes,80\n")
    rows = list(read_further(path, "pair_answers", layout, answers=True))
    assert [(pair.target, pair.candidate, pair.label, pair.chosen, more) for pair, more in rows] == [
        ("robin", "bird", True, None, {"ms": "512"}),
        ("owl", "bird", None, True, {"ms": "80"}),
    ]
    path = written(tmp_path, f"{HEAD},rating,rt\nHYP,robin,bird,2.5,512\nHYP,owl,bird,,80\n")
    rows = read_further(path, "own_pairs", layout, answers=False)
    assert next(rows) == (JudgedPair("HYP", "robin", "bird", None, 2.5, "", ""), {"ms": "512"})
    with pytest.raises(DataError, match="line 3: the pair has neither a label nor a rating: give one"):
        next(rows)
    with pytest.raises(DataError, match=r"line 2: there is no column ms: correct resources\.own_pairs"):
        list(read_further(path, "own_pairs", Layout.of({"further": {"ms": "ms"}}), answers=False))
