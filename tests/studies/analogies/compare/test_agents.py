"""The steps of one agent: what becomes of the choices of a model that takes people's task."""

import polars as pl
from relprobe.lm.chat_models.replies import ANSWER, REPLIES
from relprobe.studies.analogies.agents import task_metrics
from relprobe.studies.analogies.chat import LINE, sheets

from tests.studies.analogies.ask.test_replies import CHOICES, LINES, TEST, TUPLE_ROWS, letter


def test_replies_are_read_decided_and_measured():
    found = task_metrics(
        pl.DataFrame(
            [
                {"question_id": one.id, "sample": 1, "outcome": ANSWER, "text": letter(one, one.right)}
                for one in sheets(CHOICES, TEST, 2)
            ],
            schema=REPLIES,
        ),
        CHOICES,
        TUPLE_ROWS,
        partitions=TEST,
        line=LINES[LINE],
        orders=2,
    )
    assert found.reply_choices["right"].all()
    assert found.unsupervised["value"].to_list() == [1.0] * 5
    assert set(found.metrics.filter(condition="E01")["value"]) == {1.0}
    assert found.by_agent["unjudged"].rows() == [("unsupervised", 4, 0)]
