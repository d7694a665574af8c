"""The steps of one agent: what becomes of the choices of a model that takes people's task."""

import polars as pl
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.systematicity.agents import task_metrics

from tests.studies.systematicity.ask.test_replies import CATEGORIES, ITEM_TABLE, PROBE_TABLE


def test_replies_are_read_and_measured_in_their_order():
    """The ant is right in both numbers in order 1 alone; what is no option counts as wrong."""
    said = [("complete own:singular:ant:insect", 1, "insect"), ("complete own:plural:ant:insect", 1, "insects"),
            ("complete own:singular:ant:insect", 2, "tool"), ("complete own:plural:ant:insect", 2, "insects"),
            ("verify own:singular:ant:insect", 1, "yes"), ("verify own:singular:ant:bird", 1, "no")]  # fmt: skip
    table = pl.DataFrame(
        [
            {"question_id": f"{name} {order}", "sample": 1, "outcome": "answer", "text": text}
            for name, order, text in said
        ],
        schema={name: REPLIES[name] for name in ("question_id", "sample", "outcome", "text")},
    )
    found = task_metrics(table, ITEM_TABLE, PROBE_TABLE, categories=CATEGORIES, seed=1, orders=2)
    assert found.reply_choices["choice"].to_list() == [text for *_, text in said]
    assert found.reply_choices["order"].to_list() == [order for _, order, _ in said]
    assert found.metrics.select("metric", "unit", "cluster", "value").rows() == [
        ("singular", "ant", "insect", 0.5),
        ("plural", "ant", "insect", 1.0),
        ("singular_plural", "ant", "insect", 0.5),
        ("verified_singular", "ant", "insect", 1.0),
    ]
