"""A server in a thread that speaks vLLM's completions with the numbers of a small network, and fails as it is told to."""

import json
import math
import threading
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any

import torch

from tests.lm.in_thread import InThread

LIES_FROM = 40
"""The requests that are answered rightly, after the opening checks."""
PARTNER_S = 0.3
"""How long an answer waits for another one to be exchanged with."""
HTML = b"<!DOCTYPE html><html><body>Welcome to the cluster</body></html>"


@cache
@torch.no_grad()
def forward(net, ids):
    """The plain forward; every test connects, and asks the same texts."""
    return torch.log_softmax(net(torch.tensor([ids])).logits[0].float(), -1)


@dataclass
class Stub(InThread):
    """The server of a network; the attributes can be changed while it runs.

    `faults` are given to the next requests, one each: a status, "cut" (the connection ends inside the answer), "nan",
    "fewer" (the list is one token short), "empty" (no token was written), "slow" (half a second), "silent" (a minute) or
    "drip" (minutes, and a byte at a time).
    """

    net: Any
    tokenizer: Any
    name: str = "toy"
    others: tuple[str, ...] = ()  # that it lists, too
    facts: dict = field(default_factory=lambda: {"max_model_len": 512})  # that it lists of each model
    answers_as: str | None = None  # the model that its answers name, if it is not `name`; "" for none
    key: str | None = None
    max_logprobs: int = 100
    too_long: tuple[int, str] = (400, "Requested sample logprobs of {k}, which is greater than max allowed: {most}")
    takes_ids: bool = True
    by_text: bool = False  # tokens have their texts for names
    prompt_logprobs: bool = True
    echo: bool = True
    shift: bool = False  # the log-probabilities of a prompt are one token off
    extra_bos: bool = False
    constant: bool = False  # every log-probability is 0
    noise: float = 0.0  # depends on how many requests came before
    wrong_first: bool = False  # it writes another token than the first of the list
    html: bool = False
    retry_after: str | None = None
    lie: str | None = None  # "zeros", "missing", "swapped" or "previous", from the request LIES_FROM on
    says_prompt: bool = False  # an answer holds the ids of its prompt
    version: str = "0.99.0"
    faults: list = field(default_factory=list)
    bodies: list = field(default_factory=list)
    most_at_once: int = 0

    def __enter__(self):
        self.lock, self.count, self.at_once = threading.Lock(), 0, 0
        self.honest, self.previous = math.inf, None  # requests before the first lie
        self.partner, self.met = [], threading.Condition()
        self.start(handler_of(self))
        return self

    def table(self, ids):
        """The log-probabilities after each token of an input, shape (tokens, vocabulary)."""
        with self.lock:
            self.count += 1
            values = forward(self.net, tuple(ids))
        if self.constant:
            return torch.zeros_like(values)
        return values + self.noise * math.sin(self.count)

    def start_to_lie(self, lie):
        """Lie after the next LIES_FROM requests."""
        self.lie, self.honest = lie, LIES_FROM

    def answer_to(self, body):
        """Return the answer to a request, or another one where it is time to lie."""
        with self.lock:
            self.honest -= 1
            lie = self.lie if self.honest < 0 else None
            previous, self.previous = self.previous, body
        if lie == "previous":
            return self.complete(previous)
        status, value = self.complete(body)
        if lie in ("zeros", "missing"):
            spoil(value["choices"][0], lie)
        if lie == "swapped":  # an answer that is left over at the end has no other one but the last
            return self.exchanged((status, value)) or self.complete(previous)
        return status, value

    def exchanged(self, answer):
        """Return the answer to another request that is under way, and give it this one; None if there is no other one."""
        with self.met:
            if self.partner and len(self.partner[0]) == 1:
                self.partner[0].append(answer)
                self.met.notify_all()
                return self.partner.pop()[0]
            pair = [answer]
            self.partner[:] = [pair]
            self.met.wait_for(lambda: len(pair) == 2, PARTNER_S)
            if len(pair) == 1:
                self.partner[:] = []
                return None
            return pair[1]

    def label(self, token):
        return self.tokenizer.decode([token]) if self.by_text else f"token_id:{token}"

    def complete(self, body):
        """Return the status and the answer to a request for a completion."""
        prompt = body["prompt"]
        if isinstance(prompt, list) and not self.takes_ids:
            return 422, {"detail": [{"msg": "Input should be a valid string", "type": "string_type"}]}
        ids = prompt if isinstance(prompt, list) else self.tokenizer.encode(prompt, add_special_tokens=False)
        if self.extra_bos:
            ids = [0, *ids]
        k = body.get("logprobs")
        if k is not None and k > self.max_logprobs:
            status, message = self.too_long[0], self.too_long[1].format(k=k, most=self.max_logprobs)
            return status, {"object": "error", "message": message, "type": "BadRequestError", "code": status}
        if body.get("echo") and not self.echo:
            return 400, {"error": {"code": 400, "message": "Only no echo is supported"}}
        table = self.table(ids)
        choice = {"index": 0, "text": "", "finish_reason": "length", "logprobs": None, "prompt_logprobs": None}
        if k is not None:
            choice["logprobs"] = self.lists(table, k, ids if body.get("echo") else [])
        if body.get("prompt_logprobs") is not None and self.prompt_logprobs:
            choice["prompt_logprobs"] = self.positions(table, ids)
        usage = {"prompt_tokens": len(ids), "completion_tokens": 1, "total_tokens": len(ids) + 1}
        if self.says_prompt and body.get("return_token_ids"):
            choice["prompt_token_ids"] = list(ids)
        return 200, {"object": "text_completion", "model": self.model, "choices": [choice], "usage": usage}

    @property
    def model(self):
        return self.name if self.answers_as is None else self.answers_as

    def lists(self, table, k, echoed):
        """OpenAI's `logprobs`: of the echoed tokens, and of the one that was written."""
        rows = [None, *table] if echoed else [table[-1]]
        if self.shift and echoed:
            rows = [*table, table[-1]]
        first = table[-1].topk(2).indices.tolist()[int(self.wrong_first)]
        tokens = [*echoed, first]
        tops = [None if row is None else self.top(row, k) for row in rows]
        values = [None if row is None else row[token].item() for row, token in zip(rows, tokens, strict=True)]
        return {"tokens": [self.label(token) for token in tokens], "token_logprobs": values, "top_logprobs": tops}

    def top(self, row, k):
        best = row.topk(min(k, len(row)))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return {self.label(token): value for token, value in pairs}

    def positions(self, table, ids):
        """vLLM's `prompt_logprobs`."""
        rows = table[1:] if self.shift else table[:-1]
        cells = [{str(token): {"logprob": row[token].item()}} for row, token in zip(rows, ids[1:], strict=True)]
        return [None, *cells]


def handler_of(stub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def send(self, status, content, kind="application/json"):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            if stub.retry_after and status != 200:
                self.send_header("Retry-After", stub.retry_after)
            self.end_headers()
            self.wfile.write(content)

        def answer(self, status, value):
            self.send(status, json.dumps(value).encode())

        def welcome(self):
            """Send what comes before any answer, if anything does."""
            if stub.html:
                self.send(200, HTML, "text/html")
            elif stub.key and self.headers.get("Authorization") != f"Bearer {stub.key}":
                self.answer(401, {"error": f"invalid key {self.headers.get('Authorization')}"})
            else:
                return False
            return True

        def do_GET(self):
            models = [{"id": name, "owned_by": "vllm", **stub.facts} for name in (stub.name, *stub.others)]
            pages = {
                "/v1/models": {"data": models},
                "/version": {"version": stub.version},
            }
            if not self.welcome():
                known = self.path in pages
                self.answer(200 if known else 404, pages.get(self.path, {"detail": "Not Found"}))

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.welcome():
                return
            if self.path == "/tokenize":
                self.answer(200, {"tokens": stub.tokenizer.encode(body["prompt"], add_special_tokens=False)})
                return
            stub.bodies.append(body)
            stub.at_once += 1
            stub.most_at_once = max(stub.most_at_once, stub.at_once)
            try:
                self.completion(body, stub.faults.pop(0) if stub.faults else None)
            finally:
                stub.at_once -= 1

        def completion(self, body, fault):
            if isinstance(fault, int):
                self.answer(fault, {"error": {"message": f"fault {fault} for {self.headers.get('Authorization')}"}})
                return
            if fault in ("slow", "silent"):
                self.server.over.wait(60 if fault == "silent" else 0.5)
            if fault == "drip":
                self.drip(json.dumps(stub.complete(body)[1]).encode())
                return
            status, value = stub.answer_to(body)
            if status == 200 and fault in ("nan", "fewer", "empty", "shuffled", "first is last"):
                damage(value["choices"][0]["logprobs"], fault)
            if fault == "cut":
                content = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
                return
            self.answer(status, value)

        def drip(self, content):
            """Send an answer in small parts, one in a tenth of a second."""
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                for byte in content:  # which takes minutes
                    self.wfile.write(bytes([byte]))
                    if self.server.over.wait(0.1):
                        return
            except OSError:  # the client has gone
                self.close_connection = True

    return Handler


def spoil(choice, lie):
    """Make all log-probabilities 0, or take the likeliest tokens from a list."""
    for cell in choice["prompt_logprobs"] or []:
        for entry in (cell or {}).values():
            entry["logprob"] = 0.0 if lie == "zeros" else entry["logprob"]
    lists = choice["logprobs"]
    for i, top in enumerate(lists["top_logprobs"] if lists else []):
        if top is not None and lie == "zeros":
            lists["top_logprobs"][i] = dict.fromkeys(top, 0.0)
        elif top is not None:
            best = list(top.items())
            lists["top_logprobs"][i] = {**dict(best[3:]), **{f"token_id:{10_000 + j}": best[-1][1] for j in range(3)}}
            lists["tokens"][i] = best[3][0]


def damage(logprobs, fault):
    if fault == "empty":
        logprobs.update(tokens=[], token_logprobs=[], top_logprobs=[])
    elif fault == "fewer":
        logprobs["top_logprobs"][0].popitem()
    elif fault in ("shuffled", "first is last"):
        first, second, *others = logprobs["top_logprobs"][0].items()
        order = [first, *others, second] if fault == "shuffled" else [second, *others, first]
        logprobs["top_logprobs"][0] = dict(order)
    else:
        top = logprobs["top_logprobs"][0]
        top[next(iter(top))] = math.nan
