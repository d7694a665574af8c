"""MaxDiff questions to a model that only chats: what is asked, what is read, and that the task's own scoring agrees."""

import polars as pl
import pytest
from relprobe.lm.participants.replies import REPLIES
from relprobe.sources.semeval2012 import read
from relprobe.studies.conversations import read as read_lines
from relprobe.studies.degrees.ask.maxdiff import questions, read_choice, reply_choices
from relprobe.studies.degrees.compare.choices import choice_metrics, of_agents, places
from relprobe.studies.degrees.data.build import gold
from relprobe.studies.degrees.data.build import questions as of_people
from relprobe.studies.degrees.show.evaluate import evaluated
from relprobe.studies.unreadable import MOST_UNREADABLE

from tests import paths
from tests.paths import ROOT
from tests.workflow import toy_data

PAIRS = ["hammer:tool", "fuel:oil", "seat:chair", "food:apple"]
LINE = read_lines(ROOT / "resources/prompts/chat.yaml", "degrees")["maxdiff"]


@pytest.fixture
def folder(tmp_path):
    toy_data._write_semeval(tmp_path / "semeval")
    return tmp_path / "semeval"


@pytest.fixture
def relations(folder):
    return read(folder, mended=False)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("most: hammer:tool\nleast: fuel:oil", ("fuel:oil", "hammer:tool")),
        ("least: fuel:oil\n\nmost: hammer:tool", ("fuel:oil", "hammer:tool")),
        ("**Most illustrative:** `Hammer:Tool`.\n**Least illustrative:** “fuel : oil”", ("fuel:oil", "hammer:tool")),
        ("most: hammer:tool", ("", "hammer:tool")),
        ("most: tool:hammer\nleast: fuel:oil", ("fuel:oil", "")),
        ("most: hammer:tool\nmost: seat:chair\nleast: fuel:oil", ("fuel:oil", "")),
        ("most: hammer:tool\nleast: hammer:tool", ("", "")),
        ("most: hammer:tool or seat:chair\nleast: fuel:oil", ("fuel:oil", "")),
        ("I would say hammer:tool is the most illustrative.", ("", "")),
        ("hammer:tool\nfuel:oil", ("", "")),
        ("", ("", "")),
    ],
)
def test_a_choice_is_read_strictly(text, choices):
    assert read_choice(text, PAIRS) == choices


def test_a_question_shows_what_people_saw(relations):
    one = relations[0]
    first = next(questions(relations, LINE, 1))
    lines = first.text.splitlines()
    assert first.id == f"{one.id} 1 1"
    assert lines[2 : 2 + len(one.paradigms)] == list(one.paradigms)
    assert f"These X:Y pairs share a relation: {one.answer}" in lines
    start = lines.index("Now consider the following word pairs:") + 2
    assert tuple(lines[start : start + 4]) == one.questions[0]
    assert "[" not in first.text


def test_all_questions_are_asked_once_in_every_order(relations):
    texts = [question.text for question in questions(relations, LINE, 4)]
    assert len(texts) == 4 * sum(len(one.questions) for one in relations)
    assert len({question.id for question in questions(relations, LINE, 4)}) == len(texts)
    few = [question.text for question in questions(relations, LINE, 2)]
    assert set(few) < set(texts)


def replied(relations, choose, orders=1):
    """Replies to all questions. `choose`: of a subcategory and pairs as shown, the text of the answer."""
    rows = []
    for question in questions(relations, "[EXAMPLES]|[RELATION]|[OPTIONS]", orders):
        shown = question.text.rpartition("|")[2].splitlines()
        text = choose(question.id.split()[0], shown)
        rows.append({"question_id": question.id, "sample": 1, "outcome": "answer", "text": text})
    return pl.DataFrame(rows, schema=REPLIES)


def by_name(_, shown):
    return f"most: {min(shown)}\nleast: {max(shown)}"


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
    values = choice_metrics(choices, gold(relations), of_people(relations), model="chatty").metrics
    scores, _ = evaluated(folder, write_files(choices, tmp_path / "files"), 1)
    ours = values.filter(metric="maxdiff").select("unit", "value").rows()
    assert ours == scores.select("subcategory", "maxdiff").rows()
    without = dict(values.filter(metric="maxdiff_without_reversals").select("unit", "value").iter_rows())
    theirs = dict(scores.select("subcategory", "maxdiff_without_reversals").iter_rows())
    assert {name: value for name, value in theirs.items() if value is not None} == without
    assert set(values["agent"]) == {"chatty maxdiff"}
    assert 0 < values.filter(metric="maxdiff")["value"].mean() < 100


def test_several_orders_have_the_mean(relations):
    def first_place(_, shown):
        return f"most: {shown[0]}\nleast: {shown[1]}"

    choices = reply_choices(replied(relations, first_place, 24), relations, orders=24)
    rows = places({"chatty": choices})
    assert rows["most"].to_list() == [1, 0, 0, 0]
    assert rows["least"].to_list() == [0, 1, 0, 0]
    assert set(rows["orders"]) == {24}
    values = choice_metrics(choices, gold(relations), of_people(relations), model="chatty").metrics
    people = of_people(relations).group_by("subcategory", maintain_order=True)
    expected = {name: 100 * rows["most"].list.len().mean() / 4 for (name,), rows in people}
    most = dict(values.filter(metric="most").select("unit", "value").iter_rows())
    assert most == pytest.approx(expected)


def test_an_agent_whose_answers_cannot_be_read_has_no_value_but_a_reason(relations):
    texts = iter(["no idea", by_name("", ["a:b", "c:d"])] * 10**4)
    choices = reply_choices(replied(relations, lambda *_: next(texts)), relations)
    assert (choices["most"] == "").mean() > MOST_UNREADABLE
    measured = choice_metrics(choices, gold(relations), of_people(relations), model="chatty")
    assert measured.metrics.is_empty()
    assert "of its answers do not name the two pairs (more than 20 %)" in of_agents({"chatty": choices})["note"][0]


DATA = paths.DATA / "semeval2012"


@pytest.mark.skipif(not DATA.is_dir(), reason="the packages of SemEval-2012 Task 2 are not there")
def test_the_whole_task_has_7_thousand_questions_whose_answers_score_as_evaluate_says(tmp_path):
    relations = read(DATA, mended=False)
    choices = reply_choices(replied(relations, by_name), relations)
    assert choices.height == sum(len(one.questions) for one in relations)
    values = choice_metrics(choices, gold(relations), of_people(relations), model="chatty").metrics
    scores, _ = evaluated(DATA, write_files(choices, tmp_path / "files"), 1)
    joined = values.filter(metric="maxdiff").join(scores, left_on="unit", right_on="subcategory")
    assert joined.height == len(relations)
    assert joined["value"].to_list() == joined["maxdiff"].to_list()
