"""The tables that all studies have: what was sent to each model, and what the agents that only chat have cost."""

from datetime import UTC, date, datetime
from types import SimpleNamespace

import polars as pl
from relprobe.lm.chat_models.ledger import LEDGER
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.report.tables import ledger, sent_texts


def test_the_ledger_has_the_requests_of_each_agent_and_the_sources_their_models():
    lines = {
        name: pl.DataFrame([("answer", count, 0, 0, 0)], schema=LEDGER, orient="row")
        for name, count in (("m", 2), ("n", 3))
    }
    replies = [{"question_id": f"q{day}", "model": "m-1", "date": datetime(2026, 3, day, tzinfo=UTC)} for day in (5, 2)]
    tables = ledger(lines, {"m": pl.DataFrame(replies, schema=REPLIES), "n": pl.DataFrame(schema=REPLIES)})
    assert tables.ledger.select("agent", "what", "requests").rows() == [("m", "answer", 2), ("n", "answer", 3)]
    assert tables.sources.rows() == [("m", "m-1", None, 2, date(2026, 3, 2), date(2026, 3, 5))]


def test_what_was_sent_is_a_text_of_each_agent_and_probe():
    sent = {"m": {"p1": "[CLS] a robin", "p2": "b"}, "n": {"p1": "a robin"}}
    files = [SimpleNamespace(agent=agent, metadata={"sent": texts}) for agent, texts in sent.items()]
    table = sent_texts(files)
    assert table.columns == ["agent", "probe", "text"]
    assert table.rows() == [("m", "p1", "[CLS] a robin"), ("m", "p2", "b"), ("n", "p1", "a robin")]
    assert sent_texts([]).schema == table.schema
