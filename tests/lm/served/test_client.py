"""A server that trickles, floods, waits or nests without end is given up within the bounds of an answer."""

import contextlib
import json
import time
from http.server import BaseHTTPRequestHandler

import pytest
from relprobe.core.errors import ModelError
from relprobe.lm import retries
from relprobe.lm.chat_models import client as chat
from relprobe.lm.chat_models.client import ChatClient
from relprobe.lm.chat_models.spending import Spending
from relprobe.lm.http import AbsentError, HttpAnswer, LateError
from relprobe.lm.served import client as served
from relprobe.lm.served.client import Client

from tests.lm.in_thread import InThread

LONG_S = 60.0
"""How long a server goes on that has no end, and what a client waits that is not tested for it; a machine may be busy."""


JSON = "Content-Type: application/json"


def head(status, *lines):
    """The head of an answer. It says that the connection ends with it: a client may use it again otherwise.

    It would then be told that the server is gone, unless it has seen the end before, as it does on a machine that is idle.
    """
    return "\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *lines, "", ""]).encode()


def slow_head(handler):
    handler.wfile.write(head("200 OK")[:-2])
    _trickle(handler, b"X-Letters: " + b"a" * 10**6)


def slow_body(handler):
    handler.wfile.write(head("200 OK", JSON, "Content-Length: 1000000"))
    _trickle(handler, b" " * 10**6)


def slow_chunks(handler):
    handler.wfile.write(head("200 OK", JSON, "Transfer-Encoding: chunked"))
    _trickle(handler, b"0" * 10**6)  # the length of the first chunk, which never ends


def slow_error(handler):
    handler.wfile.write(head("400 Bad Request", JSON, "Content-Length: 1000000"))
    _trickle(handler, b" " * 10**6)


def _trickle(handler, data):
    for letter in data:
        if not goes_on(handler, 0.05):
            return
        handler.wfile.write(bytes([letter]))


def goes_on(handler, wait_s=0.0):
    """Say whether the test that the server is for is under way, and waits no longer than it may."""
    return time.monotonic() < handler.server.end and not handler.server.over.wait(wait_s)


def endless(handler):
    handler.wfile.write(head("200 OK", JSON))
    while goes_on(handler):
        handler.wfile.write(b" " * 2**16)


def endless_error(handler):
    handler.wfile.write(head("400 Bad Request", JSON))
    while goes_on(handler):
        handler.wfile.write(b" " * 2**16)


def nested(handler):
    body = b"[" * 10**6
    handler.wfile.write(head("200 OK", JSON, "Content-Length: 1000000") + body)


def nested_error(handler):
    body = b"[" * 10**6
    handler.wfile.write(head("500 No", JSON, "Content-Length: 1000000") + body)


def patient(handler):
    handler.wfile.write(head("429 Wait", "Retry-After: 1000000000", "Content-Length: 2") + b"{}")


def large_error(handler):
    body = b"no " * 10**6
    handler.wfile.write(head("400 No", "Content-Type: text/plain", f"Content-Length: {len(body)}") + body)


def colourful(handler):
    body = b'{"error": {"message": "\\u001b[2J\\u001b]0;title\\u0007gone\\u202e"}}'
    handler.wfile.write(head("400 No", JSON, f"Content-Length: {len(body)}") + body)


@contextlib.contextmanager
def answering(answer):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.close_connection = True
            with contextlib.suppress(OSError):  # the client has gone
                answer(self)

    server = InThread()
    server.start(Handler, end=time.monotonic() + LONG_S)
    try:
        yield server.endpoint
    finally:
        server.__exit__()


def ask_served(endpoint, folder, timeout_s=LONG_S):
    Client(endpoint, "sesame-open-7", timeout_s=timeout_s, attempts=2).post("/completions", {})


def ask_chat(endpoint, folder, timeout_s=LONG_S):
    spending = Spending(folder / "agent.jsonl", "relations", {})
    with ChatClient(endpoint, "sesame-open-7", "chatty", spending, timeout_s=timeout_s, attempts=2) as client:
        client.reply([{"role": "user", "content": "a robin is a"}], 48, 0.0)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(retries, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(served, "LARGEST_ANSWER", 2**20)
    monkeypatch.setattr(chat, "LARGEST_ANSWER", 2**20)


@pytest.mark.parametrize("ask", [ask_served, ask_chat])
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (slow_head, "not whole after 0.3 s"),
        (slow_body, "not whole after 0.3 s"),
        (slow_chunks, "not whole after 0.3 s"),
        (slow_error, "not whole after 0.3 s"),
        (endless, "more than 1 MiB"),
        (endless_error, "more than 1 MiB"),
        (nested, "broken"),
        (nested_error, "status 500"),
        (patient, "asks to wait 1,000,000,000 s"),
    ],
)
def test_an_answer_without_end_is_one_sentence_in_time(ask, answer, words, tmp_path):
    with answering(answer) as endpoint, pytest.raises(ModelError, match=words) as error:
        ask(endpoint, tmp_path, *([0.3] if "not whole" in words else []))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("ask", [ask_served, ask_chat])
def test_what_steers_a_terminal_is_not_printed(ask, tmp_path):
    with answering(colourful) as endpoint, pytest.raises(ModelError, match="gone") as error:
        ask(endpoint, tmp_path)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("status", [400, 401, 429, 500])
@pytest.mark.parametrize("ask", [ask_served, ask_chat])
def test_a_key_that_a_server_repeats_is_not_quoted(ask, status, tmp_path):
    """The key was given to the client alone, which has to note it itself, and no word before it tells what it is."""

    def repeats(handler):
        body = json.dumps(
            {"error": {"message": f"no access with {handler.headers['Authorization'].split()[1]}"}}
        ).encode()
        handler.wfile.write(head(f"{status} No", JSON, f"Content-Length: {len(body)}") + body)

    with answering(repeats) as endpoint, pytest.raises(ModelError, match=r"no access with \*\*\*") as error:
        ask(endpoint, tmp_path)
    assert "sesame" not in str(error.value)


@pytest.mark.parametrize("status", [400, 404, 502])
@pytest.mark.parametrize("ask", [ask_served, ask_chat])
def test_a_page_of_an_error_is_not_quoted(ask, status, tmp_path):
    """A proxy sends one for a server that is down; its text is marks."""

    def page(handler):
        body = b"<html><head><style>b {color: red}</style></head><body>Oops</body></html>"
        handler.wfile.write(head(f"{status} No", "Content-Type: text/html", f"Content-Length: {len(body)}") + body)

    with answering(page) as endpoint, pytest.raises(ModelError, match="a page of HTML") as error:
        ask(endpoint, tmp_path)
    assert "<" not in str(error.value)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308, 399])
@pytest.mark.parametrize("ask", [ask_served, ask_chat])
@pytest.mark.parametrize("same_host", [True, False])
def test_no_other_server_is_asked_than_the_one_that_is_named(ask, status, same_host, tmp_path):
    """302 and 303 would have asked there without the question, and the others with the user's texts."""
    asked = []

    def answers(handler):
        asked.append(handler.path)
        handler.wfile.write(head("200 OK", JSON, "Content-Length: 2") + b"{}")

    with answering(answers) as other:
        place = other if same_host else other.replace("127.0.0.1", "localhost")

        def sends_on(handler):
            handler.wfile.write(head(f"{status} Go", f"Location: {place}/x", "Content-Length: 0"))

        sentence = rf"status {status}: it sends on to {place}/x\): correct `endpoint`\."
        with answering(sends_on) as endpoint, pytest.raises(ModelError, match=sentence):
            ask(endpoint, tmp_path)
    assert asked == []


@pytest.mark.parametrize("ask", [ask_served, ask_chat])
def test_a_large_message_is_quoted_in_no_time(ask, tmp_path, monkeypatch):
    monkeypatch.setattr(served, "LARGEST_ANSWER", 2**28)
    monkeypatch.setattr(chat, "LARGEST_ANSWER", 2**28)
    monkeypatch.setattr(
        retries, "mask", lambda text: text if len(text) <= retries.LOOKED_AT else pytest.fail("all of it")
    )
    with answering(large_error) as endpoint, pytest.raises(ModelError, match="no no no"):
        ask(endpoint, tmp_path)


@pytest.mark.parametrize(
    ("error", "said"),
    [(LateError("it is late"), "2 times"), (AbsentError("refused"), "there is no server at")],
)
def test_a_server_that_is_late_at_the_first_request_is_there(error, said):
    class Answers:
        sent = 0

        def send(self, *_):
            Answers.sent += 1
            raise error

    client = Client("http://localhost:1/v1", attempts=2, sleep=lambda _: None)
    object.__setattr__(client, "http", Answers())
    with pytest.raises(ModelError, match=said):
        client.get("/models", first=True)
    assert Answers.sent == (1 if isinstance(error, AbsentError) else 2)


def test_a_server_that_is_started_anew_after_the_first_request_is_waited_for():
    class Answers:
        sent = 0

        def send(self, *_):
            Answers.sent += 1
            if Answers.sent < 3:
                raise AbsentError("refused")
            return HttpAnswer(200, {}, b"[1]")

    client = Client("http://localhost:1/v1", attempts=3, sleep=lambda _: None)
    object.__setattr__(client, "http", Answers())
    assert client.post("/completions", {}) == [1]
