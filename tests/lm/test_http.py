"""What an answer of a server looks like, and what is said where it is no JSON."""

from types import SimpleNamespace

import httpx2
import pytest
from relprobe.core.errors import ModelError
from relprobe.lm import http
from relprobe.lm.http import Http, HttpAnswer, _cause
from relprobe.lm.retries import PassingError


def answered(text, kind="text/plain"):
    return HttpAnswer(200, {"Content-Type": kind}, text.encode())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<html><body>", "a page of HTML"),
        ("<!DOCTYPE html>", "a page of HTML"),
        ("\n <HTML>", "a page of HTML"),
        ("not found", "a text"),
        ("", "a text"),
        (" " * 995 + "<html>", "a page of HTML"),
        (" " * 996 + "<html>", "a text"),  # beyond what is looked at
    ],
)
def test_an_answer_that_is_no_json_is_a_page_or_a_text(text, kind):
    assert answered(text).kind == kind
    with pytest.raises(ModelError, match=f"the server at http://x/v1 answers with {kind}, not with JSON"):
        answered(text).json("http://x/v1", None)


def test_a_client_has_its_key_its_bounds_and_so_many_connections(monkeypatch):
    made = []
    library = SimpleNamespace(Client=lambda **given: made.append(given), Timeout=httpx2.Timeout, Limits=httpx2.Limits)
    monkeypatch.setattr(http, "httpx2", library)
    monkeypatch.setattr(http, "_trusted", lambda: "certificates")
    for key, seconds, connections in ((None, 120.0, 3), ("sesame", 10.5, 4), (None, 7.0, 5)):
        Http(key, seconds, 1, connections)
    assert [given["headers"] for given in made] == [{}, {"Authorization": "Bearer sesame"}, {}]
    assert [(given["timeout"].read, given["timeout"].connect) for given in made] == [(120, 10), (10.5, 10), (7, 7)]
    assert [given["limits"].max_connections for given in made] == [3, 4, 5]
    assert {given["verify"] for given in made} == {"certificates"}
    assert all(given["auth"]("request") == "request" for given in made)  # and not that of a file .netrc


def test_broken_json_may_pass_and_whole_json_is_read():
    assert answered('{"a": [1]}').json("http://x/v1", None) == {"a": [1]}
    with pytest.raises(PassingError, match=r"it answered with broken JSON: \{\*\*\*"):
        answered('{"sesame', "application/json").json("http://x/v1", '"sesame')


def test_an_answer_in_another_encoding_is_quoted_as_far_as_it_can_be_read():
    """Gateways answer with pages in Latin-1, too."""
    page = HttpAnswer(502, {}, "<html>Défaut".encode("latin-1"))
    assert page.text == "<html>D\ufffdfaut"
    with pytest.raises(ModelError, match="answers with a page of HTML, not with JSON"):
        page.json("http://x/v1", None)
    with pytest.raises(PassingError, match="broken JSON: <html>D\ufffdfaut"):
        HttpAnswer(200, {"Content-Type": "application/json"}, page.body).json("http://x/v1", None)


def test_a_connection_that_failed_says_what_the_system_says_or_else_the_error_itself():
    error = RuntimeError("no connection")
    assert _cause(error) == "no connection"
    error.__context__ = OSError("timed out")  # of a library, without a number and words of the system
    assert _cause(error) == "no connection"
    error.__context__.__cause__ = ConnectionRefusedError(111, "Connection refused")
    assert _cause(error) == "Connection refused"
