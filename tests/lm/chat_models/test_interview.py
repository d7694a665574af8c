"""An interview: the file of replies, what is stored and not asked again, and what one model is."""

import json
import re
import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args

import polars as pl
import pyarrow.parquet as pq
import pytest
from relprobe.core.errors import ConfigError, DataError, ModelError
from relprobe.core.step import Call
from relprobe.lm import retries
from relprobe.lm.chat_models import client
from relprobe.lm.chat_models import interview as talk
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.chat_models.interview import Question, interview, replies_of
from relprobe.lm.chat_models.ledger import LEDGER, Ledger, join_ledgers, sources
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.lm.chat_models.settings import ChatModel
from relprobe.lm.chat_models.spending import LimitError, Spending
from relprobe.lm.score_files.store import ASKED, folder_of, lock

from tests.lm.chat_models.faulty import Faulty

SYSTEM = {"system": "You know words."}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(retries, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(retries, "LONGEST_WAIT_S", 0.01)
    with Faulty() as one:
        yield one


def questions(count):
    return [Question(f"q{number}", f"question {number}") for number in range(count)]


class Job:
    """The step that asks an agent, in a folder of its own."""

    def __init__(self, server, folder, key_env=None, **settings):
        key = {"key_env": key_env} if key_env else {}
        self.server = {"endpoint": server.endpoint, "concurrency": 3, **key}
        self.settings = {"spending": folder / "spending/agent.jsonl", **settings}
        self.out, self.ledger = folder / "replies/agent.parquet", folder / "ledger/agent.parquet"

    def run(self, count):
        who = ChatModel("chatty", self.server, SYSTEM, **self.settings)
        for part, path in zip(interview(who, "relations", questions(count), 48), (self.out, self.ledger), strict=True):
            part.write(path, Call("relprobe.core.digest.digest", [], {}))
        return pl.read_parquet(self.out)

    def forecast(self, count):
        """What a dry run says of the questions that would be sent and the replies that are stored: how many, each."""
        who = ChatModel("chatty", self.server, SYSTEM, **self.settings)
        said = interview(who, "relations", questions(count), 48).out.forecast(self.out)
        return tuple(map(int, re.search(r"(\d+) questions would be sent .* (\d+) replies are stored", said).groups()))

    def lines(self):
        (form,) = get_args(Ledger)[1:]  # as the step reads it that joins the ledgers
        table = form.read(self.ledger)
        assert table.schema == LEDGER
        return {what: count for what, count in table.select("what", "requests").iter_rows() if count}


@pytest.fixture
def job(server, tmp_path):
    return Job(server, tmp_path)


@pytest.mark.parametrize(("thoughts", "limit"), [(0, 48), (500, 548)])
def test_a_reply_may_take_the_tokens_of_the_answer_and_of_the_thoughts(server, job, thoughts, limit):
    job.settings["thoughts"] = thoughts
    job.run(1)
    assert [body["max_tokens"] for body in server.bodies] == [limit]


def test_a_dry_run_counts_what_is_new_and_sends_nothing(server, job):
    """A question of 10 letters and a system line of 15 with 64 for each message, and 48 for the answer: 201 tokens."""

    def expected(count, **settings):
        who = ChatModel("chatty", job.server, SYSTEM, **{**job.settings, **settings})
        return interview(who, "relations", questions(count), 48).out.forecast(job.out)

    words = "agent, relations: {} questions would be sent to chatty, in up to {} tokens; {} replies are stored"
    assert expected(3) == words.format(3, 603, 0)
    assert not job.out.parent.exists()
    job.run(3)
    before = server.requests
    assert expected(5, limits={"requests": 1000}) == words.format(2, 402, 3) + "; limits.requests is 1,000"
    assert expected(3, samples=2) == words.format("6", "1,206", 0)  # at another temperature
    assert expected(3, thoughts=500) == words.format("3", "2,103", 0)  # 500 more for each answer
    assert server.requests == before


def test_further_keys_of_a_request_are_sent_and_decide_the_replies(server, job):
    job.run(2)
    job.settings["request"] = {"repeat_penalty": 1.0}
    job.run(2)
    assert ["repeat_penalty" in body for body in server.bodies] == [False, False, True, True]
    assert server.bodies[-1]["repeat_penalty"] == 1.0
    job.run(2)
    assert server.requests == 4


def test_the_replies_are_in_the_order_of_the_questions(server, job):
    server.delay_s = 0.05
    table = job.run(9)
    assert table.schema == REPLIES
    assert table["question_id"].to_list() == [f"q{number}" for number in range(9)]
    assert set(table["text"]) == {"word 10"}
    assert 1 < server.most_at_once <= 3
    assert job.lines() == {"answer": 9, "all requests": 9}
    about = json.loads(pq.read_schema(job.out).metadata[b"relprobe"])
    assert about["sent"] == {
        "q0": str([{"role": "system", "content": "You know words."}, {"role": "user", "content": "question 0"}])
    }


def test_the_model_its_fingerprint_and_the_dates_are_kept(job):
    table = sources({"agent": job.run(3)})
    assert table.select("agent", "model", "fingerprint", "replies").rows() == [
        ("agent", "chatty-2026-01-01", "fp_1", 3)
    ]
    assert join_ledgers({"agent": pl.read_parquet(job.ledger)})["agent"].unique().to_list() == ["agent"]


def test_replies_are_counted_by_model_and_fingerprint_with_their_first_and_last_day():
    """A reply of a content filter has no model. The days are those of Greenwich, whatever the time of the day."""

    def reply(model, fingerprint, day, hour):
        return {"model": model, "fingerprint": fingerprint, "date": datetime(2026, 3, day, hour, tzinfo=UTC)}

    rows = [
        reply("m", "f", 8, 23),
        reply("m", "g", 5, 0),
        reply("m", "f", 2, 1),
        reply("m", "f", 4, 9),
        {"model": None},
    ]
    table = sources({"one": pl.DataFrame(rows, schema=REPLIES), "two": pl.DataFrame(rows[1:2], schema=REPLIES)})
    assert table.rows() == [
        ("one", "m", "f", 3, date(2026, 3, 2), date(2026, 3, 8)),
        ("one", "m", "g", 1, date(2026, 3, 5), date(2026, 3, 5)),
        ("two", "m", "g", 1, date(2026, 3, 5), date(2026, 3, 5)),
    ]


def test_only_new_questions_are_asked_and_one_file_holds_all_replies(server, job, caplog):
    caplog.set_level("INFO", "relprobe")
    first = job.run(5)
    most = 5 * (48 + len("You know words.") + len("question 0") + 2 * client.OVERHEAD)
    assert f"0 replies are stored, and 5 questions are sent to chatty, in up to {most:,} tokens" in caplog.text
    assert job.run(8).head(5).equals(first)
    assert server.requests == 8
    assert max(server.seen.values()) == 1
    assert len(list(folder_of(job.out).glob("*/*.arrow"))) == 1
    assert len(list(folder_of(job.out).glob(f"*/{ASKED}"))) == 1


def test_more_samples_ask_for_the_new_ones_alone(server, tmp_path):
    Job(server, tmp_path, samples=2).run(3)
    table = Job(server, tmp_path, samples=3).run(3)
    assert table["sample"].to_list() == [1, 2, 3] * 3
    assert server.requests == 9
    assert {body["temperature"] for body in server.bodies} == {1.0}
    Job(server, tmp_path).run(3)  # one reply at temperature 0 is another thing
    assert server.requests == 12


def test_without_reuse_all_is_asked_again(server, tmp_path):
    one = Job(server, tmp_path, reuse=False)
    one.run(3)
    one.run(3)
    assert server.requests == 6
    assert not folder_of(one.out).exists()


def test_without_reuse_what_an_earlier_run_has_stored_is_asked_again_and_a_dry_run_says_so(server, tmp_path):
    """What a job without reuse has asked when it fails is no earlier run's, and is taken."""
    stored = Job(server, tmp_path)
    stored.run(3)
    assert stored.forecast(4) == (1, 3)
    again = Job(server, tmp_path, reuse=False)
    assert again.forecast(4) == (4, 0)
    server.faults = [None, 422]
    again.server["concurrency"] = 1
    with pytest.raises(ModelError, match="refuses a request"):
        again.run(4)
    assert server.requests == 5
    assert again.forecast(4) == (3, 1)
    again.run(4)
    assert server.requests == 8
    assert again.forecast(4) == (4, 0)


def test_a_server_is_asked_as_the_manual_says_where_the_entry_does_not(server, job, monkeypatch):
    """By config/README.md 8 questions at once, each of which may take 120 seconds."""
    asked = []
    monkeypatch.setattr(
        talk, "ChatClient", lambda *given, **more: asked.append(more["timeout_s"]) or ChatClient(*given, **more)
    )
    monkeypatch.setattr(talk, "replies_of", lambda ask, todo, most: asked.append(most) or replies_of(ask, todo, most))
    del job.server["concurrency"]
    job.run(1)
    job.server |= {"concurrency": 2, "timeout": 9.5}
    job.run(2)
    assert asked == [120, 8, 9.5, 2]


def test_a_reply_without_text_is_stored_like_others(server, job):
    server.faults = ["refusal", "filter 400", "length"]
    assert job.run(4)["outcome"].to_list().count("answer") == 1
    job.run(4)
    assert server.requests == 4
    assert job.lines() == {"answer": 1, "refusal": 1, "content filter": 1, "length limit": 1, "all requests": 4}


def test_after_an_error_what_was_answered_is_kept(server, job):
    server.faults = [None, None, 422]
    with pytest.raises(ModelError, match="refuses a request"):
        job.run(9)
    asked = set(server.seen)
    job.run(9)
    assert max(server.seen.values()) == 1
    assert server.requests == 10
    assert 1 < len(asked) < 9


def test_a_limit_stops_between_runs_and_nothing_that_was_answered_is_asked_again(server, tmp_path):
    server.faults = [None, 500]
    with pytest.raises(LimitError, match=r"limits\.requests is 4"):
        Job(server, tmp_path, limits={"requests": 4}).run(9)
    assert server.requests == 4
    with pytest.raises(LimitError):
        Job(server, tmp_path, limits={"requests": 4}).run(9)
    assert server.requests == 4
    assert Job(server, tmp_path, limits={"requests": 10}).run(9).height == 9
    assert server.requests == 10
    assert max(server.seen.values()) == 1


def test_two_jobs_of_an_agent_share_its_limit(server, tmp_path):
    server.delay_s = 0.02
    jobs = [Job(server, tmp_path / name, limits={"requests": 5}, spending=tmp_path / "agent.jsonl") for name in "ab"]
    errors = []

    def run(one):
        try:
            one.run(6)
        except LimitError as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 2
    assert server.requests == 5


def test_a_reply_of_another_model_is_an_error_also_in_a_later_run(server, job):
    server.faults = [None, "other model"]
    with pytest.raises(ModelError, match=r"answers as 'chatty-2026-06-30', but was 'chatty-2026-01-01' before"):
        job.run(2)
    server.returned = "chatty-2026-06-30"
    with pytest.raises(ModelError, match="its provider has changed the model"):
        job.run(2)
    assert not job.out.exists()


def test_two_servers_that_call_their_models_alike_are_each_asked_and_an_agent_of_one_is_not(server, tmp_path):
    """An agent that was renamed pays nothing again; a server that has moved keeps what its agent was told."""
    former = Job(server, tmp_path / "results/one", results=tmp_path / "results")
    former.run(4)
    renamed = Job(server, tmp_path / "results/two", results=tmp_path / "results")
    renamed.run(4)
    assert server.requests == 4
    with Faulty() as other:
        Job(other, tmp_path / "results/three", results=tmp_path / "results").run(4)
        assert other.requests == 4
        moved = Job(other, tmp_path / "results/one", results=tmp_path / "results")
        moved.run(5)
        assert (server.requests, other.requests) == (4, 5)


def test_two_jobs_do_not_write_one_file(job):
    with lock(folder_of(job.out)), pytest.raises(ModelError, match="is in use by process"):
        job.run(2)


def test_a_wrong_key_costs_one_request_and_no_key_none(server, tmp_path, monkeypatch):
    server.key = "right"
    monkeypatch.setenv("CHAT_KEY", "wrong-key-9")
    one = Job(server, tmp_path, key_env="CHAT_KEY")
    with pytest.raises(ModelError, match="check the key"):
        one.run(9)
    assert server.requests == 1
    monkeypatch.setenv("CHAT_KEY", "right")
    one.run(2)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in written if b"wrong-key-9" in path.read_bytes()] == []
    monkeypatch.delenv("CHAT_KEY")
    with pytest.raises(ConfigError, match="CHAT_KEY, which `key_env` names, is not set"):
        one.run(3)


def test_a_damaged_line_of_the_spending_is_one_sentence(tmp_path):
    path = tmp_path / "agent.jsonl"
    Spending(path, "relations").reserve(5)
    with path.open("a") as file:
        file.write('{"settled": "unknown"}\n')
    with pytest.raises(DataError, match="has a damaged line") as error:
        Spending(path, "relations").reserve(5)
    assert "Traceback" not in str(error.value)


def test_two_questions_of_one_text_are_asked_once(server, job):
    who = ChatModel("chatty", job.server, SYSTEM, **job.settings)
    same = [Question("a", "the same"), Question("b", "the same")]
    out, _ = interview(who, "relations", same, 48)
    out.write(job.out, Call("relprobe.core.digest.digest", [], {}))
    assert server.requests == 1
    assert pl.read_parquet(job.out)["question_id"].to_list() == ["a", "b"]


def test_no_questions_need_no_server(tmp_path):
    class Absent:
        endpoint = "http://127.0.0.1:9/v1"

    assert Job(Absent, tmp_path).run(0).is_empty()
    assert not Path(tmp_path / "spending/agent.jsonl").read_bytes()
