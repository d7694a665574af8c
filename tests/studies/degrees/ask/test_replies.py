"""MaxDiff questions to a model that only chats: what is asked, and what is read."""

import polars as pl
import pytest
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.conversations import read as read_lines
from relprobe.studies.degrees.chat import questions, read_choice

from tests.paths import ROOT

PAIRS = ["hammer:tool", "fuel:oil", "seat:chair", "food:apple"]
LINE = read_lines(ROOT / "resources/prompts/chat.yaml", "degrees")["maxdiff"]


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
        ("1. Most: hammer:tool\n2. Least: fuel:oil", ("fuel:oil", "hammer:tool")),
        ("Most：hammer：tool\nLeast：fuel：oil", ("fuel:oil", "hammer:tool")),
        ("Most: **hammer:tool** (it is one)\nLeast: \u200bfuel:oil 😀", ("fuel:oil", "hammer:tool")),
        ("```\nmost: hammer:tool\nleast: fuel:oil\n```", ("fuel:oil", "hammer:tool")),
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
