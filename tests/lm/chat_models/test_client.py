"""A question to a chat endpoint: each way in which an attempt fails and a reply ends has a line of its own in the ledger."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from relprobe.core.errors import DataError, ModelError
from relprobe.lm import retries
from relprobe.lm.chat_models import client
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.chat_models.ledger import ledger
from relprobe.lm.chat_models.spending import LimitError, Spending
from relprobe.lm.http import HttpAnswer

from tests.lm.chat_models.faulty import Faulty

MESSAGES = [{"role": "system", "content": "You know words."}, {"role": "user", "content": "a robin is a"}]

OPEN = ExitStack()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(retries, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(retries, "LONGEST_WAIT_S", 0.01)
    with Faulty() as one:
        yield one


@pytest.fixture(autouse=True)
def _close():
    with OPEN:
        yield


class Asking:
    """A client of a server, and its ledger."""

    def __init__(self, folder, endpoint, name="chatty", key=None, attempts=3, sleep=time.sleep, timeout_s=60, **limits):
        self.spending = Spending(folder / "agent.jsonl", "relations", limits)
        self.client = OPEN.enter_context(
            ChatClient(endpoint, key, name, self.spending, timeout_s=timeout_s, attempts=attempts, sleep=sleep)
        )

    def reply(self):
        return self.client.reply(MESSAGES, 48, 0.0)

    def lines(self):
        """The lines of the ledger that are not 0, without the sum."""
        rows = ledger(self.spending.requests()).filter(requests=0, what="").vstack(ledger(self.spending.requests()))
        return {
            row["what"]: row["requests"] for row in rows.to_dicts() if row["requests"] and row["what"] != "all requests"
        }


@pytest.fixture
def asking(server, tmp_path):
    return Asking(tmp_path, server.endpoint)


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (None, "answer"),
        ("length", "length limit"),
        ("refusal", "refusal"),
        ("filter", "content filter"),
        ("filter 400", "content filter"),
        ("empty", "empty answer"),
    ],
)
def test_a_reply_says_how_it_ended(server, asking, fault, outcome):
    server.faults = [fault]
    assert asking.reply().outcome == outcome
    assert asking.lines() == {outcome: 1}
    assert server.requests == 1


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (429, "rate limit"),
        (500, "server error"),
        (503, "server error"),
        ("cut", "broken answer"),
        ("json", "broken answer"),
        ("formless", "broken answer"),
        ("silence", "late answer"),
    ],
)
def test_a_failure_that_passes_is_tried_again_and_counted(server, tmp_path, fault, line):
    asking = Asking(tmp_path, server.endpoint, timeout_s=1 if fault == "silence" else 60)
    server.faults = [fault, fault]
    assert asking.reply().text == "word 12"
    assert asking.lines() == {line: 2, "answer": 1}
    server.faults = [fault] * 3
    with pytest.raises(ModelError, match="was asked 3 times and did not answer"):
        asking.reply()
    assert asking.lines() == {line: 5, "answer": 1}


def test_what_is_sent_is_temperature_0_and_the_limit_of_tokens(server, asking):
    asking.reply()
    assert server.bodies == [{"model": "chatty", "messages": MESSAGES, "max_tokens": 48, "temperature": 0.0}]


def test_the_server_says_how_long_to_wait(server, tmp_path):
    waits = []
    asking = Asking(tmp_path, server.endpoint, sleep=waits.append)
    server.faults, server.retry_after = [429], "7"
    asking.reply()
    assert list(filter(None, waits)) == [7.0]
    server.faults, server.retry_after = [503], format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    asking.reply()
    assert 20 < max(waits) <= 30
    server.faults, server.retry_after = [429], "100000"
    with pytest.raises(ModelError, match="asks to wait 100,000 s"):
        asking.reply()


def test_thoughts_are_cut_off_and_their_tokens_counted(server, asking):
    server.faults = ["thought", "thought apart"]
    tagged, apart = asking.reply(), asking.reply()
    assert tagged.text == apart.text == "word 12"
    assert tagged.thought_tokens == round(5 * len("Hm, five?") / len("Hm, five?word 12"))
    assert apart.thought_tokens == 3
    table = ledger(asking.spending.requests()).filter(what="answer")
    assert table.row(0) == ("answer", 2, 40, 10, tagged.thought_tokens + 3)


def test_all_questions_under_way_are_sent_again_with_the_other_name_of_max_tokens(server, asking):
    server.modern, server.barrier = True, threading.Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        replies = [future.result() for future in [pool.submit(asking.reply) for _ in range(4)]]
    assert [reply.text for reply in replies] == ["word 12"] * 4
    assert asking.lines() == {"other name of max_tokens": 4, "answer": 4}
    server.barrier = None
    asking.reply()
    assert asking.lines() == {"other name of max_tokens": 4, "answer": 5}
    assert server.bodies[-1]["max_completion_tokens"] == 48
    assert "max_tokens" not in server.bodies[-1]


def test_a_limit_of_requests_counts_failed_tries_and_holds_over_runs(server, tmp_path):
    server.faults = [500, 429]
    first = Asking(tmp_path, server.endpoint, attempts=8, requests=4)
    first.reply()
    second = Asking(tmp_path, server.endpoint, attempts=8, requests=4)
    server.faults = [500] * 8
    with pytest.raises(LimitError, match=r"agent has sent 4 requests, and limits.requests is 4: raise it to go on"):
        second.reply()
    with pytest.raises(LimitError):
        Asking(tmp_path, server.endpoint, requests=4).reply()
    assert server.requests == 4
    assert second.lines() == {"server error": 2, "rate limit": 1, "answer": 1}


def test_the_first_request_that_is_refused_is_counted_for_the_limit(server, tmp_path):
    server.modern = True
    with pytest.raises(LimitError):
        Asking(tmp_path, server.endpoint, requests=1).reply()
    assert server.requests == 1
    assert Asking(tmp_path, server.endpoint).lines() == {"other name of max_tokens": 1}


def test_a_limit_of_tokens_is_not_exceeded(server, tmp_path):
    one = Asking(tmp_path, server.endpoint, tokens=250)
    bound = 48 + sum(len(message["content"]) + 64 for message in MESSAGES)
    replies = 0
    with pytest.raises(
        LimitError, match=f"has taken .* tokens, its next question can take {bound:,}, and limits.tokens is 250"
    ):
        while replies < 100:
            one.reply()
            replies += 1
    assert replies == (250 - bound) // 25 + 1
    assert sum(sent.tokens for sent in one.spending.requests()) <= 250


def test_a_request_whose_end_nobody_saw_counts_with_all_the_tokens_that_it_can_have_taken(server, asking):
    server.faults = ["cut"]
    asking.reply()
    broken, whole = asking.spending.requests()
    assert broken.tokens == broken.bound > whole.tokens == 25


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"key": "right"}, "status 401: .*: check the key"),
        ({"name": "another"}, "correct `name`, which is 'chatty', or `endpoint`"),
        ({"warm": True}, "takes no temperature 0, so set `samples`"),
        ({"faults": ["quota"]}, "raise the quota of the key"),
        ({"faults": [422]}, "correct the entry of the model"),
    ],
)
def test_a_refusal_for_good_is_one_sentence_and_one_request(server, tmp_path, change, words):
    for name, value in change.items():
        setattr(server, name, value)
    one = Asking(tmp_path, server.endpoint, key="wrong-key-9")
    with pytest.raises(ModelError, match=words) as error:
        one.reply()
    assert "wrong-key-9" not in str(error.value)
    assert one.lines() == {"rejection": 1}


def test_the_key_stands_in_no_error_and_no_warning(server, tmp_path, caplog):
    server.faults = [500] * 3
    with pytest.raises(ModelError, match=r"fault 500 for Bearer \*\*\*") as error:
        Asking(tmp_path, server.endpoint, key="sesame-open-7").reply()
    assert "sesame-open-7" not in str(error.value) + caplog.text
    assert "sesame-open-7" not in (tmp_path / "agent.jsonl").read_text()


def test_a_key_of_the_environment_goes_nowhere_unless_it_is_named(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sesame-open-7")
    server.faults = [400]
    with pytest.raises(ModelError, match="fault 400 for Bearer none"):
        Asking(tmp_path, server.endpoint).reply()


def test_without_a_server_there_is_one_try_and_one_sentence(tmp_path):
    one = Asking(tmp_path, "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"there is no server at http://127.0.0.1:9/v1 \(.*\): start it"):
        one.reply()
    assert one.lines() == {"no connection": 1}


def test_a_server_that_goes_away_is_asked_for_again(tmp_path, monkeypatch):
    monkeypatch.setattr(retries, "FIRST_WAIT_S", 0.01)
    with Faulty(closes=True) as server:
        one = Asking(tmp_path, server.endpoint)
        one.reply()
    with pytest.raises(ModelError, match="was asked 3 times"):
        one.reply()
    assert one.lines() == {"answer": 1, "no connection": 3}


class Counting:
    """A spending that keeps what was settled."""

    def __init__(self):
        self.settled = []

    def settle(self, request, outcome, cost, counts=None):
        self.settled.append((request, outcome, cost))


def refused(status, body, *, name="max_tokens", key="key-of-a-client", headers=None):
    """What comes of an answer with an error status: the reply or the error, and what was settled."""
    spending = Counting()
    one = client.ChatClient("http://h/v1", key, "big", spending)
    answer = HttpAnswer(status, headers or {}, json.dumps(body).encode())
    try:
        found = one._refused("request", answer, name)
    except Exception as error:
        found = error
    one._http.close()
    ((request, outcome, cost),) = spending.settled
    assert (request, cost) == ("request", 0)
    return found, outcome


def said(message, code=None):
    return {"error": {"message": message, "code": code}}


@pytest.mark.parametrize(
    ("status", "body", "options", "outcome", "sentence"),
    [
        (408, said("x"), {}, "server error", None),
        (409, said("x"), {}, "server error", None),
        (425, said("x"), {}, "server error", None),
        (429, said("x"), {}, "rate limit", None),
        (500, said("x"), {}, "server error", None),
        (599, said("x"), {}, "server error", None),
        (500, said("x", "insufficient_quota"), {}, "server error", None),
        (429, said("x", "insufficient_quota"), {}, "rejection", "raise the quota of the key"),
        (499, said("x"), {}, "rejection", "correct the entry of the model"),
        (400, said("use max_completion_tokens"), {}, "other name of max_tokens", None),
        (422, said("x", "unsupported_parameter"), {}, "other name of max_tokens", None),
        (404, said("x", "unsupported_parameter"), {}, "rejection", "correct `name`, which is 'big'"),
        (400, said("max_completion_tokens"), {"name": "max_completion_tokens"}, "rejection", "correct the entry"),
        (401, said("x"), {}, "rejection", "check the key"),
        (403, said("x"), {"key": None}, "rejection", "name the variable that holds your key"),
        (400, said("no temperature"), {}, "rejection", "this model takes no temperature 0, so set `samples`"),
        (302, said("x"), {"headers": {"Location": "http://other"}}, "rejection", "it sends on to http://other"),
        (399, said("x"), {}, "rejection", "correct `endpoint`"),
    ],
)
def test_what_comes_of_each_error_status(status, body, options, outcome, sentence):
    found, settled = refused(status, body, **options)
    assert settled == outcome
    if outcome == "rejection":
        assert isinstance(found, ModelError)
        assert sentence in str(found)
    elif outcome == "other name of max_tokens":
        assert isinstance(found, client._RenameError)
    else:
        assert isinstance(found, client._AnsweredError)
        assert str(found) == f"status {status}: x"


def test_a_filter_of_questions_is_a_reply_and_a_server_may_ask_to_wait():
    found, outcome = refused(400, said("x", "content_filter"))
    assert (found.outcome, found.text, outcome) == ("content filter", "", "content filter")
    found, _ = refused(429, said("x"), headers={"Retry-After": "7"})
    assert found.wait_s == 7
    found, _ = refused(503, said("x"), headers={"Retry-After": "901"})
    assert "asks to wait 901 s" in str(found)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"error": {"message": "x", "code": 7}}', ("7", "x")),
        (b'{"error": {"message": "x"}}', ("", "x")),
        (b'{"error": "x"}', ("", "x")),
        (b'{"detail": "x"}', ("", "x")),
        (b"no json", ("", "no json")),
        (b"[1]", ("", "[1]")),
        (b'{"message": {"a": [1]}}', ("", '{"a": [1]}')),
        (b"<!DOCTYPE html><p>x</p>", ("", "a page of HTML")),
        (b"is 1 < 2? " + b" " * 90 + b"<html>", ("", "a page of HTML")),
        (b"n" * 100 + b"<html>", ("", "n" * 100 + "<html>")),
    ],
)
def test_what_an_error_says(body, expected):
    answer = HttpAnswer(400, {}, body)
    assert (client._error_code(answer), answer.message(None)) == expected


def test_the_limits_of_an_agent_are_reached_and_not_exceeded(tmp_path):
    spending = Spending(tmp_path / "m.jsonl", "job", {"requests": 2, "tokens": 10})
    first = spending.reserve(6)
    with pytest.raises(LimitError, match=r"has taken 6 tokens, its next question can take 5, and limits\.tokens is 10"):
        spending.reserve(5)
    spending.settle(first, "answer", 3, {"reply_tokens": 2})
    spending.reserve(7)
    with pytest.raises(LimitError, match=r"m has sent 2 requests, and limits\.requests is 2"):
        spending.reserve(0)
    again = Spending(tmp_path / "m.jsonl", "other")
    assert [(one.job, one.outcome, one.tokens) for one in again.requests()] == [("job", "answer", 3), ("job", None, 7)]
    assert again.requests()[0].counts == {"reply_tokens": 2}


def test_a_job_reads_a_line_of_the_file_once(tmp_path):
    """Or every request would take longer than the one before it."""
    path = tmp_path / "results/agents/m.jsonl"  # which is made where it is not there
    spending, other = Spending(path, "job"), Spending(path, "other")
    spending.reserve(6)
    path.write_bytes(b"#" + path.read_bytes()[1:])
    spending.reserve(7)
    assert [request.tokens for request in spending.requests()] == [6, 7]
    with pytest.raises(DataError, match="has a damaged line"):
        other.requests()


def test_a_page_of_another_server_costs_one_request_that_is_noted_as_broken():
    spending = Counting()
    one = client.ChatClient("http://h/v1", None, "big", spending)
    with one, pytest.raises(ModelError, match="the server at http://h/v1 answers with a page of HTML, not with JSON"):
        one._reply_in("request", HttpAnswer(200, {"Content-Type": "text/html"}, b"<html>Welcome</html>"))
    assert spending.settled == [("request", "broken answer", None)]
