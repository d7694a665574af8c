"""A server in a thread that chats in OpenAI's form, counts what it was asked, and fails as it is told to."""

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.lm.in_thread import InThread

RENAME = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
COLD = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."


@dataclass
class Faulty(InThread):
    """The attributes can be changed while it runs; `faults` are given to the next requests, one each.

    A fault is a status, one of FAULTS or REPLIES, or None.
    """

    answer: Callable[[str], str] = lambda text: f"word {len(text)}"
    name: str = "chatty"
    returned: str = "chatty-2026-01-01"  # the name in its replies
    key: str | None = None
    usage: bool = True
    modern: bool = False  # refuses max_tokens
    warm: bool = False  # refuses a temperature of 0
    delay_s: float = 0.0
    retry_after: str | None = None
    closes: bool = False  # ends every connection after an answer
    faults: list = field(default_factory=list)
    bodies: list = field(default_factory=list)
    seen: Counter = field(default_factory=Counter)  # the questions that were answered: how often
    barrier: threading.Barrier | None = None  # requests wait until so many are there
    most_at_once: int = 0

    def __enter__(self):
        self.lock, self.at_once = threading.Lock(), 0
        self.start(handler_of(self))
        return self

    @property
    def requests(self):
        return len(self.bodies)

    def arrive(self, body):
        """Note a request, and return its fault."""
        with self.lock:
            self.bodies.append(body)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return self.faults.pop(0) if self.faults else None

    def leave(self):
        with self.lock:
            self.at_once -= 1

    def completion(self, body, fault):
        """The JSON of a reply."""
        question = body["messages"][-1]["content"]
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": self.answer(question)},
        }
        value = {"object": "chat.completion", "model": self.returned, "choices": [choice], "system_fingerprint": "fp_1"}
        if self.usage:
            value["usage"] = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
        if fault in REPLIES:
            REPLIES[fault](value, choice)
        return value


def long(_, choice):
    choice["finish_reason"] = "length"


def refused(_, choice):
    choice["message"] |= {"content": None, "refusal": "I cannot help with that."}


def filtered(_, choice):
    choice["message"]["content"], choice["finish_reason"] = "", "content_filter"


def empty(_, choice):
    choice["message"]["content"] = None


def thinking(_, choice):
    choice["message"]["content"] = f"<think>Hm, five?</think>\n{choice['message']['content']}"


def apart(value, choice):
    choice["message"]["reasoning_content"] = "Hm, five?"
    value["usage"]["completion_tokens_details"] = {"reasoning_tokens": 3}


def other(value, _):
    value["model"] = "chatty-2026-06-30"


def formless(value, _):
    value["choices"] = []


REPLIES = {
    "length": long,
    "refusal": refused,
    "filter": filtered,
    "empty": empty,
    "thought": thinking,
    "thought apart": apart,
    "other model": other,
    "formless": formless,
}
"""Replies of other kinds; "cut", "json", "html" and "silence" are faults of the connection."""


def rejection(stub, body, authorization):
    """The status and message with which a request is refused whatever its fault; None if it is not."""
    if stub.key and authorization != f"Bearer {stub.key}":
        return 401, {"error": {"message": f"Incorrect API key: {authorization}", "code": "invalid_api_key"}}
    if body["model"] != stub.name:
        return 404, {"error": {"message": f"The model {body['model']} does not exist", "code": "model_not_found"}}
    if stub.modern and "max_tokens" in body:
        return 400, {"error": {"message": RENAME, "param": "max_tokens", "code": "unsupported_parameter"}}
    if stub.warm and body.get("temperature") == 0:
        return 400, {"error": {"message": COLD, "param": "temperature", "code": "unsupported_value"}}
    return None


def handler_of(stub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def handle(self):
            with contextlib.suppress(ConnectionError):  # the client was killed
                super().handle()

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fault = stub.arrive(body)
            try:
                if stub.barrier:
                    stub.barrier.wait(10)
                self.server.over.wait(stub.delay_s)
                self.respond(body, fault)
            finally:
                stub.leave()

        def respond(self, body, fault):
            refused = rejection(stub, body, self.headers.get("Authorization"))
            if refused:
                self.send(*refused)
            elif isinstance(fault, int):
                self.send(fault, {"error": {"message": f"fault {fault} for {self.headers.get('Authorization')}"}})
            elif fault == "quota":
                self.send(429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}})
            elif fault == "filter 400":
                self.send(400, {"error": {"message": "The prompt was filtered", "code": "content_filter"}})
            elif fault in ("cut", "json", "silence"):
                self.break_off(body, fault)
            else:
                self.send(200, stub.completion(body, fault))
                with stub.lock:
                    stub.seen[body["messages"][-1]["content"]] += 1

        def send(self, status, value):
            content = json.dumps(value).encode()
            with contextlib.suppress(OSError):  # the client was killed
                self.head(status, len(content))
                self.wfile.write(content)

        def head(self, status, length):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(length))
            if stub.retry_after and status != 200:
                self.send_header("Retry-After", stub.retry_after)
            if stub.closes:
                self.send_header("Connection", "close")
            self.end_headers()

        def break_off(self, body, fault):
            """Send half of the answer, as whole or as cut off, or nothing for a minute."""
            content = json.dumps(stub.completion(body, None)).encode()
            if fault == "silence":
                self.server.over.wait(60)
            self.close_connection = fault != "json"  # whole by its length: the client may use the connection again
            with contextlib.suppress(OSError):  # the client has gone
                self.head(200, len(content) // 2 if fault == "json" else len(content))
                self.wfile.write(content[: len(content) // 2])

    return Handler
