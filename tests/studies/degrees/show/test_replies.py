"""The answers to MaxDiff questions, as the study and `evaluate` score them."""

import polars as pl
import pytest
from relprobe.sources.semeval2012 import read
from relprobe.studies.degrees.chat import answer_values, choice_values, reply_choices
from relprobe.studies.degrees.evaluate import score_files
from relprobe.studies.degrees.method import gold
from relprobe.studies.degrees.method import questions as peoples_questions
from relprobe.studies.degrees.schemas import MAXDIFF_ANSWERS, QUESTIONS

from tests import paths
from tests.studies.degrees.ask.test_replies import by_name, replied


def write_files(choices, folder):
    """Write choices as answer files of the task."""
    folder.mkdir()
    for (name,), rows in choices.group_by("subcategory", maintain_order=True):
        fields = [[*row["pairs"], row["least"], row["most"]] for row in rows.iter_rows(named=True)]
        lines = [" ".join(f'"{field}"' for field in row) for row in fields]
        (folder / f"answers-{name}.txt").write_text("\n".join(lines) + "\n")
    return folder


def test_the_answers_of_a_model_score_the_same_in_the_study_and_in_evaluate(folder, relations, tmp_path):
    def with_gaps(name, shown):
        return by_name(name, shown) if "x" not in min(shown) else by_name(name, shown).partition("\n")[0]

    choices = reply_choices(replied(relations, with_gaps), relations)
    values = choice_values(choices, gold(relations), peoples_questions(relations), agent="chatty maxdiff")
    scores, _ = score_files(folder, write_files(choices, tmp_path / "files"))
    ours = values.filter(metric="maxdiff").select("unit", "value").rows()
    assert ours == scores.select("subcategory", "maxdiff").rows()
    without = dict(values.filter(metric="maxdiff_without_reversals").select("unit", "value").iter_rows())
    theirs = dict(scores.select("subcategory", "maxdiff_without_reversals").iter_rows())
    assert {name: value for name, value in theirs.items() if value is not None} == without
    assert set(values["agent"]) == {"chatty maxdiff"}
    assert 0 < values.filter(metric="maxdiff")["value"].mean() < 100


DATA = paths.DATA / "semeval2012"


@pytest.mark.skipif(not DATA.is_dir(), reason="the packages of SemEval-2012 Task 2 are not there")
def test_the_whole_task_has_7_thousand_questions_whose_answers_score_as_evaluate_says(tmp_path):
    relations = read(DATA, mended=False)
    choices = reply_choices(replied(relations, by_name), relations)
    assert choices.height == sum(len(one.questions) for one in relations)
    values = choice_values(choices, gold(relations), peoples_questions(relations), agent="chatty maxdiff")
    scores, _ = score_files(DATA, write_files(choices, tmp_path / "files"))
    joined = values.filter(metric="maxdiff").join(scores, left_on="unit", right_on="subcategory")
    assert joined.height == len(relations)
    assert joined["value"].to_list() == joined["maxdiff"].to_list()


def test_a_question_stays_where_its_pair_is_a_reversed_one_of_another_subcategory_alone():
    """Of 1a, the question with b:a goes and the wrong one is left; of 2b nothing goes, though b:a stands in it."""
    shown, others = ["b:a", "c:d", "e:f", "g:h"], ["i:j", "k:l", "m:n", "o:p"]
    rows = [("1a", shown, "b:a", "c:d"), ("1a", others, "m:n", "o:p"), ("2b", shown, "b:a", "c:d")]
    answers = pl.DataFrame(rows, schema=MAXDIFF_ANSWERS, orient="row")
    majority = [(name, pairs, [pairs[0]], [pairs[1]], 5) for name, pairs, *_ in rows]
    people = pl.DataFrame(majority, schema=QUESTIONS, orient="row")
    found = answer_values(answers, people, {"1a": ["b:a"], "2b": []})
    both = found.filter(pl.col("metric").str.starts_with("maxdiff")).select("unit", "metric", "value").rows()
    assert both == [
        ("1a", "maxdiff", 50.0),
        ("1a", "maxdiff_without_reversals", 0.0),
        ("2b", "maxdiff", 100.0),
        ("2b", "maxdiff_without_reversals", 100.0),
    ]
