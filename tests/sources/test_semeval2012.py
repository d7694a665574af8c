from dataclasses import replace

import pytest
from relprobe.core.errors import DataError
from relprobe.sources import semeval2012_ratings as ratings
from relprobe.sources.semeval2012 import Answer, lines, read, reverse
from relprobe.studies.degrees.method import gold

from tests import paths
from tests.sources.made import tiny_semeval
from tests.sources.made.tiny_semeval import FIRST, FUNCTIONAL

DATA = paths.DATA / "semeval2012"
real = pytest.mark.skipif(not DATA.is_dir(), reason="needs SemEval-2012 Task 2")
RATED = {"tool:hammer": 3, "seat:chair": 2.5, "food:apple": "1e-1", "fuel:oil": -4, "hammer:tool": 0}


@pytest.fixture
def package(tmp_path):
    return tiny_semeval.write(tmp_path / "data", [FUNCTIONAL])


def test_a_subcategory_has_all_that_was_asked_and_answered(package):
    (one,) = read(package.parent)
    assert (one.id, one.relation_class, one.name) == ("1b", "CLASS-INCLUSION", "Name 1b")
    assert (one.schema, one.answer, one.options) == (
        "Y functions as an X",
        "Y functions as an X",
        ("X repels Y", "Y functions as an X"),
    )
    assert not one.training
    assert one.paradigms == ("weapon:knife", "vehicle:car")
    assert list(one.pairs.items())[:2] == [("tool:hammer", 1), ("seat:chair", 2)]
    assert one.reversals == {"hammer:tool": "tool:hammer"}
    assert one.questions[0] == tuple(FIRST)
    assert one.answers[2] == Answer(tuple(FIRST), "", "tool:hammer", "Y functions as an X")


def test_paradigms_are_found_however_they_are_separated(package):
    file = package / "Testing/Phase1Questions/Phase1Questions-1b.txt"
    file.write_text(file.read_text().replace("weapon:knife\nvehicle:car", "weapon: knife. vehicle:car run-on:it"))
    assert read(package)[0].paradigms == ("weapon:knife", "vehicle:car", "run-on:it")


def test_a_correct_answer_may_end_at_a_comma_of_its_choice(package):
    file = package / "Testing/Phase1Questions/Phase1Questions-1b.txt"
    file.write_text(file.read_text().replace("as an X\n", "as an X, but is none\n", 1))
    assert read(package)[0].answer == "Y functions as an X, but is none"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("subcategories-definitions.txt", "1b,", "1b;", "line 1: expected number, letter"),
        ("subcategories-definitions.txt", "1, b", "1, c", "Phase1Questions-1c.txt is missing"),
        ("reversals.txt", "hammer:tool", "chair:seat", "line 3: expected a pair and its reversal"),
        ("reversals.txt", "tool:hammer --> hammer:tool", "a:b --> b:a", "'b:a', which is no pair of 1b"),
        ("Testing/Phase1Questions/Phase1Questions-1b.txt", "Correct Answer:", "Answer:", "lacks the word pairs"),
        ("Testing/Phase1Questions/Phase1Questions-1b.txt", "Answer:\n\nY", "Answer:\n\nZ", "not among its choices"),
        ("Testing/Phase1Answers/Phase1Answers-1b.txt", '"food:apple"', '"seat:chair"', "line 3: expected a new pair"),
        ("Testing/Phase1Answers/Phase1Answers-1b.txt", '"food:apple"', '"food"', "line 3: expected a new pair"),
        ("Testing/Phase2Questions/Phase2Questions-1b.txt", '"food:apple",', "", "line 1: expected four pairs"),
        (
            "Testing/Phase2Answers/Phase2Answers-1b.txt",
            '"fuel:oil"\t"seat',
            '"oil"\t"seat',
            "line 3: expected a question",
        ),
    ],
)
def test_a_line_that_does_not_read_as_it_should_is_named(package, file, old, new, said):
    path = package / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(DataError, match=said):
        read(package)


def test_a_question_without_answers_is_named(package):
    file = package / "Testing/Phase2Answers/Phase2Answers-1b.txt"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if not line.startswith('"hammer')))
    with pytest.raises(DataError, match="has no answer to the question"):
        read(package)


def test_a_folder_without_the_package_says_so(tmp_path):
    with pytest.raises(DataError, match="put SemEval-2012-Complete-Data-Package there"):
        read(tmp_path)


def test_ratings_are_read_in_the_order_of_the_pairs(package, tmp_path):
    file = tiny_semeval.rate(tmp_path / "Mine-1b.txt", dict(reversed(RATED.items())))
    pair_ratings = ratings.read(file, read(package)[0])
    assert list(pair_ratings.items()) == [
        ("tool:hammer", 3.0),
        ("seat:chair", 2.5),
        ("food:apple", 0.1),
        ("fuel:oil", -4.0),
        ("hammer:tool", 0.0),
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"food:apple": None}, r"does not rate the pair 'food:apple' \(line 3 of Phase1Answers-1b.txt\): add it"),
        ({"apple:food": 1}, "line 9: the pair 'apple:food' is in the wrong order: subcategory 1b has 'food:apple'"),
        ({"food:pear": 1}, "line 9: 'food:pear' is no pair of subcategory 1b"),
        ({"fuel:oil": "high"}, "line 7: the rating 'high' is not a number"),
        ({"fuel:oil": "nan"}, "line 7: the rating 'nan' is not a number"),
        ({"fuel:oil": "-inf"}, "line 7: the rating '-inf' is not a number"),
        ({"fuel:oil": "3 4"}, "line 7: expected a number and a pair in quotes"),
    ],
)
def test_a_wrong_rating_is_named_by_its_line(package, tmp_path, change, said):
    rated = {pair: value for pair, value in {**RATED, **change}.items() if value is not None}
    file = tiny_semeval.rate(tmp_path / "Mine-1b.txt", rated)
    with pytest.raises(DataError, match=said):
        ratings.read(file, read(package)[0])


def test_a_pair_that_is_rated_twice_is_named_by_its_line(package, tmp_path):
    file = tiny_semeval.rate(tmp_path / "Mine-1b.txt", RATED)
    file.write_text(file.read_text() + '7 "fuel:oil"\n')
    with pytest.raises(DataError, match="line 9: the pair 'fuel:oil' was rated before"):
        ratings.read(file, read(package)[0])


def found(path, known):
    return {file.subcategory: (file.kind, file.path) for file in ratings.find(path, known)}


def test_a_file_is_found_by_its_name_or_by_its_pairs(package, tmp_path):
    known = {"1b": read(package)[0]}
    file = tiny_semeval.rate(tmp_path / "mine/Testing/Mine-1b.txt", RATED)
    (tmp_path / "mine/README.txt").write_text("about\n")
    assert found(tmp_path / "mine", known) == {"1b": ("ratings", file)}
    assert found(file, known) == {"1b": ("ratings", file)}
    other = tiny_semeval.rate(tmp_path / "mine/system.out", RATED)
    assert found(other, known) == {"1b": ("ratings", other)}
    with pytest.raises(DataError, match="are both ratings of subcategory 1b"):
        ratings.find(tmp_path / "mine", known)
    with pytest.raises(DataError, match="there is no subcategory 2c"):
        ratings.find(tiny_semeval.rate(tmp_path / "Mine-2c.txt", RATED), known)
    with pytest.raises(DataError, match="is no file of ratings or answers, nor a folder of them"):
        ratings.find(tmp_path / "nowhere", known)
    with pytest.raises(DataError, match="no line has the form"):
        ratings.find(tmp_path / "mine/README.txt", known)


def test_a_file_whose_pairs_do_not_say_its_subcategory_is_refused(package, tmp_path):
    one = read(package)[0]
    twins = {"1b": one, "1c": replace(one, id="1c")}
    file = tiny_semeval.rate(tmp_path / "mine", RATED)
    with pytest.raises(DataError, match=r"those of the subcategories 1b and 1c: name the file as Mine-1b\.txt"):
        ratings.find(file, twins)
    file = tiny_semeval.rate(tmp_path / "mine", {**RATED, "sea:fish": 1})
    with pytest.raises(DataError, match=r"line 9: no subcategory has 'sea:fish' and the other pairs.*; 1b has 5 of 6"):
        ratings.find(file, twins)


def test_the_typing_error_of_the_package_is_mended_or_kept(tmp_path, caplog):
    spec = replace(FUNCTIONAL, id="2b", paradigms=["forrest:tree", "fleet:ship"])
    folder = tiny_semeval.write(tmp_path, [spec])
    with caplog.at_level("INFO"):
        assert read(folder)[0].paradigms == ("forest:tree", "fleet:ship")
    assert "subcategory 2b: the package writes the paradigm forrest:tree; forest:tree is used" in caplog.text
    assert read(folder, mended=False)[0].paradigms == ("forrest:tree", "fleet:ship")


def test_a_supplied_baseline_must_be_there_and_whole(package, tmp_path):
    known = {"1b": read(package)[0]}
    with pytest.raises(DataError, match=r"take 'pmi' out of degrees\.baselines"):
        ratings.baseline(tmp_path, "PMI", known)
    tiny_semeval.rate(tmp_path / "SemEval-2012-Baselines/PMI/Testing/PMI-Ratings-1b.txt", RATED)
    (tmp_path / "PMI").write_text("a note of a file's name\n")
    answers = " ".join(f'"{pair}"' for pair in [*FIRST, FIRST[0], FIRST[1]])
    (tmp_path / "SemEval-2012-Baselines/PMI/Testing/Z-PMI-MaxDiff-1b.txt").write_text(f"{answers}\n")  # is no rating
    assert ratings.baseline(tmp_path, "PMI", known)["1b"]["fuel:oil"] == -4
    with pytest.raises(DataError, match="has no ratings of subcategory 9z"):
        ratings.baseline(tmp_path, "PMI", known | {"9z": known["1b"]})


def test_the_reverse_of_a_pair():
    assert reverse("run-on:sentence") == "sentence:run-on"


@pytest.fixture(scope="module")
def every():
    return read(DATA)


@real
def test_the_package_has_the_papers_size(every):
    assert len(every) == 79
    assert [one.id for one in every if one.training] == ["1a", "2c", "2h", "3a", "3c", "4c", "5d", "5i", "7a", "10a"]
    assert sum(len(one.pairs) for one in every) == 3218
    assert all(len(one.reversals) == 5 for one in every)
    assert min(len(one.paradigms) for one in every) == 3
    assert {len(one.options) for one in every} == {4}


@real
def test_counting_gives_the_authors_gold_ratings(every):
    by_id = {one.id: one for one in every}
    files = {file.subcategory: file.path for file in ratings.find(DATA / "SemEval-2012-Gold-Ratings", by_id)}
    assert len(files) == 79
    counted = {(name, pair): value for name, pair, value in gold(every).select("subcategory", "pair", "rating").rows()}
    for name, file in files.items():
        for pair, value in ratings.read(file, by_id[name]).items():
            assert counted[name, pair] == pytest.approx(value, abs=0.05)


def test_the_only_file_of_definitions_counts_and_a_subcategory_of_no_part_is_missing(package):
    (package / "other").mkdir()
    copy = package / "other/subcategories-definitions.txt"
    copy.write_text("")
    with pytest.raises(DataError, match=r"holds 2 files subcategories-definitions\.txt"):
        read(package)
    copy.unlink()
    (package / "Testing/Phase1Answers/Phase1Answers-1b.txt").unlink()
    with pytest.raises(DataError, match=r"Testing/Phase1Answers/Phase1Answers-1b\.txt is missing"):
        read(package)


def test_descriptions_have_no_blanks_around_them(package):
    file = package / "Testing/Phase1Questions/Phase1Questions-1b.txt"
    file.write_text(file.read_text().replace("X repels Y", "  X repels Y \t"))
    assert read(package)[0].options == ("X repels Y", "Y functions as an X")


@pytest.mark.parametrize(
    ("change", "right"),
    [
        (lambda pairs: pairs, True),
        (lambda pairs: pairs[::-1], True),
        (lambda pairs: [*pairs[:3], "a:b"], False),
        (lambda pairs: pairs[:3], False),
    ],
)
def test_the_pairs_of_an_answered_question_may_stand_in_any_order(package, tmp_path, change, right):
    (one,) = read(package)
    file, pairs = tmp_path / "own.txt", change(FIRST)
    quoted = "\t".join(f'"{pair}"' for pair in [*pairs, FIRST[0], FIRST[1], "a relation"])
    file.write_text(f"{quoted}\n")
    if right:
        assert list(ratings.read_answers(file, one)) == [ratings.Choice(tuple(FIRST), FIRST[0], FIRST[1])]
    else:
        with pytest.raises(DataError, match="line 1: "):
            list(ratings.read_answers(file, one))


@pytest.mark.parametrize("ending", [f'"{FIRST[0]}" "{FIRST[1]}" x', f'"{FIRST[0]}"', '"a:b" ""', f'x "{FIRST[0]}" ""'])
def test_an_answer_that_is_none_of_its_pairs_or_stands_outside_of_quotes_is_named(package, tmp_path, ending):
    (one,) = read(package)
    file = tmp_path / "own.txt"
    file.write_text(" ".join(f'"{pair}"' for pair in FIRST) + f" {ending}\n")
    with pytest.raises(DataError, match="expected four pairs, and the least and the most illustrative"):
        list(ratings.read_answers(file, one))


def test_what_a_file_holds_is_what_its_first_line_of_a_form_says(package, tmp_path):
    file = tmp_path / "own.txt"
    rating, answer = '3.5 "tool:hammer"', " ".join(f'"{pair}"' for pair in [*FIRST, FIRST[0], FIRST[1]])
    for text, kind in (
        (f"# {answer}\n{rating}\n", "ratings"),
        (f"#{rating}\n{answer}\n", "answers"),
        (f"x\n{answer}\n{rating}\n", "answers"),
        (f"{rating} #\n{answer}#\n", None),
        (f"#{answer}\n", None),
        ("", None),
    ):
        file.write_text(text)
        assert ratings._kind(file) == kind


def test_a_file_of_neither_kind_is_passed_over_in_a_folder_unless_its_name_is_one(package, tmp_path, caplog):
    known = {one.id: one for one in read(package)}
    rated = tiny_semeval.rate(tmp_path / "mine/a.txt", RATED)
    (tmp_path / "mine/notes.txt").write_text("notes\n")
    (tmp_path / "mine/.hidden").write_text("notes\n")
    assert [file.path for file in ratings.find(tmp_path / "mine", known)] == [rated]
    assert "notes.txt holds neither ratings nor answers and is passed over" in caplog.text
    assert "hidden" not in caplog.text
    for wrong in ("notes.txt", "Mine-1b.txt"):
        path = tmp_path / "other" / wrong
        path.parent.mkdir(exist_ok=True)
        path.write_text("notes\n")
        with pytest.raises(DataError, match="no line has the form"):
            ratings.find(path if wrong == "notes.txt" else path.parent, known)


def test_files_of_a_folder_are_found_by_the_alphabet(package, tmp_path):
    (one,) = read(package)
    known = {f"{number}b": replace(one, id=f"{number}b") for number in range(1, 9)}
    for name in reversed(known):
        tiny_semeval.rate(tmp_path / f"mine/Mine-{name}.txt", RATED)
    assert [file.subcategory for file in ratings.find(tmp_path / "mine", known)] == list(known)


def test_the_lines_of_a_file_without_empty_ones_and_comments(tmp_path):
    (tmp_path / "a.txt").write_text("a\n\n  \n# b\n #c\nd \n")
    assert list(lines(tmp_path / "a.txt")) == [(1, "a"), (5, " #c"), (6, "d ")]
